"""The table in the browser: people and agents at any of the games, `python -m spielgames.web`."""
