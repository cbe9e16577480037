"""Exports of other systems as report lines: what is read, what is left out with its line, and the numbers."""

import json
from datetime import date
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from replay.adaptors.rows import Form, Layout, Rejected, Row, Span, read_rows
from replay.cli import main
from schemas.errors import BadInput

MAPPING: Final = """
form: csv
zone: America/New_York
table: BAC-1
device: K-1
rules:
- event: ItemMoved
  fields: {kind: {field: kind}, item: {field: item}, place: table}
"""
SPAN: Final = Span(ZoneInfo("America/New_York"), date(2025, 3, 1), date(2025, 3, 31))


def run(
    folder: Path, content: str, *options: str, mapping: str = MAPPING
) -> tuple[int, list[Any], list[str]]:
    """Import a file; return the exit status, the events written, and what was said of it."""
    (folder / "log").write_text(content, encoding="utf-8")
    (folder / "mapping.yaml").write_text(mapping, encoding="utf-8")
    command = ["import", str(folder / "log"), "--mapping", str(folder / "mapping.yaml"), *options]
    result = CliRunner().invoke(main, command)
    events = [json.loads(line)["events"][0] for line in result.stdout.splitlines()]
    return result.exit_code, events, result.stderr.splitlines()


def rows(folder: Path, content: str, form: Form, span: Span = SPAN) -> list[Row | Rejected]:
    (folder / "log").write_text(content, encoding="utf-8")
    return list(read_rows(folder / "log", Layout(form), span))


def test_a_row_that_cannot_be_used_is_left_out_alone_with_its_line(tmp_path: Path) -> None:
    content = (
        "time,kind,item\n"
        '2025-03-01T12:00:00,cards,"R-1\nred"\n'  # a cell of two lines
        "2025-03-01T12:01:00,cards\n"
        "2025-03-01T12:02:00,chairs,R-2\n"
        "noon,cards,R-3\n"
        "2025-03-01T12:04:00,cards,\n"
        "2025-03-01T12:05:00,cards,R-5\n"
    )
    rejects = tmp_path / "rejects.jsonl"
    status, events, said = run(tmp_path, content, "--rejects", str(rejects))
    assert status == 1
    assert [(each["item"], each["seq"]) for each in events] == [("R-1\nred", 1), ("R-5", 2)]
    left_out = [json.loads(line) for line in rejects.read_text("utf-8").splitlines()]
    assert [each["line"] for each in left_out] == [4, 5, 6, 7]
    assert {each["file"] for each in left_out} == {str(tmp_path / "log")}
    assert left_out[0]["reason"] == "2 cells for 3 columns"
    assert left_out[2]["text"] == "noon,cards,R-3"
    assert len(said) == 5  # each of them, and the sum


