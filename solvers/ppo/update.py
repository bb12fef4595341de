"""Proximal policy optimisation (Schulman et al. 2017) of one pupil on what it has just decided."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from solvers.networks.network import computing
from solvers.ppo.actor_critic import Pupil
from solvers.runs.progress import Progress, silent

TINY = 1e-8
NEVER = -1e9  # the logit of what is not allowed


class Lessons(NamedTuple):
    """A row per decision."""

    encodings: Tensor  # [n, width] float32
    seen: Tensor  # [n, …] float32: what the critic sees
    legal: Tensor  # [n, actions] bool
    actions: Tensor  # [n] int64: what was done
    chances: Tensor  # [n] float32: how likely that was
    advantages: Tensor  # [n] float32
    targets: Tensor  # [n] float32: for the critic
    magnet: Tensor  # [n, actions] float32: the magnet's logarithms; no columns if not needed
    worth: Tensor  # [n, actions] float32: what foresight prefers; no columns if there is none
    hidden: Tensor  # [n, cards] float32: the cards to guess; no columns if there are none

    def take(self, rows: Tensor) -> "Lessons":
        return Lessons(*(column.index_select(0, rows) for column in self))


class Losses(NamedTuple):
    """Means over an iteration's minibatches; a log wants them."""

    policy: float  # the clipped objective
    value: float
    entropy: float
    moved: float  # divergence of the policy from the one that has played
    clipped: float  # share of the decisions whose ratio was beyond the clip
    magnet: float
    foresight: float
    guess: float


def log_policy(outputs: Tensor, legal: Tensor) -> Tensor:
    """Logarithms of the probabilities of legal actions; `NEVER` or so of others."""
    return torch.log_softmax(outputs.masked_fill(~legal, NEVER), dim=1)


def improve(
    pupil: Pupil,
    lessons: Lessons,
    iteration: int,
    random: np.random.Generator,
    progress: Progress = silent,
) -> Losses:
    """All epochs."""
    settings, n = pupil.settings, len(lessons.actions)
    pupil.adam.param_groups[0]["lr"] = settings.rate_at(iteration)
    found = []
    with computing(settings.precision):
        for _ in range(settings.epochs):
            progress(len(found))
            order = torch.from_numpy(random.permutation(n))
            for rows in order.split(settings.batch):
                found.append(step(pupil, lessons.take(rows), iteration))
    return Losses(*torch.tensor(found).mean(dim=0).tolist())


def step(pupil: Pupil, lessons: Lessons, iteration: int) -> tuple[Tensor, ...]:
    loss, parts = objective(pupil, lessons, iteration)
    pupil.adam.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(pupil.parameters(), pupil.settings.longest)
    pupil.adam.step()
    return parts


def objective(pupil: Pupil, lessons: Lessons, iteration: int) -> tuple[Tensor, tuple[Tensor, ...]]:
    """What is minimised, and the parts that `Losses` names."""
    settings = pupil.settings
    features, outputs = pupil.actor.think(lessons.encodings)
    logs = log_policy(outputs.float() * pupil.actor.scale, lessons.legal)
    chosen = logs.gather(1, lessons.actions[:, None])[:, 0]
    entropy = -(logs.exp() * logs).sum(dim=1).mean()
    value = functional.mse_loss(pupil.critic(lessons.seen)[:, 0], lessons.targets)
    policy = moved = clipped = magnet = foresight = guess = torch.zeros(())
    loss = value
    if iteration > settings.patience:
        policy, moved, clipped = surrogate(chosen, lessons, settings.clip)
        loss = loss + settings.surrogate * policy - settings.entropy_at(iteration) * entropy
        if settings.magnet:
            magnet = (logs.exp() * (logs - lessons.magnet)).sum(dim=1).mean()
            loss = loss + settings.magnet * magnet
        if settings.foresight:
            foresight = (logs.exp() * lessons.worth).sum(dim=1).mean()
            loss = loss - settings.foresight_at(iteration) * foresight
    if settings.partner:
        guess = functional.binary_cross_entropy_with_logits(
            pupil.guess(features).float(), lessons.hidden
        )
        loss = loss + settings.partner * guess
    parts = policy, value, entropy, moved, clipped, magnet, foresight, guess
    return loss, tuple(part.detach() for part in parts)


def surrogate(chosen: Tensor, lessons: Lessons, clip: float) -> tuple[Tensor, Tensor, Tensor]:
    """The clipped objective, how far the policy has moved, and how often the clip holds it; from
    the logarithms of what was done.
    """
    change = chosen - (lessons.chances + TINY).log()
    ratio = change.exp()
    gains = ratio * lessons.advantages
    bounded = ratio.clamp(1 - clip, 1 + clip) * lessons.advantages
    clipped = ((ratio - 1).abs() > clip).float().mean()
    return -torch.minimum(gains, bounded).mean(), (ratio - 1 - change).mean(), clipped
