"""Links between pages lead to files that are there, and README stays a front page."""

import re

import pytest

from tests.docs.test_rules import ROOT

PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def headings(path):
    """As GitHub and MkDocs name them in addresses."""
    found = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in found}


def broken(path):
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        name, _, place = target.partition("#")
        file = path.parent / name if name else path
        if not file.exists() or (place and place not in headings(file)):
            yield target


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    assert list(broken(path)) == []


def test_every_page_is_in_the_menu():
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [p.relative_to(ROOT / "docs").as_posix() for p in (ROOT / "docs").rglob("*.md")]
    assert [name for name in pages if f" {name}" not in menu] == []


def test_readme_is_a_front_page():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
