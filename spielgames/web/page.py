"""A page in a browser: the messages that come from it, and what it is sent."""

import asyncio
import logging
from typing import Any

from spielgames.web import inquiry
from spielgames.web.commands import COMMANDS
from spielgames.web.glance import show
from spielgames.web.house import House, compiling
from spielgames.web.lobby import hello
from spielgames.web.messages import Message, Wrong, read_message
from spielgames.web.table import Table
from spielgames.web.workers import Failed

Json = dict[str, Any]
Inquiry = asyncio.Task[None]
ENDING_S = 1.0  # for which a new question waits for the old one's process
UNSENT = 500  # messages that wait for a slow browser


class Page:
    """One connection. `outbox` has what waits to be sent."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.outbox: asyncio.Queue[Json] = asyncio.Queue(UNSENT)
        self.lost = False  # whether something could not be sent
        self.table: Table | None = None
        self.role = 0
        self.seen: tuple[int, int, int] | None = None  # deals, undone, and length of the log
        self.inquiry: Inquiry | None = None
        self.ending: Inquiry | None = None  # the one before, while its process is being stopped
        self.asked: Message | None = None
        self.asked_at: str | None = None  # the position on the table that it is about

    def welcome(self) -> Json:
        return hello(self.house.limits.tables, self.house.limits.analyses)

    # What goes out.

    def send(self, message: Json) -> None:
        """Send a message, unless the browser has long stopped reading."""
        if self.outbox.full():
            self.lost = True
        else:
            self.outbox.put_nowait(message)

    def show(self) -> None:
        """Show the table, and end an inquiry into a position that is no more."""
        table = self.here()
        if self.asked_at not in (None, table.at):
            self.stop()
        mark = (len(table.deals), table.undone)
        fresh = self.seen[2] if self.seen and self.seen[:2] == mark else None
        view = show(table, self.role, fresh)
        self.seen = (*mark, len(view["log"]))
        self.send(view)

    # What comes in.

    async def hear(self, said: str | bytes) -> None:
        """Obey a message, or say why not."""
        back: Json = {}
        try:
            message = read_message(said)
            back = message.back
            if message.do in inquiry.QUESTIONS:
                self.ask(message)
            elif answer := await COMMANDS[message.do](self, message):
                self.send(answer | back)
        except (Wrong, Failed) as error:
            self.send({"is": "error", "says": str(error)} | back)
        except Exception:  # a mistake of ours must end no game
            logging.exception("a message could not be obeyed")
            self.send({"is": "error", "says": "the server has made a mistake"} | back)

    # Where it is.

    def here(self) -> Table:
        if self.table is None:
            raise Wrong("you are at no table; open one, or join one")
        return self.table

    def enter(self, table: Table, role: int) -> None:
        self.leave()
        self.table, self.role, self.seen = table, role, None
        self.house.enter(table, self)
        self.show()

    def leave(self) -> None:
        """Leave the table, if there is one."""
        self.stop()
        if self.table:
            table, self.table = self.table, None
            self.house.leave(table, self)

    # Questions, which take time.

    @property
    def analysts(self) -> inquiry.Analysts:
        return inquiry.Analysts(self.house.analysts, lambda now: self.send(compiling(now)))

    def ask(self, message: Message) -> None:
        """Begin an inquiry, in the place of the one before."""
        table = self.here()
        self.stop()
        if len(self.house.analyses) >= self.house.limits.analyses:
            raise Wrong("the house is busy with other analyses; ask again in a moment")
        live = message.do != "review" and message["deal"] is None and message["step"] is None
        self.asked, self.asked_at = message, table.at if live else None
        self.inquiry = asyncio.create_task(self.answer(message, table, self.ending))
        self.house.analyses.add(self.inquiry)
        self.inquiry.add_done_callback(self.answered)

    async def answer(self, message: Message, table: Table, ending: Inquiry | None) -> None:
        """Answer a question, if possible by the process that is about to be free."""
        if ending:
            await asyncio.wait({ending}, timeout=ENDING_S)
        question = inquiry.QUESTIONS[message.do]
        try:
            async for told in question(self.analysts, table, self.role, message):
                self.send(told | message.back)
        except (Wrong, Failed) as error:
            self.send({"is": "error", "says": str(error)} | message.back)

    def answered(self, task: Inquiry) -> None:
        self.house.analyses.discard(task)
        if not task.cancelled() and task.exception():
            logging.error("a question could not be answered", exc_info=task.exception())

    def stop(self) -> None:
        """End the running inquiry, and say so."""
        running = self.inquiry and not self.inquiry.done()
        if running and self.inquiry and self.asked:
            self.inquiry.cancel()
            self.house.analyses.discard(self.inquiry)  # its process may still be busy for a moment
            self.ending = self.inquiry
            kind = inquiry.ANSWERS.get(self.asked.do, self.asked.do)
            told = {"is": kind, "at": self.asked_at, "done": True, "cancelled": True}
            self.send(told | self.asked.back)
        self.inquiry = self.asked = self.asked_at = None
