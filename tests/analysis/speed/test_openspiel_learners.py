"""OpenSpiel's learners as ours are run: what they reach, and what they count."""

from collections import Counter

import numpy as np
import pyspiel
import pytest
import torch
from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

from analysis.speed.openspiel_base import Luck
from analysis.speed.openspiel_learners import LEARNERS
from solvers.exact.best_response import nash_conv
from solvers.exact.profiles import load_tree, uniform

SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=3)"
ONE_CARD_EACH = "python_hearts(suits=2,ranks=2,pass=hold)"
DEEP, OUTCOME, EXTERNAL, CPP_OUTCOME, CPP_EXTERNAL, ISMCTS = LEARNERS

QUICK = {DEEP: {"layers": (32,), "traversals": 20, "steps": 60, "policy_steps": 200, "batch": 64}}
HISTORIES = {DEEP: {"traversals": 1, "steps": 1}}  # an iteration as in Monte Carlo CFR
BUDGETS = {DEEP: 6, OUTCOME: 1500, EXTERNAL: 500, CPP_OUTCOME: 20_000, CPP_EXTERNAL: 500}
BUDGETS[ISMCTS] = 40

every_learner = pytest.mark.parametrize("name", LEARNERS)


def start(name, game="kuhn_poker", seed=1, **settings):
    return LEARNERS[name](game, seed=seed, **QUICK.get(name, {}) | settings)


@every_learner
def test_kuhn_gets_closer_to_an_equilibrium(name):
    learner = start(name)
    learner.run(BUDGETS[name])
    assert nash_conv(learner.tree, learner.profile()) < 0.917 / 2  # half of uniform play's


@every_learner
def test_one_of_our_games(name):
    tree = load_tree(SNAPSZER)
    learner = start(name, tree)
    learner.run(BUDGETS[name])
    assert learner.tree is tree
    assert nash_conv(tree, learner.profile()) < nash_conv(tree, uniform(tree)) / 2


@every_learner
@pytest.mark.parametrize("game", ["kuhn_poker(players=3)", SNAPSZER])
def test_profiles_are_distributions(name, game):
    learner = start(name, game)
    learner.run(1)
    for plex, chances in zip(learner.tree.seats, learner.profile(), strict=True):
        assert chances.min() >= 0
        np.testing.assert_allclose(np.add.reduceat(chances, plex.first[:-1]), 1, atol=1e-9)


@every_learner
def test_the_seed_decides_everything(name):
    """Also where runs are cut differently and profiles asked for on the way, by learners that take
    turns, and whatever the global generators do.
    """
    one, other, third = (start(name, seed=seed) for seed in (1, 1, 2))
    one.run(4)
    np.random.seed(5)  # noqa: NPY002
    torch.manual_seed(5)
    other.run(1)
    other.profile()
    third.run(4)
    other.run(3)
    profiles = [np.concatenate(learner.profile()).tolist() for learner in (one, other, third)]
    assert profiles[0] == profiles[1] != profiles[2]
    assert one.nodes == other.nodes


@every_learner
def test_the_rest_of_the_process_notices_nothing(name):
    np.random.seed(5)  # noqa: NPY002
    torch.manual_seed(5)
    threads = torch.get_num_threads()
    before = np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    learner = start(name)
    learner.run(2)
    learner.profile()
    after = np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    assert all(np.array_equal(a, b) for a, b in zip(before[0], after[0], strict=True))
    assert torch.equal(before[1], after[1])
    assert torch.get_num_threads() == threads


class Moves:
    """All moves that are made in a game, by what they lead to: a decision, chance or the end."""

    def __init__(self, monkeypatch, game):
        self.entered = Counter()
        state_class = type(pyspiel.load_game(game).new_initial_state())
        apply = state_class.apply_action

        def noted(state, action):
            apply(state, action)
            self.entered[min(0, state.current_player())] += 1

        monkeypatch.setattr(state_class, "apply_action", noted)


@pytest.mark.parametrize("name", [DEEP, ISMCTS])
def test_states_are_counted_as_moves_lead_to_them(name, monkeypatch):
    """A traversal enters the deal without a move, a search its information set. (Monte Carlo CFR
    makes its moves in C++.)
    """
    learner = start(name, SNAPSZER)
    learner.run(2 if name == ISMCTS else 0)
    before = learner.nodes, learner.decisions
    moves = Moves(monkeypatch, SNAPSZER)
    learner.run(2)
    roots = 2 * len(learner.searches) if name == ISMCTS else 2 * 2 * QUICK[DEEP]["traversals"]
    decisions = moves.entered[0] + (roots if name == ISMCTS else 0)
    assert learner.decisions - before[1] == decisions
    assert learner.nodes - before[0] == moves.entered.total() + roots
    assert moves.entered[0] and moves.entered[-4]


