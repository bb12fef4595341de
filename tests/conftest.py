"""Settings for all tests: deterministic, and without deadlines, as first calls compile."""

import os
import re

import pytest
from hypothesis import settings

# Workers share the cores: threads that wait must not spin. (Read when OpenMP is loaded, later.)
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# PyTorch keeps a kernel for each size of batch, a thousand of them, which tests never use again.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "1")

pytest.register_assert_rewrite("spielgames.testing")  # so that a failing check shows values

settings.register_profile("deterministic", deadline=None, derandomize=True)
settings.load_profile("deterministic")


def pytest_collection_modifyitems(items):
    """All tests of a game go to one worker, so that its machine code is compiled once; and first,
    so that small tests fill up the end. So do the others of a module, which share its fixtures.
    """
    others = []
    for item in items:
        game = re.search("coinche|hokm|hearts|sheephead|snapszer", item.nodeid)
        group = game[0] if game else item.path.relative_to(item.config.rootpath).as_posix()
        item.add_marker(pytest.mark.xdist_group(group))
        if not game:
            others.append(item)
    rest = set(others)
    items[:] = [item for item in items if item not in rest] + others
