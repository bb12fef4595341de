"""The thesis' equations 8–11, for any approximators: TD errors, critic, actor, soft-max.

All rows of a call are learnt one after the other, each from what was learnt before it. Times are
rows: x[i] is followed by after[i], unless ended[i].
"""

from dataclasses import dataclass

import numpy as np

from solvers.pomdp.approximator import Approximator


@dataclass(frozen=True)
class ActorCriticSettings:
    discount: float = 1.0  # γ
    critic_rate: float = 0.5  # η_c
    actor_rate: float = 0.5  # η_a
    temperature: float = 1.0  # T


def soft_max(merits: np.ndarray, allowed: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities, [n, actions], of the allowed actions, [n, actions] bool (equation 11)."""
    raise NotImplementedError


def td_errors(
    critic: Approximator,
    x: np.ndarray,
    rewards: np.ndarray,
    after: np.ndarray,
    ended: np.ndarray,
    discount: float,
) -> np.ndarray:
    """δ = R + γ V(x') − V(x), and R − V(x) at the end: [n] (equation 8). Nothing is learnt."""
    raise NotImplementedError


def learn_values(
    critic: Approximator,
    x: np.ndarray,
    rewards: np.ndarray,
    after: np.ndarray,
    ended: np.ndarray,
    settings: ActorCriticSettings,
) -> np.ndarray:
    """V(x) ← V(x) + η_c δ, row after row (equation 9); return δ, [n]."""
    raise NotImplementedError


def learn_merits(
    actor: Approximator, x: np.ndarray, actions: np.ndarray, errors: np.ndarray, rate: float
) -> None:
    """U(x, a) ← U(x, a) + η_a δ, row after row (equation 10); the merits of other actions at x are
    told to stay. `actions` may be flags or shares of several outputs, [n, outputs], or ids, [n].
    """
    raise NotImplementedError


def learn_choices(
    predictor: Approximator,
    x: np.ndarray,
    actions: np.ndarray,
    allowed: np.ndarray,
    rate: float,
    temperature: float,
) -> np.ndarray:
    """Make choices that were seen more probable: U(x, b) ← U(x, b) + η (1[b = a] − P(b)), row
    after row, which is the direction in which their log-likelihood rises. Return log P(a), [n],
    as it was predicted before each was learnt.
    """
    raise NotImplementedError
