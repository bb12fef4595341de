"""The normalised Gaussian network (Moody & Darken 1989; Sato & Ishii 2000): its units, and what it
answers.

    y = Σ_i N_i(x) W̃_i x̃,  x̃ = (x, 1),  N_i(x) = G_i(x) / Σ_j G_j(x),  G_i = N(x; μ_i, Σ_i)

Each unit is kept as discounted sums over the data, [[f]]_i = Σ_t λ … λ P_i(t) f(t), and what
follows from them: μ_i = [[x]] / [[1]], Λ̃_i = [[x̃x̃ᵀ]]⁻¹, W̃_iᵀ = Λ̃_i [[x̃yᵀ]]. Σ_i is never needed:

    x̃ᵀΛ̃x̃ [[1]] = (x − μ)ᵀ Σ⁻¹ (x − μ) + 1      |Σ| = |[[x̃x̃ᵀ]]| / [[1]]^(N+1)
"""

from math import exp, log, pi
from typing import NamedTuple

import numpy as np

from solvers.pomdp.forgetting import Discount, discount_of
from solvers.pomdp.matrices import add, dot, multiply, scale
from solvers.pomdp.settings import NgnetSettings
from spielgames.core.arrays import copy, fill
from spielgames.core.inlining import linked

FAR = 40.0  # e⁻⁴⁰ is less than the rounding of 1


class Rules(NamedTuple):
    """What the settings say, with variances in place of standard deviations."""

    noise: float
    output_noise: float
    width: float
    output_width: float
    overlap: float
    produce: float
    delete: float
    divide: float
    patience: float
    discount: Discount


class Units(NamedTuple):
    """All units; those in use come first."""

    size: np.ndarray  # [1] units in use
    samples: np.ndarray  # [1] learnt so far: t
    total: np.ndarray  # [1] the discounted number of samples: 1 / η(t)
    weight: np.ndarray  # [units] [[1]]
    x: np.ndarray  # [units, N] [[x]]
    yy: np.ndarray  # [units] [[|y|²]]
    xy: np.ndarray  # [units, N + 1, D] [[x̃yᵀ]]
    inverse: np.ndarray  # [units, N + 1, N + 1] Λ̃
    owed: np.ndarray  # [units] noise that is still to be added
    log_det: np.ndarray  # [units] log |[[x̃x̃ᵀ]]|
    experts: np.ndarray  # [units, N + 1, D] W̃ᵀ
    variance: np.ndarray  # [units] σ²
    share: np.ndarray  # [units] the recent mean of P_i: ⟨⟨1⟩⟩; at first a fair share
    load: np.ndarray  # [units] Σ P_i since the unit was made, undiscounted
    lifted: np.ndarray  # [N + 1] x̃; this and what follows is scratch
    turned: np.ndarray  # [units, N + 1] Λ̃x̃
    gauss: np.ndarray  # [units] log G_i(x)
    error: np.ndarray  # [units] |y − W̃_i x̃|²
    joint: np.ndarray  # [units] log P(x, y | i)
    posterior: np.ndarray  # [units] P_i
    guess: np.ndarray  # [units, D] W̃_i x̃
    rules: Rules


def start(settings: NgnetSettings, inputs: int, outputs: int, seed: int) -> Units:
    """A network without units, which answers 0. (The data decide all: the seed does not matter.)"""
    m, n, d = settings.units, inputs, outputs
    shapes = {
        "size": 1,
        "samples": 1,
        "total": 1,
        "x": (m, n),
        "xy": (m, n + 1, d),
        "inverse": (m, n + 1, n + 1),
        "experts": (m, n + 1, d),
        "lifted": n + 1,
        "turned": (m, n + 1),
        "guess": (m, d),
    }
    counts = "size", "samples"
    arrays = {
        name: np.zeros(shapes.get(name, m), np.int64 if name in counts else np.float64)
        for name in Units._fields[:-1]
    }
    return Units(**arrays, rules=rules_of(settings))


def rules_of(s: NgnetSettings) -> Rules:
    return Rules(
        noise=s.noise**2,
        output_noise=s.output_noise**2,
        width=s.width**2,
        output_width=s.output_width**2,
        overlap=s.overlap**2,
        produce=s.produce**2,
        delete=float(s.delete),
        divide=s.divide**2,
        patience=float(s.patience),
        discount=discount_of(s.forgetting),
    )


@linked
def answer(units: Units, x: np.ndarray, out: np.ndarray) -> None:
    """The network's outputs at x; 0 as long as it has no units."""
    fill(out, 0.0)
    measure(units, x)
    most, total = highest(units.gauss, units.size[0]), 0.0
    for i in range(units.size[0]):
        if units.gauss[i] > most - FAR:
            g = exp(units.gauss[i] - most)
            total += g
            multiply(units.lifted, units.experts[i], units.guess[i])
            add(units.guess[i], g, out)
    scale(out, 1.0 / max(total, 1.0))


@linked
def measure(units: Units, x: np.ndarray) -> None:
    """Write x̃, Λ̃x̃ and log G_i(x)."""
    n, lifted = len(x), units.lifted
    copy(x, lifted[:n])
    lifted[n] = 1.0
    for i in range(units.size[0]):
        turned = units.turned[i]
        multiply(lifted, units.inverse[i], turned)
        square = dot(lifted, turned) * units.weight[i] - 1.0
        units.gauss[i] = -0.5 * (n * log(2 * pi) + log_volume(units, i) + square)


@linked
def log_volume(units: Units, i: int) -> float:
    """log |Σ_i|"""
    return units.log_det[i] - units.inverse.shape[1] * log(units.weight[i])


@linked
def highest(values: np.ndarray, size: int) -> float:
    most = -np.inf
    for i in range(size):
        most = max(most, values[i])
    return most


@linked
def discount(units: Units, i: int, factor: float) -> None:
    """[[f]] ← λ [[f]]"""
    units.weight[i] *= factor
    units.yy[i] *= factor
    units.owed[i] *= factor
    scale(units.x[i], factor)
    scale(units.turned[i], 1.0 / factor)
    for a in range(len(units.lifted)):
        scale(units.xy[i, a], factor)
        scale(units.inverse[i, a], 1.0 / factor)
    units.log_det[i] += len(units.lifted) * log(factor)
