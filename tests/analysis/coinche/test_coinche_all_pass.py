"""Known by hand: who is sure of a contract, and what leaving all-pass gains in tiny variants."""

import json
from itertools import combinations

import numpy as np
import pytest
from numba import njit

from analysis.coinche.all_pass.__main__ import FINDINGS
from analysis.coinche.all_pass.auction_trees import (
    all_pass,
    bid_rates,
    gains_by_calls,
    load_auction,
    only_bidders,
)
from analysis.coinche.all_pass.exact import deviations, equilibrium, guaranteed
from analysis.coinche.all_pass.forced_contracts import forced_hands, next_set, sure_points, unbeaten
from analysis.coinche.all_pass.on_policy_sampling import OnPolicy
from analysis.coinche.all_pass.page import page
from analysis.coinche.all_pass.threshold_bidder import (
    GAME,
    bid_alone,
    choose_bids,
    classes,
    deal,
    play_out,
    play_rule,
    surely_above,
    tune,
)
from solvers.exact.best_response import gains
from solvers.exact.profiles import uniform
from solvers.exact.sequence_form import expected_values, flatten
from spielgames.agents import make_agent
from spielgames.coinche.rules import ALL, FIRST_BID, PASS
from spielgames.core import one_game
from spielgames.core.advance import advance
from spielgames.core.cards import NONE, bit, count, has, lane, lowest, make_set, members
from spielgames.core.game import initial_state
from spielgames.core.record import TERMINAL
from spielgames.core.registry import find
from spielgames.core.verbs import legal
from tests.commands import run_fresh

ONE_CARD = "python_coinche(suits=1,ranks=4,levels=1,capot=false"  # J Q K A of spades, one each
TWO_SUITS = "python_coinche(suits=2,ranks=2,levels=1,capot=false"  # two aces and two kings
RANKS = ["7", "8", "9", "10", "J", "Q", "K", "A"]


def cards(text):
    """A hand written as suits of ranks: clubs, diamonds, hearts, spades, divided by slashes."""
    return make_set(
        8 * suit + RANKS.index(rank)
        for suit, ranks in enumerate(text.split("/"))
        for rank in ranks.split()
    )


def test_eight_trumps_make_capot():
    assert sure_points(lane(3, 8), ALL, 3) == 162


def test_no_trumps_are_sure_of_nothing():
    assert sure_points(lane(2, 8), ALL, 3) == 0


def test_trumps_that_may_stay_out():
    """Ace, ten and king fall under jack and nine only if no hand holds all three."""
    assert sure_points(cards("///7 8 9 J Q"), ALL, 3) == 0


def test_four_top_trumps_and_an_ace():
    """Five tricks: the trumps are worth 62, the ace 11. The others put 15 cards under them: the
    four trumps and the cheapest eleven of the rest, which are six sevens, eights and nines (three
    are the bidder's), three jacks, and two queens."""
    hand = cards("7 8 9/A//9 10 J A")
    assert sure_points(hand, ALL, 3) == 62 + 11 + 3 * 2 + 2 * 3


def test_winners_of_all_tricks_count_the_last_one():
    hand = cards("10 Q K A///9 10 J A")
    assert sure_points(hand, ALL, 3) == 162


def test_all_hands_are_counted():
    """Capot: eight trumps; seven with the jack, and an ace; six with jack and nine, and two aces or
    ace and ten; five with jack, nine and ace; the top four: with three or four winners beside."""
    hands = forced_hands()
    assert hands.sum() == 10_518_300
    aces = 3 + 3  # two aces, or one suit's ace and ten
    three = 1 + 6 + 3  # aces; ace and ten, ace; ace, ten and king
    four = 3 + 6 + 3 + 3  # 4; 3 + 1; 2 + 2; 2 + 1 + 1 of a suit
    assert hands[162] == 4 * (1 + 7 * 3 + 15 * aces + 10 * three + four)


def test_next_set():
    sets = [np.uint64(3)]
    for _ in range(5):
        sets.append(next_set(sets[-1]))
    assert [members(s) for s in sets] == [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]]


@njit
def worst(states, depth, deck):
    """The fewest points that seats 0 and 2 make when seat 0 leads as planned, and everything else
    is done that harms them most. A state per card played.
    """
    if states[depth].turn == TERMINAL:
        return np.int64(states[depth].points[0])
    actions = legal(states[depth])
    if states[depth].turn == 0 and states[depth].in_trick == 0:
        hand, trump = states[depth].hands[0], states[depth].trump
        actions = plan(hand, deck & ~states[depth].public & ~hand, trump, actions)
    least = 1000
    while actions != NONE:
        card = lowest(actions)
        actions ^= bit(card)
        states[depth + 1] = states[depth]
        advance(states[depth + 1], card)
        least = min(least, worst(states, depth + 1, deck))
    return least


