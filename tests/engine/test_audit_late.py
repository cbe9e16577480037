"""Late events: within the lateness window they revise their round, beyond it they are a finding.

The house waits ten seconds for what was heard of and did not come, and revises for two minutes.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from projections.engine.audit.table_audit import TableAudit
from schemas import events as e
from schemas.events import Event
from tests.builders.table_audit import AuditedTable, audit_events, finding_checks
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, Spot, build_house
from tests.builders.texts import text_of

WIN: Final[Spot] = (1, "player")
BANKER: Final[Spot] = (2, "banker")


def script(rounds: int = 4, *, gain: int = 1000) -> Script:
    """Play rounds of some fifteen seconds, with 1000 on the Player's Hand paid so much."""
    s = Script()
    s.open()
    for _ in range(rounds):
        s.play(PLAYER_WINS, {WIN: 1000}, "player", {WIN: gain})
    return s


def of(s: Script, kind: type[Event], number: str) -> Event:
    """Return a round's first report of a kind."""
    return next(event for event in s.events if isinstance(event, kind) and event.round == number)


def held_back(s: Script, *late: Event) -> list[Event]:
    """Return the events with some of them moved to the end."""
    return [event for event in s.events if event not in late] + list(late)


def one_by_one(events: list[Event], **options: Any) -> AuditedTable:
    return audit_events(events, build_house(**options), frame=1)


# ── within the window ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", [e.ChipsPlaced, e.ChipsPaid, e.RoundOpened, e.RoundClosed, e.WagersClosed])
@pytest.mark.parametrize("number", ["1", "2", "4"])
def test_late_event_revises_its_round(kind: type[Event], number: str) -> None:
    s = script(5)
    heard = one_by_one(held_back(s, of(s, kind, number)))
    assert heard.verdicts() == dict.fromkeys("12345", "clean")
    assert heard.revisions(number) == ["undetermined", "clean"]
    assert heard.shoe_verdicts() == {"shoe 1": "clean"}
    for other in set("12345") - {number}:
        assert heard.revisions(other) == ["clean"]


def test_late_event_that_comes_in_patience_revises_nothing() -> None:
    # What is heard of at the round's close comes two events later, within ten seconds.
    s = script(2)
    late = of(s, e.ChipsPaid, "1")
    closed = s.events.index(of(s, e.RoundClosed, "1"))
    events = (
        [event for event in s.events[: closed + 3] if event is not late] + [late] + s.events[closed + 3 :]
    )
    heard = one_by_one(events)
    assert heard.revisions("1") == ["clean"]


def test_late_payment_shows_a_mistake() -> None:
    s = script(3, gain=1500)
    heard = one_by_one(held_back(s, of(s, e.ChipsPaid, "1")))
    assert heard.revisions("1") == ["undetermined", "mismatch"]
    assert heard.verdicts() == dict.fromkeys("123", "mismatch")


def test_late_event_withdraws_a_finding() -> None:
    # The camera alone saw the shoe's lost card: a loser was paid. The chip reader's late report of the
    # collection says that he was not.
    s = Script()
    s.open()
    s.begin({BANKER: 500})
    s.no_more_bets({BANKER: 500})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({BANKER: -500})
    s.end()
    for _ in range(2):
        s.play(PLAYER_WINS, {}, "player", {})
    heard = one_by_one(held_back(s, of(s, e.ChipsCollected, "1")))
    assert heard.revisions("1") == ["undetermined", "clean"]


def test_a_whole_round_comes_late() -> None:
    s = script(5)
    heard = one_by_one(held_back(s, *(event for event in s.events if event.round == "2")))
    assert heard.verdicts() == dict.fromkeys("12345", "clean")
    assert heard.shoe_verdicts() == {"shoe 1": "clean"}


