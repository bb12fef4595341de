"""Tables on disk: one file each, complete or absent."""

import json
import re
from pathlib import Path
from typing import Any

from spielgames.files import read_json, replacing
from spielgames.play.comments import Comments
from spielgames.play.deal import Deal
from spielgames.web.messages import Wrong
from spielgames.web.table import Chair, Settings, Table

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
        self.write(pack(table))

    def write(self, packed: dict[str, Any]) -> None:
        with replacing(self.path(packed["id"])) as file:
            file.write_text(json.dumps(packed), encoding="utf-8")

    def write_all(self, packed: list[dict[str, Any]]) -> None:
        for table in packed:
            self.write(table)

    def load(self, name: str) -> Table:
        path = self.path(name)
        if not path.exists():
            raise Wrong("there is no such table")
        try:
            return unpack(read_json(path))
        except (ValueError, KeyError, TypeError):
            raise Wrong("this table can't be read any more") from None

    def prune(self) -> None:
        """Delete the oldest files if there are too many."""
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(len(files) - MOST, 0)]:
            file.unlink(missing_ok=True)


def pack(table: Table) -> dict[str, Any]:
    """All that must be kept, as plain data."""
    return {
        "version": 1,
        "id": table.id,
        "watch": table.watch,
        "all": table.all,
        "game": table.name,
        "number": table.number,
        "chairs": [vars(chair) | {"here": 0} for chair in table.chairs],
        "settings": dict(vars(table.settings)),
        "goal": table.standing.match.goal if table.standing else None,
        "closed": table.closed,
        "changes": table.changes,
        "autopilot": table.autopilot,
        "deals": [
            pack_deal(*kept)
            for kept in zip(table.deals, table.seatings, table.comments, strict=True)
        ],
    }


def pack_deal(deal: Deal, players: list[int], comments: Comments) -> dict[str, Any]:
    history = list(deal.history)  # which goes on while the file is being written
    packed = {"game": deal.name, "number": deal.seed, "players": players, "history": history}
    return packed | ({"comments": [*comments.items()]} if comments else {})


def unpack(kept: dict[str, Any]) -> Table:
    """The table of such data; its history is played again by the rules."""
    chairs = [Chair(**chair) for chair in kept["chairs"]]
    table = Table(kept["game"], chairs, kept["number"], Settings(**kept["settings"]))
    table.id, table.watch, table.all = kept["id"], kept["watch"], kept["all"]
    if kept["goal"] is not None:
        table.start_match(kept["goal"])
    nobody = [None] * table.game.players
    for deal in kept["deals"]:
        again = Deal(deal["game"], nobody, deal["number"], deal["history"])
        table.add_deal(again, deal["players"])
        table.comments[-1].update(deal.get("comments", ()))
    table.autopilot, table.closed = kept["autopilot"], kept["closed"]
    table.changes = kept["changes"] + 1
    return table
