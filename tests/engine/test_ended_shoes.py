"""Which shoes have ended where a name comes again on another gaming day: what is shown, what stays hidden."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.casework.table_status import TableStatus, encode
from projections.engine.conclusion import Line
from projections.store.rows import StoredTableStatus
from projections.store.store import Entry, Store
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
NEXT_DAY = "2025-01-02T18:{:02d}:00Z"  # 13:00 in New York, of the gaming date 2 January
SAME_DAY = "2025-01-02T03:{:02d}:00Z"  # 22:00 in New York, of the gaming date 1 January


def dealt(at: str, shoe: str, minutes: Sequence[int]) -> list[dict[str, Any]]:
    """Write rounds of a shoe, each opened in one of these minutes."""
    return [{**WRONG, "round": f"{at[8:13]}{each}", "shoe": shoe, "at": at.format(each)} for each in minutes]


def of_evening(minute: int) -> Micros:
    """Return a moment of the evening; round 41 was opened at 20:15 in New York, which is 01:15 UTC."""
    return microseconds(datetime.fromisoformat(f"2025-01-02T01:{minute:02d}:00+00:00"))


def counted(table: str, occasion: str, minute: int) -> Entry:
    """Conclude an inventory that was counted in the evening."""
    line = Line(name=f"listing_{occasion}", of="TI-2", cents=0, at=of_evening(minute))
    account = build_conclusion(
        None, table=table, account="inventory", chapter="465a", gaming_date=EVENING, lines=(line,)
    )
    return None, account, 1


# What else came of a table than round 41, by the table's name; a console has all of them.
FOLLOWED: Final = {
    # Another shoe followed it that evening; today's first has its name.
    "F-1": ([*dealt(SAME_DAY, "112-02", [0, 1]), *dealt(NEXT_DAY, "112-01", [0])], "over"),
    # Another began today, and after it one of its name.
    "F-2": ([*dealt(NEXT_DAY, "112-09", [0, 1]), *dealt(NEXT_DAY, "112-01", [2, 3])], "over"),
    "F-3": ([*dealt(SAME_DAY, "112-02", [0])], "over"),
    # In play as the gaming day changed, and still.
    "F-4": ([*dealt(NEXT_DAY, "112-01", [0, 1])], "discarded"),
    # One round between was told of a wrong shoe.
    "F-5": ([*dealt(SAME_DAY, "112-02", [0]), *dealt(NEXT_DAY, "112-01", [0, 1])], "discarded"),
    # It was in play before another was, and is again.
    "F-6": ([*dealt(SAME_DAY, "112-02", [0, 1]), *dealt(SAME_DAY, "112-01", [2])], "discarded"),
}
COUNTED: Final = {
    "C-1": ("closing", 16, "over"),
    # A table that stays open is counted too.
    "C-2": ("drop", 16, "layout"),
    "C-3": ("shift", 16, "layout"),
    # Before its last round the shoe was not over, whatever was counted.
    "C-4": ("closing", 14, "layout"),
}
CLOSED: Final = {
    "next day": dealt(NEXT_DAY, "112-01", [0, 1]),
    "dealt on": dealt(
        "2025-01-02T01:{:02d}:00Z", "112-01", [30]
    ),  # 20:30 in New York, of the same gaming date
}
STANDING: Final = {
    "S-1": (TableStatus(open=False, since=of_evening(17), shoe="112-01"), "over"),
    "S-2": (TableStatus(open=True, since=of_evening(10), shoe="112-01"), "layout"),
    # It was closed before the round: as of the day before.
    "S-3": (TableStatus(open=False, since=of_evening(10)), "layout"),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    path = tmp_path_factory.mktemp("ended") / "s.duckdb"
    rounds = {table: others for table, (others, _) in FOLLOWED.items()} | CLOSED
    rounds |= {table: [] for table in (*COUNTED, *STANDING)}
    store_records(
        path, *({**each, "table": table} for table, others in rounds.items() for each in (WRONG, *others))
    )
    with Store(path) as store:
        counts = [counted(table, occasion, minute) for table, (occasion, minute, _) in COUNTED.items()]
        store.write(RUN, [*counts, *(counted(table, "closing", 16) for table in CLOSED)])
        store.write_batch(
            {},
            standings=[
                StoredTableStatus("A", table, encode(standing).decode())
                for table, (standing, _) in STANDING.items()
            ],
        )
    with open_console(path) as opened:
        yield opened


def name_at(table: str) -> str:
    """Return the id of the finding of a table's round 41."""
    return finding_ids({**WRONG, "table": table})["vigorish_wrong"]


def told(client: TestClient[Litestar], table: str) -> tuple[str, bool, bool]:
    """Return the place of round 41, whether its shoe's strip is shown, and whether its discard is open."""
    page = client.get(f"/rounds/2025-01-01/{table}/41").text
    strip = client.get(f"/api/shoes/2025-01-01/{table}/112-01/cards").json()
    where = client.get(f"/api/alerts/{name_at(table)}").json()["where"]
    assert strip["ended"] == ("9♠" in client.get(f"/shoes/2025-01-01/{table}/112-01/cards").text)
    return where["lies"], strip["ended"], "9 of spades" in page


@pytest.mark.parametrize("table", FOLLOWED)
def test_a_shoe_is_over_when_another_followed_it_and_not_because_a_day_did(
    client: TestClient[Litestar], table: str
) -> None:
    _, lies = FOLLOWED[table]
    assert told(client, table) == (lies, lies == "over", lies == "over")


def test_a_shoe_loaded_on_a_later_day_is_another_one_whatever_its_name(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", WRONG, *dealt(NEXT_DAY, "112-01", [0]))
    on = load_console(path)
    on.live.tables["BAC-7"] = TableStatus(
        shoe="112-01", loaded=microseconds(datetime.fromisoformat("2025-01-02T17:59:00Z"))
    )
    with open_console(path, on=on) as client:
        assert client.get(f"/api/alerts/{name_at('BAC-7')}").json()["where"] == {
            "lies": "over",
            "says": "Shoe 112-01 is over: its cards are out of play.",
        }


# ── the table closed ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("table", COUNTED)
def test_a_shoe_is_over_when_the_inventory_was_counted_for_the_closing_after_its_last_round(
    client: TestClient[Litestar], table: str
) -> None:
    *_, lies = COUNTED[table]
    assert told(client, table) == (lies, lies == "over", lies == "over")


def test_after_the_closing_the_next_day_begins_another_shoe_whatever_its_name(
    client: TestClient[Litestar],
) -> None:
    assert told(client, "next day") == ("over", True, True)
    today = client.get("/api/shoes/2025-01-02/next day/112-01/cards").json()
    assert (today["ended"], today["rounds"]) == (False, [])


def test_a_closing_count_that_its_shoe_was_dealt_on_after_ends_nothing(client: TestClient[Litestar]) -> None:
    assert told(client, "dealt on") == ("discarded", False, False)


@pytest.mark.parametrize("table", STANDING)
def test_without_ledgers_a_shoe_is_over_when_the_table_is_known_to_have_closed(
    client: TestClient[Litestar], table: str
) -> None:
    _, lies = STANDING[table]
    assert told(client, table) == (lies, lies == "over", lies == "over")
