"""Which patron sat where: by the terminal's word, late, doubled and corrected as it may come."""

from typing import Any

import pytest

from projections.fold.seating import Seating
from schemas import events as e
from tests.script import START, Script

HOUR = 3600


def seated(script: Script, order: list[int] | None = None) -> Seating:
    found = Seating("T")
    for place in order if order is not None else range(len(script.events)):
        found.take(script.events[place])
    return found


def at(seconds: float) -> int:
    return START + round(seconds * 1_000_000)


def sit(s: Script, after: float, seat: int, patron: str | None, **more: Any) -> Any:
    return s.say("T", e.PlayerSeated, after, seat=seat, patron=patron, **more)


def test_who_sits_is_known_until_they_leave_or_the_table_closes() -> None:
    s = Script()
    sit(s, 10, 3, "Ann")
    s.say("T", e.PlayerLeft, 10, seat=3)  # at 20
    sit(s, 10, 3, "Bob")  # at 30
    s.say("T", e.PlayerLeft, 10, seat=3, bettor="a friend behind him")
    s.say("T", e.TableClosed, 10, heard={})  # at 50
    found = seated(s)
    asked = [found.patron(3, at(seconds), "7") for seconds in (5, 10, 19, 20, 30, 49, 50)]
    assert asked == [None, "Ann", "Ann", None, "Bob", "Bob", None]
    assert found.patron(4, at(30), "7") is None


def test_who_sits_down_during_a_round_plays_it_where_nobody_sat() -> None:
    s = Script()
    sit(s, 10, 3, "Ann", round="7")
    sit(s, 10, 4, "Bob", round="7")
    found = seated(s)
    assert found.patron(4, at(5), "7") == "Bob"
    assert found.patron(4, at(5), "6") is None


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [0, 3, 3, 1, 2, 0]])
def test_late_doubled_and_corrected_reports_come_to_the_same(order: list[int]) -> None:
    s = Script()
    sit(s, 10, 3, "Ann")  # at 10
    mistaken = sit(s, 10, 4, "Bob")
    s.say("T", e.ReportCorrected, 10, mistaken=e.id_of(mistaken), instead=None)
    s.say("T", e.PlayerLeft, 10, seat=3)  # at 40
    found = seated(s, order)
    assert [found.patron(seat, at(35), "7") for seat in (3, 4)] == ["Ann", None]
    assert found.patron(3, at(45), "7") is None


def test_only_the_terminal_says_who_sits() -> None:
    s = Script()
    s.say("V", e.PlayerSeated, 10, seat=3, patron="Ann")
    assert seated(s).patron(3, at(20), "7") is None


def test_what_is_long_over_is_forgotten_and_what_lasts_is_not() -> None:
    s = Script()
    sit(s, 0, 3, "Ann")
    sit(s, 40 * HOUR, 4, "Bob")
    found = seated(s)
    assert [found.patron(seat, at(47 * HOUR), "7") for seat in (3, 4)] == ["Ann", "Bob"]
    assert [found.patron(seat, at(49 * HOUR), "8") for seat in (3, 4)] == [None, "Bob"]
