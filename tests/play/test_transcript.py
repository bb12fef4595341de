"""Transcripts hold the whole deal, and replay it; a broken one is refused."""

import math

import numpy as np
import pytest

from spielgames.play.comments import read_comments, tidy
from spielgames.play.replay import show_replay
from spielgames.play.transcript import (
    GAME,
    entropy,
    read_deals,
    read_transcript,
    short_transcript,
)
from tests.play.seats import Eager, Script, a_deal, session
from tests.play.test_session import seats_of
from tests.variants import FULL, SMALL


def recorded(tmp_path, name, deals=1):
    """The file of a session with a person who always makes the first move, and its deals."""
    path, ends = tmp_path / "deal.txt", []
    table = session(Eager(deals=deals), name, ["human"] + ["rules"] * (seats_of(name) - 1))
    play = table.play
    table.play = lambda seed, _: ends.append(play(seed)) or ends[-1]
    table.run(5, path)
    return path, ends


@pytest.mark.parametrize("name", FULL)
def test_a_transcript_replays_to_the_same_end(name, tmp_path):
    path, (deal,) = recorded(tmp_path, name)
    (end,) = read_transcript(path)
    assert (end.row == deal.row).all()
    terminal = Script()
    show_replay(terminal, end)
    assert terminal.shown.count(f"── {deal.game.title}") == len(deal.turns)
    assert "as dealt" in terminal.shown


def test_comments_are_written_and_shown_again():
    deal = a_deal("python_hokm(suits=2,ranks=4)", ["random"] * 4)
    while not deal.over:
        deal.play_agent()
    comments = {0: "why not ♥?", 2: "game: over"}
    text = short_transcript(deal, ["x"] * 4, comments)
    assert "comment 1: why not ♥?\ncomment 3: game: over\n" in text
    (end,) = read_deals(text, "this text")
    assert read_comments(text, GAME) == [comments]
    terminal = Script()
    show_replay(terminal, end, comments)
    assert terminal.shown.index("“why not ♥?”") < terminal.shown.index("“game: over”")


def test_comments_are_one_line():
    assert tidy("  one\n two\x1b[31m " + "x" * 400) == ("one two[31m " + "x" * 400)[:300]
    assert read_comments("comment 1: early\ngame: a\ncomment 0: no\ncomment 2:  \n", "game: ") == [
        {}
    ]


def test_several_deals_are_in_one_file(tmp_path):
    path, deals = recorded(tmp_path, "python_snapszer", deals=3)
    assert [end.history() for end in read_transcript(path)] == [d.state.history() for d in deals]
    assert len({tuple(deal.state.history()) for deal in deals}) == 3


def test_every_turn_is_told(tmp_path):
    path, (deal,) = recorded(tmp_path, "python_hearts(pass=left)")
    text = path.read_text()
    assert text.count("  holds    ") == text.count("  plays    ") == len(deal.turns) == 64
    assert text.count("not known of a person") == 16
    assert text.count("  entropy  ") == text.count("  value    ") == 48
    assert text.count("seat 1, rules, trick 13") == 1
    assert text.count("seat 1, rules, before trick 1\n") == 3


def test_a_policy_adds_up(tmp_path):
    path, _ = recorded(tmp_path, "python_sheephead")
    lines = [
        line
        for line in path.read_text().splitlines()
        if line.startswith("  policy") and "%" in line
    ]
    for line in lines:
        shares = [float(part.split()[-2]) for part in line.split(",")]
        assert sum(shares) == pytest.approx(100, abs=0.1)


def test_entropy_is_that_of_the_distribution():
    assert entropy(np.array([0, 1.0, 0], np.float32)) == 0
    assert math.copysign(1, entropy(np.array([1.0], np.float32))) == 1
    assert entropy(np.full(8, 1 / 8, np.float32)) == pytest.approx(math.log(8))


def spoil(text, what):
    """One way in which a file can be broken."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("history: "))
    steps = lines[at].split()
    if what == "cut":
        lines[at] = " ".join(steps[:-3])
    elif what == "longer":
        lines[at] += " 0"
    elif what == "word":
        lines[at] = " ".join([*steps[:24], "zwölf", *steps[25:]])
    elif what == "huge":
        lines[at] = " ".join([*steps[:-1], "9" * 30])
    elif what == "swapped":
        lines[at] = " ".join([*steps[:-1], steps[-2]])
    elif what == "no history":
        del lines[at]
    elif what == "no game":
        del lines[at - 2]
    elif what == "another game":
        lines[at - 2] = "game: python_bridge"
    elif what == "second game":
        lines[at] = lines[at - 2]
    elif what == "half a game":
        lines[at - 2] = "game: python_hokm("
    elif what == "huge game":
        lines[at - 2] = "game: python_hokm(suits=99999999999)"
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("cut", "the history ends after step .*, before the deal does"),
        ("longer", "the deal is over"),
        ("word", "step 24 of the history: 'zwölf' is not an action id"),
        ("huge", "step .* of the history: "),
        ("swapped", "step .* of the history: action .* is illegal; allowed are"),
        ("second game", "each deal needs a line 'game: ' and then a line 'history: '"),
        ("no history", "is not a transcript"),
        ("no game", "is not a transcript"),
        ("another game", "there is no game 'python_bridge'"),
        ("half a game", "is not a game; write NAME"),
        ("huge game", "99999999999 is not allowed; whole numbers range from"),
    ],
)
def test_a_broken_transcript_is_refused(what, why, tmp_path):
    path, _ = recorded(tmp_path, SMALL[2])
    path.write_text(spoil(path.read_text(), what))
    with pytest.raises(ValueError, match=why) as caught:
        read_transcript(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("content", [b"", b"nothing of the sort", b"\xff\xfe\x00"])
def test_a_file_that_is_no_transcript_is_refused(content, tmp_path):
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="other is not a transcript"):
        read_transcript(path)
