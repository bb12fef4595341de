"""Any game as an environment."""

import pyspiel

from solvers.environments.card_game import Records
from solvers.environments.environment import Environment
from solvers.environments.openspiel_game import Listed
from spielgames.core.registry import is_ours, name_of


def load_environment(game: str | pyspiel.Game, encoding: str = "compact") -> Environment:
    """Of a variant of ours, or of a small game of OpenSpiel's, which has its own encoding."""
    name = name_of(game)
    if is_ours(name):
        return Records(name, encoding)
    if encoding == "events":
        raise ValueError(f"{name} is not one of our games: encoding=events has nothing to tell")
    return Listed(name, encoding)
