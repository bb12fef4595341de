"""The OpenSpiel face: one Game class for all games, and their registration."""

from collections.abc import Callable
from typing import Self

import numpy as np
import pyspiel

from spielgames.core import one_game
from spielgames.core.game import Game, Parameters, Variant, initial_state
from spielgames.core.observer import Observer
from spielgames.core.registry import variant_of
from spielgames.core.state import CardState
from spielgames.core.structs import Struct, history_of


class CardGame(pyspiel.Game):
    """Any of the games; `definition` tells which."""

    definition: Game
    game_type: pyspiel.GameType
    state_class: type[CardState]

    def __init__(self, params: Parameters | None = None) -> None:
        params = params or {}
        self.variant = variant_of(self.definition, params)
        kind = game_type(self.definition, self.variant)
        super().__init__(kind, game_info(self.definition, self.variant), params)
        row = initial_state(self.definition, self.variant)
        one_game.start(row)
        self.deck_size = int(row["deck"][0]).bit_count()
        self.initial_cell = one_game.Cell.of_row(row)
        self._bind(self.initial_cell.table)
        self.recall_observer = self.make_py_observer(observation_type(perfect_recall=True))
        self.compact_observer = self.make_py_observer(observation_type(perfect_recall=False))

    def _bind(self, table: np.ndarray) -> None:
        """Give the state class the machine code for this game, the same for all its variants."""
        probabilities = np.zeros(one_game.MAX_ACTIONS)
        entry = one_game.entry
        self.state_class.move = staticmethod(entry(one_game.move, table, 0))
        self.state_class.chances = staticmethod(entry(one_game.chances, table, probabilities))

    def new_initial_state(
        self, start: pyspiel.StateStruct | Struct | str | None = None
    ) -> CardState:
        """The state before the deal, or that of a struct."""
        state = self.state_class(self, self.initial_cell.copy())
        for action in history_of(start) if start is not None else ():
            state.apply_action(action)
        return state

    def state_of(self, row: np.ndarray) -> CardState:
        """A state from a record (an array of length 1), which is copied."""
        return self.state_class(self, one_game.Cell.of_row(row))

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict | None = None
    ) -> Observer:
        kind = iig_obs_type or observation_type(perfect_recall=False)
        return Observer(self.definition, self.variant, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        return self.variant.stages * self.deck_size + self.variant.max_draws

    def __reduce__(self) -> tuple[Callable, tuple[str]]:
        return load, (str(self),)  # a copied or pickled game would lose its attributes

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict) -> Self:
        return self


def load(name: str) -> CardGame:
    """Load a game by `pyspiel`; unpickling imports this module, which registers the games."""
    return pyspiel.load_game(name)


def observation_type(perfect_recall: bool) -> pyspiel.IIGObservationType:
    single_player = pyspiel.PrivateInfoType.SINGLE_PLAYER
    return pyspiel.IIGObservationType(
        perfect_recall=perfect_recall, public_info=True, private_info=single_player
    )


def game_type(game: Game, variant: Variant) -> pyspiel.GameType:
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=game.name,
        long_name=f"Python {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if variant.zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=game.parameters,
    )


def game_info(game: Game, variant: Variant) -> pyspiel.GameInfo:
    return pyspiel.GameInfo(
        num_distinct_actions=game.actions,
        max_chance_outcomes=max(game.places, variant.draw_outcomes),
        num_players=game.players,
        min_utility=variant.min_utility,
        max_utility=variant.max_utility,
        utility_sum=0.0 if variant.zero_sum else None,
        max_game_length=variant.max_moves,
    )


def register(game: Game) -> None:
    """Make `pyspiel.load_game(game.name)` work. (OpenSpiel needs a class; a closure crashes at
    exit.)
    """
    state_class = type(
        f"{game.title}State",
        (CardState,),
        {"definition": game},
    )
    default = variant_of(game, {})
    members_of = {"definition": game, "state_class": state_class}
    game_class = type(f"{game.title}Game", (CardGame,), members_of)
    pyspiel.register_game(game_type(game, default), game_class)
