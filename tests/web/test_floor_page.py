"""The floor's page: what each tile says, what is urgent, and who is shown what."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.casework.alerts.queues import QueueItem
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_state import Case
from projections.casework.table_status import Lag, TableStatus
from projections.engine.observation import Round
from projections.engine.silence import LostDevice, SilentDevices
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.auth.auth_plugin import Access
from projections.web.auth.embargo import Embargoes
from projections.web.bootstrap import OpenConsole, load_console, open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.floor_tiles import OpenAlerts, Tile, live_tiles, opened_at, urgent_first
from schemas.house import House, TableLimits, TableSetup
from schemas.room_settings import RoomSettings
from tests.builders.alerts import DAY, build_arrival, build_conclusion, build_finding
from tests.builders.consoles import open_console
from tests.builders.large_floor import open_large_floor
from tests.builders.rounds_of_console import write_rounds


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rounds(tmp_path_factory.mktemp("console") / "store.duckdb")


RUN = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
SECOND = 1_000_000
NOW = 1_740_859_200_000_000
HOUSE = House(
    house="floor",
    tables={
        "BAC-9": TableSetup(
            chapter="631a", sources={"C-9": "chips"}, pit="2", limits=TableLimits(2_500, 500_000)
        ),
        "BAC-10": TableSetup(chapter="631a", sources={}, pit="1"),
        "21-3": TableSetup(chapter="633a", sources={}, pit="1"),
    },
)
STANDING = TableStatus(
    open=True,
    since=NOW - 3600 * SECOND,
    dealers=("D-1", "D-2"),
    calling="D-1",
    calling_since=NOW - 1_204 * SECOND - 500_000,
    round="88",
    opened=NOW - 20 * SECOND,
    last="87",
    closes=(NOW - 3599 * SECOND, NOW - 60 * SECOND),
    shoe="A",
    drawn=61,
    lost=SilentDevices({"C-9": LostDevice(NOW - 30 * SECOND)}),
    at=NOW - 4 * SECOND - 500_000,
    received=NOW - 4 * SECOND,
)

LAGS = {"BAC-9": Lag(42_000, NOW)}


def alert(number: str, table: str, **more: Any) -> Alert:
    return Alert(
        **{
            "id": number,
            "run": "live",
            "about": number,
            "gaming_date": date(2025, 3, 1),
            "table": table,
            "chapter": "631a",
            "check": "paid_too_much",
            "weight": "mismatch",
            "severity": "high",
            "message": "",
        }
        | more
    )


def shown(each: Alert, queue: Any = "act_now", **case: Any) -> QueueItem:
    return QueueItem(
        alert=each, case=Case(key=each.id, alerts=(each.id,), **case), queue=queue, came=NOW, due=NOW
    )


def tile(tiles: list[Tile], table: str) -> Tile:
    (found,) = [each for each in tiles if each.table == table]
    return found


# ── tiles ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_tile_says_how_its_table_stands() -> None:
    tiles = live_tiles(HOUSE.tables, {"BAC-9": STANDING}, LAGS, {"BAC-9": OpenAlerts({"high": 2})}, NOW)
    assert [each.table for each in tiles] == ["21-3", "BAC-9", "BAC-10"]
    found = tile(tiles, "BAC-9")
    assert (found.state, found.pit, found.game) == ("open", "2", "Baccarat")
    assert (found.round, found.calling, found.dealers, found.rounds) == ("88", "D-1", ("D-1", "D-2"), 2)
    assert [(each.device, each.reads) for each in found.silent] == [("C-9", "chips")]
    assert (found.felt, found.known, found.heard, found.unheard_for) == (500_000, 42_000, 4 * SECOND, None)
    assert found.alerts.mismatches == {"high": 2}


@pytest.mark.parametrize(
    ("since", "at", "minutes", "says"),
    [
        (0, 90 * SECOND, 2, "2 in 2 min"),
        (0, 120 * SECOND, 2, "2 in 2 min"),
        (0, 0, 1, "2 in 1 min"),
        (0, 3_600 * SECOND, 60, "2 in an hour"),
        (0, 9_000 * SECOND, 60, "0 in an hour"),
        (None, 120 * SECOND, 60, "2 in an hour"),
    ],
    ids=["a minute and a half", "two minutes", "at once", "an hour", "longer", "not known since when"],
)
def test_a_table_s_rounds_are_those_of_an_hour_or_of_as_long_as_it_is_open(
    path: Path,
    since: int | None,
    at: int,
    minutes: int,
    says: str,
) -> None:
    begun = NOW - 10_000 * SECOND
    since = None if since is None else begun + since
    standing = replace(STANDING, since=since, at=begun + at, closes=(begun, begun))
    assert tile(live_tiles({}, {"X": standing}, {}, {}, NOW), "X").minutes == minutes
    on = load_console(path, HOUSE, state="ok")
    on.live.set_state("A", {"BAC-9": standing}, {})
    with open_console(path, on=on) as client:
        page = client.get("/health").text
    assert re.search(f">BAC-9</td><td[^>]*>round 88</td><td[^>]*>{says}</td>", page)


def test_a_table_that_nothing_was_heard_of_is_there_and_says_so() -> None:
    found = tile(live_tiles(HOUSE.tables, {}, {}, {}, NOW), "BAC-10")
    assert (found.state, found.game, found.round, found.rounds) == ("unheard", "Baccarat", None, None)


def test_a_table_that_no_house_file_names_is_there_all_the_same() -> None:
    found = tile(live_tiles({}, {"X-1": STANDING}, {}, {}, NOW), "X-1")
    assert (found.pit, found.chapter, found.game, found.silent[0].reads) == (None, None, "", None)


@pytest.mark.parametrize(
    ("stands", "expected"),
    [
        (replace(STANDING, received=NOW - 120 * SECOND), None),
        (replace(STANDING, received=NOW - 121 * SECOND), 121 * SECOND),
        (replace(STANDING, received=NOW - 999 * SECOND, open=False), None),
    ],
    ids=["two minutes", "longer", "closed"],
)
def test_an_open_table_that_is_silent_for_two_minutes_is_marked(
    stands: TableStatus, expected: int | None
) -> None:
    assert tile(live_tiles({}, {"X": stands}, {}, {}, NOW), "X").unheard_for == expected


@pytest.mark.parametrize(
    ("at", "lags", "plays", "says", "meant"),
    [
        (-500_000, LAGS, None, "542 ms", "500 ms, by the device's clock, to the gateway's receipt, and 42"),
        (-1_960_000, LAGS, None, "2.0 s", "1.9 s, by the device's clock"),
        (-500_000, {}, None, "500 ms", "to the gateway's receipt; nothing was concluded"),
        (3 * SECOND, LAGS, None, "clock 3.0 s ahead", "took 42 ms to the console"),
        (-3_600 * SECOND, LAGS, None, "60 min", "60 min, by the device's clock"),
        (-500_000, LAGS, 10.0, "42 ms", "is not known of a recorded floor"),
    ],
    ids=["both ways", "seconds", "nothing concluded", "a clock ahead", "a clock an hour behind", "played"],
)
def test_the_health_says_how_long_it_took_from_the_felt_until_the_room_knew(
    path: Path,
    at: int,
    lags: dict[str, Lag],
    plays: float | None,
    says: str,
    meant: str,
) -> None:
    on = load_console(path, HOUSE, state="ok")
    on.live.play_speed = plays
    on.live.set_state("A", {"BAC-9": replace(STANDING, at=STANDING.received + at)}, lags)
    with open_console(path, on=on) as client:
        page = unescape(client.get("/health").text)
    ((title, text),) = re.findall(r'<span class="lag" title="([^"]*)">([^<]*)</span>', page)
    assert text == says
    assert meant in title


def test_only_what_can_be_put_right_and_nobody_has_is_urgent() -> None:
    told, everywhere = opened_at(
        [
            shown(alert("1", "A", severity="medium")),
            shown(alert("2", "A", severity="critical"), "this_shift"),
            shown(alert("3", "A", severity="critical"), state="open", owner="ines"),
            shown(alert("4", "A", severity="critical"), state="closed"),
            shown(alert("5", "A", weight="undetermined", severity="critical"), "nightly"),
            shown(alert("8", "A", severity="critical"), "nightly"),  # of the day before
            shown(alert("9", "A", severity="critical"), "nightly", state="open", owner="ines"),
            shown(alert("6", "B", weight="undetermined", severity="data"), "nightly"),
        ]
    )
    assert told["A"] == OpenAlerts({"critical": 2, "medium": 1}, 3, "medium", 1)
    assert told["B"] == OpenAlerts({}, 1, None, 0)
    assert everywhere == OpenAlerts({"critical": 2, "medium": 1}, 4, "medium", 1)


def test_what_is_urgent_stands_first_the_gravest_before_all() -> None:
    alerts = {
        "21-3": OpenAlerts({"high": 1}, urgent="high"),
        "BAC-10": OpenAlerts({"critical": 1}, urgent="critical"),
    }
    tiles = live_tiles(HOUSE.tables, {}, {}, alerts, NOW)
    assert [each.table for each in urgent_first(tiles)] == ["BAC-10", "21-3"]


def test_the_floor_counts_what_the_queues_count(tmp_path: Path) -> None:
    now, store = wall_clock(), Store(tmp_path / "store.duckdb")
    tables = {name: TableSetup(chapter="631a", sources={}) for name in ("BAC-1", "BAC-2")}
    found = [
        *(("BAC-1", build_finding(f"round{number}")) for number in range(3)),
        ("BAC-1", build_finding("grave", check="late_wager", severity="critical")),
        ("BAC-1", build_finding("muted", check="push_paid")),
        ("BAC-1", build_finding("later", check="stake_taken")),
        ("BAC-1", build_finding("closed", check="stake_taken")),
        ("BAC-1", build_finding("withdrawn", check="paid_loser")),
        *(("BAC-1", build_finding(f"u{n}", check="unread", weight="undetermined")) for n in range(2)),
        ("BAC-1", build_finding("here", check="coupon_paid")),
        ("BAC-2", build_finding("there", check="coupon_paid")),
        ("BAC-2", build_finding("small", net_cents=500)),
    ]
    rounds = [
        (Round(table=table, number=str(n), day=DAY, at=now), build_conclusion(str(n), each, table=table), 1)
        for n, (table, each) in enumerate(found)
    ]
    store.write(RUN, rounds)
    desk = open_commands(store, RoomSettings(act_within_minutes=7 * 24 * 60), tables, now, live=True)
    house = House(house="floor", tables=tables)
    on = OpenConsole(
        tmp_path / "store.duckdb", store, house, LiveFloor(store.reading(), house.zone, "ok"), desk
    )
    actions: list[dict[str, Any]] = [
        {"action": "acknowledge", "subject": "alert:grave"},
        {"action": "mute", "check": "push_paid", "minutes": 30, "reason": "known"},
        {"action": "snooze", "subject": "alert:later", "minutes": 30, "reason": "break"},
        {"action": "close", "subject": "alert:closed", "outcome": "explained", "reason": "seen"},
        {"action": "acknowledge", "subject": "alert:withdrawn"},
        {"action": "merge", "subject": "alert:here", "others": ["alert:there"]},
    ]
    with open_console(on.path, on=on) as client:
        for number, action in enumerate(actions):
            done = client.post("/api/actions", json={"id": f"{number:032x}", **action})
            assert done.status_code == 200, done.text
        seen, said, _ = rounds[7]
        desk.take_conclusions([build_arrival(replace(said, findings=()), seen, now, RUN.run)], now)
        floor, page = client.get("/api/floor").json(), client.get("/floor").text
        queued = {
            table: client.get(f"/api/queue?table={table}").json()["counts"]
            for table in ("", "BAC-1", "BAC-2")
        }
    counted = {"": floor["alerts"]} | {each["table"]: each["alerts"] for each in floor["tables"]}
    # At BAC-1 three rounds, what is muted and the case; at BAC-2 the case again and what is small.
    assert {table: each["mismatches"] for table, each in counted.items()} == {
        "": {"critical": 1, "high": 6},
        "BAC-1": {"critical": 1, "high": 5},
        "BAC-2": {"high": 2},
    }
    # Of BAC-1 the two that are undetermined, and what is withdrawn and not closed.
    assert {table: each["nightly"] for table, each in counted.items()} == {"": 3, "BAC-1": 3, "BAC-2": 0}
    for table, counts in queued.items():
        assert counts["nightly"] == counted[table]["nightly"]
        assert counts["act_now"] + counts["this_shift"] == sum(counted[table]["mismatches"].values())
    assert '<span class="tally-count quiet"><b>3</b> nightly</span>' in page
    assert page.count(" nightly</span>") == 2


# ── the page ─────────────────────────────────────────────────────────────────────────────────────────


def tiles_of(page: str) -> list[tuple[str, str, str]]:
    """Return each tile of a page: where it leads, its classes, its words."""
    found = re.findall(r'<a id="[^"]*" class="tile ([^"]*)" href="([^"]*)">(.*?)</a>', page, re.DOTALL)
    return [
        (href, classes, " ".join(re.sub(r"<[^>]*>", " ", inner).split())) for classes, href, inner in found
    ]


def test_a_recorded_floor_has_a_tile_a_table_with_its_last_round(path: Path) -> None:
    with open_console(path) as client:
        page = client.get("/floor").text
        told = client.get("/api/floor").json()
    tiles = tiles_of(page)
    assert [href for href, _, _ in tiles][:2] == ["/tables/BAC-101", "/tables/BAC-102"]
    assert all("recorded" in classes for _, classes, _ in tiles)
    assert "recorded, round 1" in tiles[1][2]
    assert "<script>alert" not in page, "the third table's name is an attack"
    assert (told["followed"], [each["state"] for each in told["tables"]]) == (False, ["recorded"] * 3)


def test_a_followed_floor_is_shown_by_pit_and_narrowed(path: Path) -> None:
    on = load_console(path, HOUSE, state="ok")
    stands(on.live)
    with open_console(path, on=on) as client:
        page = client.get("/floor").text
        tiles = tiles_of(page)
        named = ["21-3", "BAC-10", "BAC-9", "BAC~11"]
        assert [href for href, _, _ in tiles] == [f"/tables/{name}" for name in named]
        assert tiles[2][2].startswith("BAC-9 $0 Baccarat $25 to $5,000 dealer ·")
        assert " 20 min " in tiles[2][2]
        assert "chips C-9 silent since 2:59:30 PM" in tiles[2][2]
        assert page.index("Pit 1") < page.index("Pit 2")
        narrowed = {
            "pit=2": ["BAC-9"],
            "game=631a": ["BAC-9", "BAC-10"],
            "only=alerts": [],
            "pit=&game=&only=": ["21-3", "BAC-9", "BAC-10", "BAC/1"],
        }
        for query, expected in narrowed.items():
            told = client.get(f"/api/floor?{query}").json()
            assert [each["table"] for each in told["tables"]] == expected, query


def test_of_two_chapters_of_one_name_the_floor_s_filter_says_which_is_which(path: Path) -> None:
    setup = TableSetup(chapter="545", sources={}, pit="1")
    house = replace(HOUSE, tables={**HOUSE.tables, "OLD-1": setup})
    with open_console(path, on=load_console(path, house, state="ok")) as client:
        page = client.get("/floor?game=545").text
    assert '<option value="545" selected>Baccarat (545)</option>' in page
    assert '<option value="631a">Baccarat (631a)</option>' in page


def stands(live: LiveFloor) -> None:
    live.set_state("A", {"BAC-9": STANDING, "BAC/1": TableStatus()}, LAGS)


def test_a_floor_of_which_nothing_is_known_says_so(tmp_path: Path) -> None:
    empty = tmp_path / "store.duckdb"
    Store(empty).close()
    with open_console(empty) as client:
        assert "No table has reported anything yet." in client.get("/floor").text
        assert client.get("/api/floor").json()["tables"] == []


def test_who_may_not_see_gets_no_floor(path: Path) -> None:
    with open_console(path, "administrator") as client:
        assert client.get("/floor").status_code == client.get("/api/floor").status_code == 403


# ── the hour's play ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    opened = open_large_floor(tmp_path_factory.mktemp("large") / "store.duckdb")
    with open_console(opened.path, on=opened) as client:
        yield client


def play_of(client: TestClient[Litestar], table: str) -> Any:
    told = client.get("/api/floor").json()["tables"]
    return next(each for each in told if each["table"] == table)["play"]


def test_a_table_s_play_is_that_of_its_gaming_day(large: TestClient[Litestar]) -> None:
    play = play_of(large, "TOB-155")
    # 30 rounds with six wagers each; each of the last three has one that was settled wrong.
    assert (play["wagers"], play["mistakes"], play["last_mistake"]["check"]) == (180, 3, "paid_too_little")
    assert len(play["hour"]) == 12
    # The rounds of one minute in two, of an hour or a little more: at most the first span is left out.
    assert 162 <= sum(each["wagers"] for each in play["hour"]) <= 180
    assert sum(each["mistakes"] for each in play["hour"]) == 3
    calm = play_of(large, "BAC-102")
    assert (calm["wagers"], calm["mistakes"], calm["last_mistake"]) == (180, 0, None)


def test_a_floor_of_a_hundred_tables_is_coloured_by_errors_with_their_counts(
    large: TestClient[Litestar],
) -> None:
    tiles = {href: (classes, told) for href, classes, told in tiles_of(large.get("/floor?by=errors").text)}
    assert len(tiles) == 100
    classes, told = tiles["/tables/BAC-101"]
    assert "step-4" in classes.split()
    # Two of 180 are 11.1 in a thousand.
    assert told.startswith("BAC-101 11.1 Baccarat $25 to $5,000 dealer ·")
    assert "2 of 180 wagers" in told
    assert "paid too much" in told
    assert "2 overdue" in told


def test_a_withheld_round_is_in_no_figure_of_its_table(large: TestClient[Litestar]) -> None:
    entry = large.app.plugins.get(Access).auth
    Embargoes(entry.file).place("alert:BAC-101-30", "supervisor", "an inquiry", by="director")
    try:
        play = play_of(large, "BAC-101")
        page = large.get("/floor").text
    finally:
        placed, *_ = entry.embargoes.seen_by("director")
        entry.embargoes.lift(placed.id, by="director")
    # Of its two mistakes the latest, $298.00 overpaid, is gone with its six wagers.
    assert (play["wagers"], play["mistakes"], play["last_mistake"]["check"]) == (174, 1, "paid_too_little")
    tiles = {href: told for href, _, told in tiles_of(page)}
    assert tiles["/tables/BAC-101"].startswith("BAC-101 $2,319 ")
