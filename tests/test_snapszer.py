"""Snapszer: known answers, hand-computed deals, every rule and parameter, and its hidden past."""

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from spielgames.core import (
    cache,  # noqa: F401, I001  (first: it decides where machine code is kept)
    loops,
    worlds,
)
from spielgames.core.batch import Batch
from spielgames.core.cards import make_set, members
from spielgames.core.game import initial_state
from spielgames.core.play import advance
from spielgames.core.record import CHANCE, NOBODY, TERMINAL
from spielgames.core.registry import find
from spielgames.core.text import RANKS_5, parse_card
from spielgames.core.verbs import chance, reset
from spielgames.snapszer import text
from spielgames.snapszer.game import SNAPSZER
from spielgames.snapszer.record import (
    ACTIONS,
    CARDS,
    CLOSE,
    EVENTS,
    EXCHANGE,
    MARRY,
    POINTS,
    TALON,
    UPCARD,
    trump_jack,
)

SCHNAPSEN = "python_snapszer(rules=schnapsen)"
VARIANTS = (
    "python_snapszer",
    SCHNAPSEN,
    "python_snapszer(suits=2,hand=3)",
    "python_snapszer(suits=3,ranks=4,hand=2)",
    "python_snapszer(suits=3,ranks=4,hand=2,rules=schnapsen)",
    "python_snapszer(suits=2,ranks=3,hand=2)",
    "python_snapszer(suits=2,ranks=4,hand=1)",
    "python_snapszer(suits=2,ranks=4,hand=4)",
    "python_snapszer(hand=2)",
)
GOLDEN_FILE = Path(__file__).with_name("golden.json")
GOLDEN = json.loads(GOLDEN_FILE.read_text())["schnapsen_strict"]["cases"]


def cards(words):
    return [parse_card(word, RANKS_5) for word in words.split()]


class Table:
    """A deal played move by move. Words are cards, `close`, `exchange`, `marry♠`; `+A♠` is a draw,
    `=J♠` the automatic exchange."""

    def __init__(self, name="python_snapszer"):
        self.game, self.variant = find(name)
        self.states = initial_state(self.game, self.variant)

    @property
    def s(self):
        return self.states[0]

    def deal(self, first, second, upcard):
        """The two hands and the upcard; the rest is the talon."""
        reset_all(self.states)
        known = [set(cards(first)), set(cards(second)), set(), set(cards(upcard))]
        for card in members(self.s.deck):
            place = next((k for k in range(4) if card in known[k]), TALON)
            if self.s.undealt:
                advance_one(self.states, place)
        assert [set(members(x)) for x in self.s.dealt[[0, 1, 3]]] == [known[0], known[1], known[3]]
        return self

    def endgame(self, first, second, trump, points, turn=0, talon="", upcard="", **fields):
        """A position in the middle of a deal; both seats have a trick if they have points."""
        reset_all(self.states)
        s = self.s
        s.undealt = 0
        s.hands = [make_set(cards(words)) for words in (first, second, talon, upcard)]
        s.public = make_set(cards(upcard))
        s.trump = "CDHS".index(trump)
        s.points = points
        s.tricks = [int(p > 0) for p in points]
        s.turn = turn
        for name, value in fields.items():
            s[name] = value
        return self

    def play(self, words):
        for word in words.split():
            self.move(word)
        return self

    def move(self, word):
        kind = {"+": "draw", "=": "exchange"}.get(word[0], "")
        assert (self.s.turn == CHANCE) == bool(kind), (word, self.s.turn)
        a = action(word.lstrip("+="))
        if kind:
            assert self.chances()[a] > 0
            assert (self.s.drawer == NOBODY) == (kind == "exchange")
        else:
            assert a in self.legal(), f"{word} is not in {self.names()}"
        advance_one(self.states, a)

    def legal(self):
        sets, actors = np.zeros(1, np.uint64), np.zeros(1, np.int8)
        loops.look(self.states, actors, sets)
        return members(sets[0])

    def names(self):
        return {text.action_name(self.s, a) for a in self.legal()}

    def chances(self):
        p = np.zeros(CARDS)
        fill_chances(self.states, p)
        return p

    def hand(self, seat):
        return set(members(self.s.hands[seat]))

    def utilities(self):
        assert self.s.turn == TERMINAL
        out = np.zeros((1, 2))
        loops.final_returns(self.states, out)
        return out[0].tolist()


@loops.Kernel
def reset_all(states):
    for i in range(len(states)):
        reset(states[i])


@loops.Kernel
def advance_one(states, a):
    advance(states[0], a)


