"""Exports as rows: each with its line and named fields, whether it came as CSV, JSON, syslog or iCalendar."""

import codecs
import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from zipfile import BadZipFile
from zoneinfo import ZoneInfo

from msgspec import Struct

from schemas.errors import BadInput

UTF_8: Final = "utf-8-sig"  # with or without the mark at the beginning
Form: TypeAlias = Literal["csv", "json", "jsonl", "syslog", "icalendar", "xlsx", "parquet"]
Why: TypeAlias = Literal["ambiguous", "repeated", "unreadable"]
# Nested JSON has its names joined by dots.
Fields: TypeAlias = Mapping[str, Any]


class Row(Struct, frozen=True):
    """A row of an export: the line on which it begins, and its fields; `text` is what stands there."""

    line: int
    fields: Fields
    text: str = ""


class Rejected(Struct, frozen=True):
    """A row that became no event or round, and why."""

    line: int
    reason: str
    text: str = ""
    why: Why = "unreadable"


class Span(Struct, frozen=True):
    """The days of a schedule that are wanted, the last one included; the zone of clocks that name none."""

    zone: ZoneInfo
    since: date | None = None
    until: date | None = None


class Layout(Struct, frozen=True):
    """Layout of a file: its form, the mark between its columns, its encoding, and where its records stand.

    `records` names the list of objects within a JSON document, or the sheet of a workbook.
    """

    form: Form
    separator: str = ","
    encoding: str = UTF_8
    records: str | None = None


def read_rows(path: Path, layout: Layout, span: Span) -> Iterator[Row | Rejected]:
    """Read a file's rows; what cannot be read of it is one rejected row.

    Raises:
        BadInput: the file cannot be read at all.
    """
    try:
        match layout.form:
            case "xlsx":
                yield from _workbook(path, layout.records)
            case "parquet":
                yield from _parquet(path)
            case "csv":
                yield from _csv(_text(path, layout), layout.separator)
            case "json":
                yield from _json(_text(path, layout), layout.records)
            case "jsonl":
                yield from _by_line(_text(path, layout), _json_row)
            case "syslog":
                yield from _by_line(_text(path, layout), lambda line: _syslog(line, span))
            case "icalendar":
                yield from _icalendar(_text(path, layout), span)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def _text(path: Path, layout: Layout) -> str:
    try:
        return (written := path.read_bytes()).decode(layout.encoding)
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        meant = encoding_of(written)
        raise BadInput(
            f"line {line}: byte {written[error.start]:#04x} is no {layout.encoding.removesuffix('-sig')}; "
            f"state the file's encoding in the mapping, such as `encoding: {meant}`"
        ) from None
    except (OSError, UnicodeError, LookupError) as error:
        raise BadInput(f"cannot be read: {error}") from None


def is_json(text: str) -> bool:
    """Return True if a text is one JSON document.

    >>> is_json('{"table": "BAC-1"}'), is_json("{")
    (True, False)
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def encoding_of(written: bytes) -> str:
    """Return the encoding that a text may have: UTF-8 if it can, else UTF-16, Windows' or ISO 8859-1.

    >>> [encoding_of(each) for each in (b"seat", "Zoë".encode("latin-1"), "seat".encode("utf-16"))]
    ['utf-8-sig', 'cp1252', 'utf-16']
    """
    if written.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for encoding in (UTF_8, "cp1252"):
        with suppress(UnicodeDecodeError):
            written.decode(encoding)
            return encoding
    return "latin-1"


def _parquet(path: Path) -> Iterator[Row]:
    import pyarrow as pa  # noqa: PLC0415  it takes long to load, and few files are Parquet
    from pyarrow import parquet  # noqa: PLC0415  likewise

    try:
        with parquet.ParquetFile(path) as file:
            rows = (row for batch in file.iter_batches() for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                yield Row(number, flat(row), json.dumps(row, ensure_ascii=False, default=str))
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"no Parquet: {error}") from None


def _workbook(path: Path, sheet: str | None) -> Iterator[Row | Rejected]:
    """Read a sheet of a workbook: the named one, else the first; its first row has the columns' names."""
    from openpyxl import load_workbook  # noqa: PLC0415  it takes long to load, and few files are workbooks
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415  likewise

    try:
        workbook = load_workbook(path, read_only=True, data_only=True)
    except (InvalidFileException, BadZipFile, KeyError, OSError) as error:
        raise BadInput(f"no workbook: {error}") from None
    with closing(workbook):
        if sheet is not None and sheet not in workbook.sheetnames:
            raise BadInput(f"no sheet {sheet!r}; it has {', '.join(workbook.sheetnames)}")
        rows = workbook[sheet or workbook.sheetnames[0]].iter_rows(values_only=True)
        columns = [str(cell or "") for cell in next(rows, ())]
        names = [name for name in columns if name]
        if len(set(names)) < len(names):
            raise BadInput("two columns have one name")
        for number, cells in enumerate(rows, 2):
            if any(cell is not None for cell in cells):
                fields = {name: cell for name, cell in zip(columns, cells, strict=False) if name}
                yield Row(number, fields, ",".join("" if cell is None else str(cell) for cell in cells))


