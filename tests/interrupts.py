"""Experiments that tests start as users do, and stop."""

import os
import signal
import subprocess
import time

from tests.commands import ROOT, python


def hear_ctrl_c():
    """Run in the new process: a shell starts background jobs, so whole test runs, deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(script, *options, cwd=ROOT):
    return subprocess.Popen(
        [*python(script), *options],
        cwd=cwd,
        env=os.environ | {"OMP_WAIT_POLICY": "passive"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,
    )


def stop_after_a_line(process, metrics, blow):
    """Stop it when its log has a line; return what it said. After Ctrl-C it says how to go on."""
    with process:
        while process.poll() is None and not (metrics.exists() and metrics.stat().st_size):
            time.sleep(0.01)
        process.send_signal(blow)
        try:
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    if blow == signal.SIGINT:
        assert process.returncode == 130
        assert "Stopped. To go on:" in said
    return said