@loops.Kernel
def fill_chances(states, p):
    chance(states[0], p)


def action(word):
    if word in ("close", "exchange"):
        return {"close": CLOSE, "exchange": EXCHANGE}[word]
    if word.startswith("marry"):
        return MARRY + "♣♦♥♠".index(word[-1])
    return parse_card(word, RANKS_5)


def minimax(states):
    """The exact value for seat 0 of a position without chance."""
    if states[0].turn == TERMINAL:
        out = np.zeros((1, 2))
        loops.final_returns(states, out)
        return out[0, 0]
    values = [minimax(after(states, a)) for a in legal_of(states)]
    return max(values) if states[0].turn == 0 else min(values)


def legal_of(states):
    sets, actors = np.zeros(len(states), np.uint64), np.zeros(len(states), np.int8)
    loops.look(states, actors, sets)
    return members(sets[0])


def after(states, a):
    copy = states.copy()
    advance_one(copy, a)
    return copy


def golden_table(case, second):
    closed = {}
    if "closed_by" in case:
        at_closing = [case["pts"][0], case["opp_pts_at_closing"]]
        closed = {"closer": 0, "closing_points": at_closing, "closing_tricks": [1, 1]}
    first, other = " ".join(case["p0"]), " ".join(second)
    table = Table(SCHNAPSEN)
    return table.endgame(first, other, case["trump"], case["pts"], **closed)


@pytest.mark.parametrize("case", [c for c in GOLDEN if "p1" in c], ids=lambda c: c["id"])
def test_golden_endgames(case):
    states = golden_table(case, case["p1"]).states
    assert minimax(states) == case["value_gp_p0"]
    for card, value in case.get("worse_first_moves", {}).items():
        assert minimax(after(states, action(card))) == value


def test_golden_closed_talon_with_six_possible_stock_cards():
    """The winning closer gets 2 even where the opponent reaches 33 afterwards: what counts is the
    time of closing."""
    case = next(c for c in GOLDEN if c["id"] == "AG1")
    values = {card: [] for card in case["p0"]}
    for stock in case["concealed_6"]:
        second = [card for card in case["concealed_6"] if card != stock]
        states = golden_table(case, second).states
        for card in case["p0"]:
            values[card].append(minimax(after(states, action(card))))
    assert values.pop("TC") == [2] * 6
    assert values.pop("KC") == [2] * 6
    assert all(sorted(v)[:4] == [-2] * 4 for v in values.values())


DEAL = ("A♥ 10♥ J♠ Q♦ K♦", "K♥ Q♥ J♥ A♦ Q♠", "A♠")


def test_first_lead_open_phase_and_draw_order():
    table = Table().deal(*DEAL)
    assert table.s.turn == 0 and table.s.trump == 3
    assert table.names() == {"A♥", "10♥", "J♠", "Q♦", "K♦", "close", "marry ♦"}  # no exchange yet
    table.play("A♥")
    assert table.names() == {"K♥", "Q♥", "J♥", "A♦", "Q♠"}  # open: anything; no marriage in answer
    table.play("Q♠")
    assert table.s.turn == CHANCE and table.s.drawer == 1  # the trump took the trick: 1 draws first
    assert table.s.points.tolist() == [0, 14] and table.s.tricks.tolist() == [0, 1]
    assert set(members(table.s.taken[1])) == set(cards("A♥ Q♠"))
    p = table.chances()
    assert set(np.flatnonzero(p)) == table.hand(TALON) and np.allclose(p[p > 0], 1 / 9)
    table.play("+K♠")
    assert table.s.drawer == 0 and np.allclose(table.chances().max(), 1 / 8)
    table.play("+A♣")
    assert table.s.turn == 1 and "exchange" not in table.names()
    assert set(members(table.s.gained[0])) == set(cards("A♣ A♠"))  # both recall the upcard
    assert set(members(table.s.gained[1])) == set(cards("K♠ A♠"))


def test_exchange_is_automatic_once_the_holder_leads():
    """Not before the first lead, not while the other leads, at once when he is about to lead."""
    table = Table().deal(*DEAL).play("K♦ A♦ +K♠ +A♣")
    assert table.s.turn == 1 and table.hand(UPCARD) == set(cards("A♠"))
    table.play("J♥ 10♥ +10♣ +10♦")
    assert table.s.turn == CHANCE and table.s.drawer == NOBODY
    assert table.chances().tolist() == [float(c in cards("J♠")) for c in range(20)]
    table.play("=J♠")
    assert table.s.turn == 0 and table.s.exchanger == 0
    assert table.hand(UPCARD) == set(cards("J♠")) and table.hand(0) >= set(cards("A♠"))
    assert set(cards("J♠ A♠")) <= set(members(table.s.public))
    assert "close" in table.names()  # six cards are left; the exchange came first


