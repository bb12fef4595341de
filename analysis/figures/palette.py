"""The colours of all figures, which colour-blind readers can tell apart, and styles of lines, which
can be told apart in grey.
"""

from typing import Any

BLUE, RED, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"  # the palette of Okabe and Ito
ORANGE, SKY, GREY, BLACK = "#E69F00", "#56B4E9", "#8C8C8C", "#000000"
BROWN, DARK_GREEN, DARK_GREY = "#7B3F00", "#117733", "#555555"
COLOURS = (BLUE, RED, GREEN, PINK, ORANGE, SKY, GREY, BLACK, BROWN, DARK_GREEN)
DASHES = ("-", "--", "-.", ":")
MARKERS = "os^Dv*PX<>"


def line_style(number: int) -> dict[str, Any]:
    """The colour, dashes and marker of a figure's curve of this number, for `Axes.plot`."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number % len(DASHES)],
        "marker": MARKERS[number % len(MARKERS)],
    }
