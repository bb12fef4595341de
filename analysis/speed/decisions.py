"""The speed of searches: worlds, reweighted worlds and decisions per second.

    python -m analysis.speed.decisions --json=decisions.json    (a minute a game, on one core)

Positions are those in which the rule-based player has a choice, spread over deals that it plays.
Compilation is not timed. Times are those of the processor, so that other work on the machine
matters little.
"""

from collections.abc import Callable, Sequence
from time import process_time

import numpy as np
from absl import flags

from analysis.figures import short, table
from analysis.speed.benchmark import Results, benchmark, define_json, machine
from solvers.runs.threads import use_threads
from solvers.search.beliefs import Belief, Reweighted, Uniform
from solvers.search.worlds import seeds_of
from spielgames.agents import Agent, legal_flags, make_agent
from spielgames.command import run, user_input
from spielgames.core.batch import Batch
from spielgames.core.game import GAMES
from spielgames.core.registry import find

POSITIONS, DEALS = 48, 24
WORLDS = 50
AGENTS = ("pimc:worlds=50", "pimc:worlds=50,belief=reweighted(100)", "search:fast", "search")
FEW, MOST = 8, 100_000  # worlds or simulations to measure with
ENOUGH = 2e-3  # seconds for a decision that can be measured well
PROBE = 0.2  # seconds of measurements that are enough


def decision_points(game: str, seed: int = 1) -> np.ndarray:
    """Positions with a choice, evenly spread over deals played by the rules."""
    batch, player = Batch(game, DEALS, seed), make_agent("rules", game)
    seen = []
    while batch.running():
        live = batch.states[batch.actors() >= 0]
        seen.append(live[legal_flags(live, batch.game.actions).sum(axis=1) > 1])
        moves = np.zeros(DEALS, np.int64)
        moves[batch.actors() >= 0] = player.probabilities(live).argmax(axis=1)
        batch.step(moves)
    every = np.concatenate(seen)
    return every[np.linspace(0, len(every) - 1, POSITIONS).astype(int)]


def seconds_for(work: Callable[[], object]) -> float:
    """The processor's time for one call, after one that is not timed; the least of several."""
    work()
    times: list[float] = []
    while not times or (sum(times) < PROBE and len(times) < 5):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def decision_time(agent: Agent, states: np.ndarray) -> float:
    """Seconds for a decision, many at once."""
    return seconds_for(lambda: agent.probabilities(states)) / len(states)


def budgets_for(spec: str, game: str, times: Sequence[float], least: int) -> list[int]:
    """For each of some times in seconds, the n with which the search `spec.format(n=n)` takes that
    long for a decision, rounded to two digits; 0 if it is below `least`. The time is measured once,
    and taken to be in proportion to n.
    """
    use_threads(1)
    states, n, spent = decision_points(game), FEW, 0.0
    while spent < ENOUGH and n < MOST:
        n *= 4 if spent else 1
        spent = decision_time(make_agent(spec.format(n=n), game), states)
    found = [int(float(f"{n * seconds / spent:.1e}")) for seconds in times]
    return [each if each >= least else 0 for each in found]


def worlds_per_second(game: str, belief: Belief, states: np.ndarray) -> float:
    seeds, definition = seeds_of(states, 0, 0), find(game)[0]
    spent = seconds_for(lambda: belief.draw(definition, states, WORLDS, seeds))
    return WORLDS * len(states) / spent


def measure(games: list[str]) -> Results:
    use_threads(1)
    return {"machine": machine()} | {game: measure_game(game) for game in games}


def measure_game(game: str) -> dict[str, float]:
    states = decision_points(game)
    worlds = {
        "worlds": worlds_per_second(game, Uniform(), states),
        "reweighted worlds": worlds_per_second(game, Reweighted(100), states),
    }
    made = {spec: 1 / decision_time(make_agent(spec, game), states) for spec in AGENTS}
    return worlds | made


def report(results: Results) -> str:
    games = [game for game in results if game in GAMES]
    heading = ["per second, one core", *(GAMES[game].title for game in games)]
    what = results[games[0]]
    return table([heading, *([name, *(short(results[g][name]) for g in games)] for name in what)])


def define_flags() -> None:
    flags.DEFINE_list("games", list(GAMES), "the games")
    define_json()


def main() -> None:
    games = flags.FLAGS.games
    with user_input():
        for game in games:
            find(game)
    benchmark(lambda: measure(games), report)


if __name__ == "__main__":
    define_flags()
    run(main)
