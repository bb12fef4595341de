"""Tournaments: every pair of agents plays the same deals, each deal in every seating.

    python -m analysis.tournament --game=python_coinche --agents=rules:strong,rules:simple,random
    python -m analysis.tournament --agents=pimc:worlds=20,rules --deals=500 --json=a.json --figure=a

The report shows for each pair a's mean utility per deal against b with a 95 % interval (a bootstrap
over deals), its share of won seatings, and the factors by which duplicates and a control variate
reduce the variance; then a matrix, ratings, and each agent's mean in each seat. The same seed gives
the same results, with --executor=processes or ray, too. Ctrl-C ends the tournament and reports what
has been played. --check first tries whether an agent sees cards that its seat cannot see, and ends
with the position in which it does.
"""

import json
import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from absl import flags

from analysis.figures import Row, save_text, short, table
from analysis.tournament.arena import CONTROL, Tournament, enter, hold, mean_deals
from analysis.tournament.figure import save_matrix_figure
from analysis.tournament.pairs import PLURAL, mean_matrix, precise
from solvers.runs.executors import EXECUTORS, make_executor, using
from spielgames.agent_check import check_agent
from spielgames.agent_help import describe_agents
from spielgames.command import check_place, define_game, run, user_input
from spielgames.specs import split_specs

CONTROL_LIMIT = 20_000  # deals; beyond, more deals cost compiled agents less than a control
NO_HELP = 1.02  # smaller reduction factors are reported as no help
VERSIONS = ("spielgames", "open_spiel", "openskill", "numba", "numpy")


def as_json(t: Tournament, command: str) -> dict[str, Any]:
    return asdict(t) | {"command": command, "versions": {name: version(name) for name in VERSIONS}}


def report(t: Tournament) -> str:
    """The report in Markdown."""
    note = "Interrupted: pairs are missing, or the last one is short of deals."
    parts = [
        note if t.interrupted else "",
        pair_table(t),
        variance_note(t),
        matrix_table(t),
        rating_table(t) if t.ratings else "",
        seat_table(t),
    ]
    return "\n\n".join(filter(None, parts))


def pair_table(t: Tournament) -> str:
    mean = f"a's mean per {t.unit}"
    rows = [["a – b", PLURAL[t.unit], mean, "95 % interval", "a's wins", "duplicates", "control"]]
    for r in t.results:
        number, low, high = (precise(x, r.high - r.low) for x in (r.mean, r.low, r.high))
        helped = factor(r.control.factor if r.control else None)
        wins = f"{100 * r.win_rate:.1f} %"
        interval = f"{low} … {high}"
        cells = [str(r.deals), number, interval, wins, factor(r.duplicate_factor), helped]
        rows.append([f"{r.a} – {r.b}", *cells])
    return table(rows)


def factor(number: float | None) -> str:
    return "–" if number is None else f"× {number:.2f}"


def variance_note(t: Tournament) -> str:
    """The meaning of the factors, and whether the control variate is worth it."""
    note = f"Factors: variance of the mean if every play had its own {t.unit} ÷ with duplicates"
    if not t.control:
        return note + "; no control variate."
    note += f"; without ÷ with the control variate, the duplicate result of {' – '.join(t.control)}"
    note += f" (its mean from {mean_deals(t.deals)} more {PLURAL[t.unit]})."
    useless = [
        f"{r.a} – {r.b}" for r in t.results if r.control and (r.control.factor or 0) < NO_HELP
    ]
    return note + (f" It does not help: {', '.join(useless)}." if useless else "")


def matrix_table(t: Tournament) -> str:
    rows = [["mean of ↓ against →", *t.agents]]
    for agent, means in zip(t.agents, mean_matrix(t.agents, t.results), strict=True):
        rows.append([agent, *("" if np.isnan(mean) else f"{mean:+.3g}" for mean in means)])
    return table(rows)


