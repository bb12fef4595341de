"""Any game as an environment."""

import pyspiel

from solvers.environments.card_game import Records
from solvers.environments.environment import Environment
from solvers.environments.openspiel_game import Listed
from spielgames.core.registry import is_ours, name_of


def load_environment(game: str | pyspiel.Game, encoding: str = "compact") -> Environment:
    """Return the environment of one of our variants, or of a small game of OpenSpiel's, which has
    its own encoding.
    """
    name = name_of(game)
    if is_ours(name):
        return Records(name, encoding)
    if encoding in ("events", "paper"):
        raise ValueError(
            f"encoding={encoding} is not allowed with {name}, which is not one of our games"
        )
    return Listed(name, encoding)
