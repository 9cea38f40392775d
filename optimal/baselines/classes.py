"""Sizes of feedback classes, for many guesses at once.

Everything takes `codes`, an array of candidates x guesses that holds a small integer for each pair, and the
number of codes. Few candidates are compared in pairs; many are counted in a table of guesses x codes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_PAIRWISE = 24  # below it comparing pairs is faster than a table, measured on 13 000 guesses
_TABLE = 64_000  # cells of one table: small enough to stay in the cache of a core
_BLOCK = 2_000_000  # codes handled at once


def class_sizes(codes: Codes, code_count: int) -> Iterator[tuple[slice, Ints]]:
    """Blocks of guesses, each with an array (anything x guesses) of class sizes; zeros stand for no class."""
    n, width = codes.shape
    if n <= _PAIRWISE:
        yield slice(0, width), _paired_sizes(codes)
        return
    for block in _blocks(n, width, code_count):
        index = _table_index(codes[:, block], code_count)
        size = index.shape[1]
        counts = np.bincount(index.ravel(), minlength=size * code_count)
        yield block, counts.reshape(size, code_count).T


def sum_over_classes(codes: Codes, code_count: int, value: Floats) -> Floats:
    """For each guess the sum of value[size] over its classes; value[0] must be 0."""
    out = np.empty(codes.shape[1])
    for block, sizes in class_sizes(codes, code_count):
        out[block] = value[sizes].sum(axis=0)
    return out


def count_classes(codes: Codes, code_count: int) -> Ints:
    """For each guess the number of its classes."""
    out = np.empty(codes.shape[1], dtype=np.int64)
    for block, sizes in class_sizes(codes, code_count):
        out[block] = np.count_nonzero(sizes, axis=0)
    return out


def largest_class(codes: Codes, code_count: int) -> Ints:
    """For each guess the size of its largest class."""
    out = np.empty(codes.shape[1], dtype=np.int64)
    for block, sizes in class_sizes(codes, code_count):
        out[block] = sizes.max(axis=0)
    return out


def weighted_entropy(codes: Codes, code_count: int, weights: Floats) -> Floats:
    """For each guess the entropy, in bits, of its classes, each as likely as its members weigh together."""
    n, width = codes.shape
    whole = weights.sum()
    if n <= _PAIRWISE:
        return np.asarray(_bits(_paired_weights(codes, weights / whole)).sum(axis=0))
    out = np.empty(width)
    for block in _blocks(n, width, code_count):
        index = _table_index(codes[:, block], code_count)
        size = index.shape[1]
        shares = np.bincount(index.ravel(), weights=np.repeat(weights / whole, size), minlength=size * code_count)
        out[block] = _bits(np.asarray(shares, dtype=np.float64).reshape(size, code_count)).sum(axis=1)
    return out


def entropy_values(n: int) -> Floats:
    """The table that makes `sum_over_classes` the entropy in bits of n equally likely candidates."""
    return _bits(np.arange(n + 1).astype(np.float64) / n)


def _bits(shares: Floats) -> Floats:
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return -shares * logs


def _blocks(n: int, width: int, code_count: int) -> Iterator[slice]:
    step = max(1, min(_TABLE // code_count, _BLOCK // n))
    for start in range(0, width, step):
        yield slice(start, min(start + step, width))


def _table_index(codes: Codes, code_count: int) -> Ints:
    return codes + np.arange(codes.shape[1], dtype=np.int64) * code_count


def _paired_sizes(codes: Codes) -> Ints:
    # sizes[i] counts the members of i's class from i on, and is kept where i is the first of its class.
    n = codes.shape[0]
    sizes = np.ones(codes.shape, dtype=np.int64)
    first = np.ones(codes.shape, dtype=bool)
    for i in range(n - 1):
        same = codes[i + 1 :] == codes[i]
        sizes[i] += same.sum(axis=0)
        first[i + 1 :] &= ~same
    return sizes * first


def _paired_weights(codes: Codes, shares: Floats) -> Floats:
    n = codes.shape[0]
    out = np.repeat(shares[:, None], codes.shape[1], axis=1)
    first = np.ones(codes.shape, dtype=bool)
    for i in range(n - 1):
        same = codes[i + 1 :] == codes[i]
        out[i] += shares[i + 1 :] @ same
        first[i + 1 :] &= ~same
    return out * first
