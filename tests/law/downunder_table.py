"""A Down Under Blackjack table as the tests of Chapter 685a speak of it: play, stakes, the audit's answer."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from schemas.house import House
from schemas.record import RecordPaid, RecordWager, RoundRecord

Play: TypeAlias = list[tuple[str, str]]

HOUSE: Final = House(house="a house of the tests")
EVENING: Final = datetime(2020, 1, 1, 20, tzinfo=UTC)
_WHO: Final = {"d": "dealer", "rack": "discard"}


def play(text: str) -> Play:
    """Read a play: `1` is seat1, `1.2` its second hand, `d` the dealer, `rack` the discard rack.

    >>> play("1:As d:6c 1.2:Kd")
    [('seat1', 'As'), ('dealer', '6c'), ('seat1.2', 'Kd')]
    """
    acts = (act.split(":") for act in text.split())
    return [(_WHO.get(who, f"seat{who}"), what.replace("_to_", " ")) for who, what in acts]


def against(dealer: str, *hands: str, range_: str | None = None) -> str:
    """Deal two cards to seats 1 and on, let each do the rest of its acts, then the dealer draw his cards.

    >>> against("7c Td 4h", "Ks 9d", "8s 3d double Tc")
    '1:Ks 2:8s d:7c 1:9d 2:3d d:Td 2:double 2:Tc d:4h'
    """
    seats = [hand.split() for hand in hands]
    up, hole, *drawn = dealer.split()
    acts = [f"{seat}:{hand[0]}" for seat, hand in enumerate(seats, 1)]
    acts.append(f"d:{up}")
    acts += [f"{seat}:{hand[1]}" for seat, hand in enumerate(seats, 1)]
    acts.append(f"d:{hole}")
    acts += [f"d:{range_}"] if range_ is not None else []
    for seat, hand in enumerate(seats, 1):
        acts += [act if ":" in act else f"{seat}:{act}" for act in hand[2:]]
    return " ".join([*acts, *(f"d:{card}" for card in drawn)])


def bet(wager: str = "bet", cents: int = 1000, *, seat: int = 1, hand: str | None = None) -> RecordWager:
    """Add chips on a seat's spot, or on a hand that was split off."""
    return RecordWager(seat, wager, cents, hand=hand)


def audit(
    text: str,
    *wagers: RecordWager,
    settled: Sequence[tuple[str, int]] | None = None,
    announced: str | None = None,
    decks: int | None = None,
    **options: Any,
) -> Conclusion:
    """Judge one round through the public road; settlements are of the wagers in their order, by name."""
    record = RoundRecord(
        table="DUB-1",
        round="1",
        chapter="685a",
        at=EVENING,
        play=play(text),
        wagers=list(wagers),
        options=options,
        decks=decks,
        announced=announced,
        paid=None
        if settled is None
        else [
            RecordPaid(each.seat, wager, cents, hand=each.hand)
            for each, (wager, cents) in zip(wagers, settled, strict=True)
        ],
    )
    return answer(record, HOUSE)


def owed(concluded: Conclusion) -> list[int | None]:
    """Return what each wager is owed, in cents."""
    return [each.cents for each in concluded.expected]


def gain(text: str, **options: Any) -> int | None:
    """Return what a Bet Wager of 1000 on seat 1 is owed in a round that was played rightly."""
    concluded = audit(text, bet(), **options)
    assert checks(concluded) == []
    return owed(concluded)[0]


def fitting_ranges(hole: str) -> list[str]:
    """Return the ranges that a light can show for a hole card of a rank without a finding."""
    # Under an 8 the dealer is done or draws no more: the only player is over 21.
    return [
        name
        for name in ("small", "medium", "large")
        if checks(audit(against(f"8c {hole}h", "Ts 6d 9c", range_=name), bet())) == []
    ]


def checks(concluded: Conclusion) -> list[str]:
    """Return the findings."""
    return [finding.check for finding in concluded.findings]


def found(concluded: Conclusion) -> list[tuple[str, str | None]]:
    """Return the findings, each with the hand that it is about."""
    return [
        (finding.check, finding.who if isinstance(finding.who, str) else None)
        for finding in concluded.findings
    ]


def cited(concluded: Conclusion, check: str) -> tuple[str, ...]:
    """Return what the only finding of a check stands on."""
    (finding,) = [each for each in concluded.findings if each.check == check]
    return finding.citations


def settled_by(text: str, wager: str = "bet", *beside: RecordWager, **options: Any) -> tuple[int, set[str]]:
    """Return what a wager of 1000 on seat 1 is owed, and what a finding cites when a cent more is paid."""
    stakes = (bet(wager), *beside)
    gained = owed(audit(text, *stakes, **options))[0]
    assert gained is not None, f"{wager} is not settled"
    others = owed(audit(text, *stakes, **options))[1:]
    paid = [
        (wager, gained + 1),
        *((each.wager, cents or 0) for each, cents in zip(beside, others, strict=True)),
    ]
    (finding,) = audit(text, *stakes, settled=paid, **options).findings
    return gained, set(finding.citations)
