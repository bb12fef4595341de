"""A leaderboard for each game: all named agents on the same deals, from one command.

    python experiments/leaderboard.py \\
        --config=experiments/configs/leaderboard.py:VARIANT --workdir=runs/leaderboard

What a pair has played, some deals at a time, is a line of GAME/pairs.jsonl, and is not played again
while its two agents (their specs, settings and weights), the deals, their seed and the game's
version are the same. So the same command goes on where it was stopped; with more deals it plays
those that are missing; and after a line has been added to the config it plays the new agent's
pairs. An agent's code is not part of that: after a change that makes it play otherwise, delete its
lines. GAME/times.jsonl keeps each agent's processor time per decision in the same way. Writes
GAME/board.json, report.md and figures/; and for the committed boards, the tables of their page.
"""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.speed.benchmark import machine
from analysis.speed.decisions import decision_points, decision_time
from analysis.tournament.fingerprint import fingerprint
from analysis.tournament.pairs import Scores, score
from experiments.common.experiment import ROOT, Experiment, check_least, check_names
from experiments.common.runs import Metrics, plain, read_json, read_lines, save_json, save_lines
from experiments.reports.leaderboard import board_of, draw_boards, write_report
from experiments.reports.leaderboard_page import PAGE, renew_page
from solvers.runs.threads import use_threads
from spielgames.agent_check import check_agent
from spielgames.agents import Agent, make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.folders import hold

COMMITTED = ROOT / "experiments/results/leaderboard"
DIGITS = 6  # of the utilities that are kept
AT_ONCE = 20  # deals in a line


class Player:
    """An agent that takes part."""

    def __init__(self, name: str, spec: str, game: str) -> None:
        self.name, self.spec = name, spec
        self.agent: Agent = make_agent(spec, game)
        self.checksum = fingerprint(self.agent)

    @property
    def known_by(self) -> Metrics:
        return {"spec": self.spec, "checksum": self.checksum}


class Lines:
    """A file of lines, each found by what it was measured for."""

    def __init__(self, path: Path) -> None:
        self.path, self.lines = path, read_lines(path)

    def find(self, about: Metrics) -> Metrics | None:
        return next((line for line in self.lines if line["about"] == about), None)

    def add(self, about: Metrics, found: Metrics) -> Metrics:
        self.lines.append(plain({"about": about} | found))
        save_lines(self.path, self.lines)
        return self.lines[-1]


class Leaderboard(Experiment):
    def check(self, config: ConfigDict) -> None:
        for settings in config.games.values():
            check_least(settings, deals=AT_ONCE)
            if len(settings.agents) < 2:
                raise ValueError("a leaderboard needs at least two agents")
            specs = list(settings.agents.values())
            for spec in specs:
                if specs.count(spec) > 1:
                    raise ValueError(f"agent {spec!r} is named twice; each may enter once")
                make_agent(spec, settings.game)

    def carry_out(
        self, workdir: Path, config: ConfigDict, only: Sequence[str] | None = None
    ) -> list[Path]:
        self.check(config)
        check_names("game", only or (), config.games)
        use_threads(1)
        for name in only or config.games:
            held = hold(workdir / name)
            board = self.play(workdir / name, config.games[name], config.seed)
            save_json(workdir / name / "board.json", board | {"machine": machine()})
            held.release()
        return self.write(workdir)

    def play(self, folder: Path, settings: ConfigDict, seed: int) -> dict[str, Any]:
        """Time all agents, play what has not been played, and say how they stand."""
        game, deals = settings.game, settings.deals // AT_ONCE * AT_ONCE
        players = [Player(name, spec, game) for name, spec in settings.agents.items()]
        times = time_players(players, game, Lines(folder / "times.jsonl"))
        kept, lineups = Lines(folder / "pairs.jsonl"), pair_lineups(players[0].agent.game)
        scores: list[tuple[str, str, Scores]] = []
        for pair in tqdm(list(combinations(players, 2)), desc=folder.name):
            a, b = sorted(pair, key=lambda player: (player.spec, player.checksum))
            parts = [meet(a, b, game, first, seed, kept) for first in range(0, deals, AT_ONCE)]
            scores.append((a.spec, b.spec, score(np.concatenate(parts), lineups)))
        about = {"game": game, "deals": deals, "seed": seed}
        return about | board_of(players[0].agent, settings.agents, scores, times)

    def write(self, workdir: Path) -> list[Path]:
        """The report, the figures, and the tables of the page if these are the committed boards."""
        files = super().write(workdir)
        if workdir.resolve() != COMMITTED:
            return files
        renew_page(boards(workdir))
        return [*files, PAGE]

    def report(self, workdir: Path) -> str:
        return write_report(boards(workdir))

    def draw(self, workdir: Path) -> list[Path]:
        return draw_boards(boards(workdir), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        return ["python -m analysis.tournament --game=python_snapszer --agents=search,pimc:50"]


def boards(workdir: Path) -> dict[str, dict[str, Any]]:
    """The boards of all games that have one."""
    return {path.parent.name: read_json(path) for path in sorted(workdir.glob("*/board.json"))}


def time_players(players: Sequence[Player], game: str, kept: Lines) -> dict[str, float]:
    """The processor's seconds per decision of each agent, many decisions at once on one thread.
    One that sees hidden cards is refused.
    """
    times = {}
    for player in players:
        about = player.known_by | {"version": player.agent.game.version}
        line = kept.find(about)
        if line is None:  # a new agent
            check_agent(player.agent, player.name)
            spent = decision_time(player.agent, decision_points(game))
            line = kept.add(about, {"seconds": float(f"{spent:.3g}")})
        times[player.spec] = line["seconds"]
    return times


def meet(a: Player, b: Player, game: str, first: int, seed: int, kept: Lines) -> np.ndarray:
    """The utilities of some deals in all seatings, as they were kept or played now."""
    about = {"a": a.known_by, "b": b.known_by, "game": game, "version": a.agent.game.version}
    about |= {"seed": seed, "first": first, "deals": AT_ONCE}
    line = kept.find(about)
    if line is None:
        lineups = pair_lineups(a.agent.game)
        utilities = play_deals([a.agent, b.agent], lineups, AT_ONCE, seed, first)
        line = kept.add(about, {"utilities": plainly(utilities)})
    return np.array(line["utilities"], float)


def plainly(utilities: np.ndarray) -> list:
    """Numbers for a file, as whole ones if they are."""
    rounded = utilities.round(DIGITS)
    whole = (rounded == rounded.astype(int)).all()
    return (rounded.astype(int) if whole else rounded).tolist()


EXPERIMENT = Leaderboard(
    script="experiments/leaderboard.py", config="experiments/configs/leaderboard.py"
)

if __name__ == "__main__":
    EXPERIMENT.start()
