"""Environments: positions are the game's own, in its own distribution, however they are grouped."""

from itertools import product

import numba
import numpy as np
import pyspiel
import pytest

from solvers.deep_cfr.rows import RowFormat, pack
from solvers.environments.card_game import Records, ahead_of_mean
from solvers.environments.encodings import ENCODINGS
from solvers.environments.environment import ASK, Skip
from solvers.environments.load import load_environment
from solvers.environments.openspiel_game import Listed
from solvers.exact.profiles import key_of, load_tree, profile_of, uniform
from solvers.exact.sequence_form import expected_values, flatten
from spielgames.agents import make_agent
from spielgames.core.batch import Batch
from spielgames.core.describe import events as told_events
from spielgames.core.infostate import fill_fingerprints
from spielgames.core.luck import GAMMA, mix
from spielgames.core.players import RANDOM
from spielgames.core.record import CHANCE, NOBODY, event_action, event_seat, is_visible
from spielgames.core.registry import find
from spielgames.core.tree import TooLarge
from spielgames.core.unroll import TREE_SEED
from spielgames.core.walk import Level
from spielgames.testing.positions import replay_all, root
from tests.variants import COUNTED, FULL, SMALL, WALKED

SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=2)"
HEARTS = "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)"
SHEEPHEAD = "python_sheephead(suits=3,ranks=2)"
LEDUC = "leduc_poker"
VARIANTS = list(dict.fromkeys(FULL + WALKED + SMALL + COUNTED))


@pytest.mark.parametrize("name", [LEDUC, SNAPSZER])
def test_a_loaded_game_is_as_good_as_its_name(name):
    by_name, loaded = load_environment(name), load_environment(pyspiel.load_game(name))
    assert type(loaded) is type(by_name)
    assert loaded.shape == by_name.shape


def legal_flags(positions, actions):
    return (positions.sets[:, None] >> np.arange(actions, dtype=np.uint64)) & np.uint64(1) == 1


def any_actions(positions, actions):
    """A random one each, from the position's own stream: the grouping does not matter."""
    numbers = np.arange(1, actions + 1, dtype=np.uint64) * GAMMA
    order = mix(positions.luck[:, None] ^ numbers) >> np.uint64(1)
    return np.where(legal_flags(positions, actions), order, np.uint64(0)).argmax(axis=1)


def running(positions):
    return positions.take(np.flatnonzero(~positions.ended))


def random_play(env, deals, first=0, seed=7, skip=None):
    """The positions of each depth, until all have ended."""
    passed = [env.deal(first, deals, seed, skip)]
    while len((live := running(passed[-1])).actors):
        actions = any_actions(live, env.actions)
        passed.append(env.follow(live, np.arange(len(actions)), actions, skip))
    return passed


def random_returns(env, deals, skip=None):
    """A part at a time: the loops for all cores need not be compiled."""
    returns = [
        env.returns(positions.take(np.flatnonzero(positions.ended)))
        for first in range(0, deals, 900)
        for positions in random_play(env, min(900, deals - first), first, skip=skip)
    ]
    return np.concatenate(returns)


def encodings_of(name):
    """Those that a game has."""
    return ENCODINGS if find(name)[0].appraisal else ENCODINGS[:-1]


def assert_same(one, other):
    for a, b in zip(one, other, strict=True):
        assert a.dtype == b.dtype and (a == b).all()


@pytest.mark.parametrize("name", VARIANTS)
def test_positions_are_choices_or_ends_and_fit_their_formats(name):
    compact, *others = (Records(name, encoding) for encoding in encodings_of(name))
    for depth, positions in enumerate(random_play(compact, 150)):
        batch = Batch.of_states(compact.game, compact.variant, positions.states)
        assert (positions.actors == batch.actors()).all()
        assert (positions.sets == batch.legal_sets()).all()
        assert (positions.depth == depth).all()
        live = running(positions)
        counts = np.bitwise_count(live.sets)
        assert ((counts >= 2) & (counts <= compact.slots)).all()
        for env in (compact, *others):
            check_encodings(env, live)


