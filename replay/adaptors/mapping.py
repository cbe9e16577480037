"""A house's mapping of an export: which rows are which events, and from which fields theirs are taken."""

import csv
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, time
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replay.adaptors.cells import Cell, columns_of, fields_of, filled, fits, format_fault, is_cell, is_day
from replay.adaptors.played_rounds import RoundParts
from replay.adaptors.rows import UTF_8, Fields, Form, Layout, Rejected, Row, Span, read_rows
from schemas import plain
from schemas.codec import VERSION
from schemas.errors import BadInput
from schemas.events import Event
from schemas.near_names import nearest_names
from schemas.values import Name, microseconds, moment

_OWN_EXPORT: Final = Path(__file__).parent / "own_export.yaml"
_UNITS: Final = {"seconds": 1_000_000, "milliseconds": 1_000, "microseconds": 1}


_HOUR_ELSEWHERE: Final = (
    "name the columns of both, `time: {field: [Date, Time]}`, or write `time: none` with a `gaming_date` "
    "if no column has the hour"
)


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Clock of the rows: their times are ISO 8601, of a format, or a number of units since 1970.

    Several fields, as of the date and of the time, are one with a blank between them.
    """

    field: str | list[str] = "time"
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
        """Return a row's fields, with the groups of the patterns; None if the rule does not fit it."""
        if not fits(self.when, fields):
            return None
        groups: dict[str, Any] = {}
        for name, pattern in self.match.items():
            found = re.search(pattern, str(fields.get(name, "")))
            if found is None:
                return None
            groups |= {each: value for each, value in found.groupdict().items() if value is not None}
        return {**fields, **groups}


