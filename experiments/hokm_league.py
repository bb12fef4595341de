"""The Hokm paper's league of PPO learners, with the trump named by its rule, and learned.

    python experiments/hokm_league.py --workdir=runs/hokm \
        --config=experiments/configs/hokm_league.py:quick

Every few iterations a curve's averaged network meets a random and the rule-based player, and the
league its arena. At the end all meet them on fresh deals, beside players that show what is to be
gained: one that samples many worlds, and one that sees all hands.

A curve's folder is an agent, `ppo:runs/hokm/curves/league-0`. The same command goes on where it was
stopped; --only=league computes one curve alone, so that several processes can share the work.
Writes metrics.jsonl, finals.json, report.md, figures and networks/.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from absl import flags
from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.figures import save_text
from analysis.hokm_learning import OPPONENTS, report, save_figures
from analysis.pairs import meet
from experiments.learners import use_threads
from experiments.ppo import Curve, curves_from, learn
from experiments.runs import Metrics, carry_out, define_run, line, plain, read_lines
from spielgames.agents import make_agent
from spielgames.command import run
from spielgames.core.registry import find
from spielgames.hokm.game import HOKM

SCRIPT = "experiments/hokm_league.py"
CONFIG = "experiments/configs/hokm_league.py"
CHECKS, FINALS = 1_000_003, 2_000_003  # are added to the seed: deals that nothing is learnt from
WAYS = ("sample", "best")


def won(agent: str, opponent: str, game: str, deals: int, seed: int) -> Metrics:
    """The share of games that an agent wins; each deal is played in both seatings."""
    found = meet(agent, opponent, game, deals, seed)
    known = {"won": found.win_rate, "low": found.win_low, "high": found.win_high}
    return known | {"reward": found.mean, "deals": found.deals}


def check(curve: Curve, deals: int) -> Metrics:
    """How the averaged network fares."""
    how = curve.game, deals, curve.seed + CHECKS
    return {"against": {name: won(curve.agent(), name, *how) for name in OPPONENTS}}


def finals(curves: Sequence[Curve], deals: int) -> list[Metrics]:
    """Of all that have learnt something, on deals that decided nothing before."""
    found = []
    for curve in tqdm([c for c in curves if c.network.exists()], desc="finals"):
        for play in WAYS:
            agent = f"ppo:{curve.network},play={play}"
            met = {name: won(agent, name, curve.game, deals, FINALS) for name in OPPONENTS}
            known = {"curve": curve.name, "seed": curve.seed, "game": curve.game, "play": play}
            found.append(known | {"against": met})
    return found


def ceilings(config: ConfigDict, path: Path) -> list[Metrics]:
    """What other players win; computed once."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    for agent, deals in tqdm(config.ceilings, desc="ceilings"):
        if not any(one["agent"] == agent and one["wanted"] == deals for one in kept):
            met = {name: won(agent, name, config.game, deals, FINALS) for name in OPPONENTS}
            kept.append({"agent": agent, "wanted": deals, "against": met})
            save_text(path, json.dumps(kept, indent=2))
    return kept


def experiment(workdir: Path, config: ConfigDict, only: Sequence[str]) -> list[Path]:
    """Goes on with the curves and writes everything; the files."""
    validate(config)
    curves = curves_from(config, workdir, only)
    use_threads(config.threads)
    save_text(workdir / "config.json", json.dumps(plain(config.to_dict()), indent=2))
    for curve in curves:
        learn(curve, config.log_every, lambda curve: check(curve, config.check_deals))
    return write(workdir, config)


def write(workdir: Path, config: ConfigDict) -> list[Path]:
    """What all curves in the folder show."""
    curves = curves_from(config, workdir)
    lines = [one for curve in curves for one in read_lines(curve.folder / "metrics.jsonl")]
    save_text(workdir / "metrics.jsonl", "".join(map(line, lines)).rstrip())
    results = finals(curves, config.final_deals)
    save_text(workdir / "finals.json", json.dumps(results, indent=2))
    text = report(lines, results, ceilings(config, workdir / "ceilings.json"))
    print(f"\n{text}")
    save_text(workdir / "report.md", text)
    return [workdir / "report.md", *save_figures(lines, workdir / "figures")]


def validate(config: ConfigDict) -> None:
    for field in ("log_every", "threads"):
        if config[field] < 1:
            raise ValueError(f"{field}={config[field]} is not allowed; it is at least 1")
    for field in ("check_deals", "final_deals"):
        if config[field] < 2:
            raise ValueError(f"{field}={config[field]} is not allowed; it is at least 2")
    for game in (config.game, *(config.curves[name].game for name in config.curves)):
        if find(game)[0] is not HOKM:
            raise ValueError(f"game={game} is not allowed; it is Hokm")
    for agent, _ in config.ceilings:
        make_agent(agent, config.game)  # better refused now than after hours of learning


def main() -> None:
    chosen = flags.FLAGS
    workdir = Path(chosen.workdir)
    carry_out(lambda: experiment(workdir, chosen.config, chosen.only), lambda: follow_up(workdir))


def follow_up(workdir: Path) -> list[str]:
    agents: list[Any] = sorted((workdir / "networks").glob("*"))[:1]
    commands = [f"python {SCRIPT} --config={CONFIG}:cpu --workdir=runs/hokm_cpu"]
    for folder in agents:
        game = json.loads((folder / "state.json").read_text(encoding="utf-8"))["about"]["game"]
        agent = f"ppo:{folder}"
        commands += [
            f"python -m analysis.tournament --game='{game}' --agents={agent},rules,random",
            f"python -m spielgames.play --game='{game}' --seats=human,{agent},{agent},{agent}",
        ]
    return commands


if __name__ == "__main__":
    define_run(CONFIG, "runs/hokm_league")
    flags.DEFINE_list("only", [], "the curves to go on with, if not all")
    run(main)
