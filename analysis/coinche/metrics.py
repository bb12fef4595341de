"""The play of a team in Coinche: the metrics of the Coinche paper's appendix C.

    python -m analysis.coinche.metrics --agent=rules:strong --opponents=random --deals=10000
    python -m analysis.coinche.metrics --agent=rules:strong     # in self-play

The command also prints the probability that the agent passes as the first to speak, over all hands.

metrics_of(states, team=0)                                     # of finished deals
measure_team("rules:strong", "random", "python_coinche", deals=10_000, seed=1)
measure_self_play(agent, "python_coinche(reward=good)", deals=10_000, seed=1)

Each gives all of `Measures` as `NAME`, the mean over the deals that say something about it (NaN if
none does), with `NAME_error`, its standard error, and `NAME_cases`, how many those were.

`tally` makes sums over deals; those of other deals may be added to them before `averages`.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from absl import flags
from numba import prange

from analysis.figures import Row, table
from analysis.tournament import ratios
from spielgames.agent_help import describe_agents
from spielgames.agents import Agent, make_agent
from spielgames.coinche.game import COINCHE
from spielgames.coinche.rules import LADDER, PASS, PLAYERS, level_of
from spielgames.coinche.scores import bid_value, is_made, points_made
from spielgames.command import define_game, run, user_input
from spielgames.contest import final_states, pair_lineups
from spielgames.core import loops
from spielgames.core.batch import Batch
from spielgames.core.cards import inlined
from spielgames.core.record import TERMINAL, State

TEAMS = 2
OPPOSED = pair_lineups(COINCHE)  # each team speaks first once
ALONE = np.zeros((1, PLAYERS), np.int64)


class Measures(NamedTuple):
    """The metrics of a team in a finished deal; NaN where the deal says nothing about one."""

    attacking_rate: float  # of all deals, those in which the team holds the contract (last bid)
    attacker_reward: float  # utility, when it does
    defender_reward: float  # utility, when the others hold the contract
    reward: float  # utility, of all deals; 0 when all pass
    attacker_success: float  # of the contracts it holds, those that are made
    defender_success: float  # of the others' contracts, those that fail
    bid_precision: float  # |bid − card points made| of contracts it holds, unless coinched
    contract_value: float  # of contracts it holds, not doubled; capot is 250
    capot_rate: float  # of the contracts it holds, those that are capot
    table_turns: float  # rounds of calls, the last perhaps cut short, and tricks: figures 2 to 4
    calls_and_cards: float  # everybody's decisions: figure 1, where a deal that all pass has 4
    coinche_rate: float  # of the others' contracts, those that it coinches: figure 4
    defending_rate: float  # of all deals, those in which the others hold the contract
    all_pass_rate: float  # of all deals, those without a contract


METRICS = Measures._fields


@inlined
def when(case: bool, value: float) -> float:
    return np.float64(value) if case else np.nan


@inlined
def measure(s: State, team: int, utility: float) -> Measures:
    contract = s.contract != PASS
    attacks = contract and np.int64(s.bidder) & 1 == team
    defends = contract and not attacks
    made = is_made(s, np.int64(s.bidder) & 1)
    value = bid_value(s, s.contract)
    rounds = (np.int64(s.calls) + PLAYERS - 1) // PLAYERS
    return Measures(
        attacking_rate=np.float64(attacks),
        attacker_reward=when(attacks, utility),
        defender_reward=when(defends, utility),
        reward=utility,
        attacker_success=when(attacks, made),
        defender_success=when(defends, not made),
        bid_precision=when(attacks and s.doubled == 0, abs(value - points_made(s, team))),
        contract_value=when(attacks, value),
        capot_rate=when(attacks, level_of(s.contract) == LADDER),
        table_turns=np.float64(rounds + s.tricks[0] + s.tricks[1]),
        calls_and_cards=np.float64(s.length),
        coinche_rate=when(defends, s.doubled > 0),
        defending_rate=np.float64(defends),
        all_pass_rate=np.float64(not contract),
    )


@loops.Kernel
def measure_all(states: np.ndarray, utilities: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        for team in range(TEAMS):
            measures = measure(states[i], team, utilities[i, team])
            for k in range(len(measures)):
                out[i, team, k] = measures[k]


def measures_of(states: np.ndarray) -> np.ndarray:
    """The metrics of each team in each finished deal. `[deals, teams, metrics]`"""
    if states.dtype != COINCHE.dtype:
        raise ValueError("these metrics are for Coinche; the states are of another game")
    if (states["turn"] != TERMINAL).any():
        raise ValueError("metrics are for finished deals; some of these are not finished")
    utilities = np.empty((len(states), PLAYERS))
    loops.final_returns(states, utilities)
    out = np.empty((len(states), TEAMS, len(METRICS)))
    measure_all(states, utilities, out)
    return out


def tally(measures: np.ndarray) -> np.ndarray:
    """The sums that `averages` needs, of measures `[deals, plays, metrics]`. `[6, metrics]`"""
    known = ~np.isnan(measures)
    return ratios.tally(np.where(known, measures, 0.0).sum(axis=1), known.sum(axis=1))


def averages(sums: np.ndarray) -> dict[str, float]:
    """Every metric with its standard error and cases."""
    found = ratios.ratios(sums)
    out = {}
    for k, name in enumerate(METRICS):
        out |= {
            name: found.mean[k],
            f"{name}_error": found.error[k],
            f"{name}_cases": found.cases[k],
        }
    return {name: float(number) for name, number in out.items()}


def metrics_of(states: np.ndarray, team: int) -> dict[str, float]:
    """The metrics of a team (0 is seats 0 and 2) over independent deals, all finished."""
    return averages(tally(measures_of(states)[:, [team]]))


def measure_team(
    agent: str | Agent, opponents: str | Agent, game: str, deals: int, seed: int
) -> dict[str, float]:
    """The metrics of an agent with itself as partner. Every deal is played twice, so that each team
    speaks first once.
    """
    agents = [player(agent, game), player(opponents, game)]
    return averages(tally_deals(agents, OPPOSED, deals, seed))


def measure_self_play(agent: str | Agent, game: str, deals: int, seed: int) -> dict[str, float]:
    """The metrics when an agent has all four seats, over both teams."""
    return averages(tally_deals([player(agent, game)], ALONE, deals, seed))


def player(agent: str | Agent, game: str) -> Agent:
    return agent if isinstance(agent, Agent) else make_agent(agent, game)


def tally_deals(
    agents: Sequence[Agent], lineups: np.ndarray, deals: int, seed: int, first: int = 0
) -> np.ndarray:
    """The sums of agent 0's teams, over deals played with every line-up."""
    own = lineups[:, :TEAMS] == 0
    sums = np.zeros_like(tally(np.empty((0, 1, len(METRICS)))))
    for states in final_states(agents, lineups, deals, seed, first):
        measures = measures_of(states).reshape(-1, len(lineups), TEAMS, len(METRICS))
        sums += tally(measures[:, own])
    return sums


