"""The log of looking, embargoes, unmasking and accounts: what is kept, and who is shown it."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template
from litestar.testing import TestClient

from projections.engine.findings import FindingView
from projections.web.auth.access_log import AccessRecorder, broken, head, logged, note
from projections.web.auth.access_log_pages import AccessLogQuery, read
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.auth_plugin import Access
from projections.web.auth.embargo import Hidden
from projections.web.auth.masking import Masking
from projections.web.auth.oidc import Identity
from projections.web.auth.record_subjects import within
from projections.web.auth.roles import Person, Role
from tests.builders.auth import (
    CSRF,
    PASSWORD,
    SettableClock,
    build_small_console,
    create_account,
    log_in_as,
    log_in_new_account,
    log_out,
)

EVIL = '<script>alert("1")</script>'
LATE = FindingView(
    id="late",
    check="late_wager",
    weight="mismatch",
    severity="medium",
    message="seat 5 anna tie: the wager was made late",
    citations=("631a.8(c)",),
    status="adopted",
    bettor="anna",
)
ABOUT = "2025-03-01|BAC-101|17"
BEGAN = 1_740_859_200  # 2025-03-01, 15:00:00 in New York


@get("/api/alert/{name:str}", opt={"needs": "see"}, sync_to_thread=True)
def alert(
    name: FromPath[str],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    access_recorder: NamedDependency[AccessRecorder],
    masking: NamedDependency[Masking],
) -> FindingView:
    if hidden.hides([f"alert:{name}", *within(ABOUT)]):
        raise NotFoundException("There is no such alert.")
    access_recorder.note_viewed(person, "alert", name, within(ABOUT))
    return masking.masked(LATE, [f"alert:{name}"])


@get("/api/queue", opt={"needs": "see"})
async def queue() -> list[FindingView]:
    return [LATE]


@get("/queue", opt={"needs": "see"})
async def queue_page() -> Template:
    return Template(template_str="{{ late.bettor }}: {{ late.message }}", context={"late": LATE})


@pytest.fixture
def client(access: Access) -> Iterator[TestClient[Litestar]]:
    with TestClient(build_small_console(access, alert, queue, queue_page)) as client:
        client.follow_redirects = False
        yield client


def told(client: TestClient[Litestar], **asked: Any) -> list[tuple[Any, ...]]:
    """Read the log, without what made the accounts of the test."""
    rows = client.get("/api/audit", params=asked).json()["rows"]
    keys = ("person", "kind", "subject", "whom", "detail")
    return [tuple(row[key] for key in keys) for row in rows if row["person"] != "a test"]


def as_(client: TestClient[Litestar], access: Access, name: str) -> TestClient[Litestar]:
    log_out(client)
    log_in_as(client, access.auth, name)
    return client


# ── the log ──────────────────────────────────────────────────────────────────────────────────────────


def test_views_of_records_are_listed_newest_first(client: TestClient[Litestar], access: Access) -> None:
    log_in_new_account(client, access.auth, "operator")
    client.get("/api/alert/1f")
    client.get("/api/alert/2e")
    log_in_new_account(client, access.auth, "auditor")
    assert told(client) == [
        ("operator", "looked", "alert:2e", None, None),
        ("operator", "looked", "alert:1f", None, None),
    ]
    assert told(client, subject="1f") == [("operator", "looked", "alert:1f", None, None)]
    assert len(told(client, subject="table-day:2025-03-01|BAC-101")) == 2
    assert told(client, person="nobody") == []


def test_a_page_that_keeps_itself_up_to_date_is_looked_at_once(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    name = log_in_new_account(client, access.auth, "operator")
    for _ in range(10):
        client.get("/api/alert/1f")
    clock.at += 599
    client.get("/api/alert/1f")
    create_account(access.auth, "auditor")
    assert len(told(as_(client, access, "auditor"))) == 1
    as_(client, access, name).get("/api/alert/1f")  # another session
    clock.at += 1
    as_(client, access, name).get("/api/alert/1f")
    assert len(told(as_(client, access, "auditor"))) == 3


def test_logins_are_listed_with_their_address_and_failures_without_what_was_typed(
    client: TestClient[Litestar], access: Access
) -> None:
    create_account(access.auth, "operator")
    access.auth.login("operator", PASSWORD, "10.0.0.7")
    for name in ("operator", PASSWORD):
        with pytest.raises(Exception, match="not right"):
            access.auth.login(name, "wrong", "10.0.0.8")
    log_in_new_account(client, access.auth, "regulator")
    assert told(client) == [
        ("-", "login refused", None, None, "from 10.0.0.8"),
        ("-", "login refused", None, "operator", "from 10.0.0.8"),
        ("operator", "login", None, None, "from 10.0.0.7"),
    ]


def test_a_day_is_a_day_of_the_property(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    log_in_new_account(client, access.auth, "auditor")
    for at, what in ((1_740_891_599, "23:59:59 on March 1"), (1_740_891_600, "midnight"), (BEGAN, "3 p.m.")):
        clock.at = at
        note(access.auth.file, "ines", "exported", detail=what)
    clock.at = BEGAN
    of_day = [row[4] for row in told(client, day="2025-03-01")]
    assert of_day == ["3 p.m.", "23:59:59 on March 1"]
    assert client.get("/api/audit?day=yesterday").status_code == 400


def test_the_log_has_its_pages(client: TestClient[Litestar], access: Access) -> None:
    log_in_new_account(client, access.auth, "auditor")
    for number in range(101):
        note(access.auth.file, "ines", "exported", detail=str(number))
    second = client.get("/api/audit?person=ines&page=2").json()
    assert (second["page"], second["pages"], second["total"]) == (2, 2, 101)
    assert [row["detail"] for row in second["rows"]] == ["0"]
    assert client.get("/api/audit?person=ines&page=3").status_code == 404
    page = client.get("/audit?person=ines")
    assert "101 rows, page 1 of 2" in page.text
    assert 'href="/audit?person=ines&amp;subject=&amp;day=&amp;page=2" rel="next"' in page.text


def test_what_was_typed_stays_text_in_the_log(client: TestClient[Litestar], access: Access) -> None:
    log_in_new_account(client, access.auth, "supervisor")
    assert client.post("/api/unmask", json={"subject": f"alert:{EVIL}", "reason": EVIL}).status_code == 200
    page = client.get("/audit", params={"person": EVIL}).text + client.get("/audit").text
    assert EVIL not in page
    assert "&lt;script&gt;" in page


def test_the_log_is_only_added_to_and_a_change_shows(access: Access) -> None:
    file = access.auth.file
    for number in range(3):
        note(file, "ines", "exported", detail=str(number))
    assert list(broken(file)) == []
    number, value = head(file)
    assert number == 3
    db = sqlite3.connect(file.path)
    for change in ("UPDATE log SET detail = 'x' WHERE number = 2", "DELETE FROM log WHERE number = 2"):
        with pytest.raises(sqlite3.IntegrityError, match="the log is only added to"):
            db.execute(change)
    db.execute("DROP TRIGGER log_stays")
    db.execute("UPDATE log SET detail = 'x' WHERE number = 2")
    db.commit()
    assert list(broken(file)) == [2]
    db.execute("DROP TRIGGER log_stays_whole")
    db.execute("DELETE FROM log WHERE number = 3")
    db.commit()
    db.close()
    assert head(file) != (number, value)


class Counted(AccountsFile):
    """A file of accounts that remembers how many rows it was asked for at once."""

    most = 0

    def ask(self, query: str, *parameters: object) -> list[sqlite3.Row]:
        """Request it."""
        return self._counted(super().ask(query, *parameters))

    def ask_named(self, query: str, parameters: Mapping[str, object]) -> list[sqlite3.Row]:
        """Request it."""
        return self._counted(super().ask_named(query, parameters))

    def _counted(self, rows: list[sqlite3.Row]) -> list[sqlite3.Row]:
        self.most = max(self.most, len(rows))
        return rows


def test_a_page_of_the_log_reads_no_more_than_a_page_of_it(path: Path, clock: SettableClock) -> None:
    file = Counted(accounts_of(path), clock)
    for number in range(250):
        belongs = ["round:2025-03-01|BAC-101|17"] if number % 2 else ["round:2025-03-01|BAC-101|18"]
        note(file, "ines", "looked", f"alert:{number}", within=belongs)
    hidden = Hidden(frozenset({"round:2025-03-01|BAC-101|17"}))
    file.most = 0
    first, second = (read(file, AccessLogQuery(page=page), "ben", hidden) for page in (1, 2))
    assert (first.total, first.pages, len(first.rows), len(second.rows)) == (125, 2, 100, 25)
    assert [row.subject for row in second.rows][-1] == "alert:0"
    assert file.most == 100
    file.close()


def test_only_what_reveals_a_withheld_record_is_left_out_of_the_log(access: Access) -> None:
    file, day = access.auth.file, "table-day:2025-03-01|BAC-101"
    note(file, "ines", "looked", f"round:{ABOUT}")
    note(file, "ines", "looked", "round:2025-03-01|BAC-1012|17")
    note(file, "ines", "looked", "round:2025-03-01|BAC-101|18")
    note(file, "ines", "looked", "alert:1f", within=within(ABOUT))
    note(file, "ines", "looked", "dispute:D-1", within=["alert:1f"])
    note(file, "ines", "unmasked", "dispute:D-1", detail="call 17")
    note(file, "ines", "looked", day)
    note(file, "ines", "exported", detail="iTrak CSV", within=["dispute:D-1"])
    note(file, "ines", "exported", detail="another file", within=["dispute:D-2"])
    note(file, "ines", "logout")

    def left(*subjects: str) -> list[int]:
        """Return which of the ten rows are left, by their numbers."""
        page = read(file, AccessLogQuery(), "ben", Hidden(frozenset(subjects)))
        numbers = {logged(row): row["number"] for row in file.ask("SELECT * FROM log")}
        assert page.total == len(page.rows)
        return sorted(numbers[row] for row in page.rows)

    assert left("dispute:D-1") == [1, 2, 3, 4, 7, 9, 10]
    assert left("alert:1f") == [1, 2, 3, 7, 9, 10]
    assert left(f"round:{ABOUT}") == [2, 3, 7, 9, 10]
    assert left(day) == [2, 9, 10]
    assert left("report:2025-03-01|findings") == list(range(1, 11))


def test_what_belongs_to_what_is_taken_from_the_log_of_an_older_file(access: Access) -> None:
    file = access.auth.file
    note(file, "ines", "looked", "alert:1f", within=within(ABOUT))
    with file.writing() as db:
        db.execute("DROP TRIGGER log_belongs")
        db.execute("DROP TABLE belongs")
    again = AccountsFile(file.path, file.now)
    note(again, "ines", "unmasked", "alert:1f", detail="call 17")
    note(again, "ines", "looked", "alert:2e", within=within(ABOUT))
    hidden = Hidden(frozenset({f"round:{ABOUT}"}))
    assert read(again, AccessLogQuery(), "ben", hidden).rows == []
    assert list(broken(again)) == []
    again.close()


# ── embargoes ────────────────────────────────────────────────────────────────────────────────────────


def embargo(client: TestClient[Litestar], subject: str, whom: str, reason: str = "named in it") -> Any:
    form = {"subject": subject, "whom": whom, "reason": reason}
    return client.post("/embargoes", data=form)


@pytest.mark.parametrize("subject", ["alert:1f", f"round:{ABOUT}", "table-day:2025-03-01|BAC-101"])
def test_a_withheld_record_is_gone_for_the_one_and_there_for_the_others(
    client: TestClient[Litestar], access: Access, subject: str
) -> None:
    for role in ("director", "supervisor", "auditor", "regulator"):
        create_account(access.auth, role)
    as_(client, access, "auditor").get("/api/alert/1f")
    placed = embargo(as_(client, access, "director"), subject, "supervisor")
    assert (placed.status_code, placed.headers["location"]) == (303, "/embargoes")

    as_(client, access, "supervisor")
    assert client.get("/api/alert/1f").json() == {"error": "There is no such alert."}
    assert told(client) == []  # neither the auditor's look nor the embargo
    assert client.get("/api/audit?subject=1f").json()["total"] == 0
    assert subject not in client.get("/embargoes").text
    assert client.post("/api/unmask", json={"subject": subject, "reason": "why"}).status_code == 404

    as_(client, access, "auditor")
    assert client.get("/api/alert/1f").status_code == 200
    assert ("director", "embargoed", subject, "supervisor", "named in it") in told(client)

    as_(client, access, "regulator")
    assert subject in client.get("/embargoes").text
    assert client.post("/embargoes/1/lift").status_code == 303
    assert as_(client, access, "supervisor").get("/api/alert/1f").status_code == 200
    kinds = [row[1] for row in told(client)]
    assert "looked" in kinds
    assert not {"embargoed", "lifted"} & set(kinds)  # that there was one stays untold


def test_only_a_director_or_the_regulator_lifts(client: TestClient[Litestar], access: Access) -> None:
    for role in ("director", "supervisor", "investigator", "administrator", "operator"):
        create_account(access.auth, role)
    embargo(as_(client, access, "investigator"), "alert:1f", "operator")
    for role in ("supervisor", "investigator", "administrator", "operator"):
        assert as_(client, access, role).post("/embargoes/1/lift").status_code == 403
    assert as_(client, access, "director").post("/embargoes/1/lift").status_code == 303
    assert client.post("/embargoes/1/lift").json() == {"error": "There is no embargo 1."}


def test_a_director_does_not_lift_what_is_withheld_from_the_director(
    client: TestClient[Litestar], access: Access
) -> None:
    create_account(access.auth, "director")
    create_account(access.auth, "investigator")
    embargo(as_(client, access, "investigator"), "alert:1f", "director")
    assert as_(client, access, "director").post("/embargoes/1/lift").status_code == 404
    assert "alert:1f" not in client.get("/embargoes").text
    # An embargo from a third person on the same record is not told either.
    create_account(access.auth, "operator")
    embargo(as_(client, access, "investigator"), "alert:1f", "operator")
    assert "alert:1f" not in as_(client, access, "director").get("/embargoes").text


@pytest.mark.parametrize(
    ("subject", "whom", "reason", "says"),
    [
        ("1f", "operator", "why", "names no record"),
        ("alert:", "operator", "why", "names no record"),
        ("alert:1f", "nobody", "why", "there is no account"),
        ("alert:1f", "operator", "  ", "an embargo needs a reason"),
        ("alert:1f", "director", "why", "nobody withholds a record from themselves"),
        (f"alert:{EVIL}", "nobody", EVIL, "there is no account"),
    ],
)
def test_an_embargo_that_cannot_be_is_said_to_be_none(
    client: TestClient[Litestar], access: Access, subject: str, whom: str, reason: str, says: str
) -> None:
    create_account(access.auth, "operator")
    log_in_new_account(client, access.auth, "director")
    answer = embargo(client, subject, whom, reason)
    assert answer.status_code == 400
    assert says in answer.text
    assert EVIL not in answer.text
    assert access.auth.embargoes.seen_by("regulator") == []


MAY_BE = re.compile(r"<small>but not from (\S+), which may be the same person's account</small>")


def beside(client: TestClient[Litestar]) -> list[str]:
    """Return the accounts that the page of embargoes says may be the same person's."""
    return MAY_BE.findall(client.get("/embargoes").text)


