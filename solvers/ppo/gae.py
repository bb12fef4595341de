"""Generalised advantage estimation (Schulman et al. 2016) where several seats take turns.

targets = estimate(chain, values, discount=1.0, trace=0.95)  # what values should have been

Each decision is followed by another one of the same deal, or by its end. Where two sides play for
opposite utilities that may be anybody's decision; what it is worth to the opponents counts
negatively (σ = −1, as in the Hokm paper). Where there are more sides it is the same one's next.
"""

from typing import NamedTuple

import numpy as np

from spielgames.core.cache import compiled

NOTHING = -1  # follows: the deal ends


class Chain(NamedTuple):
    """Decisions in the order in which they were taken."""

    following: np.ndarray  # [n] the next decision of the chain, or NOTHING
    sign: np.ndarray  # [n] −1 if that one is an opponent's
    reward: np.ndarray  # [n] what the side gains up to there, or until the end


def link(
    deals: np.ndarray, sides: np.ndarray, scores: np.ndarray, finals: np.ndarray, opposed: bool
) -> Chain:
    """`deals` and `sides` `[n]` say whose decisions these are; `scores` `[n, sides]` what every
    side has gained before, `finals` `[deals, sides]` at the end. `opposed`: two sides.
    """
    n = len(deals)
    chain = Chain(np.full(n, NOTHING), np.ones(n), np.empty(n))
    last = np.full(finals.shape, NOTHING)  # the decision that follows, from the end on
    link_all(deals, sides, scores, finals, opposed, last, chain)
    return chain


@compiled
def link_all(
    deals: np.ndarray,
    sides: np.ndarray,
    scores: np.ndarray,
    finals: np.ndarray,
    opposed: bool,
    last: np.ndarray,
    chain: Chain,
) -> None:
    for i in range(len(deals) - 1, -1, -1):
        deal, side = deals[i], sides[i]
        place = 0 if opposed else side
        j = last[deal, place]
        last[deal, place] = i
        after = finals[deal, side]
        if j != NOTHING:
            after = scores[j, side]
            chain.following[i] = j
            chain.sign[i] = 1.0 if sides[j] == side else -1.0
        chain.reward[i] = after - scores[i, side]


def estimate(chain: Chain, values: np.ndarray, discount: float, trace: float) -> np.ndarray:
    """λ-returns: values plus advantages; `trace` is λ. `[n]`"""
    out = np.empty(len(values))
    estimate_all(chain, values, discount, trace, out)
    return out


@compiled
def estimate_all(
    chain: Chain, values: np.ndarray, discount: float, trace: float, out: np.ndarray
) -> None:
    for i in range(len(values) - 1, -1, -1):
        j = chain.following[i]
        out[i] = chain.reward[i]
        if j != NOTHING:
            beyond = (1 - trace) * values[j] + trace * out[j]
            out[i] += discount * chain.sign[i] * beyond
