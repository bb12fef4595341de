"""The exact gains by leaving all-pass in small variants of Coinche, and what is played instead.

deviations(name)  # each seat's and each team's gains, by how the others play the cards after a bid
equilibrium(name)  # what counterfactual regret minimisation bids, and what the game is worth
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.coinche.all_pass.auction_trees import (
    Auction,
    against_all,
    all_pass,
    bid_rates,
    gains_by_calls,
    lifted,
    load_auction,
    only_bidders,
    opened_with,
)
from analysis.coinche.all_pass.on_policy_sampling import OnPolicy
from solvers.exact.best_response import best_response, gains, nash_conv
from solvers.exact.cfr import Cfr
from solvers.exact.linear_program import solve
from solvers.exact.mccfr import Mccfr
from solvers.exact.profiles import Profile, uniform
from solvers.exact.sequence_form import expected_values, flatten
from solvers.teams.best_response import bracket
from solvers.teams.equilibrium import tmecor
from spielgames.coinche.rules import FIRST_BID, LAST_BID, PLAYERS
from spielgames.core.tree import Tree

TEAMS = ((0, 2), (1, 3))
DEFENCE_ITERATIONS = 500
PARTNERS = 2  # whose utilities the team solvers add up
TRIES = 4  # A_samples in the paper's table 3

Numbers = dict[str, Any]


def deviations(name: str, seconds: float) -> Numbers:
    """Gains over all-pass. `seconds` limits the proof that a joint plan is the best."""
    auction = load_auction(name)
    random = all_pass(auction, uniform(auction.tree))
    skilled = all_pass(auction, skilled_cards(auction))
    return {
        "leaves": len(auction.tree.chance),
        "blind": blind_gain(auction, skilled),
        "random_all": gains_by_calls(auction, random).tolist(),
        "random_others": gains(auction.tree, random).tolist(),
        "skilled": gains(auction.tree, skilled).tolist(),
        "against_all": [guaranteed(name, seat) for seat in range(PLAYERS)],
        "teams": [team_gains(auction.tree, skilled, team, seconds) for team in TEAMS],
    }


def skilled_cards(auction: Auction) -> Profile:
    """The card play that is learnt where one team always passes."""
    parts = []
    for team in TEAMS:
        attack = only_bidders(auction, team)
        solver = Cfr(attack.tree)
        solver.run(DEFENCE_ITERATIONS)
        parts.append((attack, solver.average()))
    return lifted(auction, parts)


def guaranteed(name: str, seat: int) -> float:
    """The gain of a lone bidder against three others who see each other's hands: the value of a
    two-player game. No play of the cards makes the gain smaller.
    """
    return solve(against_all(name, seat).tree).value


def blind_gain(auction: Auction, profile: Profile) -> float:
    """Seat 0's gain by the best bid that does not depend on its hand."""
    opening = np.unique(auction.tree.seats[0].action[auction.calls[0]])
    bids = opening[(opening >= FIRST_BID) & (opening <= LAST_BID)]
    values = []
    for bid in bids:
        opened = opened_with(auction, bid)
        own = [part[keep] for part, keep in zip(profile, opened.kept, strict=True)]
        values.append(best_response(opened.tree, own, 0).value)
    return max(values)


def team_gains(tree: Tree, profile: Profile, team: tuple[int, ...], seconds: float) -> Numbers:
    """Gains per seat if one partner leaves all-pass, if both do by a joint plan, if both see
    all hands.
    """
    found = bracket(tree, profile, team, seconds)
    return {
        "alone": found.alone / PARTNERS,
        "joint": found.joint.value / PARTNERS,
        "joint_bound": found.joint.bound / PARTNERS,
        "together": found.together / PARTNERS,
    }


def equilibrium(name: str, iterations: int) -> Numbers:
    """What the average strategy of CFR+ bids; `nash_conv` is its distance from equilibrium."""
    auction = load_auction(name)
    solver = Cfr(auction.tree)
    solver.run(iterations)
    profile = solver.average()
    rates, silent = bid_rates(auction, profile)
    return {
        "bids": rates,
        "all_pass": silent,
        "values": expected_values(solver.form, profile).tolist(),
        "nash_conv": nash_conv(solver.form, profile),
    }


def team_value(name: str, seconds: float) -> Numbers:
    """The value of a zero-sum variant between correlated teams, for each of seats 0 and 2."""
    found = tmecor(name, TEAMS[0], seconds)
    return {key: getattr(found, key) / PARTNERS for key in ("value", "lower", "upper")}


def penalty_point(name: str, iterations: int) -> Numbers:
    """The figure's numbers for one penalty, all of seat 0."""
    auction = load_auction(name)
    skilled = all_pass(auction, skilled_cards(auction))
    return {
        "skilled": float(gains(auction.tree, skilled)[0]),
        "against_all": guaranteed(name, 0),
        "bids": equilibrium(name, iterations)["bids"][0],
    }


LEARNERS: dict[str, Callable[[Tree, int], Mccfr]] = {
    "external sampling": lambda tree, seed: Mccfr(tree, "external", seed),
    "outcome sampling, ε = 0.6": lambda tree, seed: Mccfr(tree, "outcome", seed),
    "on policy (the paper's)": lambda tree, seed: OnPolicy(tree, seed, TRIES),
}


def learning(name: str, learner: str, seed: int, steps: list[int]) -> list[Numbers]:
    """The rate at which the current strategy never bids, and the NashConv of the average, after
    each number of iterations.
    """
    auction = load_auction(name)
    form, solver = flatten(auction.tree), LEARNERS[learner](auction.tree, seed)
    points = []
    for step in steps:
        solver.run(step - solver.iterations)
        _, silent = bid_rates(auction, solver.current())
        lost = nash_conv(form, solver.average())
        points.append({"iterations": step, "all_pass": silent, "nash_conv": lost})
    return points
