"""The compiled trees: what they choose, count and keep."""

import numpy as np
import pytest

from solvers.alphazero.edges import (
    BY_VALUE,
    EDGE,
    improve_logits,
    lagging_slot,
    mixed_value,
    puct_slot,
)
from solvers.alphazero.forest import Forest, pool_worlds
from solvers.alphazero.tree_search import signs_of
from solvers.alphazero.trees import Terms, plant
from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.search.beliefs import TrueHands
from solvers.search.worlds import seeds_of
from spielgames.core.cards import members
from tests.solvers.alphazero.oracle import Oracle
from tests.solvers.alphazero.toys import ToyGuide, arbitrary, flat

SNAPSZER = "python_snapszer(suits=2,ranks=4,hand=2)"
HOKM = "python_hokm(suits=2,ranks=4,preview=2,trump=heuristic)"
COINCHE = "python_coinche(suits=2,ranks=4,levels=1,capot=false)"


def row_of(*edges: tuple[float, float, float]) -> np.ndarray:
    """Edges of these visits, totals and priors."""
    return np.array([(*edge, 0) for edge in edges], EDGE)


def grow(guide, positions, worlds, simulations, exploration=1.5, bootstrap=False):
    game = guide.env.game
    seeds = seeds_of(positions.states, 1, 0)
    drawn = guide.belief.draw(game, positions.states, worlds, seeds)
    terms = Terms(signs_of(game), guide.scale, exploration)
    forest = Forest(guide, positions, drawn, simulations, terms, bootstrap)
    for k in range(1, simulations + 1):
        forest.simulate(k)
    return forest


def test_puct_is_as_computed_by_hand():
    """√(1 + 4 visits) = 2.236, so with c = 2 the bounds are, for the side of seat 0,
    0.5 + 4.472 · 0.5/4 = 1.059;  4.472 · 0.3 = 1.342;  −0.5 + 4.472 · 0.2/2 = −0.053.
    """
    row = row_of((3, 1.5, 0.5), (0, 0, 0.3), (1, -0.5, 0.2))
    assert puct_slot(row, 3, 1.0, 2.0) == 1
    row[1] = (1, 0.1, 0.3, 0)  # now 0.5 + 4.899 · 0.5/4 = 1.112 and 0.1 + 4.899 · 0.3/2 = 0.835
    assert puct_slot(row, 3, 1.0, 2.0) == 0
    assert puct_slot(row, 3, -1.0, 2.0) == 2  # −0.5 + 0.612, −0.1 + 0.735, 0.5 + 0.490
    assert puct_slot(row, 2, -1.0, 2.0) == 1
    row["visits"], row["total"] = 0, 0
    assert puct_slot(row, 3, 1.0, 2.0) == 0  # the highest prior


def test_an_unvisited_action_completes_to_the_mixed_value():
    """(raw + N · (0.5 · 0.5 + 0.2 · −0.5)/0.7)/(N + 1) with N = 4 and raw = 0.4."""
    row = row_of((3, 1.5, 0.5), (0, 0, 0.3), (1, -0.5, 0.2))
    mixed = (0.4 + 4 * 0.15 / 0.7) / 5
    assert mixed_value(row, 3, 1.0, 0.4) == pytest.approx(mixed)
    assert mixed_value(row, 3, -1.0, 0.4) == pytest.approx(-mixed)
    assert mixed_value(row[1:2], 1, 1.0, 0.4) == pytest.approx(0.4)
    logits = np.zeros(3)
    improve_logits(row, 3, 1.0, 0.4, logits)
    stretch = 0.1 * (50 + 3) / 1.0  # the values range from −0.5 to 0.5
    wanted = np.log([0.5, 0.3, 0.2]) + stretch * (np.array([0.5, mixed, -0.5]) + 0.5)
    np.testing.assert_allclose(logits, wanted, rtol=1e-6)


def test_below_gumbel_s_root_visits_follow_the_improved_policy():
    """If all values are equal, that is the prior."""
    row, scores = row_of((0, 0, 0.6), (0, 0, 0.3), (0, 0, 0.1)), np.zeros(3)
    for _ in range(1000):
        slot = lagging_slot(row, 3, 1.0, 0.0, scores)
        row["visits"][slot] += 1
    np.testing.assert_allclose(row["visits"], [600, 300, 100], atol=1)
    row["total"][2] = 10.0
    assert lagging_slot(row, 3, 1.0, 0.0, scores) == 2
    assert lagging_slot(row, 3, -1.0, 0.0, scores) == 0


@pytest.mark.parametrize("name", [HOKM, COINCHE])
def test_trees_are_those_of_plain_python(name):
    """In the true deal, down to the last visit."""
    env = Records(name)
    guide = ToyGuide(env, arbitrary(env), TrueHands(), env.variant.max_utility)
    positions = env.deal(0, 12, seed=3)
    positions = positions.take(np.flatnonzero(~positions.ended))
    for _ in range(2):
        forest = grow(guide, positions, 1, 60)
        oracle = Oracle(guide, 1.5)
        for i in range(len(positions.actors)):
            root = oracle.node(positions.take(slice(i, i + 1)))
            for _ in range(60):
                oracle.simulate(root)
            compare(forest, i, 0, root)
        rows = np.arange(len(positions.actors))
        last = np.array([members(x)[-1] for x in positions.sets])
        positions = env.follow(positions, rows, last)
        positions = positions.take(np.flatnonzero(~positions.ended))


