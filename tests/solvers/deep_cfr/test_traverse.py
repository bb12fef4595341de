"""Traversals estimate what the tree knows exactly.

The counterfactual advantage of action a at an information set I is, with π the probability that
chance and all others lead to a history h, and v what the seat expects from there,

    Σ_h∈I π(h) · (v(h, a) − v(h)) / Σ_h∈I π(h)

What traversals say of it is a mean of samples, which must be within its own standard error of that;
deals are split into groups, whose differences tell that error.
"""

import weakref
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from solvers.deep_cfr import levels
from solvers.deep_cfr import traverse as module
from solvers.deep_cfr.batches import distinct, encoding_bytes
from solvers.deep_cfr.plan import IN_FLIGHT, BaselineValues, TraversalPlan
from solvers.deep_cfr.rows import RowFormat, pack
from solvers.deep_cfr.sampling import EVERYBODY, Decaying, External, Outcome, Sampled, Uncorrected
from solvers.deep_cfr.traverse import traverse
from solvers.environments.environment import ASK, Positions, Skip
from solvers.environments.load import load_environment
from solvers.exact.judge import legal_sets
from solvers.exact.profiles import load_tree, normalised, uniform
from solvers.exact.sequence_form import flatten, leaf_values, reach_down, values_up
from solvers.networks.decisions import Decided, flags
from spielgames.core.cards import members
from spielgames.core.players import RANDOM
from spielgames.core.record import TERMINAL

pytestmark = pytest.mark.usefixtures("one_thread")

LEDUC = "leduc_poker"
SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=2)"
HEARTS = "python_hearts(suits=2,ranks=4,pass=hold)"
POKER = ["kuhn_poker", LEDUC]
GROUPS = 25
DEALS = {"kuhn_poker": 300, LEDUC: 600, SNAPSZER: 600, HEARTS: 1200}  # of each group
ENOUGH = 100  # visits, so that errors are normal
FAR = 5.5  # standard errors


class Setting(NamedTuple):
    """A game in which everybody plays by some random strategy: the last seat leaves actions out."""

    env: object
    tree: object
    profile: list
    table: np.ndarray  # [sets, actions] the same for all information sets, seat after seat
    seats: np.ndarray  # whose each is
    keys: np.ndarray  # their encodings, as bytes
    samples: RowFormat
    histories: RowFormat

    def numbers(self, encodings, sets):
        """Which information sets these are."""
        return numbers_of(
            self.keys, encoding_bytes(self.samples, pack(self.samples, encodings, sets))
        )

    def decide(self, positions):
        encodings = self.env.encode(positions)
        strategy = self.table[self.numbers(encodings, positions.sets)]
        return Decided(encodings, np.zeros_like(strategy), strategy)

    def baseline(self, positions, viewers):
        """Some random number for every action."""
        histories = self.env.encode_history(positions, viewers)
        weights = np.random.default_rng(5).normal(size=(histories.shape[1], self.env.actions))
        return BaselineValues(histories, histories @ weights.astype(np.float32))

    def untrained_baseline(self, positions, viewers):
        histories = self.env.encode_history(positions, viewers)
        return BaselineValues(histories, np.zeros((0, self.env.actions), np.float32))

    def plan(self, sampling, **more):
        return TraversalPlan(self.env, self.decide, sampling, self.samples, self.histories, **more)


@cache
def setting(name):
    env, tree = load_environment(name, "recall"), load_tree(name)
    random = np.random.default_rng(1)
    profile = [
        normalised(plex, random.random(plex.sequences) * (random.random(plex.sequences) > zeros))
        for plex, zeros in zip(tree.seats, [0] * (tree.players - 1) + [0.3], strict=True)
    ]
    samples = RowFormat(env.width, env.numbers, env.actions, env.slots)
    sets = np.concatenate([legal_sets(plex) for plex in tree.seats])
    rows = pack(samples, np.concatenate(env.encode_decisions(tree)), sets)
    table = np.zeros((len(sets), env.actions), np.float32)
    table[flags(sets, env.actions)] = np.concatenate([strategy[1:] for strategy in profile])
    return Setting(
        env=env,
        tree=tree,
        profile=profile,
        table=table,
        seats=np.repeat(np.arange(env.players), [plex.sets for plex in tree.seats]),
        keys=encoding_bytes(samples, rows),
        samples=samples,
        histories=RowFormat(env.history_width, env.history_numbers, env.actions, env.slots),
    )


