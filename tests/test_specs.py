"""Specs nest: what they mean, and what is said of wrong ones."""

import pytest

from solvers.search.beliefs import Reweighted, Uniform
from spielgames.agents import make_agent
from spielgames.specs import kind_and_options, split_specs

GAME = "python_hokm"


@pytest.mark.parametrize(
    "spec",
    [
        "pimc:7,belief=reweighted(40)",
        "pimc(7,belief=reweighted(40))",
        "pimc(worlds=7,belief=reweighted:40)",
    ],
)
def test_colons_and_parentheses_mean_the_same(spec):
    agent = make_agent(spec, GAME)
    assert agent.search.belief == Reweighted(40)
    assert agent.search.choice.worlds == 7


def test_agents_nest():
    agent = make_agent("pimc(5,base=pimc(6,caution=2,base=rules(standard)),belief=uniform)", GAME)
    assert agent.base.search.choice.worlds == 6
    assert agent.base.search.choice.caution == 2
    assert agent.base.base.level == 0
    assert agent.search.belief == Uniform()


def test_a_list_of_specs():
    specs = split_specs(
        "rules:simple,pimc:worlds=40,seed=2,random,pimc(4,base=net(x,play=best)),rules"
    )
    assert specs == [
        "rules:simple",
        "pimc:worlds=40,seed=2",
        "random",
        "pimc(4,base=net(x,play=best))",
        "rules",
    ]


def test_a_part_is_written_as_it_is_read():
    assert str(Reweighted(40)) == "reweighted(steps=40)"
    assert str(Uniform()) == "uniform"
    assert make_agent(f"pimc:belief={Reweighted(40, 0.1)}", GAME).search.belief == Reweighted(
        40, 0.1
    )


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("pimc(5", "'pimc(5' leaves a parenthesis open"),
        ("pimc(5)x", "'pimc(5)x' goes on after its parentheses"),
        ("pimc:5)", "'5)' closes a parenthesis that it has not opened"),
        ("pimc:base=nobody", "there is no agent 'nobody'"),
        ("pimc:5,6", "pimc has no option '6'; its options are: worlds, "),
        ("pimc:belief=reweighted(few)", "steps=few is not allowed; it must be a whole number"),
        (
            "pimc:belief=reweighted(depth=1)",
            "reweighted has no option 'depth=1'; its options are: steps",
        ),
        ("pimc:continuation=policy", "policy needs agent: write policy:agent=…"),
    ],
)
def test_what_is_wrong_is_said(spec, why):
    with pytest.raises(ValueError) as error:
        make_agent(spec, GAME)
    assert str(error.value).startswith(why)


def test_a_path_may_have_an_equals_sign():
    assert kind_and_options("net:runs/lr=1,play=best") == ("net", "runs/lr=1,play=best")
