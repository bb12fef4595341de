"""The folder of a run knows what the run is for, and misses what is gone."""

import json
import warnings

import pytest

from solvers.runs import archive as module
from solvers.runs.archive import STATE, Archive, Purpose, State

GAME = "python_hokm(trump=heuristic)"
GROUPS = ((0, 1), (2,))
FIRST, SECOND = (Purpose(GAME, "compact", GROUPS, version) for version in (1, 2))


@pytest.fixture
def newer(monkeypatch):
    """The game is at version 2."""
    monkeypatch.setattr(module, "version_of", lambda name: 2)


def about(folder):
    return json.loads((folder / STATE).read_text())["about"]


def test_a_run_on_another_version_of_a_game_is_played_with_a_warning(tmp_path, newer):
    Archive(tmp_path, FIRST)
    said = "was trained on version 1 of python_hokm, which is at version 2 now .* play worse"
    with pytest.warns(UserWarning, match=said):
        assert Archive(tmp_path).purpose.version == 1
    with pytest.raises(
        ValueError, match="version 2 now .* can be played, but not trained any more"
    ):
        Archive(tmp_path, SECOND)


def test_the_version_it_was_trained_on_is_kept(tmp_path, newer):
    Archive(tmp_path, SECOND)
    assert about(tmp_path)["version"] == 2
    with warnings.catch_warnings(action="error"):
        assert Archive(tmp_path).purpose == Archive(tmp_path, SECOND).purpose == SECOND


def test_older_files_are_of_the_first_version(tmp_path):
    """They look as they always did."""
    known = {"game": GAME, "encoding": "compact", "groups": [[0, 1], [2]]}
    (tmp_path / STATE).write_text(json.dumps({"about": known, "state": {"iteration": 3}}))
    with warnings.catch_warnings(action="error"):
        kept = Archive(tmp_path, FIRST)
        assert Archive(tmp_path).purpose == FIRST
    assert (kept.state, kept.about) == (State(iteration=3), known)
    kept.write(kept.state)
    assert about(tmp_path) == known


def test_networks_without_a_state_are_no_new_run(tmp_path):
    for part in ("networks", "samples/advantages-0", "league"):
        folder = tmp_path / part.partition("/")[0]
        (folder / part).mkdir(parents=True)
        Archive(folder, FIRST)  # nothing in it yet
        (folder / part / "file").touch()
        Archive(folder, FIRST)
        (folder / STATE).unlink()
        with pytest.raises(ValueError, match=f"{folder} has {folder.name}, but no state.json"):
            Archive(folder, FIRST)
