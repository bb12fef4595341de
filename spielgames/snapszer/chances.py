"""The chance of winning a match of Snapszer at each score (docs/rules/snapszer.md, "Matches")."""

import numpy as np

from spielgames.snapszer.record import GOAL

# How often a deal is worth 1, 2 and 3 game points, as `analysis.snapszer.worths` has measured it
# (experiments/results/snapszer_alphazero/worths.json).
WORTHS = (0.502, 0.350, 0.148)


def chances_of_winning(worths: tuple[float, ...]) -> np.ndarray:
    """The chance that a side with a points beats one with b, if each deal is as likely to be won by
    either, and worth what is won on average. `[a, b]`, a up to the most that a deal can bring.
    """
    chances = np.ones((GOAL + len(worths), GOAL))
    for a, b in sorted(np.ndindex(GOAL, GOAL), key=sum, reverse=True):
        wins = [chances[a + k, b] for k in range(1, len(worths) + 1)]
        losses = [1 - chances[b + k, a] for k in range(1, len(worths) + 1)]
        chances[a, b] = np.dot(worths, np.add(wins, losses)) / sum(worths) / 2
    return chances


CHANCES = chances_of_winning(WORTHS)
