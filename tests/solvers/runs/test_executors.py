"""Executors do what they promise, and whoever uses them comes to the same bytes with each."""

import os

import numpy as np
import pytest

from solvers.runs.executors import HERE, chosen, executing, make_executor, map_tasks
from tests.solvers.runs.same_bytes import LEARNERS, networks_of, tournament
from tests.tasks import add, end_abruptly, fail, wait_for_file


@pytest.fixture(scope="module")
def crew():
    """One pool for all tests, as processes take seconds to start."""
    processes = make_executor("processes", workers=3, address="")
    yield processes
    processes.close()


@pytest.mark.parametrize("ordered", [True, False])
def test_here_computes_a_task_when_it_is_asked_for(ordered):
    done = []
    results = map_tasks(
        lambda shared, task: done.append(task) or shared + task, 10, [1, 2], ordered
    )
    assert not done
    assert next(results) == 11 and done == [1]
    assert list(results) == [12]


def test_results_come_in_the_order_of_tasks(crew):
    assert list(crew.map(add, 10, range(20), True)) == list(range(10, 30))


def test_results_may_come_as_they_are_ready(crew, tmp_path):
    results = crew.map(wait_for_file, tmp_path / "go", range(10), False)
    found = [next(results)]
    assert found != [0]
    (tmp_path / "go").touch()
    assert sorted(found + list(results)) == list(range(10))


def test_few_tasks_are_under_way(crew):
    """Tasks are made as results are consumed, so that there may be millions."""
    made = []
    results = crew.map(add, 0, (made.append(k) or k for k in range(1000)), True)
    for k in range(50):
        assert next(results) == k
    assert len(made) <= 50 + crew.under_way
    results.close()


def test_what_tasks_share_is_forgotten_after_the_last_one(crew):
    def files():
        return os.listdir(crew.folder.name)

    results = crew.map(add, np.zeros(3), range(4), True)
    next(results)
    assert len(files()) == 1
    results.close()
    assert files() == []


def test_an_error_of_a_task_is_raised(crew):
    with pytest.raises(ValueError, match="task 0 is bad"):
        list(crew.map(fail, None, range(3), True))
    assert list(crew.map(add, 1, [1], True)) == [2]


def test_a_worker_that_ends_is_an_error():
    with executing("processes", workers=1) as one, pytest.raises(RuntimeError, match="has ended"):
        list(one.map(end_abruptly, None, [0], True))


def test_the_chosen_executor_counts_until_the_context_ends():
    with executing("here") as executor:
        assert chosen() is executor
    assert chosen() is HERE


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kind": "cloud"}, "executor is one of here, processes, ray, not 'cloud'"),
        ({"kind": "processes", "workers": -1}, "workers=-1 is not allowed"),
    ],
)
def test_others_are_refused(given, why):
    with pytest.raises(ValueError, match=why), executing(**given):
        pass


@pytest.mark.parametrize("learn", LEARNERS)
def test_three_processes_come_to_the_same_networks_as_this_one(learn, crew, tmp_path):
    assert networks_of(learn, tmp_path / "crew", crew) == networks_of(learn, tmp_path / "here")


@pytest.mark.slow
def test_so_does_one_process(tmp_path):
    with executing("processes", workers=1) as one:
        for learn in LEARNERS:
            name = learn.__module__ + learn.__name__
            found = networks_of(learn, tmp_path / name / "one", one)
            assert found == networks_of(learn, tmp_path / name / "here")


def test_three_processes_play_the_same_tournament_as_this_one(crew):
    assert tournament(crew) == tournament()
