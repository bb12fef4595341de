"""How soon the web table answers a person's move while many tables are being played.

    python -m analysis.speed.web
    python -m analysis.speed.web --guests=50 --seconds=20 --game=python_hearts

A server is started, and everything is compiled. At each of many tables a person sits with compiled
agents, plays a random legal action, and after the answer thinks for a second on average. Meanwhile
some more people have positions analysed without a pause. An answer is the next view after a move,
by which the agents have played too.
"""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import numpy as np
from absl import flags
from websockets.asyncio.client import ClientConnection, connect

from spielgames.command import run, user_input
from spielgames.core.registry import find
from spielgames.files import replacing

THINKING_S = 1.0  # of a person, on average
WORLDS, FEW_WORLDS = 10_000, 10  # of an analysis
UNMEASURED_S = 10.0  # at the beginning, in which tables are opened and processes started
PATIENCE_S = 600.0  # until an answer, for which something may have to be compiled
WANTED_MS = 50.0  # within which 95 % of the answers should come
Json = dict[str, Any]


@contextmanager
def server(port: int) -> Iterator[str]:
    """A server of our own; yields its address."""
    with TemporaryDirectory() as folder:
        options = [f"--port={port}", f"--tables={folder}"]
        command = [sys.executable, "-m", "spielgames.web", *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            yield f"ws://127.0.0.1:{port}/ws"
        finally:
            process.terminate()
            process.wait()


class Visitor:
    """A person who plays at random."""

    def __init__(self, page: ClientConnection, game: str, number: int) -> None:
        self.page, self.game, self.number = page, game, number
        self.luck = random.Random(number)
        self.view: Json = {}

    async def say(self, **message: Any) -> None:
        await self.page.send(json.dumps(message))

    async def hear(self) -> Json:
        message = json.loads(await self.page.recv())
        if message["is"] == "error":
            raise ValueError(f"the server refused: {message['says']}")
        if message["is"] == "view":
            self.view = message
        return message

    async def until_asked(self) -> None:
        """Wait until it is our turn, or the deal is over."""
        while not (self.view.get("actions") or self.view.get("over")):
            await self.hear()

    async def open(self) -> None:
        self.number += 1000
        agents = ["rules"] * (find(self.game)[0].players - 1)
        self.view = {}
        await self.say(do="open", game=self.game, seats=["me", *agents], deal=self.number)
        await self.until_asked()

    async def explain(self, worlds: int) -> AsyncIterator[Json]:
        """The rounds of the analysis of the first decision in a new deal."""
        await self.open()
        await self.say(do="explain", worlds=worlds)
        message: Json = {}
        while not message.get("done"):
            message = await asyncio.wait_for(self.hear(), PATIENCE_S)
            if message["is"] == "analysis":
                yield message

    async def move(self) -> float:
        """Play once; return the seconds until the answer."""
        if self.view["over"]:
            await self.open()
        action = self.luck.choice(self.view["actions"])["action"]
        start, at = monotonic(), self.view["at"]
        self.view = {}
        await self.say(do="act", action=action, at=at)
        await self.until_asked()
        return monotonic() - start


async def play(address: str, game: str, number: int, until: float, out: list[float]) -> None:
    """Play until the time is over; note how long the answers took."""
    async with connect(address, open_timeout=60) as page:
        guest = Visitor(page, game, number)
        await guest.open()
        measured = until - flags.FLAGS.seconds
        while monotonic() < until:
            await asyncio.sleep(guest.luck.uniform(0, 2 * THINKING_S))
            taken = await guest.move()
            if monotonic() > measured:
                out.append(taken)


async def analyse(address: str, game: str, number: int, until: float) -> int:
    """Ask for one analysis after the other; return how many rounds came."""
    rounds = 0
    async with connect(address, open_timeout=60) as page:
        guest = Visitor(page, game, number)
        while monotonic() < until:
            async for _ in guest.explain(WORLDS):
                rounds += 1
                if monotonic() > until:
                    break
    return rounds


async def compile_all(address: str, game: str) -> None:
    """Have everything compiled that is going to be measured."""
    async with connect(address, open_timeout=60) as page:
        guest = Visitor(page, game, 0)
        async for _ in guest.explain(FEW_WORLDS):
            await asyncio.sleep(0)


async def measure(address: str, game: str) -> Json:
    chosen, times = flags.FLAGS, list[float]()
    await reachable(address)
    await compile_all(address, game)
    until = monotonic() + UNMEASURED_S + chosen.seconds
    players = [play(address, game, k, until, times) for k in range(chosen.guests)]
    others = [analyse(address, game, -k, until) for k in range(1, chosen.analyses + 1)]
    rounds, _ = await asyncio.gather(asyncio.gather(*others), asyncio.gather(*players))
    milliseconds = 1000 * np.array(times)
    low, high = np.quantile(milliseconds, (0.5, 0.95)).tolist()
    return {
        "game": game,
        "tables": chosen.guests,
        "analyses": chosen.analyses,
        "seconds": chosen.seconds,
        "moves": len(times),
        "rounds of analysis": sum(rounds),
        "median": low,
        "95 %": high,
        "most": float(milliseconds.max()),
    }


async def reachable(address: str) -> None:
    """Wait until the server listens."""
    for _ in range(600):
        try:
            async with connect(address):
                return
        except OSError:
            await asyncio.sleep(0.1)
    raise ValueError(f"no server answers at {address}")


def define_flags() -> None:
    flags.DEFINE_string("game", "python_hokm", "the game that is played")
    flags.DEFINE_integer("guests", 200, "how many tables are played at once", 1)
    flags.DEFINE_integer("analyses", 4, "how many people analyse meanwhile", 0, 4)
    flags.DEFINE_float("seconds", 30.0, "how long to measure", 1.0)
    flags.DEFINE_integer("port", 8765, "the port of the server", 1024, 65535)
    flags.DEFINE_string("json", None, "a file for the numbers")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        find(chosen.game)
    with server(chosen.port) as address:
        result = asyncio.run(measure(address, chosen.game))
    print(
        f"{result['moves']} moves at {result['tables']} tables, {result['rounds of analysis']}"
        f" rounds of analysis: median {result['median']:.1f} ms, 95 % within"
        f" {result['95 %']:.1f} ms (wanted: {WANTED_MS:g}), most {result['most']:.0f} ms"
    )
    if chosen.json:
        with replacing(Path(chosen.json)) as file:
            file.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    define_flags()
    run(main)
