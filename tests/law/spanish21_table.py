"""A Spanish 21 table as the tests of Chapter 551 speak of it.

A play is written as `1:Kd D:9c 1:8s D:Kh 1:stand`: seat 1 gets a king, the dealer a nine, and so on; `1.2` is
the second hand of seat 1's pair, `x` the discard rack, `b` a burned card. A stake is `1 wager 1000`, in
cents, one on a split hand `1.2 wager 1000`.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from schemas.house import House
from schemas.record import RecordPaid, RecordWager, RoundRecord

HOUSE: Final = House(house="a house of the tests")
EVENING: Final = datetime(2011, 1, 1, 20, tzinfo=UTC)  # 15:00 in Pennsylvania, while the text was in force

_WHO: Final = {"D": "dealer", "x": "discard", "b": "burn"}
WAGER: Final = "1 wager 1000"


def play_of(cards: str) -> list[tuple[str, str]]:
    """Write a play in the words of the round record.

    >>> play_of("1:Kd D:9c 1.2:stand x:Ts :void")
    [('seat1', 'Kd'), ('dealer', '9c'), ('seat1.2', 'stand'), ('discard', 'Ts'), ('dealer', 'void')]
    """
    acts = []
    for act in cards.split():
        who, what = act.split(":")
        acts.append((_WHO.get(who, f"seat{who}") if who else "dealer", what.replace("+", " ")))
    return acts


def _stake(text: str) -> tuple[int, str, int, str | None]:
    hand, wager, cents = text.split()
    return int(hand.partition(".")[0]), wager, int(cents), f"seat{hand}" if "." in hand else None


def audit(
    cards: str,
    *stakes: str,
    paid: Sequence[str] | None = None,
    decks: int | None = None,
    announced: str | None = None,
    at: datetime = EVENING,
    house: House = HOUSE,
    **options: Any,
) -> Conclusion:
    """Judge one round through the public road; without stakes, seat 1 has 1,000 cents on its hand."""
    wagers = [_stake(text) for text in stakes or (WAGER,)]
    settled = None if paid is None else [_stake(text) for text in paid]
    record = RoundRecord(
        table="SP-1",
        round="1",
        chapter="551",
        at=at,
        play=play_of(cards),
        wagers=[RecordWager(seat, wager, cents, hand=hand) for seat, wager, cents, hand in wagers],
        options=options,
        decks=decks,
        announced=announced,
        paid=None
        if settled is None
        else [RecordPaid(seat, wager, cents, hand=hand) for seat, wager, cents, hand in settled],
    )
    return answer(record, house)


def owed(concluded: Conclusion) -> dict[str, int | None]:
    """Return what each wager is owed, by hand and name: `1 wager`, `1.2 wager`."""
    return {
        f"{(each.hand or f'seat{each.seat}').removeprefix('seat')} {each.wager}": each.cents
        for each in concluded.expected
    }


def gain(cards: str, *stakes: str, **how: Any) -> int | None:
    """Return what seat 1's own wager is owed."""
    return owed(audit(cards, *stakes, **how))["1 wager"]


def found(concluded: Conclusion) -> list[tuple[str, str | None]]:
    """Return the findings and the hands that they are about."""
    return [(finding.check, finding.who or None) for finding in concluded.findings]


def cites(concluded: Conclusion) -> set[str]:
    """Return all provisions that the findings cite."""
    return {cite for finding in concluded.findings for cite in finding.citations}


def stands_on(clause: str, cards: str, *stakes: str, wager: str = "1 wager", **how: Any) -> int:
    """Return what a wager is owed, and prove that it stands on `clause`.

    All is paid as owed but for one cent too much on this wager: the finding must name the clause.
    """
    due = owed(audit(cards, *stakes, **how))
    cents = due[wager]
    assert cents is not None, f"{wager} is not settled"
    wrong = due | {wager: cents + 1}
    paid = [f"{name} {sum_}" for name, sum_ in wrong.items() if sum_ is not None]
    (finding,) = audit(cards, *stakes, paid=paid, **how).findings
    assert clause in finding.citations, f"{wager} is settled by {finding.citations}, not by {clause}"
    return cents
