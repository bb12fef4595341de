"""The metrics of Coinche on deals played by hand, and what must hold between them on any deals."""

import csv

import numpy as np
import pytest

from analysis.coinche.metrics import (
    ALONE,
    METRICS,
    OPPOSED,
    averages,
    first_call,
    measure_self_play,
    measure_team,
    measures_of,
    metrics_of,
    tally,
    tally_deals,
)
from analysis.coinche.metrics_figure import APPENDIX_C, PANELS, draw, save_metrics_figure
from spielgames.agents import Agent, make_agent
from spielgames.coinche.game import COINCHE
from spielgames.coinche.rules import PASS
from spielgames.coinche.scores import REWARDS
from spielgames.contest import final_states, play_deals
from spielgames.core.batch import Batch
from spielgames.core.game import initial_state
from spielgames.core.registry import find
from tests.coinche.table import MIXED, MIXED_PLAY, SOLO, Table
from tests.commands import run

NAN = np.nan
GAME = "python_coinche"
TEAM_METRICS = METRICS[:9]  # those before the lengths, which are the same for both teams

# Seats 0 and 2 make 62 points with MIXED, the others 100; with SOLO and clubs, seat 0 makes all.
PASSED = [0, NAN, NAN, 0, NAN, NAN, NAN, NAN, NAN]
DEALS = {
    "passed": (None, "pass pass pass pass", "", PASSED, PASSED, [1, 4, 1]),
    "made": (
        MIXED,
        "pass 90♥ pass pass pass",
        MIXED_PLAY,
        [0, NAN, -90, -90, NAN, 0, NAN, NAN, NAN],
        [1, 90, NAN, 90, 1, NAN, 10, 90, 0],
        [2 + 8, 5 + 32, 0],
    ),
    "failed": (
        MIXED,
        "80♥ pass pass pass",
        MIXED_PLAY,
        [1, -160, NAN, -160, 0, NAN, 18, 80, 0],
        [0, NAN, 160, 160, NAN, 1, NAN, NAN, NAN],
        [1 + 8, 4 + 32, 0],
    ),
    "coinched": (
        MIXED,
        "80♥ coinche pass pass pass",
        MIXED_PLAY,
        [1, -320, NAN, -320, 0, NAN, NAN, 80, 0],
        [0, NAN, 320, 320, NAN, 1, NAN, NAN, NAN],
        [2 + 8, 5 + 32, 0],
    ),
    "capot": (
        SOLO,
        "pass pass capot♣ coinche surcoinche",
        "",
        [1, 1000, NAN, 1000, 1, NAN, NAN, 250, 1],
        [0, NAN, -1000, -1000, NAN, 0, NAN, NAN, NAN],
        [2 + 8, 5 + 32, 0],
    ),
    "capot failed": (
        SOLO,
        "pass capot♣ pass pass pass",
        "",
        [0, NAN, 250, 250, NAN, 1, NAN, NAN, NAN],
        [1, -250, NAN, -250, 0, NAN, 250, 250, 1],
        [2 + 8, 5 + 32, 0],
    ),
}


class Passes(Agent):
    """Never bids; not a compiled player."""

    def probabilities(self, states):
        first = (states["playing"] == 0)[:, None] * np.eye(self.game.actions)[0]
        rules = make_agent("rules:strong", self.name).probabilities(states)
        return np.where(states["playing"][:, None], rules, first).astype(np.float32)


def last_state(deal):
    hands, auction, play = DEALS[deal][:3]
    return Table(hands).say(auction).play(play).finish().batch.states


def spread_of(values):
    """A mean and its standard error, if there are two values."""
    known = np.array([value for value in values if not np.isnan(value)])
    error = known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else NAN
    return (known.mean() if len(known) else NAN), error, len(known)


@pytest.mark.parametrize("deal", DEALS)
def test_hand_made_deals(deal):
    *_, first, second, (turns, length, passed) = DEALS[deal]
    for team, expected in enumerate((first, second)):
        found = metrics_of(last_state(deal), team)
        np.testing.assert_allclose([found[name] for name in TEAM_METRICS], expected)
        assert (found["table_turns"], found["calls_and_cards"]) == (turns, length)
        assert found["all_pass_rate"] == passed
        assert found["defending_rate"] == 1 - passed - found["attacking_rate"]
        coinched = 1 if deal in ("coinched", "capot") else 0
        holds = found["attacking_rate"] == 1
        np.testing.assert_equal(found["coinche_rate"], NAN if passed or holds else coinched)


