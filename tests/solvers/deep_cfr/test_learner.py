"""A run is the same however often it is interrupted, and learns."""

import json
import shutil
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from solvers.deep_cfr import memory
from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.learner import Learner, group_seats
from solvers.deep_cfr.memory import WindowMemory
from solvers.deep_cfr.plan import IN_FLIGHT, discounted_targets
from solvers.deep_cfr.reservoir import Reservoir
from solvers.deep_cfr.rows import unpack
from solvers.deep_cfr.sampling import Decaying, Outcome
from solvers.deep_cfr.settings import PolicySettings, ReservoirSettings, Settings, WindowSettings
from solvers.deep_cfr.shards import Shards
from solvers.environments.card_game import Records
from solvers.environments.load import load_environment
from solvers.exact.best_response import nash_conv
from solvers.exact.judge import Judge
from solvers.exact.profiles import load_tree
from solvers.exact.sequence_form import flatten
from solvers.networks.network import Network
from solvers.networks.settings import SuitsSettings
from solvers.runs.archive import Archive
from solvers.runs.settings import changes as changes_from

pytestmark = pytest.mark.usefixtures("one_thread")

SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=2)"
KUHN = load_environment("kuhn_poker")
SMALL = {"hidden": 8, "layers": 2}
FEW = {"steps": 6, "batch": 32}
QUICK = {
    "traversals": 30,
    "at_once": 20,
    "network": SMALL,
    "fit": FEW,
}
POLICY = {"samples": 50, "network": SMALL, "fit": FEW}
OUTCOME = {"kind": "outcome"}
KINDS = {
    "reservoirs": {"memory": {"samples": 40}, "policy": POLICY},
    "windows": {
        "sampling": OUTCOME,
        "memory": {"kind": "discounted", "alpha": 2.0},
        "warm_start": True,
        "baseline": {"iterations": 2, "network": SMALL, "fit": FEW},
        "policy": POLICY,
    },
    "everybody": {
        "sampling": {"kind": "decaying", "decay": 1.0},
        "memory": {"kind": "window", "iterations": 2},
    },
}
ITERATIONS = 3


def learner_in(folder, kind="reservoirs", env=KUHN, seed=1, **more):
    return Learner(env, Settings.of(QUICK | KINDS[kind] | more), folder, seed)


def run(folder, kind="reservoirs", seed=1, tick=lambda: None, **more):
    """To its end, wherever it is; `tick` is called now and then, and may raise."""
    learner = learner_in(folder, kind, seed=seed, **more)
    while learner.iteration < ITERATIONS:
        learner.iterate(lambda step: tick())
    learner.fit_policies(lambda step: tick())
    return learner


def content(folder):
    """All that a run has come to: its networks, and how far it is but for the time."""
    networks = {path.name: path.read_bytes() for path in sorted(folder.glob("networks/*"))}
    state = Archive(folder).state._replace(seconds=0, traversing=0)
    return networks, state


class Killed(Exception):
    pass


CHANGES = [
    (Archive, "write"),
    (Archive, "save"),
    (Reservoir, "write_journal"),
    (Reservoir, "put_rows"),
    (Reservoir, "write_state"),
    (Shards, "append"),
    (Shards, "forget"),
    (WindowMemory, "_write_list"),
]


