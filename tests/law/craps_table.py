"""A Craps table as the tests of Chapter 623a speak of it: rolls, wagers, and the audit's answer."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from schemas.house import House
from schemas.record import RecordPaid, RecordWager, RoundRecord

Play: TypeAlias = list[tuple[str, str]]

HOUSE: Final = House(house="a house of the tests")
EVENING: Final = datetime(2025, 1, 1, 20, tzinfo=UTC)  # 15:00 in Pennsylvania

SHOOTER: Final = ("shooter", "seat7")
SMALL, TALL, ALL = "all_small", "all_tall", "all_or_nothing_at_all"

# A roll of each total.
ROLL: Final = {
    2: "1-1", 3: "2-1", 4: "3-1", 5: "2-3", 6: "4-2", 7: "5-2",
    8: "6-2", 9: "4-5", 10: "5-5", 11: "5-6", 12: "6-6",
}  # fmt: skip


def rolls(*totals: int) -> Play:
    """Throw these totals, one after the other.

    >>> rolls(2, 7)
    [('dice', '1-1'), ('dice', '5-2')]
    """
    return [("dice", ROLL[total]) for total in totals]


def marked(*totals: int) -> Play:
    """Throw these totals, a marker button put on each.

    >>> marked(4)
    [('dice', '3-1'), ('dealer', 'mark 4')]
    """
    return [act for total in totals for act in (*rolls(total), ("dealer", f"mark {total}"))]


def bet(
    wager: str, cents: int = 500, *, seat: int = 3, coupon: int = 0, bettor: str | None = None
) -> RecordWager:
    """Add chips, and a Match Play Coupon under them, on a Bonus Craps wager."""
    return RecordWager(seat, wager, cents, bettor=bettor, coupon_cents=coupon)


def paid(
    wager: str, cents: int, vigorish: int = 0, *, seat: int = 3, bettor: str | None = None
) -> RecordPaid:
    """Settle a wager: the player's gain, and vigorish that was taken."""
    return RecordPaid(seat, wager, cents, vigorish, bettor=bettor)


def audit(
    play: Play,
    *wagers: RecordWager,
    settled: Sequence[RecordPaid] | None = None,
    at: datetime = EVENING,
    decks: int | None = None,
    **options: Any,
) -> Conclusion:
    """Judge one turn through the public road."""
    record = RoundRecord(
        table="CR-1",
        round="1",
        chapter="623a",
        at=at,
        play=play,
        wagers=list(wagers),
        options=options,
        decks=decks,
        paid=None if settled is None else list(settled),
    )
    return answer(record, HOUSE)


def owed(concluded: Conclusion, wager: str, *, seat: int = 3) -> int | None:
    """Return the gain that a wager is owed, in cents; None where it is open. It never owes vigorish."""
    (found,) = [each for each in concluded.expected if (each.seat, each.wager) == (seat, wager)]
    assert found.vigorish_cents == (0 if found.cents is not None else None)
    return found.cents


def checks(concluded: Conclusion) -> list[str]:
    """Return the findings."""
    return [finding.check for finding in concluded.findings]


def notes(concluded: Conclusion) -> list[str]:
    """Return the notes without the one on the unseen settlement."""
    return [note.check for note in concluded.notes if note.check != "settlement_not_observed"]


def owed_by(clause: str, play: Play, wager: str, cents: int = 500) -> int:
    """Return the gain of the only wager of a turn, and prove that it stands on `clause`.

    The wager is settled by a cent too much: the finding must name the clause.
    """
    gain = owed(audit(play, bet(wager, cents)), wager)
    assert gain is not None, f"{wager} is not settled"
    (finding,) = audit(play, bet(wager, cents), settled=[paid(wager, gain + 1)]).findings
    assert clause in finding.citations, f"{wager} is settled by {finding.citations}, not by {clause}"
    return gain


def found(concluded: Conclusion) -> tuple[str, tuple[str, ...]]:
    """Return the check and the citations of the only finding."""
    (finding,) = concluded.findings
    return finding.check, finding.citations