def test_events_are_numbered_in_order_of_time_and_the_next_export_goes_on(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.json"
    later, earlier = "2025-03-01T13:00:00,cards,R-2\n", "2025-03-01T12:00:00,cards,R-1\n"
    _, events, _ = run(tmp_path, f"time,kind,item\n{later}{earlier}", "--numbers", str(numbers))
    assert [(each["item"], each["seq"]) for each in events] == [("R-1", 1), ("R-2", 2)]
    _, events, _ = run(tmp_path, "time,kind,item\n2025-03-02T12:00:00,cards,R-3\n", "--numbers", str(numbers))
    assert [(each["item"], each["seq"]) for each in events] == [("R-3", 3)]
    assert json.loads(numbers.read_text("utf-8")) == {"K-1": [1, 3]}


@pytest.mark.parametrize(
    ("written", "is_taken"),
    [
        ("2025-11-02T00:59:59", True),
        ("2025-11-02T01:30:00", False),  # comes twice
        ("2025-11-02T01:30:00-05:00", True),
        ("2025-11-02T02:00:00", True),
        ("2025-03-09T02:30:00", False),  # does not come
    ],
)
def test_a_time_that_the_clock_shows_twice_or_never_is_left_out(
    tmp_path: Path,
    written: str,
    is_taken: bool,  # noqa: FBT001  a row of the table
) -> None:
    status, events, _ = run(tmp_path, f"time,kind,item\n{written},cards,R-1\n")
    assert (len(events), status) == ((1, 0) if is_taken else (0, 1))


def test_a_row_that_no_rule_fits_is_left_out_and_one_of_a_rule_without_event_passed_over(
    tmp_path: Path,
) -> None:
    mapping = MAPPING.replace("- event", "- when: {kind: [note, remark]}\n- when: {kind: cards}\n  event")
    content = "time,kind,item\n2025-03-01T12:00:00,note,R-1\n2025-03-01T12:00:00,dice,R-2\n"
    status, events, said = run(tmp_path, content, mapping=mapping)
    assert (status, events, len(said)) == (1, [], 2)
    assert "log:3:" in said[0]


@pytest.mark.parametrize(
    ("content", "form"),
    [("{}", "json"), ("{", "json"), ("a,a\n1,2\n", "csv"), ("BEGIN:X", "icalendar")],
)
def test_a_file_that_is_none_of_its_form_is_read_not_at_all(tmp_path: Path, content: str, form: Form) -> None:
    with pytest.raises(BadInput, match="log: "):
        rows(tmp_path, content, form)


@pytest.mark.parametrize("fault", ["zone: Moon", "form: xml", "rules: [{match: {a: '('}}]", "colour: red"])
def test_a_mapping_that_is_none_is_refused(tmp_path: Path, fault: str) -> None:
    name = fault.partition(":")[0]
    kept = [line for line in MAPPING.splitlines() if not line.startswith(f"{name}:")]
    if name == "rules":
        kept = kept[:-2]
    status, events, _ = run(tmp_path, "time\n", mapping="\n".join([*kept, fault]))
    assert (status, events) == (2, [])


@pytest.mark.parametrize(
    ("line", "written", "wrong"),
    [
        (3, "table: {field: tabel}", "tabel"),
        (4, "device: {field: reeder}", "reeder"),
        (6, "- when: {knd: cards}\n  event: ItemMoved", "knd"),
        (6, '- match: {itm: "R-(?P<number>.*)"}\n  event: ItemMoved', "itm"),
        (7, "  fields: {kind: {field: kind}, item: {field: itm}, place: table}", "itm"),
    ],
)
def test_a_column_that_a_mapping_names_and_a_table_lacks_is_named_with_its_line(
    tmp_path: Path, line: int, written: str, wrong: str
) -> None:
    lines = MAPPING.strip().splitlines()
    replaced = "\n".join([*lines[: line - 1], written, *lines[line:]])
    status, events, said = run(tmp_path, "time,kind,item\n2025-03-01T12:00:00,cards,R-1\n", mapping=replaced)
    assert (status, events, len(said)) == (2, [], 1)
    assert repr(wrong) in said[0]
    assert f"{tmp_path / 'mapping.yaml'}:{line}" in said[0]


def test_a_column_that_may_be_absent_has_a_default_and_a_group_of_a_pattern_is_none(tmp_path: Path) -> None:
    mapping = MAPPING.replace("- event", '- match: {item: "(?P<number>.+)"}\n  event').replace(
        "item: {field: item}, place: table",
        "item: {field: number}, place: {field: to, default: table}, origin: {field: table}",
    )
    status, events, _ = run(tmp_path, "time,kind,item\n2025-03-01T12:00:00,cards,R-1\n", mapping=mapping)
    assert status == 0
    assert [(each["item"], each["place"], each["origin"]) for each in events] == [("R-1", "table", "BAC-1")]


def test_a_field_that_is_not_there_is_not_called_empty(tmp_path: Path) -> None:
    mapping = MAPPING.replace("form: csv", "form: jsonl")
    content = '{"time": "2025-03-01T12:00:00", "kind": "cards", "itm": "R-1"}\n'
    status, _, said = run(tmp_path, content, mapping=mapping)
    assert status == 1
    assert "log:1: " in said[0]
    assert "nearest: itm" in said[0]


@pytest.mark.parametrize(
    ("written", "named", "other"),
    [
        ("rules: []", "rules", "device"),
        ("table: BAC-1\nrules: [{event: ItemMoved}]", "device", "table"),
        ("", "table", "zone"),
    ],
)
def test_a_mapping_that_makes_neither_rounds_nor_events_says_what_it_lacks(
    tmp_path: Path, written: str, named: str, other: str
) -> None:
    whole = "form: csv\n" + ("table: BAC-1\ndevice: K-1\n" if written == "rules: []" else "") + written
    status, events, (said,) = run(tmp_path, "time\n", mapping=whole)
    assert (status, events) == (2, [])
    lacking = said.partition("; ")[0]
    assert f"`{named}`" in lacking
    assert f"`{other}`" not in lacking


def test_syslog_has_its_header_as_fields(tmp_path: Path) -> None:
    line = r'<165>1 2025-03-01T20:15:00Z nvr app - ID [a@1 name="a \"b\" \\ ]c"][b@1 x="1"] lost'
    (new, old, bare) = rows(
        tmp_path,
        f"{line}\n<13>Mar  9 20:22:40 nvr app[8]: back\n\nMar 31 23:59:59 nvr app: end\n",
        "syslog",
    )
    assert isinstance(new, Row)
    assert new.fields == {
        "time": "2025-03-01T20:15:00Z",
        "host": "nvr",
        "app": "app",
        "msgid": "ID",
        "message": "lost",
        "name": 'a "b" \\ ]c',
        "x": "1",
        "facility": "20",
        "severity": "5",
    }
    assert isinstance(old, Row)
    assert (old.line, old.fields["time"], old.fields["procid"]) == (2, "2025-03-09T20:22:40", "8")
    assert isinstance(bare, Row)
    assert (bare.line, bare.fields["message"]) == (4, "end")


@pytest.mark.parametrize(
    ("span", "year"),
    [
        (Span(ZoneInfo("UTC"), date(2024, 12, 30), date(2025, 1, 2)), 2025),
        (Span(ZoneInfo("UTC"), date(2025, 1, 1), None), 2025),
        (Span(ZoneInfo("UTC"), date(2025, 1, 2), date(2025, 1, 3)), None),
        (Span(ZoneInfo("UTC")), None),
    ],
)
def test_a_year_that_syslog_does_not_write_is_that_of_the_days_named(
    tmp_path: Path, span: Span, year: int | None
) -> None:
    (found,) = rows(tmp_path, "Jan  1 00:00:01 nvr app: x\n", "syslog", span)
    if year is None:
        assert isinstance(found, Rejected)
    else:
        assert isinstance(found, Row)
        assert found.fields["time"] == f"{year}-01-01T00:00:01"


@pytest.mark.parametrize(
    ("written", "is_of_other_days"),
    [
        ("Mar 41 20:15:02", False),
        ("Mar  1 99:15:02", False),
        ("Feb 29 20:15:02", False),  # neither 2025 nor 2026 has it
        ("Feb 28 20:15:02", True),
        ("Apr  1 20:15:02", True),
    ],
)
def test_a_time_that_no_year_has_is_not_called_one_of_other_days(
    tmp_path: Path,
    written: str,
    is_of_other_days: bool,  # noqa: FBT001  a row of the table
) -> None:
    (found,) = rows(tmp_path, f"{written} nvr app: x\n", "syslog")
    assert isinstance(found, Rejected)
    assert ("--from" in found.reason) is is_of_other_days
    assert written in found.reason


CALENDAR: Final = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//House//EN
BEGIN:VEVENT
UID:a
DTSTAMP:20250201T000000Z
DTSTART;TZID=America/New_York:20250308T220000
DTEND;TZID=America/New_York:20250309T060000
RRULE:FREQ=DAILY;COUNT=2
SUMMARY:dana
END:VEVENT
BEGIN:VEVENT
UID:a
DTSTAMP:20250202T000000Z
RECURRENCE-ID;TZID=America/New_York:20250309T220000
DTSTART;TZID=America/New_York:20250310T100000
DTEND;TZID=America/New_York:20250310T180000
SUMMARY:dora
END:VEVENT
BEGIN:VEVENT
UID:b
DTSTAMP:20250201T000000Z
DTSTART;VALUE=DATE:20250311
SUMMARY:holiday
END:VEVENT
END:VCALENDAR
"""


def test_a_schedule_has_each_occurrence_begin_and_end_on_its_own_clock(tmp_path: Path) -> None:
    found = rows(tmp_path, CALENDAR, "icalendar")
    read = [each for each in found if isinstance(each, Row)]
    assert [(each.fields["summary"], each.fields["edge"], each.fields["time"]) for each in read] == [
        ("dana", "start", "2025-03-09T03:00:00+00:00"),
        ("dana", "end", "2025-03-09T10:00:00+00:00"),  # clocks are put forward in the night
        ("dora", "start", "2025-03-10T14:00:00+00:00"),  # moved to another hour, and another person
        ("dora", "end", "2025-03-10T22:00:00+00:00"),
    ]
    (left_out,) = [each for each in found if isinstance(each, Rejected)]
    assert (left_out.line, left_out.text) == (20, "holiday")


@pytest.mark.parametrize(
    "lines",
    [
        "DTSTART:20250309T0600",
        "DTSTART:20251309T060000",
        "DTSTART:six o'clock",
        "DTEND:20250309T080000",
        "DTSTART:20250309T060000\nDTEND:bad",
        "DTSTART:20250309T060000\nDTEND:20250309T050000",
        "DTSTART:20250309T060000\nDTEND;VALUE=DATE:20250309",
        "DTSTART:20250309T060000\nRRULE:FREQ=DAYLY",
        "DTSTART:20250309T060000\nEXDATE:bad",
        "DTSTART;TZID=Mars/Base:20250309T060000",
    ],
)
def test_an_event_that_cannot_be_read_is_left_out_and_named_and_the_others_stay(
    tmp_path: Path, lines: str
) -> None:
    event = f"BEGIN:VEVENT\nUID:x\nDTSTAMP:20250201T000000Z\nSUMMARY:odd\n{lines}\nEND:VEVENT\n"
    found = rows(tmp_path, CALENDAR.replace("END:VCALENDAR", f"{event}END:VCALENDAR"), "icalendar")
    left_out = [(each.line, each.text) for each in found if isinstance(each, Rejected)]
    # The calendar's own 25 lines are before it, but for the last, which ends it.
    assert sorted(left_out) == [(20, "holiday"), (26, "odd")]
    assert [each for each in found if isinstance(each, Row)] == [
        each for each in rows(tmp_path, CALENDAR, "icalendar") if isinstance(each, Row)
    ]


def test_what_no_rule_fits_of_a_schedule_is_named_once_for_each_event(tmp_path: Path) -> None:
    days = ("--from", "2025-03-01", "--to", "2025-03-31")
    mapping = MAPPING.replace("form: csv", "form: icalendar").replace("- event", "- when: {edge: x}\n  event")
    rejects = tmp_path / "rejects.jsonl"
    status, events, _ = run(tmp_path, CALENDAR, *days, "--rejects", str(rejects), mapping=mapping)
    assert (status, events) == (1, [])
    left_out = [json.loads(line) for line in rejects.read_text("utf-8").splitlines()]
    # Each but the holiday has a start and an end.
    assert [(each["line"], each["text"]) for each in left_out] == [(4, "dana"), (4, "dora"), (20, "holiday")]


def test_a_shift_that_goes_over_the_days_that_are_wanted_has_the_edge_within(tmp_path: Path) -> None:
    span = Span(ZoneInfo("America/New_York"), date(2025, 3, 9), date(2025, 3, 9))
    found = [each for each in rows(tmp_path, CALENDAR, "icalendar", span) if isinstance(each, Row)]
    assert [(each.fields["summary"], each.fields["edge"]) for each in found] == [("dana", "end")]


def test_options_of_a_mapping_need_one(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("", encoding="utf-8")
    result = CliRunner().invoke(main, ["import", str(tmp_path / "log"), "--from", "2025-03-01"])
    assert result.exit_code == 2
