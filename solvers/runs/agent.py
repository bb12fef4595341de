"""The agent that a run has trained: `net:runs/x`.

After Deep CFR, as in `net:runs/x,strategy=average`:

strategy  last     regret matching on the advantages of the last iteration
          best     the action with the largest of these advantages
          average  SD-CFR (Steinberger 2019): the networks of all iterations, one drawn for each
                   deal and seat, later ones more often
          policy   the network that was fitted to the average strategy
          mode     the action that this network thinks most likely

After PPO, as in `net:runs/x,network=actor,play=best`:

network   average  the moving average of the actor's weights
          actor    the actor of the last iteration
          frozen   the actor as it joined the league, at an `iteration` that `league/` names
play      sample   each action as often as the network says
          best     the likeliest action

After AlphaZero, as in `net:runs/x,play=best`: the averaged weights, and exact play once nothing is
hidden any more.

After Deep Monte Carlo, as in `net:runs/x`: the action that is worth most.

Names of networks stand for their folders: `net:hearts` (docs/pretrained.md).

A network can play another variant of its game, with other scores perhaps, if told that this is
meant: `net:runs/x,learnt=python_coinche(reward=mirror)`.
"""

from functools import partial

import numpy as np

from solvers.deep_monte_carlo.player import VALUES, load_player
from solvers.environments.card_game import Records
from solvers.networks.decisions import ToStrategy, best_actions, match_advantages, probabilities
from solvers.networks.network import predict
from solvers.runs.archive import Archive
from solvers.runs.pretrained import find_run
from solvers.runs.settings import check_choice
from solvers.search.endings import best_endings, open_rows
from spielgames.agents import Agent
from spielgames.core.arrays import take
from spielgames.core.loops import look
from spielgames.core.luck import mix

STRATEGIES: dict[str, tuple[str, ToStrategy]] = {  # of Deep CFR, by which networks
    "last": ("advantages", match_advantages),
    "best": ("advantages", best_actions),
    "average": ("advantages", match_advantages),
    "policy": ("policy", probabilities),
    "mode": ("policy", best_actions),
}
NETWORKS = ("average", "actor", "frozen")  # of PPO
ALPHAZERO = "alphazero"  # its averaged networks
PLAYS: dict[str, ToStrategy] = {"sample": probabilities, "best": best_actions}
MOST_ITERATIONS = 2**16 - 1  # as samples count them
MOST_NETWORKS = 64  # in memory, of each group


def net(
    game: str,
    run: str,
    strategy: str = "",
    network: str = "",
    play: str = "",
    iteration: int = 0,
    averaging: float = 1.0,
    learnt: str = "",
    seed: int = 0,
) -> Agent:
    """The networks that Deep CFR, PPO, AlphaZero or Deep Monte Carlo has trained in the folder
    `run`. After Deep CFR, `strategy` is last, best, average, policy or mode; in the average,
    iteration t counts t^averaging. After PPO, `network` is average, actor or frozen, and `play` is
    sample or best, as after AlphaZero. `iteration` 0 is the last one. `learnt` is the variant that
    the networks have learnt, if they are to play another one.
    """
    archive = Archive(find_run(run))
    last = iteration or archive.state.iteration
    if not last:
        raise ValueError(f"{run} has finished no iteration yet")
    agent = partial(NetworkAgent, game, archive.environment(game, learnt), archive)
    if archive.holds(ALPHAZERO):
        refuse(archive, "AlphaZero", strategy=strategy, network=network)
        play = play or "sample"
        check_choice("play", play, tuple(PLAYS))
        return agent(ALPHAZERO, [last], PLAYS[play], exact_endings=True)
    if archive.holds(VALUES):
        refuse(archive, "Deep Monte Carlo", strategy=strategy, network=network, play=play)
        return load_player(game, archive.environment(game, learnt), archive, last)
    if any(map(archive.holds, NETWORKS)):
        refuse(archive, "PPO", strategy=strategy)
        network, play = network or NETWORKS[0], play or "sample"
        check_choice("network", network, NETWORKS)
        check_choice("play", play, tuple(PLAYS))
        return agent(network, [last], PLAYS[play])
    refuse(archive, "Deep CFR", network=network, play=play)
    strategy = strategy or "last"
    check_choice("strategy", strategy, tuple(STRATEGIES))
    kind, to_strategy = STRATEGIES[strategy]
    iterations = [last]
    if strategy == "average":
        if last > MOST_ITERATIONS:
            raise ValueError(
                f"{run} has {last} iterations; the average is of at most {MOST_ITERATIONS}"
            )
        iterations = draw_iterations(last, averaging, seed)
    return agent(kind, iterations, to_strategy, seed)


