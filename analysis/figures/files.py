"""How numbers are shown and kept: short forms, tables, and figures beside the numbers they show."""

import csv
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from spielgames.files import replacing

DPI = 200
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C", "#000000")
COLOURS += ("#7B3F00", "#117733")
Row = list[str]


def save_text(path: Path, text: str) -> None:
    with replacing(path) as partial:
        partial.write_text(text + "\n", encoding="utf-8")


def save_csv(path: Path, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    with replacing(path) as partial, partial.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def save_figure(
    figure: Figure, stem: Path, columns: Iterable[str], rows: Iterable[Iterable[Any]]
) -> list[Path]:
    """Writes stem.pdf (vector, without a date: same numbers, same file), stem.png (to look at) and
    stem.csv (the numbers in the figure); returns the three paths."""
    pdf, png, numbers = (stem.with_name(f"{stem.name}.{kind}") for kind in ("pdf", "png", "csv"))
    with replacing(pdf) as partial:
        figure.savefig(partial, metadata={"CreationDate": None})
    with replacing(png) as partial:
        figure.savefig(partial, dpi=DPI)
    save_csv(numbers, columns, rows)
    return [pdf, png, numbers]


def short(number: float) -> str:
    """Three digits: `102 M`, `34.1 k`, `0.52`."""
    number = float(f"{number:.3g}")
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            scaled = number / size
            return f"{scaled:.{max(0, 2 - int(math.log10(scaled)))}f}{unit}"
    return f"{number:.3g}"


def table(rows: list[Row]) -> str:
    """Aligned text for the terminal that is a Markdown table too; the first row is the heading."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(table_line(row, widths) for row in [rows[0], rule, *rows[1:]])


def table_line(row: Row, widths: list[int]) -> str:
    cells = [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
    return f"| {' | '.join(cells)} |"
