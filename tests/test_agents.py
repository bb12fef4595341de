"""Agents: their names, what they make of a position, and that they don't peek."""

from importlib.metadata import EntryPoint, EntryPoints
from itertools import pairwise

import numpy as np
import pyspiel
import pytest

from analysis.hokm.ceiling import WON, outcomes
from solvers.environments.card_game import Records
from spielgames import Batch, agents
from spielgames.agent_help import describe_agents
from spielgames.agents import (
    RuleAgent,
    kind_of,
    kinds,
    make_agent,
    options_of,
    split_specs,
)
from spielgames.core.pimc import Search, action_values
from spielgames.core.registry import find
from tests.variants import FULL


def test_names_with_options():
    agent = make_agent("pimc:worlds=7,seed=3", "python_hearts")
    assert (agent.how.worlds, agent.how.seed, agent.level) == (7, 3, None)
    assert make_agent("rules:simple", "python_coinche").level == 1
    assert make_agent("rules", "python_coinche").level == 0
    assert make_agent("rules:level=simple", "python_coinche").level == 1
    assert make_agent("random", "python_hokm").level == -1


def test_a_loaded_game_is_as_good_as_its_name():
    name = "python_snapszer(suits=2,ranks=3,hand=2)"
    agent = make_agent("rules", pyspiel.load_game(name))
    assert agent.variant == make_agent("rules", name).variant


def test_help_has_every_kind_with_its_options_and_some_words():
    told = describe_agents()
    for name in kinds():
        options = [option.name for option in options_of(kind_of(name))]
        line, words = told.partition(f"\n  {name}")[2].split("\n")[:2]
        assert [part.partition("=")[0] for part in line.strip(":").split(",") if part] == options
        assert words.strip()
    assert "python_coinche strong, simple; python_snapszer standard, quick." in " ".join(
        told.split()
    )


def test_a_list_of_names():
    specs = split_specs("rules:simple,pimc:worlds=40,seed=2,random")
    assert specs == ["rules:simple", "pimc:worlds=40,seed=2", "random"]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (
            "nobody",
            "there is no agent 'nobody'; there are random, rules, pimc, ismcts, net, ppo"
            " (python -m spielgames.play --help tells what each is)",
        ),
        ("rules:best", "the rules of python_hearts have no level 'best'; they have "),
        (
            "pimc:world=3",
            "pimc has no option 'world=3'; its options are: worlds, caution, level, seed",
        ),
        ("pimc:worlds=few", "worlds=few is not allowed; it must be a whole number"),
        ("pimc:worlds=0", "worlds=0 is not allowed; it must be at least 1"),
        ("random:now", "random has no option 'now'; its options are: none"),
        ("ismcts:sims=0", "sims=0 is not allowed; a search needs at least 1"),
        ("ismcts:exploration=much", "exploration=much is not allowed; it must be a number"),
    ],
)
def test_a_wrong_name_says_what_is_allowed(spec, why):
    with pytest.raises(ValueError) as error:
        make_agent(spec, "python_hearts")
    assert str(error.value).startswith(why)


def third_party(game: str, folder: str, depth: int = 2):
    agent = RuleAgent(game, 0)
    agent.built_with = (folder, depth)
    return agent


def test_another_package_adds_agents_by_entry_point(monkeypatch):
    entry = EntryPoint("other", "tests.test_agents:third_party", "spielgames.agents")
    monkeypatch.setattr(agents, "entry_points", lambda group: EntryPoints([entry]))
    assert make_agent("other:runs/x,depth=4", "python_hokm").built_with == ("runs/x", 4)
    with pytest.raises(ValueError, match="other needs folder: write other:folder=…"):
        make_agent("other", "python_hokm")


@pytest.mark.parametrize("name", FULL)
def test_probabilities_are_those_of_legal_actions(name):
    batch = Batch(name, 20, seed=5)
    for spec in ("random", "rules", "pimc:worlds=3"):
        agent = make_agent(spec, name)
        chances = agent.probabilities(batch.states)
        assert chances.dtype == np.float32
        assert (chances[~batch.legal_mask()] == 0).all()
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-6)
    random = make_agent("random", name).probabilities(batch.states)
    assert (random[batch.legal_mask()] > 0).all()


