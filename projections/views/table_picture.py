"""The table as a picture: its places in order, each with its hands, in words and as data."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.observation import Lying, LyingOf, Piece, hand_name
from projections.views.text import text
from projections.views.wager_view import AnySpot
from schemas.values import RANKS, SUITS, dollars, in_words

# ── A picture in words: what hands and places are called, what a card is, what a wager came to ────────

_CALLED: Final = {
    "player": "Player's Hand",
    "banker": "Banker's Hand",
    "dealer": "Dealer",
    "dice": "Dice",
    "burn": "Burned",
    "discard": "Discarded",
    "dead": "Dead hand",
}
_RANKS: Final = dict(
    zip(
        RANKS,
        ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"],
        strict=True,
    )
) | {"?": "card of unread rank", "0": "card worth ten or zero"}
_SUITS: Final = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True)) | {
    "?": "unread suit"
}
FACE_DOWN: Final = "a card face down"
LyingView: TypeAlias = LyingOf[str]


def lying_view(lying: Lying) -> LyingView:
    """Return a hand with its remark in words."""
    remark = text(lying.remark) if lying.remark else ""
    return LyingView(lying.hand, lying.pieces, lying.point_count, remark)


def place_of(hand: str) -> str:
    """Return the place of a hand at the table.

    >>> place_of("seat3.2"), place_of("dealer.high"), place_of("banker")
    ('Seat 3', 'Dealer', "Banker's Hand")
    """
    place = hand_name(hand).place
    if place.startswith("seat"):
        return f"Seat {place.removeprefix('seat')}"
    return _CALLED.get(place, place)


def called(hand: str) -> str:
    """Return a hand.

    >>> called("seat3.2"), called("dealer.high"), called("player")
    ('Seat 3, hand 2', 'Dealer, high hand', "Player's Hand")
    """
    part = hand_name(hand).part_in_words
    return f"{place_of(hand)}, {part}" if part else place_of(hand)


def describe_face(face: str | None) -> str:
    """Return what a piece shows.

    >>> describe_face("Td"), describe_face("?s"), describe_face("6-5"), describe_face(None)
    ('10 of diamonds', 'card of unread rank of spades', '6-5', 'face down')
    """
    if face is None:
        return "face down"
    if "-" in face:
        return face
    return f"{_RANKS[face[0]]} of {_SUITS[face[1:] or '?']}"


def describe_piece(piece: Piece) -> str:
    """Return what a piece shows and whether it counts."""
    return describe_face(piece.face) + ("" if piece.counts else " (disregarded)")


def counted(lying: LyingView) -> str:
    """Return what a hand counts, and anything else to know about it.

    It is empty if there is nothing.
    """
    count = "" if lying.point_count is None else str(lying.point_count)
    unread = any(piece.face is not None and "?" in piece.face[:1] for piece in lying.pieces)
    if not count and unread:
        count = "not read"
    return ", ".join(part for part in (count, lying.remark) if part)


def describe_hand(lying: LyingView) -> str:
    """Return a hand in one sentence.

    >>> describe_hand(LyingView("seat1", (Piece("6d", 1), Piece("Kh", 3)), 16))
    'Seat 1: 6 of diamonds, king of hearts; counts 16.'
    """
    lies = ", ".join(map(describe_piece, lying.pieces)) or "no cards"
    counts = counted(lying)
    return f"{called(lying.hand)}: {lies}{f'; counts {counts}' if counts else ''}."


def staked(spot: AnySpot) -> str:
    """Return the chips of a wager in words."""
    on = f"on {in_words(spot.wager)}" + (f" of hand {hand_name(spot.hand).part or 1}" if spot.hand else "")
    chips = dollars(spot.cents) if spot.cents else "no chips seen"
    coupon = f" and a coupon of {dollars(spot.coupon_cents)}" if spot.coupon_cents else ""
    return f"{chips}{coupon} {on}"


def sums(spot: AnySpot) -> str:
    """Return what a wager was owed and what was paid on it, gain and vigorish, and what permits it."""
    owed = _sum(spot.owed_cents, spot.owed_vigorish_cents, "open")
    paid = _sum(spot.paid_cents, spot.paid_vigorish_cents, "not seen")
    by = f"; {spot.permitted_by} permits that vigorish" if spot.permitted_by is not None else ""
    return f"owed {owed}, paid {paid}{by}"


def _sum(gain: int | None, vigorish: int | None, unknown: str) -> str:
    if gain is None:
        return unknown
    return dollars(gain) + (f" less {dollars(vigorish)}" if vigorish else "")


def difference(spot: AnySpot) -> str:
    """Return by how much what was paid differs from the rule.

    It is empty if it does not, or if either is open.
    """
    return ": ".join(difference_parts(spot))


def difference_parts(spot: AnySpot) -> tuple[str, ...]:
    """Return by how much what was paid is against the rule, and to whose favour, for a line each."""
    parts = [
        f"{what} {_apart(cents)}"
        for what, cents in zip(("gain", "vigorish"), spot.against_the_rule, strict=True)
        if cents
    ]
    if not parts:
        return ()
    side = f"in favor of {f'the {spot.favours}' if spot.favours else 'no one'}"
    gain, vigorish = spot.against_the_rule
    together = f"together {dollars(abs(gain - vigorish))} " if gain and vigorish else ""
    return ", ".join(parts), f"{together}{side}"


def _apart(cents: int) -> str:
    return f"{dollars(abs(cents))} {'too much' if cents > 0 else 'too little'}"


# ── The table as a picture: its places in order, each with its hands and its wagers ─────────────────────


class PicturePlace(Struct, frozen=True):
    """A place at the table: its name, its hands, and the wagers made there."""

    title: str
    hands: tuple[LyingView, ...]
    wagers: tuple[AnySpot, ...]


class TablePicture(Struct, frozen=True):
    """A table: what it is a picture of, and its places, the dealer's and the common ones first."""

    title: str
    places: tuple[PicturePlace, ...]


