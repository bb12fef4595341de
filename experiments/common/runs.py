"""Run folders: the files of an experiment, from which the same command goes on.

run = Run(Path("runs/x"), config)  # refused if the folder belongs to another config, or process
run.metrics  # the lines measured before
run.append({"iteration": 1, "loss": 0.5})  # a line of metrics.jsonl, on disk at once

The folder holds config.json, versions.json, metrics.jsonl and figures/.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ml_collections import ConfigDict

from analysis.figures import save_text
from analysis.speed.benchmark import machine
from experiments.common.executors import FIELDS
from solvers.runs.old_names import has_old_names
from spielgames import files
from spielgames.files import reading, replacing
from spielgames.folders import hold

PACKAGES = ("spielgames", "scipy", "torch")  # besides those that `machine` names
Metrics = dict[str, Any]  # one line


class Run:
    def __init__(self, workdir: Path, config: ConfigDict) -> None:
        self.workdir, self.figures = workdir, workdir / "figures"
        self._held = hold(workdir)
        self._path = workdir / "metrics.jsonl"
        known = {name: x for name, x in config.to_dict().items() if name not in FIELDS}
        self._check_config(plain(known))
        self._note_versions(machine() | {name: version(name) for name in PACKAGES})
        self.metrics = self._read()

    def append(self, metrics: Metrics) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(metrics) + "\n")
        self.metrics.append(metrics)

    def keep(self, metrics: list[Metrics]) -> None:
        """Keep only these lines."""
        self.metrics = metrics
        save_lines(self._path, metrics)

    def _check_config(self, config: Metrics) -> None:
        path = self.workdir / "config.json"
        if changes := changes_in(path, config):
            old = has_old_names(flat(read_json(path)).keys() - flat(config).keys())
            whose = "a config of version 0.1.0" if old else "another config"
            raise ValueError(
                f"{self.workdir} belongs to {whose} ({'; '.join(changes)}); take another --workdir,"
                f" or {'that version' if old else 'the config that began it'}"
            )
        save_json(path, config)

    def _note_versions(self, versions: Metrics) -> None:
        path = self.workdir / "versions.json"
        if changes := changes_in(path, versions):
            note(f"this run began with other versions: {'; '.join(changes)}")
        else:
            save_json(path, versions)

    def _read(self) -> list[Metrics]:
        """All whole lines. A run that was killed may have left half a line, which is dropped."""
        if not self._path.exists():
            return []
        whole, _, torn = self._path.read_bytes().rpartition(b"\n")
        with reading(self._path, "holds no metrics"):
            lines = [json.loads(text) for text in whole.splitlines()]
        if torn:
            note(f"{self._path} ended in half a line, which was dropped")
            self.keep(lines)
        return lines


def read_lines(path: Path) -> list[Metrics]:
    """All whole lines; another process may be writing the last one."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(one) for one in text.rpartition("\n")[0].splitlines()]


def save_lines(path: Path, lines: list[Metrics]) -> None:
    with replacing(path) as partial:
        partial.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")


def read_json(path: Path, default: Any = None) -> Any:
    """The content of a JSON file, or the default if there is no such file."""
    return files.read_json(path) if path.exists() else default


def save_json(path: Path, content: Any) -> None:
    save_text(path, json.dumps(content, indent=2))


def plain(value: Any) -> Any:
    """A value as it comes back from JSON."""
    return json.loads(json.dumps(value))


def changes_in(path: Path, new: Metrics) -> list[str]:
    """The differences of a file's fields from new ones; none if there is no such file yet."""
    if not path.exists():
        return []
    then, now = flat(read_json(path)), flat(new)
    return [
        f"{key} was {then.get(key, 'absent')}, is {now.get(key, 'absent')}"
        for key in sorted(then.keys() | now.keys())
        if then.get(key, "absent") != now.get(key, "absent")
    ]


def flat(fields: Metrics, prefix: str = "") -> Metrics:
    """Nested fields under their dotted names."""
    found: Metrics = {}
    for key, value in fields.items():
        nested = (
            flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
        )
        found |= nested
    return found


def note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)
