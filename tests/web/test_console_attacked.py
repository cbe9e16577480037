"""Attacks on the console by who wants more than is theirs: odd addresses, ways past an embargo."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.engine.conclusion import Conclusion, Line
from projections.engine.observation import Round
from projections.store.rows import QuarantinedRecord
from projections.store.store import Store
from projections.views.table_picture import FACE_DOWN
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService, LoginRefused
from projections.web.auth.embargo import Embargoes
from projections.web.bootstrap import wall_clock
from schemas.house import DEFAULT
from tests.builders.auth import log_in_as
from tests.builders.consoles import PASSWORD, add_account, open_console, post_action
from tests.builders.withheld_rounds import (
    AT,
    DAY,
    OTHER,
    RUN,
    WITHHELD,
    build_day_report,
    build_gap_finding,
    build_named_finding,
    build_round,
)

ROUND: Final = "round:2025-03-01|BAC-101|71"
TABLE_DAY: Final = "table-day:2025-03-01|BAC-101"
TODAY: Final = DEFAULT.gaming_date(wall_clock())  # on which what could not be read came


def write_store(path: Path) -> Path:
    with Store(path) as store:
        rounds = [build_round(number) for number in range(60, 71)]
        rounds += [
            build_round(71, build_named_finding(WITHHELD), build_gap_finding("401e" + "0" * 12, "S-71")),
            build_round(72, build_named_finding(OTHER)),
        ]
        rounds += [build_round(5, build_gap_finding("401e5" + "0" * 11, "S-5"), table="BAC-102")]
        store.write(RUN, rounds)
        inventory = Conclusion(
            table="BAC-101", round=None, account="inventory", gaming_date=DAY, chapter="631a",
            verdict="clean", outcome=None, expected=(), findings=(), notes=(),
            lines=(Line(name="cashed_out", cents=500), Line(name="cashed_out", of="anna", cents=500)),
        )  # fmt: skip
        store.write(RUN, [(None, inventory, 1)])
        store.write_batch(
            {}, reports=[build_day_report("findings", "71", "shoe 3"), build_day_report("pace")]
        )
        text = '{"dealer": "D-9", "patron": "anna"}'
        store.write_batch({}, [QuarantinedRecord("A", "1", "a place", "a reason", text, "BAC-101")])
        store.write_batch({}, [QuarantinedRecord("A", "2", "another", "a reason", text, "BAC-102")])
    add_account(path, "director", "director")
    add_account(path, "finance", "finance")
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store as it was written; each console has a copy."""
    return write_store(tmp_path_factory.mktemp("written") / "store.duckdb")


@pytest.fixture
def client(tmp_path: Path, written: Path) -> Iterator[TestClient[Litestar]]:
    store = shutil.copytree(written.parent, tmp_path, dirs_exist_ok=True) / written.name
    with open_console(store, "supervisor") as client:
        yield client


@pytest.fixture(scope="module")
def shared_client(tmp_path_factory: pytest.TempPathFactory, written: Path) -> Iterator[TestClient[Litestar]]:
    """Open one console for all tests that only add to what is in it, or are refused."""
    folder = shutil.copytree(written.parent, tmp_path_factory.mktemp("shared"), dirs_exist_ok=True)
    with open_console(folder / written.name, "supervisor") as client:
        yield client


def entry_of(client: TestClient[Litestar]) -> AuthService:
    return client.app.plugins.get(Access).auth


def withhold(client: TestClient[Litestar], subject: str) -> None:
    entry_of(client).embargoes.place(subject, "supervisor", "named in it", by="director")


# ── odd addresses ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/find?q=9999-12-31 23:59", 200),
        ("/api/find?q=0001-01-01 00:00", 200),
        ("/find?q=BAC-101 9999-12-31 23:59", 200),
        ("/audit?day=9999-12-31", 400),
        ("/api/audit?day=0001-01-01", 400),
        ("/tables/BAC-101?before=9999-12-31T23:59:59-14:00", 400),
        ("/api/tables/BAC-101/rounds?before=0001-01-01T00:00:00%2B14:00", 400),
        ("/static/%00", 404),
        ("/static/" + "x" * 5000, 404),
    ],
)
def test_an_odd_address_is_answered(shared_client: TestClient[Litestar], address: str, status: int) -> None:
    assert shared_client.get(address).status_code == status