class Exact(NamedTuple):
    """Of all seats' information sets."""

    strategy: np.ndarray  # [sets, actions]
    advantages: np.ndarray  # [sets, actions]
    reach: np.ndarray  # [sets] how likely chance and all others lead there
    legal: np.ndarray  # [sets, actions]


@cache
def exact(name):
    s = setting(name)
    return exact_of(s.env, s.tree, s.profile)


def exact_of(env, tree, profile):
    parts = []
    values = counterfactual(tree, profile)
    ends = replace(tree, payoffs=np.ones_like(tree.payoffs))  # then a value is a reach
    reaches = counterfactual(ends, profile)
    for plex, *columns in zip(tree.seats, profile, values, reaches, strict=True):
        for i in range(plex.sets):
            own = slice(plex.first[i], plex.first[i + 1])
            strategy, worth, reached = (column[own] for column in columns)
            reach = strategy @ reached
            rows = np.zeros((3, env.actions))
            advantages = (worth - strategy @ worth) / max(reach, 1e-12)
            rows[:, plex.action[own]] = strategy, advantages, np.ones(len(strategy))
            parts.append((rows[0], rows[1], reach, rows[2] > 0))
    return Exact(*map(np.array, zip(*parts, strict=True)))


def counterfactual(tree, profile):
    """The values of all sequences of each seat, weighted with how likely all others lead there."""
    form, strategy = flatten(tree), np.concatenate(profile)
    reach, values = np.empty((2, form.sequences))
    for seat in range(tree.players):
        reach_down(form, seat, strategy, reach)
    for seat in range(tree.players):
        leaf_values(form, seat, reach, values)
        values_up(form, seat, strategy, values)
    return form.split(values)


class Means(NamedTuple):
    """Means of targets over many deals."""

    visits: np.ndarray  # [keys, actions]
    rate: np.ndarray  # [keys, actions] visits in a deal
    rate_error: np.ndarray
    mean: np.ndarray  # [keys, actions]
    error: np.ndarray

    def distance(self, expected):
        """From what is expected, in standard errors, wherever there are enough samples."""
        known = self.visits >= ENOUGH
        assert known.sum() > 5
        # What is rare may not have happened at all.
        unseen = np.abs(expected[known]).max() / self.visits[known]
        error = np.hypot(self.error[known], unseen) + 1e-5
        return (self.mean - expected)[known] / error


def collect(s, plan, traverser, part="regrets", keys=None):
    """Traverses group by group, and takes the rows of a part of the harvest together."""
    format = plan.histories if part == "histories" else plan.samples
    sets = len(s.keys if keys is None else keys)
    visits, sums = np.zeros((2, GROUPS, sets, s.env.actions))
    n = DEALS[s.env.name]
    for g in range(GROUPS):
        deals = s.env.deal(g * n, n, 20 + traverser, plan.skip)
        found = traverse(plan, traverser, deals)
        rows, seats = whole(getattr(found, part))
        numbers = numbers_of(s.keys if keys is None else keys, encoding_bytes(format, rows))
        mask, targets = spread(rows, s.env.actions)
        assert keys is not None or (s.seats[numbers] == seats).all()
        np.add.at(visits[g], numbers, mask)
        np.add.at(sums[g], numbers, mask * targets)
    return means_of(visits, sums, n)


def whole(spool):
    """All rows, and whose they are."""
    nothing = np.zeros(0, spool.dtype), np.zeros(0, np.int8)
    return tuple(map(np.concatenate, zip(nothing, *spool, strict=True)))


def spread(rows, actions):
    """Which actions have targets, and these."""
    mask = flags(rows["legal"], actions)
    targets = np.zeros(mask.shape)
    slots = np.arange(rows["targets"].shape[1])
    targets[mask] = rows["targets"][slots < mask.sum(axis=1, keepdims=True)]
    return mask, targets


