"""Scratch space for looking ahead: `solvers.pomdp.foresight`."""

from typing import NamedTuple

import numpy as np

STACK = 512  # ways that wait to be followed
PREDICTORS = 4  # one for each opponent
REMEMBERED = 24  # the predictions of each predictor at a position that are kept


class Memory(NamedTuple):
    """Scratch space: what is waiting, and what was predicted before."""

    stack: np.ndarray  # [STACK] states
    odds: np.ndarray  # [STACK]
    inputs: np.ndarray  # [predictors, REMEMBERED, clues]
    outputs: np.ndarray  # [predictors, REMEMBERED, merits]
    used: np.ndarray  # [predictors]
    tied: np.ndarray  # [places, cards] beliefs after what was played
    row: np.ndarray  # [features]
    clue: np.ndarray  # [clues]
    chances: np.ndarray  # [64]
    value: np.ndarray  # [1]
    utilities: np.ndarray  # [players]


def make_memory(
    dtype: np.dtype, shape: tuple[int, int], wide: int, clue: int, predictor: tuple[int, int]
) -> Memory:
    """For beliefs of that shape, so many features and clues, and a predictor of that shape."""
    asked, merits = predictor
    players = np.zeros(1, dtype)["played"].shape[1]
    return Memory(
        np.zeros(STACK, dtype),
        np.zeros(STACK),
        np.zeros((PREDICTORS, REMEMBERED, asked)),
        np.zeros((PREDICTORS, REMEMBERED, merits)),
        np.zeros(PREDICTORS, np.int64),
        np.zeros(shape),
        np.zeros(wide),
        np.zeros(clue),
        np.zeros(64),
        np.zeros(1),
        np.zeros(players),
    )
