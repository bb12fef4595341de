"""Files that are replaced whole or not at all: texts, numbers, and figures beside their numbers."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from spielgames.files import replacing

DPI = 200


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
    """Write stem.pdf, stem.png and stem.csv (the numbers in the figure); return the three paths.

    The PDF has no date, so that the same numbers give the same file.
    """
    pdf, png, numbers = (stem.with_name(f"{stem.name}.{kind}") for kind in ("pdf", "png", "csv"))
    with replacing(pdf) as partial:
        figure.savefig(partial, metadata={"CreationDate": None})
    with replacing(png) as partial:
        figure.savefig(partial, dpi=DPI)
    save_csv(numbers, columns, rows)
    return [pdf, png, numbers]
