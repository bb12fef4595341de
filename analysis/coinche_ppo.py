"""The figures and the report of `experiments/coinche_ppo.py`, from what its curves logged."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.coinche_metrics_figure import save_metrics_figure
from analysis.figures import Row, short, table
from analysis.ratios import COVERED

Metrics = dict[str, Any]  # a line of metrics.jsonl, or a final measurement
LABELS = {
    "random": "against random",
    "simple": "against rules:simple",
    "strong": "against rules:strong",
    "plain": "strong, without foresight",
    "mirror": "strong, reward mirror",
    "classic": "strong, reward classic",
    "no_defense": "strong, reward no_defense",
    "shaped": "strong, tricks count",
    "partner": "strong, guesses the partner's hand",
}
FIGURES = {  # the paper's, and ours
    "figure_2": ("random", "simple", "strong"),
    "figure_4": ("strong", "mirror", "classic", "no_defense"),
    "switches": ("strong", "plain", "shaped", "partner"),
}
SHOWN = {  # in the table of results
    "reward": "reward",
    "attacking_rate": "attacks",
    "attacker_reward": "reward as attacker",
    "attacker_success": "made",
    "contract_value": "contract",
    "bid_precision": "precision",
    "defender_reward": "reward as defender",
    "defender_success": "defended",
}
RATES = ("attacking_rate", "attacker_success", "defender_success")


def label(curve: str, seed: int) -> str:
    return LABELS[curve] if seed == 0 else f"{LABELS[curve]}, seed {seed}"


def save_figures(lines: Sequence[Metrics], folder: Path) -> list[Path]:
    """Those of which there is more than what another one shows."""
    curves: dict[tuple[str, int], list[Metrics]] = {}
    for line in lines:
        point = line["play"] | {"iterations": line["iteration"]}
        curves.setdefault((line["curve"], line["seed"]), []).append(point)
    files: list[Path] = []
    for figure, names in FIGURES.items():
        chosen = {label(*key): points for key, points in curves.items() if key[0] in names}
        if chosen and (figure == "figure_2" or any(key[0] in names[1:] for key in curves)):
            files += save_metrics_figure(chosen, folder / figure)
    return files


def report(lines: Sequence[Metrics], finals: Sequence[Metrics]) -> str:
    pictures = [f"![{name}](figures/{name}.png)" for name in FIGURES]
    parts = ["# PPO on Coinche", "## On fresh deals", table(final_rows(finals)), *pictures]
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