@pytest.fixture
def changes(monkeypatch):
    """Counts all that changes a run's folder; from the one named on nothing happens any more."""

    class Changes:
        last = None

        def restart(self, last):
            self.numbers, self.last = count(1), last

        def tick(self):
            self.done = next(self.numbers)
            if self.last is not None and self.done >= self.last:
                raise Killed

    def watched(original):
        def change(*args, **named):
            found.tick()
            return original(*args, **named)

        return change

    found = Changes()
    found.restart(None)
    for owner, name in CHANGES:
        monkeypatch.setattr(owner, name, watched(getattr(owner, name)))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path, kind, changes, monkeypatch):
    """Killed before any of its changes, or while it traverses; some of them, each several times.
    What one traversal finds may be several shards.
    """
    monkeypatch.setattr(memory, "SHARD", 1000)
    run(tmp_path / "whole", kind, tick=changes.tick)
    whole, total = content(tmp_path / "whole"), changes.done
    assert len(whole[0]) >= ITERATIONS and total > 30
    for first in range(1, total, total // 12):
        folder, left = tmp_path / f"killed-{first}", first
        while True:
            changes.restart(left)
            try:
                run(folder, kind, tick=changes.tick)
                break
            except Killed:
                left = total // 2 + first % 5  # so that it comes to its end after some more
        changes.restart(None)
        assert content(folder) == whole


@pytest.mark.parametrize("fits", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_a_network_that_is_gone_is_missed(tmp_path, kind, fits):
    """After a whole iteration, and amid the next one, when one model is fitted again."""
    learner = learner_in(tmp_path, kind)
    learner.iterate()
    if fits:
        interrupt_second_fit(learner)
    for name in learner.models:
        path = max(tmp_path.glob(f"networks/{name}-*"))
        content = path.read_bytes()
        path.unlink()
        with pytest.raises(ValueError, match=f"{path} is not there: the run has no such network"):
            learner_in(tmp_path, kind)
        path.write_bytes(content)
    assert learner_in(tmp_path, kind).iteration == 1


@pytest.mark.parametrize("traversed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_samples_that_are_gone_are_missed(tmp_path, kind, traversed):
    """Before the first fit, too, when no network tells that there were any."""
    learner = learner_in(tmp_path, kind)
    if traversed:
        learner._traverse([step for step in learner.steps if step.deals])
    else:
        learner.iterate()
    kept = shutil.copytree(tmp_path / "samples", tmp_path / "kept")
    for path in kept.rglob("*.rows"):
        lost = tmp_path / "samples" / path.relative_to(kept)
        content = lost.read_bytes()
        for lose, what in ((Path.unlink, lost), (shutil.rmtree, lost.parent)):
            lose(what)
            with pytest.raises(
                ValueError, match=f"{lost.parent}.* parts of samples|{lost.name} is in"
            ):
                learner_in(tmp_path, kind)
            shutil.rmtree(tmp_path / "samples")
            shutil.copytree(kept, tmp_path / "samples")
        for torn in (b"", content[:-1], content[:-3] + bytes([content[-3] ^ 1]) + content[-2:]):
            lost.write_bytes(torn)
            with pytest.raises(ValueError, match=str(lost)):
                learner_in(tmp_path, kind)
            lost.write_bytes(content)
    (tmp_path / "state.json").unlink()
    with pytest.raises(ValueError, match="has samples, but no state.json|has networks, but no st"):
        learner_in(tmp_path, kind)


def interrupt_second_fit(learner):
    begun = count()

    def stop(step):
        if step == 0 and next(begun):
            raise Killed

    with suppress(Killed):
        learner.iterate(stop)


LAST = {"memory": {"kind": "window", "iterations": 1}, "policy": None}


def test_who_had_no_samples_has_no_network(tmp_path):
    """The second seat learns nothing, as nobody asks it: that is no damage."""
    learner = learner_in(tmp_path, sampling=OUTCOME, **LAST)
    memory = learner.advantages[1].memory
    take_in = memory.take_in
    memory.take_in = lambda pieces, *when: take_in([], *when)
    learner.iterate()
    assert [path.name for path in tmp_path.glob("networks/*")] == [
        "advantages-0-000001.safetensors"
    ]
    again = learner_in(tmp_path, sampling=OUTCOME, **LAST)
    assert [model.network is None for model in again.advantages] == [False, True]


@pytest.mark.parametrize("kind", KINDS)
def test_the_last_report_can_be_had_again(tmp_path, kind):
    """A process may have been killed before it logged it."""
    learner = learner_in(tmp_path, kind)
    learner.iterate()
    report = learner.iterate()
    assert report["advantages-0"]["last_loss"] > 0
    assert learner_in(tmp_path, kind).archive.report() == report


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_decides(tmp_path, kind):
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        run(tmp_path / name, kind, seed)
    one, same, other = (content(tmp_path / name)[0] for name in ("one", "same", "other"))
    assert one == same and one.keys() == other.keys()
    assert all(one[name] != other[name] for name in one)


def test_a_run_may_go_on_for_longer(tmp_path):
    run(tmp_path / "whole")
    for _ in range(ITERATIONS):
        learner_in(tmp_path / "parts").iterate()
    parts = learner_in(tmp_path / "parts")
    parts.fit_policies()
    assert content(tmp_path / "parts") == content(tmp_path / "whole")
    for model in parts.advantages:
        assert isinstance(model.network, Network)


def rows_in(learner):
    return [sorted(r.tobytes() for r in m.memory.rows[: len(m.memory)]) for m in learner.advantages]


def test_at_once_changes_the_order_of_samples_alone(tmp_path):
    """Those of an iteration in which nobody has learnt: if it divides the traversals, deals are the
    same. Networks differ, as random batches are other ones.
    """
    found, more = [], {"sharing": "all", "memory": {"samples": 10**6}}
    for at_once in (10, 15, 30):
        learner = learner_in(tmp_path / str(at_once), at_once=at_once, **more)
        learner.iterate()
        found.append(rows_in(learner))
    assert len(found[0][0]) > 30 and found[0] == found[1] == found[2]


@pytest.mark.parametrize("kind", KINDS)
def test_how_many_positions_are_in_flight_changes_nothing(tmp_path, kind, monkeypatch):
    """In an iteration in which nobody has learnt. (Later networks are asked in other batches, and
    round otherwise in tiny ones.)
    """
    plan, found = Learner._plan, []
    for limit in (IN_FLIGHT, 5):
        limited = partial(replace, in_flight=limit)
        monkeypatch.setattr(Learner, "_plan", lambda *given, of=limited: of(plan(*given)))
        learner = learner_in(tmp_path / str(limit), kind, sharing="all")
        learner.iterate()
        found.append(content(tmp_path / str(limit)))
    assert found[0] == found[1]


def test_traversals_say_how_far_they_are(tmp_path):
    learner, told = learner_in(tmp_path, sharing="all"), []
    traversals = [step for step in learner.steps if step.deals]
    learner._traverse(traversals, told.append)
    assert told == sorted(told) and len(told) == len(traversals) > 1
    assert told[-1] == learner.archive.state.positions


@pytest.mark.parametrize("kind", ["reservoirs", "windows", "everybody"])
def test_samples_go_to_the_networks_of_their_seats(tmp_path, kind):
    """Kuhn's tensors begin with whose they are."""
    learner = learner_in(tmp_path, kind, sharing="seat")
    learner.iterate()
    models = [*enumerate(learner.advantages), *enumerate(learner.policies)]
    for seat, model in models:
        rows = model.memory.draw(500, np.random.default_rng(1))
        samples = model.format.samples(len(rows))
        unpack(model.format, rows, samples)
        assert (samples.encodings[:, :2] == np.eye(2)[seat]).all()
        assert (samples.iterations == 1).all()
    assert len(models) == (2 if kind == "everybody" else 4)


def test_iterations_and_seats_have_their_own_deals(tmp_path, monkeypatch):
    dealt = []
    deal = KUHN.deal

    def noted(first, number, seed, *more):
        dealt.extend(range(first, first + number))
        return deal(first, number, seed, *more)

    monkeypatch.setattr(KUHN, "deal", noted)
    run(tmp_path)
    assert len(dealt) == len(set(dealt)) == 2 * 30 * ITERATIONS


def test_another_game_is_refused(tmp_path):
    run(tmp_path)
    with pytest.raises(ValueError, match="belongs to another run: .*kuhn_poker.*, not .*leduc"):
        learner_in(tmp_path, env=load_environment("leduc_poker"))
    with pytest.raises(ValueError, match="belongs to another run"):
        learner_in(tmp_path, sharing="all")


def test_reports_say_what_a_log_wants(tmp_path):
    learner = learner_in(tmp_path, "windows")
    first, second = learner.iterate(), learner.iterate()
    assert (first["iteration"], second["iteration"]) == (1, 2)
    assert second["positions"] > first["positions"] > 2 * 30 * 2
    assert second["samples"] > first["samples"] >= 30
    assert second["seconds"] >= second["traversing"] > 0
    assert {"advantages-0", "advantages-1", "baseline"} <= second.keys()
    assert second["baseline"]["last_loss"] > 0


def test_seats_that_share_a_network():
    assert group_seats((), (0, 1, 2), "seat") == [(0,), (1,), (2,)]
    assert group_seats((), (0, 1, 2), "all") == [(0, 1, 2)]
    assert group_seats((0, 1, 0, 1), (0, 1, 2, 3), "team") == [(0, 2), (1, 3)]
    assert group_seats((0, 1, 0, 1), (0, 2), "team") == [(0, 2)]
    assert group_seats((), (0, 1), "team") == [(0,), (1,)]


def test_others_may_be_agents(tmp_path):
    """One seat learns; the other one is played by the rules and leaves nothing behind."""
    learner = learner_in(tmp_path, env=Records(SNAPSZER), learners=(1,), opponent="rules")
    learner.iterate()
    players = learner.players
    assert isinstance(players[1], Network) and players[0].level == 0
    assert [path.name for path in sorted(tmp_path.glob("networks/*"))] == [
        "advantages-0-000001.safetensors"
    ]


def test_a_run_may_start_from_another_player(tmp_path):
    """Until there are networks; its regrets are what they learn."""
    hearts = Records("python_hearts(suits=2,ranks=4,pass=hold)")
    learner = learner_in(tmp_path, "everybody", env=hearts, initial_policy="rules", sharing="all")
    assert {player.level for player in learner.players} == {0}
    learner.iterate()
    assert {type(player) for player in learner.players} == {Network}
    assert learner.archive.state.samples > 30


def test_the_first_iteration_may_be_larger(tmp_path):
    learner = learner_in(tmp_path, first_traversals=50, first_steps=9)
    first, second = learner.iterate(), learner.iterate()
    visited = first["positions"], second["positions"] - first["positions"]
    assert 1.3 < visited[0] / visited[1] < 2.0  # 50 deals for each seat, then 30
    assert learner.advantages[0].memory.applied == 3 + 3 + 2 + 2


def test_greedy_players_do_what_is_best(tmp_path):
    learner = learner_in(tmp_path, greedy=True)
    learner.iterate()
    decided = learner.decide(KUHN.deal(0, 50, seed=2))
    best = decided.outputs.argmax(axis=1)
    np.testing.assert_array_equal(decided.strategy, np.eye(2, dtype=np.float32)[best])


def test_regrets_are_carried_on_as_in_dcfr_plus():
    """R ← discount · max(R, 0) + regrets, of which targets are the means."""
    random, total = np.random.default_rng(1), np.zeros((5, 3))
    said = np.zeros((5, 3))
    for t in range(1, 8):
        regrets = random.normal(size=(5, 3))
        discount = (t - 1) ** 2 / ((t - 1) ** 2 + 1.5)
        total = discount * np.maximum(total, 0) + regrets
        said = discounted_targets(2.0, t)(said, regrets)
        np.testing.assert_allclose(said, total / t, atol=1e-12)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"sampling": {"kind": "all"}}, "sampling.kind is one of external, .*, not 'all'"),
        ({"sampling": {"kind": 3}}, "sampling.kind is one of external, .*, not '3'"),
        ({"sampling": {"breadth": 2}}, "no setting 'breadth' of external"),
        ({"sampling": OUTCOME | {"decay": 0.1}}, "no setting 'decay' of outcome"),
        ({"memory": {"kind": "window"}}, "iterations is missing"),
        ({"memory": {"samples": 0}}, "samples=0 is not allowed; it is at least 1"),
        ({"memory": {"kind": "discounted", "alpha": 0}}, "alpha=0 is not allowed; it is more than"),
        ({"policy": {}}, "samples is missing"),
        ({"policy": 3}, "policy=3 is not allowed; it is an object with settings"),
        (KINDS["everybody"] | {"baseline": {"iterations": 1}}, "a baseline is of no use where"),
        ({"sharing": "none"}, "sharing is one of seat, team, all, not 'none'"),
        ({"traversals": 0}, "traversals=0 is not allowed; it is at least 1"),
        ({"sampling": OUTCOME | {"exploration": 0}}, "exploration=0 is not allowed, as some act"),
        ({"precision": "half"}, "precision is one of float32, .*, not 'half'"),
        (
            {"network": {"kind": "tree"}},
            "network.kind is one of mlp, canonical, suits, cards, not 'tree'",
        ),
        ({"traversal": 3}, "there is no setting 'traversal'; there are encoding, traversals"),
        ({"fit": {"step": 3}}, "there is no setting 'step'; there are steps"),
        ({"traversals": {"few": 1}}, "traversals={'few': 1} is not allowed; it is a whole number"),
        ({"traversals": "many"}, "traversals='many' is not allowed; it is a whole number"),
        ({"traversals": 1.5}, "traversals=1.5 is not allowed; it is a whole number"),
        ({"traversals": True}, "traversals=True is not allowed; it is a whole number"),
        ({"averaging": "slow"}, "averaging='slow' is not allowed; it is a number"),
        ({"warm_start": 1}, "warm_start=1 is not allowed; it is true or false"),
        ({"sampling": None}, "sampling=None is not allowed; it is an object with settings"),
        ({"learners": 0}, "learners=0 is not allowed; it is a list in which each item is a whole"),
        ({"learners": ["0"]}, r"learners=\('0',\) is not allowed; it is a list"),
        ({"fit": 3}, "fit=3 is not allowed; it is an object with settings"),
        ({"fit": {"steps": None}}, "steps=None is not allowed; it is a whole number"),
    ],
)
def test_refused_settings(given, why):
    with pytest.raises(ValueError, match=why):
        Settings.of(given)


