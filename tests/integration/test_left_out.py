"""A worker whose house file is at fault about one table: it says so and judges the others."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import msgspec
import pytest

from projections.engine.conclusion import canonical, id_of
from streams import log, topics
from streams.broker import HOST, LocalBroker
from streams.messages import Quarantined, read_quarantined, read_result
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.audited_floor import audit_floor
from tests.builders.live_floor import LiveFloor, records
from tests.integration.conftest import send

WRONG: Final = "BAC-102"
RIGHT: Final = "BAC-101"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played") / "floor"
    simulate(folder, tables=2, hours=0.5, seed="left out", rates=faults.rates(sensors=True))
    return folder


@pytest.fixture
def floor(broker: LocalBroker, tmp_path: Path) -> Iterator[LiveFloor]:
    with LiveFloor(tmp_path, broker=broker) as floor:
        floor.house.parent.mkdir()
        yield floor


def send_frames(floor: LiveFloor, played: Path, table: str, part: slice) -> None:
    (found,) = log.logs(played, table)
    payloads = [each.payload.rstrip() for each in found.records()][part]
    send(floor.broker, topics.FRAMES, [(table.encode(), payload) for payload in payloads])


def said(floor: LiveFloor) -> dict[tuple[str, int], bytes]:
    results = map(read_result, records(floor.broker.address, topics.ROUNDS))
    return {(id_of(each.conclusion), each.revision): canonical([each.conclusion]) for each in results}


def quarantine(floor: LiveFloor) -> list[Quarantined]:
    return [read_quarantined(each) for each in records(floor.broker.address, topics.QUARANTINE)]


def logged(floor: LiveFloor, event: str) -> list[dict[str, object]]:
    lines = (floor.folder / "log" / "worker-1.jsonl").read_bytes().splitlines()
    return [told for told in map(msgspec.json.decode, lines) if told.get("event") == event]


def test_the_other_tables_go_on_and_it_is_judged_when_the_file_is_mended(
    floor: LiveFloor, played: Path
) -> None:
    """Nothing more comes of the table after the mend: what was left out is judged all the same."""
    mended = (played / log.HOUSE).read_text()
    floor.house.write_text(mended.replace(f"{WRONG}:\n    chapter: 631a", f"{WRONG}:\n    chapter: '999'"))
    line = 1 + floor.house.read_text().splitlines().index("    chapter: '999'")
    expected = {
        (id_of(each.conclusion), each.revision): canonical([each.conclusion])
        for _, each in audit_floor(played)
    }
    of_right = {name: told for name, told in expected.items() if f"|{RIGHT}|" in name[0]}
    floor.start("worker-1")
    floor.wait("the mistake said, before any frame", lambda: bool(logged(floor, "table_left_out")))
    (error,) = logged(floor, "table_left_out")
    assert (error["level"], error["file"], error["line"]) == ("error", str(floor.house), line)
    assert (error["table"], error["submission"]) == (WRONG, None)
    send_frames(floor, played, WRONG, slice(None))
    send_frames(floor, played, RIGHT, slice(-1))
    floor.wait("all but one frame applied", floor.applied)
    metrics = httpx.get(f"http://{HOST}:{floor.ports['worker-1']}/metrics").text
    assert f'discardrack_table_left_out{{table="{WRONG}"}} 1.0' in metrics
    assert said(floor).items() <= of_right.items()
    (row,) = quarantine(floor)
    assert row.table == WRONG
    assert f"{floor.house}:{line}: unknown chapter '999'" in row.reason
    floor.stop("worker-1")
    floor.house.write_text(mended)
    floor.start("worker-1")
    floor.wait("the worker begun", lambda: len(logged(floor, "worker_started")) > 0)
    send_frames(floor, played, RIGHT, slice(-1, None))
    floor.wait("what was left out concluded", lambda: said(floor) == expected)
    assert len(quarantine(floor)) == 1
