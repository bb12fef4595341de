"""Which search for which game: every kind at equal times per decision.

    python experiments/search_strength.py \\
        --config=experiments/configs/search_strength.py:VARIANT --workdir=runs/search_strength

A pair that has been played is a line of metrics.jsonl and is not played again, so that the same
command goes on where it was stopped. Writes budgets.json, report.md and figures/.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.speed.decisions import budgets_for
from analysis.tournament.pairs import meet
from experiments.common.experiment import Experiment, check_least, check_names
from experiments.common.runs import Run, plain, read_json, read_lines, save_json
from experiments.reports.search_strength import draw_strength, write_report
from solvers.search.presets import presets
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups
from spielgames.core.registry import find

LEAST = 2  # worlds or simulations
PRESET = "search"


class Pair(NamedTuple):
    """What is played: two specs, why they meet, and on which deals."""

    game: str
    phase: str  # "strength", "round robin" or "preset"
    ms: float  # of a; 0 if it has its own budget
    a: str  # the name of the kind of search
    b: str
    spec_a: str
    spec_b: str
    deals: int
    seed: int


class SearchStrength(Experiment):
    def check(self, config: ConfigDict) -> None:
        check_least(config, round_robin=1)
        if len(config.times) != len(config.plays):
            raise ValueError("plays has a number for each of times")
        for game, settings in config.games.items():
            check_least(settings.opponents, **dict.fromkeys(settings.opponents, 1))
            for spec in settings.searches.values():
                make_agent(spec.format(n=LEAST), game)
            for spec in (*settings.opponents, PRESET):
                make_agent(spec, game)

    def carry_out(
        self, workdir: Path, config: ConfigDict, only: Sequence[str] | None = None
    ) -> list[Path]:
        """Play what has not been played; return the files."""
        self.check(config)
        check_names("game", only or (), config.games)
        run = Run(workdir, config)
        for game in only or config.games:
            known = [Pair(**{key: line[key] for key in Pair._fields}) for line in run.metrics]
            budgets = self.budgets(game, config, workdir / "budgets.json")
            wanted = [pair for pair in pairs(game, config, budgets) if pair not in known]
            for pair in tqdm(wanted, desc=game):
                result = meet(pair.spec_a, pair.spec_b, game, pair.deals, pair.seed)
                found = {
                    key: value for key, value in asdict(result).items() if key not in ("a", "b")
                }
                run.append(pair._asdict() | plain(found))
        return self.write(workdir)

    def budgets(self, game: str, config: ConfigDict, path: Path) -> dict[str, dict[str, int]]:
        """How many worlds or simulations fit into each time, for each kind of search."""
        known = read_json(path, {})
        of_game = known.setdefault(game, {})
        for name, spec in config.games[game].searches.items():
            if name not in of_game:
                seconds = [ms / 1000 for ms in config.times]
                found = budgets_for(spec, game, seconds, LEAST)
                of_game[name] = dict(zip(map(str, config.times), found, strict=True))
                save_json(path, known)
        return of_game

    def report(self, workdir: Path) -> str:
        return write_report(read_lines(workdir / "metrics.jsonl"))

    def draw(self, workdir: Path) -> list[Path]:
        return draw_strength(read_lines(workdir / "metrics.jsonl"), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        return ["python -m spielgames.play --seats=human,search,search,search"]


def pairs(game: str, config: ConfigDict, budgets: dict[str, dict[str, int]]) -> Iterator[Pair]:
    """All pairs of a game."""
    settings, seed = config.games[game], config.tuning_seed
    seatings = len(pair_lineups(find(game)[0]))

    def deals(plays: int) -> int:
        return max(2, plays // seatings)

    def specs(ms: float) -> dict[str, str]:
        """The searches of which something fits into that time."""
        fitting = {name: budgets[name][str(ms)] for name in settings.searches}
        return {name: settings.searches[name].format(n=n) for name, n in fitting.items() if n}

    for ms, plays in zip(config.times, config.plays, strict=True):
        for name, spec in specs(ms).items():
            yield Pair(game, "strength", ms, name, "rules", spec, "rules", deals(plays), seed)
    preset = presets(game)[""]  # another one than before is played anew
    for b, plays in settings.opponents.items():
        yield Pair(game, "preset", 0.0, PRESET, b, preset, b, deals(plays), config.seed)
    ms = config.round_robin_ms
    for (a, spec_a), (b, spec_b) in combinations(specs(ms).items(), 2):
        plays = deals(config.round_robin)
        yield Pair(game, "round robin", ms, a, b, spec_a, spec_b, plays, seed)


EXPERIMENT = SearchStrength(
    script="experiments/search_strength.py", config="experiments/configs/search_strength.py"
)

if __name__ == "__main__":
    EXPERIMENT.start()
