"""A league of PPO learners, an iteration at a time, in a folder that outlives its process.

learner = Learner(env, Settings(opponents=("league",)), Path("runs/x"), seed=1)
report = learner.iterate()

An iteration plays deals against the opponents, learns from what the learner decided in them, and
now and then holds an arena. Everything follows from the seed and the iteration before: what was
interrupted is done again and comes out the same.
"""

import time
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from solvers.environments.environment import Environment
from solvers.networks.decisions import Player
from solvers.networks.network import Network
from solvers.ppo.actor_critic import ActorCritic
from solvers.ppo.league import League, Member, load_roll, share_won
from solvers.ppo.lookahead import lookahead_of
from solvers.ppo.pieces import number, play_tables, utilities_of_piece
from solvers.ppo.rollout import Decisions, Table, count_wins, no_lookahead, together
from solvers.ppo.settings import LEAGUE, SELF, Settings
from solvers.ppo.training import Report, learn
from solvers.runs.archive import Archive, purpose_of
from solvers.runs.progress import Progress, silent
from solvers.runs.seats import group_seats
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups

ARENA = 3_000_017  # is added to the seed: deals that nothing is learnt from


class Learner:
    def __init__(self, env: Environment, settings: Settings, workdir: Path, seed: int = 0) -> None:
        self.env, self.settings, self.seed = env, settings, seed
        self.lookahead = lookahead_of(settings, env)
        groups = group_seats(env.teams, tuple(range(env.players)), settings.sharing)
        self.archive = Archive(workdir, purpose_of(env, settings.encoding, groups))
        self.models = [ActorCritic(env, settings, seats, g, seed) for g, seats in enumerate(groups)]
        self.lineups = pair_lineups(env)  # type: ignore[arg-type]  # only asks for players and teams; 0 learns
        self.others = {
            name: make_agent(name, env.name)
            for name in settings.opponents
            if name not in (SELF, LEAGUE)
        }
        self.league = League(settings.league.size)
        if self.iteration:
            self._restore()
        elif LEAGUE in settings.opponents:
            self._admit()

    @property
    def iteration(self) -> int:
        """The last finished iteration."""
        return self.archive.state.iteration

    def players(self, name: str = "actor") -> list[Network]:
        """Return the network of each seat."""
        return self._seated(tuple(getattr(model, name) for model in self.models))

    def iterate(self, progress: Progress = silent) -> Report:
        start, state = time.perf_counter(), self.archive.state
        iteration = state.iteration + 1
        random = np.random.default_rng([self.seed, iteration])
        decisions = self._play(random)
        played = time.perf_counter()
        report = learn(self.env, self.settings, self.models, decisions, iteration, random, progress)
        for model in self.models:
            model.update_averages()
        if self.settings.has_arena(iteration):
            report |= self._hold_arena(iteration)
        self._keep(iteration)
        state = state._replace(
            iteration=iteration,
            positions=state.positions + decisions.asked,
            samples=state.samples + len(decisions.actions),
            seconds=state.seconds + time.perf_counter() - start,
            traversing=state.traversing + played - start,
        )
        self.archive.write(state, report)
        self._forget(iteration - 1)
        return self.archive.report()

    def _play(self, random: np.random.Generator) -> Decisions:
        """Play deals against each of the opponents."""
        mine, tables = self.players(), []
        for name in self.settings.opponents:
            deals = self.settings.deals // len(self.settings.opponents)
            if name == SELF:
                tables.append(Table(tuple(mine), deals))
            else:
                tables += self._tables(self._opponents(name, random), deals)
        numbered = list(number(tables, self.iteration * self.settings.deals))
        parts = list(self._sit(numbered, self.seed, self.lookahead))
        return count_wins(together(parts)) if self.settings.wins else together(parts)

    def _sit(self, tables: list[tuple[Table, int]], seed: int, *how: Any) -> Iterator:
        learners = [model.actor for model in self.models]
        return play_tables(self.env, tables, learners, seed, self.settings.precision, *how)

    def _opponents(self, name: str, random: np.random.Generator) -> list[Sequence[Player]]:
        """Return the players of all seats, for each opponent of that name."""
        if name != LEAGUE:
            return [[self.others[name]] * self.env.players]
        league = self.settings.league
        drawn = self.league.draw(league.matches, league.matching, random)
        return [self._seated(member.networks) for member in drawn]

    def _tables(self, opponents: Sequence[Sequence[Player]], deals: int) -> list[Table]:
        """Seat the learner against each of them, in all seatings."""
        mine, parts = self.players(), len(opponents) * len(self.lineups)
        return [
            Table(mixed(lineup, mine, other), max(1, deals // parts))
            for other in opponents
            for lineup in self.lineups
        ]

    def _seated(self, networks: tuple[Network, ...]) -> list[Network]:
        of_seat = {s: n for p, n in zip(self.models, networks, strict=True) for s in p.seats}
        return [of_seat[seat] for seat in range(self.env.players)]

    def _hold_arena(self, iteration: int) -> Report:
        """Play the same deals in all seatings against every member of the league."""
        members = [self._seated(member.networks) for member in self.league.members]
        each = self.settings.league.arena_deals
        tables = self._tables(members, each * len(self.lineups) * len(members))
        seed, how = self.seed + ARENA + iteration, (no_lookahead, utilities_of_piece)
        found = self._sit([(table, 0) for table in tables], seed, *how)
        shares = [share_won(u, seats == 0) for u, seats in zip(found, cycle(self.lineups))]  # noqa: B905
        lost = np.reshape(shares, (len(members), -1)).mean(axis=1).tolist()
        won = self.league.note(lost)
        admitted = won >= self.settings.league.admission
        if admitted:
            self._admit()
        return {"arena": won, "admitted": admitted}

    def _admit(self) -> None:
        """Let a frozen version of the learner join the league."""
        frozen = tuple(deepcopy(model.actor) for model in self.models)
        iteration = self.iteration + 1 if self.league.members else 0
        for model, network in zip(self.models, frozen, strict=True):
            self.archive.save(f"frozen-{model.number}", iteration, network)
        self.league.admit(Member(iteration, frozen))

    def _keep(self, iteration: int) -> None:
        for model in self.models:
            model.save(self.archive, iteration)
        self.league.save(self._roll(iteration))

    def _restore(self) -> None:
        for model in self.models:
            model.load(self.archive, self.iteration)
        for iteration, lost in load_roll(self._roll(self.iteration)):
            names = [f"frozen-{model.number}" for model in self.models]
            shape = self.env.shape
            networks = tuple(self.archive.demand(name, iteration, shape) for name in names)
            self.league.admit(Member(iteration, networks, lost))
        self._forget(self.iteration - 1)  # a killed process may not have come to it

    def _roll(self, iteration: int) -> Path:
        return self.archive.folder / "league" / f"{iteration:06d}.json"

    def _forget(self, iteration: int) -> None:
        """Delete what the next iteration has made superfluous."""
        self._roll(iteration).unlink(missing_ok=True)
        for model in self.models:
            model.forget(self.archive, iteration)


def mixed(
    lineup: np.ndarray, mine: Sequence[Player], other: Sequence[Player]
) -> tuple[Player, ...]:
    """Return the player of each seat."""
    return tuple(o if who else m for who, m, o in zip(lineup, mine, other, strict=True))
