"""A table at which learners with a belief state sit among others, and learn from every session.

    table = Table(curve, hands=100, sessions=5)
    table.play_block()  # five sessions, after which all is saved

A block is kept in a folder of its own, which `state.json` then names: a run that is killed goes on
from the last whole block, to the same result.
"""

import shutil
from pathlib import Path
from time import process_time

import numpy as np

from experiments.common.curves import Curve
from experiments.common.runs import Metrics, Run, read_json, save_json
from experiments.common.sessions import Session, play_session
from solvers.pomdp.agent import load_player, save_player
from solvers.pomdp.belief_agent import BeliefAgent
from solvers.pomdp.learner import Learner, Report
from spielgames.agents import Agent, make_agent
from spielgames.core.match import utilities

SEATING_SALT = 0x5EA7


class Table:
    """The first players of a curve learn; or, if it names a `player`, are of that spec."""

    def __init__(self, curve: Curve, hands: int, sessions: int) -> None:
        self.curve, self.hands, self.sessions = curve, hands, sessions
        self.run = Run(curve.folder, curve.identity)
        self.blocks = read_json(curve.folder / "state.json", {"blocks": 0})["blocks"]
        self.run.keep(self.run.metrics[: self.blocks])
        first, spec = curve.more["learners"], curve.more["player"]
        others: Agent = make_agent(curve.more["others"], curve.game)
        own = [make_agent(spec, curve.game)] * first if spec else self._learners(first)
        self.agents = [*own, *[others] * (others.game.players - first)]
        self.learners = [Learner(agent) for agent in own if isinstance(agent, BeliefAgent)]
        self.rules = [make_agent("rules", curve.game)] * first + self.agents[first:]

    def _learners(self, count: int) -> list[BeliefAgent]:
        """New ones, or those that were saved."""
        curve = self.curve
        seeds = [10 * curve.seed + k for k in range(count)]
        if self.blocks:
            return [load_player(curve.game, self._folder(k), s) for k, s in enumerate(seeds)]
        return [BeliefAgent(curve.game, curve.settings, seed) for seed in seeds]

    def _folder(self, learner: int) -> Path:
        return self.curve.folder / f"block-{self.blocks}" / f"learner-{learner}"

    def play_block(self) -> None:
        """Play some sessions, learn from them, and keep what came out."""
        first, start = self.blocks * self.sessions, process_time()
        found = [self.play(first + k) for k in range(self.sessions)]
        seconds = round(process_time() - start, 1)
        old = self.curve.folder / f"block-{self.blocks}"
        self.blocks += 1
        for k, learner in enumerate(self.learners):
            save_player(self._folder(k), learner.agent)
        line = {"block": self.blocks, "hands": self.blocks * self.sessions * self.hands}
        lists = {key: [one[key] for one in found] for key in found[0]}
        self.run.append(self.curve.about | line | {"seconds": seconds} | lists)
        save_json(self.curve.folder / "state.json", {"blocks": self.blocks})
        shutil.rmtree(old, ignore_errors=True)

    def play(self, session: int) -> Metrics:
        """Play a session and learn from it."""
        seed = self.curve.seed
        order = np.random.default_rng((seed, SEATING_SALT, session)).permutation(len(self.agents))
        deals = self.hands, seed, session * self.hands
        played = play_session(self.agents, order, *deals)
        usual = play_session(self.rules, order, *deals)
        reports = [learn(k, one, order, played) for k, one in enumerate(self.learners)]
        return {
            "money": played.money.sum(axis=0).astype(int).tolist(),
            "gain": gain_of(played, usual, self.curve.more["learners"]),
            "td_error": [plain(each.td_error) for each in reports],
            "log_loss": [plain(each.log_loss) for each in reports],
        }


def plain(number: float) -> float | None:
    """A number for JSON, which knows no NaN."""
    return None if np.isnan(number) else round(number, 4)


def learn(player: int, learner: Learner, order: np.ndarray, played: Session) -> Report:
    """Let a player learn from a session; it knows the others, wherever they sit."""
    place = np.argsort(order)
    others = np.delete(np.arange(len(order)), player)
    after = (place[others] - place[player]) % len(order)
    learner.agent.order[after - 1] = np.arange(len(others))
    return learner.learn(played.finals, (played.players == player).argmax(axis=1))


def gain_of(played: Session, usual: Session, learners: int) -> float:
    """The cents per hand by which the first players did better than rule-based players in their
    seats, with the same cards; doublings apart.
    """
    own = np.argsort(played.players, axis=1)[:, :learners]
    both = (np.take_along_axis(utilities(s.finals), own, axis=1) for s in (played, usual))
    ours, theirs = (each.mean() for each in both)
    return round(float(ours - theirs), 4)
