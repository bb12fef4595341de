"""The executor of a config: --config.executor=ray --config.workers=0 --config.address=auto"""

from contextlib import AbstractContextManager

from ml_collections import ConfigDict

from solvers.runs.executors import Executor, executing

FIELDS = ("executor", "workers", "address")  # they change no result


def add_executor(config: ConfigDict, executor: str = "here", workers: int = 0) -> None:
    """Add the fields to a config; `workers=0` is one for each core."""
    config.executor, config.workers, config.address = executor, workers, "auto"


def executor_of(config: ConfigDict) -> AbstractContextManager[Executor]:
    """A context in which a config's executor computes; without the fields, this process does."""
    return executing(*(config[name] for name in FIELDS if name in config))
