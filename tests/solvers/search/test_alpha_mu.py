"""αμ: what it finds is what brute force over all strategies finds, and where PIMC goes wrong."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from solvers.search.alpha_mu import worlds_won
from solvers.search.fronts import FRONT, insert
from solvers.search.worlds import draw_worlds, seeds_of
from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.core.cards import members
from tests.solvers.search.endings import Unfit, all_worlds, endings, played, winnable

CLOSED = "python_snapszer(suits=3,ranks=4,hand=3)"
ENDINGS = {  # and the cards of the mover
    CLOSED: 3,
    "python_hokm(suits=2,ranks=6,preview=1)": 2,
    "python_hearts(suits=2,ranks=6,pass=hold)": 2,
}


def tasks(name: str, cards: int, most: int) -> Iterator[tuple[Batch, int]]:
    """All worlds of endings in which nothing is left to chance, and the seat to move."""
    for state in endings(name, cards, seed=5):
        if name == CLOSED and state["closer"][0] > 1:
            continue
        try:
            worlds, _ = all_worlds(name, state)
        except Unfit:
            continue
        if 1 < len(worlds) <= most:
            yield worlds, int(state["turn"][0])


def wins(worlds: Batch, depth: int) -> dict[int, int]:
    """The worlds that each action wins."""
    seeds = np.zeros((1, len(worlds)), np.int64)
    won, settled = worlds_won(worlds.game, worlds.states[None], seeds, depth)
    assert settled.all()
    return {a: int(won[0, :, a].sum()) for a in np.flatnonzero(np.isfinite(won[0, 0]))}


def brute_force(worlds: Batch, seat: int) -> dict[int, int]:
    ids = np.arange(len(worlds))
    return {
        a: max(map(len, winnable(played(worlds, np.full(len(worlds), a)), ids, seat)))
        for a in members(worlds.legal_sets()[0])
    }


@pytest.mark.parametrize(("name", "cards"), ENDINGS.items())
def test_with_enough_depth_it_finds_what_the_best_strategy_wins(name, cards):
    """With open hands from its second move on, it thinks that it wins no fewer."""
    some = list(islice(tasks(name, cards, most=12), 6))
    assert len(some) == 6
    for worlds, seat in some:
        expected = brute_force(worlds, seat)
        assert wins(worlds, depth=9) == expected
        hoped = wins(worlds, depth=1)
        assert all(hoped[a] >= expected[a] for a in expected)


def test_where_fusing_strategies_errs_it_does_not():
    """In ten worlds of a closed Snapszer deal, the ace of spades seems to win all with open hands
    from then on; going on alike in worlds that look alike it wins eight, the jack of diamonds nine.
    """
    name, fused, better = "python_snapszer", 19, 6
    state = next(islice(endings(name, cards=4, seed=15), 182, None))
    batch, drawn = Batch(name, 1), draw_worlds(state, 10, seeds_of(state, 0, 0))
    worlds = Batch.of_states(batch.game, batch.variant, drawn.states[0])
    hoped, real = wins(worlds, depth=1), wins(worlds, depth=9)
    assert (hoped[fused], hoped[better]) == (10, 9)
    assert (real[fused], real[better]) == (8, 9)
    assert max(hoped, key=hoped.get) == fused
    assert max(real, key=real.get) == better
    ids, seat = np.arange(10), int(state["turn"][0])
    after = played(worlds, np.full(10, fused))
    assert max(map(len, winnable(after, ids, seat))) == real[fused]


def test_a_front_keeps_what_no_other_vector_includes():
    front, size = np.zeros(FRONT, np.uint64), 0
    for vector in (0b0011, 0b0001, 0b0100, 0b0111, 0b1000):
        size = insert(front, size, np.uint64(vector))
    assert set(front[:size].tolist()) == {0b0111, 0b1000}


def test_a_full_front_drops_what_wins_fewest_worlds():
    front, size = np.zeros(2, np.uint64), 0
    for vector in (0b0011, 0b0100, 0b1010000, 0b1000000):
        size = insert(front, size, np.uint64(vector))
    assert set(front[:size].tolist()) == {0b0011, 0b1010000}


@pytest.mark.parametrize("name", ["python_hokm(suits=2,ranks=6,preview=1)", CLOSED])
def test_it_does_the_same_wherever_it_cannot_tell_the_difference(name):
    batch = Batch(name, 8, seed=6)
    batch.step(batch.legal_mask().argmax(axis=1))
    worlds = batch.worlds(count=3, seed=1)
    agent = make_agent("alpha_mu:worlds=6,depth=2", name)
    here, there = (agent.probabilities(games.states) for games in (batch, worlds))
    np.testing.assert_array_equal(there, here.repeat(3, axis=0))
    assert (here[batch.legal_mask()].reshape(-1) >= 0).all()
    assert (here[~batch.legal_mask()] == 0).all()


def test_it_bids_as_perfect_information_monte_carlo_does():
    name = "python_coinche(suits=2,ranks=4,levels=1,capot=false)"
    batch = Batch(name, 20, seed=3)
    ours = make_agent("alpha_mu:worlds=10", name).probabilities(batch.states)
    pimc = make_agent("pimc:worlds=10,caution=0,base=rules", name).probabilities(batch.states)
    np.testing.assert_array_equal(ours, pimc)


def test_its_explanation_counts_worlds():
    batch = Batch(CLOSED, 1, seed=2)
    (told,) = make_agent("alpha_mu:worlds=10", CLOSED).explain(batch.states)
    assert told.unit == "worlds won"
    assert told.worlds == 10
    assert all(
        10 * verdict.mean == pytest.approx(round(10 * verdict.mean)) for verdict in told.verdicts
    )


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("alpha_mu:worlds=65", "worlds=65 is not allowed; it ranges from 1 to 64"),
        ("alpha_mu:worlds=0", "worlds=0 is not allowed; it ranges from 1 to 64"),
        ("alpha_mu:depth=0", "depth=0 is not allowed; it must be at least 1"),
    ],
)
def test_wrong_options_say_what_is_allowed(spec, why):
    with pytest.raises(ValueError) as error:
        make_agent(spec, CLOSED)
    assert str(error.value).startswith(why)
