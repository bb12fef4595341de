"""Small runs of everything that computes by executors, for comparing what comes out."""

from contextlib import ExitStack
from unittest.mock import patch

from analysis.tournament.arena import play_tournament
from solvers.alphazero import pieces as alphazero_pieces
from solvers.alphazero.learner import Learner as AlphaZero
from solvers.alphazero.settings import Settings as AlphaZeroSettings
from solvers.deep_monte_carlo import selfplay as direct_pieces
from solvers.environments.card_game import Records
from solvers.ppo import pieces as ppo_pieces
from solvers.runs.executors import HERE, using
from tests.solvers.alphazero import test_learner as alphazero
from tests.solvers.deep_cfr import test_learner as deep_cfr
from tests.solvers.deep_monte_carlo import test_learner as direct
from tests.solvers.ppo import test_learner as ppo


def by_alphazero(folder):
    settings = AlphaZeroSettings.of(alphazero.QUICK | {"teacher": alphazero.MAGNET})
    return AlphaZero(Records(alphazero.SMALL), settings, folder, seed=3)


def by_deep_cfr(folder):
    """With everything that is sent: strategies, a baseline, targets of DCFR+."""
    return deep_cfr.learner_in(folder, "windows")


def by_ppo(folder):
    """With a league, its arena, another agent, and lookahead."""
    return ppo.learner_in(folder, "policy", opponents=("league", "rules", "self"))


CUT = alphazero_pieces, ppo_pieces, direct_pieces
LEARNERS = [by_alphazero, by_deep_cfr, by_ppo, direct.learner_in]


def networks_of(start, folder, executor=HERE, iterations=2):
    """The networks of a run, by name. Pieces are so small that there are some."""
    learner = start(folder)
    with using(executor), ExitStack() as patches:
        for module in CUT:
            patches.enter_context(patch.object(module, "PIECE", 9))
        for _ in range(iterations):
            learner.iterate()
    files = sorted((folder / "networks").glob("*"))
    assert files
    return {path.name: path.read_bytes() for path in files}


def tournament(executor=HERE):
    agents = "pimc:worlds=3", "net:snapszer"
    with using(executor):
        return play_tournament("python_snapszer", agents, 40, 2, ())
