"""Least squares for what compiled loops note, deal by deal."""

from typing import NamedTuple

import numpy as np

ROWS = 64  # rows per deal
RIDGE = 1e-3


class Rows(NamedTuple):
    """What the kernels fill in, per deal and row."""

    told: np.ndarray  # marks or features
    worth: np.ndarray
    kind: np.ndarray  # the column of the weights
    decision: np.ndarray
    filled: np.ndarray  # rows per deal


def empty_rows(deals: int, columns: int) -> Rows:
    return Rows(
        told=np.zeros((deals, ROWS, columns)),
        worth=np.zeros((deals, ROWS)),
        kind=np.zeros((deals, ROWS), np.int64),
        decision=np.zeros((deals, ROWS), np.int64),
        filled=np.zeros(deals, np.int64),
    )


def flat(rows: Rows) -> Rows:
    """The filled rows of all deals, one after the other."""
    used = np.arange(ROWS) < rows.filled[:, None]
    told, worth, kind, decision, filled = rows
    return Rows(told[used], worth[used], kind[used], decision[used], filled)


def fit(rows: Rows, columns: int, within: bool) -> np.ndarray:
    """Least squares for each kind of row; `within` decisions if only differences count."""
    rows = flat(rows)
    fitted = np.zeros((rows.told.shape[1], columns))
    for kind in range(columns):
        told, worth = rows.told[rows.kind == kind], rows.worth[rows.kind == kind]
        if within:
            told, worth = (centred(x, rows.decision[rows.kind == kind]) for x in (told, worth))
        ridge = RIDGE * max(len(told), 1) * np.eye(told.shape[1])
        fitted[:, kind] = np.linalg.solve(told.T @ told + ridge, told.T @ worth)
    return fitted


def centred(x: np.ndarray, decision: np.ndarray) -> np.ndarray:
    _, group, size = np.unique(decision, return_inverse=True, return_counts=True)
    sums = np.zeros((len(size), *x.shape[1:]))
    np.add.at(sums, group, x)
    return x - (sums.T / size).T[group]
