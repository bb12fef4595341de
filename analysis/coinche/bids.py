"""The information of a first call in Coinche about the player's hand.

    python -m analysis.coinche.bids --agent=rules:strong --opponents=rules:strong --figure=bids

Every seat that the agent has, with each of the four suits, is a case: does its first call name the
suit, at which value, and which cards does it hold? The table shows the share of cases in which a
card is held, by the call, and the correlation of naming the suit with holding the card. Each deal
is played with either team speaking first.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from absl import flags
from matplotlib.figure import Figure

from analysis.coinche.metrics import OPPOSED
from analysis.figures import save_figure, table
from spielgames.agent_help import describe_agents
from spielgames.agents import make_agent
from spielgames.coinche.game import COINCHE
from spielgames.coinche.rules import FIRST_BID, LADDER, LAST_BID, PLAYERS
from spielgames.coinche.tables import RANKS, SUITS
from spielgames.command import check_place, define_game, run, user_input
from spielgames.contest import final_states

CALLS = ("80", "90", "100", "110", "120 or more", "capot")  # of the suit
HIGHEST_SHOWN = 4  # levels from this one on are taken together
STRENGTH = tuple("J9ATKQ87")  # of trumps, the strongest first
FEATURES = (*STRENGTH, "4 or more", "an ace beside")


class Bids(NamedTuple):
    """The cards held, by call, over all cases."""

    held: np.ndarray  # [calls, features] share of the cases with that call
    cases: np.ndarray  # [calls]
    all_held: np.ndarray  # [features] of all cases
    correlation: np.ndarray  # [features] with naming the suit at all


def what_bids_say(agent: str, opponents: str, game: str, deals: int, seed: int) -> Bids:
    agents = [make_agent(spec, game) for spec in (agent, opponents)]
    parts = [
        cases_of(states, np.tile(OPPOSED, (len(states) // len(OPPOSED), 1)) == 0)
        for states in final_states(agents, OPPOSED, deals, seed)
    ]
    calls, features = (np.concatenate(column) for column in zip(*parts, strict=True))
    known = [calls == k for k in range(len(CALLS))]
    return Bids(
        held=np.array([features[k].mean(axis=0) if k.any() else nothing() for k in known]),
        cases=np.array([k.sum() for k in known]),
        all_held=features.mean(axis=0),
        correlation=np.array([correlation(calls >= 0, column) for column in features.T]),
    )


def nothing() -> np.ndarray:
    return np.full(len(FEATURES), np.nan)


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    both = np.corrcoef(x.astype(float), y) if x.any() and not x.all() else np.full((2, 2), np.nan)
    return float(both[0, 1])


def cases_of(states: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cases: for every seat of the agent's and every suit, the number of its first call in
    CALLS (−1 for any other call), and what the seat holds.
    """
    calls, features = [], []
    for seat in range(PLAYERS):
        deals = states[own[:, seat]]
        first = deals["events"][:, seat].astype(np.int64) & 255  # seat 0 speaks first
        for suit in range(SUITS):
            calls.append(kind_of(first, suit))
            features.append(holdings(deals["dealt"][:, seat], suit))
    return np.concatenate(calls), np.concatenate(features)


def kind_of(calls: np.ndarray, suit: int) -> np.ndarray:
    level, named = np.divmod(calls - FIRST_BID, SUITS)
    kind = np.where(level == LADDER, len(CALLS) - 1, np.minimum(level, HIGHEST_SHOWN))
    is_bid = (calls >= FIRST_BID) & (calls <= LAST_BID)
    return np.where(is_bid & (named == suit), kind, -1)


def holdings(hands: np.ndarray, suit: int) -> np.ndarray:
    """Return the features of hands. `[n, features]`"""
    cards = (hands[:, None] >> np.arange(SUITS * RANKS, dtype=np.uint64)) & np.uint64(1)
    cards = cards.reshape(-1, SUITS, RANKS).astype(float)
    order = [COINCHE.ranks.index(rank) for rank in STRENGTH]
    ace = COINCHE.ranks.index("A")
    long = cards[:, suit].sum(axis=1) >= 4
    beside = np.delete(cards[:, :, ace], suit, axis=1).any(axis=1)
    return np.column_stack([cards[:, suit][:, order], long, beside])


def report(bids: Bids) -> str:
    rows = [["first call", "cases", *FEATURES]]
    for call, cases, held in zip(CALLS, bids.cases, bids.held, strict=True):
        shown = [f"{100 * share:.0f} %" if cases else "–" for share in held]
        rows.append([call, f"{cases:,}", *shown])
    rows.append(["any or none", "", *(f"{100 * share:.0f} %" for share in bids.all_held)])
    rows.append(["correlation", "", *(f"{r:+.2f}" for r in bids.correlation)])
    return table(rows)


def draw(bids: Bids) -> Figure:
    figure = Figure(figsize=(7.5, 3.6), layout="constrained")
    axes = figure.subplots()
    shares = np.vstack([bids.held, bids.all_held])
    picture = axes.imshow(100 * shares, cmap="viridis", vmin=0, vmax=100, aspect="auto")
    axes.set_xticks(range(len(FEATURES)), FEATURES, rotation=30, ha="right")
    names = [f"{call} ({cases:,})" for call, cases in zip(CALLS, bids.cases, strict=True)]
    axes.set_yticks(range(len(shares)), [*names, "any or none"])
    for (i, j), share in np.ndenumerate(shares):
        if not np.isnan(share):
            colour = "white" if share < 0.6 else "black"
            axes.text(j, i, f"{100 * share:.0f}", ha="center", va="center", color=colour, size=8)
    axes.set_xlabel("held in the suit named, or beside it")
    axes.set_ylabel("first call (cases)")
    figure.colorbar(picture, label="% of the cases")
    return figure


def save(bids: Bids, stem: Path) -> list[Path]:
    every = [*zip(CALLS, bids.cases, bids.held, strict=True), ("any or none", "", bids.all_held)]
    rows = [(call, cases, *held) for call, cases, held in every]
    rows.append(("correlation", "", *bids.correlation))
    return save_figure(draw(bids), stem, ("first call", "cases", *FEATURES), rows)


def define_flags() -> None:
    define_game("python_coinche(reward=good)", "Coinche, with its parameters")
    flags.DEFINE_string(
        "agent", "rules:strong", "the agent whose calls are counted: one of those below"
    )
    flags.DEFINE_string("opponents", "rules:strong", "the agent in the other team")
    flags.DEFINE_integer("deals", 10_000, "deals, each played with either team speaking first", 1)
    flags.DEFINE_integer("seed", 0, "seed of the deals", 0, 2**63 - 1)
    flags.DEFINE_string("figure", None, "the figure's path without .pdf, .png, .csv: all are made")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        if not chosen.game.startswith(COINCHE.name):
            raise ValueError(f"game={chosen.game} is not allowed; it is Coinche")
        if chosen.figure:
            check_place(Path(chosen.figure))
        how = chosen.game, chosen.deals, chosen.seed
        bids = what_bids_say(chosen.agent, chosen.opponents, *how)
    print(report(bids))
    if chosen.figure:
        print("\nWritten:", *save(bids, Path(chosen.figure)), sep="\n  ")


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
