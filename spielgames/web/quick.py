"""Agents that decide at once, in the server itself."""

from functools import cache

from spielgames.agents import Agent, make_agent
from spielgames.specs import kind_and_options
from spielgames.web.glance import show
from spielgames.web.table import Table

COMPILED = ("random", "rules")  # kinds of agents


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
