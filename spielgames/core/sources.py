"""The sources that a module was made from, its own and all that it imports, as one hash.

Docstrings, comments, layout and the annotations of functions do not count. Imports are followed
into the given packages and into everything that is not installed; the standard library and
installed packages such as NumPy are taken as given.
"""

import ast
import hashlib
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

STARTED = time.time()
LIBRARIES = ("site-packages", "dist-packages")
STANDARD = Path(sysconfig.get_path("stdlib"))


class Source(NamedTuple):
    digest: str
    imports: tuple[str, ...]  # names of modules, and of what may be one


@cache
def hash_of(modules: frozenset[str]) -> str | None:
    """The hash of everything that these modules were made from; None if that is unknown."""
    roots = {name.partition(".")[0] for name in modules}
    found: dict[str, str] = {}
    open_names = set(modules)
    while open_names:
        name = open_names.pop()
        source = read(name)
        if source is None:
            return None
        found[name] = source.digest
        open_names |= set(followed(source.imports, roots)) - set(found)
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def followed(names: Iterable[str], roots: set[str]) -> Iterator[str]:
    """Those of the names that belong to modules whose sources count."""
    for name in names:
        module = sys.modules.get(name)
        if module is not None and (name.partition(".")[0] in roots or is_being_developed(module)):
            yield name


def is_being_developed(module: ModuleType) -> bool:
    """Whether a module is neither installed nor part of Python."""
    path = Path(getattr(module, "__file__", None) or sys.prefix)
    installed = any(part in LIBRARIES for part in path.parts)
    return path.suffix == ".py" and not installed and not path.is_relative_to(STANDARD)


@cache
def read(name: str) -> Source | None:
    """The source of a loaded module. None if there is no file, or if it has changed since Python
    started, because then it is unknown which version was loaded.
    """
    module = sys.modules.get(name)
    path = Path(getattr(module, "__file__", None) or "")
    try:
        if module is None or path.suffix != ".py" or path.stat().st_mtime > STARTED:
            return None
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError):
        return None
    package = getattr(module, "__package__", None) or ""
    imports = tuple(sorted(imported(tree, package)))
    drop_words(tree)
    return Source(hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imports)


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """The modules imported when this one is. Imports inside functions cannot affect their machine
    code.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from imported(node, package)


def drop_words(tree: ast.Module) -> None:
    """Drop docstrings and the annotations of functions, because no machine code depends on them.
    Those of classes stay: they are the fields of tuples.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            has_one = ast.get_docstring(node, clean=False) is not None
            node.body = node.body[has_one:]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
