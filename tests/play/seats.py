"""People at the table who are not there: a terminal whose lines are written beforehand."""

from contextlib import nullcontext

from spielgames.agents import make_agent
from spielgames.core.record import event_seat, is_chance
from spielgames.play.deal import Deal
from spielgames.play.session import Session


class Script:
    """A terminal that types the given lines, then ends; `shown` is all that was on it."""

    def __init__(self, lines=()):
        self.lines = iter(lines)
        self.shown = ""

    def show(self, text):
        self.shown += text + "\n"

    def ask(self, prompt):
        self.shown += prompt
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    def clear(self):
        self.shown += "CLEAR\n"

    def busy(self):
        return nullcontext()

    def pause(self):
        return ""


class Eager(Script):
    """Types the given lines, then always the first move; sits through a number of deals."""

    def __init__(self, lines=(), deals=1):
        super().__init__(lines)
        self.more = iter(["y"] * (deals - 1) + ["no"])

    def ask(self, prompt):
        self.shown += prompt
        return next(self.more) if prompt.startswith("again?") else next(self.lines, "1")


def agents(name, specs):
    return [None if spec == "human" else make_agent(spec, name) for spec in specs]


def session(terminal, name, specs, hint="random"):
    return Session(terminal, name, specs, agents(name, specs), hint)


def a_deal(name, specs, seed=5):
    return Deal(name, agents(name, specs), seed)


def played(row, seat):
    """The decisions of a seat so far."""
    events = row["events"][0][: row["length"][0]]
    return [int(e) & 255 for e in events if not is_chance(e) and event_seat(e) == seat]
