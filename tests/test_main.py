"""The commands of the package, by one name."""

import tomllib
from pathlib import Path

import pytest

from spielgames import __version__
from spielgames.__main__ import about, source_of
from tests.commands import run

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COMMANDS = PROJECT["entry-points"]["spielgames.commands"]


def test_help_lists_all_commands_and_what_they_are():
    done = run("spielgames")
    assert done.returncode == 0
    for name, module in COMMANDS.items():
        assert f"    {name:<16}{module:<26}{about(module)}\n" in done.stdout
    assert run("spielgames", "--help").stdout == done.stdout


@pytest.mark.parametrize("module", COMMANDS.values())
def test_every_command_is_a_module_that_says_what_it_is(module):
    assert 'if __name__ == "__main__":' in source_of(module).read_text()
    assert len(about(module)) > 10


def test_a_module_that_is_missing_is_not_installed():
    assert about("no_such_module") == "(not installed)"


def test_the_version_is_that_of_the_package():
    assert run("spielgames", "--version").stdout == f"{__version__}\n"
    assert "version" in PROJECT["dynamic"]
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_a_command_says_what_it_says_under_its_own_name():
    assert run("spielgames", "new", "hearts").stderr == run("spielgames.new", "hearts").stderr != ""


def test_an_unknown_command_is_refused():
    done = run("spielgames", "deal")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("there is no command 'deal'; there are ")


def test_experiments_are_listed_and_take_a_variant_of_their_config():
    done = run("experiments")
    assert "    hearts_deepcfr        Deep CFR on Hearts" in done.stdout
    assert run("experiments", "nope").stderr.startswith("there is no experiment 'nope'; there are")
    done = run("experiments", "sheephead_pomdp", "--config=nope")
    assert done.returncode == 2
    assert "there is no variant 'nope'; there are quick," in done.stderr
