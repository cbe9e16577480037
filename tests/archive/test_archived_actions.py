"""Operators' actions are archived by gaming day, proven with the day, and disturb no nightly audit."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
import pytest

from replay.nightly.gaming_days import day_of
from replay.nightly.surveillance_work import suppressed_alerts
from replay.recording.recording import Recording
from schemas import house as houses
from schemas.codec import decode
from schemas.surveillance import STREAM, OperatorActed
from streams.archive import keys, sealed_files
from streams.archive.import_events import archive_of
from streams.archive.record_names import NOTHING_YET, KafkaRecord
from tests.builders.action_events import build_action_event, encode_action_frame
from tests.builders.nights import (
    DAY,
    read_folder,
    read_report,
    run_nightly,
    script_three_rounds,
    unreconciled_items,
    write_floor,
)
from tests.builders.round_records import run_verb
from tests.builders.table_script import SECOND, START

MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
PART: Final = f"days/{DAY}/{STREAM}.parquet"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a floor of a day, and what was done on that day and on the next."""
    floor = write_floor(tmp_path_factory.mktemp("played"), script_three_rounds())
    lines = [
        encode_action_frame(build_action_event(1, at=START + HOUR)),
        encode_action_frame(build_action_event(2, at=START + 30 * HOUR), number=2),
    ]
    (floor / "events" / f"{STREAM}.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    return floor


def archived(floor: Path, folder: Path) -> Path:
    """Archive a floor with both its days closed."""
    archive_of(floor, folder / "archive", houses.read("house.yaml", floor), keys.make(folder / "key"))
    return folder / "archive"


def test_it_lies_under_the_gaming_day_on_which_it_was_done(played: Path, tmp_path: Path) -> None:
    archive = archived(played, tmp_path)
    told = {
        file.parent.name: [
            event for each in sealed_files.read(file) for event in decode(each.payload or b"", "")[0].events
        ]
        for file in sorted(archive.glob(f"days/*/{STREAM}.parquet"))
    }
    assert told == {
        DAY: [build_action_event(1, at=START + HOUR)],
        "2025-04-02": [build_action_event(2, at=START + 30 * HOUR)],
    }


def test_verify_proves_it_and_names_it_where_another_name_was_put(played: Path, tmp_path: Path) -> None:
    archive = archived(played, tmp_path)
    assert run_verb("verify", archive).exit_code == 0
    file = archive / PART
    (record,) = sealed_files.read(file)
    since = sealed_files.stretch_of(file).since
    file.unlink()
    forged = (record.payload or b"").replace(b"o.rivera", b"o.riveta")
    sealed_files.write(file.parent, STREAM, [msgspec.structs.replace(record, payload=forged)], since)
    ran = run_verb("verify", archive, "--format", "csv")
    assert ran.exit_code == 1
    assert [line.split(",")[0] for line in ran.stdout.splitlines()[1:]] == [PART]


def test_the_archive_s_timeline_contains_it(played: Path, tmp_path: Path) -> None:
    archive = archived(played, tmp_path)
    ran = run_verb(
        "timeline", archive, "--gaming-day", "2025-04-02", "--operator", "o.rivera", "--format", "csv"
    )
    assert ran.exit_code == 0, ran.stderr
    assert [line.split(",")[2] for line in ran.stdout.splitlines()] == ["table", STREAM]


def test_a_night_s_reports_are_the_same_with_it_and_without(played: Path, tmp_path: Path) -> None:
    quiet = write_floor(tmp_path, script_three_rounds())
    told = {}
    for name, floor in (("with", played), ("without", quiet)):
        (tmp_path / name).mkdir()
        archive, out = archived(floor, tmp_path / name), tmp_path / name / "out"
        ran = run_nightly(archive, out=out)
        told[name] = (ran.exit_code, unreconciled_items(ran), read_folder(out))
    assert told["with"] == told["without"]
    assert len(told["with"][2]) > 10  # the reports of the day


def asked(number: int, action: str, after: int, **details: object) -> OperatorActed:
    """Return what somebody asked for so long after the script's beginning, 09:33:20 UTC."""
    told = msgspec.json.encode({"asked": {"action": action, **details}, "facts": {}}).decode()
    more = {} if action == "snooze" else {"subject": None}
    return build_action_event(number, at=START + after, action=action, details=told, **more)


def with_actions(floor: Path, *done: OperatorActed) -> Path:
    """Add the console's actions to a floor, an action a frame."""
    frames = [encode_action_frame(each, number=n) for n, each in enumerate(done, 1)]
    (floor / "events" / f"{STREAM}.jsonl").write_bytes(b"".join(line + b"\n" for line in frames))
    return floor


def test_the_night_lists_what_was_muted_and_snoozed(tmp_path: Path) -> None:
    first = asked(1, "mute", HOUR, check="paid_too_much", table="BAC-101", minutes=30, reason="training")
    floor = with_actions(
        write_floor(tmp_path, script_three_rounds()),
        first,
        asked(2, "snooze", HOUR + MINUTE, minutes=5, reason="break"),
        asked(3, "unmute", HOUR + 2 * MINUTE, mute="0" * 31 + "1"),
        asked(4, "mute", 30 * HOUR, check="push_paid", minutes=30, reason="another day"),
        first,
    )
    run_nightly(floor, out=tmp_path, only={"muted"})
    rows = read_report(tmp_path, "muted")["rows"]
    assert [list(row.values()) for row in rows] == [
        ["2025-04-01T10:33:20Z", "o.rivera", "operator", "muted", "paid too much at BAC-101",
         "2025-04-01T11:03:20Z", "training"],
        ["2025-04-01T10:34:20Z", "o.rivera", "operator", "snoozed", "alert:4e1f9c7be9f16259",
         "2025-04-01T10:39:20Z", "break"],
        ["2025-04-01T10:35:20Z", "o.rivera", "operator", "mute ended", f"mute {'0' * 31}1", None, None],
    ]  # fmt: skip


def test_mutes_from_before_the_day_are_listed_first(tmp_path: Path) -> None:
    # The day begins at 09:00 UTC, 33 minutes and 20 seconds before the script.
    floor = with_actions(
        write_floor(tmp_path, script_three_rounds()),
        asked(1, "mute", -2 * HOUR, check="push_paid", minutes=60, reason="over by 08:33:20"),
        asked(2, "mute", -2 * HOUR, check="late_wager", minutes=120, reason="ended before"),
        asked(3, "mute", -2 * HOUR, check="paid_too_much", minutes=120, reason="training"),
        asked(4, "unmute", -HOUR, mute="0" * 31 + "2"),
        asked(5, "unmute", 0, mute="0" * 31 + "3"),
    )
    run_nightly(floor, out=tmp_path, only={"muted"})
    told = [(row["at"], row["what"], row["reason"]) for row in read_report(tmp_path, "muted")["rows"]]
    assert told == [
        ("2025-04-01T07:33:20Z", "muted", "training"),
        ("2025-04-01T09:33:20Z", "mute ended", None),
    ]


def test_no_more_days_of_an_archive_are_read_than_the_longest_mute_may_run_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ago = (-50, -26, -2, 1, 25)  # hours
    floor = with_actions(
        write_floor(tmp_path, script_three_rounds()),
        *(asked(n, "snooze", hours * HOUR, minutes=5, reason="break") for n, hours in enumerate(ago, 1)),
    )
    archive = archived(floor, tmp_path)
    assert len(list(archive.glob(f"days/*/{STREAM}.parquet"))) == 5
    opened: list[str] = []
    read = sealed_files.read

    def noted(file: Path, after: int = NOTHING_YET) -> Iterator[KafkaRecord]:
        opened.append(file.parent.name)
        return read(file, after)

    monkeypatch.setattr(sealed_files, "read", noted)
    house = houses.load("house.yaml", floor)
    (found,) = suppressed_alerts(Recording(archive), day_of(house, date.fromisoformat(DAY)))
    assert found.at == START + HOUR
    assert opened == ["2025-03-31", DAY]
