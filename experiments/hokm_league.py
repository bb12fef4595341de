"""The Hokm paper's league of PPO learners, with the trump named by its rule, and learned.

    python experiments/hokm_league.py --workdir=runs/hokm \\
        --config=experiments/configs/hokm_league.py:quick

Every few iterations a curve's averaged network meets a random and the rule-based player. At the end
all meet them on fresh deals, beside players that show what is to be gained: one that samples many
worlds, and one that sees all hands. The same command goes on where it was stopped. Writes
metrics.jsonl, finals.json, ceilings.json, report.md, figures and networks/ (`common/ppo.py`).
"""

import json
from pathlib import Path

from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.figures import save_text
from analysis.tournament.pairs import meet
from experiments.common.ppo import FINALS, Curve, Study, define_study, main, more_help
from experiments.common.runs import Metrics
from experiments.reports.hokm_league import OPPONENTS, report, save_figures
from spielgames.agents import make_agent
from spielgames.command import run
from spielgames.hokm.game import HOKM


def against_all(agent: str, game: str, deals: int, seed: int) -> Metrics:
    return {"against": {name: won(agent, name, game, deals, seed) for name in OPPONENTS}}


def won(agent: str, opponent: str, game: str, deals: int, seed: int) -> Metrics:
    """The share of games that an agent wins; each deal is played in both seatings."""
    found = meet(agent, opponent, game, deals, seed)
    known = {"won": found.win_rate, "low": found.win_low, "high": found.win_high}
    return known | {"reward": found.mean, "deals": found.deals}


def measure(curve: Curve, agent: str, deals: int, seed: int) -> Metrics:
    return against_all(agent, curve.game, deals, seed)


def ceilings(config: ConfigDict, path: Path) -> list[Metrics]:
    """What other players win; computed once."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    for agent, deals in tqdm(config.ceilings, desc="ceilings"):
        if not any((one["agent"], one["deals"]) == (agent, deals) for one in kept):
            met = against_all(agent, config.game, deals, FINALS)
            kept.append({"agent": agent, "deals": deals} | met)
            save_text(path, json.dumps(kept, indent=2))
    return kept


def check(config: ConfigDict) -> None:
    for agent, _ in config.ceilings:
        make_agent(agent, config.game)  # better refused now than after hours of learning


def full_report(
    workdir: Path, config: ConfigDict, lines: list[Metrics], finals: list[Metrics]
) -> str:
    return report(lines, finals, ceilings(config, workdir / "ceilings.json"))


STUDY = Study(
    script="experiments/hokm_league.py",
    config="experiments/configs/hokm_league.py",
    game=HOKM,
    measure=measure,
    report=full_report,
    draw=save_figures,
    check=check,
)

if __name__ == "__main__":
    define_study(STUDY)
    run(lambda: main(STUDY), more_help(STUDY))
