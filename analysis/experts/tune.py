"""Improve the weights of an expert rule player by a search by coordinates in duels.

    python -m analysis.experts.tune --game=python_coinche --out=runs/coinche_weights.json

Each weight in turn is moved up and, if that does not help, down. The move is kept if the mean
result against a panel gains more than three standard errors, paired over duplicate deals: before
and after, the same deals are played in all seatings with the same luck. Each sweep through the
weights has fresh deals. Steps shrink (4, 2, 1 units of the table) once a sweep changes nothing.

The panel has the player from which the search starts and the game's other levels. The file is
written after each weight; the same command goes on from there. At the end, the found weights meet
the panel and the committed expert on fresh deals.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from absl import flags
from tqdm import tqdm

from analysis.experts.players import play_experts
from analysis.experts.weights import Tables, define_start, start_from, tables_of, weights_of
from analysis.figures import save_text, table
from analysis.tournament.pairs import score
from analysis.tournament.variance import intervals
from spielgames.agents import level_of
from spielgames.command import check_place, run, user_input
from spielgames.contest import pair_lineups
from spielgames.core.registry import find
from spielgames.files import read_json, reading

FIRST = "first"  # the player from which the search starts
PANELS = {  # opponents, and their shares in the judgement
    "python_coinche": {FIRST: 0.6, "strong": 0.25, "simple": 0.15},
    "python_snapszer": {FIRST: 0.6, "standard": 0.4},
}
UNITS = {  # the smallest steps in each table
    "python_coinche": {"cards": 0.5, "calls": 1.0, "premium": 5.0, "sure": 5.0, "surer": 0.05},
    "python_snapszer": {"cards": 0.01, "closing": 0.01},
}
SCALES = (4, 2, 1)  # units per step, one after the other
SURE = 3.0  # standard errors; a sweep makes more than a hundred comparisons
OTHER_DEALS = 1_000_003  # added to the seed, for deals on which nothing was chosen


class KeptStep(NamedTuple):
    """A weight that was moved, and what that gained on the panel."""

    table: str
    index: int
    before: float
    after: float
    gain: float
    error: float


@dataclass
class WeightSearch:
    """All that a search knows; in a file it can go on."""

    game: str
    deals: int
    seed: int
    start: Tables
    weights: Tables
    sweep: int = 0
    scale: int = 0  # an index of SCALES
    next: int = 0  # the weight to be moved next
    changed: bool = False  # in this sweep
    changes: list[KeptStep] = field(default_factory=list)
    finals: list[dict[str, Any]] = field(default_factory=list)

    def moved(self, k: int, sign: int) -> tuple[Tables, KeptStep]:
        """The weights with the k-th moved by a step."""
        name, index = places(self.weights)[k]
        step = sign * SCALES[self.scale] * UNITS[self.game][name]
        values = np.array(self.weights[name])
        before = float(values.flat[index])
        values.flat[index] = after = round(before + step, 6)
        return self.weights | {name: values.tolist()}, KeptStep(name, index, before, after, 0, 0)

    def judged(self, weights: Tables) -> np.ndarray:
        """The mean result against the panel in each deal of this sweep."""
        panel = PANELS[self.game]
        found = (
            share * self.duel(weights, name, self.deals, self.sweep)
            for name, share in panel.items()
        )
        return np.sum(list(found), axis=0)

    def duel(self, weights: Tables, opponent: str, deals: int, block: int) -> np.ndarray:
        """The mean result against one opponent in each deal: FIRST, or a level of the rules."""
        experts = [weights_of(self.game, weights), weights_of(self.game, self.start)]
        other = 1 if opponent == FIRST else len(experts) + level_of(self.game, opponent)
        lineups = pair_lineups(find(self.game)[0])
        utilities = play_experts(
            self.game, experts, np.where(lineups == 1, other, 0), deals, self.seed + block
        )
        return score(utilities, lineups).means[:, 0]


def places(weights: Tables) -> list[tuple[str, int]]:
    """The table, and the index there, of each weight."""
    return [(name, i) for name, values in weights.items() for i in range(np.size(values))]


def sweeps(search: WeightSearch, most: int) -> Iterator[WeightSearch]:
    """Go on for so many sweeps in all, or until no step helps; yields after each weight."""
    while search.sweep < most and search.scale < len(SCALES):
        before = search.judged(search.weights)
        while search.next < len(places(search.weights)):
            before = try_weight(search, before)
            search.next += 1
            yield search
        search.scale += not search.changed
        search.sweep, search.next, search.changed = search.sweep + 1, 0, False


def try_weight(search: WeightSearch, before: np.ndarray) -> np.ndarray:
    """Keep a step of the next weight if it helps; returns the results with the weights as they are
    now.
    """
    for sign in (1, -1):
        weights, change = search.moved(search.next, sign)
        after = search.judged(weights)
        gain, error = paired(after - before)
        if gain > SURE * error:
            search.weights, search.changed = weights, True
            search.changes.append(change._replace(gain=gain, error=error))
            return after
    return before


def paired(differences: np.ndarray) -> tuple[float, float]:
    """Their mean, and its standard error."""
    return float(differences.mean()), float(differences.std(ddof=1) / len(differences) ** 0.5)


def finals(search: WeightSearch, deals: int) -> list[dict[str, Any]]:
    """What the found weights are worth on fresh deals, with 95 % intervals."""
    found = []
    for name in [*PANELS[search.game], "expert"]:
        results = search.duel(search.weights, name, deals, OTHER_DEALS)
        found.append({"opponent": name, "deals": deals} | intervals(results)[0]._asdict())
    return found


def begin(game: str, deals: int, seed: int, start: str, out: Path) -> WeightSearch:
    """The search that the file has, or a new one."""
    if out.exists():
        search = read_search(out)
        given = {"game": game, "deals": deals, "seed": seed}
        if wrong := [
            f"--{k}={getattr(search, k)}" for k in given if getattr(search, k) != given[k]
        ]:
            raise ValueError(
                f"{out} was begun with {' '.join(wrong)}; go on so, or give another --out"
            )
        return search
    tables = tables_of(start_from(game, start))
    return WeightSearch(game, deals, seed, tables, tables)


def read_search(path: Path) -> WeightSearch:
    kept = read_json(path)
    with reading(path, "is no search for weights"):
        return WeightSearch(**kept | {"changes": [KeptStep(*change) for change in kept["changes"]]})


def save(search: WeightSearch, path: Path) -> None:
    save_text(path, json.dumps(asdict(search), indent=1))


def report(search: WeightSearch) -> str:
    rows = [["opponent", "deals", "mean", "low", "high"]]
    for final in search.finals:
        numbers = [f"{final[name]:+.3f}" for name in ("mean", "low", "high")]
        rows.append([final["opponent"], f"{final['deals']:,}", *numbers])
    return table(rows)


def main() -> None:
    chosen = flags.FLAGS
    out = Path(chosen.out)
    with user_input():
        search = begin(chosen.game, chosen.deals, chosen.seed, chosen.start, out)
        check_place(out)
    with tqdm(unit=" weights", leave=False) as bar:
        for _ in sweeps(search, chosen.sweeps):
            bar.update()
            bar.set_description(f"sweep {search.sweep + 1}, {len(search.changes)} changes")
            save(search, out)
    search.finals = finals(search, chosen.final_deals)
    save(search, out)
    print(f"{search.sweep} sweeps, {len(search.changes)} changes\n\n{report(search)}")


if __name__ == "__main__":
    flags.DEFINE_enum("game", "python_coinche", sorted(PANELS), "the game")
    define_start()
    flags.DEFINE_integer("deals", 20_000, "duplicate deals of a sweep", 2)
    flags.DEFINE_integer(
        "final_deals", 50_000, "duplicate deals against each opponent at the end", 2
    )
    flags.DEFINE_integer("sweeps", 20, "sweeps at most, those done before included", 0)
    flags.DEFINE_integer("seed", 1, "seed of the deals", 0, 2**62)
    flags.DEFINE_string("out", None, "the file for weights and progress", required=True)
    run(main)
