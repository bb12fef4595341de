"""The rates of the behaviours of `analysis.hokm.behaviour` for a team in Hokm, and those of chance.

found = playbooks("python_hokm", "rules", ["rules", "random"], deals=1000, seed=1)
found["random"]["ducks"].rate

The agent has itself as partner, and meets each kind of opponents on the same deals. Every deal is
played twice, so that each team is the Hakem's once. Intervals are at 95 %, with the deal as the
unit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from analysis.hokm.behaviour import BEHAVIOURS, CHANCES, OCCASIONS, TEAMS, TIMES, counts_of
from analysis.tournament.ratios import rate_interval, ratios, tally
from spielgames.agents import Agent, make_agent
from spielgames.contest import final_states, pair_lineups
from spielgames.hokm.game import HOKM

OPPOSED = pair_lineups(HOKM)  # each team is the Hakem's once


class Rate(NamedTuple):
    """The rate of a behaviour over its occasions; NaN if there was none."""

    occasions: int
    times: int
    rate: float
    low: float
    high: float
    chance: float  # the rate of a random choice on the same occasions


Playbook = dict[str, Rate]  # for each of BEHAVIOURS


def playbooks(
    game: str, agent: str, opponents: Sequence[str], deals: int, seed: int, show: bool = False
) -> dict[str, Playbook]:
    """The agent's playbook against each kind of opponents."""
    player, others = make_agent(agent, game), [make_agent(spec, game) for spec in opponents]
    if player.game is not HOKM:
        raise ValueError(f"a playbook is for {HOKM.name} and its variants, not for {game}")
    with tqdm(total=deals * len(others), unit=" deals", disable=not show, leave=False) as bar:
        books = [playbook(player, other, deals, seed, bar) for other in others]
    return dict(zip(opponents, books, strict=True))


def playbook(agent: Agent, opponents: Agent, deals: int, seed: int, bar: tqdm) -> Playbook:
    """The agent's playbook against one kind of opponents."""
    sums = np.zeros((2, 6, len(BEHAVIOURS)))
    for states in final_states([agent, opponents], OPPOSED, deals, seed):
        counts = of_first_agent(counts_of(states))
        for k, column in enumerate((TIMES, CHANCES)):
            sums[k] += tally(counts[:, column], counts[:, OCCASIONS])
        bar.update(len(counts))
    return as_rates(*sums)


def of_first_agent(counts: np.ndarray) -> np.ndarray:
    """The counts of agent 0's teams, over both seatings of each deal. `[deals, 3, behaviours]`"""
    own = OPPOSED[:, :TEAMS] == 0
    return counts.reshape(-1, *own.shape, *counts.shape[2:])[:, own].sum(axis=1)


def as_rates(times: np.ndarray, chances: np.ndarray) -> Playbook:
    """Rates from the tallies of times and chances."""
    found = ratios(times)
    columns = found.mean, *rate_interval(found), ratios(chances).mean
    return {
        name: Rate(int(found.cases[k]), int(times[0, k]), *(float(c[k]) for c in columns))
        for k, name in enumerate(BEHAVIOURS)
    }
