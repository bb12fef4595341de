"""Networks that are shown enough agree with the rules; every kind can be shown."""

import numpy as np
import pytest

from analysis.imitation import KINDS, compare, report, watch
from solvers.environments.load import load_environment
from tests.commands import run

HOKM = "python_hokm(suits=2,ranks=8,trump=heuristic)"


def test_what_is_shown_is_what_rules_do():
    env = load_environment(HOKM)
    shown = watch(env, deals=20, seed=1)
    rows = np.arange(len(shown.actions))
    assert shown.likely[rows, shown.actions].all()
    assert (shown.likely <= shown.legal).all()
    assert (shown.legal.sum(axis=1) > 1).all()


def test_more_steps_agree_more():
    few, many = (compare(HOKM, ["suits-64"], 300, steps, 256, seed=1)[0] for steps in (1, 300))
    assert many.agreement > 0.7 > few.agreement
    assert f"{100 * many.agreement:.1f} %" in report([many])


def test_every_kind_can_be_shown():
    found = compare(HOKM, list(KINDS), 20, 2, 32, seed=1)
    assert [one.kind for one in found] == list(KINDS)
    assert all(0 < one.agreement <= 1 and one.parameters > 1000 for one in found)


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("--kinds=mlp,brain", "there is no network 'brain'; there are mlp, suits-64"),
        ("--game=python_bridge", "python_bridge"),
    ],
)
def test_bad_input_ends_with_one_sentence(flag, why):
    done = run("analysis.imitation", flag)
    assert done.returncode == 2
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1
