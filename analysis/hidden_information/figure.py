"""The figure of `analysis.hidden_information`: how much hides as the deal goes on, and whether the
properties of a game tell where search gains.
"""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import line_style
from analysis.hidden_information.measures import BINS

PROPERTIES = {
    "leaf_correlation": "leaf correlation",
    "bias": "bias",
    "disambiguation": "disambiguation per decision",
}
ENDS = ("", "_low", "_high")
COLUMNS = [
    "variant",
    *(f"{key}_{kind}{e}" for key in PROPERTIES for kind in ("rules", "random") for e in ENDS),
    *(f"gain{e}" for e in ENDS),
]
Variant = dict[str, Any]


def draw(variants: list[Variant]) -> Figure:
    """Curves above, the gain over each property below; a game has one marker in all panels."""
    figure = Figure(figsize=(7.5, 5.6))
    figure.set_layout_engine("constrained")
    panels = figure.subplots(2, 6, squeeze=False)
    grid = panels[0, 0].get_gridspec()
    for axes in panels.flat:
        axes.remove()
    styles = {game: line_style(k) for k, game in enumerate(dict.fromkeys(map(game_of, variants)))}
    above = figure.add_subplot(grid[0, :3]), figure.add_subplot(grid[0, 3:])
    full = [variant for variant in variants if variant["full"]] or variants
    draw_curves(above[0], full, styles, "worlds_by_progress", "worlds, log10")
    draw_curves(above[1], full, styles, "agreement_by_progress", "two play-outs agree")
    above[0].legend(fontsize=7, frameon=False)
    for k, (key, label) in enumerate(PROPERTIES.items()):
        axes = figure.add_subplot(grid[1, 2 * k : 2 * k + 2])
        draw_gains(axes, variants, styles, key)
        axes.set_xlabel(label, fontsize=8)
        if k == 0:
            axes.set_ylabel("deals won by PIMC\nagainst the rules, %", fontsize=8)
    return figure


def game_of(variant: Variant) -> str:
    return variant["name"].partition("(")[0]


def draw_curves(
    axes: Axes, variants: list[Variant], styles: dict[str, dict], key: str, label: str
) -> None:
    """Draw how something changes over the decisions of a deal, played by the rules."""
    x = [(k + 0.5) / BINS for k in range(BINS)]
    for variant in variants:
        style = styles[game_of(variant)]
        axes.plot(x, variant["rules"][key], label=variant["title"], markersize=3, **style)
    axes.set_xlabel("share of the deal's decisions", fontsize=8)
    axes.set_ylabel(label, fontsize=8)
    tidy(axes)


def draw_gains(axes: Axes, variants: list[Variant], styles: dict[str, dict], key: str) -> None:
    """Draw the gain over a property; variants with fewer cards have hollow markers."""
    for variant in variants:
        style = styles[game_of(variant)]
        x, y = variant["rules"][key], [100 * g for g in variant["gain"]]
        axes.errorbar(
            *(x[0], y[0]),
            xerr=[[x[0] - x[1]], [x[2] - x[0]]],
            yerr=[[y[0] - y[1]], [y[2] - y[0]]],
            color=style["color"],
            marker=style["marker"],
            markersize=5,
            markerfacecolor=style["color"] if variant["full"] else "white",
            linewidth=0.6,
        )
    axes.axhline(50, color="black", linewidth=0.6)
    tidy(axes)


def tidy(axes: Axes) -> None:
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
