"""Networks against other agents, on duplicate deals or in whole matches. Each meeting is played
once and kept in a file.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.tournament.pairs import meet
from experiments.common.curves import Curve
from experiments.common.runs import Metrics, plain, read_json, save_json

Meeting = Callable[..., Metrics]  # of the parameters of `meeting`
CHECKS, FINALS = 1_000_003, 2_000_003  # added to seeds, for deals that nothing was learnt from
PLAYED = "agent", "opponent", "game", "deals", "deal_seed"  # in the order of `meet`
ALONE = "net:{},play=best"  # without search


def meeting(
    agent: str, opponent: str, game: str, deals: int, seed: int, unit: str = "deal"
) -> Metrics:
    """The numbers of duplicate deals, or matches, that reports show."""
    numbers = plain(asdict(meet(agent, opponent, game, deals, seed, unit)))
    kept = "mean", "low", "high", "win_rate", "win_low", "win_high"
    return {key: numbers[key] for key in kept}


def play_out(wanted: list[Metrics], path: Path, measure: Meeting = meeting) -> None:
    """Play what has not been played yet; keep the results in order, and no others."""
    kept = read_json(path, [])
    for one in tqdm(wanted, desc=path.stem):
        if not any(one.items() <= known.items() for known in kept):
            units = [one["unit"]] if "unit" in one else []
            kept.append(one | measure(*(one[key] for key in PLAYED), *units))
            save_json(path, kept)
    save_json(path, [known for one in wanted for known in kept if one.items() <= known.items()])


def about_agent(curve: Curve, plays: str, spec: str) -> Metrics:
    iteration = read_json(curve.network / "state.json")["state"]["iteration"]
    return curve.about | {
        "plays": plays,
        "agent": spec.format(curve.network),
        "learnt": iteration,
    }


def panel(config: ConfigDict) -> Iterator[Metrics]:
    for opponent, deals in config.finals:
        yield {"opponent": opponent, "deals": deals, "deal_seed": FINALS}
