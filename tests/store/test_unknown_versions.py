"""What the projector takes from Kafka: messages of a version that nobody knows are kept, and not believed."""

from pathlib import Path

import msgspec

from projections.store.store import Store
from streams.messages import Quarantined, encode
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter
from streams.topics import QUARANTINE
from tests.builders.projector import project_batch


def test_a_row_of_the_quarantine_of_an_unknown_version_is_one_that_cannot_be_read(tmp_path: Path) -> None:
    known = Quarantined(id="floor.frames/0/7", where="there", reason="truncated", payload="{", table="BAC-1")
    unknown = msgspec.structs.replace(known, v=2, id="floor.frames/0/8")
    batch = [FetchedRecord(QUARANTINE, 0, n, encode(each)) for n, each in enumerate((known, unknown))]
    with Store(tmp_path / "store.duckdb") as store:
        project_batch(StoreWriter(store, "America/New_York"), "A", batch)
        with store.reading() as reading:
            rows = reading.execute("SELECT id, reason, payload FROM quarantine ORDER BY id").fetchall()
    assert rows == [
        ("floor.frames/0/7", "truncated", "{"),
        (
            "floor.quarantine/0/1",
            "schema version 2 is unknown; this software reads 1",
            encode(unknown).decode(),
        ),
    ]
