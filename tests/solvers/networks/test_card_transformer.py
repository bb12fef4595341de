"""The card transformer: on what its outputs depend, and on what they don't."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from solvers.environments.environment import Positions
from solvers.environments.load import load_environment
from solvers.networks.network import computing, load_network, make_network, predict, save_network
from solvers.networks.settings import CardsSettings
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings
from spielgames.core.batch import Batch
from tests.solvers.environments.test_environments import any_actions, random_play, running
from tests.variants import FULL

pytestmark = pytest.mark.usefixtures("one_thread")

TINY = {"kind": "cards", "hidden": 16, "layers": 2, "heads": 2}
HOKM = load_environment("python_hokm", "events")
SMALL = "python_hokm(suits=2,ranks=4)"
CLOSE = 1e-5


def positions_of(env, deals=12, seed=7):
    """Of all depths."""
    parts = [running(positions) for positions in random_play(env, deals, seed=seed)]
    return Positions(*map(np.concatenate, zip(*parts, strict=True)))


def actor_of(env, seed=1, **more):
    return make_network(TINY | more, env.shape, seed)


def critic_of(env, seed=1):
    return make_network(TINY, replace(env.history_shape, actions=1), seed)


def hokm_rows(n=64, least=20, seed=1):
    """Encodings after some twenty events or more, that may be changed."""
    positions = positions_of(HOKM, seed=seed)
    later = np.flatnonzero(positions.states["length"] >= least)
    return HOKM.encode(positions.take(later[:n])).copy()


def piece(env, rows, name):
    """[n, …]: a view."""
    start, shape = env.pieces.start(name), env.pieces.shapes[name]
    return rows[:, start : start + int(np.prod(shape))].reshape(-1, *shape)


def pointing(network):
    """The same network, but all that is not pointed at is 0."""
    network.last.weight.data[: network.shape.actions] = 0
    network.last.bias.data[: network.shape.actions] = 0
    return network


@pytest.mark.parametrize("name", FULL)
def test_every_game_has_its_actors_and_critics(name):
    """And a row's outputs do not depend on the rows it comes with, which are longer or shorter."""
    env = load_environment(name, "events")
    positions = positions_of(env)
    seen = env.encode(positions), env.encode_history(positions, positions.actors)
    for network, rows in zip((actor_of(env), critic_of(env)), seen, strict=True):
        together = predict(network, rows)
        assert together.shape == (len(rows), network.shape.actions)
        assert np.isfinite(together).all() and together.std() > 0.01
        for i in range(0, len(rows), 37):
            np.testing.assert_allclose(
                predict(network, rows[i : i + 1])[0], together[i], atol=CLOSE
            )
        np.testing.assert_allclose(predict(network, rows, "bfloat16"), together, atol=0.1)
        assert predict(network, rows[:0]).shape == (0, network.shape.actions)


@pytest.mark.parametrize("name", FULL)
def test_only_the_critic_sees_hidden_cards(name):
    env = load_environment(name, "events")
    positions = positions_of(env)
    batch = Batch.of_states(env.game, env.variant, positions.states)
    worlds = positions._replace(states=batch.worlds(count=1, seed=4).states)
    changed = (positions.states["hands"] != worlds.states["hands"]).any(axis=1)
    actor, critic = actor_of(env), critic_of(env)
    one, other = (predict(actor, env.encode(p)) for p in (positions, worlds))
    np.testing.assert_array_equal(one, other)
    one, other = (
        predict(critic, env.encode_history(p, p.actors))[:, 0] for p in (positions, worlds)
    )
    assert changed.sum() > 50
    assert (np.abs(one - other)[changed] > CLOSE / 10).mean() > 0.95
    np.testing.assert_allclose(one[~changed], other[~changed], atol=CLOSE)


def test_the_pointer_points_at_held_cards_alone():
    network, rows = pointing(actor_of(HOKM)), hokm_rows()
    hands, scores = piece(HOKM, rows, "hand") > 0, predict(network, rows)
    assert (scores[:, HOKM.cards :] == 0).all() and (scores[:, : HOKM.cards][~hands] == 0).all()
    for hand, row in zip(hands, scores, strict=True):
        held = row[: HOKM.cards][hand]
        assert (held != 0).all() and len(np.unique(held)) == len(held)


def test_a_cards_score_depends_on_that_card():
    """Another card in its place has another one."""
    network, rows = pointing(actor_of(HOKM)), hokm_rows()
    other, hand = rows.copy(), piece(HOKM, rows, "hand")
    old, new = hand.argmax(axis=1), hand.argmin(axis=1)
    n = np.arange(len(rows))
    piece(HOKM, other, "hand")[n, old] = 0
    piece(HOKM, other, "hand")[n, new] = 1
    before, after = predict(network, rows), predict(network, other)
    assert (after[n, old] == 0).all()
    assert (np.abs(after[n, new] - before[n, old]) > CLOSE).all()


