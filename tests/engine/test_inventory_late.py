"""A report of chips that comes when its round cannot be revised any more moves nothing a second time."""

from typing import Final

import pytest

from tests.builders.table_audit import AuditedTable, audit_events
from tests.builders.table_script import PLAYER_WINS, Script, Spot, build_house_with_cage

PLAYER: Final[Spot] = (4, "player")
ROUNDS: Final = 30  # some seven minutes; two is as late as anything may come
SHOE: Final = 6  # rounds: the same cards again and again


def put_right(arrives_after: int | None) -> AuditedTable:
    """Pay $5 too much and put it right before the round closes; it arrives so many rounds later."""
    s = Script()
    s.open_counted()
    s.begin({PLAYER: 2000})
    s.no_more_bets({PLAYER: 2000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 2500})
    s.adjust(PLAYER, -500)
    adjusted = s.events.pop()
    s.end()
    for number in range(ROUNDS):
        if number == arrives_after:
            s.events.append(adjusted)
        if number % SHOE == SHOE - 1:
            s.load(f"shoe {number}")
        s.play(PLAYER_WINS, {PLAYER: 2000}, "player", {PLAYER: 2000})
    s.close_counted()
    return audit_events(s.events, build_house_with_cage(), frame=1)


@pytest.mark.parametrize("arrives_after", [None, 15, 25])
def test_what_comes_too_late_is_as_if_it_never_came(arrives_after: int | None) -> None:
    heard = put_right(arrives_after)
    (found,) = heard.account().findings
    assert (found.check, found.weight) == ("inventory_untyped", "undetermined")
    assert (found.who, found.delta_cents) == ("round 1 as it closed", 500)
    assert [each.verdict for number, each in heard.rounds.items() if number != "1"] == ["clean"] * ROUNDS


@pytest.mark.parametrize("arrives_after", [0, 3])
def test_what_comes_late_and_in_time_is_booked_in_its_round(arrives_after: int) -> None:
    heard = put_right(arrives_after)
    assert heard.account().findings == ()
    assert {each.verdict for each in heard.rounds.values()} == {"clean"}
