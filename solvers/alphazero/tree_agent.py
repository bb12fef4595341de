"""The agent that searches trees in sampled worlds, guided by a network that AlphaZero has trained:
`trees:runs/x,simulations=80,worlds=12`.
"""

import numpy as np

from solvers.alphazero.roots import Gumbel, Puct
from solvers.alphazero.teacher import Guide, Improved
from solvers.alphazero.tree_search import TreeSearch
from solvers.environments.environment import Positions
from solvers.networks.decisions import best_actions
from solvers.runs.agent import ALPHAZERO
from solvers.runs.archive import Archive
from solvers.runs.pretrained import find_run
from solvers.runs.settings import check_choice
from solvers.search.agent import DEFAULT
from solvers.search.beliefs import Belief
from spielgames.agents import Agent, legal_flags
from spielgames.core.arrays import take
from spielgames.core.loops import look

PLAYS = "best", "sample"
OWN_NAMES = {"snapszer": "snapszer_trees"}  # of networks that were trained for this search


def trees(
    game: str,
    run: str,
    simulations: int = 80,
    worlds: int = 6,
    aggregation: str = "mean",
    exploration: float = 1.5,
    considered: int = 0,
    play: str = "best",
    scale: float = 0.0,
    belief: Belief = DEFAULT.belief,
    iteration: int = 0,
    seed: int = 0,
) -> Agent:
    """Tree search in sampled worlds, with the network that AlphaZero has trained in the folder
    `run`; `snapszer` is ours. `aggregation` is mean or visits. With `considered`, Gumbel's root
    tries that many actions at most; without, the root is PUCT's. `play` is best, or sample from the
    search's policy. `scale` is the run's reward_scale; 0 is the largest utility. `iteration` 0 is
    the last one.
    """
    archive = Archive(find_run(OWN_NAMES.get(run, run)))
    if not archive.holds(ALPHAZERO):
        raise ValueError(f"{run} was not trained by AlphaZero: take net:{run}")
    check_choice("play", play, PLAYS)
    env = archive.environment(game)
    network = archive.demand(f"{ALPHAZERO}-0", iteration or archive.state.iteration, env.shape)
    guide = Guide(env, network, belief, scale or env.variant.max_utility, "medium")
    root = Gumbel(considered, noise=0.0) if considered else Puct(exploration, noise=0.0)
    return TreesAgent(game, guide, TreeSearch(simulations, worlds, root, aggregation), play, seed)


class TreesAgent(Agent):
    """Plays the action that the search likes best, or samples its policy. What it does follows from
    the seed and from what its seat has seen.
    """

    def __init__(self, game: str, guide: Guide, search: TreeSearch, play: str, seed: int) -> None:
        super().__init__(game)
        self.guide, self.search, self.play, self.seed = guide, search, play, seed

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        """Forced moves are not searched."""
        chances = legal_flags(states, self.game.actions).astype(np.float32)
        rows = np.flatnonzero(chances.sum(axis=1) > 1)
        positions = positions_of(take(states, rows))
        policy = self._improve(positions).policy
        chances[rows] = best_actions(positions.sets, policy) if self.play == "best" else policy
        return chances

    def values(self, states: np.ndarray) -> np.ndarray:
        """What the search thinks that the positions are worth."""
        return self._improve(positions_of(states)).worth * self.guide.scale

    def _improve(self, positions: Positions) -> Improved:
        none = np.zeros((len(positions.actors), self.game.actions), np.float32)
        return self.search.improve(self.guide, positions, none, self.seed, share=1.0)


def positions_of(states: np.ndarray) -> Positions:
    """The same as a learner's positions, without luck of their own."""
    n = len(states)
    actors, sets = np.empty(n, np.int8), np.empty(n, np.uint64)
    look(states, actors, sets)
    return Positions(states, np.zeros(n, np.uint64), actors, sets, np.zeros(n, np.int16))
