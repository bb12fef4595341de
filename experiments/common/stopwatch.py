"""A stopwatch for solvers that compute in iterations."""

from time import perf_counter
from typing import Any, Protocol


class Solver(Protocol):
    def run(self, iterations: int) -> None: ...


class Stopwatch:
    """A solver, the number of its iterations, and the seconds that they took."""

    def __init__(self, solver: Any) -> None:
        self.solver, self.iterations, self.seconds = solver, 0, 0.0

    def run_to(self, iterations: int) -> None:
        """Run in stretches of about a second, because Ctrl-C waits for the end of one."""
        while self.iterations < iterations:
            per_second = self.iterations / self.seconds if self.seconds else 1
            stretch = min(iterations - self.iterations, max(1, round(per_second)))
            start = perf_counter()
            self.solver.run(stretch)
            self.seconds += perf_counter() - start
            self.iterations += stretch