@njit
def plan(hand, others, trump, actions):
    """A trump that none beats while trumps are out, then any winner; anything if there is none."""
    trumps = hand & lane(trump, 8)
    if others & lane(trump, 8) != NONE:
        winners = unbeaten(trumps, others, trump)
    else:
        winners = trumps | unbeaten(hand & ~trumps, others, trump)
    return bit(lowest(winners)) if winners != NONE else actions


def begun(name, hands):
    """The states of a game in which seat 0 has bid spades on these hands."""
    states = np.repeat(initial_state(*find(name)), 40)
    one_game.start(states[:1])
    for card in members(sum(map(int, hands))):
        seat = next(k for k, hand in enumerate(hands) if has(hand, card))
        one_game.step(states[:1], seat)
    for call in (FIRST_BID + 3, PASS, PASS, PASS):
        one_game.step(states[:1], call)
    return states


def distributions(left, size):
    """All ways to deal cards to three seats."""
    for first in combinations(left, size):
        rest = [card for card in left if card not in first]
        for second in combinations(rest, size):
            third = [card for card in rest if card not in second]
            yield [make_set(hand) for hand in (first, second, third)]


@pytest.mark.parametrize(
    "variant, some",
    [
        ("suits=1,ranks=8", 1),
        ("suits=2,ranks=4", 1),
        ("suits=4,ranks=2", 1),
        ("suits=3,ranks=4", 5),
    ],
)
def test_sure_points_hold_against_every_distribution_and_play(variant, some):
    """Of the hands that are sure of something, every so many is tried against everything."""
    name = f"python_coinche({variant},levels=1,capot=false)"
    deck = np.uint64(initial_state(*find(name))["deck"][0])
    size = count(deck) // 4
    hands = [make_set(hand) for hand in combinations(members(deck), size)]
    sure = [(hand, points) for hand in hands if (points := sure_points(hand, deck, 3)) > 0]
    assert sure
    tight = 0
    for hand, points in sure[::some]:
        left = members(deck & ~hand)
        least = min(worst(begun(name, [hand, *d]), 0, deck) for d in distributions(left, size))
        assert least >= points
        tight += least == points
    assert tight


def test_the_jack_of_the_only_suit_bids():
    """A seat has the jack in a quarter of the deals and then makes 20. A team has it in half of
    them, but only its holder can know: together they gain twice as much as one."""
    found = deviations(f"{ONE_CARD})", seconds=5)
    for kind in ("random_all", "random_others", "skilled", "against_all"):
        assert found[kind] == pytest.approx([5, 5, 5, 5])
    for team in found["teams"]:
        assert (team["alone"], team["joint"], team["joint_bound"]) == pytest.approx((5, 10, 10))


def test_who_does_not_look_fails_half_of_the_time():
    assert deviations(f"{ONE_CARD})", seconds=5)["blind"] == pytest.approx((20 - 40) / 2)


def test_no_penalty_frightens_a_forced_win():
    assert guaranteed(f"{ONE_CARD},penalty=1000)", 0) == pytest.approx(5)
    assert guaranteed(f"{TWO_SUITS},penalty=1000)", 3) == pytest.approx(10)


def test_failing_for_nothing():
    """Classic: nobody loses by a bid, which pays if the partnership has the jack."""
    found = deviations(f"{ONE_CARD},reward=classic)", seconds=5)
    assert found["skilled"] == pytest.approx([10, 10, 10, 10])


def test_in_equilibrium_the_jack_bids():
    found = equilibrium(f"{ONE_CARD})", 300)
    assert found["bids"] == pytest.approx([0.25] * 4, abs=1e-3)
    assert found["all_pass"] == pytest.approx(0, abs=1e-3)
    assert found["nash_conv"] < 0.01


def test_those_who_always_pass():
    auction = load_auction(f"{TWO_SUITS})")
    alone = only_bidders(auction, (0,))
    rates, silent = bid_rates(alone, uniform(alone.tree))
    assert rates[1:] == [0, 0, 0]
    assert silent == pytest.approx(1 - rates[0])
    assert silent == pytest.approx(1 / 3)  # a pass and two bids, each as likely
    assert len(alone.tree.chance) < len(auction.tree.chance)


def test_all_pass_is_worth_nothing():
    auction = load_auction(f"{TWO_SUITS})")
    profile = all_pass(auction, uniform(auction.tree))
    assert bid_rates(auction, profile) == ([0, 0, 0, 0], pytest.approx(1))
    assert expected_values(flatten(auction.tree), profile) == pytest.approx([0] * 4)


def test_better_cards_on_top_of_better_calls():
    auction = load_auction("python_coinche(suits=1,ranks=8,levels=1,capot=false,doubling=false)")
    profile = all_pass(auction, uniform(auction.tree))
    calls, everything = gains_by_calls(auction, profile), gains(auction.tree, profile)
    assert (calls > 0).all()
    assert (everything >= calls - 1e-9).all()
    assert everything[0] > calls[0] + 1


