"""The report and the figures of `experiments/snapszer_alphazero.py`."""

from collections.abc import Sequence

from analysis.figures import Row, short, table
from experiments.common.runs import Metrics
from experiments.reports.strength import Texts

DESCRIPTIONS = {  # in the order of the config
    "rollouts": "policy iteration at information sets; 8 worlds, 3 × 128 units, suits in order",
    "belief": "the same, 3 × 256 units; worlds as likely as the policy makes what the other did",
    "plain": "the same as rollouts, but suits as they are",
    "small_uniform": "six cards, a talon of two; worlds drawn uniformly",
    "small_belief": "the same; worlds as likely as the policy makes what the other did",
    "small_trees": "six cards; trees in six worlds drawn uniformly, visits summed",
    "small_trees_belief": "the same; worlds as likely as the policy makes what the other did",
    "match": "the same as rollouts, but for the chance of winning a match that stands at any score",
}


def whole_matches(finals: Sequence[Metrics]) -> list[str]:
    return [
        "## Whole matches",
        "Each is played in both seatings with the same cards. With 95 % intervals.",
        table(match_rows([one for one in finals if "unit" in one])),
    ]


def match_rows(matches: Sequence[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "against", "matches", "won"]]
    for one in matches:
        won = [100 * one[key] for key in ("win_rate", "win_low", "win_high")]
        share = f"{won[0]:.1f} % ({won[1]:.1f} … {won[2]:.1f})"
        who = one["curve"], str(one["seed"]), f"`{one['opponent']}`"
        rows.append([*who, short(one["deals"]), share])
    return rows


TITLE = "AlphaZero under hidden cards on Snapszer"
TEXTS = Texts(TITLE, "game points", DESCRIPTIONS, more=whole_matches, apart=("match",))
