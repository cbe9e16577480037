"""One hand of many days: only what lies about it is opened, and nothing that belongs to it is left out."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from pyarrow import parquet

from projections.engine.conclusion import canonical
from replay.recording.judged_rounds import JudgedRound, judge_rounds
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatedRound, judge_seated_rounds
from replay.recording.single_round import judge_around
from schemas import house as houses
from schemas.codec import decode, encode
from schemas.events import PlayerSeated, ReportCorrected, id_of
from streams import log
from streams.archive import keys, snapshots
from streams.archive.archive_reader import filed, records
from streams.archive.archiver import keep_house
from streams.archive.day_sealing import DayCloser
from streams.archive.record_names import KafkaRecord, days_of
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.archives import (
    LONG_AFTER,
    archive_floor,
    records_of_floor,
    replace_fields,
    seal_all_days,
    write_journal,
)
from tests.builders.round_records import run_verb

TABLE: Final = "BAC-101"
DAYS: Final = 9
MIDDLE: Final = date(2025, 3, 5)
CLOSED: Final = date(2025, 3, 6)  # nobody plays
DAY: Final = timedelta(days=1)
IN_DAYS: Final = 86_400_000_000  # microseconds


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("few") / "played"
    simulate(folder, tables=1, hours=0.14, days=DAYS, seed="few", rates=faults.rates(sensors=True))
    return folder


@pytest.fixture(scope="module")
def whole(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = archive_floor(tmp_path_factory.mktemp("few") / "archive", played)
    (archive / "house.yaml").unlink()
    keep_house(archive, (played / "house.yaml").read_bytes(), 0)
    house = houses.load("house.yaml", archive)
    list(DayCloser(archive).close(house.house, keys.make(archive.parent / "a.key"), LONG_AFTER))
    return archive


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Note which parts, snapshots and checkpoints are opened, by their paths in the archive."""
    found: set[str] = set()

    def noted(function: Callable[..., Any], place: int) -> Callable[..., Any]:
        def calls(*told: Any, **others: Any) -> Any:
            found.add("/".join(str(told[place]).split("/")[-2:]))
            return function(*told, **others)

        return calls

    monkeypatch.setattr(parquet, "read_metadata", noted(parquet.read_metadata, 0))
    monkeypatch.setattr(parquet.ParquetFile, "__init__", noted(parquet.ParquetFile.__init__, 1))
    monkeypatch.setattr(Path, "open", noted(Path.open, 0))
    monkeypatch.setattr(Path, "read_bytes", noted(Path.read_bytes, 0))
    return found


@cache
def judged(archive: Path) -> Sequence[JudgedRound]:
    """Judge a whole archive, once: no test changes one that it has judged."""
    found = (each for each in judge_rounds(Recording(archive), TABLE) if isinstance(each, JudgedRound))
    return [each for each in found if each.seen is not None]


def rounds(archive: Path, day: date) -> list[JudgedRound]:
    """Judge the whole archive, and give a day's rounds."""
    return [each for each in judged(archive) if each.conclusion.gaming_date == day]


def drawn(archive: Path, each: JudgedRound) -> str:
    """Show a round, by its number and day."""
    said = each.conclusion
    ran = run_verb("hand", archive, TABLE, said.round, "--date", said.gaming_date, "--format", "json")
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


def concluded(archive: Path, each: JudgedRound) -> bytes:
    """Judge a round by what is near its day."""
    said = each.conclusion
    assert said.round is not None
    found = judge_around(Recording(archive), TABLE, said.round, said.gaming_date)
    one = [
        one.judged.conclusion
        for one in found
        if isinstance(one, SeatedRound) and (one.seen.number, one.seen.day) == (said.round, said.gaming_date)
    ]
    return canonical(one)


def refiled(
    folder: Path, played: Path, change: Callable[[Sequence[KafkaRecord]], Iterator[KafkaRecord]]
) -> Path:
    """Archive a floor of which some records came otherwise."""
    folder.mkdir()
    house = houses.load("house.yaml", played)
    shutil.copy(played / "house.yaml", folder)
    write_journal(folder, list(change(records_of_floor(played))), house)
    seal_all_days(folder, house)
    return folder


# ── what is opened ───────────────────────────────────────────────────────────────────────────────────


def test_a_hand_of_a_day_opens_that_day_and_its_neighbours(whole: Path, opened: set[str]) -> None:
    of_day = rounds(whole, MIDDLE)
    assert len(of_day) > 3
    for each in (of_day[0], of_day[-1]):
        opened.clear()
        assert drawn(whole, each)
        parts = {file for file in opened if file.endswith(f"{TABLE}.parquet")}
        assert f"{MIDDLE}/{TABLE}.parquet" in parts
        assert parts <= {f"2025-03-{day:02}/{TABLE}.parquet" for day in (3, 4, 5, 7, 8)}
        snapshots = {file for file in opened if "snapshots" in file}
        assert snapshots == {f"{MIDDLE}/{TABLE}.snapshots.parquet"}


