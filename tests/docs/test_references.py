"""Every work that is cited by author and year stands in docs/references.bib."""

import re

import pytest

from tests.docs.test_rules import ROOT

BIB = (ROOT / "docs/references.bib").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^@\w+\{([\w-]+),\n(.*?)^\}", BIB, re.M | re.S))
SOURCES = ["spielgames", "solvers", "analysis", "experiments", "tests"]
NAME = r"[A-Z][a-z][\w-]*"
CITED = re.compile(  # Brown and Sandholm 2019; Steele, Lea and Flood 2014; Schulman et al. (2015)
    rf"\b({NAME})(?:'s)?(?:, {NAME})*(?: et al\.| and (?:von )?{NAME})?,? \(?((?:19|20)\d\d)\b"
)
NO_AUTHORS = {"Sheephead", "University"}  # the end of a title, a place


def field(entry, name):
    found = re.search(rf"^  {name} = \{{(.*)\}},$", entry, re.M)
    return found and found[1]


def is_listed(name, year):
    return any(
        name in field(entry, "author") and field(entry, "year") == year
        for entry in ENTRIES.values()
    )


def citations():
    modules = [path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    for path in [*modules, *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]:
        text = re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
        yield from CITED.findall(text)


def test_every_cited_work_is_listed():
    found = {c for c in citations() if c[0] not in NO_AUTHORS}
    assert len(found) > 25
    assert {c for c in found if not is_listed(*c)} == set()


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_is_whole(key):
    entry = ENTRIES[key]
    assert field(entry, "author") and field(entry, "title")
    year = field(entry, "year")
    assert year is None or year in key
    assert entry.count("{") == entry.count("}")


def test_no_key_is_used_twice():
    assert len(ENTRIES) == BIB.count("\n@")
