"""The report and the figures of `experiments/coinche_deepcfr.py`."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.coinche.metrics import averages, player, tally_deals
from analysis.coinche.metrics_figure import draw_panel, save_metrics_figure
from analysis.figures import Row, line_style, save_figure, short, table
from analysis.tournament.ratios import COVERED
from experiments.common.curves import describe, legend
from experiments.common.runs import Metrics
from spielgames.coinche.rules import PLAYERS

ALL_PASS = PLAYERS  # calls of a deal in which everybody passes
LEARNING_TEAM = np.array([[0, 1, 0, 1]])  # seats 0 and 2
POLICY = "policy-0"  # all learning seats share one network
MODE = "mode"
REFERENCE = "rules:strong"
SELF_PLAY = "self_play"
OTHER_DEALS = 1_000_003  # added to the seed, for deals that nothing was learnt from
DESCRIPTIONS = {  # in the order of the config
    "printed": "the learner as the paper prints it, in self-play, reward mirror",
    "printed_good": "the learner as the paper prints it, in self-play, reward good",
    "printed_classic": "the learner as the paper prints it, in self-play, reward classic",
    "batches": "the paper's learner in self-play, its epochs read as single batches",
    "corrected": "the paper's learner in self-play, with unbiased samples",
    "better": "outcome sampling, a baseline, larger networks and memories, in self-play",
    "random": "the paper's learner against random players, reward good",
    "simple": "the paper's learner against rules:simple, reward good",
    "strong": "the paper's learner against rules:strong, reward good",
    "mirror": "the paper's learner against rules:strong, reward mirror",
    "classic": "the paper's learner against rules:strong, reward classic",
    "no_defense": "the paper's learner against rules:strong, reward no_defense",
}
FIGURES = {  # the curves of each, in order
    SELF_PLAY: ("printed", "printed_good", "printed_classic", "batches", "corrected", "better"),
    "opponents": ("random", "simple", "strong"),
    "rewards": ("strong", "mirror", "classic", "no_defense"),
}
FIGURE_1 = "Length of deals and loss of the policy network (the paper's figure 1)"
TITLES = {
    SELF_PLAY: "Self-play: what all four seats do",
    "opponents": "Against rule-based players (the paper's figure 3), reward `good`",
    "rewards": "Against rules:strong under four rewards (figure 4)",
}

Curves = Mapping[str, Sequence[Metrics]]


def names_in(curves: Curves, figure: str) -> list[str]:
    """The curves that a figure can show; none if another figure shows them all."""
    names = [name for name in FIGURES[figure] if curves.get(name)]
    return [] if figure == "rewards" and {*names} <= {*FIGURES["opponents"]} else names


def save_learning_figures(curves: Curves, folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of each figure; figure 1 first."""
    files: list[Path] = []
    for figure in FIGURES:
        names = names_in(curves, figure)
        chosen = {legend(name, DESCRIPTIONS): points(curves[name]) for name in names}
        if chosen and figure == SELF_PLAY:
            likely = modes(curves)
            files += save_figure(
                draw(chosen, likely), folder / "figure_1", *numbers(chosen, likely)
            )
        if chosen:
            files += save_metrics_figure(chosen, folder / figure)
    return files


def modes(curves: Curves) -> dict[str, list[Metrics]]:
    """The metrics of the policy networks' most likely actions in self-play, where measured."""
    return {
        legend(name, DESCRIPTIONS): points(
            [line for line in curves[name] if MODE in line["play"]], MODE
        )
        for name in names_in(curves, SELF_PLAY)
    }


def points(lines: Sequence[Metrics], strategy: str = "") -> list[Metrics]:
    """The metrics of a strategy, by default the one that a curve shows, and the loss of the policy
    network.
    """
    return [
        line["play"][strategy or line["shown"]]
        | {"iterations": line["iteration"]}
        | {"policy_loss": line["fits"].get(POLICY, {}).get("last_loss", math.nan)}
        for line in lines
    ]


def numbers(curves: Curves, likely: Curves) -> tuple[Row, list[list[Any]]]:
    """The numbers in figure 1."""
    columns = ["iterations", "calls_and_cards", "calls_and_cards_error", "policy_loss"]
    rows = [
        [name, played, *(p[c] for c in columns)]
        for played, some in (("as learnt", curves), ("most likely action", likely))
        for name, line in some.items()
        for p in line
    ]
    return ["curve", "played", *columns], rows


