"""The house: all tables in memory, those who look at them, and the agents that play there."""

import asyncio
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from spielgames.agents import Agent, make_agent
from spielgames.specs import kind_and_options
from spielgames.web.glance import show
from spielgames.web.messages import Wrong
from spielgames.web.store import Store, pack
from spielgames.web.table import Table
from spielgames.web.worker import pack_row
from spielgames.web.workers import Failed, Pool

COMPILED = ("random", "rules")  # kinds of agents that decide at once
FALLBACK = "rules"
NICENESS = 10  # of analyses, so that tables come first
SAVE_S = 0.05  # in which changes of tables are collected before they are written
FIRST_S = 600.0  # for the first decision of an agent, which may have to compile
SLOW_S = 5.0  # after which people are told why nothing happens


def note(words: str) -> dict[str, Any]:
    """Something to tell people."""
    return {"is": "note", "says": words}


SLOW = note("Compiling, once: the first time takes a minute or two.")


class Guest(Protocol):
    """Whoever looks at a table: a page in a browser."""

    role: int

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""

    def show(self) -> None:
        """Show how the table stands."""


class Limits:
    """What a house holds."""

    def __init__(self, tables: int = 500, analyses: int = 4, think_s: float = 30.0) -> None:
        self.tables, self.analyses, self.think_s = tables, analyses, think_s


class House:
    """All tables. Files are written soon after every change, so that a restart loses nothing."""

    def __init__(self, folder: Path, limits: Limits, thinkers: int = 2, analysts: int = 2) -> None:
        self.store, self.limits = Store(folder), limits
        self.store.prune()
        self.tables: dict[str, Table] = {}
        self.guests: dict[str, list[Guest]] = {}
        self.drivers: dict[str, asyncio.Task[None]] = {}
        self.thinkers, self.analysts = Pool(thinkers), Pool(analysts, NICENESS)
        self.analyses = 0
        self.unsaved: dict[str, Table] = {}
        self.saver: asyncio.Task[None] | None = None
        self.warm: set[tuple[str, str]] = set()  # agents that have decided, and in which game

    def add(self, table: Table) -> None:
        """Take a table in, in the place of one at which nobody is if the house is full."""
        if len(self.tables) >= self.limits.tables:
            idle = next((name for name in self.tables if not self.guests.get(name)), None)
            if idle is None:
                raise Wrong(f"the house is full: {self.limits.tables} tables are being played")
            self.forget(idle)
        self.tables[table.id] = table
        self.save(table)

    def forget(self, name: str) -> None:
        """Leave a table to the disk."""
        if driver := self.drivers.pop(name, None):
            driver.cancel()
        table = self.tables.pop(name)
        if self.unsaved.pop(name, None):
            self.store.save(table)

    def save(self, table: Table) -> None:
        """Write a table soon: the disk may be slow, and nobody is to wait for it."""
        self.unsaved[table.id] = table
        if self.saver is None or self.saver.done():
            self.saver = asyncio.create_task(self.save_all())

    async def save_all(self) -> None:
        while self.unsaved:
            await asyncio.sleep(SAVE_S)
            tables, self.unsaved = self.unsaved, {}
            packed = [pack(table) for table in tables.values()]
            await asyncio.to_thread(self.store.write_all, packed)

    async def find(self, name: str) -> Table:
        """A table in memory, or else on disk."""
        if name not in self.tables:
            table = await asyncio.to_thread(lambda: prepare(self.store.load(name)))
            if name not in self.tables:
                self.add(table)
        return self.tables[name]

    def enter(self, table: Table, guest: Guest) -> None:
        self.guests.setdefault(table.id, []).append(guest)
        if guest.role >= 0:
            table.chairs[guest.role].here += 1
        self.tell(table, but=guest)
        self.go_on(table)

    def leave(self, table: Table, guest: Guest) -> None:
        others = self.guests.get(table.id, [])
        if guest in others:
            others.remove(guest)
            if guest.role >= 0:
                table.chairs[guest.role].here -= 1
            self.tell(table)
        if not others:
            self.guests.pop(table.id, None)

    def tell(self, table: Table, but: Guest | None = None) -> None:
        """Show everybody at a table how it stands."""
        for guest in list(self.guests.get(table.id, [])):
            if guest is not but:
                guest.show()

    def tell_all(self, table: Table, message: dict[str, Any]) -> None:
        for guest in list(self.guests.get(table.id, [])):
            guest.send(message)

    def changed(self, table: Table) -> None:
        """Keep and show a table, and let its agents go on."""
        self.publish(table)
        self.go_on(table)

    # Agents.

    def go_on(self, table: Table) -> None:
        """Let the agents play until it is a person's turn."""
        driver = self.drivers.get(table.id)
        if driver is None or driver.done():
            self.drivers[table.id] = asyncio.create_task(self.drive(table))

    async def drive(self, table: Table) -> None:
        """Let forced cards and agents' moves follow each other, while anybody is there to see."""
        unseen = False
        while self.guests.get(table.id):
            if table.play_forced():
                unseen = True
                continue
            spec = table.thinker()
            if spec is None:
                break
            at = table.at
            policy = await self.think(table, spec)
            if table.at != at:
                continue
            table.deal.play(table.deal.draw(policy, spec), policy[0])
            table.changed()
            unseen = is_quick(spec) and not table.settings.pace
            if not unseen:
                self.publish(table)
            await asyncio.sleep(table.settings.pace)
        if unseen:
            self.publish(table)

    async def think(self, table: Table, spec: str) -> np.ndarray:
        """The probabilities of an agent; those of the rules if it fails, or takes too long."""
        row = table.deal.row
        if is_quick(spec):
            return quick_agent(spec, table.name).probabilities(row)
        job = {"do": "think", "game": table.name, "agent": spec, "row": pack_row(row)}
        known = (spec, table.game.name) in self.warm
        loop = asyncio.get_running_loop()
        patience = loop.call_later(SLOW_S, self.tell_all, table, SLOW) if not known else None
        try:
            seconds = self.limits.think_s if known else FIRST_S
            answer = await self.thinkers.answer(job, seconds)
            self.warm.add((spec, table.game.name))
            return np.array([answer["policy"]], np.float32)
        except Failed as error:
            self.tell_all(table, note(f"An agent plays by the rules for once: {error}."))
            return quick_agent(FALLBACK, table.name).probabilities(row)
        finally:
            if patience:
                patience.cancel()

    def publish(self, table: Table) -> None:
        self.save(table)
        self.tell(table)

    async def close(self) -> None:
        for driver in self.drivers.values():
            driver.cancel()
        await asyncio.gather(*self.drivers.values(), return_exceptions=True)
        if self.saver:
            await self.saver
        await self.thinkers.close()
        await self.analysts.close()


def is_quick(spec: str) -> bool:
    """Whether an agent is compiled, and decides at once."""
    return kind_and_options(spec)[0] in COMPILED


@cache
def quick_agent(spec: str, name: str) -> Agent:
    return make_agent(spec, name)


def prepare(table: Table) -> Table:
    """Compile what the table needs, once and for all, so that nobody waits for it later."""
    row = table.deal.row
    if not table.deal.over:
        for spec in COMPILED:
            quick_agent(spec, table.name).probabilities(row)
    show(table, 0)
    return table
