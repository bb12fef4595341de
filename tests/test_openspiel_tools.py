"""OpenSpiel's own tools, run on small variants of every game: each must find a number known from
elsewhere.

Elsewhere is `Tree` below: it unrolls the variant with `core.walk`, groups histories by the *tensor*
of what the mover knows (the tools go by the string), and computes values, best responses and (for
two seats) the equilibrium itself.
"""

import copy
import pickle
import subprocess
import sys
import unittest
import zlib
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
import pyspiel
import pytest
import torch
from open_spiel.integration_tests import api_test
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import (
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)
from open_spiel.python.pytorch import deep_cfr
from scipy.optimize import linprog

from spielgames.core.batch import Batch
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.walk import levels
from tests.variants import FULL, SMALL, WALKED

COINCHE = "python_coinche(suits=2,ranks=2,levels=1,capot=false,doubling=false)"
COINCHE_PLAY = "python_coinche(suits=2,ranks=4,levels=1,capot=false,doubling=false)"
HOKM = "python_hokm(suits=2,ranks=2)"
HOKM_PLAY = "python_hokm(suits=2,ranks=4)"
HEARTS = "python_hearts(suits=2,ranks=4,pass=hold)"
HEARTS_PASS = "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)"
HEARTS_ONE_CARD = "python_hearts(suits=2,ranks=2,pass=left,pass_count=1)"
SHEEPHEAD = "python_sheephead(suits=2,ranks=3)"
SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=3)"
SNAPSZER_DRAW = "python_snapszer(suits=2,ranks=3,hand=2)"

# What the tools are run on: a variant, and the first moves where it is too large from the deal on.
STARTS = {
    "coinche": (COINCHE, ""),
    "coinche-play": (COINCHE_PLAY, "0;1;2;3;0"),
    "hokm": (HOKM, ""),
    "hokm-play": (HOKM_PLAY, "5;5;5;5;5;4;5;4;55;2"),
    "hearts": (HEARTS, "0;1;2"),
    "hearts-pass": (HEARTS_PASS, "0;1;2;3;0"),
    "hearts-one-card": (HEARTS_ONE_CARD, ""),
    "sheephead": (SHEEPHEAD, "0;1;5"),
    "snapszer": (SNAPSZER, ""),
    "snapszer-draw": (SNAPSZER_DRAW, "2;0"),
}
every_start = pytest.mark.parametrize("start", [s for s in STARTS if s != "hearts-one-card"])
# What solvers learn on: one per game, with decisions for most seats.
five_games = pytest.mark.parametrize(
    "start", ["coinche", "hokm-play", "hearts", "sheephead", "snapszer-draw"]
)


def game_at(start):
    """The game that the tools get."""
    name, past = STARTS[start]
    return pyspiel.load_game(f"start_at(game={name},history={past})" if past else name)


@cache
def tree_at(start):
    """The same, unrolled here."""
    name, past = STARTS[start]
    state = pyspiel.load_game(name).new_initial_state()
    for action in filter(None, past.split(";")):
        state.apply_action(int(action))
    return Tree(state)