def test_exchange_needs_an_open_talon():
    closed = Table().deal(*DEAL).play("close A♥ J♥")
    assert closed.s.turn == 0 and cards("J♠")[0] in closed.hand(0)
    last = Table().endgame("A♥ Q♥", "J♥ 10♥", "S", [20, 20], talon="J♠", upcard="A♠")
    last.play("A♥ J♥ +J♠")  # drawn with the last two cards: nothing left to exchange for
    assert last.s.turn == 0 and last.hand(1) == set(cards("10♥ A♠"))


def test_schnapsen_exchange_is_a_choice_also_at_the_first_lead():
    table = Table(SCHNAPSEN).deal(*DEAL)
    assert {"exchange", "close", "J♠"} <= table.names()
    table.play("exchange")
    assert table.hand(UPCARD) == set(cards("J♠")) and table.s.turn == 0
    assert "exchange" not in table.names() and table.names() >= {"A♠", "close"}
    table.play("close")
    assert "close" not in table.names()
    assert "exchange" not in Table(SCHNAPSEN).deal(*DEAL).play("close").names()
    kept = Table(SCHNAPSEN).deal(*DEAL).play("A♥ J♥ +K♠ +A♣")
    assert kept.s.turn == 0 and "exchange" in kept.names()


def test_last_hidden_card_goes_to_the_winner_and_the_upcard_to_the_loser():
    table = Table().endgame("A♥ Q♥", "J♥ 10♥", "S", [20, 20], talon="K♠", upcard="Q♠")
    assert "close" not in table.names()  # two cards are too few
    table.play("Q♥ 10♥ +K♠")
    assert table.hand(1) == set(cards("J♥ K♠")) and table.hand(0) == set(cards("A♥ Q♠"))
    assert table.s.turn == 1 and not table.s.hands[UPCARD]
    table.play("K♠")
    assert table.names() == {"Q♠"}  # exhausted: suit must be followed


@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        ("K♥", "Q♥ 10♥ A♥ A♠", "10♥ A♥"),
        ("10♥", "J♥ K♥ A♠", "J♥ K♥"),
        ("10♥", "K♥ A♥ J♠", "A♥"),
        ("Q♥", "A♦ J♠ A♠", "J♠ A♠"),
        ("Q♥", "A♦ J♣", "A♦ J♣"),
        ("K♠", "Q♠ A♥", "Q♠"),
        ("K♠", "J♦ A♥", "J♦ A♥"),
    ],
)
@pytest.mark.parametrize("closer", [NOBODY, 0])
def test_strict_answers(led, hand, allowed, closer):
    talon = {} if closer == NOBODY else {"talon": "J♣ Q♣ K♣", "upcard": "10♠", "closer": 0}
    table = Table().endgame(f"{led} Q♦", hand, "S", [10, 10], **talon).play(led)
    assert set(table.legal()) == set(cards(allowed))


@pytest.mark.parametrize(
    ("trick", "winner", "points"),
    [
        ("10♥ K♥", 0, 14),
        ("K♥ 10♥", 1, 14),
        ("10♥ A♥", 1, 21),
        ("A♥ J♦", 0, 13),
        ("A♥ J♠", 1, 13),
        ("J♠ A♥", 0, 13),
        ("J♠ Q♠", 1, 5),
        ("Q♠ J♠", 0, 5),
    ],
)
def test_who_takes_the_trick(trick, winner, points):
    led, answer = trick.split()
    table = Table().endgame(f"{led} K♣", f"{answer} Q♣", "S", [0, 0]).play(trick)
    assert table.s.turn == winner and table.s.points[winner] == points
    assert table.s.tricks.tolist() == [int(winner == 0), int(winner == 1)]


def test_marriage_counts_at_once_and_is_for_this_lead():
    table = Table().deal(*DEAL).play("marry♦")
    assert table.s.points.tolist() == [20, 0] and table.s.turn == 0
    assert table.names() == {"Q♦", "K♦"}
    assert set(cards("Q♦ K♦")) <= set(members(table.s.public))
    table.play("K♦")
    assert table.s.turn == 1 and table.hand(0) == set(cards("A♥ 10♥ J♠ Q♦"))
    table.play("J♥ +J♣ +Q♣")
    assert "marry ♦" not in table.names()


