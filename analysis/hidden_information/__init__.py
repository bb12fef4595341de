"""What hides in a game, and what perfect-information Monte Carlo makes of it."""
