"""A copy of a run whose networks take a quarter of the room, to be played, not trained.

    python -m solvers.runs.shrink --run=runs/x --out=runs/small

Of each matrix a byte is kept for each weight: a whole number of steps, of which the largest weight
of a row is 127. The bytes are read as any network (`solvers.runs.tensors`).
"""

import shutil
from pathlib import Path

from absl import flags
from torch import Tensor

from solvers.runs.archive import STATE
from solvers.runs.tensors import in_bytes, load_tensors, save_tensors
from spielgames.command import refuse, run, user_input
from spielgames.files import replacing


def shrink(source: Path, target: Path) -> list[Path]:
    """Write the copy; return its files."""
    networks = sorted((source / "networks").glob("*.safetensors"))
    if not networks:
        raise ValueError(f"{source} has no networks")
    if target.exists():
        raise ValueError(f"{target} exists already; choose another folder")
    files = [target / path.relative_to(source) for path in networks]
    for path, out in zip(networks, files, strict=True):
        tensors, said = load_tensors(path)
        small: dict[str, Tensor] = {}
        for name, tensor in tensors.items():
            small |= in_bytes(name, tensor) if tensor.ndim == 2 else {name: tensor}
        save_tensors(out, small, said)
    with replacing(target / STATE) as partial:  # last, so that a folder with it is whole
        shutil.copyfile(source / STATE, partial)
    return [*files, target / STATE]


def main() -> None:
    chosen = flags.FLAGS
    if not (chosen.run and chosen.out):
        refuse("write --run=FOLDER --out=FOLDER")
    with user_input():
        print("Written:", *shrink(Path(chosen.run), Path(chosen.out)), sep="\n  ")


if __name__ == "__main__":
    flags.DEFINE_string("run", None, "the folder of a run, or of what was exported from one")
    flags.DEFINE_string("out", None, "the folder to write")
    run(main)
