"""The processes that think: who waits for whom, what is stopped, and what is told meanwhile."""

import asyncio
import json
import sys

import pytest

from spielgames.web import workers
from spielgames.web.house import House, Limits
from spielgames.web.inquiry import Analysts
from spielgames.web.page import Page
from spielgames.web.workers import Experience, Failed, Pool
from tests.web.guests import me_and

SEATS = me_and("random", "python_hokm")
HOKM = {"game": "python_hokm", "parameters": {"suits": 2, "ranks": 4}, "seats": SEATS, "deal": 3}

# A stand-in for worker.py that answers `rounds` times, `pause` seconds apart.
SCRIPT = """
import json, sys, threading, time, queue
jobs, stopped = queue.SimpleQueue(), set()
def listen():
    for line in sys.stdin:
        job = json.loads(line)
        stopped.add(job["stop"]) if "stop" in job else jobs.put(job)
    jobs.put(None)
threading.Thread(target=listen, daemon=True).start()
print("a warning", file=sys.stderr, flush=True)
while (job := jobs.get()) is not None:
    if job["do"] == "fail":
        print(json.dumps({"id": job["id"], "failed": "no luck", "done": True}), flush=True)
        continue
    for k in range(job.get("rounds", 1)):
        time.sleep(job.get("pause", 0))
        if job["id"] in stopped:
            break
        done = k + 1 == job.get("rounds", 1)
        print(json.dumps({"id": job["id"], "round": k, "done": done}), flush=True)
    else:
        continue
    print(json.dumps({"id": job["id"], "done": True, "stopped": True}), flush=True)
"""


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    monkeypatch.setattr(workers, "COMMAND", (sys.executable, "-c", SCRIPT))


def job(rounds, pause=0.0, do="explain", agent="a", game="g"):
    return {"do": do, "agent": agent, "game": game, "rounds": rounds, "pause": pause}


def trial(test, size=1, **options):
    """Run a test with a pool, and end its processes."""

    async def run():
        pool = Pool(size, Experience(), **options)
        try:
            return await asyncio.wait_for(test(pool), 60)
        finally:
            await pool.close()

    return asyncio.run(run())


async def rounds_of(pool, asked, tell=workers.nobody):
    return [answer["round"] async for answer in pool.answers(asked, 30, tell)]


def test_all_answers_come_and_the_process_is_used_again():
    async def test(pool):
        first = await rounds_of(pool, job(3))
        process = pool.workers[0].process
        assert await rounds_of(pool, job(2)) == [0, 1]
        assert pool.workers[0].process is process
        return first

    assert trial(test) == [0, 1, 2]


def test_the_process_that_was_used_last_is_taken_first():
    async def test(pool):
        for _ in range(3):
            await rounds_of(pool, job(1))
        return sum(worker.process is not None for worker in pool.workers)

    assert trial(test, size=3) == 1


def test_a_job_that_is_given_up_frees_its_process():
    async def test(pool):
        await rounds_of(pool, job(1))  # so that nothing has to be compiled
        stream = pool.answers(job(1000, 0.01), 30)
        await anext(stream)
        process = pool.workers[0].process
        await stream.aclose()
        assert await rounds_of(pool, job(1)) == [0]
        assert pool.workers[0].process is process  # it was stopped, not killed

    trial(test)


def test_what_takes_too_long_is_killed():
    async def test(pool):
        with pytest.raises(Failed, match=r"no answer came within 0\.2 seconds"):
            await pool.answer(job(1, 60.0), 0.2)
        return await rounds_of(pool, job(1))

    assert trial(test) == [0]


def test_the_first_of_a_kind_is_waited_for():
    """Two processes do not compile the same at once, and people are told why they wait."""

    async def test(pool):
        told, order = [], []

        async def ask(name, asked):
            await pool.answer(asked, 30, lambda now: told.append((name, now)))
            order.append(name)

        jobs = [("slow", job(1, 1.0)), ("same", job(1)), ("other", job(1, game="h"))]
        await asyncio.gather(*(ask(*one) for one in jobs))
        return order, told

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "SLOW_S", 0.9)
        order, told = trial(test, size=3)
    assert order == ["other", "slow", "same"]
    assert [pair for pair in told if pair[0] != "other"][:2] == [("slow", True), ("same", True)]
    assert {("slow", False), ("same", False)} <= set(told)


def test_a_kind_that_failed_is_still_unknown():
    async def test(pool):
        with pytest.raises(Failed, match="no luck"):
            await pool.answer(job(1, do="fail"), 30)
        return pool.experience.knows(job(1, do="fail"))

    assert trial(test) is False


def test_complaints_go_to_a_file(tmp_path, capfd):
    log = tmp_path / "workers.log"
    trial(lambda pool: rounds_of(pool, job(1)), log=log)
    assert "a warning" in log.read_text()
    assert capfd.readouterr() == ("", "")


def test_searches_are_compiled_as_soon_as_a_table_of_their_game_opens(tmp_path):
    async def test():
        house = House(tmp_path, Limits(warm_up=True))
        for _ in range(2):
            seats = ["me", "fast", "random", "fast"]
            await Page(house).hear(json.dumps({"do": "open", **HOKM, "seats": seats}))
        assert list(house.warming) == ["python_hokm"]
        await asyncio.gather(*house.warming.values())
        await house.close()
        return house.analysts.experience.known

    known = asyncio.run(asyncio.wait_for(test(), 60))
    assert {(do, game) for do, _, game in known} == {
        ("think", "python_hokm"),
        ("explain", "python_hokm"),
    }


def test_quick_questions_after_each_other_are_not_refused(tmp_path, monkeypatch):
    """A question that replaces another has its place, although its process is still busy."""
    questions = []

    async def question(analysts: Analysts, table, role, message):
        questions.append(message["worlds"])
        async for answer in analysts.answers(job(100, 0.05)):
            yield {"is": "analysis", **answer}

    monkeypatch.setattr("spielgames.web.inquiry.QUESTIONS", {"explain": question})

    async def test():
        house = House(tmp_path, Limits(analyses=1))
        page = Page(house)
        await page.hear(json.dumps({"do": "open", **HOKM}))
        for worlds in range(10, 16):
            await page.hear(json.dumps({"do": "explain", "worlds": worlds}))
            await asyncio.sleep(0.1)
        said = [page.outbox.get_nowait() for _ in range(page.outbox.qsize())]
        assert len(house.analyses) == 1
        page.stop()
        assert not house.analyses
        await house.close()
        return [message["says"] for message in said if message["is"] == "error"]

    assert asyncio.run(asyncio.wait_for(test(), 60)) == []
    assert questions
