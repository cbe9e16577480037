"""When a house holds a chapter to be in force: what it may say, and what it may not."""

from datetime import date

import pytest

from schemas.errors import BadInput, NotInForce
from schemas.house import parse
from schemas.rulebook import rulebook


def house(in_force: str) -> str:
    return f"house: of the tests\nin_force: {{{in_force}}}\n"


def test_a_temporary_text_may_be_held_in_force_longer_and_a_proposed_one_later() -> None:
    spans = parse(house('"551": {until: 2020-01-01}, "685a": {from: 2019-01-01}'), "house.yaml")
    assert rulebook("551", date(2019, 12, 31), {}, span=spans.span("551")).decks == 6
    for chapter, day in (("551", date(2020, 1, 1)), ("685a", date(2018, 12, 31))):
        with pytest.raises(NotInForce, match=chapter):
            rulebook(chapter, day, {}, span=spans.span(chapter))
    assert rulebook("685a", date(2019, 1, 1), {}, span=spans.span("685a"))


def test_that_a_text_ended_comes_with_how_a_house_holds_it_in_force_and_that_none_began_without() -> None:
    with pytest.raises(NotInForce, match=r"its text ended on 2012-03-20, unless the house file .*\(in_force"):
        rulebook("551", date(2012, 3, 20), {})
    with pytest.raises(NotInForce, match=r"its text begins on 2010-03-20$"):
        rulebook("551", date(2010, 3, 19), {})


@pytest.mark.parametrize(
    ("in_force", "says"),
    [
        ("nonsense: {until: 2020-01-01}", "unknown chapter 'nonsense'"),
        ('"631a": {until: 2015-01-01}', "has no end that could be put off"),
        ('"631a": {from: 2013-01-01}', "a later start is for texts that were printed as proposed"),
        ('"685a": {from: 2017-01-01}', "begins on 2018-09-11"),
    ],
)
def test_a_span_that_no_house_can_give_is_one_clear_line(in_force: str, says: str) -> None:
    with pytest.raises(BadInput, match=says) as refused:
        parse(house(in_force), "house.yaml")
    assert str(refused.value).startswith("house.yaml:2: not a house file: in_force: ")
    assert "\n" not in str(refused.value)
