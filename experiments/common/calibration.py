"""How good beliefs are: the probability that they gave to where each unseen card truly was.

    calibrate("python_sheephead", "reweighted(300)", deals=100, seed=1)

Positions are the plays of deals among rule-based players, in the eyes of the player to move.
"""

from pathlib import Path
from typing import Any, cast

import numpy as np

from analysis.tournament.variance import intervals
from solvers.pomdp.agent import load_player
from solvers.pomdp.learned_belief import LearnedBelief
from solvers.pomdp.views import beliefs_of, stages_of
from solvers.search.beliefs import Belief
from solvers.search.worlds import seeds_of
from spielgames.agents import make_agent
from spielgames.core.arrays import take
from spielgames.core.batch import Batch
from spielgames.core.game import Game
from spielgames.core.players import choice_sets
from spielgames.specs import make_part

WORLDS = 64  # from which the marginals of a belief that cannot be counted are estimated
BINS = np.linspace(0, 1, 11)


def positions(name: str, deals: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The plays of deals in which the rules choose throughout: for each number of moves, the deals
    and their states.
    """
    rng, batch, found = np.random.default_rng(seed), Batch(name, deals, seed), []
    assert batch.game.appraisal
    while batch.running():
        rows = np.flatnonzero(batch.actors() >= 0)
        now = take(batch.states, rows)
        plays = np.flatnonzero(stages_of(now) >= batch.game.appraisal.plays)
        if len(plays):
            found.append((rows[plays], take(now, plays)))
        sets, actions = np.empty(len(now), np.uint64), np.zeros(deals, np.int64)
        choice_sets(now, 0, sets)
        flags = sets[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        actions[rows] = (rng.random(flags.shape) * flags).argmax(axis=1)
        batch.step(actions)
    return found


def held(states: np.ndarray, game: Game) -> np.ndarray:
    """Where each card is. `[…, places, cards] bool`"""
    cards = np.arange(game.cards, dtype=np.uint64)
    return (states["hands"][..., None] >> cards & np.uint64(1)).astype(bool)


def calibrate(
    name: str, belief: str, deals: int, seed: int, learner: Path | None = None
) -> dict[str, Any]:
    """The log-loss of a belief, in nats for each unseen card, and how often what it said was true.
    Positions of a deal are averaged, as they are not independent. If a `learner` is given, the
    belief is that of its predictors.
    """
    part: Belief = LearnedBelief(load_player(name, learner)) if learner else belief_of(belief, name)
    game, said, true = make_agent("rules", name).game, [], []
    total, cards = np.zeros(deals), np.zeros(deals)
    for rows, states in positions(name, deals, seed):
        chances = marginals(part, states, game)
        truth = held(states, game)
        open_cards = (chances > 0) & (chances < 1)
        unseen = open_cards.any(axis=1)
        right = np.where(truth, chances, 0).sum(axis=1)
        logs = -np.log(np.where(unseen, np.maximum(right, 1e-12), 1.0))
        total[rows] += logs.sum(axis=1)
        cards[rows] += unseen.sum(axis=1)
        said.append(chances[open_cards])
        true.append(truth[open_cards])
    played = cards > 0  # not those that all have passed
    middle = intervals(total[played] / cards[played])[0]
    return {
        "belief": belief,
        "deals": deals,
        "log_loss": middle.mean,
        "low": middle.low,
        "high": middle.high,
        "reliability": reliability(np.concatenate(said), np.concatenate(true)),
    }


def belief_of(spec: str, game: str) -> Belief:
    return cast(Belief, make_part("belief", Belief, spec, lambda agent: make_agent(agent, game)))


def marginals(part: Belief, states: np.ndarray, game: Game) -> np.ndarray:
    """Exact where the belief is uniform; else those of worlds and, as if one world more had been
    drawn, the uniform ones. `[n, places, cards]`
    """
    exact = beliefs_of(states, states["turn"].astype(np.int64), game)
    if part.kind == "uniform":
        return exact
    worlds = part.draw(game, states, WORLDS, seeds_of(states, 0, 0))
    shares = np.einsum("iw,iwpc->ipc", worlds.weights, held(worlds.states, game).astype(float))
    return (WORLDS * shares + exact) / (WORLDS + 1)


def reliability(said: np.ndarray, true: np.ndarray) -> list[list[float]]:
    """For each tenth of probabilities: how many, their mean, and how often it was true."""
    which = np.clip(np.digitize(said, BINS) - 1, 0, len(BINS) - 2)
    rows = [(which == k) for k in range(len(BINS) - 1)]
    return [[int(r.sum()), float(said[r].mean()), float(true[r].mean())] for r in rows if r.any()]
