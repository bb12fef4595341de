"""Compiled code in forked processes, which Numba would end where it starts threads."""

import subprocess
import sys

SCRIPT = """
import multiprocessing
import numba
from spielgames import Batch

def play(seed):
    batch = Batch("python_hokm(suits=2,ranks=2)", 2000, seed)
    return numba.get_num_threads(), batch.playouts(seed).sum(0).tolist()

if __name__ == "__main__":
    expected = [play(seed) for seed in (1, 2)]
    for start in ("fork", "spawn"):
        with multiprocessing.get_context(start).Pool(2) as pool:
            found = pool.map_async(play, (1, 2)).get(timeout=200)
        assert [totals for _, totals in found] == [totals for _, totals in expected]
        if start == "fork":  # compiled code that splits work by the number of threads
            assert [threads for threads, _ in found] == [1, 1]
    print("same")
"""


def test_forked_and_spawned_processes_come_to_the_same_results(tmp_path):
    script = tmp_path / "pool.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=500)
    assert done.stdout == "same\n", done.stderr
