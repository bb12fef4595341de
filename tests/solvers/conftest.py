import numba
import pytest
import torch


@pytest.fixture(scope="module")
def one_thread():
    """Small networks are slower on many cores, most of all where several tests run at once."""
    threads = torch.get_num_threads(), numba.get_num_threads()
    torch.set_num_threads(1)
    numba.set_num_threads(1)
    yield
    torch.set_num_threads(threads[0])
    numba.set_num_threads(threads[1])
