"""The nightly reports and the coupons' accounts as the console shows them: to whom, and with which names."""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.engine.conclusion import Line
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.auth.accounts import (
    Accounts,  # noqa: F401
    Tokens,
)
from projections.web.auth.auth_plugin import Access
from projections.web.auth.embargo import Embargoes
from projections.web.bootstrap import load_console
from tests.builders.alerts import DAY, build_conclusion
from tests.builders.consoles import change_role, open_console
from tests.builders.report_pages import WIN, build_day_report

RUN = Run("first", datetime(2025, 3, 2, 11, 0, tzinfo=UTC), "1.0", "the archive")


CASH = build_day_report(
    "cash",
    [("patron", "Patron", "text"), ("in_cents", "In", "cents")],
    [["anna", 1_000_000]],
    restricted="finance",
)
PEOPLE = build_day_report(
    "people",
    [("person", "Person", "text")],
    [["dana"]],
    restricted="surveillance_supervisor",
    people={"dana": "dealer"},
)
NOBODY = build_day_report("nobody", [("x", "X", "text")], [], restricted="a role of tomorrow")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("papers") / "store.duckdb"
    account = build_conclusion(
        None,
        table="coupons",
        account="coupons",
        chapter="603a",
        lines=(
            Line(name="played", count=12, cents=30_000),
            Line(name="redeemed_in_quarter", of="2500", cents=5_000),
        ),
    )
    with Store(path) as store:
        store.write(RUN, [(None, account, 1)])
        store.write_batch({}, reports=[WIN, CASH, PEOPLE, NOBODY])
    return path


@pytest.fixture(scope="module")
def unchanged(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    """Return a client of a console on a copy of the store, of tests that only look, as any role."""
    with open_console(Path(shutil.copyfile(path, tmp_path_factory.mktemp("copy") / path.name))) as client:
        yield client


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("operator", {"win"}),
        ("supervisor", {"win", "people"}),
        ("director", {"win", "people"}),
        ("investigator", {"win"}),
        ("finance", {"win", "cash"}),
        ("auditor", {"win", "cash"}),
        ("regulator", {"win", "cash"}),
    ],
)
def test_a_report_for_one_role_is_there_for_that_alone(
    unchanged: TestClient[Litestar], role: Any, expected: set[str]
) -> None:
    client = change_role(unchanged, role)
    assert {each["report"] for each in client.get("/api/reports").json()} == expected
    page = client.get("/reports").text
    for name in ("win", "cash", "people", "nobody"):
        status = 200 if name in expected else 403
        assert client.get(f"/reports/{DAY}/{name}").status_code == status, name
        assert client.get(f"/api/reports/{DAY}/{name}").status_code == status, name
        assert (f"Title of {name}" in page) is (name in expected)


def test_a_report_is_shown_in_words_and_exported_exactly(path: Path) -> None:
    with open_console(path) as client:
        page = client.get(f"/reports/{DAY}/win").text
        told = client.get(f"/api/reports/{DAY}/win").json()
        assert client.get(f"/reports/{DAY}/none").status_code == 404
        assert client.get("/reports/2025-03-02/win").status_code == 404
    for cell in (
        "-$2,500.00",
        "$1,234.56",
        "1.25%",
        "03/01/2025 3:00:00 PM EST",
        "-$1,265.44",
        "\N{EN DASH}",
    ):
        assert cell in page, cell
    assert "&lt;b&gt;A note&lt;/b&gt;" in page
    assert told["rows"][0]["win_cents"] == -250_000
    assert told["rows"][0]["hold"] == "1/80"


def test_a_check_is_named_in_words_and_exported_under_its_own_name(tmp_path: Path) -> None:
    columns = [("table", "Table", "text"), ("check", "Check", "text")]
    with Store(tmp_path / "store.duckdb") as store:
        store.write_batch({}, reports=[build_day_report("found", columns, [["BAC_1", "announced_wrong"]])])
    with open_console(tmp_path / "store.duckdb") as client:
        page = client.get(f"/reports/{DAY}/found").text
        told = client.get(f"/api/reports/{DAY}/found").json()
    assert '<td data-label="Check">wrong result called</td>' in page
    assert '<td data-label="Table">BAC_1</td>' in page, "a table is called as the property calls it"
    assert told["rows"] == [{"table": "BAC_1", "check": "announced_wrong"}]


def test_names_in_reports_are_masked(path: Path) -> None:
    with open_console(path, "supervisor") as client:
        page = client.get(f"/reports/{DAY}/people").text
        told = client.get(f"/api/reports/{DAY}/people").text
    assert "dana" not in page
    assert "dana" not in told
    assert "·" in page


