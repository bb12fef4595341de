"""What the terminal table tells of losses, matches and bids, and how it is interrupted."""

import io
import shlex
import sys
from contextlib import nullcontext

import numpy as np
import pytest

from analysis.transcript import judged, tell
from spielgames.core.registry import full_name
from spielgames.play.review import draw_review
from spielgames.play.roster import shown_name
from spielgames.play.screen import View, draw_history, draw_screen, list_moves
from spielgames.play.share import lengthen
from spielgames.play.standing import Standing
from spielgames.play.terminal import Quit, Terminal
from spielgames.play.transcript import short_transcript
from spielgames.play.typed import place_typed
from tests.play.seats import Eager, Script, a_deal, session

SMALL = "python_hokm(suits=2,ranks=4)"


class Strict:
    """Finds the action with the highest number best, and every other one 3 worse."""

    def weigh(self, states, usual):
        legal = states[0]["hands"][states[0]["turn"]]
        means = np.full((1, 56), -3.0)
        means[0, int(legal).bit_length() - 1] = 0.0
        return means, np.full((1, 56), 0.5)


def whole_deal(name, specs):
    deal = a_deal(name, specs)
    while not deal.over:
        deal.play_agent()
    return deal


def test_a_review_lists_what_was_lost_where():
    deal = whole_deal("python_hokm(suits=2,ranks=4,trump=heuristic)", ["random"] * 4)
    told = draw_review(deal, Strict(), [1, 2, 3])
    choices = [t for t in deal.turns if t.seat != 0 and len(t.state.legal_actions()) > 1]
    highest = [int(t.state.row["hands"][0][t.seat]).bit_length() - 1 for t in choices]
    lost = sum(t.action != best for t, best in zip(choices, highest, strict=True))
    assert lost > 0
    assert told.count("is worth 3.00 ± 0.98") == lost
    assert f"{len(choices)} choices, {lost} mistakes" in told
    assert f"lost {3 * lost:.2f} game points" in " ".join(told.split())


def test_a_match_goes_on_to_its_goal():
    terminal, standing = Script(), Standing(SMALL, 2)
    table = session(terminal, SMALL, ["rules", "random", "rules", "random"])
    table.standing = standing
    table.run(1, None)
    assert terminal.shown.count("── The match to 2, after deal") == standing.deals >= 1
    assert standing.totals.max() >= 2
    assert "won the match." in terminal.shown


def test_an_interrupted_deal_can_be_gone_on_with():
    specs = ["human", "random", "random", "random"]
    terminal = Script(["1", "1", "quit"])
    with pytest.raises(Quit):
        session(terminal, SMALL, specs).play(3)
    code = terminal.shown.split("--resume=")[1].split("'")[0]
    history = lengthen(code, finished=False).history()
    resumed = session(Eager(), SMALL, specs).play(3, history)
    straight = session(Eager(), SMALL, specs).play(3)
    assert (resumed.row == straight.row).all()


class Leaver(Eager):
    """Always makes the first move, and leaves in the second deal, or before it."""

    def __init__(self, moves):
        super().__init__(deals=3)
        self.moves = moves

    def ask(self, prompt):
        if self.shown.count("── The match to") == 1:
            if not self.moves:
                return "no" if prompt.startswith("again?") else "quit"
            self.moves -= not prompt.startswith("again?")
        return super().ask(prompt)


def options_of(shown):
    words = shlex.split(shown.split("To go on with this match:\n")[1])
    return dict(word.removeprefix("--").split("=", 1) for word in words if word.startswith("--"))


@pytest.mark.parametrize(("moves", "begun"), [(2, True), (1, True), (0, False)])
def test_an_interrupted_match_keeps_its_totals(moves, begun):
    specs = ["human", "random", "rules", "random"]

    def table(terminal, standing):
        made = session(terminal, SMALL, specs)
        made.standing = standing
        return made

    straight = Standing(SMALL, 3)
    table(Eager(deals=2), straight).run(3, None)
    left = Leaver(moves)
    with pytest.raises(Quit) if begun else nullcontext():
        table(left, Standing(SMALL, 3)).run(3, None)
    told = options_of(left.shown)
    assert (told["game"], told["goal"], told["seats"]) == (SMALL, "3", ",".join(specs))
    assert ("resume" in told) == begun
    resumed = Standing(told["game"], int(told["goal"]))
    resumed.resume(told["standing"])
    assert resumed.deals == 1
    assert resumed.totals.any()
    history = lengthen(told["resume"], finished=False).history() if begun else None
    table(Eager(deals=1), resumed).run(int(told["seed"]), None, history)
    assert resumed.pack() == straight.pack()


