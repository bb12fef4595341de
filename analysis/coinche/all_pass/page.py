"""The page of findings on all-pass: what was measured, and what follows from it."""

from typing import Any

import numpy as np

from analysis.coinche.all_pass.figure import SHORT
from analysis.figures import Row, table

Numbers = dict[str, Any]
SHOWN_STEPS = (10, 100, 1000, 10_000, 100_000)
ROUNDING = 1e-6


def page(results: Numbers) -> str:
    parts = [
        "# Is it an equilibrium of Coinche that everybody passes?",
        question(),
        verdict(results),
        "![Equilibrium bids, gains, and learners](coinche_all_pass.png)",
        "## The full game, by force",
        by_force(results["full"]["forced"]),
        "## The full game, by a fixed rule",
        by_rule(results["full"]["bidding"]),
        "## Small variants, exactly",
        on_small_variants(results),
        "## Learners that still end in all-pass",
        who_falls(results),
        "## What this does not show",
        limits(),
        "All numbers: `coinche_all_pass.json`; made by `python -m analysis.coinche.all_pass`.",
    ]
    return "\n\n".join(parts)


def question() -> str:
    return (
        "The Coinche paper (its section 4.2) says so: a player who bids against three who pass"
        " almost surely loses points, because nobody knows how to play the cards yet. Utilities"
        " below are points per deal and seat. All-pass is worth exactly 0, so a deviation gains"
        " what it wins."
    )


def verdict(results: Numbers) -> str:
    forced, exact = results["full"]["forced"], results["exact"]
    broken = [row for row in exact if max(row["against_all"]) > ROUNDING]
    unskilled = bid_row(results, "all at random", "0")
    capot = forced["sure"]["capot"]
    return (
        f"**No.** In the full game seat 0 has {capot:,} hands (of {forced['hands']:,}) that make"
        " capot by force. Nobody can outbid capot, so under no `reward` is there a Nash equilibrium"
        " in which all four always pass. All-pass is not even close to one: with the default reward"
        f" {forced['gain']:.3f} points per deal are gained by forced wins alone, whatever the"
        " others play, as long as they pass. The claim does not hold for players who can't play the"
        f" cards either: where all play them at random, seat 0 gains {unskilled['gain']:.1f} by"
        f" bidding on its good hands, and makes {made(unskilled)} of these contracts. In"
        f" {len(broken)} of {len(exact)} pairs of a small variant and a reward, a lone bidder gains"
        " against any play of the cards; a higher penalty shrinks the gain (figure, b), but never"
        " below the worth of the forced wins. The claim is true of a bidder who does not look at"
        f" their hand: they lose under `mirror` ({unskilled['blind']:+.1f} for the best such bid,"
        " cards played at random)."
    )


def by_force(forced: Numbers) -> str:
    rows = [["sure of", "hands", "one in"]]
    for level, hands in forced["sure"].items():
        rows.append([level, f"{hands:,}", f"{forced['hands'] / hands:,.0f}"])
    return (
        "Seat 0 leads. A hand counts if it draws all trumps from the top even if one player holds"
        " them all, and then makes the contract with its remaining winners, even if these catch the"
        " cheapest cards and both partner and opponents play to its loss. The test is"
        " sufficient, not necessary (seats 1 to 3, who do not lead, are left out), and every hand"
        f" was tried. Bidding the highest sure contract gains {forced['gain']:.3f}.\n\n"
        + table(rows)
    )


def by_rule(bidding: list[Numbers]) -> str:
    rows = [["cards played", "seat", "deals", "bids", "made", "gain", "95 %", "surely above"]]
    for row in bidding:
        if row["reward"] == "mirror":
            ends = f"{row['low']:+.2f} … {row['high']:+.2f}"
            rates = [percent(row["bids"]), made(row)]
            sure = f"{row['certified']:+.2f}"
            cells = [row["seat"], str(row["deals"]), *rates, f"{row['gain']:+.2f}", ends, sure]
            rows.append([row["scene"], *cells])
    return (
        "A seat bids where its class of hand (jack, nine, ace and ten of trumps, number of trumps,"
        ' other aces) was worth something on other deals, in the same scene; three pass. "0+2":'
        ' seat 2 bids by its rule where seat 0 passes. "Surely above" is the empirical Bernstein'
        " bound (95 %, no assumption on the distribution). Default reward (`mirror`):\n\n"
        f"{table(rows)}\n\nWith the other rewards, all by the rules:\n\n{reward_table(bidding)}\n\n"
        "With `classic` and `made_and_announced` a failed contract costs the bidder nothing, so any"
        " bid that is ever made refutes all-pass."
    )


def reward_table(bidding: list[Numbers]) -> str:
    rules = [row for row in bidding if row["scene"] == "all by the rules"]
    seats = list(dict.fromkeys(row["seat"] for row in rules))
    rows: list[Row] = [["gain (surely above)", *(f"seat {seat}" for seat in seats)]]
    for reward in dict.fromkeys(row["reward"] for row in rules):
        own = {row["seat"]: row for row in rules if row["reward"] == reward}
        cells = [f"{own[seat]['gain']:+.1f} ({own[seat]['certified']:+.1f})" for seat in seats]
        rows.append([reward, *cells])
    return table(rows)


