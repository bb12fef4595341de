"""Leaf correlation, bias and disambiguation of the five games, and what search gains in them.

    python -m analysis.hidden_information --games=python_hokm --deals=200 --pimc_deals=20
    python -m analysis.hidden_information --out=experiments/results/hidden_information

The properties (`analysis.hidden_information.measures`) are taken from deals played by the rules and
from deals played at random. The gain is the share of deals that PIMC wins against the rules: the
full games' are the baselines' (`experiments/results/baselines`). Variants with fewer cards, which
play a tournament here, stand beside the full games, so that there are more points than five. Writes
results.json and figure.{pdf,png,csv}. The default takes about five minutes on two cores.
"""

import json
from itertools import chain
from pathlib import Path
from typing import Any

from absl import flags
from scipy.stats import spearmanr
from tqdm import tqdm

from analysis.figures import save_figure, save_text, table
from analysis.hidden_information.figure import COLUMNS, draw
from analysis.hidden_information.measures import measure
from analysis.tournament.arena import play_tournament
from spielgames.agents import make_agent
from spielgames.command import run, user_input
from spielgames.core.registry import find
from spielgames.specs import split_specs

VARIANTS = (
    "python_coinche",
    "python_coinche(ranks=6)",
    "python_coinche(ranks=4)",
    "python_hearts",
    "python_hearts(ranks=9)",
    "python_hearts(ranks=5)",
    "python_hokm",
    "python_hokm(ranks=9)",
    "python_hokm(ranks=5)",
    "python_sheephead",
    "python_sheephead(ranks=6)",
    "python_sheephead(ranks=4)",
    "python_snapszer",
    "python_snapszer(ranks=4)",
    "python_snapszer(hand=3)",
)
BASELINES = Path(__file__).parents[2] / "experiments/results/baselines"
PIMC = "pimc:worlds=50"  # the baselines'
PLAYS = ("rules", "random")
PROPERTIES = ("leaf_correlation", "bias", "disambiguation")
Results = dict[str, Any]  # as in results.json


def examine(name: str, settings: Results) -> Results:
    """The properties of a variant, and what PIMC gains there."""
    game, _ = find(name)
    properties = {
        kind: measure(make_agent(kind, name), settings["deals"], settings["seed"])._asdict()
        for kind in PLAYS
    }
    return {
        "name": name,
        "title": game.title + name[len(game.name) :],
        "full": name == game.name,
        "gain": gain(name, settings),
    } | properties


def gain(name: str, settings: Results) -> list[float]:
    """The share of deals that PIMC wins against the rules, and its 95 % interval."""
    known = BASELINES / f"{name}.json"
    if known.exists():
        (pair, *_) = json.loads(known.read_text(encoding="utf-8"))["results"]
        return [pair["win_rate"], pair["win_low"], pair["win_high"]]
    deals, seed = settings["pimc_deals"], settings["seed"]
    found = play_tournament(name, [PIMC, "rules"], deals, seed, control=())
    if found.interrupted:
        raise KeyboardInterrupt
    pair = found.results[0]
    return [pair.win_rate, pair.win_low, pair.win_high]


def prediction(variants: list[Results]) -> Results:
    """How each property goes along with the gain: Spearman's rank correlation, over the full games
    and over all variants, with its p-value.
    """
    groups = {"full": [v for v in variants if v["full"]], "all": variants}
    return {
        group: {
            key: dict(zip(("rho", "p"), map(float, correlation(some, key)), strict=True))
            for key in PROPERTIES
        }
        for group, some in groups.items()
        if len(some) > 4
    }


def correlation(variants: list[Results], key: str) -> tuple[float, float]:
    gains, values = [v["gain"][0] for v in variants], [v[PLAYS[0]][key][0] for v in variants]
    found = spearmanr(values, gains)
    return found.statistic, found.pvalue


def report(results: Results) -> str:
    """The report in Markdown."""
    headings = ["leaf correlation", "bias", "disambiguation"]
    rows = [["variant", *chain(*([h, "at random"] for h in headings)), "PIMC wins"]]
    for variant in results["variants"]:
        cells = [f"{variant[kind][key][0]:.2f}" for key in PROPERTIES for kind in PLAYS]
        win, low, high = (100 * x for x in variant["gain"])
        rows.append([variant["title"], *cells, f"{win:.1f} % ({low:.1f} … {high:.1f})"])
    lines = [
        f"{group}: {key.replace('_', ' ')} goes along with the gain, ρ = {of['rho']:+.2f}"
        f" (p = {of['p']:.2f})"
        for group, found in results["prediction"].items()
        for key, of in found.items()
    ]
    return "\n\n".join([table(rows), "\n".join(f"- {line}" for line in lines)])


def analyse(names: list[str], settings: Results, out: Path) -> None:
    variants = [examine(name, settings) for name in tqdm(names)]
    results = {"settings": settings, "variants": variants, "prediction": prediction(variants)}
    print(report(results))
    save_text(out / "results.json", json.dumps(results, indent=2))
    rows = [
        [v["name"], *chain(*(v[kind][key] for key in PROPERTIES for kind in PLAYS)), *v["gain"]]
        for v in variants
    ]
    save_figure(draw(variants), out / "figure", COLUMNS, rows)
    print(f"\nWritten: {out / 'results.json'}")


def define_flags() -> None:
    flags.DEFINE_string("games", ",".join(VARIANTS), "the variants")
    flags.DEFINE_integer("deals", 2000, "deals for the properties", lower_bound=2)
    flags.DEFINE_integer("pimc_deals", 100, "deals for the gain in small variants", lower_bound=2)
    flags.DEFINE_integer("seed", 1, "seed of the deals", lower_bound=0)
    flags.DEFINE_string("out", "runs/hidden_information", "the folder for all files")


def main() -> None:
    chosen = flags.FLAGS
    settings = {name: chosen[name].value for name in ("deals", "pimc_deals", "seed")}
    with user_input():
        names = split_specs(chosen.games)
        for name in names:
            find(name)
    analyse(names, settings, Path(chosen.out))


if __name__ == "__main__":
    define_flags()
    run(main)
