"""Joint best responses and team equilibria, against all plans tried one by one."""

from itertools import product

import numpy as np
import pyspiel
import pytest
from scipy.optimize import linprog

from solvers.exact.linear_program import solve
from solvers.exact.profiles import load_tree, normalised, uniform
from solvers.teams.best_response import bracket, stakes
from solvers.teams.equilibrium import tmecor
from spielgames.core.foreign import unroll_foreign
from spielgames.core.tree import unroll_game

KUHN3 = "kuhn_poker(players=3)"
GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=true,num_cards=3,players={},"
    "points_order=descending,returns_type=win_loss))"
)
COINCHE = "python_coinche(suits=2,ranks=2,levels=1,capot=false)"


def random_profile(tree, seed=5):
    rng = np.random.default_rng(seed)
    return [normalised(plex, rng.random(plex.sequences)) for plex in tree.seats]


def plans(plex, sequence=0):
    """All plans of a seat after a sequence: the sets of sequences that each plays to, the seat's
    other decisions left out.
    """
    found = [[sequence]]
    for i in np.flatnonzero(plex.parent == sequence):
        own = range(plex.first[i], plex.first[i + 1])
        below = [plan for choice in own for plan in plans(plex, choice)]
        found = [head + tail for head, tail in product(found, below)]
    return found


def plan_reaches(tree, seat):
    """The leaves that each plan of a seat plays to. `[plans, leaves]`"""
    plex = tree.seats[seat]
    listed = plans(plex)
    table = np.zeros((len(listed), plex.sequences), bool)
    for k, plan in enumerate(listed):
        table[k, plan] = True
    return table[:, tree.leaves[:, seat]]


def joint_reaches(tree, seats):
    """The leaves that each joint plan of some seats plays to."""
    joint = np.ones((1, len(tree.leaves)), bool)
    for seat in seats:
        own = plan_reaches(tree, seat)
        joint = (joint[:, None] & own[None]).reshape(-1, len(tree.leaves))
    return joint


def profile_reach(tree, profile, seats):
    """The probability that some seats play to each leaf."""
    reach = np.ones(len(tree.leaves))
    for seat in seats:
        plex, own = tree.seats[seat], np.ones(tree.seats[seat].sequences)
        for i, parent in enumerate(plex.parent):
            part = slice(plex.first[i], plex.first[i + 1])
            own[part] = own[parent] * profile[seat][part]
        reach *= own[tree.leaves[:, seat]]
    return reach


def best_pair(tree, team, weights):
    """The best joint plan's value: all plans of one partner, each answered by the other's best
    choices, found backwards.
    """
    plex, column = tree.seats[team[1]], tree.leaves[:, team[1]]
    return max(backwards(plex, weights * own, column) for own in plan_reaches(tree, team[0]))


def backwards(plex, weights, column):
    value = np.bincount(column, weights, plex.sequences)
    for i in reversed(range(plex.sets)):
        value[plex.parent[i]] += value[plex.first[i] : plex.first[i + 1]].max()
    return value[0]


