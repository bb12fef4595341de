"""A page in a browser: the messages that come from it, and what it is sent."""

import asyncio
import logging
from typing import Any

from spielgames.web import inquiry
from spielgames.web.commands import COMMANDS
from spielgames.web.glance import show
from spielgames.web.house import SLOW, SLOW_S, House
from spielgames.web.lobby import hello
from spielgames.web.messages import Message, Wrong, read_message
from spielgames.web.table import Table
from spielgames.web.workers import Failed

Json = dict[str, Any]
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
        self.inquiry: asyncio.Task[None] | None = None
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

    def ask(self, message: Message) -> None:
        """Begin an inquiry, in the place of the one before."""
        table = self.here()
        self.stop()
        if self.house.analyses >= self.house.limits.analyses:
            raise Wrong("the house is busy with other analyses; ask again in a moment")
        live = message.do != "review" and message["deal"] is None and message["step"] is None
        self.asked, self.asked_at = message, table.at if live else None
        self.house.analyses += 1
        self.inquiry = asyncio.create_task(self.answer(message, table))
        self.inquiry.add_done_callback(self.answered)

    async def answer(self, message: Message, table: Table) -> None:
        question = inquiry.QUESTIONS[message.do]
        patience = asyncio.get_running_loop().call_later(SLOW_S, self.send, SLOW)
        try:
            async for told in question(self.house.analysts, table, self.role, message):
                patience.cancel()
                self.send(told | message.back)
        except (Wrong, Failed) as error:
            self.send({"is": "error", "says": str(error)} | message.back)
        finally:
            patience.cancel()

    def answered(self, task: asyncio.Task[None]) -> None:
        self.house.analyses -= 1
        if not task.cancelled() and task.exception():
            logging.error("a question could not be answered", exc_info=task.exception())

    def stop(self) -> None:
        """End the running inquiry, and say so."""
        running = self.inquiry and not self.inquiry.done()
        if running and self.inquiry and self.asked:
            self.inquiry.cancel()
            kind = inquiry.ANSWERS.get(self.asked.do, self.asked.do)
            told = {"is": kind, "at": self.asked_at, "done": True, "cancelled": True}
            self.send(told | self.asked.back)
        self.inquiry = self.asked = self.asked_at = None
