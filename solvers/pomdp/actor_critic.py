"""Actor and critic with any approximators (Barto et al. 1983): TD errors, what is
learnt from them, and choices by soft-max. These are equations 8–11 of Brau (2011).

Row i is a decision: x[i] is what the learner knew, and after[i] what it knew at its next decision,
unless ended[i]. Rows are learnt one after the other, each from what was learnt before it. Learning
by EM takes targets: "V ← V + η δ" teaches the network the target V + η δ.
"""

from dataclasses import dataclass

import numpy as np

from solvers.pomdp.approximator import Approximator, as_rows
from solvers.pomdp.models import Model, answer, learn
from solvers.runs.settings import at_least, between
from spielgames.core.cache import compiled
from spielgames.core.inlining import linked


@dataclass(frozen=True)
class ActorCriticSettings:
    discount: float = 1.0  # γ
    critic_rate: float = 1.0  # η_c
    actor_rate: float = 1.0  # η_a
    temperature: float = 1.0  # T of the soft-max

    def __post_init__(self) -> None:
        for name in ("discount", "critic_rate", "actor_rate"):
            between(0, 1, name, getattr(self, name))
        at_least(1e-6, "temperature", self.temperature)


@dataclass(frozen=True)
class Steps:
    """What a learner went through, a row per decision."""

    x: np.ndarray  # [n, inputs]
    rewards: np.ndarray  # [n] until the next decision, or the end
    after: np.ndarray  # [n, inputs]; not read where `ended`
    ended: np.ndarray  # [n] bool

    def __post_init__(self) -> None:
        if len(lengths := {len(self.x), len(self.rewards), len(self.after), len(self.ended)}) > 1:
            raise ValueError(f"all of a learner's steps have one length, not {sorted(lengths)}")


def soft_max(merits: np.ndarray, allowed: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities, [n, actions], of the allowed actions, [n, actions] bool: exp(U / T) / Σ."""
    if not allowed.any(axis=1).all():
        raise ValueError("a row allows no action; each must allow at least one")
    scaled = np.where(allowed, merits / temperature, -np.inf)
    weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def td_errors(critic: Approximator, steps: Steps, discount: float) -> np.ndarray:
    """δ = R + γ V(x') − V(x), where V is 0 after the end: [n]. Nothing is learnt."""
    now, then = critic.predict(steps.x)[:, 0], critic.predict(steps.after)[:, 0]
    return steps.rewards + discount * np.where(steps.ended, 0, then) - now


def learn_values(critic: Approximator, steps: Steps, settings: ActorCriticSettings) -> np.ndarray:
    """V(x) ← V(x) + η_c δ, row after row; return δ, [n]."""
    errors = np.empty(len(steps.x))
    x, after = (as_rows(name, getattr(steps, name), critic.inputs) for name in ("x", "after"))
    rewards, ended = np.ascontiguousarray(steps.rewards, float), np.array(steps.ended, bool)
    rates = settings.discount, settings.critic_rate
    learn_values_of(critic.model, x, rewards, after, ended, *rates, errors)
    return errors


@compiled
def learn_values_of(
    critic: Model,
    x: np.ndarray,
    rewards: np.ndarray,
    after: np.ndarray,
    ended: np.ndarray,
    discount: float,
    rate: float,
    errors: np.ndarray,
) -> None:
    now, then = np.zeros(1), np.zeros(1)
    for k in range(len(x)):
        then[0] = 0.0
        if not ended[k]:
            answer(critic, after[k], then)
        answer(critic, x[k], now)
        errors[k] = rewards[k] + discount * then[0] - now[0]
        now[0] += rate * errors[k]
        learn(critic, x[k], now, 1.0)


def learn_merits(
    actor: Approximator, x: np.ndarray, actions: np.ndarray, errors: np.ndarray, rate: float
) -> None:
    """U(x, a) ← U(x, a) + η_a δ, row after row; the other merits at x are told to stay."""
    change = np.zeros((len(x), actor.outputs))
    change[np.arange(len(x)), actions] = rate * errors
    actor.nudge(x, change)


def learn_choices(
    predictor: Approximator,
    x: np.ndarray,
    actions: np.ndarray,
    allowed: np.ndarray,
    rate: float,
    temperature: float,
) -> np.ndarray:
    """Make choices that were seen more probable: U(x, b) ← U(x, b) + η (1[b = a] − P(b)), row
    after row, in the direction in which log P(a) rises. Return log P(a), [n], as predicted before.
    """
    found = np.empty(len(x))
    rows = as_rows("x", x, predictor.inputs)
    flags = as_rows("allowed", allowed, predictor.outputs) > 0
    if not flags[np.arange(len(x)), actions].all():
        raise ValueError("an action that was chosen is not allowed")
    chosen = np.ascontiguousarray(actions, np.int64)
    learn_choices_of(predictor.model, rows, chosen, flags, rate, temperature, found)
    return found


@compiled
def learn_choices_of(
    predictor: Model,
    x: np.ndarray,
    actions: np.ndarray,
    allowed: np.ndarray,
    rate: float,
    temperature: float,
    found: np.ndarray,
) -> None:
    merits, chances = np.zeros(allowed.shape[1]), np.zeros(allowed.shape[1])
    for k in range(len(x)):
        answer(predictor, x[k], merits)
        soft_max_of(merits, allowed[k], temperature, chances)
        found[k] = np.log(chances[actions[k]])
        for b in range(len(merits)):
            merits[b] -= rate * chances[b]
        merits[actions[k]] += rate
        learn(predictor, x[k], merits, 1.0)


@linked
def soft_max_of(
    merits: np.ndarray, allowed: np.ndarray, temperature: float, chances: np.ndarray
) -> None:
    """Write the probabilities of one row."""
    most, total = -np.inf, 0.0
    for a in range(len(merits)):
        if allowed[a]:
            most = max(most, merits[a])
    for a in range(len(merits)):
        chances[a] = np.exp((merits[a] - most) / temperature) if allowed[a] else 0.0
        total += chances[a]
    for a in range(len(merits)):
        chances[a] /= total
