"""Small variants of Coinche as trees in which some seats always pass.

auction = load_auction("python_coinche(suits=2,ranks=2,levels=1,capot=false)")
alone = only_bidders(auction, (0,))  # the game in which seats 1, 2 and 3 always pass
solve(against_all(name, 0).tree)  # the same if the three others play the cards as one opponent
"""

from dataclasses import dataclass, replace

import numpy as np

from solvers.exact.profiles import Profile, load_tree, uniform
from solvers.exact.sequence_form import (
    Form,
    expectation,
    expected_values,
    flatten,
    leaf_values,
    reach_down,
)
from spielgames.coinche.rules import FIRST_BID, LAST_BID, PASS, PLAYERS
from spielgames.core.cache import compiled
from spielgames.core.tree import LEAF, PORTION, Sides, Tree, Treeplex, Walk


@dataclass(frozen=True)
class Auction:
    """A tree with its calls marked; `kept` says which sequences of the whole tree it has."""

    tree: Tree
    sides: Sides
    calls: list[np.ndarray]  # per player, [sequences] whether it ends with a call
    movers: list[np.ndarray]  # per player, [sequences] the seat that made the last move
    kept: list[np.ndarray]  # per player, [sequences of the whole tree]


def load_auction(name: str, sides: Sides = (0, 1, 2, 3)) -> Auction:
    tree = load_tree(name, sides=sides)
    states = all_decisions(name, sides)
    players = np.array(sides)[states["turn"]]
    calls, movers = [], []
    for player, plex in enumerate(tree.seats):
        own, sizes = states[players == player], np.diff(plex.first)
        calls.append(np.append(False, np.repeat(own["playing"] == 0, sizes)))
        movers.append(np.append(np.int8(-1), np.repeat(own["turn"], sizes)))
    return Auction(tree, sides, calls, movers, [np.ones(len(c), bool) for c in calls])


def all_decisions(name: str, sides: Sides) -> np.ndarray:
    """A state of every information set, in the tree's order."""
    walk, done, portions = Walk(name, sides), False, []
    seen = np.zeros(PORTION, walk.states.dtype)
    while not done:
        before = walk.sizes[0]
        _, done = walk.on(np.zeros(0, LEAF), seen)
        portions.append(seen[: walk.sizes[0] - before].copy())
    return np.concatenate(portions)


def only_bidders(auction: Auction, bidders: tuple[int, ...]) -> Auction:
    """The auction in which all other seats pass whenever they are to call."""
    columns = zip(auction.tree.seats, auction.calls, auction.movers, strict=True)
    allowed = [
        ~call | np.isin(mover, bidders) | (plex.action == PASS) for plex, call, mover in columns
    ]
    return thinned(auction, allowed)


def opened_with(auction: Auction, bid: int) -> Auction:
    """The auction in which player 0 opens with a bid, whatever they hold."""
    plex = auction.tree.seats[0]
    opening = np.append(False, np.repeat(plex.parent == 0, np.diff(plex.first)))
    allowed = [np.ones(len(call), bool) for call in auction.calls]
    allowed[0] = ~opening | (plex.action == bid)
    return thinned(auction, allowed)


def thinned(auction: Auction, allowed: list[np.ndarray]) -> Auction:
    """The auction without the sequences that are not allowed, and all that follows from them."""
    columns = zip(auction.tree.seats, allowed, strict=True)
    kept = [reachable(plex.parent, plex.first, ok) for plex, ok in columns]
    numbers = [np.where(keep, np.cumsum(keep) - 1, -1) for keep in kept]
    return Auction(
        tree=renumbered(auction.tree, kept, numbers),
        sides=auction.sides,
        calls=[call[keep] for call, keep in zip(auction.calls, kept, strict=True)],
        movers=[mover[keep] for mover, keep in zip(auction.movers, kept, strict=True)],
        kept=kept,
    )


