"""Agents: their names, what they make of a position, and that they don't peek."""

from importlib.metadata import EntryPoint, EntryPoints

import numpy as np
import pytest

from spielgames import Batch, agents
from spielgames.agents import RuleAgent, make_agent, split_specs
from spielgames.core.pimc import action_values
from tests.variants import FULL


def test_names_with_options():
    agent = make_agent("pimc:worlds=7,seed=3", "python_hearts")
    assert (agent.worlds, agent.seed, agent.level) == (7, 3, None)
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
    assert (other.weigh(batch.states)[0] != agent.weigh(batch.states)[0]).any()


def test_pimc_values_are_means_over_worlds_of_rule_based_play():
    """With one card left there is nothing to sample or to choose: the value is the result."""
    batch = Batch("python_hearts(pass=hold)", 6, seed=2)
    rng = np.random.default_rng(1)
    for _ in range(48):
        mask = batch.legal_mask()
        batch.step((rng.random(mask.shape) * mask).argmax(1))
    movers = batch.actors().copy()
    worth, doubt = action_values(batch.states, 52, worlds=4, level=0, seed=9)
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
