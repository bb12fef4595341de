"""What the comparison of Deep CFR's speed counts and says. No test here is about time."""

import json
import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from analysis.speed import deep_cfr as learning_speed
from analysis.speed import games
from analysis.speed.benchmark import machine
from analysis.speed.deep_cfr_workloads import (
    BATCH,
    DRAWS,
    EXTERNAL,
    HEARTS,
    KINDS,
    OurTraversals,
    TheirTraversals,
    draws,
    fits,
    growth_of_memory,
    make_data,
    own_memory,
    peak_memory,
)
from experiments.configs import hearts_deepcfr
from solvers.deep_cfr.rows import RowFormat, unpack
from solvers.deep_cfr.settings import Settings
from solvers.networks.network import Shape
from solvers.networks.settings import MlpSettings
from tests.commands import run

SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=2)"
ONE_CARD_EACH = "python_hearts(suits=2,ranks=2,pass=hold)"
FORMAT = RowFormat(width=20, numbers=(3,), actions=6, slots=4)
TINY = learning_speed.Sizes(
    games=("kuhn_poker", SNAPSZER),
    hearts="python_hearts(suits=2,ranks=4,pass=hold)",
    snapszer=SNAPSZER,
    full_deals=2,
    networks=(MlpSettings(hidden=8, layers=2),),
    deals=2,
    rows=(50, 500),
    steps=2,
    seconds=1e-9,
    repetitions=1,
)
MEGABYTE = 1 << 20


def here(make):
    """Without a process of its own."""
    return make()() | {"memory": own_memory()}


@pytest.fixture(scope="module")
def results():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning_speed, "peak_memory", here)
        return learning_speed.measure(TINY)


def numbers(part):
    if isinstance(part, dict | list):
        values = part.values() if isinstance(part, dict) else part
        return [x for value in values for x in numbers(value)]
    return [part] if isinstance(part, float) else []


def test_everything_is_measured(results):
    assert results["traversals"].keys() == set(TINY.games)
    assert all(of.keys() == {"ours", "OpenSpiel"} for of in results["traversals"].values())
    later = [of for of in results["hearts"] if of["case"].startswith("later")]
    assert {(of["precision"], of["threads"]) for of in later} == {
        (precision, threads)
        for precision in ("float32", "medium", "bfloat16")
        for threads in learning_speed.THREADS
    }
    assert len(results["hearts"]) - len(later) == 2 * len(learning_speed.THREADS)
    assert [(of["kind"], of["rows"]) for of in results["data"]] == [
        (kind, rows) for kind in KINDS for rows in TINY.rows
    ]
    assert [(of["game"], of["sampling"]) for of in results["memory"]] == [
        *((game, "external") for game in (*TINY.games, SNAPSZER)),
        (TINY.hearts, "decaying"),
    ]
    assert all(of["positions"] > 2 for of in results["memory"])
    parts = "traversals", "hearts", "memory", "data"
    found = numbers([results[part] for part in parts])
    assert found and all(math.isfinite(x) for x in found)
    assert json.loads(json.dumps(results))["machine"] == machine()


def test_only_networks_take_time_in_networks(results):
    for of in results["hearts"]:
        assert 0 <= of["networks"] < 1
        assert (of["networks"] > 0) == of["case"].startswith("later")


def test_hearts_gives_fewer_samples_than_it_has_positions(results):
    """`decaying` looks at all actions of a few positions only."""
    for of in results["hearts"]:
        assert 0 < of["samples"] < of["positions"]


def test_nodes_without_a_choice_are_not_counted(tmp_path):
    """Each of four seats has one card, so a traversal has one position: its end. OpenSpiel enters
    four deals of a card, four moves and the end.
    """
    theirs = TheirTraversals(ONE_CARD_EACH)
    assert theirs() == {"states": 4 * 9}
    assert theirs.share() == pytest.approx(1 / 9)
    settings = replace(EXTERNAL, traversals=7)
    found = OurTraversals(ONE_CARD_EACH, settings, tmp_path, networks=True)()
    assert found == {"positions": 4 * 7, "samples": 0, "networks": 0.0}


def test_both_sides_count_the_same_positions(tmp_path):
    """A traversal has as many, on average, where both play evenly."""
    theirs = TheirTraversals(SNAPSZER)

    def evenly(state, player):
        legal = np.isin(
            np.arange(theirs.learner.game.num_distinct_actions()), state.legal_actions()
        )
        return None, legal / legal.sum()

    theirs.learner.solver._sample_action_from_advantage = evenly
    n = 150
    states = sum(theirs()["states"] for _ in range(n))
    ours = OurTraversals(SNAPSZER, EXTERNAL, tmp_path, networks=False)()
    mean = ours["positions"] / (2 * EXTERNAL.traversals)
    assert states * theirs.share() / (2 * n) == pytest.approx(mean, rel=0.05)


def test_every_seat_has_a_network_and_samples_are_stored(tmp_path):
    ours = OurTraversals(SNAPSZER, replace(EXTERNAL, traversals=20), tmp_path, networks=True)
    first, second = ours(), ours()
    learner = ours.learner
    assert all(player is not None for player in learner.players)
    stored = sum(model.memory.offered for model in learner.advantages)
    assert stored == first["samples"] + second["samples"] > 0
    assert all(len(policy.memory) > 0 for policy in learner.policies)
    assert first["networks"] > 0
    assert learner.archive.state.iteration == 2