def test_trump_marriage_counts_forty_and_ends_the_deal_without_a_trick():
    table = Table().deal("K♠ Q♠ K♥ Q♥ A♥", "10♠ 10♥ J♥ A♦ J♠", "A♠").play("marry♠")
    assert table.s.points.tolist() == [40, 0] and table.s.turn == 0
    table = Table().endgame("K♠ Q♠", "J♠ A♦", "S", [26, 40])
    assert table.play("marry♠").utilities() == [1, -1]
    table = Table().endgame("K♥ Q♥", "10♥ J♥", "S", [46, 0], tricks=[0, 0])
    assert table.play("marry♥").utilities() == [3, -3]
    assert Table().endgame("K♥ Q♥", "10♥ J♥", "S", [45, 1]).play("marry♥").s.turn == 0


def test_schnapsen_marriage_waits_for_a_trick():
    table = Table(SCHNAPSEN).deal(*DEAL).play("marry♦ K♦")
    assert table.s.points.tolist() == [0, 0] and table.s.pending.tolist() == [20, 0]
    table.play("A♦ +10♦ +A♣ J♥ A♥")
    assert table.s.points.tolist() == [33, 15] and table.s.pending.tolist() == [0, 0]
    at_once = Table(SCHNAPSEN).endgame("K♥ Q♥", "10♥ J♥", "S", [46, 1])
    assert at_once.play("marry♥").utilities() == [2, -2]


def test_schnapsen_pending_marriage_can_win_with_the_first_trick():
    """Unreachable at 66 (40 + 21 points), so with a target that the first trick reaches."""
    table = Table(SCHNAPSEN).endgame("K♠ Q♠", "J♠ A♦", "S", [0, 30], target=46)
    table.play("marry♠")
    assert table.s.turn == 0
    assert table.play("K♠ J♠").utilities() == [2, -2]


def test_marriage_is_allowed_when_closed_and_when_exhausted():
    for stock in ({}, {"talon": "J♣ Q♣ K♣", "upcard": "A♠", "closer": 1}):
        table = Table().endgame("K♥ Q♥", "10♥ J♥", "S", [20, 20], **stock)
        assert table.names() == {"K♥", "Q♥", "marry ♥"}
        assert table.play("marry♥ K♥").names() == {"10♥"}
        assert table.s.points.tolist() == [40, 20]


STOCK = {"talon": "J♣ Q♣ K♣", "upcard": "10♠"}


def test_close_needs_four_cards_and_keeps_the_turn():
    table = Table().endgame("K♥ Q♥", "10♥ J♥", "S", [20, 20], **STOCK).play("close")
    assert table.s.turn == 0 and table.s.closer == 0
    assert table.names() == {"K♥", "Q♥", "marry ♥"}
    table.play("Q♥")
    assert table.names() == {"10♥"}  # strict from now on
    table.play("10♥")
    assert table.s.turn == 1 and len(table.hand(TALON)) == 3  # nobody draws
    three = {"talon": "J♣", "upcard": "10♠"}
    assert "close" not in Table().endgame("K♥ Q♥", "10♥ J♥", "S", [20, 20], **three).names()


@pytest.mark.parametrize(
    ("name", "points", "tricks", "value"),
    [
        ("python_snapszer", [45, 27], [1, 1], 1),  # seat 1 ends with 40
        (SCHNAPSEN, [45, 27], [1, 1], 2),  # but had 27 at closing
        ("python_snapszer", [45, 33], [1, 1], 1),
        (SCHNAPSEN, [45, 33], [1, 1], 1),
        ("python_snapszer", [45, 0], [1, 0], 2),  # seat 1 ends with a trick
        (SCHNAPSEN, [45, 0], [1, 0], 3),  # but had none at closing
    ],
)
def test_successful_closer(name, points, tricks, value):
    table = Table(name).endgame("A♥ J♦ A♣", "A♦ K♥ J♥", "S", points, tricks=tricks, **STOCK)
    table.play("close J♦ A♦ K♥ A♥ A♣ J♥")
    assert table.utilities() == [value, -value]


@pytest.mark.parametrize("name", ["python_snapszer", SCHNAPSEN])
def test_successful_closer_against_an_opponent_without_a_trick(name):
    table = Table(name).endgame("A♥ 10♥ A♠", "J♥ Q♥ K♦", "S", [50, 0], **STOCK)
    assert table.play("close A♥ J♥ 10♥ Q♥").utilities() == [3, -3]