def numbers_of(keys, found):
    """Which of some different keys each is."""
    places = distinct(np.concatenate([keys, found]))[1]
    assert (places[: len(keys)] == np.arange(len(keys))).all()
    assert places.max() < len(keys)
    return places[len(keys) :]


def means_of(visits, sums, deals):
    total = np.maximum(visits.sum(axis=0), 1e-12)
    mean = sums.sum(axis=0) / total
    # Of a ratio of sums, both of which vary from group to group.
    residual = ((sums - mean * visits) ** 2).sum(axis=0) * GROUPS / (GROUPS - 1)
    rate = visits / deals
    return Means(
        visits=visits.sum(axis=0),
        rate=rate.mean(axis=0),
        rate_error=rate.std(axis=0, ddof=1) / np.sqrt(GROUPS),
        mean=mean,
        error=np.sqrt(residual) / total,
    )


def assert_unbiased(distances):
    """None is far off, and half of them are about as close as errors are."""
    assert np.abs(distances).max() < FAR
    assert np.median(np.abs(distances)) < 1.2  # 0.67, were they independent of each other


SAMPLINGS = {"external": External(), "sampled": Sampled(2, 0.4), "outcome": Outcome(0.5)}


POKER_CASES = list(product(POKER, SAMPLINGS, [False, True]))
OUR_CASES = [
    (SNAPSZER, "external", False),
    (SNAPSZER, "sampled", True),
    (SNAPSZER, "outcome", True),
    (HEARTS, "external", False),
    (HEARTS, "outcome", True),
]


@pytest.mark.parametrize(("name", "sampling", "baseline"), POKER_CASES + OUR_CASES)
def test_regrets_are_right_on_average(name, sampling, baseline):
    s = setting(name)
    traverser = s.env.players - 1
    plan = s.plan(SAMPLINGS[sampling], baseline=s.baseline if baseline else None)
    means = collect(s, plan, traverser)
    assert not means.visits[s.seats != traverser].any()
    assert_unbiased(means.distance(exact(name).advantages))
    clear = np.abs(exact(name).advantages) > FAR * means.error
    assert clear[means.visits >= ENOUGH].any()  # a bias would be seen


@pytest.mark.parametrize("name", POKER)
def test_regrets_of_all_seats_at_once_are_right_in_every_history(name):
    """How often the histories of an information set are visited is another matter."""
    s, positions = setting(name), listed_positions(setting(name).env)

    def histories_of(positions):
        return s.env.encode_history(positions, positions.actors)

    def decide(positions):
        return s.decide(positions)._replace(encodings=histories_of(positions))

    keys = encoding_bytes(s.histories, pack(s.histories, histories_of(positions), positions.sets))
    plan = replace(s.plan(Decaying(0.5)), decide=decide, samples=s.histories)
    means = collect(s, plan, EVERYBODY, keys=keys)
    values, action_values = listed_values(name)
    at, actors = positions.states, positions.actors
    expected = action_values[at, :, actors] - values[at, actors][:, None]
    assert set(actors[means.visits.any(axis=1)]) == set(range(s.env.players))
    assert_unbiased(means.distance(expected))


@pytest.mark.parametrize("name", [LEDUC, SNAPSZER])
def test_the_papers_way_is_biased(name):
    s = setting(name)
    means = collect(s, s.plan(Uncorrected(2)), traverser=0)
    assert np.abs(means.distance(exact(name).advantages)).max() > 2 * FAR


def test_a_baseline_makes_estimates_less_noisy():
    """The true values of Kuhn leave no noise but chance's and the other's."""
    s = setting("kuhn_poker")
    _, action_values = listed_values("kuhn_poker")

    def baseline(positions, viewers):
        histories = s.env.encode_history(positions, viewers)
        return BaselineValues(
            histories, action_values[positions.states, :, viewers].astype(np.float32)
        )

    plain = collect(s, s.plan(Outcome(0.5)), 1)
    better = collect(s, s.plan(Outcome(0.5), baseline=baseline), 1)
    known = plain.visits >= ENOUGH
    assert better.error[known].mean() < plain.error[known].mean() / 2
    assert_unbiased(better.distance(exact("kuhn_poker").advantages))


