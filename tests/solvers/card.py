"""A graphics card that is not there: tensors on it compute what the processor does, but refuse to
meet tensors in main memory, as on a real card. It says that it is `lazy`, a kind of device that
every build of PyTorch knows and none has.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from unittest.mock import patch

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from solvers.networks import device

CARD = torch.device("lazy")
MOVES = (torch.ops.aten.copy_.default, torch.ops.aten._to_copy.default)


class OnCard(Tensor):
    """The tensor that is meant is `inner`; NumPy can't read this one."""

    @staticmethod
    def __new__(cls, inner):
        return Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=CARD,
        )

    def __init__(self, inner):
        self.inner = inner

    def tolist(self):
        return self.inner.tolist()

    @property
    def data(self):
        return self.detach()

    @data.setter
    def data(self, other):
        self.inner = other.inner

    @classmethod
    def __torch_dispatch__(cls, operation, types, args=(), kwargs=None):
        return compute(operation, args, kwargs or {})


class Dispatch(TorchDispatchMode):
    """Sees what is made on the card, and what moves there."""

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        return compute(operation, args, kwargs or {})


def compute(operation, args, kwargs):
    wanted = kwargs.get("device")
    on_card = [x for x in tree_leaves((args, kwargs)) if isinstance(x, OnCard)]
    check_met(operation, args, kwargs, bool(on_card))
    if wanted is not None:
        kwargs = kwargs | {"device": wanted if wanted != CARD else torch.device("cpu")}
    args, kwargs = tree_map(lambda x: x.inner if isinstance(x, OnCard) else x, (args, kwargs))
    found = operation(*args, **kwargs)
    known = {id(x.inner): x for x in on_card}  # what was written to stays the same object
    there = wanted == CARD if wanted is not None else bool(on_card)
    if operation is torch.ops.aten.copy_.default:
        there = id(found) in known

    def placed(x):
        return known[id(x)] if id(x) in known else OnCard(x)

    return tree_map(lambda x: placed(x) if there and type(x) is Tensor else x, found)


def check_met(operation, args, kwargs, on_card):
    """Single numbers may be anywhere, unless they are in a list, as in `stack`."""
    if not on_card or operation in MOVES:
        return
    for given in (*args, *kwargs.values()):
        listed = isinstance(given, list | tuple)
        for x in tree_leaves(given):
            if isinstance(x, Tensor) and not isinstance(x, OnCard) and (x.dim() or listed):
                raise RuntimeError(f"{operation} meets a tensor in main memory")


def autocast(real, kind, *args, **more):
    return real("cpu" if kind == CARD.type else kind, *args, **more)


@contextmanager
def a_card() -> Iterator[None]:
    """Inside, networks are made on the card."""
    fused = "torch.optim.optimizer._get_fused_kernels_supported_devices"
    with ExitStack() as stack:
        stack.enter_context(patch(fused, lambda: [CARD.type, "cpu"]))
        stack.enter_context(patch("torch.autocast", partial(autocast, torch.autocast)))
        stack.enter_context(patch.object(device, "_chosen", [CARD]))
        # Views of such tensors are not allowed in inference mode.
        stack.enter_context(patch("torch.inference_mode", torch.no_grad))
        stack.enter_context(Dispatch())
        yield
