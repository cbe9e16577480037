"""An alert's round taken whole: what its page lists, whom it offers the merge, and what that leaves alone."""

import html
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.casework.cases.case_actions import (
    Acknowledge,
    Close,
    Escalate,
    Merge,
    Release,
    Snooze,
    Undo,
)
from projections.store.store import Store
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from projections.web.auth.roles import Role
from projections.web.bootstrap import OpenConsole, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.alert_page import RelatedAlerts, related_alerts
from schemas.house import House
from schemas.room_settings import RoomSettings
from tests.builders.alerts import SECOND, TABLES, InMemoryQueue, build_alert, build_conclusion, build_finding
from tests.builders.consoles import add_account, log_in, open_console, post_action
from tests.builders.queue_console import RUN, build_round

# ── which of them ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def room() -> InMemoryQueue:
    """Four alerts of round 1, one of them grave; of round 2 one."""
    room = InMemoryQueue()
    room.come(
        build_alert("m1", seat=1),
        build_alert("m2", seat=2),
        build_alert("m3", seat=3, check="push_paid"),
        build_alert("z1", severity="critical", check="late_wager"),
    )
    room.come(build_alert("n1", "2"))
    return room


def of(room: InMemoryQueue, name: str = "m1", who: str = "ann") -> RelatedAlerts | None:
    """Return what the page of an alert of round 1 shows somebody about the others."""
    board, work = room.board, room.book.cases
    here, *beside = (
        board.queue_item(board.alerts[each], work, room.now)
        for each in (name, *board.alerts_about[board.alerts[name].about])
    )
    return related_alerts(here, beside, who)


def told(found: RelatedAlerts | None) -> tuple[list[str], list[str]]:
    assert found is not None
    return [each.id for each in found.others], found.left


def why(**more: Any) -> dict[str, Any]:
    return {"reason": "seen on camera 4", **more}


def test_the_others_are_those_of_the_round_whatever_their_check_the_gravest_first(
    room: InMemoryQueue,
) -> None:
    assert told(of(room)) == (["z1", "m2", "m3"], [])
    assert told(of(room, "z1")) == (["m1", "m2", "m3"], [])
    assert of(room, "n1") is None  # it is the only one of its round


def test_what_it_names_is_merged_by_the_action_that_there_is_and_taken_back(room: InMemoryQueue) -> None:
    found = of(room)
    assert found is not None
    room.do(Merge, "m1", others=tuple(f"alert:{each}" for each in found.case_alerts))
    assert room.case("z1").alerts == ("m1", "z1", "m2", "m3")
    assert of(room) is of(room, "z1") is None
    room.do(Undo, "m1")
    assert told(of(room)) == (["z1", "m2", "m3"], [])


def test_of_a_case_one_is_named_and_what_else_is_in_it_is_counted(room: InMemoryQueue) -> None:
    room.do(Merge, "m2", others=("alert:n1", "alert:m3"))
    found = of(room)
    assert found is not None
    # m2 and m3 are one case already, with n1 of the other round.
    assert (told(found)[0], found.case_alerts, found.along) == (["z1", "m2", "m3"], ("z1", "m2"), 1)
    room.do(Merge, "m1", others=("alert:z1", "alert:m2"))
    assert room.case("m1").alerts == ("m1", "z1", "m2", "n1", "m3")


def test_what_is_closed_is_left_alone_and_what_others_have_is_counted(room: InMemoryQueue) -> None:
    room.do(Close, "m2", outcome="explained", **why())
    assert told(of(room)) == (["z1", "m3"], [])
    room.do(Acknowledge, "m3", "bob")
    assert told(of(room)) == (["z1"], ["1 that bob has"])
    assert told(of(room, who="bob")) == (["z1", "m3"], [])
    room.do(Close, "z1", outcome="explained", **why())
    assert told(of(room)) == ([], ["1 waiting for a second person", "1 that bob has"])
    assert of(room, "m2") is of(room, "z1") is None  # closed, and to be closed


