"""Does an agent answer the same in worlds that its seat cannot tell apart?

check_agent(make_agent("pimc:worlds=50", "python_hokm"), "pimc:worlds=50")

Agents are handed whole records, with everybody's cards. One that looks at what its seat cannot see
plays another game, and no result of it counts. The check takes positions from deals, samples worlds
of the seat to move (`core.worlds`), and compares the agent's answers. A world that agrees with what
the seat has seen must not change them. Passing is no proof: only these positions were tried.
"""

from dataclasses import dataclass

import numpy as np
import pyspiel

from spielgames.agents import Agent, legal_flags, make_agent
from spielgames.core.arrays import take
from spielgames.core.batch import Batch
from spielgames.core.worlds import sample_worlds
from spielgames.play.share import shorten

POSITIONS, WORLDS = 40, 3
CLOSE = 1e-3  # probabilities that differ by less are taken for rounded


@dataclass(frozen=True)
class Peek:
    """A position in which an agent's answer depends on what its seat cannot see."""

    agent: str
    seat: int
    action: str  # whose probability differs most …
    chances: tuple[float, float]  # … and its probabilities
    worlds: tuple[str, str]  # short strings, as links to the web table have them

    def __str__(self) -> str:
        one, other = (f"{100 * chance:.1f} %" for chance in self.chances)
        if self.worlds[0] == self.worlds[1]:
            return (
                f"{self.agent} answers differently when asked twice: seat {self.seat} chooses"
                f" {self.action} with {one}, then with {other}, in {self.worlds[0]}"
            )
        return (
            f"{self.agent} sees hidden cards: seat {self.seat} cannot tell two worlds apart, but"
            f" chooses {self.action} with {one} in {self.worlds[0]} and with {other} in"
            f" {self.worlds[1]}"
        )


def check_agent(
    agent: Agent, name: str, positions: int = POSITIONS, worlds: int = WORLDS, seed: int = 0
) -> None:
    """Raise a ValueError that names the agent, the position and two worlds, if it peeks."""
    found = find_peek(agent, name, positions, worlds, seed)
    if found:
        raise ValueError(str(found))


def find_peek(
    agent: Agent, name: str, positions: int = POSITIONS, worlds: int = WORLDS, seed: int = 0
) -> Peek | None:
    """The first position in which the agent answers differently in two worlds, or when asked twice.
    Each time it is asked about as many games at once, so that networks round alike.
    """
    states = sample_positions(agent, positions, seed)
    seats = states["turn"].astype(np.int64)
    others = sample_worlds(states, seats, worlds, seed).reshape(len(states), worlds)
    answer = ask(agent, states)
    for row in (states, *(others[:, k].copy() for k in range(worlds))):
        again = ask(agent, row)
        wrong = np.flatnonzero(np.abs(again - answer).max(axis=1) > CLOSE)
        if len(wrong):
            k = int(wrong[0])
            return describe(agent, name, (states[k : k + 1], row[k : k + 1]), (answer[k], again[k]))
    return None


def ask(agent: Agent, states: np.ndarray) -> np.ndarray:
    """The agent's answer; it gets a copy, in case it keeps or changes it."""
    return np.asarray(agent.probabilities(states.copy()), float)


def describe(
    agent: Agent, name: str, worlds: tuple[np.ndarray, ...], answers: tuple[np.ndarray, ...]
) -> Peek:
    action = int(np.abs(answers[0] - answers[1]).argmax())
    face, row = pyspiel.load_game(agent.name), worlds[0]
    return Peek(
        name,
        int(row["turn"][0]),
        agent.game.action_name(row[0], action),
        (float(answers[0][action]), float(answers[1][action])),
        (shorten(face.state_of(worlds[0])), shorten(face.state_of(worlds[1]))),
    )


def sample_positions(agent: Agent, count: int, seed: int) -> np.ndarray:
    """Positions with a choice, spread over deals half of which are played by the rules, the others
    at random.
    """
    players = [make_agent(spec, agent.name) for spec in ("rules", "random")]
    batch, rng, seen = Batch(agent.name, count, seed), np.random.default_rng(seed), []
    while batch.running():
        rows = np.flatnonzero(batch.actors() >= 0)
        live = take(batch.states, rows)
        seen.append(live[legal_flags(live, agent.game.actions).sum(axis=1) > 1])
        chances = np.stack([player.probabilities(live) for player in players])
        own = chances[rows % len(players), np.arange(len(rows))]
        moves = np.zeros(count, np.int64)
        moves[rows] = (own * rng.random(own.shape)).argmax(axis=1)
        batch.step(moves)
    every = np.concatenate(seen)
    return every[np.linspace(0, len(every) - 1, min(count, len(every))).astype(int)]
