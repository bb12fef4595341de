"""Tournaments of agents: every pair plays the same deals, each deal in every seating.

tournament = play_tournament("python_hokm", ["rules", "random"], deals=1000, seed=1)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from tqdm import tqdm

from analysis.tournament.pairs import PLURAL, Covariate, PairResult, Scores, pair_result, score
from analysis.tournament.pieces import is_compiled, play_pieces
from analysis.tournament.ratings import Rating, rate
from analysis.tournament.variance import intervals
from spielgames.agents import Agent, make_agent
from spielgames.contest import pair_lineups

CONTROL = ("rules", "random")
MEAN_DEALS = 10  # a covariate's mean comes from this many times the tournament's deals …
MOST_MEAN_DEALS = 200_000  # … at most

Pair = tuple[str, str]


@dataclass(frozen=True)
class SeatResult:
    """An agent's mean in a seat, over its opponents and all seatings, with a 95 % interval."""

    agent: str
    seat: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Tournament:
    """The results of a tournament."""

    game: str
    agents: list[str]
    deals: int
    unit: str  # what is played: "deal" or "match"
    seed: int
    control: list[str]  # the agents whose results are the control variate, if any
    interrupted: bool  # then pairs are missing, or the last one is short of deals
    results: list[PairResult]  # in the order of `combinations(agents, 2)`
    ratings: list[Rating]  # none if pairs are missing
    seats: list[SeatResult]


@dataclass(frozen=True)
class Entries:
    """The agents that take part, by name."""

    game: str
    agents: dict[str, Agent]
    controls: dict[str, Agent]  # none, or two compiled agents


@dataclass(frozen=True)
class Arena:
    """A place where pairs of agents play the same deals."""

    lineups: np.ndarray  # [lineups, seats], as from `pair_lineups`
    seed: int
    unit: str
    bar: tqdm

    def meet(self, agents: Sequence[Agent], deals: int) -> np.ndarray:
        """The utilities `[deals, lineups, seats]`, of fewer deals if Ctrl-C is pressed."""
        out = np.empty((deals, *self.lineups.shape))
        done = 0
        try:
            for piece in play_pieces(agents, self.lineups, deals, self.seed, self.unit):
                out[done : done + len(piece)] = piece
                done += len(piece)
                self.bar.update(len(piece))
        except KeyboardInterrupt:
            self.bar.set_description("ending")
        return out[:done]

    def meet_all(self, agents: dict[str, Agent], deals: int) -> dict[Pair, Scores]:
        """The scores of every pair, up to one that was interrupted."""
        tables = {}
        for a, b in combinations(agents, 2):
            self.bar.set_description(f"{a} – {b}")
            utilities = self.meet([agents[a], agents[b]], deals)
            if len(utilities) >= 2:
                tables[a, b] = score(utilities, self.lineups)
            if len(utilities) < deals:
                break
        return tables

    def covariate(self, controls: dict[str, Agent], deals: int) -> Covariate:
        """Two compiled agents' results on the same deals, and their mean on many later ones."""
        self.bar.set_description("control")
        total = deals + mean_deals(deals)
        utilities = self.meet(list(controls.values()), total)
        if len(utilities) < total:
            raise KeyboardInterrupt
        means = score(utilities, self.lineups).means[:, 0]
        return Covariate(means[:deals], float(means[deals:].mean()), total - deals)


def mean_deals(deals: int) -> int:
    return min(MEAN_DEALS * deals, MOST_MEAN_DEALS)


def enter(game: str, specs: Sequence[str], control: Sequence[str] = CONTROL) -> Entries:
    """Make the agents, or raise a ValueError that says what is wrong."""
    if len(specs) < 2:
        raise ValueError(f"a tournament needs at least two agents; there is {', '.join(specs)!r}")
    for spec in specs:
        if specs.count(spec) > 1:
            raise ValueError(f"agent {spec!r} is named twice; each may enter once")
    agents, controls = ({spec: make_agent(spec, game) for spec in of} for of in (specs, control))
    if control and not (len(controls) == 2 and is_compiled(list(controls.values()))):
        raise ValueError(
            f"control={','.join(control)} is not allowed; it is two compiled agents: random, rules"
        )
    return Entries(game, agents, controls)


def play_tournament(
    game: str,
    specs: Sequence[str],
    deals: int,
    seed: int,
    control: Sequence[str] = CONTROL,
    unit: str = "deal",
    show: bool = False,
) -> Tournament:
    """Play every pair of agents on the same deals. `control`: two compiled agents whose results are
    the control variate, or none; `unit`: "deal", or "match" for whole matches; `show`: a progress
    bar. Ctrl-C ends it; what has been played is returned.
    """
    return hold(enter(game, specs, control), deals, seed, unit, show)


def hold(
    entries: Entries,
    deals: int,
    seed: int,
    unit: str = "deal",
    show: bool = False,
) -> Tournament:
    """Hold the tournament of some entries."""
    if deals < 2:
        raise ValueError(f"deals={deals} is not allowed; an interval needs at least 2")
    agents, controls = entries.agents, entries.controls
    pairs = list(combinations(agents, 2))
    work = len(pairs) * deals + (deals + mean_deals(deals) if controls else 0)
    with tqdm(total=work, unit=f" {PLURAL[unit]}", disable=not show, leave=False) as bar:
        arena = Arena(pair_lineups(next(iter(agents.values())).game), seed, unit, bar)
        covariate = arena.covariate(controls, deals) if controls else None
        tables = arena.meet_all(agents, deals)
        results = [
            pair_result(*pair, scores, None if is_control(entries, pair) else covariate)
            for pair, scores in tables.items()
        ]
    margins = [scores.margins for scores in tables.values()]
    return Tournament(
        game=entries.game,
        agents=list(agents),
        deals=deals,
        unit=unit,
        seed=seed,
        control=list(controls),
        interrupted=[result.deals for result in results] != [deals] * len(pairs),
        results=results,
        ratings=rate(list(agents), results, margins) if len(results) == len(pairs) else [],
        seats=[result for agent in agents for result in seat_results(agent, tables)],
    )


def is_control(entries: Entries, pair: Pair) -> bool:
    """Whether a pair plays just as the controls do, so that it can't be controlled by them."""
    levels = {entries.agents[name].level for name in pair}
    return levels == {agent.level for agent in entries.controls.values()}


def seat_results(agent: str, tables: dict[Pair, Scores]) -> list[SeatResult]:
    """An agent's results by seat, over the pairs that have played all their deals."""
    mine = [scores.seats[:, pair.index(agent)] for pair, scores in tables.items() if agent in pair]
    longest = max(map(len, mine), default=0)
    if not longest:
        return []
    over_all = np.mean([seats for seats in mine if len(seats) == longest], axis=0)
    return [SeatResult(agent, seat, *found) for seat, found in enumerate(intervals(over_all))]
