"""What workers have found is kept in files, if they reach the run's folder, and not made again."""

import pickle

import pytest

from solvers.deep_cfr import pieces
from solvers.runs.executors import Executor, using
from tests.solvers.deep_cfr.test_learner import content, learner_in

pytestmark = pytest.mark.usefixtures("one_thread")


class Ahead(Executor):
    """Workers who have done everything by the time that the first result is asked for."""

    def map(self, work, shared, tasks, ordered):
        yield from [work(pickle.loads(pickle.dumps(shared)), task) for task in tasks]

    def close(self):
        pass


class Killed(Exception):
    pass


@pytest.fixture
def traversed(monkeypatch):
    """The deals that were traversed."""
    found, traverse = [], pieces.traverse

    def watched(plan, traverser, deals):
        found.append((traverser, len(deals.actors)))
        return traverse(plan, traverser, deals)

    monkeypatch.setattr(pieces, "traverse", watched)
    return found


def killed_after_a_part(folder):
    def stop(step):
        raise Killed

    with using(Ahead()), pytest.raises(Killed):
        learner_in(folder, traversals=70).iterate(stop)


@pytest.mark.parametrize("executor", [Ahead, pieces.Here])
def test_what_was_found_before_a_kill_is_not_made_again(tmp_path, traversed, executor):
    """Of four parts the first is stored; the others wait in files, of which one is lost."""
    learner_in(tmp_path / "whole", traversals=70).iterate()
    whole, everything = content(tmp_path / "whole"), traversed.copy()
    traversed.clear()
    killed_after_a_part(tmp_path / "killed")
    left = sorted((tmp_path / "killed" / pieces.FOLDER).iterdir())
    assert len(traversed) == len(left) == 4
    left[-1].unlink()
    traversed.clear()
    with using(executor()):
        learner_in(tmp_path / "killed", traversals=70).iterate()
    assert len(traversed) == 1 + len(everything) - 4  # the other seat's are new
    assert content(tmp_path / "killed") == whole
    assert not (tmp_path / "killed" / pieces.FOLDER).exists()


def test_files_are_named_after_policy_and_deals(tmp_path):
    killed_after_a_part(tmp_path)
    names = {path.name.partition("-")[2] for path in (tmp_path / pieces.FOLDER).iterdir()}
    assert names == {"0-0-20.npz", "0-20-20.npz", "0-40-20.npz", "0-60-10.npz"}
    jobs = [learner_in(tmp_path / str(k), seed=k)._job() for k in (1, 2)]
    assert jobs[0].name != jobs[1].name
    learner = learner_in(tmp_path / "1")
    assert learner._job().name == jobs[0].name
    learner.iterate()
    assert learner._job().name != jobs[0].name


def test_without_the_folder_harvests_are_sent(tmp_path):
    learner = learner_in(tmp_path / "run")
    job = learner._job()._replace(leave=True)
    elsewhere = job._replace(plan=pieces.replace(job.plan, folder=tmp_path / "not here"))
    piece = learner._piece(learner.steps[0], 0)
    found = pieces.traverse_piece(elsewhere, piece)
    path = pieces.traverse_piece(job, piece)
    assert path.parent == tmp_path / "run" / pieces.FOLDER
    plan = job.plan
    kept = pieces.Harvest(plan.samples.dtype, plan.histories.dtype, None).load(path)
    for one in (kept, pickle.loads(pickle.dumps(found))):
        assert one.positions == found.positions > 0
        for name, spool in one.spools.items():
            assert spool.content() == found.spools[name].content()
            assert spool.pieces == found.spools[name].pieces


def test_a_file_that_is_torn_is_named(tmp_path):
    killed_after_a_part(tmp_path)
    torn = max((tmp_path / pieces.FOLDER).iterdir())
    torn.write_bytes(torn.read_bytes()[:-100])
    with pytest.raises(ValueError, match=f"{torn} holds no harvest"):
        learner_in(tmp_path, traversals=70).iterate()
