"""The little linear algebra of on-line learning, in loops, which compile much faster than NumPy's.
Matrices are symmetric, and stay so to the last bit.
"""

import numpy as np

from spielgames.core.arrays import copy, fill
from spielgames.core.inlining import linked

TURNS = 100  # of the power method


@linked
def dot(a: np.ndarray, b: np.ndarray) -> float:
    total = 0.0
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@linked
def distance(a: np.ndarray, b: np.ndarray) -> float:
    """|a − b|²"""
    total = 0.0
    for k in range(len(a)):
        total += (a[k] - b[k]) ** 2
    return total


@linked
def scale(x: np.ndarray, factor: float) -> None:
    for k in range(len(x)):
        x[k] *= factor


@linked
def add(x: np.ndarray, factor: float, out: np.ndarray) -> None:
    """out += factor · x, both `[n]`"""
    for k in range(len(out)):
        out[k] += factor * x[k]


@linked
def multiply(x: np.ndarray, matrix: np.ndarray, out: np.ndarray) -> None:
    """out = xᵀ · matrix, row by row, which processors do in parallel."""
    fill(out, 0.0)
    for k in range(len(x)):
        add(matrix[k], x[k], out)


@linked
def add_square(inverse: np.ndarray, turned: np.ndarray, weight: float, growth: float) -> None:
    """A⁻¹ becomes (A + weight · vvᵀ)⁻¹, given `turned` = A⁻¹v and `growth` = 1 + weight · vᵀA⁻¹v,
    by which |A| grows (Sherman and Morrison 1950).
    """
    factor = weight / growth
    for a in range(len(turned)):
        row, z = inverse[a], turned[a]
        for b in range(len(turned)):
            row[b] -= factor * (z * turned[b])


@linked
def invert(matrix: np.ndarray) -> None:
    """Invert a positive definite matrix in place, by sweeping each row."""
    for k in range(len(matrix)):
        pivot, row = 1.0 / matrix[k, k], matrix[k].copy()
        for a in range(len(matrix)):
            add(row, -pivot * row[a], matrix[a])
        for a in range(len(matrix)):
            matrix[a, k] = matrix[k, a] = row[a] * pivot
        matrix[k, k] = -pivot
    for a in range(len(matrix)):
        scale(matrix[a], -1.0)


@linked
def widest_axis(matrix: np.ndarray, axis: np.ndarray) -> float:
    """Write the eigenvector of the greatest eigenvalue, of length 1; return the eigenvalue. (By the
    power method: among almost equal eigenvalues the axis is one between theirs.)
    """
    widest = 0
    for a in range(len(matrix)):
        widest = a if matrix[a, a] > matrix[widest, widest] else widest
    turned, length = matrix[widest].copy(), 0.0
    for _ in range(TURNS):
        length = np.sqrt(dot(turned, turned))
        copy(turned, axis)
        scale(axis, 1.0 / length)
        multiply(axis, matrix, turned)
    return dot(axis, turned)
