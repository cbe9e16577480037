"""A table's last rounds, one key a round, and what a person types to go somewhere."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.casework.table_status import TableStatus
from projections.engine.conclusion import Conclusion, Line
from projections.store.store import Store
from projections.web.bootstrap import load_console as opened_on
from projections.web.pages.search import SearchTerms, read
from schemas.house import House
from schemas.values import microseconds
from tests.builders.alerts import TABLES
from tests.builders.consoles import add_account, log_in, open_console
from tests.builders.round_records import DISPUTED, PLAYER, build_record, finding_ids
from tests.builders.stores import EVENING, RUN, store_records

VIGORISH = finding_ids(DISPUTED)["vigorish_rounding_wrong"]  # of round 41 at BAC-7, opened at 20:15:00


def played(table: str, number: str, at: str, **more: Any) -> dict[str, Any]:
    return build_record(PLAYER, announced="player", **({"table": table, "round": number, "at": at} | more))


COUPON = [{"seat": 1, "wager": "player", "cents": 1000, "coupon_cents": 500, "coupon": "MP100-7"}]
ROUNDS = [
    DISPUTED,
    *(played("BAC-7", str(n), f"2025-01-02T01:{n - 30}:30Z") for n in range(46, 58)),
    played("BAC-8", "41", "2025-01-02T01:14:00Z", wagers=COUPON),
    # In the night in which clocks are put back 01:30 comes twice: 05:30 and 06:30 UTC.
    played("BAC 9/1", "7", "2024-11-03T05:30:00Z"),
    played("BAC 9/1", "8", "2024-11-03T06:30:00Z"),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    path = store_records(tmp_path_factory.mktemp("find") / "s.duckdb", *ROUNDS)
    slips = Conclusion(
        table="cage", account="slips", gaming_date=EVENING, chapter="465a", verdict="clean", outcome=None,
        expected=(), findings=(), notes=(),
        lines=(Line(name="fill", of="F-7", cents=100), Line(name="cashed_out", of="anna", cents=100)),
    )  # fmt: skip
    with Store(path) as store:
        store.write(RUN, [(None, slips, 1)])
    with open_console(path) as opened:
        yield opened


def hits(client: TestClient[Litestar], typed: str) -> list[str]:
    found = client.get("/api/find", params={"q": typed})
    assert found.status_code == 200
    return [hit["path"] for hit in found.json()["hits"]]


def test_a_tag_finds_its_alerts_whatever_its_case(client: TestClient[Litestar]) -> None:
    assert hits(client, "seat 3 Again") == []
    for number, off in ((1, False), (2, True)):
        told = {"id": f"{number:032x}", "subject": f"alert:{VIGORISH}", "action": "tag", "off": off}
        answer = client.post("/api/actions", json=told | {"word": "Seat 3 again"})
        assert answer.status_code == 200, answer.text
        assert hits(client, "seat 3 Again") == ([] if off else [f"/alerts/{VIGORISH}"])
    assert hits(client, "seat 3") == []


@pytest.mark.parametrize(
    ("typed", "paths"),
    [
        ("BAC-7", ["/tables/BAC-7"]),
        ("  bac-7 ", ["/tables/BAC-7"]),
        ("BAC-7 2025-01-01", ["/tables/BAC-7/2025-01-01"]),
        ("BAC-7 41", ["/rounds/2025-01-01/BAC-7/41"]),
        ("BAC-7 2025-01-01 41", ["/rounds/2025-01-01/BAC-7/41"]),
        ("BAC-7 2025-01-02 41", []),
        ("41", ["/rounds/2025-01-01/BAC-7/41", "/rounds/2025-01-01/BAC-8/41"]),
        # Round 41 was opened at 20:15:00 and 46 at 20:16:30: in the minute of 20:16 both were open.
        ("BAC-7 20:16", ["/rounds/2025-01-01/BAC-7/41", "/rounds/2025-01-01/BAC-7/46"]),
        ("BAC-7 20:16:00", ["/rounds/2025-01-01/BAC-7/41"]),
        ("BAC-7 20:16:29", ["/rounds/2025-01-01/BAC-7/41"]),
        ("BAC-7 20:16:30", ["/rounds/2025-01-01/BAC-7/46"]),
        ("BAC-7 2025-01-01 20:15", ["/rounds/2025-01-01/BAC-7/41"]),
        # The newest was opened at 20:27:30: 20:37 is the round of today, 20:40 has not been yet.
        ("BAC-7 20:37", ["/rounds/2025-01-01/BAC-7/57"]),
        ("BAC-7 20:40", []),
        ("2025-01-01 20:15", ["/rounds/2025-01-01/BAC-7/41", "/rounds/2025-01-01/BAC-8/41"]),
        ("bac 9/1 7", ["/rounds/2024-11-02/BAC%209~11/7"]),
        ("BAC 9/1 2024-11-03 1:30", ["/rounds/2024-11-02/BAC%209~11/7", "/rounds/2024-11-02/BAC%209~11/8"]),
        (VIGORISH, [f"/alerts/{VIGORISH}"]),
        ("MP100-7", ["/rounds/2025-01-01/BAC-8/41"]),
        ("F-7", ["/accounts/2025-01-01/cage/slips"]),
        ("anna", []),
        # The order does not matter, nor do hyphens; 20:15 is a quarter past eight in the evening.
        ("2025-01-01 BAC-7 20:15", ["/rounds/2025-01-01/BAC-7/41"]),
        ("20:15 bac7 2025-01-01", ["/rounds/2025-01-01/BAC-7/41"]),
        ("BAC-7 8:15 pm", ["/rounds/2025-01-01/BAC-7/41"]),
        ("BAC-7 8:15PM 2025-01-01", ["/rounds/2025-01-01/BAC-7/41"]),
        ("BAC-7 8:15 am", []),
        ("vigorish rounding", [f"/alerts/{VIGORISH}"]),
        ("vig rounding wrong bac7", [f"/alerts/{VIGORISH}"]),
        ("vigorish rounding BAC-8", []),
        ("vigorish rounding 2025-01-01 20:15", ["/rounds/2025-01-01/BAC-7/41"]),
        ("vigorish rounding 2025-01-01 20:27", []),
        ("seat 7", []),
        ("BAC-7 2025-02-30", []),
        ("one two three", []),
        ("' OR 1=1 --", []),
        ("", []),
    ],
)
def test_what_is_typed_is_found(client: TestClient[Litestar], typed: str, paths: list[str]) -> None:
    assert hits(client, typed) == paths


def test_a_seat_finds_the_alerts_there_the_verdict_and_what_is_open(client: TestClient[Litestar]) -> None:
    # The one round with a mismatch is 41 at BAC-7, with its wagers at the seats that it names.
    stored = client.get("/api/alerts").json()["findings"]
    at_seat = {each["id"] for each in stored if each.get("seat") == 1}
    assert VIGORISH in at_seat
    found = client.get("/api/find", params={"q": "seat 1"}).json()["hits"]
    assert {hit["path"].rpartition("/")[2] for hit in found} <= at_seat
    assert {hit["verdict"] for hit in found} == {"mismatch"}
    (round_41,) = client.get("/api/find", params={"q": "BAC-7 41"}).json()["hits"]
    assert round_41["verdict"] == "mismatch"
    assert {hit["sums"] for hit in found} == {round_41["sums"]}
    (clean,) = client.get("/api/find", params={"q": "BAC-7 57"}).json()["hits"]
    assert (clean["verdict"], clean["sums"]) == ("clean", "")


def test_a_masked_dealer_finds_the_alerts_of_that_dealer(client: TestClient[Litestar]) -> None:
    page = client.get(f"/alerts/{VIGORISH}").text
    (mask,) = set(re.findall(r"dealt by (?:dealer )?(·[0-9a-f]+)", page))
    assert f"/alerts/{VIGORISH}" in hits(client, mask)
    assert hits(client, "·000000") == []


def called(client: TestClient[Litestar], typed: str) -> list[tuple[str, str | None]]:
    found = client.get("/api/find", params={"q": typed}).json()["hits"]
    return [(hit["called"], hit["but"]) for hit in found]


def test_of_an_hour_that_comes_twice_each_time_is_named(client: TestClient[Litestar]) -> None:
    seven, eight = "BAC 9/1, round 7, 11/03/2024 1:30 AM EDT", "BAC 9/1, round 8, 11/03/2024 1:30 AM EST"
    over = "the last before 1:40:00 AM {}; no round is known to have been open then"
    assert called(client, "BAC 9/1 2024-11-03 1:30") == [(seven, None), (eight, None)]
    assert called(client, "BAC 9/1 1:40") == [(seven, over.format("EDT")), (eight, over.format("EST"))]
    page = client.get("/find", params={"q": "BAC 9/1 1:30"}).text
    assert seven in page
    assert eight in page
    said = client.get("/tables/BAC 9~11").text
    assert "Round 7 at BAC 9/1, 1:30 AM EDT: " in said
    assert "Round 8 at BAC 9/1, 1:30 AM EST: " in said


def test_an_hour_that_has_not_come_again_yet_is_not_looked_for(tmp_path: Path) -> None:
    # Typed at 01:35 of the first time, 01:30 is five minutes ago and not fifty-five ahead.
    path = store_records(tmp_path / "s.duckdb", played("BAC 9/1", "7", "2024-11-03T05:30:00Z"))
    with open_console(path) as client:
        assert called(client, "BAC 9/1 1:30") == [("BAC 9/1, round 7, 11/03/2024 1:30 AM EDT", None)]


def test_a_dispute_is_found_by_the_first_digits_of_its_name_unless_it_is_withheld(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", DISPUTED)
    about = {"table": "BAC-7", "gaming_date": "2025-01-01", "rounds": ["41"], "claim": "it was not paid"}
    told = {"id": "ca5b18" + "0" * 26, "action": "dispute-open", "about": about, "call": {"called": 1}}
    with open_console(path, "supervisor") as client:
        assert client.post("/api/actions", json=told).status_code == 200
        for typed in ("ca5b18", "CA5B", "ca5b1"):
            assert hits(client, typed) == ["/disputes/ca5b18"]
        assert [hits(client, typed) for typed in ("ca5", "a5b18", "ca5b187")] == [[], [], []]
        gone = client.get("/find", params={"q": "ca5b18"}, follow_redirects=False)
        assert (gone.status_code, gone.headers["location"]) == (303, "/disputes/ca5b18")
        add_account(path, "director", "director")
        placed = {"subject": "dispute:ca5b18", "whom": "director", "reason": "it is about her"}
        assert client.post("/embargoes", data=placed).status_code < 400
        client.cookies.clear()
        client.headers.pop("X-CSRF-Token")
        log_in(client, "director")
        assert hits(client, "ca5b18") == []


def test_one_hit_is_gone_to_several_are_listed_and_none_says_what_can_be_typed(
    client: TestClient[Litestar],
) -> None:
    gone = client.get("/find", params={"q": "BAC-7 41"}, follow_redirects=False)
    assert (gone.status_code, gone.headers["location"]) == (303, "/rounds/2025-01-01/BAC-7/41")
    several = client.get("/find", params={"q": "41"})
    assert "2 found" in several.text
    assert 'href="/rounds/2025-01-01/BAC-8/41"' in several.text
    none = client.get("/find", params={"q": "nowhere"})
    assert "Nothing found for nowhere" in none.text
    assert "the round open there" in none.text


WHY_NOT: Final = "cannot tell whether a table was closed then"


def test_a_round_that_was_over_is_not_gone_to_and_said_to_be_the_last_before(
    client: TestClient[Litestar],
) -> None:
    # Round 41 at BAC-8 was opened at 20:14:00 and no other after it; a round counts as five minutes long.
    for typed, status in (("BAC-8 20:18:59", 303), ("BAC-8 20:19", 200)):
        assert client.get("/find", params={"q": typed}, follow_redirects=False).status_code == status
    page = client.get("/find", params={"q": "BAC-8 20:19"}).text
    assert '<a href="/rounds/2025-01-01/BAC-8/41">BAC-8, round 41, 01/01/2025 8:14 PM</a>' in page
    assert "the last before 8:19:00 PM; no round is known to have been open then" in page
    assert WHY_NOT in page, "a recorded store does not know of closed tables"
    assert WHY_NOT not in client.get("/find", params={"q": "41"}).text
    several = client.get("/api/find", params={"q": "2025-01-01 20:27:40"}).json()["hits"]
    assert [(hit["path"][-8:], hit["but"] is None) for hit in several] == [
        ("BAC-7/57", True),
        ("BAC-8/41", False),
    ]


@pytest.mark.parametrize(("since", "closed"), [("01:16:00", True), ("01:20:00", False), ("01:10:00", False)])
def test_that_the_table_was_closed_is_said_where_it_is_known(
    tmp_path: Path, since: str, *, closed: bool
) -> None:
    path = store_records(tmp_path / "s.duckdb", played("BAC-8", "41", "2025-01-02T01:14:00Z"))
    on = opened_on(path)
    on.live.tables["BAC-8"] = TableStatus(
        open=False, since=microseconds(datetime.fromisoformat(f"2025-01-02T{since}Z"))
    )
    with open_console(path, on=on) as client:
        (hit,) = client.get("/api/find", params={"q": "BAC-8 20:19"}).json()["hits"]
        assert WHY_NOT not in client.get("/find", params={"q": "BAC-8 20:19"}).text
    assert hit["but"].startswith("the last before 8:19:00 PM; ")
    assert hit["but"].endswith("the table was closed") == closed


def test_the_longest_name_of_a_table_is_meant() -> None:
    assert read("BAC 1 2", ["BAC", "BAC 1"]) == SearchTerms("BAC 1", word="2")
    assert read("BAC-10 2", ["BAC-1"]) is None


def test_a_table_s_last_ten_rounds_have_a_key_each(client: TestClient[Litestar]) -> None:
    told = client.get("/api/tables/BAC-7/rounds").json()
    assert [(each["key"], each["round"]) for each in told["rounds"]] == list(
        zip("1234567890", ["57", "56", "55", "54", "53", "52", "51", "50", "49", "48"], strict=True)
    )
    assert told["rounds"][0]["says"] == (
        "Round 57 at BAC-7, 8:27 PM: Player's Hand 7, Banker's Hand 6, result player; no wager seen."
    )
    # Footage of 56 ends 30 s after 57 was opened, at 20:27:30.
    assert told["rounds"][1]["footage"]["end"] == "2025-01-02T01:28:00Z"
    page = client.get("/tables/BAC-7").text
    assert '<li id="r-2025-01-01-57" data-key="1" class="clean">' in page
    assert "before=2025-01-02T01%3A18%3A30" in page


def test_earlier_rounds_follow(client: TestClient[Litestar]) -> None:
    told = client.get("/api/tables/BAC-7/rounds", params={"before": "2025-01-02T01:18:30+00:00"}).json()
    assert [each["round"] for each in told["rounds"]] == ["47", "46", "41"]
    assert told["rounds"][2]["verdict"] == "mismatch"
    assert VIGORISH in told["rounds"][2]["findings"]
    assert told["earlier"] is None


def test_a_table_with_a_slash_and_a_blank_in_its_name_has_its_page(client: TestClient[Litestar]) -> None:
    assert "<h1>BAC 9/1</h1>" in client.get("/tables/BAC%209~11").text


def test_a_table_of_which_no_round_is_concluded_yet_says_so(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", played("BAC-8", "41", "2025-01-02T01:14:00Z"))
    on = opened_on(path)
    on.live.tables["BAC-9"] = TableStatus(open=True)
    with open_console(path, on=on) as client:
        page = client.get("/tables/BAC-9")
        assert page.status_code == 200
        assert "No round of this table has been judged yet." in page.text
        assert "The day at this table" not in page.text
        assert client.get("/api/tables/BAC-9/rounds").json()["rounds"] == []
        assert "has been judged yet" not in client.get("/tables/BAC-8").text
        assert client.get("/tables/BAC-10").status_code == 404


def test_a_table_of_the_house_says_so_too_where_nothing_was_concluded_at_all(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    Store(path).close()
    with open_console(path, on=opened_on(path, House(house="here", tables=TABLES))) as client:
        page = client.get("/tables/BAC-1")
        assert page.status_code == 200
        assert "No round of this table has been judged yet." in page.text
        assert client.get("/api/tables/BAC-1/rounds").json()["run"] is None
