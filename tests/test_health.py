"""How the system stands: for people, for machines, and what of the quarantine is kept back from whom."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from projections.console.access.embargo import Hidden
from projections.console.access.person import Person
from projections.console.access.roles import Role
from projections.console.live.live import State
from projections.console.opening import Opened, opened
from projections.console.records.quarantine import kept_back
from projections.console.records.shown import Quarantine, Unread
from projections.hand.findings import Finding
from projections.room.standing.floor import Lag
from projections.store.rows import Refused
from projections.store.runs import Run
from projections.store.store import Store
from schemas.house import House
from schemas.values import microseconds
from tests.alerted import DAY, concluded
from tests.consoles import entered

RUN = Run("first", datetime(2025, 3, 2, 11, 0, tzinfo=UTC), "1.0", "the archive")


def hole(number: str, device: str, says: str) -> Finding:
    return Finding(
        id=number,
        check="data_missing",
        weight="undetermined",
        severity="data",
        message=says,
        citations=("house control",),
        status="house control",
        device=device,
    )


def judged(number: str, revision: int, *found: Finding, table: str = "BAC-1", day: date = DAY) -> Any:
    verdict = "undetermined" if found else "clean"
    return None, concluded(number, *found, table=table, gaming_date=day, verdict=verdict), revision


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(
            RUN,
            [
                judged("1", 1, hole("a", "S-1", "S-1 did not report 5 to 9")),
                judged("2", 1, hole("b", "S-1", "S-1 did not report 20")),
                judged("3", 1, hole("c", "C-1", "C-1 did not report 7")),
                judged("1", 1, hole("d", "S-2", "S-2 did not report 1"), table="BAC-2"),
                judged("9", 1, hole("e", "S-9", "long ago"), day=DAY - timedelta(days=2)),
            ],
        )
        store.write(RUN, [judged("3", 2)])  # what C-1 had not reported came late
        store.take({}, [Refused("A", "1", "a place", "a reason", "{}", "BAC-1")])
    return path


def test_the_page_names_the_holes_that_are_left_by_device(path: Path) -> None:
    with entered(path) as client:
        told = client.get("/api/health").json()
        page = client.get("/health").text
    found = [(each["table"], each["device"], each["holes"]) for each in told["devices"]]
    assert found == [("BAC-1", "S-1", 2), ("BAC-2", "S-2", 1)]
    assert "round 1: S-1 did not report 5 to 9" in page
    assert "C-1 did not" not in page
    assert (told["refused"], told["conclusions"], told["findings"]) == (1, 6, 5)
    assert [run["run"] for run in told["runs"]] == ["first"]
    assert told["bytes"] >= 262_144, "a block of DuckDB's"


def on(path: Path, state: State, lag: int = 0) -> Opened:
    made = opened(path, state=state)
    made.live.lag = lag
    return made


def test_the_slowest_table_is_named(path: Path) -> None:
    made = on(path, "ok")
    made.live.stood("A", {}, {"BAC-1": Lag(40_000, 0), "BAC-2": Lag(2_500_000, 0)})
    with entered(path, on=made) as client:
        assert client.get("/api/health").json()["slowest"] == ["BAC-2", 2_500_000]
        assert "BAC-2, 2,500 ms" in client.get("/health").text


@pytest.mark.parametrize(
    ("state", "lag", "why"),
    [
        ("recorded", 0, None),
        ("ok", 0, None),
        ("ok", 2_000, None),
        ("ok", 2_001, "2,001 records wait in Kafka and are not in the store yet"),
        ("kafka away", 0, "kafka away since "),
        ("topics missing", 0, "topics missing since "),
    ],
)
def test_machines_are_sent_here_when_pages_show_what_is_so(
    path: Path, state: State, lag: int, why: str | None
) -> None:
    with entered(path, on=on(path, state, lag)) as client:
        client.cookies.clear()  # neither asks for a login
        answer = client.get("/readyz")
        assert client.get("/healthz").status_code == 200, "it lives, whatever Kafka does"
    if why is None:
        assert (answer.status_code, answer.json()) == (200, {"ready": True})
    else:
        assert answer.status_code == 503
        assert answer.json()["why"].startswith(why)


def test_who_may_not_look_at_the_system_does_not(path: Path) -> None:
    with entered(path, "operator") as client:
        for page in ("/health", "/api/health", "/quarantine", "/api/quarantine"):
            assert client.get(page).status_code == 403, page


# ── what is kept back ────────────────────────────────────────────────────────────────────────────────

# The gaming day of 1 March begins at 6 in New York and ends 24 hours later, at 11:00 UTC; two minutes more
# come late.
NOTED = datetime(2025, 3, 1, 20, 0, tzinfo=UTC)
OVER = microseconds(datetime(2025, 3, 2, 11, 2, tzinfo=UTC))


def texts(role: Role, now: int) -> list[str | None]:
    record = Unread("1", "A", NOTED, "a place", "a reason", '{"card": "Ah"}', "BAC-1")
    person = Person("ines", "Ines", role, "session", "csrf")
    found = kept_back(Quarantine(1, 1, 1, [record]), person, Hidden(), House(house="h"), now)
    assert [each.reason for each in found.records] == ["a reason"]
    return [each.payload for each in found.records]


def test_a_text_that_may_hold_cards_is_kept_back_until_the_day_is_over() -> None:
    assert texts("supervisor", OVER) == [None]
    assert texts("supervisor", OVER + 1) == ['{"card": "Ah"}']


def test_a_text_is_only_for_who_may_see_names() -> None:
    assert texts("administrator", OVER + 1) == [None]
    assert texts("auditor", OVER + 1) == [None]


def test_what_came_today_is_on_the_page_without_its_text(path: Path) -> None:
    with entered(path) as client:
        (record,) = client.get("/api/quarantine").json()["records"]
        page = client.get("/quarantine").text
    assert (record["reason"], record["payload"]) == ("a reason", None)
    assert "a place" in page
    assert "<pre>" not in page


def test_a_floor_that_is_not_followed_is_told_on_the_page(path: Path) -> None:
    with entered(path, on=on(path, "kafka away")) as client:
        assert '<b class="verdict mismatch">kafka away</b>' in client.get("/health").text