@pytest.mark.parametrize(
    ("name", "tricks", "value"),
    [
        ("python_snapszer", [1, 1], 2),
        (SCHNAPSEN, [1, 1], 2),
        ("python_snapszer", [1, 0], 3),
        (SCHNAPSEN, [1, 0], 3),
        ("python_snapszer", [0, 1], 3),  # anyone without a trick
        (SCHNAPSEN, [0, 1], 2),  # only the opponent matters
    ],
)
def test_failed_closer(name, tricks, value):
    """Whether the opponent reaches 66, or all is played (even if the closer takes every trick)."""
    reached = Table(name).endgame("J♦ Q♥", "A♦ K♥", "S", [20, 60], tricks=tricks, **STOCK)
    assert reached.play("close J♦ A♦").utilities() == [-value, value]
    played = Table(name).endgame("A♥ A♦", "J♥ J♦", "S", [20, 20], tricks=tricks, **STOCK)
    assert played.play("close A♥ J♥ A♦ J♦").utilities() == [-value, value]


@pytest.mark.parametrize(
    ("points", "snapszer"), [([20, 40], 1), ([20, 33], 1), ([20, 32], 2), ([20, 0], 3)]
)
def test_last_trick_wins_an_exhausted_talon(points, snapszer):
    table = Table().endgame("A♣", "J♣", "S", points).play("A♣ J♣")
    assert table.utilities() == [snapszer, -snapszer]
    table = Table(SCHNAPSEN).endgame("A♣", "J♣", "S", points).play("A♣ J♣")
    assert table.utilities() == [1, -1]
    table = Table().endgame("J♣", "A♣", "S", points[::-1]).play("J♣ A♣")
    assert table.utilities() == [-snapszer, snapszer]


@pytest.mark.parametrize(("points", "value"), [([55, 33], 1), ([55, 32], 2), ([55, 0], 3)])
def test_sixty_six_points_end_the_deal_at_once(points, value):
    for stock in ({}, STOCK):
        table = Table().endgame("A♥ 10♦", "J♥ Q♣", "S", points, **stock).play("A♥ J♥")
        assert table.utilities() == [value, -value]
    assert Table().endgame("A♥ 10♦", "J♥ Q♣", "S", [52, 1]).play("A♥ J♥").s.turn == 0


@pytest.mark.parametrize(
    ("name", "deck", "target", "half", "marriage", "rooms"),
    [
        ("python_snapszer", 20, 66, 33, 20, [5, 5, 9, 1]),
        ("python_snapszer(suits=2,hand=3)", 10, 33, 17, 10, [3, 3, 3, 1]),
        ("python_snapszer(suits=2,ranks=3,hand=2)", 6, 20, 10, 6, [2, 2, 1, 1]),
        ("python_snapszer(suits=3,ranks=4,hand=3)", 12, 33, 17, 10, [3, 3, 5, 1]),
        ("python_snapszer(suits=2,ranks=2,hand=2)", 4, 16, 8, 5, [2, 2, 0, 0]),
    ],
)
def test_small_variants_scale(name, deck, target, half, marriage, rooms):
    table = Table(name)
    reset_all(table.states)
    s = table.s
    assert len(members(s.deck)) == deck and s.room.tolist() == rooms
    assert [s.target, s.half, s.marriage] == [target, half, marriage]


def test_small_decks_keep_ids_and_the_highest_natural_ranks():
    deck = members(Table("python_snapszer(suits=2,ranks=3,hand=2)").s.deck)
    assert deck == sorted(cards("Q♥ K♥ A♥ Q♠ K♠ A♠"))
    deck = members(Table("python_snapszer(suits=2,ranks=4,hand=2)").s.deck)
    assert deck == sorted(cards("J♥ Q♥ K♥ A♥ J♠ Q♠ K♠ A♠"))


def test_events_of_the_longest_deal_fit_into_the_record():
    lengths = []
    for suits, ranks, hand in itertools.product(range(2, 5), range(2, 6), range(1, 11)):
        if suits * ranks % 2 == 0 and 2 * hand <= suits * ranks:
            for style in ("snapszer", "schnapsen"):
                name = f"python_snapszer(suits={suits},ranks={ranks},hand={hand},rules={style})"
                variant = find(name)[1]
                lengths.append(variant.max_moves + variant.max_draws)
    assert max(lengths) == EVENTS


def test_small_variant_by_hand():
    table = Table("python_snapszer(suits=2,ranks=3,hand=2)").deal("Q♥ A♥", "K♥ Q♠", "A♠")
    assert table.names() == {"Q♥", "A♥"}
    table.play("A♥ K♥ +K♠")  # 15 of 20; seat 1 gets the upcard
    assert table.hand(1) == set(cards("Q♠ A♠")) and table.hand(0) == set(cards("Q♥ K♠"))
    table.play("Q♥ Q♠")
    assert table.s.turn == 1 and table.s.points.tolist() == [15, 6]
    assert table.play("A♠ K♠").utilities() == [-1, 1]  # 21 to 15, of which half is 10


