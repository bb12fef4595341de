"""Learning from past deals: the critic and the actor by TD errors, the predictors by what was
played.

    learner = Learner(BeliefAgent("python_sheephead", settings))
    report = learner.learn(finals, seats)  # finished deals, and its seat in each
"""

from typing import NamedTuple

import numpy as np

from solvers.pomdp.actor_critic import Steps, learn_choices, learn_merits, learn_values
from solvers.pomdp.belief_agent import BeliefAgent
from solvers.pomdp.moments import MOST, Lessons, Moments, relive
from spielgames.core.shares import SHARES


class Report(NamedTuple):
    """How well it predicted before it learnt from it; NaN if nothing was predicted."""

    td_error: float  # root of the mean square
    log_loss: float  # nats for each card that an opponent played, having a choice


class Learner:
    def __init__(self, agent: BeliefAgent) -> None:
        self.agent, self.scratch = agent, np.zeros(2, agent.game.dtype)
        self.shares = np.zeros(1, SHARES)
        self.beliefs = np.zeros((agent.game.places, agent.game.cards))

    def learn(self, finals: np.ndarray, seats: np.ndarray) -> Report:
        """Learn from finished deals, one after the other."""
        moments, lessons = self.relive(finals, seats)
        errors = self._values(moments)
        if self.agent.settings.watches:
            for k in range(1, self.agent.game.players):
                others = (seats + k) % self.agent.game.players
                self._values(self.relive(finals, others, taught=False)[0], acts=False)
        losses = self._choices(lessons, seats)
        loss = float(np.mean(losses)) if len(losses) else np.nan
        return Report(float(np.sqrt(np.mean(errors**2))), loss)

    def relive(
        self, finals: np.ndarray, seats: np.ndarray, taught: bool = True
    ) -> tuple[Moments, Lessons]:
        agent, n = self.agent, len(finals)
        ours = agent.appraisal
        wide, asked = ours.features.size, ours.clues.size
        events = agent.variant.max_moves if agent.settings.predicts == "learned" and taught else 0
        moments = Moments(
            np.zeros(n, np.int64),
            np.zeros((n, MOST, wide)),
            np.zeros((n, MOST + 1)),
            np.zeros((n, MOST, wide)),
            np.full((n, MOST), -1),
            np.zeros(n),
        )
        lessons = Lessons(
            np.zeros(n, np.int64),
            np.zeros((n, events, asked)),
            np.zeros((n, events), np.int64),
            np.zeros((n, events, ours.predicted), np.int64),
            np.zeros((n, events), np.int64),
        )
        for name, value in agent.variant.fields.items():
            self.scratch[name] = value
        room = self.scratch, self.shares, self.beliefs
        how = agent.learned, ours.plays, agent.asks, agent.settings.clues_of == "world"
        relive(finals, seats, *how, *room, moments, lessons)
        return moments, lessons

    def _values(self, moments: Moments, acts: bool = True) -> np.ndarray:
        """V ← V + η_c δ and U ← U + η_a δ; return the errors δ."""
        agent, own = self.agent, self.agent.settings
        used = np.arange(MOST) < moments.used[:, None]
        ended = np.arange(MOST) == moments.used[:, None] - 1
        after = np.zeros_like(moments.states)
        after[:, :-1] = moments.states[:, 1:]
        rewards = own.trick_reward * np.diff(moments.gains, axis=1)
        rewards += own.hand_reward * moments.utility[:, None] * ended
        x, next_x = (each[used][:, : agent.width] for each in (moments.states, after))
        errors = learn_values(
            agent.critic, Steps(x, rewards[used], next_x, ended[used]), own.learning
        )
        merits = moments.merits[used]
        rows = np.flatnonzero(merits >= 0)
        if acts and own.learning.actor_rate > 0 and len(rows):
            chosen = moments.decisions[used][rows, : agent.width]
            learn_merits(agent.actor, chosen, merits[rows], errors[rows], own.learning.actor_rate)
        return errors

    def _choices(self, lessons: Lessons, seats: np.ndarray) -> np.ndarray:
        """Let each opponent's predictor learn; return the log-loss of each card played."""
        agent, own = self.agent, self.agent.settings
        used = np.arange(lessons.seats.shape[1]) < lessons.used[:, None]
        which = np.take_along_axis(agent.who(seats), lessons.seats, axis=1)[used]
        x, merits, allowed = (each[used] for each in lessons[1:4])
        x = x[:, : agent.asked]
        losses = np.full(len(merits), np.nan)
        for k, predictor in enumerate(agent.predictors):
            rows = np.flatnonzero(which == k)
            if len(rows):
                given = x[rows], merits[rows], allowed[rows] > 0
                rate, heat = own.predictor_rate, own.predictor_temperature
                losses[rows] = -learn_choices(predictor, *given, rate, heat)
        return losses + np.log(allowed[np.arange(len(merits)), merits])
