"""Snapszer's ladder: what is trained, played and written; and whether the committed one is one."""

import csv
import json
from itertools import combinations
from pathlib import Path

import pytest

from analysis.tournament.pairs import meet
from experiments.common.meetings import FINALS
from experiments.configs.snapszer_ladder import TIERS, get_config
from experiments.reports.snapszer_ladder import DESCRIPTIONS
from experiments.snapszer_ladder import EXPERIMENT, chosen_tiers
from spielgames.agents import make_agent
from tests.commands import run

RESULTS = Path(__file__).parents[2] / "experiments/results/snapszer_ladder"
TRAINED = [name for name in TIERS if (RESULTS / f"networks/{name}-0").exists()]
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


# The committed results


def committed():
    return {(line["a"], line["b"]): line for line in lines_of(RESULTS, "round_robin")}


def beats(above, below):
    """Whether the interval of the better one against the worse one is above 0."""
    games = committed()
    if (below, above) in games:
        return games[below, above]["high"] < 0
    return games[above, below]["low"] > 0


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("T0-Direct", "random"),
        *((tier, "T0-Direct") for tier in TRAINED),
        ("T4-Bishop", "T3-Knight"),
        ("T6-Captain", "T4-Bishop"),
        ("T6-Captain", "rules"),
        ("network", "T6-Captain"),
        ("T3-Knight", "Knight-126"),
    ],
)
def test_the_committed_ladder_goes_up(above, below):
    assert beats(above, below)


def test_the_committed_tiers_play():
    for spec in ("trees:snapszer", f"net:{RESULTS}/networks/T0-Direct-0"):
        make_agent(spec, "python_snapszer")
    for path in RESULTS.glob("networks/*/networks/*"):
        assert path.stat().st_size < 2**20


def test_values_and_policies_get_better_in_training():
    """VMSE and PCE, as the paper has them."""
    lines = [line for line in lines_of(RESULTS, "metrics") if line["curve"] == "T6-Captain"]
    first, last = (line["losses"] for line in (lines[0], lines[-1]))
    assert last["value"] < 0.22 < first["value"]
    assert last["policy"] < first["policy"] - 0.2
