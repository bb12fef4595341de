"""What a run has learnt, as a player."""

import numpy as np
import pytest

from solvers.environments.card_game import Records
from solvers.networks.decisions import best_actions, probabilities
from solvers.networks.network import predict
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings
from spielgames.agents import make_agent
from tests.solvers.environments.test_environments import random_play, running

pytestmark = pytest.mark.usefixtures("one_thread")

HOKM = "python_hokm(suits=2,ranks=4,trump=heuristic)"
TINY = {"hidden": 8, "layers": 2}
LEAGUE = {"arena_every": 2, "arena_deals": 4, "admission": 0.0}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    settings = Settings.of(
        {"deals": 64, "network": TINY, "critic": TINY, "sharing": "team", "keep_every": 2}
        | {"league": LEAGUE, "learning_rate": 0.01}
    )
    learner = Learner(Records(HOKM), settings, folder, seed=1)
    for _ in range(3):
        learner.iterate()
    return folder, learner


@pytest.fixture(scope="module")
def positions():
    return running(random_play(Records(HOKM), 20)[2])


@pytest.mark.parametrize("kind", ["net", "ppo"])  # older specs say ppo
@pytest.mark.parametrize("network", ["average", "actor"])
@pytest.mark.parametrize(("play", "expected"), [("sample", probabilities), ("best", best_actions)])
def test_every_seat_plays_what_its_network_says(run, positions, kind, network, play, expected):
    folder, learner = run
    agent = make_agent(f"{kind}:{folder},network={network},play={play}", HOKM)
    found = agent.probabilities(positions.states)
    encodings = learner.env.encode(positions)
    for seat, player in enumerate(learner.players(network)):
        rows = positions.actors == seat
        outputs = predict(player, encodings[rows])
        np.testing.assert_allclose(found[rows], expected(positions.sets[rows], outputs), atol=1e-5)


def test_earlier_versions_can_be_played(run, positions):
    folder, learner = run
    frozen = make_agent(f"net:{folder},network=frozen,iteration=2", HOKM)
    member = learner.league.members[-1]
    assert member.iteration == 2
    for (network,), kept in zip(frozen.networks, member.networks, strict=True):
        assert (network.last.weight == kept.last.weight).all()
    early = make_agent(f"net:{folder},iteration=2", HOKM)
    now = make_agent(f"net:{folder}", HOKM)
    states = positions.states
    assert (early.probabilities(states) != now.probabilities(states)).any()


@pytest.mark.parametrize(
    ("spec", "game", "why"),
    [
        ("network=critic", HOKM, "network is one of average, actor, frozen, not 'critic'"),
        ("play=luck", HOKM, "play is one of sample, best, not 'luck'"),
        ("strategy=best", HOKM, "was trained by PPO, which has no strategy"),
        ("iteration=1", HOKM, "the run has no such network"),
        ("play=best", "python_hokm", "has learnt .*heuristic.*, not python_hokm"),
    ],
)
def test_what_is_not_there_is_refused(run, spec, game, why):
    with pytest.raises(ValueError, match=why):
        make_agent(f"net:{run[0]},{spec}", game)


def test_a_folder_of_no_run_is_refused(tmp_path):
    with pytest.raises(ValueError, match="is not a run folder"):
        make_agent(f"net:{tmp_path}", HOKM)


def test_what_was_learnt_from_perfect_recall_can_be_played(tmp_path, positions):
    known = {"deals": 16, "network": TINY, "critic": TINY, "encoding": "recall"}
    learner = Learner(Records(HOKM, "recall"), Settings.of(known), tmp_path, seed=1)
    learner.iterate()
    agent = make_agent(f"net:{tmp_path}", HOKM)
    outputs = predict(learner.players("average")[0], learner.env.encode(positions))
    found = agent.probabilities(positions.states)
    np.testing.assert_allclose(found, probabilities(positions.sets, outputs), atol=1e-5)


def test_settings_and_environment_have_the_same_encoding(tmp_path):
    with pytest.raises(ValueError, match="encoding=compact, but the environment's .* recall"):
        Learner(Records(HOKM, "recall"), Settings(), tmp_path)
