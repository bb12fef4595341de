"""What the judge says at information sets is what players do at positions, and averages are of
plans.
"""

import numpy as np
import pytest

from solvers.environments.load import load_environment
from solvers.exact.judge import Judge, legal_sets
from solvers.exact.profiles import load_tree, uniform
from solvers.exact.sequence_form import expected_values, flatten
from solvers.networks.decisions import best_actions, decide, match_advantages, probabilities
from solvers.networks.network import make_network, predict
from solvers.networks.settings import MlpSettings
from tests.solvers.environments.test_environments import keys_of, random_play, running

pytestmark = pytest.mark.usefixtures("one_thread")

GAMES = [
    "kuhn_poker",
    "leduc_poker",
    "python_snapszer(suits=2,ranks=3,hand=2)",
    "python_hearts(suits=2,ranks=4,pass=hold)",
]


def judge_of(name):
    env, tree = load_environment(name, "recall"), load_tree(name)
    return env, tree, Judge(env, tree)


def networks_of(env, seed):
    settings = MlpSettings(hidden=16, layers=2)
    return [make_network(settings, env.shape, 10 * seed + seat) for seat in range(env.players)]


@pytest.mark.parametrize("name", GAMES)
def test_profiles_are_what_players_do_at_positions(name):
    env, tree, judge = judge_of(name)
    players = networks_of(env, 1)
    players[1] = None  # plays evenly
    profile, policy = judge.profile(players), judge.policy(networks_of(env, 1))
    known = [{key: i for i, key in enumerate(plex.key.tolist())} for plex in tree.seats]
    asked = 0
    for positions in map(running, random_play(env, 300)):
        decided = decide(env, players, positions, match_advantages)
        pairs = zip(keys_of(env, positions), positions.actors, strict=True)
        for i, (key, seat) in enumerate(pairs):
            plex, place = tree.seats[seat], known[seat][key]
            own = slice(plex.first[place], plex.first[place + 1])
            expected = decided.strategy[i][plex.action[own]]
            np.testing.assert_allclose(profile[seat][own], expected, atol=1e-4)
            if asked < 30:  # a softmax over what the seat's network says
                outputs = predict(networks_of(env, 1)[seat], env.encode(positions)[i : i + 1])
                expected = probabilities(positions.sets[i : i + 1], outputs)[0][plex.action[own]]
                np.testing.assert_allclose(policy[seat][own], expected, atol=1e-4)
                asked += 1
    assert asked == 30


@pytest.mark.parametrize("name", GAMES)
def test_who_knows_nothing_plays_evenly(name):
    env, tree, judge = judge_of(name)
    for one, other in zip(judge.profile([None] * env.players), uniform(tree), strict=True):
        np.testing.assert_allclose(one, other)


def test_other_readings_of_networks():
    env, tree, judge = judge_of("leduc_poker")
    for strategy in judge.profile(networks_of(env, 3), best_actions):
        assert set(np.unique(strategy)) <= {0, 0.5, 1 / 3, 1} and 1 in strategy[1:]


@pytest.mark.parametrize("name", GAMES)
def test_legal_sets(name):
    for plex in judge_of(name)[1].seats:
        sets = legal_sets(plex)
        for i in range(plex.sets):
            actions = plex.action[plex.first[i] : plex.first[i + 1]]
            assert int(sets[i]) == sum(1 << int(a) for a in actions)


@pytest.mark.parametrize("name", GAMES)
def test_an_average_does_as_well_as_its_parts_on_average(name):
    """Drawing one strategy for a whole deal is the same as playing the average of their plans (Kuhn
    1953), whoever the others are.
    """
    env, tree, judge = judge_of(name)
    form, weights = flatten(tree), (1, 2, 5)
    parts = [networks_of(env, t) for t in range(3)]
    for networks, weight in zip(parts, weights, strict=True):
        judge.add(networks, weight)
    others = judge.profile(networks_of(env, 7))
    for seat, averaged in enumerate(judge.average()):
        values = []
        for strategy in [judge.profile(networks)[seat] for networks in parts] + [averaged]:
            profile = [*others[:seat], strategy, *others[seat + 1 :]]
            values.append(expected_values(form, profile)[seat])
        assert values[-1] == pytest.approx(np.average(values[:-1], weights=weights), abs=1e-6)
        assert np.ptp(values[:-1]) > 1e-3
