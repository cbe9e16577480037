"""A worker's tables: each record is applied once, whatever is delivered again; each bad frame is one row."""

import warnings
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.engine.audit.table_audit import Concluded, TableAudit
from projections.engine.conclusion import canonical, id_of
from projections.store.store import Store
from schemas import house as houses
from schemas.codec import Frame, decode, encode
from schemas.house import House, Submission
from schemas.ledgers import ChipsCashed
from schemas.plugins import CHECKS, Plugin
from streams import log
from streams.messages import Quarantined, Result
from streams.messages import encode as encode_result
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter
from streams.simulator import faults
from streams.simulator.simulate import simulate
from streams.topics import ROUNDS
from streams.worker.deliveries import Record
from streams.worker.tables import Drain, Gap, Tables
from tests.builders.projector import project_batch
from tests.builders.strategies import STEADY
from tests.builders.thoroughness import examples

AnyEvent: TypeAlias = dict[tuple[str, int], bytes]  # round and revision -> the conclusion's bytes

HOURS: Final = 0.5


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, list[Record]]:
    """Play one table for half an hour, with failing sensors; its records stand at each tenth offset."""
    folder = tmp_path_factory.mktemp("floor")
    simulate(folder, tables=1, hours=HOURS, seed="tables", rates=faults.rates(sensors=True))
    house = houses.load(log.HOUSE, folder)
    (played,) = (each for each in log.logs(folder) if each.name in house.tables)
    records = [
        Record(3, 10 * n, played.name, line.rstrip())
        for n, line in ((each.number, each.payload) for each in played.records())
    ]
    return house, records


@pytest.fixture(scope="module")
def audited(floor: tuple[House, list[Record]]) -> AnyEvent:
    """Return what the embedded audit concludes of all records."""
    return embedded(*floor)


def tables(house: House, stored: dict[str, str]) -> Tables:
    return Tables(house, stored, "test", lambda: 0)


def apply(worker: Tables, records: Iterable[Record], *, again: bool = False) -> None:
    """Apply records with none missing before them."""
    assert [gap for record in records if (gap := worker.take(record, again=again)) is not None] == []


def states(worker: Tables) -> dict[str, str]:
    """Return what a worker keeps of its tables."""
    return {name: state for name, _, state in worker.states()}


def only_row(worker: Tables, house: House, records: Sequence[Record]) -> Quarantined:
    """Return the only bad frame; all the records were applied as if it had not been."""
    drained = worker.drain()
    (row,) = drained.quarantined
    assert told(drained.results) == embedded(house, records)
    return row


def told(results: Sequence[tuple[int, Result]]) -> AnyEvent:
    assert {partition for partition, _ in results} <= {3}
    return {(id_of(each.conclusion), each.revision): canonical([each.conclusion]) for _, each in results}


def embedded(house: House, records: Sequence[Record]) -> AnyEvent:
    """Audit the records in one go, without anything of the live road."""
    audit = TableAudit(records[0].key, house)
    concluded: list[Concluded] = []
    for record in records:
        concluded += audit.feed(decode(record.payload, "")[0].events)
    return told_of(concluded)


def told_of(concluded: Sequence[Concluded]) -> AnyEvent:
    return {(id_of(each.conclusion), each.revision): canonical([each.conclusion]) for each in concluded}


def renumbered(record: Record, **changes: object) -> Record:
    """Return a record with the envelope of its frame changed."""
    frame = msgspec.json.decode(record.payload)
    return msgspec.structs.replace(record, payload=msgspec.json.encode(frame | changes))