@pytest.mark.parametrize("route", ["/api/actions", "/api/views", "/api/unmask"])
@pytest.mark.parametrize("body", [b'{"id": "\xff"}', b"[" * 100_000 + b"]" * 100_000], ids=["bytes", "deep"])
def test_a_body_that_nobody_can_read_is_refused(
    shared_client: TestClient[Litestar], route: str, body: bytes
) -> None:
    answer = shared_client.post(route, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text


ABOUT: Final = {"table": "BAC-101", "gaming_date": "2025-03-01"}
CALL: Final = {"called": AT}


@pytest.mark.parametrize("sign", ["\0", "\x1b[2J", "\x85", "\r", "\u202e", "\u2066"])
@pytest.mark.parametrize(
    "typed",
    [
        lambda text: {"action": "note", "subject": f"alert:{OTHER}", "text": text},
        lambda text: {"action": "tag", "subject": f"alert:{OTHER}", "word": text},
        lambda text: {"action": "log-entry", "entry": {"kind": "call", "at": AT, "what": text}},
        lambda text: {"action": "log-entry", "entry": {"kind": "call", "at": AT, "what": "x", "table": text}},
        lambda text: {"action": "dispute-open", "about": {**ABOUT, "claim": text}, "call": CALL},
        lambda text: {
            "action": "dispute-open",
            "about": {**ABOUT, "claim": "x", "patron": text},
            "call": CALL,
        },
    ],
    ids=["note", "tag", "entry", "table", "claim", "patron"],
)
def test_what_controls_a_terminal_or_turns_a_line_is_in_no_text(
    shared_client: TestClient[Litestar], typed: Callable[[str], dict[str, Any]], sign: str
) -> None:
    def tried(text: str) -> int:
        action = {"id": token_hex(16), **typed(text)}
        return shared_client.post("/api/actions", json=action).status_code

    assert [tried(f"paid{sign} late"), tried(f"{sign}paid"), tried(f"paid{sign}")] == [400, 400, 400]
    assert tried(f"paid late {ord(sign[0])}") == 200


def test_a_text_may_have_lines_and_tabs_and_a_name_may_not(client: TestClient[Litestar]) -> None:
    text = "\n it lay\tat seat 3,\nand the hand was over: \u05e9\u05dc\u05d5\u05dd \n"
    post_action(client, "note", subject=f"alert:{OTHER}", text=text)
    open_ = {"about": {**ABOUT, "claim": "x", "patron": "anna\nb"}, "call": CALL}
    assert post_action(client, "dispute-open", 400, **open_) == {
        "error": "about.patron: it is blank or has a character that is not allowed",
        "code": "out_of_form",
        "field": "about.patron",
    }


# ── ways past an embargo ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("subject", [ROUND, TABLE_DAY])
def test_a_gap_in_a_withheld_round_is_hidden(client: TestClient[Litestar], subject: str) -> None:
    assert "S-71" in client.get("/health").text
    withhold(client, subject)
    devices = client.get("/api/health").json()["devices"]
    assert [each["device"] for each in devices] == ["S-5"]
    assert "S-71" not in client.get("/health").text


def test_a_table_lists_ten_rounds_though_one_is_withheld(client: TestClient[Litestar]) -> None:
    withhold(client, ROUND)
    told = client.get("/api/tables/BAC-101/rounds").json()["rounds"]
    assert [each["round"] for each in told] == ["72", *(str(number) for number in range(70, 61, -1))]
    assert [each["key"] for each in told] == list("1234567890")


def test_a_table_of_which_all_is_withheld_is_not_there(client: TestClient[Litestar]) -> None:
    withhold(client, TABLE_DAY)
    for page in ("/tables/BAC-101", "/api/tables/BAC-101/rounds"):
        assert client.get(page).status_code == 404
        assert (
            client.get(page).text.replace("BAC-101", "BAC-999")
            == client.get(page.replace("BAC-101", "BAC-999")).text
        )


def test_what_was_done_to_a_withheld_round_is_not_in_the_log_of_looking(client: TestClient[Litestar]) -> None:
    entry = entry_of(client)

    log_in_as(client, entry, "director")
    assert client.get(f"/alerts/{WITHHELD}").status_code == 200
    told = client.post("/api/unmask", json={"subject": f"alert:{WITHHELD}", "reason": "to call them"})
    assert told.status_code == 200
    entry.embargoes.place(f"alert:{WITHHELD}", "director", "named in it", by="supervisor")

    log_in_as(client, entry, "supervisor")
    assert WITHHELD in client.get("/api/audit").text
    # By another than the director, to whom that round is not there.
    entry.embargoes.place(ROUND, "supervisor", "named in it", by="finance")
    assert WITHHELD not in client.get("/api/audit").text
    assert WITHHELD not in client.get("/embargoes").text


def test_unreadable_records_of_a_withheld_day_are_hidden(client: TestClient[Litestar]) -> None:
    withhold(client, f"table-day:{TODAY}|BAC-101")
    assert [each["id"] for each in client.get("/api/quarantine").json()["records"]] == ["2"]


@pytest.mark.parametrize(
    ("subject", "left"),
    [
        # Of 15 conclusions, rounds 60 to 72, BAC-102's and the inventory, and of 4 findings. Three things are
        # done: two to the withheld round's alert, one to the other's.
        (ROUND, (14, 2, 1, 2)),
        (TABLE_DAY, (1, 1, 0, 2)),
        (f"alert:{WITHHELD}", (14, 2, 1, 2)),  # its round goes with it
        (f"table-day:{TODAY}|BAC-101", (15, 4, 3, 1)),
    ],
)
def test_what_is_withheld_is_not_counted_either(
    client: TestClient[Litestar], subject: str, left: tuple[int, int, int, int]
) -> None:
    post_action(client, "acknowledge", subject=f"alert:{WITHHELD}")
    post_action(client, "note", subject=f"alert:{WITHHELD}", text="seen")
    post_action(client, "acknowledge", subject=f"alert:{OTHER}")

    def counts() -> tuple[int, ...]:
        told = client.get("/api/health").json()
        return tuple(told[each] for each in ("conclusions", "findings", "actions", "refused"))

    assert counts() == (15, 4, 3, 2)
    withhold(client, subject)
    assert counts() == left
    assert f"<b>{left[3]}</b> not readable" in client.get("/findings").text


def test_what_was_said_of_a_withheld_case_is_not_in_the_surveillance_log(
    client: TestClient[Litestar],
) -> None:
    post_action(client, "acknowledge", subject=f"alert:{WITHHELD}")
    post_action(client, "merge", subject=f"alert:{WITHHELD}", others=[f"alert:{OTHER}"])
    post_action(client, "note", subject=f"alert:{OTHER}", text="the heron again")
    assert "heron" in client.get("/log").text
    withhold(client, ROUND)
    assert "heron" not in client.get("/log").text
    assert "heron" not in client.get("/api/log/csv").text


def test_a_withheld_case_is_not_in_the_surveillance_log(client: TestClient[Litestar]) -> None:
    post_action(client, "note", subject=f"alert:{OTHER}", text="the heron again")
    withhold(client, f"case:{OTHER}")
    assert "heron" not in client.get("/log").text
    assert "heron" not in client.get(f"/alerts/{OTHER}").text


def test_what_a_program_read_is_logged_by_its_route_alone(client: TestClient[Litestar]) -> None:
    entry = entry_of(client)
    token = entry.tokens.make("director", 1, by="test")
    read = client.get(f"/api/alerts/{WITHHELD}", headers={"Authorization": f"Bearer {token}"})
    assert read.status_code == 200
    assert "/api/alerts/{alert} from testclient" in client.get("/api/audit").text
    withhold(client, ROUND)
    told = client.get("/api/audit").text
    assert WITHHELD not in told


def test_a_withheld_report_is_not_there(client: TestClient[Litestar]) -> None:
    listed = [each["report"] for each in client.get("/api/reports").json()]
    assert listed == ["findings", "pace"]
    withhold(client, "report:2025-03-01|findings")
    assert [each["report"] for each in client.get("/api/reports").json()] == ["pace"]
    assert "findings" not in client.get("/reports").text.partition("<main")[2]
    assert client.get("/api/reports/2025-03-01/findings").status_code == 404
    assert client.get("/reports/2025-03-01/findings").status_code == 404


def test_a_withheld_shoe_is_in_no_report(client: TestClient[Litestar]) -> None:
    # A report tells of what this store may never have had; it was withheld where it was known.
    shoe = "round:2025-03-01|BAC-101|shoe|3"
    Embargoes(entry_of(client).file).place(shoe, "supervisor", "named in it", by="director")
    rows = client.get("/api/reports/2025-03-01/findings").json()["rows"]
    assert [row["about"] for row in rows] == ["71"]


# ── what is another's ────────────────────────────────────────────────────────────────────────────────


def test_what_the_cage_paid_a_patron_is_for_finance(client: TestClient[Litestar]) -> None:
    assert paid(client) == ([None], [None])
    assert client.get(INVENTORY).json()["lines_withheld"] == 1
    log_in_as(client, entry_of(client), "finance")
    day, inventory = paid(client)
    assert day == inventory
    everyone, patron = day
    assert everyone is None
    assert str(patron).startswith("patron \N{MIDDLE DOT}")
    assert client.get(INVENTORY).json()["lines_withheld"] == 0
    assert "not shown here" not in client.get(INVENTORY.removeprefix("/api")).text


INVENTORY: Final = "/api/accounts/2025-03-01/BAC-101/inventory"


def paid(client: TestClient[Litestar]) -> tuple[list[str | None], list[str | None]]:
    """Return whose lines there are of what was cashed out, on the table's day and on the account's page."""
    (account,) = client.get("/api/tables/BAC-101/2025-03-01").json()["accounts"]
    of, too = (
        [line.get("of") for line in told["lines"] if line["name"] == "cashed_out"]
        for told in (account, client.get(INVENTORY).json())
    )
    return of, too


def test_nobody_is_kept_out_by_a_name_that_reads_as_another_at_its_address(
    client: TestClient[Litestar],
) -> None:
    entry = entry_of(client)
    entry.login("director", PASSWORD, "10.0.0.5")
    for attempt in range(4):
        with pytest.raises(LoginRefused):
            entry.login("director at 10.0.0.5", "guessed", f"10.9.9.{attempt}")
    assert entry.login("director", PASSWORD, "10.0.0.5")


# ── cards that nobody has seen ───────────────────────────────────────────────────────────────────────


def dealt(number: int, shoe: str) -> tuple[Round, Conclusion, int]:
    seen, told, revision = build_round(number, table="BAC-103")
    seen = replace(seen, shoe=shoe, play=[("burn", "7c"), ("player", "2d")])
    return seen, replace(told, shoe=shoe), revision


@pytest.mark.parametrize(("shoes", "burned"), [("A", "down"), ("AB", "7c"), ("ABA", "down"), ("ABAB", "7c")])
def test_one_round_of_another_shoe_does_not_turn_up_what_was_burned(
    tmp_path: Path, shoes: str, burned: str
) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(RUN, [dealt(number, shoe) for number, shoe in enumerate(shoes, 1)])
    with open_console(path, "operator") as client:
        play = client.get("/api/rounds/2025-03-01/BAC-103/1").json()["play"]
        ended = client.get("/api/shoes/2025-03-01/BAC-103/A/cards").json()["ended"]
    assert play == [["burn", "7c" if burned == "7c" else FACE_DOWN], ["player", "2d"]]
    assert ended is (burned == "7c")
