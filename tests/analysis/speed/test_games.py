"""The benchmark measures what it says, and its script behaves. No test here is about time."""

import json
import math
from random import Random

import numba
import numpy as np
import pyspiel
import pytest
from matplotlib.figure import Figure

from analysis.figures import duration, save_figure, short, table
from analysis.speed import benchmark, games
from analysis.speed.benchmark import Task
from analysis.speed.openspiel_workloads import dealt, drawn, play
from analysis.speed.workloads import PEERS, RandomPlayer, all_tasks, one_core, positions
from spielgames.core.batch import Batch
from spielgames.core.game import GAMES
from spielgames.files import replacing
from tests.commands import run, run_fresh

GAME = "python_hokm"
FACE = {"openspiel_decisions_per_s", "openspiel_deals_per_s"}
GAME_KEYS = FACE | {
    "compiled_moves_per_s",
    "compiled_deals_per_s",
    "compiled_moves_per_s_all_cores",
    "compiled_deals_per_s_all_cores",
    "batch_moves_per_s",
    "tensors_per_s",
    "tensors_uint8_per_s",
    "infostates_per_s",
    "worlds_per_s",
    "worlds_one_per_position_per_s",
    "duplicate_deals_per_s",
}


def start(*options):
    return run("analysis.speed.games", *options)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A whole run with tiny settings: what it printed and what it wrote."""
    path = tmp_path_factory.mktemp("benchmark") / "speed.json"
    saved = f"--json={path}", f"--figure={path.with_suffix('')}"
    fast = "--seconds=0.01", "--repetitions=1"
    done = run_fresh("analysis.speed.games", f"--games={GAME}", *fast, *saved)  # on all cores
    assert done.returncode == 0, done.stderr
    written = {"speed.json", "speed.pdf", "speed.png", "speed.csv"}
    assert {p.name for p in path.parent.iterdir()} == written
    return done.stdout, json.loads(path.read_text())


def numbers(tree):
    for value in tree.values():
        yield from numbers(value) if isinstance(value, dict) else [value]


def test_json_has_all_keys(finished):
    _, results = finished
    assert results["games"].keys() == {GAME}
    assert results["games"][GAME].keys() == GAME_KEYS
    assert results["peers"].keys() == {"hearts", "bridge", "euchre"}
    assert all(of.keys() == FACE for of in results["peers"].values())
    assert results["ratios"][GAME].keys() == FACE
    assert results["import_s"].keys() >= {"warm", "cold", "pyspiel"}
    versions = {"numba", "numpy", "open_spiel", "python"}
    assert results["machine"].keys() == {"cpu", "cores"} | versions


def test_json_numbers_are_positive_and_finite(finished):
    _, results = finished
    found = list(numbers({k: results[k] for k in ("games", "peers", "ratios", "import_s")}))
    assert len(found) == len(GAME_KEYS) + 3 * len(FACE) + len(FACE) + 4
    assert all(isinstance(x, float) and 0 < x < math.inf for x in found)


def test_ratios_are_to_a_game_in_cpp(finished):
    _, results = finished
    for key in FACE:
        expected = results["games"][GAME][key] / results["peers"]["hearts"][key]
        assert results["ratios"][GAME][key] == pytest.approx(expected)


def test_tables_name_everything(finished):
    printed, _ = finished
    assert all(word in printed for word in ("Hokm", "C++ hearts", "÷ C++ hearts", "import"))
    assert printed.count("reached") + printed.count("missed") == 7 + 1


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--seconds=0", "flag --seconds=0.0: it is above 0 and at most 60"),
        ("--seconds=nan", "flag --seconds=nan: it is above 0 and at most 60"),
        ("--seconds=soon", "could not convert string to float: 'soon'"),
        ("--games=chess", "the games are python_coinche, "),
        ("--games=", "the games are python_coinche, "),
        ("--repetitions=0", "0 is not a positive integer"),
        ("--json=/no/such/folder/speed.json", "/no/such/folder/speed.json can't be written"),
        ("--figure=/no/such/folder/speed", "/no/such/folder/speed can't be written"),
        ("--colour=red", "Unknown command line flag 'colour'"),
        ("quick", "unknown argument 'quick'; use --name=value"),
    ],
)
def test_a_bad_flag_is_one_sentence_and_exit_code_2(option, reason):
    done = start(option)
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_help_is_no_failure():
    done = start("--help")
    assert done.returncode == 0
    assert all(flag in done.stdout for flag in ("--json", "--games", "--seconds"))


def test_a_target_is_reached_or_missed():
    of = dict.fromkeys(GAME_KEYS, 1e6)
    results = {"games": {GAME: of}, "ratios": {GAME: dict.fromkeys(FACE, 0.5)}}
    rows = games.target_table(results).splitlines()[2:]
    outcomes = [row.split("|")[2].strip() for row in rows]
    assert outcomes == ["missed", "missed", "missed", "reached", "reached", "missed", "reached"]


def test_repetitions_take_turns_and_the_median_counts(monkeypatch):
    rates = iter([{"x": r} for r in (1.0, 10.0, 5.0, 30.0, 2.0, 20.0)])
    turns = []
    monkeypatch.setattr(benchmark, "rates", lambda work, _: turns.append(work()) or next(rates))
    tasks = [Task("a", lambda: {"x": 1}), Task("b", lambda: {"x": 2})]
    assert benchmark.median_rates(tasks, 1.0, 3) == {"a": {"x": 2.0}, "b": {"x": 20.0}}
    assert turns == 3 * [{"x": 1}, {"x": 2}]


def test_a_rate_counts_all_the_work_of_its_time(monkeypatch):
    clock = iter([10.0, 10.5, 11.0, 12.0])
    monkeypatch.setattr(benchmark, "perf_counter", lambda: next(clock))
    assert benchmark.rates(lambda: {"x": 3, "y": 1}, 1.5) == {"x": 4.5, "y": 1.5}


def test_games_and_peers_are_timed_side_by_side():
    owners = [task.owner for task in all_tasks([GAME])]
    assert owners[-8:] == 2 * [GAME, *PEERS]


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_decisions_of_all_stages(name):
    states, seats = positions(GAMES[name], 64)
    assert len(states) == len(seats) == 64
    assert (states["turn"] == seats).all()
    assert (seats >= 0).all()
    assert states["length"].min() < 3
    assert states["length"].max() > 15


@pytest.mark.parametrize("name", GAMES)
def test_random_player_is_legal_and_uses_every_action(name):
    batch, player = Batch(name, 512), RandomPlayer(512)
    seen = np.bitwise_or.reduce(batch.legal_sets())
    chosen = {int(a) for _ in range(20) for a in player(batch)}
    assert chosen == {a for a in range(64) if int(seen) >> a & 1}


def test_one_core_is_given_back():
    before = numba.get_num_threads()
    with one_core():
        assert numba.get_num_threads() == 1
    assert numba.get_num_threads() == before


@pytest.mark.parametrize(("luck", "action"), [(0.0, 3), (0.24, 3), (0.26, 5), (0.99, 9)])
def test_drawn_follows_the_probabilities(luck, action):
    assert drawn([(3, 0.25), (5, 0.5), (9, 0.25)], luck) == action


def test_drawn_survives_rounding():
    assert drawn([(0, 0.3), (1, 0.3)], 0.9) == 1


@pytest.mark.parametrize("name", [*GAMES, *PEERS.values()])
def test_dealt_positions_need_no_more_dealing(name):
    game = pyspiel.load_game(name)
    for seed in range(3):
        state = dealt(game, Random(seed))
        assert state.current_player() >= 0
        assert state.clone().is_terminal() is False
        before = len(state.history())
        decisions = play(state, Random(seed))
        draws = len(state.history()) - before - decisions
        assert draws <= (12 if name == "python_snapszer" else 0)


def test_hokm_is_dealt_after_trump_is_named():
    state = dealt(pyspiel.load_game(GAME), Random(1))
    assert state.row["undealt"][0] == 0
    assert state.row["trump"][0] < 4


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1.02e8, "102 M"),
        (6.3e7, "63.0 M"),
        (999_999, "1.00 M"),
        (9_999, "10.0 k"),
        (1000, "1.00 k"),
        (0.5234, "0.523"),
    ],
)
def test_short_numbers(number, words):
    assert short(number) == words


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.5, "2.5 s"), (2.6e-5, "26 µs"), (0.12, "120 ms"), (4e-9, "0.004 µs")]
)
def test_durations_have_their_unit(seconds, text):
    assert duration(seconds) == text


def test_table_is_aligned_markdown():
    lines = table([["", "Hearts"], ["moves", "1 M"]]).splitlines()
    assert lines == ["|       | Hearts |", "| ----- | -----: |", "| moves |    1 M |"]


def a_figure():
    figure = Figure()
    figure.subplots().plot([1, 2], [3, 4])
    return figure


def test_a_figure_is_saved_with_its_numbers(tmp_path):
    stem = tmp_path / "deep" / "speeds"
    rows = [("Hearts, full", 1.5), ("♠", 2)]
    paths = save_figure(a_figure(), stem, ["game", "speed"], rows)
    assert [p.name for p in paths] == ["speeds.pdf", "speeds.png", "speeds.csv"]
    assert set(stem.parent.iterdir()) == set(paths)
    assert paths[0].read_bytes().startswith(b"%PDF")
    assert paths[1].read_bytes().startswith(b"\x89PNG")
    assert paths[2].read_text(encoding="utf-8") == 'game,speed\n"Hearts, full",1.5\n♠,2\n'


def test_the_same_figure_gives_the_same_file(tmp_path):
    one, two = (save_figure(a_figure(), tmp_path / name, [], [])[0] for name in ("a", "b"))
    assert one.read_bytes() == two.read_bytes()


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), replacing(path) as partial:
        partial.write_text("half")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
