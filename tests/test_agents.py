"""Agents: their names, what they make of a position, and that they don't peek."""

from importlib.metadata import EntryPoint, EntryPoints

import numpy as np
import pyspiel
import pytest

from spielgames import Batch, agents
from spielgames.agent_help import describe_agents
from spielgames.agents import RuleAgent, kind_of, kinds, make_agent
from spielgames.specs import options_of, split_specs
from tests.variants import FULL


def test_names_with_options():
    agent = make_agent("pimc:worlds=7,seed=3", "python_hearts")
    assert (agent.search.choice.worlds, agent.seed, agent.level) == (7, 3, None)
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
    levels = (
        "python_coinche strong, simple, expert; python_hokm standard, basic; python_sheephead"
        " standard, random_cards; python_snapszer standard, quick, expert."
    )
    assert levels in " ".join(told.split())


def test_a_list_of_names():
    specs = split_specs("rules:simple,pimc:worlds=40,seed=2,random")
    assert specs == ["rules:simple", "pimc:worlds=40,seed=2", "random"]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (
            "nobody",
            "there is no agent 'nobody'; there are random, rules, alpha_mu, alphazero, ismcts, net,"
            " openspiel_ismcts, pimc, pomdp, ppo, search, trees"
            " (python -m spielgames.play --help tells what each is)",
        ),
        ("rules:best", "the rules of python_hearts have no level 'best'; they have "),
        (
            "pimc:world=3",
            "pimc has no option 'world=3'; its options are: worlds, caution, belief, continuation,",
        ),
        ("pimc:worlds=few", "worlds=few is not allowed; it must be a whole number"),
        ("pimc:worlds=0", "worlds=0 is not allowed; it must be at least 1"),
        ("random:now", "random has no option 'now'; its options are: none"),
        ("openspiel_ismcts:sims=0", "sims=0 is not allowed; a search needs at least 1"),
        (
            "openspiel_ismcts:exploration=much",
            "exploration=much is not allowed; it must be a number",
        ),
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
