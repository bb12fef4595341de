"""Forked processes work on one core.

OpenMP's threads do not survive a fork, and Numba ends a child that asks for them; a pool of such
children then waits forever.
"""

import os

import numba
from numba.np.ufunc import parallel

_forked = False


def is_forked() -> bool:
    """Whether this process was forked from one that had loaded this package."""
    return _forked


def note_fork() -> None:
    global _forked
    _forked = True
    if parallel._is_initialized:  # compiled code that asks for the number of threads goes by this
        numba.set_num_threads(1)


os.register_at_fork(after_in_child=note_fork)
