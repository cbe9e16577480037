"""Money is said in three phrases that nobody takes for one another, everywhere in the console."""

import re
from pathlib import Path
from typing import Final

import pytest

from projections.web.pages.report_pages import Column, cell, head
from projections.web.phrases.page_phrases import mistake, shoe_result
from tests.builders.consoles import open_console
from tests.builders.shoe_rounds import write_shoes


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_shoes(tmp_path_factory.mktemp("shoes") / "store.duckdb")


CONSOLE: Final = Path(__file__).parents[2] / "projections/web"
# By these both is said: whom a mistake favours, and who won.
TWOFOLD: Final = re.compile(
    r"for the (house|patron)|in favor of|(back from|more to) the patron", re.IGNORECASE
)
FILES: Final = [
    *CONSOLE.glob("templates/*.html"),
    *CONSOLE.glob("static/*.js"),
    *(each for each in CONSOLE.rglob("*.py") if each.name != "money_phrases.py"),
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(CONSOLE)))
def test_nothing_in_the_console_says_it_in_a_way_that_means_two_things(file: Path) -> None:
    assert TWOFOLD.findall(file.read_text(encoding="utf-8")) == []


def test_the_result_of_a_shoe_has_no_verdict_s_colour(
    path: Path,
) -> None:
    with open_console(path) as client:
        page = client.get("/tables/BAC~11/2025-03-01").text
    (summary,) = re.findall(r"<summary>Shoe A.*</summary>", page)
    assert summary.endswith(f". {shoe_result(7_625)}</summary>")
    assert "House" not in "".join(re.findall(r"<span.*?</span>", summary))  # which have a verdict's colour
    assert '<th class="figure">House win</th>' in page


def test_a_report_says_of_a_mistake_what_it_means() -> None:
    column = Column("favours", "Favours", "text")
    assert (head(column), cell("house", column, "UTC"), cell("patron", column, "UTC")) == (
        "Owed or overpaid",
        "owed to patron",
        "overpaid",
    )
    assert head(Column("cents", "Difference", "cents")) == "Difference"


def test_the_three_phrases_share_no_word_but_the_sum() -> None:
    said = mistake(5_000, "house"), mistake(5_000, "patron"), shoe_result(5_000), shoe_result(-5_000)
    words = [{*each.lower().split()} - {"$50.00"} for each in said]
    assert words[0].isdisjoint(words[1])
    assert all(words[of].isdisjoint(words[won]) for of in (0, 1) for won in (2, 3))
