"""Tasks for tests of executors, where workers can import them."""

import os
import time


def add(shared, task):
    return shared + task


def fail(shared, task):
    raise ValueError(f"task {task} is bad")


def end_abruptly(shared, task):
    os._exit(1)


def wait_for_file(path, task):
    """Task 0 waits until there is a file."""
    while task == 0 and not path.exists():
        time.sleep(0.01)
    return task
