"""The gap at which a run stops: how far the proven bound may be below the best tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from optimal.errors import InputError
from optimal.show.words import shown

_GAP = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)(%?)")


@dataclass(frozen=True)
class Gap:
    """A gap in guesses, or in per cent of the tree's total."""

    guesses: int = 0
    percent: Fraction = Fraction(0)

    @classmethod
    def of(cls, gap: object, objective: str) -> Gap | None:
        """Return the gap given by a number of guesses or a text such as "1%" or "40"; None for None.

        Raises InputError for anything else, and for objectives other than "mean", whose value is not a single number.
        """
        if gap is None:
            return None
        # `shown` takes integers too long for str; True does not match.
        text = gap if isinstance(gap, str) else shown(gap) if isinstance(gap, int) else ""
        found = _GAP.fullmatch(text)
        if found is None or (not found[2] and "." in found[1]):
            raise InputError(f'the gap must be a whole number, or per cent such as "1%", not {shown(gap)}')
        if objective != "mean":
            raise InputError(f"a gap is for the objective mean alone, not for {objective}")
        return cls(percent=Fraction(found[1])) if found[2] else cls(guesses=int(found[1]))

    def reached(self, cost: int, bound: int) -> bool:
        """Return whether a tree of this cost is close enough to the bound (0: no bound yet)."""
        return bound > 0 and cost - bound <= max(Fraction(self.guesses), self.percent * cost / 100)
