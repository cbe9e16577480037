"""With an alert is withheld what it is about, on every page; what is not there cannot be withheld."""

import html
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.casework.actions import Actor
from projections.casework.cases.case_actions import Merge, Undo, WriteNote
from projections.casework.cases.case_state import Cases
from projections.engine.conclusion import Conclusion, Line
from projections.store.rows import QuarantinedRecord
from projections.store.store import Store
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.auth_plugin import Access
from projections.web.auth.embargo import Embargoes, Hidden
from projections.web.auth.masking import Masking
from projections.web.auth.roles import Role
from projections.web.bootstrap import OpenConsole, load_console, wall_clock
from projections.web.pages.queue_stream import QueueQuery, QueueStream, StreamCache, Viewer
from projections.web.records.embargo_targets import StoredRecords
from projections.web.records.store_queries import Reader
from schemas.house import DEFAULT
from tests.builders.auth import log_in_as
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.texts import verbatim_fact
from tests.builders.withheld_rounds import DAY, RUN, build_day_report, build_named_finding, build_round

KEY: Final = "2025-03-01|BAC-101"
ROUND: Final = f"round:{KEY}|71"
# Two alerts each of a round, a shoe and an account; one of another round. The words stand nowhere else.
ONE, BESIDE = "5ec4e7" + "0" * 10, "be51de" + "0" * 10
OTHER: Final = "07e4" + "0" * 12
SHOE, OF_SHOE = "540e1" + "0" * 11, "540e2" + "0" * 11
COUNT, OF_COUNT = "acc01" + "0" * 11, "acc02" + "0" * 11
SIGNS: Final = (ONE, BESIDE, "heron", "stork", "grebe")
NOON: Final = 1_741_194_000_000_000  # 2025-03-05 12:00 in New York


