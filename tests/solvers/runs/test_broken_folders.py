"""Whatever is wrong with a folder of a run, who wants to play it hears it in one line that names
the file; nothing is waited for, and no memory is asked for that its size does not suggest.
"""

import json
import os
import resource

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from solvers.environments.card_game import Records
from solvers.networks.network import make_network
from solvers.networks.settings import MlpSettings, SuitsSettings
from solvers.runs.archive import STATE, Archive, Purpose, State
from spielgames.agents import make_agent

GAME = "python_hokm(suits=2,ranks=4,trump=heuristic)"
ENV = Records(GAME)
NETWORKS = {"net": "advantages-0", "ppo": "average-0"}  # of Deep CFR, of PPO under its older name
KINDS = {"mlp": MlpSettings, "suits": SuitsSettings}
DEEP = "[" * 100_000 + "]" * 100_000


def good_folder(folder, agent, kind="mlp"):
    archive = Archive(folder, Purpose(GAME, "compact", ((0, 1, 2, 3),)))
    settings = KINDS[kind](hidden=8, layers=2)
    archive.save(NETWORKS[agent], 1, make_network(settings, ENV.shape, seed=1))
    archive.write(State(iteration=1))


def is_refused(folder, agent):
    with pytest.raises(ValueError) as error:
        make_agent(f"{agent}:{folder}", GAME)
    said = str(error.value)
    assert str(folder) in said and said.isprintable() and len(said) < 500
    return said


def put(path, content):
    path.unlink()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def pipe(path):
    path.unlink()
    os.mkfifo(path)


def folder_instead(path):
    path.unlink()
    path.mkdir()


