"""Random, rule-based and PIMC players against each other in all five games: the yardstick for
everything else.

    python experiments/baselines.py --workdir=runs/baselines --deals=500 --pimc_deals=20  (a minute)
    python experiments/baselines.py --workdir=runs/baselines           (half an hour on two cores)

Every pair plays the same deals in every seating (`analysis.tournament`). A game that is finished
has its file in the work folder and is not played again, so the same command goes on where it was
stopped. Writes GAME.json, report.md and figures/baselines.{pdf,png,csv}.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from absl import flags
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import save_figure, save_text, table
from analysis.figures.palette import BLUE
from analysis.tournament.arena import play_tournament
from analysis.tournament.pairs import precise
from experiments.common.experiment import carry_out, define_workdir
from spielgames.command import run
from spielgames.core.game import GAMES, Game

COLUMNS = ("game", "unit", "a", "b", "deals", "mean", "low", "high", "win_rate")
Results = dict[str, Any]  # as in a game's file


def rule_specs(game: Game) -> list[str]:
    """The rule-based players, the best first."""
    return [f"rules:{level}" for level in game.levels] if len(game.levels) > 1 else ["rules"]


def play_game(game: Game, settings: Results) -> Results:
    """Let the compiled players play all deals, and PIMC fewer against each of them."""
    compiled, pimc, seed = [*rule_specs(game), "random"], settings["pimc"], settings["seed"]
    many = play_tournament(game.name, compiled, settings["deals"], seed, show=True)
    few = play_tournament(
        game.name, [pimc, *compiled], settings["pimc_deals"], seed, control=(), show=True
    )
    if many.interrupted or few.interrupted:
        raise KeyboardInterrupt
    pairs = [result for result in few.results if result.a == pimc] + many.results
    return {
        "game": game.name,
        "settings": settings,
        "results": [asdict(result) for result in pairs],
        "seats": [asdict(result) for result in few.seats],
        "ratings": [asdict(rating) for rating in few.ratings],
    }


def finished(path: Path, settings: Results) -> Results | None:
    """The results of an earlier run, if there is one; other settings are refused."""
    if not path.exists():
        return None
    found = json.loads(path.read_text())
    if found["settings"] != settings:
        raise ValueError(
            f"{path} has results for {found['settings']}, not {settings}; use another --workdir"
        )
    return found


def rows_of(results: Results) -> list[dict[str, Any]]:
    """The pairs of a game, as rows of the table of numbers."""
    game = GAMES[results["game"]]
    return [result | {"game": game.title, "unit": game.unit} for result in results["results"]]


def report(everything: list[Results]) -> str:
    rows = [["game", "a – b", "deals", "a's mean per deal", "95 % interval", "a's wins"]]
    for row in (row for results in everything for row in rows_of(results)):
        mean, low, high = (precise(row[k], row["high"] - row["low"]) for k in COLUMNS[5:8])
        numbers = [f"{mean} {row['unit']}", f"{low} … {high}", f"{100 * row['win_rate']:.1f} %"]
        rows.append([row["game"], f"{row['a']} – {row['b']}", str(row["deals"]), *numbers])
    picture = "![The mean of each pair with its interval](figures/baselines.png)"
    return "\n\n".join(["# Baselines", answer(everything), table(rows), picture])


def answer(everything: list[Results]) -> str:
    """The question, and its answer."""
    asked = "How strong are random, rule-based and searching players against each other?"
    pimc = everything[0]["settings"]["pimc"]
    beaten = [
        GAMES[results["game"]].title
        for results in everything
        for pair in results["results"]
        if (pair["a"], pair["b"]) == (pimc, rule_specs(GAMES[results["game"]])[0])
        and pair["low"] > 0
    ]
    found = f"in {', '.join(beaten)}" if beaten else "in no game"
    return f"{asked} `{pimc}` beats the best rule-based player {found} (95 % intervals)."


def draw(everything: list[Results]) -> Figure:
    """Draw a panel for each game, as each has its own unit."""
    heights = [len(results["results"]) for results in everything]
    figure = Figure(figsize=(7.5, 1.0 + 0.34 * sum(heights) + 0.4 * len(heights)))
    figure.set_layout_engine("constrained")
    panels = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    for axes, results in zip(panels, everything, strict=True):
        draw_game(axes, GAMES[results["game"]], results["results"])
    return figure


def draw_game(axes: Axes, game: Game, pairs: list[dict[str, Any]]) -> None:
    """Draw a point with its interval and its number for each pair."""
    for y, pair in enumerate(pairs):
        ends = [[pair["mean"] - pair["low"]], [pair["high"] - pair["mean"]]]
        axes.errorbar(pair["mean"], y, xerr=ends, fmt="o", color=BLUE, markersize=3, capsize=3)
        text = precise(pair["mean"], pair["high"] - pair["low"])
        beside = {"xytext": (0, 4), "textcoords": "offset points", "ha": "center", "fontsize": 7}
        axes.annotate(text, (pair["mean"], y), **beside)
    axes.axvline(0, color="black", linewidth=0.8)
    names = [f"{pair['a']} – {pair['b']}" for pair in pairs]
    axes.set_yticks(range(len(pairs)), names, fontsize=8)
    axes.set_ylim(len(pairs) - 0.4, -0.7)
    axes.margins(x=0.1)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel(f"{game.title}: mean of the first, {game.unit} per deal (95 %)", fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)


def experiment(workdir: Path, games: list[str], settings: Results) -> list[Path]:
    """Play the games that are not finished and write everything; return the files."""
    paths = {name: workdir / f"{name}.json" for name in games}
    found = {name: finished(path, settings) for name, path in paths.items()}
    for name, path in paths.items():
        if found[name] is None:
            found[name] = play_game(GAMES[name], settings)
            save_text(path, json.dumps(found[name], indent=2))
        print(f"{GAMES[name].title}: {path}")
    everything = list(found.values())
    rows = [[row[key] for key in COLUMNS] for results in everything for row in rows_of(results)]
    pictures = save_figure(draw(everything), workdir / "figures" / "baselines", COLUMNS, rows)
    text = report(everything)
    print(f"\n{text}")
    save_text(workdir / "report.md", text)
    return [workdir / "report.md", *pictures]


def define_flags() -> None:
    known = ", ".join(GAMES)
    define_workdir("runs/baselines")
    flags.DEFINE_list("games", list(GAMES), "the games")
    flags.DEFINE_integer("deals", 10_000, "deals for the compiled players", lower_bound=2)
    flags.DEFINE_integer("pimc_deals", 1_000, "deals for PIMC against each of them", lower_bound=2)
    flags.DEFINE_string("pimc", "pimc:worlds=50", "the searching player")
    flags.DEFINE_integer("seed", 1, "seed of the deals", lower_bound=0)
    flags.register_validator("games", lambda g: g and set(g) <= set(GAMES), f"there are {known}")


def main() -> None:
    chosen = flags.FLAGS
    settings = {name: chosen[name].value for name in ("deals", "pimc_deals", "pimc", "seed")}
    workdir = Path(chosen.workdir)
    games = list(dict.fromkeys(chosen.games))
    carry_out(
        lambda: experiment(workdir, games, settings),
        lambda: ["python -m analysis.tournament --agents=pimc:worlds=50,rules --match"],
    )


if __name__ == "__main__":
    define_flags()
    run(main)
