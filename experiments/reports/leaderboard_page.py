"""The tables of docs/results/leaderboard.md, whose numbers `analysis.page_numbers` takes from the
committed boards.

A table stands between `<!--board NAME-->` and `<!--end-->`, and has a row for each agent.
"""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.figures import save_text
from analysis.page_numbers import written

PAGE = Path(__file__).parents[2] / "docs/results/leaderboard.md"
TABLE = re.compile(r"(<!--board (\w+)-->\n).*?(<!--end-->)", re.DOTALL)
HEADING = "| | agent | mean | 95 % interval | wins | rating | α-rank | ms per decision |"
RULE = "|--:|---|--:|--:|--:|--:|--:|--:|"


def renew_page(boards: Mapping[str, dict[str, Any]]) -> None:
    """Write the tables anew: all agents of each board, in their order."""
    text = PAGE.read_text(encoding="utf-8")
    tables = TABLE.sub(
        lambda found: f"{found[1]}{table(found[2], boards[found[2]])}{found[3]}", text
    )
    save_text(PAGE, written(tables).rstrip("\n"))


def table(name: str, board: dict[str, Any]) -> str:
    """A table between empty lines, without which Markdown does not see one."""
    rows = [row(name, place, agent) for place, agent in enumerate(board["agents"])]
    return "\n".join(["", HEADING, RULE, *rows, "", ""])


def row(name: str, place: int, agent: dict[str, Any]) -> str:
    """A row with the places of its numbers, which are filled in later."""

    def mark(field: str, form: str) -> str:
        return f"<!--=leaderboard/{name}/board.json agents[{place}].{field} {form}--><!--=-->"

    form = f"+.{digits((agent['high'] - agent['low']) / 2)}f"
    cells = [str(place + 1), mark("name", "s"), mark("mean", form)]
    cells.append(f"{mark('low', form)} … {mark('high', form)}")
    cells.append(mark("win_rate", ".1%"))
    cells.append(f"{mark('skill', '.1f')} ± {mark('uncertainty', '.1f')}")
    cells += [mark("alpha_rank", ".2f"), mark("seconds", f".{digits(1e3 * agent['seconds'])}f*1e3")]
    return f"| {' | '.join(cells)} |"


def digits(size: float) -> int:
    """The decimals with which a number of this size has two digits."""
    return max(0, 1 - math.floor(math.log10(size))) if size > 0 else 2