def of_day(*said: str, **about: Any) -> Conclusion:
    return Conclusion(
        table="BAC-101", round=None, gaming_date=DAY, chapter="631a", verdict="mismatch", outcome=None,
        expected=(), findings=tuple(replace(build_named_finding(each), seat=None) for each in said),
        notes=(), **about,
    )  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store as it was written; each test has a copy."""
    path = tmp_path_factory.mktemp("written") / "store.duckdb"
    of_round = (
        replace(build_named_finding(ONE), message=verbatim_fact("the heron had $1,090.00 collected")),
        replace(
            build_named_finding(BESIDE, "paid_too_little"),
            message=verbatim_fact("the stork gained $1,090.00 too little"),
        ),
    )
    counted = of_day(COUNT, OF_COUNT, account="inventory", lines=(Line(name="cashed_out", cents=500),))
    with Store(path) as store:
        store.write(RUN, [build_round(71, *of_round), build_round(72, build_named_finding(OTHER))])
        store.write(RUN, [(None, of_day(SHOE, OF_SHOE, shoe="3"), 1), (None, counted, 1)])
        store.write_batch({}, reports=[build_day_report("findings")])
        store.write_batch({}, [QuarantinedRecord("A", "1", "a place", "a reason", "{", "BAC-102")])
    for role in ("operator", "auditor", "investigator", "director", "supervisor"):
        add_account(path, role, role)
    return path


@pytest.fixture
def path(tmp_path: Path, written: Path) -> Path:
    return shutil.copytree(written.parent, tmp_path, dirs_exist_ok=True) / written.name


@pytest.fixture
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(path, "supervisor") as client:
        yield client


def embargoes(client: TestClient[Litestar]) -> Embargoes:
    return client.app.plugins.get(Access).auth.embargoes


def as_(client: TestClient[Litestar], name: str) -> TestClient[Litestar]:
    log_in_as(client, client.app.plugins.get(Access).auth, name)
    return client


# ── what goes with it ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def room(path: Path) -> Iterator[OpenConsole]:
    console = load_console(path)
    yield console
    console.store.close()


@pytest.fixture
def records(room: OpenConsole) -> StoredRecords:
    return StoredRecords(Reader(room.live.db, room.house), room.commands, lambda: NOON)


@pytest.mark.parametrize(
    ("subject", "about", "alerts"),
    [
        (f"alert:{ONE}", ROUND, {ONE, BESIDE}),
        (f"case:{BESIDE}", ROUND, {ONE, BESIDE}),
        (f"alert:{OTHER}", f"round:{KEY}|72", {OTHER}),
        (f"alert:{SHOE}", f"round:{KEY}|shoe|3", {SHOE, OF_SHOE}),
        (f"alert:{COUNT}", f"round:{KEY}|account|inventory", {COUNT, OF_COUNT}),
        (f"round:{KEY}|shoe|3", None, {SHOE, OF_SHOE}),
        (f"table-day:{KEY}", None, {ONE, BESIDE, OTHER, SHOE, OF_SHOE, COUNT, OF_COUNT}),
        ("table-day:2025-03-01|BAC-10", None, set()),  # the name of another table begins so
        ("report:2025-03-01|findings", None, set()),
    ],
)
def test_with_an_alert_goes_what_it_is_about_and_all_that_was_found_there(
    records: StoredRecords, subject: str, about: str | None, alerts: set[str]
) -> None:
    expected = {f"alert:{each}" for each in alerts} | ({about} if about is not None else set())
    assert records.going_with(frozenset({subject})) == expected


def telling(client: TestClient[Litestar]) -> set[str]:
    """Return the addresses that reveal round 71."""
    addresses = (
        "/rounds/2025-03-01/BAC-101/71",
        "/api/rounds/2025-03-01/BAC-101/71",
        f"/alerts/{ONE}",
        f"/alerts/{BESIDE}",
        f"/api/alerts/{BESIDE}",
        "/?queue=nightly&every=true",
        "/api/queue?queue=nightly&every=true",
        "/findings",
        "/api/findings",
        "/find?q=BAC-101 71",
        "/tables/BAC-101",
        "/tables/BAC-101/2025-03-01",
        "/api/tables/BAC-101/2025-03-01",
        "/disputes",
        "/api/disputes",
        "/log",
        "/api/log",
        "/api/log/csv",
        "/audit",
    )
    answers = {each: client.get(each) for each in addresses}
    return {
        address
        for address, answer in answers.items()
        if answer.status_code == 200 and any(sign in answer.text for sign in SIGNS)
    }


ALL: Final = {
    "/rounds/2025-03-01/BAC-101/71", "/api/rounds/2025-03-01/BAC-101/71", f"/alerts/{ONE}",
    f"/alerts/{BESIDE}", f"/api/alerts/{BESIDE}", "/?queue=nightly&every=true",
    "/api/queue?queue=nightly&every=true", "/findings", "/api/findings", "/find?q=BAC-101 71",
    "/api/tables/BAC-101/2025-03-01", "/disputes", "/api/disputes",
    "/log", "/api/log",
}  # fmt: skip


@pytest.mark.parametrize("role", ["operator", "auditor", "investigator", "supervisor"])
def test_nothing_of_its_round_reveals_a_withheld_alert_or_case(
    client: TestClient[Litestar], role: Role
) -> None:
    post_action(as_(client, "director"), "note", subject=f"alert:{BESIDE}", text="the stork again")
    about = {"table": "BAC-101", "gaming_date": "2025-03-01", "rounds": ["71"], "claim": "the grebe says so"}
    post_action(client, "dispute-open", about=about, call={"called": 1})
    assert telling(as_(client, role)) >= ALL
    for number, subject in enumerate((f"alert:{ONE}", f"case:{ONE}"), 1):
        embargoes(client).place(subject, role, "named in it", by="director")
        assert telling(client) == set()
        assert client.get("/rounds/2025-03-01/BAC-101/72").status_code == 200
        assert client.get(f"/alerts/{OTHER}").status_code == 200
        assert telling(as_(client, "director")) >= ALL
        embargoes(client).lift(number, by="director")
        as_(client, role)


def test_with_a_case_the_rounds_of_all_its_alerts_are_withheld(client: TestClient[Litestar]) -> None:
    post_action(client, "merge", subject=f"alert:{OTHER}", others=[f"alert:{ONE}"])
    embargoes(client).place(f"case:{OTHER}", "operator", "named in it", by="director")
    gone = ("/rounds/2025-03-01/BAC-101/71", "/rounds/2025-03-01/BAC-101/72", f"/alerts/{BESIDE}")
    assert {client.get(each).status_code for each in gone} == {200}
    assert {as_(client, "operator").get(each).status_code for each in gone} == {404}
    assert telling(client) == set()


@pytest.mark.parametrize(
    ("alert", "gone", "beside"),
    [
        (SHOE, "/shoes/2025-03-01/BAC-101/3", OF_SHOE),
        (COUNT, "/accounts/2025-03-01/BAC-101/inventory", OF_COUNT),
    ],
)
def test_with_an_alert_of_a_shoe_or_an_account_that_is_withheld_and_the_rounds_stay(
    client: TestClient[Litestar], alert: str, gone: str, beside: str
) -> None:
    day = "/api/tables/BAC-101/2025-03-01"
    as_(client, "operator")
    assert all(each in client.get(day).text for each in (alert, beside))
    embargoes(client).place(f"alert:{alert}", "operator", "named in it", by="director")
    for each in (gone, f"/api{gone}", f"/alerts/{alert}", f"/alerts/{beside}"):
        assert client.get(each).status_code == 404
    told = client.get(day)
    assert told.status_code == 200
    assert alert not in told.text
    assert beside not in told.text
    accounts = [each["account"] for each in told.json()["accounts"]]
    assert accounts == ([] if alert == COUNT else ["inventory"])
    assert client.get("/rounds/2025-03-01/BAC-101/71").status_code == 200


def test_the_stream_reveals_nothing_of_the_round_of_a_withheld_alert(
    path: Path, room: OpenConsole, records: StoredRecords
) -> None:
    file = AccountsFile(accounts_of(path))
    placed = Embargoes(file, records)
    actor = Actor("director", "director", frozenset({"see", "work"}), ("director", "operator"))

    def stream(name: str) -> QueueStream:
        eyes = Viewer(
            replace(actor, name=name), lambda: placed.hidden(name).subjects, Masking(b"key"), wall_clock
        )
        return QueueStream(
            StreamCache(room.commands),
            QueueQuery(queue="nightly", every=True),
            eyes,
            lambda row: row.alert.id,
            0,
        )

    def counted(told: QueueStream) -> int:
        (counts,) = (msgspec.json.decode(data) for event, data in told.first_events() if event == "counts")
        return int(counts["nightly"])

    placed.place(f"alert:{ONE}", "operator", "named in it", by="director")
    withheld, whole = stream("operator"), stream("director")
    assert counted(whole) - counted(withheld) == 2
    room.commands.act(
        WriteNote(id="a" * 32, subject=f"alert:{BESIDE}", text="the stork again"), actor, wall_clock()
    )
    news = room.commands.news()
    assert BESIDE in str(list(whole.events_since(news)))
    assert list(withheld.events_since(news)) == []
    file.close()


def test_withheld_alerts_leave_an_open_stream_and_its_counts_and_lifted_ones_return(
    path: Path, room: OpenConsole, records: StoredRecords
) -> None:
    file = AccountsFile(accounts_of(path))
    placed = Embargoes(file, records)
    placed.follow(room.commands.note_embargo_change)
    director = Actor("director", "director", frozenset({"see", "work"}), ("director", "operator"))

    def stream(name: str) -> QueueStream:
        eyes = Viewer(
            replace(director, name=name), lambda: placed.hidden(name).subjects, Masking(b"key"), wall_clock
        )
        asked = QueueQuery(queue="nightly", every=True)
        return QueueStream(StreamCache(room.commands), asked, eyes, lambda row: row.alert.id, 0)

    of_operator, of_director = stream("operator"), stream("director")

    def told() -> tuple[set[str], set[str], int]:
        """Return the messages to the operator and other users, and how many rows; others get fewer."""
        news = room.commands.news()
        found = [(event, msgspec.json.decode(data)) for event, data in of_operator.events_since(news)]
        counts = [data["nightly"] for event, data in found if event == "counts"] or [-1]
        ids = {event: {data["id"] for name, data in found if name == event} for event in ("alert", "gone")}
        events = {event for event, _ in of_director.events_since(news)}
        assert events <= ({"alert", "counts", "acted"} if news.touched else {"acted"})
        return ids["alert"], ids["gone"], counts[-1]

    begun = msgspec.json.decode(dict(of_operator.first_events())["counts"])["nightly"]
    assert begun == 5  # those of the two rounds and of the account; the shoe's stand in this shift
    placed.place(f"case:{ONE}", "operator", "named in it", by="director")
    assert told() == (set(), {ONE, BESIDE}, 3)
    # What is merged into the withheld case goes with it, and comes again when that is taken back.
    room.commands.act(
        Merge(id="a" * 32, subject=f"alert:{ONE}", others=(f"alert:{OTHER}",)), director, wall_clock()
    )
    assert told() == (set(), {OTHER}, 2)
    room.commands.act(Undo(id="b" * 32, subject=f"alert:{ONE}"), director, wall_clock())
    assert told() == ({OTHER}, set(), 3)
    placed.lift(1, by="director")
    assert told() == ({ONE, BESIDE}, set(), 5)
    file.close()


def test_what_the_store_does_not_have_yet_is_withheld_with_its_round(
    room: OpenConsole, records: StoredRecords
) -> None:
    board = room.commands.alert_queue
    known = board.find(OTHER)
    assert known is not None
    new = replace(known, id="ea51" + "0" * 12)
    board.replace_alerts(known.about, [known, new], Cases())
    for subject in (f"round:{KEY}|72", f"alert:{new.id}", f"table-day:{KEY}"):
        assert f"alert:{new.id}" in records.going_with(frozenset({subject}))
    assert f"round:{KEY}|72" in records.going_with(frozenset({f"alert:{new.id}"}))


def test_what_is_stored_later_is_withheld_with_its_round_from_then_on(
    room: OpenConsole, records: StoredRecords
) -> None:
    of_round, later = frozenset({f"round:{KEY}|72"}), "1a7e" + "0" * 12
    assert records.going_with(of_round) == {f"alert:{OTHER}"}
    seen, told, _ = build_round(72, build_named_finding(OTHER), build_named_finding(later))
    room.store.write_batch({RUN: [(seen, told, 2)]})
    assert records.going_with(of_round) == {f"alert:{OTHER}", f"alert:{later}"}


# ── what is not there ────────────────────────────────────────────────────────────────────────────────


def refused(client: TestClient[Litestar], subject: str, whom: str = "operator") -> str:
    """Try to withhold a record, and give why that was refused."""
    before = len(embargoes(client).seen_by("regulator"))
    answer = client.post("/embargoes", data={"subject": subject, "whom": whom, "reason": "named in it"})
    assert answer.status_code == 400, answer.text
    assert len(embargoes(client).seen_by("regulator")) == before
    said = answer.text.partition('role="alert">Nothing was changed: ')[2].partition("</p>")[0]
    return html.unescape(said)


LED: Final = "its page leads to this form with the name filled in."
AFTER: Final = "it is called after its first alert, by what the address of that one's page ends in."
CALLED: Final = "it is called by its gaming date, | and its name, as the address of its page ends."


@pytest.mark.parametrize(
    ("subject", "says"),
    [
        ("alert:nosuch", f"there is no alert 'nosuch'; {LED}"),
        ("case:nosuch", f"there is no case 'nosuch'; {AFTER}"),
        (
            "round:2025-03-01|BAC-105|99999",
            f"there is no round, shoe or account '2025-03-01|BAC-105|99999'; {LED}",
        ),
        (f"round:{KEY}", f"there is no round, shoe or account '{KEY}'; {LED}"),
        ("table-day:2025-03-02|BAC-101", f"there is no table's day '2025-03-02|BAC-101'; {LED}"),
        ("dispute:0a0a0a", f"there is no dispute '0a0a0a'; {LED}"),
        ("report:2025-03-02|findings", f"there is no report '2025-03-02|findings'; {CALLED}"),
        ("log:17", "there is no entry of the log '17'; it is called by its id, which /api/log gives."),
    ],
)
def test_what_is_not_there_is_not_withheld(client: TestClient[Litestar], subject: str, says: str) -> None:
    assert refused(client, subject) == says


def test_what_is_withheld_from_oneself_looks_absent(
    client: TestClient[Litestar],
) -> None:
    as_(client, "director")
    about = {"table": "BAC-101", "gaming_date": "2025-03-01", "rounds": ["72"], "claim": "-"}
    dispute = post_action(client, "dispute-open", about=about, call={"called": 1})["subject"]
    entry = {"kind": "note", "at": NOON, "what": "seen"}
    logged = post_action(client, "log-entry", entry=entry)["subject"]
    kinds = {
        "alert": [ONE, BESIDE], "case": [ONE, BESIDE], "round": [f"{KEY}|71"],
        "report": ["2025-03-01|findings"], "dispute": [dispute.partition(":")[2]],
        "log": [logged.partition(":")[2]],
    }  # fmt: skip
    for subject in (f"alert:{ONE}", "report:2025-03-01|findings", dispute, logged):
        embargoes(client).place(subject, "supervisor", "named in it", by="director")
    as_(client, "supervisor")
    for kind, names in kinds.items():
        for name in names:
            assert refused(client, f"{kind}:{name}") == refused(client, f"{kind}:0").replace(
                "'0'", f"'{name}'"
            )
    embargoes(client).place(f"table-day:{KEY}", "supervisor", "named in it", by="director")
    for subject in (f"table-day:{KEY}", f"round:{KEY}|72", f"alert:{OTHER}", f"alert:{COUNT}"):
        name = subject.partition(":")[2]
        assert f"'{name}'" in refused(client, subject)
    # To the director all of it is there.
    as_(client, "director")
    for kind, names in kinds.items():
        for name in names:
            told = {"subject": f"{kind}:{name}", "whom": "operator", "reason": "named in it"}
            assert client.post("/embargoes", data=told, follow_redirects=False).status_code == 303


def test_a_table_s_day_is_there_by_anything_that_is_of_it_and_today_before_that(path: Path) -> None:
    about = {"table": "BAC-103", "gaming_date": "2025-03-02", "claim": "-"}
    entry = {"kind": "note", "at": NOON - 86_400_000_000, "what": "-", "table": "X|1"}
    # What could not be read came now, and everything else is asked on 5 March 2025.
    unread = f"{DEFAULT.gaming_date(wall_clock())}|BAC-102"
    with open_console(path, "supervisor", on=(console := load_console(path))) as client:
        post_action(client, "dispute-open", about=about, call={"called": 1})
        post_action(client, "log-entry", entry=entry)
        records = StoredRecords(Reader(console.live.db, console.house), console.commands, lambda: NOON)
        there = [KEY, unread, "2025-03-02|BAC-103", "2025-03-04|X%7C1", "2025-03-05|BAC-101"]
        none = ["2025-03-06|BAC-101", "2025-03-05|BAC-105", "2025-03-05|X%7C1", "2025-03-01|BAC-10"]
        assert [each for each in there + none if records.is_there(f"table-day:{each}", Hidden())] == there
