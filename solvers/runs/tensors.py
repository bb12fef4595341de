"""Tensors, and what there is to say of them, in a file that tells if a byte of it has changed:
safetensors, which has no checksum of its own.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from spielgames.files import reading, replacing

Said = dict[str, Any]  # in plain JSON
TEXT = "network"  # the name of the one text beside the tensors: several come in any order
CHECKSUM = "crc32"
STEP = ".step"  # ends the name of the steps of a matrix in bytes


def save_tensors(path: Path, tensors: Mapping[str, Tensor], said: Said) -> None:
    """Files know nothing of devices."""
    tensors = {name: tensor.detach().cpu() for name, tensor in tensors.items()}
    text = json.dumps(said | {CHECKSUM: checksum(tensors, said)})
    with replacing(path) as partial:
        try:
            save_file(tensors, partial, {TEXT: text})
        except SafetensorError as error:  # the disk is full
            raise OSError(f"{path} can't be written: {error}") from error


def load_tensors(path: Path) -> tuple[dict[str, Tensor], Said]:
    """Files of older versions have no checksum."""
    try:
        with safe_open(path, "pt") as file:
            # Copies: what is given is mapped from the file, at any address.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
            said = json.loads((file.metadata() or {}).get(TEXT, "{}"))
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    if said.pop(CHECKSUM, None) not in (None, checksum(tensors, said)):
        raise ValueError("some of its bytes have changed: it does not have its checksum")
    return from_bytes(tensors), said


def in_bytes(name: str, matrix: Tensor) -> dict[str, Tensor]:
    """A matrix as whole numbers from −127 to 127, and the size of a step in each row."""
    steps = (matrix.abs().amax(dim=1, keepdim=True) / 127).clamp(min=1e-30)
    return {name: (matrix / steps).round().to(torch.int8), name + STEP: steps}


def from_bytes(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same tensors, with numbers in the place of bytes. (Adam counts steps of another kind.)"""
    for name in [name for name in tensors if name + STEP in tensors]:
        tensors[name] = tensors[name] * tensors.pop(name + STEP)
    return tensors


def checksum(tensors: Mapping[str, Tensor], said: Said) -> int:
    crc = zlib.crc32(json.dumps(said).encode())
    for name, tensor in sorted(tensors.items()):
        crc = zlib.crc32(name.encode(), crc)
        crc = zlib.crc32(tensor.reshape(-1).view(torch.uint8).numpy().data, crc)
    return crc


def restore_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Fill a learner's tensors with those that it has saved."""
    with reading(path, "is no memory of this learner"):
        found, _ = load_tensors(path)
        check_like(found, tensors)
    with torch.no_grad():
        for name, tensor in tensors.items():
            tensor.copy_(found[name])


def adam_tensors(adam: torch.optim.Adam, parameters: Iterable[Tensor]) -> dict[str, Tensor]:
    """Adam's state, which begins with zeros."""
    tensors: dict[str, Tensor] = {}
    for i, parameter in enumerate(parameters):
        state = adam.state[parameter]
        if not state:
            state["step"] = torch.zeros((), device=parameter.device)
            state["exp_avg"] = torch.zeros_like(parameter)
            state["exp_avg_sq"] = torch.zeros_like(parameter)
        tensors |= {f"adam.{i}.{name}": x for name, x in state.items()}
    return tensors


def check_like(found: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> None:
    """Tensors of the same names, shapes and kinds; `wanted` may be without memory."""
    if odd := sorted(found.keys() ^ wanted.keys()):
        raise ValueError(f"{odd[0]} is {'missing' if odd[0] in wanted else 'too much'}")
    for name, tensor in found.items():
        kind, other = kind_of(tensor), kind_of(wanted[name])
        if kind != other:
            raise ValueError(f"{name} is {kind}, not {other}")
        if not tensor.isfinite().all():
            raise ValueError(f"{name} holds a number that is not finite")


def kind_of(tensor: Tensor) -> str:
    size = " × ".join(map(str, tensor.shape))
    return f"{str(tensor.dtype).removeprefix('torch.')} [{size}]"
