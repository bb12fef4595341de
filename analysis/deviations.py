"""What deviating from a profile gains: each seat alone, each team together, and where.

report = exploitability("python_snapszer(suits=2,ranks=3,hand=2)", ["rules"])
report.nash_conv, report.seats[0].gain, report.losses[0].better
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import exploitability as openspiel

from analysis.losses import Loss, worst_losses
from solvers.best_response import gains
from solvers.form import expected_values, flatten
from solvers.linear_program import check_zero_sum, solve
from solvers.profiles import Profile, ProfilePolicy, load_tree, profile_of, uniform
from solvers.tabular import Cfr
from solvers.team_best_response import bracket
from spielgames.agents import Agent, kind_of, make_agent, read_options
from spielgames.core.registry import find, is_ours, load_foreign, name_of
from spielgames.core.tree import GIGABYTE, Tree

SOLVED_LEAVES = 100_000  # beyond, the linear programme takes minutes
CHECKED_LEAVES = 50_000  # beyond, OpenSpiel takes many minutes
SECONDS = 60.0
PROVEN = 1e-6  # the precision of the programme behind joint plans


class Limits(NamedTuple):
    """How far to go."""

    exact: bool = False  # to the end, and checked against OpenSpiel
    seconds: float = SECONDS  # for the joint response of each team
    states: int = 10  # how many losses are told
    memory: int = GIGABYTE


@dataclass(frozen=True)
class SeatGain:
    seat: int
    agent: str
    utility: float  # as all play
    gain: float  # by its best response to all others


@dataclass(frozen=True)
class TeamGain:
    """Of both partners' utilities together; alone ≤ joint ≤ joint_bound ≤ together."""

    seats: tuple[int, ...]
    utility: float  # as all play
    alone: float  # what is gained if one partner deviates
    joint: float  # by the best joint plan found
    joint_bound: float  # no joint plan gains more
    together: float  # if each partner saw what all of them see

    @property
    def proven(self) -> bool:
        """Whether the joint plan is known to be the best."""
        return self.joint_bound - self.joint <= PROVEN


@dataclass(frozen=True)
class Report:
    game: str
    unit: str  # of the utilities
    leaves: int
    sets: list[int]  # of each seat
    nash_conv: float
    exploitability: float | None  # of two seats with opposite interests only
    value: float | None  # of such a game to seat 0, by a linear programme
    value_bounds: tuple[float, float] | None  # what the profile proves about that value
    seats: list[SeatGain]
    teams: list[TeamGain]
    losses: list[Loss]
    openspiel: float | None  # its NashConv
    unchecked: str  # why there is none

    @property
    def title(self) -> str:
        agents = [seat.agent for seat in self.seats]
        same = len(set(agents)) == 1
        return f"{agents[0] if same else ', '.join(agents)} in {self.game}"


Player = Callable[[Tree], Profile]
DEFAULT = Limits()


def exploitability(
    game: str | pyspiel.Game,
    agents: Sequence[str | Agent],
    limits: Limits = DEFAULT,
    progress: bool = False,
) -> Report:
    """Of one agent in all seats, or of one for each."""
    game = name_of(game)
    agents = seated(game, agents)
    players = {agent: player(agent, game) for agent in agents}
    tree = load_tree(game, limits.memory, progress)
    profiles = {agent: play(tree) for agent, play in players.items()}
    profile = [profiles[agent][seat] for seat, agent in enumerate(agents)]
    names = [agent if isinstance(agent, str) else type(agent).__name__ for agent in agents]
    return examine(tree, profile, names, limits)


