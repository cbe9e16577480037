"""A record that is withheld is nowhere in the whole console, by whatever page or address."""

import hashlib
import json
import re
import shutil
from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from projections.engine.conclusion import Conclusion
from projections.engine.facts import CardRef, HandRef, StaffRef, WagerRef, fact, listed
from projections.engine.findings import Finding
from projections.engine.observation import Key, Round, Wager
from projections.store.runs import DayReport, Run
from projections.store.store import Store
from projections.web.auth.auth_plugin import Access
from projections.web.bootstrap import load_console
from tests.builders.auth import log_out
from tests.builders.consoles import add_account, log_in, open_console, post_action
from tests.builders.texts import verbatim_fact

DAY: Final = date(2025, 3, 1)
RUN: Final = Run("first", datetime(2025, 3, 2, 11, tzinfo=UTC), "1.0", "the archive")
AT: Final = 1_740_859_200_000_000  # 15:00:00 in New York
ROUND: Final = "2025-03-01|BAC-101|71"
# What stands nowhere but in the withheld round, by which it is found on a page.
ID: Final = "5ec4e7" + "0" * 10
# A picture of it, attached to its dispute.
ATTACHED: Final = b"\x89PNG\r\n\x1a\n the heron"
PART: Final = re.compile(r"\{(\w+):\w+\}")
# A copy of the store is refused, and the stream has no end; both are tried apart. The description of the API
# is the same whatever is stored.
APART: Final = ("/static/", "/logout", "/api/snapshot", "/stream", "/api/openapi")
DESCRIPTION: Final = "/api"
LINK: Final = re.compile(r'(?:href|method="get" action)="(/[^"#]*)"')
ADDRESSES: Final = (
    "/",
    "/?queue=this_shift&every=true",
    "/?queue=nightly&every=true",
    "/floor",
    "/findings",
    "/find?q=71",
    f"/find?q={ID}",
    "/rounds/2025-03-01/BAC-101/71",
    f"/alerts/{ID}",
    "/tables/BAC-101",
    "/tables/BAC-101/2025-03-01",
    "/api/alerts",
    "/api/findings",
    "/api/queue",
    "/api/floor",
    "/api/audit",
    "/api/find?q=71",
    f"/api/find?q={ID}",
    "/api/disputes",
    "/api/log",
    "/api/rounds/2025-03-01/BAC-101/71",
    f"/api/alerts/{ID}",
    "/api/tables/BAC-101/2025-03-01",
    "/api/health",
)


def late(name: str, says: str, check: str = "late_wager") -> Finding:
    return Finding(
        id=name, check=check, weight="mismatch", severity="medium", message=verbatim_fact(says),
        citations=("631a.8(c)",),
        status="adopted", seat=1, bettor="anna",
    )  # fmt: skip


