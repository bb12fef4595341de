"""Is it an equilibrium of Coinche that everybody passes? The answer is exact on small variants, and
a certified lower bound on the full game. Writes the findings, their figure, and all numbers.

    python -m analysis.coinche.all_pass
    python -m analysis.coinche.all_pass --quick --out=runs/all_pass

The first takes some twenty minutes on two cores, the second one or two.
"""

import json
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from absl import flags
from tqdm import tqdm

from analysis.coinche.all_pass.exact import (
    LEARNERS,
    deviations,
    equilibrium,
    learning,
    penalty_point,
    team_value,
)
from analysis.coinche.all_pass.figure import save_findings_figure
from analysis.coinche.all_pass.full import SCENES, forced, measure
from analysis.coinche.all_pass.page import page
from analysis.figures import save_text
from spielgames.coinche.rules import PLAYERS
from spielgames.coinche.scores import REWARDS
from spielgames.command import run, user_input

FINDINGS = Path(__file__).parents[2] / "findings"
TINY = [
    "suits=1,ranks=4,levels=1,capot=false",
    "suits=2,ranks=2,levels=1,capot=false",
]
SMALL = [
    *TINY,
    "suits=1,ranks=4,capot=false",
    "suits=1,ranks=8,levels=1,capot=false,doubling=false,belote=true",
    "suits=2,ranks=4,levels=1,capot=false,doubling=false",
]
SWEPT = [("mirror", SMALL[1]), ("mirror", SMALL[4]), ("good", SMALL[4])]
LEARNT = [SMALL[1], SMALL[4]]


@dataclass(frozen=True)
class Effort:
    """The amount of work: variants, iterations, deals."""

    variants: list[str]
    rewards: tuple[str, ...]
    penalties: list[int]
    iterations: int
    team_seconds: float  # for the proof of one team's plan, and for a team's value
    seeds: int
    steps: list[int]  # of the learners
    deals: int


FULL = Effort(
    variants=SMALL,
    rewards=REWARDS,
    penalties=[0, 10, 20, 30, 45, 60, 90, 120, 180, 270, 400, 600, 1000],
    iterations=500,
    team_seconds=60.0,
    seeds=5,
    steps=[1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000],
    deals=400_000,
)
QUICK = Effort(TINY, ("mirror", "classic"), [0, 60, 600], 200, 5.0, 2, [1, 10, 100], 4000)


def named(variant: str, **more: str | int) -> str:
    return f"python_coinche({variant}{''.join(f',{key}={of}' for key, of in more.items())})"


def exact(effort: Effort, bar: tqdm) -> list[dict[str, Any]]:
    rows = []
    for variant, reward in product(effort.variants, effort.rewards):
        name = named(variant, reward=reward)
        bar.set_description(name)
        row = {"variant": variant, "reward": reward, **deviations(name, effort.team_seconds)}
        row["equilibrium"] = equilibrium(name, effort.iterations)
        if reward == "mirror":
            row["team_value"] = team_value(name, effort.team_seconds)
        rows.append(row)
        bar.update()
    return rows


def swept(effort: Effort) -> list[tuple[str, str, int]]:
    return [
        (*case, p) for case, p in product(SWEPT, effort.penalties) if case[1] in effort.variants
    ]


def sweep(effort: Effort, bar: tqdm) -> list[dict[str, Any]]:
    rows = []
    for reward, variant, penalty in swept(effort):
        name = named(variant, reward=reward, penalty=penalty)
        bar.set_description(name)
        point = penalty_point(name, effort.iterations)
        rows.append({"variant": variant, "reward": reward, "penalty": penalty, **point})
        bar.update()
    return rows


def learnt(effort: Effort) -> list[tuple[str, str, int]]:
    variants = [variant for variant in LEARNT if variant in effort.variants]
    return list(product(variants, LEARNERS, range(effort.seeds)))


def learn(effort: Effort, seed: int, bar: tqdm) -> list[dict[str, Any]]:
    rows = []
    for variant, learner, k in learnt(effort):
        bar.set_description(f"{learner}, {variant}")
        points = learning(named(variant), learner, seed + k, effort.steps)
        rows += [{"variant": variant, "learner": learner, "seed": seed + k, **p} for p in points]
        bar.update()
    return rows


def all_results(effort: Effort, seed: int) -> dict[str, Any]:
    parts = len(SCENES) * PLAYERS + len(effort.variants) * len(effort.rewards)
    parts += len(swept(effort)) + len(learnt(effort))
    with tqdm(total=parts, unit=" parts", leave=False) as bar:
        return {
            "full": {"forced": forced(), "bidding": measure(effort.deals, seed, bar)},
            "exact": exact(effort, bar),
            "penalties": sweep(effort, bar),
            "learning": learn(effort, seed, bar),
        }


def define_flags() -> None:
    flags.DEFINE_integer("deals", None, "deals of the full game per seat; pimc plays fewer", 400)
    flags.DEFINE_integer("seed", 0, "seed of the deals and of the learners", 0, 2**62)
    flags.DEFINE_bool("quick", False, "take a minute or two, on the smallest variants")
    flags.DEFINE_string("out", str(FINDINGS), "the folder for the page, the figure and the numbers")


def writable(folder: Path) -> Path:
    """Make the folder if need be, and check before minutes of work that files can be written."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder):
        return folder


def save(results: dict[str, Any], folder: Path) -> None:
    stem = folder / "coinche_all_pass"
    text = page(results)
    save_text(stem.with_suffix(".json"), json.dumps(results, indent=1, ensure_ascii=False))
    save_findings_figure(results, stem)
    save_text(stem.with_suffix(".md"), text)
    print(f"{text}\n\nWritten: {stem}.md, .json, .pdf, .png, .csv")


def main() -> None:
    chosen = flags.FLAGS
    effort = QUICK if chosen.quick else FULL
    if chosen.deals:
        effort = replace(effort, deals=chosen.deals)
    with user_input():
        folder = writable(Path(chosen.out))
    save(all_results(effort, chosen.seed), folder)


if __name__ == "__main__":
    define_flags()
    run(main)
