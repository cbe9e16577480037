"""The page on which each role begins, and who sees the live queue."""

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.auth.roles import Role
from projections.web.bootstrap import ConsoleSettings, load_console, wall_clock
from replay.serving.report_forms import NightlyForms
from schemas.room_settings import RoomSettings
from tests.builders.alerts import DAY, build_conclusion, build_finding
from tests.builders.consoles import change_role, open_console

RUN = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
LIVE = ("/", "/api/queue", "/floor", "/api/floor", "/wall", "/muted", "/api/muted", "/api/rung")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("homes") / "store.duckdb"
    with Store(path) as store:
        seen = Round(table="BAC-1", number="1", day=DAY, at=wall_clock())
        store.write(RUN, [(seen, build_conclusion("1", build_finding("f1")), 1)])
    return path


def enter(path: Path, role: Role, *watching: Any, reading_log: tuple[Any, ...] = ()) -> Any:
    room = RoomSettings(queue_for=watching, log_for=reading_log)
    settings = ConsoleSettings(room=room, report_forms=NightlyForms())
    return open_console(path, role, on=load_console(path, settings=settings))


@pytest.fixture(scope="module")
def usual(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    """Return a client of a console with the usual settings, of tests that only look, as any role."""
    copy = Path(shutil.copyfile(path, tmp_path_factory.mktemp("usual") / "store.duckdb"))
    with enter(copy, "operator") as client:
        yield client


@pytest.mark.parametrize(
    ("role", "begins"),
    [
        ("operator", "/"),
        ("supervisor", "/"),
        ("director", "/"),
        ("investigator", "/"),
        ("finance", "/home"),
        ("auditor", "/home"),
        ("regulator", "/home"),
        ("administrator", "/accounts"),
    ],
)
def test_each_role_begins_on_its_own_page(usual: TestClient[Litestar], role: Role, begins: str) -> None:
    client = change_role(usual, role)
    answer = client.get("/login", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, begins)
    page = client.get(begins)
    assert page.status_code == 200
    assert f'<a class="name" href="{begins}">' in page.text
    # What somebody asked for before the login is where it leads all the same.
    led = client.get("/login?next=/password", follow_redirects=False)
    assert led.headers["location"] == "/password"


@pytest.mark.parametrize("role", ["finance", "regulator"])
def test_outside_the_room_nobody_sees_the_live_queue(usual: TestClient[Litestar], role: Role) -> None:
    client = change_role(usual, role)
    first = client.get("/", follow_redirects=False)
    assert (first.status_code, first.headers["location"]) == (303, "/home")
    for address in LIVE[1:]:
        assert client.get(address).status_code == 403, address
    page = client.get("/home").text
    for part in ("ring.js", 'id="overdue"', 'id="sound"', ">Alerts<", ">Floor<"):
        assert part not in page, part
    # What was found is there, once it was concluded.
    assert client.get("/api/alerts/f1").status_code == 200


@pytest.mark.parametrize("role", ["finance", "regulator"])
def test_the_room_s_settings_let_a_role_see_the_live_queue(path: Path, role: Role) -> None:
    with enter(path, role, role) as client:
        for address in LIVE:
            assert client.get(address).status_code == 200, address
        assert ">Alerts<" in client.get("/home").text
        assert (
            client.post(
                "/api/actions", json={"id": "1" * 32, "action": "acknowledge", "subject": "alert:f1"}
            ).status_code
            == 403
        )
    with enter(path, role, "finance" if role == "regulator" else "regulator") as client:
        assert client.get("/api/queue").status_code == 403


@pytest.mark.parametrize("role", ["finance", "regulator"])
def test_outside_the_room_nobody_reads_its_log_unless_the_room_s_settings_say_so(
    path: Path, usual: TestClient[Litestar], role: Role
) -> None:
    log = ("/log", "/api/log", "/api/log/csv")
    client = change_role(usual, role)
    assert [client.get(address).status_code for address in log] == [403, 403, 403]
    assert client.get("/disputes").status_code == client.get("/api/disputes").status_code == 200
    page = client.get("/home").text
    assert (">Log<" in page, ">Disputes<" in page) == (False, True)
    with enter(path, role, reading_log=(role,)) as client:
        assert [client.get(address).status_code for address in log] == [200, 200, 200]
        assert ">Log<" in client.get("/home").text
        assert client.get("/api/queue").status_code == 403


def test_the_auditor_reads_the_room_s_log(usual: TestClient[Litestar]) -> None:
    client = change_role(usual, "auditor")
    assert [client.get(each).status_code for each in ("/log", "/api/log/csv")] == [200, 200]


@pytest.mark.parametrize(
    ("role", "sections"),
    [
        ("finance", ["day", "disputes", "proofs"]),
        ("auditor", ["log", "proofs", "day", "disputes", "breaches"]),
        ("regulator", ["disputes", "breaches", "proofs", "log", "day"]),
    ],
)
def test_a_home_has_first_what_its_role_looks_at_first(
    usual: TestClient[Litestar], role: Role, sections: list[str]
) -> None:
    client = change_role(usual, role)
    page = client.get("/home").text
    assert re.findall(r'<section id="([a-z]+)">', page) == sections


@pytest.mark.parametrize("role", ["operator", "supervisor", "administrator"])
def test_who_begins_elsewhere_has_no_home_page(usual: TestClient[Litestar], role: Role) -> None:
    client = change_role(usual, role)
    assert client.get("/home").status_code == 403
