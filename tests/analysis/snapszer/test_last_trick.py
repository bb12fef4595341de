"""The last trick before the talon is gone: its deals by brute force, a trick by hand, and its games
against solutions of whole trees."""

import json

import numpy as np
import pytest

from analysis.snapszer.joint_deals import joint_deals
from analysis.snapszer.last_trick import examine, is_last_lead, last_leads, losses_of
from analysis.snapszer.subgames import subgame, values_of
from solvers.exact.best_response import nash_conv
from solvers.exact.cfr import Cfr
from solvers.exact.linear_program import solve as solve_tree
from solvers.exact.profiles import load_tree, profile_of
from solvers.exact.sequence_form import expected_values
from solvers.search.double_dummy import solve
from spielgames import SNAPSZER
from spielgames.agents import make_agent
from spielgames.core.batch import Batch
from spielgames.core.record import event_seat, is_visible
from spielgames.core.walk import Level
from spielgames.testing.positions import root
from tests.commands import run
from tests.snapszer.table import Table

TINY = "python_snapszer(suits=2,ranks=3,hand=2)"  # has its last trick with a talon first
DRAWN = "python_snapszer(suits=2,ranks=4,hand=2)"  # its second trick
SPECTATOR = 14


def first_leads(name):
    """A position after the deal for each upcard."""
    states = Batch(name, 200, seed=1).states
    return states[np.unique(states["dealt"][:, 3], return_index=True)[1]]


def even(deals):
    return np.ones(len(deals))


def seen(states, t):
    """What a spectator saw of event t."""
    events = states["events"][:, t]
    shown = [is_visible(e, SPECTATOR) or event_seat(e) == 15 for e in events]
    return np.where(shown, events, events & ~np.uint16(255))


def brute_force(name, target):
    """The hands of all histories of the variant that look to a spectator like the target."""
    level, found = Level.root(root(name)[2]), set()
    s = target[0]
    while len(level.states):
        states = level.states
        keep = states["length"] <= s.length
        keep &= (states["undealt"] != 0) | (states["dealt"][:, 3] == s.dealt[3])
        for t in range(s.length):
            keep &= (states["length"] <= t) | (seen(states, t) == seen(target, t))
        level = Level(states[keep], level.reach[keep], None, None)
        there = level.states[
            (level.states["length"] == s.length) & (level.states["turn"] == s.turn)
        ]
        found |= {tuple(hands.tolist()) for hands in there["hands"]}
        level = level.next()
    return found


def test_joint_deals_are_those_of_all_pasts_that_look_alike_to_a_spectator():
    player = make_agent("random", DRAWN)
    for position in np.split(last_leads(player, 3, seed=4), 3):
        assert is_last_lead(position).all() and position[0].length > 0
        deals = joint_deals(position, seed=0)
        hands = [tuple(hands.tolist()) for hands in deals["hands"]]
        assert len(set(hands)) == len(hands)
        assert set(hands) == brute_force(DRAWN, position)


def test_a_trick_without_choices_by_hand():
    """♠A is turned up, and ♥A ♥K ♠K are dealt, one of them to the talon. Whoever wins the first
    trick has to lead the hidden card into the ace of trumps, which wins one game point."""
    table = Table("python_snapszer(suits=2,ranks=2,hand=1)").deal("K♠", "K♥", "A♠")
    deals = joint_deals(table.states, seed=0)
    hands = {("K♠", "K♥"): -1, ("K♠", "A♥"): -1, ("K♥", "K♠"): 1}
    hands |= {("A♥", "K♠"): 1, ("K♥", "A♥"): 1, ("A♥", "K♥"): -1}
    game = subgame(SNAPSZER, deals)
    held = [tuple(SNAPSZER.card_names(cards)[0] for cards in s.hands[:2]) for s in deals]
    assert sorted(held) == sorted(hands)
    values = dict(zip(game.deal.tolist(), game.value.tolist(), strict=True))
    assert [values[i] for i in range(6)] == [hands[names] for names in held]


def test_deals_together_are_the_whole_game():
    """Where this trick is the first, its losses are those on the tree of the variant."""
    tree = load_tree(TINY)
    agents = [make_agent(spec, TINY) for spec in ("rules", "rules:expert")]
    found, worth = np.zeros(2), 0.0
    positions = first_leads(TINY)
    for position in np.split(positions, len(positions)):
        deals = joint_deals(position, seed=0)
        game = subgame(SNAPSZER, deals)
        small = game.tree(even(deals))
        found += [nash_conv(small, game.profile_of(agent)) / len(positions) for agent in agents]
        worth += solve_tree(small).value / len(positions)
    assert found == pytest.approx([nash_conv(tree, profile_of(agent, tree)) for agent in agents])
    assert worth == pytest.approx(solve_tree(tree).value)


def test_a_single_deal_is_worth_what_it_is_with_open_hands():
    position = last_leads(make_agent("random", DRAWN), 1, seed=5)
    game = subgame(SNAPSZER, position)
    solver = Cfr(game.tree(np.ones(1)))
    solver.run(300)
    best = np.nanmax(solve(position, SNAPSZER))
    leader = position[0].turn
    assert expected_values(solver.form, solver.average())[leader] == pytest.approx(best, abs=1e-3)


def test_losses_are_what_a_best_answer_takes():
    player = make_agent("rules", TINY)
    agents = [make_agent(spec, TINY) for spec in ("rules", "random")]
    position = first_leads(TINY)[:1]
    found = examine(position, agents, player, seed=0)
    assert found.deals == 30 and found.gaps.max() < 1e-3
    deals = joint_deals(position, seed=0)
    game = subgame(SNAPSZER, deals)
    for agent, losses in zip(agents, found.losses, strict=True):
        profile = game.profile_of(agent)
        assert losses[0].sum() == pytest.approx(nash_conv(game.tree(even(deals)), profile))
        assert losses[0].min() > -1e-3
    np.testing.assert_allclose(found.losses[:, 0], found.losses[:, 1])  # nothing has been played
    one, *_ = losses_of(["rules", "random"], [found, found])
    assert one.loss == pytest.approx((one.leading + one.following) / 2)


def test_values_are_those_of_seat_0():
    ends = np.concatenate([Table(TINY).deal("K♠ Q♠", "K♥ Q♥", "A♠").states] * 2)
    ends["turn"], ends["winner"], ends["worth"] = -4, [0, 1], [2, 3]
    assert values_of(SNAPSZER, ends).tolist() == [2, -3]


def test_the_command_writes_its_numbers(tmp_path):
    options = "--agents=rules,random", "--positions=2", f"--game={TINY}"
    run("analysis.snapszer.last_trick", *options, f"--json={tmp_path}/x.json")
    kept = json.loads((tmp_path / "x.json").read_text())
    assert kept["positions"] == 2 and kept["gap"] < 1e-3
    found = [(one["agent"], one["belief"]) for one in kept["agents"]]
    assert found[:3] == [("rules", "uniform"), ("rules", "played"), ("random", "uniform")]
