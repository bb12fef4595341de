"""The template for an agent of another package works as it is, and by its entry point."""

import tomllib
from importlib.metadata import EntryPoint, EntryPoints

import numpy as np
import pytest

from spielgames import agents
from spielgames.agent_check import find_peek
from tests.commands import ROOT

FOLDER = ROOT / "tests/packages/agent_template"
GAME = "python_hokm"


@pytest.fixture
def made(monkeypatch):
    """Makes agents by their specs, as if the package were installed."""
    monkeypatch.syspath_prepend(str(FOLDER))
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
    group = agents.ENTRY_POINTS
    entries = EntryPoints(
        EntryPoint(name, value, group) for name, value in project["entry-points"][group].items()
    )
    monkeypatch.setattr(agents, "entry_points", lambda group: entries)
    return lambda spec: agents.make_agent(spec, GAME)


def test_it_runs_as_it_is(made, capsys):
    made("template")
    import agent_template

    agent_template.main(GAME, deals=20)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("observation: ")
    assert lines[-1].startswith("mean against random: ")


def test_its_options_are_those_of_the_spec(made, tmp_path):
    one, other = made("template:seed=1"), made("template:seed=2")
    assert not np.array_equal(one.weights, other.weights)
    np.save(tmp_path / "weights.npy", one.weights)
    assert np.array_equal(made(f"template:{tmp_path / 'weights.npy'}").weights, one.weights)
    np.save(tmp_path / "small.npy", one.weights[1:])
    with pytest.raises(ValueError, match=r"small.npy has the shape \(\d+, 56\), not"):
        made(f"template:{tmp_path / 'small.npy'}")


def test_it_sees_no_hidden_card(made):
    assert find_peek(made("template:seed=3"), "template") is None
