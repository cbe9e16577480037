"""The gateway without Kafka: lines, envelopes, frames, tallies, the spool, and what is answered when."""

import asyncio
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from prometheus_client import REGISTRY
from structlog.testing import capture_logs
from structlog.typing import EventDict

from schemas.codec import decode
from schemas.errors import BadInput
from schemas.house import House, TableSetup
from schemas.senders import Senders
from streams.gateway.intake import MOST_BYTES, MOST_EVENTS, ClosedFrame, FrameBuilder, Intake, Mark
from streams.gateway.lines import LONGEST, Line, Lines, Position, Report, Tally, read
from streams.gateway.process import read_file
from streams.gateway.spool import SIZE, DiskFull, Spool, Spooled
from streams.messages import read_quarantined
from streams.topics import FRAMES, QUARANTINE
from tests.builders.full_disk import no_file_longer_than
from tests.builders.preloaded import begin

PATIENCE = 30.0  # seconds until a test is given up
TABLES = ("BAC-1", "BAC-2", "BAC-3")
# Events that cannot be read have no sender; these tables take them as they come.
ANYBODY = Senders(
    House(
        house="h",
        tables={name: TableSetup("631a", {"T-1": "terminal"}) for name in (*TABLES, "BAC-0", "NOWHERE", "T")},
    )
)


