"""Results as JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar


def plain(value: Any) -> Any:
    """Return a value as JSON has it: a fraction as a float, an enum by its value, a tuple as a list, a record or a
    mapping as an object."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, tuple) else value


class Record:
    """A dataclass with a JSON object: the attributes named in ``json_fields``, by blanks, or else all its fields."""

    json_fields: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        names = self.json_fields.split() or [field.name for field in fields(self)]  # type: ignore[arg-type]
        return {name: plain(getattr(self, name)) for name in names}
