"""Gains by leaving all-pass in full Coinche: with a fixed bidding rule, and by force."""

from itertools import product
from typing import Any

import numpy as np
from tqdm import tqdm

from analysis.coinche.all_pass.forced_contracts import ALL_POINTS, forced_hands
from analysis.coinche.all_pass.threshold_bidder import (
    GAME,
    blind_gain,
    play_rule,
    surely_above,
    tune,
)
from analysis.tournament.variance import intervals
from spielgames.agents import Agent, make_agent
from spielgames.coinche.rules import PLAYERS
from spielgames.coinche.scores import REWARDS, STEP
from spielgames.core.registry import find

LOWEST, HIGHEST, CAPOT = 80, 160, 250
STRONG_SHARE = 40  # pimc plays one deal for this many of the others

# Who plays the cards: bidder and partner, then the defenders; and with which rewards.
SCENES = {
    "all by the rules": ("rules:strong", "rules:strong", REWARDS),
    "all at random": ("random", "random", ("mirror",)),
    "rules against random": ("rules:strong", "random", ("mirror",)),
    "rules against pimc": ("rules:strong", "pimc:worlds=20", ("mirror",)),
    "all by pimc": ("pimc:worlds=20", "pimc:worlds=20", ("mirror",)),
}

Numbers = dict[str, Any]


def forced() -> Numbers:
    """The hands that are sure of each contract, and seat 0's gain by bidding those alone."""
    hands = forced_hands()
    levels = range(LOWEST, HIGHEST + 1, STEP)
    counts = {str(level): int(hands[level:].sum()) for level in levels}
    counts["capot"] = int(hands[ALL_POINTS])
    highest = [sure_contract(points) for points in range(len(hands))]
    total = int(hands.sum())
    return {"hands": total, "sure": counts, "gain": float(hands @ highest / total)}


def sure_contract(points: int) -> int:
    if points == ALL_POINTS:
        return CAPOT
    return min(points // STEP * STEP, HIGHEST) if points >= LOWEST else 0


def seat_players(seat: int, attack: str, defence: str) -> list[Agent]:
    """The players of all seats: the bidder's side attacks, the other defends."""
    ours, theirs = make_agent(attack, GAME), make_agent(defence, GAME)
    return [ours if (other - seat) % 2 == 0 else theirs for other in range(PLAYERS)]


def measure(deals: int, seed: int, bar: tqdm) -> list[Numbers]:
    """Measure all scenes, for each seat alone and each team. Half as many deals tune rules."""
    found = []
    for (scene, (attack, defence, rewards)), team in product(SCENES.items(), range(2)):
        share = STRONG_SHARE if "pimc" in attack + defence else 1
        results: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {reward: [] for reward in rewards}
        for seat in (team, team + 2):
            bar.set_description(f"{scene}, seat {seat}")
            players = seat_players(seat, attack, defence)
            rules = tune(seat, players, deals // share // 2, seed)
            for reward in rewards:
                size = deals // share
                played = play_rule(rules[reward], seat, players, reward, size, seed + 1)
                results[reward].append(played)
                found.append(summary(scene, reward, str(seat), *played))
                found[-1]["blind"] = blind_gain(seat, players, reward, size, seed + 1)
            bar.update()
        for reward, ((first, gains), (second, more)) in results.items():
            both = np.where(first, gains, more), first | second
            found.append(summary(scene, reward, f"{team}+{team + 2}", both[1], both[0]))
    return found


def summary(scene: str, reward: str, seat: str, bids: np.ndarray, gains: np.ndarray) -> Numbers:
    mean, low, high = intervals(gains)[0]
    bounds = find(f"{GAME}(reward={reward},doubling=false)")[1]
    return {
        "scene": scene,
        "reward": reward,
        "seat": seat,
        "deals": len(gains),
        "bids": float(bids.mean()),
        "won": float((gains > 0).mean()),
        "gain": mean,
        "low": low,
        "high": high,
        "certified": surely_above(gains, bounds.max_utility - bounds.min_utility),
    }
