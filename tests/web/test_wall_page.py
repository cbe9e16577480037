"""The floor on a wall: every table on one screen, coloured by a measure, its figures those of the queues."""

import re
from collections.abc import Iterator

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.bootstrap import OpenConsole
from projections.web.pages.floor_heat import Heat, heat_of
from projections.web.pages.floor_page import FloorView
from projections.web.pages.floor_tiles import OpenAlerts, Tile, TileSilence
from projections.web.pages.wall_page import wall_of
from tests.builders.consoles import open_console
from tests.builders.large_floor import open_large_floor


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenConsole:
    return open_large_floor(tmp_path_factory.mktemp("wall") / "store.duckdb")


@pytest.fixture(scope="module")
def client(opened: OpenConsole) -> Iterator[TestClient[Litestar]]:
    with open_console(opened.path, on=opened) as client:
        yield client


def build_tile(table: str = "BAC-1", pit: str | None = None, silent: int = 0, **alerts: int) -> Tile:
    return Tile(
        table=table,
        pit=pit,
        chapter="631a",
        game="Baccarat",
        state="open",
        silent=[TileSilence(f"C-{number}", "chips", 0) for number in range(silent)],
        alerts=OpenAlerts(**alerts),
    )


def build_floor(*tiles: Tile) -> FloorView:
    return FloorView(at=0, followed=True, tables=tiles, pits=[], games=[], alerts=OpenAlerts())


@pytest.mark.parametrize(
    ("owed", "overpaid", "heat"),
    [
        (0, 0, Heat(0, "$0")),
        (1, 0, Heat(1, "$1")),
        (0, 9_999, Heat(1, "$100")),
        (6_000, 4_000, Heat(2, "$100")),
        (49_999, 0, Heat(2, "$500")),
        (20_000, 30_000, Heat(3, "$500")),
        (249_900, 0, Heat(3, "$2,499")),
        (231_900, 29_800, Heat(4, "$2,617")),
    ],
)
def test_money_at_risk_is_what_is_owed_and_what_was_overpaid(owed: int, overpaid: int, heat: Heat) -> None:
    assert heat_of(build_tile(owed_cents=owed, overpaid_cents=overpaid), "money") == heat


@pytest.mark.parametrize(("count", "step"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (17, 4)])
def test_overdue_incidents_are_coloured_by_their_number(count: int, step: int) -> None:
    assert heat_of(build_tile(overdue=count), "overdue") == Heat(step, str(count))


def test_silent_devices_are_coloured_by_their_number() -> None:
    steps = [heat_of(build_tile(silent=count), "silent").step for count in range(6)]
    assert steps == [0, 1, 2, 3, 4, 4]


def test_more_tables_than_a_screen_holds_are_shown_in_turn_as_many_on_each() -> None:
    floor = build_floor(*(build_tile(f"T-{number}", str(number // 50)) for number in range(130)))
    first, second, third = (wall_of(floor, "money", page) for page in (1, 2, 3))
    assert [(each.page, each.pages, len(each.tiles)) for each in (first, second, third)] == [
        (1, 2, 65), (2, 2, 65), (1, 2, 65)
    ]  # fmt: skip
    names = [each.tile.table for each in (*first.tiles, *second.tiles)]
    assert names == [f"T-{number}" for number in range(130)]
    assert [each.tile.table for each in first.tiles if each.begins] == ["T-0", "T-50"]
    # A screen begins with its pit's name, also in the middle of the pit.
    assert [each.tile.table for each in second.tiles if each.begins] == ["T-65", "T-100"]


def test_what_is_overdue_is_named_on_every_screen_the_most_first() -> None:
    floor = build_floor(
        build_tile("A", overdue=1),
        *(build_tile(f"T-{number}") for number in range(130)),
        build_tile("Z", overdue=3),
    )
    for page in (1, 2):
        assert [each.table for each in wall_of(floor, "silent", page).overdue] == ["Z", "A"]


def tiles_of(page: str) -> dict[str, tuple[list[str], str]]:
    """Return each tile of the wall by its table: its classes, its figure."""
    found = re.findall(r'<li id="tile-([^"]*)" class="([^"]*)">(.*?)</li>', page, re.DOTALL)
    figures = re.compile(r'<span class="figure">([^<]*)</span>')
    return {table: (classes.split(), figures.findall(inner)[0]) for table, classes, inner in found}


def test_a_floor_of_a_hundred_tables_is_one_screen(client: TestClient[Litestar]) -> None:
    page = client.get("/wall").text
    tiles = tiles_of(page)
    assert len(tiles) == 100
    assert "columns-10" in page
    assert 'data-pages="1"' in page
    # $2,319.00 owed and $298.00 overpaid; $25.00 and $500.00 owed and $125.00 overpaid.
    assert tiles["BAC-101"] == (["open", "step-4", "late", "begins"], "$2,617")
    assert tiles["TOB-155"] == (["open", "step-3", "late"], "$650")
    assert tiles["BAC-102"] == (["open", "step-0"], "$0")
    assert page.count("Pit ") == 8
    # 2,319 + 25 + 500 + 400 and 298 + 53 + 125
    assert "<b>$3,244.00</b> owed to patrons" in page
    assert "<b>$476.00</b> overpaid" in page
    assert "<nav" not in page


def test_the_wall_is_coloured_by_what_is_asked(client: TestClient[Litestar]) -> None:
    silent = tiles_of(client.get("/wall?by=silent").text)
    assert (silent["BAC-130"], silent["BAC-101"][1]) == ((["open", "step-3"], "3"), "0")
    # Two and three of 30 rounds with six wagers each: 11.1 and 16.7 of a thousand.
    errors = tiles_of(client.get("/wall?by=errors").text)
    assert [errors[table][1] for table in ("BAC-101", "TOB-155", "BAC-102")] == ["11.1", "16.7", "0"]
    assert client.get("/wall?by=nothing").status_code == 400


def test_the_wall_says_when_the_floor_is_no_longer_followed(
    opened: OpenConsole, client: TestClient[Litestar]
) -> None:
    opened.live.state = "kafka away"
    try:
        page = client.get("/wall").text
    finally:
        opened.live.state = "ok"
    assert re.search(r'<p class="now late">Kafka away since \d\d?:\d\d:\d\d [AP]M', page)
