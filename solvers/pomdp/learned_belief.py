"""The belief state by what was learnt: worlds count as the action predictors make likely what the
others played in them.
"""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from solvers.pomdp.memory import Memory
from solvers.pomdp.prediction import Foresight, weigh
from solvers.search.beliefs import Uniform, drawn_again
from solvers.search.importance import NOISE
from solvers.search.worlds import Worlds, draw_worlds
from spielgames.core.cache import compiled
from spielgames.core.cards import count
from spielgames.core.game import Game
from spielgames.core.record import event_action, is_private
from spielgames.core.replay import redeal, step_past
from spielgames.core.verbs import legal, reset, stage

if TYPE_CHECKING:
    from solvers.pomdp.belief_agent import BeliefAgent

DRAWS = 4  # worlds drawn for each that is kept


@compiled
def log_likelihoods(
    pasts: np.ndarray,
    seats: np.ndarray,
    who: np.ndarray,
    plays: int,
    predictors: tuple,
    f: Foresight,
    m: Memory,
    out: np.ndarray,
) -> None:
    """Fill the log-probability, `[games, worlds]`, of all that others than `seats[i]` played in
    each world, but for some noise. Stages from `plays` on are plays.
    """
    for i in range(len(pasts)):
        for w in range(pasts.shape[1]):
            r, past = m.stack[0], pasts[i, w]
            m.stack[0] = past
            reset(r)
            redeal(r, past)
            out[i, w] = 0.0
            for t in range(past.length):
                a, asked = event_action(past.events[t]), r.turn >= 0 and r.turn != seats[i]
                if asked and not is_private(past.events[t]) and stage(r) >= plays:
                    options = count(legal(r))
                    if options > 1:
                        weigh(r, m.tied, who[i], predictors, f, m)
                        out[i, w] += np.log((1 - NOISE) * m.chances[a] + NOISE / options)
                step_past(r, past, t)


class LearnedBelief(Uniform):
    """Uniform worlds, drawn again as often as the player's predictors say."""

    kind: ClassVar[str] = "learned"

    def __init__(self, player: "BeliefAgent") -> None:
        self.player = player

    def size(self, count: int) -> int:
        return count * DRAWS

    def draw(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        own, seats = self.player, states["turn"].astype(np.int64)
        worlds = draw_worlds(states, self.size(count), seeds)
        logs = np.empty(worlds.states.shape)
        log_likelihoods(
            worlds.states,
            seats,
            own.who(seats),
            own.appraisal.plays,
            tuple(each.model for each in own.predictors),
            own.foresight(),
            own.memory,
            logs,
        )
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        return drawn_again(worlds.states, weights, count, seeds)
