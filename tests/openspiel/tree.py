"""Small variants unrolled without OpenSpiel: what its tools must find is known from here."""

from functools import cache, cached_property
from itertools import pairwise

import numpy as np
import pyspiel
import pytest
from scipy.optimize import linprog

from spielgames.core.batch import Batch
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.walk import levels

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

# Where the tools start: a variant, and the first moves if it is too large from the deal on. Those
# whose trees are two to four times as large are for slow tests.
STARTS = {
    "coinche": (COINCHE, "0"),
    "coinche-play": (COINCHE_PLAY, "0;1;2;3;0;1"),
    "hokm": (HOKM, ""),
    "hokm-play": (HOKM_PLAY, "5;5;5;5;5;4;5;4;55;2;3"),
    "hearts": (HEARTS, "0;1;0;1"),
    "hearts-pass": (HEARTS_PASS, "0;1;2;3;0;1"),
    "hearts-one-card": (HEARTS_ONE_CARD, ""),
    "sheephead": (SHEEPHEAD, "0;1;5;2"),
    "snapszer": (SNAPSZER, "0"),
    "snapszer-draw": (SNAPSZER_DRAW, "2;0"),
}
LARGE_STARTS = {
    "coinche-large": (COINCHE, ""),
    "coinche-play-large": (COINCHE_PLAY, "0;1;2;3;0"),
    "hokm-play-large": (HOKM_PLAY, "5;5;5;5;5;4;5;4;55;2"),
    "hearts-large": (HEARTS, "0;1;2"),
    "hearts-pass-large": (HEARTS_PASS, "0;1;2;3;0"),
    "sheephead-large": (SHEEPHEAD, "0;1;5"),
    "snapszer-large": (SNAPSZER, ""),
}


def starts(*names):
    """A test from each of these starts, and a slow one from its large sibling."""
    large = [pytest.param(s, marks=pytest.mark.slow) for s in map(sibling, names) if s]
    return pytest.mark.parametrize("start", [*names, *large])


def sibling(name):
    return f"{name}-large" if f"{name}-large" in LARGE_STARTS else None


every_start = starts(*(s for s in STARTS if s != "hearts-one-card"))
# The games that solvers learn on: one per game, with decisions for every seat.
FIVE = ("coinche", "hokm-play", "hearts", "sheephead", "snapszer-draw")
five_games = starts(*FIVE)


def game_at(start):
    """The game that the tools get."""
    name, past = (STARTS | LARGE_STARTS)[start]
    if not past:
        return pyspiel.load_game(name)
    return pyspiel.load_game(f"start_at(game={name},history= {past})")  # "0" would be a number


@cache
def tree_at(start):
    """The same, unrolled here."""
    name, past = (STARTS | LARGE_STARTS)[start]
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
        """The numbers of histories that are chance's, a seat's, nobody's."""
        mine = sum(turn >= 0 for turn in self.turns)
        return self.turns.count(CHANCE), mine, self.turns.count(TERMINAL)

    def _batch(self, states):
        return Batch.of_states(self.game.definition, self.game.variant, states)

    def knowledge(self, nodes):
        """A number for each decision that depends on the mover and what the mover knows."""
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
        """Each seat's gain by a best response."""
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
    as good for seat 0 as its realisation plan can make it."""
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