def matrix_value(table):
    """The value of a zero-sum matrix game to the player of the rows."""
    rows, columns = table.shape
    found = linprog(
        np.append(np.zeros(rows), -1),
        A_ub=np.column_stack([-table.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0)[None],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -found.fun


def others_of(tree, team):
    return tuple(seat for seat in range(tree.players) if seat not in team)


@pytest.mark.parametrize("make", [uniform, random_profile])
@pytest.mark.parametrize("team", [(0, 1), (0, 2), (2, 1)])
def test_the_bracket_of_kuhn_poker(team, make):
    tree = load_tree(KUHN3)
    profile = make(tree)
    weights = stakes(tree, team) * profile_reach(tree, profile, others_of(tree, team))
    found = bracket(tree, profile, team)
    expected = best_pair(tree, team, weights)
    assert found.now <= found.alone <= expected + 1e-9
    assert found.joint.value == pytest.approx(expected, abs=1e-9)
    assert found.joint.bound == pytest.approx(expected, abs=1e-6)
    assert found.together >= expected - 1e-9
    planned = dict(zip(team, found.plan, strict=True))
    assert weights @ profile_reach(tree, planned, team) == pytest.approx(expected)


def test_seeing_both_cards_is_worth_something():
    """The first and the last to bet in Kuhn poker are strictly apart on all three."""
    found = bracket(load_tree(KUHN3), uniform(load_tree(KUHN3)), (0, 2))
    assert found.alone + 0.01 < found.joint.value == pytest.approx(0.6875)
    assert found.joint.bound + 0.01 < found.together == pytest.approx(37 / 48)


def test_a_partner_without_decisions_changes_nothing():
    """With a card each only the caller of trumps decides."""
    tree = load_tree("python_hokm(suits=2,ranks=2)")
    found = bracket(tree, uniform(tree), (0, 2))
    assert found.alone == found.joint.value == found.joint.bound == found.together == found.each[0]
    assert found.each[1] == found.now < found.alone


def test_without_time_the_bracket_still_holds():
    tree = load_tree(COINCHE)
    exact = bracket(tree, uniform(tree), (0, 2))
    hasty = bracket(tree, uniform(tree), (0, 2), seconds=0.0)
    assert exact.joint.bound == pytest.approx(exact.joint.value, abs=1e-4)
    assert hasty.joint.value <= exact.joint.value + 1e-9
    assert hasty.joint.bound >= exact.joint.value - 1e-9
    assert hasty.joint.bound <= hasty.together


def test_a_team_of_three_against_all_plans():
    tree = load_tree(GOOFSPIEL.format(4))
    profile = random_profile(tree)
    weights = stakes(tree, (0, 1, 3)) * profile_reach(tree, profile, (2,))
    first, rest = plan_reaches(tree, 0), joint_reaches(tree, (1, 3))
    expected = max((rest @ (weights * own)).max() for own in first)
    joint = bracket(tree, profile, (0, 1, 3)).joint
    assert [joint.value, joint.bound] == pytest.approx([expected] * 2, abs=1e-6)


@pytest.mark.parametrize("team", [(0,), (1,)])
def test_teams_of_one_play_kuhns_value(team):
    found = tmecor("kuhn_poker", team)
    assert found.value == pytest.approx(-1 / 18 if team == (0,) else 1 / 18, abs=1e-6)
    assert found.gap < 1e-5


def test_a_loaded_game_is_as_good_as_its_name():
    by_name, loaded = (tmecor(g, (0,)) for g in ("kuhn_poker", pyspiel.load_game("kuhn_poker")))
    assert loaded.value == by_name.value


@pytest.mark.parametrize("team", [(0, 1), (0, 2), (1, 2)])
def test_goofspiel_has_the_value_of_its_matrix_of_plans(team):
    name = GOOFSPIEL.format(3)
    tree = load_tree(name)
    ours, theirs = joint_reaches(tree, team), joint_reaches(tree, others_of(tree, team))
    table = (ours * stakes(tree, team)) @ theirs.T
    found = tmecor(name, team)
    assert found.value == pytest.approx(matrix_value(np.unique(table, axis=0)), abs=1e-6)
    assert found.gap < 1e-5


@pytest.mark.parametrize(
    ("team", "value"), [((0, 1), -1 / 24), ((0, 2), 7 / 264), ((1, 2), 5 / 132)]
)
def test_neither_side_of_kuhn_poker_can_leave_the_equilibrium(team, value):
    """All plans tried against the mixtures: that proves the value."""
    tree = load_tree(KUHN3)
    found = tmecor(KUHN3, team)
    others = others_of(tree, team)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert (
        best_pair(tree, team, stakes(tree, team) * mixed(tree, others, found.others)) < value + 1e-6
    )
    column = tree.leaves[:, others[0]]
    weights = stakes(tree, others) * mixed(tree, team, found.team)
    assert backwards(tree.seats[others[0]], weights, column) < -value + 1e-6


def mixed(tree, seats, mixture):
    assert sum(plan.probability for plan in mixture) == pytest.approx(1)
    reach = np.zeros(len(tree.leaves))
    for plan in mixture:
        strategies = dict(zip(seats, plan.strategies, strict=True))
        reach += plan.probability * profile_reach(tree, strategies, seats)
    return reach


def test_two_teams_of_two_bound_each_other():
    """The same game seen from both sides."""
    ours, theirs = tmecor(COINCHE, (0, 2)), tmecor(COINCHE, (1, 3))
    assert ours.value == pytest.approx(-theirs.value, abs=1e-3)
    assert ours.lower <= ours.value <= ours.upper
    assert ours.gap < 1e-3


@pytest.mark.parametrize(("team", "sides"), [((0, 1), (0, 0, 1)), ((0, 2), (0, 1, 0))])
def test_a_team_that_sees_both_cards_is_worth_more(team, sides):
    assert solve(load_tree(KUHN3, sides=sides)).value > tmecor(KUHN3, team).value + 0.01


def test_merged_seats_leave_the_others_alone():
    alone, merged = load_tree(COINCHE), load_tree(COINCHE, sides=(0, 1, 0, 3))
    np.testing.assert_array_equal(merged.leaves[:, [1, 3]], alone.leaves[:, [1, 3]])
    np.testing.assert_array_equal(merged.chance, alone.chance)
    for seat in (1, 3):
        np.testing.assert_array_equal(merged.seats[seat].key, alone.seats[seat].key)
    assert merged.seats[2].sets == 0
    assert merged.seats[0].sets > alone.seats[0].sets + alone.seats[2].sets
    utilities, summed = alone.payoffs[alone.payoff], merged.payoffs[merged.payoff]
    np.testing.assert_array_equal(summed[:, 0], utilities[:, 0] + utilities[:, 2])
    assert (summed[:, 2] == 0).all()


def test_our_trees_and_openspiels_merge_alike():
    """The same game unrolled by both walks."""
    name, sides = "python_hokm(suits=2,ranks=2)", (0, 1, 0, 1)
    ours, theirs = unroll_game(name, sides=sides), unroll_foreign(name, sides=sides)
    assert [plex.sets for plex in ours.seats] == [plex.sets for plex in theirs.seats]
    np.testing.assert_array_equal(ours.leaves, theirs.leaves)
    np.testing.assert_array_equal(ours.payoffs[ours.payoff], theirs.payoffs[theirs.payoff])


@pytest.mark.parametrize("team", [(), (0, 0), (0, 1, 2), (0, 7)])
def test_what_is_no_team_is_refused(team):
    with pytest.raises(ValueError, match="it is some of the seats 0 to 2, each once"):
        tmecor(KUHN3, team)


def test_a_game_that_is_not_zero_sum_has_no_team_value():
    with pytest.raises(ValueError, match="not zero-sum"):
        tmecor("python_coinche(suits=1,ranks=4,levels=1,reward=good)", (0, 2))


def test_sides_name_a_player_for_each_seat():
    with pytest.raises(ValueError, match=r"one player per seat \(3\)"):
        load_tree(KUHN3, sides=(0, 1))