def _csv(text: str, separator: str) -> Iterator[Row | Rejected]:
    lines = text.splitlines(keepends=True)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    columns: list[str] | None = None
    begins = 1
    skipped = 0
    while True:
        fault = ""
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells, fault = [], str(error)
        ends = skipped + reader.line_num
        if columns is None:
            columns = cells
            if fault:
                raise BadInput(f"line 1: {fault}")
            if len(set(columns)) < len(columns):
                raise BadInput("two columns have one name")
        elif fault or (cells and len(cells) != len(columns)):
            written = "".join(lines[begins - 1 : begins]).rstrip("\r\n")
            yield Rejected(begins, fault or f"{len(cells)} cells for {len(columns)} columns", written)
            if ends > begins:  # a quotation mark that nothing closes spoils its own line alone
                skipped = ends = begins
                reader = csv.reader(lines[begins:], delimiter=separator, strict=True)
        elif cells:
            yield Row(begins, dict(zip(columns, cells, strict=True)), separator.join(cells))
        begins = ends + 1


def _json(text: str, records: str | None) -> Iterator[Row | Rejected]:
    try:
        listed: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"no JSON: {error}") from None
    for name in records.split(".") if records is not None else ():
        listed = listed.get(name) if isinstance(listed, dict) else None
    if not isinstance(listed, list):
        raise BadInput(f"{records or 'the document'} is no list of objects; `records` names where it stands")
    for number, each in enumerate(listed, 1):
        written = json.dumps(each, ensure_ascii=False)
        yield (
            Row(number, flat(each), written)
            if isinstance(each, dict)
            else Rejected(number, "no object", written)
        )


def _by_line(text: str, read: Callable[[str], Fields]) -> Iterator[Row | Rejected]:
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.rstrip("\r")
        if not stripped.strip():
            continue
        try:
            yield Row(number, read(stripped), stripped)
        except BadInput as error:
            yield Rejected(number, str(error), stripped)


def _json_row(line: str) -> Fields:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"no JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadInput("no object")
    return flat(value)