@pytest.mark.parametrize("name", FULL)
def test_pimc_does_the_same_wherever_it_cant_tell_the_difference(name):
    batch = Batch(name, 10, seed=6)
    agent = make_agent("pimc:worlds=5", name)
    worlds = batch.worlds(count=4, seed=1)
    here = agent.probabilities(batch.states)
    there = agent.probabilities(worlds.states)
    np.testing.assert_array_equal(there, here.repeat(4, axis=0))
    other = make_agent("pimc:worlds=5,seed=1", name)
    usual = batch.legal_mask().argmax(axis=1)
    assert (other.weigh(batch.states, usual)[0] != agent.weigh(batch.states, usual)[0]).any()


def weigh(batch: Batch, how: Search) -> tuple[np.ndarray, np.ndarray]:
    """The values of actions, and the errors of their gains on the first legal one."""
    first = batch.legal_mask().argmax(axis=1)
    return action_values(batch.states, batch.game.actions, batch.game.sides, how, first)


def test_pimc_values_are_means_over_worlds_of_rule_based_play():
    """With one card left there is nothing to sample or to choose: the value is the result."""
    batch = Batch("python_hearts(pass=hold)", 6, seed=2)
    rng = np.random.default_rng(1)
    for _ in range(48):
        mask = batch.legal_mask()
        batch.step((rng.random(mask.shape) * mask).argmax(1))
    movers = batch.actors().copy()
    worth, doubt = weigh(batch, Search(worlds=4, seed=9))
    assert (doubt == 0).all()
    assert (np.isfinite(worth) == batch.legal_mask()).all()
    np.testing.assert_allclose(worth.max(axis=1), batch.playouts()[np.arange(6), movers], atol=1e-9)
    agent = make_agent("rules", "python_hearts(pass=hold)")
    np.testing.assert_allclose(agent.values(batch.states), worth.max(axis=1), atol=1e-9)


def test_caution_keeps_to_the_rules_where_the_difference_may_be_noise():
    batch = Batch("python_hokm", 60, seed=4)
    rules = make_agent("rules", "python_hokm").probabilities(batch.states)
    keeps = []
    for caution in (0, 1, 1000):
        agent = make_agent(f"pimc:worlds=10,caution={caution}", "python_hokm")
        chances = agent.probabilities(batch.states)
        keeps.append((chances * (rules > 0)).sum())
    assert keeps[0] < keeps[1] < keeps[2] == len(batch)


def test_who_cheats_sees_what_others_hold():
    """The values are those of the true world; of another world they would be others."""
    batch = Batch("python_hokm(trump=heuristic)", 40, seed=4)
    batch.step(batch.legal_mask().argmax(axis=1))  # the rest is dealt when trump is named
    others = batch.worlds(seed=3)
    for cheats in (0, 1):
        agent = make_agent(f"pimc:worlds=3,cheats={cheats}", "python_hokm(trump=heuristic)")
        values = [agent.values(games.states) for games in (batch, others)]
        assert (values[0] != values[1]).any() == bool(cheats)


def test_a_side_that_looks_ahead_leaves_the_rules_where_that_pays_at_once():
    """Hokm's rules pick one card: so one decision ahead is the best of all single deviations."""
    name = "python_hokm(trump=heuristic)"
    batch, agent = Batch(name, 60, seed=4), make_agent("rules", name)
    batch.step(batch.legal_mask().argmax(axis=1))
    worths, better = [], 0
    for ahead in (0, 1, 3, 30):
        how = Search(worlds=1, cheats=True, ahead=ahead)
        worths.append(weigh(batch, how)[0])
        assert len(worths) == 1 or (worths[-1] >= worths[-2]).all()
    for i, action in zip(*np.nonzero(batch.legal_mask()), strict=True):
        games = Batch.of_states(batch.game, batch.variant, batch.states[[i]])
        games.step(np.array([action]))
        while games.running() and games.actors()[0] % 2 or games.legal_mask().sum() == 1:
            games.step(agent.probabilities(games.states).argmax(axis=1))
        best = worths[0][i, action]
        if games.running():
            then = Search(worlds=1, cheats=True)
            best = max(best, weigh(games, then)[0].max())
        assert worths[1][i, action] == best
        better += best > worths[0][i, action]
    assert better


def test_what_looking_ahead_wins_can_be_won():
    name = "python_hokm(trump=heuristic)"
    won = outcomes(name, deals=20, seed=3, budget=1_000_000) == WON
    batch = Batch.of_states(*find(name), Records(name).deal(0, 20, 3).states)
    how = Search(worlds=1, cheats=True, ahead=30)
    worth = weigh(batch, how)[0].max(axis=1)
    assert won[worth > 0, 0].all()
    assert (worth > 0).any()


