"""Samples as packed records: what networks learn from, a bit per flag.

rows = pack(format, encodings, legal)
put_targets(rows, targets)
unpack(format, rows, out)

A row holds the legal actions as a 64-bit set, the encoding's flags as bits (its few numbers as
float16), and a target for each legal action, in ascending order of actions.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import prange

from spielgames.core.arrays import fill
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, bit, count, inlined, lowest
from spielgames.core.loops import Kernel

MAX_ACTIONS = 64  # they are a 64-bit set
BITS = np.unpackbits(np.arange(256, dtype="u1")[:, None], axis=1, bitorder="little").astype("f4")


class Samples(NamedTuple):
    """Unpacked rows, as networks need them."""

    encodings: np.ndarray  # [n, width] float32, as all
    targets: np.ndarray  # [n, actions]
    mask: np.ndarray  # [n, actions] 1 where there is a target
    iterations: np.ndarray  # [n]


@dataclass(frozen=True)
class RowFormat:
    width: int  # columns of an encoding
    numbers: tuple[int, ...]  # columns that are not flags; kept as float16
    actions: int  # width of targets
    slots: int  # most actions that one sample has targets for

    def __post_init__(self) -> None:
        if not 1 <= self.slots <= self.actions <= MAX_ACTIONS:
            raise ValueError(
                f"a sample has targets for 1 to {MAX_ACTIONS} actions, in at most as many slots, "
                f"not {self.actions} actions in {self.slots} slots"
            )
        if not set(self.numbers) <= set(range(self.width)):
            raise ValueError(f"numbers are columns 0 to {self.width - 1}, not {self.numbers}")

    @cached_property
    def dtype(self) -> np.dtype:
        """The layout of a row, without gaps."""
        return np.dtype(
            [
                ("legal", "u8"),
                ("flags", "u1", (-(-self.width // 8),)),
                ("numbers", "f2", (len(self.numbers),)),
                ("targets", "f4", (self.slots,)),
                ("iteration", "u2"),
            ]
        )

    @cached_property
    def flag_bits(self) -> np.ndarray:
        """The bits of `flags` that stand for a flag, not a number."""
        return np.packbits(~np.isin(np.arange(self.width), self.numbers), bitorder="little")

    def samples(self, n: int) -> Samples:
        """Room for n unpacked rows."""
        shapes = (n, self.width), (n, self.actions), (n, self.actions), n
        return Samples(*(np.zeros(shape, np.float32) for shape in shapes))


def pack(format: RowFormat, encodings: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Return [n] rows of [n, width] encodings and [n] sets; targets and iterations are 0."""
    check_shape("encodings", encodings, (len(legal), format.width))
    check_sets(legal, format.actions, format.slots)
    rows = np.zeros(len(legal), format.dtype)
    rows["legal"] = legal
    strange = np.zeros(1, np.int64)
    pack_flags(encodings, format.flag_bits, rows["flags"], strange)
    if strange[0]:
        raise ValueError("a flag of an encoding is neither 0 nor 1; name its column in `numbers`")
    if format.numbers:
        pack_numbers(encodings[:, format.numbers], rows["numbers"])
    return rows


def pack_numbers(numbers: np.ndarray, out: np.ndarray) -> None:
    with np.errstate(over="ignore"):
        out[:] = numbers
    if not np.isfinite(out).all():
        raise ValueError("a number of an encoding is not within ±65504, as float16 needs it")


def put_targets(rows: np.ndarray, targets: np.ndarray) -> None:
    """Store the targets, [n, actions], of each row's legal actions."""
    check_shape("targets", targets, (len(rows), targets.shape[-1]))
    check_sets(rows["legal"], targets.shape[1], rows["targets"].shape[1])
    gather_targets(rows["legal"], targets, rows["targets"])


