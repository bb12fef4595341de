"""The standings of all agents of a game, as a table, a page and a figure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import duration, save_figure, table
from analysis.figures.palette import BLACK
from analysis.tournament.pairs import PairResult, Scores, mean_matrix, pair_result, precise
from analysis.tournament.ratings import Rating, rate
from analysis.tournament.variance import intervals
from spielgames.agents import Agent
from spielgames.core.game import unit_of

COLUMNS = ("name", "spec", "mean", "low", "high", "win_rate", "skill", "uncertainty", "seconds")
Board = dict[str, Any]  # as in a game's board.json


def board_of(
    anybody: Agent,
    names: Mapping[str, str],
    scores: Sequence[tuple[str, str, Scores]],
    times: Mapping[str, float],
) -> Board:
    """How the agents stand, the best first, and all pairs."""
    results = [pair_result(*pair) for pair in scores]
    ratings = rate(list(names.values()), results, [each.margins for _, _, each in scores])
    rows = [
        {"name": name} | standing(rating, scores) | {"seconds": times[rating.agent]}
        for name, rating in zip(names, ratings, strict=True)
    ]
    rows.sort(key=lambda row: -row["mean"])
    unit = unit_of(anybody.game, anybody.variant)
    return {"unit": unit, "agents": rows, "pairs": [asdict(result) for result in results]}


def standing(rating: Rating, scores: Sequence[tuple[str, str, Scores]]) -> Board:
    """An agent's mean over its opponents, who all played the same deals, with a 95 % interval."""
    spec = rating.agent
    own = [each.means[:, (a, b).index(spec)] for a, b, each in scores if spec in (a, b)]
    wins = [each.wins if spec == a else 1 - each.wins for a, b, each in scores if spec in (a, b)]
    mean, low, high = intervals(np.mean(own, axis=0))[0]
    return {
        "spec": spec,
        "mean": mean,
        "low": low,
        "high": high,
        "win_rate": float(np.mean(wins)),
        "skill": rating.skill,
        "uncertainty": rating.uncertainty,
        "alpha_rank": rating.alpha_rank,
    }


def write_report(boards: Mapping[str, Board]) -> str:
    parts = ["# Leaderboards", "Who is best in which game, all agents on the same deals?"]
    parts.append(f"The best mean over all opponents: {'; '.join(map(winner, boards.values()))}.")
    parts.append(
        "Intervals are 95 %. The rating is openskill's; α-rank is the share of time that an"
        " evolving population spends with an agent. Times are those of the processor, on one"
        " thread, for a decision with a choice, many decisions at once."
    )
    for name, board in boards.items():
        parts += [f"## {name.capitalize()}", about(board), standings(board), matrix(board)]
        parts.append(f"![Means over all opponents](figures/{name}.png)")
    return "\n\n".join(parts)


def winner(board: Board) -> str:
    return f"`{board['agents'][0]['name']}` in {board['game']}"


def about(board: Board) -> str:
    return (
        f"`{board['game']}`, {board['deals']} deals of seed {board['seed']} in every seating,"
        f" in {board['unit']} per deal."
    )


def standings(board: Board) -> str:
    """The table of a game: all agents, the best first."""
    rows = [["agent", "mean", "95 % interval", "wins", "rating", "α-rank", "time", "spec"]]
    for row in board["agents"]:
        mean, low, high = (precise(row[key], row["high"] - row["low"]) for key in COLUMNS[2:5])
        wins, share = f"{100 * row['win_rate']:.1f} %", f"{row['alpha_rank']:.2f}"
        rating = f"{row['skill']:.1f} ± {row['uncertainty']:.1f}"
        took = duration(row["seconds"])
        spec = f"`{row['spec']}`"
        rows.append([row["name"], mean, f"{low} … {high}", wins, rating, share, took, spec])
    return table(rows)


def matrix(board: Board) -> str:
    """The table of the pairs' means."""
    agents = board["agents"]
    means = mean_matrix([row["spec"] for row in agents], [PairResult(**p) for p in board["pairs"]])
    rows = [["mean of ↓ against →", *(row["name"] for row in agents)]]
    for row, line in zip(agents, means, strict=True):
        rows.append([row["name"], *("" if np.isnan(m) else f"{m:+.3g}" for m in line)])
    return table(rows)


def draw_boards(boards: Mapping[str, Board], folder: Path) -> list[Path]:
    """A figure for each game."""
    files = []
    for name, board in boards.items():
        rows = [[row[column] for column in COLUMNS] for row in board["agents"]]
        files += save_figure(draw(name, board), folder / name, COLUMNS, rows)
    return files


def draw(name: str, board: Board) -> Figure:
    """Each agent's mean with its interval, and beside it the number and the time of a decision."""
    agents = board["agents"]
    figure = Figure(figsize=(6.5, 0.9 + 0.27 * len(agents)), layout="constrained")
    axes = figure.subplots()
    for y, row in enumerate(agents):
        draw_agent(axes, y, row)
    axes.axvline(0, color=BLACK, linewidth=0.8)
    axes.set_yticks(range(len(agents)), [row["name"] for row in agents], fontsize=8)
    axes.set_ylim(len(agents) - 0.4, -0.7)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel(
        f"{name.capitalize()}: mean over all opponents, {board['unit']} per deal (95 %)", fontsize=8
    )
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)
    return figure


def draw_agent(axes: Axes, y: int, row: Board) -> None:
    ends = [[row["mean"] - row["low"]], [row["high"] - row["mean"]]]
    axes.errorbar(row["mean"], y, xerr=ends, fmt="o", color=BLACK, markersize=3.5, capsize=3)
    number = precise(row["mean"], row["high"] - row["low"])
    beside = {"xycoords": ("axes fraction", "data"), "va": "center", "fontsize": 7.5}
    axes.annotate(number, (1.02, y), **beside)
    axes.annotate(duration(row["seconds"]), (1.14, y), **beside)