class Tree:
    """Every history from a state on, in arrays with one entry per history; parents come first."""

    def __init__(self, state):
        self.game = state.get_game()
        self.states, self.parents, self.actions, self.chances, self.depths = flat(state.row)
        batch = self._batch(self.states)
        self.turns = batch.actors().tolist()
        self.payoffs = batch.returns()
        self.children = [[] for _ in self.parents]
        for k, parent in enumerate(self.parents[1:], 1):
            self.children[parent].append(k)

    def __len__(self):
        return len(self.parents)

    def counts(self):
        """How many histories are chance's, a seat's, nobody's."""
        mine = sum(turn >= 0 for turn in self.turns)
        return self.turns.count(CHANCE), mine, self.turns.count(TERMINAL)

    def _batch(self, states):
        return Batch.of_states(self.game.definition, self.game.variant, states)

    def knowledge(self, nodes):
        """For decisions: a number that differs if who moves, or what he knows, does."""
        seen = np.packbits(self._batch(self.states[nodes]).infostate() > 0, axis=1)
        rows = np.column_stack([np.array(self.turns)[nodes], seen])
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).tolist()

    @cached_property
    def keys(self):
        """The information set of each decision."""
        decisions = [k for k, turn in enumerate(self.turns) if turn >= 0]
        return dict(zip(decisions, self.knowledge(decisions), strict=True))

    @cached_property
    def infosets(self):
        members = {}
        for k, key in self.keys.items():
            members.setdefault(key, []).append(k)
        return members

    def face(self, k):
        return self.game.state_of(self.states[k : k + 1])

    def steps(self, policy=None):
        """The probability of each history's last step; a policy of None is uniform."""
        steps = list(self.chances)
        for k in self.keys:
            n = len(self.children[k])
            own = policy and policy.action_probabilities(self.face(k))
            for child in self.children[k]:
                steps[child] = own.get(self.actions[child], 0.0) if own else 1 / n
        return steps

    def all_values(self, steps):
        """The expected utilities of all seats after each history. `[histories, players]`"""
        values = self.payoffs.copy()
        for k in range(len(self) - 1, 0, -1):
            values[self.parents[k]] += steps[k] * values[k]
        return values

    def values(self, policy=None):
        return self.all_values(self.steps(policy))[0]

    def best_response(self, seat, steps):
        """The most that a seat can get if the others go on as in `steps`: backward induction, one
        event after the other, for histories of an information set have equally many events."""
        reach = self._reach_of_others(seat, steps)
        values = self.payoffs[:, seat].tolist()
        choices = {}
        for k in self._backwards:
            children = self.children[k]
            if self.turns[k] == seat:
                best = self._choice(self.keys[k], reach, values, choices)
                values[k] = next(values[c] for c in children if self.actions[c] == best)
            elif children:
                values[k] = sum(steps[c] * values[c] for c in children)
        return values[0]

    def _reach_of_others(self, seat, steps):
        reach = [1.0] * len(self)
        for k, parent in enumerate(self.parents[1:], 1):
            reach[k] = reach[parent] * (1.0 if self.turns[parent] == seat else steps[k])
        return reach

    @cached_property
    def _backwards(self):
        """Chance deals without events, so its nodes come after all decisions with as many."""
        events = self.states["length"].tolist()
        dealing = [turn == CHANCE for turn in self.turns]
        return np.lexsort((self.depths, np.logical_not(dealing), events))[::-1].tolist()

    def _choice(self, key, reach, values, choices):
        if key not in choices:
            worth = {}
            for c in (c for k in self.infosets[key] for c in self.children[k]):
                a = self.actions[c]
                worth[a] = worth.get(a, 0.0) + reach[c] * values[c]
            choices[key] = max(worth, key=worth.get)
        return choices[key]

    def improvements(self, policy=None):
        """What each seat gains by a best response."""
        steps = self.steps(policy)
        values = self.all_values(steps)[0]
        return [self.best_response(seat, steps) - v for seat, v in enumerate(values)]

    def nash_conv(self, policy=None):
        return sum(self.improvements(policy))


def flat(row):
    """The levels of the walk end to end: states, parents, actions, chance of the step, depths."""
    found = list(levels(row))
    sizes = [len(level.states) for level in found]
    starts = np.cumsum([0, *sizes])
    steps, parents = [np.ones(1)], [np.array([-1])]
    for (above, below), start in zip(pairwise(found), starts, strict=False):
        steps.append(below.reach / above.reach[below.parents])
        parents.append(below.parents + start)
    return (
        np.concatenate([level.states for level in found]),
        np.concatenate(parents).tolist(),
        np.concatenate([level.actions for level in found]).tolist(),
        np.concatenate(steps).tolist(),
        np.repeat(np.arange(len(found)), sizes),
    )