def test_compiled_players_need_not_be_asked():
    """They move as if they were, and fewer positions are looked at."""
    s = setting(SNAPSZER)
    even = np.where(s.seats[:, None] == 0, s.table > 0, s.table)
    s = s._replace(
        profile=[uniform(s.tree)[0], s.profile[1]],
        table=(even / even.sum(axis=1, keepdims=True)).astype(np.float32),
    )
    truth = exact_of(s.env, s.tree, s.profile)
    plan = s.plan(External(), skip=Skip((RANDOM, ASK)))
    means = collect(s, plan, 1)
    assert_unbiased(means.distance(truth.advantages))
    deals = s.env.deal(0, 100, 1), s.env.deal(0, 100, 1, plan.skip)
    plans = replace(plan, skip=None), plan
    asked, skipped = (traverse(p, 1, d).positions for p, d in zip(plans, deals, strict=True))
    assert skipped < asked


@pytest.mark.parametrize("name", [*POKER, SNAPSZER])
def test_information_sets_count_as_others_lead_there(name):
    s, truth = setting(name), exact(name)
    traverser = s.env.players - 1
    means = collect(s, s.plan(External()), traverser)
    assert_counted(means, truth.reach, s.seats == traverser, truth.legal)


def assert_counted(means, reach, seats, legal):
    likely = np.flatnonzero(seats)[np.argsort(reach[seats])][-20:]
    found = np.where(legal, means.rate, 0).max(axis=1)[likely]
    error = means.rate_error.max(axis=1)[likely]
    assert np.abs((found - reach[likely]) / (error + 1e-5)).max() < FAR


@pytest.mark.parametrize("name", ["kuhn_poker", SNAPSZER, HEARTS])
def test_the_grouping_does_not_matter(name):
    """All deals at once, or a few at a time: the same samples, bit by bit."""
    s = setting(name)
    plan = s.plan(Outcome(0.5), baseline=s.untrained_baseline, keep_strategies=True)
    together = traverse(plan, 0, s.env.deal(0, 100, seed=4))
    parts = [traverse(plan, 0, s.env.deal(first, 10, seed=4)) for first in range(0, 100, 10)]
    assert sum(part.positions for part in parts) == together.positions
    for name in ("regrets", "strategies", "histories"):
        rows = np.concatenate([whole(getattr(part, name))[0] for part in parts])
        found = rows, whole(getattr(together, name))[0]
        one, other = (sorted(row.tobytes() for row in r) for r in found)
        assert len(one) > 0
        assert one == other


ALL_SAMPLINGS = {
    **SAMPLINGS,
    "uncorrected": Uncorrected(2),
    "decaying": Decaying(1.0),
}


def plan_of_everything(name, sampling, limit=IN_FLIGHT):
    """With all that a traversal can bring back; sums are exact, so that nothing is rounded."""
    s = setting(name)

    def baseline(positions, viewers):
        histories = s.env.encode_history(positions, viewers)
        weights = np.random.default_rng(5).integers(-3, 4, (histories.shape[1], s.env.actions))
        return BaselineValues(histories, (histories @ weights).astype(np.float32))

    baseline = None if sampling.everybody else baseline
    return s.plan(sampling, baseline=baseline, keep_strategies=True, in_flight=limit)


def traverser_of(sampling):
    return EVERYBODY if sampling.everybody else 0


@pytest.fixture
def flights(monkeypatch):
    """How many children each level has that waits for its values, whenever one has joined them."""
    waiting, seen = [], []

    def expand(*given):
        level, children = levels.expand(*given)
        waiting.append(len(level.actions))
        seen.append(list(waiting))
        return level, children

    def value_positions(level):
        assert waiting.pop() == len(level.actions)
        return original(level)

    original = module.value_positions
    monkeypatch.setattr(module, "expand", expand)
    monkeypatch.setattr(module, "value_positions", value_positions)
    return seen


