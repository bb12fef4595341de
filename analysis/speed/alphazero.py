"""The speed of tree search in self-play, and its share of time in the network.

    python -m analysis.speed.alphazero --json=alphazero.json    (half a minute)
    python -m analysis.speed.alphazero --game=python_hokm --root=gumbel

Deals are played in lock-step by the policy that the search teaches, with a network that has learnt
nothing. An evaluation is one position that the network is asked about; positions in which nothing
is hidden any more are solved exactly instead. Rates are per second of one core's time in this
program, so that others hardly matter.
"""

from dataclasses import replace
from time import process_time

import numpy as np
from absl import flags

from analysis.figures import short, table
from analysis.speed.benchmark import Results, benchmark, define_json, machine, machine_line
from solvers.alphazero.roots import Gumbel, Puct
from solvers.alphazero.teacher import Guide
from solvers.alphazero.tree_search import TreeSearch
from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.networks.decisions import draw_actions
from solvers.networks.network import make_network
from solvers.networks.settings import MlpSettings
from solvers.runs.threads import use_threads
from solvers.search.beliefs import Uniform
from solvers.search.endings import open_rows
from spielgames.command import define_game, run, user_input

ROOTS = {"puct": Puct(), "gumbel": Gumbel()}
NETWORK = MlpSettings(hidden=128, layers=3, critic=True)
WARM_UP = 4  # simulations, in as many deals as are measured, so that nothing is compiled later


class Meter:
    """The guide of a search, which counts and times what its network is asked."""

    def __init__(self, env: Records) -> None:
        network = make_network(NETWORK, env.shape, seed=1)
        self.guide = Guide(env, network, Uniform(), scale=env.variant.max_utility)
        self.env, self.belief, self.scale = env, self.guide.belief, self.guide.scale
        self.asked, self.seconds = 0, 0.0

    def judge(self, positions: Positions) -> tuple[np.ndarray, np.ndarray]:
        start = process_time()
        answers = self.guide.judge(positions)
        self.seconds += process_time() - start
        self.asked += len(positions.actors)
        return answers


def measure(game: str, search: TreeSearch, deals: int) -> Results:
    use_threads(1)
    env = Records(game)
    play(replace(search, simulations=WARM_UP), Meter(env), deals)
    meter, start = Meter(env), process_time()
    searched = play(search, meter, deals)
    seconds = process_time() - start
    return {
        "machine": machine(),
        "game": game,
        "deals_per_s": deals / seconds,
        "decisions_per_s": searched / seconds,
        "simulations_per_s": searched * search.worlds * search.simulations / seconds,
        "evaluations_per_s": meter.asked / seconds,
        "network_share": meter.seconds / seconds,
    }


def play(search: TreeSearch, meter: Meter, deals: int) -> int:
    """Play deals to their ends; return how many decisions were searched."""
    env, searched = meter.env, 0
    positions, none = env.deal(0, deals, seed=1), np.zeros(0, np.float32)
    while len(positions.actors):
        found = search.improve(meter, positions, none, seed=1, share=1.0)
        searched += int((~open_rows(positions.states)).sum())
        actions = np.empty(len(positions.actors), np.int64)
        draw_actions(found.policy, positions.luck, actions)
        positions = env.follow(positions, np.arange(len(actions)), actions)
        positions = positions.take(np.flatnonzero(~positions.ended))
    return searched


def report(results: Results) -> str:
    names = "deals", "decisions", "simulations", "evaluations"
    rates = [short(results[f"{name}_per_s"]) for name in names]
    heading = ["one core", *(f"{name}/s" for name in names), "time in the network"]
    rows = [heading, [results["game"], *rates, f"{results['network_share']:.0%}"]]
    return f"{table(rows)}\n\n{machine_line(results)}"


def define_flags() -> None:
    define_game("python_snapszer", "a game of two sides")
    flags.DEFINE_enum("root", "puct", list(ROOTS), "how simulations are spread")
    flags.DEFINE_integer("simulations", 80, "in each tree")
    flags.DEFINE_integer("worlds", 6, "of each position")
    flags.DEFINE_integer("deals", 1000, "played at once", lower_bound=1)
    define_json()


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        search = TreeSearch(chosen.simulations, chosen.worlds, ROOTS[chosen.root])
    benchmark(lambda: measure(chosen.game, search, chosen.deals), report)


if __name__ == "__main__":
    define_flags()
    run(main)
