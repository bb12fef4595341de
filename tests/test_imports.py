"""Imports point one way. The graph is drawn from the sources, so that lazy imports count too.

Print it as text: python -m tests.test_imports
"""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEMPLATE = ROOT / "spielgames/new/template"  # of another package, which may import all of ours
PACKAGES = "spielgames", "solvers", "analysis", "experiments"  # each may import those before it
GAMES = "coinche", "hearts", "hokm", "sheephead", "snapszer"


def imported(source, package):
    """The modules that a source imports from any of the packages."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package.split(".")[: len(package.split(".")) + 1 - node.level]
            names = [".".join([*base, node.module or ""]).rstrip(".")]
        elif isinstance(node, ast.ImportFrom):
            # What is imported from a package may be a module of it.
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.partition(".")[0] in PACKAGES)


def room(module):
    """A module's folder, or the module itself where it lies directly in its package."""
    return ".".join(module.split(".")[:2])


def is_room(name):
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def graph():
    """What each room imports; names that a package itself defines count as the package's."""
    arrows = defaultdict(set)
    for path in sorted(p for name in PACKAGES for p in (ROOT / name).rglob("*.py")):
        if path.is_relative_to(TEMPLATE):
            continue
        parts = path.relative_to(ROOT).with_suffix("").parts
        own = room(".".join(part for part in parts if part != "__init__"))
        for module in imported(path.read_text(encoding="utf-8"), ".".join(parts[:-1])):
            other = room(module)
            arrows[own].add(other if is_room(other) else other.partition(".")[0])
    return {name: others - {name} for name, others in sorted(arrows.items())}


ARROWS = graph()


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_those_before_them(package):
    allowed = PACKAGES[: PACKAGES.index(package) + 1]
    for name, others in ARROWS.items():
        if name.partition(".")[0] == package:
            wrong = {other for other in others if other.partition(".")[0] not in allowed}
            assert not wrong, f"{name} imports {', '.join(sorted(wrong))}"


def test_the_core_imports_no_game_and_nothing_above_it():
    assert ARROWS["spielgames.core"] <= {"spielgames.files"}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_the_core_alone(game):
    assert ARROWS[f"spielgames.{game}"] == {"spielgames.core"}


@pytest.mark.parametrize("name", ["agents", "contest", "matches", "play", "web", "adapters"])
def test_agents_and_tables_know_no_game(name):
    assert not ARROWS[f"spielgames.{name}"] & {f"spielgames.{game}" for game in GAMES}


def test_solvers_know_no_game():
    games = {f"spielgames.{game}" for game in GAMES}
    for name, others in ARROWS.items():
        if name.startswith("solvers"):
            assert not others & games, name


def test_imports_are_found_wherever_they_stand():
    source = "def f():\n    from experiments.common import runs\nimport solvers.ppo.agent as a"
    assert set(imported(source, "analysis")) == {"experiments.common.runs", "solvers.ppo.agent"}
    assert list(imported("from ..core import cards", "spielgames.hokm")) == ["spielgames.core"]


if __name__ == "__main__":
    for name, others in ARROWS.items():
        print(f"{name} -> {' '.join(sorted(others))}")
