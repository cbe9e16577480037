"""The rounds shown with an alert of no round, and what its serial number is printed on."""

import re
from pathlib import Path
from typing import Any

import pytest

from projections.engine.audit.table_audit import TableAudit
from projections.store.store import Store
from tests.builders.alerts import DAY, build_conclusion, build_finding
from tests.builders.consoles import open_console
from tests.builders.round_records import BANKER, build_record
from tests.builders.stores import RUN, judge_record
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, Spot, build_house

ONE: Spot = (1, "banker")
LAY = f'<a href="/rounds/{DAY}/BAC-7/41">BAC-7, round 41</a>, <time datetime="2025-03-02T01:15:00+00:00">'


def text(page: str) -> str:
    """Return what a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


# ── coupons and Counter Checks ───────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store a round in which MP-7 lay, and accounts of coupons and Counter Checks; each finds two things."""
    wagers = [{"seat": 2, "wager": "banker", "cents": 1000, "coupon_cents": 500, "coupon": "MP-7"}]
    at = "2025-03-02T01:15:00Z"
    played = judge_record(build_record(BANKER, gaming_date=str(DAY), at=at, wagers=wagers, paid=[]))
    dropped: dict[str, Any] = {"check": "coupon_not_dropped", "net_cents": 0, "citations": ("603a.21(e)",)}
    lacking: dict[str, Any] = {"check": "counter_check_number_missing", "citations": ("609a.13(c)(3)",)}
    coupons = (
        build_finding("lay", message="not dropped", serial="MP-7", table="BAC-7", **dropped),
        build_finding("unseen", message="not dropped", serial="MP-8", table="BAC-8", **dropped),
    )
    book = build_finding("book", message="gone from the book", serial="K-106-0002", who="K-106", **lacking)
    slip = build_finding("slip", check="slip_unknown", message="nobody made it out", serial="F-7")
    path = tmp_path_factory.mktemp("papers") / "store.duckdb"
    with Store(path) as store:
        store.write(
            RUN,
            [
                played,
                (None, build_conclusion(None, *coupons, table="coupons", account="coupons"), 1),
                (
                    None,
                    build_conclusion(None, book, slip, table="counter_checks", account="counter_checks"),
                    1,
                ),
            ],
        )
    return path


def test_a_coupon_s_findings_name_their_table_and_link_to_alert_and_round(
    papers: Path,
) -> None:
    with open_console(papers) as client:
        page = client.get("/coupons").text
        (told,) = client.get("/api/coupons").json()
    lay, unseen = page.split("<article")[-2:]
    assert "not dropped · coupon MP-7, table BAC-7" in text(lay)
    assert 'href="/alerts/lay"' in lay
    assert LAY in lay
    assert "not dropped · coupon MP-8, table BAC-8" in text(unseen)
    assert 'href="/alerts/unseen"' in unseen
    assert "/rounds/" not in unseen
    assert [(each["coupon"], each["table"], each["round"]) for each in told["placed"]] == [
        ("MP-7", "BAC-7", "41")
    ]


def test_an_alert_of_a_coupon_leads_to_the_round_in_which_it_lay(papers: Path) -> None:
    with open_console(papers) as client:
        assert LAY in client.get("/alerts/lay").text
        assert "Where coupon" not in client.get("/alerts/unseen").text


def test_a_round_that_is_withheld_is_not_said_to_have_had_the_coupon(papers: Path) -> None:
    with open_console(papers, "operator") as client:
        embargoes = client.app.plugins.get("Access").auth.embargoes  # type: ignore[attr-defined]
        embargoes.place(f"round:{DAY}|BAC-7|41", "operator", "an inquiry", by="director")
        shown = client.get("/coupons").text + client.get("/alerts/lay").text
    assert "not dropped" in shown
    assert "round 41" not in shown


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ("/alerts/book", "gone from the book · Counter Check K-106-0002"),
        ("/alerts/slip", "nobody made it out · slip F-7"),
        ("/alerts/lay", "not dropped · coupon MP-7, table BAC-7"),
        (f"/accounts/{DAY}/counter_checks/counter_checks", "gone from the book · Counter Check K-106-0002"),
        ("/findings", "gone from the book · Counter Check K-106-0002"),
    ],
)
def test_a_serial_number_is_said_to_be_of_what_it_is_printed_on(
    papers: Path, path: str, printed: str
) -> None:
    with open_console(papers) as client:
        assert printed in text(client.get(path).text)


# ── vigorish that was left owing ─────────────────────────────────────────────────────────────────────


def test_vigorish_left_owing_is_reported_round_by_round(tmp_path: Path) -> None:
    """5% of $20.00 and of $30.00 were marked, and $1.20 was collected: $1.30 is left."""
    s = Script()
    s.open()
    for cents in (2000, 3000):
        s.play(BANKER_WINS, {ONE: cents}, "banker", {ONE: cents}, {ONE: cents // 20}, marked=True)
    s.pay_off(1, 120)
    s.play(PLAYER_WINS, {}, "player", {})
    s.close()
    audit = TableAudit("BAC-1", build_house(vigorish_deferred=True))
    heard = [*audit.feed(s.events), *audit.finish()]
    with Store(tmp_path / "store.duckdb") as store:
        store.write(RUN, [(each.basis, each.conclusion, each.revision) for each in heard])
    (alert,) = (found.id for each in heard for found in each.conclusion.findings)
    with open_console(tmp_path / "store.duckdb") as client:
        page = client.get(f"/alerts/{alert}").text
        told = client.get(f"/api/alerts/{alert}").json()
    assert [(step["says"], step["cents"]) for step in told["finding"]["steps"]] == [
        ("round 1: marked", 100),
        ("round 2: marked", 150),
        ("between rounds: collected", -120),
        ("still owing at the end of the shoe", 130),
    ]
    assert [each["round"] for each in told["reckoned"]] == ["1", "2"]
    reckoned = page.partition("How this was worked out")[2].partition("</table>")[0]
    day = told["record"]["gaming_date"]
    assert re.findall(r'href="([^"]*)">([^<]*)<', reckoned) == [
        (f"/rounds/{day}/BAC-1/1", "round 1: marked"),
        (f"/rounds/{day}/BAC-1/2", "round 2: marked"),
    ]
    assert "631a.13(d)(2)(ii)" in reckoned
