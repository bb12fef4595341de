"""The ladder of Snapszer players in sztriga's Trickster, T0-Direct to T8-Marshal, by its recipe.

    python experiments/snapszer_ladder.py --workdir=runs/snapszer_ladder \\
        --config=experiments/configs/snapszer_ladder.py:quick

Trains the tiers one after the other, each from scratch. Then all that are trained, and the config's
anchors, play a round robin of duplicate deals, and one tier's network plays with more and less
search. The same command goes on where it was stopped. Writes metrics.jsonl, round_robin.jsonl,
budgets.jsonl, report.md, figures/ and networks/.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from absl import flags
from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.speed.decisions import decision_points, decision_time
from analysis.tournament.pairs import pair_result, score
from analysis.tournament.pieces import play_pieces
from analysis.tournament.ratings import RATED_DEALS
from experiments.common.curves import Curve, gather, open_curve, seeded_curves
from experiments.common.experiment import Experiment, check_game, check_least, check_names
from experiments.common.learners import export, follow
from experiments.common.meetings import FINALS
from experiments.common.runs import Metrics, read_json, read_lines, save_lines
from experiments.reports.snapszer_ladder import (
    AZ,
    BOOT,
    DESCRIPTIONS,
    SEARCHES,
    report,
    save_figures,
)
from solvers.alphazero import learner as alphazero
from solvers.alphazero.settings import Settings
from solvers.alphazero.tree_search import TreeSearch
from solvers.deep_monte_carlo import learner as direct
from solvers.deep_monte_carlo.player import VALUES
from solvers.deep_monte_carlo.settings import Settings as DirectSettings
from solvers.runs.agent import ALPHAZERO
from spielgames.agents import Agent, make_agent
from spielgames.contest import pair_lineups
from spielgames.snapszer.game import SNAPSZER

TREES = "trees:{},simulations={},worlds={},aggregation=visits"


class Pair(NamedTuple):
    """Two players of the round robin, by name, and the iterations that they have learnt."""

    a: str
    b: str
    learnt: tuple[int, int]
    deals: int


class Player(NamedTuple):
    spec: str
    learnt: int = 0  # iterations


class Ladder(Experiment):
    def check(self, config: ConfigDict) -> None:
        check_least(config, log_every=1, neighbours=2, others=2)
        for name, curve in config.curves.items():
            check_game(f"{name}.game", curve.game, SNAPSZER)
        for spec in (config.budget.against, *(spec for _, spec in config.anchors)):
            make_agent(spec, SNAPSZER.name)

    def define_flags(self) -> None:
        super().define_flags()
        flags.DEFINE_integer("tiers", 0, "how many tiers to train; 0: all", lower_bound=0)
        flags.DEFINE_string("from-tier", "", "the first tier to train")
        flags.DEFINE_bool("eval-only", False, "train no tier")

    def chosen_curves(self, config: ConfigDict) -> Sequence[str] | None:
        values = (flags.FLAGS[name].value for name in ("tiers", "from-tier", "eval-only"))
        names = [name for name in DESCRIPTIONS if name in config.curves]
        only = super().chosen_curves(config) or names
        check_names("tier", only, names)
        return [name for name in chosen_tiers(names, *values) if name in only]

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        """From the lowest tier to the highest; a config has names in another order."""
        curves = seeded_curves(settings_of, config, workdir)
        return sorted(curves, key=lambda curve: [*DESCRIPTIONS].index(curve.name))

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        start: Any = alphazero if isinstance(curve.settings, Settings) else direct
        run, learner = open_curve(curve, start.Learner)
        for found in follow(learner, curve.limits, run.metrics, curve.title):
            line = curve.about | found | {"phase": phase(curve.settings, found["iteration"])}
            run.append(line)
            if line["iteration"] % config.log_every == 0:
                tqdm.write(log_line(line))
        export(curve.folder, curve.network, networks=f"{networks_of(curve)}-*")

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        curves = self.curves(config, workdir)
        gather(curves, workdir)
        trained = {curve.name: curve for curve in curves if curve.network.exists()}
        players = {name: Player(spec) for name, spec in config.anchors}
        players |= {name: Player(spec_of(curve), learnt(curve)) for name, curve in trained.items()}
        round_robin(players, config, workdir / "round_robin.jsonl")
        if tier := trained.get(config.budget.tier):
            measure_budgets(tier, config, workdir / "budgets.jsonl")

    def report(self, workdir: Path) -> str:
        return report(*files(workdir))

    def draw(self, workdir: Path) -> list[Path]:
        return save_figures(*files(workdir), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        trained = [curve for curve in self.curves(config, workdir) if curve.network.exists()]
        best = [curve for curve in trained if isinstance(curve.settings, Settings)][-1]
        return [
            f"{self.command('cpu')} --workdir=runs/snapszer_ladder_cpu",
            f"python -m spielgames.play --game={best.game} --seats=human,{spec_of(best)}",
        ]


def chosen_tiers(names: Sequence[str], tiers: int, first: str, none: bool) -> Sequence[str]:
    if first:
        check_names("tier", [first], names)
    start = names.index(first) if first else 0
    return [] if none else names[start : tiers or None]


def settings_of(given: dict[str, Any]) -> Settings | DirectSettings:
    return Settings.of(given) if "teacher" in given else DirectSettings.of(given)


def phase(settings: Any, iteration: int) -> str:
    """How leaves were valued in an iteration of AlphaZero."""
    if not isinstance(settings, Settings) or not isinstance(settings.teacher, TreeSearch):
        return ""
    return BOOT if settings.annealed(iteration) < settings.teacher.bootstrap else AZ


def log_line(line: Metrics) -> str:
    losses = f"VMSE {line['losses']['value']:.3f}"
    if "policy" in line["losses"]:
        losses = f"[{line['phase']}] {losses}, PCE {line['losses']['policy']:.3f}"
    return f"{line['curve']}, iteration {line['iteration']}: {losses}"


def networks_of(curve: Curve) -> str:
    """The name of the networks that play."""
    return ALPHAZERO if isinstance(curve.settings, Settings) else VALUES


def spec_of(curve: Curve) -> str:
    """The agent that a tier is: the trees of the paper, or without search."""
    teacher = getattr(curve.settings, "teacher", None)
    if isinstance(teacher, TreeSearch):
        return TREES.format(curve.network, teacher.simulations, teacher.worlds)
    return f"net:{curve.network}"


def learnt(curve: Curve) -> int:
    return read_json(curve.network / "state.json")["state"]["iteration"]


def round_robin(players: dict[str, Player], config: ConfigDict, path: Path) -> None:
    """Play the pairs that have not been played, first those that are next to each other."""
    agents = cache(lambda name: make_agent(players[name].spec, SNAPSZER.name))
    wanted = []
    for a, b in combinations(players, 2):
        deals = config.neighbours if are_neighbours(a, b) else config.others
        wanted.append(Pair(a, b, (players[a].learnt, players[b].learnt), deals))
    wanted.sort(key=lambda pair: -pair.deals)
    found = {pair_of(line): line for line in read_lines(path)}
    for pair in tqdm(wanted, desc="round robin"):
        if pair not in found:
            found[pair] = pair._asdict() | meet(agents(pair.a), agents(pair.b), pair)
            save_lines(path, [found[each] for each in wanted if each in found])


def are_neighbours(a: str, b: str) -> bool:
    """Whether these are tiers, one above the other."""
    numbers = [int(name[1]) for name in (a, b) if name[0] == "T"]
    return len(numbers) == 2 and abs(numbers[0] - numbers[1]) == 1


def pair_of(line: Metrics) -> Pair:
    return Pair(line["a"], line["b"], tuple(line["learnt"]), line["deals"])


def meet(a: Agent, b: Agent, pair: Pair) -> Metrics:
    """A pair's result on duplicate deals; the first margins are for ratings."""
    lineups = pair_lineups(SNAPSZER)
    utilities = np.concatenate([*play_pieces([a, b], lineups, pair.deals, FINALS)])
    scores = score(utilities, lineups)
    margins = scores.margins[:RATED_DEALS].tolist()
    return asdict(pair_result(pair.a, pair.b, scores)) | {"margins": margins}