@pytest.mark.parametrize("sampling", ALL_SAMPLINGS)
@pytest.mark.parametrize("name", [LEDUC, SNAPSZER])
def test_few_positions_are_in_flight(name, sampling, flights):
    """Of each depth: one that is finished makes room for the next."""
    sampling, deals = ALL_SAMPLINGS[sampling], setting(name).env.deal(0, 60, seed=4)
    depth = {}
    for limit in (IN_FLIGHT, 20, 1):
        flights.clear()
        traverse(plan_of_everything(name, sampling, limit), traverser_of(sampling), deals)
        depth[limit] = max(map(len, flights))
        most = max(map(max, flights))
        assert most > 20 if limit == IN_FLIGHT else most <= max(limit, setting(name).env.slots)
    assert len(set(depth.values())) == 1


def test_all_else_is_gone_before_the_next_level():
    """What networks are given and say, and children that are ends, would be most of it."""
    s, left = setting(SNAPSZER), []
    plan = plan_of_everything(SNAPSZER, External(), limit=20)

    class Env(type(s.env)):
        def follow(self, *given):
            children = super().follow(*given)
            left.append(weakref.ref(children.states))
            return children

    def decide(positions):
        assert not any(ref() is not None for ref in left)
        decided = s.decide(positions)
        left.extend([weakref.ref(decided.encodings), weakref.ref(decided.strategy)])
        return decided

    traverse(replace(plan, env=Env(SNAPSZER, "recall"), decide=decide), 0, s.env.deal(0, 60, 4))
    assert len(left) > 100


@pytest.mark.parametrize("sampling", ALL_SAMPLINGS)
@pytest.mark.parametrize("name", [LEDUC, SNAPSZER, HEARTS])
def test_how_many_are_in_flight_does_not_matter(name, sampling):
    """The same samples in the same order, bit by bit."""
    sampling, deals = ALL_SAMPLINGS[sampling], setting(name).env.deal(0, 100, seed=4)
    plan = plan_of_everything(name, sampling)
    together, *others = (
        traverse(replace(plan, in_flight=limit), traverser_of(sampling), deals)
        for limit in (IN_FLIGHT, 30, 3)
    )
    for found in others:
        assert found.positions == together.positions
        for part in ("regrets", "strategies", "histories"):
            pairs = zip(whole(getattr(found, part)), whole(getattr(together, part)), strict=True)
            assert all(one.tobytes() == other.tobytes() for one, other in pairs)
    assert len(together.regrets) > 30


@pytest.mark.parametrize(
    ("most", "limit", "expected"),
    [
        ([3, 2, 4, 1, 1], 5, [(0, 2), (2, 4), (4, 5)]),
        ([1, 6, 1, 2, 2], 5, [(0, 1), (1, 2), (2, 5)]),  # what has too many comes alone
        ([2, 2, 2], 1, [(0, 1), (1, 2), (2, 3)]),
        ([2, 2, 2], 6, [(0, 3)]),
        ([], 5, []),
    ],
)
def test_groups_by_hand(most, limit, expected):
    found = module.groups(np.array(most, int), limit)
    assert [(rows.start, rows.stop) for rows in found] == expected


def listed_positions(env):
    """All decisions of a listed game."""
    h = env.histories
    numbers = np.flatnonzero((h.mover >= 0) & (np.bitwise_count(h.sets) > 1))
    unused = np.zeros(len(numbers), np.uint64)
    return Positions(numbers, unused, h.mover[numbers], h.sets[numbers], unused)


@cache
def listed_strategies(name):
    """Of whoever is to move in each history, chance too; forced moves are certain."""
    s, positions = setting(name), listed_positions(setting(name).env)
    out = s.env.histories.chance.copy()
    forced = (s.env.histories.mover >= 0) & (np.bitwise_count(s.env.histories.sets) == 1)
    out[forced] = flags(s.env.histories.sets[forced], out.shape[1])
    rows = pack(s.samples, s.env.encode(positions), positions.sets)
    numbers = numbers_of(s.keys, encoding_bytes(s.samples, rows))
    out[positions.states, : s.env.actions] = exact(name).strategy[numbers]
    return out, numbers


