"""A round in one sentence that can be read to the floor over the telephone.

It tells what came, each wager that was not settled as owed, whatever else was found, and the rest by their
number; of many such wagers, those that matter most. It accuses nobody, and names persons only as far as what
it is made from does.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from projections.console.records.shown import Told
from projections.console.wording.words import clock
from projections.drawing.lying import Lying
from projections.drawing.picture import Place
from projections.drawing.words import counted, place_of
from projections.games import game_of
from projections.hand.findings import Finding
from projections.hand.findings import told as told_of
from projections.hand.round import ASIDE, Key
from projections.hand.spots import Spot
from schemas.values import dollars, in_words

_UNSAID: Final = ASIDE | {"dead"}  # hands that nobody plays
_MOST_WAGERS: Final = 3  # more than these nobody keeps in mind over the telephone


def saying(told: Told, zone: str, seat: int | None = None) -> str:
    """Say a round: where and when, what came, what was paid otherwise than owed, and what else was found.

    Of more than three wagers that were not settled as owed the three are told that matter most: those of the
    `seat` that is asked about, then the largest sums.
    """
    opened = f", {clock(told.at, zone)[:5]}" if told.at is not None else ""
    says = "; ".join([_came(told), *_settled(told, seat), *_found(told)])
    return f"Round {told.round} at {told.table}{opened}: {says}."


# ── what came ────────────────────────────────────────────────────────────────────────────────────────


def _came(told: Told) -> str:
    if ("dealer", "void") in told.play:
        return "called void"
    common = [place for place in told.places if not place.title.startswith("Seat ")]
    says = [said for said in map(_lies, common) if said]
    if says and told.counts_all:
        says[-1] += " by all cards seen"
    if game_of(told.chapter).calls:
        # A dealer's count is the result of his game, and is said already.
        if told.outcome is None:
            says.append("result open")
        elif told.outcome not in {counted(hand) for place in common for hand in place.hands}:
            says.append(f"result {in_words(told.outcome)}")
        called = f"announced {in_words(told.announced or '')}"
        found = any(called in finding.message for finding in told.findings)  # which is said later
        if told.announced not in (None, told.outcome) and not found:
            says.append(called)
    return ", ".join(says) or "nothing was seen"


def _lies(place: Place) -> str:
    """Say what the hands of a common place came to: the faces of dice, the counts of anything else."""
    played = [hand for hand in place.hands if hand.hand.partition(".")[0] not in _UNSAID]
    rolls = [piece.face for hand in played for piece in hand.pieces if piece.kind == "dice"]
    if rolls:
        return f"dice {', '.join(roll or 'not seen' for roll in rolls)}"
    counts = _counts(played)
    return f"{place.title} {counts}" if counts else ""


def _counts(hands: Iterable[Lying]) -> str:
    """Say what hands came to, each half of a hand that was set in two by its name.

    >>> _counts([Lying("seat1.high", (), "Gong, rank 20"), Lying("seat1.low", (), "value 8")])
    'high hand Gong, rank 20 and low hand value 8'
    """
    return " and ".join(
        f"{half} hand {count}" if (half := hand.hand.partition(".")[2]).isalpha() else count
        for hand in hands
        if (count := counted(hand))
    )


# ── the money ────────────────────────────────────────────────────────────────────────────────────────


def _settled(told: Told, seat: int | None) -> Iterator[str]:
    off: list[tuple[Place, Spot]] = []
    settled = undecided = unseen = 0
    for place in told.places:
        for spot in place.wagers:
            if differs(spot):
                off.append((place, spot))
            elif spot.owed_cents is None:
                undecided += 1
            elif spot.paid_cents is None:
                unseen += 1
            else:
                settled += 1
    yield from _not_as_owed(off, seat)
    if settled:
        yield f"{_wagers(settled, other=bool(off))} settled as owed"
    if undecided:
        yield f"{_wagers(undecided)} left open"
    if unseen:
        yield f"the settlement of {_wagers(unseen)} not seen"
    if not (off or settled or undecided or unseen):
        yield "no wager seen"


def _not_as_owed(off: list[tuple[Place, Spot]], seat: int | None) -> Iterator[str]:
    if len(off) > _MOST_WAGERS:
        off = sorted(off, key=lambda each: (each[1].seat != seat, -abs(_apart_by(each[1]))))
    yield from (_wager(place, spot) for place, spot in off[:_MOST_WAGERS])
    if unsaid := len(off[_MOST_WAGERS:]):
        yield f"{_wagers(unsaid, other=True)} not settled as owed"


def differs(spot: Spot) -> bool:
    """Tell whether what was paid, or taken as vigorish, is known not to be what was owed."""
    return bool(spot.difference_cents or spot.vigorish_difference_cents)


def _apart_by(spot: Spot) -> int:
    """Give by how many cents more than owed a wager brought its bettor, vigorish and all."""
    return (spot.difference_cents or 0) - (spot.vigorish_difference_cents or 0)


def _wagers(count: int, *, other: bool = False) -> str:
    return f"{count} {'other ' if other else ''}wager{'' if count == 1 else 's'}"


def _wager(place: Place, spot: Spot) -> str:
    """Say a wager that was not settled as owed, with the hand that it hung on where the seat has one.

    >>> place, owed = Place("Seat 3", (), ()), {"coupon_cents": 0, "coupon": None, "hand": None}
    >>> righted = dict.fromkeys(("righted_cents", "righted_vigorish_cents", "later_cents"), 0)
    >>> banker = Spot(**owed, **righted, later_vigorish_cents=0, seat=3, bettor=None, wager="banker",
    ...     cents=10000, owed_cents=10000, owed_vigorish_cents=500, paid_cents=10000,
    ...     paid_vigorish_cents=0, difference_cents=0, vigorish_difference_cents=-500, favours="patron",
    ...     steps=())
    >>> _wager(place, banker)
    'seat 3 banker $100.00 was paid $100.00, $95.00 is owed after vigorish: $5.00 back from the patron'
    """
    who = place_of(f"seat{spot.seat}" if spot.seat else "dealer")
    who = who[0].lower() + who[1:] + (f" {spot.bettor}" if spot.bettor else "")
    of = f" hand {spot.hand.partition('.')[2] or 1}" if spot.hand else ""
    counts = _counts(hand for hand in place.hands if _plays(hand.hand, spot))
    held = f" with {counts}," if counts else ""
    coupon = f" and a coupon of {dollars(spot.coupon_cents)}" if spot.coupon_cents else ""
    chips = dollars(spot.cents) if spot.cents or not coupon else "no chips"
    return f"{who}{of}{held} {in_words(spot.wager)} {chips}{coupon} {_paid(spot)}, {_owed(spot)}{_due(spot)}"


def _plays(hand: str, spot: Spot) -> bool:
    """Tell whether a wager hangs on a hand: on its own, else on the seat's first, or both halves of it."""
    if spot.hand is not None:
        return hand == spot.hand
    return not hand.partition(".")[2].isdigit()


