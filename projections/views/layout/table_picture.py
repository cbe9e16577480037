"""The table as a picture: its places in order, each with the hands that lie there and its wagers."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from projections.views.layout.picture_text import LyingView, difference, laid_told, place_of, staked, sums
from projections.views.wager_view import AnySpot


class Place(Struct, frozen=True):
    """A place at the table: its name, the hands that lie there, and the wagers made there."""

    title: str
    hands: tuple[LyingView, ...]
    wagers: tuple[AnySpot, ...]


class Picture(Struct, frozen=True):
    """A table: what it is a picture of, and its places, the dealer's and the common ones first."""

    title: str
    places: tuple[Place, ...]


def picture(
    title: str, hands: Sequence[LyingView], wagers: Sequence[AnySpot], seats: Iterable[int] = ()
) -> Picture:
    """Put hands and wagers in their places; `seats` have one also where neither lies there.

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
    return Picture(title, tuple(Place(name, tuple(found[name][0]), tuple(found[name][1])) for name in order))


def _order(title: str) -> tuple[bool, int]:
    """Put the seats last, by their numbers; the rest stays as it came."""
    _, seat, number = title.partition("Seat ")
    return bool(seat), int(number) if seat else 0


def told(shown: Picture) -> list[str]:
    """Tell a picture in sentences, for one who cannot see it."""
    return [
        sentence
        for place in shown.places
        for sentence in (
            *map(laid_told, place.hands),
            *(f"{place.title}{_by(spot)}: {_spot_told(spot)}." for spot in place.wagers),
        )
    ]


def _by(spot: AnySpot) -> str:
    return f" ({spot.bettor})" if spot.bettor else ""


def _spot_told(spot: AnySpot) -> str:
    return "; ".join(part for part in (staked(spot), sums(spot), difference(spot)) if part)