def test_without_talon_there_is_no_trump():
    table = Table("python_snapszer(suits=2,ranks=2,hand=2)").deal("K♥ A♠", "A♥ K♠", "")
    assert table.s.public == 0 and table.names() == {"K♥", "A♠"}
    assert table.play("K♥").names() == {"A♥"}
    assert table.play("A♥ K♠ A♠").utilities() == [1, -1]


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ("suits=1", "2 to 4"),
        ("suits=5", "2 to 4"),
        ("ranks=1", "2 to 5"),
        ("ranks=6", "2 to 5"),
        ("hand=0", "1 to 10"),
        ("hand=11", "1 to 10"),
        ("suits=2,ranks=3", "1 to 3"),
        ("suits=3", "even"),
        ("rules=skat", "snapszer, schnapsen"),
        ("talon=4", "rules, suits, ranks, hand"),
    ],
)
def test_bad_parameters(params, says):
    with pytest.raises(ValueError, match=says):
        find(f"python_snapszer({params})")


def play_randomly(batch, seed, close=1.0):
    """Steps a batch with random legal actions (`close`: its weight), yielding before each step."""
    rng = np.random.default_rng(seed)
    while batch.running():
        yield
        mask = batch.legal_mask()
        weights = mask * np.where(np.arange(ACTIONS) == CLOSE, close, 1.0)
        batch.step((rng.random(mask.shape) * weights + mask * 1e-9).argmax(1))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_card_is_in_one_place_and_points_add_up(name):
    batch = Batch(name, games=300, seed=5)
    states = batch.states
    worth = POINTS.astype(np.uint64)

    def check():
        places = np.concatenate([states["hands"], states["played"]], axis=1)
        assert (np.bitwise_or.reduce(places, 1) == states["deck"]).all()
        assert (np.bitwise_count(places).sum(1) == np.bitwise_count(states["deck"])).all()
        bits = states["taken"][..., None] >> np.arange(20, dtype=np.uint64) & np.uint64(1)
        suits = states["married"][..., None] >> np.arange(4) & 1
        is_trump = np.arange(4) == states["trump"][:, None, None]
        marriages = (suits * (1 + is_trump)).sum(-1) * states["marriage"][:, None]
        won = states["points"] + states["pending"]
        assert (won == (bits * worth).sum(-1) + marriages).all()
        for seat in range(2):
            known = states["dealt"][:, seat] | states["gained"][:, seat] | states["public"]
            assert (states["hands"][:, seat] & ~known == 0).all()
        assert (states["hands"][:, UPCARD] & ~states["public"] == 0).all()
        running = batch.actors() != TERMINAL
        assert (batch.legal_sets()[running] != 0).all()

    for _ in play_randomly(batch, seed=1):
        check()
    check()
    out = batch.returns()
    assert (out.sum(1) == 0).all() and set(np.abs(out[:, 0])) <= {1, 2, 3}
    assert (states["length"] <= batch.variant.max_moves + batch.variant.max_draws).all()


def test_draws_are_uniform():
    table = Table().deal(*DEAL).play("A♥")
    talon = members(table.s.hands[TALON])
    batch = Batch.of_states(SNAPSZER, table.variant, np.repeat(table.states, 9000), seed=2)
    batch.step(np.full(9000, action("J♥")))
    drawn = Counter(int(event) & 255 for event in batch.states["events"][:, 2])
    assert sorted(drawn) == talon
    assert all(abs(n - 1000) < 5 * math.sqrt(1000) for n in drawn.values())


@pytest.mark.parametrize("name", ["python_snapszer(suits=2,ranks=4,hand=2)", SCHNAPSEN])
def test_information_states(name):
    """One tensor for each thing a seat can have seen; it decides legal actions and `observe`."""
    batch = Batch(name, games=900, seed=3)
    views, tensors = {}, {}
    for _ in play_randomly(batch, seed=4):
        infos, rows = batch.infostate(), batch.observe()
        for i in np.flatnonzero(batch.actors() >= 0):
            s, seat = batch.states[i], batch.actors()[i]
            view = (seat, s.dealt[seat], s.dealt[UPCARD], seen(s, seat))
            facts = (infos[i].tobytes(), batch.legal_sets()[i], rows[i].tobytes())
            assert views.setdefault(view, facts) == facts
            assert tensors.setdefault(facts[0], view) == view
    assert len(views) > 1000


