"""The values of actions by rollouts with a horizon, beside those by rollouts to the end.

    python -m analysis.horizons --run=coinche --horizons=4,8,0    (0: to the end)

AlphaZero's network plays deals against itself. In some of the positions each action is valued by
rollouts of its own policy in worlds drawn uniformly: many of them to the end, and others with each
horizon. The correlation of the two, after the mean over a position's actions has been taken from
both, says how far a horizon can be trusted. It is below 1 even for rollouts to the end, because
their worlds are others: that is their noise.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from absl import flags

from analysis.figures import Row, table
from solvers.alphazero.rollouts import Rollouts
from solvers.alphazero.selfplay import act
from solvers.alphazero.teacher import Guide
from solvers.environments.environment import Positions
from solvers.networks.decisions import probabilities
from solvers.runs.agent import ALPHAZERO
from solvers.runs.archive import Archive
from solvers.runs.pretrained import find_run
from solvers.runs.threads import use_threads
from solvers.search.beliefs import Uniform
from spielgames.command import run, user_input

TRUTH, OTHERS = 1, 2  # seeds of worlds


class Agreement(NamedTuple):
    """In positions after so many decisions."""

    decisions: int
    positions: int
    spread: float  # the standard deviation of values among a position's actions, in utility
    correlations: tuple[float, ...]  # of each horizon


def guide_of(folder: str, scale: float) -> Guide:
    archive = Archive(find_run(folder))
    if not archive.holds(ALPHAZERO):
        raise ValueError(f"{folder} was not trained by AlphaZero")
    env = archive.environment(archive.purpose.game)
    network = archive.demand(f"{ALPHAZERO}-0", archive.state.iteration, env.shape)
    return Guide(env, network, Uniform(), scale, precision="medium")


def gains(guide: Guide, positions: Positions, worlds: int, horizon: int, seed: int) -> np.ndarray:
    """The value of each legal action, less the mean of its position's. `[actions]`"""
    logits, _ = guide.judge(positions)
    teacher = Rollouts(worlds, horizon=horizon)
    values = guide.scale * teacher.improve(guide, positions, logits, seed, share=0.0).values
    return (values - np.nanmean(values, axis=1, keepdims=True))[~np.isnan(values)]


def agreements(
    guide: Guide, horizons: Sequence[int], worlds: int, deals: int, every: int, seed: int
) -> Iterator[Agreement]:
    """Compare in all deals, every so many decisions, while there are at least half of them left."""
    positions, decisions = guide.env.deal(0, deals, seed), 0
    while 2 * len(positions.actors) >= deals:
        if decisions % every == every // 2:
            truth = gains(guide, positions, worlds, 0, TRUTH)
            found = [gains(guide, positions, worlds, horizon, OTHERS) for horizon in horizons]
            agree = tuple(float(np.corrcoef(truth, other)[0, 1]) for other in found)
            yield Agreement(decisions, len(positions.actors), float(truth.std()), agree)
        logits, _ = guide.judge(positions)
        positions = act(guide, positions, probabilities(positions.sets, logits), 0.0)
        positions, decisions = positions.take(~positions.ended), decisions + 1


def rows_of(found: Sequence[Agreement], horizons: Sequence[int]) -> list[Row]:
    names = [f"horizon {horizon}" if horizon else "to the end" for horizon in horizons]
    rows: list[Row] = [["decisions before", "positions", "spread of values", *names]]
    for one in found:
        shown = [f"{r:.2f}" for r in one.correlations]
        rows.append([str(one.decisions), str(one.positions), f"{one.spread:.3f}", *shown])
    return rows


def define_flags() -> None:
    flags.DEFINE_string("run", "coinche", "a run of AlphaZero's: a folder, or a committed one")
    flags.DEFINE_float("scale", 160.0, "the run's reward_scale", 1e-6)
    flags.DEFINE_list("horizons", ["4", "8", "0"], "decisions that are played on; 0: to the end")
    flags.DEFINE_integer("worlds", 64, "worlds of each position", 1)
    flags.DEFINE_integer("deals", 40, "deals", 2)
    flags.DEFINE_integer("every", 8, "compare every so many decisions", 1)
    flags.DEFINE_integer("seed", 0, "seed of the deals", 0, 2**63 - 1)


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        horizons = [int(text) for text in chosen.horizons]
        guide = guide_of(chosen.run, chosen.scale)
    use_threads(1)
    how = chosen.worlds, chosen.deals, chosen.every, chosen.seed
    print(table(rows_of(list(agreements(guide, horizons, *how)), horizons)))


if __name__ == "__main__":
    define_flags()
    run(main)