# ── lines ────────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.binary(max_size=20).filter(lambda text: b"\n" not in text)), st.data())
def test_lines_are_the_same_however_they_are_cut(texts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(text + b"\n" for text in texts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    lines = Lines()
    found = [each for a, b in pairwise([0, *cuts, len(stream)]) for each in lines.cut(stream[a:b])]
    assert [each.text for each in found] == texts
    assert [each.number for each in found] == list(range(1, len(texts) + 1))
    assert all(stream[each.end - 1 : each.end] == b"\n" for each in found)
    assert lines.rest() == []


def test_a_line_too_long_is_one_line_and_the_next_is_whole() -> None:
    lines = Lines()
    long = b"x" * (LONGEST + 1)
    found = lines.cut(long[:1000]) + lines.cut(long[1000:] + b"\nnext\n")
    assert [(each.number, each.is_whole, len(each.text)) for each in found] == [
        (1, False, LONGEST),
        (2, True, 4),
    ]
    assert [each.end for each in found] == [LONGEST + 2, LONGEST + 7]
    assert Lines().cut(b"x" * LONGEST + b"\n")[0].is_whole


# ── envelopes ────────────────────────────────────────────────────────────────────────────────────────


def report(text: bytes) -> Report:
    return read(Line(1, len(text) + 1, text))


def test_events_keep_the_bytes_that_came() -> None:
    found = report(b'{"table":"BAC-1","events":[ {"a" :  1.50,"b":"\\u00e9"} , [-7], "Ah"]}')
    assert [bytes(event) for event in found.events] == [b'{"a" :  1.50,"b":"\\u00e9"}', b"[-7]", b'"Ah"']
    assert found.v == 1


def test_a_frame_from_an_archive_is_a_report() -> None:
    found = report(b'\xef\xbb\xbf{"v":3,"table":"BAC-1","frame":17,"received":5,"events":[{}]}')
    assert (found.v, found.table, len(found.events)) == (3, "BAC-1", 1)


@pytest.mark.parametrize(
    "text",
    [
        b"no JSON",
        b"[]",
        b'{"events": []}',
        b'{"table": "", "events": []}',
        b'{"table": "BAC-1"}',
        b'{"table": "BAC-1", "events": {}}',
        b'{"table": "BAC-1", "events": [{]}',
        b'{"table": "BAC-1", "events": [], "note": 1}',
        b'{"table": "BAC-1", "events": ["\xff"]}',
        b'{"table": "BAC-1", "events": [' + b"[" * 100_000 + b"]" * 100_000 + b"]}",
    ],
    ids=["text", "list", "no table", "nameless", "no events", "events", "JSON", "more", "UTF-8", "deep"],
)
def test_what_has_no_envelope_is_refused(text: bytes) -> None:
    with pytest.raises(BadInput):
        report(text)


# ── frames ───────────────────────────────────────────────────────────────────────────────────────────

EVENTS = st.sampled_from(
    [b'{"event":"CardDrawn"}', b'{"event": "RoundClosed"}', b'"RoundClosed"', b'{"n": 1.0}', b"7"]
)
REPORTS = st.lists(
    st.tuples(
        st.sampled_from(TABLES),
        st.integers(1, 2),
        st.lists(EVENTS, min_size=1, max_size=6),
        st.integers(-300_000, 300_000),
    )
)


def framed(reports: list[tuple[str, int, list[bytes], int]]) -> list[ClosedFrame]:
    closing, now, closed = FrameBuilder(), 10**15, []
    tally = Tally("a device")
    for number, (table, v, events, later) in enumerate(reports, 1):
        now += later
        closed += closing.due(now)
        report = Report(table=table, v=v, events=[Raw(event) for event in events])
        closed += closing.add(report, Mark(tally, number), now)
    return closed + closing.close()


@given(REPORTS)
def test_frames_hold_every_event_in_order_and_to_the_byte(
    reports: list[tuple[str, int, list[bytes], int]],
) -> None:
    closed = framed(reports)
    for table in TABLES:
        told = [(v, event) for name, v, events, _ in reports if name == table for event in events]
        held = [(each.v, bytes(event)) for each in closed if each.table == table for event in each.events]
        assert held == told
    marked = sorted(mark.line for each in closed for mark in each.marks)
    assert marked == list(range(1, len(reports) + 1))


@given(REPORTS)
def test_a_frame_says_what_it_holds(reports: list[tuple[str, int, list[bytes], int]]) -> None:
    for number, each in enumerate(framed(reports), 1):
        events = b",".join(map(bytes, each.events)).decode()
        text = f'{{"v":{each.v},"table":"{each.table}","frame":{number},"received":{each.received},'
        assert each.payload(number).decode() == f'{text}"events":[{events}]}}'


def one(*events: bytes, v: int = 1) -> Report:
    return Report(table="BAC-1", v=v, events=[Raw(event) for event in events])


MARK = Mark(Tally("a device"), 1)
CLOSED = b'{"event":"RoundClosed","device":"T-1"}'
OPENED = b'{"event":"RoundOpened","device":"T-1"}'


def test_a_frame_closes_with_its_round() -> None:
    closing = FrameBuilder()
    assert closing.add(one(b"1"), MARK, 100) == []
    (closed,) = closing.add(one(b"2", CLOSED, b"3"), MARK, 200)
    assert (len(closed.events), closed.received, closed.ends_round) == (4, 200, True)
    assert closing.next_due() is None


def test_between_two_rounds_each_report_is_a_frame_at_once() -> None:
    closing = FrameBuilder()
    assert [len(each.events) for each in closing.add(one(CLOSED), MARK, 100)] == [1]
    assert [len(each.events) for each in closing.add(one(b"1", b"2"), MARK, 150)] == [2]
    elsewhere = Report(table="BAC-2", v=1, events=[Raw(b"1")])
    assert closing.add(elsewhere, MARK, 160) == []
    assert [each.ends_round for each in closing.add(one(b'{"event":"DevicesPolled"}'), MARK, 170)] == [False]
    assert closing.add(one(OPENED), MARK, 200) == []
    assert closing.add(one(b"3"), MARK, 300) == []
    assert [len(each.events) for each in closing.add(one(b"4", CLOSED, OPENED, b"5"), MARK, 400)] == [6]
    assert closing.add(one(b"6"), MARK, 500) == []


def test_a_frame_closes_a_quarter_of_a_second_after_its_first_report() -> None:
    closing = FrameBuilder()
    closing.add(one(b"1"), MARK, 1000)
    closing.add(one(b"2"), MARK, 200_000)
    assert closing.next_due() == 251_000
    assert closing.due(250_999) == []
    (closed,) = closing.due(251_000)
    assert (len(closed.events), closed.received, closed.ends_round) == (2, 200_000, False)


def test_a_clock_set_back_holds_no_frame_open() -> None:
    closing = FrameBuilder()
    closing.add(one(b"1"), MARK, 3_600_000_000)
    assert len(closing.due(1)) == 1


def test_a_frame_has_one_version_and_keeps_the_order() -> None:
    closing = FrameBuilder()
    closing.add(one(b"1"), MARK, 0)
    (first,) = closing.add(one(b"2", v=2), MARK, 1)
    (second,) = closing.close()
    assert [(each.v, bytes(each.events[0])) for each in (first, second)] == [(1, b"1"), (2, b"2")]


def test_a_frame_is_not_too_large() -> None:
    closing = FrameBuilder()
    (closed,) = closing.add(one(*[b"1"] * MOST_EVENTS), MARK, 0)
    assert len(closed.events) == MOST_EVENTS
    half = b"[" + b"0," * (MOST_BYTES // 4) + b"0]"
    assert closing.add(one(half), MARK, 0) == []
    (closed,) = closing.add(one(half), MARK, 1)
    assert (len(closed.events), closed.received) == (1, 0)


# ── tallies ──────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.sampled_from(TABLES), min_size=1), st.data())
def test_a_source_read_again_gives_each_line_once(tables: list[str], data: st.DataObject) -> None:
    """Frames of the tables close in any order, the gateway dies at any moment, and reads on from there."""
    kept: list[int] = []
    position = None
    for _ in range(3):
        tally = Tally("a file", "key", position)
        left = defaultdict(list)
        for number, table in enumerate(tables, 1):
            if number > tally.line and not tally.has(table, number):
                tally.note(number, 10 * number)
                left[table].append(number)
            elif number > tally.line:
                tally.note(number, 10 * number)
                tally.keep("", number)
        for table in data.draw(st.permutations(sorted(left))):
            for number in left[table][: data.draw(st.integers(0, len(left[table])))]:
                tally.keep(table, number)
                kept.append(number)
        position = tally.position()
        assert position.offset == 10 * position.line
        assert set(range(1, position.line + 1)) <= set(kept)
    assert len(kept) == len(set(kept))
    assert position == msgspec.json.decode(msgspec.json.encode(position), type=Position)


# ── the spool ────────────────────────────────────────────────────────────────────────────────────────


def record(number: int, received: int = 7, topic: str = FRAMES) -> Spooled:
    return Spooled(topic=topic, key="BAC-1", number=number, received=received, payload=b"%d!" % number)


def test_the_spool_outlives_its_gateway(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        assert [spool.next_number("BAC-1"), spool.next_number("BAC-1")] == [1, 2]
        spool.keep([record(1), record(2)], ["BAC-1"], {"a": Position(line=3, offset=30, beyond={"X": 5})})
        spool.next_number("BAC-1")  # given to a frame that never came to the disk
    with Spool(tmp_path) as spool:
        assert (spool.count, spool.size, spool.left) == (2, 4, 2)
        assert [each.payload for each in spool.next_records(0, 10)] == [b"1!", b"2!"]
        assert spool.next_number("BAC-1") == 3
        assert spool.position("a") == Position(line=3, offset=30, beyond={"X": 5})
        assert spool.position("b") is None


def test_a_removed_record_does_not_return_and_its_number_is_not_reused(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        spool.next_number("BAC-1")
        spool.keep([record(1), record(2)], ["BAC-1"], {})
        spool.drop(spool.next_records(0, 10))
        assert (spool.count, spool.size) == (0, 0)
    with Spool(tmp_path) as spool:
        spool.keep([record(3)], [], {})
        (left,) = spool.next_records(2, 10)
        assert (left.number, left.id) == (3, 3)


def test_another_record_takes_the_place_of_one(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        spool.keep([record(1), record(2), record(3)], [], {})
        first, *_ = spool.next_records(0, 10)
        spool.replace(first, record(100, topic=QUARANTINE))
        assert (spool.count, spool.size) == (3, 2 + 2 + 4)
    with Spool(tmp_path) as spool:
        left = [(each.id, each.topic, each.payload) for each in spool.next_records(0, 10)]
        assert left == [(2, FRAMES, b"2!"), (3, FRAMES, b"3!"), (4, QUARANTINE, b"100!")]
        assert (spool.count, spool.size) == (3, 8)


def test_a_frame_is_found_by_every_byte(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        spool.keep([record(1, received=9), record(2, received=8), record(1, 3, QUARANTINE)], [], {})
        assert (spool.oldest(2), spool.oldest(1), spool.oldest(0)) == (8, 9, None)
        found = spool.find("BAC-1", 1, 9, b"1!")
        assert found is not None
        assert found.id == 1
        assert spool.find("BAC-1", 1, 9, b"2!") is None
        assert spool.find("BAC-1", 1, 8, b"1!") is None
        assert spool.find("BAC-2", 1, 9, b"1!") is None


def test_one_gateway_a_spool(tmp_path: Path) -> None:
    with Spool(tmp_path), pytest.raises(BadInput, match="another gateway"):
        Spool(tmp_path)
    with Spool(tmp_path):
        pass


def test_what_is_no_spool_is_refused(tmp_path: Path) -> None:
    (tmp_path / "spool.sqlite").write_bytes(b"something else" * 100)
    with pytest.raises(BadInput, match="not a database"):
        Spool(tmp_path)


# ── the intake ───────────────────────────────────────────────────────────────────────────────────────


def line(number: int, text: bytes) -> Line:
    return Line(number, 100 * number, text)


def frames(spool: Spool) -> Iterator[tuple[str, int, list[Any]]]:
    for each in spool.next_records(0, 10_000):
        if each.topic == FRAMES:
            frame = json.loads(each.payload)
            yield frame["table"], frame["frame"], frame["events"]


def test_a_line_is_answered_when_it_and_all_before_it_are_kept(tmp_path: Path) -> None:
    async def talk() -> None:
        with Spool(tmp_path) as spool:
            intake = Intake(spool, "g", 10**6, lambda: None, ANYBODY)
            keeping = asyncio.create_task(intake.keep())
            answers: list[tuple[int, int]] = []
            tally = Tally("a device")
            intake.open(tally, lambda kept: answers.append((kept, spool.count)))
            intake.take(tally, line(1, b'{"table": "BAC-1", "events": [1]}'))
            intake.take(tally, line(2, b'{"table": "BAC-2", "events": [2, %b]}' % CLOSED))
            await intake.wait_for_space()
            await intake.wait_for_space()
            assert answers == [(0, 1)]
            intake.take(tally, line(3, b'{"table": "BAC-1", "events": [3, %b]}' % CLOSED))
            await intake.wait_for_space()
            await intake.wait_for_space()
            assert answers == [(0, 1), (3, 2)]
            keeping.cancel()
            closed = json.loads(CLOSED)
            assert list(frames(spool)) == [("BAC-2", 1, [2, closed]), ("BAC-1", 1, [1, 3, closed])]

    asyncio.run(talk())


def test_time_closes_a_frame_when_nothing_more_comes(tmp_path: Path) -> None:
    async def talk() -> None:
        with Spool(tmp_path) as spool:
            intake = Intake(spool, "g", 10**6, lambda: None, ANYBODY)
            keeping = asyncio.create_task(intake.keep())
            answered = asyncio.Event()
            tally = Tally("a device")
            intake.open(tally, lambda _: answered.set())
            intake.take(tally, line(1, b'{"table": "BAC-1", "events": [1]}'))
            await answered.wait()
            keeping.cancel()
            assert list(frames(spool)) == [("BAC-1", 1, [1])]

    asyncio.run(talk())


def test_what_cannot_be_read_is_quarantined_and_the_rest_goes_on(tmp_path: Path) -> None:
    async def talk() -> None:
        with Spool(tmp_path) as spool:
            intake = Intake(spool, "floor-2", 10**6, lambda: None, ANYBODY)
            tally = Tally("10.1.2.3:4000")
            intake.open(tally)
            intake.take(tally, line(1, b"\xff{"))
            intake.take(tally, line(2, b"  "))
            intake.take(tally, line(3, b'{"v": 9, "table": "NOWHERE", "events": [{"event": "Unknown"}, -5]}'))
            intake.take(tally, Line(4, 10**6, b"\x01" * LONGEST, is_whole=False))
            intake.finish()
            assert tally.line == 4
            first, second = (
                read_quarantined(each.payload)
                for each in spool.next_records(0, 10)
                if each.topic == QUARANTINE
            )
            assert (first.id, first.where) == (f"gateway/floor-2/{spool.born}/1", "10.1.2.3:4000, line 1")
            assert first.payload == "\N{REPLACEMENT CHARACTER}{"
            assert (second.id, second.where) == (f"gateway/floor-2/{spool.born}/2", "10.1.2.3:4000, line 4")
            assert second.reason.startswith("longer than 524288 bytes")
            # All under one key: the archive has one file a key.
            assert {each.key for each in spool.next_records(0, 10) if each.topic == QUARANTINE} == {
                "gateway/floor-2"
            }
            assert list(frames(spool)) == [("NOWHERE", 1, [{"event": "Unknown"}, -5])]
            assert max(len(each.payload) for each in spool.next_records(0, 10)) < 1_000_000

    asyncio.run(talk())


def test_a_frame_is_what_the_codec_reads(tmp_path: Path) -> None:
    async def talk() -> None:
        with Spool(tmp_path) as spool:
            intake = Intake(spool, "g", 10**6, lambda: None, ANYBODY)
            tally = Tally("a device")
            told = b'{"event":"DealerRelieved","device":"T-1","epoch":1,"seq":4,"at":9,"dealer":"D-7"}'
            intake.take(tally, line(1, b'{"table": "BAC-1", "events": [%b, {"event": "Xyz"}]}' % told))
            intake.finish()
            (kept,) = spool.next_records(0, 10)
            frame, unread = decode(kept.payload, "here")
            assert (frame.table, frame.frame, frame.received) == ("BAC-1", 1, kept.received)
            assert [(event.device, event.seq) for event in frame.events] == [("T-1", 4)]
            assert [each.payload for each in unread] == ['{"event": "Xyz"}']

    asyncio.run(talk())


def test_a_full_spool_stops_reading_until_it_has_room(tmp_path: Path) -> None:
    async def talk() -> None:
        with Spool(tmp_path) as spool:
            intake = Intake(spool, "g", 500, lambda: None, ANYBODY)
            keeping = asyncio.create_task(intake.keep())
            tally = Tally("a device")
            for number in range(1, 6):
                intake.take(tally, line(number, b'{"table": "BAC-1", "events": [%b]}' % CLOSED))
            waiting = asyncio.create_task(intake.wait_for_space())
            for _ in range(10):
                await asyncio.sleep(0)
            assert spool.size > 500
            assert not waiting.done()
            spool.drop(spool.next_records(0, 10))
            await waiting
            keeping.cancel()

    asyncio.run(talk())


def log_of(tmp_path: Path) -> Path:
    """Return the file of SQLite's log: what is written goes there first."""
    return tmp_path / "spool.sqlite-wal"


def test_a_full_disk_stops_reading_and_what_was_read_is_kept_once_it_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def talk() -> list[EventDict]:
        with Spool(tmp_path) as spool, capture_logs() as said:
            intake = Intake(spool, "g", 10**6, lambda: None, ANYBODY)
            answers: list[int] = []
            tally = Tally("a device")
            intake.open(tally, answers.append)
            keeping = asyncio.create_task(intake.keep())
            intake.take(tally, line(1, b'{"table": "BAC-1", "events": [1, %b]}' % CLOSED))
            await arrives(lambda: answers == [1])
            with no_file_longer_than(log_of(tmp_path).stat().st_size):
                intake.take(tally, line(2, b'{"table": "BAC-1", "events": [2, %b]}' % CLOSED))
                await arrives(lambda: "spool_full" in [each["event"] for each in said])
                waiting = asyncio.create_task(intake.wait_for_space())
                intake.take(tally, line(3, b'{"table": "BAC-2", "events": [3, %b]}' % CLOSED))
                intake.take(tally, line(4, b'{"table": "BAC-1", "events": [4, %b]}' % CLOSED))
                for _ in range(10):
                    await asyncio.sleep(0.01)
                with pytest.raises(BadInput, match="the disk is full"):
                    intake.finish()
                assert not waiting.done()
                assert (answers, spool.count, REGISTRY.get_sample_value("discardrack_spool_full")) == (
                    [1],
                    1,
                    1,
                )
            await waiting
            await arrives(lambda: answers[-1] == 4)
            keeping.cancel()
            assert REGISTRY.get_sample_value("discardrack_spool_full") == 0
        return said

    monkeypatch.setattr("streams.gateway.intake.RETRY", 0.01)
    monkeypatch.setattr("streams.gateway.intake._log", structlog.get_logger())
    said = asyncio.run(talk())
    assert [each["event"] for each in said if "spool" in each["event"]] == ["spool_full", "spool_drained"]
    with Spool(tmp_path) as spool:
        assert [(table, number, events[0]) for table, number, events in frames(spool)] == [
            ("BAC-1", 1, 1),
            ("BAC-1", 2, 2),
            ("BAC-2", 1, 3),
            ("BAC-1", 3, 4),
        ]


async def arrives(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110  the intake tells no one how far it is
            await asyncio.sleep(0.005)


def test_a_full_disk_gives_up_its_reserve_to_what_is_taken_out(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        spool.keep([record(1), record(2)], [], {})
        assert (tmp_path / "reserve").stat().st_size == SIZE
        with no_file_longer_than(log_of(tmp_path).stat().st_size):
            for _ in range(2):
                with pytest.raises(DiskFull):
                    spool.keep([record(3)], [], {})
            assert not (tmp_path / "reserve").exists()
        spool.drop(spool.next_records(0, 1))
        assert not (tmp_path / "reserve").exists()
        spool.keep([record(3)], [], {})
        assert (tmp_path / "reserve").stat().st_size == SIZE
        assert [each.number for each in spool.next_records(0, 10)] == [2, 3]


def test_room_in_the_spool_itself_is_used_while_the_disk_stays_full(tmp_path: Path) -> None:
    large = msgspec.structs.replace(record(1), payload=b"x" * (SIZE + 1))
    with Spool(tmp_path) as spool:
        spool.keep([large], [], {})
        with no_file_longer_than(log_of(tmp_path).stat().st_size):
            with pytest.raises(DiskFull):
                spool.keep([large, large], [], {})
            with pytest.raises(DiskFull):
                spool.keep([record(2)], [], {})
            spool.drop(spool.next_records(0, 1))
            spool.keep([record(2)], [], {})
            assert [each.number for each in spool.next_records(0, 10)] == [2]
        assert not (tmp_path / "reserve").exists()


def test_a_file_is_read_on_where_it_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "reports.jsonl"
    texts = [
        b'{"table": "BAC-%d", "events": [{"n": %d}%b]}'
        % (n % 3, n, b"," + CLOSED + b"," + OPENED if n % 7 == 0 else b"")
        for n in range(1, 40)
    ]
    file.write_bytes(b"\n".join(texts))  # the last line has no end

    async def take(*, to_the_end: bool) -> None:
        with Spool(tmp_path / "spool") as spool:
            intake = Intake(spool, "g", 10**6, lambda: None, ANYBODY)
            keeping = asyncio.create_task(intake.keep())
            await read_file(file, intake, spool)
            await asyncio.sleep(0)
            keeping.cancel()
            if to_the_end:
                intake.finish()

    asyncio.run(take(to_the_end=False))  # killed: what closed by itself is kept, the open frames are gone
    with Spool(tmp_path / "spool") as spool:
        begun = sum("n" in each for _, _, events in frames(spool) for each in events)
    asyncio.run(take(to_the_end=True))
    asyncio.run(take(to_the_end=True))
    with Spool(tmp_path / "spool") as spool:
        found = list(frames(spool))
    numbers = [each["n"] for _, _, events in found for each in events if "n" in each]
    assert 0 < begun < len(numbers)
    assert sorted(numbers) == list(range(1, 40))
    for name in ("BAC-0", "BAC-1", "BAC-2"):
        assert [number for table, number, _ in found if table == name] == list(
            range(1, 1 + sum(table == name for table, _, _ in found))
        )


def test_another_file_in_its_place_is_read_from_its_beginning(tmp_path: Path) -> None:
    file = tmp_path / "reports.jsonl"

    async def take() -> int:
        with Spool(tmp_path / "spool") as spool:
            intake = Intake(spool, "g", 10**6, lambda: None, ANYBODY)
            await read_file(file, intake, spool)
            intake.finish()
            return spool.count

    file.write_bytes(b'{"table": "BAC-1", "events": [1]}\n')
    assert asyncio.run(take()) == 1
    assert asyncio.run(take()) == 1
    file.write_bytes(b'{"table": "BAC-1", "events": [2]}\n{"table": "BAC-1", "events": [3]}\n')
    assert asyncio.run(take()) == 2


# ── the verb ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--tcp", "7070"], "not HOST:PORT"),
        (["--tcp", "127.0.0.1:70000"], "not HOST:PORT"),
        (["--file", "."], "is a directory"),
        (["--name", ""], "--name '' is no name"),
        (["--name", "floor\n2"], r"--name 'floor\n2' is no name"),
    ],
)
def test_a_wrong_call_is_one_line(tmp_path: Path, options: list[str], says: str) -> None:
    command = [
        str(Path(sys.executable).parent / "discardrack"),
        "gateway",
        "--house",
        "example",
        "--spool",
        str(tmp_path),
        *options,
    ]
    done = begin(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _, said = done.communicate()
    assert done.returncode == 2
    assert says in said
    assert said.count("\n") == 1