def seen(s, seat):
    """The events as a seat sees them: those of the other's draws without the card."""
    events = s.events[: s.length]
    hidden = [e >> 12 & 1 and e >> 8 & 15 == 1 - seat for e in events]
    return tuple(int(e) & ~255 | 255 if h else int(e) for e, h in zip(events, hidden, strict=True))


def test_observation_pieces():
    table = Table().deal(*DEAL).play("marry♦ K♦ A♦ +K♠ +A♣ J♥")
    out = np.zeros((1, SNAPSZER.pieces.size), np.float32)
    loops.observe_all(table.states, np.array([0]), out)
    v = SNAPSZER.pieces.views(out[0])
    assert SNAPSZER.pieces.start("points") == 126

    def ids(name):
        return set(np.flatnonzero(v[name]))

    assert ids("hand") == set(cards("A♥ 10♥ J♠ Q♦ A♣")) and v["hand_size"][0] == 1
    assert v["suit_counts"].tolist() == [1, 1, 2, 1]
    assert np.allclose(v["suit_best"] * 11, [11, 3, 11, 2])
    assert np.isclose(v["talon"][0], 0.8) and v["strict"][0] == 0
    assert v["trump"].tolist() == [0, 0, 0, 1] and v["upcard"].tolist() == [1, 1]
    assert not v["taken"][0].any() and set(np.flatnonzero(v["taken"][1])) == set(cards("K♦ A♦"))
    assert np.allclose(v["taken_counts"], [0, 0.1])
    known = cards("A♥ 10♥ J♠ Q♦ K♦ A♣ A♦ J♥ A♠")
    assert ids("unseen") == set(range(20)) - set(known) and not ids("opponent_holds")
    assert v["following"][0] == 1 and v["led_suit"].tolist() == [0, 0, 1, 0]
    assert np.isclose(v["led_rank"][0] * 11, 2) and v["led_trump"][0] == 0
    assert np.allclose(v["points"] * 66, [20, 15]) and not v["pending"].any()
    assert np.allclose(v["tricks"], [0, 0.1]) and v["trickless"].tolist() == [1, 0]
    assert v["marriages"].tolist() == [[0, 1, 0, 0], [0, 0, 0, 0]] and not ids("must_lead")
    assert not v["exchanger"].any() and v["closer"].tolist() == [0, 0, 1]

    out[:] = 0
    loops.observe_all(table.states, np.array([1]), out)
    assert ids("opponent_holds") == set(cards("Q♦")) and v["trickless"].tolist() == [0, 1]

    out[:] = 0
    closed = Table(SCHNAPSEN).endgame("K♥ Q♥", "10♥ J♥", "S", [33, 11], **STOCK)
    loops.observe_all(closed.play("close marry♥").states, np.array([1]), out)
    assert v["closer"].tolist() == [0, 1, 0] and np.allclose(v["closing_points"] * 66, [11, 33])
    assert np.allclose(v["closing_tricks"], [0.1, 0.1]) and v["strict"][0] == 1
    assert ids("must_lead") == set(cards("K♥ Q♥"))

    out[:] = 0
    fresh = Table(SCHNAPSEN).deal(*DEAL).play("exchange marry♦")
    loops.observe_all(fresh.states, np.array([0]), out)
    assert v["exchanger"].tolist() == [1, 0] and np.allclose(v["pending"] * 66, [20, 0])
    assert v["led_suit"].sum() == 0 and np.isclose(v["upcard"][1] * 11, 2)


def test_words():
    table = Table().deal(*DEAL)
    assert text.action_name(table.s, 20) == "close" and text.action_name(table.s, 22) == "marry ♦"
    table.play("A♥ J♥")
    assert text.action_name(table.s, cards("10♠")[0]) == "draw 10♠"
    table.play("+K♠ +A♣")
    assert text.action_name(table.s, cards("J♠")[0]) == "exchange J♠"
    table.play("=J♠ close marry♦")
    facts = text.public(table.s)
    assert facts["trump"] == "♠" and facts["upcard"] == ["J♠"] and facts["talon"] == 8
    assert facts["points"] == [33, 0] and facts["tricks"] == [1, 0]
    assert facts["marriages"] == ["♦", ""] and facts["shown"] == [["Q♦", "K♦", "A♠"], []]
    assert facts["closed by"] == 0 and facts["exchanged by"] == 0
    assert text.private(table.s, 0) == {"drawn": ["K♠"]}
    assert text.private(table.s, 1) == {"drawn": ["A♣"]}
    assert text.action_name(Table(SCHNAPSEN).deal(*DEAL).s, 25) == "exchange"