def unpack(format: RowFormat, rows: np.ndarray, out: Samples) -> None:
    """Unpack rows into arrays for as many rows."""
    if rows.dtype != format.dtype:
        raise ValueError("these rows have another format")
    check_shape("out.encodings", out.encodings, (len(rows), format.width))
    check_shape("out.targets", out.targets, (len(rows), format.actions))
    check_shape("out.mask", out.mask, out.targets.shape)
    check_sets(rows["legal"], format.actions, format.slots)
    unpack_flags(rows["flags"], out.encodings)
    if format.numbers:
        out.encodings[:, format.numbers] = rows["numbers"]
    spread_targets(rows["legal"], rows["targets"], out.targets, out.mask)
    out.iterations[:] = rows["iteration"]


def as_bytes(rows: np.ndarray) -> np.ndarray:
    """View rows as bytes, [n, bytes of a row], in the same memory."""
    return rows.view(np.uint8).reshape(len(rows), rows.itemsize)


def columns_of(dtype: np.dtype) -> list:
    """Return the dtype of rows as JSON."""
    return json.loads(json.dumps(np.lib.format.dtype_to_descr(dtype)))


def check_shape(name: str, array: np.ndarray, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {array.shape}")


def check_sets(legal: np.ndarray, actions: int, slots: int) -> None:
    """Rows are read and written by their sets: a wrong one would reach beyond them."""
    i = first_misfit(legal, actions, slots)
    if i >= 0:
        raise ValueError(
            f"row {i} has {count(legal[i])} legal actions, {legal[i]:#x} as a set; the format has "
            f"{slots} slots, for actions 0 to {actions - 1}"
        )


@compiled
def first_misfit(legal: np.ndarray, actions: int, slots: int) -> int:
    """The first set with too many actions or one that does not exist, or −1."""
    known = NONE
    for a in range(actions):
        known |= bit(a)
    for i in range(len(legal)):
        if count(legal[i]) > slots or legal[i] & ~known != NONE:
            return i
    return -1


@Kernel
def pack_flags(
    encodings: np.ndarray, flag_bits: np.ndarray, out: np.ndarray, strange: np.ndarray
) -> None:
    """Pack a bit per column. `strange` is set if a flag is neither 0 nor 1."""
    width = encodings.shape[1]
    for i in prange(len(encodings)):
        odd = 0
        for b in range(width // 8):
            odd |= pack_byte(encodings[i], b, 8, flag_bits, out[i])
        if width % 8:
            odd |= pack_byte(encodings[i], width // 8, width % 8, flag_bits, out[i])
        if odd:
            strange[0] = 1


@inlined
def pack_byte(
    encoding: np.ndarray, b: int, bits: int, flag_bits: np.ndarray, out: np.ndarray
) -> int:
    """Pack the b-th eight columns; return which of them are neither 0 nor 1."""
    ones, odd = 0, 0
    for j in range(bits):
        x = encoding[8 * b + j]
        ones |= int(x == 1.0) << j
        odd |= int((x != 0.0) & (x != 1.0)) << j
    out[b] = ones & flag_bits[b]
    return odd & flag_bits[b]


@Kernel
def unpack_flags(flags: np.ndarray, out: np.ndarray) -> None:
    width = out.shape[1]
    for i in prange(len(flags)):
        for b in range(width // 8):
            for j in range(8):
                out[i, 8 * b + j] = BITS[flags[i, b], j]
        for j in range(width % 8):
            out[i, width - width % 8 + j] = BITS[flags[i, width // 8], j]


@Kernel
def gather_targets(legal: np.ndarray, targets: np.ndarray, out: np.ndarray) -> None:
    """Copy the targets of legal actions; other slots stay as they are."""
    for i in prange(len(legal)):
        actions, slot = legal[i], 0
        while actions != NONE:
            a = lowest(actions)
            actions ^= bit(a)
            out[i, slot] = targets[i, a]
            slot += 1


@Kernel
def spread_targets(
    legal: np.ndarray, targets: np.ndarray, out: np.ndarray, mask: np.ndarray
) -> None:
    for i in prange(len(legal)):
        fill(out[i], 0)
        fill(mask[i], 0)
        actions, slot = legal[i], 0
        while actions != NONE:
            a = lowest(actions)
            actions ^= bit(a)
            out[i, a] = targets[i, slot]
            mask[i, a] = 1.0
            slot += 1
