"""Folders that one process at a time writes to.

held = hold(Path("runs/x"))  # for as long as `held` lives; another process is refused

What a killed process has left half written is swept away when the next one takes hold.
"""

import fcntl
import os
from pathlib import Path
from weakref import WeakValueDictionary, finalize

from spielgames.files import PARTIAL

LOCK = ".lock"
LEFT = (f"{PARTIAL}*", ".[0-9]*-*")  # the second: the names of partial files in earlier versions


class Hold:
    """A lock on a folder. The system releases it when the process ends, for whatever reason."""

    def __init__(self, descriptor: int) -> None:
        self.release = finalize(self, os.close, descriptor)


HOLDS: WeakValueDictionary[tuple[int, int], Hold] = WeakValueDictionary()  # by their lock's inode


def hold(folder: Path) -> Hold:
    """Hold a folder, as often as this process likes; a ValueError if another process holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    status = os.fstat(descriptor)
    key = status.st_dev, status.st_ino
    if found := HOLDS.get(key):
        os.close(descriptor)
        return found
    found = Hold(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(
            f"another process is writing to {folder}; wait until it ends, or take another folder"
        ) from None
    HOLDS[key] = found
    sweep(folder)
    return found


def sweep(folder: Path) -> None:
    """Delete partial files, except in subfolders with a lock of their own."""
    for pattern in LEFT:
        for partial in folder.glob(pattern):
            partial.unlink(missing_ok=True)
    for below in folder.iterdir():
        if below.is_dir() and not below.is_symlink() and not (below / LOCK).exists():
            sweep(below)


def leave_to_parent() -> None:
    """Let go in a forked child, which would otherwise hold the folder after its parent ended."""
    for found in list(HOLDS.values()):
        found.release()
    HOLDS.clear()


os.register_at_fork(after_in_child=leave_to_parent)