def test_of_the_checkpoints_few_are_opened(whole: Path, opened: set[str]) -> None:
    """Of 9: March 5's with the one after it, and the newest; halving comes to the third and fourth too."""
    (each, *_) = rounds(whole, MIDDLE)
    opened.clear()
    drawn(whole, each)
    numbers = {int(file[12:18]) for file in opened if file.startswith("checkpoints/")}
    assert numbers == {3, 4, 5, 6, 9}


# ── nothing is left out ──────────────────────────────────────────────────────────────────────────────


def test_every_round_of_every_day_comes_to_what_the_whole_archive_comes_to(whole: Path) -> None:
    tried = [each for day in days_of(whole) for each in rounds(whole, day)]
    assert len(tried) > 40
    for each in tried:
        assert concluded(whole, each) == canonical([each.conclusion])


@pytest.mark.parametrize("days", [-3, 3])
def test_what_a_gateway_with_a_wrong_clock_sent_is_found_under_the_other_day(
    tmp_path: Path, played: Path, whole: Path, days: int
) -> None:
    """A round's frames lie three days off, among the offsets of its own day."""
    (_, each, *_) = rounds(whole, MIDDLE)
    named = f'"round":"{each.conclusion.round}"'.encode()

    def change(sent: Sequence[KafkaRecord]) -> Iterator[KafkaRecord]:
        at = [
            place
            for place, record in enumerate(sent)
            if named in (record.payload or b"") and date_of(record) == MIDDLE
        ]
        for place, record in enumerate(sent):
            is_off = at[0] <= place <= at[-1]
            yield replace_fields(record, received=record.received + days * IN_DAYS) if is_off else record

    house = houses.load("house.yaml", played)

    def date_of(record: KafkaRecord) -> date:
        return house.gaming_date(record.received)

    archive = refiled(tmp_path / "off", played, change)
    as_audited = [one for one in rounds(archive, MIDDLE) if one.conclusion.round == each.conclusion.round]
    assert canonical([one.conclusion for one in as_audited]) == canonical([each.conclusion])
    assert concluded(archive, each) == canonical([each.conclusion])


def test_a_part_that_came_late_is_read_in_its_place(tmp_path: Path, played: Path, whole: Path) -> None:
    """Every third record of the day was kept only after the day was sealed."""
    archive = tmp_path / "late"
    archive.mkdir()
    shutil.copy(played / "house.yaml", archive)
    house = houses.load("house.yaml", played)
    sent = records_of_floor(played)
    late = [each for each in sent if house.gaming_date(each.received) == MIDDLE][::3]
    write_journal(archive, [each for each in sent if each not in late], house)
    seal_all_days(archive, house)
    for file in archive.rglob("*.snapshots.parquet"):
        file.unlink()
    write_journal(archive, late, house)
    seal_all_days(archive, house)
    assert (archive / f"days/{MIDDLE}/{TABLE}.2.parquet").is_file()
    for each in rounds(whole, MIDDLE):
        assert concluded(archive, each) == canonical([each.conclusion])


def test_what_the_journal_has_of_the_day_is_read_in_its_place(
    tmp_path: Path, played: Path, whole: Path
) -> None:
    archive = tmp_path / "waiting"
    archive.mkdir()
    shutil.copy(played / "house.yaml", archive)
    house = houses.load("house.yaml", played)
    sent = records_of_floor(played)
    before = [each for each in sent if house.gaming_date(each.received) < MIDDLE]
    write_journal(archive, before, house)
    seal_all_days(archive, house)
    write_journal(archive, sent[len(before) :], house)
    for each in rounds(whole, MIDDLE - DAY) + rounds(whole, MIDDLE):
        assert concluded(archive, each) == canonical([each.conclusion])


