"""Callbacks that learners report their progress to."""

from collections.abc import Callable

Progress = Callable[[int], None]  # called with the number of steps done; may raise, as on Ctrl-C


def silent(step: int) -> None:
    """A progress callback that does nothing."""
