"""Data sets: what is in them, and that the same command goes on where it was stopped."""

import gzip
import json

import numpy as np
import pytest

from analysis import dataset
from analysis.dataset import Plan, lineups_for, make
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core.registry import find
from spielgames.deal_files import load_deals
from spielgames.deal_files.arrays import PAST, read_arrays
from tests.commands import run

GAME = "python_snapszer"
AGENTS = ["rules", "random"]


def plan(deals=250, seed=3, states=False):
    lineups = lineups_for(find(GAME)[0], AGENTS, duplicate=True)
    return Plan(GAME, AGENTS, lineups, deals, seed, states)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("dataset") / "deals.jsonl.gz"
    make(plan(), path, "the command")
    return path


def test_deals_are_those_of_tournaments(made):
    found = read_arrays(made)
    agents = [make_agent(spec, GAME) for spec in AGENTS]
    lineups = pair_lineups(agents[0].game)
    expected = play_deals(agents, lineups, 250, 3)
    assert found.names == AGENTS
    assert np.array_equal(found.returns, expected.reshape(500, 2))
    assert np.array_equal(found.seats, np.tile(lineups, (250, 1)))
    assert np.array_equal(found.deal, np.arange(500) // 2)


def test_histories_play_again(made):
    found, deals = read_arrays(made), load_deals(made)
    assert len(deals) == 500
    for row, finished in zip(found.history, deals, strict=True):
        assert row[row != PAST].tolist() == finished.end.history()


def test_the_first_line_says_what_is_in_it(made):
    header = json.loads(gzip.decompress(made.read_bytes()).splitlines()[0])
    assert header["schema"] == 1
    assert (header["game"], header["seed"], header["deals"]) == (GAME, 3, 250)
    assert (header["agents"], header["lineups"]) == (AGENTS, [[0, 1], [1, 0]])


@pytest.mark.parametrize(
    "torn",
    [b"", gzip.compress(b'{"game": "python_sn')[:-6], b"rubbish"],
    ids=["empty", "torn", "rubbish"],
)
def test_the_same_command_goes_on(made, tmp_path, monkeypatch, torn):
    path = tmp_path / made.name
    played = dataset.play_part

    def stopped(plan, agents, first):
        if first == 200:
            raise KeyboardInterrupt
        return played(plan, agents, first)

    monkeypatch.setattr(dataset, "play_part", stopped)
    with pytest.raises(KeyboardInterrupt):
        make(plan(), path, "the command")
    assert not path.exists()
    with path.with_name(path.name + ".part").open("ab") as file:
        file.write(torn)
    firsts = []
    monkeypatch.setattr(
        dataset, "play_part", lambda *given: firsts.append(given[2]) or played(*given)
    )
    make(plan(), path, "the command")
    assert firsts == [200]
    assert path.read_bytes() == made.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_another_plan_does_not_go_on(made, tmp_path):
    partial = tmp_path / "deals.jsonl.gz.part"
    partial.write_bytes(made.read_bytes())
    with pytest.raises(ValueError, match="was begun by another command: finish it, or delete it"):
        make(plan(seed=4), tmp_path / "deals.jsonl.gz", "the command")
    assert partial.read_bytes() == made.read_bytes()


def test_structs_are_written_on_request(tmp_path):
    make(plan(deals=2, states=True), tmp_path / "deals.jsonl.gz", "the command")
    lines = gzip.decompress((tmp_path / "deals.jsonl.gz").read_bytes()).splitlines()
    assert json.loads(lines[1])["state"]["turn"] == "over"
    assert len(load_deals(tmp_path / "deals.jsonl.gz")) == 4


def test_who_sits_where():
    hearts = find("python_hearts")[0]
    assert lineups_for(hearts, ["a"], duplicate=False) == [[0, 0, 0, 0]]
    assert lineups_for(hearts, ["a", "b", "c"], duplicate=False) == [[0, 1, 2, 0]]
    with pytest.raises(ValueError, match="--duplicate is for two agents, not 1"):
        lineups_for(hearts, ["a"], duplicate=True)
    with pytest.raises(ValueError, match="5 agents are not allowed; Hearts seats 4"):
        lineups_for(hearts, [*"abcde"], duplicate=False)


def test_a_file_of_another_kind_is_refused(tmp_path):
    found = run("analysis.dataset", f"--out={tmp_path / 'deals.csv'}")
    assert found.returncode == 2
    assert found.stderr.endswith("is not allowed; the file ends in .jsonl.gz\n")


def test_arrays_are_of_one_game(made, tmp_path):
    path = tmp_path / "mixed.jsonl"
    lines = gzip.decompress(made.read_bytes()).decode().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3].replace('["rules"', '["rules", "x"')]))
    with pytest.raises(ValueError, match="does not hold deals of one game"):
        read_arrays(path)
    path.write_text(lines[0] + "\n")
    with pytest.raises(ValueError, match="holds no deals"):
        read_arrays(path)
