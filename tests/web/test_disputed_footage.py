"""The footage of a disputed hand has the times of one recorder's clock wherever the hand is shown."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web import bootstrap
from projections.web.auth.auth_plugin import Access
from schemas.cameras import Cameras
from tests.builders.consoles import add_account, log_in, open_console, post_action
from tests.builders.dispute_pages import open_dispute
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records

# The round was opened at 20:15:00 and no other followed: it is looked at from 30 s before to 330 s after. By
# the file of cameras the recorder is half a second ahead.
BY_FILE: Final = "01/01/2025 8:14:30 PM EST to 8:20:30 PM by the recorder's clock"
ALERT: Final = finding_ids(DISPUTED)["loser_not_collected"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return store_records(tmp_path / "store.duckdb", DISPUTED)


@pytest.fixture
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    cameras = Cameras("https://nvr/{camera}?t={start}", {"BAC-7": ["PTZ"]}, clock_offset_ms=500)
    on = bootstrap.load_console(path, settings=bootstrap.ConsoleSettings(cameras=cameras))
    with open_console(path, "investigator", on=on) as found:
        yield found


def measured(client: TestClient[Litestar], offset_ms: int) -> str:
    """Open a dispute of the hand, write down how far the recorder is ahead, and give its name."""
    name = open_dispute(client)
    post_action(client, "dispute-footage", subject=f"dispute:{name}", footage={"clock_offset_ms": offset_ms})
    return name


def told(client: TestClient[Litestar], page: str) -> list[str]:
    """Return what a page says of footage, in plain words, once for each."""
    found = re.findall(r'<p class="footage">(.*?)</p>', client.get(page).text, re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", "", each).split()) for each in found]


def footages(client: TestClient[Litestar], *disputes: str) -> list[Any]:
    """Return the footage of the hand in each answer under /api that has it."""
    alert = client.get(f"/api/alerts/{ALERT}").json()["footage"]
    (round_,) = client.get("/api/tables/BAC-7/rounds").json()["rounds"]
    of = [client.get(f"/api/disputes/{name}").json()["rounds"][0]["footage"] for name in disputes]
    return [alert, round_["footage"], *of]


def test_every_page_of_a_disputed_hand_has_its_footage_by_the_dispute_s_clock(
    client: TestClient[Litestar],
) -> None:
    before = told(client, f"/alerts/{ALERT}")
    assert before == [f"{BY_FILE} PTZ"]
    name = measured(client, 600_000)  # ten minutes ahead
    by_dispute = "01/01/2025 8:24:30 PM EST to 8:30:30 PM by the recorder's clock as measured for dispute"
    for page in (f"/alerts/{ALERT}", "/tables/BAC-7", f"/disputes/{name}"):
        assert told(client, page) == [f"{by_dispute} {name} PTZ"]
    first, *others = footages(client, name)
    assert (first["start"], first["measured_for"]) == ("2025-01-02T01:24:30Z", name)
    assert first["cameras"][0]["link"] == "https://nvr/PTZ?t=2025-01-02T01%3A24%3A30.000Z"
    assert others == [first, first]


def test_another_dispute_of_the_hand_goes_by_what_was_measured_for_the_first(
    client: TestClient[Litestar],
) -> None:
    first, other = measured(client, 600_000), open_dispute(client)
    alert, *others = footages(client, first, other)
    assert (alert["measured_for"], others) == (first, [alert] * 3)
    page = " ".join(re.sub("<[^>]*>", "", client.get(f"/disputes/{other}").text).split())
    assert f"On the recorder's clock at 01/01/2025 8:25:00 PM EST, as measured for dispute {first}." in page
    (row,) = csv.DictReader(io.StringIO(client.get(f"/api/disputes/{other}/itrak").text))
    assert row["Recorder Clock Offset ms"] == "600000"


def test_of_two_that_were_measured_each_keeps_its_own_and_each_page_says_whose(
    client: TestClient[Litestar],
) -> None:
    first, other = measured(client, 600_000), measured(client, -60_000)
    alert, table, of_first, of_other = footages(client, first, other)
    # The newest that is open goes first.
    assert alert == table == of_other
    assert (of_first["start"], of_first["measured_for"]) == ("2025-01-02T01:24:30Z", first)
    assert (of_other["start"], of_other["measured_for"]) == ("2025-01-02T01:13:30Z", other)


def test_a_dispute_of_another_hand_changes_nothing(client: TestClient[Litestar]) -> None:
    name = open_dispute(client, rounds=["42"])
    post_action(client, "dispute-footage", subject=f"dispute:{name}", footage={"clock_offset_ms": 600_000})
    assert told(client, f"/alerts/{ALERT}") == [f"{BY_FILE} PTZ"]


def test_from_whom_the_dispute_is_withheld_it_is_not_named(client: TestClient[Litestar], path: Path) -> None:
    name = measured(client, 600_000)
    add_account(path, "supervisor", "supervisor")
    add_account(path, "director", "director")
    embargoes = client.app.plugins.get(Access).auth.embargoes
    embargoes.place(f"dispute:{name}", "supervisor", "named in it", by="director")
    client.cookies.clear()
    client.headers.pop("X-CSRF-Token")
    log_in(client, "supervisor")
    for page in ("/tables/BAC-7", "/api/tables/BAC-7/rounds", f"/alerts/{ALERT}", f"/api/alerts/{ALERT}"):
        assert name not in client.get(page).text
