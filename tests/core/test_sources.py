"""The hash of the sources that machine code is made from."""

import importlib
import os
import sys

import pytest

from spielgames.core import sources

FILES = {
    "__init__": "",
    "rules": "from . import cards\n\ndef legal(s):\n    return cards.ALL\n",
    "cards": "ALL = 15\n\nclass Deal:\n    first: int\n",
    "words": "import mygame.rules\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A package of another's, imported; and nothing remembered of sources read before."""
    (tmp_path / "mygame").mkdir()
    for name, text in FILES.items():
        write(tmp_path / "mygame" / f"{name}.py", text)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("mygame.words")
    yield tmp_path / "mygame"
    for name in [name for name in sys.modules if name.partition(".")[0] == "mygame"]:
        del sys.modules[name]


def write(path, text: str) -> None:
    """As if it had been there before Python started."""
    path.write_text(text)
    os.utime(path, (sources.STARTED - 10, sources.STARTED - 10))


def read_anew() -> str | None:
    sources.read.cache_clear()
    sources.hash_of.cache_clear()
    return sources.hash_of(frozenset({"mygame.rules"}))


def test_the_hash_follows_what_a_module_is_made_from(folder):
    before = read_anew()
    for edited in (("ALL = 15", "ALL = 255"), ("first: int", "first: float")):
        write(folder / "cards.py", FILES["cards"].replace(*edited))
        assert read_anew() not in (before, None)
    write(folder / "cards.py", FILES["cards"])
    assert read_anew() == before


def test_words_comments_and_modules_not_imported_do_not_count(folder):
    before = read_anew()
    legal = FILES["rules"].replace("(s):", "(s):\n    'What may be done.'  # a set\n")
    write(folder / "rules.py", "'The rules.'\n\n" + legal)
    write(folder / "words.py", "import mygame.rules\nimport mygame.cards\n")
    assert read_anew() == before is not None


def test_annotations_of_functions_do_not_count(folder):
    before = read_anew()
    typed = FILES["rules"].replace("(s):", "(s: list[int]) -> int:")
    write(folder / "rules.py", typed)
    assert typed != FILES["rules"] and read_anew() == before is not None


def test_a_source_that_changed_since_python_started_is_not_trusted(folder):
    (folder / "cards.py").write_text(FILES["cards"])  # now
    future = sources.STARTED + 60
    os.utime(folder / "cards.py", (future, future))
    assert read_anew() is None
