"""Studies of Coinche."""
