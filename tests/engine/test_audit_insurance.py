"""When insurance was wagered, as far as the devices' clocks prove it: 551.10(b), 685a.8(b).

Its time ends with the card reader's light, or with the first decision. Clocks that are held to agree can be
250 ms apart; what a device's clock is off by comes on top.
"""

from datetime import date
from typing import Any

import pytest

from projections.engine.audit.round_records import answer, to_record
from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.house import House, Submission, TableSetup
from tests.builders.table_audit import audit_events, finding_checks
from tests.builders.table_script import SECOND, SOURCES, Script
from tests.builders.texts import text_of

WITHOUT = "VI"  # no camera and no tray reader, which would have their say too
IN_2011 = 1_301_650_400 * SECOND  # 2011-04-01 05:33:20 in New York: Chapter 551 was in force
CASES = [
    # seconds after what ends the time of insurance, the verdict, what is found, what the insurance is owed
    (-0.251, "clean", [], -500),
    (-0.250, "undetermined", ["late_wager"], None),
    (-0.100, "undetermined", ["late_wager"], None),
    (0.000, "undetermined", ["late_wager"], None),
    (0.250, "undetermined", ["late_wager"], None),
    (0.251, "mismatch", ["late_wager"], None),
    (1.400, "mismatch", ["late_wager"], None),
]


class Boxes(Script):
    """A table of either game; each device's clock is off by so many microseconds."""

    def __init__(self, start: int | None = None, **off: int) -> None:
        super().__init__(WITHOUT, **({} if start is None else {"start": start}))
        self.devices.append("R")
        self.numbers["R"], self.epochs["R"], self.offsets["R"] = 0, 1, 0
        self.offsets |= off

    def card(self, hand: str, card: str, after: float = 1.5) -> None:
        """Deal a card."""
        self.say("S", e.CardDrawn, after, round=self.number, hand=hand, card=card)

    def at(self, moment: float, device: str, kind: type[Any], **fields: Any) -> None:
        """Report something by a device at a moment, in seconds since the table opened."""
        self.say(device, kind, moment - self.now, round=self.number, **fields)


def begun(first: str, *cards: str, start: int | None = None, **off: int) -> Boxes:
    """Script a wager of 1000 cents on seat 1 and two cards each for it and the dealer."""
    s = Boxes(start, **off)
    s.open()
    s.begin({(1, first): 1000})
    s.tell(e.WagersClosed, after=3)
    for hand, card in zip(("seat1", "dealer", "seat1", "dealer"), cards, strict=True):
        s.card(hand, card)
    s.now += 3
    return s


def insure(s: Boxes, moment: float, kind: type[Any] = e.ChipsPlaced, cents: int = 500) -> None:
    s.at(moment, "C", kind, seat=1, wager="insurance", cents=cents)


def lit(after: float, **off: int) -> Boxes:
    """Play 19 against the dealer's ace and eight, insured so long after the light; settled as if in time."""
    s = begun("bet", "Th", "Ac", "9s", "8d", **off)
    light = s.now
    events = [(light, lambda: s.at(light, "R", e.RangeIndicated, range="medium"))]
    events.append((light + after, lambda: insure(s, light + after)))
    for _, happens in sorted(events, key=lambda each: each[0]):
        happens()
    s.now = light + 1.5
    s.tell(e.HandDecided, hand="seat1", decision="stand")
    s.settle({(1, "insurance"): -500})
    s.announce("19")
    s.end()
    return s


def decided(after: float, **off: int) -> Boxes:
    """Play 18 against the dealer's ace and nine, insured so long after the first decision."""
    s = begun("wager", "Kd", "Ac", "8s", "9h", start=IN_2011, **off)
    stood = s.now
    events = [(stood, lambda: s.at(stood, "T", e.HandDecided, hand="seat1", decision="stand", drawn=4))]
    events.append((stood + after, lambda: insure(s, stood + after)))
    for _, happens in sorted(events, key=lambda each: each[0]):
        happens()
    s.now = stood + 1.5
    s.settle({(1, "insurance"): -500, (1, "wager"): -1000})
    s.announce("20")
    s.end()
    return s


def house(chapter: str, since: date) -> House:
    sources: Any = {device: source for device, source in SOURCES.items() if device not in WITHOUT}
    return House(
        house="script",
        tables={"BAC-1": TableSetup(chapter=chapter, decks=8, sources=sources | {"R": "reader"})},
        submissions=[Submission(since=since, chapter=chapter, options={})],
    )


LIT, DECIDED = house("685a", date(2018, 9, 11)), house("551", date(2010, 3, 20))


def insurance_of(concluded: Conclusion) -> int | None:
    (found,) = [each for each in concluded.expected if each.wager == "insurance"]
    return found.cents


