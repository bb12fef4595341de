"""Deals between compiled players, for tests."""

import numpy as np

from spielgames.agents import RuleAgent
from spielgames.contest import play_deals


def play_levels(name: str, lineups, deals: int, seed: int) -> np.ndarray:
    """The utilities `[deals, lineups, seats]` when a level sits in each seat of a line-up."""
    levels, lineups = np.unique(np.asarray(lineups), return_inverse=True)
    agents = [RuleAgent(name, int(level)) for level in levels]
    return play_deals(agents, lineups, deals, seed)
