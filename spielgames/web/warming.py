"""Compiling in the background: what thinks and analyses is used once before people ask for it."""

import asyncio
from contextlib import suppress

from spielgames.play.roster import analyst
from spielgames.web.inquiry import FIRST_WORLDS, about
from spielgames.web.quick import is_quick
from spielgames.web.table import Table
from spielgames.web.workers import Failed, Job, Pool, Tell

FIRST_S = 600.0  # for the first answer of an agent, which may have to compile


def thought(table: Table, spec: str) -> Job:
    """The job of an agent that has to move."""
    return {"do": "think", "agent": spec, **about(table, table.deal.state)}


def first_analysis(table: Table) -> Job:
    spec = analyst(table.game.name, FIRST_WORLDS)
    return {"do": "explain", "rounds": 1, "agent": spec, **about(table, table.deal.state)}


async def compile_for(
    table: Table, thinkers: Pool, analysts: Pool, tell: Tell, one_by_one: asyncio.Lock
) -> None:
    """Do all that people at a table may ask for. Tables of several games take turns."""
    specs = [table.opponent(chair).spec for chair in table.chairs if chair.agent]
    jobs = [(thinkers, thought(table, spec)) for spec in dict.fromkeys(specs) if not is_quick(spec)]
    jobs.append((analysts, first_analysis(table)))
    async with one_by_one:
        for pool, job in jobs:
            with suppress(Failed):
                await pool.answer(job, FIRST_S, tell)
