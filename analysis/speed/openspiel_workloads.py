"""Workloads of games as OpenSpiel sees them."""

from random import Random

import pyspiel

import spielgames  # noqa: F401  (registers the games)
from analysis.speed.benchmark import Amounts, Work

FACE_DEALS = 10  # per call of the OpenSpiel loop


def drawn(outcomes: list[tuple[int, float]], luck: float) -> int:
    """A chance outcome. (No library's choice is quicker than walking, even among 52 outcomes.)"""
    for action, probability in outcomes:
        luck -= probability
        if luck < 0:
            return action
    return outcomes[-1][0]  # the probabilities' sum was rounded down


def play(state: pyspiel.State, random: Random) -> int:
    """Play to the end by OpenSpiel's methods alone; return the number of decisions."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(drawn(state.chance_outcomes(), random.random()))
        else:
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
            decisions += 1
    return decisions


def dealt(game: pyspiel.Game, random: Random) -> pyspiel.State:
    """A position with all cards dealt: the one behind the last long run of chance nodes.

    (Hokm deals in two stages. Draws from a stock belong to the play: they take time, uncounted.)
    """
    state = found = game.new_initial_state()
    in_a_row = 0
    while not state.is_terminal():
        if state.is_chance_node():
            in_a_row += 1
            state.apply_action(drawn(state.chance_outcomes(), random.random()))
        else:
            found = state.clone() if in_a_row > game.num_players() else found
            in_a_row = 0
            state.apply_action(random.choice(state.legal_actions()))
    return found


def face_decisions(name: str) -> Work:
    """Playing out dealt positions; each is cloned first, as a search would do."""
    game, random = pyspiel.load_game(name), Random(1)
    starts = [dealt(game, random) for _ in range(FACE_DEALS)]

    def work() -> Amounts:
        return {"openspiel_decisions_per_s": sum(play(s.clone(), random) for s in starts)}

    return work


def face_deals(name: str) -> Work:
    """Whole deals, the placement of each card sampled from the chance outcomes."""
    game, random = pyspiel.load_game(name), Random(1)

    def work() -> Amounts:
        for _ in range(FACE_DEALS):
            state = game.new_initial_state()
            play(state, random)
            state.returns()
        return {"openspiel_deals_per_s": FACE_DEALS}

    return work


FACE_KINDS = (face_decisions, face_deals)
