"""The console: what its pages and API say, that all is escaped, and how `serve` starts and ends."""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeAlias

import httpx
import pytest
import structlog
from click.testing import CliRunner, Result
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.engine.conclusion import Conclusion, Line, Verdict
from projections.engine.findings import Finding, Step
from projections.store.rows import QuarantinedRecord
from projections.store.runs import Run
from projections.store.store import Store
from projections.store.store_file import connect
from projections.web.app import console
from projections.web.bootstrap import load_console
from projections.web.live.broadcaster import LiveFloor
from replay.cli import main
from replay.cli.serve import listening
from schemas.errors import BadInput
from tests.builders.consoles import add_account, log_in, open_console
from tests.builders.rounds_of_console import (
    EIGHT_PM,
    EVIL,
    JUDGED,
    MIXED,
    OVERPAID,
    RUN,
    SEEN,
    conclude_at_table,
    write_rounds,
)
from tests.builders.texts import verbatim_fact


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rounds(tmp_path_factory.mktemp("console") / "store.duckdb")


@pytest.fixture(scope="module")
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(path) as client:
        yield client


def our_own_scripts(page: str) -> bool:
    """Return True if a page has scripts from our own files and none in itself."""
    scripts = re.findall("<script[^>]*></script>", page)
    sources = all(re.search(r' src="/static/[0-9a-f]{16}/\w+\.js"', each) for each in scripts)
    return sources and page.count("<script") == len(scripts)


def ids(client: TestClient[Litestar], query: str = "") -> list[str]:
    found = client.get(f"/api/alerts{query}")
    assert found.status_code == 200
    return [finding["id"] for finding in found.json()["findings"]]


def test_the_newest_day_comes_first_and_in_it_the_gravest(client: TestClient[Litestar]) -> None:
    assert ids(client) == ["o2", "c2", "over", "mixed", "evil", "unread"]


def test_alerts_and_findings_are_the_same_rows(client: TestClient[Litestar]) -> None:
    assert client.get("/api/alerts").json() == client.get("/api/findings").json()


def test_a_row_of_the_api_is_the_finding_and_its_round(client: TestClient[Litestar]) -> None:
    answer = client.get("/api/alerts?check=paid_too_much&table=BAC-101&page=1")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["total"] == 2
    assert answer.json()["findings"][1] == {
        "id": "over",
        "check": "paid_too_much",
        "weight": "mismatch",
        "severity": "high",
        "message": "banker: paid $30.00, due $25.00: overpaid $5.00",
        "citations": ["631a.8(a)(1)(i)", "631a.13(c)"],
        "status": "adopted",
        "seat": 1,
        "wager": "banker",
        "expected_cents": 2500,
        "observed_cents": 3000,
        "gross_cents": 500,
        "vigorish_cents": 0,
        "net_cents": 500,
        "favours": "patron",
        "steps": [
            {"says": "banker: chips wagered", "cite": "631a.8(a)", "cents": 2500},
            {"says": "banker wins", "cite": "631a.8(a)(1)(i)"},
        ],
        "gaming_date": "2025-03-01",
        "table": "BAC-101",
        "round": "1",
        "at": "2025-03-01T20:00:00Z",
        "verdict": "mismatch",
        "revision": 1,
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?table=BAC-102", ["c2", "unread"]),
        ("?check=third_card_extra", ["c2"]),
        ("?severity=medium", ["mixed", "evil"]),
        ("?verdict=undetermined", ["unread"]),
        ("?table=BAC-102&verdict=mismatch&severity=&check=", ["c2"]),
        ("?table=nowhere", []),
        ("?table=' OR 1=1 --", []),
    ],
)
def test_filters_narrow_and_an_empty_one_is_none(
    client: TestClient[Litestar], query: str, expected: list[str]
) -> None:
    assert ids(client, query) == expected


def test_the_page_says_what_was_found_in_which_round_under_which_provision(
    client: TestClient[Litestar],
) -> None:
    page = client.get("/findings?table=BAC-101&check=paid_too_much")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for said in (
        "overpaid $5.00",
        "<small>overpaid</small>",
        "631a.13(c)",
        "adopted",
        "2025-03-01",
        "3:00:00 PM<",
        'href="/rounds/2025-03-01/BAC-101/1"',
        "2 findings, page 1 of 1",
        '<option value="paid_too_much" selected>paid too much</option>',
    ):
        assert said in page.text