class ExportMapping(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A mapping file: the export's form, its clock, and the rules that make events of its rows, or `rounds`.

    `table` and `device` are words or cells; a device's cell may ask for the field `table`. The first rule
    that fits a row makes its event; a row that none fits is rejected. `separator` and `encoding` are those
    of a file of text, `records` names the list of objects in JSON, or the sheet of a workbook. Without a time
    rounds stand at noon of their gaming date.
    """

    form: Form
    rules: list[Rule] = []
    table: Any = None
    device: Any = None
    rounds: RoundParts | None = None
    zone: Name = "UTC"
    time: Clock | Literal["none"] = Clock()
    records: Name | None = None
    separator: str = ","
    encoding: Name = UTF_8

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
            at = microseconds(self.moment_of(fields))
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

    def round_moment(self, fields: Fields, gaming_date: str | None) -> datetime:
        """Return the time of a round, from its row or its gaming date.

        Raises:
            BadInput: as of `moment_of`, or neither is known.
        """
        if self.time != "none":
            return self.moment_of(fields)
        if gaming_date is None:
            raise BadInput("no gaming_date, and by the mapping no time either")
        try:
            noon = datetime.combine(date.fromisoformat(gaming_date), time(12))
        except ValueError:
            raise BadInput(f"gaming_date {gaming_date!r} is no date such as 2025-03-01") from None
        return self._in_zone(noon)

    def moment_of(self, fields: Fields) -> datetime:
        """Return the time of a row, with its zone.

        Raises:
            BadInput: it has another form than the mapping's, or the clock had it twice or not at all.
        """
        if self.time == "none":
            raise BadInput("the mapping says that there is no time")
        names = " ".join(fields_of(self.time.field))
        written = Cell(self.time.field).of(fields)
        text = str(written)
        try:
            if self.time.unit is not None:
                return moment(int(written) * _UNITS[self.time.unit])
            at = (
                datetime.fromisoformat(text)
                if self.time.format is None
                else datetime.strptime(text, self.time.format)  # noqa: DTZ007  a zone is given below
            )
        except ValueError:
            raise BadInput(f"{names} {written!r} is no time of the form that the mapping says") from None
        if self.time.format is None and is_day(text):
            raise BadInput(f"{names} {written!r} has no hour; {_HOUR_ELSEWHERE}")
        return at if at.tzinfo is not None else self._in_zone(at)

    def _in_zone(self, at: datetime) -> datetime:
        """Return the moment of a time on the export's clock.

        Raises:
            BadInput: clocks were changed then, and it came twice or not at all.
        """
        first, second = at.replace(tzinfo=self.clock_zone), at.replace(tzinfo=self.clock_zone, fold=1)
        if first.utcoffset() != second.utcoffset():
            raise BadInput(f"{at} came twice or not at all in {self.zone}, as clocks were changed")
        try:
            return first.astimezone(UTC)
        except OverflowError:
            raise BadInput(f"{at} in {self.zone} is no time of the calendar in UTC") from None


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


def mapping_of_own_export(path: Path, columns: Collection[str]) -> ExportMapping | None:
    """Return the mapping of a file that `export rounds` wrote, by its columns; None for any other file."""
    with path.open("rb") as file:
        head, following = file.readline(), file.readline()
    form: Form = "parquet" if head.startswith(b"PAR1") else "csv"
    if form == "csv" and not (following and sorted(_cells(head)) == sorted(columns)):
        return None
    own = replace(load_mapping(_OWN_EXPORT), form=form)
    if form == "parquet":
        try:
            first = next(read_rows(path, Layout(form), Span(own.clock_zone)), None)
        except BadInput:
            return None
        if not isinstance(first, Row) or first.fields.keys() != set(columns):
            return None
    return own


def _cells(head: bytes) -> list[str]:
    """Return the columns of a CSV by its first line; of another file whatever that comes to."""
    try:
        return next(csv.reader([head.decode("utf-8-sig", errors="replace")]), [])
    except csv.Error:
        return []


def load_mapping(path: Path) -> ExportMapping:
    """Load a mapping file.

    Raises:
        BadInput: there is none, it is not the form of one, or its zone or a pattern is none.
    """
    mapping = plain.read(path, ExportMapping, "a mapping of an export")
    of_events = {"rules": mapping.rules, "table": mapping.table, "device": mapping.device}
    lacking = [f"`{name}`" for name, value in of_events.items() if not value]
    if mapping.rounds is not None and not lacking:
        raise BadInput(f"{path}: has `rounds` and `rules`; a file becomes rounds or events, so leave out one")
    if mapping.rounds is None and lacking:
        raise BadInput(
            f"{path}: nothing stands under {' and '.join(lacking)}; a mapping has `rounds`, or, for events, "
            "one rule at least under `rules`, and `table` and `device`"
        )
    if len(mapping.separator) != 1:
        raise BadInput(f"{path}: separator {mapping.separator!r} is not one character")
    _check_times(path, mapping)
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


def _check_times(path: Path, mapping: ExportMapping) -> None:
    """Raise BadInput if a format of the mapping loses the hour or the date of what it reads."""
    if mapping.time == "none":
        if mapping.rounds is None:
            raise BadInput(f"{path}: time: events have a time; `none` is for rounds")
    elif mapping.time.format is not None and (fault := format_fault(mapping.time.format, has_hour=True)):
        raise BadInput(f"{path}: time: format {mapping.time.format!r} {fault}; {_HOUR_ELSEWHERE}")
    for form in _formats(msgspec.to_builtins([mapping.rounds, mapping.rules])):
        if fault := format_fault(form, has_hour=False):
            raise BadInput(f"{path}: format {form!r} {fault}")


def _formats(pattern: Any) -> Iterator[str]:
    """Yield the formats of dates in a part of a mapping."""
    if is_cell(pattern) and isinstance(form := pattern.get("format"), str):
        yield form
    elif isinstance(pattern, dict | list):
        for each in pattern.values() if isinstance(pattern, dict) else pattern:
            yield from _formats(each)


def with_columns(
    rows: Iterable[Row | Rejected], mapping: ExportMapping, file: Path | None = None
) -> Iterator[Row | Rejected]:
    """Yield the rows of a table, once it has each column that the mapping names; `file` is the mapping's.

    Raises:
        BadInput: it lacks one.
    """
    columns = list(_columns_of_rounds(mapping) if mapping.rounds else _columns_of_events(mapping))
    is_checked = mapping.form not in ("csv", "xlsx", "parquet")  # objects of JSON leave out what is empty
    for row in rows:
        if isinstance(row, Row) and not is_checked:
            for name in columns:
                if name not in row.fields:
                    where = f"there is no column {name!r}{nearest_names(name, row.fields)}"
                    raise BadInput(f"{where}; correct it in {_line_of_name(file, name)}")
            is_checked = True
        yield row


def _line_of_name(file: Path | None, name: str) -> str:
    """Return where a mapping file names a column, for a message."""
    if file is None:
        return "the mapping"
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return next((f"{file}:{n}" for n, line in enumerate(lines, 1) if word.search(line)), str(file))


def _columns_of_rounds(mapping: ExportMapping) -> Iterator[str]:
    return columns_of(msgspec.to_builtins([mapping.time, mapping.rounds]))


def _columns_of_events(mapping: ExportMapping) -> Iterator[str]:
    """Yield the columns without which no row becomes an event by a rule; one with a default may be absent."""
    if mapping.time != "none":
        yield from fields_of(mapping.time.field)
    for rule in mapping.rules:
        yield from (*rule.when, *rule.match)
        groups = {
            "table",
            *(name for pattern in rule.match.values() for name in re.compile(pattern).groupindex),
        }
        cells = [rule.fields, mapping.table, mapping.device] if rule.event is not None else []
        yield from (name for name in columns_of(cells, is_needed=True) if name not in groups)


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

    `numbers` goes on and is changed. What is no event of its kind is rejected, and takes no number. What is
    rejected of one line for one reason, as the start and the end of an event in a schedule, is rejected once.
    """
    rejected: set[Rejected] = set()
    for found in _import_rows(rows, mapping, numbers):
        if isinstance(found, ReportLine) or found not in rejected:
            yield found
        if isinstance(found, Rejected):
            rejected.add(found)


def _import_rows(
    rows: Iterable[Row | Rejected], mapping: ExportMapping, numbers: Numbers
) -> Iterator[ReportLine | Rejected]:
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
