"""From what was decided in an iteration's deals to what every model learns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from solvers.environments.environment import Environment
from solvers.networks.decisions import flags
from solvers.networks.network import predict
from solvers.ppo.actor_critic import ActorCritic
from solvers.ppo.gae import lambda_returns, link
from solvers.ppo.lookahead import preferences
from solvers.ppo.rollout import Decisions
from solvers.ppo.settings import Settings
from solvers.ppo.update import Experience, improve, log_policy
from solvers.runs.progress import Progress, silent

Report = dict[str, Any]  # what a log wants
SMALL = 1e-8


class Outcome(NamedTuple):
    """How an iteration's deals went for the learner; a log wants it."""

    reward: float  # what the learner got in the mean, shaping included
    explained_variance: float  # of the λ-returns, by the critic
    value_correlation: float  # of the first value in each deal with the deal's utility


def learn(
    env: Environment,
    settings: Settings,
    models: Sequence[ActorCritic],
    decisions: Decisions,
    iteration: int,
    random: np.random.Generator,
    progress: Progress = silent,
) -> Report:
    """Every model learns from the decisions of its seats."""
    actors, values = decisions.positions.actors, np.empty(len(decisions.actions))
    own = [np.flatnonzero(np.isin(actors, model.seats)) for model in models]
    seen = [
        model.critic_input(decisions.positions.take(rows), decisions.action_values[rows])
        for model, rows in zip(models, own, strict=True)
    ]
    for model, rows, sight in zip(models, own, seen, strict=True):
        values[rows] = model.values(sight)
    sides = np.array(env.teams or range(env.players))
    scores, finals = gains(settings, decisions, sides)
    opposed = len(finals[0]) == 2 and np.allclose(finals.sum(axis=1), 0)
    trajectories = link(decisions.deals, sides[actors], scores, finals, opposed)
    targets = lambda_returns(trajectories, values, settings.discount, settings.gae_lambda)
    outcomes = finals[decisions.deals, sides[actors]]
    report: Report = judge(decisions, values, targets, outcomes)._asdict()
    report["reward"] *= settings.reward_scale
    for model, rows, sight in zip(models, own, seen, strict=True):
        experience = prepare(model, decisions, rows, sight, values[rows], targets[rows])
        report[f"losses-{model.number}"] = improve(
            model, experience, iteration, random, progress
        )._asdict()
    return report


def gains(
    settings: Settings, decisions: Decisions, sides: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """What each side has got before every decision, `[n, sides]`, and at the end of every deal."""
    first = [int(np.argmax(sides == side)) for side in range(sides.max() + 1)]  # a seat of each
    finals = decisions.utilities[:, first] / settings.reward_scale
    if not settings.shaping:
        return np.zeros((len(decisions.actions), len(first))), finals
    before, after = (lead(x) for x in (decisions.positions.states, decisions.ends))
    return settings.shaping * before, finals + settings.shaping * after


def lead(states: np.ndarray) -> np.ndarray:
    """How many tricks each side is ahead of the mean of the others. `[n, sides]`"""
    tricks = states["tricks"].astype(float)
    others = tricks.sum(axis=1, keepdims=True) - tricks
    return tricks - others / (tricks.shape[1] - 1)


def judge(
    decisions: Decisions, values: np.ndarray, targets: np.ndarray, outcomes: np.ndarray
) -> Outcome:
    first = np.unique(decisions.deals, return_index=True)[1]
    return Outcome(
        reward=float(outcomes[first].mean()),
        explained_variance=1 - float(np.var(targets - values) / (np.var(targets) + SMALL)),
        value_correlation=correlation(values[first], outcomes[first]),
    )


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    x, y = x - x.mean(), y - y.mean()
    return float((x * y).mean() / (np.sqrt((x * x).mean() * (y * y).mean()) + SMALL))


def prepare(
    model: ActorCritic,
    decisions: Decisions,
    rows: np.ndarray,
    seen: np.ndarray,
    values: np.ndarray,
    targets: np.ndarray,
) -> Experience:
    """As tensors; advantages have mean 0 and deviation 1."""
    env, settings, positions = model.env, model.settings, decisions.positions.take(rows)
    encodings = env.encode(positions)
    legal = torch.from_numpy(flags(positions.sets, env.actions))
    advantages = targets - values
    advantages = (advantages - advantages.mean()) / (advantages.std() + SMALL)
    magnet = preferred = hidden = torch.zeros(len(rows), 0)
    if settings.magnet:
        outputs = predict(model.magnet, encodings, settings.precision)
        magnet = log_policy(torch.from_numpy(outputs), legal)
    if settings.lookahead:
        preferred = torch.from_numpy(preferences(decisions.action_values[rows], legal.numpy()))
    if settings.partner:
        hidden = torch.from_numpy(partners(positions.states, positions.actors, env))
    return Experience(
        encodings=torch.from_numpy(encodings),
        seen=torch.from_numpy(seen),
        legal=legal,
        actions=torch.from_numpy(decisions.actions[rows]),
        chances=torch.from_numpy(decisions.chances[rows].astype(np.float32)),
        advantages=torch.from_numpy(advantages.astype(np.float32)),
        targets=torch.from_numpy(targets.astype(np.float32)),
        magnet=magnet,
        preferences=preferred,
        hidden=hidden,
    )


def partners(states: np.ndarray, actors: np.ndarray, env: Environment) -> np.ndarray:
    """The cards that the partner holds; without teams, those that the next seat holds.
    `[n, cards] float32`
    """
    away = 1 if not env.teams else env.players // 2
    hands = states["hands"][np.arange(len(actors)), (actors + away) % env.players]
    return flags(hands, env.shape.cards).astype(np.float32)