def measure_budgets(curve: Curve, config: ConfigDict, path: Path) -> None:
    """Play a tier's network with more and less search against one opponent."""
    kept, points = read_lines(path), decision_points(curve.game)
    other = make_agent(config.budget.against, curve.game)
    for wanted, spec in tqdm(list(budgets(curve, config)), desc="budgets"):
        if not any(wanted.items() <= line.items() for line in kept):
            agent = make_agent(spec, curve.game)
            found = meet(agent, other, Pair("", "", (0, 0), wanted["deals"]))
            ms = {"ms": 1000 * decision_time(agent, points)}
            kept.append(found | wanted | ms)
            save_lines(path, kept)


def budgets(curve: Curve, config: ConfigDict) -> Iterator[tuple[Metrics, str]]:
    """What is played: the fields that tell it apart, and the agent."""
    for search in (name for name in SEARCHES if name in config.budgets):
        spec, sizes = config.budgets[search]
        for size in sizes:
            about = {"search": search, "size": " × ".join(map(str, size)), "learnt": learnt(curve)}
            about |= {"deals": config.budget.deals, "against": config.budget.against}
            yield about, spec.format(*size, run=curve.network)


def files(workdir: Path) -> list[list[Metrics]]:
    names = ("metrics", "round_robin", "budgets")
    return [read_lines(workdir / f"{name}.jsonl") for name in names]


EXPERIMENT = Ladder(
    script="experiments/snapszer_ladder.py",
    config="experiments/configs/snapszer_ladder.py",
    descriptions=DESCRIPTIONS,
)

if __name__ == "__main__":
    EXPERIMENT.start()
