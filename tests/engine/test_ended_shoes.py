"""Which shoes have ended where a name comes again on another gaming day: what is shown, what stays hidden."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.casework.table_status import TableStatus, encode
from projections.engine.conclusion import Line
from projections.store.rows import StoredTableStatus
from projections.store.store import Store
from projections.web.bootstrap import load_console
from schemas.values import Micros, microseconds
from tests.builders.alerts import build_conclusion
from tests.builders.consoles import open_console
from tests.builders.round_records import BANKER, build_record, finding_ids
from tests.builders.stores import EVENING, RUN, store_records

# The 9 of spades went to the discard rack face down before the first card. $2.00 was taken for $1.85.
WRONG = build_record(
    [["discard", "9s"], *BANKER],
    shoe="112-01",
    announced="banker",
    wagers=[{"seat": 1, "wager": "banker", "cents": 3700}],
    paid=[{"seat": 1, "wager": "banker", "cents": 3700, "vigorish_cents": 285}],
)
NAME = finding_ids(WRONG)["vigorish_wrong"]
NEXT_DAY = "2025-01-02T18:{:02d}:00Z"  # 13:00 in New York, of the gaming date 2 January
SAME_DAY = "2025-01-02T03:{:02d}:00Z"  # 22:00 in New York, of the gaming date 1 January


def dealt(at: str, shoe: str, minutes: Sequence[int]) -> list[dict[str, Any]]:
    """Write rounds of a shoe, each opened in one of these minutes."""
    return [{**WRONG, "round": f"{at[8:13]}{each}", "shoe": shoe, "at": at.format(each)} for each in minutes]


def told(client: TestClient[Litestar]) -> tuple[str, bool, bool]:
    """Return the place of round 41, whether its shoe's strip is shown, and whether its discard is open."""
    page = client.get("/rounds/2025-01-01/BAC-7/41").text
    strip = client.get("/api/shoes/2025-01-01/BAC-7/112-01/cards").json()
    where = client.get(f"/api/alerts/{NAME}").json()["where"]
    assert strip["ended"] == ("9♠" in client.get("/shoes/2025-01-01/BAC-7/112-01/cards").text)
    return where["lies"], strip["ended"], "9 of spades" in page


@pytest.mark.parametrize(
    ("others", "lies"),
    [
        # Another shoe followed it that evening; today's first has its name.
        ([*dealt(SAME_DAY, "112-02", [0, 1]), *dealt(NEXT_DAY, "112-01", [0])], "over"),
        # Another began today, and after it one of its name.
        ([*dealt(NEXT_DAY, "112-09", [0, 1]), *dealt(NEXT_DAY, "112-01", [2, 3])], "over"),
        ([*dealt(SAME_DAY, "112-02", [0])], "over"),
        # In play as the gaming day changed, and still.
        ([*dealt(NEXT_DAY, "112-01", [0, 1])], "discarded"),
        # One round between was told of a wrong shoe.
        ([*dealt(SAME_DAY, "112-02", [0]), *dealt(NEXT_DAY, "112-01", [0, 1])], "discarded"),
        # It was in play before another was, and is again.
        ([*dealt(SAME_DAY, "112-02", [0, 1]), *dealt(SAME_DAY, "112-01", [2])], "discarded"),
    ],
)
def test_a_shoe_is_over_when_another_followed_it_and_not_because_a_day_did(
    tmp_path: Path, others: list[dict[str, Any]], lies: str
) -> None:
    with open_console(store_records(tmp_path / "s.duckdb", WRONG, *others)) as client:
        assert told(client) == (lies, lies == "over", lies == "over")


def test_a_shoe_loaded_on_a_later_day_is_another_one_whatever_its_name(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", WRONG, *dealt(NEXT_DAY, "112-01", [0]))
    on = load_console(path)
    on.live.tables["BAC-7"] = TableStatus(
        shoe="112-01", loaded=microseconds(datetime.fromisoformat("2025-01-02T17:59:00Z"))
    )
    with open_console(path, on=on) as client:
        assert client.get(f"/api/alerts/{NAME}").json()["where"] == {
            "lies": "over",
            "says": "Shoe 112-01 is over: its cards are out of play.",
        }


# ── the table closed ─────────────────────────────────────────────────────────────────────────────────


def of_evening(minute: int) -> Micros:
    """Return a moment of the evening; round 41 was opened at 20:15 in New York, which is 01:15 UTC."""
    return microseconds(datetime.fromisoformat(f"2025-01-02T01:{minute:02d}:00+00:00"))


def counted(path: Path, occasion: str, minute: int) -> None:
    line = Line(name=f"listing_{occasion}", of="TI-2", cents=0, at=of_evening(minute))
    account = build_conclusion(
        None, table="BAC-7", account="inventory", chapter="465a", gaming_date=EVENING, lines=(line,)
    )
    with Store(path) as store:
        store.write(RUN, [(None, account, 1)])


@pytest.mark.parametrize(
    ("occasion", "minute", "lies"),
    [
        ("closing", 16, "over"),
        # A table that stays open is counted too.
        ("drop", 16, "layout"),
        ("shift", 16, "layout"),
        # Before its last round the shoe was not over, whatever was counted.
        ("closing", 14, "layout"),
    ],
)
def test_a_shoe_is_over_when_the_inventory_was_counted_for_the_closing_after_its_last_round(
    tmp_path: Path, occasion: str, minute: int, lies: str
) -> None:
    path = store_records(tmp_path / "s.duckdb", WRONG)
    counted(path, occasion, minute)
    with open_console(path) as client:
        assert told(client) == (lies, lies == "over", lies == "over")


def test_after_the_closing_the_next_day_begins_another_shoe_whatever_its_name(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", WRONG, *dealt(NEXT_DAY, "112-01", [0, 1]))
    counted(path, "closing", 16)
    with open_console(path) as client:
        assert told(client) == ("over", True, True)
        today = client.get("/api/shoes/2025-01-02/BAC-7/112-01/cards").json()
    assert (today["ended"], today["rounds"]) == (False, [])


def test_a_closing_count_that_its_shoe_was_dealt_on_after_ends_nothing(tmp_path: Path) -> None:
    # 20:30 in New York, of the same gaming date.
    path = store_records(tmp_path / "s.duckdb", WRONG, *dealt("2025-01-02T01:{:02d}:00Z", "112-01", [30]))
    counted(path, "closing", 16)
    with open_console(path) as client:
        assert told(client) == ("discarded", False, False)


@pytest.mark.parametrize(
    ("standing", "lies"),
    [
        (TableStatus(open=False, since=of_evening(17), shoe="112-01"), "over"),
        (TableStatus(open=True, since=of_evening(10), shoe="112-01"), "layout"),
        # It was closed before the round: as of the day before.
        (TableStatus(open=False, since=of_evening(10)), "layout"),
    ],
)
def test_without_ledgers_a_shoe_is_over_when_the_table_is_known_to_have_closed(
    tmp_path: Path, standing: TableStatus, lies: str
) -> None:
    path = store_records(tmp_path / "s.duckdb", WRONG)
    with Store(path) as store:
        store.write_batch({}, standings=[StoredTableStatus("A", "BAC-7", encode(standing).decode())])
    with open_console(path) as client:
        assert told(client) == (lies, lies == "over", lies == "over")
