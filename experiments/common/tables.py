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
from solvers.pomdp.learner import Learner
from spielgames.agents import Agent, make_agent
from spielgames.core.match import utilities

SEATING_SALT = 0x5EA7
ROLES = "picker", "partner", "against the picker"


class Table:
    """The first players of a curve learn; or, if it names a `player`, are of that spec; or, if it
    names a `trained` curve, play with what was learnt there.
    """

    def __init__(self, curve: Curve, hands: int, sessions: int) -> None:
        self.curve, self.hands, self.sessions = curve, hands, sessions
        self.run = Run(curve.folder, curve.identity)
        self.blocks = read_json(curve.folder / "state.json", {"blocks": 0})["blocks"]
        self.run.keep(self.run.metrics[: self.blocks])
        first, spec = curve.more["learners"], curve.more["player"]
        others: Agent = make_agent(curve.more["others"], curve.game)
        own = [make_agent(spec, curve.game)] * first if spec else self._learners(first)
        self.agents: list[Agent] = [*own, *[others] * (others.game.players - first)]
        learns = not (spec or curve.more["trained"])
        self.learners = [Learner(each) for each in own if learns and isinstance(each, BeliefAgent)]
        self.rules = [make_agent("rules", curve.game)] * first + self.agents[first:]

    def _learners(self, count: int) -> list[BeliefAgent]:
        """New ones, or those that were saved."""
        curve = self.curve
        seeds = [10 * curve.seed + k for k in range(count)]
        if trained := curve.more["trained"]:
            return [load_player(curve.game, self._trained(trained), s) for s in seeds]
        if self.blocks:
            return [load_player(curve.game, self._folder(k), s) for k, s in enumerate(seeds)]
        return [BeliefAgent(curve.game, curve.settings, seed) for seed in seeds]

    def _trained(self, name: str) -> Path:
        """Where the same run of a curve has left its first learner."""
        return self.curve.network.with_name(f"{name}-{self.curve.seed}")

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
        lists = {key: [one[key] for one in found] for key in ("money", "gain")}
        means = {key: mean_of([one[key] for one in found]) for key in ("td_error", "log_loss")}
        seats = {"seats": sum(one["seats"] for one in found).tolist()}
        self.run.append(self.curve.about | line | {"seconds": seconds} | means | seats | lists)
        save_json(self.curve.folder / "state.json", {"blocks": self.blocks})
        shutil.rmtree(old, ignore_errors=True)

    def play(self, session: int) -> Metrics:
        """Play a session and learn from it."""
        seed = self.curve.seed
        order = np.random.default_rng((seed, SEATING_SALT, session)).permutation(len(self.agents))
        for player, agent in enumerate(self.agents):
            if isinstance(agent, BeliefAgent):
                agent.order = predictors_by_place(player, order)
        deals = self.hands, seed, session * self.hands
        played = play_session(self.agents, order, *deals)
        usual = play_session(self.rules, order, *deals)
        reports = [
            learner.learn(played.finals, (played.players == k).argmax(axis=1))
            for k, learner in enumerate(self.learners)
        ]
        found = seat_sums(played, usual, self.curve.more["learners"])
        hands, cents, by_rules = found.sum(axis=(0, 1))
        return {
            "money": played.money.sum(axis=0).astype(int).tolist(),
            "gain": round(float(cents - by_rules) / hands, 3),
            "seats": found,
            "td_error": [each.td_error for each in reports],
            "log_loss": [each.log_loss for each in reports],
        }


def mean_of(numbers: list[list[float]]) -> float | None:
    """Their mean for JSON, which knows no NaN."""
    mean = np.mean(numbers) if numbers[0] else np.nan
    return None if np.isnan(mean) else round(float(mean), 4)


def predictors_by_place(player: int, order: np.ndarray) -> np.ndarray:
    """A player's predictors, which know the others wherever they sit, from the next place on."""
    place = np.argsort(order)
    others = np.delete(np.arange(len(order)), player)
    found = np.empty(len(others), np.int64)
    found[(place[others] - place[player]) % len(order) - 1] = np.arange(len(others))
    return found


def seat_sums(played: Session, usual: Session, learners: int) -> np.ndarray:
    """What the first players did, by seat and role: how many hands, the cents that they won, and
    those that rule-based players win in the same seats with the same cards; doublings apart.
    `[seats, roles, 3]`
    """
    seats, roles = played.players.shape[1], roles_of(played.finals)
    found, own = np.zeros((seats, len(ROLES), 3), np.int64), played.players < learners
    won = [np.rint(utilities(session.finals)).astype(np.int64) for session in (played, usual)]
    where = np.broadcast_to(np.arange(seats), own.shape)[own], roles[own]
    for k, numbers in enumerate((np.ones_like(won[0]), *won)):
        np.add.at(found[:, :, k], where, numbers[own])
    return found


def roles_of(finals: np.ndarray) -> np.ndarray:
    """The role of each seat in finished deals: a number of `ROLES`. `[hands, seats]`"""
    seats = np.arange(finals["played"].shape[1])
    picker, partner = finals["picker"][:, None] == seats, finals["partner"][:, None] == seats
    return np.select([picker, partner], [0, 1], 2)
