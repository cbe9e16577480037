"""The roads of a shoe on the pages of its table's day and of the shoe, each cell a link to its hand."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from tests.builders.consoles import open_console
from tests.builders.round_records import BANKER, PLAYER, build_record
from tests.builders.stores import store_records

DAY: Final = "/tables/BAC-7/2025-01-01"
CARDS: Final = "/shoes/2025-01-01/BAC-7/4/cards"


def hand(number: int, cards: list[list[str]], announced: str) -> dict[str, Any]:
    return build_record(
        cards, round=str(number), shoe="4", announced=announced, at=f"2025-01-02T01:{number:02}:00Z"
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Store three hands of a shoe: Banker, Banker, and Player, which was called Banker."""
    return store_records(
        tmp_path / "s.duckdb",
        hand(1, BANKER, "banker"),
        hand(2, BANKER, "banker"),
        hand(3, PLAYER, "banker"),
    )


def cells(page: str) -> list[tuple[str, str, bool]]:
    """Return each cell's round, what it says to a screen reader, and whether it is ringed."""
    found = re.findall(
        r'<a href="[^"]*/rounds/2025-01-01/BAC-7/(\d+)"[^>]*aria-label="([^"]+)">(.*?)</a>', page
    )
    return [(number, label, 'class="ring wrong"' in drawn) for number, label, drawn in found]


@pytest.mark.parametrize("address", [DAY, CARDS])
def test_each_cell_leads_to_its_hand_and_a_wrong_one_is_ringed(path: Path, address: str) -> None:
    with open_console(path) as client:
        page = client.get(address).text
    plate = [
        ("1", "Round 1: banker, clean", False),
        ("2", "Round 2: banker, clean", False),
        ("3", "Round 3: player, mismatch", True),
    ]
    assert cells(page) == [*plate, *plate]  # the bead plate, and the big road
    assert "Big road: banker 2, player 1." in page


def stops(page: str) -> list[str]:
    """Return the rounds to which a link leads that Tab stops at, each as often as it does."""
    links = re.findall(r'<a href="[^"]*/rounds/2025-01-01/BAC-7/(\d+)"([^>]*)>', page)
    return [number for number, rest in links if 'tabindex="-1"' not in rest]


@pytest.mark.parametrize("after", [[], [{"round": "4", "shoe": "5", "at": "2025-01-02T02:00:00Z"}]])
def test_tab_stops_once_for_each_hand(path: Path, after: list[dict[str, str]]) -> None:
    """The hands are in a list of links below the roads; a shoe in play has no list on its own page."""
    store_records(path, *(build_record(BANKER, **each) for each in after))
    with open_console(path) as client:
        day, cards = client.get(DAY).text, client.get(CARDS).text
    assert ("in play" in cards) is not bool(after)
    below = day.partition("<h2>Roads</h2>")[2]  # the day's picture, above, leads to what was found
    assert [number for number in stops(below) if number != "4"] == ["1", "2", "3"]
    assert stops(cards) == ["1", "2", "3"]


def test_the_answer_has_the_cells_of_both_roads(path: Path) -> None:
    with open_console(path) as client:
        (shoe,) = client.get(f"/api{DAY}").json()["shoes"]
    found = {road["name"]: road["cells"] for road in shoe["roads"]}
    assert {name: [(each["row"], each["column"]) for each in road] for name, road in found.items()} == {
        "bead_plate": [(0, 0), (1, 0), (2, 0)],
        "big_road": [(0, 0), (1, 0), (0, 1)],
    }
    assert not [
        each for road in found.values() for each in road if "play" in each
    ]  # a hand's cards are told by its own page alone


def test_a_hand_that_is_withheld_is_in_no_road(path: Path) -> None:
    with open_console(path, "supervisor") as client:
        file = AccountsFile(accounts_of(path))
        Embargoes(file).place("round:2025-01-01|BAC-7|2", "supervisor", "a relation", by="director")
        file.close()
        page = client.get(DAY).text
    assert [number for number, _, _ in cells(page)] == ["1", "3"] * 2
