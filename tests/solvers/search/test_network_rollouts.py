"""Worlds played on by a network: the right actions are drawn, and the results are the mover's."""

from collections import Counter

import numpy as np

from solvers.search.agent import sets_of
from solvers.search.beliefs import Uniform
from solvers.search.endings import exact_values, open_rows
from solvers.search.network_rollouts import Horizon, after, draw, network_values
from solvers.search.worlds import seeds_of
from spielgames import Batch
from spielgames.agents import legal_flags
from spielgames.core.cards import members
from spielgames.snapszer.record import TALON


def lowest_first(actions: int):
    """A network that all but always plays the lowest action."""
    return lambda states, seats: np.tile(-1000.0 * np.arange(actions), (len(states), 1))


def started(name: str, moves: int) -> Batch:
    batch, random = Batch(name, 20, seed=3), np.random.default_rng(3)
    for _ in range(moves):
        mask = batch.legal_mask()
        batch.step((mask * random.random(mask.shape)).argmax(axis=1))
    return batch


def values_of(batch: Batch, worlds: int, horizon: Horizon | None = None):
    game, states = batch.game, batch.states
    drawn = Uniform().draw(game, states, worlds, seeds_of(states, 1, 0))
    tried = sets_of(legal_flags(states, game.actions), drawn)
    return drawn, network_values(game, lowest_first(game.actions), drawn, tried, horizon)


def test_a_game_without_chance_is_played_as_by_hand():
    batch = started("python_coinche", 12)
    worlds, values = values_of(batch, 3)
    for i in range(len(batch)):
        for a in np.flatnonzero(legal_flags(batch.states[i : i + 1], batch.game.actions)[0]):
            own = Batch.of_states(batch.game, batch.variant, worlds.states[i].copy())
            seat = own.actors()[0]
            own.step(np.full(3, a))
            while own.running():
                own.step(own.legal_mask().argmax(axis=1))
            assert (values[i, :, a] == own.returns()[:, seat]).all()


def moves_so_far(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    return states["length"].astype(float)


def test_beyond_the_horizon_a_position_is_worth_what_the_judge_says_to_the_seat_to_move():
    batch = started("python_coinche", 25)
    worlds, values = values_of(batch, 1, Horizon(1, moves_so_far))
    for i in range(len(batch)):
        for a in np.flatnonzero(legal_flags(batch.states[i : i + 1], batch.game.actions)[0]):
            own = Batch.of_states(batch.game, batch.variant, worlds.states[i].copy())
            seat, free = own.actors()[0], 0
            own.step(np.array([a]))
            while own.running() and (own.legal_mask().sum() == 1 or free < 1):
                free += own.legal_mask().sum() > 1
                own.step(own.legal_mask().argmax(axis=1))
            if own.running():
                sign = 1 if (own.actors()[0] - seat) % 2 == 0 else -1
                assert values[i, 0, a] == sign * own.states[0]["length"]
            else:
                assert values[i, 0, a] == own.returns()[0, seat]


def test_a_horizon_that_no_game_reaches_changes_nothing():
    batch = started("python_snapszer", 3)
    far = values_of(batch, 2, Horizon(1000, moves_so_far))[1]
    assert np.array_equal(far, values_of(batch, 2)[1], equal_nan=True)


def test_illegal_actions_have_no_value():
    batch = started("python_snapszer", 3)
    _, values = values_of(batch, 2)
    legal = legal_flags(batch.states, batch.game.actions)
    assert (np.isnan(values) == ~legal[:, None]).all()


def test_endings_are_exact_whatever_the_network_would_do():
    batch = started("python_snapszer", 17)
    states = batch.states[open_rows(batch.states)]
    own = Batch.of_states(batch.game, batch.variant, states)
    _, values = values_of(own, 1)
    assert (np.nanmax(values[:, 0], axis=1) == exact_values(batch.game, states)).all()


def test_all_actions_meet_the_same_draws():
    """Whoever wins the first trick draws first; the cards drawn are the same."""
    batch, talons, hands = Batch("python_snapszer", 1, seed=4), set(), set()
    luck, whims = np.array([[99], [7]], np.uint64)
    for a in members(batch.legal_sets()[0])[:5]:
        first = after(batch.states, luck, whims, np.zeros(1, int), np.array([a]))
        for b in members(first.sets[0]):
            games = after(*first[:3], np.zeros(1, int), np.array([b]))
            talons.add(int(games.states["hands"][0, TALON]))
            hands.add(games.states["hands"][0].tobytes())
    assert len(talons) == 1
    assert len(hands) > 5


def test_actions_are_drawn_as_the_softmax_says():
    logits = np.tile(np.log([0.5, 9.0, 0.3, 0.2]), (4000, 1)).astype(np.float32)
    sets, out = np.full(4000, 0b1101, np.uint64), np.empty(4000, np.int64)
    whims = np.random.default_rng(1).integers(0, 2**63, 4000).astype(np.uint64)
    draw(logits, sets, whims, out)
    seen = Counter(out.tolist())
    assert set(seen) == {0, 2, 3}
    assert np.allclose([seen[a] / 4000 for a in (0, 2, 3)], [0.5, 0.3, 0.2], atol=0.03)
