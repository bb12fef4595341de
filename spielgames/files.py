"""Files that are either complete or absent, and what is wrong with those that are there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

PARTIAL = ".partial-"
WRONG = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name that becomes `path` once complete, so that no reader sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{PARTIAL}{token_hex(8)}-{path.name}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def reading(path: Path, what: str) -> Iterator[None]:
    """Turn whatever is wrong with a file's contents into a ValueError of one line that names it."""
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise ValueError(f"{path} is not a file")
    try:
        yield
    except WRONG as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        said = "".join(filter(str.isprintable, first))
        raise ValueError(f"{path} {what}: {said}") from error


def read_json(path: Path) -> Any:
    with reading(path, "holds no JSON"):
        return json.loads(path.read_text(encoding="utf-8"))
