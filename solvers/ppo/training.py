"""From the decisions of an iteration's deals to the updates of all models."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from solvers.environments.environment import Environment
from solvers.networks.decisions import flags, log_policy
from solvers.networks.network import predict
from solvers.ppo.actor_critic import ActorCritic
from solvers.ppo.gae import lambda_returns, link
from solvers.ppo.lookahead import preferences
from solvers.ppo.rollout import Decisions
from solvers.ppo.settings import Settings
from solvers.ppo.update import Experience, improve
from solvers.runs.progress import Progress, silent

Report = dict[str, Any]  # for logs, in plain JSON
SMALL = 1e-8


class Summary(NamedTuple):
    """An iteration's deals in numbers, for logs."""

    reward: float  # the learner's mean, shaping included
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
    """Every model learns from the decisions of its seats, if there are any: in a small game a
    player may have had no choice in a few deals.
    """
    if not len(decisions.actions):
        return {}
    actors, values = decisions.positions.actors, np.empty(len(decisions.actions))
    own = [np.flatnonzero(np.isin(actors, model.seats)) for model in models]
    seen = [
        model.critic_input(decisions.positions.take(rows), decisions.action_values[rows])
        for model, rows in zip(models, own, strict=True)
    ]
    for model, rows, sight in zip(models, own, seen, strict=True):
        values[rows] = model.values(sight)
    sides = np.array(env.teams or range(env.players))
    scores, finals = gains(env, settings, decisions, sides)
    opposed = len(finals[0]) == 2 and np.allclose(finals.sum(axis=1), 0)
    trajectories = link(decisions.deals, sides[actors], scores, finals, opposed)
    targets = lambda_returns(trajectories, values, settings.discount, settings.gae_lambda)
    outcomes = finals[decisions.deals, sides[actors]]
    report: Report = judge(decisions, values, targets, outcomes)._asdict()
    report["reward"] *= settings.reward_scale
    for model, rows, sight in zip(models, own, seen, strict=True):
        if not len(rows):
            continue
        experience = prepare(model, decisions, rows, sight, values[rows], targets[rows])
        report[f"losses-{model.number}"] = improve(
            model, experience, iteration, random, progress
        )._asdict()
    return report


def gains(
    env: Environment, settings: Settings, decisions: Decisions, sides: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return what each side has gained before every decision, `[n, sides]`, and by a deal's end."""
    first = [int(np.argmax(sides == side)) for side in range(sides.max() + 1)]  # a seat of each
    finals = decisions.utilities[:, first] / settings.reward_scale
    if not settings.shaping:
        return np.zeros((len(decisions.actions), len(first))), finals
    before, after = map(env.tricks_ahead, (decisions.positions.states, decisions.ends))
    return settings.shaping * before, finals + settings.shaping * after


def judge(
    decisions: Decisions, values: np.ndarray, targets: np.ndarray, outcomes: np.ndarray
) -> Summary:
    first = np.unique(decisions.deals, return_index=True)[1]
    return Summary(
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
    """Return the experience as tensors; advantages have mean 0 and deviation 1."""
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
        hidden = torch.from_numpy(env.partner_hands(positions))
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
