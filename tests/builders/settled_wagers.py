"""Round records of wagers with their settlements, and how a page shows them."""

from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from projections.web.records.record_views import RecordView
from tests.builders.stores import read_record_view, store_records

ZONE: Final = "America/New_York"


IN_2011: Final = "2011-01-02T01:15:00Z"  # when the temporary regulations were in force


def settled_wager(seat: int, name: str, cents: int, gain: int, vigorish: int) -> dict[str, Any]:
    """Write a wager and how it was settled, as two fields of a record."""
    wager = {"seat": seat, "wager": name}
    return {
        "wagers": [wager | {"cents": cents}],
        "paid": [wager | {"cents": gain, "vigorish_cents": vigorish}],
    }


def join_wagers(*each: dict[str, Any]) -> dict[str, Any]:
    return {name: [wager for one_ in each for wager in one_[name]] for name in ("wagers", "paid")}


def view_record(folder: Path, told: dict[str, Any]) -> RecordView:
    day = datetime.fromisoformat(told["at"]).astimezone(ZoneInfo(ZONE)).date()
    return read_record_view(store_records(folder / "store.duckdb", told), "41", day=day)