# ── the card reader's light, 685a.8(b) ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("after", "verdict", "found", "owed"), CASES)
def test_685a_8_b_insurance_about_the_light(
    after: float, verdict: str, found: list[str], owed: int | None
) -> None:
    concluded = audit_events(lit(after).events, LIT).rounds["1"]
    assert (concluded.verdict, finding_checks(concluded), insurance_of(concluded)) == (verdict, found, owed)
    assert [each.cents for each in concluded.expected if each.wager == "bet"] == [0]  # judged all the same


@pytest.mark.parametrize(
    ("off", "after", "verdict"),
    [
        # The chip reader is 400 ms ahead: by the clocks all is 400 ms later than it was, and 650 ms are open.
        ({"C": 400_000}, -1.051, "clean"),  # 651 ms before the light by the clocks
        ({"C": 400_000}, -1.050, "undetermined"),
        ({"C": 400_000}, 0.250, "undetermined"),
        ({"C": 400_000}, 0.251, "mismatch"),
        # The card reader lags 300 ms behind as well: 700 ms later by the clocks, and 950 ms are open.
        ({"C": 400_000, "R": -300_000}, -1.651, "clean"),
        ({"C": 400_000, "R": -300_000}, -1.650, "undetermined"),
        ({"C": 400_000, "R": -300_000}, 0.250, "undetermined"),
        ({"C": 400_000, "R": -300_000}, 0.251, "mismatch"),
    ],
)
def test_685a_8_b_clocks_that_are_off_widen_what_is_undecided(
    off: dict[str, int], after: float, verdict: str
) -> None:
    assert audit_events(lit(after, **off).events, LIT).rounds["1"].verdict == verdict


def test_685a_8_b_what_it_says_and_stands_on() -> None:
    (near,) = audit_events(lit(0.1).events, LIT).rounds["1"].findings
    assert (near.seat, near.wager, near.citations) == (1, "insurance", ("685a.8(b)",))
    assert (
        text_of(near.message)
        == "the wager changed 100 ms after 'dealer medium' by clocks that agree within 250 ms"
    )
    (late,) = audit_events(lit(1).events, LIT).rounds["1"].findings
    assert (late.seat, late.wager, late.citations) == (1, "insurance", ("685a.8(b)",))


def test_685a_8_b_what_is_taken_back_late_is_not_judged() -> None:
    s = begun("bet", "Th", "Ac", "9s", "8d")
    insure(s, s.now)
    s.at(s.now + 1, "R", e.RangeIndicated, range="medium")
    insure(s, s.now + 1, e.ChipsRemoved)
    s.tell(e.HandDecided, hand="seat1", decision="stand")
    s.announce("19")
    s.end()
    concluded = audit_events(s.events, LIT).rounds["1"]
    found = (concluded.verdict, finding_checks(concluded), [each.wager for each in concluded.expected])
    assert found == ("clean", [], ["bet"])


# ── the first decision, 551.10(b) ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("after", "verdict", "found", "owed"), CASES)
def test_551_10_b_insurance_about_the_first_decision(
    after: float, verdict: str, found: list[str], owed: int | None
) -> None:
    concluded = audit_events(decided(after).events, DECIDED).rounds["1"]
    assert (concluded.verdict, finding_checks(concluded), insurance_of(concluded)) == (verdict, found, owed)
    assert [each.cents for each in concluded.expected if each.wager == "wager"] == [-1000]
    assert all(each.citations == ("551.10(b)",) for each in concluded.findings)


def test_551_10_b_a_shoe_whose_clock_is_off_changes_nothing_between_chips_and_terminal() -> None:
    # Its clock is three seconds ahead, so that by it the last card came after the decision.
    told_of = {
        after: audit_events(decided(after, S=3_000_000).events, DECIDED).rounds["1"] for after in (-1.0, 1.0)
    }
    assert "late_wager" not in finding_checks(told_of[-1.0])
    assert "late_wager" in finding_checks(told_of[1.0])


# ── a record of such a round says the same ───────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("script", "by", "ends"), [(lit, LIT, ("dealer", "medium")), (decided, DECIDED, ("seat1", "stand"))]
)
def test_late_insurance_stands_in_the_record_after_what_ended_its_time(
    script: Any, by: House, ends: tuple[str, str]
) -> None:
    (judged,) = [each for each in audit_events(script(1).events, by).history if each.conclusion.round == "1"]
    assert judged.seen is not None
    assert judged.book is not None
    play = judged.seen.play
    assert play[play.index(ends) + 1] == ("seat1", "place insurance")
    again = answer(to_record(judged.seen, judged.book), by)
    assert [(each.check, text_of(each.message)) for each in again.findings] == [
        (each.check, text_of(each.message)) for each in judged.conclusion.findings
    ]
    (in_time,) = [
        each.seen for each in audit_events(script(-1).events, by).history if each.conclusion.round == "1"
    ]
    assert in_time is not None
    assert ("seat1", "place insurance") not in in_time.play
