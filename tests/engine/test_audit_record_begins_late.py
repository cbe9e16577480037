"""A record that begins after the table opened: of what was before it nothing is concluded."""

import pytest

from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.events import Event
from tests.builders.table_audit import AuditedTable, audit_events
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, Spot, build_house
from tests.builders.texts import text_of

SEAT_1: Spot = (1, "banker")
DEFERRED = build_house(vigorish_deferred=True)


def mark(s: Script) -> None:
    """Play a round that the Banker's Hand wins, the vigorish marked as owed."""
    s.play(BANKER_WINS, {SEAT_1: 1000}, "banker", {SEAT_1: 1000}, {SEAT_1: 50}, marked=True)


def lose(s: Script) -> None:
    s.play(PLAYER_WINS, {SEAT_1: 1000}, "player", {SEAT_1: -1000})


def since(s: Script, number: str) -> list[Event]:
    """Return what was reported from a round's opening on."""
    opened = next(
        n for n, each in enumerate(s.events) if isinstance(each, e.RoundOpened) and each.round == number
    )
    return s.events[opened:]


def said(shoe: Conclusion) -> list[tuple[str, str]]:
    return [(each.check, text_of(each.message)) for each in shoe.findings]


CUT = ("data_missing", "the record begins in the middle of the shoe")


def test_the_first_shoe_is_left_open_and_its_rounds_are_not() -> None:
    s = Script()
    s.open()
    lose(s)
    lose(s)
    s.load("shoe 2")
    lose(s)
    s.close()
    assert audit_events(s.events, DEFERRED).shoe_verdicts() == {"shoe 1": "clean", "shoe 2": "clean"}
    heard = audit_events(since(s, "2"), DEFERRED)
    assert heard.verdicts() == {"2": "clean", "3": "clean"}
    assert heard.shoe_verdicts() == {"shoe 1": "undetermined", "shoe 2": "clean"}
    assert said(heard.shoes["shoe 1"]) == [CUT]


def test_vigorish_marked_before_the_record_and_paid_in_it_is_no_alarm() -> None:
    s = Script()
    s.open()
    mark(s)
    lose(s)
    s.pay_off(1, 50)
    s.close()
    assert audit_events(s.events, DEFERRED).shoe_verdicts() == {"shoe 1": "clean"}
    heard = audit_events(since(s, "2"), DEFERRED)
    assert said(heard.shoes["shoe 1"]) == [CUT]


def loaded_at_once(paid: int) -> AuditedTable:
    """Return a record that begins with the loading of a shoe, in which part of an earlier mark is paid."""
    s = Script()
    s.open()
    mark(s)
    first = len(s.events)
    s.load("shoe 2")
    lose(s)
    if paid:
        s.pay_off(1, paid)
    s.close()
    return audit_events(s.events[first:], DEFERRED)


@pytest.mark.parametrize(("paid", "verdict"), [(0, "clean"), (50, "undetermined")])
def test_a_shoe_loaded_in_the_record_is_whole_but_for_what_an_earlier_one_owed(
    paid: int, verdict: str
) -> None:
    assert loaded_at_once(paid).shoe_verdicts() == {"shoe 2": verdict}


def test_an_opening_that_comes_late_makes_the_shoe_whole() -> None:
    s = Script()
    s.open()
    lose(s)
    lose(s)
    s.close()
    opening, *rest = s.events
    heard = audit_events([*rest, opening], DEFERRED, frame=1)
    assert heard.shoe_verdicts() == {"shoe 1": "clean"}


def test_a_poll_that_comes_late_is_missed_no_more() -> None:
    s = Script()
    s.open()
    lose(s)
    poll = s.say("T", e.DevicesPolled, heard=s.heard())
    lose(s)
    lose(s)
    s.close()
    late = [*(each for each in s.events if each is not poll), poll]
    heard = audit_events(late, DEFERRED, frame=1)
    assert "undetermined" in [each.conclusion.verdict for each in heard.history]  # until it came
    assert heard.shoe_verdicts() == {"shoe 1": "clean"}
