"""A ledger stands where a table does, and is no table: a page calls it by words that a person would use."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.runs import Run
from projections.store.store import Store
from tests.builders.alerts import build_conclusion, build_finding
from tests.builders.consoles import open_console

RUN: Final = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
DAY: Final = "2025-03-01"


class Text(HTMLParser):
    """What a person reads of a page; a command that is to be typed stays a command."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.read: list[str] = []
        self._command = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Come to a part of the page."""
        self._command = tag == "code"
        self.read += [value or "" for name, value in attrs if name in ("title", "aria-label")]

    def handle_endtag(self, tag: str) -> None:
        """Ignore it."""
        self._command = self._command and tag != "code"

    def handle_data(self, data: str) -> None:
        """Read what is written there."""
        self.read += [] if self._command else [data]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        found = [
            ("count_room", "drop", build_finding("a", check="box_cash_differs")),
            ("counter_checks", "counter_checks", build_finding("b", check="check_number_missing")),
            ("BAC_1", "inventory", build_finding("c", check="inventory_untyped")),
        ]
        store.write(
            RUN,
            [
                (None, build_conclusion(None, each, table=at, account=account), 1)
                for at, account, each in found
            ],
        )
    with open_console(path) as client:
        yield client


def text(client: TestClient[Litestar], path: str) -> str:
    page = client.get(path)
    assert page.status_code == 200, path
    return " ".join(" ".join(Text(page.text).read).split())


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/?queue=act_now&every=true", "count room"),
        ("/findings", "count room"),
        ("/findings?table=count_room", "counter checks"),
        ("/alerts/a", "count room"),
        ("/alerts/b", "counter checks"),
        (f"/accounts/{DAY}/count_room/drop", "Count room, drop"),
        (f"/tables/count_room/{DAY}", "count room, gaming day 03/01/2025"),
    ],
)
def test_no_page_shows_the_name_by_which_a_ledger_is_kept(
    client: TestClient[Litestar], path: str, says: str
) -> None:
    shown = text(client, path)
    assert says in shown
    assert re.findall("count_room|counter_checks", shown) == []


def test_a_table_s_name_is_shown_as_it_is(client: TestClient[Litestar]) -> None:
    for path in ("/?queue=act_now&every=true", "/findings", "/alerts/c"):
        assert "BAC_1" in text(client, path)


def test_what_is_muted_or_done_at_a_ledger_is_said_in_words(client: TestClient[Litestar]) -> None:
    muted = {"id": "1" * 32, "action": "mute", "table": "count_room", "check": "box_cash_differs"}
    answer = client.post("/api/actions", json={**muted, "minutes": 30, "reason": "it is being counted anew"})
    assert answer.status_code == 200, answer.text
    assert "box cash differs at count room" in text(client, "/muted")
    noted = {"id": "2" * 32, "action": "note", "subject": "alert:a", "text": "the box was opened"}
    assert client.post("/api/actions", json=noted).status_code == 200
    assert "count room, drop" in text(client, "/log")


def test_an_alert_of_a_ledger_leads_to_no_table(client: TestClient[Litestar]) -> None:
    page = client.get("/alerts/a").text
    assert 'href="/tables/count_room"' not in page
    assert f'href="/accounts/{DAY}/count_room/drop"' in page
    assert 'href="/tables/BAC_1"' in client.get("/alerts/c").text
