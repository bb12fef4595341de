"""The edges below a node of a search tree, one for each legal action: what they count, and which
one to follow.

Values are those for the side of seat 0; `sign` turns them into those for the side to move.
"""

import numpy as np

from spielgames.core.cards import Cards, count, inlined, int64, nth
from spielgames.core.inlining import linked

NO_CHILD = 0  # the root is nobody's child
BY_VALUE = -1.0  # in place of an exploration constant: Gumbel's rule
SMALLEST = np.float32(1e-30)  # prior, whose logarithm is finite
NEARLY = 1e-4  # values closer than this are equal

EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("visits", "f4"),
                ("total", "f4"),  # of the values of those visits
                ("prior", "f4"),  # the network's probability
                ("child", "i4"),  # 0: none yet
            ],
            align=True,
        ),
    )
)


@linked
def open_edges(row: np.ndarray, actions: Cards, logits: np.ndarray) -> None:
    """Make the edges of a new node; priors are the softmax of the logits."""
    n, top, total = count(actions), -np.inf, 0.0
    for k in range(n):
        top = max(top, logits[nth(actions, k)])
    for k in range(n):
        e = row[k]
        e.visits = 0
        e.total = 0
        e.child = NO_CHILD
        e.prior = np.exp(logits[nth(actions, k)] - top)
        total += e.prior
    for k in range(n):
        row[k].prior = max(row[k].prior / total, SMALLEST)


@inlined
def choose_slot(
    row: np.ndarray, n: int, sign: float, raw: float, exploration: float, scores: np.ndarray
) -> int:
    """The slot to follow from a node with n actions, whose value was `raw` when it was new; `sign`
    turns values into those for the side to move.
    """
    if exploration == BY_VALUE:
        return lagging_slot(row, n, sign, raw, scores)
    return puct_slot(row, n, sign, exploration)


@inlined
def puct_slot(row: np.ndarray, n: int, sign: float, exploration: float) -> int:
    """That of the highest Q + c P √N / (1 + visits) (Rosin 2011; Silver et al. 2017). N counts the
    visit that made the node, too. What was never tried counts as 0.
    """
    visits = 1.0
    for k in range(n):
        visits += row[k].visits
    bonus = exploration * np.sqrt(visits)
    best, highest = int64(0), -np.inf
    for k in range(n):
        e = row[k]
        bound = bonus * e.prior / (1 + e.visits)
        if e.visits > 0:
            bound += sign * e.total / e.visits
        if bound > highest:
            best, highest = k, bound
    return best


@inlined
def lagging_slot(row: np.ndarray, n: int, sign: float, raw: float, scores: np.ndarray) -> int:
    """That whose share of visits is farthest below the improved policy (Danihelka et al. 2022)."""
    improve_logits(row, n, sign, raw, scores)
    top, total, visits = -np.inf, 0.0, 0.0
    for k in range(n):
        top = max(top, scores[k])
    for k in range(n):
        total += np.exp(scores[k] - top)
        visits += row[k].visits
    best, farthest = int64(0), -np.inf
    for k in range(n):
        behind = np.exp(scores[k] - top) / total - row[k].visits / (1 + visits)
        if behind > farthest:
            best, farthest = k, behind
    return best


@inlined
def improve_logits(row: np.ndarray, n: int, sign: float, raw: float, out: np.ndarray) -> None:
    """Write log prior + σ(Q) for each slot, where what was never tried has the mixed value, and σ
    stretches the values to 0 … 0.1 (50 + the most visits) (Danihelka et al. 2022).
    """
    mixed = mixed_value(row, n, sign, raw)
    low, high, most = np.inf, -np.inf, 0.0
    for k in range(n):
        e = row[k]
        out[k] = sign * e.total / e.visits if e.visits > 0 else mixed
        low, high, most = min(low, out[k]), max(high, out[k]), max(most, e.visits)
    scale = 0.1 * (50 + most) / max(high - low, NEARLY)
    for k in range(n):
        out[k] = np.log(row[k].prior) + scale * (out[k] - low)


@inlined
def mixed_value(row: np.ndarray, n: int, sign: float, raw: float) -> float:
    """The value of a node as a mean of what it was when new, and of what was tried, weighted by the
    prior.
    """
    visits, chances, total = 0.0, 0.0, 0.0
    for k in range(n):
        e = row[k]
        if e.visits > 0:
            visits += e.visits
            chances += e.prior
            total += e.prior * sign * e.total / e.visits
    if visits == 0:
        return sign * raw
    return (sign * raw + visits * total / chances) / (visits + 1)