def seated(game: str, agents: Sequence[str | Agent]) -> list[str | Agent]:
    """An agent for each seat."""
    seats = seat_count(game)
    if len(agents) not in (1, seats):
        raise ValueError(
            f"{game} has {seats} seats, but {len(agents)} agents are given; name one for all seats,"
            " or one for each"
        )
    return list(agents) * (seats // len(agents))


def seat_count(game: str) -> int:
    return find(game)[0].players if is_ours(game) else load_foreign(game).num_players()


def player(agent: str | Agent, game: str) -> Player:
    """What a name means here: also `uniform` and `cfr:iterations=1000,scheme=plus`."""
    if isinstance(agent, Agent):
        return partial(profile_of, agent)
    name, _, rest = agent.partition(":")
    if name in SOLVED:
        return partial(SOLVED[name], **read_options(name, SOLVED[name], rest))
    if not is_ours(game):
        raise ValueError(
            f"the agent {agent!r} does not play OpenSpiel's games; {' and '.join(SOLVED)} do"
        )
    try:
        kind_of(name)
    except ValueError as error:
        raise ValueError(f"{error}, and here {', '.join(SOLVED)}") from None
    return partial(profile_of, make_agent(agent, game))


def cfr(tree: Tree, iterations: int = 1000, scheme: str = "plus") -> Profile:
    """What counterfactual regret minimisation has learnt on the tree."""
    if iterations < 1:
        raise ValueError(f"iterations={iterations} is not allowed; cfr needs at least 1")
    solver = Cfr(tree, scheme)
    solver.run(iterations)
    return solver.average()


SOLVED: dict[str, Player] = {"uniform": uniform, "cfr": cfr}


def examine(tree: Tree, profile: Profile, agents: Sequence[str], limits: Limits) -> Report:
    """A profile on a tree; `agents` says whose strategy each seat's is."""
    form = flatten(tree)
    utilities, gained = expected_values(form, profile).tolist(), gains(form, profile).tolist()
    opposed = are_opposed(tree)
    named = enumerate(zip(agents, utilities, gained, strict=True))
    checked, unchecked = ask_openspiel(tree, profile, limits.exact)
    return Report(
        game=tree.name,
        unit=find(tree.name)[0].unit if is_ours(tree.name) else "units",
        leaves=len(tree.chance),
        sets=[plex.sets for plex in tree.seats],
        nash_conv=sum(gained),
        exploitability=sum(gained) / 2 if opposed else None,
        value=game_value(tree, limits.exact) if opposed else None,
        value_bounds=(-utilities[1] - gained[1], utilities[0] + gained[0]) if opposed else None,
        seats=[SeatGain(seat, *row) for seat, row in named],
        teams=[team_gain(tree, profile, team, limits) for team in teams_of(tree.name)],
        losses=worst_losses(tree, form, profile, limits.states),
        openspiel=checked,
        unchecked=unchecked,
    )


def are_opposed(tree: Tree) -> bool:
    with suppress(ValueError):
        check_zero_sum(tree)
        return True
    return False


def game_value(tree: Tree, exact: bool) -> float | None:
    return solve(tree).value if exact or len(tree.chance) <= SOLVED_LEAVES else None


def ask_openspiel(tree: Tree, profile: Profile, exact: bool) -> tuple[float | None, str]:
    """Its NashConv, or why it was not asked."""
    if not exact:
        return None, "only with --exact"
    if len(tree.chance) > CHECKED_LEAVES:
        return None, f"the game has more than {CHECKED_LEAVES} leaves"
    policy = ProfilePolicy(tree, profile)
    return float(openspiel.nash_conv(pyspiel.load_game(tree.name), policy)), ""


def teams_of(name: str) -> list[tuple[int, ...]]:
    """The seats of each team; none of OpenSpiel's games."""
    teams = find(name)[0].teams if is_ours(name) else ()
    return [tuple(s for s, of in enumerate(teams) if of == team) for team in sorted(set(teams))]


def team_gain(tree: Tree, profile: Profile, team: tuple[int, ...], limits: Limits) -> TeamGain:
    seconds = np.inf if limits.exact else limits.seconds
    b = bracket(tree, profile, team, seconds, limits.memory)
    best = (b.alone, b.joint.value, b.joint.bound, b.together)
    return TeamGain(team, b.now, *(value - b.now for value in best))
