"""How learners say how far they are."""

from collections.abc import Callable

Progress = Callable[[int], None]  # told how many steps are done; may raise, as for Ctrl-C


def silent(step: int) -> None:
    """For who does not want to know."""
