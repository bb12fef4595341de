"""Ctrl-C for programs that tests start."""

import signal


def hear_ctrl_c():
    """Run in the new process: a shell starts background jobs, so whole test runs, deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