def test_an_embargo_warns_of_other_accounts_under_the_same_name(
    client: TestClient[Litestar], access: Access
) -> None:
    accounts = access.auth.accounts
    for name, shown in (
        ("ines", "Ines Amés"),
        ("iames", "AMES, Ines"),
        ("ben", "Ines B"),
        ("old", "Ines Ames"),
    ):
        accounts.add(name, shown, "supervisor", PASSWORD, by="a test")
    accounts.set_disabled("old", disabled=True, by="a test")
    log_in_new_account(client, access.auth, "director")
    assert beside(client) == []
    embargo(client, "alert:1f", "ines")
    assert beside(client) == ["iames"]
    embargo(client, "alert:1f", "iames")
    assert beside(client) == []
    accounts.set_disabled("old", disabled=False, by="a test")
    assert beside(client) == ["old", "old"]
    client.post("/embargoes/1/lift")
    assert beside(client) == ["ines", "old"]  # of the second embargo alone
    log_in_as(client, access.auth, "iames")
    assert beside(client) == []


def test_an_embargo_warns_of_other_accounts_of_the_same_login(
    client: TestClient[Litestar], access: Access
) -> None:
    for name in ("ines", "shift-lead", "ben"):
        create_account(access.auth, "supervisor", name)
    for name, number in (("ines", "7"), ("shift-lead", "7"), ("ben", "8")):
        access.auth.login_external(Identity(name, name, None, f"https://login.example {number}"), "10.0.0.7")
    log_in_new_account(client, access.auth, "director")
    embargo(client, "alert:1f", "ines")
    assert beside(client) == ["shift-lead"]


