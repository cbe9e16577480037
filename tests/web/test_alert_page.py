"""The page of an alert, a table's last rounds, and what a person types to find them."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec.structs import replace

from projections.casework.table_status import TableStatus
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.engine.games import games
from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.web.auth.accounts import Accounts
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from projections.web.bootstrap import ConsoleSettings, load_console
from projections.web.records.store_queries import Reader
from schemas.cameras import Cameras
from schemas.values import microseconds
from tests.builders.consoles import PASSWORD, open_console
from tests.builders.round_records import BANKER, PLAYER, build_record, finding_ids
from tests.builders.stores import EVENING, RUN, judge_record, store_records
from tests.builders.texts import verbatim_fact

# The Banker's Hand won $37.00, of which 5% is $1.85; $2.00 was taken. Anna's $10.00 lost and was collected.
TAKEN = build_record(
    BANKER,
    shoe="4",
    dealer="D-9",
    announced="banker",
    wagers=[
        {"seat": 1, "wager": "banker", "cents": 3700},
        {
            "seat": 2,
            "bettor": "anna",
            "wager": "player",
            "cents": 1000,
            "coupon_cents": 500,
            "coupon": "MP-7",
        },
    ],
    paid=[
        {"seat": 1, "wager": "banker", "cents": 3700, "vigorish_cents": 285},
        {"seat": 2, "bettor": "anna", "wager": "player", "cents": -1000},
    ],
)
VIGORISH = finding_ids(TAKEN)["vigorish_wrong"]
SAID = (
    "Player&#39;s Hand 6, Banker&#39;s Hand 7, result banker; seat 1 banker $37.00 "
    "was paid $34.15, $35.15 is owed after vigorish; 1 other wager settled as owed."
)


def later(minutes: int, **more: Any) -> dict[str, Any]:
    """Write the round so many minutes after round 41, by its number after it."""
    at = f"2025-01-02T01:{15 + minutes}:00Z"
    return build_record(
        PLAYER, announced="player", **({"round": str(41 + minutes), "shoe": "4", "at": at} | more)
    )


def test_an_alert_shows_the_hand_the_money_the_rule_and_what_would_make_it_wrong(tmp_path: Path) -> None:
    with open_console(store_records(tmp_path / "s.duckdb", TAKEN)) as client:
        page = client.get(f"/alerts/{VIGORISH}")
        assert page.status_code == 200
        for said in (
            "Vigorish wrong",
            "$37.00 on banker",
            "coupon $5.00",
            "7 of diamonds",
            "631a.13(c)",
            "vigorish 5% of $37.00 won",
            "Owed to patron $1.00",
            "Round 41 at BAC-7, 8:15 PM. <b>Seat 1: pay $1.</b>",
            "in force as adopted, since 2014-02-01",
            "01/01/2025 8:15:00 PM EST",
            "On the layout, as far as is known",
            SAID,
        ):
            assert said in page.text
        told = client.get(f"/api/alerts/{VIGORISH}").json()
    # $2.85 was taken where $1.85 is due.
    finding = told["finding"]
    assert (finding["expected_cents"], finding["observed_cents"], finding["favours"]) == (185, 285, "house")
    assert told["false_positives"]
    assert told["rules"][0]["provision"] == "631a.13(c)"
    assert told["command"] == (
        "discardrack timeline 'the archive' --gaming-day 2025-01-01 --table BAC-7 --round 41 --events"
    )
    assert told["footage"]["start"] == "2025-01-02T01:14:30Z"


def test_names_are_masked_on_every_page_and_looking_is_logged(tmp_path: Path) -> None:
    with open_console(store_records(tmp_path / "s.duckdb", TAKEN)) as client:
        for path in (f"/alerts/{VIGORISH}", "/tables/BAC-7", "/rounds/2025-01-01/BAC-7/41"):
            for prefix in ("", "/api"):
                known = {"/api/tables/BAC-7": "/api/tables/BAC-7/rounds"}
                answer = client.get(known.get(prefix + path, prefix + path))
                assert answer.status_code == 200
                assert "anna" not in answer.text
                assert "D-9" not in answer.text
        log = client.get("/api/audit").text
    assert f"alert:{VIGORISH}" in log
    assert "round:2025-01-01|BAC-7|41" in log


def test_there_is_no_alert_of_another_name(tmp_path: Path) -> None:
    with open_console(store_records(tmp_path / "s.duckdb", TAKEN)) as client:
        assert client.get("/alerts/none").status_code == 404
        assert client.get("/api/alerts/none").json() == {"error": "There is no alert none in this store."}
        assert client.get("/tables/none").status_code == 404
        assert client.get("/api/tables/none/rounds").status_code == 404


def test_the_runs_of_the_store_are_read_once_for_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Reader] = []
    read = Reader.runs

    def counted(reader: Reader) -> list[Run]:
        asked.append(reader)
        return read(reader)

    monkeypatch.setattr(Reader, "runs", counted)
    with open_console(store_records(tmp_path / "s.duckdb", TAKEN)) as client:
        for path in (f"/alerts/{VIGORISH}", f"/api/alerts/{VIGORISH}"):
            asked.clear()
            assert client.get(path).status_code == 200
            assert len(asked) == 1


def where(client: TestClient[Litestar]) -> tuple[str, str]:
    told = client.get(f"/api/alerts/{VIGORISH}").json()["where"]
    return told["lies"], told["says"]


def test_where_the_hand_is_follows_from_what_came_after_it(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", TAKEN)
    with open_console(path) as client:
        assert where(client)[0] == "layout"
    store_records(path, later(2))
    with open_console(path) as client:
        assert where(client) == (
            "discarded",
            "In the discard bucket (631a.12(c)): another round was opened at 8:17:00 PM.",
        )
    store_records(path, later(9, shoe="5"))
    with open_console(path) as client:
        assert where(client) == ("over", "Shoe 4 is over: its cards are out of play.")


def at(clock: str) -> int:
    """Return a time of the morning of 2 January, in UTC."""
    return microseconds(datetime.fromisoformat(f"2025-01-02T{clock}:00Z"))


@pytest.mark.parametrize(
    ("standing", "lies"),
    [
        (
            TableStatus(round="42", opened=microseconds(datetime.fromisoformat("2025-01-02T01:16:00Z"))),
            "discarded",
        ),
        (
            TableStatus(round="41", opened=microseconds(datetime.fromisoformat("2025-01-02T01:15:00Z"))),
            "layout",
        ),
        (TableStatus(shoe="5", loaded=microseconds(datetime.fromisoformat("2025-01-02T01:20:00Z"))), "over"),
        (
            TableStatus(shoe="4", loaded=microseconds(datetime.fromisoformat("2025-01-02T00:20:00Z"))),
            "layout",
        ),
        (
            TableStatus(open=False, since=microseconds(datetime.fromisoformat("2025-01-02T01:20:00Z"))),
            "gathered",
        ),
    ],
)
def test_where_the_hand_is_follows_from_how_a_live_table_stands(
    tmp_path: Path, standing: TableStatus, lies: str
) -> None:
    path = store_records(tmp_path / "s.duckdb", TAKEN)
    on = load_console(path)
    on.live.tables["BAC-7"] = standing
    with open_console(path, on=on) as client:
        assert where(client)[0] == lies


def test_a_minibaccarat_table_has_a_discard_rack(tmp_path: Path) -> None:
    """541.12(c); 631a.12(c) has a bucket."""
    hand = build_record(
        BANKER, chapter="541", gaming_date="2010-11-06", at="2010-11-06T18:00:00Z", announced="tie"
    )
    after = {**hand, "round": "42", "at": "2010-11-06T18:05:00Z"}
    with open_console(store_records(tmp_path / "s.duckdb", hand, after)) as client:
        told = client.get(f"/api/alerts/{finding_ids(hand)['announced_wrong']}").json()
    said = "In the discard rack (541.12(c)): another round was opened at 2:05:00 PM."
    assert told["where"] == {"lies": "discarded", "says": said}


def test_each_table_has_the_rack_or_the_bucket_of_its_own_text() -> None:
    """Each by the clause on the end of a round; 627a and 629a, as printed, leave theirs to 541 and 543."""
    put = {chapter: game.discards for chapter, game in games().items()}
    assert {chapter: (each.called, each.cite) for chapter, each in put.items() if each is not None} == {
        "541": ("discard rack", "541.12(c)"),
        "543": ("discard bucket", "543.12(c)"),
        "545": ("discard bucket", "545.12(c)"),
        "551": ("discard rack", "551.8(i)"),
        "627a": ("discard rack", "541.12(c)"),
        "629a": ("discard bucket", "543.12(c)"),
        "631a": ("discard bucket", "631a.12(c)"),
        "681a": ("discard rack", "681a.7(l)"),
        "685a": ("discard rack", "685a.7(s)"),
    }


def test_dice_lie_in_no_rack(tmp_path: Path) -> None:
    thrown = build_record(
        [["shooter", "seat7"], ["dice", "1-1"], ["dealer", "mark 2"], ["dice", "6-1"], ["dealer", "clear"]],
        chapter="623a",
        wagers=[{"seat": 4, "wager": "all_tall", "cents": 500}],
        paid=[],
    )
    after = {**thrown, "round": "42", "at": "2025-01-02T01:20:00Z"}
    (name,) = finding_ids(thrown).values()
    with open_console(store_records(tmp_path / "s.duckdb", thrown, after)) as client:
        told = client.get(f"/api/alerts/{name}").json()
    assert told["where"] == {"lies": "gathered", "says": "Gathered: another round was opened at 8:20:00 PM."}


def test_the_rounds_around_it_stand_in_their_order(tmp_path: Path) -> None:
    before = [build_record(PLAYER, round=str(30 + n), at=f"2025-01-02T01:0{n}:00Z") for n in range(5)]
    after = [later(n) for n in range(1, 6)]
    with open_console(store_records(tmp_path / "s.duckdb", TAKEN, *before, *after)) as client:
        told = client.get(f"/api/alerts/{VIGORISH}").json()
    assert [each["round"] for each in told["before"]] == ["32", "33", "34"]
    assert [each["round"] for each in told["after"]] == ["42", "43", "44"]


def test_footage_is_linked_by_the_file_of_cameras(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", TAKEN, later(1))
    cameras = Cameras("https://nvr/{camera}?t={start}", {"BAC-7": ["PTZ 7"]}, clock_offset_ms=500)
    on = load_console(path, settings=ConsoleSettings(cameras=cameras))
    with open_console(path, on=on) as client:
        page = client.get(f"/alerts/{VIGORISH}").text
        told = client.get(f"/api/alerts/{VIGORISH}").json()["footage"]
    # 20:15:00 less 30 s, and the recorder is half a second ahead; the next round was opened at 20:16:00.
    assert told == {
        "start": "2025-01-02T01:14:30.500000Z",
        "end": "2025-01-02T01:16:30.500000Z",
        "cameras": [{"camera": "PTZ 7", "link": "https://nvr/PTZ%207?t=2025-01-02T01%3A14%3A30.500Z"}],
        "measured_for": None,
    }
    assert 'href="https://nvr/PTZ%207?t=2025-01-02T01%3A14%3A30.500Z"' in page
    (footage,) = re.findall(r'<p class="footage">(.*?)</p>', page, re.DOTALL)
    text = " ".join(re.sub(r"<[^>]*>", "", footage).split())
    assert text == "01/01/2025 8:14:30 PM EST to 8:16:30 PM by the recorder's clock PTZ 7"


def test_an_alert_that_was_withdrawn_still_opens_and_says_so(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", TAKEN)
    paid = [{"seat": 1, "wager": "banker", "cents": 3700, "vigorish_cents": 185}, *TAKEN["paid"][1:]]
    seen, concluded, _ = judge_record({**TAKEN, "paid": paid})
    with Store(path) as store:
        store.write(RUN, [(seen, concluded, 2)])
    with open_console(path) as client:
        assert client.get(f"/api/alerts/{VIGORISH}").json()["withdrawn_in"] == 2
        assert "Withdrawn in revision 2" in client.get(f"/alerts/{VIGORISH}").text


def test_the_newest_of_several_runs_is_shown_unless_one_is_asked_for(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", TAKEN)
    newer = Run("second", datetime.fromisoformat("2025-02-01T11:00:00Z"), "1.1", "elsewhere")
    with Store(path) as store:
        store.write(newer, [judge_record(TAKEN)])
    with open_console(path) as client:
        assert client.get(f"/api/alerts/{VIGORISH}").json()["record"]["run"] == "second"
        assert client.get(f"/api/alerts/{VIGORISH}?run=first").json()["record"]["run"] == "first"
        assert client.get(f"/alerts/{VIGORISH}?run=none").status_code == 404


EVIL = '<script>alert("1")</script>\'"><img src=x>/ ?#'


def test_what_devices_and_people_wrote_stays_text(tmp_path: Path) -> None:
    found = Finding(
        id=EVIL, check=EVIL, weight="mismatch", severity="high", message=verbatim_fact(EVIL), status=EVIL,
        device=EVIL,
        citations=("631a.13(c)",), bettor=EVIL, seat=1, wager=EVIL, serial=EVIL,
    )  # fmt: skip
    wrong = Conclusion(
        table=EVIL, round=EVIL, gaming_date=EVENING, chapter="631a", verdict="mismatch", outcome=EVIL,
        expected=(), findings=(found,), notes=(),
    )  # fmt: skip
    seen, _, _ = judge_record({**TAKEN, "table": EVIL, "round": EVIL, "shoe": EVIL, "dealer": EVIL})
    path = tmp_path / "s.duckdb"
    with Store(path) as store:
        store.write(RUN, [(seen, wrong, 1)])
    with open_console(path) as client:
        # A slash in a segment of a path is written ~1.
        name = EVIL.replace("/", "~1")
        paths = [("/tables/", name), ("/find?q=", EVIL), ("/find?q=", f"{EVIL} 20:15")]
        for path_, typed in paths:
            page = client.get(path_ + quote(typed, safe=""))
            assert page.status_code == 200, page.text
            assert "<script>alert" not in page.text
            assert "<img" not in page.text


def test_what_is_withheld_from_a_person_is_gone_from_every_page(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", TAKEN, later(1))
    with open_console(path) as client:
        file = AccountsFile(accounts_of(path))
        Accounts(file).add("director", "Director", "director", PASSWORD, by="test")
        Embargoes(file).place("round:2025-01-01|BAC-7|41", "supervisor", "a relation", by="director")
        file.close()
        for gone in (f"/alerts/{VIGORISH}", f"/api/alerts/{VIGORISH}", "/rounds/2025-01-01/BAC-7/41"):
            assert client.get(gone).status_code == 404
        rounds = client.get("/api/tables/BAC-7/rounds").json()["rounds"]
        assert [each["round"] for each in rounds] == ["42"]
        for typed in (VIGORISH, "BAC-7 41", "MP-7"):
            assert client.get("/api/find", params={"q": typed}).json()["hits"] == []


@pytest.mark.parametrize(
    ("play", "counted"),
    [
        # 8 and a ten is a Natural, and the Player's Hand got a 4 all the same (631a.11(a)).
        ([["player", "8c"], ["banker", "7d"], ["player", "Kc"], ["banker", "Kd"], ["player", "4s"]], True),
        # Nothing was drawn wrongly; the 25.00 lost are paid.
        ([["player", "9c"], ["banker", "7d"], ["player", "Kc"], ["banker", "Kd"]], False),
    ],
    ids=["drawn wrongly", "paid wrongly"],
)
def test_that_all_cards_are_counted_is_said_only_where_one_may_have_been_disregarded(
    tmp_path: Path, play: list[list[str]], *, counted: bool
) -> None:
    told = build_record(
        play,
        announced="player",
        options={"tie_odds": "9 to 1"},  # which no house file tells
        wagers=[{"seat": 1, "wager": "banker", "cents": 2500}],
        paid=[{"seat": 1, "wager": "banker", "cents": 2500, "vigorish_cents": 0}],
    )
    seen, conclusion, revision = judge_record(told)
    assert isinstance(seen, Round)
    # As a worker of before hands were stored sent it.
    with Store(tmp_path / "s.duckdb") as store:
        store.write(RUN, [(replace(seen, laid=None), conclusion, revision)])
    with open_console(tmp_path / "s.duckdb") as client:
        page = client.get("/rounds/2025-01-01/BAC-7/41").text
    assert ("counts all cards that were seen" in page) == counted
