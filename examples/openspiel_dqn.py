"""Let OpenSpiel's DQN learn a full game of ours against random play, and measure it.

Needs dm-tree. Half a minute: python examples/openspiel_dqn.py
"""

import random
from itertools import pairwise

from open_spiel.python.pytorch.dqn import DQN
from open_spiel.python.rl_environment import Environment, ObservationType

from spielgames.adapters import SingleStateAgent
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core.state import CardState

GAME = "python_snapszer"


class Learnt(SingleStateAgent):
    """A DQN agent as one of ours. Observations are the same for all seats, so it plays any."""

    def __init__(self, dqn: DQN) -> None:
        super().__init__(GAME)
        self.dqn = dqn

    def one(self, state: CardState, seat: int) -> list[tuple[int, float]]:
        shown, legal = state.observation_tensor(seat), state.legal_actions()
        return [(self.dqn.act_epsilon_greedy(shown, legal, epsilon=0.0)[0], 1.0)]


def learn(dqn: DQN, env: Environment, luck: random.Random, deals: int) -> None:
    """Let it play deals in seat 0; a random player sits in seat 1."""
    for _ in range(deals):
        step = env.reset()
        while not step.last():
            legal = step.observations["legal_actions"][1]  # none when seat 0 is to move
            step = env.step([luck.choice(legal) if legal else dqn.step(step).action])
        dqn.step(step)


def main(stages: tuple[int, ...] = (1, 200, 2000), judged: int = 1000) -> None:
    env = Environment(GAME, observation_type=ObservationType.OBSERVATION)
    env.seed(1)
    luck = random.Random(1)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    pace = {"learn_every": 4, "epsilon_decay_duration": 5 * stages[-1]}
    dqn = DQN(0, size, actions, (128, 128), learning_rate=1e-3, optimizer_str="adam", **pace)
    agents = [Learnt(dqn), make_agent("random", GAME)]
    lineups = pair_lineups(agents[0].game)  # either plays both hands of every deal
    for done, deals in pairwise((0, *stages)):
        learn(dqn, env, luck, deals - done)
        won = play_deals(agents, lineups, judged, seed=2)[:, lineups == 0].mean(axis=1)
        error = 1.96 * won.std(ddof=1) / judged**0.5
        print(f"{deals} deals: {won.mean():+.2f} ± {error:.2f} game points against random play")


if __name__ == "__main__":
    main()
