"""Tree search as a teacher: what it finds, and what it does not depend on."""

import numba
import numpy as np
import pytest

from analysis.speed.endings import endings
from solvers.alphazero.learner import Learner
from solvers.alphazero.roots import Gumbel, Puct, visits_due
from solvers.alphazero.settings import Settings
from solvers.alphazero.teacher import Improved
from solvers.alphazero.tree_search import TreeSearch
from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.networks.decisions import flags
from solvers.runs.settings import from_plain
from solvers.search.beliefs import Exact, Reweighted, TrueHands
from solvers.search.double_dummy import solve
from solvers.search.endings import exact_values, open_rows
from solvers.search.worlds import draw_worlds, seeds_of, start_luck
from spielgames import Batch
from spielgames.testing.positions import random_actions
from tests.solvers.alphazero.toys import ToyGuide, arbitrary, flat
from tests.variants import FULL

SMALL = "python_snapszer(suits=2,ranks=4,hand=2)"
TWO_SIDED = [name for name in FULL if "hearts" not in name and "sheephead" not in name]
ROOTS = [
    TreeSearch(24, 3, Puct()),
    TreeSearch(24, 3, Puct(), aggregation="mean"),
    TreeSearch(24, 3, Gumbel(considered=4)),
]


def positions_of(env: Records, states: np.ndarray) -> Positions:
    """States in which somebody has a choice."""
    batch = Batch.of_states(env.game, env.variant, states)
    choice = np.bitwise_count(batch.legal_sets()) > 1
    rows, n = np.flatnonzero(choice), int(choice.sum())
    luck, depth = np.arange(n, dtype=np.uint64), np.zeros(n, np.int16)
    return Positions(states[rows], luck, batch.actors()[rows], batch.legal_sets()[rows], depth)


def middle(name: str, deals: int, moves: int, seed: int) -> Positions:
    """Positions of random deals after some moves."""
    batch, rng = Batch(name, deals, seed), np.random.default_rng(seed)
    for _ in range(moves):
        batch.step(random_actions(batch, rng))
    return positions_of(Records(name), batch.states)


def improve(
    search: TreeSearch, guide: ToyGuide, positions: Positions, seed: int, share: float = 1.0
) -> Improved:
    logits = np.zeros((len(positions.actors), guide.env.actions), np.float32)
    return search.improve(guide, positions, logits, seed, share)


def equal(one: Improved, other: Improved) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("search", ROOTS, ids=str)
@pytest.mark.parametrize("name", TWO_SIDED)
def test_it_improves_the_policy_of_every_two_sided_game(name, search):
    env = Records(name)
    positions, scale = middle(name, 30, 3, seed=1), env.variant.max_utility
    found = improve(search, ToyGuide(env, arbitrary(env), scale=scale), positions, 1)
    legal = flags(positions.sets, env.actions)
    np.testing.assert_allclose(found.policy.sum(axis=1), 1, rtol=1e-5)
    assert (found.policy[~legal] == 0).all()
    assert np.isnan(found.values[~legal]).all()
    assert (np.abs(found.values[~np.isnan(found.values)]) <= 1).all()
    low, high = np.nanmin(found.values, axis=1), np.nanmax(found.values, axis=1)
    assert (low - 1e-6 <= found.worth).all()
    assert (found.worth <= high + 1e-6).all()
    assert found.policy.dtype == found.values.dtype == found.worth.dtype == np.float32


def test_with_open_hands_it_finds_the_exact_value():
    """In deals of two cards each, a tree with thousands of nodes holds all that can happen."""
    env = Records(SMALL)
    positions = middle(SMALL, 40, 0, seed=2)
    search = TreeSearch(3000, 1, Puct(noise=0))
    found = improve(search, ToyGuide(env, flat(env), TrueHands()), positions, 5)
    wanted = exact(env, positions, seed=5)
    best = np.nanmax(wanted, axis=1)
    np.testing.assert_allclose(3 * found.worth, best, atol=0.2)
    np.testing.assert_array_equal(chosen_of(found, wanted), best)
    assert len(set(best)) > 3


