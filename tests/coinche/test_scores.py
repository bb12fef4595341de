"""Deals of Coinche scored by hand, and the bounds of their utilities."""

import itertools

import pytest

from spielgames.coinche import scores
from spielgames.core.registry import find
from spielgames.core.words import RANKS_8
from tests.coinche.table import CLUBS, MIXED, MIXED_PLAY, SOLO, Table

UNDOUBLED, COINCHED, SURCOINCHED = "pass pass pass", "coinche pass pass pass", "coinche surcoinche"


@pytest.mark.parametrize(
    ("reward", "made", "failed", "capot_made", "capot_failed"),
    [
        ("mirror", [-90, 90], [-160, 160], [250, -250], [250, -250]),
        ("classic", [0, 90], [0, 160], [250, 0], [250, 0]),
        ("no_defense", [-90, 90], [-160, 0], [250, -250], [0, -250]),
        ("good", [-90, 90], [-80, 160], [250, -250], [250, -250]),
    ],
)
@pytest.mark.parametrize(("ending", "stakes"), [(UNDOUBLED, 1), (COINCHED, 2), (SURCOINCHED, 4)])
def test_scores(reward, made, failed, capot_made, capot_failed, ending, stakes):
    def worth(hands, auction, play=""):
        return Table(hands, reward=reward).say(f"{auction} {ending}").play(play).finish().teams

    def times(numbers):
        return [stakes * x for x in numbers]

    assert worth(MIXED, "pass 90♥", MIXED_PLAY) == times(made)
    assert worth(MIXED, "80♥", MIXED_PLAY) == times(failed)
    assert worth(SOLO, "capot♣") == times(capot_made)
    assert worth(SOLO, "pass capot♣") == times(capot_failed)


@pytest.mark.parametrize(
    ("ending", "made", "failed", "capot_made", "capot_failed", "all_tricks"),
    [
        (UNDOUBLED, [62, 100 + 90], [0, 160 + 80], [252 + 250, 0], [500, 0], [252 + 80, 0]),
        (COINCHED, [0, 2 * 250], [0, 2 * 240], [2 * 500, 0], [2 * 500, 0], [2 * 240, 0]),
        (SURCOINCHED, [0, 4 * 250], [0, 4 * 240], [4 * 500, 0], [4 * 500, 0], [4 * 240, 0]),
    ],
)
def test_points_made_and_announced(ending, made, failed, capot_made, capot_failed, all_tricks):
    """The points made count only in a contract that is made and not doubled."""

    def worth(hands, auction, play=""):
        table = Table(hands, reward="made_and_announced")
        return table.say(f"{auction} {ending}").play(play).finish().teams

    assert worth(MIXED, "pass 90♥", MIXED_PLAY) == made
    assert worth(MIXED, "80♥", MIXED_PLAY) == failed
    assert worth(SOLO, "capot♣") == capot_made
    assert worth(SOLO, "pass capot♣") == capot_failed
    assert worth(SOLO, "80♣") == all_tricks


def test_a_contract_is_made_with_exactly_its_points():
    for bid, result in ((100, [-100, 100]), (110, [160, -160])):
        table = Table(MIXED).say(f"pass {bid}♥ pass pass pass").play(MIXED_PLAY)
        assert list(table.s.points) == [62, 100] and list(table.s.tricks) == [2, 6]
        assert table.teams == result


def test_capot_is_all_tricks():
    """Seats 1 and 3 make 100 points in six tricks."""
    assert Table(MIXED).say("pass capot♥ pass pass pass").play(MIXED_PLAY).teams == [250, -250]


@pytest.mark.parametrize(
    ("reward", "bid", "result"),
    [
        ("mirror", "capot♣", [-250, 250]),
        ("mirror", "160♣", [160, -160]),
        ("made_and_announced", "160♣", [162 + 160, 0]),
    ],
)
def test_a_trick_without_points_is_a_trick(reward, bid, result):
    """Seat 1 takes the first with the eight of diamonds; seat 0 has all points, but no capot."""
    hands = [SOLO[0].replace("7C", "7D"), SOLO[1].replace("7D", "7C"), *SOLO[2:]]
    table = Table(hands, reward=reward).say(f"{bid} pass pass pass").play("7D 8D 7H 7S").finish()
    assert list(table.s.points) == [162, 0] and list(table.s.tricks) == [7, 1]
    assert table.teams == result


@pytest.mark.parametrize(
    ("belote", "auction", "result"),
    [
        (False, "80♥", [-160, 160]),
        (True, "80♥", [80, -80]),  # 62 + 20
        (True, "90♥", [-160, 160]),
    ],
)
def test_belote_helps_to_make_a_contract(belote, auction, result):
    table = Table(MIXED, belote=belote).say(f"{auction} pass pass pass")
    assert table.play(MIXED_PLAY).teams == result


