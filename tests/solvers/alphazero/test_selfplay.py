"""What self-play leaves behind: decisions, the searches' targets, and how the deals ended."""

import numpy as np
import pytest

from solvers.alphazero.pieces import guide_of
from solvers.alphazero.rollouts import Entropy, Kl, Magnet, Rollouts
from solvers.alphazero.selfplay import play
from solvers.alphazero.settings import Settings
from solvers.environments.card_game import Records
from solvers.networks.decisions import flags
from solvers.networks.network import make_network
from solvers.search.endings import open_rows

pytestmark = pytest.mark.usefixtures("one_thread")

NETWORK = {"kind": "mlp", "hidden": 8, "layers": 1, "critic": True}
QUICK = {"network": NETWORK, "teacher": {"worlds": 2}, "precision": "float32", "searched": 1.0}
GAMES = {
    "python_snapszer": 3.0,
    "python_hokm(suits=2,ranks=4)": 1.0,
}


def samples_of(name, deals=range(30), **more):
    env, settings = Records(name), Settings.of(QUICK | {"reward_scale": GAMES[name]} | more)
    guide = guide_of(env, settings, make_network(settings.network, env.shape, seed=1))
    return env, guide, settings, play(guide, settings, 1, deals, seed=5)


@pytest.mark.parametrize("name", GAMES)
def test_targets_are_distributions_over_legal_actions_of_hidden_positions(name):
    env, _, _, samples = samples_of(name)
    legal = flags(samples.sets, env.actions)
    assert (samples.policy[~legal] == 0).all()
    assert np.allclose(samples.policy.sum(axis=1), 1, atol=1e-5)
    assert (np.isnan(samples.values) == ~legal).all()
    assert not open_rows(samples.states).any()
    assert set(samples.deals) <= set(range(30))


@pytest.mark.parametrize("name", GAMES)
def test_what_one_side_wins_the_other_loses(name):
    env, _, _, samples = samples_of(name)
    sides = np.array(env.game.sides)[samples.actors]
    for deal in np.unique(samples.deals):
        own = samples.deals == deal
        assert len(np.unique(samples.outcome[own] * np.where(sides[own], -1, 1))) == 1
    assert len(np.unique(samples.outcome)) > 1


def test_samples_do_not_depend_on_how_deals_are_grouped():
    _, _, _, whole = samples_of("python_snapszer")
    parts = [samples_of("python_snapszer", deals)[3] for deals in (range(12), range(12, 30))]

    def by_position(samples):
        order = np.lexsort((samples.sets, samples.states["length"], samples.deals))
        return samples.policy[order], samples.outcome[order]

    joined = type(whole).join(parts)
    for one, other in zip(by_position(whole), by_position(joined), strict=True):
        assert np.allclose(one, other, atol=1e-5)


def test_targets_weigh_the_values_against_the_policy_and_the_magnet():
    env, guide, settings, _ = samples_of("python_snapszer", range(1))
    positions = env.deal(0, 40, 3)
    magnet = make_network(settings.network, env.shape, seed=2)
    guide = guide._replace(magnet=magnet)
    logits, pull = (guide._replace(network=x).judge(positions)[0] for x in (guide.network, magnet))
    for temperature in (0.1, 10.0):
        for regularisation in (Kl(), None, Magnet(alpha=0.3)):
            teacher = Rollouts(4, temperature, temperature, regularisation)
            found = teacher.improve(guide, positions, logits, seed=2, share=0.5)
            q = np.nan_to_num(found.values) * guide.scale
            expected = {
                Kl(): logits + q / temperature,
                None: q / temperature,
                Magnet(alpha=0.3): (temperature * logits + 0.3 * pull + q) / (temperature + 0.3),
            }[regularisation]
            legal = flags(positions.sets, env.actions) & (found.policy > 1e-30)
            gaps = np.where(legal, np.log(np.maximum(found.policy, 1e-30)) - expected, np.nan)
            assert np.allclose(np.nanmax(gaps, axis=1), np.nanmin(gaps, axis=1), atol=1e-3)


def improved(teacher):
    env, guide, _, _ = samples_of("python_snapszer", range(1))
    positions = env.deal(0, 40, 3)
    logits, _ = guide.judge(positions)
    found = teacher.improve(guide, positions, logits, seed=2, share=1.0)
    return flags(positions.sets, env.actions), logits, found, found.values * guide.scale


def test_large_steps_near_the_uniform_policy_end_at_the_softmax_of_the_values():
    legal, _, found, values = improved(Rollouts(2, 1e-5, 1e-5, regularisation=Entropy(2.0)))
    weights = np.where(legal, np.exp(np.nan_to_num(values) / 2), 0)
    assert np.allclose(found.policy, weights / weights.sum(axis=1, keepdims=True), atol=1e-4)


def test_no_action_is_lost():
    """With a temperature that makes no step, the policy stays where it is, but for the least."""
    legal, logits, found, _ = improved(Rollouts(2, 1e9, 1e9, least=0.2))
    before = np.where(legal, np.exp(logits), 0)
    before = np.where(legal, np.maximum(before / before.sum(axis=1, keepdims=True), 0.2), 0)
    assert np.allclose(found.policy, before / before.sum(axis=1, keepdims=True), atol=1e-4)


def test_only_some_actions_are_tried_and_the_others_count_as_their_mean():
    legal, logits, found, values = improved(Rollouts(2, 0.5, 0.5, tried=2))
    known = ~np.isnan(values)
    assert (known <= legal).all()
    assert (known.sum(axis=1) == np.minimum(legal.sum(axis=1), 2)).all()
    weights = np.where(known, np.exp(logits), 0)
    means = (weights * np.nan_to_num(values)).sum(axis=1) / weights.sum(axis=1)
    completed = np.where(known, values, means[:, None])
    steps = np.where(legal, np.log(np.maximum(found.policy, 1e-30)) - logits - completed / 0.5, 0)
    spread = np.where(legal, steps, np.nan)
    assert np.allclose(np.nanmax(spread, axis=1), np.nanmin(spread, axis=1), atol=1e-3)
    worth = (found.policy * completed).sum(axis=1) / GAMES["python_snapszer"]
    assert np.allclose(found.worth, worth, atol=1e-5)


def test_a_horizon_in_self_play():
    """What the network says of positions is in its own unit, and comes back in that of the game."""
    _, guide, _, _ = samples_of("python_snapszer", range(1))
    legal, _, found, _ = improved(Rollouts(2, horizon=1))
    assert np.abs(found.values[legal]).max() < 1
    positions = guide.env.deal(0, 5, 3)
    expected = guide.expect(positions.states, positions.actors.astype(np.int64))
    assert np.allclose(expected, 3 * guide.judge(positions)[1])


def test_temperatures_go_from_the_first_to_the_last():
    teacher = Rollouts(temperature=0.2, final_temperature=1.8)
    assert [round(teacher.temperature_at(share), 6) for share in (0, 0.5, 1)] == [0.2, 0.6, 1.8]
