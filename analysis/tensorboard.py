"""The metrics of runs, as event files for TensorBoard.

    python -m analysis.tensorboard --runs=runs/x       # writes runs/x/tensorboard
    python -m analysis.tensorboard --runs=runs/a,runs/b --out=runs/events
    tensorboard --logdir=runs/events

Every learner writes its measurements to metrics.jsonl in its work folder (docs/metrics.md). This
reads them, while the learner goes on or later, and writes one TensorBoard run for each curve: lines
that agree in their game, curve, seed and other names. Each number becomes a scalar, nested ones as
`losses/policy`; lists are numbered. Events that are there are replaced, so that the same command
brings them up to date. It needs the package tensorboard: pip install "spielgames[tensorboard]".
"""

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from absl import flags

from spielgames.command import run, user_input
from spielgames.files import reading

METRICS, FOLDER, UNNAMED = "metrics.jsonl", "tensorboard", "run"
STEPS = ("iteration", "iterations", "hands")  # the first that a line has is its step
SEED, SECONDS = "seed", "seconds"  # since the run began
MISSING = 'this needs the package tensorboard: pip install "spielgames[tensorboard]"'
Line = dict[str, Any]


def read_metrics(folder: Path) -> list[Line]:
    """All whole lines; a learner may be writing the last one."""
    path = folder / METRICS
    if not path.is_file():
        raise ValueError(f"{folder} has no {METRICS}: it is the work folder of no run")
    with reading(path, "holds no metrics"):
        whole = path.read_text(encoding="utf-8").rpartition("\n")[0]
        lines = [json.loads(text) for text in whole.splitlines()]
        if not all(isinstance(line, dict) for line in lines):
            raise TypeError("a line is not an object")
    return lines


def curve_of(line: Line) -> str:
    """The name of a line's curve: all its names and its seed, fit for a folder."""
    names = [x for key, x in line.items() if x and isinstance(x, str) and key != "phase"]
    names += [f"seed {line[SEED]}"] if SEED in line else []
    return re.sub(r"[^\w.=-]+", "_", " ".join(names)).strip("_") or UNNAMED


def step_of(line: Line, number: int) -> int:
    """Where a line stands on the horizontal axis: its iteration, or else its number."""
    return next((line[key] for key in STEPS if isinstance(line.get(key), int)), number)


def scalars(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """All numbers in a line, with their names."""
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield name, float(value)
    parts = value.items() if isinstance(value, dict) else ()
    parts = enumerate(value) if isinstance(value, list) else parts
    for key, part in parts:
        yield from scalars(part, f"{name}/{key}" if name else str(key))


def convert(folder: Path, out: Path) -> list[Path]:
    """Write the events of a run's curves; return their folders."""
    curves = defaultdict(list)
    for line in read_metrics(folder):
        curves[curve_of(line)].append(line)
    for name, lines in curves.items():
        write_events(out / name, lines)
    return [out / name for name in curves]


def write_events(folder: Path, lines: list[Line]) -> None:
    """Replace the events of a curve."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise ValueError(MISSING) from None
    shutil.rmtree(folder, ignore_errors=True)
    with SummaryWriter(str(folder)) as writer:
        for number, line in enumerate(lines, 1):
            step, time = step_of(line, number), line.get(SECONDS, 0.0)
            for name, value in scalars(line):
                if name not in (SEED, *STEPS):
                    writer.add_scalar(name, value, step, walltime=time)


def targets(runs: list[str], out: str | None) -> list[tuple[Path, Path]]:
    """The runs, and where the events of each go."""
    folders = [Path(name) for name in runs]
    if not folders:
        raise ValueError("--runs names no work folder")
    if out is None:
        return [(folder, folder / FOLDER) for folder in folders]
    several = len(folders) > 1
    return [(folder, Path(out) / folder.name if several else Path(out)) for folder in folders]


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        written = [
            path
            for folder, out in targets(chosen.runs, chosen.out)
            for path in convert(folder, out)
        ]
    print("Written:", *written, sep="\n  ")


if __name__ == "__main__":
    flags.DEFINE_list("runs", [], "work folders of experiments")
    flags.DEFINE_string("out", None, "a folder for the events, instead of one in each work folder")
    run(main)