def test_on_policy_never_tries_again_what_it_has_dropped():
    """Where a strategy has come to be pure, it stays."""
    tree = load_auction(f"{TWO_SUITS})").tree
    solver = OnPolicy(tree, seed=1, samples=1)
    solver.run(3000)
    before = np.concatenate(solver.current())
    solver.run(3000)
    after = np.concatenate(solver.current())
    assert (before == 0).sum() > 50
    assert (after[before == 0] == 0).all()


def test_classes_of_a_hand():
    """Jack and ten of clubs, two trumps in all, one ace beside; with hearts as trump: nothing."""
    hand = np.array([cards("10 J/A/7 8 K/7 8")], np.uint64)
    assert classes(hand, 0).tolist() == [((1 + 8) * 9 + 2) * 4 + 1]
    assert classes(hand, 2).tolist() == [3 * 4 + 1]


def test_others_pass_and_nobody_else_leads():
    dealt = deal(0, 20, seed=1)
    begun = bid_alone(dealt, 2, np.full(20, FIRST_BID + 1))
    assert (begun.states["playing"] == 1).all()
    assert (begun.states["bidder"] == 2).all()
    assert (begun.states["turn"] == 0).all()
    assert (begun.states["trump"] == 1).all()


def test_a_rule_that_likes_long_trumps_makes_them():
    """Bids on seven trumps or more with jack and nine: at random play these make 80 as a rule."""
    rule = np.full((16 * 9 * 4, 10), -1.0)
    rule[
        [
            ((3 | more) * 9 + n) * 4 + a
            for more in (0, 4, 8, 12)
            for n in (6, 7, 8)
            for a in range(4)
        ],
        0,
    ] = 1
    hands = np.array([cards("///7 8 9 10 J Q K A"), cards("7/7/7/7 8 9 J A")], np.uint64)
    assert choose_bids(rule, hands).tolist() == [FIRST_BID + 3, PASS]
    players = [make_agent("rules", GAME)] * 4
    bids, gains = play_rule(rule, 0, players, "mirror", 20_000, seed=3)
    assert 0 < bids.sum() < 200
    assert (gains[~bids] == 0).all()
    assert (gains[bids] == 80).all()


def test_compiled_and_batched_players_are_dealt_the_same():
    dealt = deal(0, 50, seed=5)
    agents = [make_agent("rules", GAME), make_agent("pimc:worlds=1", GAME)]
    for agent in agents:
        begun = bid_alone(dealt, 1, np.full(50, FIRST_BID))
        play_out(begun, [agent] * 4)
        assert (begun.states["dealt"] == dealt.states["dealt"]).all()
        assert (begun.states["points"].sum(axis=1) == 162).all()


def test_tuned_rule_passes_weak_hands():
    rule = tune(0, [make_agent("random", GAME)] * 4, 5000, seed=1)["mirror"]
    hands = np.array(
        [cards("7 8/7 8/7 8/7 8"), cards("7//8/9 10 J K Q A".replace("K Q", "Q K"))], np.uint64
    )
    bids = choose_bids(rule, hands)
    assert bids[0] == PASS
    assert bids[1] == PASS or (bids[1] - FIRST_BID) % 4 == 3


def test_bound_is_below_the_mean_and_closes_in():
    few, many = np.tile([0.0, 80.0], 500), np.tile([0.0, 80.0], 50_000)
    assert surely_above(few, 500) < surely_above(many, 500) < 40
    assert surely_above(many, 500) > 39
    assert surely_above(np.full(10**6, 3.0), 500) > 2.99


def test_the_page_is_that_of_its_numbers():
    results = json.loads((FINDINGS / "coinche_all_pass.json").read_text())
    assert (FINDINGS / "coinche_all_pass.md").read_text() == page(results) + "\n"


def test_whose_findings_hold():
    """What the page says in words."""
    results = json.loads((FINDINGS / "coinche_all_pass.json").read_text())
    assert all(max(row["against_all"]) > 1 for row in results["exact"])
    assert max(point["all_pass"] for point in results["learning"]) < 0.5
    mirror = [row for row in results["full"]["bidding"] if row["reward"] == "mirror"]
    assert all(row["blind"] < 0 for row in mirror if "blind" in row)


@pytest.mark.slow
def test_the_command_writes_everything(tmp_path):
    done = run_fresh("analysis.coinche.all_pass", "--quick", f"--out={tmp_path}", timeout=None)
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "coinche_all_pass.json").read_text())
    assert results["full"]["forced"]["sure"]["80"] == forced_hands()[80:].sum()
    assert "## " in (tmp_path / "coinche_all_pass.md").read_text()
    for kind in ("pdf", "png", "csv"):
        assert (tmp_path / f"coinche_all_pass.{kind}").exists()
