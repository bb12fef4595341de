"""The golden cases: positions with their known answers."""

import json
from pathlib import Path


def golden(game: str) -> dict:
    """One game's section of tests/golden.json."""
    return json.loads(Path(__file__).with_name("golden.json").read_text())[game]
