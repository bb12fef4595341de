"""The pages about the games are what the games say of themselves."""

import tomllib

import pytest

from analysis import game_pages
from analysis.game_pages import PLACE, layout, pages
from spielgames.core.game import GAMES
from spielgames.core.pieces import Pieces
from tests.docs.test_rules import NAMES, ROOT

FOLDER = ROOT / PLACE


def test_the_committed_pages_are_up_to_date():
    """If not: python -m analysis.game_pages --out=docs/games"""
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert written == {name: text + "\n" for name, text in pages()}


@pytest.mark.parametrize("name", NAMES)
def test_every_piece_and_version_is_told_and_no_other(name):
    about = tomllib.loads((FOLDER / "about.toml").read_text(encoding="utf-8"))[name]
    game = GAMES[f"python_{name}"]
    assert list(about["pieces"]) == list(game.pieces.shapes)
    assert {str(n) for n in range(1, game.version + 1)} <= set(about["versions"])


def test_a_layout_says_where_each_piece_is():
    pieces = Pieces({"hand": (3,), "voids": (2, 2)}, numbers=("voids",))
    *_, hand, voids = layout(pieces, {"hand": "cards", "voids": "suits"}).splitlines()
    assert hand == "| `hand` | 3 | 0 | 3 | flags | cards |"
    assert voids == "| `voids` | 2 × 2 | 3 | 7 | numbers | suits |"


def test_a_piece_that_nobody_told_of_is_an_error():
    with pytest.raises(KeyError, match="hand"):
        game_pages.layout(Pieces({"hand": (3,)}), {})
