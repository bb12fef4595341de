"""Any game as an environment."""

from solvers.environment import Environment
from solvers.listed import Listed
from solvers.records import Records
from spielgames.core.game import GAMES


def load_environment(name: str, encoding: str = "compact") -> Environment:
    """Of a variant of ours, or of a small game of OpenSpiel's, which has its own encoding."""
    if name.partition("(")[0] in GAMES:
        return Records(name, encoding)
    if encoding == "events":
        raise ValueError(f"{name} is not one of our games: encoding=events has nothing to tell")
    return Listed(name, encoding)
