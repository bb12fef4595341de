"""Trained networks by name: `net:hearts` plays as the one that comes with the package.

A network that is too large for the package is looked up in the folder that the environment variable
SPIELGAMES_NETWORKS names, below its name, and must have the pinned checksums. They are in
pretrained.json beside this file, and pinned anew by

    python -m solvers.runs.pretrained
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path

from spielgames.files import replacing

VARIABLE = "SPIELGAMES_NETWORKS"
ROOT = Path(__file__).parents[2]
PINNED = Path(__file__).with_name("pretrained.json")
Checksums = dict[str, str]  # of files, by their paths within a run's folder

# The folders of runs below ROOT, where the sources have them all; an installed package has those
# that pyproject.toml lists. docs/pretrained.md says what each is.
PRETRAINED = {
    "coinche": "experiments/results/coinche_alphazero/networks/whole-0",
    "hearts": "experiments/results/hearts_deepcfr/small",
    "hokm": "experiments/results/hokm_alphazero/networks/whole-0",
    "sheephead": "experiments/results/sheephead_ppo/networks/mixed-0",
    "snapszer": "experiments/results/snapszer_alphazero/networks/belief-0",
    "coinche_ppo": "experiments/results/coinche_ppo/networks/long-0",
    "hokm_league": "experiments/results/hokm_league/networks/long-0",
    "hokm_rehearsed": "experiments/results/hokm_league/networks/rehearsed-0",
    "snapszer_trees": "experiments/results/snapszer_ladder/networks/T6-Captain-0",
    "hearts_large": "experiments/results/hearts_deepcfr/network",
}


def find_run(run: str) -> Path:
    """The folder that a name stands for; else the folder as given, here or in the sources."""
    if run in PRETRAINED:
        return find_pretrained(run)
    return ROOT / run if (ROOT / run).exists() and not Path(run).exists() else Path(run)


def find_pretrained(name: str) -> Path:
    """The folder of a network with a name: that of the package, or the user's."""
    ours = ROOT / PRETRAINED[name]
    if ours.exists():
        return ours
    folder = Path(os.environ.get(VARIABLE) or "networks").expanduser()
    if not (VARIABLE in os.environ and (folder / name).is_dir()):
        raise ValueError(
            f"the network {name} is too large to be part of the package: copy"
            f" {PRETRAINED[name]} from the sources to {folder / name}, and set {VARIABLE}={folder}"
        )
    check(folder / name, pinned()[name])
    return folder / name


def check(folder: Path, wanted: Checksums) -> None:
    """Refuse a folder whose files are not those that were pinned."""
    found = checksums(folder)
    for file in wanted.keys() | found.keys():
        if found.get(file) != wanted.get(file):
            raise ValueError(
                f"{folder / file} is not that of the network with this name: its SHA-256 is"
                f" {found.get(file, 'missing')}, and should be {wanted.get(file, 'missing')}"
            )


def checksums(folder: Path) -> Checksums:
    """The SHA-256 of every file of a run."""
    files = sorted([*folder.glob("*.json"), *folder.glob("networks/*.safetensors")])
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


@cache
def pinned() -> dict[str, Checksums]:
    return json.loads(PINNED.read_text(encoding="utf-8"))


def pin() -> None:
    """Pin the networks as they are."""
    found = {name: checksums(ROOT / folder) for name, folder in PRETRAINED.items()}
    with replacing(PINNED) as partial:
        partial.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    pin()
