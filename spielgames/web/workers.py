"""Processes that think for the tables, so that the server never waits (see worker.py)."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count
from typing import Any

Job = dict[str, Any]
COMMAND = (sys.executable, "-m", "spielgames.web.worker")
LONGEST_ANSWER = 1 << 20
GRACE_S = 5.0  # for a job that has been told to stop


class Failed(Exception):
    """A job that came to nothing; the text says why."""


class Worker:
    """A process that does one job at a time. It is started when it is first needed."""

    def __init__(self, niceness: int = 0) -> None:
        self.niceness = niceness
        self.process: asyncio.subprocess.Process | None = None
        self.numbers = count(1)

    async def start(self) -> asyncio.subprocess.Process:
        if self.process is None or self.process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            self.process = await asyncio.create_subprocess_exec(
                *(*COMMAND, str(self.niceness)),
                stdin=pipe,
                stdout=pipe,
                limit=LONGEST_ANSWER,
                env=os.environ | {"NUMBA_NUM_THREADS": "1"},
            )
        return self.process

    async def answers(self, job: Job, seconds: float) -> AsyncIterator[Job]:
        """The answers to a job. A process that takes longer than so many seconds for one is killed;
        a job that nobody listens to any more is stopped.
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
        finally:
            if not done:
                await self.stop(process, number)

    async def receive(self, process: asyncio.subprocess.Process, seconds: float) -> Job:
        assert process.stdout
        try:
            line = await asyncio.wait_for(process.stdout.readline(), seconds)
        except TimeoutError:
            raise Failed(f"no answer came within {seconds:g} seconds") from None
        if not line:
            raise Failed("the process that was thinking has ended")
        return json.loads(line)

    def send(self, process: asyncio.subprocess.Process, message: Job) -> None:
        assert process.stdin
        process.stdin.write((json.dumps(message) + "\n").encode())

    async def stop(self, process: asyncio.subprocess.Process, number: int) -> None:
        """Make the process ready for another job, by killing it if it does not listen."""
        with suppress(Exception):
            self.send(process, {"stop": number})
            while process.returncode is None:
                answer = await self.receive(process, GRACE_S)
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


class Pool:
    """A few workers, and the jobs that wait for one."""

    def __init__(self, size: int, niceness: int = 0) -> None:
        self.workers = [Worker(niceness) for _ in range(size)]
        self.free: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self.workers:
            self.free.put_nowait(worker)

    async def answers(self, job: Job, seconds: float) -> AsyncIterator[Job]:
        worker = await self.free.get()
        stream = worker.answers(job, seconds)
        try:
            async for answer in stream:
                yield answer
        finally:
            await asyncio.shield(self.release(stream, worker))

    async def release(self, stream: AsyncIterator[Job], worker: Worker) -> None:
        await stream.aclose()  # type: ignore[attr-defined]
        self.free.put_nowait(worker)

    async def answer(self, job: Job, seconds: float) -> Job:
        """The only answer to a job."""
        async for answer in self.answers(job, seconds):
            return answer
        raise Failed("no answer came")

    async def close(self) -> None:
        for worker in self.workers:
            await worker.close()
