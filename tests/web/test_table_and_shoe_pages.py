"""A table's day and a shoe's cards: what the pages say of them, and what they keep back."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from projections.store.store import Store
from projections.web.pages.day_drawing import WIDE, drawn_day
from projections.web.pages.day_shoes import RoundOfDay, ShoeOfDay
from projections.web.pages.table_day_view import TableDay, table_day
from projections.web.records.store_queries import Reader
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.alerts import DAY
from tests.builders.audited_floor import audit_floor as audited
from tests.builders.consoles import open_console
from tests.builders.shoe_rounds import EIGHT_PM, MINUTE, RUN, build_round, write_shoes


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_shoes(tmp_path_factory.mktemp("shoes") / "store.duckdb")


def read(path: Path) -> TableDay:
    with Store(path) as store:
        found = table_day(Reader(store.reading()), "first", "BAC/1", DAY)
    assert found is not None
    return found


def test_a_day_has_its_rounds_by_shoe_with_what_holds_now(path: Path) -> None:
    day = read(path)
    told = [
        (shoe.shoe, [(each.round, each.verdict, each.won_cents, len(each.findings)) for each in shoe.rounds])
        for shoe in day.shoes
    ]
    # Won by the house: 125 - 2,500; 10,000; 50 - 1,000. In revision 2 round 10 is clean and round 20 is not.
    assert told == [
        ("A", [("0", "clean", -2375, 0), ("10", "clean", 10_000, 0)]),
        ("B", [("20", "mismatch", -950, 1)]),
    ]
    assert [(each.account, [line.name for line in each.lines]) for each in day.accounts] == [
        ("inventory", ["opener", "fill"])
    ]
    assert [shoe.won_cents for shoe in day.shoes] == [7625, -950]


def test_a_day_is_drawn_to_scale(path: Path) -> None:
    picture = drawn_day(read(path), [("C-1", EIGHT_PM + 15 * MINUTE), ("C-2", EIGHT_PM - MINUTE)])
    assert picture is not None
    assert [tick.x for tick in picture.ticks] == [0, WIDE // 2, WIDE]
    assert [(tick.round.round, tick.severity) for tick in picture.ticks if tick.severity] == [("20", "high")]
    assert [(band.title, band.left, band.wide) for band in picture.bands] == [
        ("Shoe A", 0, 600),
        ("Shoe B", 1200, 2),
    ]
    assert [(each.x, each.device) for each in picture.silences] == [(900, "C-1")]
    assert [hour.at for hour in picture.hours] == [EIGHT_PM]
    # Beyond the opener -2,375, then 7,625, then 6,675 cents: of a span of 15,000 drawn 100 high, from 266 up.
    axis = [(266, 995_000), (233, 1_000_000), (200, 1_005_000), (166, 1_010_000)]
    assert [(each.y, each.cents) for each in picture.levels] == axis
    assert picture.line == "0,233 0,249 600,249 600,182 1200,182 1200,189"


def test_a_day_of_rounds_without_times_is_listed_and_not_drawn() -> None:
    none = RoundOfDay("k", "1", None, "undetermined", None, None, [])
    assert drawn_day(TableDay("r", "T", DAY, "631a", [ShoeOfDay("A", [none], [])], []), []) is None


def test_the_page_of_a_day_says_what_its_picture_shows(path: Path) -> None:
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
        told = client.get("/api/tables/BAC~11/2025-03-01").json()
        assert client.get("/tables/BAC~11/2025-03-02").status_code == 404
    assert ". House won $76.25 on this shoe</summary>" in page
    assert ". House lost $9.50 on this shoe</summary>" in page
    assert 'href="/rounds/2025-03-01/BAC~11/20"' in page
    assert "paid too much" in page
    assert "3:20:00 PM" in page
    assert page.count("<polyline") == 1
    assert "most serious finding of a round: high" in page
    assert "a round, mismatch" in page
    assert [shoe["shoe"] for shoe in told["shoes"]] == ["A", "B"]


def test_the_axis_and_the_times_distinguish_the_repeated_hour(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    # 2025-11-02T04:50:00Z is 00:50 in New York; clocks are put back at 06:00 UTC.
    begins = 1_762_059_000_000_000 - EIGHT_PM
    with Store(path) as store:
        for number in (0, 20, 80, 140):
            seen, judged, _ = build_round(number, "A", 0, 0)
            store.write(RUN, [(replace(seen, at=seen.at + begins), judged, 1)])
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
    axis = re.findall(r'<text class="hour"[^>]*>([^<]*)(?:<tspan[^>]*>([^<]*)</tspan>)?</text>', page)
    assert axis == [("1 AM ", "EDT"), ("1 AM ", "EST"), ("2 AM", "")]
    times = re.findall(r'<td data-label="Time"><time [^>]*>([^<]*)</time>', page)
    assert times == ["12:50:00 AM", "1:10:00 AM EDT", "1:10:00 AM EST", "2:10:00 AM"]


def test_what_play_brought_is_what_the_inventory_s_account_says(tmp_path: Path) -> None:
    """Add the rounds of a simulated day up, and hold them against its account, which is made from events."""
    simulate(tmp_path, tables=2, hours=2, seed="rooms", rates=faults.rates())
    told = [each for _, each in audited(tmp_path)]
    run = replace(RUN, run="floor")
    with Store(tmp_path / "store.duckdb") as store:
        store.write(run, [(each.basis, each.conclusion, each.revision) for each in told])
        reader = Reader(store.reading())
        accounts = [each.conclusion for each in told if each.conclusion.account == "inventory"]
        assert accounts
        for account in accounts:
            day = table_day(reader, "floor", account.table, account.gaming_date)
            assert day is not None
            by_play = {"wagers_collected", "wagers_paid", "vigorish", "put_right"}
            expected = sum(line.cents or 0 for line in account.lines if line.name in by_play)
            assert all(each.won_cents is not None for each in day.rounds)
            assert sum(shoe.won_cents for shoe in day.shoes) == expected


# ── a shoe's cards ───────────────────────────────────────────────────────────────────────────────────


def test_a_shoe_that_has_ended_shows_its_cards_in_order(path: Path) -> None:
    with open_console(path) as client:
        told = client.get("/api/shoes/2025-03-01/BAC~11/A/cards").json()
        page = client.get("/shoes/2025-03-01/BAC~11/A/cards").text
    cards = [["player", "2d"], ["banker", "Th"], ["discard", "9s"]]
    assert told["ended"]
    assert [(each["round"], each["cards"]) for each in told["rounds"]] == [("0", cards), ("10", cards)]
    assert "2 rounds, 6 cards" in page
    assert "10♥" in page


def test_a_shoe_in_play_shows_no_card(path: Path) -> None:
    with open_console(path) as client:
        told = client.get("/api/shoes/2025-03-01/BAC~11/B/cards").json()
        page = client.get("/shoes/2025-03-01/BAC~11/B/cards").text
        assert client.get("/shoes/2025-03-01/BAC~11/C/cards").status_code == 404
    assert (told["ended"], told["rounds"]) == (False, [])
    assert "this shoe is in play" in page
    assert not any(shown in page for shown in ("10♥", "2♦", "9♠"))


@pytest.mark.parametrize(
    ("play", "name", "title", "sign"),
    [
        # Dice say who begins where tiles are dealt.
        ([("dice", "3-4-6"), ("seat1", "6-5")], "tiles 9", "Tiles 9", "the tiles"),
        ([("dice", "3-4")], "red", "Dice red", "the dice"),
    ],
)
def test_tiles_and_dice_are_named_as_such_and_have_no_cards_to_show(
    tmp_path: Path, play: list[tuple[str, str]], name: str, title: str, sign: str
) -> None:
    path = tmp_path / "store.duckdb"
    with Store(path) as store:
        store.write(RUN, [build_round(0, name, 0, 0, play=play)])
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
        assert client.get(f"/shoes/2025-03-01/BAC~11/{name}/cards").status_code == 404
    assert f"<summary>{title}: 1 round. House" in page
    assert f"<title>{title}</title>" in page
    assert f"</svg>{sign}\n" in page
    assert "Its cards" not in page
    assert not any(word in page for word in ("Shoe ", "a shoe"))


def test_a_day_with_cards_leads_to_those_of_each_shoe(path: Path) -> None:
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
    assert page.count(">Cards of this shoe</a>") == 2
    assert "<summary>Shoe A: 2 rounds. House won $76.25 on this shoe" in page
    assert "</svg>a shoe\n" in page