def test_what_is_drained_is_what_the_audit_concludes(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    worker = tables(house, {})
    apply(worker, records)
    drained = worker.drain()
    assert told(drained.results) == embedded(house, records)
    assert len(drained.results) > 10
    assert drained.quarantined == []
    assert drained.events == sum(len(decode(record.payload, "")[0].events) for record in records)


def test_a_fault_of_a_plugin_goes_with_the_results_of_its_tables(
    floor: tuple[House, list[Record]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the error says of a round, which may name somebody, stays in the log."""
    house, records = floor
    monkeypatch.setattr("schemas.plugins._FAULTS", {})
    harbor = Plugin(CHECKS, "harbor", "harbor.whole_chips", "harbor-rules 1.0")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        harbor.warn("is left out: does not load")
        harbor.warn("fails: KeyError", "'dana'", records[0].key)
        harbor.warn("fails: TypeError", "no 'dana'", "BAC-999")
        harbor.warn("fails: TypeError", "no 'dana'", "BAC-998")
    assert ["dana" in str(each.message) for each in warned] == [False, True, True]
    worker = tables(house, {})
    apply(worker, records)
    assert {each.plugin_faults for _, each in worker.drain().results} == {
        (
            "harbor-rules 1.0: discardrack.checks harbor is left out: does not load",
            "harbor-rules 1.0: discardrack.checks harbor fails: KeyError",
        )
    }


# A worker's life: records taken, whether it was killed before its state was kept, records delivered again.
LIVES: Final = st.lists(
    st.tuples(st.integers(0, 200), st.booleans(), st.integers(0, 100)), min_size=1, max_size=6
)


@settings(STEADY, max_examples=examples(60, 200))
@given(lives=LIVES)
def test_killed_anywhere_and_begun_again_nothing_differs(
    floor: tuple[House, list[Record]], audited: AnyEvent, lives: list[tuple[int, bool, int]]
) -> None:
    """Results are sent before the state, the state before the acknowledgement: no state lies too far back."""
    house, records = floor
    stored: dict[str, str] = {}
    heard: AnyEvent = {}
    acknowledged = 0
    for taken, killed, again in [*lives, (len(records), False, 0)]:
        worker = tables(house, stored)
        upto = acknowledged + taken
        apply(worker, records[max(0, acknowledged - again) : upto])
        sent = told(worker.drain().results)
        assert sent == {name: heard.get(name, said) for name, said in sent.items()}
        heard |= sent
        if not killed:
            stored |= states(worker)
            acknowledged = upto
    assert heard == audited


def test_a_state_older_than_what_was_committed_asks_for_what_lies_between(
    floor: tuple[House, list[Record]],
) -> None:
    house, records = floor
    worker = tables(house, {})
    apply(worker, records[:100])
    stored = states(worker)
    heard = told(worker.drain().results)
    worker = tables(house, stored)
    gap = worker.take(records[300])
    assert gap == Gap(records[0].key, 3, records[99].offset, records[300].offset)
    assert worker.drain().results == []
    apply(worker, records[100:300], again=True)
    assert worker.take(records[300], again=True) is None
    apply(worker, records[301:])
    drained = worker.drain()
    assert heard | told(drained.results) == embedded(house, records)
    assert drained.quarantined == []


def test_a_state_of_another_form_is_folded_again_from_the_beginning(
    floor: tuple[House, list[Record]],
) -> None:
    house, records = floor
    for state in ("{}", '{"form":', '{"form":"of old","partition":3,"offset":990,"frame":100,"progress":{}}'):
        worker = tables(house, {records[0].key: state})
        assert worker.take(records[100]) == Gap(records[0].key, 3, -1, records[100].offset)


def test_a_log_that_was_begun_again_is_not_taken_for_what_was_applied(
    floor: tuple[House, list[Record]],
) -> None:
    """The state is at offset 1000 of a log that is no more; the frames go on at offset 0 of another."""
    house, records = floor
    worker = tables(house, {})
    apply(worker, records[:100])
    stored = states(worker)
    heard = told(worker.drain().results)
    worker = tables(house, stored)
    anew = [msgspec.structs.replace(record, offset=n) for n, record in enumerate(records[100:])]
    assert worker.take(anew[0]) == Gap(records[0].key, 3, -1, 0)
    for record in records[:100]:  # from the archive
        assert worker.take(msgspec.structs.replace(record, cluster="gone"), again=True) is None
    assert worker.take(anew[0], again=True) is None
    apply(worker, anew[1:])
    drained = worker.drain()
    assert heard | told(drained.results) == embedded(house, records)
    assert drained.quarantined == []


def after_a_hole(house: House, records: Sequence[Record], stored: dict[str, str]) -> list[tuple[int, Result]]:
    """Apply records with lost ones before them; return the conclusions."""
    worker = tables(house, stored)
    if worker.take(records[0]) is not None:
        worker.take(records[0], again=True)
    apply(worker, records[1:])
    stored |= states(worker)
    return worker.drain().results


def test_a_conclusion_after_a_gap_replaces_the_one_before_in_the_store(
    floor: tuple[House, list[Record]], tmp_path: Path
) -> None:
    house, records = floor
    half = len(records) // 2
    before = after_a_hole(house, records, {})
    after = after_a_hole(house, records[half:], {})
    with Store(tmp_path / "store.duckdb") as store:
        for results in (before, after):
            values = [FetchedRecord(ROUNDS, 3, n, encode_result(each)) for n, (_, each) in enumerate(results)]
            assert project_batch(StoreWriter(store, "UTC"), "A", values) == len(results)
        (run,) = store.runs()
        held = {id_of(each): canonical([each]) for each in store.conclusions(run.run)}
    latest = [
        {id_of(each.conclusion): canonical([each.conclusion]) for _, each in results}
        for results in (before, after)
    ]
    assert held == latest[0] | latest[1]
    assert any(latest[0][name] != said for name, said in latest[1].items()), "nothing differs"


def test_after_a_hole_a_crash_repeats_the_same_revisions(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    half, later = len(records) // 2, len(records) * 3 // 4
    stored: dict[str, str] = {}
    whole = told(after_a_hole(house, records[half:], {}))
    first = told(after_a_hole(house, records[half:later], stored))
    assert first | told(after_a_hole(house, records[later:], stored)) == whole
    assert first.items() <= whole.items()


def test_a_state_that_another_worker_wrote_meanwhile_is_taken_up(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    stored: dict[str, str] = {}
    first, second = tables(house, stored), tables(house, stored)
    apply(first, records[:50])
    stored |= states(first)
    heard = told(first.drain().results)
    apply(second, records[50:200])
    stored |= states(second)
    heard |= told(second.drain().results)
    apply(first, records[200:])
    assert heard | told(first.drain().results) == embedded(house, records)


def bad(record: Record, name: str) -> Record:
    """Return a bad record in the place of a good one."""
    event = {"event": "CardDrawn", "device": "S-101", "epoch": 1, "seq": 1, "at": 1, "round": "1"}
    events = {
        "unknown event type": [{**event, "event": "CardEaten"}],
        "card that cannot exist": [{**event, "hand": "player", "card": "1x"}],
        "negative amount": [{**event, "event": "ChipsBought", "seat": 1, "cents": -5}],
    }
    payloads = {
        "malformed": b'{"v":1,"table":',
        "not UTF-8": b'{"v":1,"table":"\xff"}',
        "empty": b"",
        "nested too deep": b'{"v":1,"table":"BAC-101","frame":1,"received":1,"events":[' + b"[" * 5000,
    }
    if name in events:
        return renumbered(record, events=events[name])
    if name in payloads:
        return msgspec.structs.replace(record, payload=payloads[name])
    if name == "unknown schema version":
        return renumbered(record, v=99)
    if name == "unknown table":
        return renumbered(msgspec.structs.replace(record, key="BAC-999"), table="BAC-999")
    if name == "another table's key":
        return msgspec.structs.replace(record, key="BAC-999")
    assert name == "no key"
    return msgspec.structs.replace(record, key="")


REASONS: Final = {
    "malformed": "not a frame",
    "not UTF-8": "not a frame",
    "empty": "not a frame",
    "nested too deep": "not a frame",
    "unknown event type": "CardEaten",
    "unknown schema version": "schema version 99 is unknown",
    "card that cannot exist": "1x",
    "negative amount": "cents",
    "unknown table": "'BAC-999' is not in the house file",
    "another table's key": "under the key 'BAC-999'",
    "no key": "under the key ''",
}


TABLE_OF: Final = {"unknown table": "BAC-999", "another table's key": "BAC-101", "no key": "BAC-101"}


@pytest.mark.parametrize("name", REASONS)
def test_each_bad_frame_is_one_row_and_all_others_are_applied(
    floor: tuple[House, list[Record]], name: str
) -> None:
    """The bad record stands between two good ones; where its number can be read, they go on from it."""
    house, records = floor
    worker = tables(house, {})
    poison = bad(msgspec.structs.replace(records[40], offset=records[40].offset - 5), name)
    if name in {"unknown event type", "unknown schema version", "card that cannot exist", "negative amount"}:
        poison = renumbered(poison, frame=41)
        records = [*records[:40], *(_shifted(record) for record in records[40:])]
    apply(worker, [*records[:40], poison, *records[40:]])
    row = only_row(worker, house, records)
    assert REASONS[name] in row.reason
    assert row.where == f"floor.frames/3/{poison.offset}"
    assert row.payload in poison.payload.decode(errors="replace")
    assert row.table == TABLE_OF.get(name, records[40].key if "event" in row.id else None)


def _shifted(record: Record) -> Record:
    return renumbered(record, frame=decode(record.payload, "")[0].frame + 1)


def test_a_doubled_frame_number_is_one_row_and_changes_nothing(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    worker = tables(house, {})
    doubled = msgspec.structs.replace(records[39], offset=records[39].offset + 5)
    taken = [worker.take(record) for record in [*records[:40], doubled]]
    assert taken == [None] * 40 + [Gap(doubled.key, 3, records[39].offset, doubled.offset)]
    assert worker.take(doubled, again=True) is None
    apply(worker, records[40:])
    row = only_row(worker, house, records)
    assert "frame 40 of table BAC-101 came again" in row.reason


def test_a_skipped_frame_number_is_one_row_and_the_rest_is_applied(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    worker = tables(house, {})
    apply(worker, records[:40])
    rest = [_shifted(record) for record in records[40:]]
    assert isinstance(worker.take(rest[0]), Gap)
    assert worker.take(rest[0], again=True) is None
    apply(worker, rest[1:])
    row = only_row(worker, house, records)
    assert "frame 41 of table BAC-101 did not come before frame 42" in row.reason


def test_a_gateway_that_numbers_again_is_one_row(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    worker = tables(house, {})
    anew = [renumbered(record, frame=n) for n, record in enumerate(records[40:], 1)]
    apply(worker, records[:40])
    worker.take(anew[0])
    worker.take(anew[0], again=True)
    apply(worker, anew[1:])
    row = only_row(worker, house, records)
    assert "numbers anew" in row.reason


def test_an_event_of_a_device_that_is_not_the_table_s_is_one_row(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    worker = tables(house, {})
    stranger = {"event": "CardBurned", "device": "S-999", "epoch": 1, "seq": 1, "at": 1, "card": "2s"}
    frame = msgspec.json.decode(records[0].payload)
    first = renumbered(records[0], events=[*frame["events"], stranger])
    apply(worker, [first, *records[1:]])
    row = only_row(worker, house, records)
    assert "S-999" in row.reason
    assert row.table == "BAC-101"


def test_records_sent_to_a_replaced_cluster_are_taken_whatever_their_offsets(
    floor: tuple[House, list[Record]],
) -> None:
    house, records = floor
    worker = tables(house, {})
    gone = [
        msgspec.structs.replace(record, cluster="gone", offset=90_000 + n) for n, record in enumerate(records)
    ]
    apply(worker, gone[:100], again=True)
    for n, record in enumerate(records[100:]):
        assert worker.take(msgspec.structs.replace(record, offset=n)) is None
    drained = worker.drain()
    assert told(drained.results) == embedded(house, records)
    assert drained.quarantined == []


def test_a_snapshot_is_taken_up_in_the_place_of_what_came_before_it(
    floor: tuple[House, list[Record]],
) -> None:
    house, records = floor
    audit = TableAudit(records[0].key, house)
    before: list[Concluded] = []
    for record in records[:100]:
        before += audit.feed(decode(record.payload, "")[0].events)
    worker = tables(house, {})
    gap = worker.take(records[300])
    assert isinstance(gap, Gap)
    worker.restore(gap, records[99].offset, 100, msgspec.json.encode(audit.progress).decode())
    apply(worker, records[95:], again=True)
    after = told(worker.drain().results)
    whole = embedded(house, records)
    assert after == {name: said for name, said in whole.items() if name not in told_of(before)}


def test_a_table_that_left_the_house_file_holds_nothing_up(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    worker = tables(house, {"BAC-999": '{"form":"of old","partition":7,"offset":5}'})
    apply(worker, records)
    assert told(worker.drain().results) == embedded(house, records)


def at_fault(house: House, mistake: str) -> House:
    """Return a house file with one mistake about its table."""
    (name, setup), *_ = house.tables.items()
    wrong = {
        "no terminal": {device: read for device, read in setup.sources.items() if read != "terminal"},
        "two shoes": {**setup.sources, "S-999": "shoe"},
    }
    options = {"option out of range": {"tie_odds": 7}, "unknown option": {"tie_odd": 9}, "later": {"ez": 3}}
    if mistake in options:
        since = date(2099, 1, 1) if mistake == "later" else date(2020, 1, 1)
        submission = Submission(since, setup.chapter, options[mistake], [name])
        return replace(house, submissions=[*house.submissions, submission])
    changes: dict[str, Any] = (
        {"sources": wrong[mistake]}
        if mistake in wrong
        else {"unknown chapter": {"chapter": "999"}, "wrong decks": {"decks": 5}}[mistake]
    )
    return replace(house, tables={**house.tables, name: replace(setup, **changes)})


MISTAKES: Final = (
    "no terminal", "two shoes", "option out of range", "unknown option", "later", "unknown chapter",
    "wrong decks",
)  # fmt: skip


def owed(worker: Tables, records: Sequence[Record]) -> None:
    """Make a worker read again what is owed, from all existing records."""
    for gap in worker.owed({3}):
        apply(worker, [each for each in records if gap.after < each.offset < gap.before], again=True)
        worker.take_up(gap)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_table_at_fault_in_the_house_file_is_left_out_and_judged_when_it_is_mended(
    floor: tuple[House, list[Record]], mistake: str
) -> None:
    """It is reported once, in one row, though the worker is begun again; nothing of it is lost."""
    house, records = floor
    stored: dict[str, str] = {}
    heard: AnyEvent = {}
    rows: list[Quarantined] = []
    for worker, part in (
        (tables(house, stored), records[:100]),
        (tables(at_fault(house, mistake), stored), records[100:200]),
        (tables(at_fault(house, mistake), stored), records[200:300]),
        (tables(house, stored), records[300:]),
    ):
        owed(worker, records)
        apply(worker, part)
        drained = worker.drain()
        assert bool(drained.results) is (not drained.quarantined)
        heard |= told(drained.results)
        rows += drained.quarantined
        stored |= states(worker)
    assert heard == embedded(house, records)
    assert len({row.id for row in rows}) == 1
    assert [row.where for row in rows] == [records[100].place, records[200].place]
    assert {row.table for row in rows} == {records[0].key}


@pytest.mark.parametrize("first", [0, 100])
def test_what_was_left_out_is_judged_though_nothing_more_comes(
    floor: tuple[House, list[Record]], first: int
) -> None:
    house, records = floor
    stored: dict[str, str] = {}
    before = tables(house, stored)
    apply(before, records[:first])
    stored |= states(before)
    at_rest = tables(at_fault(house, "unknown chapter"), stored)
    apply(at_rest, records[first:])
    assert at_rest.owed({3}) == []
    stored |= states(at_rest)
    mended = tables(house, stored)
    assert mended.owed({2}) == []
    after = records[first - 1].offset if first else -1
    assert mended.owed({3}) == [Gap(records[0].key, 3, after, records[-1].offset + 1)]
    owed(mended, records)
    assert mended.taken_up() == [records[0].key]
    assert mended.owed({3}) == []
    assert told(before.drain().results) | told(mended.drain().results) == embedded(house, records)
    stored |= states(mended)
    assert tables(house, stored).owed({3}) == []


def test_the_first_frame_after_the_mend_asks_for_what_was_left_out(
    floor: tuple[House, list[Record]],
) -> None:
    house, records = floor
    stored: dict[str, str] = {}
    worker = tables(at_fault(house, "unknown option"), stored)
    apply(worker, records[:300])
    stored |= states(worker)
    mended = tables(house, stored)
    assert mended.take(records[300]) == Gap(records[0].key, 3, -1, records[300].offset)
    apply(mended, records[:300], again=True)
    apply(mended, records[300:])
    assert told(mended.drain().results) == embedded(house, records)
    assert mended.owed({3}) == []


def test_the_tables_beside_one_that_is_at_fault_are_judged(floor: tuple[House, list[Record]]) -> None:
    house, records = floor
    other = replace(house.tables[records[0].key], chapter="999")
    worker = tables(replace(house, tables={**house.tables, "BAC-999": other}), {})
    apply(worker, [replace(records[0], offset=-1, key="BAC-999"), *records])
    row = only_row(worker, house, records)
    assert (row.table, row.payload) == ("BAC-999", "")
    assert "unknown chapter '999'" in row.reason


def test_a_frame_is_sent_as_it_is_read() -> None:
    """The two ends of the road agree on what a frame is."""
    frame = Frame(v=1, table="BAC-1", frame=1, received=5, events=[])
    assert decode(encode(frame), "")[0] == frame


def test_a_ledger_s_frame_is_passed_over() -> None:
    kept = House(house="floor", ledgers={"cage": ["CG-1"]})
    entry = ChipsCashed(device="CG-1", epoch=1, seq=1, at=0, cents=2500)
    frame = encode(Frame(v=1, table="cage", frame=7, received=0, events=[entry]))
    worker = tables(kept, {})
    apply(worker, [Record(2, 40, "cage", frame)])
    assert (worker.drain(), states(worker)) == (Drain([], [], 0), {})
    strange = tables(House(house="floor"), {})
    apply(strange, [Record(2, 40, "cage", frame)])
    (row,) = strange.drain().quarantined
    assert row.reason == "floor.frames/2/40: table 'cage' is not in the house file of floor"
