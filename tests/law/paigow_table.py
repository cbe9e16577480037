"""A Pai Gow table as the tests of Chapter 535 speak of it: hands, wagers, and the audit's answer."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from schemas.house import House
from schemas.record import RecordPaid, RecordWager, RoundRecord

Play: TypeAlias = list[tuple[str, str]]

HOUSE: Final = House(house="a house of the tests")
EVENING: Final = datetime(2011, 1, 1, 20, tzinfo=UTC)

BANK: Final[dict[str, Any]] = {"player_bank": True}
CO_BANK: Final[dict[str, Any]] = {"player_bank": True, "co_bank": True}


def lay(who: str, high: str, low: str) -> Play:
    """Open two hands.

    >>> lay("seat1", "6-6 5-4", "2-2 1-1")
    [('seat1.high', '6-6'), ('seat1.high', '5-4'), ('seat1.low', '2-2'), ('seat1.low', '1-1')]
    """
    return [
        *((f"{who}.high", tile) for tile in high.split()),
        *((f"{who}.low", tile) for tile in low.split()),
    ]


def bet(
    cents: int = 2000, seat: int = 1, wager: str = "pai_gow", *, coupon: int = 0, bettor: str | None = None
) -> RecordWager:
    """Add chips, and a Match Play Coupon under them, on a spot."""
    return RecordWager(seat, wager, cents, bettor=bettor, coupon_cents=coupon)


def paid(cents: int, vigorish: int = 0, seat: int = 1, wager: str = "pai_gow") -> RecordPaid:
    """Settle a wager: the player's gain, and the vigorish taken."""
    return RecordPaid(seat, wager, cents, vigorish)


def audit(
    play: Play,
    *wagers: RecordWager,
    settled: Sequence[RecordPaid] | None = None,
    at: datetime = EVENING,
    house: House = HOUSE,
    **options: Any,
) -> Conclusion:
    """Judge one round through the public road."""
    record = RoundRecord(
        table="PG-1",
        round="1",
        chapter="535",
        at=at,
        play=play,
        wagers=list(wagers),
        options=options,
        paid=None if settled is None else list(settled),
    )
    return answer(record, house)


def owed(concluded: Conclusion, seat: int = 1, wager: str = "pai_gow") -> tuple[int | None, int | None]:
    """Return the gain and the vigorish that a wager is owed, in cents."""
    (found,) = [each for each in concluded.expected if (each.seat, each.wager) == (seat, wager)]
    return found.cents, found.vigorish_cents


def found(concluded: Conclusion) -> list[tuple[str, str | None]]:
    """Return the findings and whose hand they are about."""
    return [(each.check, each.who if isinstance(each.who, str) else None) for each in concluded.findings]


def checks(concluded: Conclusion) -> list[str]:
    """Return the findings."""
    return [each.check for each in concluded.findings]


def cites(concluded: Conclusion) -> tuple[str, ...]:
    """Return the citations of the only finding."""
    (only,) = concluded.findings
    return only.citations


def won_by(clause: str, play: Play, *wagers: RecordWager, seat: int = 1, **options: Any) -> int:
    """Return what the only seat's wager gains, and prove that it stands on a clause.

    The wager is paid a cent more than is owed: the finding must name the clause.
    """
    everyone = wagers or (bet(seat=seat),)
    gain, vigorish = owed(audit(play, *everyone, **options), seat)
    assert gain is not None
    assert vigorish is not None
    wrong = audit(play, *everyone, settled=[paid(gain + 1, vigorish, seat)], **options)
    (only,) = [each for each in wrong.findings if each.seat == seat]
    assert clause in only.citations
    return gain
