"""Properties that hold in every deal of every game, tried on random play."""

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielgames.core import loops
from spielgames.core.batch import Batch
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.testing.histories import (
    check_equal_information_means_equal_choices,
    check_strings_and_tensors_agree,
)
from spielgames.testing.play import (
    check_cards_are_conserved,
    check_only_the_mover_has_actions,
    check_utilities,
    check_views_hide_unseen_cards,
)
from spielgames.testing.positions import random_actions
from tests.variants import FULL, SMALL, WALKED

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=15)


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds, steps=st.integers(0, 40))
@few
def test_cards_are_conserved(name, seed, steps):
    check_cards_are_conserved(name, seed, steps)


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds)
@few
def test_utilities_stay_in_bounds_and_sum_to_zero_where_they_must(name, seed):
    check_utilities(name, seed)


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds, steps=st.integers(0, 40))
@few
def test_a_view_does_not_change_when_unseen_cards_are_dealt_anew(name, seed, steps):
    check_views_hide_unseen_cards(name, seed, steps)


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds)
@few
def test_only_the_mover_has_actions_and_they_are_few(name, seed):
    check_only_the_mover_has_actions(name, seed)


@pytest.mark.parametrize("name", WALKED)
def test_recall_tensors_and_strings_tell_the_same_histories_apart(name):
    check_strings_and_tensors_agree(name)


@pytest.mark.parametrize("name", WALKED)
def test_equal_information_means_equal_choices(name):
    check_equal_information_means_equal_choices(name)


@pytest.mark.parametrize("name", FULL)
def test_fast_dealing_is_as_dealing_card_by_card(name):
    """The same share of hands for every card, whether placed at once or by chance nodes."""
    n = 4000
    at_once = Batch(name, n, seed=3).states["dealt"]
    game = pyspiel.load_game(name)
    rng = np.random.default_rng(5)
    one_by_one = []
    for _ in range(200):
        state = game.new_initial_state()
        while state.is_chance_node():
            outcomes, p = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=p)))
        one_by_one.append(state.row["dealt"][0])
    one_by_one = np.array(one_by_one)
    assert (np.bitwise_count(at_once).sum(0) / n == np.bitwise_count(one_by_one).sum(0) / 200).all()
    for place in range(at_once.shape[1]):
        size = int(np.bitwise_count(at_once[0, place]))
        for card in range(game.definition.cards):
            share = (at_once[:, place] >> np.uint64(card) & np.uint64(1)).mean()
            expected = size / game.deck_size
            assert abs(share - expected) < 5 * np.sqrt(0.25 / n)


@pytest.mark.parametrize("name", FULL)
def test_pairs_of_cards_are_dealt_independently(name):
    """Two given cards come to one hand as often as they should: picks share random words."""
    n = 40_000
    dealt = Batch(name, n, seed=12).states["dealt"]
    dealt = dealt[:, np.bitwise_count(dealt[0]).argmax()]
    cards = pyspiel.load_game(name).deck_size
    hand = int(np.bitwise_count(dealt[0]))
    expected = hand * (hand - 1) / (cards * (cards - 1))
    for low in range(0, cards - 1, 3):
        both = np.uint64(3 << low)
        share = ((dealt & both) == both).mean()
        assert abs(share - expected) < 5 * np.sqrt(expected / n)


def test_every_game_ends_and_ended_games_stay():
    for name in FULL:
        batch = Batch(name, 64, seed=2)
        rng = np.random.default_rng(1)
        while batch.running():
            batch.step(random_actions(batch, rng))
        before = batch.states.copy()
        batch.step(np.zeros(64, int))
        assert (batch.states == before).all()
        assert (batch.actors() == TERMINAL).all()


def test_chance_never_waits_in_a_batch():
    batch = Batch("python_snapszer", 200, seed=2)
    rng = np.random.default_rng(1)
    while batch.running():
        assert (batch.actors() != CHANCE).all()
        batch.step(random_actions(batch, rng))


@pytest.mark.parametrize("name", FULL)
def test_sets_stay_64_bit_integers(name):
    """Numba would make floats of mixed integers, and lose the low cards of a hand."""
    batch = Batch(name, 4, seed=1)
    loops.look(batch.states, np.zeros(4, np.int8), np.zeros(4, np.uint64))
    (signature,) = {str(s.return_type) for s in legal_types(name)}
    assert signature == "uint64"


def legal_types(name: str):
    from numba import njit

    from spielgames.core.verbs import legal

    @njit
    def legal_of(states):
        return legal(states[0])

    legal_of(Batch(name, 1).states)
    return legal_of.nopython_signatures
