"""Where a config is computed: --config.executor=ray --config.workers=0 --config.address=auto
--config.device=cuda
"""

from collections.abc import Iterator
from contextlib import contextmanager

from ml_collections import ConfigDict

from solvers.networks.device import device, use_device
from solvers.runs.executors import Executor, executing

EXECUTOR = ("executor", "workers", "address")
FIELDS = (*EXECUTOR, "device")  # a run may go on with others
HELP = """\
config.device says where networks compute: cpu; cuda or mps, a graphics card; auto, a card if there
is one. A run may go on with another device (docs/graphics_card.md)."""


def add_executor(config: ConfigDict, executor: str = "here", workers: int = 0) -> None:
    """Add the fields to a config; `workers=0` is one for each core."""
    config.executor, config.workers, config.address = executor, workers, "auto"
    config.device = "cpu"


@contextmanager
def executor_of(config: ConfigDict) -> Iterator[Executor]:
    """A context in which a config's executor computes, with networks on its device; without the
    fields, the processor does in this process.
    """
    before = device()
    use_device(config.get("device", "cpu"))
    try:
        with executing(*(config[name] for name in EXECUTOR if name in config)) as executor:
            yield executor
    finally:
        use_device(before.type)
