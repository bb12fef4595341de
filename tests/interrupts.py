"""Ctrl-C for programs that tests start."""

import signal


def hear_ctrl_c():
    """Run in the new process: shells start background jobs, such as a whole test run, deaf to it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
