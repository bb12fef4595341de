"""What a tournament says about scores made by hand, about real games, and on the command line."""

import json
from itertools import combinations

import numpy as np
import pytest

from analysis.tournament import pieces
from analysis.tournament.__main__ import as_json, report
from analysis.tournament.arena import Entries, enter, hold, play_tournament
from analysis.tournament.figure import save_matrix_figure
from analysis.tournament.pairs import mean_matrix, pair_result, precise, score
from analysis.tournament.pieces import piece_of
from spielgames.agents import Agent, make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core import loops
from spielgames.core.cards import members
from spielgames.core.game import GAMES
from tests.commands import run

GAME = "python_snapszer"
COINCHE = "python_coinche(belote=true)"
SEATS = np.array([[0, 1], [1, 0]])
RESULT_KEYS = {"a", "b", "deals", "mean", "low", "high", "win_rate"}
ALL_KEYS = {"game", "agents", "deals", "seed", "command", "results", "ratings", "seats", "versions"}


class Lowest(Agent):
    """Always the lowest legal action."""

    def choose(self, actions):
        return actions[0]

    def probabilities(self, states):
        sets = np.empty(len(states), np.uint64)
        loops.look(states, np.empty(len(states), np.int8), sets)
        chosen = [self.choose(members(actions)) for actions in sets]
        return np.eye(self.game.actions, dtype=np.float32)[chosen]


class Highest(Lowest):
    """Always the highest."""

    def choose(self, actions):
        return actions[-1]


def simple_entries(game):
    return Entries(game, {"low": Lowest(game), "high": Highest(game)}, {})