def equilibrium_value(tree):
    """What seat 0 gets in a game of two seats, by linear programming over sequences of own moves
    (von Stengel 1996): the other seat's best response value, one variable per information set, is
    as good for seat 0 as his realisation plan can make it."""
    sequences, sums, leaves = realisations(tree)
    payoff = np.zeros([len(of_seat) for of_seat in sequences])
    for first, second, worth in leaves:
        payoff[first, second] += worth
    plans = [plan_constraints(len(s), c) for s, c in zip(sequences, sums, strict=True)]
    n, m = len(sequences[0]), len(plans[1])
    solution = linprog(
        np.concatenate([np.zeros(n), -np.eye(m)[0]]),
        A_ub=np.hstack([-payoff.T, plans[1].T]),
        b_ub=np.zeros(len(sequences[1])),
        A_eq=np.hstack([plans[0], np.zeros((len(plans[0]), m))]),
        b_eq=np.eye(len(plans[0]))[0],
        bounds=[(0, None)] * n + [(None, None)] * m,
    )
    return -solution.fun


def realisations(tree):
    """Per seat: the sequences of own moves, and which of them add up to which; then the leaves."""
    sequences, sums, leaves = ({(): 0}, {(): 0}), ({}, {}), []
    todo = [(0, (0, 0), 1.0)]
    while todo:
        k, past, chance = todo.pop()
        seat = tree.turns[k]
        if seat == TERMINAL:
            leaves.append((*past, chance * tree.payoffs[k, 0]))
        for child in tree.children[k]:
            after = list(past)
            if seat >= 0:
                move = (tree.keys[k], tree.actions[child])
                after[seat] = sequences[seat].setdefault(move, len(sequences[seat]))
                sums[seat].setdefault((past[seat], tree.keys[k]), set()).add(after[seat])
            todo.append((child, tuple(after), chance * tree.chances[child]))
    return sequences, sums, leaves


def plan_constraints(n, sums):
    """The empty sequence weighs 1; the moves of an information set weigh what led to it."""
    rows = np.zeros((1 + len(sums), n))
    rows[0, 0] = 1
    for row, ((before, _), after) in zip(rows[1:], sums.items(), strict=True):
        row[before] = -1
        row[list(after)] = 1
    return rows


class Lopsided(policies.Policy):
    """A policy far from uniform, and the same wherever a seat has seen the same."""

    def __init__(self, game):
        super().__init__(game, list(range(game.num_players())))

    def action_probabilities(self, state, player_id=None):
        seen = state.information_state_string(state.current_player())
        weights = {a: 1 + zlib.crc32(f"{seen} {a}".encode()) % 9 for a in state.legal_actions()}
        return {a: weight / sum(weights.values()) for a, weight in weights.items()}


class Mixed(policies.Policy):
    """One seat plays by one policy, the others by another."""

    def __init__(self, game, seat, own, others):
        super().__init__(game, list(range(game.num_players())))
        self.seat, self.own, self.others = seat, own, others

    def action_probabilities(self, state, player_id=None):
        mine = state.current_player() == self.seat
        return (self.own if mine else self.others).action_probabilities(state)


class Renormalised(policies.Policy):
    """A policy with the weight that it gives to illegal actions taken away."""

    def __init__(self, game, policy):
        super().__init__(game, list(range(game.num_players())))
        self.policy = policy

    def action_probabilities(self, state, player_id=None):
        weights = self.policy.action_probabilities(state)
        total = sum(weights.values())
        return {a: float(weight / total) for a, weight in weights.items()}


@pytest.fixture
def global_luck():
    """The samplers draw from NumPy's global generator: seeded here, and put back."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(7)  # noqa: NPY002
    yield
    np.random.set_state(before)  # noqa: NPY002


@every_start
def test_seats_remember_what_they_knew_and_did(start):
    """Histories of one information set agree on their mover's past (the tools rely on it)."""
    tree = tree_at(start)
    pasts = [[()] * tree.game.num_players()]
    for k, parent in enumerate(tree.parents[1:], 1):
        pasts.append(pasts[parent].copy())
        if parent in tree.keys:
            pasts[k][tree.turns[parent]] += ((tree.keys[parent], tree.actions[k]),)
    for nodes in tree.infosets.values():
        assert len({pasts[k][tree.turns[k]] for k in nodes}) == 1