def flat(value: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return an object with the names of objects within it joined by dots.

    >>> flat({"lot": {"id": "R-7", "decks": 8}, "who": ["a"]})
    {'lot.id': 'R-7', 'lot.decks': 8, 'who': ['a']}
    """
    found: dict[str, Any] = {}
    for name, each in value.items():
        if isinstance(each, dict):
            found |= flat(each, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = each
    return found


# ── syslog ───────────────────────────────────────────────────────────────────────────────────────────────

_RFC5424: Final = re.compile(
    r"<(?P<pri>\d{1,3})>1 (?P<time>\S+) (?P<host>\S+) (?P<app>\S+) (?P<procid>\S+) (?P<msgid>\S+) "
    r"(?P<data>-|(?:\[(?:[^\]\\\"]|\"(?:[^\"\\]|\\.)*\")*\])+)(?: (?P<message>.*))?",
    re.DOTALL,
)
_RFC3164: Final = re.compile(
    r"(?:<(?P<pri>\d{1,3})>)?(?P<time>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) (?P<host>\S+) "
    r"(?P<app>[^\s:\[]+)(?:\[(?P<procid>[^\]]*)\])?: ?(?P<message>.*)",
    re.DOTALL,
)
_PARAMETER: Final = re.compile(r'(\w[^\s=\]"]*)="((?:[^"\\]|\\.)*)"')


def _syslog(line: str, span: Span) -> Fields:
    """Read a line of RFC 5424, or of RFC 3164, whose year comes from the span.

    Raises:
        BadInput: it is neither, or its year is not known.
    """
    if found := _RFC5424.fullmatch(line):
        fields = {name: value for name, value in found.groupdict().items() if value not in (None, "-")}
        for name, value in _PARAMETER.findall(fields.pop("data", "")):
            fields.setdefault(name, re.sub(r"\\(.)", r"\1", value))
    elif found := _RFC3164.fullmatch(line):
        fields = {name: value for name, value in found.groupdict().items() if value is not None}
        fields["time"] = _with_year(fields["time"], span).isoformat()
    else:
        raise BadInput("neither RFC 5424 nor RFC 3164")
    if "pri" in fields:
        facility, severity = divmod(int(fields.pop("pri")), 8)
        fields |= {"facility": str(facility), "severity": str(severity)}
    return {"message": "", **fields}


def _with_year(written: str, span: Span) -> datetime:
    """Return a time without a year in the year that puts it into the span.

    Raises:
        BadInput: the span has no beginning, the time is none of its years, or it is outside of the span.
    """
    if span.since is None:
        raise BadInput("RFC 3164 has no year; --from says from which day on the file is")
    years = (span.since.year, span.since.year + 1)
    of_years: list[datetime] = []
    for year in years:
        with suppress(ValueError):
            of_years.append(datetime.strptime(f"{year} {written}", "%Y %b %d %H:%M:%S"))  # noqa: DTZ007  of no zone
    if not of_years:
        raise BadInput(f"{written!r} is no day and time of {years[0]} or {years[1]}; correct the line")
    for at in of_years:
        if at.date() >= span.since and (span.until is None or at.date() <= span.until):
            return at
    raise BadInput(f"{written!r} is not within the days of --from and --to; name those that the file is of")


# ── iCalendar ────────────────────────────────────────────────────────────────────────────────────────────


def _icalendar(text: str, span: Span) -> Iterator[Row | Rejected]:
    """Read a schedule: two rows for each occurrence of each of its events, `edge` start and end.

    An event that cannot be read is left out with its reason; the others of the schedule stay.

    Raises:
        BadInput: it is no calendar, or the days that are wanted are not named.
    """
    import recurring_ical_events  # noqa: PLC0415  they take long to load, and few files are calendars
    from icalendar import Calendar  # noqa: PLC0415  likewise

    if span.since is None or span.until is None:
        raise BadInput("a schedule may go on for ever; --from and --to say which days are wanted")
    try:
        calendar = Calendar.from_ical(text)
    except (ValueError, IndexError, KeyError) as error:
        raise BadInput(f"no iCalendar: {error}") from None
    lines: dict[str, int] = {}
    begins = datetime(span.since.year, span.since.month, span.since.day, tzinfo=span.zone)
    ends = datetime(span.until.year, span.until.month, span.until.day, 23, 59, 59, tzinfo=span.zone)
    readable = Calendar()
    for zone in calendar.walk("VTIMEZONE"):
        readable.add_component(zone)
    for event, line in zip(calendar.walk("VEVENT"), _beginnings(text), strict=True):
        lines.setdefault(str(event.get("UID", "")), line)
        reason = _fault_of(event) or _fault_of_rule(event, begins, ends)
        if reason is None:
            readable.add_component(event)
        else:
            yield Rejected(line, reason, str(event.get("SUMMARY", "")))
    for each in recurring_ical_events.of(readable).between(begins, ends):
        fields = {
            str(name).lower(): str(value)
            for name, value in each.items()
            if name not in ("DTSTART", "DTEND", "DTSTAMP", "RRULE")
        }
        line = lines.get(fields.get("uid", ""), 1)
        for edge in ("start", "end"):
            at = getattr(each, edge, None) or each[f"DT{edge.upper()}"].dt
            if not isinstance(at, datetime):
                yield Rejected(line, "an event of whole days says no hour", fields.get("summary", ""))
                break
            moment_at = at if at.tzinfo is not None else at.replace(tzinfo=span.zone)
            if begins <= moment_at <= ends:
                utc = moment_at.astimezone(UTC).isoformat()
                yield Row(line, fields | {"edge": edge, "time": utc}, fields.get("summary", ""))


def _beginnings(text: str) -> list[int]:
    """Return on which lines events begin."""
    return [n for n, line in enumerate(text.splitlines(), 1) if line.rstrip().upper() == "BEGIN:VEVENT"]


def _fault_of(event: Any) -> str | None:
    """Return why an event of a schedule cannot be read, whatever its rule; None if it can."""
    if event.errors:
        name, error = event.errors[0]
        return f"{name or 'a line'}: {error}"
    if "DTSTART" not in event:
        return "DTSTART is missing: an event begins at some time"
    for name in ("DTSTART", "DTEND"):
        zone = event[name].params.get("TZID") if name in event else None
        if zone is not None and getattr(event[name].dt, "tzinfo", None) is None:
            return f"{name}: no time zone {zone} is known"
    begins, ends = event["DTSTART"].dt, event["DTEND"].dt if "DTEND" in event else None
    try:
        is_turned = ends is not None and ends < begins
    except TypeError:
        return "DTSTART and DTEND are of two kinds: one of them has no hour, or no zone"
    return "DTEND is before DTSTART" if is_turned else None


def _fault_of_rule(event: Any, begins: datetime, ends: datetime) -> str | None:
    """Return why the rule by which an event occurs again cannot be followed; None if it can."""
    import recurring_ical_events  # noqa: PLC0415  as above
    from icalendar import Calendar  # noqa: PLC0415  likewise

    alone = Calendar()
    alone.add_component(event)
    try:
        recurring_ical_events.of(alone).between(begins, ends)
    except ValueError as error:
        return str(error)
    return None
