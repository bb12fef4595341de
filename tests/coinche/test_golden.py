"""Coinche gives the golden answers: plays, tricks, counts, bids and rewards."""

import math

import pytest

from spielgames.coinche import game, tables
from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.cards import make_set, members
from spielgames.core.registry import find
from tests.coinche.table import SOLO, Table, at_trick, cards
from tests.golden import golden

GOLDEN = golden("coinche")


@pytest.mark.parametrize("case", GOLDEN["legal_play"], ids=lambda case: case["case"])
@pytest.mark.parametrize(
    ("undertrump", "key"),
    [(False, "legal_ffb_contree"), (True, "legal_picot_must_undertrump")],
)
def test_golden_legal_play(case, undertrump, key):
    trump = "♣♦♥♠"["CDHS".index(case["trump"])]
    table = at_trick(case["trick"], case["hand"], trump, undertrump)
    assert table.legal == set(cards(" ".join(case[key])))


@pytest.mark.parametrize("case", GOLDEN["trick_cases"])
def test_golden_tricks(case):
    table = Table()
    spare = ["8C", "9C", "TC", "JC"]  # so that it is not the last trick
    hands = [[c, x] for c, x in zip(case["cards"], spare, strict=True)]
    table.hold([make_set(cards(" ".join(hand))) for hand in hands])
    trump = "♣♦♥♠"["CDHS".index(case["trump"])]
    table.say(f"80{trump} pass pass pass").play(" ".join(case["cards"]))
    assert table.turn == case["winner_index"]
    assert table.s.points[case["winner_index"] % 2] == case["points"]
    assert table.s.points.sum() == case["points"]


def test_golden_constants():
    constants = GOLDEN["constants"]
    for trump in range(4):
        assert tables.POINTS[trump].sum() == constants["card_points"]
    assert constants["last_trick"] == tables.LAST_TRICK
    assert game.total_points(4, 8) == constants["total"]
    all_tricks = Table(SOLO, reward="made_and_announced").say("80♣ pass pass pass").finish()
    assert all_tricks.teams == [constants["capot_total"] + 80, 0]
    batch = Batch("python_coinche", games=1)
    hands = [len(members(hand)) for hand in batch.states[0].dealt]
    deals = math.factorial(sum(hands)) // math.prod(math.factorial(n) for n in hands)
    assert deals == constants["deals"]
    assert find("python_coinche")[1].max_moves == constants["longest_auction"] + 32


def test_golden_bids():
    bids, table = GOLDEN["bids"], Table()
    names = {COINCHE.action_name(table.s, a): a for a in range(COINCHE.actions)}
    assert names["pass"] == bids["pass"]
    assert names["80♣"] == bids["80_suit0"] and names["80♠"] == bids["80_suit3"]
    assert names["160♠"] == bids["160_suit3"]
    assert [names["capot♣"], names["capot♠"]] == bids["capot"]
    assert names["coinche"] == bids["coinche"] and names["surcoinche"] == bids["surcoinche"]
    assert COINCHE.actions == bids["padding"]


@pytest.mark.parametrize("case", GOLDEN["points_announced"], ids=lambda case: case[0])
def test_golden_points_announced(case):
    contract, outcome = case[0].split()
    hands = SOLO if outcome == "made" else SOLO[1:] + SOLO[:1]
    table = Table(hands, reward="classic").say(f"{contract}♣ pass pass pass").finish()
    assert table.teams == case[1:]


@pytest.mark.parametrize("reward", ["classic", "mirror", "no_defense", "good"])
@pytest.mark.parametrize("outcome", ["made", "failed"])
@pytest.mark.parametrize("attackers", [0, 1])
@pytest.mark.parametrize("bid", [80, 160])
def test_golden_reward_variants(reward, outcome, attackers, bid):
    values = {"bid": bid, "-bid": -bid}
    expected = [values.get(x, x) for x in GOLDEN["reward_variants"][reward][outcome]]
    trump = "♣♦"[attackers if outcome == "made" else 1 - attackers]
    table = Table(SOLO, reward=reward).say("pass " * attackers + f"{bid}{trump} pass pass pass")
    assert table.finish().teams == (expected if attackers == 0 else expected[::-1])
