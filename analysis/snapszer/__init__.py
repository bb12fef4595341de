"""Studies of Snapszer."""
