"""When a wager moved, as far as the devices' clocks prove it, 631a.8(c).

Clocks that are held to agree can be 250 ms apart; what a device's clock is off by comes on top.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.events import Event
from tests.builders.table_audit import audit_events, finding_checks
from tests.builders.table_script import PLAYER_WINS, Script, Spot, build_house
from tests.builders.texts import text_of

SPOT: Spot = (1, "player")
OTHER: Spot = (5, "player")
ONE_READER = "VI"  # devices left out where a second reader would have its say too


def owed(concluded: Conclusion, spot: Spot) -> int | None:
    (found,) = [each for each in concluded.expected if (each.seat, each.wager) == spot[:2]]
    return found.cents


def verdict_of(events: list[Event], **options: Any) -> Conclusion:
    return audit_events(events, build_house(without=ONE_READER, **options)).rounds["1"]


def moved(kind: type[Event], after: float, *, before: int = 0, off: int = 0) -> Script:
    """Script 600 cents that move on a spot seconds after "no more bets", by the true clock.

    `before` lay there in time; the chip reader's clock is `off` by so many microseconds, as the terminal
    measured. Another seat's 1000 cents always lie there in time. Settled as though all counted.
    """
    s = Script(without=ONE_READER)
    s.offsets["C"] = off
    s.open()
    s.begin({OTHER: 1000} | ({SPOT: before} if before else {}))
    if after < 0:
        s.on(SPOT, kind, 600, after=3)
        s.tell(e.WagersClosed, after=-after)
    else:
        s.tell(e.WagersClosed, after=3)
        s.on(SPOT, kind, 600, after=after)
    s.now += 2
    s.deal(PLAYER_WINS)
    s.announce("player")
    lies = before + 600 if kind is e.ChipsPlaced else before - 600
    s.settle({OTHER: 1000, SPOT: lies})
    s.end()
    return s


# ── "no more bets", 631a.8(c) ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        (-0.251, "clean"),
        (-0.250, "undetermined"),
        (-0.100, "undetermined"),
        (0.100, "undetermined"),
        (0.250, "undetermined"),
        (0.251, "mismatch"),
        (2.000, "mismatch"),
    ],
)
def test_wager_made_about_the_call(after: float, verdict: str) -> None:
    concluded = verdict_of(moved(e.ChipsPlaced, after).events)
    assert concluded.verdict == verdict
    assert finding_checks(concluded) == ([] if verdict == "clean" else ["late_wager"])
    assert owed(concluded, SPOT) == (600 if verdict == "clean" else None)
    assert owed(concluded, OTHER) == 1000  # the neighbour's wager is judged all the same


def test_late_wager_says_what_it_stands_on() -> None:
    (finding,) = verdict_of(moved(e.ChipsPlaced, 2).events).findings
    assert (finding.seat, finding.wager, finding.citations) == (1, "player", ("631a.8(c)",))
    assert text_of(finding.message) == 'the wager was made after "no more bets"'


def test_a_wager_too_near_the_call_to_judge_says_how_near() -> None:
    (finding,) = verdict_of(moved(e.ChipsPlaced, 0.1).events).findings
    assert "100 ms after" in text_of(finding.message)
    assert "within 250 ms" in text_of(finding.message)


@pytest.mark.parametrize(
    ("kind", "before", "says", "stays"),
    [
        (e.ChipsPlaced, 400, "increased", True),
        (e.ChipsRemoved, 1000, "reduced", True),
        (e.ChipsRemoved, 600, "withdrawn", False),
    ],
)
def test_wager_changed_after_the_call(kind: type[Event], before: int, says: str, *, stays: bool) -> None:
    concluded = verdict_of(moved(kind, 1, before=before).events)
    (finding,) = concluded.findings
    assert (concluded.verdict, finding.check, finding.seat) == ("mismatch", "late_wager", 1)
    assert text_of(finding.message) == f'the wager was {says} after "no more bets"'
    assert [each.cents for each in concluded.expected if each.seat == 1] == ([None] if stays else [])


@pytest.mark.parametrize(
    ("kind", "before"), [(e.ChipsPlaced, 400), (e.ChipsRemoved, 1000), (e.ChipsRemoved, 600)]
)
def test_wager_changed_before_the_call(kind: type[Event], before: int) -> None:
    assert verdict_of(moved(kind, -1, before=before).events).verdict == "clean"


def test_one_of_two_persons_withdraws_late() -> None:
    anna, ben = (1, "player", "anna"), (1, "player", "ben")
    s = Script(without=ONE_READER)
    s.open()
    s.begin({anna: 1000, ben: 1000})
    s.no_more_bets()
    s.on(anna, e.ChipsRemoved, 1000, after=2)
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({ben: 1000})
    s.end()
    concluded = verdict_of(s.events)
    (finding,) = concluded.findings
    assert (concluded.verdict, finding.check, finding.bettor) == ("mismatch", "late_wager", "anna")
    assert [(each.bettor, each.cents) for each in concluded.expected] == [("ben", 1000)]


def test_a_wrong_payment_next_to_a_wager_too_near_the_call_to_judge() -> None:
    # What is proven about one wager stands, whatever is undecided about another.
    s = moved(e.ChipsPlaced, 0.1)
    (at,) = [n for n, event in enumerate(s.events) if isinstance(event, e.ChipsPaid) and event.seat == 5]
    s.events[at] = replace(s.events[at], cents=1100)
    concluded = verdict_of(s.events)
    assert concluded.verdict == "mismatch"
    assert sorted(finding_checks(concluded)) == ["late_wager", "paid_too_much"]


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        # The reader's clock is 400 ms ahead: it says 400 ms more than is true, and 650 ms are open.
        (-1.1, "clean"),  # by the clocks 700 ms before
        (-1.0, "undetermined"),  # 600 ms before
        (0.1, "undetermined"),  # 500 ms after
        (0.3, "mismatch"),  # 700 ms after
    ],
)
def test_a_clock_that_is_off_widens_what_is_undecided(after: float, verdict: str) -> None:
    assert verdict_of(moved(e.ChipsPlaced, after, off=400_000).events).verdict == verdict


def test_a_clock_that_lags_widens_it_too() -> None:
    # 500 ms behind: a wager made 700 ms after the call seems 200 ms after, within 750 ms.
    assert verdict_of(moved(e.ChipsPlaced, 0.7, off=-500_000).events).verdict == "undetermined"


def test_no_call_reported_at_all() -> None:
    s = Script(without=ONE_READER)
    s.open()
    s.begin({SPOT: 1000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({SPOT: 1000})
    s.end()
    concluded = verdict_of(s.events)
    assert (concluded.verdict, finding_checks(concluded)) == ("undetermined", ["data_missing"])
    assert concluded.outcome == "player"  # the cards are whole
