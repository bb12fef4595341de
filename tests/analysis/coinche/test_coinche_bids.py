import numpy as np
import pytest

from analysis.coinche.bids import CALLS, FEATURES, cases_of, holdings, save, what_bids_say
from analysis.coinche.metrics import ALONE
from spielgames.agents import make_agent
from spielgames.contest import final_states
from tests.commands import run

GAME = "python_coinche(reward=good)"


def test_holdings_of_a_hand():
    """Jack, 9 and two small ones of the second suit, one ace beside."""
    ranks = "789TJQKA"
    cards = [8 + ranks.index(r) for r in "J987"] + [ranks.index("A"), 16, 17, 24]
    hand = np.array([sum(1 << c for c in cards)], np.uint64)
    expected = {"J", "9", "8", "7", "4 or more", "an ace beside"}
    assert {n for n, held in zip(FEATURES, holdings(hand, 1)[0], strict=True) if held} == expected
    other = holdings(hand, 0)[0]
    assert {n for n, held in zip(FEATURES, other, strict=True) if held} == {"A"}


def test_first_calls_are_counted_one_by_one():
    """By replaying the record of each deal."""
    (states,) = final_states([make_agent("random", GAME)], ALONE, 40, seed=3)
    calls, features = cases_of(states, np.ones((40, 4), bool))
    assert len(calls) == len(features) == 40 * 4 * 4
    counted = np.zeros(len(CALLS), int)
    for state in states:
        for seat in range(4):
            call = int(state["events"][seat]) & 255
            if 1 <= call <= 40:
                level = (call - 1) // 4
                counted[5 if level == 9 else min(level, 4)] += 1
    assert [(calls == k).sum() for k in range(len(CALLS))] == counted.tolist()


def test_the_strong_player_bids_what_its_rules_say():
    """It wants the jack or the nine; a random player's calls say nothing."""
    bids = what_bids_say("rules:strong", "rules:strong", GAME, 2000, seed=1)
    jack, nine = FEATURES.index("J"), FEATURES.index("9")
    assert bids.held[:2, [jack, nine]].min() > 0.4
    assert bids.all_held[jack] == pytest.approx(0.25, abs=0.01)
    assert bids.correlation[[jack, nine]].min() > 0.2
    random = what_bids_say("random", "random", GAME, 2000, seed=1)
    assert np.abs(random.correlation).max() < 0.03


def test_figure_and_bad_input(tmp_path):
    bids = what_bids_say("rules:strong", "random", GAME, 100, seed=1)
    files = save(bids, tmp_path / "bids")
    assert [f.suffix for f in files] == [".pdf", ".png", ".csv"]
    assert len(files[2].read_text().splitlines()) == len(CALLS) + 3
    done = run("analysis.coinche.bids", "--game=python_hearts")
    assert done.returncode == 2
    assert done.stderr == "game=python_hearts is not allowed; it is Coinche\n"