def test_the_summary_counts_the_verdicts_that_hold(client: TestClient[Litestar]) -> None:
    # Seven rounds: 2 (its second revision) and 8 clean, 3 undetermined, four mismatches; and a shoe.
    page = client.get("/findings").text
    for said in ("<b>7</b> rounds", "<b>2</b> clean", "<b>1</b> undetermined", "<b>4</b> mismatch"):
        assert said in page
    assert "<b>1</b> shoe not clean" in page


def test_what_filters_offer_is_left_out_where_the_page_has_it(client: TestClient[Litestar]) -> None:
    query = "/findings?table=BAC-102&severity=critical"
    whole, kept = client.get(query).text, client.get(query, headers={"X-Choices": "kept"}).text
    head, form, tail = (
        whole[: whole.index("<form method")],
        "<form data-kept>",
        whole[whole.rindex("</form>") :],
    )
    assert kept == f"{head}{form}{tail}"
    assert '<tr id="c2"' in kept


def test_a_filter_without_findings_says_so(client: TestClient[Litestar]) -> None:
    assert "No findings of this kind." in client.get("/findings?table=BAC-101&severity=data").text


def test_a_round_shows_its_cards_its_money_and_the_steps_of_the_sum(client: TestClient[Litestar]) -> None:
    page = client.get("/rounds/2025-03-01/BAC-101/1").text
    for said in (
        "BAC-101, round 1",
        "2♦",
        "10♥",
        "ten or face",
        "dealer: no more bets",
        "banker: chips wagered",
        "631a.8(a)(1)(i)",
        "in force as adopted",
        "$30.00",
        "and a coupon of $5.00",
        "vigorish taken exact",
    ):
        assert said in page


def test_a_round_under_the_api(client: TestClient[Litestar]) -> None:
    told = client.get("/api/rounds/2025-03-01/BAC-101/1").json()
    assert (told["table"], told["round"], told["gaming_date"], told["at"]) == (
        "BAC-101",
        "1",
        "2025-03-01",
        "2025-03-01T20:00:00Z",
    )
    assert [finding["id"] for finding in told["findings"]] == ["over"]
    assert [finding["id"] for finding in told["notes"]] == ["note"]
    first, second = told["wagers"]
    assert (first["cents"], first["expected_cents"], first["paid_cents"]) == (2500, 2500, 3000)
    assert (first["expected_vigorish_cents"], first["paid_vigorish_cents"]) == (125, 125)
    assert (second["cents"], second["coupon_cents"]) == (700, 500)
    assert second["bettor"] == "b"  # which of the bettors at a seat, and no name
    # What it was owed is open; what was paid was observed and has no entry for it.
    assert (second["expected_cents"], second["paid_cents"]) == (None, 0)


def test_an_older_revision_stays_readable_and_a_withdrawn_finding_is_marked(
    client: TestClient[Litestar],
) -> None:
    now = client.get("/api/rounds/2025-03-01/BAC-101/2").json()
    assert (now["verdict"], now["revision"], now["revisions"], now["findings"]) == ("clean", 2, [1, 2], [])
    assert [(each["id"], each["withdrawn_in"]) for each in now["withdrawn"]] == [("card", 2)]
    before = client.get("/api/rounds/2025-03-01/BAC-101/2?revision=1").json()
    assert (before["verdict"], before["withdrawn"]) == ("mismatch", [])
    assert [finding["id"] for finding in before["findings"]] == ["card"]
    assert "withdrawn in revision 2" in client.get("/rounds/2025-03-01/BAC-101/2").text
    assert "revision 2</a> is current" in client.get("/rounds/2025-03-01/BAC-101/2?revision=1").text


def test_a_shoe_has_its_own_page(client: TestClient[Litestar]) -> None:
    assert 'href="/shoes/2025-03-01/BAC-101/4"' in client.get("/findings?check=vigorish_mixed").text
    assert "taken rounded and exact in one shoe" in client.get("/shoes/2025-03-01/BAC-101/4").text
    assert client.get("/api/shoes/2025-03-01/BAC-101/4").json()["verdict"] == "mismatch"
    assert client.get("/shoes/2025-03-01/BAC-101/5").status_code == 404


