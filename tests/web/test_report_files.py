"""Reports in the console as in the nightly files: their charts, their downloads, their order, and the day."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.store.runs import DayReport
from projections.store.store import Store
from projections.web.auth.auth_plugin import Access
from projections.web.auth.embargo import Embargoes
from projections.web.auth.roles import Role
from projections.web.bootstrap import ConsoleSettings, load_console
from replay.exports.report import Bars, Report
from replay.exports.report.stored import report_of
from replay.exports.report.writers import as_csv, as_json
from replay.lists.columns import Column
from replay.serving.report_forms import NightlyForms
from tests.builders.consoles import open_console
from tests.builders.reports import ABOUT, DAY, EMPTY, WIN, draw_plots

WIN_BY_TABLE = Report(
    "win_by_table",
    "Drop, win and hold by table",
    (
        Column("table", "Table", "text"),
        Column("drop_cents", "Drop", "cents"),
        Column("win_cents", "Win", "cents"),
        Column("hold", "Hold", "percent"),
    ),
    (("BAC-1", 1_000_000, 125_000, None), ("BAC-2", 500_000, -25_000, None)),
    ABOUT,
    plot=Bars("table", "win_cents"),
    total=("all", 1_500_000, 100_000, None),
)
MONEY = Report(
    "patrons_and_house",
    "Patron shortages and house losses",
    (
        Column("table", "Table", "text"),
        Column("patrons", "Times owed", "whole"),
        Column("owed_cents", "Owed to patrons", "cents"),
        Column("house", "Times overpaid", "whole"),
        Column("lost_cents", "Overpaid", "cents"),
    ),
    (("BAC-1", 3, 231_900, 1, 5_300),),
    ABOUT,
    total=("all", 3, 231_900, 1, 5_300),
)
MISTAKES = Report(
    "mismatches",
    "Settlement mismatches by game and table",
    (
        Column("table", "Table", "text"),
        Column("check", "Check", "text"),
        Column("favours", "Favours", "text"),
        Column("findings", "Findings", "whole"),
        Column("cents", "Difference", "cents"),
    ),
    (
        ("BAC-1", "push_paid", "patron", 1, 5_300),
        ("BAC-1", "paid_too_little", "house", 2, 200_000),
        ("BAC-2", "paid_too_little", "house", 1, 31_900),
        ("BAC-2", "late_wager", "nobody", 4, None),
    ),
    ABOUT,
)
ITEMS = Report(
    "open_items",
    "Exceptions",
    tuple(Column(name, name, "text") for name in ("table", "about", "weight", "id")),
    (
        ("BAC-1", "round 17", "mismatch", "f17"),
        ("BAC-1", "round 18", "mismatch", "f18"),
        ("BAC-2", "round 3", "undetermined", "f3"),
    ),
    ABOUT,
    row_keys=(("2026-03-07|BAC-1|17",), ("2026-03-07|BAC-1|18",), ("2026-03-07|BAC-2|3",)),
)
CASH = Report(
    "cash_by_patron",
    "Cash in and out by patron",
    (Column("patron", "Patron", "text"), Column("in_cents", "Cash in", "cents")),
    (("anna", 1_000_000),),
    ABOUT,
    restricted="finance",
    people={"anna": "patron"},
)
STAFF = Report(
    "muted",
    "Muted and snoozed",
    (Column("who", "By", "text"),),
    (("dana",),),
    ABOUT,
    people={"dana": "dealer"},
)
STORED = (STAFF, CASH, MISTAKES, ITEMS, MONEY, WIN_BY_TABLE, replace(EMPTY, name="fills_and_credits"))


def stored(report: Report) -> DayReport:
    return DayReport(
        gaming_day=DAY,
        report=report.name,
        digest=report.name,
        made_by="discardrack 9.8.7",
        restricted=report.restricted,
        body=as_json(report).decode("ascii"),
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "store.duckdb"
    with Store(path) as store:
        store.write_batch({}, reports=[stored(each) for each in STORED])
    return path


@pytest.fixture
def enter(path: Path) -> Any:
    def entered(role: Role) -> Any:
        opened = load_console(path, settings=ConsoleSettings(report_forms=NightlyForms()))
        return open_console(path, role, on=opened)

    return entered


@pytest.fixture
def supervisor(enter: Any) -> Iterator[TestClient[Litestar]]:
    with enter("supervisor") as client:
        yield client


@pytest.mark.parametrize("report", [WIN, EMPTY, *STORED], ids=lambda each: each.name)
def test_a_report_is_read_back_from_its_json_as_it_was(report: Report) -> None:
    read = report_of(json.loads(as_json(report)))
    assert read == replace(report, row_keys=None, people={})


def test_the_console_draws_the_chart_of_the_nightly_files(supervisor: TestClient[Litestar]) -> None:
    page = supervisor.get(f"/reports/{DAY}/win_by_table").text
    (drawn,) = draw_plots(WIN_BY_TABLE)
    assert drawn in page
    # The console's policy allows no style in an element.
    assert "style=" not in drawn
    assert "<style" not in drawn
    assert 'fill="var(--plot)"' in drawn


def test_a_download_has_what_the_page_shows(supervisor: TestClient[Litestar]) -> None:
    file = supervisor.get(f"/reports/{DAY}/win_by_table/csv")
    assert file.content == as_csv(WIN_BY_TABLE)
    assert file.headers["content-disposition"] == f'attachment; filename="{DAY}-win_by_table.csv"'
    table = pq.read_table(io.BytesIO(supervisor.get(f"/reports/{DAY}/win_by_table/parquet").content))
    assert table.column("win_cents").to_pylist() == [125_000, -25_000]
    told = supervisor.get(f"/reports/{DAY}/win_by_table/json").json()
    assert [row["win_cents"] for row in told["rows"]] == [125_000, -25_000]
    assert supervisor.get(f"/reports/{DAY}/win_by_table/html").status_code == 404
    assert supervisor.get(f"/reports/{DAY}/nothing/csv").status_code == 404


@pytest.mark.parametrize(
    ("role", "expected"),
    [("operator", 403), ("supervisor", 403), ("finance", 200), ("auditor", 200), ("administrator", 403)],
)
def test_a_restricted_report_is_downloaded_by_its_role_alone(enter: Any, role: Role, expected: int) -> None:
    with enter(role) as client:
        assert client.get(f"/reports/{DAY}/cash_by_patron/csv").status_code == expected


def test_who_may_not_export_gets_no_file_and_no_link_to_one(enter: Any) -> None:
    with enter("operator") as client:
        page = client.get(f"/reports/{DAY}/win_by_table")
        assert page.status_code == 200
        assert "Parquet" not in page.text
        assert client.get(f"/reports/{DAY}/win_by_table/csv").status_code == 403


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_names_are_masked_in_a_file_as_on_the_page(supervisor: TestClient[Litestar], form: str) -> None:
    file = supervisor.get(f"/reports/{DAY}/muted/{form}").content
    assert b"dana" not in file
    assert "dealer \N{MIDDLE DOT}".encode() in file or b"dealer \\u00b7" in file


def test_what_is_withheld_is_in_no_file_and_its_rows_are_not_counted(enter: Any) -> None:
    with enter("supervisor") as client:
        entry = client.app.plugins.get(Access).auth
        Embargoes(entry.file).place(f"round:{DAY}|BAC-1|17", "supervisor", "an inquiry", by="director")
        try:
            rows = list(csv.reader(io.StringIO(client.get(f"/reports/{DAY}/open_items/csv").text)))
            labels = {each["report"]: each["rows"] for each in client.get("/api/reports").json()}
            day = client.get(f"/reports/{DAY}").text
        finally:
            placed, *_ = entry.embargoes.seen_by("director")
            entry.embargoes.lift(placed.id, by="director")
    assert [row[1] for row in rows] == ["about", "round 18", "round 3"]
    assert labels["open_items"] is None
    assert "<dd>2<small>1 proven</small></dd>" in day


def test_a_download_is_in_the_access_log_and_withheld_with_its_report(enter: Any) -> None:
    with enter("finance") as client:
        client.get(f"/reports/{DAY}/cash_by_patron/csv")
    with enter("director") as client:
        rows = [row for row in client.get("/api/audit").json()["rows"] if row["kind"] == "exported"]
        assert (rows[0]["person"], rows[0]["detail"]) == ("finance", f"report cash_by_patron of {DAY}, csv")
        assert json.loads(rows[0]["within"]) == [f"report:{DAY}|cash_by_patron"]


def test_reports_come_in_the_order_of_the_nightly_list_with_their_rows(
    supervisor: TestClient[Litestar],
) -> None:
    told = [(each["report"], each["rows"]) for each in supervisor.get("/api/reports").json()]
    assert told == [
        ("open_items", 3),
        ("fills_and_credits", 0),
        ("win_by_table", 2),
        ("mismatches", 4),
        ("patrons_and_house", 1),
        ("muted", 1),
    ]
    page = supervisor.get("/reports").text
    assert "1 report without activity" in page
    assert page.index("Muted and snoozed") < page.index("1 report without activity") < page.index("Fills<")


def test_the_day_at_a_glance_has_the_day_s_figures(supervisor: TestClient[Litestar]) -> None:
    page = supervisor.get(f"/reports/{DAY}").text
    figures = re.findall(r"<dt><a[^>]*>([^<]*)</a></dt><dd>([^<]*)<", page)
    assert figures == [
        ("Win", "$1,000.00"),
        ("Owed to patrons", "$2,319.00"),
        ("Overpaid", "$53.00"),
        ("Does not reconcile", "3"),
    ]
    # By kind, the most money first: 200,000 and 31,900 cents owed in three, 5,300 overpaid, four without.
    rows = re.findall(r"<tr><td>([^<]*)</td>(.*?)</tr>", page)
    cells = {name: re.findall(r'class="figure">([^<]*)</td>', rest) for name, rest in rows}
    assert list(cells)[:3] == ["paid too little", "push paid as a win", "late wager"]
    assert cells["paid too little"] == ["3", "$2,319.00", "", "", ""]
    assert cells["push paid as a win"] == ["", "", "1", "$53.00", ""]
    assert cells["late wager"] == ["", "", "", "", "4"]
    assert (cells["BAC-1"], cells["BAC-2"]) == (["2", ""], ["", "1"])
    assert draw_plots(WIN_BY_TABLE)[0] in page
    assert "anna" not in page
    assert supervisor.get("/reports/2026-03-08").status_code == 404
