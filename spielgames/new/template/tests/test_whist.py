"""The rules of Whist, and what holds for every game."""

import numpy as np
import pytest
from solvers.exact.best_response import nash_conv
from solvers.exact.cfr import Cfr
from solvers.exact.profiles import load_tree
from spielgames import Batch, testing
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core.words import RANKS_13, parse_card

import whist

FULL = "python_whist"
SMALL = "python_whist(suits=2,ranks=3,hand=2)"  # its whole tree is walked
PLAYERS = whist.WHIST.players


def play(batch: Batch, *cards: str) -> None:
    for card in cards:
        batch.step(np.array([parse_card(card, RANKS_13)]))


def deal(*hands: str) -> Batch:
    """A deal in which the seats have these cards."""
    batch = Batch(SMALL, 1, seed=0)
    for seat, hand in enumerate(hands):
        cards = sum(1 << parse_card(card, RANKS_13) for card in hand.split())
        batch.states["hands"][0, seat] = batch.states["dealt"][0, seat] = cards
    return Batch.of_states(batch.game, batch.variant, batch.states)


@pytest.mark.skipif(PLAYERS != 2, reason="the cards are dealt to two")
def test_a_worked_deal():
    batch = deal("AS QH", "KS AH")
    play(batch, "QH")
    assert batch.legal_mask()[0].sum() == 1  # hearts must be followed
    play(batch, "AH", "KS", "AS")
    assert batch.states["tricks"].tolist() == [[1, 1]]
    assert batch.returns().tolist() == [[0, 0]]


@pytest.mark.parametrize("check", testing.CHECKS)
@pytest.mark.parametrize("name", [FULL, SMALL])
def test_what_holds_for_every_game(check, name):
    check(name)


@pytest.mark.parametrize("check", testing.SMALL_CHECKS)
def test_what_is_tried_on_all_histories(check):
    check(SMALL)


def test_the_rules_beat_random_play():
    agents = [make_agent(spec, FULL) for spec in ("rules", "random")]
    lineups = pair_lineups(whist.WHIST)
    utilities = play_deals(agents, lineups, deals=100, seed=1)
    assert utilities[:, lineups == 0].mean() > 0


@pytest.mark.skipif(PLAYERS != 2, reason="only between two is an equilibrium known to be found")
def test_the_small_variant_is_solved():
    tree = load_tree(SMALL)
    solver = Cfr(tree, scheme="predictive")
    solver.run(300)
    assert nash_conv(tree, solver.average()) < 1e-3