@pytest.mark.parametrize("role", ["finance", "auditor"])
def test_a_report_for_finance_names_its_patrons_to_people_and_it_is_noted(path: Path, role: Any) -> None:
    with open_console(path, role) as client:
        assert '<td data-label="Patron">anna</td>' in client.get(f"/reports/{DAY}/cash").text
        told = client.get(f"/api/reports/{DAY}/cash").json()
        assert told["rows"] == [{"patron": "anna", "in_cents": 1_000_000}]
    with open_console(path, "director") as client:
        looked = client.get("/api/audit").text
    assert f"report:{DAY}|cash" in looked


def test_a_program_sees_no_name_in_a_report_for_finance(path: Path) -> None:
    with open_console(path, "finance") as client:
        token = Tokens(client.app.plugins.get(Access).auth.file).make("finance", 1, by="a test")
        client.cookies.clear()
        told = client.get(f"/api/reports/{DAY}/cash", headers={"Authorization": f"Bearer {token}"}).json()
    assert told["rows"][0]["in_cents"] == 1_000_000
    assert told["rows"][0]["patron"].startswith("patron \N{MIDDLE DOT}")


@pytest.mark.parametrize(
    ("subject", "left"),
    [
        ("alert:f17", ["3"]),
        ("round:2025-03-01|BAC-1|17", ["3"]),
        ("table-day:2025-03-01|BAC-2", ["17"]),
        ("table-day:2025-03-02|BAC-2", ["17", "3"]),
    ],
)
def test_what_is_withheld_stands_in_no_report(path: Path, subject: str, left: list[str]) -> None:
    with open_console(path, "operator") as client:
        entry = client.app.plugins.get("Access").auth  # type: ignore[attr-defined]
        # The report tells of rounds that this store does not have.
        Embargoes(entry.file).place(subject, "operator", "an inquiry", by="director")
        try:
            told = client.get(f"/api/reports/{DAY}/win").json()
        finally:
            placed, *_ = entry.embargoes.seen_by("director")
            entry.embargoes.lift(placed.id, by="director")
    assert [row["round"] for row in told["rows"]] == left
    assert (told["total"] is None) is (len(left) < 2), "a sum tells what is missing from its rows"


def test_a_report_that_was_looked_at_is_in_the_log(path: Path) -> None:
    with open_console(path, "director") as client:
        client.get(f"/reports/{DAY}/people")
        told = client.get("/api/audit").text
    assert f"report:{DAY}|people" in told


def test_the_coupons_accounts_are_shown_day_by_day(path: Path) -> None:
    with open_console(path) as client:
        page = client.get("/coupons").text
        (told,) = client.get("/api/coupons").json()
    assert "$300.00" in page
    assert "$25.00" in page, "the coupons' worth"
    assert told["gaming_date"] == "2025-03-01"
    assert f'href="/accounts/{DAY}/coupons/coupons"' in page


@pytest.mark.parametrize(
    ("brokers", "command", "ends"),
    [
        (None, "discardrack nightly '/srv/the archive' --store {store}</code> makes its reports; ", True),
        ("k1:9092,k2:9092", "discardrack nightly '/srv/the archive' --broker k1:9092,k2:9092</code> ", False),
    ],
)
def test_without_a_reported_day_the_page_shows_the_command_with_its_paths(
    tmp_path: Path, brokers: str | None, command: str, *, ends: bool
) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(RUN, [(None, build_conclusion("1"), 1)])
    on = load_console(path)
    on.live.archive, on.live.brokers = "/srv/the archive", brokers
    with open_console(path, on=on) as client:
        page = unescape(client.get("/reports").text)
    assert f"Once one has closed, <code>{command.format(store=path)}" in page
    # Nobody else can write the store while this process has it; what Kafka brings comes by itself.
    assert ("stop this process first" in page) is ends


def test_the_title_of_a_report_by_person_names_nobody_and_stands_whole(tmp_path: Path) -> None:
    path, title = tmp_path / "store.duckdb", "Confirmed findings by dealer and floorperson"
    by_person = build_day_report("by_person", [("person", "Person", "text")], [])
    with Store(path) as store:
        body = json.dumps(json.loads(by_person.body) | {"title": title})
        store.write_batch({}, reports=[replace(by_person, body=body)])
    with open_console(path) as client:
        assert [each["title"] for each in client.get("/api/reports").json()] == [title]
        for page in ("/reports", f"/reports/{DAY}/by_person"):
            assert title in client.get(page).text, page
