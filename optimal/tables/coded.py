"""Matrices of taxa and characters, as biologists code them, as the cells of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from optimal.errors import InputError
from optimal.show.words import counted, listed, quoted
from optimal.tables.cells import Cells, tidy

#: The reply where a character makes no sense.
INAPPLICABLE = "inapplicable"
#: Between the states of a cell; none has it.
_SEPARATOR = "\x1f"
#: Names are cut here; see `optimal.tables.replies`.
_LONGEST = 300
_COSTS = "cost of the character"

#: The names of the states that can come; none where it is unknown.
State = Sequence[str]


@dataclass
class Matrix:
    """Taxa and characters by their names, and the states of each taxon."""

    source: str
    taxa: list[str]
    characters: list[str]
    rows: list[list[State]]
    #: What it costs to look at each character, as text; nothing where all cost the same.
    costs: Sequence[str] = ()
    #: What there is to say of it.
    notes: list[str] = field(default_factory=list)
    #: The places of characters that are counted or measured; of those among them that are asked only where classes of
    #: them are named.
    numeric: frozenset[int] = frozenset()
    unasked: frozenset[int] = frozenset()

    def cells(self, name: str) -> Cells:
        """The cells, with a row of costs if there are any; without characters that no taxon has a state of."""
        if not self.taxa or not self.characters:
            raise InputError(f"{self.source}: a matrix without taxa, or without characters")
        kept = [at for at in range(len(self.characters)) if any(row[at] for row in self.rows)]
        notes = [f"{self.source}: {note}" for note in self.notes]
        if len(kept) < len(self.characters):
            count = counted(len(self.characters) - len(kept), "character")
            notes.append(f"{self.source}: left out: {count} of which no taxon has a state")
        head, first = unlike([self.characters[at] for at in kept]), unlike(self.taxa)
        body = [[_SEPARATOR.join(row[at]) for at in kept] for row in self.rows]
        rows = [["", *head], *([taxon, *texts] for taxon, texts in zip(first, body, strict=True))]
        if self.costs:
            rows.append([_COSTS, *(self.costs[at] for at in kept)])
        place = {at: number for number, at in enumerate(kept, 1)}
        unasked = frozenset(place[at] for at in self.unasked & place.keys())
        if unasked:
            names = listed([quoted(rows[0][at], 200) for at in sorted(unasked)], 5)
            notes.append(f"{self.source}: measured, and asked only where --classes or --only names them: {names}")
        return Cells(
            rows,
            name,
            self.source,
            separators=(_SEPARATOR,),
            exact=frozenset(place[at] for at in place.keys() - self.numeric),
            parts=(_COSTS if self.costs else None, None, None),
            unasked=unasked,
            notes=tuple(notes),
        )


def unlike(names: Sequence[str], others: Mapping[int, str] | None = None) -> list[str]:
    """Return the names without two alike: a number goes behind those that come again, or what ``others`` has."""
    seen: set[str] = set()
    made = []
    for at, name in enumerate(map(tidy, names)):
        plain = "".join(char for char in name if char.isprintable())[: _LONGEST - 10] or f"no name {at + 1}"
        while plain in seen:
            plain = f"{plain[: _LONGEST - 20]} ({at + 1})"
        seen.add(plain)
        made.append(plain)
    return made
