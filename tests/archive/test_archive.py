"""The archive: every byte that came, once, whenever sealing is broken off; and all that reads it."""

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.engine.conclusion import Conclusion, canonical
from replay.recording.event_audit import audit_logs
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House
from streams import log, topics
from streams.archive import sealed_files
from streams.archive.archive_reader import filed, names, records
from streams.archive.archiver import exclusive_archive, keep_house
from streams.archive.day_sealing import days_due, seal
from streams.archive.journal import Journal, Missing, Place
from streams.archive.record_names import QUARANTINE_FOLDER, KafkaRecord, file_name
from streams.log import Unread
from tests.builders.archives import (
    CLUSTER,
    LONG_AFTER,
    archive_floor,
    build_kafka_records,
    records_of_floor,
    replace_fields,
    seal_all_days,
    write_journal,
)
from tests.builders.round_records import run_verb
from tests.builders.thoroughness import examples

HOUSE: Final = House(house="of the tests")
HOUR: Final = 3_600_000_000  # microseconds
# 06:00 in New York, where a gaming day begins; microseconds UTC.
MARCH_2: Final = 1_740_913_200_000_000
ODD: Final = (b'{"v": 1,\n "broken"\r\n', b"\xff\xfe\x00", b"", None, b"PAR1", b"\x00" * 5000)


def conclusions(path: Path, played: Path) -> list[Conclusion]:
    found = audit_logs(log.logs(path), houses.load("house.yaml", played))
    return [each.conclusion for each in found if not isinstance(each, Unread)]


def read(archive: Path, table: str = "BAC-1") -> list[KafkaRecord]:
    return [each.record for each in records(archive, table)]


def parts(archive: Path) -> dict[str, str]:
    """Hash every sealed part."""
    return {
        str(file.relative_to(archive)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted((archive / "days").rglob("*.parquet"))
        if "snapshots" not in file.name
    }


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────────


def test_every_byte_is_kept_before_and_after_sealing(tmp_path: Path) -> None:
    sent = build_kafka_records(*ODD, at=MARCH_2)
    write_journal(tmp_path, sent, HOUSE)
    assert read(tmp_path) == sent
    seal_all_days(tmp_path, HOUSE)
    assert read(tmp_path) == sent
    with Journal(tmp_path) as journal:
        assert journal.days() == []


@settings(max_examples=examples(15, 30), deadline=None)
@given(
    st.lists(st.tuples(st.none() | st.binary(max_size=300), st.none() | st.binary(max_size=40)), min_size=1)
)
def test_any_key_and_payload_is_kept(pairs: Sequence[tuple[bytes | None, bytes | None]]) -> None:
    sent = [
        replace_fields(build_kafka_records(payload)[0], offset=n, key=key)
        for n, (key, payload) in enumerate(pairs)
    ]
    with TemporaryDirectory() as folder:
        archive = Path(folder)
        write_journal(archive, sent, HOUSE)
        seal_all_days(archive, HOUSE)
        found = [each.record for name in names(archive) for each in filed(archive, name)]
        assert sorted(found, key=lambda each: each.offset) == sent


@given(st.none() | st.binary(max_size=400), st.none() | st.binary(max_size=400))
def test_no_two_keys_have_one_file_and_each_is_a_file_in_its_folder(
    one: bytes | None, other: bytes | None
) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)
    name = file_name(one)
    assert Path(name).name == name
    assert len(name) < 200
    assert name.isascii()
    assert "." not in name


def test_what_comes_again_is_nothing_new(tmp_path: Path) -> None:
    sent = build_kafka_records(b"one", b"two", at=MARCH_2)
    write_journal(tmp_path, sent, HOUSE)
    write_journal(tmp_path, build_kafka_records(b"one", b"two", b"three", at=MARCH_2), HOUSE)
    seal_all_days(tmp_path, HOUSE)
    before = parts(tmp_path)
    write_journal(tmp_path, sent, HOUSE)
    seal_all_days(tmp_path, HOUSE)
    assert parts(tmp_path) == before
    assert [each.payload for each in read(tmp_path)] == [b"one", b"two", b"three"]


