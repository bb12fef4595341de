"""Functions that are compiled along with the loops that call them."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

import numba
from numba.core.registry import CPUDispatcher

from spielgames.core.cache import compiled
from spielgames.core.translation import PartCompiler

INLINED = {"forceinline": True, "pipeline_class": PartCompiler}  # the options of `inlined`


class Part(CPUDispatcher):
    """A function that loops call; called from Python, it is compiled by itself."""

    def __init__(self, function: Callable, is_inlined: bool) -> None:
        options = {"nopython": True, "forceinline": is_inlined}
        super().__init__(function, targetoptions=options, pipeline_class=PartCompiler)

    @cached_property
    def whole(self) -> Callable:
        return compiled(self.py_func)

    def __call__(self, *args: Any) -> Any:
        return self.whole(*args)


Function = TypeVar("Function", bound=Callable)


def inlined(function: Function) -> Function:
    """Compile the function into each place that calls it, which makes small rules 1.7 times as fast
    (docs/speed.md).
    """
    return function if numba.config.DISABLE_JIT else cast("Function", Part(function, True))


def linked(function: Function) -> Function:
    """Compile the function once into each loop that calls it, perhaps in several places."""
    return function if numba.config.DISABLE_JIT else cast("Function", Part(function, False))
