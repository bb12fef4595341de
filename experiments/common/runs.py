"""Run directories: what an experiment leaves behind, and how the same command goes on with it.

run = Run(Path("runs/x"), config)  # refused if the folder belongs to another config
run.metrics  # what was measured before
run.append({"iteration": 1, "loss": 0.5})  # a line of metrics.jsonl, on disk at once

The folder holds config.json, versions.json, metrics.jsonl and figures/.
"""

import ast
import json
import shlex
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from textwrap import indent
from typing import Any

from absl import flags
from ml_collections import ConfigDict, config_flags

from analysis.figures import save_text
from analysis.speed.benchmark import machine
from spielgames.command import refuse_field, user_input
from spielgames.files import replacing

PACKAGES = ("spielgames", "scipy", "torch")  # besides those that `machine` names
Metrics = dict[str, Any]  # one line
flags.disclaim_key_flags()  # so that --help lists them as the script's own


class Run:
    def __init__(self, workdir: Path, config: ConfigDict) -> None:
        self.workdir, self.figures = workdir, workdir / "figures"
        self._path = workdir / "metrics.jsonl"
        self._check_config(plain(config.to_dict()))
        self._note_versions(machine() | {name: version(name) for name in PACKAGES})
        self.metrics = self._read()

    def append(self, metrics: Metrics) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line(metrics))
        self.metrics.append(metrics)

    def keep(self, metrics: list[Metrics]) -> None:
        """Forgets all others."""
        self.metrics = metrics
        with replacing(self._path) as partial:
            partial.write_text("".join(map(line, metrics)), encoding="utf-8")

    def _check_config(self, config: Metrics) -> None:
        path = self.workdir / "config.json"
        if changes := changes_in(path, config):
            raise ValueError(
                f"{self.workdir} belongs to another config ({'; '.join(changes)}); take another"
                " --workdir, or the config that began it"
            )
        save_text(path, json.dumps(config, indent=2))

    def _note_versions(self, versions: Metrics) -> None:
        path = self.workdir / "versions.json"
        if changes := changes_in(path, versions):
            note(f"not what this run began with: {'; '.join(changes)}")
        else:
            save_text(path, json.dumps(versions, indent=2))

    def _read(self) -> list[Metrics]:
        """A run that was killed may have left half a line, which goes."""
        if not self._path.exists():
            return []
        whole, _, torn = self._path.read_bytes().rpartition(b"\n")
        lines = [json.loads(text) for text in whole.splitlines()]
        if torn:
            note(f"{self._path} ended in half a line, which was dropped")
            self.keep(lines)
        return lines


def read_lines(path: Path) -> list[Metrics]:
    """Whole ones: another process may be writing."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(one) for one in text.rpartition("\n")[0].splitlines()]


def line(metrics: Metrics) -> str:
    return json.dumps(metrics) + "\n"


def plain(value: Any) -> Any:
    """As JSON gives it back."""
    return json.loads(json.dumps(value))


def changes_in(path: Path, new: Metrics) -> list[str]:
    """How a file's fields differ from new ones; there is no difference to a file not yet there."""
    if not path.exists():
        return []
    then, now = flat(json.loads(path.read_text(encoding="utf-8"))), flat(new)
    return [
        f"{key} was {then.get(key, 'absent')}, is {now.get(key, 'absent')}"
        for key in sorted(then.keys() | now.keys())
        if then.get(key, "absent") != now.get(key, "absent")
    ]


def flat(fields: Metrics, prefix: str = "") -> Metrics:
    """Nested fields by their dotted names."""
    found: Metrics = {}
    for key, value in fields.items():
        nested = (
            flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
        )
        found |= nested
    return found


def note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)


def define_run(config: str, workdir: str) -> None:
    """The flags that all have: a config file and its variant, and the work folder."""
    try:  # without --config, fields are looked up at once
        config_flags.DEFINE_config_file("config", f"{config}:quick", "a config file and variant")
    except (AttributeError, KeyError) as error:
        refuse_field(error)
    flags.DEFINE_string("workdir", workdir, "the folder that gets the results")
    flags.register_validator("workdir", lambda w: w and not Path(w).is_file(), "it is a folder")


def variants(config: str) -> Callable[[], str]:
    """For --help: what a config's own docstring says of its variants, their times and fields."""
    source = Path(__file__).parents[1] / config

    def told() -> str:
        text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8")))
        return f"\n--config={config}:VARIANT\n\n{indent(text, '  ')}"

    return told


def carry_out(experiment: Callable[[], list[Path]], follow_up: Callable[[], list[str]]) -> None:
    """Says which files an experiment has written, and what may come next; after Ctrl-C, how to go
    on.
    """
    try:
        with user_input():
            files = experiment()
    except KeyboardInterrupt:
        print(f"\nStopped. To go on:\n  {command()}")
        raise
    print("\nWritten:", *files, sep="\n  ")
    print("\nNext:", *follow_up(), sep="\n  ")
    if figures := [path for path in files if path.suffix == ".png"]:
        print("\nThe figure:", figures[0])


def command() -> str:
    """How this script was started."""
    return shlex.join(["python", *sys.argv])
