"""The figures and the report of `experiments/coinche_deepcfr.py`, from what its curves logged."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.coinche.metrics import averages, player, tally_deals
from analysis.coinche.metrics_figure import draw_panel, save_metrics_figure
from analysis.figures import COLOURS, Row, save_figure, short, table
from analysis.tournament.ratios import COVERED
from spielgames.coinche.rules import PLAYERS

ALL_PASS = PLAYERS  # calls of a deal in which everybody passes
LEARNING_TEAM = np.array([[0, 1, 0, 1]])  # seats 0 and 2
POLICY = "policy-0"  # all learning seats have one in common
MODE = "mode"
REFERENCE = "rules:strong"
SELF_PLAY = "self_play"
FIGURES = {  # of which curves, in which order, by which names
    SELF_PLAY: {
        "printed": "as the paper prints it",
        "printed_good": "the same, reward good",
        "printed_classic": "the same, reward classic",
        "batches": "epochs read as batches",
        "corrected": "unbiased samples",
        "better": "a better learner",
    },
    "opponents": {
        "random": "against random",
        "simple": "against rules:simple",
        "strong": "against rules:strong",
    },
    "rewards": {
        "strong": "good",
        "mirror": "mirror",
        "classic": "classic",
        "no_defense": "no_defense",
    },
}
TITLES = {
    SELF_PLAY: "Self-play: what all four seats do",
    "opponents": "Against rule-based players (the paper's figure 3), reward `good`",
    "rewards": "Against rules:strong under four rewards (figure 4)",
}

Metrics = dict[str, Any]  # a line of metrics.jsonl
Curves = Mapping[str, Sequence[Metrics]]


def names_in(curves: Curves, figure: str) -> dict[str, str]:
    """The curves that a figure can show; none if another figure shows them all."""
    names = {name: label for name, label in FIGURES[figure].items() if curves.get(name)}
    return {} if figure == "rewards" and names.keys() <= FIGURES["opponents"].keys() else names


def save_learning_figures(curves: Curves, folder: Path) -> list[Path]:
    """PDF, PNG and CSV of each; figure 1 first."""
    files: list[Path] = []
    for figure in FIGURES:
        chosen = {label: points(curves[name]) for name, label in names_in(curves, figure).items()}
        if chosen and figure == SELF_PLAY:
            likely = modes(curves)
            files += save_figure(
                draw(chosen, likely), folder / "figure_1", *numbers(chosen, likely)
            )
        if chosen:
            files += save_metrics_figure(chosen, folder / figure)
    return files


def modes(curves: Curves) -> dict[str, list[Metrics]]:
    """What the policy networks think most likely in self-play, where that was measured."""
    return {
        label: points([line for line in curves[name] if MODE in line["play"]], MODE)
        for name, label in names_in(curves, SELF_PLAY).items()
    }


def points(lines: Sequence[Metrics], strategy: str = "") -> list[Metrics]:
    """What a strategy does, if not the one that a curve shows, and how well the policy network
    fits.
    """
    return [
        line["play"][strategy or line["shown"]]
        | {"iterations": line["iteration"]}
        | {"policy_loss": line["fits"].get(POLICY, {}).get("last_loss", math.nan)}
        for line in lines
    ]


def numbers(curves: Curves, likely: Curves) -> tuple[Row, list[list[Any]]]:
    """Those in figure 1."""
    columns = ["iterations", "calls_and_cards", "calls_and_cards_error", "policy_loss"]
    rows = [
        [name, played, *(p[c] for c in columns)]
        for played, some in (("as learnt", curves), ("most likely action", likely))
        for name, line in some.items()
        for p in line
    ]
    return ["curve", "played", *columns], rows


def draw(curves: Curves, likely: Curves) -> Figure:
    """The paper's figure 1: how long deals are, and how well the policy network fits. In the middle
    it plays the action that it thinks most likely, as in a version of the authors' code.
    """
    figure = Figure(figsize=(12, 3.4), layout="constrained")
    learnt, mode, loss = figure.subplots(1, 3)
    draw_lengths(learnt, curves, "deal's length: calls and cards")
    draw_lengths(mode, likely, "the same, most likely actions of the policy network")
    draw_losses(loss, curves)
    names = learnt.get_legend_handles_labels()
    figure.legend(*names, loc="outside upper center", ncols=6, frameon=False, fontsize=9)
    figure.supxlabel("iterations", fontsize=10)
    return figure


def draw_lengths(axes: Axes, curves: Curves, title: str) -> None:
    draw_panel(axes, curves, "iterations", "calls_and_cards")
    axes.axhline(ALL_PASS, color="black", lw=0.7, ls=":")
    place = axes.get_yaxis_transform()
    axes.text(0.01, ALL_PASS + 0.4, "everybody passes", transform=place, fontsize=8)
    axes.set_ylim(bottom=0)
    axes.set_title(title, fontsize=8)


def draw_losses(axes: Axes, curves: Curves) -> None:
    for (name, line), colour in zip(curves.items(), COLOURS, strict=False):
        x = [point["iterations"] for point in line]
        axes.plot(x, [p["policy_loss"] for p in line], ".-", color=colour, lw=1.2, ms=3, label=name)
    axes.set_title("loss of the policy network", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)


def report(curves: Curves, judged: Mapping[str, Metrics], deals: int, seed: int) -> str:
    parts = ["# Deep CFR on Coinche"]
    for figure, title in TITLES.items():
        names = names_in(curves, figure)
        if names:
            first = ["![Figure 1](figures/figure_1.png)"] if figure == SELF_PLAY else []
            picture = f"![The metrics of appendix C](figures/{figure}.png)"
            rows = team_rows(curves, names, figure, deals, seed)
            parts += [f"## {title}", table(rows), *first, picture]
    if judged:
        parts += ["## How far from equilibrium", judgement(judged)]
    return "\n\n".join(parts)


def team_rows(
    curves: Curves, names: Mapping[str, str], figure: str, deals: int, seed: int
) -> list[Row]:
    """The last of each curve, strategy by strategy, beside rule-based players in its seats."""
    heading = ["curve", "strategy", "iterations", "positions", "seconds", "deal's length"]
    rows = [heading + ["all pass", "attacks", "made", "contract", "reward"]]
    for name, label in names.items():
        last = curves[name][-1]
        done = [str(last["iteration"]), short(last["positions"]), short(last["seconds"])]
        for strategy, play in last["play"].items():
            rows.append([label, strategy, *done, *cells(play)])
        if figure != SELF_PLAY:
            rows.append([label, REFERENCE, "", "", "", *cells(reference(last, deals, seed))])
    return rows


def reference(line: Metrics, deals: int, seed: int) -> dict[str, float]:
    """What rule-based players make of the learner's seats."""
    agents = [player(REFERENCE, line["game"]), player(line["opponents"], line["game"])]
    return averages(tally_deals(agents, LEARNING_TEAM, deals, seed))


