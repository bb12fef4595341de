"""The statistics of two agents, from their utilities.

A cluster is a deal (or a match) played in every seating: `utilities[cluster, lineup, seat]`, with
the agent 0 or 1 of each seat in `lineups[lineup, seat]`. Every seat is held by both equally often
(`contest.pair_lineups`), so in a zero-sum game one's mean is the negative of the other's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.tournament.pieces import play_pieces
from analysis.tournament.variance import control_variate, duplicate_factor, intervals
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups

PLURAL = {"deal": "deals", "match": "matches"}  # what a cluster may be
TIE = 1e-9  # utilities closer than this are equal


class Scores(NamedTuple):
    """The results of agents 0 and 1 in each cluster."""

    means: np.ndarray  # [clusters, 2] over the seatings and the agent's seats
    plays: np.ndarray  # [clusters, lineups] agent 0's mean in each seating
    weights: np.ndarray  # [lineups] those of the seatings in agent 0's mean: its seats there
    wins: np.ndarray  # [clusters] share of seatings in which agent 0 had more; a tie counts half
    seats: np.ndarray  # [clusters, 2, seats] over the seatings with the agent in that seat

    @property
    def margins(self) -> np.ndarray:
        """Agent 0's mean minus agent 1's, in each cluster."""
        return self.means[:, 0] - self.means[:, 1]


class Covariate(NamedTuple):
    """Something known about every cluster, and its mean over many others."""

    values: np.ndarray  # [clusters]
    mean: float
    samples: float  # how many others; infinity if the mean is exact


@dataclass(frozen=True)
class Control:
    """Agent a's mean with a control variate, and how much smaller its variance is."""

    mean: float
    low: float
    high: float
    factor: float | None


@dataclass(frozen=True)
class PairResult:
    """Agent a against b: means per deal (or match), each with its 95 % interval."""

    a: str
    b: str
    deals: int
    mean: float
    low: float
    high: float
    win_rate: float
    win_low: float
    win_high: float
    margin: float  # a's mean − b's; twice a's mean in a zero-sum game
    margin_low: float
    margin_high: float
    duplicate_factor: float | None  # variance if every play had its own deal ÷ variance
    control: Control | None

    @property
    def opposite(self) -> float:
        """Return b's mean."""
        return self.mean - self.margin

    @property
    def sign(self) -> int:
        """Return 1 if a is better, −1 if b is, and 0 if the interval leaves it open."""
        return (self.margin_low > 0) - (self.margin_high < 0)


def outcome(margin: np.ndarray) -> np.ndarray:
    """Return 1 for a win, −1 for a loss, 0 for a tie."""
    return np.where(np.abs(margin) < TIE, 0.0, np.sign(margin))


def score(utilities: np.ndarray, lineups: np.ndarray) -> Scores:
    mine = np.stack([lineups == 0, lineups == 1]).astype(float)
    held = mine.sum(axis=2)  # [2, lineups] seats
    total = np.einsum("cls,als->cal", utilities, mine)
    each = total / held
    better = each[:, 0] - each[:, 1]
    return Scores(
        means=total.sum(axis=2) / held.sum(axis=1),
        plays=each[:, 0],
        weights=held[0] / held[0].sum(),
        wins=(0.5 + outcome(better) / 2).mean(axis=1),
        seats=np.einsum("cls,als->cas", utilities, mine) / mine.sum(axis=1),
    )


def meet(a: str, b: str, game: str, deals: int, seed: int, unit: str = "deal") -> PairResult:
    """Let two agents play every deal, or every match, in all seatings."""
    agents = [make_agent(spec, game) for spec in (a, b)]
    lineups = pair_lineups(agents[0].game)
    utilities = np.concatenate([*play_pieces(agents, lineups, deals, seed, unit)])
    return pair_result(a, b, score(utilities, lineups))


def pair_result(a: str, b: str, scores: Scores, covariate: Covariate | None = None) -> PairResult:
    """The result of a (agent 0) against b (agent 1), from their scores."""
    columns = np.stack([scores.means[:, 0], scores.wins, scores.margins], axis=1)
    mean, win, margin = intervals(columns)
    factor = duplicate_factor(scores.plays, scores.weights)
    control = None if covariate is None else controlled(scores, covariate)
    return PairResult(a, b, len(columns), *mean, *win, *margin, factor, control)


def controlled(scores: Scores, covariate: Covariate) -> Control:
    known = covariate.values[: len(scores.means), None]
    means = np.array([covariate.mean])
    calmer = control_variate(scores.means[:, 0], known, means, covariate.samples)
    return Control(*calmer.interval(), calmer.factor)


def mean_matrix(agents: Sequence[str], results: Sequence[PairResult]) -> np.ndarray:
    """The mean of each agent (row) against each other (column); nan where they did not meet."""
    matrix = np.full((len(agents), len(agents)), np.nan)
    for result in results:
        i, j = agents.index(result.a), agents.index(result.b)
        matrix[i, j], matrix[j, i] = result.mean, result.opposite
    return matrix


def sign_matrix(agents: Sequence[str], results: Sequence[PairResult]) -> np.ndarray:
    """Return 1 where the agent of the row is better than the column's, −1 where it is worse, 0
    where the interval leaves that open.
    """
    matrix = np.zeros((len(agents), len(agents)))
    for result in results:
        i, j = agents.index(result.a), agents.index(result.b)
        matrix[i, j], matrix[j, i] = result.sign, -result.sign
    return matrix


def precise(number: float, width: float) -> str:
    """A number with its sign, rounded to two digits of half the width of its interval."""
    places = max(0, 1 - math.floor(math.log10(width / 2))) if width > 0 else 2
    return f"{number:+.{places}f}"