def on_small_variants(results: Numbers) -> str:
    head = ["variant", "reward", "blind", "random", "best", "skilled", "any", "joint"]
    rows: list[Row] = [[*head, "bids", "all pass", "value"]]
    for row in results["exact"]:
        found, joint = row["equilibrium"], max(team["joint"] for team in row["teams"])
        sums = [sum(row[kind]) for kind in ("random_all", "random_others", "skilled")]
        cells = [signed(row["blind"], 1), *(f"{x:.1f}" for x in [*sums, sum(row["against_all"])])]
        cells += [f"{joint:.1f}", percent(found["bids"][0]), f"{found['all_pass']:.1g}"]
        cells.append(signed(row["team_value"]["value"], 2) if "team_value" in row else "")
        rows.append([SHORT[row["variant"]], row["reward"], *cells])
    return (
        "NashConv of all-pass (the sum of four seats' gains), by how cards are played after a bid:"
        " *random*: by all at random, the bidder included; *best*: by the others at random, by the"
        " bidder as a best response; *skilled*: by the others as CFR+ learns it; *any*: the"
        " bidder's guarantee against three others who see each other's hands (a linear programme),"
        " which no play of the cards reduces. *joint* is a team's gain per seat by an optimal joint"
        " plan (skilled play), *blind* seat 0's gain by a bid that ignores its hand. The last"
        " columns describe CFR+'s equilibrium: the rates at which seat 0 bids and nobody does, and"
        " for `mirror` the team equilibrium's value (TMECor)."
        f"\n\n{table(rows)}\n\n{equilibrium_note(results['exact'])} {penalty_note(results)}"
    )


def equilibrium_note(exact: list[Numbers]) -> str:
    worst = max(exact, key=lambda row: row["equilibrium"]["nash_conv"])
    gaps = [row["team_value"] for row in exact if "team_value" in row]
    widest = max(gap["upper"] - gap["lower"] for gap in gaps)
    return (
        f"CFR+'s averages have a NashConv of at most {worst['equilibrium']['nash_conv']:.2g}"
        f" ({SHORT[worst['variant']]}, {worst['reward']}); with four seats nothing guarantees that"
        f" it falls. Team values are proven to within {widest:.2g}."
    )


def penalty_note(results: Numbers) -> str:
    rows = [row for row in results["penalties"] if row["reward"] == "mirror"]
    highest = max(row["penalty"] for row in rows)
    ends = [row for row in rows if row["penalty"] == highest]
    gains = ", ".join(f"{row['against_all']:.1f} ({SHORT[row['variant']]})" for row in ends)
    return (
        f"At a penalty of {highest} seat 0 is still guaranteed {gains} under `mirror`; under `good`"
        " a penalty does not touch the bidder."
    )


def who_falls(results: Numbers) -> str:
    points = results["learning"]
    last = points[-1]["variant"]
    steps = [step for step in SHOWN_STEPS if any(p["iterations"] == step for p in points)]
    rows: list[Row] = [["nobody bids; NashConv", *(f"{step:,} iterations" for step in steps)]]
    for learner in dict.fromkeys(p["learner"] for p in points):
        cells = []
        for step in steps:
            own = [
                p
                for p in points
                if (p["variant"], p["learner"], p["iterations"]) == (last, learner, step)
            ]
            rate, lost = (np.mean([p[key] for p in own]) for key in ("all_pass", "nash_conv"))
            cells.append(f"{percent(float(rate))}; {lost:.2g}")
        rows.append([learner, *cells])
    highest = max(p["all_pass"] for p in points)
    return (
        f"No tabular learner did, with any budget tried ({SHORT[last]}, mean over seeds; over all"
        f" variants, seeds and budgets nobody bid in at most {percent(highest)} of the deals):\n\n"
        f"{table(rows)}\n\n"
        "The paper's sampling (its algorithm 3) draws the learning seat's own actions from its"
        " current strategy, so an action that has lost its probability is not tried again. In"
        " tables it gets stuck far from equilibrium, but separately for each hand, and so does not"
        " end in all-pass. A learner that cannot tell hands apart is another matter: under `mirror`"
        " none of its bids gains (*blind*), and once bids have probability 0, on-policy sampling"
        " never tries one again. A barely trained network is such a learner, and reproduces the"
        " paper's figure 1 (`experiments/coinche_deepcfr.py`, curve `batches`) if it plays the"
        " action that it thinks most likely. It then passes with every hand, although passing has a"
        " probability of only some 4 %: no bid has more."
    )


def limits() -> str:
    return (
        "The full game's gains are lower bounds: a fixed rule is not a best response, rule-based"
        " and pimc players are not an optimal defence, and only forced wins hold against every"
        " defence. Apart from capot, even these hold only while the others pass: an opponent may"
        " outbid, and so may a partner bent on punishing. Contracts of small variants start at"
        " somewhat less than half of the points, as in the full game, but short hands are sure of"
        " theirs far more often."
    )


def bid_row(results: Numbers, scene: str, seat: str) -> Numbers:
    wanted = (scene, "mirror", seat)
    rows = results["full"]["bidding"]
    return next(row for row in rows if (row["scene"], row["reward"], row["seat"]) == wanted)


def made(row: Numbers) -> str:
    """The share of contracts that were made."""
    return percent(row["won"] / row["bids"]) if row["bids"] else "–"


def signed(number: float, digits: int) -> str:
    """A number with its sign, and none for 0."""
    return f"{round(number, digits) + 0.0:+.{digits}f}"


def percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