@every_start
def test_expected_game_score(start):
    game, tree = game_at(start), tree_at(start)
    lopsided = Lopsided(game)
    value = expected_game_score.policy_value(
        game.new_initial_state(), [lopsided] * game.num_players()
    )
    np.testing.assert_allclose(value, tree.values(lopsided), atol=1e-9)


@every_start
def test_expected_returns_in_cpp(start):
    game, tree = game_at(start), tree_at(start)
    value = pyspiel.expected_returns(
        game.new_initial_state(), pyspiel.UniformRandomPolicy(game), -1, False
    )
    np.testing.assert_allclose(value, tree.values(), atol=1e-9)


@every_start
def test_best_response(start):
    """Its value is the best there is, and playing it earns that value."""
    game, tree = game_at(start), tree_at(start)
    lopsided = Lopsided(game)
    steps = tree.steps(lopsided)
    for seat in range(game.num_players()):
        response = best_response.BestResponsePolicy(game, seat, lopsided)
        best = response.value(game.new_initial_state())
        assert best == pytest.approx(tree.best_response(seat, steps), abs=1e-9)
        earned = tree.values(Mixed(game, seat, response, lopsided))[seat]
        assert best == pytest.approx(earned, abs=1e-9)


@every_start
def test_nash_conv(start):
    game, tree = game_at(start), tree_at(start)
    lopsided = Lopsided(game)
    found = exploitability.nash_conv(game, lopsided, return_only_nash_conv=False)
    np.testing.assert_allclose(found.player_improvements, tree.improvements(lopsided), atol=1e-9)
    assert found.nash_conv > 0.1


@every_start
def test_nash_conv_in_cpp(start):
    game, tree = game_at(start), tree_at(start)
    found = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    assert found == pytest.approx(tree.nash_conv(), abs=1e-9)


def test_hokm_with_one_card_each_by_hand():
    """Whoever takes the one trick has them all: +2 (kot), or 3 against the Hakem. If the Hakem
    names the suit of his card, he wins with its ace, and with its king if his partner has the ace:
    2/3. If he names the other suit, a partner with its ace wins: 1/3."""
    tree = tree_at("hokm")
    good, bad = (2 * p - 3 * (1 - p) for p in (2 / 3, 1 / 3))
    assert tree.values()[0] == pytest.approx((good + bad) / 2)
    assert tree.best_response(0, tree.steps()) == pytest.approx(good)


def run(solver, iterations):
    """The solver, run. (Hold on to it: in C++ its average policy dies with it.)"""
    step = getattr(solver, "evaluate_and_update_policy", None) or solver.iteration
    for _ in range(iterations):
        step()
    return solver


def share_left(tree, policy):
    """How much of what can be gained against uniform play can still be gained."""
    return tree.nash_conv(policy) / tree.nash_conv()


@five_games
def test_cfr(start):
    game, tree = game_at(start), tree_at(start)
    average = run(cfr.CFRSolver(game), 8).average_policy()
    assert share_left(tree, average) < 0.35


@pytest.mark.parametrize("start", ["hokm", "snapszer"])
def test_cfr_in_cpp_does_the_same(start):
    game, tree = game_at(start), tree_at(start)
    ours = run(cfr.CFRSolver(game), 4)
    theirs = run(pyspiel.CFRSolver(game), 4)
    found = pyspiel.nash_conv(game, theirs.average_policy())
    assert found == pytest.approx(tree.nash_conv(ours.average_policy()), abs=1e-9)


@pytest.mark.parametrize("start", ["snapszer", "snapszer-draw"])
def test_cfr_plus_finds_the_value_of_snapszer(start):
    game, tree = game_at(start), tree_at(start)
    average = run(cfr.CFRPlusSolver(game), 40).average_policy()
    assert tree.nash_conv(average) < 0.01
    assert tree.values(average)[0] == pytest.approx(equilibrium_value(tree), abs=0.005)


@five_games
def test_external_sampling_mccfr(start, global_luck):
    game, tree = game_at(start), tree_at(start)
    average = run(external_sampling_mccfr.ExternalSamplingSolver(game), 200).average_policy()
    assert share_left(tree, average) < 0.4


