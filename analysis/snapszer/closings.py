"""How often agents close the talon in Snapszer, and what they gain in those deals.

    python -m analysis.snapszer.closings --agents=rules,pimc:worlds=50 --opponent=rules --deals=2000

Every agent plays the same deals in both seats against the same opponent. With
`--game="python_snapszer(match=true)"` it also shows how often they close at which score.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from absl import flags

from analysis.figures import save_text, table
from analysis.tournament.variance import intervals
from spielgames.agents import Agent, make_agent
from spielgames.command import check_place, define_game, run, user_input
from spielgames.contest import final_states
from spielgames.core.game import unit_of
from spielgames.core.match import utilities
from spielgames.core.record import NOBODY
from spielgames.specs import split_specs

SEATS = np.array([[0, 1], [1, 0]])  # the agent's index in each seat, a row per line-up


STANDINGS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {  # own and other points
    "both at most 2": lambda own, other: (own <= 2) & (other <= 2),
    "6 to less": lambda own, other: (own == 6) & (other < 6),
    "less to 6": lambda own, other: (own < 6) & (other == 6),
    "6 to 6": lambda own, other: (own == 6) & (other == 6),
}


class Closings(NamedTuple):
    """Of one agent; values are in the unit of the variant's utilities."""

    agent: str
    unit: str
    deals: int  # each played in both seats
    closed: float  # the share of plays in which it closed
    won: float  # the share of those that it won
    value: float  # its mean in them, and the 95 % interval
    low: float
    high: float
    suffered: float  # the share of plays in which the opponent closed
    mean: float  # of all plays
    at: dict[str, dict[str, float]]  # in a match: of each standing, the plays, and `closed` there


def closings(agent: Agent, opponent: Agent, deals: int, seed: int) -> Closings:
    """What an agent's closings were worth against an opponent."""
    closers, values, scores = [], [], []
    for states in final_states([agent, opponent], SEATS, deals, seed):
        own = np.arange(len(states)) % 2  # the agent's seat
        closers.append(np.where(states["closer"] == NOBODY, -1, states["closer"] == own))
        values.append(utilities(states)[np.arange(len(states)), own])
        scores.append(states["score"][np.arange(len(states))[:, None], np.stack([own, 1 - own], 1)])
    closer, value = np.concatenate(closers), np.concatenate(values)
    gained = value[closer == 1]
    mean, low, high = intervals(gained)[0][:3] if len(gained) > 1 else (np.nan,) * 3
    return Closings(
        agent=agent.name,
        unit=unit_of(agent.game, agent.variant),
        deals=deals,
        closed=float((closer == 1).mean()),
        won=float((gained > 0).mean()) if len(gained) else np.nan,
        value=float(mean),
        low=float(low),
        high=float(high),
        suffered=float((closer == 0).mean()),
        mean=float(value.mean()),
        at=by_standing(closer == 1, *np.concatenate(scores).T) if agent.variant.alone else {},
    )


def by_standing(closed: np.ndarray, own: np.ndarray, other: np.ndarray) -> dict:
    """How often an agent closes, by the score of the match before the deal."""
    found = {name: closed[holds(own, other)] for name, holds in STANDINGS.items()}
    return {
        name: {"plays": len(here), "closed": float(here.mean()) if len(here) else np.nan}
        for name, here in found.items()
    }


def measure(
    specs: Sequence[str], opponent: str, game: str, deals: int, seed: int
) -> Iterator[Closings]:
    other = make_agent(opponent, game)
    for spec in specs:
        yield closings(make_agent(spec, game), other, deals, seed)._replace(agent=spec)


def report(found: Sequence[Closings]) -> str:
    unit = found[0].unit
    rows = [["agent", "closes", "wins then", f"{unit} then", "opponent closes", "mean"]]
    for one in found:
        shares = [f"{100 * x:.1f} %" for x in (one.closed, one.won, one.suffered)]
        value = f"{one.value:+.2f} ({one.low:+.2f} … {one.high:+.2f})"
        rows.append([one.agent, shares[0], shares[1], value, shares[2], f"{one.mean:+.3f}"])
    return f"{table(rows)}\n\n{standing_table(found)}" if found[0].at else table(rows)


def standing_table(found: Sequence[Closings]) -> str:
    rows = [["closes at", *STANDINGS]]
    for one in found:
        shares = [f"{100 * one.at[name]['closed']:.1f} %" for name in STANDINGS]
        rows.append([one.agent, *shares])
    return table(rows)


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        specs = split_specs(chosen.agents)
        for spec in (*specs, chosen.opponent):
            make_agent(spec, chosen.game)
        if chosen.json:
            check_place(Path(chosen.json))
    found = list(measure(specs, chosen.opponent, chosen.game, chosen.deals, chosen.seed))
    print(report(found))
    if chosen.json:
        about: dict[str, Any] = {key: chosen[key].value for key in ("game", "opponent", "seed")}
        kept = about | {"agents": [one._asdict() for one in found]}
        save_text(Path(chosen.json), json.dumps(kept, indent=1))


if __name__ == "__main__":
    define_game("python_snapszer", "the variant")
    flags.DEFINE_string("agents", "rules,rules:expert,pimc:worlds=50", "the agents to measure")
    flags.DEFINE_string("opponent", "rules", "whom they play")
    flags.DEFINE_integer("deals", 2000, "deals, each played in both seats", lower_bound=2)
    flags.DEFINE_integer("seed", 2026, "seed of the deals")
    flags.DEFINE_string("json", "", "a file for the numbers")
    run(main)
