"""Records stored as the projector does it, hearing and writing at once."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Any

from projections.casework.alert_watch import CaseworkNews
from projections.engine.conclusion import Conclusion, Verdict
from projections.engine.findings import Finding
from projections.web.live.broadcaster import LiveFloor
from streams.messages import Result, encode
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter
from streams.topics import ROUNDS


def project_batch(storing: StoreWriter, cluster: str, records: Sequence[FetchedRecord]) -> int:
    """Write a batch; return how much was new."""
    return storing.write([storing.hear(cluster, records)])


DAY = date(2025, 3, 1)


def build_result(number: str, verdict: Verdict = "clean", *findings: Finding, **more: Any) -> Result:
    conclusion = Conclusion(
        table="BAC-101",
        round=number,
        gaming_date=DAY,
        chapter="631a",
        verdict=verdict,
        outcome="banker",
        expected=(),
        findings=findings,
        notes=(),
    )
    told = {
        "software": "1.0",
        "frame": "BAC-101#7",
        "received": 0,
        "judged": 0,
        "revision": 1,
        "conclusion": conclusion,
    }
    return Result(**(told | more))


def build_fetched_record(offset: int, value: Result | bytes, partition: int = 3) -> FetchedRecord:
    return FetchedRecord(ROUNDS, partition, offset, value if isinstance(value, bytes) else encode(value))


def read_event_stream(outgoing: bytes) -> list[tuple[str, Any]]:
    """Read text of an event stream as a browser does: the events and their data."""
    fields = [
        dict(line.split(b": ", 1) for line in each.splitlines()) for each in outgoing.split(b"\r\n\r\n")
    ]
    return [(each[b"event"].decode(), json.loads(each[b"data"])) for each in fields if b"event" in each]


def read_event(outgoing: bytes) -> tuple[str, Any]:
    (event, data), *_ = read_event_stream(outgoing)
    assert data.pop("text").endswith(".")
    assert data.pop("version")
    return event, data


class SilentDesk:
    """Listener to no news."""

    began = 0

    def first_events(self) -> list[tuple[str, str]]:
        """Send nothing."""
        return []

    def events_since(self, _news: CaseworkNews) -> list[tuple[str, str]]:
        """Send nothing."""
        return []


async def open_event_stream(live: LiveFloor) -> AsyncIterator[bytes]:
    stream = live.stream(SilentDesk())
    hello, floor, rate, _ = (await anext(stream)).split(b"\r\n\r\n")
    assert read_event(hello) == ("hello", {"state": live.state})
    assert hello.endswith(b"\r\nretry: 2000")
    assert floor.startswith(b"event: floor\r\n")
    assert rate.startswith(b"event: rate\r\n")
    return stream