def _paid(spot: Spot) -> str:
    gain, vigorish = spot.paid_cents or 0, spot.paid_vigorish_cents or 0
    if gain - vigorish == _owed_net(spot):  # the two differences make up for each other
        return f"was settled at {_apart(gain, vigorish)}"
    if gain == vigorish == 0:
        return "was returned"
    if gain - vigorish < 0:
        return f"had {dollars(vigorish - gain)} collected"
    return f"was paid {dollars(gain - vigorish)}"


def _owed(spot: Spot) -> str:
    gain, vigorish = spot.owed_cents or 0, spot.owed_vigorish_cents or 0
    if gain - vigorish == (spot.paid_cents or 0) - (spot.paid_vigorish_cents or 0):
        return f"by the rule it is {_apart(gain, vigorish)}"
    after = " after vigorish" if vigorish else " without vigorish" if spot.paid_vigorish_cents else ""
    if gain == vigorish == 0:
        return f"it is to be returned{after}" if spot.cents else "nothing is owed"
    if gain - vigorish < 0:
        return f"{dollars(vigorish - gain)} is to be collected{after}"
    return f"{dollars(gain - vigorish)} is owed{after}"


def _due(spot: Spot) -> str:
    """Say what is to change hands now: a loser that was paid must give back the payout and its wager too."""
    more = _apart_by(spot)
    if not more:
        return ""
    way = "back from" if more > 0 else "more to"
    return f": {dollars(abs(more))} {way} the {'patron' if spot.seat else 'dealer'}"


def _owed_net(spot: Spot) -> int:
    return (spot.owed_cents or 0) - (spot.owed_vigorish_cents or 0)


def _apart(gain: int, vigorish: int) -> str:
    return f"a gain of {dollars(gain)} and {dollars(vigorish)} of vigorish"


# ── what else was found ──────────────────────────────────────────────────────────────────────────────


def _found(told: Told) -> Iterator[str]:
    """Say each finding that is not the difference of a wager that was said, or counted, already."""
    said = {key_of(spot) for place in told.places for spot in place.wagers if differs(spot)}
    for finding in told.findings:
        if not (isinstance(finding.expected_cents, int) and _key(finding) in said):
            open_ = "undetermined, " if finding.weight == "undetermined" else ""
            yield open_ + _plainly(finding)


def _plainly(finding: Finding) -> str:
    return re.sub(r"\bseat(?=\d)", "seat ", told_of(finding))


def key_of(spot: Spot) -> Key:
    """Give the key of a wager."""
    return spot.seat, spot.bettor, spot.wager, spot.hand


def _key(finding: Finding) -> Key | None:
    """Give the key of the wager that a finding is about, if it names one."""
    if not isinstance(finding.seat, int) or not isinstance(finding.wager, str):
        return None
    bettor = finding.bettor if isinstance(finding.bettor, str) else None
    hand = finding.hand if isinstance(finding.hand, str) else None
    return finding.seat, bettor, finding.wager, hand
