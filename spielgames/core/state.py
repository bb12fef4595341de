"""A state of any of the games, as OpenSpiel wants it.

C++ callers reach a Python game only through the underscore hooks. Python callers also see the plain
methods overridden here, which mean the same and save several crossings between the two languages. A
state is entirely in its record, so the history that OpenSpiel keeps in C++ is not needed; `history`
and its kin are derived from the record.
"""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pyspiel

from spielgames.core import describe, one_game, structs
from spielgames.core.game import Game
from spielgames.core.observer import Observer
from spielgames.core.one_game import IllegalAction
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.worlds import sample_worlds

if TYPE_CHECKING:
    from spielgames.core.openspiel import CardGame

NO_NUMBER = -1  # neither an action nor a seat
_CHANCE_CODE, _TERMINAL_CODE = 64 * CHANCE, 64 * TERMINAL


class CardState(pyspiel.State):
    """A state of any of the games, kept in its cell."""

    definition: Game
    move: Callable[[np.ndarray, int], int]  # compiled, as is the next
    chances: Callable[[np.ndarray, np.ndarray], int]

    def __init__(self, game: "CardGame", cell: one_game.Cell) -> None:
        super().__init__(game)
        self.cell = cell

    @property
    def row(self) -> np.ndarray:
        """The state record, as an array of length 1."""
        return self.cell.table["s"]

    # The hooks that C++ calls, in OpenSpiel's order.

    def current_player(self) -> int:
        return self.cell.code >> 6

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return describe.action_word(self.definition, self.row, action)

    def is_terminal(self) -> bool:
        return self.cell.code == _TERMINAL_CODE

    def returns(self) -> list[float]:
        out = np.zeros(self.definition.players)
        if self.is_terminal():
            one_game.final(self.row, out)
        return out.tolist()

    def rewards(self) -> list[float]:
        return self.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        cell = self.cell
        if cell.code != _CHANCE_CODE:
            raise ValueError("chance has no move here")
        probabilities = np.empty(one_game.MAX_ACTIONS)
        n = self.chances(cell.table, probabilities)
        return list(zip(cell.ids[:n].tolist(), probabilities[:n].tolist(), strict=True))

    def __str__(self) -> str:
        return describe.lines(describe.all_facts(self.definition, self.row))

    def _to_struct(self) -> structs.Struct:
        return structs.state_struct(self.definition, self.row)

    def _to_observation_struct(self, player: int) -> structs.Struct:
        return structs.observation_struct(self.definition, self.row, self._check_seat(player))

    def _action_to_struct(self, player: int, action: int) -> structs.Struct:
        return structs.action_struct(self.definition, self.row, action)

    def _struct_to_actions(self, struct: structs.Struct) -> list[int]:
        names = {
            a: describe.action_word(self.definition, self.row, a) for a in self.legal_actions()
        }
        return [structs.read_action(struct, names)]

    # The same, faster, for Python callers.

    def is_chance_node(self) -> bool:
        return self.cell.code == _CHANCE_CODE

    def legal_actions(self, player: int | None = None) -> list[int]:
        cell = self.cell
        code = cell.code
        if code >= 0 and (player is None or player == code >> 6):
            return cell.ids[: code & 63].tolist()
        if code == _CHANCE_CODE and (player is None or player == CHANCE):
            return cell.ids[: self.chances(cell.table, np.empty(one_game.MAX_ACTIONS))].tolist()
        return []

    def apply_action(self, action: int) -> None:
        cell = self.cell
        try:
            plain = type(action) is int and not action >> 6  # saves almost every call
            cell.code = self.move(cell.table, action if plain else whole(action))
        except IllegalAction:
            raise IllegalAction(self._refusal(action)) from None

    def apply_action_with_legality_check(self, action: int) -> None:
        self.apply_action(action)

    def _refusal(self, action: int) -> str:
        """The error for an illegal action, with the legal ones."""
        if self.is_terminal():
            return f"action {action!r} is illegal: the deal is over"
        if self.is_chance_node():
            allowed = ", ".join(map(str, self.legal_actions()))
        else:
            allowed = describe.describe_actions(self.definition, self.row[0], self.legal_actions())
        return f"action {action!r} is illegal; allowed are {allowed}"

    def clone(self) -> Self:
        return type(self)(self.get_game(), self.cell.copy())

    def child(self, action: int) -> Self:
        state = self.clone()
        state.apply_action(action)
        return state

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[Callable, tuple[str, one_game.Cell]]:
        return restore, (str(self.get_game()), self.cell)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        return self._tensor(player, self.get_game().recall_observer)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        return self._tensor(player, self.get_game().compact_observer)

    def information_state_string(self, player: int | None = None) -> str:
        return self.get_game().recall_observer.string_from(self, self._check_seat(player))

    def observation_string(self, player: int | None = None) -> str:
        return self.get_game().compact_observer.string_from(self, self._check_seat(player))

    def _tensor(self, player: int | None, observer: Observer) -> list[float]:
        """The tensor as a list, as from C++; an observer's `set_from` fills an array without making
        one. The array is new each time, as another thread may ask about another state of the game.
        """
        return observer.tensor_of(self.row, self._check_seat(player)).tolist()

    def _check_seat(self, player: int | None) -> int:
        player = self.current_player() if player is None else player
        seat, players = whole(player), self.definition.players
        if not 0 <= seat < players:  # worded as OpenSpiel's own error, which its tests look for
            raise RuntimeError(f"not a seat: {player!r}; player >= 0 and player < {players}")
        return seat

    def resample_from_infostate(self, player_id: int, rng: Callable[[], float]) -> Self:
        """A state that this player cannot tell from this one, uniformly (`rng` returns a number in
        [0, 1)).
        """
        seats = np.array([self._check_seat(player_id)])
        row = sample_worlds(self.row, seats, 1, int(rng() * (1 << 53)))
        return self.get_game().state_of(row)

    # What OpenSpiel derives from the history that it keeps in C++.

    def full_history(self) -> list[describe.PlayerAction]:
        return describe.history(self.row)

    def history(self) -> list[int]:
        return [step.action for step in describe.history(self.row)]

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        return len(self.history())

    def is_initial_state(self) -> bool:
        return not self.history()


def whole(value: Any) -> int:
    """The action or seat that a value means. Like OpenSpiel, take what Python accepts as an index,
    so neither 1.5 nor "1". Numbers out of range mean nothing.
    """
    try:
        number = operator.index(value)
    except TypeError:
        return NO_NUMBER
    return number if 0 <= number < one_game.MAX_ACTIONS else NO_NUMBER


def restore(game: str, cell: one_game.Cell) -> CardState:
    """Restore a pickled state."""
    loaded = pyspiel.load_game(game)
    return loaded.state_class(loaded, cell)
