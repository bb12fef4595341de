"""What agents lose in Snapszer at the last trick before the talon is gone, against the best answer.

    python -m analysis.snapszer.last_trick --agents=rules,pimc:worlds=50 --positions=50

Two cards are left in the talon: the upcard and a hidden one. Both draw after this trick, and then
nothing is hidden. So each public position there is a small game, which is solved exactly: chance
deals the hidden cards, the leader leads, perhaps after a marriage, and the other seat answers.

The loss of an agent in a seat is the game's value to that seat, less what the agent's strategy gets
there against the best answer to it. It is measured for two beliefs about the hidden cards:
`uniform`, all deals being equally likely, and `played`, where each is as likely as the player whose
deals are looked at (`--player`) makes what both seats have done so far.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from absl import flags
from tqdm import tqdm

from analysis.figures import save_text, table
from analysis.snapszer.joint_deals import joint_deals
from analysis.snapszer.subgames import subgame
from analysis.tournament.variance import intervals
from solvers.exact.best_response import best_response
from solvers.exact.cfr import Cfr
from solvers.exact.profiles import Profile
from solvers.exact.sequence_form import Form, expected_values
from solvers.search.importance import log_likelihoods, relive, rewind
from spielgames.agents import Agent, make_agent
from spielgames.command import check_place, define_game, run, user_input
from spielgames.contest import final_states
from spielgames.core.cards import NONE
from spielgames.core.record import NOBODY
from spielgames.snapszer.game import SNAPSZER
from spielgames.snapszer.record import NO_CARD, TALON, UPCARD
from spielgames.specs import split_specs

BELIEFS = ("uniform", "played")
ITERATIONS = 400  # of CFR+; the solution is then within 0.0002 game points


class Loss(NamedTuple):
    """What an agent loses with a belief, in game points, with 95 % intervals over positions."""

    agent: str
    belief: str
    loss: float  # the mean over both seats
    low: float
    high: float
    leading: float
    following: float


class Position(NamedTuple):
    """What is found in a position."""

    deals: int  # that it may hide
    gaps: np.ndarray  # [beliefs] the NashConv that is left in the solution
    losses: np.ndarray  # [agents, beliefs, 2] of the leader and of the other seat


def last_leads(player: Agent, count: int, seed: int) -> np.ndarray:
    """Positions before the last trick with an open talon, from as many deals of a player with
    itself as it takes; a deal that is closed or won before has none. `[count]`
    """
    found: list[np.ndarray] = []
    first = 0
    while sum(map(len, found)) < count:
        (ends,) = final_states([player], np.zeros((1, 2), int), count, seed, first)
        found.append(before_last_tricks(ends))
        first += count
    return np.concatenate(found)[:count]


def before_last_tricks(ends: np.ndarray) -> np.ndarray:
    """These positions of finished deals, in their order."""
    states, found = ends.copy(), ends.copy()
    seen = np.zeros(len(ends), bool)
    rewind(states, ends)
    for t in range(int(ends["length"].max())):
        rows = np.flatnonzero(is_last_lead(states))
        found[rows], seen[rows] = states[rows], True
        relive(states, ends, t)
    return found[seen]


def is_last_lead(states: np.ndarray) -> np.ndarray:
    hidden, upcard = states["hands"][:, TALON], states["hands"][:, UPCARD]
    leads = (states["turn"] >= 0) & (states["led"] == NO_CARD) & (states["couple"] == NONE)
    return leads & (states["closer"] == NOBODY) & (np.bitwise_count(hidden) == 1) & (upcard > 0)


def examine(position: np.ndarray, agents: Sequence[Agent], player: Agent, seed: int) -> Position:
    """Solve a position (an array of length 1), and measure the agents in it."""
    deals = joint_deals(position, seed)
    game, leader = subgame(SNAPSZER, deals), int(position["turn"][0])
    profiles = [game.profile_of(agent) for agent in agents]
    losses, gaps = np.empty((len(agents), len(BELIEFS), 2)), np.empty(len(BELIEFS))
    for b, weights in enumerate([np.ones(len(deals)), likelihoods(deals, player)]):
        solver = Cfr(game.tree(weights))
        solver.run(ITERATIONS)
        form, solution = solver.form, solver.average()
        gaps[b] = -sum(answered(form, solution))
        worth = expected_values(form, solution)
        for a, profile in enumerate(profiles):
            losses[a, b] = (worth - answered(form, profile))[[leader, 1 - leader]]
    return Position(len(deals), gaps, losses)


def answered(form: Form, profile: Profile) -> np.ndarray:
    """What each seat's strategy gets against the best answer to it."""
    return -np.array([best_response(form, profile, 1 - seat).value for seat in range(2)])


def likelihoods(deals: np.ndarray, player: Agent) -> np.ndarray:
    """How likely a player in both seats makes what has been done, compared with the best deal."""
    both = [log_likelihoods(deals, np.full(len(deals), seat), player) for seat in range(2)]
    return np.exp(sum(both) - np.max(sum(both)))


def losses_of(specs: Sequence[str], found: Sequence[Position]) -> Iterator[Loss]:
    losses = np.stack([one.losses for one in found])  # [positions, agents, beliefs, 2]
    for a, spec in enumerate(specs):
        for b, belief in enumerate(BELIEFS):
            of = losses[:, a, b]
            interval = intervals(of.mean(axis=1))[0]
            yield Loss(spec, belief, *map(float, (*interval, *of.mean(axis=0))))


def report(losses: Sequence[Loss]) -> str:
    rows = [["agent", "belief", "loss", "95 % interval", "leading", "following"]]
    for one in losses:
        numbers = f"{one.loss:.3f}", f"{one.low:.3f} … {one.high:.3f}"
        rows.append([one.agent, one.belief, *numbers, f"{one.leading:.3f}", f"{one.following:.3f}"])
    return table(rows)


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        specs = split_specs(chosen.agents)
        agents = [make_agent(spec, chosen.game) for spec in specs]
        player = make_agent(chosen.player, chosen.game)
        if chosen.json:
            check_place(Path(chosen.json))
    found: list[Position] = []
    positions = last_leads(player, chosen.positions, chosen.seed)
    for i in tqdm(range(len(positions)), unit=" positions", leave=False):
        found.append(examine(positions[i : i + 1], agents, player, chosen.seed))
        if chosen.json and i:
            save_text(Path(chosen.json), as_json(specs, found))
    print(report(list(losses_of(specs, found))))


def as_json(specs: Sequence[str], found: Sequence[Position]) -> str:
    kept: dict[str, Any] = {key: flags.FLAGS[key].value for key in ("game", "player", "seed")}
    kept |= {"positions": len(found), "deals": float(np.mean([one.deals for one in found]))}
    kept |= {"gap": float(max(one.gaps.max() for one in found))}
    kept |= {"agents": [one._asdict() for one in losses_of(specs, found)]}
    return json.dumps(kept, indent=1)


if __name__ == "__main__":
    define_game("python_snapszer", "the variant")
    flags.DEFINE_string("agents", "rules,rules:expert", "the agents to measure")
    flags.DEFINE_integer("positions", 20, "public positions", lower_bound=2)
    flags.DEFINE_string("player", "rules", "whose deals with itself they are from")
    flags.DEFINE_integer("seed", 2026, "seed of the deals")
    flags.DEFINE_string("json", "", "a file for the numbers, written after every position")
    run(main)
