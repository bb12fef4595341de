"""Networks of a run as agents, on a small variant whose information sets are all known."""

import numpy as np
import pyspiel
import pytest

from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import PolicySettings, Settings
from solvers.environments.card_game import Records
from solvers.exact.judge import Judge
from solvers.exact.profiles import load_tree, profile_of
from solvers.exact.sequence_form import flatten, reach_down
from solvers.networks.decisions import best_actions, match_advantages, probabilities
from solvers.networks.network import predict
from solvers.networks.settings import MlpSettings
from solvers.runs.agent import MOST_NETWORKS, draw_iterations
from spielgames.agents import make_agent
from spielgames.contest import play_deals
from tests.solvers.environments.test_environments import random_play, running

pytestmark = pytest.mark.usefixtures("one_thread")

SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=2)"
SMALL = {
    "traversals": 60,
    "network": MlpSettings(hidden=8, layers=2),
    "fit": FitSettings(steps=20, batch=64),
}
POLICY = PolicySettings(
    samples=5000,
    network=MlpSettings(hidden=8, layers=2),
    fit=FitSettings(steps=20, batch=64, loss="cross_entropy"),
)
ITERATIONS = 4


def trained(folder, **more):
    learner = Learner(Records(SNAPSZER), Settings(**SMALL | more), folder, seed=1)
    for _ in range(ITERATIONS):
        learner.iterate()
    return learner


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A folder, and the learner that has filled it."""
    folder = tmp_path_factory.mktemp("run")
    learner = trained(folder, policy=POLICY)
    learner.fit_policies()
    return folder, learner


@pytest.fixture(scope="module")
def positions():
    found = [running(p) for p in random_play(Records(SNAPSZER), 100)]
    return [part for part in found if len(part.actors)]


def agent_of(folder, options=""):
    return make_agent(f"net:{folder}{options}", SNAPSZER)


def outputs_of(models, positions):
    """What each seat's network says."""
    encodings = Records(SNAPSZER).encode(positions)
    said = np.array([predict(model.network, encodings) for model in models])
    return said[positions.actors, np.arange(len(encodings))]


@pytest.mark.parametrize(
    ("options", "of", "meaning"),
    [
        ("", "advantages", match_advantages),
        (",strategy=last", "advantages", match_advantages),
        (",strategy=best", "advantages", best_actions),
        (",strategy=policy", "policies", probabilities),
        (",strategy=mode", "policies", best_actions),
    ],
)
def test_what_networks_say_is_what_agents_do(run, positions, options, of, meaning):
    folder, learner = run
    agent = agent_of(folder, options)
    for part in positions:
        chances = agent.probabilities(part.states)
        expected = meaning(part.sets, outputs_of(getattr(learner, of), part))
        np.testing.assert_allclose(chances, expected, atol=1e-5)
        np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-5)
        bits = np.arange(chances.shape[1], dtype=np.uint64)
        illegal = part.sets[:, None] >> bits & np.uint64(1) == 0
        assert not chances[illegal].any()


def test_an_earlier_iteration(run, positions):
    folder, learner = run
    part = positions[0]
    chances = agent_of(folder, ",iteration=2").probabilities(part.states)
    networks = [learner.archive.load(f"advantages-{g}", 2) for g in range(2)]
    said = np.array([predict(network, Records(SNAPSZER).encode(part)) for network in networks])
    outputs = said[part.actors, np.arange(len(part.actors))]
    np.testing.assert_allclose(chances, match_advantages(part.sets, outputs), atol=1e-5)
    last = agent_of(folder).probabilities(part.states)
    assert not np.allclose(chances, last)


def test_the_average_keeps_a_network_for_the_deal(run):
    """Every row is what one of the iterations does, at all moves of a seat the same one; seats and
    deals draw theirs independently.
    """
    folder, _ = run
    average = agent_of(folder, ",strategy=average")
    single = [agent_of(folder, f",iteration={t}") for t in average.iterations]
    deals = 100
    fits = np.ones((deals, 2, len(single)), bool)  # which iteration each seat may be playing
    env = Records(SNAPSZER)
    positions, rows = env.deal(0, deals, seed=2), np.arange(deals)
    while len(rows):
        states, actors = positions.states, positions.actors
        chances = average.probabilities(states)
        said = np.array([agent.probabilities(states) for agent in single])
        fits[rows, actors] &= np.isclose(said, chances, atol=1e-5).all(axis=2).T
        following = env.follow(positions, np.arange(len(rows)), chances.argmax(axis=1))
        live = np.flatnonzero(~following.ended)
        positions, rows = following.take(live), rows[live]
    assert fits.any(axis=2).all()
    first = fits.argmax(axis=2)
    assert len(np.unique(first)) > 1 and (first[:, 0] != first[:, 1]).any()


