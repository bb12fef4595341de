"""Batch EM for the normalised Gaussian network: all data in each step."""

import numpy as np

from solvers.pomdp.approximator import Approximator
from solvers.pomdp.ngnet import Units
from solvers.pomdp.online_em import respond
from spielgames.core.cache import compiled

EMPTY = 1e-6  # a unit with less than this part of one datum


def fit(ngnet: Approximator, x: np.ndarray, y: np.ndarray, steps: int, seed: int) -> np.ndarray:
    """Fit a network of kind `ngnet` from scratch to all data, [n, inputs] and [n, outputs]; return
    the mean log-likelihood, [steps + 1], before each step and after the last.
    """
    units = ngnet.model
    if not isinstance(units, Units):
        raise ValueError("batch EM fits networks of kind 'ngnet' only")
    begin(units, x, y, seed)
    posteriors, likelihood = e_step(units, x, y)
    found = [likelihood]
    for _ in range(steps):
        m_step(units, x, y, posteriors)
        posteriors, likelihood = e_step(units, x, y)
        found.append(likelihood)
    return np.array(found)


def begin(units: Units, x: np.ndarray, y: np.ndarray, seed: int) -> None:
    """Give each unit the data that are nearest to one datum, and choose these data far from each
    other with high probability (Arthur & Vassilvitskii 2007).
    """
    luck, chosen = np.random.default_rng(seed), []
    squares = np.ones((len(x), 1))
    for _ in range(min(len(units.weight), len(x))):
        nearest = squares.min(axis=1)
        if not nearest.any():  # all data are at places that have a unit
            break
        chosen.append(luck.choice(len(x), p=nearest / nearest.sum()))
        squares = ((x[:, None] - x[chosen]) ** 2).sum(axis=2)
    m_step(units, x, y, np.eye(len(chosen))[squares.argmin(axis=1)])


def e_step(units: Units, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """P_i of all data, [n, units], and the mean log-likelihood."""
    posteriors, likelihoods = np.empty((len(x), units.size[0])), np.empty(len(x))
    respond_all(units, x, y, posteriors, likelihoods)
    return posteriors, float(likelihoods.mean())


@compiled
def respond_all(
    units: Units, x: np.ndarray, y: np.ndarray, posteriors: np.ndarray, likelihoods: np.ndarray
) -> None:
    for k in range(len(x)):
        likelihoods[k] = respond(units, x[k], y[k])
        posteriors[k] = units.posterior[: units.size[0]]


def m_step(units: Units, x: np.ndarray, y: np.ndarray, posteriors: np.ndarray) -> None:
    """Write the sums [[f]]_i = Σ_t P_i(t) f(t), with the noise that regularises, and what follows
    from them. A unit without data is deleted.
    """
    p = posteriors[:, posteriors.sum(axis=0) > EMPTY]
    m, weight, axes = p.shape[1], p.sum(axis=0), np.arange(x.shape[1])
    lifted = np.column_stack([x, np.ones(len(x))])
    squares = np.einsum("ti,ta,tb->iab", p, lifted, lifted, optimize=True)
    squares[:, axes, axes] += units.rules.noise * weight[:, None]
    units.size[0], units.samples[0], units.total[0] = m, len(x), len(x)
    units.weight[:m], units.x[:m] = weight, p.T @ x
    units.load[:m], units.share[:m], units.owed[:m] = weight, weight / len(x), 0
    units.yy[:m] = p.T @ (y**2).sum(axis=1)
    units.xy[:m] = np.einsum("ti,ta,td->iad", p, lifted, y, optimize=True)
    inverse = np.linalg.inv(squares)
    units.inverse[:m] = (inverse + inverse.swapaxes(1, 2)) / 2  # else forgetting feeds asymmetry
    units.log_det[:m] = np.linalg.slogdet(squares)[1]
    units.experts[:m] = units.inverse[:m] @ units.xy[:m]
    left = units.yy[:m] - (units.experts[:m] * units.xy[:m]).sum(axis=(1, 2))
    units.variance[:m] = np.maximum(left / (y.shape[1] * weight), units.rules.output_noise)
