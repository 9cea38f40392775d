"""Keys within limits: what is proven within one limit says of another what it may, and no more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tables_util import Plain, plain, random_parts, search_of, table_of
from textbook_tables import Textbook

from optimal import identify
from optimal._engine import INFEASIBLE, NO_LIMIT
from optimal.certificates.checker import check
from optimal.certificates.key_prover import certify_key
from optimal.search.distinct_columns import DistinctColumns


def dear_parts(r: random.Random) -> Plain:
    """A sparse table with costs far apart: the least key asks many cheap questions, and within a limit a dear one."""
    questions, objects = r.randint(4, 8), r.randint(6, 12)
    codes = [[r.randint(0, 2) for _ in range(objects)]]
    for _ in range(questions - 1):
        codes.append([0] * objects)
        for _ in range(r.choice([1, 1, 1, 2])):
            codes[-1][r.randrange(objects)] = 1
    costs = [r.choice([3, 4, 6, 9]), *(r.randint(1, 2) for _ in codes[1:])]
    return plain(codes, weights=[r.randint(1, 3) for _ in range(objects)], costs=costs)


# Of 4000 tables those first in which a search went wrong that took a bound within a limit for one without.
@pytest.mark.parametrize("seed", [29, 52, 61, 88, 126, 310, 352, 384, 391, 395, 419, 484])
def test_one_search_asked_within_one_limit_after_the_other(seed: int, tmp_path: Path) -> None:
    """As the prover of a certificate asks it."""
    table = table_of(dear_parts(random.Random(seed)))
    kinds = DistinctColumns.of(table)
    search = search_of(table)
    values = [search.value(limit)[0] for limit in range(1, 8)]
    assert values == [search_of(table).value(limit)[0] for limit in range(1, 8)]
    for limit, value in enumerate(values, 1):
        key = identify(table, limit=limit).key
        assert (INFEASIBLE if key is None else key.total // kinds.unit) == value
        if key is not None:
            certify_key(key, tmp_path / "proof.xz")
            assert check(tmp_path / "proof.xz").ok


@pytest.mark.parametrize("seed", range(24))
def test_one_search_asked_this_and_that(seed: int) -> None:
    r = random.Random(seed)
    parts = dear_parts(r) if seed % 4 == 0 else random_parts(r)
    table = table_of(parts)
    kinds, book = DistinctColumns.of(table), Textbook(table)
    search = search_of(table)
    for _ in range(12):
        limit, opener = r.choice([None, 1, 2, 3, 4, 5]), r.randint(-1, len(parts.costs) - 1)
        cost_limit = r.choice([None, None, None, r.randint(0, int(parts.costs.sum()))])
        within = NO_LIMIT if limit is None else limit
        purse = INFEASIBLE if cost_limit is None else cost_limit // kinds.cost_unit
        budget = r.choice([INFEASIBLE, INFEASIBLE, r.randint(1, 60)])
        want = book.solve(limit, "mean", None if opener < 0 else [opener], cost_limit)
        value = INFEASIBLE if want is None else want.value[0] // kinds.unit
        if opener < 0:
            low, ended = search.value(within, purse, budget)
        else:
            low, ended = search.opener(opener, within, purse, budget)
        assert ended
        assert low == value if low < budget else low <= value, (limit, cost_limit, opener, budget)