def test_a_cluster_begun_again_has_the_same_offsets_and_hides_nothing(tmp_path: Path) -> None:
    first = build_kafka_records(b"one", b"two", at=MARCH_2)
    second = [
        replace_fields(each, cluster="a later one")
        for each in build_kafka_records(b"three", b"four", at=MARCH_2)
    ]
    write_journal(tmp_path, first, HOUSE)
    write_journal(tmp_path, second, HOUSE)
    for _ in range(2):
        assert read(tmp_path) == [*first, *second]
        after = [each.record for each in records(tmp_path, "BAC-1", (CLUSTER, 3, 0))]
        assert after == [first[1], *second]
        seal_all_days(tmp_path, HOUSE)


def test_a_partition_s_offset_and_gaps_are_stored_with_the_records(tmp_path: Path) -> None:
    place = Place(7, MARCH_2)
    lost = Missing(CLUSTER, topics.FRAMES, 3, 0, 4, MARCH_2)
    with Journal(tmp_path, writable=True) as journal:
        journal.keep(
            [(date(2025, 3, 2), build_kafka_records(b"one", first=6)[0])],
            {(CLUSTER, topics.FRAMES, 3): place},
            [lost],
        )
    with Journal(tmp_path) as journal:
        assert journal.places(CLUSTER) == {(topics.FRAMES, 3): place}
        assert journal.missing() == [lost]
        assert journal.places("another") == {}


def test_house_files_are_kept_by_time_and_hash(tmp_path: Path) -> None:
    keep_house(tmp_path, b"house: one\n", MARCH_2)
    keep_house(tmp_path, b"house: one\n", MARCH_2 + HOUR)
    keep_house(tmp_path, b"house: two\n", MARCH_2 + 2 * HOUR)
    assert (tmp_path / "house.yaml").read_bytes() == b"house: two\n"
    versions = sorted((tmp_path / "houses").iterdir())
    assert [each.read_bytes() for each in versions] == [b"house: one\n", b"house: two\n"]
    assert versions[0].name.startswith("20250302T110000Z-" + hashlib.sha256(b"house: one\n").hexdigest()[:16])


# ── sealing ──────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=examples(20, 40), deadline=None)
@given(st.data())
def test_sealing_may_end_anywhere_and_is_done_by_doing_it_again(data: st.DataObject) -> None:
    sent = [
        *build_kafka_records(*(b"a%d" % n for n in range(5)), at=MARCH_2),
        *build_kafka_records(*(b"b%d" % n for n in range(3)), key=b"BAC-2", first=5, at=MARCH_2),
    ]
    told = [replace_fields(each, topic=topics.QUARANTINE, partition=0) for each in sent[:2]]
    with TemporaryDirectory() as folder:
        archive = Path(folder)
        arrived = 0
        while arrived < len(sent):
            more = data.draw(st.integers(1, len(sent)), "records that arrive")
            write_journal(archive, sent[arrived : arrived + more], HOUSE)
            arrived += more
            with Journal(archive, writable=True) as journal:
                steps = seal(journal, archive, date(2025, 3, 2))
                for _ in range(data.draw(st.integers(0, 6), "steps until the crash")):
                    next(steps, None)
                steps.close()
            # A crash while a part is written leaves the beginning of it.
            unfinished = archive / "days/2025-03-02/.BAC-1.2.parquet.unfinished"
            unfinished.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(b"PAR1 and no more")
            assert [*read(archive), *read(archive, "BAC-2")] == sent[:arrived]
        write_journal(archive, told, HOUSE)
        seal_all_days(archive, HOUSE)
        with Journal(archive) as journal:
            assert journal.days() == []
        assert [*read(archive), *read(archive, "BAC-2")] == sent
        assert [each.record for each in filed(archive, "BAC-1", topic=topics.QUARANTINE)] == told
        held = [each for file in sorted(archive.rglob("*.parquet")) for each in sealed_files.read(file)]
        assert len(held) == len(sent) + len(told)


def test_late_frames_go_into_a_further_part_and_the_first_is_not_touched(tmp_path: Path) -> None:
    first, late = (
        build_kafka_records(b"one", b"two", at=MARCH_2),
        build_kafka_records(b"late", first=9, at=MARCH_2 + HOUR),
    )
    next_day = build_kafka_records(b"next day", first=5, at=MARCH_2 + 25 * HOUR)
    write_journal(tmp_path, [*first, *next_day], HOUSE)
    seal_all_days(tmp_path, HOUSE)
    before = parts(tmp_path)
    write_journal(tmp_path, late, HOUSE)
    seal_all_days(tmp_path, HOUSE)
    after = parts(tmp_path)
    assert set(after) - set(before) == {"days/2025-03-02/BAC-1.2.parquet"}
    assert before.items() <= after.items()
    # In the order in which they were sent, whatever the days.
    assert read(tmp_path) == [*first, *next_day, *late]


