"""A finished deal, and the way to it: its history, played again by the rules."""

from collections.abc import Iterable
from dataclasses import dataclass

import pyspiel

from spielgames.core.registry import find
from spielgames.core.state import CardState

LONGEST = 3  # digits of an action id


@dataclass(frozen=True)
class FinishedDeal:
    """A finished deal, and what is known about it."""

    end: CardState
    seats: tuple[str, ...] = ()  # who sat there
    seed: int | None = None  # of the deals
    deal: int | None = None  # its number among those of the seed

    @property
    def game(self) -> str:
        """The variant, with the parameters that are not at their defaults."""
        game, usual = self.end.get_game(), self.end.definition.parameters
        own = [f"{key}={x}" for key, x in game.get_parameters().items() if x != usual[key]]
        return f"{self.end.definition.name}({','.join(own)})" if own else self.end.definition.name


def follow(name: str, actions: Iterable[object], finished: bool = True) -> CardState:
    """Play a history by the rules; it must lead to the end of the deal unless told otherwise."""
    find(name)  # refuses an unknown one in a sentence
    state, step = pyspiel.load_game(name).new_initial_state(), 0
    for step, action in enumerate(actions, 1):
        word = str(action)
        if not word.isascii() or not word.isdecimal() or len(word) > LONGEST:
            raise ValueError(f"step {step} of the history: {word!r} is not an action id")
        try:
            state.apply_action(int(word))
        except ValueError as error:
            raise ValueError(f"step {step} of the history: {error}") from None
    if finished and not state.is_terminal():
        raise ValueError(f"the history ends after step {step}, before the deal does")
    return state
