"""A frozen corpus of positions with the exact value of every action: whatever makes the solver
faster must leave them as they are.

    python -m tests.solvers.search.double_dummy_corpus   # solves anew and writes the file

Each line of the file is one position: the cards dealt to each place and the events since, in
hexadecimal, and the value of each action, in hundredths.
"""

import json
from pathlib import Path

import numpy as np
from numba import prange

from analysis.speed.endings import endings
from solvers.search.double_dummy import solve
from spielgames.core.cards import members
from spielgames.core.game import initial_state
from spielgames.core.loops import Kernel
from spielgames.core.registry import find
from spielgames.core.replay import replay
from spielgames.core.verbs import reset

FILE = Path(__file__).with_suffix(".json")
SHAPES = [  # the game, the cards left in hands and piles, how many positions
    ("python_coinche", 32, 60),
    ("python_coinche", 18, 150),
    ("python_coinche(reward=made_and_announced,belote=true,doubling=false)", 20, 100),
    ("python_hokm", 26, 150),
    ("python_hokm(suits=4,ranks=5)", 20, 100),
    ("python_hearts", 22, 150),
    ("python_hearts(jd_bonus=true,avoid_all_tricks_bonus=true)", 18, 100),
    ("python_sheephead", 32, 40),
    ("python_sheephead", 22, 150),
    ("python_snapszer", 20, 40),
    ("python_snapszer", 13, 150),
    ("python_snapszer(rules=schnapsen)", 20, 40),
    ("python_snapszer(rules=schnapsen)", 10, 150),
]


@Kernel
def rebuild(states, pasts, done):
    for i in prange(len(states)):
        reset(states[i])
        done[i] = replay(states[i], pasts[i])


def written(state, values):
    """A position and its values as one line."""
    dealt = " ".join(f"{int(cards):x}" for cards in state["dealt"])
    events = " ".join(f"{int(event):x}" for event in state["events"][: state["length"]])
    found = " ".join(f"{a}:{round(100 * v)}" for a, v in enumerate(values) if not np.isnan(v))
    return f"{dealt} | {events} | {found}"


def read(name, lines):
    """The positions of such lines, and the values, `[games, actions]` in hundredths."""
    game, variant = find(name)
    states = np.repeat(initial_state(game, variant), len(lines))
    pasts, values = states.copy(), np.full((len(lines), game.actions), np.nan)
    for past, row, line in zip(pasts, values, lines, strict=True):
        dealt, events, found = (part.split() for part in line.split("|"))
        past["dealt"] = [int(cards, 16) for cards in dealt]
        past["length"] = len(events)
        past["events"][: len(events)] = [int(event, 16) for event in events]
        for pair in found:
            a, value = map(int, pair.split(":"))
            row[a] = value
    done = np.zeros(len(lines), bool)
    rebuild(states, pasts, done)
    assert done.all()
    return states, values


def make(name, cards, games, seed=7):
    states = endings(name, cards, 4 * games, seed, by_rules=True)
    choices = [
        len(members(hand)) > 1 for hand in states["hands"][range(len(states)), states["turn"]]
    ]
    states = states[choices][:games]
    values = solve(states, find(name)[0], seed)
    return [written(s, v) for s, v in zip(states, values, strict=True)]


def main():
    found = {f"{name} {cards}": make(name, cards, games) for name, cards, games in SHAPES}
    FILE.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n")
    print(f"{sum(map(len, found.values()))} positions in {FILE.name}")


if __name__ == "__main__":
    main()
