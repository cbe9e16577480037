"""`discardrack hold`: held records are named once, kept by retention, and listed to the end."""

import json
import shutil
from collections.abc import Sequence
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import Result

from replay.cli import retain
from schemas import house as houses
from schemas.codec import AnyEvent, Frame, decode, encode
from schemas.events import PlayerLeft, PlayerSeated, ReportCorrected, RoundClosed, TableClosed, id_of
from schemas.house import House
from schemas.ledgers import BoxCounted, CheckMade
from schemas.values import Person
from streams import topics
from streams.archive.record_names import KafkaRecord
from tests.builders.archives import (
    archive_floor,
    records_of_floor,
    replace_fields,
    seal_all_days,
    set_clock_to_noon,
    write_journal,
)
from tests.builders.nights import read_folder, run_nightly
from tests.builders.round_records import run_verb
from tests.builders.table_script import build_house

BY: Final = ("--by", "M. Ortiz, counsel", "--why", "complaint 17/2025")
HOUR: Final = 3_600_000_000  # microseconds
TABLES: Final = ("BAC-1", "BAC-2", "counter_checks", "count_room")
NUMBERS: Final = count(1)


@pytest.fixture
def archive(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    set_clock_to_noon(monkeypatch, 2030, 3, 3)
    shutil.copytree(kept, tmp_path / "archive")
    return tmp_path / "archive"


def filed(folder: Path, played: Path, records: Sequence[KafkaRecord]) -> Path:
    """Archive a played floor's records as they are given, sealed."""
    own = houses.load("house.yaml", played)
    folder.mkdir()
    (folder / "house.yaml").write_bytes((played / "house.yaml").read_bytes())
    write_journal(folder, records, own)
    seal_all_days(folder, own)
    return folder


def received_late(
    records: Sequence[KafkaRecord], late: Sequence[KafkaRecord], ends: int
) -> list[KafkaRecord]:
    """Set the receipt of some records to an hour after the end of their day."""
    return [replace_fields(each, received=ends + HOUR) if each in late else each for each in records]


def listed(archive: Path) -> list[dict[str, Any]]:
    ran = run_verb("hold", "list", archive, "--format", "jsonl")
    assert ran.exit_code == 0
    return [json.loads(line) for line in ran.stdout.splitlines()]


def written(archive: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (archive / "holds.jsonl").read_bytes().splitlines()]


def held(archive: Path) -> dict[tuple[str, str], str | None]:
    """Return which hold keeps each table's day that is past its years."""
    ran = run_verb("retain", archive, "--dry-run", "--format", "jsonl")
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    return {(row["table"], row["day"]): row["held"] for row in rows}


def refused(ran: Result, says: str) -> None:
    assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert says in ran.stderr


def test_a_table_day_is_held_and_its_ledgers_with_it(archive: Path) -> None:
    ran = run_verb("hold", "add", archive, "H-1", "--table", "BAC-101", "--gaming-day", "2025-03-01", *BY)
    assert ran.exit_code == 0
    found = held(archive)
    assert {day for _, day in found} == {"2025-03-01", "2025-03-02"}
    ledgers = {table for table, _ in found} - {"BAC-101", "BAC-102"}
    assert ledgers, "a floor without ledgers would prove little"
    # The day after goes with it: the boxes of March 1 are counted, and its ledgers closed, on March 2.
    days = ("2025-03-01", "2025-03-02")
    expected = {(table, day) for table in ("BAC-101", *ledgers) for day in days}
    assert {place for place, by in found.items() if by == "H-1"} == expected & found.keys()
    assert {("BAC-101", "2025-03-02"), ("count_room", "2025-03-02")} <= expected & found.keys()


def test_what_is_left_of_a_held_day_comes_to_the_same(
    tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The boxes of March 1 are counted on the next morning: what is entered lies under March 2."""
    ends = houses.load("house.yaml", played).bounds(date(2025, 3, 1))[1]
    records = records_of_floor(played)
    late = [each for each in records if each.key == b"count_room" and each.received < ends]
    archive = filed(tmp_path / "archive", played, received_late(records, late, ends))

    def judged(name: str) -> dict[str, bytes]:
        run_nightly(archive, out=tmp_path / name, day="2025-03-01")
        return read_folder(tmp_path / name / "2025-03-01")

    before = judged("before")
    assert late, "a day without a count would prove little"
    set_clock_to_noon(monkeypatch, 2040, 1, 1)
    run_verb("hold", "add", archive, "H-1", "--gaming-day", "2025-03-01", *BY)
    assert run_verb("retain", archive, "--apply", "--by", "R. Ames").exit_code == 0
    assert judged("after") == before


def test_what_is_written_says_who_when_and_why(archive: Path) -> None:
    run_verb(
        "hold", "add", archive, "H-1", "--table", "BAC-101", "--from", "2025-03-01", "--to", "2025-03-07", *BY
    )
    run_verb("hold", "lift", archive, "H-1", "--by", "J. Lane", "--why", "settled")
    assert written(archive) == [
        {
            "does": "add", "hold": "H-1", "by": "M. Ortiz, counsel", "at": "2030-03-03T17:00:00Z",
            "first": "2025-03-01", "last": "2025-03-07", "tables": ["BAC-101"], "why": "complaint 17/2025",
        },
        {"does": "lift", "hold": "H-1", "by": "J. Lane", "at": "2030-03-03T17:00:00Z", "why": "settled"},
    ]  # fmt: skip
    assert set(held(archive).values()) == {None}


def test_a_lifted_hold_stays_in_the_list_and_its_name_is_taken(archive: Path) -> None:
    run_verb("hold", "add", archive, "H-1", "--from", "2025-03-01", *BY)
    run_verb("hold", "lift", archive, "H-1", "--by", "J. Lane", "--why", "settled")
    run_verb("hold", "add", archive, "H-2", "--from", "2025-03-02", *BY)
    (first, second) = listed(archive)
    assert (first["hold"], first["lifted_by"], first["lifted_why"]) == ("H-1", "J. Lane", "settled")
    assert (second["hold"], second["lifted_by"], second["lifted_at"]) == ("H-2", None, None)
    refused(
        run_verb("hold", "add", archive, "H-1", "--from", "2025-03-01", *BY), "'H-1' is there already, or was"
    )


def test_what_does_not_stand_cannot_be_lifted(archive: Path) -> None:
    lifting = ("--by", "J. Lane", "--why", "settled")
    refused(run_verb("hold", "lift", archive, "H-1", *lifting), "'H-1' is not there; those that stand: none")
    run_verb("hold", "add", archive, "H-2", "--from", "2025-03-01", *BY)
    refused(run_verb("hold", "lift", archive, "H-1", *lifting), "'H-1' is not there; those that stand: H-2")
    run_verb("hold", "lift", archive, "H-2", *lifting)
    refused(run_verb("hold", "lift", archive, "H-2", *lifting), "'H-2' was lifted already")
    assert len(written(archive)) == 2


def a_round_of(records: Sequence[KafkaRecord], table: bytes, before: int) -> tuple[str, KafkaRecord]:
    """Return a round that opened and ended well before a moment, and the record with its closing."""
    found = [
        (event.round, each)
        for each in records
        if each.key == table and each.received < before - HOUR
        for event in decode(each.payload or b"", "")[0].events
        if isinstance(event, RoundClosed)
    ]
    number, record = found[len(found) // 2]
    return str(number), record


def test_a_hand_is_held_wherever_something_of_it_is_filed(
    tmp_path: Path, played: Path, archive: Path
) -> None:
    own = houses.load("house.yaml", played)
    records = records_of_floor(played)
    ends = own.bounds(date(2025, 3, 1))[1]
    number, closing = a_round_of(records, b"BAC-101", ends)
    late = filed(tmp_path / "late", played, received_late(records, [closing], ends))
    on_hand = ("--table", "BAC-101", "--gaming-day", "2025-03-01", "--round", number)
    for where, days in ((archive, ["2025-03-01"]), (late, ["2025-03-01", "2025-03-02"])):
        ran = run_verb("hold", "add", where, "H-1", *on_hand, *BY)
        assert ran.exit_code == 0, ran.stderr
        (row,) = listed(where)
        assert (row["on"], row["table_days"]) == (f"hand BAC-101 {number} of 2025-03-01", len(days))
        assert written(where)[0]["days"] == {day: ["BAC-101"] for day in days}


def told(table: str, at: int, *events: AnyEvent) -> KafkaRecord:
    """Return a frame that a broker received at a moment; of each table in a partition of its own."""
    place = TABLES.index(table)
    number = next(NUMBERS)
    frame = Frame(v=1, table=table, frame=number, received=at, events=[*events])
    return KafkaRecord("C", topics.FRAMES, place, number, at, table.encode(), encode(frame))


def seated(at: int, seat: int, patron: str | None) -> PlayerSeated:
    return PlayerSeated(device="T", epoch=1, seq=next(NUMBERS), at=at, seat=seat, patron=patron)


def left(at: int, seat: int) -> PlayerLeft:
    return PlayerLeft(device="T", epoch=1, seq=next(NUMBERS), at=at, seat=seat)


def housed(archive: Path, own: House) -> Path:
    """Begin an archive with its house file."""
    archive.mkdir()
    (archive / "house.yaml").write_bytes(msgspec.yaml.encode(own))
    return archive


def test_a_patron_is_held_where_he_sat_overnight_too_and_where_his_papers_went(tmp_path: Path) -> None:
    own = build_house()
    begins = [own.bounds(date(2025, 4, day))[0] + HOUR for day in range(1, 7)]
    bare = {"device": "T", "epoch": 1}
    marks = CheckMade(
        device="CC", epoch=1, seq=1, at=begins[3], check="K-9", table="BAC-1", patron="P-7", cents=500_00,
        by=Person("x", "pit_clerk"),
    )  # fmt: skip
    archive = housed(tmp_path / "archive", own)
    write_journal(
        archive,
        [
            # He sits down on the first day at seat 3, and gets up on the third; others come and go.
            told("BAC-1", begins[0], seated(begins[0], 3, "P-7"), seated(begins[0], 4, "P-8")),
            told("BAC-1", begins[1], left(begins[1], 4)),
            told("BAC-1", begins[2], left(begins[2], 3)),
            told("BAC-1", begins[3], seated(begins[3], 3, "P-8")),
            # Elsewhere on the third day, until the table closes.
            told("BAC-2", begins[2], seated(begins[2], 1, "P-7")),
            told("BAC-2", begins[3], TableClosed(**bare, seq=next(NUMBERS), at=begins[3], heard={})),
            told("BAC-2", begins[4], seated(begins[4], 1, "P-70")),
            # A Counter Check of his, and the box that it turned up in.
            told("counter_checks", begins[3], marks),
            told(
                "count_room",
                begins[5],
                BoxCounted(
                    device="CT", epoch=1, seq=1, at=begins[5], box="B", table="BAC-1", cash={},
                    counter_checks={"K-9": 500_00},
                ),
            ),
        ],
        own,
    )  # fmt: skip
    ran = run_verb("hold", "add", archive, "H-7", "--patron", "P-7", *BY)
    assert ran.exit_code == 0, ran.stderr
    assert written(archive)[0]["days"] == {
        "2025-04-01": ["BAC-1"],
        "2025-04-02": ["BAC-1"],
        "2025-04-03": ["BAC-1", "BAC-2"],
        "2025-04-04": ["BAC-2", "counter_checks"],
        "2025-04-06": ["count_room"],
    }


def test_a_hold_covers_where_a_patron_sat_as_first_reported_and_as_corrected(tmp_path: Path) -> None:
    """On the fourth day it is said that P-9, who sat from the first day to the third, was P-7.

    P-8 sits from the second day to the fifth; on the third he gets up and sits down again, and it came in the
    other order.
    """
    own = build_house()
    begins = [own.bounds(date(2025, 4, day))[0] + HOUR for day in range(1, 7)]
    mistaken = seated(begins[0], 3, "P-9")
    came = seated(begins[1], 4, "P-8")
    goes, up, again = left(begins[2], 3), left(begins[2], 4), seated(begins[2] + 1, 4, "P-8")
    put_right = ReportCorrected(
        device="T", epoch=1, seq=next(NUMBERS), at=begins[3], mistaken=id_of(mistaken),
        instead=msgspec.structs.replace(mistaken, patron="P-7"),
    )  # fmt: skip
    archive = housed(tmp_path / "archive", own)
    write_journal(
        archive,
        [
            told("BAC-1", begins[0], mistaken),
            told("BAC-1", begins[1], came),
            told("BAC-1", begins[2], again, up, goes),
            told("BAC-1", begins[3], put_right),
            told("BAC-1", begins[4], left(begins[4], 4)),
            told("BAC-1", begins[5], left(begins[5], 6)),
        ],
        own,
    )
    for patron, days in (("P-7", [1, 2, 3, 4]), ("P-9", [1, 2, 3]), ("P-8", [2, 3, 4, 5])):
        ran = run_verb("hold", "add", archive, f"H-{patron}", "--patron", patron, *BY)
        assert ran.exit_code == 0, ran.stderr
        assert written(archive)[-1]["days"] == {f"2025-04-0{day}": ["BAC-1"] for day in days}


def test_a_frame_that_cannot_be_read_is_held_where_the_name_stands_in_it(tmp_path: Path) -> None:
    own = build_house()
    at = own.bounds(date(2025, 4, 1))[0] + HOUR
    cut = KafkaRecord("C", topics.FRAMES, 0, 1, at, b"BAC-1", b'{"v":1,"events":[{"patron":"P-7"')
    write_journal(housed(tmp_path / "archive", own), [cut], own)
    run_verb("hold", "add", tmp_path / "archive", "H-7", "--patron", "P-7", *BY)
    assert written(tmp_path / "archive")[0]["days"] == {"2025-04-01": ["BAC-1"]}


def test_retention_keeps_what_a_patron_is_held_by_and_nothing_else(archive: Path) -> None:
    line = {"does": "add", "hold": "H-7", "by": "x", "at": "2030-01-01T00:00:00Z"}
    days = {"on": "patron P-7", "days": {"2025-03-02": ["BAC-102"]}}
    (archive / "holds.jsonl").write_text(json.dumps(line | days) + "\n", "utf-8")
    found = held(archive)
    assert {table for (table, day), by in found.items() if by and day == "2025-03-02"} >= {"BAC-102"}
    assert not found["BAC-101", "2025-03-02"]
    assert not any(by for (_, day), by in found.items() if day == "2025-03-01")


def test_a_hold_that_is_added_while_files_are_removed_is_honoured(archive: Path) -> None:
    at = date(2030, 3, 3)
    removing = retain._removed(archive, at, "R. Ames")  # noqa: SLF001  another's turn comes between two of its steps
    gone = next(removing)
    run_verb("hold", "add", archive, "H-1", "--from", "2025-03-01", *BY)
    rest = list(removing)
    assert not (archive / str(gone["path"])).exists()
    assert {row["held"] for row in rest} == {"H-1"}
    assert all((archive / str(row["path"])).exists() for row in rest)


def test_what_a_crash_cut_short_is_refused_until_somebody_has_looked(archive: Path) -> None:
    (archive / "holds.jsonl").write_bytes(b'{"does": "add", "hold"')
    for call in (("list",), ("add", "H-1", "--from", "2025-03-01", *BY)):
        refused(run_verb("hold", call[0], archive, *call[1:]), "holds.jsonl, line 1: not a legal hold")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "say what is held"),
        (("--round", "17"), "--round goes with one --table and its --gaming-day"),
        (("--round", "17", "--table", "BAC-101", "--from", "2025-03-01"), "--round goes with one --table"),
        (("--patron", "P-1", "--table", "BAC-101"), "--patron is held wherever there is something"),
        (("--gaming-day", "2025-03-01", "--to", "2025-03-02"), "--gaming-day is one day"),
        (("--from", "2025-03-02", "--to", "2025-03-01"), "--to lies before --from"),
        (("--table", "BAC-9"), "no table 'BAC-9'; it holds BAC-101, BAC-102"),
        (("--patron", "P-nobody"), "has nothing of patron 'P-nobody'"),
        (
            ("--table", "BAC-101", "--gaming-day", "2025-03-01", "--round", "9999"),
            "has nothing of round '9999'",
        ),
    ],
)
def test_a_wrong_call_is_one_line_and_holds_nothing(
    options: tuple[str, ...], says: str, archive: Path
) -> None:
    refused(run_verb("hold", "add", archive, "H-1", *options, *BY), says)
    assert not (archive / "holds.jsonl").exists()


def test_whose_wish_it_is_must_be_said(archive: Path) -> None:
    refused(run_verb("hold", "add", archive, "H-1", "--from", "2025-03-01"), "add needs --by and --why")
    refused(run_verb("hold", "lift", archive, "H-1", "--by", "x"), "lift needs --by and --why")
    refused(run_verb("hold", "add", archive, " ", "--from", "2025-03-01", *BY), "is no name")


def test_a_simulated_floor_is_no_archive(played: Path) -> None:
    refused(run_verb("hold", "list", played), "no archive of a live floor")


@pytest.mark.parametrize(
    ("tables", "day", "says"),
    [
        ((), "2025-04-01", "nothing is recorded on 2025-04-01"),
        (("--table", "BAC-101"), "2025-04-01", "nothing of BAC-101 is recorded on 2025-04-01"),
    ],
)
def test_a_day_of_which_nothing_is_recorded_is_not_held(
    archive: Path, tables: tuple[str, ...], day: str, says: str
) -> None:
    refused(run_verb("hold", "add", archive, "H-1", *tables, "--gaming-day", day, *BY), says)
    assert not (archive / "holds.jsonl").exists()
    assert run_verb("hold", "add", archive, "H-1", *tables, "--from", day, *BY).exit_code == 0


def test_a_day_that_is_in_the_journal_alone_can_be_held(tmp_path: Path, played: Path) -> None:
    archive = archive_floor(tmp_path / "open", played, lambda *_: ())
    assert not list((archive / "days").rglob("BAC-101.parquet"))
    ran = run_verb("hold", "add", archive, "H-1", "--table", "BAC-101", "--gaming-day", "2025-03-01", *BY)
    assert ran.exit_code == 0


def test_lifting_prints_the_hold_as_adding_does(archive: Path) -> None:
    added = run_verb("hold", "add", archive, "H-1", "--from", "2025-03-01", *BY).stdout
    lifted = run_verb("hold", "lift", archive, "H-1", "--by", "J. Lane", "--why", "settled").stdout
    assert [line.split()[:2] for line in added.splitlines()[::2]] == [["hold", "on"], ["H-1", "2025-03-01"]]
    assert lifted.splitlines()[0].split() == added.splitlines()[0].split()
    assert lifted.rstrip().endswith("settled")
