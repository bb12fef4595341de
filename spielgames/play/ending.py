"""The end of a deal, all open, and how the match stands."""

import numpy as np

from spielgames.core import describe
from spielgames.play.screen import View, draw_facts, draw_history, draw_places
from spielgames.play.standing import Standing
from spielgames.play.trick_log import EVERYBODY, pack, width


def draw_end(view: View, results: list[float]) -> str:
    """The whole deal, open: the history, all hands, and every seat's result."""
    told = view._replace(viewer=EVERYBODY)
    left = draw_places(view, view.row["hands"][0])
    parts = [
        "── The deal ".ljust(width(), "─"),
        draw_history(told),
        f"  as dealt\n{draw_places(view, dealt_hands(view.row))}",
        f"  left at the end\n{left}" if left else "",
        draw_facts(told),
        pack(view.game.talk.ending(view.row[0]).split(), " "),
        draw_results(view, results),
    ]
    return "\n\n".join(part for part in parts if part)


def draw_results(view: View, results: list[float]) -> str:
    room = max(map(len, view.names))
    return "\n".join(
        f"  seat {seat}  {name:<{room}}  {result:+.4g} {view.unit}"
        for seat, (name, result) in enumerate(zip(view.names, results, strict=True))
    )


def dealt_hands(row: np.ndarray) -> np.ndarray:
    """The hands and piles when the last card had been dealt."""
    past = [(r["undealt"][0] != 0, r["hands"][0].copy()) for r, _ in describe.steps(row)]
    last = max(i for i, (dealing, _) in enumerate(past) if dealing)
    return past[last + 1][1]


def draw_standing(standing: Standing, names: list[str]) -> str:
    """The totals of a match, and who has won it."""
    totals = standing.totals[0]
    room = max(map(len, names))
    lines = [f"── The match to {standing.match.goal}, after deal {standing.deals} ──"]
    lines += [
        f"  player {player}  {name:<{room}}  {total:g}"
        for player, (name, total) in enumerate(zip(names, totals, strict=True))
    ]
    if standing.over:
        winners = " and ".join(f"player {player}" for player in standing.winners())
        lines.append(f"  {winners} won the match.")
    return "\n".join(lines)