# ── unmasking ────────────────────────────────────────────────────────────────────────────────────────


def test_a_name_is_masked_until_it_is_asked_for_with_a_reason(
    client: TestClient[Litestar], access: Access
) -> None:
    log_in_new_account(client, access.auth, "investigator")
    masked = client.get("/api/alert/1f").json()["bettor"]
    assert re.fullmatch(r"patron ·[0-9a-f]{6}", masked)
    assert client.post("/api/unmask", json={"subject": "alert:1f", "reason": " "}).status_code == 400
    assert client.get("/api/alert/1f").json()["bettor"] == masked

    answer = client.post("/api/unmask", json={"subject": "alert:1f", "reason": "call 17"})
    assert answer.json() == {"subject": "alert:1f", "until": BEGAN + 600}
    assert client.get("/api/alert/1f").json()["bettor"] == "anna"
    assert client.get("/api/alert/2e").json()["bettor"] == masked
    as_(client, access, "investigator")
    assert client.get("/api/alert/1f").json()["bettor"] == masked  # another session of the same account
    log_in_new_account(client, access.auth, "auditor")
    assert told(client, subject="1f")[1] == ("investigator", "unmasked", "alert:1f", None, "call 17")


def test_what_a_route_does_not_mask_is_masked_on_its_way_out(
    client: TestClient[Litestar], access: Access
) -> None:
    log_in_new_account(client, access.auth, "director")
    client.post("/api/unmask", json={"subject": "alert:late", "reason": "call 17"})
    (told,) = client.get("/api/queue").json()
    assert re.fullmatch(r"patron ·[0-9a-f]{6}", told["bettor"])
    assert told["message"] == f"seat 5 {told['bettor']} tie: the wager was made late"
    assert client.get("/queue").text == f"{told['bettor']}: {told['message']}"


