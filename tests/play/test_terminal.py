"""The table as a person uses it: at a pseudo-terminal, a whole deal of each game."""

import subprocess
import sys

import pytest

from spielgames.core.game import GAMES
from spielgames.play.terminal import Terminal, paint, wants_colour
from spielgames.play.transcript import read_transcript
from tests.commands import python, run
from tests.play.person import Person, moves, typed

CTRL_D = b"\x04"


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_deal(name, tmp_path):
    path = tmp_path / "deal.txt"
    hearts = name == "python_hearts"
    seats = f"--seats={','.join(['human'] + ['rules'] * (GAMES[name].players - 1))}"
    options = [] if hearts else [seats]  # by default a person and the rules
    with Person(f"--game={name}", "--seed=11", f"--transcript={path}", *options) as person:
        shown, made = person.prompt(), []
        while "again?" not in shown:
            number, word = list(moves(shown).items())[len(made) % len(moves(shown))]
            made.append(word)
            person.type(typed(number, word))
            shown = person.prompt()
            assert "no move" not in shown
        person.type("n")
        assert person.end() == (0, "")
        assert "\x1b[31m" in person.raw.decode()
    (end,) = read_transcript(path)
    game = GAMES[name]
    assert len(made) > 4
    assert shown.count("\n  seat 0  human ") == 1
    for seat, value in enumerate(end.returns()):
        assert (
            f"seat {seat}  {'human      ' if seat == 0 else 'Rosa, solid'}  {value:+.4g} " in shown
        )
    assert all(word in shown for word in game.card_names(end.row["played"][0][0]))


def test_mistakes_hints_undo_and_history():
    with Person("--game=python_hokm", "--seed=1", "--hint=rules", "--colour=never") as person:
        first = person.prompt()
        assert "\x1b" not in person.raw.decode()
        assert moves(first) == {str(i + 1): f"trump {suit}" for i, suit in enumerate("♣♦♥♠")}
        for line, answer in [
            ("xyzzy", "'xyzzy' is not a move here; write a number from 1 to 4"),
            ("5", "there is no move number 5"),
            ("trump", "'trump' could be trump ♣, trump ♦, trump ♥, trump ♠; say which"),
            ("undo", "there is nothing to undo"),
            ("hint", "rules:\n"),
            ("hint random", "trump ♣    25 %"),
            ("hint foo", "there is no agent 'foo'"),
            ("hint pimc:worlds=0", "worlds=0 is not allowed"),
            ("history", "nothing has happened yet"),
            ("help", "what rules thinks of each move"),
        ]:
            person.type(line)
            assert answer in person.prompt()
        person.type("trump s")
        person.prompt()
        person.type("history")
        assert "you: trump ♠" in person.prompt()
        person.type("undo")
        assert moves(person.prompt()) == moves(first)
        person.type("quit")
        assert person.end() == (0, "\nbye\n")


def test_the_end_of_input_and_ctrl_c():
    with Person("--game=python_snapszer", "--seed=1") as person:
        person.prompt()
        person.press(CTRL_D)
        code, words = person.end()
        assert (code, "bye" in words) == (0, True)
    with Person("--game=python_snapszer", "--seed=1") as person:
        person.prompt()
        code, words = person.interrupt()
        assert (code, "Traceback" in words) == (130, False)


def test_two_people_share_a_terminal():
    with Person("--game=python_snapszer", "--seats=human,human", "--seed=3") as person:
        assert person.prompt().endswith("seat 0, press Enter ")
        person.type("")
        first = person.prompt()
        person.type("1")
        assert person.prompt().endswith("seat 1, press Enter ")
        assert person.raw.decode().count("\x1b[2J\x1b[3J") == 2
        person.type("")
        second = person.prompt()
        assert "seat 0 · you" in first
        assert "seat 1 · you" in second
        person.press(CTRL_D)
        assert person.end()[0] == 0


def test_a_replay_goes_on_by_enter(tmp_path):
    path = tmp_path / "deal.txt"
    play("--game=python_snapszer", "--seats=random,random", "--seed=4", f"--transcript={path}")
    whole = play(f"--replay={path}").stdout
    with Person(f"--replay={path}", "--colour=never") as person:
        frames = [person.prompt()]
        person.type("")
        frames.append(person.prompt())
        person.type("q")
        assert person.end()[0] == 0
    for frame in frames:
        assert frame.rsplit("\n", 1)[0].strip() in whole
    assert whole.count("── Snapszer") > 5
    assert "as dealt" in whole