def test_the_records_after_one_are_those_that_reading_everything_gives(whole: Path) -> None:
    """From each tenth record on, whatever day near it is named."""
    everything = list(records(whole, TABLE))
    (found,) = log.logs(whole, TABLE)
    for place in range(5, len(everything), len(everything) // 10):
        for off in (0, 1, 30):
            after = everything[place].record.position
            close = log.DayRangeLog(
                whole,
                found.name,
                after,
                day=everything[place].day + off * DAY,
                numbers=log.FrameNumbers(),
            )
            assert list(close.filed()) == everything[place + 1 :]


def test_another_partition_is_read_after_the_one_that_the_record_is_of(tmp_path: Path, played: Path) -> None:
    house = houses.load("house.yaml", played)

    def change(sent: Sequence[KafkaRecord]) -> Iterator[KafkaRecord]:
        for each in sent:
            is_later = house.gaming_date(each.received) > MIDDLE
            yield (
                replace_fields(each, partition=7, offset=each.offset % 50 + 1000 * each.offset)
                if is_later
                else each
            )

    archive = refiled(tmp_path / "moved", played, change)
    everything = list(filed(archive, TABLE))
    assert len({each.record.partition for each in everything}) == 2
    place = next(place for place, each in enumerate(everything) if each.day == MIDDLE)
    close = log.DayRangeLog(
        archive, TABLE, everything[place].record.position, day=MIDDLE, numbers=log.FrameNumbers()
    )
    assert list(close.filed()) == everything[place + 1 :]


# ── who sat there ────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_that_was_corrected_on_the_next_day_is_named_so_and_no_day_after_it_is_opened(
    tmp_path: Path, played: Path, opened: set[str]
) -> None:
    """Whoever was first reported to sit down on March 3 was P-NEW, says the terminal on March 4."""
    house = houses.load("house.yaml", played)
    day, later = date(2025, 3, 3), date(2025, 3, 4)
    terminal = next(name for name, reads in house.tables[TABLE].sources.items() if reads == "terminal")

    def change(sent: Sequence[KafkaRecord]) -> Iterator[KafkaRecord]:
        mistaken: PlayerSeated | None = None
        told = False
        for record in sent:
            yield replace_fields(record, offset=2 * record.offset)
            if record.key != TABLE.encode():
                continue
            frame, _ = decode(record.payload or b"", "")
            here = (each for each in frame.events if isinstance(each, PlayerSeated) and each.patron)
            if mistaken is None and house.gaming_date(record.received) == day:
                mistaken = next(here, None)
            if mistaken is not None and not told and house.gaming_date(record.received) == later:
                told = True
                report = ReportCorrected(
                    device=terminal,
                    epoch=mistaken.epoch + 1,
                    seq=1,
                    at=frame.events[-1].at,
                    mistaken=id_of(mistaken),
                    instead=msgspec.structs.replace(mistaken, patron="P-NEW"),
                )
                again = msgspec.structs.replace(frame, events=[report])
                yield replace_fields(record, offset=2 * record.offset + 1, payload=encode(again))

    archive = refiled(tmp_path / "corrected", played, change)
    whole = {
        (each.seen.number, each.seen.day): each
        for each in judge_seated_rounds(Recording(archive), [TABLE])
        if isinstance(each, SeatedRound)
    }
    of_day = [each for each in whole.values() if each.seen.day == day]
    assert "P-NEW" in of_day[0].seated.values()
    assert "P-NEW" not in of_day[0].seen.seated.values()
    opened.clear()
    for each in of_day:
        found = judge_around(Recording(archive), TABLE, each.seen.number, day)
        (one,) = (one for one in found if isinstance(one, SeatedRound) and one.seen == each.seen)
        assert (one.seated, one.renamed) == (each.seated, each.renamed)
    parts = {file for file in opened if file.endswith(f"{TABLE}.parquet")}
    # March 5 is begun, where March 4 is seen to be over; of what comes next it is only seen that it goes on.
    assert parts <= {f"2025-03-{number:02}/{TABLE}.parquet" for number in (1, 2, 3, 4, 5, 7)}


# ── checkpoints ──────────────────────────────────────────────────────────────────────────────────────


def test_each_days_checkpoint_names_its_snapshots(whole: Path) -> None:
    for number, day in enumerate(days_of(whole), 1):
        lines = (whole / f"checkpoints/{number:06}.jsonl").read_bytes().splitlines()[2:]
        paths = {msgspec.json.decode(line)["path"] for line in lines}
        plays = day != CLOSED
        assert (f"days/{day}/{TABLE}.parquet" in paths) == plays
        named = {path for path in paths if "snapshots" in path}
        assert named == ({f"days/{day}/{TABLE}.snapshots.parquet"} if plays else set())


def test_where_the_key_is_another_by_now_a_snapshot_is_used_all_the_same(whole: Path, tmp_path: Path) -> None:
    archive = Path(shutil.copytree(whole, tmp_path / "archive"))
    house = houses.load("house.yaml", archive)
    keep_house(archive, (archive / "house.yaml").read_bytes() + b"# looked over\n", LONG_AFTER)
    (last,) = DayCloser(archive).close(house.house, keys.make(tmp_path / "b.key"), LONG_AFTER)
    assert last.body.key.encode() not in (archive / "checkpoints/000001.jsonl").read_bytes()
    kept = snapshots.from_start(whole, TABLE, house, MIDDLE)
    assert kept
    assert snapshots.from_start(archive, TABLE, house, MIDDLE) == kept


def test_what_the_next_checkpoint_does_not_name_makes_no_snapshot_good(whole: Path, tmp_path: Path) -> None:
    archive = Path(shutil.copytree(whole, tmp_path / "archive"))
    house = houses.load("house.yaml", archive)
    after = archive / "checkpoints/000006.jsonl"
    after.write_bytes(after.read_bytes().replace(b'"body":"', b'"body":"0', 1))
    own, before = (snapshots.from_start(whole, TABLE, house, each) for each in (MIDDLE, MIDDLE - DAY))
    assert own[0] != before[-1]
    assert snapshots.from_start(archive, TABLE, house, MIDDLE) == before[-1:]
