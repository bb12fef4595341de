"""Search as an agent: perfect-information Monte Carlo (Ginsberg 2001) made of four parts.

    search = Search(Reweighted(300), LookAhead(6), WinChance("hokm"), Choice(worlds=150))
    agent = SearchAgent("python_hokm(trump=heuristic)", search)

The same as a spec:

    pimc:worlds=150,belief=reweighted(300),continuation=lookahead(6),value=win_chance

All actions meet the same worlds and the same luck; each is worth its mean over the worlds, which
count alike (or by their weights). What the agent does follows from the seed and from what its seat
has seen.
"""

from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple

import numpy as np

from solvers.search.beliefs import Belief, Uniform
from solvers.search.choice import Choice, Evidence, join
from solvers.search.continuations import ByRules, Continuation
from solvers.search.explain import explain
from solvers.search.values import Utility, Value
from solvers.search.worlds import Worlds, seeds_of
from spielgames.agents import Agent, legal_flags, rules
from spielgames.core.arrays import take
from spielgames.core.game import unit_of
from spielgames.explanation import Explanation

AT_ONCE = 1 << 13  # worlds in memory


class Search(NamedTuple):
    belief: Belief = Uniform()
    continuation: Continuation = ByRules()
    value: Value = Utility()
    choice: Choice = Choice()


DEFAULT = Search()


class SearchAgent(Agent):
    """Plays what is best on average over worlds, and uniformly what is equally good. To avoid
    following noise, it deviates from the rules, or from the agent it is based on, only for an
    action that is better by `choice.caution` standard errors; and from that agent only for a
    strictly better one.
    """

    def __init__(self, game: str, search: Search, base: Agent | None = None, seed: int = 0) -> None:
        super().__init__(game)
        self.search, self.seed, self.loyal = search, seed, base is not None
        self.base = base or rules(game)

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        """Forced moves are not searched."""
        legal = legal_flags(states, self.game.actions)
        chances, open_rows = legal.astype(np.float32), np.flatnonzero(legal.sum(axis=1) > 1)
        for rows in self._parts(open_rows):
            some = take(states, rows)
            usual = self._usual(some)
            chances[rows] = self._chances(some, self._evidence(some, usual), usual)
        return chances

    def values(self, states: np.ndarray) -> np.ndarray:
        """The mean value of the best action, as the search counts it."""
        out = np.empty(len(states))
        for rows in self._parts(np.arange(len(states))):
            some = take(states, rows)
            out[rows] = self._evidence(some, self._usual(some)).means().max(axis=1)
        return out

    def explain(self, states: np.ndarray) -> list[Explanation]:
        *_, last = self.deepen(states, rounds=1)
        return last

    def deepen(self, states: np.ndarray, rounds: int) -> Iterator[list[Explanation]]:
        """Explanations from ever more worlds; each round after the first doubles them."""
        usual, evidence = self._usual(states), None
        unit = self.search.value.unit or unit_of(self.game, self.variant)
        for k in range(rounds):
            blocks = range(2**k // 2, 2**k)
            parts = [self._evidence(states, usual, first_block=b << 16) for b in blocks]
            evidence = join([evidence, *parts] if evidence else parts)
            chances = self._chances(states, evidence, usual)
            yield explain(evidence, chances, usual, self.search.choice, unit)

    def weigh(self, states: np.ndarray, usual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The value of each action, −∞ if illegal, and the standard error of its gain on the usual
        one. Both `[games, actions]`.
        """
        evidence = self._evidence(states, usual)
        return evidence.means(), evidence.errors(usual)

    def worlds(self, states: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """`count` worlds that the movers reckon with, and their weights. Both `[games, count]`."""
        seeds = seeds_of(states, self.seed, 0)
        drawn = self.search.belief.draw(self.game, states, count, seeds)
        return drawn.states, drawn.weights

    def _parts(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        """Split games so that their worlds fit into memory."""
        at_once = max(1, AT_ONCE // self.search.belief.size(self.search.choice.worlds))
        for start in range(0, len(rows), at_once):
            yield rows[start : start + at_once]

    def _usual(self, states: np.ndarray) -> np.ndarray:
        """The action of the base; if there are several, the first."""
        return self.base.probabilities(states).argmax(axis=1)

    def _chances(self, states: np.ndarray, evidence: Evidence, usual: np.ndarray) -> np.ndarray:
        choice = self.search.choice
        likely = self.base.probabilities(states) if choice.prior else None
        return choice.probabilities(evidence, usual, self.loyal, likely)

    def _evidence(self, states: np.ndarray, usual: np.ndarray, first_block: int = 0) -> Evidence:
        """The values of the legal actions in worlds, drawn in blocks until the choice is made."""
        choice, start = self.search.choice, monotonic()
        tried = legal_flags(states, self.game.actions)
        evidence, blocks = self._block(states, tried, choice.size(0), first_block), 1
        while not choice.is_done(blocks, (monotonic() - start) / len(states)):
            tried &= choice.survivors(evidence, usual)
            tried[evidence.complete | (tried.sum(axis=1) == 1)] = False  # decided
            live = np.flatnonzero(tried.any(axis=1))
            if not len(live):
                break
            size, block = choice.size(blocks), first_block + blocks
            more = self._block(take(states, live), tried[live], size, block)
            evidence, blocks = join([evidence, more.spread(live, len(states))]), blocks + 1
        return evidence

    def _block(self, states: np.ndarray, tried: np.ndarray, count: int, block: int) -> Evidence:
        belief, continuation, value, _ = self.search
        worlds = belief.draw(self.game, states, count, seeds_of(states, self.seed, block))
        ends = continuation.ends(self.game, worlds, sets_of(tried, worlds), value.wins)
        left = np.bitwise_count(states["hands"][np.arange(len(states)), states["turn"]])
        return Evidence(value.of(ends, left), worlds.weights, worlds.complete)


def sets_of(tried: np.ndarray, worlds: Worlds) -> np.ndarray:
    """The actions to try in each world, none in those that do not exist. `[games, worlds]`"""
    bits = np.uint64(1) << np.arange(tried.shape[1], dtype=np.uint64)
    sets = (tried * bits).sum(axis=1, dtype=np.uint64)
    return np.where(worlds.weights > 0, sets[:, None], np.uint64(0))


def pimc(
    game: str,
    worlds: int = 50,
    caution: float = 1.0,
    belief: Belief = DEFAULT.belief,
    continuation: Continuation = DEFAULT.continuation,
    value: Value = DEFAULT.value,
    eliminate: float = 0.0,
    ms: float = 0.0,
    prior: float = 0.0,
    base: Agent | None = None,
    seed: int = 0,
) -> Agent:
    """Samples worlds that agree with what its seat has seen, plays each action on in all of them,
    and takes the best on average. It deviates from the rules, or from the agent `base`, only for an
    action that is better by `caution` standard errors. `eliminate` drops actions that are so many
    standard errors behind; `ms` is a time budget for each decision, in which worlds are doubled;
    `prior` prefers what the base thinks likely, by so much for each factor e.
    """
    search = Search(belief, continuation, value, Choice(worlds, caution, eliminate, ms, prior))
    return SearchAgent(game, search, base, seed)


pimc.respelled = {  # type: ignore[attr-defined]
    "insight": "belief=reweighted({})",
    "strangers": "belief=reweighted(STEPS,strangers={})",
    "cheats": "belief=true_hands",
    "ahead": "continuation=lookahead({})",
    "odds": "value=win_chance",
    "level": "continuation=rules({0}),base=rules({0})",
}
