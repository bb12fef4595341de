"""A session as people meet it, in the same process."""

import numpy as np
import pytest

from spielgames.core.worlds import sample_worlds
from spielgames.play.deal import Deal
from spielgames.play.screen import without_folders
from spielgames.play.terminal import Quit
from tests.play.seats import Eager, Script, a_deal, played, session
from tests.variants import FULL

SEATS = {"python_sheephead": 5, "python_snapszer": 2, "python_snapszer(rules=schnapsen)": 2}
TYPED = ["history", "hint", "hint rules", "hint pimc:worlds=3", "hint nobody", "help", "undo 1", ""]
DECK = [rank + suit for suit in "cdhs" for rank in [*map(str, range(2, 11)), *"jqka"]]


def seats_of(name):
    return SEATS.get(name, 4)


def person_first(name):
    return ["human"] + ["random"] * (seats_of(name) - 1)


def after(name, moves, seed):
    """A deal after some random moves."""
    deal = a_deal(name, ["random"] * seats_of(name), seed)
    while not deal.over and len(deal.turns) < moves:
        deal.play_agent()
    return deal


def illegal_cards(deal):
    legal = {deal.game.action_name(deal.row[0], a) for a in deal.state.legal_actions()}
    symbols = str.maketrans("cdhs", "♣♦♥♠")
    return [card for card in DECK if card.upper().translate(symbols) not in legal and len(card) > 1]


def text_for(deal, name):
    """All that the person to move can see, with every command and every card they can't play."""
    terminal = Script(TYPED + ["zz " + card for card in illegal_cards(deal)])
    with pytest.raises(EOFError):
        session(terminal, name, ["human"] * seats_of(name)).take_turn(deal)
    return terminal.shown


@pytest.mark.parametrize("name", FULL)
def test_a_person_sees_the_same_in_worlds_that_he_cannot_tell_apart(name):
    different = 0
    for moves in (0, 2, 5, 9, 11, 14, 18):
        deal = after(name, moves, moves)
        if deal.over:
            continue
        row, seen = deal.row.copy(), text_for(deal, name)
        worlds = sample_worlds(row, np.array([deal.turn]), 3, moves)
        for i in range(3):
            deal.state = deal.face.state_of(worlds[i : i + 1])
            assert text_for(deal, name) == seen
            different += (worlds["hands"][i] != row["hands"][0]).any()
    assert different >= 9


@pytest.mark.parametrize("name", FULL)
def test_the_view_is_of_the_hand_of_whoever_is_to_move(name):
    deal = after(name, 5, 1)
    row, seat = deal.row, deal.turn
    (hand,) = [line for line in text_for(deal, name).splitlines() if line.startswith("  hand ")]
    assert sorted(hand.split()[1:]) == sorted(deal.game.card_names(row["hands"][0][seat]))


def play_through(name, seed, lines):
    """A deal in which the person types these lines and then always the first move."""
    terminal = Eager(lines)
    return session(terminal, name, person_first(name)).play(seed), terminal


@pytest.mark.parametrize("name", FULL)
def test_the_same_moves_make_the_same_deal(name):
    one, two = (play_through(name, 3, [])[0] for _ in range(2))
    other = play_through(name, 4, [])[0]
    assert (one.row == two.row).all()
    assert one.row["dealt"].tolist() != other.row["dealt"].tolist()


@pytest.mark.parametrize("name", FULL)
def test_a_move_taken_back_and_made_again_changes_nothing(name):
    plain, terminal = play_through(name, 3, [])
    undone, _ = play_through(name, 3, ["1", "undo", "1", "1", "1", "undo", "undo"])
    assert (plain.row == undone.row).all()
    assert "nothing to undo" not in terminal.shown


def test_undo_goes_back_to_the_decision_before():
    deal = a_deal("python_hokm", ["human", "random", "random", "random"])
    before = deal.state.row.copy()
    deal.play(deal.state.legal_actions()[0])  # names trump
    deal.play(deal.state.legal_actions()[0])
    while deal.turn != 0:
        deal.play_agent()
    assert deal.undo()
    assert len(played(deal.row, 0)) == 1
    assert deal.undo()
    assert (deal.row == before).all()
    assert not deal.undo()


def test_undo_at_the_start_says_so():
    terminal = Script(["undo"])
    with pytest.raises(EOFError):
        session(terminal, "python_hokm", person_first("python_hokm")).play(1)
    assert "there is nothing to undo" in terminal.shown


