"""A recorded floor has a clock of its own: each time on a page says whose it is, and on a live floor none."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.bootstrap import OpenConsole, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from schemas.house import House
from schemas.room_settings import RoomSettings
from tests.builders.alerts import DAY, EVENING, MINUTE, TABLES, build_conclusion, build_finding
from tests.builders.consoles import open_console, post_action

RUN: Final = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
LEGEND: Final = (
    "Play has the floor's clock; due times and actions have wall time. Both are in America/New_York."
)
ON_THE_WALL: Final = r"\d\d/\d\d/\d{4} \d\d?:\d\d:\d\d [AP]M E[SD]T"


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    """Open a console on a floor where a payment of 21:20 is to be taken since five minutes ago."""
    path = tmp_path / "store.duckdb"
    store = Store(path)
    seen = Round(table="BAC-1", number="1", day=DAY, at=EVENING, dealer="D-1")
    store.write(RUN, [(seen, build_conclusion("1", build_finding("m")), 1)])
    house = House(house="here", tables=TABLES)
    desk = open_commands(store, RoomSettings(), TABLES, wall_clock() - 10 * MINUTE, live=True)
    desk.set_silent_devices({"BAC-1": {"C-1": EVENING}})
    return OpenConsole(path, store, house, LiveFloor(store.reading(), house.zone, "ok"), desk)


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield client


def pages(client: TestClient[Litestar]) -> dict[str, str]:
    """Return the pages with both: what happened, and what is due or was done."""
    post_action(client, "note", subject="alert:m", text="looked")
    post_action(client, "mute", check="push_paid", minutes=30, reason="training")
    about = {"table": "BAC-1", "gaming_date": str(DAY), "rounds": ["1"], "seat": 2, "claim": "short"}
    dispute = post_action(client, "dispute-open", about=about, call={"called": wall_clock()})["subject"]
    asked = {
        "queue": "/?queue=this_shift",
        "alert": "/alerts/m",
        "breaches": "/breaches",
        "muted": "/muted",
        "dispute": f"/disputes/{dispute.removeprefix('dispute:')}",
    }
    found = {name: client.get(path) for name, path in asked.items()}
    assert {each.status_code for each in found.values()} == {200}
    return {name: re.sub(r"</?time[^>]*>", "", each.text) for name, each in found.items()}


@pytest.mark.parametrize("plays", [10.0, None])
def test_beside_a_recorded_floor_each_time_says_whose_it_is(
    client: TestClient[Litestar], opened: OpenConsole, plays: float | None
) -> None:
    opened.live.play_speed, opened.live.state = plays, "ok" if plays else "recorded"
    found = pages(client)
    for page in found.values():
        assert page.count(LEGEND) == 1
    heads = {name: re.findall(r'<th scope="col">(?:<a [^>]*>)?([^<]*)', page) for name, page in found.items()}
    assert heads["queue"] == [
        "Severity",
        "Time (floor)",
        "Table",
        "What",
        "Money",
        "State",
        "Due (wall)",
    ]
    assert "since 9:20:00 PM (floor);" in found["queue"]
    # Where the head is not shown, one line says it for all rows.
    assert '<p class="quiet clocks">' in found["queue"]
    assert "03/01/2025 9:20:00 PM EST (floor), dealt by" in found["alert"]
    assert re.search(rf"due {ON_THE_WALL} \(wall\)", found["alert"])
    assert re.search(rf"{ON_THE_WALL} \(wall\) supervisor</span> looked", found["alert"])
    assert heads["breaches"][4:6] == ["Due (wall)", "Done (wall)"]
    assert 'data-label="Due (wall)"' in found["breaches"]
    assert heads["muted"][2:4] == ["Since (wall)", "Until (wall)"]
    assert "since 03/01/2025 9:20:00 PM EST (floor);" in found["muted"]
    assert "Opened 03/01/2025 9:20:00 PM EST (floor)." in found["dispute"]
    assert "<h2>History (wall)</h2>" in found["dispute"]


def test_on_a_live_floor_there_is_one_clock_and_nothing_is_said_of_it(client: TestClient[Litestar]) -> None:
    for name, page in pages(client).items():
        assert "(floor)" not in page, name
        assert "(wall)" not in page, name
        assert "floor's clock" not in page, name
        assert "clocks" not in page, name