def draws_of(s, q):
    """The events that brought q a hidden card."""
    return [t for t in range(s.length) if s.events[t] >> 12 & 1 and s.events[t] >> 8 & 15 == q]


def hidden_pasts(states, seat):
    """Every way in which the opponent's dealt cards and draws can have been, tried one by one."""
    s, q = states[0], 1 - seat
    unseen = [c for c in members(s.deck) if not (int(s.dealt[seat]) | int(s.gained[seat])) >> c & 1]
    draws = draws_of(s, q)
    hand = len(members(s.dealt[q]))
    pasts = []
    for dealt in itertools.combinations(unseen, hand):
        rest = [c for c in unseen if c not in dealt]
        for drawn in itertools.permutations(rest, len(draws)):
            past = states.copy()
            past[0].dealt[q] = make_set(dealt)
            past[0].dealt[TALON] = s.deck & ~(s.dealt[seat] | make_set(dealt) | s.dealt[UPCARD])
            past[0].events[draws] = s.events[draws] & ~np.uint16(255) | np.uint16(drawn)
            pasts.append(past)
    return possible(np.concatenate(pasts), states, seat)


def possible(pasts, states, seat):
    """Those which, played again through the rules, show the seat what it has seen."""
    good = np.zeros(len(pasts), bool)
    again = pasts.copy()
    play_again(again, pasts, good)
    game, variant = SNAPSZER, Table().variant
    tensors = Batch.of_states(game, variant, again).infostate(np.array(seat))
    wanted = Batch.of_states(game, variant, states.copy()).infostate(np.array(seat))
    good &= (tensors == wanted).all(1) & (again["turn"] == states[0].turn)
    return again[good]


@loops.Kernel
def play_again(again, pasts, good):
    for i in range(len(pasts)):
        reset(again[i])
        good[i] = worlds.replay(again[i], pasts[i])


def key(s):
    return s.dealt.tobytes() + s.events[: s.length].tobytes()


def kind(s, seat):
    """What makes the opponent's past interesting."""
    jack = int(trump_jack(s))
    late = s.lacked[1 - seat] > 0 and not int(s.dealt[seat] | s.gained[seat]) >> jack & 1
    if late and int(s.public) >> jack & 1:
        return "exchanged late" if s.exchanger == 1 - seat else "late jack played"
    if late and s.hands[TALON]:
        since = [t for t in draws_of(s, 1 - seat) if t >= s.lacked[1 - seat]]
        return "jack late or in the talon" if since else "jack in the talon"
    if late:
        return "jack late"
    if s.married[1 - seat] and s.length > 6:
        return "marriage"
    if s.closer != NOBODY:
        return "closed"
    return "exchanged" if s.exchanger == 1 - seat else "plain"


def positions(name, seed, each=8):
    """Some positions of each kind out of random deals, with the seats to move."""
    batch = Batch(name, games=400, seed=seed)
    found = Counter()
    for _ in play_randomly(batch, seed, close=0.3):
        for i in np.flatnonzero((batch.actors() >= 0) & (batch.states["length"] > 2)):
            seat = int(batch.actors()[i])
            what = kind(batch.states[i], seat)
            found[what] += 1
            if found[what] <= each:
                yield what, batch.states[i : i + 1].copy(), seat


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        (
            "python_snapszer(suits=3,ranks=4,hand=2)",
            {"late jack played", "jack late or in the talon", "exchanged late", "exchanged"},
        ),
        ("python_snapszer(suits=3,ranks=4,hand=2,rules=schnapsen)", {"exchanged"}),
        ("python_snapszer(suits=2,hand=2)", {"late jack played", "jack late", "marriage"}),
        ("python_snapszer(suits=2,hand=3)", {"jack late", "marriage"}),
    ],
)
def test_worlds_are_uniform_over_all_hidden_pasts(name, kinds):
    """Against enumeration; and no world is drawn in vain, so the deductions are complete."""
    seen_kinds = set()
    for what, states, seat in positions(name, seed=11):
        seen_kinds.add(what)
        pasts = {key(past) for past in hidden_pasts(states, seat)}
        n = 50 * len(pasts)
        out, tries = np.zeros(n, states.dtype), np.zeros(1, np.int64)
        worlds.sample_all(states, np.array([seat]), n, 5, out, tries)
        assert tries[0] == n
        found = Counter(key(w) for w in out)
        assert set(found) <= pasts
        surplus = sum((found[past] - 50) ** 2 / 50 for past in pasts) - (len(pasts) - 1)
        assert surplus <= 5 * math.sqrt(2 * len(pasts)) + 5
    assert seen_kinds >= kinds | {"plain", "closed"}
