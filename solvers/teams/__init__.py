"""Teams in small games: best responses and equilibria of partners."""
