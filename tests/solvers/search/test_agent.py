"""Search agents: what they make of worlds, and that they see no more than their seat."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from analysis.hokm.ceiling import WON, outcomes
from solvers.environments.card_game import Records
from solvers.runs.pretrained import PRETRAINED
from solvers.search.agent import Search, SearchAgent
from solvers.search.beliefs import Exact, TrueHands
from solvers.search.choice import Choice
from solvers.search.continuations import ByRules, LookAhead
from solvers.search.double_dummy import solve
from solvers.search.presets import presets
from solvers.search.values import Utility, Value, WinChance, fits
from solvers.search.worlds import seeds_of
from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.core import loops
from spielgames.core.registry import find
from spielgames.snapszer.record import CLOSE
from tests.variants import FULL

ROOT = Path(__file__).parents[3]
SOLVED = "pimc:belief=exact,continuation=double_dummy"
HOKM = "python_hokm(trump=heuristic)"
KINDS = [
    "pimc:worlds=5",
    "pimc:worlds=8,belief=reweighted(20,strangers=0.1)",
    "pimc:worlds=4,belief=importance(rules,draws=2)",
    "pimc:worlds=3,belief=exact(40)",
    "pimc:worlds=4,continuation=policy(random)",
    "pimc:worlds=16,eliminate=1",
]


def named(game: Batch | str, depth: int, value: Value = Utility()) -> SearchAgent:  # noqa: B008
    """A search that sees the true hands."""
    continuation = LookAhead(depth) if depth else ByRules()
    return SearchAgent(game, Search(TrueHands(), continuation, value, Choice(worlds=1)))


def started(deals: int, seed: int = 4) -> Batch:
    """Hokm with trump named."""
    batch = Batch(HOKM, deals, seed=seed)
    batch.step(batch.legal_mask().argmax(axis=1))
    return batch


def weigh(batch: Batch, agent: SearchAgent) -> np.ndarray:
    return agent.weigh(batch.states, batch.legal_mask().argmax(axis=1))[0]


@pytest.mark.parametrize(
    ("name", "spec"),
    [(name, KINDS[0]) for name in FULL] + [("python_snapszer", spec) for spec in KINDS[1:]],
)
def test_it_does_the_same_wherever_it_cannot_tell_the_difference(name, spec):
    batch = Batch(name, 10, seed=6)
    agent = make_agent(spec, name)
    worlds = batch.worlds(count=4, seed=1)
    here, there = (agent.probabilities(games.states) for games in (batch, worlds))
    np.testing.assert_array_equal(there, here.repeat(4, axis=0))
    other = make_agent(f"{spec},seed=1", name)
    usual = batch.legal_mask().argmax(axis=1)
    assert (other.weigh(batch.states, usual)[0] != agent.weigh(batch.states, usual)[0]).any()


@pytest.mark.parametrize(
    "spec",
    [
        "pimc:3,belief=reweighted(4),continuation=lookahead(1)",
        "pimc:3,belief=exact(30),continuation=double_dummy",
    ],
)
def test_all_cores_find_what_one_finds(spec, monkeypatch):
    name = "python_snapszer(suits=2,ranks=4,hand=2)"
    states, agent = Batch(name, 30, seed=1).states, make_agent(spec, name)
    alone = agent.probabilities(states)
    monkeypatch.setattr(loops, "PARALLEL_FROM", 1)
    np.testing.assert_array_equal(agent.probabilities(states), alone)


def test_values_are_means_over_worlds_of_rule_based_play():
    """With one card left there is nothing to sample or to choose: the value is the result."""
    name = "python_hearts(pass=hold)"
    batch = Batch(name, 6, seed=2)
    rng = np.random.default_rng(1)
    for _ in range(48):
        mask = batch.legal_mask()
        batch.step((rng.random(mask.shape) * mask).argmax(1))
    movers = batch.actors().copy()
    agent = make_agent("pimc:worlds=4,seed=9", name)
    worth, doubt = agent.weigh(batch.states, batch.legal_mask().argmax(axis=1))
    assert (doubt == 0).all()
    assert (np.isfinite(worth) == batch.legal_mask()).all()
    np.testing.assert_allclose(worth.max(axis=1), batch.playouts()[np.arange(6), movers], atol=1e-9)
    for spec in ("rules", "pimc:worlds=4"):
        values = make_agent(spec, name).values(batch.states)
        np.testing.assert_allclose(values, worth.max(axis=1), atol=1e-9)


def test_all_play_on_as_the_policy_would():
    """With the true hands and rules that never hesitate, the policy's play-out is the rules'."""
    batch = started(30)
    specs = (f"pimc:1,belief=true_hands,continuation={how}" for how in ("rules", "policy(rules)"))
    by_rules, by_policy = (weigh(batch, make_agent(spec, HOKM)) for spec in specs)
    np.testing.assert_array_equal(by_rules, by_policy)


def late(name: str, moves: int) -> Batch:
    """Deals that the rules have played up to a late position, all still running."""
    rules, batch = make_agent("rules", name), Batch(name, 12, seed=5)
    for _ in range(moves):
        batch.step(rules.probabilities(batch.states).argmax(axis=1))
    return batch


@pytest.mark.parametrize(("name", "moves"), [(HOKM, 21), ("python_hearts(pass=hold)", 36)])
def test_solved_worlds_have_the_solver_s_values(name, moves):
    batch = late(name, moves)
    agent = make_agent("pimc:1,belief=true_hands,continuation=double_dummy", name)
    worth = weigh(batch, agent)
    expected = solve(batch.states, batch.game)
    np.testing.assert_allclose(worth[batch.legal_mask()], expected[batch.legal_mask()], rtol=1e-6)
    assert len(np.unique(worth)) > 3


def test_bidding_is_finished_by_the_rules_before_a_deal_is_solved():
    """A pass after which all others pass, too, leaves a deal without play."""
    name = "python_coinche(suits=2,ranks=4,levels=1)"
    batch = Batch(name, 30, seed=1)
    values = weigh(batch, make_agent("pimc:1,belief=true_hands,continuation=double_dummy", name))
    assert np.isfinite(values[batch.legal_mask()]).all()
    assert (values[batch.legal_mask()] != 0).any()


def test_nobody_is_a_stranger_in_a_solved_world():
    batch, spec = started(3), "pimc:4,belief=reweighted(5,strangers=0.9),continuation=double_dummy"
    with pytest.raises(ValueError, match="double_dummy knows no strangers"):
        make_agent(spec, HOKM).probabilities(batch.states)


def test_caution_keeps_to_the_rules_where_the_difference_may_be_noise():
    batch = Batch("python_hokm", 60, seed=4)
    rules = make_agent("rules", "python_hokm").probabilities(batch.states)
    keeps = []
    for caution in (0, 1, 1000):
        agent = make_agent(f"pimc:worlds=10,caution={caution}", "python_hokm")
        chances = agent.probabilities(batch.states)
        keeps.append((chances * (rules > 0)).sum())
    assert keeps[0] < keeps[1] < keeps[2] == len(batch)


def test_true_hands_are_those_that_others_hold():
    """The values are those of the true world; of another world they would be others."""
    batch = started(40)
    others = batch.worlds(seed=3)
    for belief in ("uniform", "true_hands"):
        agent = make_agent(f"pimc:worlds=3,belief={belief}", HOKM)
        values = [agent.values(games.states) for games in (batch, others)]
        assert (values[0] != values[1]).any() == (belief == "true_hands")


def test_lookahead_leaves_the_rules_where_that_pays_at_once():
    """Hokm's rules pick one card: so one decision ahead is the best of all single deviations."""
    batch, rules = started(60), make_agent("rules", HOKM)
    worths, better = [], 0
    for depth in (0, 1, 3, 30):
        worths.append(weigh(batch, named(HOKM, depth)))
        assert len(worths) == 1 or (worths[-1] >= worths[-2]).all()
    for i, action in zip(*np.nonzero(batch.legal_mask()), strict=True):
        games = Batch.of_states(batch.game, batch.variant, batch.states[[i]])
        games.step(np.array([action]))
        while games.running() and games.actors()[0] % 2 or games.legal_mask().sum() == 1:
            games.step(rules.probabilities(games.states).argmax(axis=1))
        best = worths[0][i, action]
        if games.running():
            best = max(best, weigh(games, named(HOKM, 0))[0].max())
        assert worths[1][i, action] == best
        better += best > worths[0][i, action]
    assert better


