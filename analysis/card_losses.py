"""What agents' choices lose, by situation, against the best action with all hands open.

    python -m analysis.card_losses --game=python_coinche --agents=rules,rules:expert,pimc

Deals are played by the agents, drawn for each seat; one decision of each deal is kept. For it,
worlds are sampled that agree with what its seat has seen, and in each of them the final score after
every action is found exactly: card points in Coinche, game points in Snapszer. A choice loses the
difference between the best mean over worlds and its own. The best action is found in the same
worlds, so losses are a little too large, but equally so for all agents: they meet the same
decisions and the same worlds.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from absl import flags
from tqdm import tqdm

from analysis.figures import save_text, table
from solvers.search.double_dummy import memory_for
from solvers.search.double_dummy_search import Memory, forget, play, search
from spielgames.agent_help import describe_agents
from spielgames.agents import Agent, make_agent
from spielgames.coinche.tables import RANKS
from spielgames.command import check_place, run, user_input
from spielgames.core.arrays import take
from spielgames.core.batch import Batch
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, bit, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.record import NOBODY
from spielgames.core.verbs import allies, legal, score_bounds
from spielgames.snapszer.record import NO_CARD, UPCARD
from spielgames.specs import split_specs

AT_ONCE = 64  # decisions whose worlds are in memory


class CardLosses(NamedTuple):
    """One row per decision."""

    lost: np.ndarray  # [decisions, agents]
    situation: list[str]


def decisions(
    agents: Sequence[Agent], deals: int, seed: int, solvable: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """A random decision of each deal that has one, among those with a choice that can be solved."""
    batch, rng = Batch(agents[0].name, deals, seed), np.random.default_rng(seed)
    seatings = rng.integers(0, len(agents), (deals, batch.game.players))
    kept, seen = batch.states.copy(), np.zeros(deals, np.int64)
    while batch.running():
        actors, sets = batch.actors(), batch.legal_sets()
        rows = np.flatnonzero((actors >= 0) & (sets & (sets - np.uint64(1)) != 0))
        rows = rows[solvable(take(batch.states, rows))]
        seen[rows] += 1
        rows = rows[rng.random(len(rows)) * seen[rows] < 1]
        kept[rows] = batch.states[rows]
        batch.step(mixed_actions(agents, batch, seatings, rng))
    return take(kept, np.flatnonzero(seen))


def mixed_actions(
    agents: Sequence[Agent], batch: Batch, seatings: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """An action for each running game, by the agent in its seat."""
    actors, actions = batch.actors(), np.zeros(len(batch), np.int64)
    movers = seatings[np.arange(len(batch)), np.maximum(actors, 0)]
    for i, agent in enumerate(agents):
        rows = np.flatnonzero((actors >= 0) & (movers == i))
        if len(rows):
            chances = agent.probabilities(take(batch.states, rows)).cumsum(axis=1)
            drawn = rng.random((len(rows), 1)) * chances[:, -1:]
            actions[rows] = (chances <= drawn).sum(axis=1)
    return actions


@linked
def score_of(m: Memory, seat: int, guess: float, seed: int) -> float:
    """The seat's final score from `m.rows[1]` on, by goals that start at the guess."""
    side = allies(m.rows[0], seat)
    low, high = score_bounds(m.rows[1], seat)
    goal = min(max(guess, low + 1), high)
    while low < high:
        bound, _ = search(m, seat, side, goal, seed)
        if bound >= goal:
            low = bound
            goal = low + 1
        else:
            high = bound
            goal = high
    return low


@compiled
def solve_scores(m: Memory, states: np.ndarray, seed: int, out: np.ndarray) -> None:
    """The final score of the seat to move after each action in each game, NaN if it is illegal."""
    for i in range(len(states)):
        out[i, :] = np.nan
        m.rows[0] = states[i]
        forget(m)
        guess, actions = 0.0, legal(states[i])
        while actions != NONE:
            a = lowest(actions)
            actions ^= bit(a)
            m.rows[1] = m.rows[0]
            play(m.rows[1], a, seed)
            guess = score_of(m, int64(states[i].turn), guess, seed)
            out[i, a] = guess


def values(agent: Agent, states: np.ndarray, worlds: int, seed: int) -> np.ndarray:
    """The mean exact score after each action over worlds, for the seat to move."""
    here = Batch.of_states(agent.game, agent.variant, states).worlds(count=worlds, seed=seed)
    solved = np.empty((len(here), agent.game.actions))
    memory = Memory(*(part[0] for part in memory_for(agent.game, 1)))
    solve_scores(memory, here.states, seed, solved)
    return solved.reshape(len(states), worlds, -1).mean(axis=1)