def test_belote_counts_as_points_made():
    table = Table(MIXED, belote=True).say("80♥ pass pass pass").play(MIXED_PLAY)
    assert metrics_of(table.batch.states, 0)["bid_precision"] == 2  # 62 + 20


@pytest.mark.parametrize("team", [0, 1])
def test_means_errors_and_cases(team):
    """Over all hand-made deals at once, which are independent."""
    found = metrics_of(np.concatenate([last_state(deal) for deal in DEALS]), team)
    for k, name in enumerate(TEAM_METRICS):
        expected = spread_of([deal[3 + team][k] for deal in DEALS.values()])
        keys = (name, f"{name}_error", f"{name}_cases")
        np.testing.assert_allclose([found[key] for key in keys], expected, atol=1e-9)


@pytest.mark.parametrize("reward", REWARDS)
def test_averages_recompose(reward):
    """The parts of the deals, weighted, are all deals."""
    found = measure_team("rules:simple", "random", f"{GAME}(reward={reward})", 300, seed=2)
    rates = [found[f"{part}_rate"] for part in ("attacking", "defending", "all_pass")]
    assert sum(rates) == pytest.approx(1)
    parts = rates[0] * found["attacker_reward"] + rates[1] * found["defender_reward"]
    assert parts == pytest.approx(found["reward"])
    assert found["attacker_reward_cases"] == pytest.approx(rates[0] * found["reward_cases"])


def test_one_teams_attack_is_the_others_defence():
    agents = [make_agent(spec, GAME) for spec in ("rules:strong", "random")]
    (states,) = final_states(agents, OPPOSED, 300, seed=4)
    one, other = metrics_of(states, 0), metrics_of(states, 1)
    assert one["reward"] == -other["reward"]
    assert one["attacking_rate"] == other["defending_rate"]
    assert one["attacker_reward"] == pytest.approx(-other["defender_reward"])
    assert one["attacker_success"] == pytest.approx(1 - other["defender_success"])
    assert one["table_turns"] == other["table_turns"]


def test_the_reward_is_that_of_the_contest():
    """And its error that of independent deals, each with the mean of both seatings."""
    agents = [make_agent(spec, GAME) for spec in ("rules:strong", "rules:simple")]
    per_deal = play_deals(agents, OPPOSED, 500, seed=3)[:, OPPOSED == 0].mean(axis=1)
    found = measure_team("rules:strong", "rules:simple", GAME, 500, seed=3)
    mean, error, _ = spread_of(per_deal)
    assert (found["reward"], found["reward_cases"]) == (pytest.approx(mean), 1000)
    assert found["reward_error"] == pytest.approx(error)


def test_errors_of_ratios_are_those_of_repeated_measurements():
    """Both seatings of a deal are alike, and how often a team attacks varies."""
    runs = [
        measure_team("rules:simple", "rules:strong", GAME, 200, seed=seed) for seed in range(100)
    ]
    for name in ("attacking_rate", "attacker_success", "contract_value", "defender_reward"):
        told = np.mean([run[f"{name}_error"] for run in runs])
        assert np.std([run[name] for run in runs], ddof=1) == pytest.approx(told, rel=0.25)


def test_tallies_add_up():
    (states,) = final_states([make_agent("random", GAME)], ALONE, 60, seed=5)
    measures = measures_of(states)
    halves = tally(measures[:20]) + tally(measures[20:])
    np.testing.assert_allclose(halves, tally(measures))
    agents = [make_agent(spec, GAME) for spec in ("rules:strong", "random")]
    parts = [tally_deals(agents, OPPOSED, 2500, seed=1, first=first) for first in (0, 2500)]
    np.testing.assert_allclose(sum(parts), tally_deals(agents, OPPOSED, 5000, seed=1))


def test_self_play():
    """Of a zero-sum game; whoever attacks, it is one of the two teams."""
    found = measure_self_play("rules:strong", GAME, 400, seed=6)
    assert found["reward"] == 0 and found["reward_cases"] == 800
    assert found["attacking_rate"] == found["defending_rate"] > 0.4
    assert found["attacking_rate"] + found["all_pass_rate"] / 2 == pytest.approx(0.5)
    assert found["attacker_reward"] == -found["defender_reward"]


