"""Keys Numba's on-disk cache by the package's sources.

Numba does not notice edits in functions that a cached function calls. A cache folder named after a
hash of every source file means that old machine code can never play new rules. Import this module
before any function is compiled; another package whose compiled functions call each other says
`cache.include(Path(__file__).parent)` before they are.
"""

import hashlib
import os
import shutil
import time
from pathlib import Path

import numba

PACKAGES = [Path(__file__).resolve().parent.parent]
KEEP = 4
WEEK_S = 7 * 24 * 3600


def source_hash() -> str:
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "spielgames"


def prune(root: Path) -> None:
    """Forgets the machine code of all but the newest versions, once it is a week old."""
    folders = sorted(root.glob("numba-*"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in folders[KEEP:]:
        if time.time() - old.stat().st_mtime > WEEK_S:
            shutil.rmtree(old, ignore_errors=True)


def configure() -> None:
    """Points Numba at this version's folder, unless NUMBA_CACHE_DIR names one."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    root = cache_root()
    folder = root / f"numba-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        prune(root)
    except OSError:
        return  # a read-only home: Numba falls back to its own choice
    numba.config.CACHE_DIR = str(folder)


def include(package: Path) -> None:
    """From here on, machine code is kept by the sources of this package, too."""
    if package.resolve() not in PACKAGES:
        PACKAGES.append(package.resolve())
        configure()


configure()
