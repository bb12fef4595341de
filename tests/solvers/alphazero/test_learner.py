"""A run is the same however often it is interrupted; it learns."""

import numpy as np
import pytest
import torch

from analysis.tournament.pairs import meet
from solvers.alphazero.learner import Learner
from solvers.alphazero.settings import Settings
from solvers.environments.card_game import Records
from spielgames import Batch
from spielgames.agents import make_agent

pytestmark = pytest.mark.usefixtures("one_thread")

SMALL = "python_snapszer(suits=2,ranks=4,hand=3)"
QUICK = {
    "network": {"kind": "mlp", "hidden": 16, "layers": 2, "critic": True},
    "teacher": {"worlds": 2},
    "precision": "float32",
    "deals": 40,
    "steps": 4,
    "batch": 64,
    "replay": 2,
    "keep_every": 2,
}
MAGNET = {"worlds": 2, "regularisation": {"kind": "magnet", "rate": 0.25}}


def learner_in(folder, game=SMALL, **more):
    return Learner(Records(game), Settings.of(QUICK | more), folder, seed=3)


class Stopped(Exception):
    pass


@pytest.mark.parametrize("at", [0, 1])  # while deals are played, and while the network is fitted
def test_an_interrupted_run_comes_to_the_same_networks(tmp_path, at):
    straight = learner_in(tmp_path / "a", teacher=MAGNET)
    reports = [straight.iterate() for _ in range(4)]

    def stop(step):
        if not next(calls):
            raise Stopped

    for _ in range(4):
        calls = iter(range(at, -1, -1))
        with pytest.raises(Stopped):
            learner_in(tmp_path / "b", teacher=MAGNET).iterate(stop)
        report = learner_in(tmp_path / "b", teacher=MAGNET).iterate()
    assert report["losses"] == reports[-1]["losses"]
    files = [
        (tmp_path / name / "networks/alphazero-0-000004.safetensors").read_bytes() for name in "ab"
    ]
    assert files[0] == files[1]


def test_only_what_is_needed_stays_on_disk(tmp_path):
    learner = learner_in(tmp_path)
    for _ in range(5):
        learner.iterate()
    names = sorted(path.stem for path in tmp_path.glob("networks/*"))
    kept = [f"alphazero-0-{i:06d}" for i in (0, 2, 4, 5)]
    assert names == [*kept, "learning-0-000005", "memory-0-000005"]
    assert sorted(path.stem for path in tmp_path.glob("samples/*")) == ["000004", "000005"]


def test_the_magnet_follows_the_averaged_network_slowly(tmp_path):
    learner = learner_in(tmp_path, teacher=MAGNET)
    before = [p.clone() for p in learner.magnet.parameters()]
    learner.iterate()
    after = [list(network.parameters()) for network in (learner.magnet, learner.average)]
    for old, new, average in zip(before, *after, strict=True):
        assert torch.allclose(new, 0.75 * old + 0.25 * average, atol=1e-6)
    assert any((old != new).any() for old, new in zip(before, after[0], strict=True))
    names = sorted(path.stem for path in tmp_path.glob("networks/magnet*"))
    assert names == ["magnet-0-000001"]


def test_it_learns(tmp_path):
    learner = learner_in(tmp_path, deals=300, steps=40, batch=256)
    for _ in range(6):
        learner.iterate()
    assert meet(f"net:{tmp_path},play=best", "random", SMALL, 300, 9).low > 0.5


def test_its_agents_play_endings_exactly(tmp_path):
    learner_in(tmp_path).iterate()
    batch, random = Batch(SMALL, 50, seed=1), np.random.default_rng(1)
    exact = make_agent("pimc:worlds=1,continuation=double_dummy,caution=0", SMALL)
    for _ in range(7):
        mask = batch.legal_mask()
        batch.step((mask * random.random(mask.shape)).argmax(axis=1))
    opened = batch.states[(batch.actors() >= 0) & (batch.states["hands"][:, 2] == 0)]
    assert len(opened)
    best = exact.probabilities(opened) > 0
    for spec in (f"net:{tmp_path}", f"alphazero:{tmp_path},worlds=2"):
        chances = make_agent(spec, SMALL).probabilities(opened)
        assert (chances[~best] == 0).all()


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("python_hearts", "has 4 sides, and AlphaZero plays with two"),
        ("python_coinche(reward=good)", "is not zero-sum"),
    ],
)
def test_other_games_are_refused(game, why, tmp_path):
    with pytest.raises(ValueError, match=why):
        learner_in(tmp_path, game)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"belief": "guess"}, "belief=guess is not allowed"),
        ({"network": {"critic": False}}, "the network judges positions"),
        ({"teacher": {"worlds": 0}}, "teacher.worlds=0 is not allowed"),
        ({"teacher": {"temperature": 0.0}}, "it is above 0"),
        (
            {"teacher": {"regularisation": {"kind": "l2"}}},
            "kind is one of kl, magnet, entropy, not 'l2'",
        ),
        ({"searched": 1.5}, "searched=1.5 is not allowed"),
    ],
)
def test_settings_that_mean_nothing_are_refused(given, why):
    with pytest.raises(ValueError, match=why):
        Settings.of(given)


def test_learning_begins_with_another_runs_network(tmp_path):
    first = learner_in(tmp_path / "first")
    first.iterate()
    start = {"start": str(tmp_path / "first")}
    second = learner_in(tmp_path / "second", "python_snapszer", **start)
    for name, weights in first.average.state_dict().items():
        assert torch.equal(second.network.state_dict()[name], weights)
    network = QUICK["network"] | {"hidden": 8}
    with pytest.raises(ValueError, match="holds another network"):
        learner_in(tmp_path / "third", network=network, **start)


def test_a_network_plays_another_variant_only_if_told_what_it_has_learnt(tmp_path):
    learner_in(tmp_path).iterate()
    whole, run = "python_snapszer", f"net:{tmp_path}"
    with pytest.raises(ValueError, match="has learnt .*hand=3.*, not python_snapszer"):
        make_agent(run, whole)
    with pytest.raises(ValueError, match="has learnt .*hand=3.*, not python_snapszer.hand=2"):
        make_agent(f"{run},learnt=python_snapszer(hand=2)", whole)
    agent = make_agent(f"{run},learnt={SMALL}", whole)
    states = Batch(whole, 10, seed=1).states
    assert np.allclose(agent.probabilities(states).sum(axis=1), 1)
    assert (agent.name, agent.env.name) == (whole, SMALL)
