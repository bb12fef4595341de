"""The report and the figure of `experiments/sheephead_thesis.py`."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import Row, table
from analysis.figures.palette import BLUE, GREY
from analysis.tournament.variance import Interval

KINDS = "rule-based", "random"
FIGURES = {6: 1, 7: 2, 8: 3, 9: 4}  # the thesis' number: the number of rule-based players
PLAYERS = 5
BATCH = 100  # hands in the same seats
COLOURS = {"rule-based": BLUE, "random": GREY}
DASHES = {"rule-based": "-", "random": "--"}


class Condition(NamedTuple):
    """What is played, and by whom."""

    title: str
    game: str
    agents: tuple[str, str]  # of the kinds
    picture: str


CONDITIONS = {
    "figures": Condition("By the full rules", "python_sheephead", ("rules", "random"), "money"),
    "thesis_figures": Condition(
        "In the thesis' conditions",
        "python_sheephead(nola=false)",
        ("rules", "rules:random_cards"),
        "money_thesis",
    ),
}


@dataclass(frozen=True)
class ByPosition:
    """The mean of each position, and the gain from the first to the last."""

    means: list[Interval]
    gain: Interval


@dataclass(frozen=True)
class Result:
    """A figure in numbers: cents per hand, with 95 % intervals over batches."""

    figure: int
    rule_based: int
    players: list[Interval]  # the rule-based ones first
    kinds: dict[str, Interval]
    closest: (
        Interval  # a rule-based player's lead over a random one, for the pair where it is least
    )
    seats: dict[str, ByPosition]  # from the seat that speaks and leads first to the dealer's
    neighbours: ByPosition | None  # 1, 2, 3, 4 places after the only player of its kind

    @property
    def agrees(self) -> bool:
        """Whether every rule-based player does better than every random one."""
        return self.closest.low > 0

    def sentence(self) -> str:
        """Whether the thesis' statement holds: rule-based players do significantly better."""
        verdict = "agrees with" if self.agrees else "does not bear out"
        rules, random = (show(self.kinds[kind]) for kind in KINDS)
        return (
            f"Figure {self.figure} ({self.rule_based} rule-based) {verdict} the thesis:"
            f" rule-based players win {rules} cents per hand and random ones {random};"
            f" the closest two of them differ by {show(self.closest)}."
        )


def show(x: Interval) -> str:
    return f"{x.mean:+.2f} ({x.low:+.2f} … {x.high:+.2f})"


def position_sentence(r: Result) -> str:
    """An answer to the thesis' open question, whether the position affects the players."""
    gains = " and ".join(f"by {show(x.gain)} for a {kind} player" for kind, x in r.seats.items())
    seats = f"Figure {r.figure}: from the first seat to the dealer's, cents change {gains}"
    if not r.neighbours:
        return seats + "."
    alone = "rule-based" if r.rule_based == 1 else "random"
    gain = show(r.neighbours.gain)
    return (
        f"{seats}; from just after the {alone} player to just before that player, the others'"
        f" by {gain}."
    )


def position_table(heading: Row, of: dict[str, ByPosition | None]) -> str:
    """A table of means; their intervals are in metrics.json."""
    rows = [[name, *(f"{x.mean:+.2f}" for x in p.means)] for name, p in of.items() if p]
    return table([heading, *rows])


def report(results: dict[str, list[Result]], hands: int) -> str:
    parts = [
        "# The Sheephead thesis' figures 6–9",
        f"{hands:,} hands each; cents per hand, with 95 % intervals over batches of {BATCH}.",
    ]
    for name, found in results.items():
        parts += section(CONDITIONS[name], found)
    return "\n\n".join(parts)


def section(condition: Condition, results: list[Result]) -> list[str]:
    seats = {f"{r.figure}: {kind}": of for r in results for kind, of in r.seats.items()}
    places = {f"{r.figure}": r.neighbours for r in results}
    rules, random = condition.agents
    return [
        f"## {condition.title}",
        f"`{condition.game}`, with `{rules}` and `{random}`. {answer(results)}",
        "\n".join(f"- {r.sentence()}" for r in results),
        f"![Money over hands](figures/{condition.picture}.png)",
        "### Does the position matter?",
        "\n".join(f"- {position_sentence(r)}" for r in results),
        "Cents per hand by seat, counted from who speaks and leads first:",
        position_table(["figure", "first", "second", "third", "fourth", "dealer"], seats),
        "By place at the table, counted from the only player of the other kind:",
        position_table(["figure", "1 after", "2 after", "3 after", "4 after"], places),
    ]


def answer(results: list[Result]) -> str:
    """The question, and its answer."""
    agreeing = [str(r.figure) for r in results if r.agrees]
    found = f"It holds in figures {', '.join(agreeing)}." if agreeing else "It holds in no figure."
    asked = "Does the thesis' statement hold that rule-based players do better than random ones?"
    return f"{asked} {found}"


def draw(rows: np.ndarray) -> Figure:
    """Draw the four figures in one; `rows` as in the CSV."""
    picture = Figure(figsize=(9, 6.5), layout="constrained")
    grid = picture.subplots(2, 2, sharex=True, sharey=True)
    for axes, (figure, rule_based) in zip(grid.flat, FIGURES.items(), strict=True):
        draw_money(axes, rows[rows[:, 0] == figure])
        axes.set_title(f"Figure {figure}: {rule_based} rule-based", fontsize=10)
    for axes in grid[1]:
        axes.set_xlabel("hands")
    for axes in grid[:, 0]:
        axes.set_ylabel("money ($)")
    kinds = [grid[0, 0].lines[0], grid[0, 0].lines[1]]
    picture.legend(kinds, KINDS, loc="outside upper center", ncols=2, frameon=False)
    return picture


def draw_money(axes: Axes, rows: np.ndarray) -> None:
    """Draw a curve for each player, in dollars."""
    rule_based, hands, cents = rows[0, 1], rows[:, 2], rows[:, 3:]
    for player in range(PLAYERS):
        kind = "rule-based" if player < rule_based else "random"
        style = {"color": COLOURS[kind], "linestyle": DASHES[kind], "linewidth": 1.2}
        axes.plot(hands, cents[:, player] / 100, **style)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
    axes.locator_params(axis="x", nbins=4)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,.0f}")