def values_of(name, worth):
    """Of each history, given those of some: others are worth what follows."""
    env, (strategies, _) = setting(name).env, listed_strategies(name)
    values = worth.copy()
    for number in range(len(values) - 1, -1, -1):  # what follows a history comes after it
        if np.isnan(values[number]).any():
            possible = strategies[number] > 0
            children = env.histories.child[number, possible]
            values[number] = strategies[number, possible] @ values[children]
    return values


@cache
def listed_values(name):
    """What each history is worth to each seat, and `[histories, actions, seats]` each action."""
    env = setting(name).env
    ends = env.histories.mover == TERMINAL
    values = values_of(name, np.where(ends[:, None], env.histories.utilities, np.nan))
    return values, values[env.histories.child[:, : env.actions]]


@pytest.mark.parametrize("name", POKER)
def test_two_exact_ways_agree(name):
    """By histories and by sequences; otherwise both tests of baselines and of regrets may err."""
    s, positions = setting(name), listed_positions(setting(name).env)
    values, action_values = listed_values(name)
    reach = reaches_without(name, 0)
    numbers = listed_strategies(name)[1]
    own = positions.actors == 0
    at = positions.states[own]
    gains = (action_values[at] - values[at][:, None])[:, :, 0] * reach[at, None]
    sums = np.zeros(exact(name).advantages.shape)
    np.add.at(sums, numbers[own], gains)
    expected = exact(name).advantages * exact(name).reach[:, None]
    legal = exact(name).legal & (s.seats == 0)[:, None]
    np.testing.assert_allclose(sums[legal], expected[legal], atol=1e-9)


def reaches_without(name, seat):
    """How likely each history is if one seat does everything to come there."""
    h, strategies = setting(name).env.histories, listed_strategies(name)[0]
    reach = np.zeros(len(h.mover))
    reach[0] = 1
    for number, mover in enumerate(h.mover):
        for a in members(h.sets[number]):
            chance = 1.0 if mover == seat else strategies[number, a]
            reach[h.child[number, a]] = reach[number] * chance
    return reach


@pytest.mark.parametrize("name", POKER)
def test_strategies_count_as_often_as_they_are_played(name):
    """What the other seat does, as often as it and chance lead there."""
    s, truth = setting(name), exact(name)
    plan = s.plan(External(), keep_strategies=True)
    means = collect(s, plan, 0, "strategies")
    assert not means.visits[s.seats == 0].any()
    seen = means.visits > 0
    np.testing.assert_allclose(means.mean[seen], truth.strategy[seen], atol=1e-5)
    positions = listed_positions(s.env)
    reach = reaches_without(name, 0)[positions.states]
    expected = np.bincount(listed_strategies(name)[1], reach, len(s.keys))
    assert_counted(means, expected, s.seats == 1, truth.legal)


@pytest.mark.parametrize("learnt", [False, True])
@pytest.mark.parametrize("sampling", [External(), Outcome(0.5)])
@pytest.mark.parametrize("name", POKER)
def test_baselines_learn_what_follows_actions(name, sampling, learnt):
    """The value of the action; or once there is a baseline, what that expects where the next
    decision is to be made, which is not the same.
    """
    s, positions = setting(name), listed_positions(setting(name).env)
    plan = s.plan(sampling, baseline=s.baseline if learnt else s.untrained_baseline)
    viewers = np.ones(len(positions.actors), int)
    values, action_values = listed_values(name)
    if learnt:
        said = s.baseline(positions, viewers).values
        worth = np.where(s.env.histories.mover == TERMINAL, values[:, 1], np.nan)
        decisions = listed_strategies(name)[0][positions.states, : s.env.actions]
        worth[positions.states] = (decisions * said).sum(axis=1)
        expectations = values_of(name, worth[:, None])[:, 0]
        expected = expectations[s.env.histories.child[positions.states, : s.env.actions]]
        assert np.abs(expected - action_values[positions.states, :, 1]).max() > 0.1
    else:
        expected = action_values[positions.states, :, viewers]
    rows = pack(s.histories, s.env.encode_history(positions, viewers), positions.sets)
    keys = encoding_bytes(s.histories, rows)
    means = collect(s, plan, 1, "histories", keys)
    assert_unbiased(means.distance(expected))
