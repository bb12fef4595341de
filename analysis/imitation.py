"""Compare how well and how fast each kind of network learns to play like the rule-based player.

    python -m analysis.imitation --game='python_hokm(trump=heuristic)' --steps=1500

All networks see the same decisions in the same order: those of rule-based players in fresh deals.
Agreement is the share of decisions in other deals at which the network's likeliest action is one
that the rules might choose. This tests what a network can represent, not what it would find out.
"""

import json
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from absl import flags

from analysis.figures import save_text, table
from solvers.environments.card_game import Records
from solvers.environments.load import load_environment
from solvers.networks import decisions as strategies
from solvers.networks.decisions import log_policy
from solvers.networks.network import Network, computing, make_network, predict
from solvers.networks.settings import CardsSettings, MlpSettings, SuitsSettings
from solvers.ppo.rollout import Table, play
from solvers.runs.threads import use_threads
from spielgames.agents import make_agent
from spielgames.command import run, user_input
from spielgames.core.registry import find

KINDS = {
    "mlp": MlpSettings(hidden=256),
    "suits-64": SuitsSettings(hidden=64),
    "suits": SuitsSettings(hidden=128),
    "cards": CardsSettings(hidden=64, layers=2, heads=2),
}
RULES = "rules"
OTHER_DEALS = 1_000_003  # added to the seed, for deals that nothing was learnt from


class Examples(NamedTuple):
    encodings: np.ndarray
    legal: np.ndarray
    likely: np.ndarray  # [n, actions] bool: what the rules might choose
    actions: np.ndarray


class Learnt(NamedTuple):
    kind: str
    parameters: int
    agreement: float
    seconds: float


def watch(env: Records, deals: int, seed: int) -> Examples:
    """The decisions of rule-based players."""
    rules = make_agent(RULES, env.name)
    found = play(env, Table((rules,) * env.players, deals), [rules], first=0, seed=seed)
    likely = rules.probabilities(found.positions.states) > 0
    legal = strategies.flags(found.positions.sets, env.actions)
    return Examples(env.encode(found.positions), legal, likely, found.actions)


def imitate(
    network: Network, shown: Examples, steps: int, batch: int, random: np.random.Generator
) -> float:
    """Train by cross-entropy, with a learning rate that falls to 0; return the seconds."""
    start, adam = time.perf_counter(), torch.optim.Adam(network.parameters(), fused=True)
    rates = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps)
    with computing("bfloat16", network.device):
        for _ in range(steps):
            rows = random.integers(len(shown.actions), size=batch)
            encodings, legal, actions = (
                torch.from_numpy(x[rows]) for x in (shown.encodings, shown.legal, shown.actions)
            )
            loss = -log_policy(network(encodings), legal).gather(1, actions[:, None]).mean()
            adam.zero_grad()
            loss.backward()
            adam.step()
            rates.step()
    return time.perf_counter() - start


def agreement(network: Network, unseen: Examples) -> float:
    outputs = np.where(unseen.legal, predict(network, unseen.encodings), -np.inf)
    return float(unseen.likely[np.arange(len(outputs)), outputs.argmax(axis=1)].mean())


def compare(
    game: str, kinds: list[str], deals: int, steps: int, batch: int, seed: int
) -> list[Learnt]:
    found = []
    for kind in kinds:
        env = load_environment(game, "events" if KINDS[kind].kind == "cards" else "compact")
        shown = watch(env, deals, seed)
        unseen = watch(env, max(1, deals // 20), seed + OTHER_DEALS)
        network = make_network(KINDS[kind], env.shape, seed)
        seconds = imitate(network, shown, steps, batch, np.random.default_rng(seed))
        size = sum(parameter.numel() for parameter in network.parameters())
        found.append(Learnt(kind, size, agreement(network, unseen), seconds))
        print(f"{kind}: {100 * found[-1].agreement:.1f} %, {seconds:.0f} s")
    return found


def report(found: list[Learnt]) -> str:
    rows = [["network", "parameters", "agrees", "seconds"]]
    rows += [
        [one.kind, f"{one.parameters:,}", f"{100 * one.agreement:.1f} %", f"{one.seconds:.0f}"]
        for one in found
    ]
    return table(rows)


def define_flags() -> None:
    flags.DEFINE_string(
        "game", "python_hokm(trump=heuristic)", "one of the five games, with parameters if any"
    )
    flags.DEFINE_list("kinds", list(KINDS), "the networks to compare")
    flags.DEFINE_integer("deals", 20_000, "deals to learn from", lower_bound=1)
    flags.DEFINE_integer("steps", 1500, "steps of gradient descent", lower_bound=1)
    flags.DEFINE_integer("batch", 1024, "decisions in a step", lower_bound=1)
    flags.DEFINE_integer("seed", 0, "seed of deals and networks")
    flags.DEFINE_string("json", "", "a file for the numbers")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        if unknown := [kind for kind in chosen.kinds if kind not in KINDS]:
            raise ValueError(f"there is no network {unknown[0]!r}; there are {', '.join(KINDS)}")
        find(chosen.game)
    use_threads(1)
    given = chosen.deals, chosen.steps, chosen.batch, chosen.seed
    found = compare(chosen.game, chosen.kinds, *given)
    print(f"\n{report(found)}")
    if chosen.json:
        known = dict(zip(("deals", "steps", "batch", "seed"), given, strict=True))
        kept = {"game": chosen.game} | known | {"networks": [one._asdict() for one in found]}
        save_text(Path(chosen.json), json.dumps(kept, indent=2))


if __name__ == "__main__":
    define_flags()
    run(main)
