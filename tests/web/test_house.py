"""What the server withstands: restarts, dropped connections, crowds, and wrong messages."""

import asyncio
import json
import random
from contextlib import ExitStack

import pytest
from starlette.websockets import WebSocketDisconnect

from spielgames.web.house import House, Limits
from spielgames.web.messages import COMMANDS, LONGEST
from spielgames.web.page import Page
from spielgames.web.store import pack
from tests.web.guests import Server, me_and

HOKM = {"game": "python_hokm", "parameters": {"suits": 2, "ranks": 4}, "deal": 3}
SEATS = me_and("random", "python_hokm")
MATCH = {**HOKM, "seats": SEATS, "match": True, "goal": 3}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("house"), tables=4) as server:
        yield server


@pytest.fixture
def guest(server):
    with server.guest() as guest:
        yield guest


def position(view):
    """A view without what a restart may change."""
    changing = ("at", "fresh")
    return {key: value for key, value in view.items() if key not in changing}


def test_a_restart_goes_on_where_it_was(tmp_path):
    with Server(tmp_path) as server, server.guest() as guest:
        guest.open(**MATCH)
        guest.play_on()
        guest.ask("next", "view", at=guest.view["at"])
        guest.act()
        before = guest.until(lambda view: view["actions"] or view["over"])
    with Server(tmp_path) as server, server.guest() as guest:
        after = guest.join(before["link"])
        assert position(after) == position(before)
        guest.play_on()
        assert len(guest.view["result"]["utilities"]) == 4


def test_a_page_may_come_back(server, guest):
    view = guest.open(**MATCH)
    with server.guest() as again:
        assert position(again.join(view["link"])) == position(view)


def test_a_full_house_says_so_and_makes_room(server):
    with ExitStack() as stack:
        one, two, three, four, five = (stack.enter_context(server.guest()) for _ in range(5))
        for guest in (one, two, three, four):
            guest.open(**MATCH)
        assert "the house is full" in five.refused("open", **MATCH)
        left = four.view["link"]
        four.say("leave")
        four.ask("ping", "pong")
        five.open(**MATCH)
        one.say("leave")
        one.ask("ping", "pong")
        assert four.join(left)["deal"] == 0  # it was on disk


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "a message is a JSON object"),
        ("[" * 60000, "a message is a JSON object"),
        ("[1]", "a message is a JSON object"),
        ("nonsense", "a message is a JSON object"),
        ('{"do": "fly"}', "`do` must be one of open, join"),
        ('{"do": ["open"]}', "`do` must be one of"),
        ('{"do": "act"}', "act: action is missing"),
        ('{"do": "act", "action": true, "at": "0:1"}', "act: action must be a whole number"),
        ('{"do": "act", "action": 1e400, "at": "0:1"}', "act: action must be a whole number"),
        ('{"do": "act", "action": 64, "at": "0:1"}', "act: action ranges from 0 to 63"),
        ('{"do": "act", "action": 1, "at": "0:1"}', "you are at no table"),
        ('{"do": "ping", "shout": 1}', "ping has no field 'shout'; its fields are: none"),
        ('{"do": "ping", "re": {}}', "`re` must be a whole number or a text"),
        ('{"do": "join", "table": "../../../etc", "token": "x"}', "there is no such table"),
        ('{"do": "join", "table": "AAAAAAAAAAAAAAAA", "token": "x"}', "there is no such table"),
        ('{"do": "rules", "game": "../x"}', "there are no rules of '../x'"),
        ('{"do": "import", "code": "hokm.!!"}', "not the short string of a deal"),
        ('{"do": "import", "code": "leduc_poker.AAAA"}', "there is no game 'python_leduc_poker'"),
        ('{"do": "import", "text": "hello"}', "this text is not a transcript"),
        ('{"do": "import"}', "give either the text"),
    ],
)
def test_what_is_wrong_gets_a_sentence(guest, said, why):
    guest.socket.send_text(said)
    error = guest.hear("error")["says"]
    assert why in error
    assert "\n" not in error
    assert guest.ask("ping", "pong", re=7)["re"] == 7


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "python_chess"}, "there is no game 'python_chess'"),
        ({"seats": ["me"]}, "Hokm has 4 seats, and 1 were named"),
        ({"seats": ["me", "me", "rules", "rules"]}, "only one seat can be yours"),
        ({"seats": ["me", "net:/etc/passwd", "rules", "rules"]}, "there is no agent 'net:/etc"),
        ({"seats": ["me", 7, "rules", "rules"]}, "a seat is 'me', 'person' or the id"),
        ({"parameters": {"colour": 1}}, "python_hokm has no parameter 'colour'"),
        ({"parameters": {"suits": 9}}, "suits=9 is not allowed"),
        ({"parameters": {"suits": "4"}}, "suits='4' is not allowed"),
        ({"parameters": {"trump": "choose,suits=1"}}, "is not allowed"),
        ({"deal": -1}, "open: deal ranges from 0"),
        ({"match": True, "goal": 0}, "open: goal ranges from 1"),
        ({"settings": {"pace": 99}}, "settings: pace ranges from 0 to 10"),
        ({"settings": {"hints": "all"}}, "hints must be one of"),
        ({"name": "x" * 25}, "open: name has at most 24 letters"),
    ],
)
def test_tables_that_cannot_be_opened(guest, fields, why):
    assert why in guest.refused("open", **HOKM | {"seats": SEATS} | fields)