def test_settings_from_plain_json_and_back():
    given = {"learners": [0, 2], "fit": {"steps": 7}, "network": {"hidden": 3}, "averaging": 1}
    given |= {"policy": {"samples": 9, "fit": {"steps": 8}}, "memory": {"samples": 5}}
    settings = Settings.of(given | {"sampling": {"kind": "decaying"}})
    assert settings.learners == (0, 2) and settings.fit.steps == 7
    assert settings.policy.fit == FitSettings(steps=8, loss="cross_entropy")
    assert settings.memory == ReservoirSettings(5) and settings.sampling == Decaying(0.23)
    assert settings.plain()["sampling"] == {"kind": "decaying", "decay": 0.23}
    assert Settings.of(json.loads(json.dumps(settings.plain()))) == settings


def test_what_differs_from_the_defaults():
    """A setting that is added later, with a default, does not make an old run another one."""
    settings = Settings(
        sampling=Outcome(),
        memory=WindowSettings(iterations=2),
        policy=PolicySettings(samples=100, network=SuitsSettings()),
        fit=FitSettings(steps=7),
    )
    assert changes_from(settings, Settings()) == {
        "sampling": {"kind": "outcome"},
        "memory": {"kind": "window", "iterations": 2},
        "policy": {"samples": 100, "network": {"kind": "suits"}},
        "fit": {"steps": 7},
    }
    assert changes_from(Settings(), Settings()) == {}


