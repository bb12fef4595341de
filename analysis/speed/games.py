"""The speed of the games, beside OpenSpiel's own C++ games.

    python -m analysis.speed.games --json=speed.json
    python -m analysis.speed.games --games=python_hearts,python_hokm --seconds=0.1
    python -m analysis.speed.games --learning    (Deep CFR's speed too)

The workloads are in `workloads.py`. The numbers are medians of short stretches in which all
measurements take turns, so that a slow phase of the machine hits everything that is compared.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from functools import partial
from itertools import chain
from pathlib import Path

from absl import flags
from tqdm import tqdm

from analysis.figures import short, table
from analysis.speed import deep_cfr
from analysis.speed.benchmark import (
    Amounts,
    Results,
    benchmark,
    check_places,
    define_json,
    define_repeated,
    machine,
    machine_line,
    median_rates,
    medians,
    verdict,
)
from analysis.speed.figure import save_speed_figure
from analysis.speed.workloads import PEERS, all_tasks
from spielgames.command import run
from spielgames.core.game import GAMES

MEASURES = {
    "compiled_moves_per_s": "compiled moves",
    "compiled_moves_per_s_all_cores": "… on all cores",
    "compiled_deals_per_s": "compiled deals",
    "compiled_deals_per_s_all_cores": "… on all cores",
    "batch_moves_per_s": "batch moves, policy outside",
    "tensors_per_s": "observation tensors, float32",
    "tensors_uint8_per_s": "… as bytes",
    "infostates_per_s": "information-state tensors",
    "worlds_per_s": "worlds, 20 per position",
    "worlds_one_per_position_per_s": "… one per position",
    "duplicate_deals_per_s": "duplicate deals, rules and random",
}
FACE_MEASURES = {"openspiel_decisions_per_s": "decisions/s", "openspiel_deals_per_s": "deals/s"}
RATE_TARGETS = {
    "compiled_moves_per_s": 50e6,
    "batch_moves_per_s": 25e6,
    "tensors_per_s": 10e6,
    "worlds_per_s": 100e3,
    "duplicate_deals_per_s": 50e3,
}
REFERENCE = "hearts"  # the C++ game that ours are compared with
RATIO_TARGETS = {"openspiel_decisions_per_s": 1.0, "openspiel_deals_per_s": 0.5}
WARM_IMPORT_TARGET_S = 1.5


def statement_seconds(statement: str, empty_cache: bool) -> float:
    """The time of a statement in a fresh interpreter, not counting the interpreter's own start."""
    code = f"from time import perf_counter as now; t = now(); {statement}; print(now() - t)"
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | ({"NUMBA_CACHE_DIR": folder} if empty_cache else {})
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{statement!r} failed in a fresh interpreter:\n{done.stderr}")
    return float(done.stdout.split()[-1])


def import_seconds(game: str, repetitions: int) -> Amounts:
    """Medians of: OpenSpiel alone; this package; this package and a first state of a game, with
    machine code at hand (`warm_first_use`) and with everything still to be compiled (`cold`)."""
    first_use = f"import spielgames, pyspiel; pyspiel.load_game({game!r}).new_initial_state()"
    cases = [
        ("pyspiel", "import pyspiel", False),
        ("warm", "import spielgames", False),
        ("warm_first_use", first_use, False),
        ("cold", first_use, True),
    ]
    samples = defaultdict(list)
    for name, statement, empty_cache in tqdm(repetitions * cases, "importing", leave=False):
        samples[name].append(statement_seconds(statement, empty_cache))
    return medians(samples)


def measure(games: list[str], seconds: float, repetitions: int, learning: bool = False) -> Results:
    """All numbers of a run; Deep CFR's too if `learning`."""
    found = median_rates(all_tasks(games), seconds, repetitions)
    return {
        "machine": machine(),
        "settings": {"seconds": seconds, "repetitions": repetitions},
        "games": {name: found[name] for name in games},
        "peers": {name: found[name] for name in PEERS},
        "ratios": {name: ratios(found[name], found[REFERENCE]) for name in games},
        "import_s": import_seconds(games[0], repetitions),
    } | ({"learning": deep_cfr.measure(deep_cfr.Sizes())} if learning else {})