@five_games
def test_outcome_sampling_mccfr(start, global_luck):
    game, tree = game_at(start), tree_at(start)
    average = run(outcome_sampling_mccfr.OutcomeSamplingSolver(game), 600).average_policy()
    assert share_left(tree, average) < 0.5


def clear_positions(tree):
    """Decisions where one action, on average over all worlds the mover must reckon with, is better
    than any other whatever anybody does later. First those where it is a mistake in the true world,
    or worth something else there, which tells who peeks. As (misleading, off, gap, history, action,
    low, high)."""
    low, high = bounds(tree)
    choices = [k for k, turn in enumerate(tree.turns) if turn >= 0 and len(tree.children[k]) > 1]
    worlds = {}
    for k, key in zip(choices, tree.knowledge(choices), strict=True):
        worlds.setdefault(key, []).append(k)
    found = [clear_position(tree, nodes, low, high) for nodes in worlds.values()]
    return sorted((p for p in found if p[2] > 0), key=lambda p: p[:3], reverse=True)


def clear_position(tree, nodes, low, high):
    seat = tree.turns[nodes[0]]
    worst = np.array([low[tree.children[k], seat] for k in nodes])
    best = np.array([high[tree.children[k], seat] for k in nodes])
    means = worst.mean(axis=0), best.mean(axis=0)
    i = means[0].argmax()
    others = np.arange(len(means[0])) != i
    mistakes = best[:, i] < worst[:, others].max(axis=1)
    off = np.maximum(worst[:, i] - means[1][i], means[0][i] - best[:, i])
    w = max(range(len(nodes)), key=lambda w: (mistakes[w], off[w]))
    gap = means[0][i] - means[1][others].max()
    action = tree.actions[tree.children[nodes[w]][i]]
    return mistakes[w], off[w], gap, nodes[w], action, means[0][i], means[1][i]


def bounds(tree):
    """The least and the most that each seat may get from each history on."""
    low, high = tree.payoffs.copy(), tree.payoffs.copy()
    for k in range(len(tree) - 1, -1, -1):
        children = tree.children[k]
        if tree.turns[k] == CHANCE:
            p = np.array([tree.chances[c] for c in children])
            low[k], high[k] = p @ low[children], p @ high[children]
        elif children:
            low[k], high[k] = low[children].min(axis=0), high[children].max(axis=0)
    return low, high


@pytest.mark.parametrize("name", [COINCHE, HOKM_PLAY, HEARTS, SHEEPHEAD, SNAPSZER_DRAW])
def test_ismcts(name):
    """It finds the clearly best action, and what that is worth, from worlds that we sample."""
    game = pyspiel.load_game(name)
    tree = Tree(game.new_initial_state())
    positions = clear_positions(tree)[:3]
    assert positions
    for _, _, _, node, action, low, high in positions:
        policy, values = searched(game, tree.face(node))
        assert policy[action] == 1.0
        margin = 0.05 * (game.max_utility() - game.min_utility())
        assert low - margin <= values[action] <= high + margin


def searched(game, state):
    """The policy of the bot at a state, and the value it gives to each action."""
    luck = np.random.RandomState(7)  # noqa: NPY002
    span = game.max_utility() - game.min_utility()
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    bot = ismcts.ISMCTSBot(game, rollouts, span / 4, 400, random_state=luck)
    sampler = pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)  # the bot's own is seeded by the clock
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, sampler))
    policy = dict(bot.get_policy(state))
    return policy, {a: child.value() for a, child in bot._root_node.child_info.items()}


@pytest.fixture
def quiet_torch():
    """One thread: tiny networks crawl where several fight for busy cores. Luck is put back."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng():
        yield
    torch.set_num_threads(threads)


@pytest.mark.slow
@five_games
def test_deep_cfr(start, global_luck, quiet_torch):
    """With both batch sizes given (it trains on empty memory otherwise), and its probabilities,
    which don't add up to 1, put right."""
    game, tree = game_at(start), tree_at(start)
    solver = deep_cfr.DeepCFRSolver(
        game,
        policy_network_layers=(64, 64),
        advantage_network_layers=(64, 64),
        num_iterations=8,
        num_traversals=40,
        learning_rate=1e-3,
        batch_size_advantage=128,
        batch_size_strategy=128,
        memory_capacity=20_000,
        policy_network_train_steps=180,
        advantage_network_train_steps=60,
        seed=7,
    )
    solver.solve()
    assert share_left(tree, Renormalised(game, solver)) < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", [HEARTS, SHEEPHEAD, SNAPSZER_DRAW])