@pytest.mark.parametrize(
    "packed", ["", "1/0/0", "1/0/0/1/2/3/x", "1/4/0/1/2/3/4", "1/0/0/1/2/3/nan"]
)
def test_a_standing_that_no_match_has_is_refused(packed):
    with pytest.raises(ValueError, match="is not what an interrupted match has printed"):
        Standing(SMALL).resume(packed)


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_the_table_follows_the_width(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    for name, n in (("python_coinche", 4), ("python_sheephead", 5)):
        deal = a_deal(name, ["human"] * n)
        view = View(deal.face, deal.row, ["Felix, strong"] * n, deal.turn)
        lines = draw_screen(view, 5, list_moves(view, deal.state.legal_actions())).splitlines()
        assert max(map(len, lines)) == min(int(columns) - 2, 78)


def test_what_is_done_with_a_card_is_said():
    deal = a_deal("python_hearts(pass=left)", ["human"] * 4)
    for _ in range(3):
        deal.play(deal.state.legal_actions()[0])
    passed = deal.game.action_name(deal.row[0], deal.turns[0].action)
    view = View(deal.face, deal.row, ["human"] * 4, 0)
    assert f"you: pass {passed}" in draw_history(view)
    assert "seat 0: face down ×3" in draw_history(view._replace(viewer=1))


def test_bids_are_a_grid():
    deal = a_deal("python_coinche", ["human"] * 4)
    view = View(deal.face, deal.row, ["human"] * 4, 0)
    shown = draw_screen(view, 5, list_moves(view, deal.state.legal_actions())).splitlines()
    (row,) = [line for line in shown if "130♣" in line]
    assert row.split()[1::2] == ["130♣", "130♦", "130♥", "130♠"]


def test_without_signs_suits_are_letters(monkeypatch):
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace")
    monkeypatch.setattr(sys, "stdout", out)
    Terminal(colour=False).show("▸ 6♥ · 10♠ → seat 2 …")
    assert out.buffer.getvalue() == b"> 6H . 10S -> seat 2 ...\n"


def test_names():
    assert full_name("hearts(pass=left)") == "python_hearts(pass=left)"
    assert full_name("python_hokm") == "python_hokm"
    assert full_name("leduc_poker") == "leduc_poker"
    assert shown_name("python_hearts", "felix") == "Felix, strong"
    assert shown_name("python_hearts", "rules") == "Rosa, solid"
    assert shown_name("python_hearts", "pimc:worlds=3") == "pimc:worlds=3"


def test_a_judge_values_the_moves_of_a_transcript(tmp_path):
    deal = whole_deal(SMALL, ["random"] * 4)
    path = tmp_path / "deal.txt"
    path.write_text(short_transcript(deal, ["human"] * 4))
    replayed, names = judged(path, 1, "rules")
    told = tell(replayed, names)
    assert told.count("  policy ") == told.count("  value ") == len(deal.turns)
    assert "not known of a person" not in told
    with pytest.raises(ValueError, match="--deal=2 is not allowed"):
        judged(path, 2, "rules")


def test_a_deal_is_typed_in():
    state = place_typed(
        "game: hearts(pass=hold)\nseat 3: 2c As Ks 10h\nseat 0: qs\nmoves: 2c, 3c\n2d"
    )
    game, hands = state.definition, state.row["hands"][0]
    assert {"A♠", "K♠", "10♥"} < set(game.card_names(hands[3]))
    assert "Q♠" in game.card_names(hands[0])
    assert [int(hand).bit_count() for hand in hands] == [12, 12, 13, 12]
    assert state.current_player() == 2


def test_a_hand_that_is_dealt_later_is_typed_in():
    state = place_typed("game: hokm\npreview: 2c As\nseat 1: 2s 3c\nmoves: trump c")
    names = [set(state.definition.card_names(hand)) for hand in state.row["hands"][0]]
    assert {"2♣", "A♠"} < names[0]
    assert {"2♠", "3♣"} < names[1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a typed deal has lines"),
        ("seat 0: 2c", "a typed deal has lines"),
        ("game: hearts\nseat 9: 2c", "'seat 9' is no heading here"),
        ("game: hearts\nseat 0: 2c 2c", "2♣ is in the hands twice"),
        ("game: hearts\nseat 0: 11c", "'11c' is not a card of this deck"),
        ("game: snapszer\nseat 0: As Ks Qs Js 10s Ah", "a hand is too big"),
        ("game: hearts(pass=hold)\nseat 0: 2c\nmoves: As", "move 1: "),
    ],
)
def test_what_is_wrong_with_a_typed_deal(text, why):
    with pytest.raises(ValueError, match=why):
        place_typed(text)
