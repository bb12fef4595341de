"""The figures and the report of `experiments/coinche_ppo.py`, from what its curves logged."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from analysis.coinche.metrics_figure import APPENDIX_C, save_metrics_figure
from analysis.figures import Row, short, table
from analysis.tournament.ratios import COVERED

Metrics = dict[str, Any]  # a line of metrics.jsonl, or a final measurement
LABELS = {
    "random": "against random",
    "simple": "against rules:simple",
    "strong": "against rules:strong",
    "long": "against rules:strong, long",
    "mixed": "strong and itself",
    "self_play": "itself, reward mirror",
    "plain": "strong, without foresight",
    "mirror": "strong, reward mirror",
    "classic": "strong, reward classic",
    "no_defense": "strong, reward no_defense",
    "long_no_defense": "strong, reward no_defense, long",
    "mixed_no_defense": "strong and itself, reward no_defense",
    "shaped": "strong, tricks count",
    "partner": "strong, guesses the partner's hand",
}
FIGURES = {  # the paper's, and ours
    "figure_2": ("random", "simple", "strong"),
    "figure_4": ("strong", "mirror", "classic", "no_defense"),
    "no_defense": ("long_no_defense", "mixed_no_defense"),
    "self_play": ("self_play",),
    "switches": ("strong", "long", "mixed", "plain", "shaped", "partner"),
}
OF_ITSELF = ("calls_and_cards", "all_pass_rate", "attacker_success", "contract_value")  # drawn
SHOWN = {  # in the table of results
    "reward": "reward",
    "all_pass_rate": "all pass",
    "attacking_rate": "attacks",
    "attacker_reward": "reward as attacker",
    "attacker_success": "made",
    "contract_value": "contract",
    "bid_precision": "precision",
    "defender_reward": "reward as defender",
    "defender_success": "defended",
}
RATES = ("all_pass_rate", "attacking_rate", "attacker_success", "defender_success")


def label(curve: str, seed: int) -> str:
    return LABELS[curve] if seed == 0 else f"{LABELS[curve]}, seed {seed}"


PAPER = (
    "The paper's PPO defends with success in 75 % of the deals against its simple player and in"
    " 70 % against its strong one, and attacks seldom (its figure 2)."
)


def save_figures(lines: Sequence[Metrics], folder: Path) -> list[Path]:
    files: list[Path] = []
    for figure in figures_of(lines):
        chosen: dict[str, list[Metrics]] = {}
        for line in lines:
            if line["curve"] in FIGURES[figure]:
                point = line["play"] | {"iterations": line["iteration"]}
                chosen.setdefault(label(line["curve"], line["seed"]), []).append(point)
        metrics = OF_ITSELF if figure == "self_play" else APPENDIX_C
        files += save_metrics_figure(chosen, folder / figure, metrics=metrics)
    return files


def figures_of(lines: Sequence[Metrics]) -> list[str]:
    """Those of which there is more than what figure 2 shows."""
    found, shown = {line["curve"] for line in lines}, FIGURES["figure_2"]
    return [
        figure
        for figure, names in FIGURES.items()
        if found.intersection(names if names == shown else set(names) - set(shown))
    ]


def report(lines: Sequence[Metrics], finals: Sequence[Metrics]) -> str:
    pictures = [f"![{name}](figures/{name}.png)" for name in figures_of(lines)]
    parts = ["# PPO on Coinche", "## On fresh deals", PAPER, table(final_rows(finals)), *pictures]
    return "\n\n".join([*parts, "## On the way", table(way_rows(lines))])


def final_rows(finals: Sequence[Metrics]) -> list[Row]:
    """What was learnt, and below it what rule-based players win in its place."""
    rows: list[Row] = [["learner", "plays", "against", *SHOWN.values()]]
    for final in finals:
        name = label(final["curve"], final["seed"])
        rows.append([name, final["plays"], final["opponents"], *cells(final["play"])])
    return rows


def cells(play: Mapping[str, float]) -> Row:
    return [cell(name, play[name], COVERED * play[f"{name}_error"]) for name in SHOWN]


def cell(name: str, mean: float, reach: float) -> str:
    if np.isnan(reach):  # of one case or none
        return "–"
    if name in RATES:
        return f"{100 * mean:.1f} ± {100 * reach:.1f} %"
    return f"{mean:.1f} ± {reach:.1f}"


def way_rows(lines: Sequence[Metrics]) -> list[Row]:
    rows = [["learner", "iterations", "decisions", "minutes", "explained", "guess"]]
    last = {(line["curve"], line["seed"]): line for line in lines}
    for key, line in last.items():
        done = [f"{line['iteration']:,}", short(line["samples"]), f"{line['seconds'] / 60:.0f}"]
        guess = line["pupil-0"]["guess"]
        known = [f"{line['explained']:.2f}", f"{guess:.3f}" if guess else "–"]
        rows.append([label(*key), *done, *known])
    return rows
