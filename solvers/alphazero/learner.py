"""AlphaZero under hidden cards, an iteration at a time, in a folder that outlives its process.

learner = Learner(env, Settings(), Path("runs/x"), seed=1)
report = learner.iterate()

An iteration plays deals by the averaged network, searches some of its decisions, and fits the
network to what the last searches have said. Everything follows from the seed and the iteration
before, whatever executor plays the deals: what was interrupted is done again and comes out the
same.
"""

import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from solvers.alphazero.fitting import fit
from solvers.alphazero.pieces import Job, play_all
from solvers.alphazero.replay import Replay
from solvers.alphazero.selfplay import Samples
from solvers.alphazero.settings import Settings
from solvers.environments.card_game import Records
from solvers.networks.network import Network, make_network
from solvers.runs.archive import Archive, purpose_of
from solvers.runs.pretrained import find_run
from solvers.runs.progress import Progress, silent
from solvers.runs.tensors import adam_tensors, restore_tensors, save_tensors

Report = dict[str, Any]  # for logs, in plain JSON
AVERAGE, LEARNING, MAGNET, MEMORY = "alphazero-0", "learning-0", "magnet-0", "memory-0"


class Learner:
    def __init__(self, env: Records, settings: Settings, workdir: Path, seed: int = 0) -> None:
        check_game(env)
        self.env, self.settings, self.seed = env, settings, seed
        self.archive = Archive(
            workdir, purpose_of(env, settings.encoding, [tuple(range(env.players))])
        )
        self.network = first_network(env, settings, seed)
        self.average = deepcopy(self.network)
        self.magnet = deepcopy(self.network) if settings.magnet else None
        self.adam = torch.optim.Adam(self.network.parameters(), fused=True)
        self.replay = Replay(workdir / "samples", env.game.dtype, settings.replay)
        if self.iteration:
            self._restore()
        else:
            self._save(0)

    @property
    def iteration(self) -> int:
        """The last finished iteration."""
        return self.archive.state.iteration

    def iterate(self, progress: Progress = silent) -> Report:
        start, state = time.perf_counter(), self.archive.state
        iteration = state.iteration + 1
        samples = self._play(iteration, progress)
        played = time.perf_counter()
        self.replay.add(iteration, samples)
        random = np.random.default_rng([self.seed, iteration])
        pair = self.network, self.average, self.adam
        losses = fit(
            *pair, self.env, self.replay.samples(), self.settings, iteration, random, progress
        )
        self._move_magnet()
        self._keep(iteration)
        state = state._replace(
            iteration=iteration,
            positions=state.positions + self.settings.deals,
            samples=state.samples + len(samples.sets),
            seconds=state.seconds + time.perf_counter() - start,
            traversing=state.traversing + played - start,
        )
        self.archive.write(state, {"losses": losses._asdict()})
        self._forget()
        return self.archive.report()

    def _play(self, iteration: int, progress: Progress) -> Samples:
        networks = self.average, self.magnet
        return play_all(Job(self.env, self.settings, *networks, iteration, self.seed), progress)

    def _move_magnet(self) -> None:
        if self.magnet and self.settings.magnet:
            rate = self.settings.magnet.rate
            with torch.no_grad():
                torch._foreach_lerp_(
                    list(self.magnet.parameters()), list(self.average.parameters()), rate
                )

    def _save(self, iteration: int) -> None:
        for name, network in self._networks().items():
            self.archive.save(name, iteration, network)

    def _keep(self, iteration: int) -> None:
        self._save(iteration)
        save_tensors(self._memory(iteration), self._tensors(), {})

    def _restore(self) -> None:
        for name, network in self._networks().items():
            self.archive.restore(name, self.iteration, network)
        restore_tensors(self._memory(self.iteration), self._tensors())
        self.replay.restore(self.iteration)
        self._forget()  # a killed process may not have come to it

    def _forget(self) -> None:
        """Delete what the last iteration has made superfluous."""
        iteration = self.iteration - 1
        self.replay.forget(self.iteration)
        self._memory(iteration).unlink(missing_ok=True)
        for name in self._networks():
            if name != AVERAGE or iteration % self.settings.keep_every:
                self.archive.path(name, iteration).unlink(missing_ok=True)

    def _memory(self, iteration: int) -> Path:
        return self.archive.path(MEMORY, iteration)

    def _networks(self) -> dict[str, Network]:
        magnet = {MAGNET: self.magnet} if self.magnet else {}
        return {AVERAGE: self.average, LEARNING: self.network} | magnet

    def _tensors(self) -> dict[str, Tensor]:
        """What to restore besides the networks."""
        return adam_tensors(self.adam, self.network.parameters())


def first_network(env: Records, settings: Settings, seed: int) -> Network:
    """The network with which learning begins."""
    if not settings.start:
        return make_network(settings.network, env.shape, seed)
    archive = Archive(find_run(settings.start))
    network = archive.demand(AVERAGE, archive.state.iteration, env.shape)
    if network.settings != settings.network:
        raise ValueError(f"start={settings.start} holds another network: {network.settings}")
    return network


def check_game(env: Records) -> None:
    """Refuse games in which what one side wins the other does not lose."""
    sides = len(set(env.game.sides))
    if sides != 2:
        raise ValueError(
            f"{env.name} has {sides} sides, and AlphaZero plays with two: take python_snapszer,"
            " python_coinche or python_hokm"
        )
    if not env.variant.zero_sum:
        raise ValueError(f"{env.name} is not zero-sum; take a variant that is, as reward=mirror")