def test_late_card_moves_the_count_of_the_shoe() -> None:
    # A nine of hearts in each of nine rounds; the fourth of them is told after the ninth.
    s = Script(without="V")
    s.open()
    for number in range(9):
        suit, other = "cdhs"[number % 4], "cd"[number // 4 % 2]
        s.play(f"P9h B{'4567'[number % 4]}{other} PK{suit} BQ{suit}", {}, "player", {})
    heard = audit_events(held_back(s, of(s, e.CardDrawn, "4")), build_house(without="V"), frame=1)
    assert heard.revisions("9") == ["clean", "mismatch"]
    assert finding_checks(heard.rounds["9"]) == ["card_not_in_deck"]


def test_late_event_after_the_table_closed() -> None:
    s = Script()
    s.open()
    s.play(BANKER_WINS, {BANKER: 1000}, "banker", {BANKER: 1000}, {BANKER: 50}, marked=True)
    late = of(s, e.StackSeen, "1")
    s.play(PLAYER_WINS, {}, "player", {})
    s.now += 11
    s.close()
    heard = one_by_one(held_back(s, late), vigorish_deferred=True)
    assert heard.verdicts() == {"1": "clean", "2": "clean"}
    assert [finding_checks(shoe) for shoe in heard.shoes.values()] == [["vigorish_left_owing"]]


def test_what_comes_in_patience_after_the_closing_is_not_given_up() -> None:
    s = script(2)
    s.buy(3, 10_000)
    bought = s.events[-1]
    s.close()
    heard = one_by_one(held_back(s, bought))
    assert heard.history == one_by_one(s.events).history


def test_events_that_came_twice_change_nothing() -> None:
    s = script(3)
    s.close()
    heard = one_by_one([event for event in s.events for _ in range(2)])
    assert heard.history == one_by_one(s.events).history
    assert heard.audit.progress.buffer.doubled == len(s.events)


# ── beyond the window ────────────────────────────────────────────────────────────────────────────────


def long_script(after: Callable[[Script], object] = lambda _: None) -> Script:
    """Play two rounds, wait three minutes, play two more."""
    s = script(2)
    s.now += 180
    s.play(PLAYER_WINS, {WIN: 1000}, "player", {WIN: 1000})
    after(s)
    s.play(PLAYER_WINS, {WIN: 1000}, "player", {WIN: 1000})
    return s


def late_events(heard: AuditedTable) -> list[str]:
    """Return what is said of late events, shoe by shoe."""
    return [
        text_of(finding.message)
        for shoe in heard.shoes.values()
        for finding in shoe.findings
        if finding.check == "late_event"
    ]


def test_what_came_too_late_is_not_forgotten_by_a_revision() -> None:
    s = long_script()
    too_late, late = of(s, e.ChipsPaid, "1"), of(s, e.ChipsPaid, "3")
    heard = one_by_one(held_back(s, too_late, late))
    assert heard.revisions("3") == ["undetermined", "clean"]
    assert len(late_events(heard)) == 1


def test_a_late_duplicate_is_not_reported() -> None:
    s = long_script()
    heard = one_by_one([*s.events, *s.events])
    assert late_events(heard) == []
    assert heard.verdicts() == dict.fromkeys("1234", "clean")


@pytest.mark.parametrize("close", [True, False])
def test_an_event_that_came_too_late_is_reported_with_its_shoe(*, close: bool) -> None:
    s = long_script()
    late = of(s, e.ChipsPaid, "1")
    events = held_back(s, late)
    if close:
        s.close()
        events.append(s.events[-1])
    heard = one_by_one(events)
    assert heard.revisions("1") == ["undetermined"]  # unchanged
    (says,) = late_events(heard)
    assert says == f"ChipsPaid C 1/{late.seq} of round 1 came after its round could be revised"
    assert heard.shoe_verdicts() == {"shoe 1": "undetermined"}
    assert heard.verdicts() == {"1": "undetermined", "2": "clean", "3": "clean", "4": "clean"}


def test_put_right_after_the_window() -> None:
    s = long_script(lambda s: s.adjust(WIN, 200, number="1"))
    heard = one_by_one(s.events)
    assert heard.revisions("1") == ["clean"]
    assert [says.split()[0] for says in late_events(heard)] == ["SettlementAdjusted"]


def test_corrected_after_the_window() -> None:
    s = long_script(lambda s: s.correct(of(s, e.ChipsPaid, "1"), number="1"))
    heard = one_by_one(s.events)
    assert heard.revisions("1") == ["clean"]
    assert [says.split()[0] for says in late_events(heard)] == ["ReportCorrected"]


# ── nothing else comes for long ──────────────────────────────────────────────────────────────────────


def test_what_comes_too_late_as_the_last_of_all_is_said_when_it_comes() -> None:
    s = script(20)
    late = of(s, e.ChipsPaid, "1")
    audit = TableAudit("BAC-1", build_house())
    for event in s.events:
        if event is not late:
            audit.feed([event])
    (said,) = audit.feed([late])
    assert (said.conclusion.shoe, "late_event" in finding_checks(said.conclusion)) == ("shoe 1", True)
    assert audit.finish() == []


def test_what_comes_too_late_twice_is_reported_once() -> None:
    s = script(20)
    late = of(s, e.ChipsPaid, "1")
    audit = TableAudit("BAC-1", build_house())
    once = [event for event in s.events if event is not late]
    audit.feed([*once, late])
    assert audit.feed([late]) == []
    assert audit.finish() == []


def test_of_many_that_come_too_late_32_are_named_and_the_rest_is_said_to_be() -> None:
    """Else each of thousands would bring a conclusion that names all before it."""
    s = script(60)
    late = [of(s, e.ChipsPaid, str(number)) for number in range(1, 41)]
    audit = TableAudit("BAC-1", build_house())
    heard = AuditedTable(audit)
    heard.hear(audit.feed([event for event in s.events if event not in late]))
    revisions = [len(audit.feed([event])) for event in late]
    assert revisions[:33] == [1] * 33
    assert revisions[33:] == [0] * 7


def test_a_terminal_whose_clock_stands_still_holds_no_more_than_64_rounds_open() -> None:
    """One payment of the second round is lost, and by the terminal's clock no time goes by any more."""
    s = script(100)
    lost = of(s, e.ChipsPaid, "2")
    still = of(s, e.RoundClosed, "1").at
    events = [
        msgspec.structs.replace(event, at=min(event.at, still)) if event.device == "T" else event
        for event in s.events
        if event is not lost
    ]
    audit = TableAudit("BAC-1", build_house())
    heard = AuditedTable(audit)
    for event in events:
        heard.hear(audit.feed([event]))
        assert len(audit.progress.buffer.spans) <= 65
    assert heard.verdicts()["2"] == "undetermined"
    assert len(heard.verdicts()) > 90


def test_a_device_that_floods_a_round_is_named_and_the_state_stays_small() -> None:
    s = script(3)
    paid = of(s, e.ChipsPaid, "2")
    flood = [msgspec.structs.replace(paid, seq=1_000_000 + n) for n in range(12_000)]
    at = s.events.index(paid) + 1
    audit = TableAudit("BAC-1", build_house())
    heard = AuditedTable(audit)
    for event in [*s.events[:at], *flood, *s.events[at:]]:
        heard.hear(audit.feed([event]))
        held = audit.progress.buffer
        assert sum(len(span.events) for span in held.spans.values()) <= 10_100
    named = [f"has more than 10,000 events in round 2; of {device!r} the rest is left out" for device in "CI"]
    assert audit.take_strangers() == named  # the tray's report found no room any more
    heard.hear(audit.finish())
    # So much was told as paid, and the tray did not say whether it was.
    (finding,) = [each for each in heard.rounds["2"].findings if each.check == "paid_too_much"]
    assert finding.weight == "undetermined"
    assert heard.verdicts()["3"] == "clean"