VALUES = [
    *(None, True, False, 0, 1, -1, 63, 64, 2**53, 10**30, -(10**30), 0.5, 1e300, float("nan")),
    *("", "x", "♥" * 30, "\x00", "\ud800", "../../etc/passwd", "python_hokm", "0:1", "x" * 5000),
    *([], {}, [[]], ["me"] * 4, ["me", "rules", "rules", {}], {"suits": 99}, {"do": "ping"}),
]


def junk(luck, at):
    """A message that is wrong, or comes at a wrong time, or changes nothing."""
    if luck.random() < 0.1:
        return broken(luck)
    do = luck.choice([do for do in COMMANDS if do not in ("leave", "set")])
    fields = {name: luck.choice(VALUES) for name in COMMANDS[do] if luck.random() < 0.7}
    if "at" in COMMANDS[do] and luck.random() < 0.7:
        fields["at"] = at
    if do == "act" and luck.random() < 0.5:
        fields["action"] = luck.randrange(-1, 70)
    if do == "open" and luck.random() < 0.5:
        fields["game"] = "python_hokm"
    if luck.random() < 0.1:
        fields[luck.choice(["re", "do", "shout"])] = luck.choice(VALUES)
    return json.dumps({"do": do, **fields})


def broken(luck):
    """What is no message."""
    text = json.dumps({"do": "act", "action": 1, "at": "0:1"})
    depth = luck.choice([1, 50, 20_000])
    return luck.choice(
        [
            text[: luck.randrange(len(text))],
            text + luck.choice(["}", "x", "\x00"]),
            text.encode()[: luck.randrange(len(text))] + b"\xff",
            "[" * depth + "]" * depth,
            '{"a":' * depth + "1" + "}" * depth,
            '{"do": "act", "action": ' + "9" * 5000 + "}",
            json.dumps(luck.choice(VALUES)),
        ]
    )


def is_move(message, legal):
    try:
        said = json.loads(message)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("do") == "act" and said.get("action") in legal


@pytest.mark.parametrize("count", [2000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_junk_changes_nothing(tmp_path, caplog, count):
    asyncio.run(throw_junk(tmp_path, count))
    assert caplog.text == ""


async def throw_junk(folder, count):
    """Two people and a spectator send junk while it is the turn of one, who makes no legal move."""
    house = House(folder, Limits(tables=1), thinkers=0)
    house.analysts.free = asyncio.LifoQueue()  # no process ever gets to work
    pages = [Page(house) for _ in range(3)]
    seats = ["me", "random", "person", "random"]
    await pages[0].hear(json.dumps({"do": "open", **HOKM, "seats": seats}))
    table, luck, said = pages[0].here(), random.Random(1), set()
    for page, token in zip(pages[1:], (table.chairs[2].token, table.watch), strict=True):
        await page.hear(json.dumps({"do": "join", "table": table.id, "token": token}))
    before, legal = pack(table), table.deal.state.legal_actions()
    for _ in range(count):
        who, message = luck.randrange(3), junk(luck, table.at)
        if who or not is_move(message, legal):
            await pages[who].hear(message)
        said |= {answer.get("says", answer["is"]) for page in pages for answer in heard(page)}
    assert pack(table) == before
    assert [page.table for page in pages] == [table] * 3
    assert len(said) > 100
    assert "the server has made a mistake" not in said
    for page in pages:
        page.leave()
    await house.close()


def heard(page):
    """What a page was sent, all of which can be written as text."""
    while not page.outbox.empty():
        answer = page.outbox.get_nowait()
        json.dumps(answer, ensure_ascii=False, allow_nan=False).encode()
        yield answer


def test_messages_of_bytes_and_of_other_sizes(guest):
    guest.socket.send_bytes(b'{"do": "ping"}')
    guest.hear("pong")
    guest.socket.send_bytes(b"\xff\xfe")
    assert "JSON" in guest.hear("error")["says"]
    guest.socket.send_text('{"do": "' + "x" * LONGEST + '"}')
    assert f"at most {LONGEST}" in guest.hear("error")["says"]


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}]
)
def test_pages_of_other_sites_are_refused(server, headers):
    with pytest.raises(WebSocketDisconnect), server.guest(**headers):
        pass


