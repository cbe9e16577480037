"""The queue's page and its stream: rows, filters, views, what a row shows, what is overdue."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.casework.actions import Actor
from projections.casework.alert_watch import CaseworkNews
from projections.casework.alerts.alert_arrival import Breach, breaches
from projections.casework.alerts.queues import QueueItem
from projections.casework.cases.case_actions import Acknowledge, Close, Escalate, Merge, Mute
from projections.casework.cases.case_rules import is_sampled
from projections.casework.command_handler import CommandHandler
from projections.casework.shift_log import LogEntry, Written
from projections.engine.observation import Key, Round, Wager
from projections.store.store import Store
from projections.web.auth.masking import Masking
from projections.web.bootstrap import OpenConsole, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor, Rate
from projections.web.live.live_routes import Ticking
from projections.web.pages.floor_tiles import named_games
from projections.web.pages.queue_page import page_of
from projections.web.pages.queue_stream import QueueQuery, QueueStream, StreamCache, Viewer
from schemas.house import House
from tests.builders.alerts import (
    DAY,
    MINUTE,
    PEOPLE,
    SECOND,
    TABLES,
    InMemoryQueue,
    build_alert,
    build_arrival,
    build_conclusion,
    build_finding,
)
from tests.builders.consoles import add_account, log_in, open_console, post_action
from tests.builders.queue_console import ANN, EVIL, RUN, WEEK, build_round, open_queue_console

STATIC: Final = Path(__file__).parents[2] / "projections/web/static"
_LINES: Final = re.MULTILINE | re.DOTALL


@pytest.fixture
def opened(tmp_path: Path) -> OpenConsole:
    return open_queue_console(tmp_path / "store.duckdb")


@pytest.fixture
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield client


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    """Return a client of a console like that of `client`, of tests that only ask."""
    opened = open_queue_console(tmp_path_factory.mktemp("unchanged") / "store.duckdb")
    with open_console(opened.path, on=opened) as client:
        yield client


def rows(client: TestClient[Litestar], query: str = "") -> list[tuple[str, int]]:
    answer = client.get(f"/api/queue{query}")
    assert answer.status_code == 200, answer.text
    return [(row["alert"]["id"], row["others"]) for row in answer.json()["rows"]]


def test_the_gravest_comes_first_then_the_newest_with_all_of_its_round(
    unchanged: TestClient[Litestar],
) -> None:
    assert rows(unchanged) == [("g", 0), ("m0", 2)]
    assert rows(unchanged, "?every=true") == [("g", 0), ("m0", 0), ("m1", 0), ("m2", 0)]
    assert (rows(unchanged, "?queue=this_shift"), rows(unchanged, "?queue=nightly")) == (
        [("small", 0)],
        [("u", 0)],
    )
    told = unchanged.get("/api/queue").json()
    assert told["counts"] == {"act_now": 2, "this_shift": 1, "nightly": 1, "for_me": 0}


def sums(client: TestClient[Litestar], query: str) -> dict[str, list[tuple[str | None, int, int]]]:
    told = client.get(f"/api/queue{query}").json()["rows"]
    return {
        row["alert"]["id"]: [(each["favours"], each["cents"], each["count"]) for each in row["sums"]]
        for row in told
    }


def test_a_row_says_its_round_and_its_seats_and_of_several_rounds_none(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    found = build_conclusion("11", build_finding("seated", check="push_paid", seat=4))
    opened.commands.take_conclusions(
        [build_arrival(found, build_round("11", wall_clock()), wall_clock())], wall_clock()
    )

    def places(query: str) -> dict[str, list[str]]:
        rows = client.get(query).text.split('<tr id="a-')[1:]
        return {row.partition('"')[0]: re.findall(r'class="round-label">(.*?)<', row) for row in rows}

    assert places("/") == {"g": ["round 8"], "m0": ["round 0"], "seated": ["round 11, seat 4"]}
    assert places("/?every=true")["m1"] == ["round 0"]
    post_action(client, "merge", subject="alert:m0", others=["alert:g"])
    assert places("/")["g"] == []


def test_a_row_says_what_its_hand_comes_to_on_each_side_and_what_was_found(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    assert sums(client, "") == {"g": [], "m0": [("patron", 30_000, 3)]}
    assert "<span>Overpaid</span> <b>$300.00</b> <small>in 3 wagers</small>" in client.get("/").text
    short = build_finding("short", check="push_collected", net_cents=-12_500, favours="house")
    hand = build_conclusion("0", *(build_finding(f"m{n}") for n in range(3)), short)
    opened.commands.take_conclusions(
        [build_arrival(hand, build_round("0", wall_clock()), wall_clock())], wall_clock()
    )
    # Three times $100.00 one way, $125.00 the other.
    both = [("house", 12_500, 1), ("patron", 30_000, 3)]
    assert sums(client, "")["m0"] == both
    page = client.get("/").text
    assert "<span>Owed to patron</span> <b>$125.00</b></span>" in page
    assert 'data-sums="Owed to patron $125.00; overpaid $300.00 in 3 wagers"' in page
    assert 'paid too much</a> <b class="times">&times;3</b><span class="check">, push taken</span>' in page
    # Whichever of them is asked for, the hand comes to the same.
    assert sums(client, "?favours=patron")["m0"] == sums(client, "?check=push_collected")["m0"] == both
    assert sums(client, "?every=true")["m0"] == [("patron", 10_000, 1)]


def test_the_sum_of_a_case_is_of_all_that_is_in_it(client: TestClient[Litestar]) -> None:
    post_action(client, "merge", subject="alert:m0", others=["alert:m2", "alert:small"])
    post_action(client, "merge", subject="alert:g", others=["alert:u"])
    # `g` differs by nothing, and of `u` nothing is proven.
    assert sums(client, "") == {
        "g": [],
        "m0": [("house", 500, 1), ("patron", 20_000, 2)],
        "m1": [("patron", 10_000, 1)],
    }


def test_every_wager_of_a_merged_hand_counts_once_with_one_sum_everywhere(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    # Seat 1 is owed $40.00 on the Tie, seat 2 $50.00; seat 2's vigorish of $5.00 too much is of the same
    # wager, so that $55.00 are owed on it. Seat 3 was overpaid $53.00. The result was called wrongly.
    wrong = ("announced_wrong", "critical", None, None, None, None)
    short = ("paid_too_little", "high", -4_000, "house", 1, "tie")
    other = ("winner_collected", "high", -5_000, "house", 2, "banker")
    vigorish = ("vigorish_wrong", "high", 500, "house", 2, "banker")
    push = ("push_paid", "high", 5_300, "patron", 3, "player")
    found = [
        build_finding(
            f"h{n}", check=check, severity=severity, net_cents=cents, favours=side, seat=seat, wager=on
        )
        for n, (check, severity, cents, side, seat, on) in enumerate((wrong, short, other, vigorish, push))
    ]
    hand = build_conclusion("40", *found)
    opened.store.write(RUN, [(build_round("40", wall_clock()), hand, 1)])
    opened.commands.take_conclusions(
        [build_arrival(hand, build_round("40", wall_clock()), wall_clock())], wall_clock()
    )
    post_action(client, "merge", subject="alert:h0", others=[f"alert:h{n}" for n in range(1, 5)])
    owed, over = ("house", 9_500, 2), ("patron", 5_300, 1)
    assert sums(client, "")["h0"] == [owed, over]
    for path in ("/", "/alerts/h4"):
        page = client.get(path).text
        assert 'data-sums="Owed to patrons $95.00 in 2 wagers; overpaid $53.00"' in page
    post_action(client, "close", subject="alert:h0", outcome="corrected", reason="paid out")
    (waiting,) = client.get("/api/queue?state=second person").json()["rows"]
    told = [(each["favours"], each["cents"], each["count"]) for each in waiting["sums"]]
    assert told == [owed, over]
    add_account(opened.path, "director", "director")
    with open_console(opened.path, "director", on=opened) as second:
        page = second.get("/alerts/h4?ask=agree").text
    (dialog,) = re.findall(r'<dialog id="ask-agree".*?</dialog>', page, _LINES)
    assert "<p data-money>Owed to patrons $95.00 in 2 wagers; overpaid $53.00</p>" in dialog


def test_what_was_put_right_or_is_found_no_more_is_owed_by_nobody(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    post_action(client, "merge", subject="alert:m0", others=["alert:m2", "alert:m1"])
    righted = build_conclusion("0", build_finding("m0"), build_finding("m1", put_right=True))
    opened.commands.take_conclusions(
        [build_arrival(righted, build_round("0", wall_clock()), wall_clock())], wall_clock()
    )
    assert sums(client, "")["m0"] == [("patron", 10_000, 1)]


def test_the_page_says_it_all_and_leaves_text_as_text(unchanged: TestClient[Litestar]) -> None:
    page = unchanged.get("/").text
    assert re.findall(r'data-id="(\w+)"', page) == ["g", "m0"]
    assert '<b class="times">&times;3</b>' in page
    assert EVIL not in page
    assert "&lt;script&gt;" in page
    assert "anna" not in page
    assert "No urgent alerts. What can still be put right appears here by itself." in page
    assert '<a href="/?queue=this_shift"><b data-open="this_shift">1</b> open this shift</a>' in page
    assert "rang 0 times in the last hour" in page


def test_critical_alerts_are_never_muted_and_an_operator_cannot_mute_a_table(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    page = client.get("/").text
    assert re.findall(r'data-severity="(\w+)"', page) == ["critical", "high"]
    says = "This check is critical; critical alerts are never muted"
    assert says in page
    assert 'name="what" value="table"' in page
    add_account(opened.path, "op", "operator")
    client.cookies.clear()
    client.headers.pop("X-CSRF-Token")
    page = log_in(client, "op").get("/").text
    assert f"{says}." in page
    assert 'name="what" value="table"' not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?severity=critical", ["g"]),
        ("?table=BAC-1&check=paid_too_much", ["m0"]),
        ("?table=BAC-2", []),
        ("?pit=A", ["g", "m0"]),
        ("?pit=B", []),
        ("?game=631a", ["g", "m0"]),
        ("?favours=house&queue=this_shift", ["small"]),
        ("?dealer=D-7&severity=critical", ["g"]),
        ("?dealer=D-8", []),
        ("?mine=true", []),
        ("?state=closed", []),
        ("?severity=&table=&state=&mine=false", ["g", "m0"]),
    ],
)
def test_filters_narrow_and_an_empty_one_is_none(
    unchanged: TestClient[Litestar], query: str, found: list[str]
) -> None:
    assert [name for name, _ in rows(unchanged, query)] == found


def test_games_are_offered_by_their_names_and_asked_for_by_their_chapters_as_ever(
    unchanged: TestClient[Litestar],
) -> None:
    assert '<option value="631a">Baccarat</option>' in unchanged.get("/").text
    page = unchanged.get("/?game=631a").text
    assert '<option value="631a" selected>Baccarat</option>' in page
    assert "<summary>Filters: Baccarat</summary>" in page
    # One that has no alert now, as in a view that was saved.
    assert "<summary>Filters: Craps and Mini-Craps</summary>" in unchanged.get("/?game=623a").text
    assert "<summary>Filters: 999z</summary>" in unchanged.get("/?game=999z").text


def test_of_two_chapters_of_one_name_the_filter_says_which_is_which() -> None:
    told = {
        "623a": "Craps and Mini-Craps",
        "545": "Baccarat (545)",
        "631a": "Baccarat (631a)",
        "999z": "999z",
    }
    assert named_games(["623a", "545", "631a", "999z"]) == told


def test_dealers_are_offered_and_asked_for_by_their_masks(unchanged: TestClient[Litestar]) -> None:
    page = unchanged.get("/").text
    assert "D-7" not in page
    (mask,) = re.findall(r'<option value="(dealer ·[0-9a-f]{6})"', page)
    assert [name for name, _ in rows(unchanged, f"?dealer={mask}")] == ["g", "m0"]


@pytest.mark.parametrize(
    "query", ["?queue=all", "?state=lost", "?favours=nobody", "?page=0", "?mine=perhaps"]
)
def test_a_filter_that_there_is_not_is_refused(unchanged: TestClient[Litestar], query: str) -> None:
    assert unchanged.get(f"/{query}").status_code == 400


def test_each_state_can_be_asked_for(client: TestClient[Litestar], opened: OpenConsole) -> None:
    post_action(client, "acknowledge", subject="alert:m0")
    post_action(client, "snooze", subject="alert:m1", minutes=9, reason="break")
    post_action(client, "close", subject="alert:g", outcome="confirmed", reason="seen")
    post_action(client, "close", subject="alert:m2", outcome="corrected", reason="paid back")
    assert rows(client) == [("g", 0), ("m0", 0)]
    for state, found in (
        ("open", ["m0"]),
        ("new", []),
        ("second person", ["g"]),
        ("closed", ["m2"]),
        ("snoozed", ["m1"]),
        ("withdrawn", []),
        ("look again", []),
    ):
        assert [name for name, _ in rows(client, f"?state={state}")] == found, state
    assert rows(client, "?mine=true") == [("m0", 0)]
    left = build_conclusion("0", build_finding("m1"), build_finding("m2"))
    opened.commands.take_conclusions([build_arrival(left, None, 0)], 0)
    assert rows(client, "?state=withdrawn&queue=nightly") == [("m0", 0)]


def test_what_was_closed_and_is_something_else_now_waits_for_whoever_works(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    post_action(client, "close", subject="alert:m0", outcome="explained", reason="a push")
    assert rows(client, "?queue=for_me") == []
    assert "not what it was closed as" not in client.get("/?state=closed").text
    opened.commands.take_conclusions(
        [build_arrival(build_conclusion("2", build_finding("m0", net_cents=55_000)), None, wall_clock())],
        wall_clock(),
    )
    assert rows(client, "?queue=for_me") == [("m0", 0)]
    assert [name for name, _ in rows(client, "?queue=for_me&state=look again")] == ["m0"]
    assert "changed since it was closed: look again" in client.get("/?queue=for_me").text
    post_action(client, "review", subject="alert:m0", agrees=True, reason="the second push as well")
    assert rows(client, "?queue=for_me") == []


def test_an_action_is_answered_refused_or_not_allowed_in_words(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    done = {"id": f"{1:032x}", "action": "acknowledge", "subject": "alert:m0"}
    first = post_action(client, **done)
    assert (first["subject"], first["after"]["owner"]) == ("alert:m0", "supervisor")
    assert post_action(client, **done) == first
    again = {"id": f"{2:032x}", "action": "acknowledge", "subject": "alert:m0"}
    answer = client.post("/api/actions", json=again)
    assert (answer.status_code, answer.json()) == (409, {"error": "You have it already.", "code": "taken"})
    for wrong in ({"id": "1"}, {"action": "destroy"}, {"subject": "m0"}, {"more": 1}):
        assert client.post("/api/actions", json=again | wrong).status_code == 400
    add_account(opened.path, "auditor", "auditor")
    client.cookies.clear()
    del client.headers["X-CSRF-Token"]
    refused = log_in(client, "auditor").post("/api/actions", json=again)
    assert refused.status_code == 403
    assert refused.json()["error"].startswith("The role auditor may not do this")
    assert "case_actions.js" not in client.get("/").text
    assert client.get("/api/people").status_code == 403


def test_what_waits_for_who_asks_is_a_list_with_its_count(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    """The one who is logged in is a supervisor; two others work beside them."""

    def others(who: str, action: Any, role: str = "operator") -> None:
        opened.commands.act(action, Actor(who, role, SECOND, PEOPLE), wall_clock())

    def subject(number: int, name: str) -> dict[str, str]:
        return {"id": f"{number:032x}", "subject": f"alert:{name}"}

    others("bob", Close(**subject(1, "g"), outcome="false", reason="seen"))
    post_action(client, "acknowledge", subject="alert:m2")
    others("cyd", Escalate(**subject(3, "m1"), to="supervisor", reason="again this dealer"))
    others("cyd", Escalate(**subject(4, "small"), to="director", reason="again this dealer"))
    drawn = next(at for at in count(wall_clock()) if is_sampled("u", at))
    close = Close(**subject(5, "u"), outcome="false", reason="the reader corrected itself")
    opened.commands.act(close, Actor("bob", "operator", SECOND, PEOPLE), drawn)
    told = client.get("/api/queue?queue=for_me").json()
    assert [row["alert"]["id"] for row in told["rows"]] == ["g", "m1", "u"]
    assert (told["total"], told["counts"]["for_me"]) == (3, 3)
    assert client.get("/api/queue").json()["counts"] == {
        "act_now": 4,  # g, m2 which somebody has, m1 with the supervisor, and m0
        "this_shift": 1,
        "nightly": 0,
        "for_me": 3,
    }
    for query, found in (
        ("severity=critical", ["g"]),
        ("escalated=supervisor", ["m1"]),
        ("state=look again", ["u"]),
        ("check=push_paid", []),
    ):
        assert [name for name, _ in rows(client, f"?queue=for_me&{query}")] == found
    page = client.get("/?queue=for_me").text
    assert re.findall(r'data-id="(\w+)"', page) == ["g", "m1", "u"]
    assert 'data-queue="for_me">For me <b>3</b>' in page
    # What one asked for or closed oneself does not wait for oneself.
    told_bob = page_of(
        opened.commands.queue_items(wall_clock()),
        QueueQuery(queue="for_me"),
        Actor("bob", "operator", SECOND),
        Masking(b"key"),
        Rate(),
        [],
    )
    assert told_bob.rows == []
    add_account(opened.path, "auditor", "auditor")
    client.cookies.clear()
    del client.headers["X-CSRF-Token"]
    reading = log_in(client, "auditor")
    assert 'data-queue="for_me"' not in reading.get("/").text
    assert rows(reading, "?queue=for_me") == []


def test_what_is_escalated_or_tagged_can_be_asked_for(client: TestClient[Litestar]) -> None:
    post_action(client, "escalate", subject="alert:m1", to="investigator", reason="again this dealer")
    post_action(client, "tag", subject="alert:g", word="chips")
    post_action(client, "tag", subject="alert:m2", word="for anna")
    assert [name for name, _ in rows(client, "?escalated=investigator")] == ["m1"]
    assert rows(client, "?escalated=director") == []
    assert [name for name, _ in rows(client, "?tag=chips")] == ["g"]
    assert rows(client, "?tag=chip") == []
    page = client.get("/?tag=chips").text
    assert '<option value="chips" selected>' in page
    assert "Filters: tag chips<" in page
    # A name in a tag is masked, and may be asked for by its mask.
    (mask,) = re.findall(r'<option value="(for patron ·[0-9a-f]{6})"', page)
    assert "anna" not in page
    assert [name for name, _ in rows(client, f"?tag={mask}&every=true")] == ["m2"]
    assert [name for name, _ in rows(client, f"?tag={mask}")] == ["m0"]  # the row of its round
    assert client.get("/?escalated=nobody").status_code == 400


def test_an_alert_taken_alone_shows_how_many_others_of_its_round_are_unassigned(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    def others() -> int:
        shown = opened.commands.queue_item("m1", wall_clock())
        assert shown is not None
        return shown.others

    assert others() == 2
    post_action(client, "acknowledge", subject="alert:m1")
    assert (others(), rows(client)) == (2, [("g", 0), ("m0", 1), ("m1", 0)])
    assert "2 other findings of it are unassigned" in client.get("/alerts/m1").text
    post_action(client, "merge", subject="alert:m1", whole_incident=True)
    assert others() == 0
    assert 'id="case" data-others="0"' in client.get("/alerts/m1").text


def test_a_row_is_taken_whole_and_the_next_is_one_of_what_is_shown(
    client: TestClient[Litestar],
) -> None:
    shown = [f"alert:{name}" for name, _ in rows(client, "?check=paid_too_much")]
    told = post_action(client, "take_next", among=shown, whole_incident=True)
    assert (told["subject"], told["after"]["alerts"]) == ("alert:m0", ["m1", "m2"])
    assert rows(client, "?mine=true") == [("m0", 2)]
    post_action(client, "undo", subject="alert:m0")
    told = post_action(client, "acknowledge", subject="alert:m0", whole_incident=True)
    assert (told["after"]["owner"], rows(client, "?state=open")) == ("supervisor", [("m0", 2)])


def test_views_are_saved_shown_and_removed(client: TestClient[Litestar]) -> None:
    client.post("/api/views", json={"name": "grave ones", "query": "pit=A"})
    client.post("/api/views", json={"name": "grave ones", "query": "severity=critical"})
    saved = client.post("/api/views", json={"name": EVIL, "query": ""})
    assert [each["name"] for each in saved.json()] == [EVIL, "grave ones"]
    page = client.get("/").text
    assert '<a href="/?severity=critical">grave ones</a>' in page
    assert EVIL not in page
    for wrong in ({"name": " ", "query": ""}, {"name": "a", "query": '"><b>'}, {"name": "a"}):
        assert client.post("/api/views", json=wrong).status_code == 400
    assert client.delete("/api/views/none").status_code == 404
    assert client.delete(f"/api/views/{quote(EVIL, safe='')}").json() == saved.json()[1:]
    client.delete("/api/views/grave ones")
    assert "grave ones</a>" not in client.get("/").text


def test_a_view_is_its_persons_own_and_there_are_fifty_at_most(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    for number in range(50):
        assert client.post("/api/views", json={"name": f"{number}", "query": ""}).status_code == 200
    full = client.post("/api/views", json={"name": "one more", "query": ""})
    assert (full.status_code, full.json()) == (
        400,
        {"error": "50 views are saved already; remove one first."},
    )
    assert client.post("/api/views", json={"name": "7", "query": "page=2"}).status_code == 200
    add_account(opened.path, "operator", "operator")
    client.cookies.clear()
    del client.headers["X-CSRF-Token"]
    assert log_in(client, "operator").get("/api/views").json() == []
    assert client.delete("/api/views/7").status_code == 404


def test_bettors_of_the_round_are_masked_in_free_text_too(tmp_path: Path) -> None:
    now, path = wall_clock(), tmp_path / "store.duckdb"
    wagers = {Key(2, "ben o'neill", "tie", None): Wager(500), Key(3, "A", "tie", None): Wager(500)}
    message = "chips of ben o'neill stood on the box of seat A"
    rounds = [
        (
            Round(table="BAC-1", number=each, day=DAY, at=now, wagers=dict(wagers)),
            build_conclusion(each, told),
        )
        for each, told in ((each, build_finding(f"f{each}", message=message)) for each in ("1", "2"))
    ]
    store = Store(path)
    store.write(RUN, [(*rounds[0], 1)])  # before the console is opened
    house = House(house="here", tables=TABLES)
    desk = open_commands(store, WEEK, TABLES, now, live=True)
    desk.take_conclusions([build_arrival(rounds[1][1], rounds[1][0], now, RUN.run)], now)
    beside = OpenConsole(path, store, house, LiveFloor(store.reading(), house.zone, "ok"), desk)
    with open_console(path, on=beside) as client:
        told = client.get("/api/queue?every=true").json()["rows"]
        page = client.get("/?every=true").text
    messages = [row["alert"]["message"] for row in told]
    assert len(messages) == 2
    for each in (*messages, page):
        assert "neill" not in each
        assert re.search(r"chips of patron ·[0-9a-f]{6} stood on the box of seat A", each)


# ── what the stream tells ────────────────────────────────────────────────────────────────────────────


def told_of(desk: CommandHandler, hidden: frozenset[str] = frozenset(), **asked: Any) -> QueueStream:
    eyes = Viewer(ANN, lambda: hidden, Masking(b"key"), wall_clock)
    return QueueStream(
        StreamCache(desk), QueueQuery(**asked), eyes, lambda row: f"<{row.alert.id} +{row.others}>", 0
    )


def said(told: QueueStream, news: CaseworkNews) -> list[tuple[str, Any]]:
    found = [(event, json.loads(data)) for event, data in told.events_since(news)]
    for event, data in found:
        if event == "counts":
            assert set(data.pop("overdue").values()) == {0}  # of which other tests are
    return [(event, (data["row"] if event == "alert" else data)) for event, data in found if event != "acted"]


def do(desk: CommandHandler, action: Any) -> CaseworkNews:
    desk.act(action, ANN, wall_clock())
    return desk.news()


def test_a_finding_that_is_taken_alone_changes_and_the_rest_of_its_round_gets_a_row(
    opened: OpenConsole,
) -> None:
    told = told_of(opened.commands)
    none = '{"act_now":0,"this_shift":0,"nightly":0,"for_me":0}'
    assert list(told.first_events()) == [
        ("counts", f'{{"act_now":2,"this_shift":1,"nightly":1,"for_me":0,"overdue":{none}}}'),
        ("overdue", '{"rows":0}'),
    ]
    news = do(opened.commands, Acknowledge(id=f"{1:032x}", subject="alert:m0"))
    assert sorted(said(told, news), key=str) == [
        ("alert", "<m0 +0>"),
        ("alert", "<m1 +1>"),
        ("counts", {"act_now": 3, "this_shift": 1, "nightly": 1, "for_me": 0}),
    ]
    news = do(opened.commands, Merge(id=f"{2:032x}", subject="alert:m0", whole_incident=True))
    found = said(told, news)
    assert ("alert", "<m0 +2>") in found
    assert ("gone", {"id": "m1"}) in found
    assert found[-1] == ("counts", {"act_now": 2, "this_shift": 1, "nightly": 1, "for_me": 0})
    news = do(opened.commands, Close(id=f"{3:032x}", subject="alert:m2", outcome="corrected", reason="paid"))
    assert ("gone", {"id": "m0"}) in said(told, news)


def test_a_row_s_sum_is_sent_again_when_one_of_its_findings_grows(
    opened: OpenConsole,
) -> None:
    eyes = Viewer(ANN, frozenset, Masking(b"key"), wall_clock)
    told = QueueStream(
        StreamCache(opened.commands),
        QueueQuery(),
        eyes,
        lambda row: " ".join(str(each.cents) for each in row.sums),
        0,
    )
    more = build_conclusion("0", build_finding("m2", net_cents=15_000), *map(build_finding, ("m0", "m1")))
    opened.commands.take_conclusions(
        [build_arrival(more, build_round("0", wall_clock()), wall_clock())], wall_clock()
    )
    assert ("alert", "35000") in said(told, opened.commands.news())


def test_new_alerts_are_sent_and_ring_and_withdrawn_ones_go(opened: OpenConsole) -> None:
    told, elsewhere = told_of(opened.commands), told_of(opened.commands, queue="nightly")
    away = told_of(opened.commands, hidden=frozenset({"round:2025-03-01|BAC-1|20"}))
    new = build_conclusion("20", build_finding("new", check="push_paid"))
    opened.commands.take_conclusions(
        [build_arrival(new, build_round("20", wall_clock()), wall_clock())], wall_clock()
    )
    news = opened.commands.news()
    third = "mistake 3 of this dealer in 30 minutes"  # after rounds 0 and 8
    ring = {"id": "new", "table": "BAC-1", "check": "push_paid", "severity": "high", "why": third}
    ring["due"] = opened.commands.alert_queue.arrivals["new"].taken_due
    counts = {"act_now": 3, "this_shift": 1, "nightly": 1, "for_me": 0}
    assert said(told, news) == [("alert", "<new +0>"), ("counts", counts), ("ring", ring)]
    assert said(elsewhere, news) == [("counts", counts), ("ring", ring)]
    assert list(away.events_since(news)) == []
    opened.commands.take_conclusions(
        [build_arrival(build_conclusion("20"), build_round("20", wall_clock()), wall_clock())], wall_clock()
    )
    assert said(told, opened.commands.news())[0] == ("gone", {"id": "new"})


def test_the_ring_says_that_it_is_the_dealers_third_mistake(opened: OpenConsole) -> None:
    # Two hands of D-7 have rung before; two of D-9 come now, and with the third it says so.
    told = told_of(opened.commands)
    whys = []
    for number in ("31", "32", "33"):
        new = build_conclusion(number, build_finding(f"n{number}", check="push_paid"))
        opened.commands.take_conclusions(
            [build_arrival(new, build_round(number, wall_clock(), "D-9"), wall_clock())], wall_clock()
        )
        found = said(told, opened.commands.news())
        whys += [data["why"] for event, data in found if event == "ring"]
    assert whys == ["", "mistake 3 of this dealer in 30 minutes"]


def test_actions_on_no_alert_are_sent_to_other_open_pages(opened: OpenConsole) -> None:
    log, away = (
        told_of(opened.commands),
        told_of(opened.commands, hidden=frozenset({"table-day:2025-03-01|BAC-1"})),
    )
    entry = Written(kind="visitor", at=wall_clock() - MINUTE, what="badge 16")
    for action in (
        LogEntry(id=f"{1:032x}", entry=entry),
        Mute(id=f"{2:032x}", check="vigorish_wrong", minutes=30, reason="known"),
    ):
        opened.commands.act(action, replace(ANN, rights=SECOND | {"log"}), wall_clock())
        news = opened.commands.news()
        assert list(log.events_since(news)) == list(away.events_since(news)) == [("acted", "{}")]
    # Half an hour later the mute ends, and no alert changes by that.
    opened.commands.tick(wall_clock() + 29 * MINUTE)
    assert opened.commands.news().overdue
    opened.commands.tick(wall_clock() + 30 * MINUTE)
    news = opened.commands.news()
    assert news.touched == set()
    assert list(log.events_since(news)) == list(away.events_since(news)) == [("acted", "{}")]
    # So is it where a device falls silent at a table without an alert, once, and where it is back.
    since = wall_clock()
    for silent, told in (({"C-9": since}, True), ({"C-9": since}, False), ({}, True)):
        opened.commands.set_silent_devices({"BAC-9": silent})
        news = opened.commands.news()
        assert news.touched == set()
        assert list(log.events_since(news)) == ([("acted", "{}")] if told else [])
    news = do(opened.commands, Acknowledge(id=f"{3:032x}", subject="alert:g"))
    assert ("acted", "{}") in list(log.events_since(news))
    assert list(away.events_since(news)) == []  # of what is withheld nothing is told


def test_an_alert_that_comes_to_wait_for_the_viewer_is_counted_and_rings_if_critical(
    opened: OpenConsole,
) -> None:
    told, mine = told_of(opened.commands), told_of(opened.commands, queue="for_me")
    news = do(
        opened.commands, Escalate(id=f"{1:032x}", subject="alert:small", to="supervisor", reason="again")
    )
    counts = {"act_now": 2, "this_shift": 1, "nightly": 1, "for_me": 1}
    assert said(told, news)[-1] == ("counts", counts)
    assert said(mine, news) == [("alert", "<small +0>"), ("counts", counts)]
    news = do(opened.commands, Escalate(id=f"{2:032x}", subject="alert:g", to="supervisor", reason="again"))
    due = opened.commands.alert_queue.arrivals["g"].taken_due
    told_of_g = {"id": "g", "table": "BAC-1", "check": "late_wager", "severity": "critical", "due": due}
    ring = ("ring", told_of_g | {"why": ""})
    assert said(mine, news) == [("alert", "<g +0>"), ("counts", counts | {"for_me": 2}), ring]
    assert ring in said(told, news)
    news = do(opened.commands, Escalate(id=f"{3:032x}", subject="alert:g", to="director", reason="again"))
    assert said(mine, news) == [("gone", {"id": "g"}), ("counts", counts)]
    opened.commands.act(
        Close(id=f"{4:032x}", subject="alert:g", outcome="false", reason="seen"),
        Actor("bob", "operator", SECOND, PEOPLE),
        wall_clock(),
    )
    assert said(mine, opened.commands.news())[0] == ("alert", "<g +0>")


def test_a_row_is_written_once_for_all_who_see_the_same_and_apart_for_who_sees_names(
    opened: OpenConsole,
) -> None:
    common, written = StreamCache(opened.commands), list[str | None]()

    def rendered(row: QueueItem) -> str:
        written.append(row.alert.dealer)
        return f"dealt by {row.alert.dealer}"

    def eyes(masking: Masking) -> Viewer:
        return Viewer(ANN, frozenset, masking, wall_clock)

    masked, named = Masking(b"key"), Masking(b"key", {"alert:new": 600})
    one, other, third = (
        QueueStream(common, QueueQuery(), eyes(each), rendered, 0) for each in (masked, masked, named)
    )
    opened.commands.take_conclusions(
        [
            build_arrival(
                build_conclusion("20", build_finding("new", check="push_paid")),
                build_round("20", wall_clock()),
                wall_clock(),
            )
        ],
        wall_clock(),
    )
    news = opened.commands.news()
    mask = masked.name("dealer", "D-7")
    assert [said(each, news)[0] for each in (one, third, other)] == [
        ("alert", f"dealt by {mask}"),
        ("alert", "dealt by D-7"),
        ("alert", f"dealt by {mask}"),
    ]
    assert written == [mask, "D-7"]


def test_simultaneous_news_is_rendered_once_and_embargoes_hold_at_once(
    opened: OpenConsole,
) -> None:
    common, written, withheld = StreamCache(opened.commands), list[str](), set[str]()

    def rendered(row: QueueItem) -> str:
        written.append(row.alert.id)
        return row.alert.id

    eyes = Viewer(ANN, lambda: frozenset(withheld), Masking(b"key"), wall_clock)
    one, other, slow = (QueueStream(common, QueueQuery(), eyes, rendered, 0) for _ in range(3))
    news = []
    for number, name, check in (("21", "first", "push_paid"), ("22", "second", "payout_mismatch")):
        found = build_conclusion(number, build_finding(name, check=check))
        opened.commands.take_conclusions(
            [build_arrival(found, build_round(number, wall_clock()), wall_clock())], wall_clock()
        )
        news.append(opened.commands.news())
    for each in (one, other):
        assert [said(each, of)[0] for of in news] == [("alert", "first"), ("alert", "second")]
    assert written == ["first", "second"]
    withheld.add("alert:first")
    assert ("alert", "first") not in said(slow, news[0])


def test_a_stream_says_hello_with_the_counts_and_the_rate(
    opened: OpenConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate = Rate(3, 2)
    monkeypatch.setattr(Ticking, "tick", lambda _ticking: rate)  # each second it is counted again
    with open_console(opened.path, on=opened) as client:
        opened.live.rated(rate)
        opened.live.end()
        lines = client.get("/stream?queue=nightly").text.split("\r\n")
    assert [line for line in lines if line.startswith("event:")] == [
        "event: hello",
        "event: floor",
        "event: counts",
        "event: overdue",
        "event: rate",
    ]
    assert "rang 3 times in the last hour, 2 on duty" in "".join(lines)


# ── due times, mutes ─────────────────────────────────────────────────────────────────────────────────


def test_what_was_taken_or_closed_late_is_found_with_who_had_it() -> None:
    pure = InMemoryQueue(build_alert("late", "1"), build_alert("never", "2"), build_alert("good", "3"))
    begun = pure.now
    pure.do(Acknowledge, "good")
    pure.do(Close, "good", outcome="corrected", reason="paid back")
    pure.now = begun + 8 * MINUTE - 1_000_000
    pure.do(Acknowledge, "late", "bob")
    found = breaches(pure.board.arrivals.values(), pure.book.cases, pure.board.alerts, begun + 121 * MINUTE)

    def told(each: Breach) -> tuple[str, str, int, str | None]:
        return each.alert, each.step, each.late(begun + 121 * MINUTE), each.who

    assert [told(each) for each in found] == [
        ("late", "taken", 3, "bob"),
        ("never", "taken", 116, None),
        ("late", "closed", 1, "bob"),
        ("never", "closed", 1, None),
    ]


def test_what_is_over_its_time_is_a_page(client: TestClient[Litestar], opened: OpenConsole) -> None:
    assert "Nothing was overdue." in client.get("/breaches").text
    noted = opened.commands.alert_queue.arrivals["m2"]
    with opened.store.reading() as writing:
        writing.execute("UPDATE alerts SET taken_due = taken_due - INTERVAL 20 MINUTE WHERE id = 'm2'")
        writing.execute("UPDATE findings SET seat = 2, wager = 'dragon_7' WHERE id = 'm2'")
    told = client.get("/api/breaches?day=2025-03-01").json()
    assert (told["by_severity"], told["by_person"]) == ({"high": 1}, {"": 1})
    assert [(each["alert"], each["step"], each["done"]) for each in told["breaches"]] == [
        ("m2", "taken", None)
    ]
    assert told["breaches"][0]["due"] == noted.taken_due - 20 * MINUTE
    page = client.get("/breaches").text
    assert "not yet" in page
    assert "paid too much, seat 2 dragon 7</a>" in page
    assert "Nothing was over" in client.get("/breaches?day=2025-03-02").text
    assert client.get("/breaches?day=soon").status_code == 400


def test_a_due_time_of_another_day_has_its_day_with_it(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    # What is undetermined is to be taken within 1,440 minutes: at the same time of day, tomorrow.
    came = opened.commands.alert_queue.arrivals["u"]
    due = datetime.fromtimestamp(came.taken_due // 1_000_000, ZoneInfo(opened.house.zone))
    time = f"{due:%I:%M:%S %p}".lstrip("0")
    assert f"{time}<small>{due:%m/%d/%Y}</small>" in client.get("/?queue=nightly").text


def test_a_form_s_empty_filters_are_no_part_of_the_address(client: TestClient[Litestar]) -> None:
    led = client.get("/?queue=nightly&severity=&table=BAC-1&tag=", follow_redirects=False)
    assert (led.status_code, led.headers["location"]) == (303, "/?queue=nightly&table=BAC-1")


@pytest.mark.parametrize(
    ("sort", "ids"),
    [
        # `g` is of round 8, of no sum; `m0` stands for three of round 0, each overpaid by $100.00.
        ("time", ["g", "m0"]),
        ("money", ["m0", "g"]),
        ("table", ["g", "m0"]),  # one table: as the queue has them
        ("due", ["g", "m0"]),  # in 2 minutes, and in 5
    ],
)
def test_rows_are_sorted_by_a_column(client: TestClient[Litestar], sort: str, ids: list[str]) -> None:
    page = client.get(f"/?sort={sort}").text
    assert re.findall(r'data-id="(\w+)"', page) == ids
    assert [row["alert"]["id"] for row in client.get(f"/api/queue?sort={sort}").json()["rows"]] == ids
    assert page.count("aria-sort") == 1


def test_a_critical_alert_is_not_offered_to_be_snoozed(client: TestClient[Litestar]) -> None:
    assert 'data-key="z"' in client.get("/alerts/small").text
    assert 'data-key="z"' not in client.get("/alerts/g").text


def test_what_is_muted_snoozed_or_silent_is_a_page(client: TestClient[Litestar], opened: OpenConsole) -> None:
    for said in ("Nothing is muted.", "Nothing is snoozed.", "No device is silent."):
        assert said in client.get("/muted").text
    post_action(client, "mute", id=f"{1:032x}", check="push_paid", minutes=30, reason=EVIL)
    assert 'data-label="By">supervisor' in client.get("/muted").text
    post_action(client, "snooze", subject="alert:m1", minutes=9, reason="break")
    post_action(client, "note", subject="alert:m1", text="called the pit")
    opened.commands.set_silent_devices({"BAC-1": {"C-1": 1_740_882_000_000_000}})
    page = client.get("/muted").text
    assert EVIL not in page
    for said in ("push paid as a win at every table", ", break", "C-1, which reads the chips"):
        assert said in page
    assert "called the pit" not in page
    assert "alerts that depend on it are silenced" in client.get("/").text
    post_action(client, "unmute", mute=f"{1:032x}")
    told = client.get("/api/muted").json()
    assert (told["mutes"], [each["reason"] for each in told["ended"]]) == ([], [EVIL])


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────────


def test_every_key_that_a_script_binds_is_in_the_list_and_none_else() -> None:
    listed = re.findall(
        r'^  \["([^"]+)", "([^"]+)", "[^"]+"\],$', (STATIC / "keys.js").read_text(), re.MULTILINE
    )
    bound: list[str] = []
    for script in STATIC.glob("*.js"):
        for part in re.findall(
            r"(?:bind\(|const ACTIONS = )\{(.*?)(?:^\}| \}\);$)", script.read_text(), _LINES
        ):
            bound += re.findall(r'(?:^ {1,2}|, )"?([A-Za-z0-9?/ ]+)"?: ', part, re.MULTILINE)
    # floor.js and rounds.js; what is open a browser closes itself
    elsewhere = {("the floor", "arrow keys"), ("a table's rounds", "0 to 9"), ("everywhere", "Escape")}
    assert elsewhere <= set(listed)
    elsewhere |= {(place, key) for place, key in listed if place == "a hand's replay"}  # its own script
    assert sorted(bound) == sorted(key for place, key in listed if (place, key) not in elsewhere)


def test_every_button_of_an_alert_has_a_key_that_is_in_the_list() -> None:
    template = (STATIC.parent / "templates/case.html").read_text()
    keys = set(re.findall(r'\("(\w)", "[A-Z]', template))
    listed = re.findall(r'\["an alert or a row", "(\w)"', (STATIC / "keys.js").read_text())
    assert keys == set(listed)


def test_the_alerts_page_says_who_has_it_and_offers_what_can_be_done(client: TestClient[Litestar]) -> None:
    post_action(client, "acknowledge", subject="alert:g")
    post_action(client, "note", subject="alert:g", text=EVIL)
    page = client.get("/alerts/g").text
    assert "supervisor has it" in page
    assert EVIL not in page
    assert "&lt;script&gt;" in page
    offered = re.findall(r'data-key="(\w)"', page)
    assert offered == list("crwtesmun")  # what can be done to an open case; critical alerts are never snoozed
    assert page.count("<dialog") == 17


def test_agreeing_is_offered_to_another_than_who_asked(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    post_action(client, "close", subject="alert:g", outcome="false", reason="I saw it at the table.")
    assert "I saw it at the table. supervisor asked" in client.get("/alerts/g").text
    assert not {"y", "N"} & set(re.findall(r'data-key="(\w)"', client.get("/alerts/g").text))
    for page in (client.get("/alerts/g").text, client.get("/?queue=act_now&state=second+person").text):
        assert 'data-asked="supervisor"' in page
        assert 'id="ask-agree" data-action="second"' in page
        assert 'data-another="supervisor"' in page
    for name, offered in (("director", {"y", "N"}), ("operator", set())):
        add_account(opened.path, name, name)
        with open_console(opened.path, name, on=opened) as other:
            page = other.get("/alerts/g").text
            assert {"y", "N"} & set(re.findall(r'data-key="(\w)"', page)) == offered
            assert ('id="ask-agree"' in page) == bool(offered)


def test_undoing_is_offered_where_there_is_something_of_ones_own(
    client: TestClient[Litestar], opened: OpenConsole
) -> None:
    assert 'data-key="u"' not in client.get("/alerts/g").text
    post_action(client, "note", subject="alert:g", text="called")
    assert 'data-key="u"' in client.get("/alerts/g").text
    post_action(client, "undo", subject="alert:g")
    assert 'data-key="u"' not in client.get("/alerts/g").text
    post_action(client, "note", subject="alert:g", text="called")
    add_account(opened.path, "director", "director")
    with open_console(opened.path, "director", on=opened) as other:
        assert 'data-key="u"' not in other.get("/alerts/g").text


def test_the_alerts_page_says_what_its_whole_round_or_case_comes_to(client: TestClient[Litestar]) -> None:
    assert (
        'The whole round: <b class="side">Overpaid $300.00 in 3 wagers</b>' in client.get("/alerts/m1").text
    )
    post_action(client, "acknowledge", subject="alert:m1")
    post_action(client, "merge", subject="alert:m1", others=["alert:m2", "alert:small"])
    page = client.get("/alerts/m1").text
    # The case is of two of the three, and of `small`; the third is nobody's, and not in its sum.
    assert 'The case <b class="side">Owed to patron $5.00</b> <b class="side">Overpaid $200' in page
    post_action(client, "merge", subject="alert:m1", whole_incident=True)
    page = client.get("/alerts/m1").text
    both = '<b class="side">Owed to patron $5.00</b> <b class="side">Overpaid $300.00 in 3 wagers</b>'
    assert both in page
    assert 'class="side' not in client.get("/alerts/g").text


def test_an_alert_with_only_a_difference_has_a_page(client: TestClient[Litestar]) -> None:
    # A store may have findings that do not say what was owed and observed.
    page = client.get("/alerts/m1").text
    assert '<p class="own">This finding: <b>Overpaid $100.00</b></p>' in page
