"""The package of a new game, written from the template: whist, which has a complete small game.

write_package("oh_hell", Path("oh_hell"), players=4)
"""

import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from spielgames.core.game import GAMES

TEMPLATE = Path(__file__).with_name("template")
LEAST, MOST = 2, 6  # seats
LONGEST = 20  # letters of a name


def check_name(name: str) -> None:
    """Refuse a name that is none, or that something else has."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or iskeyword(name) or len(name) > LONGEST:
        raise ValueError(
            f"{name!r} cannot be a game's name: write a lower-case letter, then up to"
            f" {LONGEST - 1} letters, digits and _"
        )
    if f"python_{name}" in GAMES:
        raise ValueError(f"there is a game {name} already; choose another name")
    if name == "tests" or name in sys.stdlib_module_names or find_spec(name):
        raise ValueError(f"there is a Python module {name} already; choose another name")


def write_package(name: str, folder: Path, players: int) -> list[Path]:
    """Write all files into a new folder, and return them."""
    if folder.exists():
        raise ValueError(f"{folder} exists already; choose another name or folder")
    files = [(folder / renamed(str(path), name), path) for path in template_files()]
    for path, source in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = source_for(players, source)
        path.write_text(renamed(text, name), encoding="utf-8")
    return [path for path, _ in files]


def template_files() -> Iterator[Path]:
    """The files of the template, those at its top first, relative to it."""
    for pattern in ("*.md", "*.toml", "whist/*.py", "tests/*.py"):
        yield from (path.relative_to(TEMPLATE) for path in sorted(TEMPLATE.glob(pattern)))


def source_for(players: int, source: Path) -> str:
    """A file of the template, for so many seats. The small variant's tree has to stay small."""
    hand = 2 if players < 5 else 1
    ranks = max(3, -(-players * hand // 2))
    text = (TEMPLATE / source).read_text(encoding="utf-8")
    text = text.replace("PLAYERS = 2\n", f"PLAYERS = {players}\n")
    return text.replace("ranks=3,hand=2)", f"ranks={ranks},hand={hand})")


def renamed(text: str, name: str) -> str:
    """The text with the game's name in the place of `whist`, `Whist` and `WHIST`."""
    title = name.replace("_", " ").title()
    for old, new in (("whist", name), ("Whist", title), ("WHIST", name.upper())):
        text = re.sub(rf"{old}(?![a-z])", new, text)
    return text
