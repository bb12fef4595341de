"""The searched decisions of the last iterations, in memory and in files."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from solvers.alphazero.selfplay import Samples
from solvers.runs.tensors import load_tensors, save_tensors
from spielgames.files import reading


class Replay:
    def __init__(self, folder: Path, dtype: np.dtype, length: int) -> None:
        self.folder, self.dtype, self.length = folder, dtype, length
        self.parts: dict[int, Samples] = {}

    def path(self, iteration: int) -> Path:
        return self.folder / f"{iteration:06d}.safetensors"

    def add(self, iteration: int, samples: Samples) -> None:
        first = iteration - self.length + 1
        self.parts = {i: x for i, x in self.parts.items() if i >= first} | {iteration: samples}
        tensors = {name: torch.from_numpy(plain(x)) for name, x in samples._asdict().items()}
        save_tensors(self.path(iteration), tensors, {})

    def restore(self, iteration: int) -> None:
        """Read what there was after an iteration."""
        for each in range(max(1, iteration - self.length + 1), iteration + 1):
            with reading(self.path(each), "holds no samples of this learner"):
                tensors, _ = load_tensors(self.path(each))
                self.parts[each] = Samples(**self._read(tensors))

    def _read(self, tensors: dict) -> dict[str, np.ndarray]:
        kinds: dict[str, Callable] = {
            "states": lambda x: x.view(self.dtype),
            "sets": lambda x: x.view(np.uint64),
        }
        return {name: kinds.get(name, np.asarray)(x.numpy()) for name, x in tensors.items()}

    def forget(self, iteration: int) -> None:
        """Drop what is too old after an iteration that is finished, and so won't be done again."""
        self.parts = {i: x for i, x in self.parts.items() if i > iteration - self.length}
        for path in self.folder.glob("*.safetensors"):
            if int(path.stem) not in self.parts:
                path.unlink()

    def samples(self) -> Samples:
        return Samples.join([self.parts[i] for i in sorted(self.parts)[-self.length :]])


def plain(column: np.ndarray) -> np.ndarray:
    """Records and sets as plain integers, which every file format knows."""
    return column.view(np.int64) if column.dtype.names or column.dtype == np.uint64 else column