def test_what_lookahead_wins_can_be_won():
    won = outcomes(HOKM, deals=20, seed=3, budget=1_000_000) == WON
    batch = Batch.of_states(*find(HOKM), Records(HOKM).deal(0, 20, 3).states)
    worth = weigh(batch, named(HOKM, 30)).max(axis=1)
    assert won[worth > 0, 0].all()
    assert (worth > 0).any()


def test_the_chance_of_winning_follows_from_who_won_and_by_how_many_tricks():
    """Played on by hand, from the formula of the fit."""
    batch, rules, fit = started(30), make_agent("rules", HOKM), fits()["hokm"]
    worth = weigh(batch, named(HOKM, 0, WinChance("hokm")))
    seen = set()
    for i, action in zip(*np.nonzero(batch.legal_mask()), strict=True):
        games = Batch.of_states(batch.game, batch.variant, batch.states[[i]])
        games.step(np.array([action]))
        while games.running():
            games.step(rules.probabilities(games.states).argmax(axis=1))
        mine, theirs = games.states["tricks"][0]
        won = 1 if mine > theirs else -1
        log_odds = fit["bias"] + fit["won"] / 13 * won + fit["margin"] * (mine - theirs)
        assert worth[i, action] == pytest.approx(2 / (1 + np.exp(-log_odds)) - 1)
        seen.add((mine, theirs))
    assert len(seen) > 5


def test_lookahead_wins_by_more_where_it_wins_anyway():
    """If wins count, a side wants to win first, and then by more tricks."""
    batch = started(60)
    legal = batch.legal_mask()
    values = [weigh(batch, named(HOKM, depth, WinChance("hokm")))[legal] for depth in (1, 3, 30)]
    assert all((more >= less).all() for less, more in pairwise(values))
    sure = values[0] > 0.9
    assert (values[-1][sure] > values[0][sure]).any()


