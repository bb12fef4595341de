"""The thesis' figures from few hands, and their numbers from made-up money."""

import csv
import json

import numpy as np
import pytest

from analysis.tournament.variance import Interval
from experiments import sheephead_thesis as thesis
from experiments.reports import sheephead_thesis as thesis_report
from tests import commands

HANDS, SEED = 2000, 3


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    work = tmp_path_factory.mktemp("thesis")
    return work, thesis.experiment(work, HANDS, SEED, show_bar=False)


@pytest.fixture(scope="module")
def curves(run):
    with run[1][4].open(newline="") as file:
        return np.array(list(csv.reader(file))[1:], int)


def test_everything_is_written(run):
    work, files = run
    assert sorted(p for p in work.rglob("*") if p.is_file()) == sorted(files)
    text = files[0].read_text(encoding="utf-8")
    assert "](figures/money.png)" in text and "](figures/money_thesis.png)" in text


def test_the_same_seed_gives_the_same_numbers(run, tmp_path):
    again = thesis.experiment(tmp_path, HANDS, SEED, show_bar=False)
    for first, second in zip(run[1], again, strict=True):
        if first.suffix != ".png":
            assert first.read_bytes() == second.read_bytes()


def test_money_is_noted_every_hundred_hands_and_none_is_lost(curves):
    assert curves.shape == (4 * HANDS // 100, 8)
    for figure, rule_based in thesis.FIGURES.items():
        here = curves[curves[:, 0] == figure]
        assert (here[:, 1] == rule_based).all()
        assert here[:, 2].tolist() == list(range(100, HANDS + 1, 100))
        assert (here[:, 3:].sum(axis=1) == 0).all()
        assert (np.diff(here[:, 3:], axis=0) % 5 == 0).all()  # all payments are whole nickels


def test_the_means_are_those_of_the_last_row(run, curves):
    """In `metrics.json` per hand, by player, by kind and by seat."""
    results = json.loads(run[1][1].read_text())
    assert (results["hands"], results["seed"]) == (HANDS, SEED)
    for result in results["figures"]:
        count = result["rule_based"]
        last = curves[curves[:, 0] == result["figure"]][-1, 3:] / HANDS
        np.testing.assert_allclose([p[0] for p in result["players"]], last)
        for kind, mean in (("rule-based", last[:count].mean()), ("random", last[count:].mean())):
            assert result["kinds"][kind][0] == pytest.approx(mean)
            seats = [seat[0] for seat in result["seats"][kind]["means"]]
            assert np.mean(seats) == pytest.approx(mean)


def test_random_players_lose_less_in_the_thesis_conditions(run):
    """They bid, bury and call by the rules, and nobody pays for Nola."""
    results = json.loads(run[1][1].read_text())
    pairs = zip(results["figures"], results["thesis_figures"], strict=True)
    for ours, theirs in pairs:
        assert ours["kinds"]["random"][0] < theirs["kinds"]["random"][0] < 0


def test_everybody_changes_places_every_batch():
    seating = thesis.seat_players(4000, seed=1)
    assert (np.sort(seating, axis=1) == np.arange(5)).all()
    for player in range(5):
        share = (seating == player).mean(axis=0)
        assert np.abs(share - 0.2).max() < 5 * np.sqrt(0.16 / 4000)


def made_up(batches, gain):
    """Money `[batches, players, seats]` where player 0 wins `gain` cents per hand off the others,
    a little more from whoever sits further on, all of it in seat 0; and the seating."""
    rng = np.random.default_rng(1)
    seating = thesis.seat_players(batches, seed=2)
    place = np.argsort(seating, axis=1)  # of each player
    after = (place - place[:, :1]) % 5
    money = np.zeros((batches, 5, 5))
    money[:, :, 0] = -gain * 100 * after / 10 + rng.normal(0, 1, (batches, 5))
    money[:, 0, 0] = gain * 100
    return money, seating


def test_the_numbers_of_a_figure():
    result = thesis.measure(6, *made_up(300, 5.0))
    assert result.kinds["rule-based"].mean == pytest.approx(5.0)
    assert result.kinds["random"].mean == pytest.approx(-1.25, abs=0.01)
    means = [place.mean for place in result.neighbours.means]
    assert means == pytest.approx([-0.5, -1.0, -1.5, -2.0], abs=0.01)
    assert result.neighbours.gain.mean == pytest.approx(-1.5, abs=0.01)
    by_seat = [seat.mean for seat in result.seats["rule-based"].means]
    assert by_seat == pytest.approx([25.0, 0, 0, 0, 0])  # in a fifth of the hands
    assert result.seats["rule-based"].gain.mean == pytest.approx(-25.0)
    assert result.closest.mean == pytest.approx(6.25, abs=0.2)
    assert "from just after the rule-based player to just before that player" in (
        thesis_report.position_sentence(result)
    )


@pytest.mark.parametrize(
    ("gain", "verdict"), [(5.0, "agrees with the thesis"), (-5.0, "does not bear out the thesis")]
)
def test_the_verdict_follows_the_numbers(gain, verdict):
    assert verdict in thesis.measure(6, *made_up(50, gain)).sentence()


def test_a_pair_too_close_to_call_does_not_bear_the_thesis_out():
    result = thesis.measure(7, *made_up(50, 5.0))  # now player 1, by rules, is as good as the rest
    assert result.closest.low < 0
    assert not result.agrees
    assert result.neighbours is None


def test_intervals_are_shown_with_signs():
    assert thesis_report.show(Interval(1.0, -0.5, 2.5)) == "+1.00 (-0.50 … +2.50)"


def start(folder, *options):
    return commands.run("experiments/sheephead_thesis.py", *options, cwd=folder)


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--hands=1050", "it is a multiple of 100, from 1000 up"),
        ("--hands=100", "it is a multiple of 100, from 1000 up"),
        ("--workdir=", "it is a folder"),
    ],
)
def test_a_bad_flag_is_one_sentence_and_exit_code_2(option, reason, tmp_path):
    done = start(tmp_path, option)
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_script_runs_and_says_what_comes_next(tmp_path):
    done = start(tmp_path, "--workdir=here", "--hands=1000", "--seed=2")
    assert done.returncode == 0, done.stderr
    assert "Figure 9 (4 rule-based)" in done.stdout
    assert "here/figures/money.pdf" in done.stdout
    assert "--workdir=here --hands=10000" in done.stdout
    assert (tmp_path / "here" / "metrics.json").exists()