def test_odds_make_wins_of_points():
    """Played on by hand, each way (looking no further, both are the rules') says who won and by how
    many tricks.
    """
    name, odds = "python_hokm(trump=heuristic)", {"bias": 0.5, "won": 0.7, "margin": 0.2}
    batch, agent = Batch(name, 30, seed=4), make_agent("rules", name)
    batch.step(batch.legal_mask().argmax(axis=1))
    worth = weigh(batch, Search(worlds=1, cheats=True, **odds))[0]
    seen = set()
    for i, action in zip(*np.nonzero(batch.legal_mask()), strict=True):
        games = Batch.of_states(batch.game, batch.variant, batch.states[[i]])
        games.step(np.array([action]))
        while games.running():
            games.step(agent.probabilities(games.states).argmax(axis=1))
        mine, theirs = games.states["tricks"][0]
        won = 1 if mine > theirs else -1
        log_odds = 0.5 + 2 * (0.7 / 13 * won + 0.2 * (mine - theirs))
        assert worth[i, action] == pytest.approx(2 / (1 + np.exp(-log_odds)) - 1)
        seen.add((mine, theirs))
    assert len(seen) > 5


def test_odds_need_no_margin():
    """In Hearts they go by the sign of the utility."""
    batch = Batch("python_hearts(pass=hold)", 30, seed=4)
    points, chances = (weigh(batch, Search(worlds=1, cheats=True, won=won))[0] for won in (0, 1))
    legal = batch.legal_mask()
    np.testing.assert_allclose(chances[legal], np.tanh(np.sign(points[legal]) / 13))
    assert {-1, 1} <= set(np.sign(points[legal]))


def test_looking_ahead_wins_by_more_where_it_wins_anyway():
    """With odds a side wants to win first, and then by more tricks."""
    name = "python_hokm(trump=heuristic)"
    batch = Batch(name, 60, seed=4)
    batch.step(batch.legal_mask().argmax(axis=1))
    legal, worths = batch.legal_mask(), []
    for ahead in (0, 1, 3, 30):
        how = Search(worlds=1, cheats=True, ahead=ahead, won=1, margin=0.1)
        worths.append(weigh(batch, how)[0][legal])
    assert all((more >= less).all() for less, more in pairwise(worths))
    sure = worths[0] > 0
    assert (worths[-1][sure] > worths[0][sure]).any()


@pytest.mark.parametrize("share", ["-0.1", "1"])
def test_strangers_are_a_share(share):
    with pytest.raises(ValueError, match=f"strangers={float(share)} is not allowed; it must be"):
        make_agent(f"pimc:insight=5,strangers={share}", "python_hokm")


def test_strangers_need_insight():
    with pytest.raises(ValueError, match="strangers=0.1 needs insight above 0"):
        make_agent("pimc:strangers=0.1", "python_hokm")


@pytest.mark.parametrize("text", ["1", "1/2", "1/2/3/4", "1/x/3", "1/0/1", "1/1/-1", "1/inf/1"])
def test_wrong_odds_say_what_is_allowed(text):
    with pytest.raises(ValueError, match=f"odds={text} is not allowed; write three numbers"):
        make_agent(f"pimc:odds={text}", "python_hokm")
    assert make_agent("pimc:odds=-1/2/0", "python_hokm").how[-3:] == (-1, 2, 0)


def test_a_search_leaves_its_base_only_for_what_is_better():
    name = "python_hokm(trump=heuristic)"
    batch = Batch(name, 60, seed=4)
    batch.step(batch.legal_mask().argmax(axis=1))
    wanted = batch.legal_mask().argmax(axis=1)  # of a random player's cards the first
    chances = {
        caution: make_agent(f"pimc:worlds=5,caution={caution},base=random", name).probabilities(
            batch.states
        )[np.arange(60), wanted]
        for caution in (0, 1000)
    }
    assert (chances[1000] == 1).all()
    assert set(chances[0]) == {0, 1}  # where others are as good, it stays


@pytest.mark.parametrize("option", ["insight", "ahead"])
def test_a_search_cannot_look_less_than_nowhere(option):
    with pytest.raises(ValueError, match=f"{option}=-1 is not allowed; it must be at least 0"):
        make_agent(f"pimc:{option}=-1", "python_hokm")