def test_a_name_is_masked_again_after_ten_minutes(
    client: TestClient[Litestar], access: Access, clock: SettableClock
) -> None:
    log_in_new_account(client, access.auth, "investigator")
    client.post("/api/unmask", json={"subject": "alert:1f", "reason": "call 17"})
    clock.at += 599
    assert client.get("/api/alert/1f").json()["bettor"] == "anna"
    clock.at += 1
    assert client.get("/api/alert/1f").json()["bettor"] != "anna"


# ── the page of accounts ─────────────────────────────────────────────────────────────────────────────


def test_an_administrator_adds_an_account_whose_password_is_shown_once(
    client: TestClient[Litestar], access: Access
) -> None:
    log_in_new_account(client, access.auth, "administrator")
    page = client.post("/accounts", data={"name": "Ines", "shown": EVIL, "role": "operator"})
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    assert EVIL not in page.text
    (secret,) = re.findall(r"<code>([0-9a-f-]+)</code>", page.text)
    assert secret not in client.get("/accounts").text
    token = access.auth.login("ines", secret, "10.0.0.7")
    person = access.auth.person(token)
    assert person is not None
    assert (person.role, person.must_change, person.rights) == ("operator", True, frozenset())


@pytest.mark.parametrize("change", ["disable", "role"])
def test_the_last_administrator_stays(client: TestClient[Litestar], access: Access, change: str) -> None:
    log_in_new_account(client, access.auth, "administrator")
    create_account(access.auth, "administrator", "second")
    access.auth.accounts.set_disabled("second", disabled=True, by="a test")
    answer = client.post(f"/accounts/administrator/{change}", data={"role": "operator"})
    assert answer.status_code == 400
    assert "administrator is the last administrator" in answer.text
    assert access.auth.accounts.get("administrator").role == "administrator"
    assert client.post("/accounts/second/enable").status_code == 303
    assert client.post(f"/accounts/administrator/{change}", data={"role": "operator"}).status_code == 303
    assert client.get("/accounts").status_code == 303  # and has to log in again


