"""What the choices of a deal have lost, and which of them were mistakes."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol, cast

import numpy as np

from spielgames.agents import Agent
from spielgames.core.game import unit_of
from spielgames.play.deal import Deal, Turn
from spielgames.play.trick_log import pack, trick_number

SIGNIFICANT = 2.0  # standard errors
INTERVAL = 1.96  # standard errors on each side


class Weigher(Protocol):
    """An agent that knows how sure it is of what an action loses, as searches do."""

    def weigh(self, states: np.ndarray, usual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The value of each action, and the standard error of its gain on the usual one."""


class Loss(NamedTuple):
    """What a choice has lost against the best one, and the standard error of that."""

    better: int
    lost: float
    error: float

    @property
    def is_mistake(self) -> bool:
        return is_significant(self.lost, self.error)


def is_significant(lost: float, error: float) -> bool:
    return lost > SIGNIFICANT * error + 1e-9


def is_choice(turn: Turn, seat: int | None) -> bool:
    """Whether a seat, or any, had more than one move."""
    return seat in (None, turn.seat) and len(turn.state.legal_actions()) > 1


def judge(agent: Agent, row: np.ndarray, action: int) -> Loss:
    """What a choice has lost in the worlds that the seat had to believe in: the difference of the
    means, and its standard error.
    """
    if not hasattr(agent, "weigh"):
        raise ValueError(
            f"{type(agent).__name__} cannot say what a choice has lost; a search such as pimc can"
        )
    means, errors = cast("Weigher", agent).weigh(row, np.array([action]))
    best = int(means[0].argmax())
    return Loss(best, float(means[0, best] - means[0, action]), float(errors[0, best]))


def review(agent: Agent, turns: list[Turn], seats: list[int]) -> Iterator[tuple[int, Loss]]:
    """The loss of every choice of some seats, with the number of its turn."""
    for step, turn in enumerate(turns):
        if turn.seat in seats and is_choice(turn, None):
            yield step, judge(agent, turn.state.row, turn.action)


def reason(better: str, played: str, loss: Loss, unit: str, seat: int) -> str:
    """A mistake in a sentence."""
    return (
        f"{better} is worth {loss.lost:.2f} ± {INTERVAL * loss.error:.2f} {unit} more than"
        f" {played} on average over what seat {seat} could believe."
    )


def draw_review(deal: Deal, agent: Agent, seats: list[int]) -> str:
    """The mistakes of some seats, and what all their choices have lost."""
    losses = list(review(agent, deal.turns, seats))
    lines = [draw_mistake(deal, deal.turns[step], loss) for step, loss in losses if loss.is_mistake]
    total = sum(loss.lost for _, loss in losses if loss.is_mistake)
    unit = unit_of(deal.game, deal.face.variant)
    end = f"{len(losses)} choices, {len(lines)} mistakes; they have lost {total:.2f} {unit}."
    return "\n".join([*lines, pack(end.split(), " ")])


def draw_mistake(deal: Deal, turn: Turn, loss: Loss) -> str:
    """`trick 3, seat 0: 9♥ is worth 2.10 ± 0.80 points more than Q♠ …`"""
    s, game = turn.state.row[0], deal.game
    trick = trick_number(game, turn.state.row)
    when = f"trick {trick}" if trick else "before trick 1"
    better, played = (game.action_name(s, a) for a in (loss.better, turn.action))
    unit = unit_of(game, deal.face.variant)
    words = f"{when}, seat {turn.seat}: {reason(better, played, loss, unit, turn.seat)}"
    return pack(words.split(), " ")
