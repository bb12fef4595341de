"""Processes that think for the tables, so that the server never waits (see worker.py)."""

import asyncio
import json
import os
import sys
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

Job = dict[str, Any]
Answers = AsyncGenerator[Job, None]
Tell = Callable[[bool], object]  # is told that something is being compiled, and that it has been
Kind = tuple[str, str | None, str]
COMMAND = (sys.executable, "-m", "spielgames.web.worker")
LONGEST_ANSWER = 1 << 20
GRACE_S = 5.0  # for a job that has been told to stop
SLOW_S = 5.0  # after which people are told why nothing happens


class Failed(Exception):
    """A job that came to nothing; the text says why."""


class Worker:
    """A process that does one job at a time. It is started when it is first needed."""

    def __init__(self, niceness: int = 0, log: Path | None = None) -> None:
        self.niceness, self.log = niceness, log
        self.process: asyncio.subprocess.Process | None = None
        self.numbers = count(1)

    async def start(self) -> asyncio.subprocess.Process:
        if self.process is None or self.process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            with open(self.log or os.devnull, "ab") as log:
                self.process = await asyncio.create_subprocess_exec(
                    *(*COMMAND, str(self.niceness)),
                    stdin=pipe,
                    stdout=pipe,
                    stderr=log,
                    limit=LONGEST_ANSWER,
                    env=os.environ | {"NUMBA_NUM_THREADS": "1"},
                    process_group=0,  # Ctrl-C is for the server; its session, for nice to count
                )
        return self.process

    async def answers(self, job: Job, seconds: float, grace: float) -> Answers:
        """The answers to a job. A process that takes longer than so many seconds for one is killed;
        a job that nobody listens to any more is stopped, or killed after its grace.
        """
        process, number = await self.start(), next(self.numbers)
        self.send(process, job | {"id": number})
        done = False
        try:
            while not done:
                answer = await self.receive(process, seconds)
                if answer["id"] != number:
                    continue  # a late one of a job that was stopped
                done = bool(answer.get("done"))
                if "failed" in answer:
                    raise Failed(answer["failed"])
                yield answer
        except TimeoutError:
            await self.close()
            raise Failed(f"no answer came within {seconds:g} seconds") from None
        finally:
            if not done:
                await self.stop(process, number, grace)

    async def receive(self, process: asyncio.subprocess.Process, seconds: float) -> Job:
        assert process.stdout
        line = await asyncio.wait_for(process.stdout.readline(), seconds)
        if not line:
            raise Failed("the process that was thinking has ended")
        return json.loads(line)

    def send(self, process: asyncio.subprocess.Process, message: Job) -> None:
        assert process.stdin
        process.stdin.write((json.dumps(message) + "\n").encode())

    async def stop(self, process: asyncio.subprocess.Process, number: int, grace: float) -> None:
        """Make the process ready for another job, by killing it if it does not listen."""
        with suppress(Exception):
            self.send(process, {"stop": number})
            while process.returncode is None:
                answer = await self.receive(process, grace)
                if answer["id"] == number and answer.get("done"):
                    return
        await self.close()

    async def close(self) -> None:
        process, self.process = self.process, None
        if process and process.stdin:
            with suppress(ProcessLookupError):
                process.kill()
            process.stdin.close()
            await process.wait()


class Experience:
    """The kinds of jobs that have been done before: the first of a kind compiles, and others of its
    kind wait for that instead of compiling the same.
    """

    def __init__(self) -> None:
        self.known: set[Kind] = set()
        self.locks: defaultdict[Kind, asyncio.Lock] = defaultdict(asyncio.Lock)

    def knows(self, job: Job) -> bool:
        return kind_of(job) in self.known

    @asynccontextmanager
    async def first(self, job: Job, tell: Tell) -> AsyncIterator[None]:
        """A context for the first answer to a job."""
        kind = kind_of(job)
        if kind in self.known:
            yield
            return
        with patience(tell):
            async with self.locks[kind]:
                yield
        self.known.add(kind)


def kind_of(job: Job) -> Kind:
    return job["do"], job.get("agent"), job["game"].partition("(")[0]


@contextmanager
def patience(tell: Tell) -> Iterator[None]:
    """Tell people if something takes long, and then when it is over."""
    told: list[bool] = []

    def slow() -> None:
        told.append(True)
        tell(True)

    timer = asyncio.get_running_loop().call_later(SLOW_S, slow)
    try:
        yield
    finally:
        timer.cancel()
        if told:
            tell(False)


def nobody(compiling: bool) -> None:
    """Tell nobody."""


class Pool:
    """A few workers, and the jobs that wait for one. The one that was used last is taken first: it
    has loaded what it needs.
    """

    def __init__(
        self, size: int, experience: Experience, niceness: int = 0, log: Path | None = None
    ) -> None:
        self.workers = [Worker(niceness, log) for _ in range(size)]
        self.experience = experience
        self.free: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self.workers:
            self.free.put_nowait(worker)

    async def answers(self, job: Job, seconds: float, tell: Tell = nobody) -> Answers:
        grace = GRACE_S if self.experience.knows(job) else seconds  # compiling is not wasted
        async with aclosing(self.run(job, seconds, grace)) as stream:
            async with self.experience.first(job, tell):
                answer = await anext(stream, None)
            while answer is not None:
                yield answer
                answer = await anext(stream, None)

    async def run(self, job: Job, seconds: float, grace: float) -> Answers:
        worker = await self.free.get()
        stream = worker.answers(job, seconds, grace)
        try:
            async for answer in stream:
                yield answer
        finally:
            await asyncio.shield(self.release(stream, worker))

    async def release(self, stream: Answers, worker: Worker) -> None:
        await stream.aclose()
        self.free.put_nowait(worker)

    async def answer(self, job: Job, seconds: float, tell: Tell = nobody) -> Job:
        """The only answer to a job."""
        async with aclosing(self.answers(job, seconds, tell)) as stream:
            return await anext(stream)

    async def close(self) -> None:
        for worker in self.workers:
            await worker.close()
