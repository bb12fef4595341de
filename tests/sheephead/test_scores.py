"""Sheephead's payments: every row at its bounds, and whole deals by hand."""

import numpy as np
import pytest

from spielgames.core.batch import Batch
from spielgames.core.cards import NONE, bit, make_set
from spielgames.core.game import initial_state
from spielgames.core.record import NOBODY, TERMINAL
from spielgames.core.registry import find
from spielgames.sheephead import scoring
from spielgames.sheephead.cards import points
from spielgames.sheephead.rules import BURIED
from tests.golden import golden
from tests.sheephead.table import NAME, Table, cards

ALONE = list(golden("sheephead_spitz")["payments_cents_alone"].values())
WITH_PARTNER = list(golden("sheephead_spitz")["payments_cents_partner"].values())


def subset(n: int, worth: int) -> list[int]:
    """n cards of the full deck worth that many points."""
    found = {(0, 0): []}
    for c in range(32):
        p = int(points(bit(c)))
        found |= {
            (k + 1, total + p): [*chosen, c]
            for (k, total), chosen in list(found.items())
            if (k + 1, total + p) not in found
        }
    return found[n, worth]


def paid(tricks: int, worth: int, alone: bool, name: str = NAME) -> list[float]:
    """The payment of seat 2 (with partner 4) for that many tricks and, with the buried, points."""
    game, variant = find(name)
    states = initial_state(game, variant)
    s = states[0]
    s.turn, s.picker, s.partner = TERMINAL, 2, NOBODY if alone else 4
    chosen = subset(5 * tricks + 2, worth)
    s.hands[BURIED] = make_set(chosen[:2])
    s.taken[2 if alone else 4] = make_set(chosen[2:7])
    s.taken[2] |= make_set(chosen[7:])
    s.taken[0] = s.deck & ~make_set(chosen)
    return Batch.of_states(game, variant, states).returns()[0].tolist()


ROWS = [  # tricks and points, row of the payments
    (6, 120, 0),
    (5, 120, 1),
    (3, 91, 1),
    (3, 90, 2),
    (3, 61, 2),
    (3, 60, 3),
    (3, 31, 3),
    (3, 30, 4),
    (2, 2, 4),
    (1, 0, 4),
    (0, 22, 5),
    (0, 0, 5),
]


@pytest.mark.parametrize(("tricks", "worth", "row"), ROWS)
def test_every_payment_row_at_its_bounds(tricks, worth, row):
    picker, other = ALONE[row]
    assert paid(tricks, worth, alone=True) == [other, other, picker, other, other]
    picker, partner, other = WITH_PARTNER[row]
    assert paid(tricks, worth, alone=False) == [other, other, picker, other, partner]


@pytest.mark.parametrize(("tricks", "worth", "row"), ROWS)
def test_doubled_doubles_every_payment(tricks, worth, row):
    for alone in (True, False):
        simple = paid(tricks, worth, alone)
        doubled = paid(tricks, worth, alone, NAME + "(doubled=true)")
        assert doubled == [2 * cents for cents in simple]


@pytest.mark.parametrize(
    ("mine", "worth", "row"),
    [
        ("AC KC QC", 18, 4),
        ("AC KC KD", 19, 3),
        ("AC AD AH QC", 36, 3),
        ("AC AD AH KC", 37, 2),
        ("AC AD AH AS KC QC QD", 54, 2),
        ("AC AD AH AS KC KD QC", 55, 1),
    ],
)
def test_thresholds_scale_with_a_small_deck(mine, worth, row):
    """Q K A: 72 points, so that the bounds are 18, 36 and 54."""
    game, variant = find(NAME + "(ranks=3)")
    states = initial_state(game, variant)
    s = states[0]
    s.turn, s.picker, s.partner = TERMINAL, 0, NOBODY
    s.taken[0] = cards(mine)
    s.taken[1] = s.deck & ~s.taken[0]
    assert points(s.taken[0]) == worth
    assert Batch.of_states(game, variant, states).returns()[0, 0] == ALONE[row][0]


def test_alone_with_the_six_highest_trumps():
    table = Table("QC JK QS QH QD JC", "", "", "", "", "JS JH").play("pick JS JH alone")
    for lead in ("QC", "JK", "QS", "QH", "QD", "JC"):
        table.play(lead).play_lowest(4)
    assert table.returns() == [100, -25, -25, -25, -25]
    assert table.s.taken[0] | table.s.hands[BURIED] == table.s.deck


def test_all_tricks_with_the_called_ace():
    """The partner's ace takes the one trick that the picker loses."""
    table = Table("QC JK QS QH QD KC", "9S 8S 7S 9H 8H 7H", "AC TC 9C TH AH KH", "", "", "JC JS")
    table.play("pick JC JS call:AC")
    assert table.s.partner == 2
    for lead in ("QC", "JK", "QS", "QH", "QD"):
        table.play(lead).play_lowest(4)
    assert table.s.hands[2] == cards("AC")
    table.play("KC").play_lowest(4)
    assert table.s.taken[2] & cards("AC KC") == cards("AC KC")
    assert table.returns() == [30, -15, 15, -15, -15]


def test_no_trick_pays_four_shares_in_spite_of_buried_points():
    """Seat 0 has buried 21 points, but none of its fail cards wins."""
    table = Table("7C 8C 9C 7S 8S 9S", "QC JK KC", "", "", "", "AD TD").play("pick AD TD alone")
    while table.s.turn != TERMINAL:
        table.play_lowest(1)
    assert table.s.taken[0] == NONE
    assert table.returns() == [-120, 30, 30, 30, 30]


def test_is_tied_tells_60_60():
    game, variant = find(NAME)
    states = initial_state(game, variant)
    s = states[0]
    s.turn, s.picker, s.partner = TERMINAL, 2, 4
    for worth, tied in ((59, False), (60, True), (61, False)):
        chosen = subset(17, worth)
        s.hands[BURIED], s.taken[2] = make_set(chosen[:2]), make_set(chosen[2:7])
        s.taken[4] = make_set(chosen[7:])
        assert scoring.is_tied(s) == tied
    s.picker = s.partner = NOBODY
    assert not scoring.is_tied(s)


def test_a_deal_without_nola_ends_when_all_have_passed_and_nobody_pays():
    batch = Batch("python_sheephead(nola=false)", games=3)
    for _ in range(5):
        batch.step(np.full(3, 32))
    assert not batch.running()
    assert (batch.returns() == 0).all()
