"""The server sends a seat only what it may see."""

import json
import re

import numpy as np
import pytest

from spielgames.core.cards import members
from spielgames.core.record import OUTSIDER
from spielgames.core.worlds import sample_worlds
from spielgames.web.glance import show
from spielgames.web.table import AGENT, PERSON, WATCHING, Chair, Settings, Table
from tests.play.seats import a_deal
from tests.variants import FULL

NAMED = re.compile(r"(?<!\w)(?:(?:10|[2-9JQKA])[♣♦♥♠]|Jk)")


def table_with(name, players):
    table = Table(name, [Chair(PERSON, f"player {p}") for p in range(players)], 7, Settings())
    table.start_deal()
    return table


def after(name, moves):
    """A table at which people have made some random moves."""
    deal = a_deal(name, ["random"] * seats_of(name), moves)
    while not deal.over and len(deal.turns) < moves:
        deal.play_agent()
    table = table_with(name, deal.game.players)
    table.deals[0] = deal
    if deal.over:
        table.scores.append(None)
    return table


def seats_of(name):
    return {"python_sheephead": 5, "python_snapszer": 2}.get(name.partition("(")[0], 4)


def shown(table, role):
    return json.dumps(show(table, role), ensure_ascii=False)


def hidden_from(table, viewer):
    """The names of the cards whose place a viewer does not know."""
    s = table.deal.row[0]
    known = s.public if viewer == OUTSIDER else s.dealt[viewer] | s.gained[viewer] | s.public
    return {table.game.card_name(card) for card in members(s.deck & ~known)}


@pytest.mark.parametrize("name", FULL)
def test_no_hidden_card_is_named(name):
    """The one word that may name such a card is the name of an action: a bid, or a call."""
    found = 0
    for moves in range(0, 40, 7):
        table = after(name, moves)
        if table.deal.over:
            continue
        for role in [WATCHING, *range(table.game.players)]:
            view = show(table, role)
            view["contract"] = view["said"] = ""
            view["log"] = [entry for entry in view["log"] if entry["kind"] not in ("bid", "call")]
            view["actions"] = [move for move in view["actions"] if move["card"]]
            for seat in view["seats"]:
                seat["said"] = seat["said"] if NAMED.fullmatch(seat["said"]) else ""
            named = set(NAMED.findall(json.dumps(view, ensure_ascii=False)))
            assert not named & hidden_from(table, OUTSIDER if role < 0 else role)
            found += len(named)
    assert found


@pytest.mark.parametrize("name", FULL)
def test_worlds_that_a_seat_cannot_tell_apart_are_equal_bytes(name):
    different = 0
    for moves in (0, 6, 15):
        table = after(name, moves)
        if table.deal.over:
            continue
        state = table.deal.state
        for seat in range(table.game.players):
            seen = shown(table, seat)
            world = sample_worlds(state.row, np.array([seat]), 1, moves)
            table.deal.state = table.deal.face.state_of(world)
            assert shown(table, seat) == seen
            different += (world["hands"] != state.row["hands"]).any()
            table.deal.state = state
    assert different


def test_what_is_shown_after_the_deal_is_everything():
    table = after("python_hokm(suits=2,ranks=4)", 100)
    view = show(table, WATCHING)
    assert (view["eyes"], view["over"]) == ("all", True)
    dealt = {card for hand in view["result"]["dealt"] for card in hand}
    assert len(dealt) == 8


def test_agents_have_no_tokens_that_open_anything():
    table = table_with("python_hokm", 4)
    table.chairs[1] = Chair(AGENT, "Ruth", "random")
    with pytest.raises(ValueError, match="does not belong"):
        table.role_of(table.chairs[1].token)
