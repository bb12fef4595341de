"""Properties that hold in every deal of every game, tried on random play."""

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielgames.core import loops
from spielgames.core.batch import Batch
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.walk import levels
from tests.trees import advance_randomly, random_actions, root
from tests.variants import FULL, SMALL, WALKED

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=15)


def after(name: str, seed: int, steps: int) -> Batch:
    """Some random deals after some random moves."""
    batch = Batch(name, 20, seed)
    advance_randomly(batch, steps, np.random.default_rng(seed))
    return batch


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds, steps=st.integers(0, 40))
@few
def test_cards_are_conserved(name, seed, steps):
    """At every moment the hands, the piles and the cards played are the deck, each card once."""
    states = after(name, seed, steps).states
    places = np.concatenate([states["hands"], states["played"]], axis=1)
    assert (np.bitwise_or.reduce(places, axis=1) == states["deck"]).all()
    assert (np.bitwise_count(places).sum(1) == np.bitwise_count(states["deck"])).all()


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds)
@few
def test_utilities_stay_in_bounds_and_sum_to_zero_where_they_must(name, seed):
    batch = Batch(name, 50, seed)
    utilities = batch.playouts(seed)
    assert (utilities >= batch.variant.min_utility).all()
    assert (utilities <= batch.variant.max_utility).all()
    if batch.variant.zero_sum:
        np.testing.assert_allclose(utilities.sum(1), 0.0, atol=1e-9)
    for team in set(batch.game.teams):
        seats = [seat for seat, t in enumerate(batch.game.teams) if t == team]
        assert (utilities[:, seats] == utilities[:, seats[:1]]).all()


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds, steps=st.integers(0, 40))
@few
def test_a_view_does_not_change_when_unseen_cards_are_dealt_anew(name, seed, steps):
    batch = after(name, seed, steps)
    for seat in range(batch.game.players):
        world = batch.worlds(seat, 1, seed)
        np.testing.assert_array_equal(world.observe(seat), batch.observe(seat))
        np.testing.assert_array_equal(world.infostate(seat), batch.infostate(seat))


@pytest.mark.parametrize("name", FULL + SMALL)
@given(seed=seeds)
@few
def test_only_the_mover_has_actions_and_they_are_few(name, seed):
    batch = after(name, seed, 7)
    deciding = batch.actors() >= 0
    assert (batch.legal_sets()[deciding] > 0).all()
    assert (batch.legal_sets()[~deciding] == 0).all()
    assert (batch.legal_sets() >> np.uint64(batch.game.actions) == 0).all()


@pytest.mark.parametrize("name", WALKED)
def test_recall_tensors_and_strings_tell_the_same_histories_apart(name):
    """On every history of a tree: equal tensors exactly where the strings are equal."""
    game, variant, row = root(name)
    openspiel = pyspiel.load_game(name)
    rng = np.random.default_rng(0)
    for level in levels(row):
        chosen = level.states
        if len(chosen) > 150:
            chosen = chosen[rng.choice(len(chosen), 150, replace=False)]
        batch = Batch.of_states(game, variant, chosen)
        faces = [openspiel.state_of(chosen[i : i + 1]) for i in range(len(chosen))]
        for seat in range(game.players):
            tensors = [t.tobytes() for t in batch.infostate(seat)]
            words = [face.information_state_string(seat) for face in faces]
            assert (
                len(set(tensors)) == len(set(words)) == len(set(zip(tensors, words, strict=True)))
            )


@pytest.mark.parametrize("name", WALKED)
def test_equal_information_means_equal_choices(name):
    """A seat that can't tell two histories apart has equal actions in both, and recalls its own."""
    game, variant, row = root(name)
    known: dict[bytes, int] = {}
    for level in levels(row):
        batch = Batch.of_states(game, variant, level.states)
        deciding = np.flatnonzero(batch.actors() >= 0)[:3000]
        view = batch.infostate()
        for i in deciding:
            legal = int(batch.legal_sets()[i])
            assert known.setdefault(view[i].tobytes(), legal) == legal


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
