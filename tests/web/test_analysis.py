"""Analysis at the web table: it gets better step by step, in another process."""

import pytest

from tests.web.guests import Server, me_and

HOKM = {
    "game": "python_hokm",
    "parameters": {"suits": 2, "ranks": 4, "trump": "heuristic"},
    "seats": me_and("random", "python_hokm"),
    "deal": 3,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("analysis")) as server:
        yield server


@pytest.fixture
def guest(server):
    with server.guest() as guest:
        guest.open(**HOKM)
        guest.act()  # the only trump suit
        guest.until(lambda view: view["actions"])
        yield guest


def analyse(guest, **fields):
    guest.say("explain", **fields)
    told = [guest.hear("analysis")]
    while not told[-1]["done"]:
        told.append(guest.hear("analysis"))
    return told


def test_an_analysis_deepens(guest):
    told = analyse(guest, worlds=40)
    assert [step["worlds"] for step in told] == [10, 20, 40]
    assert [(step["round"], step["rounds"], step["of"]) for step in told] == [
        (1, 3, 40),
        (2, 3, 40),
        (3, 3, 40),
    ]
    last = told[-1]
    assert last["at"] == guest.view["at"]
    legal = {move["action"] for move in guest.view["actions"]}
    assert {verdict["action"] for verdict in last["verdicts"]} == legal
    best = max(last["verdicts"], key=lambda verdict: verdict["chance"])
    assert best["low"] <= best["mean"] <= best["high"]
    assert last["value"] == best["mean"]


def test_only_those_who_see_everything_may_ask_of_the_real_deal(server, guest):
    assert "only for those who see all" in guest.refused("explain", question="deal")
    with server.guest() as watcher:
        watcher.join(guest.links["watch"])
        assert "may ask this" in watcher.refused("explain")
        assert "say for which seat" in watcher.refused("belief")
        assert "may ask this" in watcher.refused("belief", seat=0)
    assert "only for your own seat" in guest.refused("belief", seat=1)


def test_help_may_be_forbidden_and_bare(guest):
    guest.ask("set", "view", hints="legal")
    assert guest.view["can"]["explain"] == []
    assert "allow no such help" in guest.refused("explain")
    guest.ask("set", "view", hints="ranked")
    (told,) = analyse(guest, worlds=10)
    assert told["value"] is None
    assert all(verdict["mean"] is None for verdict in told["verdicts"])
    assert sum(verdict["chance"] for verdict in told["verdicts"]) == pytest.approx(1)


def test_beliefs_are_probabilities_of_what_is_hidden(guest):
    belief = guest.ask("belief", "belief")
    mine = {card for suit in guest.view["hand"] for card in suit}
    assert belief["truth"] is None
    assert belief["cards"]
    for entry in belief["cards"]:
        assert entry["card"] not in mine
        assert sum(entry["chances"]) == pytest.approx(1)


def test_beliefs_weigh_what_the_others_did(server, guest):
    """Only where the seat that believes has a choice: the search knows no other beliefs."""
    assert guest.ask("belief", "belief")["assume"] == "nothing"
    weighed = guest.ask("belief", "belief", assume="rules")
    assert weighed["assume"] == "rules"
    for entry in weighed["cards"]:
        assert sum(entry["chances"]) == pytest.approx(1)
    assert "assume must be 'nothing' or 'rules'" in guest.refused("belief", assume="all")
    guest.play_on()
    steps = guest.view["log"][-1]["step"]
    other = {"deal": 0, "step": 0, "seat": 1, "assume": "rules"}
    assert "when this seat has a choice" in guest.refused("belief", **other)
    assert "say for which seat" in guest.refused("belief", deal=0, step=steps + 1, seat=7)
    with server.guest() as watcher:
        watcher.join(guest.links["watch"])
        seen = watcher.ask("belief", "belief", deal=0, step=3)
        assert seen["seat"] == guest.view["log"][3]["seat"]


def test_a_move_cancels_the_analysis(guest):
    at = guest.view["at"]
    guest.say("explain", worlds=10_000)
    guest.hear("analysis")
    guest.say("act", action=guest.view["actions"][0]["action"], at=at)
    last = guest.hear("analysis")
    while not last["done"]:
        last = guest.hear("analysis")
    assert last.get("cancelled")
    assert last["at"] == at
    guest.ask("ping", "pong")


def test_a_finished_deal_is_reviewed(guest):
    end = guest.play_on(lambda moves: moves[-1])
    guest.say("review", worlds=20)
    review = guest.hear("review")
    while not review["done"]:
        review = guest.hear("review")
    choices = review["checked"]
    assert choices == review["of"] > 0
    for mistake in review["mistakes"]:
        assert mistake["lost"] > 2 * mistake["error"]
        assert mistake["better"]["action"] != mistake["played"]["action"]
        assert end["log"][mistake["step"]]["seat"] == mistake["seat"]
    (real,) = analyse(guest, deal=0, step=4, question="deal")
    assert real["question"] == "deal"
    belief = guest.ask("belief", "belief", deal=0, step=4, seat=1)
    assert belief["truth"]


def test_what_is_decided_can_be_claimed(guest):
    """With one card left in every hand nobody has a choice."""
    assert "not decided" in guest.refused("claim", at=guest.view["at"])
    last_trick = lambda view: view["over"] or sum(map(len, view["hand"])) == 1  # noqa: E731
    while not guest.until(lambda view: view["actions"] or view["over"]) or not last_trick(
        guest.view
    ):
        guest.act()
    if not guest.view["over"]:
        guest.ask("claim", "view", at=guest.view["at"])
        guest.until(lambda view: view["over"])
