"""The glossary is in alphabetical order, and has nothing twice."""

import re
import unicodedata

from tests.docs.test_rules import ROOT

TEXT = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
TERMS = re.findall(r"^\*\*(.+?)\*\* – \S", TEXT, re.M)


def letters(term):
    """As a reader looks it up: α is under alpha, and punctuation does not count."""
    plain = unicodedata.normalize("NFKD", term.replace("α", "alpha").lower())
    return re.sub(r"[^a-z]", "", plain.split(",")[0].split("(")[0])


def test_terms_are_in_alphabetical_order():
    assert len(TERMS) > 80
    assert sorted(TERMS, key=letters) == TERMS
    assert len({letters(term) for term in TERMS}) == len(TERMS)
