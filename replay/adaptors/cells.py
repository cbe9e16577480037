"""Cells of an export's rows, as a mapping file names them, and the words that it makes of them."""

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final

import msgspec
from msgspec import Struct

from replay.adaptors.rows import Fields
from schemas.errors import BadInput
from schemas.near_names import nearest_names

_ADDRESS: Final = "field"  # what makes a mapping the address of a cell
_EMPTY: Final = (None, "")


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """A value taken from a field of a row, split into several and replaced by another word as configured.

    Several fields are one value, joined by `join`. `format` is that of a date, which becomes ISO 8601.
    """

    field: str | list[str]
    join: str = " "
    values: dict[str, Any] | None = None
    split: str | None = None
    default: Any = None
    format: str | None = None

    def of(self, fields: Fields) -> Any:
        """Return the value that a row has.

        Raises:
            BadInput: the row has none, or one that the mapping does not know.
        """
        found = self._found(fields)
        if found in _EMPTY:
            return self.default
        if self.split is None:
            return self._word(found)
        parts = [part.strip() for part in str(found).split(self.split)]
        while parts and not parts[-1]:
            parts.pop()
        if self.split.strip() and not all(parts):
            raise BadInput(f"{' '.join(fields_of(self.field))} {found!r} has an empty part")
        return [self._word(part) for part in parts if part]

    def _found(self, fields: Fields) -> Any:
        """Return what stands in the row's fields.

        Raises:
            BadInput: one of them is empty or not there, and there is no default.
        """
        names = fields_of(self.field)
        found = [fields.get(name) for name in names]
        for name, value in zip(names, found, strict=True):
            if value in _EMPTY:
                if self.default is None and name not in fields:
                    raise BadInput(f"there is no field {name!r}{nearest_names(name, fields)}")
                if self.default is None:
                    raise BadInput(f"{name} is empty")
                return None
        return found[0] if len(found) == 1 else self.join.join(map(_in_part, found))

    def _word(self, found: Any) -> Any:
        if self.format is not None:
            found = self._day(str(found))
        if self.values is None:
            return found
        if str(found) not in self.values:
            raise BadInput(f"{' '.join(fields_of(self.field))} {found!r} is no value of the mapping")
        return self.values[str(found)]

    def _day(self, written: str) -> str:
        try:
            return datetime.strptime(written, self.format or "").date().isoformat()  # noqa: DTZ007  a day has no zone
        except ValueError:
            raise BadInput(
                f"{' '.join(fields_of(self.field))} {written!r} is no date of {self.format!r}"
            ) from None


def _in_part(value: Any) -> str:
    """Return a value as part of a joined one: a workbook has a day as its first moment."""
    is_day = isinstance(value, datetime) and value.time() == time.min
    return str(value.date() if is_day else value)


def fields_of(field: str | list[str]) -> list[str]:
    """Return the names of the fields of a cell."""
    return field if isinstance(field, list) else [field]


_PROBE: Final = datetime(2023, 11, 9, 22, 47, 31, tzinfo=UTC)


def format_fault(form: str, *, has_hour: bool) -> str | None:
    """Return what a format of times, or of dates, lacks; None if nothing.

    >>> format_fault("%d.%m.%Y", has_hour=False), format_fault("%d.%m.%Y", has_hour=True)
    (None, 'has no hour')
    >>> format_fault("%H:%M", has_hour=True), format_fault("%Y-%m-%d %I:%M", has_hour=True)
    ('has no date', 'has no hour of the whole day: %I needs %p')
    """
    try:
        read = datetime.strptime(_PROBE.strftime(form), form)  # noqa: DTZ007  only what is lost by it
    except ValueError as error:
        return f"is none: {error}"
    if read.date() != _PROBE.date():
        return "has no date"
    if has_hour and read.hour != _PROBE.hour:
        return "has no hour of the whole day: %I needs %p" if "%I" in form else "has no hour"
    return None


def is_day(written: str) -> bool:
    """Return True if a text is a date of ISO 8601 without a time.

    >>> is_day("2025-03-01"), is_day("2025-03-01 20:15")
    (True, False)
    """
    try:
        date.fromisoformat(written)
    except ValueError:
        return False
    return True


def columns_of(pattern: Any, *, is_needed: bool = False) -> Iterator[str]:
    """Yield the columns that a part of a mapping takes its values from, or asks for.

    With `is_needed` those of cells with a default are left out.
    """
    if isinstance(pattern, list):
        for each in pattern:
            yield from columns_of(each, is_needed=is_needed)
    elif isinstance(pattern, dict):
        if _ADDRESS in pattern and not (is_needed and "default" in pattern):
            yield from fields_of(pattern[_ADDRESS])
        for key, each in pattern.items():
            if key in ("when", "group"):
                yield from each
            elif key not in ("values", _ADDRESS):
                yield from columns_of(each, is_needed=is_needed)


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
    if is_cell(pattern) and all(fields.get(name) in _EMPTY for name in fields_of(pattern[_ADDRESS])):
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
