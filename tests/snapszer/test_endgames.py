"""Strict endgames of Snapszer have the golden values, by minimax."""

import numpy as np
import pytest

from spielgames.core import loops
from spielgames.core.cards import members
from spielgames.core.record import TERMINAL
from tests.golden import golden
from tests.snapszer.table import SCHNAPSEN, Table, action, advance_one

GOLDEN = golden("schnapsen_strict")["cases"]


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
