"""The verbs: the few functions that define a game, found by the layout of its state record.

A generic loop calls `legal(s)`. Numba compiles the loop once per game with that game's function
inlined, because functions are looked up by the record's dtype. Uncompiled, the same lookup happens
at run time, so rules can be stepped through in a debugger.

Every state record starts with the fields of `core.record`, which all games have in common.
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
    """Reset all fields but the parameters of the variant to the start of a deal."""


def begin(s: State) -> None:
    """Fill the hands and the turn, when all cards of a dealing stage are in `dealt`."""


def legal(s: State) -> Cards:
    """The legal actions of `s.turn`, as a set."""
    raise NotImplementedError


def apply(s: State, a: int) -> None:
    """Play action or chance outcome `a`. (Dealing itself is generic, in `core.advance`.)"""


def chance(s: State, p: np.ndarray) -> None:
    """Fill the probability of each outcome of a chance event other than dealing."""


def draw(s: State, luck: Luck) -> int:
    """A random outcome of that chance event."""
    raise NotImplementedError


def returns(s: State, out: np.ndarray) -> None:
    """Fill the utility of each seat; called only at the end of the deal."""


def margin(s: State, seat: int) -> float:
    """The margin by which the seat's side has won or lost, in what decides the deal, such as
    tricks; called only at the end of the deal. 0 where only the utility says who won.
    """
    raise NotImplementedError


def observe(s: State, seat: int, out: np.ndarray) -> None:
    """Add the game's compact encoding to the zeroed row `out`."""


def choose(s: State, level: int) -> Cards:
    """The actions among which the rule-based player of this level chooses uniformly."""
    raise NotImplementedError


def relax(s: State) -> None:
    """Drop rules that bind several cards of a hand at once; `cases` accounts for those."""


def cases(s: State, seat: int, k: int, allowed: np.ndarray) -> float:
    """Tell apart cases that exclude each other, where play proves more than can be said card by
    card: narrow `allowed[card]` (the set of hands and piles that may hold an unseen card) to case
    k, and return its weight; < 0 past the last.
    """
    raise NotImplementedError


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    """Invent the unseen past of world `w` (a copy of `s` with other unseen cards in `hands`): draw
    uniformly what `dealt` and the events hidden from `seat` may have been.
    """


def allies(s: State, seat: int) -> Cards:
    """The seats that win and lose with this one, and itself, as a set; none while bidding has yet
    to decide what is played for, and who with whom.
    """
    raise NotImplementedError


def score_bounds(s: State, seat: int) -> tuple[float, float]:
    """Bounds of the seat's final score, a number that never falls while its side's utility rises:
    what it has now if nothing is gained any more, and if everything is.
    """
    raise NotImplementedError


def utility_of(s: State, seat: int, score: float) -> float:
    """The seat's utility if it ends with this score."""
    raise NotImplementedError


def future_key(s: State, seat: int) -> np.uint64:
    """A number that is the same in two positions of a deal only if the same can still happen in
    both, with the same gain over the lower bound of the score; 0 where that is not worth noting.
    """
    raise NotImplementedError


def distinct(s: State, actions: Cards) -> Cards:
    """These legal actions without those that have the same effect as another that remains."""
    raise NotImplementedError


def stage(s: State) -> int:
    """The number of the kind of decision that is due, among the game's `appraisal.stages`."""
    raise NotImplementedError


def is_pause(s: State) -> bool:
    """Whether a state is one that is worth evaluating: the play begins, or a trick is over."""
    raise NotImplementedError


def features(s: State, seat: int, beliefs: np.ndarray, out: np.ndarray) -> None:
    """Add to a zeroed row what a seat may judge its prospects by, in numbers of about unit size.
    `beliefs` are its marginals, `[places, cards]`.
    """


def clues(s: State, beliefs: np.ndarray, out: np.ndarray) -> None:
    """Add to a zeroed row what a seat with these beliefs may predict the mover's play from."""


def merit(s: State, a: int) -> int:
    """The number of the merit that speaks for an action: actions of one kind share one."""
    raise NotImplementedError


def gain(s: State, seat: int) -> float:
    """What the seat believes its side to have won so far, less what the others have, as a share of
    all; only its growth matters.
    """
    raise NotImplementedError


VERBS: dict[str, Callable] = {
    f.__name__: f
    for f in (
        *(reset, begin, legal, apply, chance, draw, returns, margin, observe, choose),
        *(relax, cases, retrace),
        *(allies, score_bounds, utility_of, future_key, distinct),
        *(stage, is_pause, features, clues, merit, gain),
    )
}


def collect(*modules: ModuleType) -> dict[str, Callable]:
    """The verbs that a game's modules define. (A module that calls a verb holds its stub.)"""
    stubs = {*VERBS.values(), *(globals()[name] for name in VERBS)}
    found = ((name, f) for m in modules for name, f in vars(m).items() if name in VERBS)
    return {name: function for name, function in found if function not in stubs}


def register(dtype: np.dtype, functions: dict[str, Callable], title: str) -> None:
    """Make `functions` the verbs of every record of this dtype."""
    for name, stub in VERBS.items():
        if name not in functions:
            raise ValueError(f"a game needs the verb {name!r}; its verbs are {', '.join(VERBS)}")
        wanted, given = (list(inspect.signature(f).parameters) for f in (stub, functions[name]))
        if wanted != given:
            raise ValueError(f"verb {name} takes ({', '.join(wanted)}), not ({', '.join(given)})")
    kind = numba.from_dtype(dtype)
    if kind in _by_type:
        raise ValueError("another game's state record has exactly these fields; add a field")
    depends(kind, title, frozenset(f.__module__ for f in functions.values()))
    _by_type[kind] = functions
    _by_dtype[dtype] = functions


def _compiled(name: str, stub: Callable) -> None:
    """Resolve a verb at compile time; the signature must be the stub's own."""

    def resolve(s: types.Type, *rest: types.Type) -> Callable | None:
        found = _by_type.get(s)
        return found[name] if found else None

    resolver: Any = resolve
    resolver.__signature__ = inspect.signature(stub)
    overload(stub, jit_options=INLINED, strict=False)(resolver)


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