def rows_of(found: Mapping[str, float]) -> list[Row]:
    """Every metric with its interval, and the deals that say something about it."""
    rows: list[Row] = [["metric", "mean", "95 %", "cases"]]
    for name in METRICS:
        reach = ratios.COVERED * found[f"{name}_error"]
        cases = f"{found[f'{name}_cases']:,.0f}"
        rows.append([name, f"{found[name]:.3f}", f"± {reach:.3f}", cases])
    return rows


def first_call(agent: Agent, game: str, deals: int, seed: int) -> str:
    """The probability of passing, and the likeliest bid, before anybody has spoken."""
    batch = Batch(game, deals, seed)
    chances = agent.probabilities(batch.states)
    passes, bids = chances[:, PASS], chances[:, PASS + 1 :].max(axis=1)
    low, high = np.quantile(passes, [0.1, 0.9])
    return (
        f"First to speak: passes with probability {passes.mean():.3f} ({low:.3f} to {high:.3f} with"
        f" 80 % of the hands); the likeliest bid of a hand has {bids.mean():.3f}."
    )


def define_flags() -> None:
    define_game(COINCHE.name, "Coinche, with its parameters")
    flags.DEFINE_string("agent", "rules:strong", "the agent that is measured: one of those below")
    flags.DEFINE_string("opponents", "", "the agent in the other team; by default the same one")
    flags.DEFINE_integer(
        "deals", 10_000, "deals; against opponents, each with either team speaking first", 2
    )
    flags.DEFINE_integer("seed", 0, "seed of the deals", 0, 2**63 - 1)


def main() -> None:
    chosen = flags.FLAGS
    how = chosen.game, chosen.deals, chosen.seed
    with user_input():
        if not chosen.game.startswith(COINCHE.name):
            raise ValueError(f"game={chosen.game} is not allowed; it is Coinche")
        agent = player(chosen.agent, chosen.game)
        opponents = player(chosen.opponents, chosen.game) if chosen.opponents else None
    found = measure_team(agent, opponents, *how) if opponents else measure_self_play(agent, *how)
    print(f"{table(rows_of(found))}\n\n{first_call(agent, *how)}")


if __name__ == "__main__":
    define_flags()
    run(main, describe_agents)
