"""How often deals of Snapszer are worth one, two and three game points, and what a score of a match
is worth by that.

    python -m analysis.snapszer.worths --agent=rules --deals=20000 --json=worths.json

An agent plays itself. `spielgames.snapszer.chances` has the shares that deals with `match=true` go
by, and how the chance of winning a match follows from them.
"""

import json
from pathlib import Path

import numpy as np
from absl import flags

from analysis.figures import save_text, table
from spielgames.agents import Agent, make_agent
from spielgames.command import check_place, run, user_input
from spielgames.contest import final_states
from spielgames.snapszer.chances import chances_of_winning

GAME = "python_snapszer"
MOST = 3  # game points that a deal can be worth


def shares_of(agent: Agent, deals: int, seed: int) -> tuple[float, ...]:
    """The shares of deals that are worth 1, 2 and 3 when an agent plays itself."""
    states = final_states([agent], np.zeros((1, agent.game.players), int), deals, seed)
    counts = sum(np.bincount(part["worth"], minlength=MOST + 1) for part in states)
    return tuple(float(count) / deals for count in counts[1:])


def report(shares: tuple[float, ...]) -> str:
    rows = [["game points", *map(str, range(1, MOST + 1))]]
    rows.append(["share of deals", *(f"{share:.3f}" for share in shares)])
    chances = chances_of_winning(shares)
    chances = chances[: chances.shape[1]]
    heads = [["chance at ↓ to →", *map(str, range(len(chances)))]]
    scores = [[str(own), *(f"{p:.3f}" for p in row)] for own, row in enumerate(chances)]
    return f"{table(rows)}\n\n{table(heads + scores)}"


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        agent = make_agent(chosen.agent, GAME)
        if chosen.json:
            check_place(Path(chosen.json))
    shares = shares_of(agent, chosen.deals, chosen.seed)
    print(report(shares))
    if chosen.json:
        about = {key: chosen[key].value for key in ("agent", "deals", "seed")}
        save_text(Path(chosen.json), json.dumps(about | {"shares": shares}, indent=1))


if __name__ == "__main__":
    flags.DEFINE_string("agent", "rules", "who plays")
    flags.DEFINE_integer("deals", 20_000, "the deals", lower_bound=1)
    flags.DEFINE_integer("seed", 2026, "seed of the deals")
    flags.DEFINE_string("json", "", "a file for the shares")
    run(main)
