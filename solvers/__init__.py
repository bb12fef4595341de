"""Algorithms that learn or search; each knows a game and a policy, but never which game."""
