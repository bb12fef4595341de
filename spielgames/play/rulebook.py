"""The rules of each game on one page, for somebody who has never played it."""

from pathlib import Path
from textwrap import fill

from spielgames.core.game import GAMES
from spielgames.play.trick_log import width

FOLDER = Path(__file__).with_name("rules")


def read_rules(name: str) -> dict[str, str]:
    """A game's page: paragraphs, headings after `## `, items after `- `."""
    if name not in GAMES:
        raise ValueError(f"there are no rules of {name!r}; there are those of {', '.join(GAMES)}")
    game, path = GAMES[name], FOLDER / f"{name.removeprefix('python_')}.txt"
    own = game.talk.rules or game.talk.about  # of a game of another package
    text = path.read_text(encoding="utf-8") if path.exists() else own
    return {"game": name, "title": game.title, "text": text}


def draw_rules(name: str) -> str:
    """A game's page for the terminal."""
    lines = read_rules(name)["text"].splitlines()
    return "\n".join(draw_line(line) for line in lines)


def draw_line(line: str) -> str:
    if line.startswith("## "):
        return f"  {line.removeprefix('## ').upper()}"
    bullet = "- " if line.startswith("- ") else ""
    return fill(
        line.removeprefix(bullet),
        width(),
        initial_indent=f"  {bullet}",
        subsequent_indent=" " * (2 + len(bullet)),
    )
