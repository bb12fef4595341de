import numpy as np
import pytest

from solvers.ppo.league import League, Member, load_roll, share_won


def league_of(*lost, size=4):
    league = League(size)
    for i, share in enumerate(lost):
        league.admit(Member(i, (), share))
    return league


def iterations(members):
    return [member.iteration for member in members]


def test_the_oldest_one_leaves():
    league = league_of(0.5, 0.5, 0.5, size=2)
    assert iterations(league.members) == [1, 2]


@pytest.mark.parametrize(("matching", "expected"), [("uniform", 0.5), ("prioritised", 0.9)])
def test_who_is_hard_to_beat_is_met_more_often(matching, expected):
    """Weights 0.01 + (1 − lost)²: 0.63 + 0.01 against 0.0625 + 0.01 here."""
    drawn = league_of(0.75, 0.2).draw(20_000, matching, np.random.default_rng(1))
    share = np.mean([member.iteration == 1 for member in drawn])
    assert share == pytest.approx(expected, abs=0.01)


def test_arenas_are_noted():
    league = league_of(0.5, 0.5)
    assert league.note([0.75, 0.25]) == 0.5
    assert [member.lost for member in league.members] == [0.75, 0.25]


def test_a_roll_is_what_was_saved(tmp_path):
    league_of(0.25, 0.75).save(tmp_path / "roll.json")
    assert load_roll(tmp_path / "roll.json") == [(0, 0.25), (1, 0.75)]


def test_a_draw_is_half_a_win():
    utilities = np.array([[1, -1, 1, -1], [-1, 1, -1, 1], [0, 0, 0, 0], [2, -2, 2, -2]])
    own = np.array([True, False, True, False])
    assert share_won(utilities, own) == (1 + 0 + 0.5 + 1) / 4
    three = np.array([[2.0, -1, -1], [-2, 1, 1]])
    assert share_won(three, np.array([False, True, True])) == 0.5
