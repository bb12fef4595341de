"""Snapszer's ladder: what is trained, played and written; and whether the committed one is one."""

import csv
import json
from itertools import combinations

import pytest

from analysis.tournament.pairs import meet
from experiments.common.alphazero import FINALS
from experiments.configs.snapszer_ladder import TIERS, get_config
from experiments.reports.snapszer_ladder import DESCRIPTIONS
from experiments.snapszer_ladder import EXPERIMENT, chosen_tiers
from tests.commands import run

NAMES = ["T0-Direct", "T1-Pawn", "T2-Scout"]
ONE, TWO = "T0-Direct", "T1-Pawn"


def small(**fields):
    config = get_config("quick")
    config.neighbours, config.others = 8, 4
    config.budget.deals = 4
    for curve in config.curves.values():
        curve.settings.update(deals=20, steps=2, batch=16)
    config.curves[TWO].settings.teacher.update(simulations=4, worlds=2)
    config.update_from_flattened_dict(fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("ladder")
    EXPERIMENT.carry_out(where, small())
    return where


def lines_of(folder, name):
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]


def test_every_tier_learns_and_says_in_which_phase(folder):
    lines = lines_of(folder, "metrics")
    assert [(x["curve"], x["iteration"], x["phase"]) for x in lines] == [
        *((ONE, i, "") for i in (1, 2, 3, 4)),
        *((TWO, i, phase) for i, phase in ((1, "BOOT"), (2, "AZ"), (3, "AZ"), (4, "AZ"))),
    ]
    assert all("policy" in line["losses"] for line in lines[4:])


def test_all_pairs_meet_and_neighbours_more_often(folder):
    lines = lines_of(folder, "round_robin")
    players = ("random", "rules", ONE, TWO)
    assert {(line["a"], line["b"]) for line in lines} == set(combinations(players, 2))
    assert {(line["a"], line["b"]) for line in lines if line["deals"] == 8} == {(ONE, TWO)}
    specs = {
        ONE: f"net:{folder}/networks/{ONE}-0",
        TWO: f"trees:{folder}/networks/{TWO}-0,simulations=4,worlds=2,aggregation=visits",
    }
    found = meet(specs[ONE], specs[TWO], "python_snapszer", 8, FINALS)
    assert lines[0]["mean"] == pytest.approx(found.mean)


def test_nothing_is_played_twice(folder):
    files = [folder / f"{name}.jsonl" for name in ("metrics", "round_robin", "budgets")]
    before = [path.read_text() for path in files]
    EXPERIMENT.carry_out(folder, small())
    assert [path.read_text() for path in files] == before


def test_report_and_figures(folder):
    text = (folder / "report.md").read_text()
    assert f"- `{TWO}`: {DESCRIPTIONS[TWO]}" in text
    assert "α-rank" in text and "trees, the most visited action" in text
    for name in ("losses", "ladder", "budgets"):
        for ending in ("pdf", "png", "csv"):
            assert (folder / "figures" / f"{name}.{ending}").stat().st_size
    rows = list(csv.DictReader((folder / "figures/losses.csv").open()))
    assert [row["phase"] for row in rows] == ["BOOT", "AZ", "AZ", "AZ"]


def test_flags_choose_tiers():
    assert chosen_tiers(NAMES, 0, "", False) == NAMES
    assert chosen_tiers(NAMES, 2, "", False) == NAMES[:2]
    assert chosen_tiers(NAMES, 0, "T1-Pawn", False) == NAMES[1:]
    assert chosen_tiers(NAMES, 2, "T1-Pawn", False) == ["T1-Pawn"]
    assert chosen_tiers(NAMES, 0, "", True) == []
    with pytest.raises(ValueError, match="there is no tier 'T9'; there are T0-Direct, "):
        chosen_tiers(NAMES, 0, "T9", False)


def test_the_flags_are_those_of_the_paper(tmp_path):
    asked = ("--from-tier=T9", f"--workdir={tmp_path / 'x'}")
    done = run("experiments/snapszer_ladder.py", *asked)
    assert done.returncode == 2 and "there is no tier 'T9'" in done.stderr
    for flag in ("--tiers", "--from-tier", "--[no]eval-only"):
        assert f"\n  {flag}:" in run("experiments/snapszer_ladder.py", "--help").stdout


def test_every_variant_is_described():
    for variant, last in (("quick", "T1"), ("cpu", "T6"), ("paper", "T8")):
        config = get_config(variant)
        EXPERIMENT.check(config)
        assert set(config.curves) <= set(DESCRIPTIONS)
        assert max(name[:2] for name in config.curves if name in TIERS) == last
        if variant == "paper":  # the paper's numbers of games
            for name, tier in TIERS.items():
                curve = config.curves[name]
                assert curve.iterations * curve.settings.deals == tier.games