def test_suits_that_have_the_same_vector_are_alike():
    """Exchanged everywhere, they exchange their scores; where they differ, they don't."""
    rows = hokm_rows()
    turned, order = rows.copy(), np.array([2, 3, 1, 0])
    cards = (13 * np.argsort(order)[:, None] + np.arange(13)).ravel()  # the new id of each
    for start in HOKM.shape.sets:
        turned[:, start + cards] = rows[:, start : start + 52]
    piece(HOKM, turned, "trump")[:] = piece(HOKM, rows, "trump")[:, order]
    told = piece(HOKM, turned, "told")[:, :, 0]
    laid = (told > 0) & (told <= 52)
    told[laid] = 1 + cards[told[laid].astype(int) - 1]
    network = pointing(actor_of(HOKM))
    network.first.others.weight.data[:] = 0  # voids, and who has named what
    network.first.deed.data[53:] = 0
    scores, after = predict(network, rows), predict(network, turned)
    assert np.abs(after[:, cards] - scores[:, :52]).max() > 0.01
    network.first.suit.data[:] = network.first.suit.data[0]
    scores, after = predict(network, rows), predict(network, turned)
    np.testing.assert_allclose(after[:, cards], scores[:, :52], atol=CLOSE)


@pytest.mark.parametrize("context", [True, False])
def test_trumps_are_marked(context):
    """As part of the context."""
    rows, network = hokm_rows(), actor_of(HOKM, context=context)
    network.first.others.weight.data[:] = 0
    other = rows.copy()
    piece(HOKM, other, "trump")[:] = np.roll(piece(HOKM, rows, "trump"), 1, axis=1)
    moved = np.abs(predict(network, rows) - predict(network, other)).max(axis=1)
    assert (moved > CLOSE).all() if context else (moved == 0).all()


def test_without_context_the_history_is_a_heap_of_cards():
    rows = hokm_rows()
    mixed, told = rows.copy(), piece(HOKM, rows, "told")
    random, lengths = np.random.default_rng(1), told.any(axis=2).sum(axis=1)
    for i, length in enumerate(lengths):
        piece(HOKM, mixed, "told")[i, :length] = told[i, random.permutation(length)]
    other = mixed.copy()
    seats = piece(HOKM, other, "told")[:, :, 1]
    seats[seats > 0] = 1 + seats[seats > 0] % 4
    for context, same in ((False, True), (True, False)):
        network = actor_of(HOKM, context=context)
        outputs = [predict(network, x) for x in (rows, mixed, other)]
        for a, b in zip(outputs, outputs[1:], strict=False):
            assert (np.abs(a - b).max(axis=1) < CLOSE).all() == same
            assert (np.abs(a - b).max(axis=1) > CLOSE).all() != same


def test_it_learns():
    """By heart, any legal action of each position."""
    positions = positions_of(HOKM, deals=2).take(np.arange(64))
    rows = torch.from_numpy(HOKM.encode(positions))
    actions = torch.from_numpy(any_actions(positions, HOKM.actions))
    network = actor_of(HOKM, hidden=32)
    adam = torch.optim.Adam(network.parameters(), lr=3e-3)
    for _ in range(100):
        with computing("bfloat16", network.device):
            loss = torch.nn.functional.cross_entropy(network(rows), actions)
        adam.zero_grad()
        loss.backward()
        adam.step()
    assert (predict(network, rows.numpy()).argmax(axis=1) == actions.numpy()).all()


@pytest.mark.parametrize("make", [actor_of, critic_of])
def test_saved_and_loaded_it_is_the_same(make, tmp_path):
    network = make(HOKM)
    network.rescale(2.5)
    save_network(tmp_path / "net", network, {"game": HOKM.name})
    loaded, about = load_network(tmp_path / "net")
    assert (loaded.settings, loaded.shape, about) == (
        *(network.settings, network.shape),
        {"game": HOKM.name},
    )
    positions = positions_of(HOKM)
    seen = HOKM.encode(positions)
    if make is critic_of:
        seen = HOKM.encode_history(positions, positions.actors)
    np.testing.assert_array_equal(predict(network, seen), predict(loaded, seen))


def test_scale_and_first_outputs():
    rows, network = hokm_rows(), actor_of(HOKM)
    before = predict(network, rows)
    network.rescale(0.125)
    assert float(network.scale) == 0.125
    np.testing.assert_allclose(predict(network, rows), before, atol=CLOSE)
    assert not predict(actor_of(HOKM, zero_output=True), rows).any()


def test_ppo_learns_with_it(tmp_path):
    """What is learnt twice is the same."""
    settings = {"encoding": "events", "network": TINY, "critic": TINY, "partner": 0.5}
    settings |= {
        "deals": 32,
        "batch": 32,
        "epochs": 1,
        "league": {"matches": 1},
        "magnet": {"weight": 0.1},
    }
    env, networks = load_environment(SMALL, "events"), []
    for name in ("one", "other"):
        learner = Learner(env, Settings.of(settings), tmp_path / name, seed=1)
        before = learner.models[0].actor.first.suit.clone()
        report = learner.iterate()
        assert np.isfinite(json.loads(json.dumps(report))["losses-0"]["value"])
        networks.append(learner.models[0].actor.first.suit)
        assert (networks[-1] != before).any()
    assert (networks[0] == networks[1]).all()


def test_refusals():
    with pytest.raises(ValueError, match="heads=3 do not share out hidden=16 evenly"):
        CardsSettings(hidden=16, heads=3)
    for name, encoding in ((SMALL, "compact"), (SMALL, "recall"), ("kuhn_poker", "recall")):
        with pytest.raises(ValueError, match="must see events and hands; take encoding=events"):
            actor_of(load_environment(name, encoding))
