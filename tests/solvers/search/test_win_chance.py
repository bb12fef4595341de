"""The chance of winning: fitted to made-up choices, and to deals in which it is certain."""

import json
import sys

import numpy as np
import pytest

from solvers.search import win_chance
from solvers.search.values import fits
from solvers.search.win_chance import (
    Choices,
    chances,
    collect,
    errors,
    fit,
    fitted,
    known,
    save,
    surprise,
)
from spielgames.agents import make_agent
from spielgames.contest import play_deals
from tests.commands import run

GAME = "python_hokm(ranks=5,trump=heuristic)"
WEIGHTS = np.array([0.5, 5.0, 0.3])


def made_up(deals: int, each: int, seed: int) -> Choices:
    """Choices whose odds are WEIGHTS; all of a deal alike."""
    random = np.random.default_rng(seed)
    ways = []
    for _ in range(2):
        margins = random.choice([-5.0, -3, -1, 1, 3, 5], deals)
        ways.append(np.column_stack([np.sign(margins), margins]))
    left = random.integers(1, 14, deals)
    one = Choices(*ways, left, np.zeros(deals, bool), np.arange(deals))
    won = random.random(deals) < chances(known(one), WEIGHTS)
    return Choices(*(np.repeat(column, each, axis=0) for column in one._replace(won=won)))


def test_the_fit_finds_what_was_put_in():
    choices = made_up(20_000, 1, seed=1)
    x = known(choices)
    found, error = fit(x, choices.won), errors(x, choices, fit(x, choices.won))
    assert (np.abs(found - WEIGHTS) < 4 * error).all()
    assert (error < [0.1, 0.5, 0.1]).all()


def test_a_deal_counts_once_however_many_its_choices():
    once, often = made_up(2_000, 1, seed=2), made_up(2_000, 9, seed=2)
    wide, same = (errors(known(c), c, fit(known(c), c.won)) for c in (once, often))
    np.testing.assert_allclose(wide, same, rtol=0.01)


def test_errors_say_how_far_fits_scatter():
    fits = [fit(known(c), c.won) for c in (made_up(1_000, 2, seed=s) for s in range(60))]
    choices = made_up(1_000, 2, seed=99)
    said = errors(known(choices), choices, fit(known(choices), choices.won))
    np.testing.assert_allclose(np.std(fits, axis=0), said, rtol=0.35)


def test_who_plays_by_the_rules_wins_where_the_rules_do():
    rules = make_agent("rules", GAME)
    choices = collect(rules, rules, depth=2, deals=60, seed=3)
    np.testing.assert_array_equal(choices.plain[:, 0] > 0, choices.won)
    np.testing.assert_array_equal(np.sign(choices.plain[:, 1]), choices.plain[:, 0])
    assert (choices.best >= choices.plain).all()
    assert (choices.best > choices.plain).any()
    assert set(choices.deals) == set(range(60))
    assert surprise(known(choices)[:, :2], choices) < surprise(known(choices)[:, :1], choices)


def test_a_random_player_s_choices_are_those_it_had():
    """Of its ten cards in each of two seatings, none that was forced, as the last ones are."""
    random, rules = make_agent("random", GAME), make_agent("rules", GAME)
    choices = collect(random, rules, depth=1, deals=40, seed=5)
    utilities = play_deals([random, rules], np.array([[0, 1, 0, 1], [1, 0, 1, 0]]), 40, 5)
    won = np.array([utilities[:, 0, 0] > 0, utilities[:, 1, 1] > 0]).T
    for deal in range(40):
        of_deal = choices.won[choices.deals == deal]
        assert set(of_deal) <= set(won[deal])
    assert 40 * 4 < len(choices.won) < 40 * 2 * 8


def test_the_command_keeps_the_numbers(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(win_chance, "FITS", tmp_path / "fits.json")
    args = [f"--game={GAME}", "--agent=rules", "--deals=20", "--depth=1", "--save=mine"]
    monkeypatch.setattr(sys, "argv", ["win_chance", *args])
    choices = collect(*[make_agent("rules", GAME)] * 2, depth=1, deals=20, seed=1)
    save("mine", GAME, 1, fitted(choices))
    kept = json.loads((tmp_path / "fits.json").read_text())
    assert kept["hokm"] == fits()["hokm"]
    assert kept["mine"]["continuation"] == "lookahead(depth=1)"
    assert kept["mine"]["won"] == fitted(choices)["won"] > 0
    assert kept["mine"]["command"].endswith("--depth=1 --save=mine")


def test_the_command_prints_what_is_known():
    done = run(
        "solvers.search.win_chance", f"--game={GAME}", "--agent=rules", "--deals=20", "--depth=1"
    )
    assert done.returncode == 0, done.stderr
    assert "who won in both, and by how much" in done.stdout


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("--agent=nobody", "there is no agent 'nobody'"),
        ("--deals=1", "flag --deals=1: 1 is not integer >= 2"),
    ],
)
def test_the_command_refuses(flag, why):
    done = run("solvers.search.win_chance", f"--game={GAME}", flag)
    assert done.returncode == 2
    assert why in done.stderr
    assert "Traceback" not in done.stderr
