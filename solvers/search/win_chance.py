"""Fit what `value=win_chance` goes by: the chance of winning a world, given its two play-outs.

    python -m solvers.search.win_chance --game="python_hokm(trump=heuristic)" --depth=6 \\
        --agent="pimc(continuation=lookahead(6))" --save=hokm

The agent plays deals in both seatings. After each of its choices the true deal is played out by the
rules, and once more with its side looking `--depth` decisions ahead. A logistic regression predicts
whether it won the deal as played from who won these two play-outs (which says more the fewer cards
are left) and by how much. Standard errors are clustered by deal.
"""

import json
import shlex
import sys
from typing import NamedTuple

import numpy as np
from absl import flags
from numba import prange
from tqdm import tqdm

from solvers.search.continuations import LookAhead
from solvers.search.lookahead import look_ahead
from solvers.search.values import FITS, fits
from spielgames.agent_help import describe_agents
from spielgames.agents import Agent, make_agent
from spielgames.command import run, user_input
from spielgames.contest import final_states, pair_lineups
from spielgames.core.cache import compiled
from spielgames.core.cards import bit, count, int64
from spielgames.core.loops import Kernel, final_returns
from spielgames.core.luck import stream
from spielgames.core.record import event_action
from spielgames.core.replay import redeal, step_past
from spielgames.core.verbs import legal, reset
from spielgames.files import replacing

NAMES = "bias", "won", "margin"
AT_ONCE = 32  # deals
STEPS = 50  # of Newton's method, at most
PRIOR = 1e-3  # keeps weights finite where one play-out always predicts the winner


class Choices(NamedTuple):
    """All choices of the agent in some deals."""

    plain: np.ndarray  # [choices, 2] by the rules: 1 if won, −1 if lost; and by how much
    best: np.ndarray  # [choices, 2] the same if the side looks ahead
    left: np.ndarray  # [choices] the cards that it had
    won: np.ndarray  # [choices] whether it won the deal as played
    deals: np.ndarray  # [choices]


@Kernel
def look_everywhere(
    finals: np.ndarray, own: np.ndarray, sides: np.ndarray, depth: int, seed: int, out: np.ndarray
) -> None:
    """Write the play-outs after the agent's choice at event t of deal i to `out[i, t]`."""
    for i in prange(len(finals)):
        look_along(finals[i : i + 1], own[i], sides, depth, np.int64(stream(seed, i) >> 1), out[i])


@compiled
def look_along(
    final: np.ndarray, own: np.ndarray, sides: np.ndarray, depth: int, seed: int, out: np.ndarray
) -> None:
    past, rows = final[0], np.zeros(3, final.dtype)
    rows[:] = past
    now, levels, utilities = rows[2], np.zeros(len(sides), np.int64), np.zeros(len(sides))
    reset(now)
    redeal(now, past)
    for t in range(past.length):
        a, seat = event_action(past.events[t]), int64(now.turn)
        chooses = seat >= 0 and own[seat] and legal(now) != bit(a)
        left = count(now.hands[seat]) if chooses else 0
        step_past(now, past, t)
        if chooses:
            rows[0] = now
            luck = stream(seed, t)
            plain, best = look_ahead(rows[:2], seat, sides, levels, depth, True, luck, utilities)
            out[t] = (plain[0], plain[1], best[0], best[1], float(left))


