"""The rules of each game on one page, for somebody who has never played it."""

from pathlib import Path

from spielgames.core.game import GAMES

FOLDER = Path(__file__).with_name("rules")


def read_rules(name: str) -> dict[str, str]:
    """A game's page: paragraphs, headings after `## `, items after `- `."""
    path = FOLDER / f"{name.removeprefix('python_')}.txt"
    if name not in GAMES or not path.exists():
        raise ValueError(f"there are no rules of {name!r}; there are those of {', '.join(GAMES)}")
    text = path.read_text(encoding="utf-8")
    return {"game": name, "title": GAMES[name].title, "text": text}
