"""Information-set tree search: what it finds in endings that brute force can solve, and how."""

import numpy as np
import pyspiel
import pytest

from solvers.openspiel_ismcts import OpenSpielIsmcts
from solvers.search.ismcts import IsmctsAgent, means_of
from solvers.search.tree import FIRST, NODE, NOTHING, grow_tree
from solvers.search.worlds import draw_worlds, seeds_of
from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.core.cards import members
from tests.openspiel.test_search import clear_positions
from tests.openspiel.tree import COINCHE, HEARTS, HOKM_PLAY, SHEEPHEAD, SNAPSZER_DRAW, Tree
from tests.solvers.search.endings import Unfit, all_worlds, best_response, endings
from tests.variants import FULL

SNAPSZER = "python_snapszer(suits=2,ranks=4,hand=3)"


@pytest.mark.parametrize("name", FULL)
def test_it_does_the_same_wherever_it_cannot_tell_the_difference(name):
    batch = Batch(name, 10, seed=6)
    batch.step(batch.legal_mask().argmax(axis=1))  # Hearts: a card is passed unseen
    worlds = batch.worlds(count=4, seed=1)
    agent = make_agent("ismcts:60", name)
    here, there = (agent.counts(games.states, 60) for games in (batch, worlds))
    np.testing.assert_array_equal(there, here.repeat(4, axis=0))
    other = make_agent("ismcts:60,seed=1", name)
    assert (other.counts(batch.states, 60) != here).any()
    assert ((here[..., 0] > 0) == batch.legal_mask()).all()


def test_it_finds_what_the_best_play_is_worth():
    """In endings in which others have no choice left, but may hold any of the unseen cards."""
    name, found, agent = HEARTS, 0, IsmctsAgent(HEARTS, sims=4000, seed=3)
    for state in endings(name, cards=2, seed=5):
        try:
            worlds, weights = all_worlds(name, state)
            values = best_response(worlds, weights, int(state["turn"][0]))
        except Unfit:
            continue
        best, *_, worst = sorted(values, key=values.get, reverse=True)
        if len(worlds) == 1 or values[best] - values[worst] < 0.5:
            continue
        assert agent.probabilities(state)[0, best] == 1
        assert agent.values(state)[0] == pytest.approx(values[best], abs=0.5)
        found += 1
        if found == 12:
            return
    raise AssertionError(f"only {found} endings")


@pytest.mark.parametrize("name", [COINCHE, HOKM_PLAY, HEARTS, SHEEPHEAD, SNAPSZER_DRAW])
def test_it_agrees_with_openspiel_s(name):
    """Where one action is better whatever anybody does, both find it; ours knows its worth."""
    game = pyspiel.load_game(name)
    tree = Tree(game.new_initial_state())
    ours, theirs = IsmctsAgent(name, sims=400), OpenSpielIsmcts(name, sims=400, exploration=0.7)
    for _, _, _, node, action, low, high in clear_positions(tree)[:3]:
        state = tree.face(node)
        for agent in (ours, theirs):
            assert agent.probabilities(state.row)[0].argmax() == action
        margin = 0.05 * (game.max_utility() - game.min_utility())
        assert low - margin <= ours.values(state.row)[0] <= high + margin


def grown(name: str, batch: Batch, sims: int) -> np.ndarray:
    """The tree of the first game of a batch."""
    drawn = draw_worlds(batch.states[:1], sims, seeds_of(batch.states[:1], 0, 0))
    tree, path = np.zeros(1 + 2 * sims, NODE), np.zeros((batch.variant.max_moves, 2), np.int64)
    levels, counts = np.zeros(batch.game.players, np.int64), np.zeros((batch.game.actions, 3))
    grow_tree(drawn.states[0], drawn.luck[0], levels, 1.0, tree, path, counts)
    return tree


def below(tree: np.ndarray, at: int) -> list[int]:
    """The children of a node."""
    found, node = [], int(tree[at].child)
    while node != NOTHING:
        found.append(node)
        node = int(tree[node].sibling)
    return found


def test_an_action_counts_as_available_where_it_was_legal():
    """An opponent's, once for each visit of the decision in a world in which they have the card."""
    batch, sims = Batch(SNAPSZER, 1, seed=2), 600
    tree = grown(SNAPSZER, batch, sims)
    rare = 0
    for own in below(tree, int(FIRST)):
        assert tree[own].visits <= tree[own].available <= sims
        for decision in below(tree, own):
            replies = below(tree, decision)
            met = sum(int(tree[reply].visits) for reply in replies)
            assert met < tree[own].visits + 1  # one visit was the action's first
            assert {int(tree[reply].label) for reply in replies} == set(
                members(tree[decision].tried)
            )
            assert all(tree[r].visits <= tree[r].available <= met for r in replies)
            rare += any(tree[r].available < 0.8 * met for r in replies)
    assert rare
    assert sum(int(tree[own].visits) for own in below(tree, int(FIRST))) == sims


def test_its_explanation_says_what_was_tried():
    batch = Batch(SNAPSZER, 1, seed=2)
    agent = make_agent("ismcts:sims=300", SNAPSZER)
    (told,) = agent.explain(batch.states)
    counts = agent.counts(batch.states, 300)
    assert told.share == "tried"
    assert told.worlds == 300
    assert sum(verdict.best for verdict in told.verdicts) == pytest.approx(1)
    for verdict in told.verdicts:
        assert verdict.mean == means_of(counts)[0, verdict.action]
        assert verdict.low <= verdict.mean <= verdict.high
    chosen = max(told.verdicts, key=lambda verdict: verdict.best)
    assert chosen.chance == 1
    assert told.why.startswith(f"{{{chosen.action}}} was tried most often")
    deeper = list(agent.deepen(batch.states, rounds=2))
    assert [explanations[0].worlds for explanations in deeper] == [300, 600]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("ismcts:sims=0", "sims=0 is not allowed; a search needs at least 1"),
        ("ismcts:exploration=-1", "exploration=-1.0 is not allowed; it must be at least 0"),
        ("ismcts:level=best", f"the rules of {SNAPSZER} have no level 'best'; they have"),
    ],
)
def test_wrong_options_say_what_is_allowed(spec, why):
    with pytest.raises(ValueError) as error:
        make_agent(spec, SNAPSZER)
    assert str(error.value).startswith(why)