def start(*options):
    return run("analysis.tournament", *options)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small run: what it printed, what it wrote, and where."""
    folder = tmp_path_factory.mktemp("tournament")
    done = start(
        f"--game={COINCHE}",
        "--agents=rules:strong,rules:simple,random",
        "--deals=20",
        "--seed=3",
        f"--json={folder / 't.json'}",
        f"--figure={folder / 'matrix'}",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads((folder / "t.json").read_text()), folder


def test_mean_and_wins_of_two_deals():
    utilities = np.array([[[3.0, -3.0], [-1.0, 1.0]], [[-2.0, 2.0], [0.0, 0.0]]])
    scores = score(utilities, SEATS)
    assert scores.means.tolist() == [[2, -2], [-1, 1]]
    assert scores.plays.tolist() == [[3, 1], [-2, 0]]
    assert scores.wins.tolist() == [1, 0.25]
    assert scores.seats[:, 0].tolist() == [[3, 1], [-2, 0]]
    assert scores.seats[:, 1].tolist() == [[-1, -3], [0, 2]]
    result = pair_result("a", "b", scores)
    assert (result.deals, result.mean, result.win_rate, result.margin) == (2, 0.5, 0.625, 1)
    assert result.opposite == -0.5
    assert result.control is None


def test_every_seat_counts_the_same_where_one_plays_many():
    """Alone an agent wins 8; each of four wins a quarter of what the fifth loses."""
    lineups = pair_lineups(GAMES["python_sheephead"])
    won = np.where(lineups.sum(axis=1) == 4, 8.0, -12.0)[:, None]  # agent 0's when alone, else 1's
    alone = np.where((lineups.sum(axis=1) == 4)[:, None], lineups == 0, lineups == 1)
    utilities = np.where(alone, won, -won / 4)[None]
    scores = score(utilities, lineups)
    assert scores.means[0] == pytest.approx([(8 + 12) / 5, -(8 + 12) / 5])
    assert scores.wins[0] == 1
    assert scores.weights.sum() == pytest.approx(1)
    assert scores.plays[0] @ scores.weights == pytest.approx(scores.means[0, 0])


def test_what_is_not_zero_sum_has_two_means():
    utilities = np.array([[[5.0, 1.0], [2.0, 4.0]], [[5.0, 1.0], [2.0, 4.0]]])
    result = pair_result("a", "b", score(utilities, SEATS))
    assert (result.mean, result.opposite, result.sign) == (4.5, 1.5, 1)
    matrix = mean_matrix(["a", "b"], [result])
    assert (matrix[0, 1], matrix[1, 0]) == (4.5, 1.5)
    assert np.isnan(matrix.diagonal()).all()


@pytest.mark.parametrize("game", GAMES)
def test_equal_deterministic_agents_are_exactly_equal(game):
    entries = Entries(game, {"one": Lowest(game), "other": Lowest(game)}, {})
    (result,) = hold(entries, 12, seed=4).results
    assert result.mean == pytest.approx(0, abs=1e-12)
    assert result.high - result.low == pytest.approx(0, abs=1e-12)
    assert (result.win_rate, result.sign, result.duplicate_factor is None) == (0.5, 0, True)


@pytest.mark.parametrize("game", GAMES)
def test_who_is_named_first_only_changes_the_sign(game):
    entries = simple_entries(game)
    turned = Entries(game, dict(reversed(entries.agents.items())), {})
    one, other = (hold(e, 12, seed=4).results[0] for e in (entries, turned))
    assert (one.a, one.b) == (other.b, other.a)
    assert one.mean == pytest.approx(-other.mean)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert one.win_rate == pytest.approx(1 - other.win_rate)
    assert one.duplicate_factor == pytest.approx(other.duplicate_factor)
    assert one.mean != 0


def test_results_do_not_depend_on_the_portions(monkeypatch):
    one = play_tournament(GAME, ["rules", "random"], 200, 2, ())
    monkeypatch.setattr(pieces, "COMPILED", {"deal": 37})
    assert play_tournament(GAME, ["rules", "random"], 200, 2, ()) == one
    assert play_tournament(GAME, ["rules", "random"], 200, 3, ()) != one


def test_portions_are_small_where_agents_are_slow():
    compiled, slow = make_agent("rules", GAME), make_agent("pimc", GAME)
    network = make_agent("net:snapszer", GAME)
    assert piece_of([compiled, compiled], "deal") == 16_384
    assert piece_of([compiled, network], "deal") == 256
    assert piece_of([network, slow], "deal") == 16


def test_every_pair_plays_the_same_deals(monkeypatch):
    seen = []

    def play(agents, lineups, deals, seed, first):
        seen.append((deals, seed, first))
        return play_deals(agents, lineups, deals, seed, first)

    agents = {"rules": make_agent("rules", GAME), "random": make_agent("random", GAME)}
    monkeypatch.setattr(pieces, "play_deals", play)
    hold(Entries(GAME, agents | {"low": Lowest(GAME)}, {}), 40, seed=7)
    slow = [(16, 7, 0), (16, 7, 16), (8, 7, 32)]
    assert seen == [(40, 7, 0), *slow, *slow]


def made_up(agents, lineups, deals, seed, first):
    """Agent 1 wins by 1 in seat 0, and by 3 in seat 1."""
    utilities = np.where(lineups == 1, [1.0, 3.0], [-3.0, -1.0])
    return np.broadcast_to(utilities, (deals, *lineups.shape))


def test_seat_effects_are_means_over_opponents(monkeypatch):
    monkeypatch.setattr(pieces, "play_deals", made_up)
    agents = {"random": make_agent("random", GAME), "rules": make_agent("rules", GAME)}
    seats = hold(Entries(GAME, agents, {}), 5, 1).seats
    rows = [(r.agent, r.seat, r.mean, r.low, r.high) for r in seats]
    assert rows[:2] == [("random", 0, -3, -3, -3), ("random", 1, -1, -1, -1)]
    assert rows[2:] == [("rules", 0, 1, 1, 1), ("rules", 1, 3, 3, 3)]
    three = hold(Entries(GAME, agents | {"low": Lowest(GAME)}, {}), 5, 1).seats
    assert [r.mean for r in three if r.agent == "rules"] == [(1 - 3) / 2, (3 - 1) / 2]


def test_control_variate_is_not_its_own():
    random, rules, low = make_agent("random", GAME), make_agent("rules", GAME), Lowest(GAME)
    agents = {"low": low, "random": random, "again": rules}
    controls = {"rules": rules, "random": random}
    first, second, same = hold(Entries(GAME, agents, controls), 200, seed=1).results
    assert same.control is None
    for result in (first, second):
        control = result.control
        assert 0.9 < control.factor < 5
        assert control.low < control.mean < control.high
        assert abs(control.mean - result.mean) < control.high - control.low


@pytest.mark.parametrize("game", GAMES)
def test_whole_matches(game):
    """A match is worth 1 to its winner (in Hearts 3, in Sheephead money)."""
    found = play_tournament(game, ["rules", "random"], 4, 1, (), "match")
    assert found.unit == "match" and found.results[0].deals == 4
    assert found.results[0].mean > 0 and found.results[0].win_rate > 0.5
    assert found == play_tournament(game, ["rules", "random"], 4, 1, (), "match")


def interrupting(after):
    """Plays so many portions, then somebody presses Ctrl-C."""
    portions = iter(range(after))

    def play(*args):
        if next(portions, None) is None:
            raise KeyboardInterrupt
        return play_deals(*args)

    return play


def test_ctrl_c_keeps_what_was_played(monkeypatch):
    entries = simple_entries(GAME)
    entries.agents["random"] = make_agent("random", GAME)
    whole = hold(entries, 40, seed=1)
    monkeypatch.setattr(pieces, "play_deals", interrupting(4))
    part = hold(entries, 40, seed=1)
    assert part.interrupted
    assert not whole.interrupted
    assert part.results[0] == whole.results[0]
    assert [(r.a, r.b, r.deals) for r in part.results] == [
        ("low", "high", 40),
        ("low", "random", 16),
    ]
    assert part.ratings == []
    assert {r.agent for r in part.seats} == set(entries.agents)
    assert "Interrupted" in report(part)
    assert "Interrupted" not in report(whole)


def test_ctrl_c_before_the_first_deal(monkeypatch):
    monkeypatch.setattr(pieces, "play_deals", interrupting(0))
    part = play_tournament(GAME, ["rules", "random"], 40, 1, ())
    assert (part.interrupted, part.results, part.seats) == (True, [], [])
    assert "Interrupted" in report(part)
    with pytest.raises(KeyboardInterrupt):
        play_tournament(GAME, ["rules", "random"], 40, 1)


@pytest.mark.parametrize(
    ("specs", "control", "reason"),
    [
        (["rules"], (), "at least two agents"),
        (["rules", "random", "rules"], (), "agent 'rules' is named twice"),
        (["rules", "human?"], (), "there is no agent 'human?'"),
        (["rules", "random"], ["rules"], "two compiled agents"),
        (["rules", "random"], ["rules", "pimc"], "two compiled agents"),
    ],
)
def test_bad_entries_are_refused(specs, control, reason):
    with pytest.raises(ValueError, match=reason.replace("?", r"\?")):
        enter(GAME, specs, control)


def test_one_deal_has_no_interval():
    with pytest.raises(ValueError, match="at least 2"):
        play_tournament(GAME, ["rules", "random"], 1, 1)


@pytest.mark.parametrize(
    ("number", "width", "text"),
    [(12.3456, 2.0, "+12.3"), (-0.01234, 0.004, "-0.0123"), (250, 90, "+250"), (1, 0, "+1.00")],
)
def test_numbers_are_as_precise_as_they_are_known(number, width, text):
    assert precise(number, width) == text


def test_json_has_all_keys(finished):
    _, found, _ = finished
    assert found.keys() >= ALL_KEYS
    assert [(r["a"], r["b"]) for r in found["results"]] == list(combinations(found["agents"], 2))
    assert all(r.keys() >= RESULT_KEYS for r in found["results"])
    assert all(r["low"] <= r["mean"] <= r["high"] for r in found["results"])
    assert all(0 <= r["win_low"] <= r["win_rate"] <= r["win_high"] <= 1 for r in found["results"])
    assert [r["deals"] for r in found["results"]] == [20, 20, 20]
    assert sum(r["alpha_rank"] for r in found["ratings"]) == pytest.approx(1)
    assert len(found["seats"]) == 3 * 4
    assert found["command"].startswith("python -m analysis.tournament ")
    assert (found["interrupted"], found["seed"]) == (False, 3)


def test_json_is_that_of_the_library(finished):
    _, found, _ = finished
    again = play_tournament(COINCHE, found["agents"], 20, 3)
    assert json.loads(json.dumps(as_json(again, found["command"]))) == found


def test_tables_name_everything(finished):
    printed, _, _ = finished
    words = (
        "rules:strong – random",
        "rules:simple",
        "95 % interval",
        "openskill",
        "α-rank",
        "seat",
    )
    assert all(word in printed for word in words)
    assert "20 deals" not in printed.splitlines()[0]
    assert "60 deals in all seatings" in printed


def test_figure_has_its_numbers_beside_it(finished):
    _, found, folder = finished
    assert {p.suffix for p in folder.glob("matrix.*")} == {".pdf", ".png", ".csv"}
    lines = (folder / "matrix.csv").read_text().splitlines()
    assert lines[0].startswith("a,b,deals,mean,low,high")
    assert len(lines) == 1 + len(found["results"])


def test_figure_of_what_is_all_equal(tmp_path):
    result = pair_result("a", "b", score(np.zeros((3, 2, 2)), SEATS))
    assert len(save_matrix_figure(GAME, "deal", ["a", "b"], [result], tmp_path / "flat")) == 3


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--game=chess"], "there is no game 'chess'"),
        (["--agents=rules"], "at least two agents"),
        (["--agents=rules,rules"], "named twice"),
        (["--agents=rules,alphabeta"], "there is no agent 'alphabeta'"),
        (["--agents=rules:divine,random"], "no level 'divine'"),
        (["--deals=1"], "--deals=1"),
        (["--seed=-1"], "--seed=-1"),
        (["--control=rules,pimc"], "two compiled agents"),
        (["--json=/no/such/folder/t.json"], "/no/such/folder/t.json can't be written"),
        (["--json=/tmp"], "/tmp is a folder"),
        (["--figure=/proc/figure"], "/proc/figure can't be written"),
        (["--colour=red"], "Unknown command line flag 'colour'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(options, reason):
    done = start(*options)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_is_no_failure():
    done = start("--help")
    assert done.returncode == 0
    assert all(flag in done.stdout for flag in ("--game", "--agents", "--deals", "--control"))
