"""Files that are either whole or not there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

PARTIAL = ".partial-"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name that becomes `path` once complete: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{PARTIAL}{token_hex(8)}-{path.name}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