def draw(curves: Curves, likely: Curves) -> Figure:
    """The paper's figure 1: the length of deals, and the loss of the policy network. In the middle
    the policy network plays the action that it thinks most likely, as in a version of the authors'
    code.
    """
    figure = Figure(figsize=(12, 4.2), layout="constrained")
    learnt, mode, loss = figure.subplots(1, 3)
    draw_lengths(learnt, curves, "length of a deal: calls and cards")
    draw_lengths(mode, likely, "length of a deal, most likely actions of the policy network")
    draw_losses(loss, curves)
    names = learnt.get_legend_handles_labels()
    figure.legend(*names, loc="outside upper center", ncols=2, frameon=False, fontsize=9)
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
    for number, (name, line) in enumerate(curves.items()):
        style = line_style(number) | {"lw": 1.2, "ms": 4, "markevery": max(1, len(line) // 8)}
        x = [point["iterations"] for point in line]
        axes.plot(x, [p["policy_loss"] for p in line], **style, label=name)
    axes.set_title("loss of the policy network", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)


def report(curves: Curves, judged: Mapping[str, Metrics], deals: int, seed: int) -> str:
    parts = [
        "# Deep CFR on Coinche",
        answer(curves, judged),
        "## The curves",
        describe((name for name, lines in curves.items() if lines), DESCRIPTIONS),
    ]
    for figure, title in TITLES.items():
        names = names_in(curves, figure)
        if names:
            first = [f"![{FIGURE_1}](figures/figure_1.png)"] if figure == SELF_PLAY else []
            picture = f"![{title}: the metrics of appendix C](figures/{figure}.png)"
            rows = team_rows(curves, names, figure, deals, seed)
            parts += [f"## {title}", table(rows), *first, picture]
    if judged:
        parts += ["## How far from equilibrium", judgement(judged)]
    return "\n\n".join(parts)


def answer(curves: Curves, judged: Mapping[str, Metrics]) -> str:
    """The question, and its answer."""
    names = names_in(curves, SELF_PLAY)
    asked = "Does the self-play of Deep CFR end in everybody passing, and is that an equilibrium?"
    if not names:
        return asked
    lasts = {name: curves[name][-1] for name in names}
    passing = {name: line["play"][line["shown"]]["all_pass_rate"] for name, line in lasts.items()}
    most = max(passing, key=passing.__getitem__)
    found = f"{asked} Everybody passes in at most {passing[most]:.1%} of the deals (`{most}`)."
    if not judged:
        return found
    gains = {name: one["gain"]["mean"] for name, one in judged.items()}
    least = min(gains, key=gains.__getitem__)
    return (
        f"{found} In an equilibrium nobody could gain by deviating; here a bidder that follows a"
        f" fixed rule gains {gains[least]:+.1f} points per deal against `{least}`, and more against"
        " all others."
    )


def team_rows(
    curves: Curves, names: Sequence[str], figure: str, deals: int, seed: int
) -> list[Row]:
    """The last line of each curve, by strategy, beside rule-based players in its seats."""
    heading = ["curve", "strategy", "iterations", "positions", "seconds", "deal's length"]
    rows = [heading + ["all pass", "attacks", "made", "contract", "reward"]]
    for name in names:
        last = curves[name][-1]
        done = [str(last["iteration"]), short(last["positions"]), short(last["seconds"])]
        for strategy, play in last["play"].items():
            rows.append([f"`{name}`", strategy, *done, *cells(play)])
        if figure != SELF_PLAY:
            rows.append([f"`{name}`", REFERENCE, "", "", "", *cells(reference(last, deals, seed))])
    return rows


def reference(line: Metrics, deals: int, seed: int) -> dict[str, float]:
    """The metrics of rule-based players in the learner's seats."""
    agents = [player(REFERENCE, line["game"]), player(line["opponents"], line["game"])]
    return averages(tally_deals(agents, LEARNING_TEAM, deals, seed))


def cells(play: Mapping[str, float]) -> Row:
    rates = [
        f"{play[rate]:.1%}" for rate in ("all_pass_rate", "attacking_rate", "attacker_success")
    ]
    reward = f"{play['reward']:+.1f} ± {COVERED * play['reward_error']:.1f}"
    found = [f"{play['calls_and_cards']:.1f}", *rates, f"{play['contract_value']:.0f}", reward]
    return ["–" if cell.startswith("nan") else cell for cell in found]  # no contract


def judgement(judged: Mapping[str, Metrics]) -> str:
    heading = ["curve", "strategy", "all pass", "bidder's gain", "surely above"]
    rows = [[*heading, "gain if all others pass", "surely above"]]
    for name in FIGURES[SELF_PLAY]:
        if name in judged:
            found = judged[name]
            gains = [gain_cells(found[kind]) for kind in ("gain", "gain_if_others_pass")]
            rate = f"{found['all_pass']:.1%} ± {COVERED * found['all_pass_error']:.1%}"
            rows.append([f"`{name}`", found["strategy"], rate, *gains[0], *gains[1]])
    return (
        "`bidder's gain` is what seat 0 gains, in points per deal, by leaving the learner's"
        " strategy for a fixed rule: it makes the first call that was worth most for its class of"
        " hand on other deals, never calls again, and plays its cards by the rules. It is a lower"
        " bound on what a best response gains, and is at most 0 in an equilibrium. `gain if all"
        " others pass` is what the same rule wins if the others pass, whatever the learner would"
        " call, and then play their cards as the learner does: as long as it is above 0, passing"
        " is not an equilibrium. Intervals are at 95 %; `surely above` is a bound that assumes"
        " nothing about the distribution (Maurer and Pontil 2009).\n\n" + table(rows)
    )


def gain_cells(gain: Mapping[str, float]) -> Row:
    interval = f"{gain['mean']:+.2f} ({gain['low']:+.2f} … {gain['high']:+.2f})"
    return [interval, f"{gain['surely_above']:+.2f}"]
