"""A page in a browser: its messages, and what it is answered."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from spielgames.play import share
from spielgames.play.deal import Deal
from spielgames.play.rulebook import read_rules
from spielgames.play.transcript import read_deals, short_transcript
from spielgames.web import inquiry, lobby
from spielgames.web.glance import opened, show, show_position
from spielgames.web.house import SLOW, SLOW_S, House, prepare
from spielgames.web.messages import Message, Wrong, explained, read_message, read_settings
from spielgames.web.table import AGENT, ALL_SEEING, Chair, Settings, Table
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
        self.inquiry_at: str | None = None  # the position on the table that it is about

    # What goes out.

    def send(self, message: Json) -> None:
        """Send a message, unless the browser has long stopped reading."""
        if self.outbox.full():
            self.lost = True
        else:
            self.outbox.put_nowait(message)

    def show(self) -> None:
        """Show the table, and end an analysis of a position that is no more."""
        table = self.here()
        if self.inquiry_at not in (None, table.at):
            self.stop()
        mark = (len(table.deals), table.undone)
        fresh = self.seen[2] if self.seen and self.seen[:2] == mark else None
        view = show(table, self.role, fresh)
        self.seen = (*mark, len(view["log"]))
        self.send(view)

    # What comes in.

    async def hear(self, said: str | bytes) -> None:
        """Obey a message, or say why not."""
        re: Json = {}
        try:
            message = read_message(said)
            re = message.back
            for answer in await self.obey(message):
                self.send(answer | re)
        except (Wrong, Failed) as error:
            self.send({"is": "error", "says": str(error)} | re)
        except Exception:  # a mistake of ours must end no game
            logging.exception("a message could not be obeyed")
            self.send({"is": "error", "says": "the server has made a mistake"} | re)

    async def obey(self, message: Message) -> list[Json]:
        if message.do in inquiry.QUESTIONS:
            self.ask(message)
            return []
        return await COMMANDS[message.do](self, message)

    def here(self) -> Table:
        if self.table is None:
            raise Wrong("you are at no table; open one, or join one")
        return self.table

    def steered(self) -> Table:
        table = self.here()
        if not table.may_steer(self.role):
            raise Wrong("only those who play may do this")
        return table

    async def open(self, message: Message) -> list[Json]:
        table = await asyncio.to_thread(lambda: prepare(lobby.open_table(message)))
        mine = [p for p, who in enumerate(message["seats"]) if who == lobby.ME]
        return self.sit_down(table, mine[0] if mine else ALL_SEEING)

    def sit_down(self, table: Table, role: int) -> list[Json]:
        """Take a new table in, and sit down at it."""
        if role == ALL_SEEING and table.people:
            role = table.people[0]
        self.house.add(table)
        self.send(opened(table, role))
        return self.enter(table, role)

    def enter(self, table: Table, role: int) -> list[Json]:
        self.quit()
        self.table, self.role, self.seen = table, role, None
        self.house.enter(table, self)
        self.show()
        return []

    async def join(self, message: Message) -> list[Json]:
        table = await self.house.find(message["table"])
        role = table.role_of(message["token"])
        name = lobby.plain_name(message["name"])
        if role >= 0 and name:
            table.chairs[role].name = name
        return self.enter(table, role)

    async def leave(self, message: Message) -> list[Json]:
        self.here()
        self.quit()
        return []

    def quit(self) -> None:
        """Leave the table, if there is one."""
        self.stop()
        if self.table:
            table, self.table = self.table, None
            self.house.leave(table, self)

    async def act(self, message: Message) -> list[Json]:
        table = self.here()
        table.check_at(message["at"])
        table.act(self.role, message["action"])
        return self.done(table)

    async def undo(self, message: Message) -> list[Json]:
        table = self.here()
        table.check_at(message["at"])
        table.undo(self.role)
        return self.done(table)

    async def next(self, message: Message) -> list[Json]:
        table = self.here()
        table.check_at(message["at"])
        table.next_deal(self.role)
        return self.done(table)

    async def claim(self, message: Message) -> list[Json]:
        table = self.here()
        table.check_at(message["at"])
        if table.to_move() != self.role or table.people != [self.role] or table.autopilot:
            raise Wrong("you may claim when it is your turn and only agents play with you")
        spec = await inquiry.settle(self.house.analysts, table, self.role)
        table.check_at(message["at"])
        table.autopilot = spec
        table.changed()
        return self.done(table)

    async def set(self, message: Message) -> list[Json]:
        table = self.steered()
        for name, value in read_settings(message.fields).items():
            setattr(table.settings, name, value)
        if table.people:
            table.settings.paused = False
        table.changed()
        return self.done(table)

    def done(self, table: Table) -> list[Json]:
        self.house.changed(table)
        return []

    # Looking back.

    async def look(self, message: Message) -> list[Json]:
        table = self.here()
        deal, _ = table.position(message["deal"], message["step"])
        return [show_position(table, self.role, deal, message["step"], message["eyes"])]

    async def branch(self, message: Message) -> list[Json]:
        """A table of one's own that plays on from a position."""
        table = self.here()
        deal, state = table.position(message["deal"], message["step"])
        if state.is_terminal():
            raise Wrong("the deal is over at this step")
        source = table.deals[deal]
        chairs = lobby.take_seats(table.name, message["seats"], message["name"])
        new = Table(table.name, chairs, source.seed, Settings(hints=table.settings.hints))
        nobody = [None] * table.game.players
        seats = list(range(table.game.players))
        new.add_deal(Deal(source.name, nobody, source.seed, state.history()), seats)
        new.closed = True
        mine = [p for p, who in enumerate(message["seats"]) if who == lobby.ME]
        return self.sit_down(new, mine[0] if mine else ALL_SEEING)

    async def export(self, message: Message) -> list[Json]:
        table = self.here()
        number, state = table.position(message["deal"], None)
        if not state.is_terminal():
            raise Wrong("this deal is not over yet")
        deal, code = table.deals[number], share.shorten(state)
        names = [table.chairs[player].name or "?" for player in table.seatings[number]]
        short = table.game.name.removeprefix(share.PREFIX)
        return [
            {
                "is": "transcript",
                "text": short_transcript(deal, names),
                "name": f"{short}-{deal.seed}.txt",
                "code": code,
                "link": f"#deal={code}",
            }
        ]

    async def import_(self, message: Message) -> list[Json]:
        if bool(message["text"]) == bool(message["code"]):
            raise Wrong("give either the text of a transcript or a short string")
        return self.sit_down(await asyncio.to_thread(imported, message), ALL_SEEING)

    # Questions, which take time.

    def ask(self, message: Message) -> None:
        table = self.here()
        self.stop()
        if self.house.analyses >= self.house.limits.analyses:
            raise Wrong("the house is busy with other analyses; ask again in a moment")
        live = message["deal"] is None and message.fields.get("step") is None
        self.inquiry_at = table.at if live and message.do != "review" else None
        self.house.analyses += 1
        self.inquiry = asyncio.create_task(self.answer(message, table, self.inquiry_at))

    async def answer(self, message: Message, table: Table, at: str | None) -> None:
        question = inquiry.QUESTIONS[message.do]
        re = message.back
        kind = "analysis" if message.do == "explain" else message.do
        patience = asyncio.get_running_loop().call_later(SLOW_S, self.send, SLOW)
        try:
            async for told in question(self.house.analysts, table, self.role, message):
                patience.cancel()
                self.send(told | re)
        except (Wrong, Failed) as error:
            self.send({"is": "error", "says": str(error)} | re)
        except asyncio.CancelledError:
            self.send({"is": kind, "at": at, "done": True, "cancelled": True} | re)
            raise
        finally:
            patience.cancel()
            self.house.analyses -= 1

    def stop(self) -> None:
        """End the running inquiry."""
        if self.inquiry and not self.inquiry.done():
            self.inquiry.cancel()
        self.inquiry = self.inquiry_at = None

    async def stop_(self, message: Message) -> list[Json]:
        self.stop()
        return []

    # The rest.

    async def rules(self, message: Message) -> list[Json]:
        with explained():
            return [{"is": "rules", **read_rules(message["game"])}]

    async def lobby(self, message: Message) -> list[Json]:
        return [self.welcome()]

    def welcome(self) -> Json:
        return lobby.hello(self.house.limits.tables, self.house.limits.analyses)

    async def ping(self, message: Message) -> list[Json]:
        return [{"is": "pong"}]


