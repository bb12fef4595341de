"""Fitting a network to what searches have said, and to how deals have ended."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from solvers.alphazero.selfplay import Samples
from solvers.alphazero.settings import Settings
from solvers.environments.card_game import Records
from solvers.networks.decisions import flags, log_policy
from solvers.networks.device import moved
from solvers.networks.network import Network
from solvers.runs.progress import Progress, silent
from spielgames.core.arrays import take

TOLD = 20  # steps
TIED = 1e-6  # actions whose values differ by less teach no policy
LEAST = 1e-12  # probability of which the logarithm is taken


class Losses(NamedTuple):
    """Means over an iteration's steps, for logs."""

    policy: float  # the cross-entropy of the search's policy, or another distance from it
    entropy: float  # of the search's policy: what no network can go below
    value: float  # the squared error of the values of positions
    action_values: float  # and of actions


class Minibatch(NamedTuple):
    encodings: Tensor  # [n, width]
    legal: Tensor  # [n, actions] bool
    policy: Tensor  # [n, actions]: the target
    values: Tensor  # [n, actions]: of actions less their mean; 0 where unknown
    known: Tensor  # [n, actions] bool: whether the search has valued the action
    target: Tensor  # [n]: of the value
    decisive: Tensor  # [n] float: 0 where all actions are worth the same


def minibatch_of(
    env: Records, samples: Samples, rows: np.ndarray, search_share: float
) -> Minibatch:
    actors = samples.actors[rows].astype(np.int64)
    legal, values = flags(samples.sets[rows], env.actions), samples.values[rows]
    known = ~np.isnan(values)
    gains = values - np.nanmean(values, axis=1, keepdims=True)
    spread = np.nanmax(values, axis=1) - np.nanmin(values, axis=1)
    decisive = (spread > TIED) | (legal & ~known).any(axis=1)
    target = samples.outcome[rows] * (1 - search_share) + samples.worth[rows] * search_share
    columns = (
        env.observe(take(samples.states, rows), actors),
        legal,
        samples.policy[rows],
        np.where(known, gains, 0).astype(np.float32),
        known,
        target.astype(np.float32),
        decisive.astype(np.float32),
    )
    return Minibatch(*map(torch.from_numpy, columns))


def forward(own: Tensor, known: Tensor, legal: Tensor) -> Tensor:
    """The cross-entropy. `[n]`"""
    return -(known.exp() * own * legal).sum(dim=1)


def reverse(own: Tensor, known: Tensor, legal: Tensor) -> Tensor:
    return (own.exp() * (own - known) * legal).sum(dim=1)


def apart(own: Tensor, known: Tensor, legal: Tensor) -> Tensor:
    """Half the mean square of the gaps between logarithms, less their mean. `[n]`"""
    gaps, count = torch.where(legal, own - known, 0.0), legal.sum(dim=1)
    gaps = torch.where(legal, gaps - (gaps.sum(dim=1) / count)[:, None], 0.0)
    return (gaps**2).sum(dim=1) / (2 * count)


DISTANCES = {"forward": forward, "reverse": reverse, "logits": apart}  # of policies


def losses_of(
    network: Network, batch: Minibatch, policy_loss: str = "forward"
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    logits, values, value = network.judge(batch.encodings)
    own, known = log_policy(logits, batch.legal), batch.policy.clamp_min(LEAST).log()
    entropies = -(batch.policy * known).sum(dim=1)
    far = DISTANCES[policy_loss](own, known, batch.legal)
    count = batch.decisive.sum().clamp_min(1)
    policy, entropy = ((x * batch.decisive).sum() / count for x in (far, entropies))
    of_actions = ((values - batch.values) ** 2)[batch.known].mean()
    return policy, entropy, functional.mse_loss(value, batch.target), of_actions


def fit(
    network: Network,
    average: Network,
    adam: torch.optim.Optimizer,
    env: Records,
    samples: Samples,
    settings: Settings,
    iteration: int,
    random: np.random.Generator,
    progress: Progress = silent,
) -> Losses:
    """Take the steps of an iteration; `average` follows the network's weights."""
    adam.param_groups[0]["lr"] = settings.rate_at(iteration)
    found = []
    for step in range(settings.steps):
        if step % TOLD == 0:
            progress(step)
        rows = random.integers(0, len(samples.sets), settings.batch)
        batch = moved(minibatch_of(env, samples, rows, settings.search_share), network.device)
        parts = losses_of(network, batch, settings.policy_loss)
        policy, _, value, of_actions = parts
        adam.zero_grad()
        (policy + settings.value * value + settings.action_values * of_actions).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), settings.max_grad_norm)
        adam.step()
        with torch.no_grad():
            torch._foreach_lerp_(
                list(average.parameters()), list(network.parameters()), settings.ema_rate
            )
        found.append(torch.stack(parts).detach())
    return Losses(*torch.stack(found).mean(dim=0).tolist())
