"""Mistakes put right, and reports that were mistaken: in time, after the round closed, and wrongly."""

from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.events import Event
from tests.builders.table_audit import AuditedTable, audit_events, finding_checks, note_checks
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, Spot, build_house
from tests.builders.texts import text_of

SPOT: Final[Spot] = (1, "player")
BANKER: Final[Spot] = (2, "banker")
ONE_READER: Final = "VI"


def told_of(s: Script, **options: Any) -> AuditedTable:
    return audit_events(s.events, build_house(without=ONE_READER, **options), frame=1)


def overpaid(by: int = 500) -> Script:
    """Pay 1000 cents on the Player's Hand too much, the round still open."""
    s = Script(without=ONE_READER)
    s.open()
    s.begin({SPOT: 1000})
    s.no_more_bets()
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SPOT: 1000 + by})
    return s


def money(concluded: Conclusion) -> tuple[object, ...]:
    """Return what the one finding says: check, cents expected and observed, and whether it was put right."""
    (finding,) = concluded.findings
    return (finding.check, finding.expected_cents, finding.observed_cents, bool(finding.put_right))


# ── SettlementAdjusted ───────────────────────────────────────────────────────────────────────────────


def test_put_right_before_the_round_closed_is_a_note() -> None:
    s = overpaid()
    s.adjust(SPOT, -500)
    s.end()
    concluded = told_of(s).rounds["1"]
    assert (concluded.verdict, concluded.findings, note_checks(concluded)) == ("clean", (), ["put_right"])
    assert text_of(concluded.notes[0].message) == "player: -$5.00 put right before the round closed"


def test_put_right_after_the_round_closed_is_a_finding_put_right() -> None:
    s = overpaid()
    s.end()
    s.adjust(SPOT, -500)
    s.play(PLAYER_WINS, {SPOT: 1000}, "player", {SPOT: 1000})
    heard = told_of(s)
    assert heard.revisions("1") == ["mismatch", "mismatch"]
    before, after = (each.conclusion for each in heard.history if each.conclusion.round == "1")
    assert money(before) == ("paid_too_much", 1000, 1500, False)
    assert money(after) == ("paid_too_much", 1000, 1500, True)
    assert before.findings[0].id == after.findings[0].id  # the same mistake, told twice
    assert after.findings[0].favours == "patron"
    assert text_of(after.findings[0].message).endswith("put right after the round closed")
    assert heard.rounds["2"].verdict == "clean"


def test_put_right_by_a_report_that_comes_before_its_round() -> None:
    # The report overtakes all others of its round and stands there as the round before closes.
    s = Script(without=ONE_READER)
    s.open()
    for _ in range(2):
        s.play(PLAYER_WINS, {SPOT: 1000}, "player", {SPOT: 1000})
    first = len(s.events) - 1
    s.begin({SPOT: 1000})
    s.no_more_bets()
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SPOT: 1500})
    s.adjust(SPOT, -500)
    s.events.insert(first, s.events.pop())
    s.end()
    heard = told_of(s)
    assert heard.verdicts() == dict.fromkeys("123", "clean")
    assert note_checks(heard.rounds["3"]) == ["put_right"]


def test_put_right_too_little() -> None:
    s = overpaid()
    s.end()
    s.adjust(SPOT, -300)
    assert money(told_of(s).rounds["1"]) == ("paid_too_much", 1000, 1200, False)  # what stands now


def test_put_right_before_the_close_but_to_a_wrong_sum() -> None:
    s = overpaid()
    s.adjust(SPOT, -700)
    s.end()
    concluded = told_of(s).rounds["1"]
    assert money(concluded) == ("paid_too_little", 1000, 800, False)
    assert note_checks(concluded) == ["put_right"]


def test_right_settlement_adjusted_wrongly() -> None:
    s = overpaid(0)
    s.end()
    s.adjust(SPOT, 200)
    heard = told_of(s)
    assert heard.revisions("1") == ["clean", "mismatch"]
    assert money(heard.rounds["1"]) == ("paid_too_much", 1000, 1200, False)


def test_loser_collected_late() -> None:
    s = Script(without=ONE_READER)
    s.open()
    s.play(BANKER_WINS, {SPOT: 1000}, "banker", {})
    s.adjust(SPOT, -1000)
    assert money(told_of(s).rounds["1"]) == ("loser_not_collected", -1000, 0, True)


@pytest.mark.parametrize("closed", [True, False])
def test_vigorish_put_right(*, closed: bool) -> None:
    s = Script(without=ONE_READER)
    s.open()
    s.begin({BANKER: 1000})
    s.no_more_bets()
    s.deal(BANKER_WINS)
    s.announce("banker")
    s.settle({BANKER: 1000}, {BANKER: 100})  # 5% of 1000 is 50
    if closed:
        s.end()
    s.adjust(BANKER, 0, -50)
    if not closed:
        s.end()
    concluded = told_of(s).rounds["1"]
    if closed:
        assert money(concluded) == ("vigorish_wrong", 50, 100, True)
        assert (concluded.findings[0].delta_cents, concluded.findings[0].favours) == (50, "house")
    else:
        assert (concluded.verdict, note_checks(concluded)) == ("clean", ["put_right"])


def test_adjustment_of_a_person_on_a_spot() -> None:
    anna, ben = (1, "player", "anna"), (1, "player", "ben")
    s = Script(without=ONE_READER)
    s.open()
    s.begin({anna: 1000, ben: 1000})
    s.no_more_bets()
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({anna: 1500, ben: 1000})
    s.adjust(anna, -500)
    s.end()
    concluded = told_of(s).rounds["1"]
    assert (concluded.verdict, [note.bettor for note in concluded.notes]) == ("clean", ["anna"])