@compiled
def reachable(parent: np.ndarray, first: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The sequences made of allowed actions only."""
    out = allowed.copy()
    for i in range(len(parent)):
        for a in range(first[i], first[i + 1]):
            out[a] = allowed[a] and out[parent[i]]
    return out


def renumbered(tree: Tree, kept: list[np.ndarray], numbers: list[np.ndarray]) -> Tree:
    """The tree of the leaves whose sequences are all kept."""
    leaves = np.stack([number[tree.leaves[:, i]] for i, number in enumerate(numbers)], axis=1)
    left = (leaves >= 0).all(axis=1)
    return replace(
        tree,
        seats=[smaller(*columns) for columns in zip(tree.seats, kept, numbers, strict=True)],
        leaves=leaves[left].astype(np.int32),
        chance=tree.chance[left],
        payoff=tree.payoff[left],
    )


def smaller(plex: Treeplex, keep: np.ndarray, number: np.ndarray) -> Treeplex:
    """The treeplex of the sequences kept."""
    sets = keep[plex.parent]
    before = np.cumsum(keep) - keep
    return Treeplex(
        parent=number[plex.parent[sets]].astype(np.int32),
        first=np.append(before[plex.first[:-1][sets]], keep.sum()).astype(np.int32),
        action=plex.action[keep],
        key=plex.key[sets],
    )


def against_all(name: str, seat: int) -> Auction:
    """The two-player game in which only this seat, player 0, bids, and the three others, who see
    each other's hands, play the cards to its loss. Its value is what no play of theirs can deny it.
    """
    sides = tuple(int(other != seat) for other in range(PLAYERS))
    auction = only_bidders(load_auction(name, sides), (seat,))
    own = auction.tree.payoffs[:, 0]
    return replace(auction, tree=replace(auction.tree, payoffs=np.stack([own, -own], axis=1)))


def all_pass(auction: Auction, cards: Profile) -> Profile:
    """The profile in which everybody always passes, and plays any cards as in a given profile."""
    return [
        np.where(call, plex.action == PASS, part)
        for call, plex, part in zip(auction.calls, auction.tree.seats, cards, strict=True)
    ]


def lifted(whole: Auction, parts: list[tuple[Auction, Profile]]) -> Profile:
    """One profile of the whole game from profiles of games in which different seats bid."""
    profile = uniform(whole.tree)
    for auction, part in parts:
        for out, keep, call, values in zip(profile, auction.kept, whole.calls, part, strict=True):
            out[keep & ~call] = values[~call[keep]]
    return profile


def bid_rates(auction: Auction, profile: Profile) -> tuple[list[float], float]:
    """The probability that each seat bids at least once, and that nobody does."""
    tree, form = auction.tree, flatten(auction.tree)
    strategy, reach = np.concatenate(profile), np.empty(form.sequences)
    for seat in range(form.players):
        reach_down(form, seat, strategy, reach)
    weights, passing = tree.chance, []
    for seat, (plex, own) in enumerate(zip(tree.seats, form.split(reach), strict=True)):
        bids = auction.calls[seat] & (plex.action >= FIRST_BID) & (plex.action <= LAST_BID)
        passing.append(reachable(plex.parent, plex.first, ~bids)[tree.leaves[:, seat]])
        weights = weights * own[tree.leaves[:, seat]]
    rates = [float(weights[~passes].sum()) for passes in passing]
    return rates, float(weights[np.all(passing, axis=0)].sum())


def gains_by_calls(auction: Auction, profile: Profile) -> np.ndarray:
    """Each seat's gain by changing its calls alone, and playing the cards as in the profile."""
    form = flatten(auction.tree)
    strategy, values = np.concatenate(profile), np.empty(form.sequences)
    call = np.concatenate(auction.calls)
    best = np.empty(form.players)
    for seat in range(form.players):
        best[seat] = best_calls(form, seat, strategy, call, values)
    return best - expected_values(form, profile)


@compiled
def best_calls(
    form: Form, seat: int, strategy: np.ndarray, call: np.ndarray, values: np.ndarray
) -> float:
    reach = np.empty(len(strategy))
    for other in range(len(form.origin) - 1):
        reach_down(form, other, strategy, reach)
    leaf_values(form, seat, reach, values)
    for i in range(form.sets[seat + 1] - 1, form.sets[seat] - 1, -1):
        first, end = form.first[i], form.end[i]
        mean = expectation(strategy, values, first, end)
        values[form.parent[i]] += values[first:end].max() if call[first] else mean
    return values[form.origin[seat]]
