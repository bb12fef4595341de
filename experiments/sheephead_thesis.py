"""The Sheephead thesis' figures 6–9: one to four rule-based players among random ones.

    python experiments/sheephead_thesis.py --workdir=runs/thesis                  (a minute)
    python experiments/sheephead_thesis.py --workdir=runs/thesis --hands=1000000

The thesis (B. Brau, An Exploration of Multi-agent Learning Within the Game of Sheephead, 2011,
section 5) plays 100,000 hands, notes everybody's money every 100 hands, and then changes seats.
Such a batch is a session here: the deal moves on from hand to hand, and 60–60 doubles the next
five, or what the session has left. Batches are independent of each other, so intervals come from
them, and more hands serve as well as more runs. All four figures play the same cards.

They are played twice: by the full rules, with players who do everything at random; and in the
thesis' conditions (section 4), where a deal that all pass is dealt again, and random players bid,
bury and call by the rules.

Writes report.md, metrics.json and figures/money{,_thesis}.{pdf,png,csv} into the work folder.
"""

import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from absl import flags
from tqdm import tqdm

from analysis.figures import save_figure, save_text
from analysis.tournament.variance import intervals
from experiments.common.experiment import carry_out, define_workdir
from experiments.reports.sheephead_thesis import (
    BATCH,
    CONDITIONS,
    FIGURES,
    KINDS,
    PLAYERS,
    ByPosition,
    Condition,
    Result,
    draw,
    report,
)
from spielgames.agents import make_agent
from spielgames.command import run
from spielgames.matches import Matches

LEAST_HANDS = 10 * BATCH


def seat_players(batches: int, seed: int) -> np.ndarray:
    """The player at each place of the table, drawn anew for each batch. `[batches, places]`"""
    order = np.tile(np.arange(PLAYERS), (batches, 1))
    return np.random.default_rng(seed).permuted(order, axis=1)


def play(condition: Condition, seating: np.ndarray, seed: int, show_bar: bool) -> np.ndarray:
    """The cents that each player won in each seat, the rule-based players first.
    `[batches, figures, players, seats]`
    """
    agents = [make_agent(spec, condition.game) for spec in condition.agents]
    lineups = np.stack([seating >= rule_based for rule_based in FIGURES.values()], axis=1)
    sessions = Matches(agents, lineups.astype(int), seed, goal=BATCH)
    seating = seating.repeat(len(FIGURES), axis=0)
    rows, seats = np.arange(len(seating))[:, None], np.arange(PLAYERS)
    money = np.zeros((len(seating), PLAYERS, PLAYERS))
    with tqdm(total=BATCH * len(rows), unit=" hands", disable=not show_bar, leave=False) as bar:
        while sessions.running():
            players = np.take_along_axis(seating, sessions.players(), axis=1)
            money[rows, players, seats] += sessions.play_deal()
            bar.update(len(rows))
    return money.reshape(*lineups.shape, PLAYERS)


def measure(figure: int, money: np.ndarray, seating: np.ndarray) -> Result:
    """All numbers of a figure from its money `[batches, players, seats]`."""
    rule_based = FIGURES[figure]
    per_hand = money.sum(axis=2) / BATCH
    leads = per_hand[:, :rule_based, None] - per_hand[:, None, rule_based:]
    kinds = dict(zip(KINDS, np.split(money, [rule_based], axis=1), strict=True))
    # Everybody has each seat in a fifth of the hands.
    seats = {kind: PLAYERS * cents.mean(axis=1) / BATCH for kind, cents in kinds.items()}
    return Result(
        figure=figure,
        rule_based=rule_based,
        players=intervals(per_hand),
        kinds={kind: intervals(cents.mean(axis=1))[0] for kind, cents in seats.items()},
        closest=min(intervals(leads), key=lambda lead: lead.low),
        seats={kind: positions(cents) for kind, cents in seats.items()},
        neighbours=neighbours(per_hand, seating, rule_based),
    )