LEARNING = {
    "network": {"hidden": 32, "layers": 2},
    "fit": {"steps": 150, "batch": 256, "learning_rate": 3e-3},
}


def learnt(folder, **more):
    """NashConv of the average on Kuhn."""
    settings = Settings.of(LEARNING | more)
    learner, tree = Learner(KUHN, settings, folder, seed=1), load_tree("kuhn_poker")
    judge = Judge(KUHN, tree)
    for _ in range(25):
        learner.iterate()
        judge.add(learner.players, learner.iteration**settings.averaging)
    return nash_conv(flatten(tree), judge.average())


def test_learns_kuhn(tmp_path):
    assert learnt(tmp_path, traversals=300) < 0.1


def test_learns_kuhn_with_what_vr_deep_dcfr_plus_adds(tmp_path):
    """One action followed, a baseline, carried regrets."""
    dcfr_plus = {
        "memory": {"kind": "discounted", "alpha": 2.0},
        "warm_start": True,
        "averaging": 2.0,
        "baseline": {
            "iterations": 1,
            "network": LEARNING["network"],
            "fit": {"steps": 100, "batch": 256, "learning_rate": 3e-3},
        },
    }
    fit = LEARNING["fit"] | {"weighting": "none"}
    sampling = {"kind": "outcome", "exploration": 0.6}
    assert learnt(tmp_path, fit=fit, sampling=sampling, traversals=1500, **dcfr_plus) < 0.15
