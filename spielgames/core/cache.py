"""Compiled functions, and where their machine code is kept.

Numba's own disk cache notices edits neither in functions that a cached function calls, nor in the
rules of a game that a generic loop was compiled for: old machine code would play new rules. Here
each piece of machine code has a file named after everything that it follows from: the function, the
types of its arguments, the compiler, the processor, and the sources (`core.sources`) of the
function's module and of every game whose state records are among the arguments.

Files lie in `NUMBA_CACHE_DIR/spielgames` if that is set, else in `~/.cache/spielgames` (or below
`XDG_CACHE_HOME`), else in a temporary folder of this user; they are deleted when unused for a
month.
"""

import hashlib
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numba
from numba import njit, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from spielgames.core import sources
from spielgames.core.translation import WholeCompiler
from spielgames.files import replacing

MONTH_S = 30 * 24 * 3600
Signature = Any  # of Numba's: a tuple of types, or one with a return type
_announced: set[str] = set()


class Rules(NamedTuple):
    """The game that a record belongs to; its verbs are inlined into loops over such records."""

    title: str
    modules: frozenset[str]


_rules: dict[types.Type, Rules] = {}


def compiled(function: Callable | None = None, *, nogil: bool = True, **options: Any) -> Callable:
    """`numba.njit`, with machine code kept on disk for as long as its sources stay the same."""
    if function is None:
        return partial(compiled, nogil=nogil, **options)
    dispatcher = njit(nogil=nogil, pipeline_class=WholeCompiler, **options)(function)
    if not numba.config.DISABLE_JIT:
        dispatcher._cache = MachineCode(function, {"nogil": nogil, **options})
    return dispatcher


def depends(record: types.Type, title: str, modules: frozenset[str]) -> None:
    """Register that machine code for this game's record is made from these modules, too."""
    _rules[record] = Rules(title, modules)


class MachineCode(_Cache):
    """The cache that Numba asks before it compiles a function, and saves to afterwards."""

    def __init__(self, function: Callable, options: dict[str, Any]) -> None:
        self.function, self.options = function, options

    def load_overload(self, sig: Signature, target_context: Any) -> CompileResult | None:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        kept = load(path) if path else None
        if kept is None:
            announce({rules.title for rules in games(normalize_signature(sig)[0])})
            return None
        return CompileResult._rebuild(target_context, *kept)

    def save_overload(self, sig: Signature, data: CompileResult) -> None:
        path = self._path(sig, data.codegen)
        if path is None or data.lifted or data.library.has_dynamic_globals:
            return
        try:
            with replacing(path) as partial_path:
                partial_path.write_bytes(dumps(data._reduce()))
            prune(path.parent)
        except OSError:
            pass  # no room: it is compiled again the next time

    def _path(self, sig: Signature, codegen: Any) -> Path | None:
        """The file of the machine code for these arguments; None if it cannot be kept."""
        arguments, _ = normalize_signature(sig)
        modules = (rules.modules for rules in games(arguments))
        made_from = sources.hash_of(frozenset({self.function.__module__}).union(*modules))
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        key = repr(
            (name, arguments, self.options, made_from)
            + (numba.__version__, sys.implementation.cache_tag, codegen.magic_tuple())
            + (str(numba.config.OPT), numba.config.BOUNDSCHECK)
        )
        root = folder()
        if root is None or made_from is None or self.function.__closure__ or " at 0x" in key:
            return None
        return root / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.machine-code"

    @property
    def cache_path(self) -> str:
        return str(folder())

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...


def records(kinds: Any) -> Iterator[types.Type]:
    """All record types within the types of some arguments."""
    for kind in kinds:
        if isinstance(kind, types.Record):
            yield kind
            yield from records(field.type for field in kind.fields.values())
        elif isinstance(kind, types.BaseTuple):
            yield from records(kind.types)
        elif hasattr(kind, "dtype"):
            yield from records([kind.dtype])


def games(kinds: Any) -> list[Rules]:
    """The games whose records are among the types of some arguments."""
    return [_rules[kind] for kind in records(kinds) if kind in _rules]


def load(path: Path) -> tuple | None:
    """Load what was kept there; None if there is nothing, or a damaged file."""
    try:
        os.utime(path)  # it is in use
        return pickle.loads(path.read_bytes())
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        return None


def announce(titles: set[str]) -> None:
    """Tell a person who is waiting why, once per game."""
    new = sorted(titles - _announced)
    if new and is_watched():
        kept = f"kept in {folder()}" if folder() else "no folder to keep it in is writable"
        print(f"compiling {' and '.join(new)}, once ({kept}) …", file=sys.stderr, flush=True)
    _announced.update(new)


def is_watched() -> bool:
    """Whether a person watches: at a terminal, a Python prompt or in a notebook."""
    return hasattr(sys, "ps1") or (sys.stderr is not None and sys.stderr.isatty())


@cache
def folder() -> Path | None:
    """The folder of all machine code; None if no folder is writable."""
    for place in (chosen_folder, home_folder, temporary_folder):
        try:
            path = place()
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            tempfile.TemporaryFile(dir=path).close()
            return path
        except (OSError, RuntimeError):
            continue
    return None


def chosen_folder() -> Path:
    if not os.environ.get("NUMBA_CACHE_DIR"):
        raise FileNotFoundError
    return Path(os.environ["NUMBA_CACHE_DIR"]) / "spielgames"


def home_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spielgames"


def temporary_folder() -> Path:
    """A folder that nobody else may write to, because machine code is run unchecked."""
    path = Path(tempfile.gettempdir()) / f"spielgames-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    if path.lstat().st_uid != os.getuid() or path.lstat().st_mode & 0o022:
        raise PermissionError
    return path


@cache
def prune(root: Path) -> None:
    """Delete what was not used for a month; once per process is enough."""
    for path in root.glob("*.machine-code"):
        if time.time() - path.stat().st_mtime > MONTH_S:
            path.unlink(missing_ok=True)