def picture(
    title: str, hands: Sequence[LyingView], wagers: Sequence[AnySpot], seats: Iterable[int] = ()
) -> TablePicture:
    """Place hands and wagers on the layout; `seats` have a place even if they are empty.

    >>> hands = [LyingView("seat2", (), None), LyingView("dealer", (), None)]
    >>> [place.title for place in picture("The table", hands, []).places]
    ['Dealer', 'Seat 2']
    """
    found: dict[str, tuple[list[LyingView], list[AnySpot]]] = {}
    for hand in hands:
        found.setdefault(place_of(hand.hand), ([], []))[0].append(hand)
    for spot in wagers:
        found.setdefault(place_of(f"seat{spot.seat}" if spot.seat else "dealer"), ([], []))[1].append(spot)
    for seat in seats:
        found.setdefault(place_of(f"seat{seat}"), ([], []))
    order = sorted(found, key=_order)
    return TablePicture(
        title, tuple(PicturePlace(name, tuple(found[name][0]), tuple(found[name][1])) for name in order)
    )


def _order(title: str) -> tuple[bool, int]:
    """Move the seats to the end, by their numbers; the rest stays as it came."""
    _, seat, number = title.partition("Seat ")
    return bool(seat), int(number) if seat else 0


def picture_text(picture: TablePicture) -> list[str]:
    """Return a picture in sentences, for a screen reader."""
    return [
        sentence
        for place in picture.places
        for sentence in (
            *map(describe_hand, place.hands),
            *(f"{place.title}{_by(spot)}: {_describe_spot(spot)}." for spot in place.wagers),
        )
    ]


def _by(spot: AnySpot) -> str:
    return f" ({spot.bettor})" if spot.bettor else ""


def _describe_spot(spot: AnySpot) -> str:
    return "; ".join(part for part in (staked(spot), sums(spot), difference(spot)) if part)