def ratios(ours: Amounts, reference: Amounts) -> Amounts:
    return {key: ours[key] / reference[key] for key in FACE_MEASURES}


def titles(results: Results) -> list[str]:
    return [GAMES[name].title for name in results["games"]]


def speed_table(results: Results) -> str:
    rows = [["on one core, per second", *titles(results)]]
    speeds = results["games"].values()
    rows += [[label, *(short(of[key]) for of in speeds)] for key, label in MEASURES.items()]
    return table(rows)


def face_table(results: Results) -> str:
    """Speeds of one and the same Python loop, driving our games and OpenSpiel's own."""
    compared = f"÷ C++ {REFERENCE}"
    rows = [["OpenSpiel's methods, from Python", "decisions/s", compared, "deals/s", compared]]
    speeds = dict(zip(titles(results), results["games"].values(), strict=True))
    speeds |= {f"C++ {name}": of for name, of in results["peers"].items()}
    for name, of in speeds.items():
        ratio = ratios(of, results["peers"][REFERENCE])
        cells = [(short(of[key]), f"{ratio[key]:.2f}") for key in FACE_MEASURES]
        rows.append([name, *chain(*cells)])
    return table(rows)


def target_table(results: Results) -> str:
    rows = [["target", *titles(results)]]
    for key, least in RATE_TARGETS.items():
        reached = (verdict(of[key] >= least) for of in results["games"].values())
        rows.append([f"{MEASURES[key]} ≥ {short(least)}", *reached])
    for key, least in RATIO_TARGETS.items():
        reached = (verdict(of[key] >= least) for of in results["ratios"].values())
        rows.append([f"{FACE_MEASURES[key]} ÷ C++ {REFERENCE} ≥ {least}", *reached])
    return table(rows)


def import_table(results: Results) -> str:
    reached = verdict(results["import_s"]["warm"] < WARM_IMPORT_TARGET_S)
    labels = {
        "pyspiel": "pyspiel alone",
        "warm": f"spielgames (target < {WARM_IMPORT_TARGET_S}: {reached})",
        "warm_first_use": "… and a game's first state",
        "cold": "… with everything still to be compiled",
    }
    rows = [[label, f"{results['import_s'][key]:.2f}"] for key, label in labels.items()]
    return table([["import", "seconds"], *rows])


GAMES_TABLES = speed_table, face_table, target_table, import_table


def report(results: Results) -> str:
    """The report in Markdown."""
    tables = [make(results) for make in GAMES_TABLES]
    if "learning" in results:
        tables.append(deep_cfr.report(results["learning"]))
    return "\n\n".join([*tables, machine_line(results)])


def define_flags() -> None:
    define_json()
    flags.DEFINE_string("figure", None, "the figure's path without .pdf, .png, .csv: all are made")
    flags.DEFINE_bool(
        "learning", False, "also measure Deep CFR, as `python -m analysis.speed.deep_cfr` does"
    )
    flags.DEFINE_list("games", list(GAMES), "the games")
    define_repeated(0.3, 5)
    known, names = set(GAMES), ", ".join(GAMES)
    flags.register_validator("games", lambda g: g and set(g) <= known, f"the games are {names}")
    flags.register_validator("seconds", lambda s: 0 < s <= 60, "it is above 0 and at most 60")


def main() -> None:
    chosen = flags.FLAGS
    check_places(chosen.figure)
    games = list(dict.fromkeys(chosen.games))
    results = benchmark(
        partial(measure, games, chosen.seconds, chosen.repetitions, chosen.learning), report
    )
    if chosen.figure:
        print("\nWritten:", *save_speed_figure(results, Path(chosen.figure)))


if __name__ == "__main__":
    define_flags()
    run(main)
