"""The weights from which a fit or a search starts, and files of weights."""

from pathlib import Path
from typing import Any

import numpy as np
from absl import flags

from analysis.experts.players import CoincheWeights, SnapszerWeights, Weights
from spielgames.coinche import expert as coinche
from spielgames.coinche import expert_bidding as auction
from spielgames.files import read_json, reading
from spielgames.snapszer import expert as snapszer

COMMITTED: dict[str, Weights] = {
    "python_coinche": CoincheWeights(
        coinche.WEIGHTS,
        auction.EXPECTED,
        *map(np.array, (auction.PREMIUM, auction.SURE, auction.SURER)),
    ),
    "python_snapszer": SnapszerWeights(snapszer.WEIGHTS, snapszer.CLOSING),
}

Tables = dict[str, Any]  # weights by table, as JSON has them

flags.disclaim_key_flags()  # so that --help lists `define_start` as the command's own


def define_start() -> None:
    flags.DEFINE_string("start", "committed", "committed; zeros, except for thresholds; or a file")


def start_from(game: str, start: str) -> Weights:
    committed = COMMITTED[game]
    if start == "committed":
        return committed
    if start == "zeros":
        return type(committed)(*(np.zeros_like(x) if x.ndim else x for x in committed))
    return weights_of(game, read_tables(Path(start), game))


def read_tables(path: Path, game: str) -> Tables:
    """The tables in a file of `tune` or `fit_coinche`."""
    kept, committed = read_json(path), COMMITTED[game]._asdict()
    with reading(path, f"has no weights for {game}"):
        found = kept["weights"]
        if {k: np.shape(v) for k, v in found.items()} != {k: v.shape for k, v in committed.items()}:
            raise ValueError(f"tables are {', '.join(committed)}, each of the committed size")
        return found


def weights_of(game: str, tables: Tables) -> Weights:
    return type(COMMITTED[game])(**{name: np.array(x, float) for name, x in tables.items()})


def tables_of(weights: Weights) -> Tables:
    return {name: values.tolist() for name, values in weights._asdict().items()}