def check_encodings(env, positions):
    """Packing refuses flags that are none, and numbers that are too large."""
    wide = RowFormat(env.width, env.numbers, env.actions, env.slots)
    assert len(pack(wide, env.encode(positions), positions.sets)) == len(positions.sets)
    wide = RowFormat(env.history_width, env.history_numbers, env.actions, env.slots)
    for viewer in range(env.players):
        viewers = np.full(len(positions.sets), viewer)
        histories = env.encode_history(positions, viewers)
        assert len(pack(wide, histories, positions.sets)) == len(positions.sets)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_was_played_is_legal_and_what_was_chosen(name):
    """Histories played again are allowed, and go on from their parents by the action chosen."""
    env = Records(name)
    positions = running(env.deal(0, 60, seed=3))
    while len(positions.actors):
        actions = any_actions(positions, env.actions)
        children = env.follow(positions, np.arange(len(actions)), actions)
        for before, after, a in zip(positions.states, children.states, actions, strict=True):
            n = int(before["length"])
            assert (after["events"][:n] == before["events"][:n]).all()
            assert after["events"][n] & 255 == a
            dealt = before["dealt"][: env.players]
            assert (after["dealt"][: env.players] & dealt == dealt).all()
        possible = np.zeros(len(actions), bool)
        replay_all(children.states.copy(), children.states, possible)
        assert possible.all()
        positions = running(children)


def ways_on(name, level):
    """Exactly: how likely each next choice or end is, where nobody has a choice until then."""
    game, variant, _ = root(name)
    found = {}
    while len(level.states):
        batch = Batch.of_states(game, variant, level.states)
        waits = (level.states["turn"] == CHANCE) | (np.bitwise_count(batch.legal_sets()) == 1)
        for state, reach in zip(level.states[~waits], level.reach[~waits], strict=True):
            found[seen_in(state)] = found.get(seen_in(state), 0.0) + reach
        level = Level(level.states[waits], level.reach[waits], level.parents, level.actions).next()
    return found


def seen_in(state):
    return tuple(state[field].tobytes() for field in ("dealt", "hands", "events"))


def assert_distributed(states, expected):
    """Chi-square, to 4.5 standard deviations."""
    counts = dict.fromkeys(expected, 0)
    for state in states:
        counts[seen_in(state)] += 1
    n, p = len(states), np.array(list(expected.values()))
    assert p.sum() == pytest.approx(1)
    square = ((np.array(list(counts.values())) - n * p) ** 2 / (n * p)).sum()
    freedom = len(p) - 1
    assert freedom > 0 and square < freedom + 4.5 * np.sqrt(2 * freedom)


def test_deals_follow_their_distribution():
    _, _, row = root(SNAPSZER)
    expected = ways_on(SNAPSZER, Level.root(row))
    assert len(expected) >= 90  # two hands of two out of six cards
    assert_distributed(Records(SNAPSZER).deal(0, 20_000, seed=5).states, expected)


def test_draws_follow_their_distribution():
    """The same action in the same position, whose streams alone differ: what comes with a completed
    trick is drawn.
    """
    name, n = "python_snapszer(suits=2,ranks=4,hand=2)", 5000
    env = Records(name)
    lead = env.deal(0, 1, seed=1)
    positions = env.follow(lead, np.zeros(1, int), any_actions(lead, env.actions))
    action = any_actions(positions, env.actions)
    below = Level.root(positions.states).next()
    chosen = below.actions == action
    ways = Level(below.states[chosen], below.reach[chosen], below.parents, below.actions)
    rows, luck = np.zeros(n, int), env.deal(0, n, seed=6).luck
    children = env.follow(positions.take(rows)._replace(luck=luck), np.arange(n), action[rows])
    assert_distributed(children.states, ways_on(name, ways))