def imported(message: Message) -> Table:
    """A table with a finished deal from elsewhere."""
    with explained():
        if message["code"]:
            ends = [share.lengthen(message["code"])]
        else:
            ends = read_deals(message["text"], "this text")
    game = ends[0].get_game()
    if any(end.definition is not ends[0].definition for end in ends):
        raise Wrong("all deals of a transcript must be of one game")
    players = ends[0].definition.players
    chairs = [Chair(AGENT, f"seat {seat}") for seat in range(players)]
    table = Table(str(game), chairs, 0, Settings())
    for number, end in enumerate(ends):
        deal = Deal(str(end.get_game()), [None] * players, number, end.history())
        table.add_deal(deal, list(range(players)))
    table.closed = True
    return prepare(table)


Command = Callable[[Page, Message], Awaitable[list[Json]]]
COMMANDS: dict[str, Command] = {
    "open": Page.open,
    "join": Page.join,
    "leave": Page.leave,
    "act": Page.act,
    "undo": Page.undo,
    "claim": Page.claim,
    "next": Page.next,
    "set": Page.set,
    "stop": Page.stop_,
    "look": Page.look,
    "branch": Page.branch,
    "export": Page.export,
    "import": Page.import_,
    "rules": Page.rules,
    "lobby": Page.lobby,
    "ping": Page.ping,
}
