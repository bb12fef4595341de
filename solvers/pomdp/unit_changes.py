"""Units are produced, deleted and divided as the data ask for it, after the description of Sato &
Ishii (2000); docs/pomdp.md has the equations.
"""

from math import log, sqrt

import numpy as np

from solvers.pomdp.matrices import add, add_square, dot, invert, multiply, scale, widest_axis
from solvers.pomdp.ngnet import Units, discount
from spielgames.core.arrays import copy
from spielgames.core.inlining import linked

APART = 0.75  # of the variance along the axis of division lies between the two new units
FORGOTTEN = 1e-100  # the weight of a unit without data for long, if it forgets by time


@linked
def is_new(units: Units) -> bool:
    """Whether the sample that `respond` has seen is far from all units, and there is room. It is
    far if its squared distances, in standard deviations, are great in the mean over all axes.
    """
    size, axes = units.size[0], len(units.lifted) - 1 + units.guess.shape[1]
    if size == len(units.weight):
        return False
    for i in range(size):
        inputs = dot(units.lifted, units.turned[i]) * units.weight[i] - 1.0
        outputs = units.error[i] / units.variance[i]
        if inputs + outputs <= units.rules.produce * axes:
            return False
    return True


@linked
def produce(units: Units, x: np.ndarray, y: np.ndarray, weight: float) -> None:
    """A unit that answers y everywhere, as wide as the nearest unit is far, and as unsure as the
    unit with the best guess is wrong.
    """
    i, n, d = units.size[0], len(x), len(y)
    width, error = units.rules.width, units.rules.output_width
    if i:
        width = max(units.rules.overlap * gap(units, x), units.rules.noise)
        error = max(least(units.error, i) / d, units.rules.output_noise)
    units.size[0] += 1
    units.weight[i], units.load[i] = weight, weight
    units.share[i], units.owed[i] = 1.0 / units.size[0], 0.0
    units.yy[i], units.variance[i] = weight * (dot(y, y) + d * error), error
    for a in range(n + 1):
        for k in range(d):
            units.xy[i, a, k] = weight * units.lifted[a] * y[k]
            units.experts[i, a, k] = y[k] if a == n else 0.0
    for a in range(n):
        units.x[i, a] = weight * x[a]
    spread_evenly(units, i, x, weight, width)


@linked
def spread_evenly(units: Units, i: int, x: np.ndarray, weight: float, width: float) -> None:
    """Write Λ̃ of a unit around x with Σ = width · I."""
    n, inverse = len(x), units.inverse[i]
    for a in range(n):
        for b in range(n):
            inverse[a, b] = 1.0 / (weight * width) if a == b else 0.0
        inverse[a, n] = inverse[n, a] = -x[a] / (weight * width)
    inverse[n, n] = (1.0 + dot(x, x) / width) / weight
    units.log_det[i] = (n + 1) * log(weight) + n * log(width)


@linked
def gap(units: Units, x: np.ndarray) -> float:
    """The mean squared distance, per axis, to the nearest unit's centre."""
    nearest = np.inf
    for i in range(units.size[0]):
        total = 0.0
        for a in range(len(x)):
            total += (x[a] - units.x[i, a] / units.weight[i]) ** 2
        nearest = min(nearest, total / len(x))
    return nearest


@linked
def least(values: np.ndarray, size: int) -> float:
    smallest = np.inf
    for i in range(size):
        smallest = min(smallest, values[i])
    return smallest


@linked
def delete_idle(units: Units) -> None:
    """Delete units that have hardly a share of the recent data, and those that have forgotten all
    they knew; the last unit fills each gap.
    """
    i = 0
    while i < units.size[0] and units.size[0] > 1:
        if units.share[i] < units.rules.delete or units.weight[i] < FORGOTTEN:
            units.size[0] -= 1
            copy_unit(units, units.size[0], i)
        else:
            i += 1


@linked
def copy_unit(units: Units, source: int, target: int) -> None:
    units.weight[target], units.yy[target] = units.weight[source], units.yy[source]
    units.owed[target] = units.owed[source]
    units.log_det[target], units.load[target] = units.log_det[source], units.load[source]
    units.variance[target], units.share[target] = units.variance[source], units.share[source]
    copy(units.x[source], units.x[target])
    for a in range(units.inverse.shape[1]):
        copy(units.xy[source, a], units.xy[target, a])
        copy(units.experts[source, a], units.experts[target, a])
        copy(units.inverse[source, a], units.inverse[target, a])


@linked
def divide_poor(units: Units) -> None:
    """Divide units whose outputs vary too much, if they have had enough data and there is room."""
    for i in range(units.size[0]):
        poor = units.variance[i] > units.rules.divide and units.load[i] > units.rules.patience
        if poor and units.size[0] < len(units.weight):
            divide(units, i)


@linked
def divide(units: Units, i: int) -> None:
    """Make two units of unit i, their centres apart along the widest axis of Σ_i, and both narrower
    along it, so that all sums over the two are those that the unit had.
    """
    j, step = units.size[0], half_way(units, i)
    units.size[0] += 1
    units.share[i] /= 2
    units.load[i] = 0.0
    discount(units, i, 0.5)
    copy_unit(units, i, j)
    move(units, i, step)
    scale(step, -1.0)
    move(units, j, step)


@linked
def half_way(units: Units, i: int) -> np.ndarray:
    """The step, (s, 0), from the centre of unit i to that of one of the units that it becomes."""
    n, weight = units.x.shape[1], units.weight[i]
    spread, centre, step = units.inverse[i].copy(), units.x[i] / weight, np.zeros(n + 1)
    invert(spread)
    covariance = np.empty((n, n))
    for a in range(n):
        for b in range(n):
            covariance[a, b] = spread[a, b] / weight - centre[a] * centre[b]
    widest = widest_axis(covariance, step[:n])
    scale(step, sqrt(APART * widest))
    return step


@linked
def move(units: Units, i: int, step: np.ndarray) -> None:
    """Move unit i by s, and make it narrower by ssᵀ; its expert stays. With c = (μ, 1), the mean of
    x̃x̃ᵀ gains csᵀ + scᵀ = ((c + s)(c + s)ᵀ − (c − s)(c − s)ᵀ) / 2.
    """
    weight, n, d = units.weight[i], units.x.shape[1], units.xy.shape[2]
    centre, at_centre, at_step = np.ones(n + 1), np.empty(d), np.empty(d)
    for a in range(n):
        centre[a] = units.x[i, a] / weight
    multiply(centre, units.experts[i], at_centre)
    multiply(step, units.experts[i], at_step)
    for a in range(n + 1):
        add(at_step, weight * centre[a], units.xy[i, a])
        add(at_centre, weight * step[a], units.xy[i, a])
    units.yy[i] += 2 * weight * dot(at_centre, at_step)
    add(step[:n], weight, units.x[i])
    add(step, 1.0, centre)
    learn_point(units, i, centre, weight / 2)
    add(step, -2.0, centre)
    learn_point(units, i, centre, -weight / 2)


@linked
def learn_point(units: Units, i: int, x: np.ndarray, weight: float) -> None:
    """[[x̃x̃ᵀ]] += weight · xxᵀ"""
    turned = units.turned[i]
    multiply(x, units.inverse[i], turned)
    growth = 1.0 + weight * dot(x, turned)
    add_square(units.inverse[i], turned, weight, growth)
    units.log_det[i] += log(growth)
