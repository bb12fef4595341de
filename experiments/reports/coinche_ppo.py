"""The report and the figures of `experiments/coinche_ppo.py`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from analysis.coinche.metrics_figure import APPENDIX_C, save_metrics_figure
from analysis.figures import Row, short, table
from analysis.tournament.ratios import COVERED
from experiments.common.curves import describe, in_order, legend
from experiments.common.runs import Metrics
from solvers.runs.agent import PLAYS

DESCRIPTIONS = {  # in the order of the config; 120 iterations unless said otherwise
    "strong": "against rules:strong, reward good",
    "long": "against rules:strong, reward good, 400 iterations",
    "mixed": "half against rules:strong, half against itself, reward good",
    "mixed_no_defense": "half against rules:strong, half against itself, reward no_defense, 400"
    " iterations",
    "long_no_defense": "against rules:strong, reward no_defense, 400 iterations",
    "self_play": "against itself: all four seats learn, reward mirror",
    "simple": "against rules:simple, reward good",
    "random": "against random players, reward good",
    "plain": "against rules:strong, reward good, without valuing actions by rollouts",
    "mirror": "against rules:strong, reward mirror",
    "classic": "against rules:strong, reward classic",
    "no_defense": "against rules:strong, reward no_defense",
    "shaped": "against rules:strong, reward good and 0.1 for each trick",
    "partner": "against rules:strong, reward good; also guesses the partner's hand",
}
FIGURES = {  # the paper's two, then ours
    "figure_2": ("random", "simple", "strong"),
    "figure_4": ("strong", "mirror", "classic", "no_defense"),
    "no_defense": ("long_no_defense", "mixed_no_defense"),
    "self_play": ("self_play",),
    "switches": ("strong", "long", "mixed", "plain", "shaped", "partner"),
}
SELF_PLAY_METRICS = ("calls_and_cards", "all_pass_rate", "attacker_success", "contract_value")
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
SUCCESS = ("reward", "defender_success")
RATES = ("all_pass_rate", "attacking_rate", "attacker_success", "defender_success")


PAPER = (
    "The paper's PPO defends with success in 75 % of the deals against its simple player and in"
    " 70 % against its strong one, and attacks seldom (its figure 2)."
)


TITLES = {
    "figure_2": "The ten metrics against three kinds of opponents (the paper's figure 2)",
    "figure_4": "The ten metrics under four rewards (the paper's figure 4)",
    "no_defense": "The ten metrics of two long runs under the reward no_defense",
    "self_play": "Self-play: does it end in everybody passing?",
    "switches": "The ten metrics of variants of the learner, reward good",
}


def save_figures(lines: Sequence[Metrics], folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    files: list[Path] = []
    for figure in figures_of(lines):
        chosen: dict[str, list[Metrics]] = {}
        for line in in_order(lines, DESCRIPTIONS):
            if line["curve"] in FIGURES[figure]:
                point = line["play"] | {"iterations": line["iteration"]}
                chosen.setdefault(label(line), []).append(point)
        metrics = SELF_PLAY_METRICS if figure == "self_play" else APPENDIX_C
        files += save_metrics_figure(chosen, folder / figure, metrics=metrics)
    return files


def label(line: Metrics) -> str:
    """A legend's entry. A curve is described once, at its first seed."""
    if line["seed"] == 0:
        return legend(line["curve"], DESCRIPTIONS)
    return f"{line['curve']}: seed {line['seed']}"


def figures_of(lines: Sequence[Metrics]) -> list[str]:
    """The figures that show more than figure 2 does."""
    found, shown = {line["curve"] for line in lines}, FIGURES["figure_2"]
    return [
        figure
        for figure, names in FIGURES.items()
        if found.intersection(names if names == shown else set(names) - set(shown))
    ]


def report(lines: Sequence[Metrics], finals: Sequence[Metrics], _: Sequence[Metrics] = ()) -> str:
    lines, finals = in_order(lines, DESCRIPTIONS), in_order(finals, DESCRIPTIONS)
    pictures = [f"![{TITLES[name]}](figures/{name}.png)" for name in figures_of(lines)]
    parts = [
        "# PPO on Coinche",
        answer(finals),
        "## The curves",
        describe((line["curve"] for line in lines), DESCRIPTIONS),
        "120 iterations unless a description says otherwise.",
        "## On fresh deals",
        "Means with 95 % intervals. `sample` draws actions from the network's policy, `best` plays"
        " its most likely one, `rules` is the rule-based player in its place; all others are"
        " options of `pimc`, a search that deviates from the network's move where it finds a better"
        " one.",
        table(final_rows(finals)),
        *pictures,
    ]
    explained = (
        "`explained` is the share of the variance of returns that the critic explains; `guess` is"
        " the loss of guessing the partner's hand."
    )
    return "\n\n".join([*parts, "## Training", explained, table(way_rows(lines))])


def answer(finals: Sequence[Metrics]) -> str:
    """The question, and its answer."""
    asked = "How much does one PPO network win for a team against two rule-based players?"
    found = [f for f in finals if f["opponents"] == "rules:strong" and f["plays"] in PLAYS]
    if not found:
        return f"{asked} {PAPER}"
    best = max((f for f in found if "good" in f["game"]), key=lambda f: f["play"]["reward"])
    reward, defended = (cell(name, *value(best["play"], name)) for name in SUCCESS)
    return (
        f"{asked} Against `rules:strong` and with the reward `good`, the best is `{best['curve']}`:"
        f" {reward} points per deal, and it defeats {defended} of its opponents' contracts. {PAPER}"
    )


def final_rows(finals: Sequence[Metrics]) -> list[Row]:
    """The results of each network, followed by those of rule-based players in its place."""
    rows: list[Row] = [["curve", "seed", "plays", "against", *SHOWN.values()]]
    for final in finals:
        known = [f"`{final['curve']}`", str(final["seed"]), final["plays"], final["opponents"]]
        rows.append([*known, *cells(final["play"])])
    return rows


def value(play: Mapping[str, float], name: str) -> tuple[float, float]:
    return play[name], COVERED * play[f"{name}_error"]


def cells(play: Mapping[str, float]) -> Row:
    return [cell(name, *value(play, name)) for name in SHOWN]


def cell(name: str, mean: float, reach: float) -> str:
    if np.isnan(reach):  # one case or none
        return "–"
    if name in RATES:
        return f"{100 * mean:.1f} ± {100 * reach:.1f} %"
    return f"{mean:.1f} ± {reach:.1f}"


def way_rows(lines: Sequence[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "iterations", "decisions", "minutes", "explained", "guess"]]
    last = {(line["curve"], line["seed"]): line for line in lines}
    for (curve, seed), line in last.items():
        done = [f"{line['iteration']:,}", short(line["samples"]), f"{line['seconds'] / 60:.0f}"]
        guess = line["losses-0"]["guess"]
        known = [f"{line['explained_variance']:.2f}", f"{guess:.3f}" if guess else "–"]
        rows.append([f"`{curve}`", str(seed), *done, *known])
    return rows
