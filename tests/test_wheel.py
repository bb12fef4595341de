"""Installed from a wheel, away from the sources: commands, experiments, networks, new games."""

import os
import socket
import subprocess
import sys
import zipfile
from pathlib import Path
from time import sleep
from urllib.request import urlopen

import numpy as np
import pytest

from solvers.runs.pretrained import PRETRAINED
from solvers.search.presets import all_presets

ROOT = Path(__file__).parents[1]
PACKAGES = "spielgames", "solvers", "analysis", "experiments"
PARTS = (*PACKAGES, "pyproject.toml", "README.md", "LICENSE")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input")
LIBRARIES = Path(np.__file__).parents[1]  # borrowed from this environment


def call(*command, cwd, timeout=600):
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built beside the sources, so that nothing is left in them."""
    folder = tmp_path_factory.mktemp("sources")
    for part in PARTS:
        (folder / part).symlink_to(ROOT / part)
    how = ("wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels")
    done = call(*PIP, *how, cwd=folder)
    assert done.returncode == 0, done.stderr
    (built,) = (folder / "wheels").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The commands of an environment with the wheel; its other packages are ours."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    install = ("install", "--no-deps", "--no-index", wheel)
    done = call(*PIP, "--python", folder / "bin/python", *install, cwd=folder)
    assert done.returncode == 0, done.stderr
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(f"{LIBRARIES}\n")
    return folder / "bin"


def test_a_wheel_has_what_is_used_and_no_tests(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    folders = {name.partition("/")[0] for name in names}
    assert set(PACKAGES) == {folder for folder in folders if not folder.endswith(".dist-info")}
    assert "spielgames/new/template/tests/test_whist.py" in names
    assert "experiments/configs/hearts_deepcfr.py" in names
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    assert wheel.stat().st_size < 8_000_000


def test_commands_and_configs_are_found(installed, tmp_path):
    done = call(installed / "spielgames", "--help", cwd=tmp_path)
    assert done.returncode == 0 and "(not installed)" not in done.stdout, done.stderr
    how = ("experiment", "sheephead_pomdp", "--config=nope")
    done = call(installed / "spielgames", *how, cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no variant 'nope'; there are quick," in done.stderr


AGENTS = """
import spielgames
from solvers.runs import pretrained
from solvers.search.presets import all_presets, presets
from spielgames.agents import make_agent
from spielgames.play.roster import all_opponents
assert "site-packages" in spielgames.__file__
for name in pretrained.PRETRAINED:
    if name != "hearts_large":
        folder = pretrained.find_pretrained(name)
        pretrained.check(folder, pretrained.pinned()[name])
for game in all_presets():
    if game != "any":
        for preset in presets(game):
            make_agent(f"search:{preset}", game)
for who in all_opponents():
    for game in who.games:
        make_agent(who.spec, game)
try:
    make_agent("net:hearts_large", "python_hearts")
except ValueError as error:
    print(error)
"""


def test_presets_opponents_and_networks_work(installed, tmp_path):
    assert PRETRAINED and all_presets()
    done = call(installed / "python", "-c", AGENTS, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("the network hearts_large is too large to be part of the package")


@pytest.mark.slow
def test_deals_are_played(installed, tmp_path):
    how = ("--game=hearts", "--agents=net:hearts,rules", "--deals=2")
    for command in ("spielgames", "python"):
        start = ["tournament"] if command == "spielgames" else ["-m", "analysis.tournament"]
        done = call(installed / command, *start, *how, cwd=tmp_path)
        assert done.returncode == 0 and "2 deals in all seatings" in done.stdout, done.stderr
    done = call(installed / "spielgames", "play", "--seats=rules,rules,rules,rules", cwd=tmp_path)
    assert done.returncode == 0 and "bye" not in done.stdout, done.stderr


@pytest.mark.slow
def test_an_experiment_runs_in_an_empty_folder(installed, tmp_path):
    how = ("experiment", "tabular_convergence", "--config=quick", "--workdir=runs/x")
    done = call(installed / "spielgames", *how, cwd=tmp_path, timeout=1800)
    assert done.returncode == 0, done.stderr
    assert "spielgames experiment tabular_convergence --config=cpu" in done.stdout
    assert (tmp_path / "runs/x/report.md").exists()


@pytest.mark.slow
def test_a_new_game_is_found_once_it_is_installed(installed, tmp_path):
    assert (
        call(installed / "spielgames", "new", "skat", "--players=3", cwd=tmp_path).returncode == 0
    )
    install = ("install", "--no-deps", "--no-index", "--no-build-isolation", "./skat")
    done = call(*PIP, "--python", installed / "python", *install, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    how = ("play", "--game=skat(suits=2,ranks=3,hand=2)", "--seats=rules,random,search:fast")
    done = call(installed / "spielgames", *how, cwd=tmp_path)
    assert done.returncode == 0 and "Tricks: seat 0 has" in done.stdout, done.stderr
    done = call(installed / "python", "-m", "pytest", "-q", "-n", "0", "skat", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_web_table_is_served(installed, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([installed / "spielgames", "web", f"--port={port}"], cwd=tmp_path) as web:
        for _ in range(600):
            sleep(0.1)
            try:
                page = urlopen(f"http://127.0.0.1:{port}/").read().decode()
                break
            except OSError:
                continue
        web.terminate()
    assert "<html" in page
