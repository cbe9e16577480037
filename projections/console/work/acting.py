"""The one route by which people act: an action as JSON in, how its subject stands now out."""

from asyncio import to_thread
from collections.abc import Callable
from typing import Final, TypeAlias

from litestar import get, post
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException, PermissionDeniedException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.console.access.embargo import Hidden
from projections.console.access.entry import Entry
from projections.console.access.person import Person
from projections.console.live.live import Live
from projections.room.desk import Answer, Desk
from projections.room.disputes.actions import DisputeAction
from projections.room.logbook.actions import AnyLogAction
from projections.room.work.actions import WorkAction
from projections.room.work.deciding import Actor, NotAllowed, Refused
from schemas.values import Micros

AnyAction: TypeAlias = WorkAction | DisputeAction | AnyLogAction
Clock: TypeAlias = Callable[[], Micros]


class Said(Struct, frozen=True):
    """Why something was not done."""

    error: str


class Conflict(HTTPException):
    """What was asked cannot be done as things stand."""

    status_code = 409


_ANSWERS: Final = {
    403: ResponseSpec(Said, description="The role may not do this, or the page is too old."),
    409: ResponseSpec(Said, description="Somebody was quicker, or it cannot be done as things stand."),
}


def actor(
    person: NamedDependency[Person],
    entry: NamedDependency[Entry],
    hidden: NamedDependency[Hidden],
) -> Actor:
    """Say who acts, whom else there is, and what is withheld from who acts."""
    return Actor(person.name, person.role, person.rights, entry.accounts.working(), hidden.subjects)


@post("/api/actions", status_code=200, opt={"needs": "see"}, responses=_ANSWERS)
async def act(
    data: JSONBody[AnyAction],
    desk: NamedDependency[Desk],
    live: NamedDependency[Live],
    actor: NamedDependency[Actor],
    wall: NamedDependency[Clock],
) -> Answer:
    """Do what somebody asks for; the same again, by its id, changes nothing and is answered alike."""
    try:
        answer = await to_thread(desk.act, data, actor, wall())
    except NotAllowed as error:
        raise PermissionDeniedException(str(error)) from None
    except Refused as error:
        raise Conflict(str(error)) from None
    live.tell(desk.news())
    return answer


@get("/api/people", sync_to_thread=False, opt={"needs": "work"})
def people(actor: NamedDependency[Actor]) -> list[str]:
    """List the names of those to whom an alert can be given."""
    return sorted(actor.people)


ACTING: Final[list[ControllerRouterHandler]] = [act, people]