SHORT = Finding(
    id="short",
    check="inventory_untyped",
    weight="mismatch",
    severity="critical",
    message=verbatim_fact("the table inventory is $300.00 short: round 114 as it closed"),
    citations=("465a.36(b)",),
    status="adopted",
    who="round 114 as it closed",
    expected_cents=1_000_000,
    observed_cents=970_000,
    delta_cents=-30_000,
    variance_cents=-30_000,
    steps=(Step(verbatim_fact("counted: round 114 as it closed"), "465a.36(b)", 970_000),),
    table="BAC-101",
)
ALTERED = Finding(
    id="altered",
    check="slip_in_box",
    weight="mismatch",
    severity="high",
    message=verbatim_fact("the sum is not that of the slip as made"),
    citations=("465a.38(d)(3)",),
    status="adopted",
    serial="F-7",
    patron="p 9",
    table="BAC-102",
    day=date(2025, 2, 28),
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store the accounts of one gaming day, of which one was put right since, a shoe and a round."""
    path = tmp_path_factory.mktemp("accounts") / "store.duckdb"
    inventory = (
        Line(name="opener", cents=1_000_000),
        Line(name="wagers_paid", cents=-31_000),
        Line(name="fill", of="F-7", cents=210_000, denominations={500: 20, 10_000: 20}),
        Line(name="box_coupon", of="MP-1", box="B-1", at=EIGHT_PM),
    )
    slips = (
        Line(name="requests", count=1_200),
        Line(name="cashed_out", cents=500, count=2),
        Line(name="cashed_out", of="patron 88", cents=200, count=1),
        Line(name="cashed_out", of=EVIL, cents=300, count=1),
    )
    evil = replace(
        SHORT, id="evil", message=verbatim_fact(EVIL), serial=EVIL, patron=EVIL, table=EVIL, who=EVIL
    )
    with Store(path) as store:
        store.write(
            RUN,
            [
                (None, account_of("inventory", "mismatch", SHORT, lines=inventory), 1),
                (None, account_of("slips", "mismatch", ALTERED, table="cage", lines=slips), 1),
                (None, account_of("counter_checks", "clean", table="counter_checks"), 1),
                (None, account_of("coupons", "clean", table="coupons", lines=QUARTER), 1),
                (None, account_of("inventory", "mismatch", replace(SHORT, id="gone"), table="BAC-103"), 1),
                (None, account_of("inventory", "clean", table="BAC-103"), 2),
                (None, conclude_at_table(None, "mismatch", MIXED, shoe="4", lines=OWED), 1),
                (None, conclude_at_table("1", "clean"), 1),
                (
                    None,
                    account_of(
                        EVIL,
                        "undetermined",
                        evil,
                        table=f"T/{EVIL}",
                        lines=(Line(name=EVIL, of=EVIL, box=EVIL),),
                    ),
                    1,
                ),
            ],
        )
    return path


@pytest.fixture(scope="module")
def accounts(kept: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(kept) as client:
        yield client


QUARTER = (Line(name="redeemed_in_quarter", of="2500", cents=7_500),)
OWED = (Line(name="vigorish_owed", of="seat 3", cents=125),)


def account_of(name: str, verdict: Verdict, *findings: Finding, **more: Any) -> Conclusion:
    """Conclude an account of the gaming day; of BAC-101 by default."""
    return conclude_at_table(
        None, verdict, *findings, **({"account": name, "chapter": "465a", "outcome": None} | more)
    )


def test_accounts_stand_among_the_findings_and_narrow_as_rounds_do(accounts: TestClient[Litestar]) -> None:
    assert ids(accounts) == ["short", "evil", "altered", "mixed"]
    assert ids(accounts, "?table=cage") == ["altered"]
    assert ids(accounts, "?table=BAC-102") == []  # it concerns that table, and stands in the cage's account
    assert ids(accounts, "?check=inventory_untyped&verdict=mismatch") == ["short"]
    page = accounts.get("/findings?verdict=mismatch").text
    for said in (
        '<a href="/accounts/2025-03-01/BAC-101/inventory">inventory</a>',
        '<a href="/accounts/2025-03-01/cage/slips">slips</a>',
        "$300.00<small>short</small>",
        '<option value="cage">cage</option>',
        "slip F-7, table BAC-102, patron ·",
    ):
        assert said in page


def test_the_summary_distinguishes_accounts_from_shoes(accounts: TestClient[Litestar]) -> None:
    page = accounts.get("/findings").text
    assert "<b>1</b> shoe not clean" in page
    assert "<b>3</b> accounts not clean" in page


def test_a_table_s_day_counts_its_accounts_apart_from_its_shoes(kept: Path) -> None:
    with connect(kept, writing=True) as store:  # as the console of this module has it
        days = store.execute(
            "SELECT table_id, rounds, mismatch, shoes_not_clean, accounts_not_clean, findings FROM table_day "
            "ORDER BY table_id"
        ).fetchall()
    # A ledger has its day too; the inventory of BAC-103 is clean since its second revision.
    assert days == [
        ("BAC-101", 1, 0, 1, 1, 2),
        ("BAC-103", 0, 0, 0, 0, 0),
        (f"T/{EVIL}", 0, 0, 0, 1, 1),
        ("cage", 0, 0, 0, 1, 1),
        ("counter_checks", 0, 0, 0, 0, 0),
        ("coupons", 0, 0, 0, 0, 0),
    ]


def test_a_row_of_the_api_names_the_account_and_the_table_it_concerns(accounts: TestClient[Litestar]) -> None:
    (told,) = accounts.get("/api/alerts?table=cage").json()["findings"]
    assert re.fullmatch(r"patron ·[0-9a-f]{6}", told["patron"])  # p 9, to who has not asked for the name
    assert {key: told[key] for key in ("table", "account", "concerns_table", "serial", "day")} == {
        "table": "cage",
        "account": "slips",
        "concerns_table": "BAC-102",
        "serial": "F-7",
        "day": "2025-02-28",
    }
    assert "round" not in told
    assert "shoe" not in told


def test_an_account_has_its_own_page_with_its_lines(accounts: TestClient[Litestar]) -> None:
    page = accounts.get("/accounts/2025-03-01/BAC-101/inventory").text
    for said in (
        "<h1>BAC-101, inventory <span",
        "the table inventory is $300.00 short: round 114 as it closed</p>",  # its table is in the heading
        "counted: round 114 as it closed",
        "$9,700.00",
        '<td data-label="Line">wagers paid</td>',
        "-$310.00",
        '<span class="tight">20 of $100.00</span>, <span class="tight">20 of $5.00</span>',
        '<td data-label="Of">MP-1<small>03/01/2025 3:00:00 PM EST</small></td>',
        '<td data-label="Box">B-1</td>',
        "Plus is into the tray",
    ):
        assert said in page
    told = accounts.get("/api/accounts/2025-03-01/BAC-101/inventory").json()
    assert (told["account"], told["round"], told["shoe"], told["verdict"]) == (
        "inventory",
        None,
        None,
        "mismatch",
    )
    assert told["lines"][2] == {
        "name": "fill",
        "of": "F-7",
        "cents": 210_000,
        "denominations": {"500": 20, "10000": 20},
    }
    assert [finding["id"] for finding in told["findings"]] == ["short"]


def test_a_ledger_is_called_by_its_words(accounts: TestClient[Litestar]) -> None:
    assert "<h1>Cage, slips <span" in accounts.get("/accounts/2025-03-01/cage/slips").text
    checks = accounts.get("/accounts/2025-03-01/counter_checks/counter_checks").text
    assert "<h1>Counter checks <span" in checks
    assert "<h2>Lines</h2>" not in checks
    coupons = accounts.get("/accounts/2025-03-01/coupons/coupons").text
    assert '<td data-label="Of">$25.00</td>' in coupons
    assert "into the tray" not in coupons


def test_a_shoe_shows_what_its_vigorish_came_to(accounts: TestClient[Litestar]) -> None:
    page = accounts.get("/shoes/2025-03-01/BAC-101/4").text
    assert "<h1>BAC-101, shoe 4 <span" in page
    assert '<td data-label="Line">vigorish owed</td>\n<td data-label="Of">seat 3</td>' in page


def test_what_single_patrons_were_paid_is_counted_and_not_shown(accounts: TestClient[Litestar]) -> None:
    page = accounts.get("/accounts/2025-03-01/cage/slips").text
    assert "patron 88" not in page
    assert "2 lines of individual patrons are not shown here" in page
    assert (
        '<td data-label="Amount" class="figure">$5.00</td>\n<td data-label="Number" class="figure">2</td>'
        in page
    )
    assert "1,200" in page
    told = accounts.get("/api/accounts/2025-03-01/cage/slips")
    assert "patron 88" not in told.text
    assert told.json()["lines_withheld"] == 2


def test_an_older_revision_of_an_account_stays_readable(accounts: TestClient[Litestar]) -> None:
    about = "/accounts/2025-03-01/BAC-103/inventory"
    now = accounts.get(f"/api{about}").json()
    assert (now["verdict"], now["revisions"], [each["id"] for each in now["withdrawn"]]) == (
        "clean",
        [1, 2],
        ["gone"],
    )
    assert accounts.get(f"/api{about}?revision=1").json()["verdict"] == "mismatch"
    assert f'<a href="{about}?revision=1">1</a>' in accounts.get(about).text


@pytest.mark.parametrize("api", ["", "/api"])
def test_an_account_that_is_not_there_is_said_plainly(accounts: TestClient[Litestar], api: str) -> None:
    missing = accounts.get(f"{api}/accounts/2025-03-01/cage/inventory")
    assert missing.status_code == 404
    assert "There is no account inventory at cage on 03/01/2025 in this store." in missing.text


def test_what_ledgers_wrote_is_escaped(accounts: TestClient[Litestar]) -> None:
    listed = accounts.get("/findings?verdict=undetermined").text
    about = next(part.partition('"')[0] for part in listed.split('href="') if part.startswith("/accounts/"))
    for page in (listed, accounts.get(about).text):
        assert "&lt;script&gt;alert(" in page
        assert our_own_scripts(page)
        assert "<img" not in page
    told = accounts.get(f"/api{about}")
    assert (told.status_code, told.json()["account"], told.json()["table"]) == (200, EVIL, f"T/{EVIL}")


@pytest.mark.parametrize("view", ["/?queue=this_shift", "/?queue=nightly", "/findings", "the round"])
def test_what_devices_and_vendors_wrote_is_escaped(client: TestClient[Litestar], view: str) -> None:
    if view == "the round":
        listed = client.get("/findings?check=vigorish_mixed").text
        view = next(part.partition('"')[0] for part in listed.split('href="') if part.startswith("/rounds/"))
    page = client.get(view)
    assert page.status_code == 200
    assert "&lt;script&gt;alert(" in page.text  # in the filters of a queue, if not in its rows
    assert our_own_scripts(page.text)
    assert "<img" not in page.text


@pytest.mark.parametrize(
    "view", ["/", "/rounds/2025-03-01/BAC-101/1", "/nope", "/?page=0", "/static/console.css"]
)
def test_every_answer_allows_nothing_but_what_is_our_own(client: TestClient[Litestar], view: str) -> None:
    headers = client.get(view).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'self';")
    assert "; script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_pages_load_nothing_from_elsewhere_and_hold_no_script_or_style(client: TestClient[Litestar]) -> None:
    for view in ("/", "/findings", "/rounds/2025-03-01/BAC-101/1"):
        text = client.get(view).text
        assert our_own_scripts(text)
        for word in ("<style", " style=", "http://", "https://", "//cdn", " onclick"):
            assert word not in text
    style = client.get("/static/console.css")
    assert style.headers["content-type"] == "text/css; charset=utf-8"
    assert "url(" not in style.text
    assert client.get("/static/icon.svg").headers["content-type"].startswith("image/svg+xml")


@pytest.mark.parametrize(
    ("view", "status"),
    [
        ("/nope", 404),
        ("/rounds/2025-03-01/BAC-101/77", 404),
        ("/rounds/2025-03-01/BAC-101/1?revision=7", 404),
        ("/rounds/2025-03-99/BAC-101/1", 404),
        ("/findings?run=another", 404),
        ("/findings?page=2", 404),
        ("/?page=0", 400),
        ("/?page=first", 400),
        ("/static/../app.py", 404),
    ],
)
def test_what_is_not_there_is_said_plainly(client: TestClient[Litestar], view: str, status: int) -> None:
    page = client.get(view)
    assert page.status_code == status
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Traceback" not in page.text


def test_what_is_not_there_is_said_in_json_under_the_api(client: TestClient[Litestar]) -> None:
    missing = client.get("/api/rounds/2025-03-01/BAC-101/77")
    assert missing.status_code == 404
    assert missing.headers["content-type"] == "application/json"
    assert missing.json() == {"error": "There is no round 77 at BAC-101 on 03/01/2025 in this store."}
    assert client.get("/api/nope").json() == {"error": "Not Found"}
    assert client.get("/api/alerts?page=0").status_code == 400
    assert client.post("/api/alerts").status_code == 405


def test_health(client: TestClient[Litestar]) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "runs": 1}


def test_a_fault_of_ours_is_a_page_without_a_traceback(
    client: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    structlog.reset_defaults()  # a command that another test called may have set where logs go
    monkeypatch.setattr("projections.web.records.store_queries.Reader.tally", lambda _self, _run: 1 // 0)
    page = client.get("/findings")
    assert page.status_code == 500
    assert "ZeroDivisionError" not in page.text
    said = capsys.readouterr()
    assert "request_failed" in said.out + said.err


def test_an_empty_store_says_that_nothing_was_audited(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    Store(path).close()
    with open_console(path) as client:
        assert "Nothing has been audited yet." in client.get("/findings").text
        assert client.get("/api/alerts").json()["findings"] == []
        assert client.get("/api/rounds/2025-03-01/BAC-101/1").status_code == 404


def test_the_newest_run_is_shown_unless_another_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    newer = Run("second", datetime(2025, 3, 3, 11, 0, tzinfo=UTC), "1.1", "the archive")
    with Store(path) as store:
        store.write(newer, [(None, conclude_at_table("1", "clean"), 1)])
        store.write(RUN, [(None, conclude_at_table("1", "mismatch", OVERPAID), 1)])
    with open_console(path) as client:
        assert client.get("/api/alerts").json()["run"] == "second"
        assert ids(client, "?run=first") == ["over"]
        assert 'href="/rounds/2025-03-01/BAC-101/1?run=first"' in client.get("/findings?run=first").text
        page = client.get("/rounds/2025-03-01/BAC-101/1?run=first").text
        assert page.count("<article") == 1
        assert '<a href="/findings?run=first">All findings</a>' in page


def test_many_findings_are_paged(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(
            RUN,
            [
                (None, conclude_at_table(f"{number:03}", "mismatch", replace(OVERPAID, id=f"{number:03}")), 1)
                for number in range(101)
            ],
        )
    with open_console(path) as client:
        assert ids(client, "?page=1") == [f"{number:03}" for number in range(50)]
        assert ids(client, "?page=3") == ["100"]
        assert ids(client, "?page=4") == []
        page = client.get("/findings?page=2&severity=high").text
        assert 'href="?severity=high&amp;page=1" rel="prev"' in page
        assert 'href="?severity=high&amp;page=3" rel="next"' in page
        assert "101 findings, page 2 of 3" in page


def test_what_could_not_be_read_is_counted_and_listed_the_latest_first(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(RUN, [(None, conclude_at_table("1", "clean"), 1)])
        for number in range(51):
            store.write_batch(
                {}, [QuarantinedRecord("A", f"{number}", f"place {number}", f"{EVIL} no", EVIL, EVIL)]
            )
    with open_console(path) as client:
        assert '<a href="/quarantine"><b>51</b> not readable</a>' in client.get("/findings").text
        first = client.get("/api/quarantine").json()
        assert (first["total"], first["pages"], len(first["records"])) == (51, 2, 50)
        record = first["records"][0]
        assert record.pop("noted").endswith("Z")
        assert record == {
            "id": "50",
            "cluster": "A",
            "place": "place 50",
            "reason": f"{EVIL} no",
            "payload": None,  # the day is not over
            "table": EVIL,
        }
        page = client.get("/quarantine?page=2").text
        assert "place 0" in page
        assert "51 records, page 2 of 2" in page
        assert our_own_scripts(page)
        assert "<img" not in page
        assert client.get("/quarantine?page=3").status_code == 404


def test_a_store_without_trouble_says_so(client: TestClient[Litestar]) -> None:
    assert "not readable" not in client.get("/findings").text
    assert "Everything received could be read" in client.get("/quarantine").text


@pytest.fixture
def following(tmp_path: Path) -> Iterator[tuple[Store, LiveFloor, TestClient[Litestar]]]:
    path = tmp_path / "store.duckdb"
    beside = load_console(path, state="kafka away")
    with open_console(path, "director", on=beside) as client:
        yield beside.store, beside.live, client


Following: TypeAlias = tuple[Store, LiveFloor, TestClient[Litestar]]


def test_beside_a_projector_a_page_shows_what_was_written_since(following: Following) -> None:
    store, _, client = following
    assert "Nothing has been audited yet." in client.get("/findings").text
    store.write(RUN, [(None, conclude_at_table("1", "mismatch", OVERPAID), 1)])
    assert ids(client) == ["over"]
    store.write(RUN, [(None, conclude_at_table("1", "clean"), 2)])
    assert ids(client) == []
    assert client.get("/api/rounds/2025-03-01/BAC-101/1").json()["revisions"] == [1, 2]


@pytest.mark.parametrize("view", ["/", "/findings", "/quarantine", "/nope"])
def test_a_page_has_our_own_scripts_and_no_other(following: Following, view: str) -> None:
    page = following[2].get(view)
    assert our_own_scripts(page.text)
    policy = page.headers["content-security-policy"]
    assert "; script-src 'self'; connect-src 'self'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_script_is_served_and_small(following: Following) -> None:
    script = following[2].get("/static/live.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert len(script.text.splitlines()) < 150


def test_a_page_says_how_the_floor_is_followed(following: Following) -> None:
    _, live, client = following
    live.since = datetime(2025, 3, 1, 20, 39, 43, tzinfo=UTC)
    page = client.get("/findings").text
    assert "Not following the floor since 03/01/2025 3:39:43 PM EST: Kafka away;" in page
    live.state, live.lag = "ok", 1200
    live.written = datetime(2025, 3, 1, 20, 40, tzinfo=UTC)
    page = client.get("/findings").text
    assert "Following the floor, 1,200 waiting;" in page
    assert "last written 03/01/2025 3:40:00 PM EST." in page
    assert 'data-clock="America/New_York"' in page, "the script tells times as the page does"


@pytest.mark.parametrize(
    ("speed", "says"),
    [
        (10.0, "10 times as fast as it was"),
        (2.5, "2.5 times as fast as it was"),
        (1_000_000.0, "1,000,000 times as fast as it was"),
        (1.0, "as fast as it was"),
    ],
)
def test_a_floor_that_is_played_is_not_said_to_be_followed(
    following: Following, speed: float, says: str
) -> None:
    _, live, client = following
    live.state, live.play_speed = "ok", speed
    page = client.get("/findings").text
    assert f"A recorded floor plays, {says};" in page
    assert "Following the floor" not in page
    assert f"recorded, and plays {says} since" in client.get("/health").text
    live.state = "recorded"
    assert "A recorded floor;" in client.get("/findings").text, "it has come to its end"


def test_health_says_whether_kafka_is_followed(following: Following) -> None:
    _, live, client = following
    assert client.get("/healthz").json() == {"status": "kafka away", "runs": 0, "lag": 0, "written": None}
    live.state, live.lag = "ok", 3
    live.written = datetime(2025, 3, 1, 20, 40, tzinfo=UTC)
    assert client.get("/healthz").json() == {
        "status": "ok",
        "runs": 0,
        "lag": 3,
        "written": "2025-03-01T20:40:00Z",
    }


def test_figures_are_there_for_prometheus_on_this_machine(tmp_path: Path) -> None:
    async def asked(host: str, **headers: str) -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(host, 5))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://console", headers=headers
        ) as client:
            return await client.get("/metrics")

    Store(tmp_path / "store.duckdb").close()
    app = console(load_console(tmp_path / "store.duckdb"))
    figures = asyncio.run(asked("127.0.0.1"))
    assert asyncio.run(asked("127.0.0.1", **{"X-Forwarded-For": "10.0.0.1"})).status_code == 404
    assert asyncio.run(asked("10.0.0.1")).status_code == 404
    assert figures.headers["content-type"].startswith("text/plain")
    assert "\nprocess_start_time_seconds " in figures.text


def test_a_snapshot_is_a_store_that_can_be_served(following: Following, tmp_path: Path) -> None:
    store, _, client = following
    store.write(RUN, [(None, conclude_at_table("1", "mismatch", OVERPAID), 1)])
    answer = client.get("/api/snapshot")
    assert answer.headers["content-disposition"] == 'attachment; filename="discardrack.duckdb"'
    assert int(answer.headers["content-length"]) == len(answer.content)
    copied = tmp_path / "copied.duckdb"
    copied.write_bytes(answer.content)
    with open_console(copied) as other:
        assert ids(other) == ["over"]


def test_one_snapshot_at_a_time(following: Following) -> None:
    _, live, client = following
    with live.copying:
        refused = client.get("/api/snapshot")
    assert refused.status_code == 409
    assert refused.json() == {"error": "A snapshot is being made; ask again when it is done."}
    assert client.get("/api/snapshot").status_code == 200


def test_a_missing_store_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no such store"):
        load_console(tmp_path / "store.duckdb")


def serve(*args: str) -> Result:
    return CliRunner().invoke(main, ["serve", *args])


def test_serve_s_help_shows_an_example_on_its_own_line() -> None:
    assert "\n    discardrack serve --store " in serve("--help").output


def test_serve_refuses_in_one_line_what_it_cannot_serve(path: Path, tmp_path: Path) -> None:
    missing = serve("--store", str(tmp_path / "none.duckdb"), "--port", "0")
    assert (missing.exit_code, missing.stdout, missing.stderr.count("\n")) == (2, "", 1)
    assert "there is no such store" in missing.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        in_use = serve("--store", str(path), "--port", str(port))
    assert (in_use.exit_code, in_use.stdout) == (2, "")
    assert in_use.stderr == (
        f"discardrack: cannot listen on 127.0.0.1, port {port}: Address already in use; "
        "choose with --host and --port\n"
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--run", "night"], "--run is for a live floor; say --broker too"),
        (["--broker", "nowhere"], "--broker 'nowhere' is no address; write HOST:PORT, several with commas"),
        (["--broker", "a:1", "--house", "none.yaml"], "no house file 'none.yaml'"),
    ],
)
def test_serve_refuses_options_that_make_no_sense(tmp_path: Path, options: list[str], says: str) -> None:
    refused = serve("--store", str(tmp_path / "store.duckdb"), *options)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert says in refused.stderr


def test_serve_s_answers_do_not_wait_until_the_client_confirms_their_head() -> None:
    with listening("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


def test_serve_answers_until_it_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(RUN, [(SEEN, conclude_at_table("1", "mismatch", OVERPAID, expected=JUDGED), 1)])
    add_account(path)
    with subprocess.Popen(  # noqa: S603  our own program
        [
            sys.executable,
            "-c",
            "from replay.cli import main; main()",
            "serve",
            "--store",
            path,
            "--port",
            "0",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as serving:
        assert serving.stdout is not None
        said = serving.stdout.readline()
        address = said.removeprefix("Findings at ").partition(" ")[0]
        try:
            assert httpx.get(f"{address}/healthz").json() == {"status": "ok", "runs": 1}
            away = httpx.get(f"{address}/rounds/2025-03-01/BAC-101/1")
            assert (away.status_code, away.headers["location"]) == (
                303,
                "/login?next=/rounds/2025-03-01/BAC-101/1",
            )
            with httpx.Client(base_url=address) as client:
                assert log_in(client).get("/rounds/2025-03-01/BAC-101/1").status_code == 200
        finally:
            serving.send_signal(signal.SIGINT)
        _, logged = serving.communicate()
    assert serving.returncode == 0
    lines = [json.loads(line) for line in logged.splitlines()]
    assert [(line["event"], line["address"]) for line in lines] == [
        ("console_started", address),
        ("console_stopped", address),
    ]
