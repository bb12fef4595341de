"""A process that thinks: it reads jobs as lines of JSON, and writes answers as lines of JSON.

    {"id": 7, "do": "think", "game": "python_hokm", "agent": "search", "row": "…"}  ->
    {"id": 7, "policy": [0.0, 1.0, …]}

Some jobs have several answers, the last with `"done": true`. A line {"stop": 7} ends a job early.
What goes wrong is an answer {"id": 7, "failed": "one sentence"}.
"""

import base64
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from queue import SimpleQueue
from typing import Any

import numpy as np

import spielgames  # noqa: F401  (registers the games)
from spielgames.agents import Agent, make_agent
from spielgames.core.registry import find
from spielgames.play import review
from spielgames.web import analysis

Job = dict[str, Any]


def pack_row(row: np.ndarray) -> str:
    return base64.b64encode(row.tobytes()).decode()


def unpack_row(game: str, packed: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed), find(game)[0].dtype).copy()


@lru_cache(maxsize=8)
def agent_of(spec: str, game: str) -> Agent:
    return make_agent(spec, game)


def think(job: Job) -> Iterator[Job]:
    """An agent's probabilities."""
    row = unpack_row(job["game"], job["row"])
    policy = agent_of(job["agent"], job["game"]).probabilities(row)
    yield {"policy": [float(p) for p in policy[0]], "done": True}


def explain(job: Job) -> Iterator[Job]:
    """What an agent thinks of each action, ever more deeply."""
    row = unpack_row(job["game"], job["row"])
    agent = agent_of(job["agent"], job["game"])
    yield from analysis.deepen(agent, row, job["rounds"])


def believe(job: Job) -> Iterator[Job]:
    """Where a seat must believe the unseen cards to be."""
    row, game = unpack_row(job["game"], job["row"]), find(job["game"])[0]
    agent = agent_of(job["agent"], job["game"]) if job["agent"] else None
    yield analysis.believe(game, row, job["seat"], job["worlds"], agent) | {"done": True}


def judge(job: Job) -> Iterator[Job]:
    """What the choices of a deal have lost, and mistakes also in the real deal."""
    agent = agent_of(job["agent"], job["game"])
    for packed, action, seer in job["decisions"]:
        row = unpack_row(job["game"], packed)
        loss, real = review.judge(agent, row, action), None
        if loss.is_mistake:
            real = review.judge(agent_of(seer, job["game"]), row, action).lost
        yield loss._asdict() | {"deal_lost": real}
    yield {"done": True}


def settle(job: Job) -> Iterator[Job]:
    """Whether the rest of a deal is decided."""
    row = unpack_row(job["game"], job["row"])
    yield analysis.settle(job["game"], row, job["seat"]) | {"done": True}


JOBS: dict[str, Callable[[Job], Iterator[Job]]] = {
    "think": think,
    "explain": explain,
    "believe": believe,
    "judge": judge,
    "settle": settle,
}


def say(answer: Job) -> None:
    print(json.dumps(answer), file=sys.__stdout__, flush=True)


def work(job: Job, stopped: set[int]) -> None:
    """Do a job, unless and until it is stopped."""
    try:
        for answer in JOBS[job["do"]](job):
            if job["id"] in stopped:
                break
            say({"id": job["id"], **answer})
            if answer.get("done"):
                return
        say({"id": job["id"], "done": True, "stopped": True})
    except Exception as error:  # whatever it is, the table goes on
        words = str(error).splitlines() or [type(error).__name__]
        say({"id": job["id"], "failed": words[0], "done": True})


def listen(jobs: "SimpleQueue[Job | None]", stopped: set[int]) -> None:
    """Read jobs, while others are being done, until the server hangs up."""
    for line in sys.stdin:
        job = json.loads(line)
        if "stop" in job:
            stopped.add(job["stop"])
        else:
            jobs.put(job)
    jobs.put(None)


def main() -> None:
    os.nice(int(sys.argv[1]))
    jobs: SimpleQueue[Job | None] = SimpleQueue()
    stopped: set[int] = set()
    threading.Thread(target=listen, args=(jobs, stopped), daemon=True).start()
    while (job := jobs.get()) is not None:
        work(job, stopped)


if __name__ == "__main__":
    sys.stdout = sys.stderr  # what agents print is no answer
    main()
