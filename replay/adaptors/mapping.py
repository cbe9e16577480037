"""A house's mapping of an export: which rows are which events, and from which fields theirs are taken."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from replay.adaptors.rows import Fields, Form, Rejected, Row
from schemas import plain
from schemas.codec import VERSION
from schemas.errors import BadInput
from schemas.events import Event
from schemas.values import Name, microseconds

_ADDRESS: Final = "field"  # what makes a mapping within an event's fields the address of a cell
_UNITS: Final = {"seconds": 1_000_000, "milliseconds": 1_000, "microseconds": 1}


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """A value taken from a field of a row, split into several and exchanged for a word where it says so."""

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
        if found in (None, ""):
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


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Clock of the rows: their times are ISO 8601, of a format, or a number of units since 1970."""

    field: str = "time"
    format: str | None = None
    unit: Literal["seconds", "milliseconds", "microseconds"] | None = None


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rows are an event: those whose fields have these values and match these patterns.

    A pattern's named groups are fields too. Without an event such rows are passed over.
    """

    event: Name | None = None
    when: dict[str, str | list[str]] = {}
    match: dict[str, str] = {}
    fields: dict[str, Any] = {}

    def fitted(self, fields: Fields) -> Fields | None:
        """Return a row's fields, with the groups of the patterns; None where the rule does not fit it."""
        for name, wanted in self.when.items():
            if str(fields.get(name)) not in ([wanted] if isinstance(wanted, str) else wanted):
                return None
        groups: dict[str, Any] = {}
        for name, pattern in self.match.items():
            found = re.search(pattern, str(fields.get(name, "")))
            if found is None:
                return None
            groups |= {each: value for each, value in found.groupdict().items() if value is not None}
        return {**fields, **groups}


class ExportMapping(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A mapping file: the export's form, its clock, and the rules that make events of its rows.

    `table` and `device` are words or cells; a device's cell may ask for the field `table`. The first rule
    that fits a row makes its event; a row that none fits is rejected.
    """

    form: Form
    rules: list[Rule]
    table: Any
    device: Any
    zone: Name = "UTC"
    time: Clock = Clock()
    records: Name | None = None

    @cached_property
    def clock_zone(self) -> ZoneInfo:
        """The zone of times that name none."""
        return ZoneInfo(self.zone)

    def events_of(self, row: Row) -> Iterator["UnnumberedEvent"]:
        """Yield the events of a row: one for each of its tables, none where its rule has no event.

        Raises:
            BadInput: no rule fits it, or a value is missing or unknown.
        """
        for rule in self.rules:
            fields = rule.fitted(row.fields)
            if fields is None:
                continue
            if rule.event is None:
                return
            at = self._moment(fields)
            tables = filled(self.table, fields)
            for table in tables if isinstance(tables, list) else [tables]:
                own = {**fields, "table": table}
                yield UnnumberedEvent(
                    row.line,
                    at,
                    str(table),
                    str(filled(self.device, own)),
                    {**filled(rule.fields, own), "event": rule.event},
                    row.text,
                )
            return
        raise BadInput("no rule of the mapping fits it")

    def _moment(self, fields: Fields) -> int:
        written = Cell(self.time.field).of(fields)
        try:
            if self.time.unit is not None:
                return int(written) * _UNITS[self.time.unit]
            text = str(written)
            at = (
                datetime.fromisoformat(text)
                if self.time.format is None
                else datetime.strptime(text, self.time.format)  # noqa: DTZ007  a zone is given below
            )
        except ValueError:
            raise BadInput(
                f"{self.time.field} {written!r} is no time of the form that the mapping says"
            ) from None
        return microseconds(at if at.tzinfo is not None else self._in_zone(at))

    def _in_zone(self, at: datetime) -> datetime:
        """Return the moment of a time on the export's clock.

        Raises:
            BadInput: clocks were changed then, and it came twice or not at all.
        """
        first, second = at.replace(tzinfo=self.clock_zone), at.replace(tzinfo=self.clock_zone, fold=1)
        if first.utcoffset() != second.utcoffset():
            raise BadInput(f"{at} came twice or not at all in {self.zone}, as clocks were changed")
        return first.astimezone(UTC)


class UnnumberedEvent(Struct, frozen=True):
    """An event of a row, before its device has numbered it."""

    line: int
    at: int
    table: str
    device: str
    fields: dict[str, Any]
    text: str = ""


# The epoch and last number of each device.
Numbers: TypeAlias = dict[str, tuple[int, int]]


class ReportLine(Struct, frozen=True):
    """An event with its table, as a gateway takes it."""

    v: int
    table: str
    events: tuple[Event]


def load_mapping(path: Path) -> ExportMapping:
    """Load a mapping file.

    Raises:
        BadInput: there is none, it is not the form of one, or its zone or a pattern is none.
    """
    mapping = plain.read(path, ExportMapping, "a mapping of an export")
    try:
        _ = mapping.clock_zone
        for rule in mapping.rules:
            for pattern in rule.match.values():
                re.compile(pattern)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(f"{path}: zone: {error}") from None
    except re.error as error:
        raise BadInput(f"{path}: {error.pattern!r} is no pattern: {error}") from None
    return mapping


def filled(pattern: Any, fields: Fields) -> Any:
    """Return what a mapping says of a field, with its cells filled in from a row.

    Raises:
        BadInput: a cell's value is missing or unknown, or what stands there is none.

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


def read_numbers(path: Path | None) -> Numbers:
    """Return the epoch and last number of each device; none where the file is not there yet.

    Raises:
        BadInput: it is no such file.
    """
    if path is None or not path.is_file():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=Numbers)
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path}: no file of devices' numbers: {error}") from None


def import_rows(
    rows: Iterable[Row | Rejected], mapping: ExportMapping, numbers: Numbers
) -> Iterator[ReportLine | Rejected]:
    """Yield what is rejected of the rows, and their events in order of time, numbered by device.

    `numbers` goes on and is changed. What is no event of its kind is rejected, and takes no number.
    """
    events: list[UnnumberedEvent] = []
    for row in rows:
        if isinstance(row, Rejected):
            yield row
            continue
        try:
            events += mapping.events_of(row)
        except BadInput as error:
            yield Rejected(row.line, str(error), row.text)
    for each in sorted(events, key=lambda event: event.at):
        epoch, last = numbers.get(each.device, (1, 0))
        fields = {**each.fields, "device": each.device, "epoch": epoch, "seq": last + 1, "at": each.at}
        try:
            event = msgspec.convert(fields, Event, strict=False)
        except msgspec.ValidationError as error:
            yield Rejected(each.line, f"{each.fields['event']}: {error}", each.text)
            continue
        numbers[each.device] = (epoch, last + 1)
        yield ReportLine(VERSION, each.table, (event,))
