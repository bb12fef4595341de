"""The verbs: the few functions that make a game, found by the layout of its state record.

A generic loop calls `legal(s)`; Numba compiles the loop once per game, with that game's function
inlined, because the functions are looked up by the record's dtype. Uncompiled, the same lookup
happens at run time, so rules can be stepped through in a debugger.

Every state record starts with the fields of `core.record`, which say what is common to all games.
"""

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import overload

from spielgames.core.cache import depends
from spielgames.core.cards import Cards
from spielgames.core.inlining import INLINED
from spielgames.core.luck import Luck
from spielgames.core.record import State

_by_type: dict = {}
_by_dtype: dict = {}


def reset(s: State) -> None:
    """To the start of a deal: all fields but the parameters of the variant."""


def begin(s: State) -> None:
    """Called when all cards of a dealing stage are in `dealt`: fills the hands, says who moves."""


def legal(s: State) -> Cards:
    """The legal actions of `s.turn`, as a set."""


def apply(s: State, a: int) -> None:
    """Plays action or chance outcome `a` (dealing itself is generic, in `core.play`)."""


def chance(s: State, p: np.ndarray) -> None:
    """Fills the probability of each outcome of a chance event other than dealing."""


def draw(s: State, luck: Luck) -> int:
    """A random outcome of that chance event."""


def returns(s: State, out: np.ndarray) -> None:
    """The utility of each seat; called at the end of the deal only."""


def margin(s: State, seat: int) -> float:
    """By how much the seat's side has won or lost, in what decides it, such as tricks; called at
    the end of the deal only. 0 where nothing but the utility says so."""


def observe(s: State, seat: int, out: np.ndarray) -> None:
    """Adds the game's compact encoding to the zeroed row `out`."""


def choose(s: State, level: int) -> Cards:
    """The actions among which the rule-based player of this level chooses evenly."""


def relax(s: State) -> None:
    """Drops rules that bind several cards of a hand at once; `cases` accounts for those."""


def cases(s: State, seat: int, k: int, allowed: np.ndarray) -> float:
    """What play has proven beyond pairs of cards, as disjoint cases: narrows `allowed[card]` (the
    set of hands and piles that may hold an unseen card) to case k and gives its weight; < 0 past
    the last.
    """


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    """Invents the unseen past of world `w` (a copy of `s` with other unseen cards in `hands`):
    uniformly, what `dealt` and the events hidden from `seat` may have been."""


VERBS: dict[str, Callable] = {
    f.__name__: f
    for f in (
        *(reset, begin, legal, apply, chance, draw, returns, margin, observe, choose),
        *(relax, cases, retrace),
    )
}


def collect(*modules: ModuleType) -> dict[str, Callable]:
    """The verbs that a game's modules define (a module that calls a verb holds its stub)."""
    found = ((name, vars(m).get(name)) for m in modules for name in VERBS)
    stubs = {None, *VERBS.values(), *(globals()[name] for name in VERBS)}
    return {name: function for name, function in found if function not in stubs}


def register(dtype: np.dtype, functions: dict[str, Callable], title: str) -> None:
    """Makes `functions` the verbs of every record of this dtype, which is that of a game."""
    for name, stub in VERBS.items():
        if name not in functions:
            raise ValueError(f"a game needs the verb {name!r}; its verbs are {', '.join(VERBS)}")
        wanted, given = (list(inspect.signature(f).parameters) for f in (stub, functions[name]))
        if wanted != given:
            raise ValueError(f"verb {name} takes ({', '.join(wanted)}), not ({', '.join(given)})")
    kind = numba.from_dtype(dtype)
    if kind in _by_type:
        raise ValueError("another game's state record has these very fields; add one of your own")
    depends(kind, title, frozenset(f.__module__ for f in functions.values()))
    _by_type[kind] = functions
    _by_dtype[dtype] = functions


def _compiled(name: str, stub: Callable) -> None:
    """Resolves a verb at compile time; the signature must be the stub's own."""

    def resolve(s: types.Type, *rest: types.Type) -> Callable | None:
        found = _by_type.get(s)
        return found[name] if found else None

    resolve.__signature__ = inspect.signature(stub)
    overload(stub, jit_options=INLINED, strict=False)(resolve)


def _interpreted(name: str) -> Callable:
    def run(s: State, *rest: Any) -> Any:
        return _by_dtype[s.dtype][name](s, *rest)

    run.__name__ = name
    return run


if numba.config.DISABLE_JIT:
    for _name in VERBS:
        globals()[_name] = _interpreted(_name)
else:
    for _name, _stub in VERBS.items():
        _compiled(_name, _stub)