def losses(
    agents: Sequence[Agent], deals: int, worlds: int, cards: int, seed: int
) -> Iterator[CardLosses]:
    """The losses of all agents, some decisions at a time."""
    game = KINDS[agents[0].game.name]
    states = decisions(agents, deals, seed, lambda s: game.solvable(s) & (hand_sizes(s) <= cards))
    for first in range(0, len(states), AT_ONCE):
        some = states[first : first + AT_ONCE]
        worth = values(agents[0], some, worlds, seed)
        best = np.nanmax(worth, axis=1)
        got = [np.nansum(agent.probabilities(some) * worth, axis=1) for agent in agents]
        yield CardLosses(best[:, None] - np.stack(got, 1), [game.situation(s) for s in some])


def hand_sizes(states: np.ndarray) -> np.ndarray:
    """How many cards the seats to move hold."""
    seats = np.maximum(states["turn"], 0)
    return np.bitwise_count(states["hands"][np.arange(len(states)), seats])


class Kind(NamedTuple):
    """A game's solvable positions, and the situations that are told apart."""

    solvable: Callable[[np.ndarray], np.ndarray]
    situation: Callable[[np.record], str]


def coinche_situation(s: np.record) -> str:
    after = (int(s.turn) - int(s.bidder)) % 4
    role = ("the bidder", "a defender", "the bidder's partner", "a defender")[after]
    if s.in_trick == 0:
        return f"{role} leads"
    same = int(s.hands[s.turn]) >> RANKS * (int(s.trick[0]) // RANKS) & (1 << RANKS) - 1
    return f"{role} follows suit" if same else f"{role} is void"


def snapszer_situation(s: np.record) -> str:
    talon = "closed" if s.closer != NOBODY else "open" if s.hands[UPCARD] else "gone"
    return f"talon {talon}, {'leads' if s.led == NO_CARD else 'answers'}"


KINDS = {
    "python_coinche": Kind(lambda states: states["playing"] > 0, coinche_situation),
    "python_snapszer": Kind(lambda states: states["turn"] >= 0, snapszer_situation),
}


def merged(parts: Iterable[CardLosses], total: int) -> CardLosses:
    """All decisions together; Ctrl-C keeps those judged so far."""
    kept: list[CardLosses] = []
    with tqdm(total=total, unit=" decisions", leave=False) as bar, suppress(KeyboardInterrupt):
        for part in parts:
            kept.append(part)
            bar.update(len(part.lost))
    return CardLosses(np.concatenate([p.lost for p in kept]), sum((p.situation for p in kept), []))


class Mean(NamedTuple):
    mean: float
    half: float  # of the 95 % interval

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.half:.2f}" if np.isfinite(self.half) else "–"


def mean_of(lost: np.ndarray) -> Mean:
    half = 1.96 * lost.std(ddof=1) / len(lost) ** 0.5 if len(lost) > 1 else np.inf
    return Mean(float(lost.mean()), float(half))


def by_situation(found: CardLosses) -> dict[str, np.ndarray]:
    told = np.array(found.situation)
    return {"all": found.lost} | {k: found.lost[told == k] for k in sorted(set(told.tolist()))}


def summary(names: Sequence[str], found: CardLosses) -> dict[str, Any]:
    """Per situation, each agent's mean loss, and how much less it is than the first agent's."""
    rows = []
    for situation, lost in by_situation(found).items():
        for name, own in zip(names, lost.T, strict=True):
            row = {"situation": situation, "decisions": len(lost), "agent": name}
            less = mean_of(lost[:, 0] - own)._asdict()
            rows.append(row | {"lost": mean_of(own)._asdict(), "less": less})
    return {"losses": rows}


def report(names: Sequence[str], found: CardLosses) -> str:
    rows = [["situation", "decisions", *names, *(f"{name} saves" for name in names[1:])]]
    for situation, lost in by_situation(found).items():
        less = [mean_of(lost[:, 0] - own) for own in lost.T[1:]]
        rows.append([situation, f"{len(lost):,}", *map(str, [*map(mean_of, lost.T), *less])])
    return table(rows)


def define_flags() -> None:
    flags.DEFINE_enum("game", "python_coinche", sorted(KINDS), "the game")
    flags.DEFINE_string("agents", "rules,rules:expert", "the agents, separated by commas")
    flags.DEFINE_integer("deals", 500, "deals, of each of which one decision is kept", 2)
    flags.DEFINE_integer("worlds", 20, "worlds per decision", 1)
    flags.DEFINE_integer("cards", 8, "the most cards that the seat to move may hold", 2)
    flags.DEFINE_integer("seed", 0, "seed of deals and worlds", 0, 2**62)
    flags.DEFINE_string("json", "", "a file for the numbers")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        names = split_specs(chosen.agents)
        agents = [make_agent(name, chosen.game) for name in names]
        if chosen.json:
            check_place(Path(chosen.json))
    given: dict[str, Any] = {
        name: chosen[name].value for name in ("deals", "worlds", "cards", "seed")
    }
    found = merged(losses(agents, **given), chosen.deals)
    print(report(names, found))
    if chosen.json:
        kept = {"game": chosen.game, "agents": names} | given | summary(names, found)
        save_text(Path(chosen.json), json.dumps(kept, indent=2))


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
