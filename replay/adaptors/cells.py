"""Cells of an export's rows, as a mapping file names them, and the words that it makes of them."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from replay.adaptors.rows import Fields
from schemas.errors import BadInput

_ADDRESS: Final = "field"  # what makes a mapping the address of a cell
_EMPTY: Final = (None, "")


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """A value taken from a field of a row, split into several and replaced by another word as configured."""

    field: str
    values: dict[str, Any] | None = None
    split: str | None = None
    default: Any = None

    def of(self, fields: Fields) -> Any:
        """Return the value that a row has.

        Raises:
            BadInput: the row has none, or one that the mapping does not know.
        """
        found = fields.get(self.field)
        if found in _EMPTY:
            if self.default is None:
                raise BadInput(f"{self.field} is empty")
            return self.default
        if self.split is None:
            return self._word(found)
        return [self._word(part.strip()) for part in str(found).split(self.split) if part.strip()]

    def _word(self, found: Any) -> Any:
        if self.values is None:
            return found
        if str(found) not in self.values:
            raise BadInput(f"{self.field} {found!r} is no value of the mapping")
        return self.values[str(found)]


def filled(pattern: Any, fields: Fields) -> Any:
    """Return the pattern of a field with its cells filled in from a row.

    Raises:
        BadInput: a cell's value is missing, unknown or invalid.

    >>> filled({"name": {"field": "who"}, "role": "dealer"}, {"who": "dana"})
    {'name': 'dana', 'role': 'dealer'}
    """
    if isinstance(pattern, Mapping):
        if _ADDRESS not in pattern:
            return {str(name): filled(each, fields) for name, each in pattern.items()}
        try:
            return msgspec.convert(pattern, Cell).of(fields)
        except msgspec.ValidationError as error:
            raise BadInput(f"the mapping's {pattern!r}: {error}") from None
    if isinstance(pattern, list):
        return [filled(each, fields) for each in pattern]
    return pattern


def is_cell(pattern: Any) -> bool:
    """Return True if a pattern is the address of a cell."""
    return isinstance(pattern, Mapping) and _ADDRESS in pattern


def filled_if_any(pattern: Any, fields: Fields) -> Any:
    """Return what `filled` does; for an empty cell its default, or None.

    >>> filled_if_any({"field": "who"}, {"who": ""}), filled_if_any({"field": "who"}, {"who": "dana"})
    (None, 'dana')
    """
    if is_cell(pattern) and fields.get(pattern[_ADDRESS]) in _EMPTY:
        return pattern.get("default")
    return filled(pattern, fields)


def fits(when: Mapping[str, str | list[str]], fields: Fields) -> bool:
    """Return True if a row's fields have the values that a mapping asks for, or one of several.

    >>> fits({"kind": ["note", "remark"]}, {"kind": "note"}), fits({"kind": "note"}, {})
    (True, False)
    """
    return all(
        str(fields.get(name)) in ([wanted] if isinstance(wanted, str) else wanted)
        for name, wanted in when.items()
    )
