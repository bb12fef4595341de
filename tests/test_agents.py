"""Agents: their names, what they make of a position, and that they don't peek."""

from importlib.metadata import EntryPoint, EntryPoints

import numpy as np
import pytest

from analysis.hokm_ceiling import WON, outcomes
from solvers.records import Records
from spielgames import Batch, agents
from spielgames.agents import RuleAgent, make_agent, split_specs
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


def test_a_list_of_names():
    specs = split_specs("rules:simple,pimc:worlds=40,seed=2,random")
    assert specs == ["rules:simple", "pimc:worlds=40,seed=2", "random"]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("nobody", "there is no agent 'nobody'; there are ismcts, net, pimc, ppo, random, rules"),
        ("rules:best", "the rules of python_hearts have no level 'best'; they have "),
        (
            "pimc:world=3",
            "pimc has no option 'world=3'; its options are: worlds, caution, level, seed",
        ),
        ("pimc:worlds=few", "worlds=few is not allowed; it is a whole number"),
        ("pimc:worlds=0", "worlds=0 is not allowed; pimc needs at least 1"),
        ("random:now", "random has no option 'now'; its options are: none"),
        ("ismcts:sims=0", "sims=0 is not allowed; a search needs at least 1"),
        ("ismcts:exploration=much", "exploration=much is not allowed; it is a number"),
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
        chances = agent.probabilities(batch.states, batch.actors())
        assert chances.dtype == np.float32
        assert (chances[~batch.legal_mask()] == 0).all()
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-6)
    random = make_agent("random", name).probabilities(batch.states, batch.actors())
    assert (random[batch.legal_mask()] > 0).all()


@pytest.mark.parametrize("name", FULL)
def test_pimc_does_the_same_wherever_it_cant_tell_the_difference(name):
    batch = Batch(name, 10, seed=6)
    agent = make_agent("pimc:worlds=5", name)
    worlds = batch.worlds(count=4, seed=1)
    here = agent.probabilities(batch.states, batch.actors())
    there = agent.probabilities(worlds.states, worlds.actors())
    np.testing.assert_array_equal(there, here.repeat(4, axis=0))
    other = make_agent("pimc:worlds=5,seed=1", name)
    usual = batch.legal_mask().argmax(axis=1)
    assert (other.weigh(batch.states, usual)[0] != agent.weigh(batch.states, usual)[0]).any()


def weigh(batch: Batch, how: Search) -> tuple[np.ndarray, np.ndarray]:
    """What actions are worth, and how sure that they are better than the first legal one."""
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
    np.testing.assert_allclose(agent.values(batch.states, movers), worth.max(axis=1), atol=1e-9)


def test_caution_keeps_to_the_rules_where_the_difference_may_be_noise():
    batch = Batch("python_hokm", 60, seed=4)
    rules = make_agent("rules", "python_hokm").probabilities(batch.states, batch.actors())
    keeps = []
    for caution in (0, 1, 1000):
        agent = make_agent(f"pimc:worlds=10,caution={caution}", "python_hokm")
        chances = agent.probabilities(batch.states, batch.actors())
        keeps.append((chances * (rules > 0)).sum())
    assert keeps[0] < keeps[1] < keeps[2] == len(batch)


def test_who_cheats_sees_what_others_hold():
    """The values are those of the true world; of another world they would be others."""
    batch = Batch("python_hokm(trump=heuristic)", 40, seed=4)
    batch.step(batch.legal_mask().argmax(axis=1))  # the rest is dealt when trump is named
    others = batch.worlds(seed=3)
    mine = batch.actors()
    for cheats in (0, 1):
        agent = make_agent(f"pimc:worlds=3,cheats={cheats}", "python_hokm(trump=heuristic)")
        values = [agent.values(games.states, mine) for games in (batch, others)]
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
            games.step(agent.probabilities(games.states, games.actors()).argmax(axis=1))
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


def test_a_search_may_look_at_wins_alone():
    """Some deals are worth two or three points, all hands open."""
    batch = Batch("python_hokm(trump=heuristic)", 200, seed=4)
    batch.step(batch.legal_mask().argmax(axis=1))
    points, wins = (
        weigh(batch, Search(worlds=1, cheats=True, ahead=5, wins=wins))[0] for wins in (False, True)
    )
    legal = batch.legal_mask()
    assert (wins[legal] == np.sign(points[legal])).all()
    assert np.abs(points[legal]).max() > 1


def test_a_search_leaves_its_base_only_for_what_is_better():
    name = "python_hokm(trump=heuristic)"
    batch = Batch(name, 60, seed=4)
    batch.step(batch.legal_mask().argmax(axis=1))
    wanted = batch.legal_mask().argmax(axis=1)  # of a random player's cards the first
    chances = {
        caution: make_agent(f"pimc:worlds=5,caution={caution},base=random", name).probabilities(
            batch.states, batch.actors()
        )[np.arange(60), wanted]
        for caution in (0, 1000)
    }
    assert (chances[1000] == 1).all()
    assert set(chances[0]) == {0, 1}  # where others are as good, it stays


@pytest.mark.parametrize("option", ["insight", "ahead"])
def test_a_search_cannot_look_less_than_nowhere(option):
    with pytest.raises(ValueError, match=f"{option}=-1 is not allowed; it is at least 0"):
        make_agent(f"pimc:{option}=-1", "python_hokm")