DAMAGES = {
    "deleted": lambda path: path.unlink(),
    "empty": lambda path: put(path, ""),
    "half": lambda path: put(path, path.read_bytes()[: path.stat().st_size // 2]),
    "a byte less": lambda path: put(path, path.read_bytes()[:-1]),
    "a byte changed": lambda path: put(path, path.read_bytes()[:-2] + b"\xff" + b"}"),
    "text": lambda path: put(path, "no JSON"),
    "no text": lambda path: put(path, b"\xff\xfe\x00"),
    "deep": lambda path: put(path, DEEP),
    "a number": lambda path: put(path, "1"),
    "a list": lambda path: put(path, "[]"),
    "a long number": lambda path: put(path, "1" * 5000),
    "a pipe": pipe,
    "a folder": folder_instead,
}


@pytest.mark.parametrize("agent", NETWORKS)
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("file", [STATE, "networks/{}-000001.safetensors"])
def test_damaged_files(tmp_path, agent, file, damage):
    good_folder(tmp_path, agent)
    assert make_agent(f"{agent}:{tmp_path}", GAME)
    DAMAGES[damage](tmp_path / file.format(NETWORKS[agent]))
    is_refused(tmp_path, agent)


STATES = {
    "no about": lambda kept: kept.pop("about"),
    "no state": lambda kept: kept.pop("state"),
    "more": lambda kept: kept.update(more=1),
    "about a list": lambda kept: kept.update(about=[]),
    "state a number": lambda kept: kept.update(state=3),
    "no game": lambda kept: kept["about"].pop("game"),
    "another game": lambda kept: kept["about"].update(game="python_hearts"),
    "a game of two lines": lambda kept: kept["about"].update(game="a\nb\x1b[31m"),
    "game a number": lambda kept: kept["about"].update(game=1),
    "unknown encoding": lambda kept: kept["about"].update(encoding="all"),
    "other encoding": lambda kept: kept["about"].update(encoding="recall"),
    "encoding a list": lambda kept: kept["about"].update(encoding=["recall"]),
    "no groups": lambda kept: kept["about"].update(groups=[]),
    "groups of nobody": lambda kept: kept["about"].update(groups=[[]]),
    "a seat too many": lambda kept: kept["about"].update(groups=[[9]]),
    "a negative seat": lambda kept: kept["about"].update(groups=[[-1]]),
    "a seat twice": lambda kept: kept["about"].update(groups=[[0, 0]]),
    "a group too many": lambda kept: kept["about"].update(groups=[[0], [1]]),
    "groups of texts": lambda kept: kept["about"].update(groups=[["0"]]),
    "flat groups": lambda kept: kept["about"].update(groups=[0, 1]),
    "version a text": lambda kept: kept["about"].update(version="new"),
    "more about": lambda kept: kept["about"].update(more=1),
    "another iteration": lambda kept: kept["state"].update(iteration=2),
    "iteration a text": lambda kept: kept["state"].update(iteration="1"),
    "half an iteration": lambda kept: kept["state"].update(iteration=1.5),
    "a negative iteration": lambda kept: kept["state"].update(iteration=-1),
    "a huge iteration": lambda kept: kept["state"].update(iteration=10**100),
    "more state": lambda kept: kept["state"].update(more=1),
    "details a list": lambda kept: kept.update(details=[1]),
}


@pytest.mark.parametrize("agent", NETWORKS)
@pytest.mark.parametrize("change", STATES)
def test_other_states(tmp_path, agent, change):
    good_folder(tmp_path, agent)
    path = tmp_path / STATE
    kept = json.loads(path.read_text())
    STATES[change](kept)
    put(path, json.dumps(kept))
    is_refused(tmp_path, agent)


def test_too_many_iterations_to_average(tmp_path):
    good_folder(tmp_path, "net")
    archive = Archive(tmp_path)
    archive.save(NETWORKS["net"], 10**12, archive.load(NETWORKS["net"], 1))
    archive.write(State(iteration=10**12))
    with pytest.raises(ValueError, match="has 1000000000000 iterations; the average is of"):
        make_agent(f"net:{tmp_path},strategy=average", GAME)


WEIGHT, BIAS = "last.weight", "last.bias"
SAID = {
    "nothing": lambda said, weights: said.clear(),
    "no settings": lambda said, weights: said.pop("settings"),
    "no shape": lambda said, weights: said.pop("shape"),
    "no about": lambda said, weights: said.pop("about"),
    "more": lambda said, weights: said.update(more=1),
    "settings a list": lambda said, weights: said.update(settings=[1]),
    "unknown kind": lambda said, weights: said["settings"].update(kind="tree"),
    "unknown setting": lambda said, weights: said["settings"].update(depth=3),
    "hidden a text": lambda said, weights: said["settings"].update(hidden="8"),
    "hidden true": lambda said, weights: said["settings"].update(hidden=True),
    "hidden 0": lambda said, weights: said["settings"].update(hidden=0),
    "hidden more": lambda said, weights: said["settings"].update(hidden=9),
    "hidden a million": lambda said, weights: said["settings"].update(hidden=10**6),
    "hidden without end": lambda said, weights: said["settings"].update(hidden=10**30),
    "ten million layers": lambda said, weights: said["settings"].update(layers=10**7),
    "a transformer": lambda said, weights: said["settings"].update(kind="cards", heads=1),
    "heads a million": lambda said, weights: said["settings"].update(
        kind="cards", hidden=10**6, heads=10**6
    ),
    "no width": lambda said, weights: said["shape"].pop("width"),
    "width more": lambda said, weights: said["shape"].update(width=ENV.width + 1),
    "width without end": lambda said, weights: said["shape"].update(width=10**12),
    "width 0": lambda said, weights: said["shape"].update(width=0),
    "actions more": lambda said, weights: said["shape"].update(actions=10**9),
    "cards without end": lambda said, weights: said["shape"].update(cards=10**12),
    "no ranks": lambda said, weights: said["shape"].update(ranks=0),
    "sets outside": lambda said, weights: said["shape"].update(sets=[10**6]),
    "sets before": lambda said, weights: said["shape"].update(sets=[-1]),
    "sets again and again": lambda said, weights: said["shape"].update(sets=[0] * 100_000),
    "sets a text": lambda said, weights: said["shape"].update(sets="0"),
    "other sets": lambda said, weights: said["shape"].update(sets=[1]),
    "trump outside": lambda said, weights: said["shape"].update(trump=10**6),
    "half events": lambda said, weights: said["shape"].update(events=[0, 1]),
    "events without end": lambda said, weights: said["shape"].update(events=[0, 10**9, 99, 5]),
    "events a text": lambda said, weights: said["shape"].update(events="none"),
    "a setting of two lines": lambda said, weights: said["settings"].update({"a\nb\x1b[31m": 1}),
    "a weight of two lines": lambda said, weights: weights.update({"a\nb": torch.zeros(3)}),
    "a weight missing": lambda said, weights: weights.pop(BIAS),
    "a weight more": lambda said, weights: weights.update(more=torch.zeros(3)),
    "a weight of another shape": lambda said, weights: weights.update({WEIGHT: torch.ones(3, 8)}),
    "NaN": lambda said, weights: weights[BIAS].fill_(torch.nan),
    "infinite": lambda said, weights: weights[WEIGHT][0].fill_(torch.inf),
    "whole numbers": lambda said, weights: weights.update({BIAS: weights[BIAS].int()}),
    "half precision": lambda said, weights: weights.update({BIAS: weights[BIAS].half()}),
    "double precision": lambda said, weights: weights.update({BIAS: weights[BIAS].double()}),
}


def read(path):
    with safe_open(path, "pt") as file:
        said = json.loads(file.metadata()["network"])
        return said, {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118


@pytest.fixture
def little_memory():
    """A gigabyte more than there is already."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize("agent", NETWORKS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("change", SAID)
def test_other_networks(tmp_path, agent, kind, change, little_memory):
    good_folder(tmp_path, agent, kind)
    path = tmp_path / "networks" / f"{NETWORKS[agent]}-000001.safetensors"
    said, weights = read(path)
    said.pop("crc32")
    SAID[change](said, weights)
    save_file(weights, path, {"network": json.dumps(said)})
    assert path.name in is_refused(tmp_path, agent)


@pytest.mark.parametrize("agent", NETWORKS)
@pytest.mark.parametrize("place", [-1, -100, -1000])
def test_a_changed_bit_of_a_weight(tmp_path, agent, place):
    good_folder(tmp_path, agent)
    path = tmp_path / "networks" / f"{NETWORKS[agent]}-000001.safetensors"
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    put(path, bytes(content))
    assert "some of its bytes have changed" in is_refused(tmp_path, agent)