def concluded(number: str, *found: Finding, table: str = "BAC-101") -> tuple[Round, Conclusion, int]:
    minute = int(number) * 60_000_000
    seen = Round(
        table=table, number=number, day=DAY, at=AT + minute, play=[("player", "2d")],
        wagers={Key(1, "anna", "tie", None): Wager(500)},
    )  # fmt: skip
    said = Conclusion(
        table=table, round=number, gaming_date=DAY, chapter="631a", verdict="mismatch" if found else "clean",
        outcome="banker", expected=(), findings=found, notes=(),
    )  # fmt: skip
    return seen, said, 1


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store as it was written; each test has a copy."""
    path = tmp_path_factory.mktemp("written") / "store.duckdb"
    others = [concluded(str(number), late(f"{number:016x}", f"late by {number}")) for number in (70, 72)]
    with Store(path) as store:
        # The one check and the one table of what is withheld are nobody else's: filters offer them else.
        withheld = concluded("71", late(ID, "the wager of the heron was made late", "heron_wager"))
        store.write(RUN, [*others, withheld, concluded("5", table="BAC-102")])
    for role in ("auditor", "supervisor", "director", "operator"):
        add_account(path, role, role)
    return path


@pytest.fixture
def store(tmp_path: Path, written: Path) -> Path:
    return shutil.copytree(written.parent, tmp_path, dirs_exist_ok=True) / written.name


@pytest.fixture
def client(store: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(store, "supervisor") as client:
        yield client


def of_routes(client: TestClient[Litestar], dispute: str) -> set[str]:
    """Return an address of each route: of what is withheld if it names a record.

    A new route whose parts are not known here is a KeyError.
    """
    parts = {"alert": ID, "table": "BAC-101", "day": "2025-03-01", "report": "findings", "form": "csv"}
    parts["sha256"] = hashlib.sha256(ATTACHED).hexdigest()
    names = {"rounds": "71", "shoes": "3", "accounts": "inventory", "disputes": dispute}
    found = set()
    for route in client.app.routes:
        if isinstance(route, HTTPRoute) and "GET" in route.methods and not route.path.startswith(APART):
            (kind, *_) = route.path.removeprefix("/api").strip("/").split("/")
            known = {**parts, "name": names[kind]} if "{name:" in route.path else parts
            found.add(PART.sub(lambda part, known=known: known[part[1]], route.path))
    return found


def crawled(client: TestClient[Litestar], dispute: str = "", only: Collection[str] = ()) -> dict[str, str]:
    """Request every route and follow every link; return what each address answered with, if anything.

    Of addresses that are named, these alone are requested. Of links to one page with different queries those
    are followed that ask for something new: a list in each order, and each filter, not each with the other.
    """
    everything = [*ADDRESSES, *of_routes(client, dispute), f"/find?q={dispute}"]
    waiting, told, asked = [*(only or everything)], dict[str, str](), set[tuple[str, str]]()
    while waiting:
        path = waiting.pop()
        if path in told or path.startswith(APART) or path == DESCRIPTION:
            continue
        assert len(told) < 400, "the links have no end"
        answer = client.get(path)
        assert answer.status_code < 500, (path, answer.text)
        told[path] = answer.text if answer.status_code < 400 else ""
        if not only and answer.headers["content-type"].startswith("text/html"):
            for link in (each.replace("&amp;", "&") for each in LINK.findall(answer.text)):
                page, _, query = link.partition("?")
                parts = {(page, part) for part in query.split("&")}
                if not parts <= asked:
                    asked |= parts
                    waiting.append(link)
    return told


def telling(told: dict[str, str], dispute: str = "-") -> list[str]:
    """Return the addresses that reveal the withheld round or dispute; a search may repeat what was typed."""
    found = {path: text.replace(ID, "") if "/find" in path else text for path, text in told.items()}
    signs = (ID, "heron", f"dispute:{dispute}", f"disputes/{dispute}")
    return sorted(path for path, text in found.items() if any(sign in text for sign in signs))


def disputed(client: TestClient[Litestar], *rounds: str, **about: object) -> str:
    """Open a dispute and give its name."""
    told = {
        "table": "BAC-101",
        "gaming_date": "2025-03-01",
        "rounds": rounds,
        "claim": "the heron won",
        **about,
    }
    return str(post_action(client, "dispute-open", about=told, call={"called": AT})["after"]["name"])


class Revealing(NamedTuple):
    """A store with a dispute of the round to be withheld, all that it answers, and what reveals either."""

    store: Path
    dispute: str
    told: dict[str, str]
    addresses: list[str]


@pytest.fixture(scope="module")
def revealing(tmp_path_factory: pytest.TempPathFactory, written: Path) -> Revealing:
    folder = shutil.copytree(written.parent, tmp_path_factory.mktemp("revealing"), dirs_exist_ok=True)
    with open_console(folder / written.name, "supervisor") as client:
        dispute = disputed(client, "71")
        post_action(
            client,
            "dispute-bundle",
            subject=f"dispute:{dispute}",
            bundle={"name": "heron.zip", "sha256": "a" * 64},
        )
        attached = client.post(
            f"/api/disputes/{dispute}/attachments", files={"file": ("heron.png", ATTACHED, "image/png")}
        )
        assert attached.status_code == 200
        told = crawled(client, dispute)
    return Revealing(folder / written.name, dispute, told, telling(told, dispute))


def test_the_withheld_record_is_found_where_it_is_not_withheld(revealing: Revealing) -> None:
    assert len(revealing.addresses) > 20
    assert {
        f"/disputes/{revealing.dispute}", f"/api/disputes/{revealing.dispute}/itrak", "/api/log/csv",
        "/audit", "/rounds/2025-03-01/BAC-101/71", f"/alerts/{ID}", "/api/tables/BAC-101/2025-03-01",
    } <= set(revealing.addresses)  # fmt: skip


@pytest.mark.parametrize(
    "subject",
    [f"alert:{ID}", f"round:{ROUND}", "table-day:2025-03-01|BAC-101", f"case:{ID}", "dispute:{}"],
)
def test_a_withheld_record_is_on_no_page(tmp_path: Path, revealing: Revealing, subject: str) -> None:
    folder = shutil.copytree(revealing.store.parent, tmp_path, dirs_exist_ok=True)
    dispute = revealing.dispute
    with open_console(folder / revealing.store.name, "supervisor") as client:
        entry = client.app.plugins.get(Access).auth
        entry.embargoes.place(subject.format(dispute), "supervisor", "named in it", by="director")
        told = crawled(client, dispute)
        assert telling(told, dispute) == []
        # Nor where it was before, wherever the links lead now; a form repeats what its address fills in.
        before = [each for each in revealing.addresses if not each.startswith("/embargoes?")]
        if gone := [each for each in before if each not in told]:
            assert telling(crawled(client, dispute, gone), dispute) == []
        assert client.get("/api/health").json()["actions"] == 0
        alerts = client.get("/api/alerts").json()
        assert alerts["total"] == (0 if subject.startswith("table-day") else 2)
        # For everyone else it is there as it was.
        log_out(client)
        log_in(client, "auditor")
        pages = (
            each for each in before if "?" not in each and telling(crawled(client, dispute, [each]), dispute)
        )
        assert len(list(islice(pages, 21))) == 21


def test_a_dispute_that_is_tied_to_a_withheld_round_later_is_gone_from_then_on_and_stays_so(
    client: TestClient[Litestar],
) -> None:
    entry = client.app.plugins.get(Access).auth
    log_out(client)
    log_in(client, "director")
    about = {"table": "BAC-102", "gaming_date": "2025-03-02", "claim": "the heron won"}
    dispute = disputed(client, **about)
    entry.embargoes.place(f"round:{ROUND}", "supervisor", "named in it", by="director")

    page = f"/disputes/{dispute}"

    def told_to_the_supervisor(*only: str) -> list[str]:
        log_out(client)
        return telling(crawled(log_in(client, "supervisor"), dispute, only), dispute)

    assert told_to_the_supervisor(page) == [page]
    on = {"subject": f"dispute:{dispute}", "why": "misheard"}
    for rounds, table, day in ((["71"], "BAC-101", "2025-03-01"), ([], "BAC-102", "2025-03-02")):
        log_out(client)
        log_in(client, "director")
        moved = {**about, "rounds": rounds, "table": table, "gaming_date": day}
        post_action(client, "dispute-about", about=moved, **on)
        # Its history tells of the round also after it was named by mistake.
        assert told_to_the_supervisor() == []
    note = {"id": "f" * 32, "action": "dispute-note", "subject": f"dispute:{dispute}", "text": "seen"}
    assert client.post("/api/actions", json=note).json() == {
        "error": "There is no such dispute any more.",
        "code": "gone",
    }


def test_of_a_withheld_hand_nobody_opens_a_dispute_from_whom_it_is_withheld(
    client: TestClient[Litestar],
) -> None:
    entry = client.app.plugins.get(Access).auth
    entry.embargoes.place(f"round:{ROUND}", "supervisor", "named in it", by="director")
    entry.embargoes.place("table-day:2025-03-01|BAC-102", "supervisor", "named in it", by="director")

    def refused(**about: object) -> str:
        told = {"table": "BAC-101", "gaming_date": "2025-03-01", "claim": "-", **about}
        asked = {"id": "e" * 32, "action": "dispute-open", "about": told, "call": {"called": AT}}
        answer = client.post("/api/actions", json=asked)
        assert answer.status_code == 409, answer.text
        return str(answer.json()["error"])

    assert refused(rounds=["70", "71"]) == "There is no such round any more."
    assert refused(rounds=["70"], alerts=[ID]) == "There is no such alert any more."
    assert refused(table="BAC-102") == "There is no such table's day any more."
    assert client.get("/api/disputes").json() == []


def test_what_joins_a_withheld_case_or_dispute_is_withheld_at_once_also_from_the_board(
    store: Path,
) -> None:
    later = f"{72:016x}"
    with open_console(store, "director", on=(console := load_console(store))) as client:
        embargoes = client.app.plugins.get(Access).auth.embargoes
        board, of_71 = console.commands.alert_queue, {f"round:{ROUND}", f"alert:{ID}"}
        of_72 = {"round:2025-03-01|BAC-101|72", f"alert:{later}"}
        embargoes.place(f"case:{ID}", "auditor", "named in it", by="director")
        assert board.embargoed_subjects() == [{f"case:{ID}"} | of_71]
        post_action(client, "merge", subject=f"alert:{later}", others=[f"alert:{ID}"])
        assert board.embargoed_subjects() == [{f"case:{ID}"} | of_71 | of_72]
        log_out(client)
        log_in(client, "auditor")
        for gone in (f"/alerts/{later}", "/rounds/2025-03-01/BAC-101/72"):
            assert client.get(gone).status_code == 404
        assert client.get("/api/alerts").json()["total"] == 1
        log_out(client)
        log_in(client, "director")
        post_action(client, "undo", subject=f"alert:{later}")
        assert board.embargoed_subjects() == [{f"case:{ID}"} | of_71]
        embargoes.lift(1, by="director")
        dispute = disputed(client, "71")
        embargoes.place(f"dispute:{dispute}", "auditor", "named in it", by="director")
        assert board.embargoed_subjects() == [{f"dispute:{dispute}"} | of_71]
        about = {"table": "BAC-101", "gaming_date": "2025-03-01", "rounds": ["71", "72"], "claim": "-"}
        post_action(client, "dispute-about", subject=f"dispute:{dispute}", about=about, why="it was both")
        assert board.embargoed_subjects() == [{f"dispute:{dispute}"} | of_71 | of_72]


def test_the_board_knows_what_is_withheld_from_whom_as_it_is_placed_lifted_and_after_a_restart(
    store: Path,
) -> None:
    for director in ("director", "other"):
        add_account(store, director, "director")
    # With a round its alerts are withheld.
    withheld = [{f"round:{ROUND}", f"alert:{ID}"}]
    with open_console(store, "supervisor", on=(console := load_console(store))) as client:
        embargoes = client.app.plugins.get(Access).auth.embargoes
        assert console.commands.alert_queue.embargoed_subjects() == []
        embargoes.place(f"round:{ROUND}", "director", "named in it", by="other")
        assert console.commands.alert_queue.embargoed_subjects() == withheld
    with open_console(store, "supervisor", on=(again := load_console(store))) as client:
        assert again.commands.alert_queue.embargoed_subjects() == withheld
        client.app.plugins.get(Access).auth.embargoes.lift(1, by="other")
        assert again.commands.alert_queue.embargoed_subjects() == []


def test_a_withheld_case_stays_withheld_when_it_is_merged_into_another(
    client: TestClient[Litestar],
) -> None:
    others = f"{70:016x}"
    client.app.plugins.get(Access).auth.embargoes.place(f"case:{ID}", "supervisor", "in it", by="director")
    log_out(client)
    log_in(client, "operator")
    merged = {"id": "a" * 32, "action": "merge", "subject": f"alert:{others}", "others": [f"alert:{ID}"]}
    assert client.post("/api/actions", json=merged).status_code == 200
    log_out(client)
    assert telling(crawled(log_in(client, "supervisor"))) == []
    assert client.get(f"/alerts/{others}").status_code == 404  # what is said of the case tells of both
    assert client.get("/api/alerts").json()["total"] == 1


def test_lateness_with_a_case_that_has_a_withheld_alert_is_hidden(store: Path) -> None:
    other = f"{70:016x}"
    with open_console(store, "director", on=(console := load_console(store))) as client:
        with console.store.reading() as db:
            db.execute("UPDATE alerts SET taken_due = taken_due - INTERVAL 7 DAY")

        def late() -> set[str]:
            log_out(client)
            told = log_in(client, "supervisor").get("/api/breaches?day=2025-03-01").json()
            assert told["by_severity"] == {"medium": len(told["breaches"])}
            return {each["alert"] for each in told["breaches"]}

        assert late() == {ID, other, f"{72:016x}"}
        embargoes = client.app.plugins.get(Access).auth.embargoes
        embargoes.place(f"alert:{ID}", "supervisor", "named in it", by="director")
        assert late() == {other, f"{72:016x}"}
        log_out(client)
        log_in(client, "director")
        post_action(client, "merge", subject=f"alert:{other}", others=[f"alert:{ID}"])
        assert late() == {f"{72:016x}"}


@pytest.mark.parametrize("subject", [f"round:{ROUND}", "table-day:2025-03-01|BAC-101"])
def test_a_dispute_that_names_an_alert_alone_is_withheld_with_its_round(
    client: TestClient[Litestar], subject: str
) -> None:
    entry = client.app.plugins.get(Access).auth
    # Of another day, as it was called in later: nothing in it but the alert leads to the round.
    about = {"table": "BAC-102", "gaming_date": "2025-03-02", "claim": "the grebe paid late", "alerts": [ID]}
    opening = {
        "id": "d" * 32,
        "action": "dispute-open",
        "about": about,
        "call": {"called": 1_740_900_000_000_000},
    }
    log_out(client)
    log_in(client, "director")
    answer = client.post("/api/actions", json=opening)
    assert answer.status_code == 200, answer.text
    name = answer.json()["subject"].removeprefix("dispute:")
    assert client.get(f"/disputes/{name}").status_code == 200
    page = client.get(f"/api/disputes/{name}/itrak")
    assert page.status_code == 200

    reveals = {
        "/disputes", "/api/disputes", "/api/disputes/due", f"/disputes/{name}",
        "/log", "/audit", "/api/audit",
    }  # fmt: skip

    def telling_of_it(only: Collection[str] = ()) -> set[str]:
        log_out(client)
        told = crawled(log_in(client, "supervisor"), name, only)
        return {
            path.partition("?")[0]
            for path, text in told.items()
            if "grebe" in text or f"dispute:{name}" in text
        }

    assert telling_of_it(reveals) == reveals
    entry.embargoes.place(subject, "supervisor", "named in it", by="director")
    assert telling_of_it() | telling_of_it(reveals) == set()
    assert client.get(f"/api/disputes/{name}").status_code == 404
    note = {"id": "e" * 32, "action": "dispute-note", "subject": f"dispute:{name}", "text": "seen"}
    assert client.post("/api/actions", json=note).json() == {
        "error": "There is no such dispute any more.",
        "code": "gone",
    }
    assert client.get("/api/disputes").json() == client.get("/api/disputes/due").json() == []


def test_the_log_hides_a_look_at_rounds_of_which_one_is_withheld(
    client: TestClient[Litestar],
) -> None:
    log_out(client)
    assert log_in(client, "operator").get("/tables/BAC-101").status_code == 200
    log_out(client)
    log_in(client, "supervisor")
    looked = "rounds:BAC-101, 70 to 72"
    assert looked in client.get("/audit").text
    entry = client.app.plugins.get(Access).auth
    entry.embargoes.place(f"round:{ROUND}", "supervisor", "named in it", by="director")
    assert looked not in client.get("/audit").text


def test_counts_are_of_what_is_not_withheld(client: TestClient[Litestar]) -> None:
    entry = client.app.plugins.get(Access).auth
    assert re.search(r"<b>4</b> rounds.*<b>3</b> mismatch", client.get("/findings").text, re.DOTALL)
    entry.embargoes.place(f"round:{ROUND}", "supervisor", "named in it", by="director")
    assert re.search(r"<b>3</b> rounds.*<b>2</b> mismatch", client.get("/findings").text, re.DOTALL)


def nightly(**body: object) -> DayReport:
    told = {"title": "Findings", "columns": [{"name": "says", "says": "What", "kind": "text"}], **body}
    return DayReport(
        gaming_day=DAY, report="findings", digest="x", made_by="discardrack 1.0", body=json.dumps(told)
    )


def test_nobody_whom_a_fact_or_a_report_names_is_named_by_a_page(store: Path) -> None:
    slip = fact("accounts.checks.slip_not_signed", slip="4", person=StaffRef("Jane Osprey", "dealer"))
    card = fact("checks.card_unread", at=HandRef("seat2/Egret"), card=CardRef("?"))
    open_ = fact("checks.wagers_undecided", wagers=listed(WagerRef(1, "Kestrel", "tie", None)))
    found = [
        msgspec.structs.replace(late(f"{number:016x}", ""), message=each)
        for number, each in enumerate((slip, card, open_), 80)
    ]
    rows = [{"says": "counted by Jane Osprey alone; seat2/Egret hit"}]
    people = {"Jane Osprey": "dealer", "Egret": "patron"}
    with Store(store) as writing:
        writing.write(RUN, [concluded("80", *found)])
        writing.write_batch({}, reports=[nightly(rows=rows, row_keys=[[ROUND]], people=people)])
    with open_console(store, "supervisor") as client:
        told = crawled(client)
    assert any("counted by" in text for path, text in told.items() if "/reports/" in path)
    assert any("was not signed by" in text for text in told.values())
    assert {
        bird for bird in ("Osprey", "Egret", "Kestrel") for text in told.values() if bird in text
    } == set()


def test_rows_of_a_report_without_named_people_are_hidden_without_the_right_to_names(store: Path) -> None:
    """As an older version made it."""
    with Store(store) as writing:
        writing.write_batch(
            {}, reports=[nightly(rows=[{"says": "by Jane Osprey alone"}], row_keys=[[ROUND]])]
        )
    with open_console(store, "supervisor") as client:
        assert client.get("/api/reports/2025-03-01/findings").json()["rows"] == []


def test_no_page_names_a_patron(revealing: Revealing) -> None:
    told = revealing.told
    assert [path for path, text in told.items() if re.search(r"\banna\b", text)] == []
    assert any("patron ·" in text for text in told.values())
