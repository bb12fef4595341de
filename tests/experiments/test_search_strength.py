"""The strength of searches: what is played, that it goes on, and what is said of it."""

import json

import pytest

from experiments.configs.search_strength import get_config
from experiments.search_strength import EXPERIMENT, pairs
from spielgames.agents import make_agent

GAME = "python_snapszer"


def small():
    config = get_config("quick")
    searches = {"rules": "pimc:worlds={n}", "eliminate": "pimc:worlds={n},eliminate=2"}
    settings = {"searches": searches, "opponents": {"rules": 4, "random": 4}}
    config.games = {GAME: settings}
    return config


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strength")
    (folder / "budgets.json").write_text(
        json.dumps({GAME: {"rules": {"1.0": 2}, "eliminate": {"1.0": 3}}})
    )
    EXPERIMENT.carry_out(folder, small())
    return folder


def test_every_pair_is_played_once(finished):
    lines = [json.loads(line) for line in (finished / "metrics.jsonl").read_text().splitlines()]
    met = [(line["phase"], line["a"], line["b"], line["spec_a"]) for line in lines]
    search = met[-2][3]
    assert met == [
        ("strength", "eliminate", "rules", "pimc:worlds=3,eliminate=2"),
        ("strength", "rules", "rules", "pimc:worlds=2"),
        ("preset", "search", "random", search),
        ("preset", "search", "rules", search),
        ("round robin", "eliminate", "rules", "pimc:worlds=3,eliminate=2"),
    ]
    assert all(line["low"] <= line["mean"] <= line["high"] for line in lines)


def test_what_was_played_is_not_played_again(finished):
    path = finished / "metrics.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2] + lines[3:]))
    EXPERIMENT.carry_out(finished, small())
    assert sorted(path.read_text().splitlines(keepends=True)) == sorted(lines)


def test_the_report_has_every_number(finished):
    report = (finished / "report.md").read_text()
    for words in ("against the rules", "each other", "`search` against", "Deals: 4 at 1 ms."):
        assert words in report
    assert (finished / "figures" / "search_strength.png").exists()


@pytest.mark.parametrize("variant", ["quick", "cpu", "paper"])
def test_all_variants_name_agents_that_exist(variant):
    config = get_config(variant)
    budgets = {str(ms): 4 for ms in config.times}
    for game, settings in config.games.items():
        found = list(pairs(game, config, dict.fromkeys(settings.searches, budgets)))
        assert {pair.b for pair in found if pair.phase == "preset"} == set(settings.opponents)
        for pair in found:
            if pair.phase == "round robin":
                make_agent(pair.spec_a, game)


def test_times_and_deals_belong_together():
    config = small()
    config.plays = (4, 4)
    with pytest.raises(ValueError, match="plays has a number for each of times"):
        EXPERIMENT.check(config)