def exact(env: Records, positions: Positions, seed: int) -> np.ndarray:
    """The values of all actions with open hands and the talon of each position's first world."""
    luck = np.empty((len(positions.actors), 1), np.uint64)
    start_luck(seeds_of(positions.states, seed, 0), luck)
    rows = zip(positions.states, (luck[:, 0] >> np.uint64(1)).tolist(), strict=True)
    return np.concatenate([solve(state.reshape(1), env.game, talon) for state, talon in rows])


@pytest.mark.parametrize("name", ["python_coinche", "python_hokm"])
def test_partners_help_each_other_in_it(name):
    """The last three tricks of four players with open hands."""
    env = Records(name)
    positions, wanted = last_tricks(env)
    search, scale = TreeSearch(2000, 1, Puct(exploration=0.5, noise=0)), np.nanmax(wanted)
    found = improve(search, ToyGuide(env, flat(env), TrueHands(), scale), positions, 1)
    np.testing.assert_array_equal(chosen_of(found, wanted), np.nanmax(wanted, axis=1))


@pytest.mark.parametrize("name", ["python_coinche", "python_hokm"])
def test_gumbel_s_root_trusts_true_values(name):
    env = Records(name)
    positions, wanted = last_tricks(env)
    scale = env.variant.max_utility

    def seeing(positions):
        return flat(env)(positions)[0], exact_values(env.game, positions.states) / scale

    search = TreeSearch(20, 1, Gumbel(noise=0))
    found = improve(search, ToyGuide(env, seeing, TrueHands(), scale), positions, 1)
    np.testing.assert_array_equal(chosen_of(found, wanted), np.nanmax(wanted, axis=1))


def last_tricks(env: Records) -> tuple[Positions, np.ndarray]:
    """Positions with at most twelve cards left in which the choice matters, and its values."""
    states = endings(env.name, 12, 500, seed=3, by_rules=env.name == "python_coinche")
    positions = positions_of(env, states)
    wanted = solve(positions.states, env.game)
    rows = np.flatnonzero(np.nanmax(wanted, axis=1) > np.nanmin(wanted, axis=1))[:20]
    assert len(rows) >= 10
    return positions.take(rows), wanted[rows]


def chosen_of(found: Improved, wanted: np.ndarray) -> np.ndarray:
    """The exact values of the actions that the search likes best."""
    return wanted[np.arange(len(wanted)), found.policy.argmax(axis=1)]


