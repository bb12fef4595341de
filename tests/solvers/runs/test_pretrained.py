"""Trained networks by name, in the sources, in a folder of the user's, and nowhere."""

import shutil
import tomllib

import pytest

from solvers.runs import pretrained
from solvers.runs.pretrained import PRETRAINED, ROOT, VARIABLE, checksums, find_run, pinned

SMALL = "hokm_league"  # the smallest of them, to be copied
MEGABYTE = 1_000_000


@pytest.mark.parametrize("name", PRETRAINED)
def test_a_name_stands_for_the_network_that_is_pinned(name):
    folder = find_run(name)
    assert folder == ROOT / PRETRAINED[name]
    found = checksums(folder)
    assert len(found) > 1 and found == pinned()[name]


def test_no_other_network_is_pinned():
    assert pinned().keys() == PRETRAINED.keys()


def test_a_wheel_has_a_network_of_at_most_a_megabyte_for_each_game():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())
    kept = listed["tool"]["setuptools"]["package-data"]["experiments"]
    folders = {f"experiments/{pattern}".removesuffix("/**") for pattern in kept}
    assert folders == set(PRETRAINED.values()) - {PRETRAINED["hearts_large"]}
    for name in ("coinche", "hearts", "hokm", "sheephead", "snapszer"):
        size = sum(p.stat().st_size for p in (ROOT / PRETRAINED[name]).rglob("*") if p.is_file())
        assert 0 < size <= MEGABYTE
        assert PRETRAINED[name] in folders


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """An installation without any network, and a folder of the user's."""
    monkeypatch.setattr(pretrained, "ROOT", tmp_path / "site-packages")
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path / "mine"


def test_a_network_that_is_nowhere_is_said_where_to_get(wheel):
    with pytest.raises(
        ValueError,
        match=f"the network {SMALL} is too large to be part of the package: copy"
        f" {PRETRAINED[SMALL]} from the sources to networks/{SMALL}, and set {VARIABLE}=networks",
    ):
        find_run(SMALL)


def test_a_folder_of_the_users_is_looked_into(wheel, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(wheel))
    with pytest.raises(ValueError, match=f"from the sources to {wheel}/{SMALL}, and set"):
        find_run(SMALL)
    shutil.copytree(ROOT / PRETRAINED[SMALL], wheel / SMALL)
    assert find_run(SMALL) == wheel / SMALL


@pytest.mark.parametrize("change", ["edited", "missing", "more"])
def test_other_files_than_those_that_were_pinned_are_refused(wheel, monkeypatch, change):
    monkeypatch.setenv(VARIABLE, str(wheel))
    shutil.copytree(ROOT / PRETRAINED[SMALL], wheel / SMALL)
    (network,) = (wheel / SMALL / "networks").iterdir()
    if change == "edited":
        network.write_bytes(network.read_bytes()[:-1] + b"!")
    elif change == "missing":
        network.unlink()
    else:
        network = network.with_name("another.safetensors")
        network.write_text("")
    with pytest.raises(ValueError, match=f"{network} is not that of the network with this name"):
        find_run(SMALL)


def test_other_folders_are_as_given_or_in_the_sources(tmp_path, monkeypatch):
    committed = PRETRAINED["hearts_large"]
    monkeypatch.chdir(tmp_path)
    assert find_run(committed) == ROOT / committed
    assert str(find_run("runs/x")) == "runs/x"