def rating_table(t: Tournament) -> str:
    rows: list[Row] = [["rating", "mean over opponents", "openskill", "α-rank"]]
    for r in t.ratings:
        skill = f"{r.skill:.1f} ± {r.uncertainty:.1f}"
        rows.append([r.agent, f"{r.mean:+.3g}", skill, f"{r.alpha_rank:.3f}"])
    return table(rows)


def seat_table(t: Tournament) -> str:
    """The means by seat, ± half of their 95 % intervals."""
    seats = sorted({r.seat for r in t.seats})
    rows = [["mean in seat", *map(str, seats)]]
    for agent in dict.fromkeys(r.agent for r in t.seats):
        mine = [r for r in t.seats if r.agent == agent]
        rows.append([agent, *(with_margin(r.mean, r.high - r.low) for r in mine)])
    return table(rows)


def with_margin(mean: float, width: float) -> str:
    return f"{precise(mean, width)} ± {precise(width / 2, width).lstrip('+')}"


def save(t: Tournament, json_path: str | None, figure_stem: str | None, command: str) -> None:
    written: list[Path] = []
    if json_path:
        save_text(Path(json_path), json.dumps(as_json(t, command), indent=2, ensure_ascii=False))
        written.append(Path(json_path))
    if figure_stem and t.results:
        written += save_matrix_figure(t.game, t.unit, t.agents, t.results, Path(figure_stem))
    if written:
        print("\nWritten:", *written, sep="\n  ")


def chosen_control() -> Sequence[str]:
    """The flag's agents; by default the rule-based players where they reduce the variance."""
    given = flags.FLAGS.control
    if given is None:
        return CONTROL if flags.FLAGS.deals <= CONTROL_LIMIT and not flags.FLAGS.match else ()
    return split_specs(given) if given else ()


def define_flags() -> None:
    define_game("python_coinche", "the game, with its parameters if need be")
    flags.DEFINE_string("agents", "rules,random", "the agents that take part: some of those below")
    flags.DEFINE_integer("deals", 1000, "the deals of each pair, played in all seatings", 2)
    flags.DEFINE_integer("seed", 0, "seed of the deals", 0, 2**63 - 1)
    flags.DEFINE_bool(
        "match", False, "play whole matches instead of deals; --deals is their number"
    )
    flags.DEFINE_bool("check", False, "first check that no agent sees hidden cards")
    flags.DEFINE_enum("executor", "here", EXECUTORS, "where to play: docs/distributed.md")
    flags.DEFINE_integer("workers", 0, "of the executor; 0: one for each core", 0)
    flags.DEFINE_string("address", "auto", "of the Ray cluster")
    flags.DEFINE_string("json", None, "a file for all numbers")
    flags.DEFINE_string("figure", None, "the figure's path without .pdf, .png, .csv: all are made")
    flags.DEFINE_string(
        "control",
        None,
        "two compiled agents whose results on the same deals are the control variate; empty for "
        f"none. Not given: {','.join(CONTROL)}, if there are at most {CONTROL_LIMIT} deals",
    )


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        for place in (chosen.json, chosen.figure):
            if place:
                check_place(Path(place))
        entries = enter(chosen.game, split_specs(chosen.agents), chosen_control())
        if chosen.check:
            for name, agent in entries.agents.items():
                check_agent(agent, name)
        executor = make_executor(chosen.executor, chosen.workers, chosen.address)
    start = perf_counter()
    unit = "match" if chosen.match else "deal"
    with closing(executor), using(executor):
        tournament = hold(entries, chosen.deals, chosen.seed, unit, show=True)
    seconds = perf_counter() - start
    played = sum(result.deals for result in tournament.results)
    print(report(tournament))
    units = PLURAL[tournament.unit]
    print(f"\n{played} {units} in all seatings in {seconds:.1f} s ({short(played / seconds)}/s).")
    save(tournament, chosen.json, chosen.figure, command())
    if tournament.interrupted:
        sys.exit(130)


def command() -> str:
    """The command that started this run."""
    return shlex.join(["python", "-m", "analysis.tournament", *sys.argv[1:]])


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
