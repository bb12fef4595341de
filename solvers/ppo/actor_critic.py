"""The actor and the critic of a group of seats, and two slow averages of the actor."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from solvers.environments.environment import Environment, Positions
from solvers.networks.device import device
from solvers.networks.network import Network, drawing, make_network, predict
from solvers.ppo.lookahead import with_lookahead
from solvers.ppo.settings import PretrainedSettings, Settings
from solvers.runs.archive import Archive
from solvers.runs.tensors import adam_tensors, restore_tensors, save_tensors

NETWORKS = ("actor", "critic", "average")


class ActorCritic:
    """The networks of a group of seats, their optimiser, and their files."""

    def __init__(
        self, env: Environment, settings: Settings, seats: tuple[int, ...], number: int, seed: int
    ) -> None:
        self.env, self.settings, self.seats, self.number = env, settings, seats, number
        seeds = np.random.SeedSequence([seed, number]).generate_state(3).tolist()
        self.actor = make_network(settings.network, env.shape, seeds[0])
        sight = env.history_shape if settings.privileged else env.shape
        if settings.lookahead:
            sight = with_lookahead(sight)
        self.critic = make_network(settings.critic, replace(sight, actions=1), seeds[1])
        if settings.pretrained:
            self.actor = pretrained_actor(settings.pretrained, self.actor, number)
        self.average, self.magnet = deepcopy(self.actor), deepcopy(self.actor)
        self.kept = NETWORKS + (("magnet",) if settings.magnet else ())
        self.guess = hand_predictor(self.actor.features, env, seeds[2])
        self.adam = torch.optim.Adam(self.parameters(), fused=True)

    def parameters(self) -> list[nn.Parameter]:
        return [p for part in (self.actor, self.critic, self.guess) for p in part.parameters()]

    def critic_input(self, positions: Positions, action_values: np.ndarray) -> np.ndarray:
        """Return the critic's encodings, followed by what lookahead says of each action."""
        if self.settings.privileged:
            seen = self.env.encode_history(positions, positions.actors)
        else:
            seen = self.env.encode(positions)
        return np.hstack([seen, action_values / np.float32(self.settings.reward_scale)])

    def values(self, seen: np.ndarray) -> np.ndarray:
        """Return the critic's values for the seats to move. `[n]`"""
        return predict(self.critic, seen, self.settings.precision)[:, 0]

    @torch.no_grad()
    def update_averages(self) -> None:
        """Move the averaged weights and the magnet towards the actor's weights."""
        rates = [(self.average, self.settings.ema_rate)]
        if self.settings.magnet:
            rates.append((self.magnet, self.settings.magnet.rate))
        for follower, rate in rates:
            torch._foreach_lerp_(list(follower.parameters()), list(self.actor.parameters()), rate)

    def save(self, archive: Archive, iteration: int) -> None:
        for name in self.kept:
            archive.save(f"{name}-{self.number}", iteration, getattr(self, name))
        save_tensors(self._memory(archive, iteration), self._tensors(), {})

    def load(self, archive: Archive, iteration: int) -> None:
        for name in self.kept:
            archive.restore(f"{name}-{self.number}", iteration, getattr(self, name))
        restore_tensors(self._memory(archive, iteration), self._tensors())

    def forget(self, archive: Archive, iteration: int) -> None:
        """Delete an iteration's files; every `keep_every` iterations the averaged weights stay."""
        files = [archive.path(f"{name}-{self.number}", iteration) for name in self.kept]
        if iteration % self.settings.keep_every == 0:
            files.remove(archive.path(f"average-{self.number}", iteration))
        for path in (*files, self._memory(archive, iteration)):
            path.unlink(missing_ok=True)

    def _memory(self, archive: Archive, iteration: int) -> Path:
        return archive.path(f"memory-{self.number}", iteration)

    def _tensors(self) -> dict[str, Tensor]:
        """The state to restore besides the networks: Adam's, and the hand predictor."""
        tensors = {f"guess.{name}": x for name, x in self.guess.state_dict().items()}
        return tensors | adam_tensors(self.adam, self.parameters())


def pretrained_actor(settings: PretrainedSettings, drawn: Network, number: int) -> Network:
    """Return the network that a PPO or Deep CFR run has trained, instead of random weights."""
    archive = Archive(Path(settings.folder))
    at, inverse_temperature = archive.state.iteration, 1.0
    found = archive.load(f"average-{number}", at)
    if found is None:
        found = archive.demand(f"advantages-{number}", at, drawn.shape)
        inverse_temperature = settings.inverse_temperature
    same = replace(found.settings, zero_output=drawn.settings.zero_output)
    if (same, found.shape) != (drawn.settings, drawn.shape):
        raise ValueError(
            f"pretrained.folder={settings.folder} holds another network: {found.settings}"
        )
    drawn.load_state_dict(found.state_dict())
    with torch.no_grad():
        drawn.scale *= inverse_temperature
    drawn.rescale(1.0)
    return drawn


def hand_predictor(hidden: int, env: Environment, seed: int) -> nn.Linear:
    """A linear layer that predicts for each card whether the partner holds it."""
    with drawing(seed):
        return nn.Linear(hidden, max(env.shape.cards, 1)).to(device())
