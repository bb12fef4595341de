"""Algorithms that learn or search; each knows a game and a policy, but never which game."""

from pathlib import Path

from spielgames.core import cache

cache.include(Path(__file__).parent)