def collect(
    agent: Agent, other: Agent, depth: int, deals: int, seed: int, show: bool = False
) -> Choices:
    """The agent's choices in a number of deals, each in all seatings."""
    lineups = pair_lineups(agent.game)
    parts = []
    with tqdm(total=deals, unit=" deals", disable=not show, leave=False) as bar:
        for first in range(0, deals, AT_ONCE):
            count = min(AT_ONCE, deals - first)
            for finals in final_states([agent, other], lineups, count, seed, first):
                parts.append(choices_in(finals, agent, lineups, depth, first, seed))
            bar.update(count)
    return Choices(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def choices_in(
    finals: np.ndarray, agent: Agent, lineups: np.ndarray, depth: int, first: int, seed: int
) -> Choices:
    own = np.tile(lineups == 0, (len(finals) // len(lineups), 1))
    utilities = np.empty(own.shape)
    final_returns(finals, utilities)
    found = np.full((len(finals), finals["events"].shape[1], 5), np.nan)
    look_everywhere(finals, own, np.array(agent.game.sides), depth, seed, found)
    won = utilities[np.arange(len(own)), own.argmax(axis=1)] > 0
    row, event = np.nonzero(~np.isnan(found[:, :, 0]))
    ways = found[row, event]
    deals = first + row // len(lineups)
    return Choices(ways[:, :2], ways[:, 2:4], ways[:, 4], won[row], deals)


def known(choices: Choices) -> np.ndarray:
    """The regressors: 1, who won, and by how much. `[choices, 3]`"""
    won, margin = (choices.plain + choices.best).T
    return np.column_stack([np.ones(len(won)), won / choices.left, margin])


def fit(x: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = chances(x, weights)
        step = np.linalg.solve(curvature(x, p), x.T @ (won - p) - PRIOR * weights)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def chances(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x @ weights))


def curvature(x: np.ndarray, p: np.ndarray) -> np.ndarray:
    return (x * (p * (1 - p))[:, None]).T @ x + PRIOR * np.eye(x.shape[1])


def errors(x: np.ndarray, choices: Choices, weights: np.ndarray) -> np.ndarray:
    """Standard errors of the weights (the sandwich estimate of Huber 1967, clustered by deal)."""
    p = chances(x, weights)
    scores = np.zeros((choices.deals.max() + 1, x.shape[1]))
    np.add.at(scores, choices.deals, x * (choices.won - p)[:, None])
    bread = np.linalg.inv(curvature(x, p))
    return np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))


def surprise(x: np.ndarray, choices: Choices) -> float:
    """The mean negative log-likelihood of what happened, under weights that were fitted to the
    other half of the deals.
    """
    half, found = choices.deals % 2 == 0, np.empty(len(x))
    for part in (half, ~half):
        found[~part] = chances(x[~part], fit(x[part], choices.won[part]))
    return float(-np.log(np.where(choices.won, found, 1 - found)).mean())


def fitted(choices: Choices) -> dict[str, float]:
    """The numbers, rounded as they are kept."""
    return dict(zip(NAMES, np.round(fit(known(choices), choices.won), 2).tolist(), strict=True))


def report(choices: Choices) -> str:
    """The numbers with their standard errors, and what each regressor is worth."""
    x = known(choices)
    weights = fit(x, choices.won)
    lines = ["log-odds    weight  standard error"]
    for name, weight, error in zip(NAMES, weights, errors(x, choices, weights), strict=True):
        lines.append(f"{name:10}  {weight:6.3f}  {error:14.3f}")
    ones = np.ones((len(x), 1))
    ways = {
        "nothing": ones,
        "who won by the rules": np.column_stack([ones, choices.plain[:, 0] / choices.left]),
        "who won looking ahead": np.column_stack([ones, choices.best[:, 0] / choices.left]),
        "who won in both, and by how much": x,
    }
    lines += ["", f"{'what is known of a world':32}  surprise in nats"]
    lines += [f"{name:32}  {surprise(columns, choices):16.4f}" for name, columns in ways.items()]
    return "\n".join(lines)


def save(name: str, game: str, depth: int, numbers: dict[str, float]) -> None:
    """Put the numbers, and the command that measured them, into the file of fits."""
    about = {"game": game, "continuation": str(LookAhead(depth))}
    command = shlex.join(["python", "-m", "solvers.search.win_chance", *sys.argv[1:]])
    known = fits() | {name: about | numbers | {"command": command}}
    with replacing(FITS) as file:
        file.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")


def define_flags() -> None:
    flags.DEFINE_string("game", "python_hokm", "the game, with parameters if any")
    flags.DEFINE_string(
        "agent", "pimc(continuation=lookahead(6))", "the agent that plays: one of those below"
    )
    flags.DEFINE_string("opponents", "rules", "the agent that it plays against")
    flags.DEFINE_integer("depth", 6, "decisions in which the side may deviate from the rules", 1)
    flags.DEFINE_integer("deals", 1000, "deals, each in all seatings", 2)
    flags.DEFINE_integer("seed", 1, "seed of the deals", 0, 2**63 - 1)
    flags.DEFINE_string("save", None, f"keep the numbers in {FITS.name} under this name")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        agent, other = (make_agent(spec, chosen.game) for spec in (chosen.agent, chosen.opponents))
        choices = collect(agent, other, chosen.depth, chosen.deals, chosen.seed, show=True)
    print(f"{len(choices.won):,} choices in {chosen.deals:,} deals\n\n{report(choices)}")
    print(f"\n{fitted(choices)}")
    if chosen.save:
        save(chosen.save, chosen.game, chosen.depth, fitted(choices))


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