def test_the_screen_is_empty_before_another_person_looks():
    terminal = Script(["", "2", "4", "", "1", ""])
    with pytest.raises(EOFError):
        session(terminal, "python_hokm", ["human", "human", "random", "random"]).play(1)
    parts = terminal.shown.split("CLEAR\n")
    assert [part.split(",")[0] for part in parts] == ["", "seat 0", "seat 1", "seat 0"]
    assert all(
        part.startswith(f"seat {seat}, press Enter")
        for part, seat in zip(parts[1:], "010", strict=True)
    )
    assert "seat 0 · you" in parts[1]
    assert "seat 1 · you" in parts[2]
    assert "seat 1 · human" in parts[3]


def test_one_person_is_never_asked_to_press_enter():
    _, terminal = play_through("python_hokm", 3, [])
    assert "press Enter" not in terminal.shown
    assert "CLEAR" not in terminal.shown


def test_quit_leaves():
    with pytest.raises(Quit):
        play_through("python_hearts", 3, ["1", "quit"])


def test_a_hint_names_moves_with_their_chances():
    terminal = Script(["hint random"])
    with pytest.raises(EOFError):
        session(terminal, "python_hokm", person_first("python_hokm")).play(1)
    for suit in "♣♦♥♠":
        assert f"trump {suit}    25 %" in terminal.shown
    assert "game points" in terminal.shown


def test_the_news_are_of_the_moves_since_ones_own():
    deal, terminal = play_through("python_hokm", 3, [])
    screens = terminal.shown.split("── Hokm")
    second = next(screen for screen in screens if "trick 2 ─" in screen)
    words = [deal.game.card_name(int(e) & 255) for e in deal.row["events"][0][1:5]]
    line = " ".join(second.split("trick 1:")[1].split("\n\n")[0].split())
    you, *others = words
    expected = f"you: {you} · " + " · ".join(f"seat {i}: {w}" for i, w in enumerate(others, 1))
    assert line.startswith(expected + " → ")


def test_the_whole_auction_is_visible_while_it_lasts():
    deal = a_deal("python_coinche", ["human"] * 4)
    for call in ("pass", "80♥", "pass", "90♠", "pass"):
        (action,) = [
            a for a in deal.state.legal_actions() if deal.game.action_name(deal.row[0], a) == call
        ]
        deal.play(action)
    auction = "seat 0: pass · you: 80♥ · seat 2: pass · seat 3: 90♠ · seat 0: pass"
    seen = text_for(deal, "python_coinche")
    assert auction in seen
    assert "contract: 90♠ by seat 3" in seen


def test_long_names_are_cut_visibly():
    terminal = Script()
    specs = ["human", "pimc:worlds=1,base=rules(standard),seed=5"]
    with pytest.raises(EOFError):
        session(terminal, "python_snapszer", specs).play(1)
    assert "seat 1 · pimc:worlds=1,base=r…" in terminal.shown


def test_agents_are_named_without_their_folders():
    assert without_folders("ppo:runs/x/curves/strong-0,play=best") == "ppo:strong-0,play=best"
    assert without_folders("pimc:worlds=50,seed=3") == "pimc:worlds=50,seed=3"


def test_another_deal_has_the_next_number():
    terminal = Eager(deals=3)
    session(terminal, "python_hokm(suits=2,ranks=4)", person_first("python_hokm")).run(8, None)
    assert terminal.shown.count("again? [y/N]") == terminal.shown.count("── The deal") == 3
    assert all(f"deal {seed}" in terminal.shown for seed in (8, 9, 10))
    assert "deal 11" not in terminal.shown


def test_without_people_everything_is_open():
    terminal = Script()
    deal = session(terminal, "python_snapszer", ["random", "rules"]).play(1)
    frames = terminal.shown.split("── Snapszer")[1:]
    assert len(frames) == len(deal.turns)
    assert all("seat 0 " in frame and "talon " in frame for frame in frames[:2])


def test_an_agent_without_a_distribution_is_named():
    class Odd:
        def probabilities(self, states):
            return np.full((1, 56), 0.5, np.float32)

    deal = Deal("python_hokm", [Odd()] * 4, 1)
    with pytest.raises(ValueError, match="Odd must give a distribution"):
        deal.play_agent()
