"""Generalised advantage estimation (Schulman et al. 2016) where several seats take turns.

targets = lambda_returns(trajectories, values, discount=1.0, gae_lambda=0.95)

A decision's successor is a later decision of the same deal, or the deal's end. Where two sides play
for opposite utilities it is the next decision of either side, and the opponents' value counts
negatively (σ = −1, as in neuralpensieve 2025). Where there are more sides it is the same side's
next.
"""

from typing import NamedTuple

import numpy as np

from spielgames.core.cache import compiled

NOTHING = -1  # follows: the deal ends


class Trajectories(NamedTuple):
    """Decisions in the order in which they were taken, each with its successor."""

    following: np.ndarray  # [n] the next decision, or NOTHING
    sign: np.ndarray  # [n] −1 if that one is an opponent's
    reward: np.ndarray  # [n] what the side gains up to there, or until the end


def link(
    deals: np.ndarray, sides: np.ndarray, scores: np.ndarray, finals: np.ndarray, opposed: bool
) -> Trajectories:
    """`deals` and `sides` `[n]` say whose decisions these are; `scores` `[n, sides]` what every
    side has gained before, `finals` `[deals, sides]` at the end. `opposed`: two sides.
    """
    n = len(deals)
    trajectories = Trajectories(np.full(n, NOTHING), np.ones(n), np.empty(n))
    last = np.full(finals.shape, NOTHING)  # the decision that follows, from the end on
    fill_links(deals, sides, scores, finals, opposed, last, trajectories)
    return trajectories


@compiled
def fill_links(
    deals: np.ndarray,
    sides: np.ndarray,
    scores: np.ndarray,
    finals: np.ndarray,
    opposed: bool,
    last: np.ndarray,
    trajectories: Trajectories,
) -> None:
    for i in range(len(deals) - 1, -1, -1):
        deal, side = deals[i], sides[i]
        place = 0 if opposed else side
        j = last[deal, place]
        last[deal, place] = i
        after = finals[deal, side]
        if j != NOTHING:
            after = scores[j, side]
            trajectories.following[i] = j
            trajectories.sign[i] = 1.0 if sides[j] == side else -1.0
        trajectories.reward[i] = after - scores[i, side]


def lambda_returns(
    trajectories: Trajectories, values: np.ndarray, discount: float, gae_lambda: float
) -> np.ndarray:
    """Return the λ-returns: values plus generalised advantages. `[n]`"""
    out = np.empty(len(values))
    fill_lambda_returns(trajectories, values, discount, gae_lambda, out)
    return out


@compiled
def fill_lambda_returns(
    trajectories: Trajectories,
    values: np.ndarray,
    discount: float,
    gae_lambda: float,
    out: np.ndarray,
) -> None:
    for i in range(len(values) - 1, -1, -1):
        j = trajectories.following[i]
        out[i] = trajectories.reward[i]
        if j != NOTHING:
            beyond = (1 - gae_lambda) * values[j] + gae_lambda * out[j]
            out[i] += discount * trajectories.sign[i] * beyond