def test_the_quarantine_is_sealed_beside_the_frames(tmp_path: Path) -> None:
    write_journal(
        tmp_path, [replace_fields(build_kafka_records(b"why", at=MARCH_2)[0], topic=topics.QUARANTINE)], HOUSE
    )
    seal_all_days(tmp_path, HOUSE)
    assert set(parts(tmp_path)) == {f"days/2025-03-02/{QUARANTINE_FOLDER}/BAC-1.parquet"}
    assert names(tmp_path) == []


def test_the_journal_keeps_what_a_sealed_file_does_not_have(tmp_path: Path) -> None:
    write_journal(tmp_path, build_kafka_records(b"one", at=MARCH_2), HOUSE)
    seal_all_days(tmp_path, HOUSE)
    write_journal(tmp_path, build_kafka_records(b"other", at=MARCH_2), HOUSE)
    with pytest.raises(BadInput, match=r"not sealed as it is in the journal"):
        seal_all_days(tmp_path, HOUSE)
    with Journal(tmp_path) as journal:
        assert [day for day, _ in journal.days()] == [date(2025, 3, 2)]


def test_a_day_is_due_when_it_is_over_with_lateness_and_margin(tmp_path: Path) -> None:
    write_journal(tmp_path, build_kafka_records(b"one", at=MARCH_2 + 5 * HOUR), HOUSE)
    # 24 hours, the house's two minutes, and ten more.
    over = MARCH_2 + 24 * HOUR + 12 * 60 * 1_000_000
    with Journal(tmp_path) as journal:
        assert days_due(journal, HOUSE, over - 1) == []
        assert days_due(journal, HOUSE, over) == [date(2025, 3, 2)]


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_audit_of_an_archive_is_that_of_the_floor(tmp_path: Path, played: Path) -> None:
    def halfway(sent: Sequence[KafkaRecord], _: House) -> list[int]:
        return [sent[-1].received - HOUR // 2]

    expected = canonical(conclusions(played, played))
    half = archive_floor(tmp_path / "half", played, halfway)
    assert [folder.name for folder in (half / "days").iterdir()] == ["2025-03-01"]
    with Journal(half) as journal:
        assert [str(day) for day, _ in journal.days()] == ["2025-03-02"]
    assert canonical(conclusions(half, played)) == expected
    seal_all_days(half, houses.load("house.yaml", played))
    assert canonical(conclusions(half, played)) == expected
    (half / "journal.sqlite").unlink()
    assert canonical(conclusions(half, played)) == expected


def test_a_part_alone_is_a_file_of_frames(kept: Path, played: Path) -> None:
    ran = run_verb("audit", kept / "days/2025-03-02/BAC-101.parquet", "--house", played / "house.yaml")
    assert ran.exit_code in (0, 1), ran.stderr
    assert '"gaming_date":"2025-03-02"' in ran.stdout


def test_what_cannot_be_read_is_reported_with_its_place(tmp_path: Path, played: Path) -> None:
    frame = next(each for each in records_of_floor(played) if each.key == b"BAC-101")
    other = replace_fields(frame, key=b"BAC-102", partition=4)
    (tmp_path / "house.yaml").write_bytes((played / "house.yaml").read_bytes())
    write_journal(
        tmp_path,
        [replace_fields(each, received=frame.received) for each in build_kafka_records(*ODD[:4])] + [other],
        HOUSE,
    )
    seal_all_days(tmp_path, HOUSE)
    told = [each for each in audit_logs(log.logs(tmp_path), HOUSE) if isinstance(each, Unread)]
    assert [each.line for each in told if "BAC-1:" in each.error] == [0, 1, 2, 3]
    assert "2025-03-01/BAC-102:0: a frame of table 'BAC-101' under the key 'BAC-102'" in told[-1].error


def test_a_damaged_part_is_one_line(tmp_path: Path, kept: Path) -> None:
    archive = Path(copytree(kept, tmp_path / "archive"))
    part = archive / "days/2025-03-01/BAC-101.parquet"
    part.write_bytes(part.read_bytes()[:5000])
    ran = run_verb("audit", archive)
    assert ran.exit_code == 2
    assert ran.stderr.count("\n") == 1
    assert "BAC-101.parquet" in ran.stderr


def test_a_table_that_is_not_there_is_one_line(kept: Path) -> None:
    ran = run_verb("hand", kept, "BAC-9", "1")
    assert ran.exit_code == 2
    assert ran.stderr.endswith("no table 'BAC-9'; it holds BAC-101, BAC-102\n")


# ── the verb ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "--broker"),
        (("--seal", "--broker", "localhost:1"), "--broker"),
        (("--broker", "localhost:1", "--gaming-day", "2025-03-01"), "--gaming-day"),
        (("--seal", "--gaming-day", "2025-03-01"), "nothing of 2025-03-01"),
    ],
)
def test_a_wrong_call_is_one_line(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    write_journal(tmp_path, build_kafka_records(b"one", at=MARCH_2), HOUSE)
    ran = run_verb("archive", "--house", "example", "--out", tmp_path, *arguments)
    assert ran.exit_code == 2
    assert ran.stderr.count("\n") == 1
    assert says in ran.stderr


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_no_archive_cannot_be_sealed(tmp_path: Path, *, is_there: bool) -> None:
    out = tmp_path / "archive"
    if is_there:
        out.mkdir()
    ran = run_verb("archive", "--house", "example", "--out", out, "--seal")
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "no archive" in ran.stderr
    assert out.exists() == is_there
    assert list(tmp_path.rglob("*")) == [out] * is_there


@pytest.mark.parametrize("verb", ["archive", "worker"])
def test_a_folder_of_something_else_is_refused_and_left_as_it_was(
    tmp_path: Path, played: Path, verb: str
) -> None:
    """A simulated floor has a house file too, which an archiver would have replaced."""
    floor = tmp_path / "floor"
    copytree(played, floor)
    before = {each: each.stat().st_mtime_ns for each in floor.rglob("*")}
    option = "--out" if verb == "archive" else "--archive"
    ran = run_verb(verb, "--broker", "localhost:1", "--house", "example", option, floor)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "holds events and is no archive" in ran.stderr
    assert {each: each.stat().st_mtime_ns for each in floor.rglob("*")} == before


def test_an_archive_that_was_hardly_begun_is_gone_on_with(tmp_path: Path) -> None:
    with exclusive_archive(tmp_path):
        keep_house(tmp_path, b"house: one", MARCH_2)
    (tmp_path / "lost+found").mkdir()
    (tmp_path / ".journal.sqlite.unfinished").touch()
    with exclusive_archive(tmp_path):
        pass
    (tmp_path / "notes.txt").touch()
    with pytest.raises(BadInput, match=r"holds notes\.txt"), exclusive_archive(tmp_path):
        pass


def test_a_second_archiver_is_refused(tmp_path: Path) -> None:
    write_journal(tmp_path, build_kafka_records(b"one", at=MARCH_2), HOUSE)
    with exclusive_archive(tmp_path):
        ran = run_verb("archive", "--house", "example", "--out", tmp_path, "--seal")
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "another process archives there" in ran.stderr


def test_seal_by_hand_seals_what_is_over_and_with_a_day_an_open_one(tmp_path: Path) -> None:
    late = build_kafka_records(b"to come", first=1, at=LONG_AFTER)
    write_journal(tmp_path, [*build_kafka_records(b"one", at=MARCH_2), *late], HOUSE)
    assert run_verb("archive", "--house", "example", "--out", tmp_path, "--seal").exit_code == 0
    assert set(parts(tmp_path)) == {"days/2025-03-02/BAC-1.parquet"}
    to_come = str(HOUSE.gaming_date(LONG_AFTER))
    assert (
        run_verb(
            "archive", "--house", "example", "--out", tmp_path, "--seal", "--gaming-day", to_come
        ).exit_code
        == 0
    )
    assert set(parts(tmp_path)) == {f"days/{day}/BAC-1.parquet" for day in ("2025-03-02", to_come)}
