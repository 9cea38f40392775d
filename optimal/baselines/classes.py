"""Sizes of feedback classes, for many guesses at once.

Everything takes `codes`, an array of candidates x guesses that holds a small integer for each pair, and the
number of codes. Few candidates are compared in pairs; many are counted in a table of guesses x codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_PAIRWISE = 24  # below it comparing pairs is faster than a table, measured on 13 000 guesses
_TABLE = 64_000  # cells of one table: small enough to stay in the cache of a core
_BLOCK = 2_000_000  # codes handled at once


def class_sizes(
    codes: Codes, code_count: int, weights: Floats | None = None
) -> Iterator[tuple[slice, npt.NDArray[Any]]]:
    """Blocks of guesses, each with an array (anything x guesses) of class sizes; zeros stand for no class.

    With `weights` of the candidates the size of a class is the weight of its members.
    """
    n, width = codes.shape
    if n <= _PAIRWISE:
        yield slice(0, width), _paired_sizes(codes, weights)
        return
    step = max(1, min(_TABLE // code_count, _BLOCK // n))
    for start in range(0, width, step):
        block = slice(start, min(start + step, width))
        size = block.stop - start
        index = (codes[:, block] + np.arange(size, dtype=np.int64) * code_count).ravel()
        each = None if weights is None else np.repeat(weights, size)
        yield block, np.bincount(index, each, size * code_count).reshape(size, code_count).T


def _paired_sizes(codes: Codes, weights: Floats | None) -> npt.NDArray[Any]:
    # sizes[i] counts the members of i's class from i on, and is kept where i is the first of its class.
    n, width = codes.shape
    sizes = np.ones(codes.shape, dtype=np.int64) if weights is None else np.repeat(weights[:, None], width, axis=1)
    first = np.ones(codes.shape, dtype=bool)
    for i in range(n - 1):
        same = codes[i + 1 :] == codes[i]
        sizes[i] += same.sum(axis=0) if weights is None else weights[i + 1 :] @ same
        first[i + 1 :] &= ~same
    return sizes * first


def of_classes(
    value: Callable[[npt.NDArray[Any]], Any], codes: Codes, code_count: int, weights: Floats | None = None
) -> npt.NDArray[Any]:
    """For each guess a value of its class sizes; `value` takes the array of many guesses, classes in rows."""
    return np.concatenate([value(sizes) for _, sizes in class_sizes(codes, code_count, weights)])


def entropy(codes: Codes, code_count: int) -> Floats:
    """For each guess the entropy of its classes in bits, of equally likely candidates."""
    values = bits(np.arange(len(codes) + 1) / len(codes))
    return of_classes(lambda sizes: values[sizes].sum(axis=0), codes, code_count)


def weighted_entropy(codes: Codes, code_count: int, weights: Floats) -> Floats:
    """The same with each class as likely as its members weigh together."""
    return of_classes(lambda shares: bits(shares).sum(axis=0), codes, code_count, weights / weights.sum())


def expected_size(codes: Codes, code_count: int) -> Floats:
    """For each guess the mean size of the answer's class."""
    values = np.arange(len(codes) + 1.0) ** 2 / len(codes)
    return of_classes(lambda sizes: values[sizes].sum(axis=0), codes, code_count)


def largest_class(codes: Codes, code_count: int) -> Ints:
    """For each guess the size of its largest class."""
    return of_classes(lambda sizes: sizes.max(axis=0), codes, code_count)


def count_classes(codes: Codes, code_count: int) -> Ints:
    """For each guess the number of its classes."""
    return of_classes(lambda sizes: np.count_nonzero(sizes, axis=0), codes, code_count)


def bits(shares: Floats, least: float = 0.0) -> Floats:
    """-p log2 p for each share p; 0 where it is `least` or less."""
    return -shares * np.log2(shares, out=np.zeros_like(shares), where=shares > least)
