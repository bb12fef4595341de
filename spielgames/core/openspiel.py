"""The OpenSpiel face: one Game and one State class for all games.

C++ callers reach a Python game through the underscore hooks alone. Python callers also see the plain
methods that are overridden here: they mean the same, and spare several crossings between the two
languages. What a state is lives in its record, so the history that OpenSpiel keeps in C++ is not
needed; `history` and its kin are read off the record.
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pyspiel

from spielgames.core import single, story
from spielgames.core.game import Game, Parameters, Variant, initial_state
from spielgames.core.observer import Observer
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.registry import variant_of
from spielgames.core.text import describe_actions
from spielgames.core.worlds import sample_worlds

CHUNK = 13
_CHUNK_MASK = (1 << CHUNK) - 1
_IDS = [
    [[low + b for b in range(CHUNK) if m >> b & 1] for m in range(1 << CHUNK)]
    for low in range(0, single.ACTION_BITS, CHUNK)
]
_ID0, _ID1, _ID2, _ID3, _ID4 = _IDS


def ids(actions: int) -> list[int]:
    """A set of actions as a new ascending list."""
    out: list[int] = []
    if actions & 0x3FFFFFF:
        out += _ID0[actions & _CHUNK_MASK]
        out += _ID1[actions >> 13 & _CHUNK_MASK]
    actions >>= 26
    if actions:
        out += _ID2[actions & _CHUNK_MASK]
        out += _ID3[actions >> 13 & _CHUNK_MASK]
        out += _ID4[actions >> 26]
    return out


class CardState(pyspiel.State):
    """A state of any of the games. `row` is its record, an array of length 1."""

    def __init__(self, game: "CardGame", row: np.ndarray | None = None) -> None:
        super().__init__(game)
        self.row = game.initial_row.copy() if row is None else row
        self._packed = game.initial_packed if row is None else single.look(row)

    # The hooks that C++ calls, in OpenSpiel's order.

    def current_player(self) -> int:
        return self._packed >> single.ACTION_BITS

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return story.action_word(self.game, self.row, action)

    def is_terminal(self) -> bool:
        return self._packed >> single.ACTION_BITS == TERMINAL

    def returns(self) -> list[float]:
        out = np.zeros(self.game.players)
        if self.is_terminal():
            single.final(self.row, out)
        return out.tolist()

    def rewards(self) -> list[float]:
        return self.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if not self.is_chance_node():
            raise ValueError("chance has no move here")
        p = np.zeros(self.get_game().max_chance_outcomes())
        single.chances(self.row, p)
        return [(a, x) for a, x in enumerate(p.tolist()) if x > 0.0]

    def __str__(self) -> str:
        return story.lines(story.all_facts(self.game, self.row))

    def _to_struct(self) -> dict[str, Any]:
        return story.all_facts(self.game, self.row)

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        self._check_seat(player)
        return story.seat_facts(self.game, self.row, player)

    def _action_to_struct(self, player: int, action: int) -> dict[str, Any]:
        return {"id": action, "name": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: dict[str, Any]) -> list[int]:
        return [struct["id"]]

    # Faster ways for Python callers.

    @property
    def game(self) -> Game:
        return self.definition

    def is_chance_node(self) -> bool:
        return self._packed >> single.ACTION_BITS == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        packed = self._packed
        turn = packed >> single.ACTION_BITS
        if turn >= 0 and (player is None or player == turn):
            return ids(packed & single.ACTIONS)
        if turn == CHANCE and (player is None or player == CHANCE):
            return [a for a, _ in self.chance_outcomes()]
        return []

    def apply_action(self, action: int) -> None:
        packed = self._packed
        if packed < 0 or not 0 <= action < 56 or not packed >> action & 1:
            self._check_outcome(action)
        self._packed = single.move(self.row, action)

    def apply_action_with_legality_check(self, action: int) -> None:
        self.apply_action(action)

    def _check_outcome(self, action: int) -> None:
        """Only the rare ways out: chance outcomes, and actions that are not allowed."""
        if self.is_terminal():
            raise ValueError(f"action {action} is illegal: the deal is over")
        if self.is_chance_node():
            allowed = [a for a, _ in self.chance_outcomes()]
            if action not in allowed:
                raise ValueError(f"chance can't do {action}; its outcomes are {allowed}")
            return
        names = describe_actions(self.game, self.row[0], self._packed & single.ACTIONS)
        raise ValueError(f"action {action} is illegal; allowed are {names}")

    def clone(self) -> Self:
        return type(self)(self.get_game(), self.row.copy())

    def child(self, action: int) -> Self:
        state = self.clone()
        state.apply_action(action)
        return state

    def information_state_tensor(self, player: int | None = None) -> np.ndarray:
        return self._tensor(player, self.get_game().recall_observer)

    def observation_tensor(self, player: int | None = None) -> np.ndarray:
        return self._tensor(player, self.get_game().compact_observer)

    def information_state_string(self, player: int | None = None) -> str:
        return self.get_game().recall_observer.string_from(self, self._check_seat(player))

    def observation_string(self, player: int | None = None) -> str:
        return self.get_game().compact_observer.string_from(self, self._check_seat(player))

    def _tensor(self, player: int | None, observer: Observer) -> np.ndarray:
        observer.set_from(self, self._check_seat(player))
        return observer.tensor.copy()

    def _check_seat(self, player: int | None) -> int:
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.game.players:
            raise RuntimeError(
                f"player {seat} is no seat; seats go from 0 to {self.game.players - 1}"
            )
        return seat

    def resample_from_infostate(self, player_id: int, rng: Callable[[], float]) -> Self:
        """A state that this player can't tell from this one, uniformly (`rng` gives one number in [0, 1))."""
        seats = np.array([self._check_seat(player_id)])
        row = sample_worlds(self.row, seats, 1, int(rng() * (1 << 53)))
        return type(self)(self.get_game(), row)

    # What OpenSpiel reads off the history it keeps in C++.

    def full_history(self) -> list[Any]:
        return [pyspiel.PlayerAction(*step) for step in story.history(self.row)]

    def history(self) -> list[int]:
        return [action for _, action in story.history(self.row)]

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        return len(self.history())

    def is_initial_state(self) -> bool:
        return not self.history()


