"""Whose part of a hand is asked for: seats, or a patron by name, or all."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.observation import Round, who_of
from projections.evidence.bundle_events import Placed
from projections.evidence.bundle_hand import Judgement, unturned
from projections.evidence.disclosure import View, Who, names_in
from schemas.errors import BadInput

_WHO: Final = re.compile(r"([1-9][0-9]{0,5})(?:/(.+))?")


class SubjectQuery(Struct, frozen=True):
    """Whose part is asked for: seats as `3` or `3/anna`, a patron by name, all; and whether staff is."""

    seats: tuple[str, ...]
    patron: str | None
    all_seats: bool
    staff: bool


def view_of(query: SubjectQuery, judged: Judgement, own: Sequence[Placed]) -> View:
    """Return what may be shown of a hand; `own` are its events.

    Raises:
        BadInput: a seat or patron has no part in the hand, or none was named and several have.
    """
    people = None if query.all_seats else _people(query, judged, own)
    observed = judged.seen
    coupons = {
        wager.coupon
        for key, wager in observed.wagers.items()
        if wager.coupon is not None and (people is None or (key[0], key[1]) in people)
    }
    view = View(people, query.staff, frozenset(coupons))
    names = set(names_in((each.event for each in own), view))
    if not query.staff:
        names |= {name for name in (observed.dealer, observed.floorperson) if name}
    setup = judged.house.tables[observed.table]
    trays = {device for device, source in setup.sources.items() if source == "tray" and people is not None}
    return replace(view, names=frozenset(names), counters=frozenset(trays), unturned=unturned(judged))


def _people(query: SubjectQuery, judged: Judgement, own: Sequence[Placed]) -> frozenset[Who]:
    observed = judged.seen
    wagered = sorted(
        {(key[0], key[1]) for key in (*observed.wagers, *(observed.paid or ())) if key[0]}, key=_in_order
    )
    present = {*wagered, *_told_of(own)}
    where = f"round {observed.number!r} of table {observed.table!r} on {observed.day}"
    has = f"with wagers there: {', '.join(who_of(*each) for each in wagered) or 'nobody'}"
    people: set[Who] = set()
    for text in query.seats:
        who = _who(text)
        if who not in present:
            raise BadInput(f"{where}: seat {text} has no part in it; {has}")
        people.add(who)
    if query.patron is not None:
        people |= _seats_of(query.patron, judged.seen, present, where, has)
    if not people and len(wagered) > 1:
        raise BadInput(f"{where}: {has}; say whose part is to be shown: --seat, --patron, or --all-seats")
    return frozenset(people or wagered)


def _in_order(who: Who) -> tuple[int, str]:
    return who[0], who[1] or ""


def _told_of(own: Sequence[Placed]) -> set[Who]:
    """Return those of whom an event of the hand tells."""
    found: set[Who] = set()
    for each in own:
        seat = getattr(each.event, "seat", None)
        if isinstance(seat, int) and seat:
            found.add((seat, getattr(each.event, "bettor", None)))
    return found


def _who(text: str) -> Who:
    found = _WHO.fullmatch(text)
    if found is None:
        raise BadInput(f"--seat {text}: write a seat as 3, or 3/anna where several bet on one")
    return int(found[1]), found[2]


def _seats_of(patron: str, observed: Round, present: set[Who], where: str, has: str) -> set[Who]:
    """Find a patron: by the name that the person had on a spot, or by who sat down."""
    found = {
        who for who in present if patron == (who[1] if who[1] is not None else observed.seated.get(who[0]))
    }
    if not found:
        raise BadInput(f"{where}: patron {patron!r} is not known to have a part in it; {has}: say --seat")
    return found