def test_nash_conv_from_the_deal_on(name):
    game = pyspiel.load_game(name)
    tree = Tree(game.new_initial_state())
    lopsided = Lopsided(game)
    found = exploitability.nash_conv(game, lopsided, return_only_nash_conv=False)
    np.testing.assert_allclose(found.player_improvements, tree.improvements(lopsided), atol=1e-9)


PLAYED = [*FULL, *WALKED, *SMALL]


@pytest.mark.parametrize("name", WALKED)  # the others are played in test_openspiel_face.py
def test_random_sim_test(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


def play(state, seed, moves=1000):
    """Plays on at random."""
    luck = np.random.default_rng(seed)
    while moves and not state.is_terminal():
        state.apply_action(int(luck.choice(state.legal_actions())))
        moves -= 1
    return state


COPIES = {
    "clone": lambda state: state.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
    "serialize": lambda state: state.get_game().deserialize_state(state.serialize()),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", PLAYED)
def test_copied_states(name, way):
    """A copy at any point goes on as the original does, and leaves it alone."""
    game = pyspiel.load_game(name)
    for moves in (0, 3, game.max_chance_nodes_in_history() // 2 + 3, 1000):
        state = play(game.new_initial_state(), 1, moves)
        before = str(state)
        twin = COPIES[way](state)
        assert (str(twin), twin.history()) == (before, state.history())
        play(twin, 2)
        assert str(state) == before
        assert play(state, 2).history() == twin.history()
        assert state.returns() == twin.returns()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
@pytest.mark.parametrize("name", PLAYED)
def test_copied_games(name, way):
    game = pyspiel.load_game(name)
    twin = way(game)
    assert str(twin) == str(game)
    ends = [play(g.new_initial_state(), 3) for g in (game, twin)]
    assert ends[0].history() == ends[1].history()
    assert ends[0].returns() == ends[1].returns()


def failures(base, game, skipped=()):
    """What goes wrong in OpenSpiel's own checks of a game's interface."""
    members = {"game": game, "game_name": str(game), **dict.fromkeys(skipped)}
    checks = unittest.defaultTestLoader.loadTestsFromTestCase(type("Checks", (base,), members))
    result = unittest.TestResult()
    checks.run(result)
    assert result.testsRun >= 5
    return [text for _, text in result.failures + result.errors]


# With one card a hand, or none hidden, all deals have equally many chance nodes. (OpenSpiel's check
# of perfect recall wants histories that look alike to be equally long.)
checked_games = pytest.mark.parametrize(
    "start", ["coinche", "hokm", "hearts-one-card", "sheephead", "snapszer"]
)


@checked_games
def test_api_on_sampled_states(start):
    assert not failures(api_test.EnforceAPIOnPartialTreeBase, game_at(start))


@checked_games
def test_api_on_every_state(start, monkeypatch):
    game, tree = game_at(start), tree_at(start)
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, str(game), tree.counts())
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, str(game), len(tree.infosets))
    # Thirds of points don't add up to exactly 0, as that check wants; random_sim_test has a margin.
    skipped = ["test_constant_sum"] if "hearts" in start else []
    assert not failures(api_test.EnforceAPIOnFullTreeBase, game, skipped)


def test_pickles_open_in_a_new_process(tmp_path):
    """As in workers that are spawned, which have imported nothing."""
    game = pyspiel.load_game(HOKM_PLAY)
    state = play(game.new_initial_state(), 1, 5)
    file = tmp_path / "pickle"
    file.write_bytes(pickle.dumps((game, state)))
    code = "import pickle, sys; print(*map(str, pickle.load(open(sys.argv[1], 'rb'))), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (f"{game}\n{state}\n", 0), done.stderr
