"""Disclosure of a hand: of whose seats, and whether those who worked at the table are named.

What is not known to be of those who are shown, or of the whole table's play, is withheld; so is a kind of
event that is not listed here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.facts import (
    Arg,
    DeviceRef,
    Fact,
    HandRef,
    PatronRef,
    SerialRef,
    StaffRef,
    WagerRef,
    fact,
    leaves,
)
from projections.engine.fold.watermark import in_order
from projections.engine.observation import hand_name, person
from projections.evidence.bundle_events import PEOPLE, PlacedEvent
from projections.views.text import text
from schemas.events import (
    CardBurned,
    CardDiscarded,
    CardDrawn,
    CardSeen,
    CouponDropped,
    DealerRelieved,
    Deed,
    DeviceCameBack,
    DevicesPolled,
    DeviceWentSilent,
    DiceRolled,
    Event,
    EventId,
    HouseRulesChanged,
    MarkersCleared,
    NumberMarked,
    OutcomeAnnounced,
    RangeIndicated,
    ReportCorrected,
    RollCancelled,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    ShoeExhausted,
    ShoeLoaded,
    SimulatedRoundDealt,
    TableOpened,
    WagersClosed,
    id_of,
)
from schemas.values import Person

Who = tuple[int, str | None]  # a seat, and the person where several bet on its spots

# Events of the whole table, which belong to nobody.
_COMMON: Final = (
    TableOpened, HouseRulesChanged, ShoeLoaded, RoundOpened, WagersClosed, SimulatedRoundDealt,
    OutcomeAnnounced, RoundVoided, RoundClosed, RangeIndicated, DiceRolled, RollCancelled, NumberMarked,
    MarkersCleared, CardBurned, CardDiscarded, ShoeExhausted, DeviceWentSilent, DeviceCameBack, DevicesPolled,
)  # fmt: skip
_STAFF: Final = (*PEOPLE, DealerRelieved)
# Fields whose text names a person, or a person's document.
_WORKS: Final = ("dealer", "floorperson")
_PATRONS: Final = ("patron", "bettor")
_PLAYS: Final = (*_PATRONS, "coupon", "check")
# Fields of a kind that is shown to all into which a device may put any words; they are searched for names.
_FREE: Final = ("outcome", "range", "dice")
_A_NAME: Final = 3  # letters
_DEEPEST: Final = 8
# A seat in words that are not ours.
_SEAT: Final = re.compile(r"\bseat ?([0-9]+)", re.IGNORECASE)

WITHHELD: Final = fact("evidence.withheld")
OTHER_SEAT: Final = "of another seat"
NAMES_STAFF: Final = "names who worked at the table"
NOT_OWN: Final = "of the whole table: its chips, counts and papers"
NAMES_OTHERS: Final = "names someone who is not shown"
NOT_PLAIN: Final = "of a frame in which a name stands twice"
FACE_DOWN: Final = "a card that was never turned up"


class DisclosureScope(Struct, frozen=True):
    """Disclosed part of a hand: of which people, None for all; whether staff is shown.

    `coupons` are the serials under their wagers. `names` must not occur in any event, fact or text of others.
    `counters` are devices that count the whole table's chips, which no fact may name. `unturned` are cards
    that were never turned up, each by its hand and its place in it, from 1. Facts are decided by their
    arguments, never by their text.
    """

    people: frozenset[Who] | None
    staff: bool
    coupons: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    counters: frozenset[str] = frozenset()
    unturned: frozenset[tuple[str, int]] = frozenset()

    def shows(self, seat: int, bettor: str | None) -> bool:
        """Return True if a person's wagers are shown; the dealer's own, seat 0, would reveal the others'.

        >>> view = DisclosureScope(frozenset({(3, None)}), staff=False)
        >>> view.shows(3, None), view.shows(3, "anna"), view.shows(0, None)
        (True, False, False)
        """
        return self.people is None or (seat, bettor) in self.people

    def shows_hand(self, hand: str) -> bool:
        """Return True if a hand is shown: common hands are, a seat's to all who wager on it.

        >>> view = DisclosureScope(frozenset({(3, "anna")}), staff=False)
        >>> [view.shows_hand(each) for each in ("banker", "seat3.2", "seat3/ben", "seat4.high")]
        [True, True, False, False]
        """
        if not hand.startswith("seat"):
            return True
        try:
            seat, bettor = person(hand)
        except ValueError:
            return self.people is None
        return self.shows(seat, bettor) if bettor is not None else self.shows_seat(seat)

    def shows_seat(self, seat: int) -> bool:
        """Return True if anyone who wagers at a seat is shown."""
        return self.people is None or any(seat == each for each, _ in self.people)

    def may_say(self, words: str) -> bool:
        """Return True if the text of a device or a person reveals nothing that is withheld.

        >>> view = DisclosureScope(frozenset({(3, None)}), staff=False, names=frozenset({"D-9"}))
        >>> [view.may_say(each) for each in ("Seat 3: 19.", "seat13.2 stands", "called by D-9", "D-91")]
        [True, False, False, True]
        """
        if self.people is not None and not all(self.shows_seat(int(seat)) for seat in _SEAT.findall(words)):
            return False
        return not any(_has(words, name) for name in (*self.names, *self.counters))

    def may_tell(self, fact: Fact) -> bool:
        """Return True if a fact reveals nothing that is withheld, by its arguments.

        >>> view = DisclosureScope(frozenset({(3, None)}), staff=False, counters=frozenset({"V-1"}))
        >>> named = (HandRef("seat3.2"), HandRef("seat4"), DeviceRef("V-1"), StaffRef("sam"))
        >>> [view.may_tell(Fact("x.y", {"of": each})) for each in named]
        [True, False, False, False]
        """
        return all(map(self.may_name, leaves(fact)))

    def may_name(self, arg: Arg) -> bool:
        """Return whether an argument of a fact may be named; of a plain `str` others may be the authors.

        >>> view = DisclosureScope(frozenset({(3, "anna")}), staff=False)
        >>> [view.may_name(WagerRef(*who, "tie", None)) for who in ((3, "anna"), (3, "ben"), (0, None))]
        [True, False, True]
        """
        match arg:
            case HandRef():
                return self.shows_hand(arg.hand) and self.may_say(arg.hand.replace("/", " "))
            case WagerRef():
                return self._may_name_wager(arg)
            case StaffRef():
                return self.staff
            case PatronRef(name) | SerialRef(name) | DeviceRef(name):
                return name not in (self.counters if isinstance(arg, DeviceRef) else self.names)
            case str():
                return self.may_say(arg)
        return True

    def _may_name_wager(self, on: WagerRef) -> bool:
        if on.seat == 0:  # the dealer's, which stands for no seat
            return True
        whose = self.shows(on.seat, on.bettor) if on.bettor is not None else self.shows_seat(on.seat)
        return whose and (on.hand is None or self.may_name(HandRef(on.hand)))

    def redact(self, fact: Fact) -> Fact:
        """Return a fact, or its replacement if it reveals something withheld."""
        return fact if self.may_tell(fact) else WITHHELD

    def others_words(self, words: str) -> str:
        """Return what a device or a person wrote, or what stands in its place where that is withheld."""
        return words if self.may_say(words) else text(WITHHELD)


def _has(text: str, name: str) -> bool:
    """Return True if a name stands in a text as a word of its own; a letter on a spot only after its seat.

    >>> _has("A natural in the Banker's Hand", "A"), _has("seat 3 A tie: gain $5.00", "A")
    (False, True)
    """
    return name in text and re.search(pattern_of(name), text) is not None


def pattern_of(name: str) -> str:
    """Return what finds a name in a text as a word of its own; a letter on a spot only after its seat."""
    seat = "" if len(name) >= _A_NAME else r"(?i:seat) ?[0-9]+[ /]"
    return rf"(?<!\w){seat}{re.escape(name)}(?!\w)"


def names_in(events: Iterable[Event], view: DisclosureScope) -> frozenset[str]:
    """Return the names of people, and the serials of their papers, that a view does not show."""
    return frozenset(name for event in events for name in _names(event, view))


def _names(event: Event, view: DisclosureScope) -> Iterator[str]:
    if isinstance(event, ReportCorrected):
        if event.instead is not None:
            yield from _names(event.instead, view)
        return
    if not view.staff:
        yield from (name_of for name in _WORKS if isinstance(name_of := getattr(event, name, None), str))
        yield from (each.name for each in _signed(event))
    seat = getattr(event, "seat", None)
    if view.people is None or (isinstance(seat, int) and view.shows(seat, getattr(event, "bettor", None))):
        return
    own = view.coupons | {bettor for _, bettor in view.people}
    yield from (
        name_of
        for name in _PLAYS
        if isinstance(name_of := getattr(event, name, None), str) and name_of not in own
    )


def people_in(events: Iterable[Event]) -> frozenset[str]:
    """Return the names of the patrons, and of those who work at the table, whom events name in a field."""
    return frozenset(name for event in events for name in _people(event))


def _people(event: Event) -> Iterator[str]:
    if isinstance(event, ReportCorrected):
        if event.instead is not None:
            yield from _people(event.instead)
        return
    yield from (
        name_of for name in (*_WORKS, *_PATRONS) if isinstance(name_of := getattr(event, name, None), str)
    )
    yield from (each.name for each in _signed(event))
    hand = getattr(event, "hand", None)
    if isinstance(hand, str) and (bettor := hand_name(hand).bettor):
        yield bettor


def _signed(event: Event) -> Iterator[Person]:
    for field in msgspec.structs.fields(event):
        value = getattr(event, field.name)
        yield from (
            each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Person)
        )


def reasons(found: Sequence[PlacedEvent], view: DisclosureScope) -> list[str | None]:
    """Return for each event of a hand why it is withheld; None if it is shown."""
    events = {id_of(each.event): each.event for each in found}
    draw_counts: dict[str, int] = {}
    places: dict[EventId, tuple[str, int]] = {}
    for each in in_order(list(events.values())):
        if isinstance(each, CardDrawn):
            draw_counts[each.hand] = draw_counts.get(each.hand, 0) + 1
            places[id_of(each)] = (each.hand, draw_counts[each.hand])
    return [_reason(each.event, view, events, places) if each.plain else NOT_PLAIN for each in found]


def _reason(
    event: Event,
    view: DisclosureScope,
    events: Mapping[EventId, Event],
    places: Mapping[EventId, tuple[str, int]],
    depth: int = 0,
) -> str | None:
    if isinstance(event, ReportCorrected):
        about = event.instead or events.get(event.mistaken)
        if about is None or depth > _DEEPEST:
            # If it names a missing event, it reveals no more than that event's number.
            return OTHER_SEAT if depth > _DEEPEST else None
        return _reason(about, view, events, places, depth + 1)
    if isinstance(event, _STAFF) or any(_signed(event)):
        return _apart(event, view) if view.staff else NAMES_STAFF
    if _is_face_down(event, view, places):
        return FACE_DOWN
    words = (getattr(event, name, None) for name in _FREE)
    if not all(view.may_say(word) for word in words if isinstance(word, str)):
        return NAMES_OTHERS
    return _apart(event, view)


def _is_face_down(event: Event, view: DisclosureScope, places: Mapping[EventId, tuple[str, int]]) -> bool:
    if isinstance(event, CardSeen):
        return (event.hand, event.place) in view.unturned
    return isinstance(event, CardDrawn) and places.get(id_of(event)) in view.unturned


def _apart(event: Event, view: DisclosureScope) -> str | None:
    """Return why an event is withheld that may be of a seat."""
    if view.people is None or isinstance(event, (*_COMMON, *_STAFF)):
        return None
    if isinstance(event, CouponDropped):
        return None if event.coupon in view.coupons else OTHER_SEAT
    if isinstance(event, Deed) and not hasattr(event, "bettor"):
        place = getattr(event, "hand", None) or getattr(event, "position", None)
        is_disclosed = (
            view.shows_hand(place) if place is not None else view.shows_seat(getattr(event, "seat", 0))
        )
        return None if is_disclosed else OTHER_SEAT
    seat = getattr(event, "seat", None)
    if isinstance(seat, int):
        return None if view.shows(seat, getattr(event, "bettor", None)) else OTHER_SEAT
    if isinstance(event, CardDrawn | CardSeen):
        return None if view.shows_hand(event.hand) else OTHER_SEAT
    return NOT_OWN