class CardGame(pyspiel.Game):
    """Any of the games; `definition` says which."""

    definition: Game
    game_type: pyspiel.GameType
    state_class: type[CardState]

    def __init__(self, params: Parameters | None = None) -> None:
        params = params or {}
        self.variant = variant_of(self.definition, params)
        kind = game_type(self.definition, self.variant)
        super().__init__(kind, game_info(self.definition, self.variant), params)
        self.initial_row = initial_state(self.definition, self.variant)
        single.start(self.initial_row)
        self.initial_packed = single.look(self.initial_row)
        self.recall_observer = self.make_py_observer(observation_type(perfect_recall=True))
        self.compact_observer = self.make_py_observer(observation_type(perfect_recall=False))

    def new_initial_state(self, *_: Any) -> CardState:
        return self.state_class(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict | None = None
    ) -> Observer:
        kind = iig_obs_type or observation_type(perfect_recall=False)
        return Observer(self.definition, self.variant, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        cards = int(self.initial_row["deck"][0]).bit_count()
        return self.variant.stages * cards + self.variant.max_draws

    def __reduce__(self) -> tuple[Callable, tuple[str]]:
        return pyspiel.load_game, (str(self),)  # a copied or pickled game would lose its attributes

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict) -> Self:
        return self


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
    """Makes `pyspiel.load_game(game.name)` work. (OpenSpiel needs a class; a closure crashes at exit.)"""
    state_class = type(f"{game.title}State", (CardState,), {"definition": game})
    default = variant_of(game, {})
    members_of = {"definition": game, "state_class": state_class}
    game_class = type(f"{game.title}Game", (CardGame,), members_of)
    pyspiel.register_game(game_type(game, default), game_class)