def refuse(archive: Archive, algorithm: str, **options: str) -> None:
    """Refuse options that mean nothing after an algorithm."""
    for name, value in options.items():
        if value:
            raise ValueError(f"{archive.folder} was trained by {algorithm}, which has no {name}")


class NetworkAgent(Agent):
    """Each group of seats plays by its network, or by one of several that is drawn for the deal."""

    def __init__(
        self,
        game: str,
        env: Records,
        archive: Archive,
        kind: str,
        iterations: list[int],
        to_strategy: ToStrategy,
        seed: int = 0,
        exact_endings: bool = False,
    ) -> None:
        super().__init__(game)
        self.env, self.iterations = env, iterations
        self.exact_endings = exact_endings
        self.to_strategy, self.seed = to_strategy, seed
        self.networks = [  # of each group, of each iteration
            [archive.demand(f"{kind}-{g}", t, self.env.shape) for t in iterations]
            for g in range(len(archive.purpose.groups))
        ]
        self.group = np.full(self.env.players, -1)  # of each seat
        for g, seats in enumerate(archive.purpose.groups):
            self.group[list(seats)] = g

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        actors, sets = np.empty(len(states), np.int8), np.empty(len(states), np.uint64)
        look(states, actors, sets)
        chances = self.to_strategy(sets, self.logits(states, actors))
        if self.exact_endings:
            rows = np.flatnonzero(open_rows(states))
            chances[rows] = best_endings(self.game, take(states, rows))
        return chances

    def logits(self, states: np.ndarray, actors: np.ndarray) -> np.ndarray:
        """The outputs of the network that each seat to move has drawn. `[games, actions]`"""
        groups, chosen = self.group[actors], self._choose(states, actors)
        if (groups < 0).any():
            seat = actors[np.argmin(groups)]
            raise ValueError(f"the run has learnt nothing for seat {seat}")
        encodings = self.env.observe(states, actors.astype(np.int64))
        out = np.zeros((len(states), self.env.actions), np.float32)
        for g, networks in enumerate(self.networks):
            for k, network in enumerate(networks):
                rows = np.flatnonzero((groups == g) & (chosen == k))
                if len(rows):
                    out[rows] = predict(network, encodings[rows])
        return out

    def _choose(self, states: np.ndarray, actors: np.ndarray) -> np.ndarray:
        """Return the index of each seat's iteration. It follows from the cards that the seat was
        dealt, so that a seat keeps its network for the deal.
        """
        if len(self.iterations) == 1:
            return np.zeros(len(actors), np.int64)
        seats, dealt = actors.astype(np.uint64), self.env.dealt(states, actors)
        code = mix(dealt ^ mix(seats + np.uint64(len(self.group) * self.seed)))
        return (code % np.uint64(len(self.iterations))).astype(np.int64)


def draw_iterations(last: int, averaging: float, seed: int) -> list[int]:
    """Draw as many iterations as fit into memory, t in proportion to t^averaging, evenly spread."""
    weights = np.arange(1, last + 1) ** averaging
    ends = np.cumsum(weights) / weights.sum()
    count = min(last, MOST_NETWORKS)
    points = (np.arange(count) + np.random.default_rng(seed).random()) / count
    return (1 + np.searchsorted(ends, points)).tolist()
