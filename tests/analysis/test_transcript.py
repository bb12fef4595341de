"""Transcripts tell a whole deal: from what they say, it can be played again."""

import math
import re
from itertools import pairwise

import numpy as np
import pyspiel
import pytest

from analysis.transcript import play, seat_specs, tell
from spielgames.agents import Agent
from spielgames.core.cards import members
from spielgames.core.game import GAMES
from spielgames.core.loops import look
from spielgames.core.registry import find
from spielgames.play.transcript import read_transcript
from tests.commands import run

HOKM = "python_hokm"
TURN = re.compile(
    r"^seat (\d), (.*), (before )?trick (\d+)\n"
    r"  holds    (.*)\n  policy   (.*)\n"
    r"  entropy  (.*) nats\n  value    (\S*) .*\n(?:  because  .*\n)?  plays    (.*)$",
    re.MULTILINE,
)
SHARE = re.compile(r"([^,% ][^,%]*) ([\d.]+) %")
RESULT = re.compile(r"^  seat \d  \w+ +([+-][\d.]+) ", re.MULTILINE)


class Bold(Agent):
    """The higher the action, the likelier; its own values make tests fast, which would otherwise
    compile the sampling of worlds.
    """

    def probabilities(self, states):
        sets, actors = np.empty(len(states), np.uint64), np.empty(len(states), np.int8)
        look(states, actors, sets)
        out = np.zeros((len(states), self.game.actions), np.float32)
        for row, actions in zip(out, map(members, sets), strict=True):
            row[actions] = np.arange(1, len(actions) + 1) ** 2
        return out / out.sum(axis=1, keepdims=True)

    def values(self, states):
        return 0.25 + states["turn"] / 4


@pytest.fixture(autouse=True)
def bold(monkeypatch):
    """Whatever the agents are called."""
    monkeypatch.setattr("analysis.transcript.make_agent", lambda spec, game: Bold(game))


def told(game, seed=3):
    names = ["one", "other", "third", "fourth", "last"][: find(game)[0].players]
    return tell(play(game, names, seed), names)


def check_replay(game):
    """Chance from the history, every decision from what is shown as played."""
    text = told(game)
    moves = iter(turn[-1] for turn in TURN.findall(text))
    (history,) = re.findall(r"^history: (.*)$", text, re.MULTILINE)
    state = pyspiel.load_game(game).new_initial_state()
    for step in map(int, history.split()):
        if state.is_chance_node():
            state.apply_action(step)
        else:
            words = {state.action_to_string(a): a for a in state.legal_actions()}
            state.apply_action(words[next(moves)])
    assert state.is_terminal() and next(moves, None) is None
    results = [float(number) for number in RESULT.findall(text)]
    assert results == pytest.approx(state.returns(), rel=1e-3)


def test_what_is_told_reproduces_the_result():
    check_replay(HOKM)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted({*GAMES} - {HOKM}))
def test_what_is_told_of_the_other_games_does(game):
    check_replay(game)


def test_policies_are_distributions_with_the_likeliest_first():
    text = told(HOKM)
    turns = TURN.findall(text)
    assert len(turns) == text.count("  plays    ")
    for *_, holds, policy, entropy, _, move in turns:
        words, shares = zip(*SHARE.findall(policy), strict=True)
        shares = list(map(float, shares))
        assert sum(shares) == pytest.approx(100, abs=0.005 * len(shares) + 1e-9)
        assert shares == sorted(shares, reverse=True)
        assert move in words and (set(words) <= set(holds.split()) or "trump" in move)
        exact = -sum(p / 100 * math.log(p / 100) for p in shares)
        assert float(entropy) == pytest.approx(exact, abs=0.01)


def test_every_turn_says_who_when_and_what_it_expects():
    text = told(HOKM)
    turns = TURN.findall(text)
    assert turns[0][:4] == ("0", "one", "before ", "1")
    seats = {(seat, name, value) for seat, name, *_, value, _ in turns}
    assert seats == {
        ("0", "one", "+0.2500"),
        ("1", "other", "+0.5000"),
        ("2", "third", "+0.7500"),
        ("3", "fourth", "+1.0000"),
    }
    tricks = [int(turn[3]) for turn in turns[1:]]
    assert tricks == sorted([*range(1, tricks[-1] + 1)] * 4)
    assert text.count("  trick ") == tricks[-1]


def test_first_comes_the_deal():
    """Thirteen cards each, which the seats hold at their first card."""
    text = told(HOKM)
    hands = dict(
        re.findall(r"^  seat (\d)   (.*)$", text[: text.index("\nseat 0, ")], re.MULTILINE)
    )
    assert len({card for hand in hands.values() for card in hand.split()}) == 52
    for seat, _, _, _, holds, *_ in TURN.findall(text)[1:5]:
        assert sorted(holds.split()) == sorted(hands[seat].split())


def test_the_seed_says_which_deal():
    assert told(HOKM, seed=1) == told(HOKM, seed=1) != told(HOKM, seed=2)


def test_it_can_be_replayed(tmp_path):
    path = tmp_path / "deal.txt"
    path.write_text(told(HOKM), encoding="utf-8")
    (end,) = read_transcript(path)
    assert (end.row == play(HOKM, ["one"] * 4, 3).row).all()


def test_one_agent_or_a_list():
    assert seat_specs(HOKM, "rules", None) == ["rules"] * 4
    seats = seat_specs("python_snapszer", "rules", "pimc:worlds=9,seed=2,random")
    assert seats == ["pimc:worlds=9,seed=2", "random"]


def start(*options):
    return run("analysis.transcript", *options)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            ["--seats=rules,rules"],
            "--seats=rules,rules names 2, but python_hokm has 4 seats",
        ),
        (["--out=nowhere/deal.txt"], "nowhere/deal.txt can't be written"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(options, why):
    done = start(*options)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(why)


@pytest.mark.slow  # it compiles how worlds are sampled
def test_the_command(tmp_path):
    options = [f"--game={HOKM}", "--seats=random,rules,pimc:worlds=3,rules", "--seed=4"]
    shown, written = start(*options), start(*options, f"--out={tmp_path / 'deal.txt'}")
    assert (written.returncode, written.stdout) == (0, ""), written.stderr
    assert (tmp_path / "deal.txt").read_text(encoding="utf-8") == shown.stdout
    turns = TURN.findall(shown.stdout)
    assert {turn[1] for turn in turns} == {"random", "rules", "pimc:worlds=3"}
    assert all(-3 <= float(turn[-2]) <= 3 for turn in turns)


def test_a_deal_goes_through_all_formats(tmp_path):
    """As commands write them; the moves are the same in each."""
    paths = [tmp_path / f"deal.{ending}" for ending in ("jsonl", "pbn", "txt", "jsonl.gz")]
    game, rules = "--game=python_hearts", "--agent=rules"
    assert run("analysis.transcript", game, rules, f"--out={paths[0]}").returncode == 0
    for old, new in pairwise(paths):
        judge = ("--judge=rules",) if new.suffix == ".txt" else ()
        found = run("analysis.transcript", f"--replay={old}", f"--out={new}", *judge)
        assert found.returncode == 0, found.stderr
    (history,) = {tuple(read_transcript(path)[0].history()) for path in paths}
    assert len(history) > 52


def test_a_format_that_a_game_does_not_have_is_refused():
    found = run("analysis.transcript", "--game=python_coinche", "--agent=rules", "--format=pbn")
    assert found.returncode == 2
    assert found.stderr == "PBN is for Hokm and Hearts; for python_coinche, use JSON lines\n"
