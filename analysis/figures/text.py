"""Numbers and tables as text, for the terminal and for Markdown."""

import math

Row = list[str]
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def short(number: float) -> str:
    """A number with three digits: `102 M`, `34.1 k`, `0.52`."""
    number = float(f"{number:.3g}")
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            scaled = number / size
            return f"{scaled:.{max(0, 2 - int(math.log10(scaled)))}f}{unit}"
    return f"{number:.3g}"


def duration(seconds: float) -> str:
    """A time with three digits: `26.1 µs`, `1.52 ms`."""
    size, unit = next(unit for unit in UNITS if seconds >= unit[0] or unit is UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


def table(rows: list[Row]) -> str:
    """A Markdown table, aligned to read well in a terminal; the first row is the heading."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(table_line(row, widths) for row in [rows[0], rule, *rows[1:]])


def table_line(row: Row, widths: list[int]) -> str:
    cells = [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
    return f"| {' | '.join(cells)} |"