def test_in_somebodys_case_it_is_their_own_that_is_taken_in(room: InMemoryQueue) -> None:
    room.do(Acknowledge, "m1", "bob")
    room.do(Acknowledge, "m2", "bob")
    room.do(Acknowledge, "m3", "ann")
    assert told(of(room, who="ann")) == (["z1", "m2"], ["1 that you have"])
    room.do(Release, "m3", "ann")
    room.do(Merge, "m1", "dee", others=("alert:z1", "alert:m2", "alert:m3"), rights=SECOND)
    assert room.case("m3").owner == "bob"


def test_what_a_role_has_or_is_snoozed_is_left_unless_it_is_so_itself(room: InMemoryQueue) -> None:
    room.do(Escalate, "z1", to="director", **why())
    room.do(Snooze, "m3", minutes=30, **why())
    assert told(of(room)) == (["m2"], ["1 with the director", "1 snoozed"])
    assert told(of(room, "z1")) == (["m1", "m2"], ["1 snoozed"])
    room.do(Snooze, "m1", minutes=30, **why())
    assert told(of(room)) == (["m3"], ["1 with the director", "1 not snoozed as this one is"])


def test_of_no_round_nothing_is_taken_whole() -> None:
    room = InMemoryQueue()
    of_shoe = {"round": None, "shoe": "4", "about": "2025-03-01|BAC-1|4"}
    room.come(*(replace(build_alert(name), **of_shoe) for name in ("s1", "s2")))
    assert of(room, "s1") is None


def test_no_more_cases_are_named_than_go_into_one_action() -> None:
    room = InMemoryQueue()
    room.come(*(build_alert(f"m{n:03}", seat=n) for n in range(203)))
    found = of(room, "m000")
    assert found is not None
    assert (len(found.case_alerts), len(found.others)) == (200, 200)


# ── the page, by role ────────────────────────────────────────────────────────────────────────────────

CALLED: Final = ("m1", "m2", "m3", "g1")


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    """Open a console on a floor that goes on: a round of four alerts, and one of another."""
    now, path = wall_clock(), tmp_path / "store.duckdb"
    found = [
        build_finding("m1", seat=1),
        build_finding("m2", seat=2, bettor="anna"),
        build_finding("m3", check="push_paid", net_cents=None, favours=None),
        build_finding("g1", severity="critical", check="late_wager"),
    ]
    store = Store(path)
    store.write(
        RUN,
        [
            (build_round("1", now), build_conclusion("1", *found), 1),
            (build_round("2", now), build_conclusion("2", build_finding("n1")), 1),
        ],
    )
    house = House(house="here", tables=TABLES)
    live = LiveFloor(store.reading(), house.zone, "ok")
    for name in ("operator", "director", "supervisor", "auditor"):
        add_account(path, name, name)
    return OpenConsole(path, store, house, live, open_commands(store, RoomSettings(), TABLES, now, live=True))


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, "operator", on=opened) as client:
        yield client


def log_in_again(client: TestClient[Litestar], role: Role) -> None:
    client.cookies.clear()
    client.headers.pop("X-CSRF-Token")
    log_in(client, role)


def part(client: TestClient[Litestar], name: str = "m1") -> str:
    """Return what the page of an alert says of the others of its round; nothing where it does not."""
    page = client.get(f"/alerts/{name}")
    assert page.status_code == 200, page.text
    found = re.search(r'<div id="whole">(.*?)</div>', page.text, re.DOTALL)
    return found[1] if found is not None else ""


def words(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).replace(" ,", ",").split())


def test_the_page_lists_the_others_a_line_each_and_offers_one_act(client: TestClient[Litestar]) -> None:
    found = part(client)
    assert words(found) == (
        "3 other findings of this round are open: "
        "late wager, overpaid $100.00 paid too much, seat 2, overpaid $100.00 push paid as a win "
        "Merge the 3 other findings of this round into this case h"
    )
    assert re.findall(r'<li data-other="(\w+)"><a href="/alerts/(\w+)">', found) == [
        ("g1", "g1"),
        ("m2", "m2"),
        ("m3", "m3"),
    ]
    assert "anna" not in found
    assert part(client, "n1") == ""


