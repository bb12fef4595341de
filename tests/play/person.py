"""A person at a terminal: the program runs in a process of its own, at a pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time
from contextlib import suppress

from tests.commands import python
from tests.interrupts import hear_ctrl_c

PATIENCE_S = 240  # a first start compiles
CTRL_C = b"\x03"
PAINT = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
MOVE = re.compile(r"(\d+) (\S.*?)(?=\s{2,}|$)", re.M)
LETTERS = str.maketrans("♣♦♥♠", "cdhs")
PROMPTS = ("> ", "again? [y/N] ", "press Enter ", "q: leave] ")


def sit_down():
    """In the new process: Ctrl-C typed at this terminal reaches it, and is heard."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    hear_ctrl_c()


class Person:
    """Starts the program, reads its screen up to the next prompt, and types."""

    def __init__(self, *options):
        ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*python("spielgames.play"), *options],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=sit_down,
        )
        os.close(theirs)
        self.terminal, self.raw, self.read = ours, b"", 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)

    @property
    def screen(self):
        """All that was ever shown, without colours."""
        return PAINT.sub("", self.raw.decode()).replace("\r\n", "\n")

    def receive(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            raise TimeoutError(f"nothing more came after:\n{self.screen[-2000:]}")
        try:
            more = os.read(self.terminal, 65536)
        except OSError:  # how Linux says that the other side has closed it
            more = b""
        self.raw += more
        return bool(more)

    def prompt(self):
        """Wait for the next prompt; return what came since the last one."""
        until = time.monotonic() + PATIENCE_S
        while not self.screen[self.read :].endswith(PROMPTS):
            if not self.receive(until - time.monotonic()):
                raise EOFError(self.screen[-2000:])
        shown, self.read = self.screen[self.read :], len(self.screen)
        return shown

    def type(self, line):
        """Type a line (whose echo does not count as shown)."""
        os.write(self.terminal, (line + "\n").encode())
        while not self.screen[self.read :].startswith(line + "\n"):
            self.receive(PATIENCE_S)
        self.read += len(line) + 1

    def press(self, key):
        os.write(self.terminal, key)

    def end(self, patience=PATIENCE_S):
        """Wait for the program's end; return its exit code and last words."""
        while self.receive(patience):
            pass
        return self.process.wait(), self.screen[self.read :]

    def interrupt(self):
        """Presses Ctrl-C, and waits for the end. A key that comes between the prompt and the
        reading is noticed by Python with the next key only: a person presses it again.
        """
        for patience in (5, 20, PATIENCE_S):
            self.press(CTRL_C)
            with suppress(TimeoutError):
                return self.end(patience)
        raise TimeoutError("Ctrl-C was not heard")


def moves(shown):
    """The numbered moves at the end of a screen."""
    return dict(MOVE.findall(shown.rsplit("\n\n", 1)[1].rsplit("\n", 1)[0]))


def typed(number, word):
    """Every third move by its number, the others by name, as one can type it."""
    return number if int(number) % 3 == 0 else word.translate(LETTERS).lower()