@pytest.mark.parametrize("kind", KINDS)
def test_made_up_data_are_as_many_as_they_should_be(tmp_path, kind, monkeypatch):
    monkeypatch.setattr("analysis.speed.deep_cfr_workloads.PART", 40)
    memory = make_data(kind, 100, FORMAT, tmp_path).open()
    assert len(memory) == 100
    rows = memory.draw(1000, np.random.default_rng(0))
    assert len(np.unique(rows)) > 90
    out = FORMAT.samples(1000)
    unpack(FORMAT, rows, out)  # refuses what is no sample
    assert (out.mask.sum(axis=1) == FORMAT.slots).all()


def test_portions_say_how_much_they_are(tmp_path):
    memory = make_data("reservoir", 100, FORMAT, tmp_path).open()
    assert draws(memory)() == {"drawn": DRAWS * BATCH}
    shape = Shape(FORMAT.width, FORMAT.actions)
    assert fits(memory, FORMAT, shape, steps=2)() == {"steps": 2}


@pytest.mark.skipif(math.isnan(own_memory()), reason="the system does not tell")
def test_only_memory_of_its_own_is_counted(tmp_path):
    before = own_memory()
    held = np.ones(64 * MEGABYTE, np.uint8)
    assert own_memory() - before > 48 * MEGABYTE
    held.tofile(tmp_path / "held")
    before = own_memory()
    mapped = np.memmap(tmp_path / "held", np.uint8, "r")
    assert mapped.sum() == len(held)
    assert own_memory() - before < 16 * MEGABYTE


class Holding:
    """A work that needs as much memory as it is told."""

    def __init__(self, size):
        self.size = size

    def __call__(self):
        return {"held": int(np.ones(self.size, np.uint8).sum())}


@pytest.mark.skipif(math.isnan(own_memory()), reason="the system does not tell")
def test_peak_memory_is_that_of_a_process_of_its_own():
    large, small = (peak_memory(partial(Holding, n * MEGABYTE)) for n in (400, 100))
    assert (large["held"], small["held"]) == (400 * MEGABYTE, 100 * MEGABYTE)
    assert 280 * MEGABYTE < large["memory"] - small["memory"] < 320 * MEGABYTE


@pytest.mark.slow
def test_a_full_game_needs_two_gigabytes_at_most(tmp_path):
    """18 million positions, of which 7 million are samples: a tenth of what README once began with,
    which took all memory there was.
    """
    settings = Settings(traversals=100, sharing="all")
    of = peak_memory(partial(OurTraversals, "python_snapszer", settings, tmp_path, networks=False))
    assert of["positions"] > 15e6 and of["samples"] > 5e6
    assert of["memory"] < 2e9


def test_a_reservoir_is_not_read_into_memory(tmp_path):
    format = RowFormat(width=8000, numbers=(), actions=6, slots=4)
    data = make_data("reservoir", 50_000, format, tmp_path)
    assert 50_000 * format.dtype.itemsize > 45 * MEGABYTE
    growth_of_memory(data)  # whose draws take room of their own, once
    assert not growth_of_memory(data) > 24 * MEGABYTE


def case(title, networks):
    rates = {"positions": 1e5, "samples": 1e3, "networks": networks}
    return {"case": title, "precision": "medium", "threads": 1} | rates


def test_targets_follow_the_numbers():
    results = {
        "machine": {"cores": 2},
        "traversals": {
            "kuhn_poker": {"ours": 4.9e5, "OpenSpiel": 1e4},
            "leduc_poker": {"ours": 5e5, "OpenSpiel": 1e4},
        },
        "hearts": [case("first", 0.0), case("later, small", 0.69), case("later, large", 0.71)],
        "memory": [
            {"game": "python_hearts", "sampling": "decaying", "positions": 5e6, "memory": 1.2e9}
        ],
        "data": [
            *({"kind": kind, "rows": 10**7, "bytes": 1.34e9, "memory": 2e6} for kind in KINDS)
        ],
    }
    for of in results["data"]:
        of |= {"drawn": 2e7, "steps": 25.0}
    report = learning_speed.report(results)
    assert "| 490 k |    10.0 k |            49 |  missed |" in report
    assert "| 500 k |    10.0 k |            50 | reached |" in report
    ends = [line.split("|")[-3:-1] for line in report.splitlines() if "100 k" in line]
    assert [[cell.strip() for cell in end] for end in ends] == [
        ["0%", "–"],
        ["69%", "missed"],
        ["71%", "reached"],
    ]
    assert "| python_hearts | decaying |    5.00 M |    1,200 MB |" in report
    assert "| shards          | 10.0 M | 1,340 MB |       20.0 M |          25 |  +2 MB |" in report


def test_the_benchmark_of_games_reports_it_too(results, monkeypatch):
    monkeypatch.setattr(games, "GAMES_TABLES", ())
    assert learning_speed.report(results) in games.report(results | {"learning": results})


def test_a_bad_flag_is_one_sentence_and_exit_code_2():
    done = run("analysis.speed.deep_cfr", "--json=/no/such/folder/x.json")
    assert done.returncode == 2
    assert "/no/such/folder/x.json can't be written" in done.stderr
    assert done.stderr.count("\n") == 1


def test_hearts_is_traversed_as_its_experiment_does_it():
    cpu = Settings.of(hearts_deepcfr.get_config("cpu").settings.to_dict())
    sizes = {
        name: getattr(HEARTS, name) for name in ("first_traversals", "first_steps", "traversals")
    }
    assert replace(cpu, fit=replace(cpu.fit, steps=HEARTS.fit.steps), **sizes) == HEARTS
