"""The rules on one page."""

import pytest

from spielgames.core.game import GAMES
from spielgames.play.rulebook import read_rules


@pytest.mark.parametrize("name", ["coinche", "hearts", "hokm", "sheephead", "snapszer"])
def test_every_game_has_a_page(name):
    page = read_rules(f"python_{name}")
    text = page["text"]
    assert page["title"] == GAMES[f"python_{name}"].title
    assert text.startswith(page["title"])
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert "## How to begin" in headings
    assert len(headings) >= 5
    assert len(text.split()) < 500


def test_other_names_are_refused():
    with pytest.raises(ValueError, match="there are no rules of 'python_chess'"):
        read_rules("python_chess")
