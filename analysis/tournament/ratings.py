"""Ratings of agents that have all met each other in pairs.

openskill's Plackett–Luce model (Joshy 2024) puts all agents on one scale, as Elo does, with an
uncertainty. α-rank (Omidshafiei et al. 2019) allows for cycles in which nobody is best: an agent's
share is the time that an evolving population spends with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from open_spiel.python.egt import alpharank
from openskill.models import PlackettLuce

from analysis.tournament.pairs import PairResult, mean_matrix, outcome, sign_matrix

RATED_DEALS = 500  # per pair; the uncertainty no longer shrinks with more
MUTATION = 1e-6  # the probability that a worse agent takes over: next to nothing


@dataclass(frozen=True)
class Rating:
    agent: str
    mean: float  # utility over the opponents
    skill: float  # openskill's μ and its σ; everybody starts with 25 ± 8.3
    uncertainty: float
    alpha_rank: float  # sums to 1


def alpha_rank(signs: np.ndarray) -> np.ndarray:
    """The stationary distribution of α-rank, for α → ∞, where only the signs of results count:
    signs `[agents, agents]` of row against column, 0 for a draw. Sums to 1.
    """
    return alpharank.compute([signs], use_inf_alpha=True, inf_alpha_eps=MUTATION)[2]


def skills(
    agents: Sequence[str], results: Sequence[PairResult], margins: Sequence[np.ndarray]
) -> list[tuple[float, float]]:
    """openskill's μ and σ of each agent from the first deals: deal by deal, and every pair in
    each; the agent with the better mean over all seatings wins.
    """
    model = PlackettLuce()
    ratings = {agent: model.rating() for agent in agents}
    for deal in range(min(RATED_DEALS, *map(len, margins))):
        for result, margin in zip(results, margins, strict=True):
            a, b = result.a, result.b
            scores = [outcome(margin[deal]), 0.0]
            (ratings[a],), (ratings[b],) = model.rate([[ratings[a]], [ratings[b]]], scores=scores)
    return [(ratings[agent].mu, ratings[agent].sigma) for agent in agents]


def rate(
    agents: Sequence[str], results: Sequence[PairResult], margins: Sequence[np.ndarray]
) -> list[Rating]:
    """All ratings. `margins`: for each result, a's mean minus b's in each deal."""
    means = np.nanmean(mean_matrix(agents, results), axis=1)
    shares = alpha_rank(sign_matrix(agents, results))
    found = skills(agents, results, margins)
    rows = zip(agents, means, found, shares, strict=True)
    return [Rating(agent, float(mean), *skill, float(share)) for agent, mean, skill, share in rows]