@pytest.mark.parametrize("search", ROOTS, ids=str)
def test_it_does_not_depend_on_how_positions_are_grouped(monkeypatch, search):
    env = Records("python_snapszer")
    positions = middle("python_snapszer", 60, 5, seed=4)

    def on(rows):
        return improve(search, ToyGuide(env, arbitrary(env)), positions.take(rows), 7)

    together, n = on(np.arange(len(positions.actors))), len(positions.actors)
    order = np.random.default_rng(1).permutation(n)
    equal(on(order), Improved(*(column[order] for column in together)))
    for rows in (np.arange(n // 3), np.arange(n // 3, n)):
        equal(on(rows), Improved(*(column[rows] for column in together)))
    monkeypatch.setattr("solvers.alphazero.tree_search.EDGES_AT_ONCE", 1 << 14)
    equal(on(np.arange(n)), together)


def test_it_does_not_depend_on_the_number_of_threads():
    env, found, before = Records("python_snapszer"), [], numba.get_num_threads()
    positions = env.deal(0, 260, seed=5)  # enough trees for two threads
    for threads in (1, min(2, before)):
        numba.set_num_threads(threads)
        search = TreeSearch(12, 4, Gumbel())
        found.append(improve(search, ToyGuide(env, arbitrary(env)), positions, 7))
    numba.set_num_threads(before)
    equal(*found)


@pytest.mark.parametrize("search", ROOTS, ids=str)
def test_it_does_the_same_wherever_the_mover_cannot_tell_the_difference(search):
    env = Records("python_snapszer")
    positions = middle("python_snapszer", 20, 4, seed=6)
    positions = positions.take(~open_rows(positions.states))
    n = len(positions.actors)
    others = draw_worlds(positions.states, 3, np.arange(n)).states
    rows = np.arange(n).repeat(3)
    alike = positions.take(rows)._replace(states=others.reshape(-1))
    here, there = (
        improve(search, ToyGuide(env, arbitrary(env)), some, 3) for some in (positions, alike)
    )
    equal(there, Improved(*(column[rows] for column in here)))
    other = improve(search, ToyGuide(env, arbitrary(env)), positions, 4)
    assert (other.policy != here.policy).any()


def test_open_positions_are_solved():
    """Even though the evaluator knows nothing."""
    name = "python_snapszer"
    positions = middle(name, 200, 14, seed=7)
    positions = positions.take(open_rows(positions.states))
    env = Records(name)

    def judge(positions):
        raise AssertionError("nobody need be asked")

    found = improve(TreeSearch(), ToyGuide(env, judge), positions, 1)
    wanted = solve(positions.states, env.game)
    np.testing.assert_allclose(3 * found.values, wanted, rtol=1e-6)
    best = wanted == np.nanmax(wanted, axis=1, keepdims=True)
    np.testing.assert_allclose(found.policy, best / best.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(3 * found.worth, np.nanmax(wanted, axis=1))
    assert len(wanted) > 50
    assert (best.sum(axis=1) > 1).any()


def test_each_position_has_its_own_number_of_worlds():
    env, search = Records(SMALL), TreeSearch(30, 2, Puct(), "mean")
    positions = middle(SMALL, 20, 2, seed=8)
    positions = positions.take(~open_rows(positions.states))
    belief, n = Exact(most=500), len(positions.actors)
    seeds = seeds_of(positions.states, 1, 0)
    sizes = (belief.draw(env.game, positions.states, 2, seeds).weights > 0).sum(axis=1)
    assert len(set(sizes)) > 1
    guide = ToyGuide(env, arbitrary(env), belief)
    together = improve(search, guide, positions, 1)
    for i in range(n):
        alone = improve(search, guide, positions.take([i]), 1)
        equal(alone, Improved(*(column[[i]] for column in together)))


def test_noise_moves_the_search_but_follows_from_the_seed():
    env = Records("python_snapszer")
    positions = env.deal(0, 20, seed=9)

    def policy(noise, seed, alpha=0.3):
        search = TreeSearch(40, 2, Puct(noise=noise, alpha=alpha))
        return improve(search, ToyGuide(env, flat(env), TrueHands()), positions, seed).policy

    assert (policy(0.5, 1) == policy(0.5, 1)).all()
    assert (policy(0.5, 1) != policy(0.5, 2)).any()
    assert (policy(0.5, 1) != policy(0.0, 1)).any()
    flattest = policy(1.0, 1, alpha=1e4)  # almost exactly uniform, as the prior of `flat` is
    assert np.abs(flattest - policy(0.0, 1)).mean() < 0.01


@pytest.mark.parametrize(
    ("considered", "simulations", "wanted"),
    [
        (1, 5, [0, 1, 2, 3, 4]),
        (2, 6, [0, 0, 1, 1, 2, 2]),
        (3, 8, [0, 0, 0, 1, 1, 2, 2, 3]),
        (4, 16, [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]),
        (4, 5, [0, 0, 0, 0, 1]),
        (8, 24, [0] * 8 + [1] * 4 + [2] * 4 + [3, 3, 4, 4, 5, 5, 6, 6]),
    ],
)
def test_sequential_halving_visits(considered, simulations, wanted):
    assert visits_due(considered, simulations) == wanted


def test_gumbel_tries_the_actions_of_the_highest_logits():
    """Without noise, those; all worlds the same ones, and the best of them most often."""
    env = Records("python_snapszer")
    positions = env.deal(0, 30, seed=10)
    logits, _ = arbitrary(env)(positions)
    search = TreeSearch(16, 3, Gumbel(considered=4, noise=0))
    found = improve(search, ToyGuide(env, arbitrary(env)), positions, 1)
    legal = np.where(flags(positions.sets, env.actions), logits, -np.inf)
    for row, values in zip(legal, found.values, strict=True):
        tried = set(np.flatnonzero(~np.isnan(values)))
        assert len(tried) == 4
        fourth = np.sort(row)[-4]
        assert (row[list(tried)] >= fourth).all()


def test_bootstrap_plays_out_what_the_network_would_value():
    """After one simulation, the value of the action tried is that of a random play-out; later in
    the annealing, what the network says.
    """
    env = Records("python_snapszer")
    positions, guide = env.deal(0, 50, seed=11), ToyGuide(env, flat(env), scale=1.0)
    search, found = TreeSearch(1, 1, Puct(noise=0), bootstrap=0.4), []
    for share in (0.39, 0.4):
        values = improve(search, guide, positions, 1, share).values
        found.append(values[~np.isnan(values)])
        assert len(found[-1]) == 50
    assert set(found[0]) == {-3, -2, -1, 1, 2, 3}
    assert set(found[1]) == {0}


def test_strangers_are_refused():
    env = Records("python_hokm")
    belief = Reweighted(steps=20, strangers=0.9)
    positions = middle("python_hokm", 20, 20, seed=1)
    with pytest.raises(ValueError, match="tree search knows no strangers"):
        improve(TreeSearch(), ToyGuide(env, flat(env), belief), positions, 1)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"simulations": 0}, "simulations=0 is not allowed; it is at least 1"),
        ({"worlds": 0}, "worlds=0 is not allowed; it is at least 1"),
        ({"aggregation": "sum"}, "aggregation is one of visits, mean, not 'sum'"),
        ({"bootstrap": 1.5}, "bootstrap=1.5 is not allowed; it is at least 0 and at most"),
        ({"root": {"noise": 2.0}}, "noise=2.0 is not allowed; it is at least 0 and"),
        ({"root": {"alpha": 0.0}}, "alpha=0.0 is not allowed; it is at least 0.01"),
        ({"root": {"exploration": -1.0}}, "exploration=-1.0 is not allowed; it is"),
        (
            {"root": {"kind": "gumbel", "considered": 0}},
            "considered=0 is not allowed; it is at least 1",
        ),
        ({"root": {"kind": "ucb"}}, "root.kind is one of puct, gumbel, not 'ucb'"),
    ],
)
def test_wrong_settings_say_what_is_allowed(settings, why):
    with pytest.raises(ValueError) as error:
        from_plain(TreeSearch, settings)
    assert str(error.value).startswith(why)


def test_a_run_s_settings_name_the_search():
    settings = Settings(teacher=TreeSearch(30, 4, Gumbel(8)))
    assert Settings.of(settings.plain()) == settings
    assert settings.plain()["teacher"] == {
        "kind": "trees",
        "simulations": 30,
        "worlds": 4,
        "root": {"kind": "gumbel", "considered": 8, "noise": 1.0},
        "aggregation": "visits",
        "bootstrap": 0.0,
    }


def test_a_learner_learns_from_it(tmp_path, one_thread):
    """At first from play-outs, then from its own values."""
    env = Records(SMALL)
    settings = Settings(
        teacher=TreeSearch(6, 2, bootstrap=0.5), deals=20, steps=2, batch=16, anneal_iterations=2
    )
    learner = Learner(env, settings, tmp_path, seed=1)
    for _ in range(2):
        losses = learner.iterate()["losses"]
        assert losses["policy"] >= losses["entropy"] > 0
        assert losses["value"] > 0
