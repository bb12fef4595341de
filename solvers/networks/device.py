"""The device that networks compute on: the processor, or a graphics card.

    use_device("auto")  # a graphics card if PyTorch sees one
    device()  # where networks are made and loaded from now on

Files and other processes are always given tensors in main memory, so that a run can go on with
another device.
"""

from typing import NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from solvers.runs.settings import check_choice

CPU = torch.device("cpu")
CARDS = {  # in the order in which "auto" takes them
    "cuda": ("CUDA device", torch.cuda),
    "mps": ("Metal device", torch.backends.mps),
}
DEVICES = ("cpu", *CARDS, "auto")
Columns = TypeVar("Columns", bound=NamedTuple)  # of tensors, and None where there are none

_chosen = [CPU]


def use_device(name: str) -> None:
    """Choose the device of the networks that this process makes or loads from now on."""
    check_choice("device", name, DEVICES)
    seen = [card for card, (_, backend) in CARDS.items() if backend.is_available()]
    if name in CARDS and name not in seen:
        allowed = " or ".join(("cpu", *seen, "auto"))
        raise ValueError(
            f"device={name} is not allowed here: PyTorch sees no {CARDS[name][0]}; it is {allowed}"
        )
    _chosen[:] = [torch.device((*seen, "cpu")[0] if name == "auto" else name)]


def device() -> torch.device:
    return _chosen[0]


def moved(columns: Columns, to: torch.device) -> Columns:
    """The columns of a batch on a device; those that are there already are not copied."""
    return columns._make(x if x is None else x.to(to) for x in columns)


def arrived(tensor: Tensor, is_parameter: bool) -> Tensor:
    """A tensor that another process has sent, on the device of this one."""
    here = tensor.to(device())
    return nn.Parameter(here) if is_parameter else here
