"""Games and environments are pickled by their names: their code is wherever they are sent to."""

import copyreg
from collections.abc import Callable

from solvers.environments.card_game import Records
from solvers.environments.environment import Environment
from solvers.environments.load import load_environment
from solvers.environments.openspiel_game import Listed
from spielgames.core.game import GAMES, Game


def game_named(name: str) -> Game:
    return GAMES[name]


def reduce_game(game: Game) -> tuple[Callable, tuple[str]]:
    return game_named, (game.name,)


def reduce_environment(env: Environment) -> tuple[Callable, tuple[str, str]]:
    return load_environment, (env.name, env.encoding)


copyreg.pickle(Game, reduce_game)  # type: ignore[arg-type]
copyreg.pickle(Records, reduce_environment)  # type: ignore[arg-type]
copyreg.pickle(Listed, reduce_environment)  # type: ignore[arg-type]