@pytest.mark.parametrize("name", [SNAPSZER, HEARTS, LEDUC, "python_coinche"])
def test_the_grouping_does_not_matter(name):
    """All deals at once (on all cores), or few at a time (on one)."""
    env = load_environment(name)
    whole = random_play(env, 1200)
    depth = 3
    parts = [random_play(env, 100, first)[depth] for first in range(0, 1200, 100)]
    assert_same(whole[depth], [np.concatenate(columns) for columns in zip(*parts, strict=True)])
    assert_same(whole[0].take(np.arange(100)), env.deal(0, 100, seed=7))
    other = env.deal(0, 100, seed=8)
    assert not (other.luck == whole[0].luck[:100]).any()


@pytest.mark.parametrize("name", [SNAPSZER, LEDUC])
def test_children_depend_on_parent_and_action_alone(name):
    """In any order, and repeated."""
    env = load_environment(name)
    positions = running(env.deal(0, 50, seed=2))
    rows, actions = np.nonzero(legal_flags(positions, env.actions))
    children = env.follow(positions, rows, actions)
    order = np.random.default_rng(1).integers(len(rows), size=2 * len(rows))
    again = env.follow(positions, rows[order], actions[order])
    assert_same(children.take(order), again)
    assert len(np.unique(children.luck)) == len(rows)


def test_threads_do_not_matter():
    env, found, before = Records(HEARTS), [], numba.get_num_threads()
    for threads in (1, before):
        numba.set_num_threads(threads)
        found.append(random_play(env, 2000))
    numba.set_num_threads(before)
    for one, other in zip(*found, strict=True):
        assert_same(one, other)


def mean_error(returns, expected):
    """The largest, in standard errors."""
    errors = np.abs(returns.mean(axis=0) - expected)
    return (errors / (returns.std(axis=0) / np.sqrt(len(returns)) + 1e-12)).max()


@pytest.mark.parametrize("name", ["kuhn_poker", LEDUC, *WALKED])
def test_random_play_is_worth_what_the_tree_says(name):
    tree = load_tree(name)
    expected = expected_values(flatten(tree), uniform(tree))
    returns = random_returns(load_environment(name), 30_000)
    assert len(returns) == 30_000
    assert mean_error(returns, expected) < 4.5


def test_random_leduc_costs_the_first_seat():
    tree = load_tree(LEDUC)
    assert expected_values(flatten(tree), uniform(tree))[0] == pytest.approx(-0.0781, abs=1e-4)


def test_a_variant_of_ours_is_the_same_when_it_is_listed():
    """Through OpenSpiel's face: as many choices on the way, and as likely ends."""
    ours, listed = Records(SNAPSZER), Listed(SNAPSZER)
    deals = 20_000
    depths = [
        np.concatenate([np.full(p.ended.sum(), d) for d, p in enumerate(random_play(env, deals))])
        for env in (ours, listed)
    ]
    counts = np.array([np.bincount(d, minlength=12) for d in depths])
    assert (np.abs(counts[0] - counts[1]) <= 4.5 * np.sqrt(counts.sum(axis=0) + 1)).all()


@pytest.mark.parametrize("level", [RANDOM, 0])
@pytest.mark.parametrize("name", [SNAPSZER, HEARTS, SHEEPHEAD])
def test_seats_that_are_skipped_play_like_compiled_players(name, level):
    env, seat = Records(name), 1
    skip = Skip(tuple(ASK if s == seat else level for s in range(env.players)))
    assert all((running(p).actors == seat).all() for p in random_play(env, 200, skip=skip))
    tree = load_tree(name)
    profile = profile_of(make_agent("random" if level == RANDOM else "rules", name), tree)
    profile[seat] = uniform(tree)[seat]
    expected = expected_values(flatten(tree), profile)
    assert mean_error(random_returns(env, 20_000, skip), expected) < 4.5


def test_skipped_choices_count_as_depth():
    env = Records(HEARTS)
    skip = Skip((ASK, RANDOM, RANDOM, RANDOM))
    asked = {int(d) for p in random_play(env, 300, skip=skip) for d in running(p).depth}
    full = {int(p.depth[i]) for p in random_play(env, 300) for i in np.flatnonzero(p.actors == 0)}
    assert asked == full and max(asked) > 2


