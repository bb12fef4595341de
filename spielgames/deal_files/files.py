"""Files of deals. The ending of the name says which format they are in."""

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from spielgames.deal_files import lines, pbn, pbn_reading
from spielgames.deal_files.history import FinishedDeal
from spielgames.files import replacing

ZIPPED = ".gz"


class Format(NamedTuple):
    """How deals become text, and how text becomes deals."""

    write: Callable[[list[FinishedDeal]], str]
    read: Callable[[str, str], list[FinishedDeal]]


FORMATS = {
    "jsonl": Format(lines.to_text, lines.read_lines),
    "pbn": Format(pbn.to_text, pbn_reading.read_pbn),
}


def format_of(path: Path) -> str | None:
    """The format that a file's name ends in; None if it is another one."""
    ending = path.name.removesuffix(ZIPPED).rpartition(".")[2]
    return ending if ending in FORMATS else None


def load_deals(path: Path) -> list[FinishedDeal]:
    """All deals of a file; a ValueError says which line is broken."""
    found = format_of(path)
    if found is None:
        raise ValueError(f"{path}: deals are kept in files that end in {endings()}")
    return FORMATS[found].read(read_text(path), str(path))


def endings() -> str:
    return ", ".join(f".{ending}" for ending in FORMATS) + f", or these with {ZIPPED}"


def save_deals(path: Path, deals: list[FinishedDeal], form: str | None = None) -> None:
    """Write deals in a format, or that in which the name ends; the file is complete or absent."""
    form = form or format_of(path)
    if form is None:
        raise ValueError(f"{path}: deals are kept in files that end in {endings()}")
    raw = FORMATS[form].write(deals).encode()
    with replacing(path) as partial:
        partial.write_bytes(gzip.compress(raw, mtime=0) if path.suffix == ZIPPED else raw)


def read_text(path: Path) -> str:
    raw = path.read_bytes()
    if path.suffix == ZIPPED:
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error):
            raise ValueError(f"{path} is not a whole gzip file") from None
    return raw.decode("utf-8", errors="replace")
