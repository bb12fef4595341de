"""Deep Monte Carlo (Zha et al. 2021), an iteration at a time, in a folder that outlives its
process.

    learner = Learner(env, Settings(), Path("runs/x"), seed=1)
    report = learner.iterate()

An iteration plays deals against itself: the action whose value the network thinks highest, and with
probability ε any. Then the network is fitted to how these deals have ended: the value of an action
taken is what its side has won. Nothing is searched. What was interrupted is done again and comes
out the same.
"""

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from solvers.deep_monte_carlo.player import VALUES, ValuePlayer
from solvers.deep_monte_carlo.selfplay import play
from solvers.deep_monte_carlo.settings import Settings
from solvers.environments.card_game import Records
from solvers.networks.device import moved
from solvers.networks.network import make_network, save_network
from solvers.runs.archive import Archive, purpose_of
from solvers.runs.progress import Progress, silent
from solvers.runs.settings import to_plain
from solvers.runs.tensors import adam_tensors, restore_tensors, save_tensors

MEMORY = "memory-0"
TOLD = 20  # steps
Report = dict[str, Any]  # for logs, in plain JSON


class Samples(NamedTuple):
    """Decisions, and what came of them."""

    encodings: Tensor  # [n, width]
    kinds: Tensor  # [n] which network decides
    actions: Tensor  # [n] the action taken
    outcomes: Tensor  # [n] float32: of the deal, for the seat


class Learner:
    def __init__(self, env: Records, settings: Settings, workdir: Path, seed: int = 0) -> None:
        self.env, self.settings, self.seed = env, settings, seed
        seats = tuple(range(env.players))
        self.archive = Archive(workdir, purpose_of(env, settings.encoding, [seats]))
        seeds = np.random.SeedSequence(seed).generate_state(settings.habits.networks).tolist()
        self.networks = [make_network(settings.network, env.shape, each) for each in seeds]
        self.adam = torch.optim.Adam(self._parameters(), fused=True)
        if self.archive.state.iteration:
            self._restore(self.archive.state.iteration)

    def iterate(self, progress: Progress = silent) -> Report:
        start, state = time.perf_counter(), self.archive.state
        iteration = state.iteration + 1
        samples = self._play(iteration)
        played = time.perf_counter()
        loss = self._fit(samples, np.random.default_rng([self.seed, iteration]), progress)
        self._keep(iteration)
        state = state._replace(
            iteration=iteration,
            positions=state.positions + self.settings.deals,
            samples=state.samples + len(samples.actions),
            seconds=state.seconds + time.perf_counter() - start,
            traversing=state.traversing + played - start,
        )
        self.archive.write(state, {"losses": {"value": loss}})
        for path in self._paths(iteration - 1):
            path.unlink(missing_ok=True)
        return self.archive.report()

    def _play(self, iteration: int) -> Samples:
        """Decisions with a choice, of the deals of an iteration."""
        deals, epsilon = self.settings.deals, self.settings.epsilon_at(iteration)
        player = ValuePlayer(self.env.name, self.env, self.networks, self.settings.habits, epsilon)
        found = play(player, range(iteration * deals, (iteration + 1) * deals), self.seed)
        outcomes = found.won / self.env.variant.max_utility
        if self.settings.wins:
            outcomes = np.sign(outcomes)
        columns = found._replace(won=outcomes.astype(np.float32))
        return Samples(*map(torch.from_numpy, columns))

    def _fit(self, samples: Samples, random: np.random.Generator, progress: Progress) -> float:
        """Take the steps of an iteration; return the mean squared error of values in them."""
        found, settings, device = [], self.settings, self.networks[0].device
        samples = moved(samples, device)
        self.adam.param_groups[0]["lr"] = settings.learning_rate
        for step in range(settings.steps):
            if step % TOLD == 0:
                progress(step)
            drawn = random.integers(0, len(samples.actions), settings.batch)
            rows = torch.from_numpy(drawn).to(device)
            loss = self._loss(Samples(*(column[rows] for column in samples)))
            self.adam.zero_grad()
            loss.backward()
            self.adam.step()
            found.append(loss.detach())
        return float(torch.stack(found).mean())

    def _loss(self, batch: Samples) -> Tensor:
        values = torch.stack([network(batch.encodings) for network in self.networks])
        rows = torch.arange(len(batch.actions), device=values.device)
        taken = values[batch.kinds, rows, batch.actions]
        return functional.mse_loss(taken, batch.outcomes)

    def _paths(self, iteration: int) -> list[Path]:
        """The files of an iteration: the networks', and the optimiser's."""
        names = [f"{VALUES}-{k}" for k in range(len(self.networks))]
        return [self.archive.path(name, iteration) for name in (*names, MEMORY)]

    def _keep(self, iteration: int) -> None:
        about = self.archive.about | {"habits": to_plain(self.settings.habits)}
        *paths, memory = self._paths(iteration)
        for path, network in zip(paths, self.networks, strict=True):
            save_network(path, network, about)
        save_tensors(memory, self._tensors(), {})

    def _restore(self, iteration: int) -> None:
        *_, memory = self._paths(iteration)
        for k, network in enumerate(self.networks):
            self.archive.restore(f"{VALUES}-{k}", iteration, network)
        restore_tensors(memory, self._tensors())
        for path in self._paths(iteration - 1):  # a killed process may not have come to it
            path.unlink(missing_ok=True)

    def _tensors(self) -> dict[str, Tensor]:
        return adam_tensors(self.adam, self._parameters())

    def _parameters(self) -> list[nn.Parameter]:
        return [one for network in self.networks for one in network.parameters()]
