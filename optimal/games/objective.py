"""What a strategy is to be best at: mean, worst or within:K."""

from __future__ import annotations

import re

from optimal.errors import InputError
from optimal.games.feedback import quoted

#: K in one form only, as tree files have it. No tree is so deep that K would need all these digits.
_WITHIN = re.compile(r"within:([1-9][0-9]{0,89})")


def within_of(objective: str) -> int | None:
    """The K of the objective "within:K", 1 or more; None for "mean" and "worst". InputError for anything else.

    >>> within_of("within:4")
    4
    """
    if objective in ("mean", "worst"):
        return None
    found = _WITHIN.fullmatch(objective)
    if found is None:
        raise InputError(f"no objective {quoted(objective)}; there are mean, worst and within:K, such as within:4")
    return int(found[1])
