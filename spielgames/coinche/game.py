"""Coinche as a game: parameters and their bounds."""

from spielgames.coinche import open_hands, players, rules, scores, tables, talk, tensors, words
from spielgames.coinche.match import CoincheMatch
from spielgames.core.cards import make_set, small_deck
from spielgames.core.game import (
    Game,
    Parameters,
    Variant,
    check_choice,
    check_deck,
    check_flag,
    check_number,
)
from spielgames.core.words import RANKS_8


def total_points(suits: int, ranks: int) -> int:
    """The points that the tricks hold: 162 with the full deck."""
    trump, plain = sum(tables.TRUMP_POINTS[-ranks:]), sum(tables.PLAIN_POINTS[-ranks:])
    return trump + (suits - 1) * plain + tables.LAST_TRICK


def ladder(total: int) -> range:
    """The values that can be bid, from just under half of the points to just under all: 80 to
    160.
    """
    return range(10 * (total // 20), 10 * (total // 10) + 1, scores.STEP)


def to_scale(value: int, total: int) -> int:
    """Scale a value of the full game to a game with fewer points, in whole tens."""
    return 10 * round(value * total / 1620)


def bids(suits: int, levels: int, capot: bool) -> list[int]:
    """The bids offered; ids stay those of the full ladder and deck."""
    firsts = [rules.FIRST_BID + 4 * level for level in range(levels)]
    firsts += [rules.FIRST_CAPOT] if capot else []
    return [first + suit for first in firsts for suit in range(4 - suits, 4)]


def longest_auction(values: int, doubling: bool) -> int:
    """The calls of the longest auction: three passes before the first bid, two before each higher
    one; then three more passes, or two, a coinche and three more calls.
    """
    return 3 + values + 2 * (values - 1) + (2 + 1 + 3 if doubling else 3)


def most_belote(suits: int, ranks: int, belote: bool) -> int:
    """The most belote that a team can score: 20 if a hand can hold trump king and queen."""
    possible = belote and ranks >= 3 and suits * ranks >= 2 * rules.PLAYERS
    return scores.BELOTE_POINTS if possible else 0


def utility_bounds(
    reward: int, contracts: list[tuple[int, int]], stakes: int, points: int, belote: int
) -> tuple[int, int]:
    """The lowest and highest utility. `contracts` are the highest ones, each with what failing
    costs; `stakes` is the largest multiplier; `points` and `belote` are the most that a team can
    make.
    """
    top, loss = (max(column) for column in zip(*contracts, strict=True))
    if reward == scores.MADE_AND_ANNOUNCED:
        everything = stakes * max(map(sum, contracts))
        return 0, max(top + points, everything) + belote
    most = max(top, loss)
    low, high = {
        scores.MIRROR: (-most, most),
        scores.CLASSIC: (0, most),
        scores.NO_DEFENSE: (-most, top),
        scores.GOOD: (-top, most),
    }[reward]
    return stakes * low, stakes * high


def variant(params: Parameters) -> Variant:
    suits, ranks = check_deck(params, rules.PLAYERS, 1, tables.RANKS)
    reward = check_choice(params, "reward", scores.REWARDS)
    belote, undertrump, capot, doubling, coincher_attacks = (
        check_flag(params, name)
        for name in ("belote", "undertrump", "capot", "doubling", "coincher_attacks")
    )
    total = total_points(suits, ranks)
    values = ladder(total)
    levels = check_number(params, "levels", 0, len(values)) or len(values)
    penalty = check_number(params, "penalty", -1, 1000)
    capot_value, sweep = to_scale(250, total), to_scale(90, total)
    failing = values[-1] if penalty < 0 else penalty
    fields = {
        "deck": small_deck(suits, ranks, tables.RANKS),
        "reward": reward,
        "belote": belote,
        "undertrump": undertrump,
        "doubling": doubling,
        "coincher_attacks": coincher_attacks,
        "offered": make_set(bids(suits, levels, capot)),
        "lowest": values[0],
        "capot": capot_value,
        "penalty": failing,
        "sweep": sweep,
    }
    contracts = [(values[levels - 1], failing)]
    contracts += [(capot_value, capot_value)] if capot else []
    most = total + sweep, most_belote(suits, ranks, belote)
    low, high = utility_bounds(reward, contracts, 4 if doubling else 1, *most)
    return Variant(
        fields=fields,
        max_moves=longest_auction(levels + capot, doubling) + suits * ranks,
        max_draws=0,
        min_utility=float(low),
        max_utility=float(high),
        zero_sum=reward == scores.MIRROR,
    )


COINCHE = Game(
    name="python_coinche",
    title="Coinche",
    version=1,
    players=rules.PLAYERS,
    actions=rules.ACTIONS,
    ranks=RANKS_8,
    dtype=rules.COINCHE_STATE,
    pieces=tensors.PIECES,
    parameters={
        "suits": 4,
        "ranks": 8,
        "reward": "mirror",
        "belote": False,
        "undertrump": False,
        "levels": 0,
        "capot": True,
        "doubling": True,
        "coincher_attacks": False,
        "penalty": -1,
    },
    variant=variant,
    modules=(rules, scores, tensors, players, open_hands),
    action_name=words.action_name,
    public=words.public,
    private=words.private,
    place=words.place_card,
    talk=talk.TALK,
    unit="points",
    levels=("strong", "simple", "expert"),
    teams=(0, 1, 0, 1),
    match=CoincheMatch(goal=1000),
    choices={"reward": scores.REWARDS},
)
