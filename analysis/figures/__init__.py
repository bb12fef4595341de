"""Figures and tables: their colours, how numbers are written, and the files they are saved in."""

from analysis.figures.files import save_csv, save_figure, save_text
from analysis.figures.palette import line_style
from analysis.figures.text import Row, duration, short, table

__all__ = [
    "Row",
    "duration",
    "line_style",
    "save_csv",
    "save_figure",
    "save_text",
    "short",
    "table",
]