def test_the_mean_of_many_averages_is_the_exact_average(run):
    """Over seeds, as which network a seat has follows from the seed and its cards."""
    folder, learner = run
    tree = load_tree(SNAPSZER)
    judge = Judge(Records(SNAPSZER), tree)
    for t in range(1, ITERATIONS + 1):
        judge.add([learner.archive.load(f"advantages-{g}", t) for g in range(2)], weight=t)
    n, form = 120, flatten(tree)
    plans = np.zeros((n, form.sequences))
    for seed, plan in enumerate(plans):
        strategy = profile_of(agent_of(folder, f",strategy=average,seed={seed}"), tree)
        for seat in range(form.players):
            reach_down(form, seat, np.concatenate(strategy), plan)
    error = plans.mean(axis=0) - judge.plans / judge.plans[0]
    deviation = plans.std(axis=0) / np.sqrt(n)
    assert (np.abs(error) <= 4.5 * deviation + 1e-3).all()
    assert deviation.max() < 0.05


@pytest.mark.parametrize("averaging", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("last", [1, 7, 1000])
def test_iterations_are_drawn_in_proportion(last, averaging):
    weights = np.arange(1, last + 1) ** averaging
    counts = np.zeros(last)
    for seed in range(300):
        drawn = draw_iterations(last, averaging, seed)
        assert len(drawn) == min(last, MOST_NETWORKS)
        assert 1 <= min(drawn) <= max(drawn) <= last
        counts += np.bincount(drawn, minlength=last + 1)[1:]
    found = np.add.reduceat(counts / counts.sum(), np.arange(0, last, max(1, last // 7)))
    expected = np.add.reduceat(weights / weights.sum(), np.arange(0, last, max(1, last // 7)))
    np.testing.assert_allclose(found, expected, atol=0.02)


def test_it_plays_whole_deals(run):
    folder, _ = run
    agents = [agent_of(folder, ",strategy=average"), make_agent("random", SNAPSZER)]
    lineups = np.array([[0, 1], [1, 0]])
    returns = play_deals(agents, lineups, 50, seed=1)
    assert returns.shape == (50, 2, 2) and returns.any()
    np.testing.assert_allclose(returns.sum(axis=2), 0, atol=1e-9)
    assert (returns == play_deals(agents, lineups, 50, seed=1)).all()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (",strategy=worst", "strategy is one of last, best, average, policy, mode, not 'worst'"),
        (",iteration=99", "advantages-0-000099.safetensors is not there: the run has no such"),
        (",strategies=best", "net has no option 'strategies=best'; its options are: run, strategy"),
        (",network=actor", "was trained by Deep CFR, which has no network"),
        (",play=best", "was trained by Deep CFR, which has no play"),
        (",seed=x", "seed=x is not allowed; it must be a whole number"),
    ],
)
def test_refusals(run, options, why):
    with pytest.raises(ValueError) as error:
        agent_of(run[0], options)
    assert why in str(error.value) and "\n" not in str(error.value)


def test_other_folders_and_games_are_refused(run, tmp_path):
    folder, _ = run
    with pytest.raises(ValueError, match="is not a run folder: it has no state.json"):
        agent_of(tmp_path)
    with pytest.raises(ValueError, match="has learnt python_snapszer.*, not python_hokm"):
        make_agent(f"net:{folder}", "python_hokm")


def test_a_variant_has_more_than_one_name(run, positions):
    """A run that was begun by a short name plays in a game that is loaded, and has the long one."""
    folder, _ = run
    for game in (pyspiel.load_game(SNAPSZER), "python_snapszer(hand=2,suits=2,ranks=3)"):
        agent = make_agent(f"net:{folder}", game)
        part = positions[0]
        found = agent.probabilities(part.states)
        assert (found == agent_of(folder).probabilities(part.states)).all()


def test_what_was_not_learnt_is_refused(tmp_path, positions):
    """One seat has learnt, against random play; nothing was kept for a policy."""
    trained(tmp_path / "one", learners=(1,))
    with pytest.raises(ValueError, match="policy-0-000004.safetensors is not there"):
        agent_of(tmp_path / "one", ",strategy=policy")
    agent = agent_of(tmp_path / "one")
    for part in positions:
        own = part.take(np.flatnonzero(part.actors == 1))
        np.testing.assert_allclose(agent.probabilities(own.states).sum(axis=1), 1, rtol=1e-5)
    with pytest.raises(ValueError, match="the run has learnt nothing for seat 0"):
        agent.probabilities(positions[0].states)


def test_what_was_learnt_from_perfect_recall_can_be_played(tmp_path, positions):
    settings, env = Settings(**SMALL | {"encoding": "recall"}), Records(SNAPSZER, "recall")
    learner = Learner(env, settings, tmp_path, seed=1)
    learner.iterate()
    agent = agent_of(tmp_path)
    assert agent.env.encoding == "recall"
    for part in positions:
        chances = agent.probabilities(part.states)
        decided = learner.decide(part).strategy
        np.testing.assert_allclose(chances, decided, atol=1e-5)


def test_settings_and_environment_have_the_same_encoding(tmp_path):
    why = "the settings say encoding=compact, but the environment's encoding is recall: give"
    with pytest.raises(ValueError, match=why):
        Learner(Records(SNAPSZER, "recall"), Settings(**SMALL), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("strategy", ["last", "average"])
def test_a_run_without_a_finished_iteration_is_refused(tmp_path, strategy):
    learner = Learner(Records(SNAPSZER), Settings(**SMALL), tmp_path, seed=1)
    learner.archive.write(learner.archive.state)
    with pytest.raises(ValueError, match="has finished no iteration yet"):
        agent_of(tmp_path, f",strategy={strategy}")
