"""The number of threads that the libraries compute on."""

import numba
import torch


def use_threads(threads: int) -> None:
    """Set the threads of PyTorch and Numba.

    One is often fastest on small networks, and leaves the other cores to other runs.
    """
    most = numba.config.NUMBA_NUM_THREADS
    if not 1 <= threads <= most:
        raise ValueError(f"threads={threads} is not allowed; it is from 1 to {most}")
    numba.set_num_threads(threads)  # first: when Numba starts its threads, it resets PyTorch's
    torch.set_num_threads(threads)
