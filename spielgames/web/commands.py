"""What a page may ask for that is done at once: one function for each, named in COMMANDS. Some
return an answer; most change the table, and all who look at it are shown that.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from spielgames.play import share
from spielgames.play.comments import read_comments
from spielgames.play.deal import Deal
from spielgames.play.rulebook import read_rules
from spielgames.play.transcript import GAME, read_deals, short_transcript
from spielgames.web import inquiry, lobby
from spielgames.web.glance import opened, show_position
from spielgames.web.messages import Message, Wrong, explained, read_settings
from spielgames.web.quick import prepare
from spielgames.web.table import AGENT, ALL_SEEING, WATCHING, Chair, Settings, Table

if TYPE_CHECKING:
    from spielgames.web.page import Page

Json = dict[str, Any]
Command = Callable[["Page", Message], Awaitable[Json | None]]


# Coming and going.


async def open_table(page: "Page", message: Message) -> None:
    table = await asyncio.to_thread(lambda: prepare(lobby.open_table(message)))
    take_in(page, table, message["seats"])


def take_in(page: "Page", table: Table, seats: list[Any]) -> None:
    """Add a new table to the house, and sit down at it."""
    watching = WATCHING if table.people else ALL_SEEING
    role = seats.index(lobby.ME) if lobby.ME in seats else watching
    page.house.add(table)
    page.send(opened(table, role))
    page.enter(table, role)


async def join(page: "Page", message: Message) -> None:
    table = await page.house.find(message["table"])
    role = table.role_of(message["token"])
    name = lobby.plain_name(message["name"])
    if role >= 0 and name:
        table.chairs[role].name = name
    page.enter(table, role)


async def leave(page: "Page", message: Message) -> None:
    page.here()
    page.leave()


# Playing.


async def act(page: "Page", message: Message) -> None:
    table = at_table(page, message)
    table.act(page.role, message["action"])
    page.house.changed(table)


def at_table(page: "Page", message: Message) -> Table:
    """The table, if it still stands as the browser believes."""
    table = page.here()
    table.check_at(message["at"])
    return table


async def undo(page: "Page", message: Message) -> None:
    table = at_table(page, message)
    table.undo(page.role)
    page.house.changed(table)


async def next_deal(page: "Page", message: Message) -> None:
    table = at_table(page, message)
    table.next_deal(page.role)
    page.house.changed(table)


async def claim(page: "Page", message: Message) -> None:
    table = at_table(page, message)
    if table.to_move() != page.role or table.people != [page.role] or table.autopilot:
        raise Wrong("you may claim when it is your turn and only agents play with you")
    spec = await inquiry.settle(page.analysts, table, page.role)
    table.check_at(message["at"])
    table.autopilot = spec
    table.changed()
    page.house.changed(table)


async def change_settings(page: "Page", message: Message) -> None:
    table = page.here()
    if not table.may_steer(page.role):
        raise Wrong("only those who play may do this")
    table.change_settings(read_settings(message.fields))
    page.house.changed(table)


async def stop(page: "Page", message: Message) -> None:
    page.stop()


# Looking back.


async def look(page: "Page", message: Message) -> Json:
    table = page.here()
    deal, _ = table.position(message["deal"], message["step"])
    return show_position(table, page.role, deal, message["step"], message["eyes"])


async def comment(page: "Page", message: Message) -> None:
    table = page.here()
    table.comment(page.role, message["deal"], message["step"], message["text"])
    page.house.publish(table)


async def branch(page: "Page", message: Message) -> None:
    """A table of one's own that plays on from a position."""
    table = page.here()
    deal, state = table.position(message["deal"], message["step"])
    if state.is_terminal():
        raise Wrong("the deal is over at this step")
    source, players = table.deals[deal], table.game.players
    chairs = lobby.take_seats(table.name, message["seats"], message["name"])
    new = Table(table.name, chairs, source.seed, Settings(hints=table.settings.hints))
    again = Deal(source.name, [None] * players, source.seed, state.history())
    new.add_deal(again, list(range(players)))
    new.closed = True
    take_in(page, new, message["seats"])


async def export_deal(page: "Page", message: Message) -> Json:
    table = page.here()
    number, state = table.position(message["deal"], None)
    if not state.is_terminal():
        raise Wrong("this deal is not over yet")
    deal, code = table.deals[number], share.shorten(state)
    names = [table.chairs[player].name or "?" for player in table.seatings[number]]
    return {
        "is": "transcript",
        "text": short_transcript(deal, names, table.comments[number]),
        "name": f"{table.game.name.removeprefix(share.PREFIX)}-{deal.seed}.txt",
        "code": code,
        "link": f"#deal={code}",
    }


async def import_deals(page: "Page", message: Message) -> None:
    if bool(message["text"]) == bool(message["code"]):
        raise Wrong("give either the text of a transcript or a short string")
    take_in(page, await asyncio.to_thread(imported, message), [])


def imported(message: Message) -> Table:
    """A table with finished deals from elsewhere."""
    with explained():
        if message["code"]:
            ends = [share.lengthen(message["code"])]
        else:
            ends = read_deals(message["text"], "this text")
    comments = read_comments(message["text"], GAME) or [{}]
    game = ends[0].definition
    if any(end.definition is not game for end in ends):
        raise Wrong("all deals of a transcript must be of one game")
    chairs = [Chair(AGENT, f"seat {seat}") for seat in range(game.players)]
    table = Table(str(ends[0].get_game()), chairs, 0, Settings())
    for number, (end, written) in enumerate(zip(ends, comments, strict=True)):
        deal = Deal(str(end.get_game()), [None] * game.players, number, end.history())
        table.add_deal(deal, list(range(game.players)))
        steps = len(deal.turns)
        table.comments[-1].update({k: text for k, text in written.items() if k < steps})
    table.closed = True
    return prepare(table)


# The rest.


async def rules(page: "Page", message: Message) -> Json:
    with explained():
        return {"is": "rules", **read_rules(message["game"])}


async def greet(page: "Page", message: Message) -> Json:
    return page.welcome()


async def ping(page: "Page", message: Message) -> Json:
    return {"is": "pong"}


COMMANDS: dict[str, Command] = {
    "open": open_table,
    "join": join,
    "leave": leave,
    "act": act,
    "undo": undo,
    "next": next_deal,
    "claim": claim,
    "set": change_settings,
    "stop": stop,
    "look": look,
    "comment": comment,
    "branch": branch,
    "export": export_deal,
    "import": import_deals,
    "rules": rules,
    "lobby": greet,
    "ping": ping,
}
