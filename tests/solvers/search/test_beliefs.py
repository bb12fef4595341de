"""Beliefs: all possible deals are listed, and likely ones are drawn more often."""

from collections import Counter

import numpy as np
import pytest

from solvers.search.beliefs import Exact, Importance
from solvers.search.importance import NOISE, log_likelihoods
from solvers.search.worlds import draw_worlds, seeds_of
from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.testing.positions import root
from spielgames.testing.worlds import consistent_pasts, positions

SMALL = [
    "python_coinche(suits=2,ranks=4,levels=1,capot=false,doubling=false)",
    "python_hokm(suits=2,ranks=4,preview=1)",
    "python_hearts(suits=2,ranks=4,pass=hold)",
    "python_snapszer(suits=2,ranks=3,hand=2)",
]


def hands(states: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(map(int, row)) for row in states["hands"]]


def all_worlds(name: str, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All worlds of a position and their probabilities."""
    game, _, _ = root(name)
    drawn = Exact(most=500).draw(game, target, 1, seeds_of(target, 0, 0))
    assert drawn.complete.all()
    return drawn.states[0], drawn.weights[0]


@pytest.mark.parametrize("name", SMALL)
def test_the_list_has_every_deal_with_its_probability(name):
    """Every history that the mover cannot tell from the true one counts alike."""
    for target in np.split(positions(name, 12), 12):
        expected = Counter(hands(consistent_pasts(name, target, int(target["turn"][0]))))
        worlds, weights = all_worlds(name, target)
        listed = Counter()
        for hand, weight in zip(hands(worlds), weights, strict=True):
            listed[hand] += weight
        assert set(listed) == set(expected)
        for hand, count in expected.items():
            assert listed[hand] == pytest.approx(count / expected.total())


def test_a_snapszer_opponent_holds_one_of_2002_hands():
    batch = Batch("python_snapszer", 5, seed=1)
    drawn = Exact().draw(batch.game, batch.states, 1, seeds_of(batch.states, 0, 0))
    assert ((drawn.weights > 0).sum(axis=1) == 2002).any()
    looks = batch.infostate(int(batch.actors()[0]))[0]
    worlds = Batch.of_states(batch.game, batch.variant, drawn.states[0][:50].copy())
    for there in worlds.infostate(int(batch.actors()[0])):
        np.testing.assert_array_equal(there, looks)


def test_where_the_list_is_too_long_worlds_are_drawn():
    batch = Batch("python_snapszer", 4, seed=1)
    drawn = Exact(most=100).draw(batch.game, batch.states, 6, seeds_of(batch.states, 0, 0))
    assert not drawn.complete.any()
    np.testing.assert_allclose(drawn.weights, 1 / 6)


def played(moves: int) -> Batch:
    """Games of small Hokm in which everybody has gone by the rules."""
    name = "python_hokm(suits=2,ranks=4,preview=1)"
    rules, batch = make_agent("rules", name), Batch(name, 40, seed=2)
    for _ in range(moves):
        batch.step(rules.probabilities(batch.states).argmax(axis=1))
    return batch


def test_a_likelihood_is_the_product_of_what_others_did():
    """Replayed by hand, with the probabilities of the model."""
    batch, movers = played(4), played(4).actors().astype(np.int64)
    model = make_agent("rules", "python_hokm(suits=2,ranks=4,preview=1)")
    found = log_likelihoods(batch.states, movers, model)
    again, expected = played(0), np.zeros(len(batch))
    for _ in range(4):
        chances, legal = model.probabilities(again.states), again.legal_mask()
        chosen = chances.argmax(axis=1)
        likely = (1 - NOISE) * chances[np.arange(40), chosen] + NOISE / legal.sum(axis=1)
        expected += np.where(again.actors() != movers, np.log(likely), 0)
        again.step(chosen)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-12)


def test_importance_draws_worlds_as_often_as_the_model_makes_them_likely():
    """A hand may have several pasts, in which the model would have chosen other trumps."""
    name = "python_hokm(suits=2,ranks=4,preview=1)"
    batch, model, differs = played(4), make_agent("rules", name), 0
    for i in range(10):
        target = batch.states[[i]]
        pasts = consistent_pasts(name, target, int(target["turn"][0]))
        movers = np.full(len(pasts), int(target["turn"][0]))
        likely = np.exp(log_likelihoods(pasts, movers, model))
        likely /= likely.sum()
        belief = Importance(model, draws=8)
        drawn = belief.draw(batch.game, target, 2000, seeds_of(target, 0, 0))
        seen = Counter(hands(drawn.states[0]))
        expected = Counter()
        for hand, chance in zip(hands(pasts), likely, strict=True):
            expected[hand] += chance
        for hand, chance in expected.items():
            assert seen[hand] / 2000 == pytest.approx(chance, abs=0.05)
        differs += np.abs(likely - 1 / len(pasts)).max() > 0.05
        uniform = Counter(hands(draw_worlds(target, 2000, seeds_of(target, 0, 0)).states[0]))
        assert set(seen) <= set(uniform)
    assert differs >= 3


def test_all_deals_count_as_a_model_makes_them_likely():
    """At the second move each hand has one past, and so one likelihood."""
    name = "python_snapszer(suits=2,ranks=4,hand=3)"
    batch, model = Batch(name, 10, seed=2), make_agent("rules", name)
    batch.step(model.probabilities(batch.states).argmax(axis=1))
    differs = 0
    for target in np.split(batch.states, 10):
        mover, seeds = int(target["turn"][0]), seeds_of(target, 0, 0)
        pasts = consistent_pasts(name, target, mover)
        likely = np.exp(log_likelihoods(pasts, np.full(len(pasts), mover), model))
        expected = Counter()
        for hand, chance in zip(hands(pasts), likely / likely.sum(), strict=True):
            expected[hand] += chance
        belief = Exact(500, model)
        listed = belief.draw(batch.game, target, 1, seeds)
        weights = dict(zip(hands(listed.states[0]), listed.weights[0], strict=True))
        assert weights == pytest.approx(expected)
        seen = Counter(hands(belief.sample(batch.game, target, 1000, seeds).states[0]))
        assert {hand: seen[hand] / 1000 for hand in expected} == pytest.approx(expected, abs=0.0011)
        differs += likely.max() > 1.5 * likely.min()
    assert differs >= 3