def test_our_own_pages_are_welcome(server):
    with server.guest(origin="http://localhost") as guest:
        assert guest.hello["version"] == 1


def test_answers_carry_a_strict_policy(server):
    page = server.client.get("/")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert server.client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert server.client.get("/static/../server.py").status_code == 404
    assert server.client.get("/static/%2e%2e/server.py").status_code == 404


def test_a_deal_goes_out_and_comes_back(server, guest):
    guest.open(**HOKM, seats=SEATS)
    end = guest.play_on()
    out = guest.ask("export", "transcript")
    for fields in ({"code": out["code"]}, {"text": out["text"]}):
        with server.guest() as other:
            other.say("import", **fields)
            assert other.hear("opened")["all"]
            view = other.hear("view")
            assert view["log"] == end["log"]
            assert view["result"]["dealt"] == end["result"]["dealt"]
            assert not view["can"]["next"]


def test_positions_of_a_finished_deal(guest):
    guest.open(**HOKM, seats=SEATS)
    assert "not over yet" in guest.refused("look", step=0)
    end = guest.play_on()
    first = guest.ask("look", "position", step=0, eyes=2)
    assert (first["steps"], first["eyes"]) == (end["log"][-1]["step"] + 1, "seat")
    assert first["played"]["kind"] == "trump"
    assert first["seats"][0]["hand"] == [None] * 2
    last = guest.ask("look", "position", step=first["steps"])
    assert (last["played"], last["eyes"]) == (None, "all")
    assert "decisions, counted from 0" in guest.refused("look", step=first["steps"] + 1)


def test_people_write_comments_on_a_finished_deal(tmp_path):
    with Server(tmp_path) as server, server.guest() as guest:
        guest.open(**HOKM, seats=SEATS)
        assert "not over yet" in guest.refused("comment", step=0, text="early")
        guest.play_on()
        assert guest.view["comments"] == []
        at = guest.view["at"]
        view = guest.ask("comment", "view", step=1, text=" too\n high ")
        assert (view["comments"], view["at"]) == ([{"step": 1, "text": "too high"}], at)
        assert guest.ask("look", "position", step=1)["comments"] == view["comments"]
        assert "no decision at the end" in guest.refused(
            "comment", step=view["log"][-1]["step"] + 1
        )
        with server.guest() as watcher:
            watcher.join(guest.links["watch"])
            assert not watcher.view["can"]["comment"]
            assert "only those who play" in watcher.refused("comment", step=0, text="me too")
        out = guest.ask("export", "transcript")
        assert "comment 2: too high\n" in out["text"]
        with server.guest() as other:
            other.say("import", text=out["text"])
            assert other.hear("view")["comments"] == view["comments"]
    with Server(tmp_path) as server, server.guest() as guest:
        assert guest.join(view["link"])["comments"] == view["comments"]
        assert guest.ask("comment", "view", step=1, text="")["comments"] == []


def test_a_finished_deal_can_be_played_on_from_anywhere(server, guest):
    guest.open(**HOKM, seats=SEATS)
    end = guest.play_on()
    seats = ["random", "me", "random", "random"]
    guest.say("branch", step=3, seats=seats)
    guest.hear("opened")
    view = guest.until(lambda view: len(view["log"]) < len(end["log"]))
    assert view["you"] == 1
    assert view["log"][:3] == end["log"][:3]
    guest.play_on()
