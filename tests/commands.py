"""Commands that tests run as users do.

A fresh interpreter takes seconds to import PyTorch, Numba and OpenSpiel; a fork of the process that
runs the tests has them. So `run` forks, for commands that refuse, help or compute a little without
PyTorch, whose threads a fork lacks; `run_fresh` is for the others, and where imports are the point.
"""

import importlib
import os
import runpy
import subprocess
import sys
import warnings
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryFile

from absl import flags

ROOT = Path(__file__).parents[1]
FORK = get_context("fork")


def run(command, *options, cwd=ROOT, timeout=100):
    """Run a module (analysis.transcript) or script (experiments/demo.py), without input, in a fork;
    when its seconds are over it is killed, and its exit code is -9.
    """
    with TemporaryFile("w+", encoding="utf-8") as out, TemporaryFile("w+", encoding="utf-8") as err:
        fork = FORK.Process(target=become, args=(command, options, cwd, out, err))
        with warnings.catch_warnings(action="ignore"):  # Python 3.12 warns of threads
            fork.start()
        fork.join(timeout)
        fork.kill()
        fork.join()
        said = [file.seek(0) or file.read() for file in (out, err)]
    return subprocess.CompletedProcess(command, fork.exitcode, *said)


def become(command, options, cwd, *files):
    """Go on as a fresh interpreter would, with standard output and standard error in files."""
    os.chdir(cwd)
    for number, file in enumerate(files, 1):
        os.dup2(file.fileno(), number)
    sys.stdout, sys.stderr = files
    importlib.reload(warnings)  # pytest collects them
    for module, defined in flags.FLAGS.flags_by_module_dict().items():
        for flag in defined if module not in ("absl.app", "absl.logging") else ():
            delattr(flags.FLAGS, flag.name)
    sys.argv = [*python(command)[1:], *options]
    if command.endswith(".py"):
        sys.path.insert(0, os.path.dirname(sys.argv[0]))
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        del sys.argv[0]  # -m
        for module in (command, f"{command}.__main__"):  # runpy would warn of an imported one
            sys.modules.pop(module, None)
        runpy.run_module(command, run_name="__main__", alter_sys=True)


def run_fresh(command, *options, cwd=ROOT, timeout=300):
    """Run it in an interpreter of its own."""
    how = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    return subprocess.run([*python(command), *options], cwd=cwd, timeout=timeout, **how)


def python(command):
    """The words with which a shell starts the module or script."""
    start = [f"{ROOT / command}"] if command.endswith(".py") else ["-m", command]
    return [sys.executable, *start]
