"""Reading what people type: every spelling of a move, and the answers to everything else."""

import pytest

from spielgames.play.reading import Misread, read_command, read_move

CARDS = ["7♣", "10♣", "Q♣", "10♥", "K♥", "A♠", "Jk"]
DECK = [*CARDS, "9♦"]
BIDS = ["pass", "80♣", "80♠", "90♠", "capot♥", "coinche", "surcoinche"]
CALLS = ["alone", "call A♣", "call A♠"]
UNKNOWN = ["alone", "call A♣ with an unknown card"]
TALON = ["A♠", "Q♣", "close", "marry ♣", "marry ♥", "exchange"]
TRUMPS = ["trump ♣", "trump ♥"]


def read(text, words):
    """Read a word's move; action ids are spread so that numbers can't be taken for them."""
    moves = {10 * i + 3: word for i, word in enumerate(words)}
    return moves[read_move(text, moves, dict.fromkeys(CARDS, ""), DECK)]


@pytest.mark.parametrize(
    ("text", "words", "meant"),
    [
        ("1", CARDS, "7♣"),
        (" 7 ", CARDS, "Jk"),
        ("10h", CARDS, "10♥"),
        ("Th", CARDS, "10♥"),
        ("TEN OF HEARTS", CARDS, "10♥"),
        ("♥10", CARDS, "10♥"),
        ("k♥\ufe0f", CARDS, "K♥"),
        ("as", CARDS, "A♠"),
        ("play the ace of spades", CARDS, "A♠"),
        ("q", CARDS, "Q♣"),
        ("joker", CARDS, "Jk"),
        ("jk", CARDS, "Jk"),
        ("bid 90s", BIDS, "90♠"),
        ("90 spades", BIDS, "90♠"),
        ("PASS", BIDS, "pass"),
        ("capot h", BIDS, "capot♥"),
        ("capoth", BIDS, "capot♥"),
        ("capot", BIDS, "capot♥"),
        ("coinche", BIDS, "coinche"),
        ("call ace c", CALLS, "call A♣"),
        ("call A♠", CALLS, "call A♠"),
        ("call s", CALLS, "call A♠"),
        ("ac", CALLS, "call A♣"),
        ("call ac", UNKNOWN, "call A♣ with an unknown card"),
        ("marry h", TALON, "marry ♥"),
        ("marriage in clubs", TALON, "marry ♣"),
        ("exchange", TALON, "exchange"),
        ("trump h", TRUMPS, "trump ♥"),
        ("name clubs", TRUMPS, "trump ♣"),
    ],
)
def test_a_move_has_many_spellings(text, words, meant):
    assert read(text, words) == meant


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("10", CARDS, "there is no move number 10; write a number from 1 to 7, or one of 7♣"),
        ("0", CARDS, "there is no move number 0"),
        ("9" * 5000, CARDS, "there is no move number 999"),
        ("ten", CARDS, "'ten' could be 10♣, 10♥; say which"),
        ("80", BIDS, "there is no move number 80"),
        ("bid 80", BIDS, "'bid 80' could be 80♣, 80♠; say which"),
        ("marry", TALON, "'marry' could be marry ♣, marry ♥; say which"),
        ("kh", ["7♣", "10♣"], "K♥ is not allowed now; write a number from 1 to 2, or one of 7♣"),
        ("9d", CARDS, "9♦ is not in your hand"),
        ("s", CARDS, "'s' is not a move here"),
        ("xyzzy", CARDS, "'xyzzy' is not a move here"),
        ("as kh", CARDS, "'as kh' is not a move here"),
        ("", CARDS, "nothing was typed"),
        ("the", CARDS, "'the' is not a move here"),
        ("xyzzy", ["Jk"], "'xyzzy' is not a move here; write 1 or Jk, the only move"),
    ],
)
def test_what_is_no_move_is_explained(text, words, why):
    with pytest.raises(Misread) as caught:
        read(text, words)
    assert str(caught.value).startswith(why)


def test_commands_are_told_from_moves():
    assert read_command("hint") == ("hint", "")
    assert read_command(" HINT pimc:worlds=4 ") == ("hint", "pimc:worlds=4")
    assert read_command("q") == ("quit", "")
    assert read_command("?") == ("help", "")
    assert read_command("qs") is None
    assert read_command("") is None
    with pytest.raises(Misread, match="'undo' takes no argument"):
        read_command("undo 3")