@pytest.mark.parametrize(
    ("auction", "ending", "result"),
    [
        ("80♥", UNDOUBLED, [82 + 80, 100]),
        ("80♥", COINCHED, [2 * 240 + 20, 0]),
        ("90♥", UNDOUBLED, [0, 160 + 90 + 20]),
        ("90♥", SURCOINCHED, [0, 4 * 250 + 20]),
        ("pass 100♥", UNDOUBLED, [82, 100 + 100]),
        ("pass 100♥", COINCHED, [20, 2 * 260]),
        ("pass 110♥", UNDOUBLED, [160 + 110 + 20, 0]),
        ("pass 110♥", COINCHED, [2 * 270 + 20, 0]),
    ],
)
def test_belote_is_scored_once_by_its_holders_or_those_who_defeat_them(auction, ending, result):
    """Seat 2 has the king and queen of hearts."""
    table = Table(MIXED, belote=True, reward="made_and_announced").say(f"{auction} {ending}")
    assert table.play(MIXED_PLAY).teams == result


def test_a_coincher_who_attacks_earns_twice_the_contract_that_it_makes():
    """Seats 1 and 3 make 100 points."""

    def teams(auction, **params):
        table = Table(MIXED, reward="classic", **params).say(f"{auction} {COINCHED}")
        return table.play(MIXED_PLAY).teams

    assert teams("100♥", coincher_attacks=True) == [0, 2 * 100]
    assert teams("110♥", coincher_attacks=True) == [2 * 160, 0]
    assert teams("100♥") == [0, 2 * 160]


def test_belote_is_in_one_hand_and_of_trump():
    """Whoever bids takes all tricks, also when the hands of seats 0 and 2 are mixed."""

    def worth(hands, auction):
        table = Table(hands, belote=True, reward="made_and_announced")
        return table.say(f"{auction} pass pass pass").finish().teams

    apart = [SOLO[0].replace("KC", "KH"), SOLO[1], SOLO[2].replace("KH", "KC"), SOLO[3]]
    assert worth(SOLO, "80♣") == [252 + 20 + 80, 0]
    assert worth(apart, "80♣") == [252 + 80, 0]
    assert worth(apart, "pass 80♦") == [0, 252 + 20 + 80]


def test_penalty():
    for reward, result in (("mirror", [-90, 90]), ("made_and_announced", [0, 90 + 80])):
        table = Table(MIXED, penalty=90, reward=reward).say("80♥ pass pass pass")
        assert table.play(MIXED_PLAY).teams == result
    capot = Table(SOLO, penalty=90).say("pass capot♣ pass pass pass").finish()
    assert capot.teams == [250, -250]


@pytest.mark.parametrize("reward", scores.REWARDS)
@pytest.mark.parametrize("ranks", [8, 4, 2])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"belote": True},
        {"penalty": 1000},
        {"capot": False, "levels": 1},
        {"doubling": False, "penalty": 0},
    ],
)
def test_utility_bounds_are_reached_and_never_passed(reward, ranks, more):
    """A suit each, so that seat 0 takes every trick with clubs: as attacker, or against seat 1."""
    params = {"reward": reward, "ranks": ranks, "levels": 2, **more}
    stakes = [UNDOUBLED, COINCHED, SURCOINCHED] if more.get("doubling", True) else [UNDOUBLED]
    hands = [" ".join(rank + suit for rank in RANKS_8[-ranks:]) for suit in "CDHS"]
    bids = [a for a in Table(**params).legal if a > 0 and (a - 1) % 4 == CLUBS]
    reached = [
        utility
        for bid, passes, ending in itertools.product(bids, ("", "pass"), stakes)
        for utility in Table(hands, **params).say(passes).do(bid).say(ending).finish().teams
    ]
    given = ",".join(f"{k}={v}" for k, v in params.items()).lower()
    variant = find(f"python_coinche({given})")[1]
    low = 0 if reward in ("classic", "made_and_announced") else min(reached)
    assert (variant.min_utility, variant.max_utility) == (low, max(reached))
    assert min(reached) >= variant.min_utility


def test_bounds_of_the_full_game():
    expected = {
        "mirror": (-1000, 1000),
        "classic": (0, 1000),
        "no_defense": (-1000, 1000),
        "good": (-1000, 1000),
        "made_and_announced": (0, 4 * (250 + 250)),
    }
    for reward, bounds in expected.items():
        variant = find(f"python_coinche(reward={reward})")[1]
        assert (variant.min_utility, variant.max_utility) == bounds


def test_no_belote_in_bounds_where_a_hand_has_one_card():
    """J Q K A of one suit, 48 points; all tricks are worth 30 and capot 70 more."""
    params = "suits=1,ranks=4,belote=true,doubling=false,reward=made_and_announced"
    assert find(f"python_coinche({params})")[1].max_utility == 48 + 30 + 70
