"""Tables on disk: one file each, complete or absent."""

import json
import re
from pathlib import Path

from spielgames.files import read_json, replacing
from spielgames.web.messages import Wrong
from spielgames.web.table import Table

MOST = 10_000  # files; the oldest go


class Store:
    """A folder of tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, table: str) -> Path:
        if not re.fullmatch(r"[\w-]{16}", table):
            raise Wrong("there is no such table")
        return self.folder / f"{table}.json"

    def save(self, table: Table) -> None:
        with replacing(self.path(table.id)) as file:
            file.write_text(json.dumps(table.to_json()), encoding="utf-8")

    def load(self, name: str) -> Table:
        path = self.path(name)
        if not path.exists():
            raise Wrong("there is no such table")
        try:
            return Table.from_json(read_json(path))
        except (ValueError, KeyError, TypeError):
            raise Wrong("this table can't be read any more") from None

    def prune(self) -> None:
        """Delete the oldest files if there are too many."""
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(len(files) - MOST, 0)]:
            file.unlink(missing_ok=True)
