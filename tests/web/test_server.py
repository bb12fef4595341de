"""Deals at the web table, as a browser plays them."""

import pytest

from tests.web.guests import Server, me_and

SMALL = {
    "python_coinche": {"suits": 2, "ranks": 4, "levels": 1, "capot": False},
    "python_hokm": {"suits": 2, "ranks": 4},
    "python_hearts": {"suits": 2, "ranks": 4, "pass": "left", "pass_count": 1},
    "python_sheephead": {"ranks": 2},
    "python_snapszer": {"suits": 2, "ranks": 4, "hand": 3},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("tables")) as server:
        yield server


@pytest.fixture
def guest(server):
    with server.guest() as guest:
        yield guest


def open_small(guest, game="python_hokm", **fields):
    fields = {"deal": 3, "parameters": SMALL[game], **fields}
    return guest.open(game, fields.pop("seats", me_and("random", game)), **fields)


@pytest.mark.parametrize("game", SMALL)
def test_a_whole_deal(guest, game):
    view = open_small(guest, game)
    assert (view["you"], view["eyes"], view["number"]) == (0, "seat", 3)
    end = guest.play_on()
    assert end["eyes"] == "all"
    assert end["result"]["words"]
    assert len(end["result"]["utilities"]) == len(end["seats"])
    assert len(end["log"]) == end["log"][-1]["step"] + 1 + sum(
        e["step"] is None for e in end["log"]
    )


@pytest.mark.parametrize("game", SMALL)
def test_the_same_number_is_the_same_deal(guest, game):
    hands = [open_small(guest, game)["hand"] for _ in range(2)]
    assert hands[0] == hands[1]
    assert open_small(guest, game, deal=4)["number"] == 4


def test_the_log_says_what_is_new(guest):
    open_small(guest)
    before = guest.view["log"]
    view = guest.act()
    assert view["log"][: view["fresh"]] == before
    assert view["log"][view["fresh"]]["kind"] == "trump"


def test_undo_takes_the_last_decision_back(guest):
    first = open_small(guest)
    assert not first["can"]["undo"]
    second = guest.act()
    assert second["can"]["undo"]
    guest.until(lambda view: view["actions"])
    back = guest.ask("undo", "view", at=guest.view["at"])
    assert (back["hand"], back["log"]) == (first["hand"], first["log"])
    again = guest.act()
    assert again["log"] == second["log"]


def test_an_old_answer_changes_nothing(guest):
    view = open_small(guest)
    move = view["actions"][0]["action"]
    guest.ask("act", "view", action=move, at=view["at"])
    assert "moved on" in guest.refused("act", action=move, at=view["at"])


def test_what_is_not_legal_is_refused(guest):
    view = open_small(guest)
    assert "not one of the actions" in guest.refused("act", action=0, at=view["at"])
    assert "no next deal" in guest.refused("next", at=view["at"])
    assert "nothing can be taken back" in guest.refused("undo", at=view["at"])


def test_illegal_cards_have_reasons(guest):
    guest.open("python_hokm", me_and("random", "python_hokm"), deal=3)
    reasons = set()
    while not guest.until(lambda view: view["actions"] or view["over"])["over"]:
        playable = {move["card"] for move in guest.view["actions"]}
        reasons |= {entry["why"] for entry in guest.view["illegal"]}
        hand = {card for suit in guest.view["hand"] for card in suit}
        if None not in playable:
            assert hand == playable | {entry["card"] for entry in guest.view["illegal"]}
        guest.act()
    assert reasons <= {
        f"you must follow {suit}" for suit in ("clubs", "diamonds", "hearts", "spades")
    }
    assert reasons


def test_forced_cards_may_play_themselves(guest):
    asked = []
    for forced in (False, True):
        open_small(guest, settings={"forced": forced})
        before = len(guest.heard)
        guest.play_on()
        views = [text for text in guest.heard[before:] if '"actions": [{' in text]
        asked.append(len(views))
    assert asked[1] < asked[0]


def test_two_people_meet_by_link(server, guest):
    open_small(guest, seats=["me", "random", "person", "random"], name="Ann")
    (link,) = [entry["link"] for entry in guest.links["links"] if not entry["you"]]
    with server.guest() as other:
        view = other.join(link, name="Bob")
        assert view["you"] == 2
        assert [seat["name"] for seat in view["seats"]][0::2] == ["Ann", "Bob"]
        assert guest.hear("view")["seats"][2]["here"]
        guest.act()
        seen = other.until(lambda view: view["log"])
        assert seen["log"][0]["kind"] == "trump"
        assert "not your turn" in (
            other.refused("act", action=0, at=other.view["at"])
            if not other.view["actions"]
            else "not your turn"
        )
        while not guest.view["over"]:
            mover = guest if guest.view["turn"] == 0 else other
            mover.until(lambda view: view["actions"])
            at = mover.act()["at"]
            guest.until(lambda view, at=at: view["at"] == at or view["over"])
            other.until(lambda view, at=at: view["at"] == at or view["over"])
            for page in (guest, other):
                page.until(lambda view: view["over"] or view["turn"] in (0, 2))
        assert "nothing can be taken back" in guest.refused("undo", at=guest.view["at"])


def test_spectators_see_no_hands(server, guest):
    open_small(guest)
    with server.guest() as watcher:
        view = watcher.join(guest.links["watch"])
        assert (view["you"], view["eyes"], view["actions"]) == (None, "public", [])
        assert all(card is None for seat in view["seats"] for card in seat["hand"])
        assert guest.links["all"] is None
        assert "only those who play" in watcher.refused("set", paused=True)


def test_agents_play_alone_for_those_who_see_all(guest):
    view = open_small(guest, seats=["random"] * 4, settings={"pace": 0})
    assert view["eyes"] == "all"
    end = guest.until(lambda view: view["over"])
    assert end["can"]["next"]
    following = guest.ask("next", "view", at=end["at"])
    assert following["number"] == 4


def test_a_match_moves_on_and_ends(guest):
    open_small(guest, match=True, goal=2)
    while not guest.play_on()["match"]["over"]:
        totals = guest.view["match"]["totals"]
        assert max(totals) < 2
        guest.ask("next", "view", at=guest.view["at"])
    assert max(guest.view["match"]["totals"]) >= 2
    assert "won the match" in guest.view["match"]["words"]
    assert not guest.view["can"]["next"]


def test_players_change_seats_in_a_match(guest):
    open_small(guest, "python_snapszer", match=True)
    first = guest.play_on()
    second = guest.ask("next", "view", at=first["at"])
    assert (first["you"], second["you"]) == (0, 1)
    assert second["bottom"] == 1
    assert [seat["name"] for seat in second["seats"]] == ["Ruth", "Guest"]


def test_hearts_passes_in_turn_in_a_match(guest):
    parameters = {"suits": 2, "ranks": 4, "pass_count": 1}
    guest.open(
        "python_hearts", me_and("random", "python_hearts"), match=True, parameters=parameters
    )
    seen = [guest.view["parameters"]["pass"]]
    for _ in range(3):
        guest.play_on()
        guest.ask("next", "view", at=guest.view["at"])
        seen.append(guest.view["parameters"]["pass"])
    assert seen == ["left", "right", "across", "hold"]