def play(*options):
    return run("spielgames.play", *options)


def test_no_input_at_all_is_an_end_of_input():
    done = play("--game=python_coinche", "--seed=2")
    assert done.returncode == 0, done.stderr
    assert "pass> " in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            ["--game=python_bridge"],
            "there is no game 'python_bridge'; the games are python_c",
        ),
        (["--game=python_hokm("], "'python_hokm(' is not a game; write NAME"),
        (["--game=python_hokm(suits=99999999999)"], "99999999999 is not allowed; whole numbers"),
        (["--seats=human,rules"], "names 2 players, but python_hearts has 4 seats"),
        (["--seats=human,rules,rules,ruler"], "there is no agent 'ruler'"),
        (["--hint=pimc:worlds=none"], "worlds=none is not allowed"),
        (["--colour=pink"], "flag --colour=pink"),
        (["--transcript=/nowhere/deal.txt"], "/nowhere/deal.txt"),
        (["--replay=/nowhere/deal.txt"], "/nowhere/deal.txt"),
        (["--seed=-1"], "flag --seed=-1"),
        (["--typed=/nowhere/deal.txt"], "/nowhere/deal.txt"),
        (["--resume=zz"], "not the short string of a deal"),
    ],
)
def test_a_bad_flag_is_one_sentence_and_exit_code_2(options, why):
    done = play(*options)
    assert done.returncode == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_broken_transcript_is_one_sentence_and_exit_code_2(tmp_path):
    path = tmp_path / "deal.txt"
    path.write_text("game: python_hokm\nhistory: 4 4 4\n")
    done = play(f"--replay={path}")
    assert done.returncode == 2
    assert (
        done.stderr
        == f"{path}, deal of line 1: the history ends after step 3, before the deal does\n"
    )


def test_a_refusal_does_not_steer_the_terminal(tmp_path):
    path = tmp_path / "deal.txt"
    path.write_text("game: python_hokm(trump=\x1b[31mX)\nhistory: 4 4 4\n")
    done = play(f"--replay={path}")
    assert done.returncode == 2
    assert r"trump=\x1b[31mX is not allowed" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("option", ["--help", "--seats=rules,rules,random,random"])
def test_nobody_has_to_read_to_the_end(option):
    command = [*python("spielgames.play"), option]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_help_has_examples():
    done = play("--help")
    assert done.returncode == 0
    assert "python -m spielgames.play --game=hearts" in done.stdout
    assert "--transcript" in done.stdout
    assert "pimc:worlds=50,caution=1.0," in done.stdout
    assert "net:run=…,strategy=," in done.stdout


def test_cards_and_suits_are_coloured_and_nothing_else():
    painted = paint("10♥ and ♠, Jk; jk 10")
    assert painted == "\033[31m10♥\033[0m and \033[1m♠\033[0m, \033[36mJk\033[0m; jk 10"


@pytest.mark.parametrize("word", ["♥", "7♥", "10♥", "160♥", "capot♥"])
def test_a_suit_is_coloured_with_its_word(word):
    assert paint(f"say {word}!") == f"say \033[31m{word}\033[0m!"


def test_no_more_of_a_word_is_coloured_than_a_move_has():
    """So that the time for a line is proportional to its length."""
    assert paint("x" * 30 + "♥") == "x" * 25 + "\033[31mxxxxx♥\033[0m"


@pytest.mark.parametrize("colour", [False, True])
def test_nothing_that_is_shown_steers_the_terminal(colour, capfd):
    Terminal(colour).show("a\x1b[31mb\r\x07\x9b2J\u202e\udc80\nc ─ ▸ ü")
    assert capfd.readouterr().out == r"a\x1b[31mb\r\x07\x9b2J\u202e\udc80" + "\nc ─ ▸ ü\n"


@pytest.mark.parametrize(
    ("choice", "tty", "no_color", "expected"),
    [
        ("auto", True, "", True),
        ("auto", True, "1", False),
        ("auto", False, "", False),
        ("always", False, "1", True),
        ("never", True, "", False),
    ],
)
def test_colours_are_for_terminals_unless_told_otherwise(
    choice, tty, no_color, expected, monkeypatch
):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: tty)
    monkeypatch.setenv("NO_COLOR", no_color)
    assert wants_colour(choice) == expected


def test_a_plain_terminal_shows_plain_text(capfd):
    Terminal(colour=False).show("10♥")
    Terminal(colour=True).show("10♥")
    assert capfd.readouterr().out == "10♥\n\033[31m10♥\033[0m\n"