@pytest.mark.parametrize("name", FULL)
def test_histories_show_all_hands(name):
    """Hands and piles as seen from a seat, its own hand first; before them, what it knows."""
    env = Records(name)
    for positions in random_play(env, 100)[::5]:
        positions, n = running(positions), len(running(positions).sets)
        batch = Batch.of_states(env.game, env.variant, positions.states)
        for viewer in range(env.players if n else 0):
            histories = env.encode_history(positions, np.full(n, viewer))
            seen, turn, hands = np.split(histories, [env.width, env.width + env.players], axis=1)
            np.testing.assert_array_equal(seen, batch.observe(viewer))
            assert (turn.argmax(axis=1) == (positions.actors - viewer) % env.players).all()
            assert (turn.sum(axis=1) == 1).all()
            holders = [(viewer + k) % env.players for k in range(env.players)]
            holders += range(env.players, env.game.places)
            sets = positions.states["hands"][:, holders]
            bits = sets[:, :, None] >> np.arange(env.cards, dtype=np.uint64) & np.uint64(1)
            np.testing.assert_array_equal(hands, bits.reshape(n, -1))


def test_viewers_may_differ():
    env = Records(HEARTS)
    positions = running(env.deal(0, 40, seed=1))
    viewers = np.arange(40) % 4
    together = env.encode_history(positions, viewers)
    for viewer in range(4):
        alone = env.encode_history(positions, np.full(40, viewer))
        assert (together[viewers == viewer] == alone[viewers == viewer]).all()


@pytest.mark.parametrize("encoding", ["compact", "events"])
@pytest.mark.parametrize("name", FULL)
def test_other_hidden_hands_change_the_history_alone(name, encoding):
    env = Records(name, encoding)
    positions = running(random_play(env, 60)[3])
    batch = Batch.of_states(env.game, env.variant, positions.states)
    worlds = positions._replace(states=batch.worlds(count=1, seed=4).states)
    np.testing.assert_array_equal(env.encode(positions), env.encode(worlds))
    viewers = positions.actors
    one, other = (env.encode_history(p, viewers) for p in (positions, worlds))
    changed = (positions.states["hands"] != worlds.states["hands"]).any(axis=1)
    assert changed.any()
    assert ((one != other).any(axis=1) == changed).all()


@pytest.mark.parametrize("name", VARIANTS)
def test_events_are_told_as_they_are_recorded(name):
    """What was done, if the seat saw it, and who did it; and the cards laid open are those which
    the seats have played.
    """
    env = Records(name, "events")
    for positions in random_play(env, 4)[::3]:
        for seat in range(env.players):
            rows = env.observe(positions.states, np.full(len(positions.states), seat))
            for state, row in zip(positions.states, rows, strict=True):
                check_events(env, state, seat, env.pieces.views(row)["told"].astype(int))


def check_events(env, state, seat, told):
    laid = [0] * env.players
    recorded = told_events(env.game, np.array([state], state.dtype))
    for (deed, who), (event, word) in zip(told[: state.length], recorded, strict=True):
        place = event_seat(event)
        assert who == (0 if place == NOBODY else 1 + (place - seat) % env.players)
        if not is_visible(event, seat):
            assert deed == 0
        elif deed > env.cards:
            assert deed - env.cards - 1 == event_action(event)
        else:
            assert deed - 1 == event_action(event) and word == env.game.card_name(deed - 1)
            assert not laid[place] >> (deed - 1) & 1
            laid[place] |= 1 << (deed - 1)
    assert laid == state["played"].tolist()
    assert not told[state.length :].any()


@pytest.mark.parametrize("name", [LEDUC, "kuhn_poker(players=3)"])
def test_listed_histories_are_what_every_seat_sees(name):
    env = Listed(name)
    for positions in map(running, random_play(env, 50)):
        for row, number in enumerate(positions.states):
            state, viewer = env.states[number], row % env.players
            history = env.encode_history(positions, np.full(len(positions.sets), viewer))[row]
            seats = [(viewer + k) % env.players for k in range(env.players)]
            seen = [state.information_state_tensor(seat) for seat in seats]
            turn = [float(seat == state.current_player()) for seat in seats]
            np.testing.assert_allclose(history, np.concatenate([*seen, turn]))


