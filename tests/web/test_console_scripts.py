"""A script that somebody typed, or a device sent, is a text on every page that shows it."""

import html
import re
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.engine.conclusion import id_of_table_day
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.round_records import BANKER, PLAYER, build_record, finding_ids
from tests.builders.stores import store_records

DAY: Final = "2025-01-01"


def evil(where: str) -> str:
    """Return a text that ends whatever it is put into and begins a script; it says where it was typed."""
    return f"</textarea>'\"><script>alert('{where}')</script><img src=x onerror=alert(1)>"


# What devices tell: names of a dealer, a patron, a table, a shoe and a coupon.
SENT: Final = build_record(
    BANKER,
    shoe=evil("shoe"),
    dealer=evil("dealer"),
    announced="banker",
    wagers=[
        {"seat": 1, "wager": "banker", "cents": 3700},
        {
            "seat": 2,
            "bettor": evil("patron"),
            "wager": "player",
            "cents": 1000,
            "coupon_cents": 500,
            "coupon": evil("coupon"),
        },
    ],
    paid=[{"seat": 1, "wager": "banker", "cents": 3700, "vigorish_cents": 285}],
)
ELSEWHERE: Final = build_record(PLAYER, announced="banker", table=evil("table"), round=evil("round"))
ALERT: Final = finding_ids(SENT)["vigorish_wrong"]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = store_records(tmp_path_factory.mktemp("scripts") / "s.duckdb", SENT, ELSEWHERE)
    add_account(path, "operator", "operator")
    return path


@pytest.fixture(scope="module")
def pages(path: Path) -> dict[str, str]:
    """Return every page by its address, after a script was typed wherever something can be typed."""
    with open_console(path) as client:
        type_everywhere(client)
        told = {address: client.get(address).text for address in addresses(client)}
    add_account(path, "administrator", "administrator")
    with open_console(path, "administrator") as client:
        added = {
            "csrf": client.headers["X-CSRF-Token"],
            "name": "new",
            "shown": evil("shown"),
            "role": "operator",
        }
        assert client.post("/accounts", data=added).status_code == 200
        told["/accounts"] = client.get("/accounts").text
    return told


def type_everywhere(client: TestClient[Litestar]) -> None:
    alert = {"subject": f"alert:{ALERT}"}
    for action, fields in (
        ("note", {"text": evil("note")}),
        ("escalate", {"to": "director", "reason": evil("escalated")}),
        ("snooze", {"minutes": 30, "reason": evil("snoozed")}),
        ("close", {"outcome": "explained", "reason": evil("closed")}),
        ("reopen", {"reason": evil("reopened")}),
    ):
        post_action(client, action, **alert, **fields)
    post_action(client, "mute", table=evil("table"), minutes=30, reason=evil("why muted"))
    about = {
        "table": evil("table"), "gaming_date": DAY, "rounds": [evil("round")], "patron": evil("patron"),
        "supervisor": evil("supervisor"), "claim": evil("claim"),
    }  # fmt: skip
    call = {"called": 1, "caller": evil("caller"), "answered": 2, "answered_by": evil("answered")}
    dispute = {"subject": post_action(client, "dispute-open", about=about, call=call)["subject"]}
    footage = {
        "requested": 1,
        "requested_by": evil("asked for"),
        "preserved": 2,
        "preserved_by": evil("preserved"),
        "reference": evil("reference"),
    }
    parts: dict[str, dict[str, Any]] = {
        "dispute-footage": {"footage": footage},
        "dispute-findings": {"findings": {"text": evil("findings"), "method": evil("method")}},
        "dispute-rule": {"ruling": {"text": evil("ruling"), "ruled_by": evil("ruler"), "ruled": 1}},
        "dispute-refer": {"referral": {"to": evil("referred"), "at": 1}},
        "dispute-note": {"text": evil("dispute note")},
    }
    for action, fields in parts.items():
        post_action(client, action, **dispute, **fields)
    post_action(
        client,
        "dispute-about",
        **dispute,
        about=about | {"rounds": ["42"]},
        why=evil("why changed"),
    )
    entry = {
        "kind": "visitor",
        "at": 1,
        "table": evil("entered"),
        "what": evil("entry"),
        "informed": evil("informed"),
    }
    post_action(client, "log-entry", entry=entry)
    post_action(client, "log-handover", to="operator", remarks=evil("remarks"))
    for address, told in (
        ("/api/views", {"name": evil("view")[:60], "query": "severity=critical"}),
        ("/api/unmask", {"subject": f"alert:{ALERT}", "reason": evil("unmasked")}),
    ):
        assert client.post(address, json=told).status_code == 200
    token = client.headers["X-CSRF-Token"]
    withheld = {
        "subject": f"table-day:{id_of_table_day(date.fromisoformat(DAY), evil('table'))}",
        "whom": "operator",
        "reason": evil("embargo"),
    }
    assert client.post("/embargoes", data={"csrf": token, **withheld}).status_code == 200


def addresses(client: TestClient[Litestar]) -> list[str]:
    dispute = client.get("/api/disputes").json()[0]["name"]
    seen = [
        "/",
        "/?state=snoozed",
        "/?queue=this_shift",
        "/?queue=nightly&every=true",
        "/muted",
        "/breaches",
        "/floor",
        "/findings",
    ]
    seen += [
        f"/alerts/{ALERT}",
        f"/disputes/{dispute}",
        "/disputes",
        "/log",
        "/audit",
        "/embargoes",
        "/coupons",
    ]
    seen += ["/tables/BAC-7", f"/tables/BAC-7/{DAY}", f"/rounds/{DAY}/BAC-7/41", "/reports", "/health"]
    seen += [
        f"/find?q={evil('sought')}",
        f"/disputes/new?table={evil('asked')}",
        f"/findings?check={evil('check')}",
    ]
    links = {
        html.unescape(to)
        for page in ("/floor", "/findings", "/")
        for to in LINK.findall(client.get(page).text)
    }
    return [*seen, *sorted(to for to in links if to.startswith(("/rounds/", "/tables/", "/alerts/")))]


LINK: Final = re.compile(r'href="([^"]*)"')


def test_no_page_has_a_script_that_is_not_the_console_s(pages: dict[str, str]) -> None:
    for address, page in pages.items():
        assert "<script>" not in page, address
        assert "<img" not in page, address
        for source in re.findall(r"<script\b([^>]*)>", page):
            assert re.search(r' src="/static/[0-9a-f]{16}/\w+\.js"', source), address


@pytest.mark.parametrize(
    "where",
    [
        "table", "round", "shoe",
        "note", "closed", "reopened", "why muted",
        "claim", "reference", "findings", "method", "ruling", "referred", "dispute note", "why changed",
        "entry", "informed", "entered", "remarks", "unmasked", "embargo", "shown",
    ],
)  # fmt: skip
def test_what_was_typed_is_shown_as_a_text(pages: dict[str, str], where: str) -> None:
    escaped = f"&lt;script&gt;alert(&#39;{where}&#39;)&lt;/script&gt;"
    assert any(escaped in page for page in pages.values())
