"""The house: all tables in memory, those who look at them, and the agents that play there."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from spielgames.web import warming
from spielgames.web.messages import Wrong
from spielgames.web.quick import is_quick, prepare, quick_agent
from spielgames.web.store import Store, pack
from spielgames.web.table import Table
from spielgames.web.warming import FIRST_S, thought
from spielgames.web.workers import Experience, Failed, Pool

FALLBACK = "rules"
NICENESS = 10  # of analyses, so that tables come first
SAVE_S = 0.05  # in which changes of tables are collected before they are written
LOG = "workers.log"  # what the processes that think complain of


Json = dict[str, Any]


def note(words: str) -> Json:
    """Something to tell people."""
    return {"is": "note", "says": words}


def compiling(now: bool) -> Json:
    """Whether people are waiting for something that is being compiled."""
    return {"is": "compiling", "done": not now}


class Guest(Protocol):
    """Whoever looks at a table: a page in a browser."""

    role: int

    def send(self, message: Json) -> None:
        """Send a message."""

    def show(self) -> None:
        """Show how the table stands."""


class Limits(NamedTuple):
    """What a house holds and does."""

    tables: int = 500
    analyses: int = 4  # at once
    think_s: float = 30.0  # for a decision of an agent
    warm_up: bool = False  # whether searches are compiled as soon as a table of their game opens


class House:
    """All tables. Files are written soon after every change, so that a restart loses nothing."""

    def __init__(self, folder: Path, limits: Limits, thinkers: int = 2) -> None:
        self.store, self.limits = Store(folder), limits
        self.store.prune()
        self.tables: dict[str, Table] = {}
        self.guests: dict[str, list[Guest]] = {}
        self.drivers: dict[str, asyncio.Task[None]] = {}
        experience, log = Experience(), folder / LOG
        self.thinkers = Pool(thinkers, experience, log=log)
        self.analysts = Pool(max(limits.analyses, 1), experience, NICENESS, log)
        self.analyses: set[asyncio.Task[None]] = set()
        self.warming: dict[str, asyncio.Task[None]] = {}  # by game
        self.one_by_one = asyncio.Lock()
        self.unsaved: dict[str, Table] = {}
        self.saver: asyncio.Task[None] | None = None

    def add(self, table: Table) -> None:
        """Take a table in, in the place of one at which nobody is if the house is full."""
        if len(self.tables) >= self.limits.tables:
            idle = next((name for name in self.tables if not self.guests.get(name)), None)
            if idle is None:
                raise Wrong(f"the house is full: {self.limits.tables} tables are being played")
            self.forget(idle)
        self.tables[table.id] = table
        self.save(table)
        self.warm_up(table)

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

    def tell_all(self, table: Table, message: Json) -> None:
        for guest in list(self.guests.get(table.id, [])):
            guest.send(message)

    def changed(self, table: Table) -> None:
        """Keep and show a table, and let its agents go on."""
        if self.is_driven(table):
            self.publish(table)
        else:
            self.go_on(table, unseen=True)

    # Agents.

    def is_driven(self, table: Table) -> bool:
        driver = self.drivers.get(table.id)
        return driver is not None and not driver.done()

    def go_on(self, table: Table, unseen: bool = False) -> None:
        """Let the agents play until it is a person's turn."""
        if not self.is_driven(table):
            self.drivers[table.id] = asyncio.create_task(self.drive(table, unseen))

    async def drive(self, table: Table, unseen: bool) -> None:
        """Let forced cards and agents' moves follow each other, while anybody is there to see. What
        is done at once is shown at once; `unseen` says that something has not been shown yet.
        """
        while self.guests.get(table.id):
            if table.play_forced():
                unseen = True
                continue
            spec = table.thinker()
            if spec is None:
                break
            at_once = is_quick(spec) and not table.settings.pace
            if unseen and not at_once:
                self.publish(table)
            unseen, at = at_once, table.at
            policy = await self.think(table, spec)
            if table.at != at:
                continue
            table.deal.play(table.deal.draw(policy, spec), policy[0])
            table.changed()
            if not at_once:
                self.publish(table)
                await asyncio.sleep(table.settings.pace)
        if unseen:
            self.publish(table)

    async def think(self, table: Table, spec: str) -> np.ndarray:
        """The probabilities of an agent; those of the rules if it fails, or takes too long."""
        row = table.deal.row
        if is_quick(spec):
            return quick_agent(spec, table.name).probabilities(row)
        job = thought(table, spec)
        seconds = self.limits.think_s if self.thinkers.experience.knows(job) else FIRST_S
        try:
            answer = await self.thinkers.answer(job, seconds, self.teller(table))
            return np.array([answer["policy"]], np.float32)
        except Failed as error:
            self.tell_all(table, note(f"An agent plays by the rules for once: {error}."))
            return quick_agent(FALLBACK, table.name).probabilities(row)

    def teller(self, table: Table) -> Callable[[bool], None]:
        return lambda now: self.tell_all(table, compiling(now))

    def warm_up(self, table: Table) -> None:
        """Compile what thinks and analyses at a table, unless that is being done for its game."""
        known = table.game.name in self.warming or table.to_move() is None
        if self.limits.warm_up and not known:
            tell = self.teller(table)
            work = warming.compile_for(table, self.thinkers, self.analysts, tell, self.one_by_one)
            self.warming[table.game.name] = asyncio.create_task(work)

    def publish(self, table: Table) -> None:
        self.save(table)
        self.tell(table)

    async def close(self) -> None:
        tasks = [*self.drivers.values(), *self.warming.values()]
        for task in tasks:
            task.cancel()
        if self.saver:
            await self.saver
        await self.thinkers.close()
        await self.analysts.close()
        await asyncio.gather(*tasks, return_exceptions=True)