def compare(forest, tree, node, wanted):
    assert forest.trees.nodes[tree, node].value == pytest.approx(wanted.value, abs=1e-6)
    for slot, (a, prior) in enumerate(wanted.priors.items()):
        edge = forest.trees.edges[tree, node, slot]
        assert edge.prior == pytest.approx(prior, rel=1e-5)
        assert edge.visits == wanted.visits.get(a, 0)
        assert edge.total == pytest.approx(wanted.totals.get(a, 0), abs=1e-4)
        assert (edge.child > 0) == (a in wanted.children)
        if edge.child:
            compare(forest, tree, edge.child, wanted.children[a])


@pytest.mark.parametrize("bootstrap", [False, True])
@pytest.mark.parametrize("name", [SNAPSZER, HOKM, "python_snapszer(rules=schnapsen)"])
def test_visits_add_up(name, bootstrap):
    """Each node was reached once when it was made, and then as often as one went on from it."""
    env = Records(name)
    guide = ToyGuide(env, arbitrary(env))
    forest = grow(guide, env.deal(0, 20, seed=2), 3, 50, bootstrap=bootstrap)
    edges, nodes = forest.trees.edges, forest.trees.nodes
    ended = 0
    for t in range(len(edges)):
        n = int(np.bitwise_count(forest.worlds.sets[t]))
        assert edges[t, 0, :n]["visits"].sum() == 50
        made = set(edges[t, 0, :n]["child"]) - {0}
        while made:
            node = nodes[t, made.pop()]
            edge = edges[t, node.parent, node.slot]
            if node.ended:
                ended += 1
                assert edge.total == pytest.approx(edge.visits * node.value, rel=1e-5)
                continue
            k = int(edge.child)
            below = edges[t, k][edges[t, k]["prior"] > 0][: env.slots]
            below = below[: slots_at(below)]
            assert edge.visits == 1 + below["visits"].sum()
            assert edge.total == pytest.approx(node.value + below["total"].sum(), abs=1e-4)
            made |= set(below["child"]) - {0}
    assert ended


def slots_at(row: np.ndarray) -> int:
    """The number of edges whose priors sum to 1; what follows was never written."""
    return int(np.searchsorted(row["prior"].cumsum(), 1 - 1e-4)) + 1


def test_the_network_is_asked_about_each_tree_at_most_once_a_simulation():
    env, asked = Records("python_snapszer"), []

    def judge(positions: Positions):
        asked.append(len(positions.actors))
        assert (np.bitwise_count(positions.sets) > 1).all()  # forced moves are no nodes
        assert len({state.tobytes() for state in positions.states}) == len(positions.actors)
        return flat(env)(positions)

    grow(ToyGuide(env, judge), env.deal(0, 10, seed=6), 4, 25)
    assert len(asked) == 26
    assert max(asked) == asked[0] == 40


@pytest.mark.parametrize("exploration", [1.5, BY_VALUE])
def test_threads_do_not_matter(monkeypatch, exploration):
    env = Records("python_snapszer")
    positions = env.deal(0, 40, seed=7)
    guide, forests = ToyGuide(env, arbitrary(env)), []
    for parallel_from in (1, 10**9):
        monkeypatch.setattr("spielgames.core.loops.PARALLEL_FROM", parallel_from)
        forests.append(grow(guide, positions, 3, 30, exploration, bootstrap=True))
    one, other = forests
    np.testing.assert_array_equal(one.trees.nodes, other.trees.nodes)
    for by_visits in (True, False):
        pooled = [forest.pool(by_visits)[0] for forest in forests]
        np.testing.assert_array_equal(*pooled)
        improved = [forest.improved(*forest.pool(by_visits)) for forest in forests]
        np.testing.assert_array_equal(*improved)


def test_worlds_are_pooled_by_visits_or_each_world_as_much():
    """Two worlds: one action is tried in both, the other in one."""
    trees = plant(trees=2, simulations=3, slots=2, players=2)
    trees.edges[0, 0] = row_of((2, 1.0, 0.5), (2, -1.0, 0.5))
    trees.edges[1, 0] = row_of((4, -1.0, 0.5), (0, 0, 0.5))
    trees.nodes[:, 0]["value"] = 0.5
    states = np.zeros(2, Records(SNAPSZER).game.dtype)
    worlds = Positions(
        states, np.zeros(2, np.uint64), np.ones(2, np.int8), np.full(2, 3, np.uint64), np.zeros(2)
    )
    signs, starts = np.array([1.0, -1.0]), np.array([0, 2])

    def pooled(weights, by_visits):
        edges, raws = np.zeros((1, 2), EDGE), np.zeros(1)
        pool_worlds(edges, raws, starts, np.array(weights), worlds, trees, signs, by_visits)
        assert raws[0] == -0.5  # seat 1 is to move
        with np.errstate(invalid="ignore"):
            return edges[0]["visits"].tolist(), (edges[0]["total"] / edges[0]["visits"]).tolist()

    assert pooled([0.5, 0.5], True) == ([3.0, 1.0], [0.0, 0.5])  # seat 1 gains 0 in six visits
    elsewhere = (-0.5 + 4 * 0.25) / 5  # the mixed value of the second world
    visits, values = pooled([0.5, 0.5], False)
    assert visits == [3.0, 1.0]
    assert values == pytest.approx([(-0.5 + 0.25) / 2, (0.5 + elsewhere) / 2])
    assert pooled([1.0, 0.0], False)[1] == pytest.approx([-0.5, 0.5])
