"""Thousands of deals of agents, as a data set in one file.

    python -m analysis.dataset --game=python_hokm --agents=rules --out=deals.jsonl.gz
    python -m analysis.dataset --agents=pimc:50,rules --duplicate --deals=10000 --out=a.jsonl.gz

One agent sits in all seats; several take turns around the table, from seat 0 on. With --duplicate,
two agents play each deal in every seating, as in tournaments. The first line of the file says what
is in it; every other one is a deal (docs/deal_files.md), which follows from the seed and its
number.

While the file is being made it is called OUT.part; the same command goes on with it after Ctrl-C or
a crash, to the same file.
"""

import fcntl
import gzip
import json
import shlex
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyspiel
from absl import flags
from tqdm import tqdm

from spielgames.agent_help import describe_agents
from spielgames.agents import make_agent
from spielgames.command import check_place, define_game, run, user_input
from spielgames.contest import final_states, pair_lineups
from spielgames.core.game import Game
from spielgames.core.registry import find
from spielgames.deal_files import FinishedDeal
from spielgames.deal_files.lines import HEADER, SCHEMA, to_line
from spielgames.specs import split_specs

ENDING, PART = ".jsonl.gz", ".part"
AT_ONCE = 100  # deals that are played, compressed and written together
MEMBER = 16 + zlib.MAX_WBITS  # of a gzip file
VERSIONS = ("spielgames", "open_spiel", "numba", "numpy")


@dataclass(frozen=True)
class Plan:
    """What a data set holds."""

    game: str
    agents: list[str]
    lineups: list[list[int]]
    deals: int
    seed: int
    states: bool

    def header(self, command: str) -> dict[str, Any]:
        """The first line of the file."""
        versions = {name: version(name) for name in VERSIONS}
        about = {HEADER: SCHEMA, "version": find(self.game)[0].version} | self.__dict__
        return about | {"command": command, "versions": versions}


def lineups_for(game: Game, agents: Sequence[str], duplicate: bool) -> list[list[int]]:
    """Who sits where, in each play of a deal."""
    if duplicate and len(agents) != 2:
        raise ValueError(f"--duplicate is for two agents, not {len(agents)}")
    if not 1 <= len(agents) <= game.players:
        raise ValueError(f"{len(agents)} agents are not allowed; {game.title} seats {game.players}")
    if duplicate:
        return pair_lineups(game).tolist()
    return [[seat % len(agents) for seat in range(game.players)]]


def play_part(plan: Plan, agents: list, first: int) -> Iterator[str]:
    """The lines of some deals."""
    face, deals = pyspiel.load_game(plan.game), min(AT_ONCE, plan.deals - first)
    done = first * len(plan.lineups)
    for states in final_states(agents, np.array(plan.lineups), deals, plan.seed, first):
        for k in range(len(states)):
            deal, lineup = divmod(done, len(plan.lineups))
            seats = tuple(plan.agents[agent] for agent in plan.lineups[lineup])
            yield to_line(
                FinishedDeal(face.state_of(states[k : k + 1]), seats, plan.seed, deal), plan.states
            )
            done += 1


def make(plan: Plan, out: Path, command: str, show: bool = False) -> None:
    """Make the file, or go on with what is there of it."""
    agents = [make_agent(spec, plan.game) for spec in plan.agents]
    partial = out.with_name(out.name + PART)
    with partial.open("a+b") as file:
        hold(file, partial)
        done = begin(file, partial, plan.header(command))
        with tqdm(total=plan.deals, initial=done, unit=" deals", disable=not show) as bar:
            for first in range(done, plan.deals, AT_ONCE):
                write(file, play_part(plan, agents, first))
                bar.update(min(AT_ONCE, plan.deals - first))
        partial.replace(out)


def hold(file: IO[bytes], partial: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(f"another process is writing to {partial}") from None


def write(file: IO[bytes], lines: Iterator[str]) -> None:
    """Add lines as one member of a gzip file, which is there whole or is cut off later."""
    text = "".join(f"{line}\n" for line in lines)
    file.write(gzip.compress(text.encode(), mtime=0))
    file.flush()


def begin(file: IO[bytes], partial: Path, header: dict[str, Any]) -> int:
    """Write the header, or cut off what is torn; return how many deals are there."""
    file.seek(0)
    members, end = whole_members(file.read())
    file.truncate(end)
    file.seek(0, 2)
    if not members:
        write(file, iter([json.dumps(header, ensure_ascii=False)]))
        return 0
    if without_command(json.loads(members[0])) != without_command(header):
        raise ValueError(f"{partial} was begun by another command: finish it, or delete it")
    plays = sum(member.count(b"\n") for member in members[1:])
    return plays // len(header["lineups"])


def without_command(header: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in header.items() if key != "command"}


def whole_members(raw: bytes) -> tuple[list[bytes], int]:
    """What the whole members of a gzip file hold, and where the last of them ends."""
    members, end = [], 0
    while end < len(raw):
        unpacker = zlib.decompressobj(MEMBER)
        try:
            text = unpacker.decompress(raw[end:])
        except zlib.error:
            break
        if not unpacker.eof:
            break
        members.append(text)
        end = len(raw) - len(unpacker.unused_data)
    return members, end


def define_flags() -> None:
    define_game("python_coinche", "the game, with its parameters if need be")
    flags.DEFINE_string("agents", "rules", "the agents: some of those below")
    flags.DEFINE_bool("duplicate", False, "two agents play each deal in every seating")
    flags.DEFINE_integer("deals", 10_000, "how many deals", 1)
    flags.DEFINE_integer("seed", 0, "seed of the deals", 0, 2**63 - 1)
    flags.DEFINE_bool("states", False, "write OpenSpiel's struct of each deal's end, too")
    flags.DEFINE_string("out", None, f"the file, which ends in {ENDING}", required=True)


def main() -> None:
    chosen = flags.FLAGS
    out, agents = Path(chosen.out), split_specs(chosen.agents)
    command = shlex.join(["python", "-m", "analysis.dataset", *sys.argv[1:]])
    with user_input():
        if not out.name.endswith(ENDING):
            raise ValueError(f"--out={out} is not allowed; the file ends in {ENDING}")
        check_place(out)
        lineups = lineups_for(find(chosen.game)[0], agents, chosen.duplicate)
        plan = Plan(chosen.game, agents, lineups, chosen.deals, chosen.seed, chosen.states)
        make(plan, out, command, show=True)
    print(f"{chosen.deals} deals in {len(lineups)} seatings each: {out}")


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