def test_a_search_leaves_its_base_only_for_what_is_better():
    batch = started(60)
    wanted = batch.legal_mask().argmax(axis=1)  # of a random player's cards the first
    chances = {
        caution: make_agent(f"pimc:worlds=5,caution={caution},base=random", HOKM).probabilities(
            batch.states
        )[np.arange(60), wanted]
        for caution in (0, 1000)
    }
    assert (chances[1000] == 1).all()
    assert set(chances[0]) == {0, 1}  # where others are as good, it stays


def test_what_is_eliminated_is_not_chosen_and_costs_no_worlds():
    batch = started(40)
    agent = make_agent("pimc:worlds=64,eliminate=2", HOKM)
    evidence = agent._evidence(batch.states, agent._usual(batch.states))
    tries = (~np.isnan(evidence.values)).sum(axis=1)
    assert set(np.unique(tries)) <= {0, 8, 16, 32, 64}
    assert (tries[batch.legal_mask()] < 64).any()
    assert (agent.probabilities(batch.states)[tries < tries.max(axis=1, keepdims=True)] == 0).all()


def test_more_time_brings_more_worlds():
    batch = started(2)
    worlds = [
        make_agent(f"pimc:worlds=2,ms={ms}", HOKM).explain(batch.states)[0].worlds
        for ms in (0, 300)
    ]
    assert worlds[0] == 2
    assert worlds[1] > 2


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("pimc:worlds=0", "worlds=0 is not allowed; it must be at least 1"),
        ("pimc:caution=-1", "caution=-1.0 is not allowed; it must be at least 0"),
        ("pimc:belief=reweighted(0)", "steps=0 is not allowed; it must be at least 1"),
        (
            "pimc:belief=reweighted(9,strangers=1)",
            "strangers=1.0 is not allowed; it must be at least 0 and below 1",
        ),
        ("pimc:belief=exact(0)", "most=0 is not allowed; it must be at least 1"),
        ("pimc:belief=importance(rules,draws=1)", "draws=1 is not allowed; it must be at least 2"),
        ("pimc:continuation=lookahead(0)", "depth=0 is not allowed; it must be at least 1"),
        ("pimc:value=win_chance(chess)", "fit=chess is not allowed; it must be one of hokm"),
        ("pimc:belief=sure", "belief=sure is not allowed; it must be one of uniform, reweighted,"),
        (
            "pimc:insight=50",
            "pimc has no option 'insight=50' any more; write belief=reweighted(50)",
        ),
        ("search:slow", f"{HOKM} has no search 'slow'; it has fast, clairvoyant, league"),
    ],
)
def test_wrong_options_say_what_is_allowed(spec, why):
    with pytest.raises(ValueError) as error:
        make_agent(spec, HOKM)
    assert str(error.value).startswith(why)


@pytest.mark.parametrize("name", FULL)
def test_every_game_has_presets(name):
    batch = Batch(name, 2, seed=1)
    for preset in ("search", "search:fast", "search:clairvoyant"):
        chances = make_agent(preset, name).probabilities(batch.states)
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-6)


@pytest.mark.parametrize(
    ("experiment", "curve", "network", "game"),
    [
        ("hokm_league", "rehearsed", "hokm_rehearsed", HOKM),
        ("coinche_ppo", "long", "coinche_ppo", "python_coinche(reward=good)"),
    ],
)
def test_presets_are_the_searches_that_results_quote(experiment, curve, network, game):
    folder = f"experiments/results/{experiment}"
    searches = json.loads((ROOT / folder / "searches.json").read_text())
    (quoted,) = (one["plays"] for one in searches if one["curve"] == curve)
    assert presets(game)["league"] == f"pimc:{quoted},base=net:{network}"
    assert PRETRAINED[network] == f"{folder}/networks/{curve}-0"


def test_a_closed_talon_is_averaged_over_all_hands():
    """No hand is sampled: the mean of the exact values of all hands that the opponent may hold."""
    name = "python_snapszer(suits=3,ranks=4,hand=3)"
    batch = Batch(name, 400, seed=3)
    closable = np.flatnonzero(batch.legal_mask()[:, CLOSE])[:6]
    closed = Batch.of_states(batch.game, batch.variant, batch.states[closable])
    closed.step(np.full(len(closable), CLOSE))
    drawn = Exact().draw(batch.game, closed.states, 1, seeds_of(closed.states, 0, 0))
    for i, found in enumerate(weigh(closed, make_agent(SOLVED, name))):
        known = drawn.weights[i] > 0
        values = solve(drawn.states[i][known], batch.game)
        expected = (values * drawn.weights[i][known, None]).sum(axis=0)
        np.testing.assert_allclose(
            found[np.isfinite(found)], expected[np.isfinite(found)], atol=1e-6
        )
        assert known.sum() > 20


def test_a_variant_s_preset_comes_before_the_game_s():
    assert make_agent("search", HOKM).base.level is None  # a network
    assert make_agent("search", "python_hokm").base.level == 0
