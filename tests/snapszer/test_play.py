"""The play of Snapszer: tricks, draws, exchanges, marriages, closing."""

import math
from collections import Counter

import numpy as np
import pytest

from spielgames.core.batch import Batch
from spielgames.core.cards import members
from spielgames.core.record import CHANCE, NOBODY
from spielgames.snapszer.game import SNAPSZER
from spielgames.snapszer.record import TALON, UPCARD
from tests.snapszer.table import DEAL, SCHNAPSEN, STOCK, Table, action, cards


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


def test_last_hidden_card_goes_to_the_winner_and_the_upcard_to_the_loser():
    table = Table().endgame("A♥ Q♥", "J♥ 10♥", "S", [20, 20], talon="K♠", upcard="Q♠")
    assert "close" not in table.names()  # two cards are too few
    table.play("Q♥ 10♥ +K♠")
    assert table.hand(1) == set(cards("J♥ K♠")) and table.hand(0) == set(cards("A♥ Q♠"))
    assert table.s.turn == 1 and not table.s.hands[UPCARD]
    table.play("K♠")
    assert table.names() == {"Q♠"}  # exhausted: suit must be followed


def test_draws_are_uniform():
    table = Table().deal(*DEAL).play("A♥")
    talon = members(table.s.hands[TALON])
    batch = Batch.of_states(SNAPSZER, table.variant, np.repeat(table.states, 9000), seed=2)
    batch.step(np.full(9000, action("J♥")))
    drawn = Counter(int(event) & 255 for event in batch.states["events"][:, 2])
    assert sorted(drawn) == talon
    assert all(abs(n - 1000) < 5 * math.sqrt(1000) for n in drawn.values())


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


def test_exchange_is_automatic_once_the_holder_leads():
    """Not before the first lead, not while the other leads, at once when the holder is about to
    lead.
    """
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


def test_close_needs_four_cards_and_keeps_the_turn():
    table = Table().endgame("K♥ Q♥", "10♥ J♥", "S", [20, 20], **STOCK).play("close")
    assert table.s.turn == 0 and table.s.closer == 0
    assert table.names() == {"K♥", "Q♥", "marry ♥"}
    table.play("Q♥")
    assert table.names() == {"10♥"}  # strict from now on
    table.play("10♥")
    assert table.s.turn == 1 and len(table.hand(TALON)) == 3  # nobody draws
    for talon in ("J♣", "J♣ Q♣"):  # with the upcard two cards, or three, which no deal leads to
        few = {"talon": talon, "upcard": "10♠"}
        assert "close" not in Table().endgame("K♥ Q♥", "10♥ J♥", "S", [20, 20], **few).names()
