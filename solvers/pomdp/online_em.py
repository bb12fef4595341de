"""On-line EM for the normalised Gaussian network (Sato & Ishii 2000): a sample at a time.

E-step: P_i = P(x, y | i) / Σ_j P(x, y | j), with P(x, y | i) = G_i(x) N(y; W̃_i x̃, σ_i² I).
M-step: [[f]] ← λ_i [[f]] + P_i f, and with it Λ̃, W̃ and σ². Sato and Ishii write ⟨⟨f⟩⟩ = η [[f]];
their step size η(t) = 1 / (1 + λ / η(t − 1)) is in no parameter, as these are ratios of sums.
"""

from math import exp, log, pi

import numpy as np

from solvers.pomdp.forgetting import discount_at, discount_for
from solvers.pomdp.matrices import add, add_square, distance, dot, multiply
from solvers.pomdp.ngnet import Units, discount, highest, measure
from solvers.pomdp.unit_changes import delete_idle, divide_poor, is_new, produce
from spielgames.core.arrays import copy, fill
from spielgames.core.cache import compiled
from spielgames.core.inlining import linked

HARDLY = 1e-12  # a unit with a smaller share of a sample learns nothing from it
LAG = 0.01  # noise is added whenever a unit's data have grown by this part


@linked
def learn(units: Units, x: np.ndarray, y: np.ndarray, weight: float) -> None:
    """Learn from one sample, which counts `weight` times."""
    learn_sample(units, x, y, weight)


@compiled  # by itself, as the loops that call it would each compile it for ten seconds
def learn_sample(units: Units, x: np.ndarray, y: np.ndarray, weight: float) -> None:
    factor = discount_at(units.rules.discount, units.samples[0])
    units.samples[0] += 1
    units.total[0] = factor * units.total[0] + weight
    respond(units, x, y)
    new = is_new(units)
    if new:
        fill(units.posterior, 0.0)  # the sample is the new unit's
    for i in range(units.size[0]):
        share = units.posterior[i]
        units.share[i] += (share - units.share[i]) * weight / units.total[0]
        own = discount_for(units.rules.discount, factor, share * weight)
        if own < 1.0 - HARDLY:
            discount(units, i, own)
        if share > HARDLY:
            gather(units, i, y, share * weight)
    if new:
        produce(units, x, y, weight)
    delete_idle(units)
    divide_poor(units)


@linked
def respond(units: Units, x: np.ndarray, y: np.ndarray) -> float:
    """The E-step: write P_i; return log P(x, y)."""
    measure(units, x)
    size, total = units.size[0], 0.0
    for i in range(size):
        multiply(units.lifted, units.experts[i], units.guess[i])
        units.error[i] = distance(units.guess[i], y)
        log_scale = len(y) * log(2 * pi * units.variance[i])
        units.joint[i] = units.gauss[i] - 0.5 * (log_scale + units.error[i] / units.variance[i])
    most = highest(units.joint, size)
    for i in range(size):
        units.posterior[i] = exp(units.joint[i] - most)
        total += units.posterior[i]
    for i in range(size):
        units.posterior[i] /= total
    return most + log(total / size) if size else -np.inf


@linked
def gather(units: Units, i: int, y: np.ndarray, share: float) -> None:
    """The M-step of unit i: add its share of the sample that `respond` has seen, and of noise."""
    units.weight[i] += share
    units.load[i] += share
    units.yy[i] += share * dot(y, y)
    add(units.lifted[:-1], share, units.x[i])
    for a in range(len(units.lifted)):
        add(y, share * units.lifted[a], units.xy[i, a])
    growth = 1.0 + share * dot(units.lifted, units.turned[i])
    add_square(units.inverse[i], units.turned[i], share, growth)
    units.log_det[i] += log(growth)
    correct(units, i, y, share / growth)
    units.owed[i] += share * units.rules.noise
    if units.owed[i] > LAG * units.weight[i] * units.rules.noise:
        add_noise(units, i)
        regress(units, i)
    judge(units, i)


@linked
def correct(units: Units, i: int, y: np.ndarray, share: float) -> None:
    """W̃ ← W̃ + P (y − W̃x̃) x̃ᵀΛ̃"""
    for a in range(len(units.lifted)):
        row, gain = units.experts[i, a], share * units.turned[i, a]
        for d in range(len(y)):
            row[d] += gain * (y[d] - units.guess[i, d])


@linked
def add_noise(units: Units, i: int) -> None:
    """[[x̃x̃ᵀ]] += owed · diag(1, …, 1, 0), axis by axis. So no covariance collapses."""
    column, owed, growth = units.turned[i], units.owed[i], 1.0
    for a in range(len(column) - 1):
        copy(units.inverse[i, a], column)
        step = 1.0 + owed * column[a]
        add_square(units.inverse[i], column, owed, step)
        growth *= step
    units.log_det[i] += log(growth)
    units.owed[i] = 0.0


@linked
def regress(units: Units, i: int) -> None:
    """W̃ᵀ = Λ̃ [[x̃yᵀ]]"""
    for a in range(len(units.lifted)):
        multiply(units.inverse[i, a], units.xy[i], units.experts[i, a])


@linked
def judge(units: Units, i: int) -> None:
    """σ² = ([[|y|²]] − Tr W̃ [[x̃yᵀ]]) / D [[1]]"""
    left = units.yy[i]
    for a in range(len(units.lifted)):
        left -= dot(units.experts[i, a], units.xy[i, a])
    left /= units.xy.shape[2] * units.weight[i]
    units.variance[i] = max(left, units.rules.output_noise)
