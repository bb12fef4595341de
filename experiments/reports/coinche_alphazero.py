"""The report and the figures of `experiments/coinche_alphazero.py`."""

from collections.abc import Sequence

from analysis.figures import Row, table
from experiments.common.runs import Metrics
from experiments.reports.strength import PLAYS, Texts

DESCRIPTIONS = {  # in the order of the config; the last ones have learnt elsewhere
    "cards": "80 is the only bid, nothing is doubled, and a failed contract costs 80",
    "early": "the whole game, from the network of cards; the reverse loss",
    "whole": "from the network of early; the loss of logits",
    "ppo": "PPO against rules:strong (experiments/coinche_ppo.py), its likeliest action",
    "expert": "rules:expert",
}
RATES = {
    "attacking_rate": "attacks",
    "attacker_success": "made",
    "coinche_rate": "coinches",
    "defender_success": "defeats",
}


def bidding(finals: Sequence[Metrics]) -> list[str]:
    return [
        "## How they bid, double and defend",
        "*Attacks*: the share of the deals in which its side holds the contract, its mean value,"
        " how often it is made, and the points then. *Coinches*: the share of the others' contracts"
        " that it doubles, how many of them fail, and its points then.",
        table(bidding_rows(finals)),
    ]


def bidding_rows(finals: Sequence[Metrics]) -> list[Row]:
    head = ["curve", "plays", "against", "attacks", "contract", "made", "points"]
    rows: list[Row] = [[*head, "coinches", "defeats", "points"]]
    for one in finals:
        play = one["play"]
        attacks, made, coinches, defeats = (f"{play[name]:.0%}" for name in RATES)
        who = one["curve"], PLAYS[one["plays"]], f"`{one['opponent']}`"
        attack = attacks, f"{play['contract_value']:.0f}", made, f"{play['attacker_reward']:+.0f}"
        rows.append([*who, *attack, coinches, defeats, f"{play['defender_reward']:+.0f}"])
    return rows


TITLE = "AlphaZero under hidden cards on Coinche"
TEXTS = Texts(TITLE, "points", DESCRIPTIONS, digits=1, more=bidding)