def positions(values: np.ndarray) -> ByPosition:
    """Means by position, from cents per hand `[batches, positions]`."""
    return ByPosition(intervals(values), intervals(values[:, -1] - values[:, 0])[0])


def neighbours(per_hand: np.ndarray, seating: np.ndarray, rule_based: int) -> ByPosition | None:
    """The players after the only one of its kind, if there is one, in order."""
    if rule_based not in (1, PLAYERS - 1):
        return None
    alone = 0 if rule_based == 1 else PLAYERS - 1
    place = np.argmax(seating == alone, axis=1)
    after = (place[:, None] + np.arange(1, PLAYERS)) % PLAYERS
    players = np.take_along_axis(seating, after, axis=1)
    return positions(np.take_along_axis(per_hand, players, axis=1))


def as_json(results: dict[str, list[Result]], hands: int, seed: int) -> dict[str, Any]:
    return {
        "hands": hands,
        "seed": seed,
        "conditions": {name: condition._asdict() for name, condition in CONDITIONS.items()},
        "intervals": "[mean, low, high], 95 %, in cents per hand",
        "versions": {name: version(name) for name in ("spielgames", "numba", "numpy")},
    } | {
        name: [asdict(r) | {"agrees": r.agrees, "sentence": r.sentence()} for r in found]
        for name, found in results.items()
    }


def rows_of(figure: int, money: np.ndarray) -> list[list[int]]:
    """The players' money after each batch."""
    cents = money.sum(axis=2).cumsum(axis=0).astype(int).tolist()
    return [[figure, FIGURES[figure], BATCH * (i + 1), *row] for i, row in enumerate(cents)]


def experiment(workdir: Path, hands: int, seed: int, show_bar: bool = True) -> list[Path]:
    """Play, print and write everything; return the files."""
    seating = seat_players(hands // BATCH, seed)
    results, pictures = {}, []
    for name, condition in CONDITIONS.items():
        money = play(condition, seating, seed, show_bar).swapaxes(0, 1)
        figures = zip(FIGURES, money, strict=True)
        results[name] = [measure(figure, cents, seating) for figure, cents in figures]
        pictures += save_money(money, workdir / "figures" / condition.picture)
    text = report(results, hands)
    print(text)
    summary, data = workdir / "report.md", workdir / "metrics.json"
    save_text(summary, text)
    save_text(data, json.dumps(as_json(results, hands, seed), indent=2))
    return [summary, data, *pictures]


def save_money(money: np.ndarray, stem: Path) -> list[Path]:
    """Save the figure of a condition's money `[figures, batches, players, seats]`."""
    columns = ["figure", "rule_based", "hands", *(f"player_{i + 1}_cents" for i in range(PLAYERS))]
    rows = [row for k, cents in zip(FIGURES, money, strict=True) for row in rows_of(k, cents)]
    return save_figure(draw(np.array(rows)), stem, columns, rows)


def define_flags() -> None:
    define_workdir("runs/sheephead_thesis")
    flags.DEFINE_integer("hands", 100_000, f"hands for each figure, in batches of {BATCH}")
    flags.DEFINE_integer("seed", 1, "seed of cards, seating and random players", lower_bound=0)
    flags.register_validator(
        "hands",
        lambda n: n >= LEAST_HANDS and n % BATCH == 0,
        f"it is a multiple of {BATCH}, from {LEAST_HANDS} up",
    )


def main() -> None:
    workdir, hands, seed = (flags.FLAGS[name].value for name in ("workdir", "hands", "seed"))
    carry_out(
        lambda: experiment(Path(workdir), hands, seed),
        lambda: [
            f"python experiments/sheephead_thesis.py --workdir={workdir} --hands={10 * hands}",
            "python -m analysis.tournament --game=python_sheephead --agents=rules,random --match",
        ],
    )


if __name__ == "__main__":
    define_flags()
    run(main)
