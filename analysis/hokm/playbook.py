"""The rates at which a team in Hokm does what the Hokm article describes, beside those of chance.

    python -m analysis.hokm.playbook --agent=rules --opponents=rules,random --out=runs/playbook
    python -m analysis.hokm.playbook --agent=net:runs/hokm --game="python_hokm(trump=heuristic)"

The agent plays both seats of a team, and every deal in both teams. The behaviours are described
below the table and defined in `analysis/hokm/behaviour.py`; intervals are at 95 %, with the deal as
the unit. `--out` gets playbook.json, and the figure as playbook.pdf, .png and .csv.
"""

import json
import math
import shlex
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from absl import flags

from analysis.figures import Row, save_text, table
from analysis.hokm.behaviour import BEHAVIOURS
from analysis.hokm.playbook_figure import Playbooks, save_playbook_figure
from analysis.hokm.rates import Rate, playbooks
from spielgames.agent_help import describe_agents
from spielgames.command import check_place, define_game, run, user_input
from spielgames.specs import split_specs

VERSIONS = ("spielgames", "numba", "numpy")


def report(found: Playbooks) -> str:
    """The table, and the meaning of its lines."""
    rows = [["behaviour"] + [word for opponents in found for word in heading(opponents)]]
    for name in BEHAVIOURS:
        rows.append([name] + [cell for book in found.values() for cell in cells(book[name])])
    meanings = [f"- {name}: {meaning}" for name, meaning in BEHAVIOURS.items()]
    return "\n".join([table(rows), "", *meanings])


def heading(opponents: str) -> Row:
    return [f"against {opponents} (95 %)", "chance", "occasions"]


def cells(rate: Rate) -> Row:
    ends = f"({percent(rate.low)} … {percent(rate.high)})"
    return [f"{percent(rate.rate)} {ends} %", f"{percent(rate.chance)} %", str(rate.occasions)]


def percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.1f}"


def as_json(found: Playbooks) -> dict[str, Any]:
    """All numbers, with null for rates without an occasion."""
    return {
        opponents: {name: known(rate._asdict()) for name, rate in book.items()}
        for opponents, book in found.items()
    }


def known(numbers: dict[str, float]) -> dict[str, float | None]:
    return {key: None if math.isnan(number) else number for key, number in numbers.items()}


def save(found: Playbooks, folder: Path) -> None:
    chosen = flags.FLAGS
    about = {name: chosen[name].value for name in ("game", "agent", "deals", "seed")}
    about["command"] = shlex.join(["python", "-m", "analysis.hokm.playbook", *sys.argv[1:]])
    about["versions"] = {name: version(name) for name in VERSIONS}
    numbers = about | {"meanings": BEHAVIOURS, "against": as_json(found)}
    path = folder / "playbook.json"
    save_text(path, json.dumps(numbers, indent=2, ensure_ascii=False))
    title = f"{chosen.agent} in {chosen.game}, {chosen.deals} deals in both seatings"
    print("\nWritten:", path, *save_playbook_figure(title, found, folder / "playbook"), sep="\n  ")


def define_flags() -> None:
    define_game("python_hokm", "Hokm, with parameters if any")
    flags.DEFINE_string("agent", "rules", "the agent whose play is counted: one of those below")
    flags.DEFINE_string("opponents", "rules,random", "one or more agents to play against")
    flags.DEFINE_integer("deals", 10_000, "deals, each in both seatings", 1)
    flags.DEFINE_integer("seed", 1, "seed of the deals", 0, 2**63 - 1)
    flags.DEFINE_string("out", None, "a folder for the numbers and the figure")


def main() -> None:
    chosen = flags.FLAGS
    folder = Path(chosen.out) if chosen.out else None
    with user_input():
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            check_place(folder / "playbook.json")
        opponents = split_specs(chosen.opponents)
        found = playbooks(chosen.game, chosen.agent, opponents, chosen.deals, chosen.seed, True)
    print(report(found))
    if folder:
        save(found, folder)


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
