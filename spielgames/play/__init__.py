"""The terminal table: people and agents at any of the games, `python -m spielgames.play`."""
