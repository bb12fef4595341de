"""Deep CFR, an iteration at a time, in a folder that outlives its process.

learner = Learner(env, settings, Path("runs/x"), seed=1)  # goes on where the folder is
report = learner.iterate()
learner.decide(positions).strategy  # of the last iteration

Seats with a network in common are a group. An iteration traverses for a group, stores what that
finds and fits the group's network; then comes the next group. Each of these steps follows from the
seed and the steps before it, and is noted when it is done: what was interrupted is done again and
comes out the same.
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import numpy as np

from solvers.deep_cfr.fitting import Fit, FitSettings
from solvers.deep_cfr.harvest import Harvest, Spool
from solvers.deep_cfr.memory import AnyMemory, open_memory
from solvers.deep_cfr.model import Model
from solvers.deep_cfr.pieces import Job, Piece, fingerprint, skip_others, traverse_all
from solvers.deep_cfr.plan import BaselineNetwork, Policy, TraversalPlan, discounted_targets
from solvers.deep_cfr.rows import RowFormat
from solvers.deep_cfr.settings import (
    DiscountedSettings,
    ReservoirSettings,
    Settings,
    WindowSettings,
)
from solvers.deep_cfr.steps import Step, parts_of, plan_steps
from solvers.environments.environment import Environment, Positions
from solvers.networks.decisions import Decided, Player
from solvers.networks.settings import NetworkSettings
from solvers.runs.archive import Archive, Details, purpose_of
from solvers.runs.progress import Progress, silent
from solvers.runs.seats import group_seats
from spielgames.agents import make_agent


class Learner:
    def __init__(self, env: Environment, settings: Settings, workdir: Path, seed: int = 0) -> None:
        self.env, self.settings, self.seed = env, settings, seed
        seats = settings.learners or tuple(range(env.players))
        self.groups = group_seats(env.teams, seats, settings.sharing)
        first = settings.first_traversals or settings.traversals
        self.first_steps = plan_steps(settings, self.groups, first)
        self.later_steps = plan_steps(settings, self.groups, settings.traversals)
        self.archive = Archive(workdir, purpose_of(env, settings.encoding, self.groups))
        self.opponent = None
        if len(seats) < env.players:
            self.opponent = make_agent(settings.opponent, env.name)
        self.initial_policy = None
        if settings.initial_policy != "random":
            self.initial_policy = make_agent(settings.initial_policy, env.name)
        self.samples = RowFormat(env.width, env.numbers, env.actions, env.slots)
        wide = env.history_width, env.history_numbers
        self.histories = RowFormat(*wide, env.actions, env.slots)
        self.advantages = [self._advantages(g) for g in range(len(self.groups))]
        self.policies = self._policies()
        self.baseline = self._baseline()
        self._restore()

    def _advantages(self, group: int) -> Model:
        s = self.settings
        how = s.network, s.fit, s.warm_start
        return self._model(f"advantages-{group}", self.samples, s.memory, *how)

    def _policies(self) -> list[Model]:
        if not (s := self.settings.policy):
            return []
        how = ReservoirSettings(s.samples), s.network, s.fit, False
        return [self._model(f"policy-{g}", self.samples, *how) for g in range(len(self.groups))]

    def _baseline(self) -> Model | None:
        if not (s := self.settings.baseline):
            return None
        how = WindowSettings(s.iterations), s.network, s.fit, True
        return self._model("baseline", self.histories, *how)

    def _model(
        self,
        name: str,
        format: RowFormat,
        room: AnyMemory,
        network: NetworkSettings,
        fit: FitSettings,
        warm_start: bool,
    ) -> Model:
        folder = self.archive.folder / "samples" / name
        memory = open_memory(folder, format.dtype, self.archive.about, room, self.seed)
        shape = self.env.shape if format is self.samples else self.env.history_shape
        return Model(name, shape, format, memory, network, fit, warm_start, self.seed)

    @property
    def models(self) -> dict[str, Model]:
        """The models that every iteration fits, by name."""
        fitted = [*self.advantages, *([self.baseline] if self.baseline else [])]
        return {model.name: model for model in fitted}

    def _restore(self) -> None:
        """Load the networks of the last finished fits, and check that the samples are still there.
        A model that was fitted once is fitted in every iteration; before that it has no network.
        """
        archive = self.archive
        before = parts_of(self.steps[: archive.state.step])
        for model in [*self.models.values(), *self.policies]:
            model.memory.check(self._parts_before() + before)
        done = {step.model for step in self.steps[: archive.state.step]}
        for name, model in self.models.items():
            at = self.iteration + (name in done)
            fitted = name in archive.details
            found = archive.demand(name, at, model.shape) if fitted else archive.load(name, at)
            model.network = found

    @property
    def steps(self) -> list[Step]:
        """The steps of the next iteration."""
        return self.later_steps if self.iteration else self.first_steps

    @property
    def iteration(self) -> int:
        """The last finished iteration."""
        return self.archive.state.iteration

    def iterate(self, progress: Progress = silent) -> Details:
        """Do one more iteration, or what is left of it."""
        while steps := self.steps[self.archive.state.step :]:
            if traversals := list(takewhile(lambda step: step.deals, steps)):
                self._traverse(traversals, progress)
            else:
                start, name = time.perf_counter(), steps[0].model
                fit = self._fit(self.models[name], progress)
                self._note(start, details={name: fit._asdict()} if fit else {})
        state = self.archive.state
        self.archive.write(state._replace(iteration=state.iteration + 1, step=0))
        return self.archive.report()

    def _fit(self, model: Model, progress: Progress) -> Fit | None:
        fitting, more = model.fitting, self.settings.first_steps
        if more and not self.iteration and model in self.advantages:
            fitting = replace(fitting, steps=more)
        return model.fit(self.iteration + 1, self.archive, progress, fitting)

    def _note(
        self, start: float, positions: int = 0, samples: int = 0, details: Details | None = None
    ) -> None:
        """Note that a step is done."""
        state, seconds = self.archive.state, time.perf_counter() - start
        self.archive.write(
            state._replace(
                step=state.step + 1,
                positions=state.positions + positions,
                samples=state.samples + samples,
                seconds=state.seconds + seconds,
                traversing=state.traversing + (seconds if positions else 0),
            ),
            self.archive.details | (details or {}),
        )

    def _traverse(self, steps: list[Step], progress: Progress = silent) -> None:
        """Traverse, and store all samples. `progress` is told how many positions were visited."""
        start, before = time.perf_counter(), self._parts_before()
        pieces = [self._piece(step, before + step.part) for step in steps]
        for step, found in zip(steps, traverse_all(self._job(), pieces), strict=True):
            self._store_all(found, before + step.part)
            self._note(start, found.positions, len(found.regrets))
            start = time.perf_counter()
            progress(self.archive.state.positions)

    def _job(self) -> Job:
        about = self.archive.about, self.settings.plain(), self.seed, self.iteration
        networks = [model.network for model in self.models.values() if model.network]
        return Job(self._plan(), self.seed, fingerprint(about, networks))

    def _piece(self, step: Step, number: int) -> Piece:
        """A piece of traversals, by the number of its part in the whole run."""
        s, first = self.settings, number * self.settings.at_once
        learners = [seat for seats in self.groups for seat in seats]
        watched = learners if s.policy or s.baseline else [step.traverser]
        skip = skip_others(self.players, learners, watched, s.sampling)
        return Piece(step.traverser, range(first, first + step.deals), skip)

    def _store_all(self, found: Harvest, number: int) -> None:
        for seats, advantages in zip(self.groups, self.advantages, strict=True):
            self._store(advantages, found.regrets, seats, number)
        for seats, policy in zip(self.groups, self.policies, strict=bool(self.policies)):
            self._store(policy, found.strategies, seats, number)
        if self.baseline:
            self._store(self.baseline, found.histories, tuple(range(self.env.players)), number)

    def _parts_before(self) -> int:
        """The number of parts in all finished iterations."""
        first, later = map(parts_of, (self.first_steps, self.later_steps))
        return first + (self.iteration - 1) * later if self.iteration else 0

    def _store(self, model: Model, found: Spool, seats: tuple[int, ...], number: int) -> None:
        """Store the samples of some seats."""
        model.memory.take_in(self._of(seats, found), self.iteration + 1, number + 1)

    def _of(self, seats: tuple[int, ...], found: Spool) -> Iterator[np.ndarray]:
        for rows, owners in found:
            own = rows[np.isin(owners, seats)]
            own["iteration"] = self.iteration + 1
            yield own

    def _plan(self) -> TraversalPlan:
        s, aim, baseline = self.settings, None, None
        if isinstance(s.memory, DiscountedSettings):
            aim = discounted_targets(s.memory.alpha, self.iteration + 1)
        if self.baseline:
            baseline = BaselineNetwork(self.env, self.baseline.network, s.precision)
        return TraversalPlan(
            env=self.env,
            decide=self.policy.decide,
            sampling=s.sampling,
            samples=self.samples,
            histories=self.histories,
            baseline=baseline,
            aim=aim,
            keep_strategies=s.policy is not None,
            folder=self.archive.folder,
        )

    def decide(self, positions: Positions) -> Decided:
        """Return what every player does now."""
        return self.policy.decide(positions)

    @property
    def policy(self) -> Policy:
        s = self.settings
        return Policy(self.env, tuple(self.players), s.greedy, s.precision)

    @property
    def players(self) -> list[Player]:
        """The player of each seat."""
        players: list[Player] = [self.opponent] * self.env.players
        for seats, model in zip(self.groups, self.advantages, strict=True):
            for seat in seats:
                players[seat] = model.network or self.initial_policy
        return players

    def fit_policies(self, progress: Progress = silent) -> list[Fit | None]:
        """Fit the networks of the average strategy to all samples so far."""
        return [policy.fit(self.iteration, self.archive, progress) for policy in self.policies]