def merge_others(client: TestClient[Litestar], name: str) -> None:
    """Merge what the page of an alert offers, as its button does."""
    others = [f"alert:{each}" for each in re.findall(r'data-other="(\w+)"', part(client, name))]
    post_action(client, "merge", subject=f"alert:{name}", others=others)


def test_who_may_work_on_it_merges_all_of_them_and_takes_it_back(client: TestClient[Litestar]) -> None:
    for role in ("operator", "supervisor", "director"):
        log_in_again(client, role)
        merge_others(client, "m1")
        rows = client.get("/api/queue?table=BAC-1").json()["rows"]
        cases = [row["case"]["alerts"] for row in rows if len(row["case"]["alerts"]) > 1]
        assert cases == [["m1", "g1", "m2", "m3"]]
        assert part(client) == part(client, "g1") == ""
        assert "merged with 3 more" in client.get("/alerts/m3").text
        post_action(client, "undo", subject="alert:m1")


def test_who_only_reads_is_offered_nothing(client: TestClient[Litestar]) -> None:
    log_in_again(client, "auditor")
    assert part(client) == ""
    assert 'data-key="h"' not in client.get("/alerts/m1").text


def test_alerts_of_others_are_left_out_with_a_reason(
    client: TestClient[Litestar],
) -> None:
    post_action(client, "acknowledge", subject="alert:m2")
    log_in_again(client, "director")
    assert words(part(client)).endswith(
        "Merge the 2 other findings of this round into this case h Not merged: 1 that operator has."
    )
    post_action(client, "acknowledge", subject="alert:m1")
    log_in_again(client, "operator")
    found = part(client)
    assert words(found) == (
        "2 other findings of this round are open: late wager, overpaid $100.00 push paid as a win "
        "They cannot be merged into this case now: director has one of them; ask them, or a supervisor, to "
        "merge them. Not merged: 1 that you have."
    )
    assert "data-key" not in found
    log_in_again(client, "supervisor")
    assert 'data-key="h"' in part(client)


def test_where_there_is_nothing_to_merge_the_page_says_what_there_is(client: TestClient[Litestar]) -> None:
    for name in ("m2", "m3", "g1"):
        post_action(client, "acknowledge", subject=f"alert:{name}")
    log_in_again(client, "supervisor")
    assert words(part(client)) == "Other findings of this round, not merged: 3 that operator has."


def withhold(opened: OpenConsole, subject: str, name: str) -> None:
    with closing(AccountsFile(accounts_of(opened.path))) as file:
        Embargoes(file).place(subject, name, "a relation", by="test")


def test_what_is_withheld_is_neither_counted_nor_merged_nor_hinted_at(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    log_in_again(client, "supervisor")
    post_action(client, "merge", subject="alert:m2", others=["alert:n1"])
    withhold(opened, "alert:n1", "operator")
    log_in_again(client, "operator")
    # With n1 all of its case is gone for them, m2 too.
    assert words(part(client)) == (
        "2 other findings of this round are open: late wager, overpaid $100.00 push paid as a win "
        "Merge the 2 other findings of this round into this case h"
    )
    merge_others(client, "m1")
    assert part(client) == ""
    log_in_again(client, "supervisor")
    assert words(part(client)).startswith("1 other finding of this round is open, in one case with 1 more: ")


def test_where_somebody_was_quicker_nothing_is_half_done(client: TestClient[Litestar]) -> None:
    others = [f"alert:{each}" for each in re.findall(r'data-other="(\w+)"', part(client))]
    log_in_again(client, "director")
    post_action(client, "acknowledge", subject="alert:m3")
    log_in_again(client, "operator")
    post_action(client, "acknowledge", subject="alert:m1")
    action = {"id": f"{3:032x}", "action": "merge", "subject": "alert:m1", "others": others}
    answer = client.post("/api/actions", json=action)
    assert (answer.status_code, answer.json()["error"]) == (
        409,
        "operator and director have them; all but one must release theirs first.",
    )
    rows = client.get("/api/queue?every=true&table=BAC-1").json()["rows"]
    assert {len(row["case"]["alerts"]) for row in rows} == {1}
