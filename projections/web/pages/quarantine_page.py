"""What could not be read or stored: its place and the reason; its text only to who may see it, and when.

The text can hold cards of a round that is still open, so it is kept back from everybody until the gaming day
in which it came is over, the lateness window included.
"""

from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec.structs import replace

from projections.web.auth.embargo import Hidden
from projections.web.auth.person import Person
from projections.web.pages.action_routes import Clock
from projections.web.records.record_views import Asked, Quarantine, Unread
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.house import House
from schemas.values import Micros, microseconds


def kept_back(found: Quarantine, person: Person, hidden: Hidden, house: House, now: Micros) -> Quarantine:
    """Take the texts out of a page of the quarantine that this person may not read now.

    Names stand in them unmasked: they are for who may see names. Of what they tell nobody knows: they are
    not for somebody from whom a record is withheld.
    """
    may = "unmask" in person.rights and not hidden.subjects
    return replace(
        found,
        records=[
            each if may and _over(each, house, now) else replace(each, payload=None) for each in found.records
        ],
    )


def _over(record: Unread, house: House, now: Micros) -> bool:
    """Return True if every round that a record can be of is over: its gaming day is, with what comes late."""
    return now > house.late(house.gaming_date(microseconds(record.noted)))


def page_of(
    reader: NamedDependency[Reader],
    asked: NamedDependency[Asked],
    sight: NamedDependency[Sight],
    wall: NamedDependency[Clock],
) -> Quarantine:
    """Find the page that is asked for; one beyond the last is not there. Whose text is shown is noted."""
    found = reader.quarantine(asked.page, sight.hidden)
    if asked.page > found.pages:
        raise NotFoundException(f"There is no page {asked.page}; the last is {found.pages}.")
    shown = kept_back(found, sight.person, sight.hidden, reader.house, wall())
    for each in shown.records:
        if each.payload is not None:
            sight.looking.looked(sight.person, "quarantine", each.id)
    return shown


_GIVEN: Final = {"found": Provide(page_of, sync_to_thread=True)}


@get("/quarantine", sync_to_thread=True, opt={"needs": "health"}, dependencies=_GIVEN)
def quarantine_page(found: NamedDependency[Quarantine], asked: NamedDependency[Asked]) -> Template:
    """Show what could not be read or stored."""
    return Template("quarantine.html", context={"found": found, "asked": asked})


@get("/api/quarantine", sync_to_thread=False, opt={"needs": "health"}, dependencies=_GIVEN)
def quarantine(found: NamedDependency[Quarantine]) -> Quarantine:
    """Return what could not be read or stored, as the page shows it."""
    return found


QUARANTINE: Final[list[ControllerRouterHandler]] = [quarantine_page, quarantine]
