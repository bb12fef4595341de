"""Studies of Hokm."""
