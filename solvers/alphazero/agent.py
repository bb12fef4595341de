"""The agent that AlphaZero has trained, searching at play: `alphazero:runs/x,worlds=64`.

Each action is tried in worlds that agree with what the seat has seen, and each world is played on
by the network, every seat at its own information sets. The network's own preference is a prior:
with few worlds the mean alone would follow noise.
"""

from solvers.runs.agent import NetworkAgent, net
from solvers.search.agent import DEFAULT, Search, SearchAgent
from solvers.search.beliefs import Belief
from solvers.search.choice import Choice
from solvers.search.continuations import ByPolicy
from spielgames.agents import Agent


def alphazero(
    game: str,
    run: str,
    worlds: int = 32,
    prior: float = 0.1,
    belief: Belief = DEFAULT.belief,
    eliminate: float = 0.0,
    ms: float = 0.0,
    iteration: int = 0,
    learnt: str = "",
    seed: int = 0,
) -> Agent:
    """Searches with the network that AlphaZero has trained in the folder `run`; `snapszer`,
    `coinche` and `hokm` are ours. It plays each action on in all worlds by the network, and takes
    the best mean plus `prior` times the logarithm of the network's probability. `eliminate` and
    `ms` are those of pimc. `learnt` is the variant that it has learnt, if it plays another one.
    """
    trained = net(game, run, iteration=iteration, learnt=learnt)
    if not (isinstance(trained, NetworkAgent) and trained.exact_endings):
        raise ValueError(f"{run} was not trained by AlphaZero: take net:{run}")
    choice = Choice(worlds, 0.0, eliminate, ms, prior)
    return SearchAgent(game, Search(belief, ByPolicy(trained), choice=choice), trained, seed)