def keys_of(env, positions):
    """What the tree calls the information sets of positions."""
    if isinstance(env, Listed):
        states = [env.states[number] for number in positions.states]
        return [key_of(s, int(seat)) for s, seat in zip(states, positions.actors, strict=True)]
    keys = np.empty(len(positions.sets), np.uint64)
    fill_fingerprints(positions.states, positions.actors.astype(np.int64), TREE_SEED, keys)
    return keys.tolist()


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *product(["kuhn_poker", LEDUC], ["compact", "recall"]),
        *((name, encoding) for name in WALKED for encoding in encodings_of(name)),
    ],
)
def test_information_sets_are_encoded_as_their_positions(name, encoding):
    tree, env = load_tree(name), load_environment(name, encoding)
    rows = env.encode_decisions(tree)
    assert [len(part) for part in rows] == [plex.sets for plex in tree.seats]
    known = [{key: i for i, key in enumerate(plex.key.tolist())} for plex in tree.seats]
    for positions in map(running, random_play(env, 400)):
        keys, seen = keys_of(env, positions), env.encode(positions)
        for key, seat, encoded in zip(keys, positions.actors, seen, strict=True):
            np.testing.assert_array_equal(rows[seat][known[seat][key]], encoded)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *product(["kuhn_poker", LEDUC, *WALKED], ["recall"]),
        # Snapszer's upcard is forgotten once it is taken.
        *product([name for name in WALKED if "snapszer" not in name], ["events"]),
    ],
)
def test_recall_tells_all_information_sets_apart(name, encoding):
    for rows in load_environment(name, encoding).encode_decisions(load_tree(name)):
        assert len(np.unique(rows, axis=0)) == len(rows)


def test_refusals():
    with pytest.raises(ValueError, match="encoding=full is not allowed; it is one of"):
        Records(SNAPSZER, "full")
    with pytest.raises(ValueError, match="kuhn_poker, which is not one of our games"):
        load_environment("kuhn_poker", "events")
    with pytest.raises(ValueError, match="phantom_go has 82 actions or outcomes; at most 64 are"):
        Listed("phantom_go")
    with pytest.raises(TooLarge, match="liars_dice has more than 200000 histories"):
        Listed("liars_dice")


def test_how_far_ahead_a_side_is():
    assert ahead_of_mean(np.array([[3, 1], [0, 2]])).tolist() == [[2, -2], [-2, 2]]
    assert ahead_of_mean(np.array([[3, 0, 0, 3]])).tolist() == [[2, -2, -2, 2]]


@pytest.mark.parametrize(
    ("game", "away"),
    [("python_hokm(suits=2,ranks=4)", 2), ("python_hearts(suits=2,ranks=4,pass=hold)", 1)],
)
def test_the_hand_of_the_partner_or_else_of_the_next_seat(game, away):
    positions = running(Records(game).deal(0, 5, 1))
    found = Records(game).partner_hands(positions)
    for row, state, seat in zip(found, positions.states, positions.actors, strict=True):
        held = sum(1 << int(card) for card in np.flatnonzero(row))
        assert held == state["hands"][(seat + away) % 4]


def test_tricks_ahead_where_tricks_are_counted():
    env = Records("python_hokm(suits=2,ranks=4,trump=heuristic)")
    states = env.deal(0, 1, 1).states
    states["tricks"] = [[3, 1]]
    assert env.tricks_ahead(states).tolist() == [[2, -2]]
    sheephead = Records("python_sheephead(suits=3,ranks=2)")
    with pytest.raises(ValueError, match="python_sheephead.* does not count tricks"):
        sheephead.tricks_ahead(sheephead.deal(0, 1, 1).states)
