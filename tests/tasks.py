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


def node_of(folder, task):
    """The node of a worker, once two tasks have begun."""
    import ray

    (folder / str(task)).touch()
    while len(list(folder.iterdir())) < 2:
        time.sleep(0.01)
    return ray.get_runtime_context().get_node_id()
