"""What can be worked out about a position; runs in worker processes, and answers in plain data."""

from collections.abc import Iterator
from typing import Any, Protocol, cast

import numpy as np

from spielgames.agents import Agent, legal_flags, make_agent
from spielgames.core.cards import members
from spielgames.core.game import Game
from spielgames.core.players import RANDOM
from spielgames.core.record import State
from spielgames.core.registry import find
from spielgames.core.rollouts import roll_out
from spielgames.core.worlds import sample_worlds
from spielgames.explanation import Explanation, plain

Json = dict[str, Any]
SETTLE_WORLDS, SETTLE_GAMES = 20, 10  # to see that nothing matters any more
SOLVED = "pimc(worlds=50,continuation=double_dummy,caution=0)"
PERFECT = "pimc(worlds=1,belief=true_hands,continuation=double_dummy,caution=0)"
FEW = 5  # cards in a hand, with which every world is solved at once
SAME = 1e-9


def words_of(game: Game, s: State, actions: list[int]) -> dict[int, str]:
    return {a: game.action_name(s, a) for a in actions}


def deepen(agent: Agent, row: np.ndarray, rounds: int) -> Iterator[Json]:
    """What an agent thinks of each action, round after round."""
    actions = np.flatnonzero(legal_flags(row, agent.game.actions)[0]).tolist()
    words = words_of(agent.game, row[0], actions)
    for number, (explanation,) in enumerate(agent.deepen(row, rounds), 1):
        told = plain(explanation, words) | {"value": value_of(explanation)}
        yield told | {"round": number, "done": number == rounds}
    if number < rounds:
        yield {"done": True}


def value_of(explanation: Explanation) -> float | None:
    """The value of the position: that of the likeliest action."""
    chosen = max(explanation.verdicts, key=lambda verdict: verdict.chance)
    return None if chosen.mean != chosen.mean else chosen.mean


class Believer(Protocol):
    """An agent that reckons with worlds, as searches do."""

    def worlds(self, states: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """`count` worlds of each position, and their weights."""


def believe(game: Game, row: np.ndarray, seat: int, worlds: int, agent: Agent | None) -> Json:
    """The probability of each unseen card in each hand or pile: the share of worlds, of all that
    the seat cannot tell apart, or of those that an agent reckons with in its place.
    """
    s = row[0]
    unseen = s.deck & ~(s.dealt[seat] | s.gained[seat] | s.public)
    if agent is None:
        hands, weights = sample_worlds(row, np.array([seat]), worlds, 0)["hands"], np.ones(worlds)
    else:
        (drawn,), (weights,) = cast("Believer", agent).worlds(row, worlds)
        hands = drawn["hands"]
    weights = weights / weights.sum()
    names = [f"seat {q}" for q in range(game.players)] + list(game.piles)
    places = [q for q in range(len(names)) if (hands[:, q] & unseen).any()]
    cards = [
        {
            "card": game.card_name(card),
            "chances": [share(hands[:, q], card, weights) for q in places],
        }
        for card in members(unseen)
    ]
    return {"worlds": worlds, "places": [names[q] for q in places], "cards": cards}


def share(hands: np.ndarray, card: int, weights: np.ndarray) -> float:
    return float((hands >> np.uint64(card) & np.uint64(1)) @ weights)


def settle(name: str, row: np.ndarray, seat: int) -> Json:
    """Whether the seat to move can say how the deal ends, and which agent may then play the rest:
    nothing that anybody does matters any more, or perfect play leads to the same in all worlds.
    """
    if is_settled(find(name)[0], row, seat):
        return {"by": "rules"}
    if int(row["hands"][0, seat]).bit_count() > FEW:
        return {"by": None}
    (explanation,) = make_agent(SOLVED, name).explain(row)
    best = max(explanation.verdicts, key=lambda verdict: verdict.mean)
    return {"by": PERFECT if best.high - best.low < SAME else None}


def is_settled(game: Game, row: np.ndarray, seat: int) -> bool:
    """Whether every action, played on at random in sampled worlds, leads to the same."""
    worlds = sample_worlds(row, np.array([seat]), SETTLE_WORLDS, 0)
    actions = np.flatnonzero(legal_flags(row, game.actions)[0])
    starts = np.repeat(worlds, len(actions) * SETTLE_GAMES)
    first = np.tile(actions, len(starts) // len(actions))
    ends = np.empty((len(starts), game.players))
    roll_out(starts, first, RANDOM, 0, ends)
    return bool(np.ptp(ends[:, seat]) < SAME)