def test_a_reset_ends_the_sessions_and_the_old_password(client: TestClient[Litestar], access: Access) -> None:
    create_account(access.auth, "operator")
    token = access.auth.sessions.begin("operator")
    log_in_new_account(client, access.auth, "administrator")
    page = client.post("/accounts/operator/password")
    (secret,) = re.findall(r"<code>([0-9a-f-]+)</code>", page.text)
    assert access.auth.person(token) is None
    with pytest.raises(Exception, match="not right"):
        access.auth.login("operator", PASSWORD, "10.0.0.7")
    assert access.auth.login("operator", secret, "10.0.0.7")


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"name": "a b", "shown": "", "role": "operator"}, "a name is of small letters"),
        ({"name": "ines", "shown": "", "role": "pit boss"}, "is no role"),
        ({"name": "administrator", "shown": "", "role": "operator"}, "already"),
    ],
)
def test_an_account_that_cannot_be_is_said_to_be_none(
    client: TestClient[Litestar], access: Access, form: dict[str, str], says: str
) -> None:
    log_in_new_account(client, access.auth, "administrator")
    answer = client.post("/accounts", data=form)
    assert answer.status_code == 400
    assert says in answer.text
    assert len(access.auth.accounts.all()) == 1


@pytest.mark.parametrize("role", ["director", "regulator"])
def test_by_the_page_nobody_becomes_one_who_lifts_embargoes(
    client: TestClient[Litestar], access: Access, role: Role
) -> None:
    create_account(access.auth, role)
    create_account(access.auth, "operator")
    log_in_new_account(client, access.auth, "administrator")
    tried = {
        "/accounts": {"name": "mine", "shown": "", "role": role},
        "/accounts/operator/role": {"role": role},
        "/accounts/administrator/role": {"role": role},
        f"/accounts/{role}/role": {"role": "operator"},
        f"/accounts/{role}/password": {},
    }
    for path, form in tried.items():
        answer = client.post(path, data=form)
        assert answer.status_code == 400, path
        assert f"an account that may lift an embargo ({role}) is added, given a role" in answer.text
        assert "on the server alone, by discardrack user" in answer.text
    accounts = {each.name: each.role for each in access.auth.accounts.all()}
    assert accounts == {role: role, "operator": "operator", "administrator": "administrator"}
    assert access.auth.login(role, PASSWORD, "10.0.0.7")  # the password that it had
    page = client.get("/accounts").text
    assert f"<option>{role}" not in page
    assert f"/accounts/{role}/password" not in page
    assert client.post(f"/accounts/{role}/disable").status_code == 303


def test_two_processes_write_one_file(access: Access, clock: SettableClock) -> None:
    other = AccountsFile(access.auth.file.path, clock)
    note(access.auth.file, "ines", "exported")
    note(other, "ben", "exported")
    note(access.auth.file, "ines", "exported")
    assert list(broken(other)) == []
    assert head(other)[0] == 3
    other.close()


def test_forms_of_these_pages_bring_the_token_of_the_session(
    client: TestClient[Litestar], access: Access
) -> None:
    log_in_new_account(client, access.auth, "administrator")
    own = client.headers.pop("X-CSRF-Token")
    page = client.get("/accounts").text
    assert page.count('<form method="post"') == len(CSRF.findall(page))
    assert set(CSRF.findall(page)) == {own}
    assert client.post("/accounts/administrator/password").status_code == 403