def test_the_tray_bears_an_adjustment_out() -> None:
    s = Script()
    s.open()
    s.begin({SPOT: 1000})
    s.no_more_bets({SPOT: 1000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SPOT: 1500})
    s.adjust(SPOT, -500)
    s.end()
    s.play(PLAYER_WINS, {SPOT: 1000}, "player", {SPOT: 1500})
    s.adjust(SPOT, -500)  # after the second count
    s.play(PLAYER_WINS, {SPOT: 1000}, "player", {SPOT: 1000})
    heard = audit_events(s.events)
    assert heard.verdicts() == {"1": "clean", "2": "mismatch", "3": "clean"}
    assert finding_checks(heard.rounds["2"]) == ["paid_too_much"]


# ── ReportCorrected ──────────────────────────────────────────────────────────────────────────────────


def misreported(kind: type[Event], **wrong: Any) -> tuple[Script, Any, Any]:
    """Play a clean round in which one report was mistaken; give it, and what it should have been."""
    s = overpaid(0)
    (at,) = [n for n, event in enumerate(s.events) if isinstance(event, kind)]
    right = s.events[at]
    s.events[at] = replace(right, **wrong)
    return s, s.events[at], right


MISTAKES: Final = [
    (e.ChipsPlaced, {"cents": 1500}, "paid_too_little"),
    (e.ChipsPaid, {"cents": 900}, "paid_too_little"),
    (e.OutcomeAnnounced, {"outcome": "tie"}, "announced_wrong"),
]


@pytest.mark.parametrize(("kind", "wrong", "check"), MISTAKES)
def test_corrected_before_the_round_is_concluded(
    kind: type[Event], wrong: dict[str, Any], check: str
) -> None:
    s, mistaken, right = misreported(kind, **wrong)
    s.correct(mistaken, right)
    s.end()
    heard = told_of(s)
    assert heard.revisions("1") == ["clean"]
    s.events = [event for event in s.events if not isinstance(event, e.ReportCorrected)]
    s.events[-1] = replace(s.events[-1], seq=s.events[-1].seq - 1)
    assert finding_checks(told_of(s).rounds["1"]) == [check]  # what it would have been


@pytest.mark.parametrize(("kind", "wrong", "check"), MISTAKES)
def test_corrected_after_the_round_was_concluded(
    kind: type[Event], wrong: dict[str, Any], check: str
) -> None:
    s, mistaken, right = misreported(kind, **wrong)
    s.end()
    s.correct(mistaken, right)
    s.play(PLAYER_WINS, {SPOT: 1000}, "player", {SPOT: 1000})
    heard = told_of(s)
    assert heard.revisions("1") == ["mismatch", "clean"]
    assert finding_checks(heard.history[0].conclusion) == [check]
    assert heard.rounds["2"].verdict == "clean"


def test_corrected_card() -> None:
    # The shoe read a nine where a king lay: 7 to 6, and not 6 to 6.
    s = Script(without=ONE_READER)
    s.open()
    s.begin({SPOT: 1000})
    s.no_more_bets()
    s.deal("P7c B6d P9c BKd")
    s.correct(s.events[-2], replace(s.events[-2], card="Kc"))
    s.announce("player")
    s.settle({SPOT: 1000})
    s.end()
    assert told_of(s).verdicts() == {"1": "clean"}


@pytest.mark.parametrize("closed", [True, False])
def test_report_that_never_happened(*, closed: bool) -> None:
    s = overpaid(0)
    ghost = s.on((7, "tie"), e.ChipsCollected, 500)  # no wager lay there
    if closed:
        s.end()
    s.correct(ghost)
    if not closed:
        s.end()
    heard = told_of(s)
    assert heard.revisions("1") == (["mismatch", "clean"] if closed else ["clean"])
    if closed:
        assert finding_checks(heard.history[0].conclusion) == ["push_collected"]


def test_corrected_twice() -> None:
    s, mistaken, right = misreported(e.ChipsPlaced, cents=1500)
    s.correct(mistaken, replace(right, cents=1400))
    s.correct(mistaken, right)
    s.end()
    assert told_of(s).verdicts() == {"1": "clean"}


def test_correction_that_was_itself_mistaken() -> None:
    s = overpaid(0)
    paid = next(event for event in s.events if isinstance(event, e.ChipsPaid))
    s.correct(paid)
    s.correct(s.events[-1])
    s.end()
    assert told_of(s).verdicts() == {"1": "clean"}


def test_correction_of_a_shoe_that_was_named_wrongly() -> None:
    s = overpaid(0)
    (at,) = [n for n, event in enumerate(s.events) if isinstance(event, e.RoundOpened)]
    right = s.events[at]
    s.events[at] = replace(right, shoe="shoe 9")
    s.correct(s.events[at], right)
    s.end()
    s.play(PLAYER_WINS, {SPOT: 1000}, "player", {SPOT: 1000})
    s.close()
    heard = told_of(s)
    assert heard.verdicts() == {"1": "clean", "2": "clean"}
    assert heard.shoe_verdicts() == {"shoe 1": "clean"}
    assert heard.rounds["1"].shoe == "shoe 1"


def test_adjustment_that_was_mistaken() -> None:
    s = overpaid(0)
    s.end()
    s.adjust(SPOT, -500)
    s.correct(s.events[-1])
    heard = told_of(s)
    assert heard.revisions("1") == ["clean", "mismatch", "clean"]