def test_agents_that_never_bid():
    passes = Passes(GAME)
    alone = measure_self_play(passes, GAME, 50, seed=1)
    assert alone["all_pass_rate"] == 1 and alone["reward"] == 0
    assert alone["calls_and_cards"] == 4 and alone["table_turns"] == 1
    against = measure_team(passes, "rules:strong", GAME, 50, seed=1)
    assert against["attacking_rate"] == 0 and np.isnan(against["attacker_reward"])
    assert against["attacker_reward_cases"] == 0 and np.isnan(against["attacker_reward_error"])
    assert against["defending_rate"] > 0.5


def test_no_deals_and_one():
    none = averages(tally(np.empty((0, 1, len(METRICS)))))
    assert np.isnan(none["reward"]) and none["reward_cases"] == 0
    one = measure_team("random", "random", GAME, 1, seed=1)
    assert not np.isnan(one["reward"]) and np.isnan(one["reward_error"])


def test_what_is_no_finished_deal_of_coinche_is_refused():
    with pytest.raises(ValueError, match="some of these are not finished"):
        metrics_of(Batch(GAME, 3).states, 0)
    with pytest.raises(ValueError, match="metrics are for Coinche"):
        metrics_of(initial_state(*find("python_hearts")), 0)


@pytest.fixture(scope="module")
def curves():
    def curve(opponents):
        points = [measure_team("rules", opponents, GAME, 20, seed) for seed in (1, 2, 3)]
        return [point | {"nodes": 10.0 * i} for i, point in enumerate(points)]

    return {name: curve(name) for name in ("random", "rules:simple")}


def test_the_figure_and_its_numbers(curves, tmp_path):
    files = save_metrics_figure(curves, tmp_path / "metrics", along="nodes")
    assert [file.name for file in files] == ["metrics.pdf", "metrics.png", "metrics.csv"]
    with files[2].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 3 * 10 and {row["metric"] for row in rows} == set(APPENDIX_C)
    row = next(row for row in rows if row["metric"] == "reward" and row["nodes"] == "20.0")
    point = curves["random"][2]
    assert row["curve"] == "random" and row["cases"] == "40"
    assert float(row["mean"]) == point["reward"]
    assert float(row["high"]) == pytest.approx(point["reward"] + 1.96 * point["reward_error"])


def test_panels(curves):
    assert set(PANELS) == set(METRICS) and len(APPENDIX_C) == 10
    drawn = draw(curves, "nodes", APPENDIX_C).axes
    assert [axes.get_title().split("\n")[0] for axes in drawn] == [
        PANELS[metric].title for metric in APPENDIX_C
    ]
    for axes, metric in zip(drawn, APPENDIX_C, strict=True):
        lines = {line.get_label(): line for line in axes.get_lines()}
        for name, points in curves.items():
            np.testing.assert_array_equal(
                lines[name].get_ydata(), [point[metric] for point in points]
            )


def test_named_points_stand_side_by_side(curves):
    named = {
        curve: [point | {"reward of": name} for point, name in zip(points, "abc", strict=True)]
        for curve, points in curves.items()
    }
    axes = draw(named, "reward of", ("reward",)).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c"]
    first, second = (bars.lines[0].get_xdata() for bars in axes.containers)
    assert (first < second).all() and (np.abs(second - first) < 0.5).all()


class Timid(Agent):
    """Passes three times in four, or else makes the lowest bid."""

    def probabilities(self, states):
        out = np.zeros((len(states), COINCHE.actions))
        out[:, PASS], out[:, PASS + 1] = 0.75, 0.25
        return out


def test_the_first_call():
    said = first_call(Timid(GAME), GAME, 50, 1)
    assert "passes with probability 0.750 (0.750 to 0.750" in said
    assert said.endswith("the likeliest bid of a hand has 0.250.")


def printed_rows(*options):
    done = run("analysis.coinche.metrics", "--deals=30", *options)
    lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
    rows = (line.split("|") for line in lines)
    return {cells[1].strip(): cells for cells in rows}


def test_the_command_prints_what_is_measured():
    rows = printed_rows("--agent=rules", "--opponents=random", "--seed=5")
    found = measure_team("rules", "random", GAME, 30, 5)
    assert rows.keys() >= set(METRICS)
    assert float(rows["reward"][2]) == pytest.approx(found["reward"], abs=1e-3)
    assert int(rows["reward"][4]) == found["reward_cases"] == 60
    assert float(printed_rows()["reward"][2]) == 0  # in self-play
    refused = run("analysis.coinche.metrics", "--agent=nobody")
    assert refused.returncode == 2 and "there is no agent 'nobody'" in refused.stderr