def cells(play: Mapping[str, float]) -> Row:
    rates = [
        f"{play[rate]:.1%}" for rate in ("all_pass_rate", "attacking_rate", "attacker_success")
    ]
    reward = f"{play['reward']:+.1f} ± {COVERED * play['reward_error']:.1f}"
    found = [f"{play['calls_and_cards']:.1f}", *rates, f"{play['contract_value']:.0f}", reward]
    return ["–" if cell.startswith("nan") else cell for cell in found]  # of no contract


def judgement(judged: Mapping[str, Metrics]) -> str:
    heading = ["learner", "strategy", "all pass", "bidder's gain", "surely above"]
    rows = [[*heading, "gain if all others pass", "surely above"]]
    for name, label in FIGURES[SELF_PLAY].items():
        if name in judged:
            found = judged[name]
            gains = [gain_cells(found[kind]) for kind in ("gain", "gain_if_others_pass")]
            rate = f"{found['all_pass']:.1%} ± {COVERED * found['all_pass_error']:.1%}"
            rows.append([label, found["strategy"], rate, *gains[0], *gains[1]])
    return (
        "What seat 0 gains, in points per deal, if it leaves the learner's strategy for a fixed"
        " rule: the first call that was worth most for its class of hand on other deals, no call"
        " afterwards, and cards by the rules. A lower bound for what is to be gained; it is 0 or"
        " less in an equilibrium. Beside it what the same rule wins if all others pass, whatever"
        " the learner would call, and then play their cards as it does: all-pass is no equilibrium"
        " as long as that is above 0. Intervals: 95 %; `surely above`: without any assumption on"
        " the distribution (Maurer and Pontil 2009).\n\n" + table(rows)
    )


def gain_cells(gain: Mapping[str, float]) -> Row:
    interval = f"{gain['mean']:+.2f} ({gain['low']:+.2f} … {gain['high']:+.2f})"
    return [interval, f"{gain['surely_above']:+.2f}"]
