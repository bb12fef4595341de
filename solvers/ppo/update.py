"""Proximal policy optimisation (Schulman et al. 2017) of one model on what it has just decided."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from solvers.networks.decisions import log_policy
from solvers.networks.device import moved
from solvers.networks.network import computing
from solvers.ppo.actor_critic import ActorCritic
from solvers.runs.progress import Progress, silent

TINY = 1e-8


class Experience(NamedTuple):
    """A row per decision."""

    encodings: Tensor  # [n, width] float32
    seen: Tensor  # [n, …] float32: what the critic sees
    legal: Tensor  # [n, actions] bool
    actions: Tensor  # [n] int64: what was done
    chances: Tensor  # [n] float32: how likely that was
    advantages: Tensor  # [n] float32
    targets: Tensor  # [n] float32: for the critic
    magnet: Tensor  # [n, actions] float32: the magnet's logarithms; no columns if not needed
    preferences: Tensor  # [n, actions] float32: by lookahead; no columns without it
    hidden: Tensor  # [n, cards] float32: the cards to guess; no columns if there are none

    def take(self, rows: Tensor) -> "Experience":
        return Experience(*(column.index_select(0, rows) for column in self))


class Losses(NamedTuple):
    """Means over an iteration's minibatches, for logs."""

    policy: float  # the clipped objective
    value: float
    entropy: float
    approx_kl: float  # divergence of the policy from the one that has played
    clip_fraction: float  # share of the decisions whose ratio was beyond the clip
    magnet: float
    lookahead: float
    guess: float


def improve(
    model: ActorCritic,
    experience: Experience,
    iteration: int,
    random: np.random.Generator,
    progress: Progress = silent,
) -> Losses:
    """Run all epochs, and return the mean losses."""
    settings, n, device = model.settings, len(experience.actions), model.actor.device
    experience = moved(experience, device)
    found: list[Tensor] = []
    model.adam.param_groups[0]["lr"] = settings.rate_at(iteration)
    with computing(settings.precision, device):
        for _ in range(settings.epochs):
            progress(len(found))
            order = torch.from_numpy(random.permutation(n)).to(device)
            for rows in order.split(settings.batch):
                found.append(step(model, experience.take(rows), iteration))
    return Losses(*torch.stack(found).mean(dim=0).tolist())


def step(model: ActorCritic, experience: Experience, iteration: int) -> Tensor:
    """Take a step; return the parts of the loss."""
    loss, parts = objective(model, experience, iteration)
    model.adam.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), model.settings.max_grad_norm)
    model.adam.step()
    return torch.stack(parts)


def objective(
    model: ActorCritic, experience: Experience, iteration: int
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """Return the loss, and its parts in the order of `Losses`."""
    settings = model.settings
    features, outputs = model.actor.think(experience.encodings)
    logs = log_policy(outputs.float() * model.actor.scale, experience.legal)
    chosen = logs.gather(1, experience.actions[:, None])[:, 0]
    entropy = -(logs.exp() * logs).sum(dim=1).mean()
    value = functional.mse_loss(model.critic(experience.seen)[:, 0], experience.targets)
    policy = approx_kl = clip_fraction = magnet = lookahead = guess = value.new_zeros(())
    loss = value
    if not settings.is_warming_up(iteration):
        policy, approx_kl, clip_fraction = surrogate(chosen, experience, settings.clip_range)
        loss = loss + settings.surrogate * policy - settings.entropy_at(iteration) * entropy
        if settings.magnet:
            magnet = (logs.exp() * (logs - experience.magnet)).sum(dim=1).mean()
            loss = loss + settings.magnet.weight * magnet
        if settings.lookahead:
            lookahead = (logs.exp() * experience.preferences).sum(dim=1).mean()
            loss = loss - settings.lookahead_at(iteration) * lookahead
    if settings.partner:
        guess = functional.binary_cross_entropy_with_logits(
            model.guess(features).float(), experience.hidden
        )
        loss = loss + settings.partner * guess
    parts = policy, value, entropy, approx_kl, clip_fraction, magnet, lookahead, guess
    return loss, tuple(part.detach() for part in parts)


def surrogate(chosen: Tensor, experience: Experience, clip: float) -> tuple[Tensor, Tensor, Tensor]:
    """The clipped objective, the approximate divergence from the old policy, and the share
    of clipped decisions; from the log probabilities of the actions taken.
    """
    change = chosen - (experience.chances + TINY).log()
    ratio = change.exp()
    gains = ratio * experience.advantages
    bounded = ratio.clamp(1 - clip, 1 + clip) * experience.advantages
    clip_fraction = ((ratio - 1).abs() > clip).float().mean()
    return -torch.minimum(gains, bounded).mean(), (ratio - 1 - change).mean(), clip_fraction