@pytest.mark.parametrize("name", [DEEP, OUTCOME, EXTERNAL])
def test_nodes_where_nobody_has_a_choice(name):
    """Each of the four seats has one card: four are dealt, four are played, and the deal ends."""
    learner = start(name, ONE_CARD_EACH, **HISTORIES.get(name, {}))
    learner.run(5)
    assert (learner.nodes, learner.decisions) == (5 * 4 * (4 + 4 + 1), 5 * 4 * 4)


@pytest.mark.parametrize("name", [DEEP, EXTERNAL])
def test_nodes_of_external_sampling_in_kuhn(name):
    """Two cards are dealt. When seat 0 tries both its actions, seat 1 answers each; 3 decisions and
    2 ends, unless it bets after a pass: one decision and one end more. When seat 1 does, seat 0 has
    passed and answers a bet (3 and 2), or has bet (2 and 2).
    """
    n = 200
    learner = start(name, **HISTORIES.get(name, {}))
    learner.run(n)
    ends = learner.nodes - learner.decisions - 2 * (2 * n)
    bets_of_1 = ends - 4 * n
    bets_of_0 = 6 * n + bets_of_1 - learner.decisions
    assert 0 < bets_of_1 < n
    assert 0 < bets_of_0 < n


def test_a_watched_decision_is_one_that_is_looked_up():
    learner = start(EXTERNAL, SNAPSZER)
    looked_up = Counter()
    look_up = learner.solver._lookup_infostate_info

    def noted(key, count):
        looked_up[key] += 1
        return look_up(key, count)

    learner.solver._lookup_infostate_info = noted
    learner.run(20)
    assert learner.decisions == looked_up.total() > 0


@pytest.mark.parametrize("name", [CPP_OUTCOME, CPP_EXTERNAL])
def test_nodes_that_nobody_sees_are_not_made_up(name):
    learner = start(name)
    learner.run(1)
    assert learner.nodes is learner.decisions is None


def test_deep_cfr_learns_as_in_its_own_loop():
    """All but the policy network, which ours trains apart."""
    learner = start(DEEP, batch=16)
    learner.run(3)
    with Luck(1).used():
        theirs = DeepCFRSolver(
            pyspiel.load_game("kuhn_poker"),
            policy_network_layers=(32,),
            advantage_network_layers=(32,),
            num_iterations=3,
            num_traversals=20,
            learning_rate=1e-3,
            batch_size_advantage=16,
            batch_size_strategy=16,
            memory_capacity=1000,
            advantage_network_train_steps=60,
            seed=1,
        )
        theirs.solve()
    ours = learner.solver
    assert len(ours.strategy_buffer) == len(theirs.strategy_buffer) > 0
    for one, other in zip(ours._advantage_networks, theirs._advantage_networks, strict=True):
        for weights, same in zip(one.parameters(), other.parameters(), strict=True):
            assert torch.equal(weights, same)


def test_deep_cfr_learns_from_fewer_samples_than_a_batch():
    """Where OpenSpiel's skips training without a word, and goes on with untrained networks."""
    learner = start(DEEP, traversals=1, batch=1000)
    learner.run(1)
    solver = learner.solver
    assert 0 < len(solver.advantage_buffers[0]) < 1000
    for optimizer in solver._optimizer_advantages:
        assert {state["step"].item() for state in optimizer.state.values()} == {60}


def test_searches_go_on():
    """Simulations in two portions are as many in one tree; the first only opens the root."""
    learner = start(ISMCTS)
    for iterations in (1, 30, 70):
        learner.run(iterations)
    for _, search in learner.searches:
        visits = [child.visits for child in search._root_node.child_info.values()]
        assert sum(visits) == search._root_node.total_visits == 100


def test_searches_beyond_the_limit_are_refused():
    """Nothing has been searched then. In Kuhn, a simulation enters two states or three."""
    learner = start(ISMCTS, limit=1000)
    assert 2 * 12 * 50 < learner.expected_nodes(50) < 3 * 12 * 50
    with pytest.raises(ValueError, match="50 simulations at each of 12 .* but limit=1000 is allow"):
        learner.run(50)
    assert learner.nodes == 0
    learner.run(10)
    assert 0 < learner.nodes < 1000


@pytest.mark.parametrize(
    ("name", "settings", "reason"),
    [
        (DEEP, {"batch": 0}, "batch=0 is not allowed; it is more than 0"),
        (OUTCOME, {"exploration": 0}, "exploration=0 is not allowed"),
        (
            CPP_OUTCOME,
            {"exploration": 1.5},
            "exploration=1.5 is not allowed; it is more than 0 and at",
        ),
        (ISMCTS, {"final": "BEST"}, "final=BEST is not allowed; it is one of NORMALIZED"),
    ],
)
def test_bad_settings_are_refused(name, settings, reason):
    with pytest.raises(ValueError, match=reason):
        start(name, **settings)
