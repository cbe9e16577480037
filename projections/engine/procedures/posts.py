"""Posts at a table and the cameras over it, as its terminal, staff and recorder report them."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.crew import Crew
from projections.engine.procedures.entries import Noted
from schemas.events import (
    DealerAssigned,
    DealerRelieved,
    DeviceStateReported,
    Event,
    FloorpersonAssigned,
    NoticeGiven,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    StaffAssigned,
    TableClosed,
    TableOpened,
)
from schemas.house import TableSetup
from schemas.law_text import Number, chapter
from schemas.procedures import FLOORPERSON_OR_ABOVE
from schemas.values import Micros, Role

FLOOR_CHAPTER: Final = "465a"
OTHER_GAME: Final = "other"

# What a table has so many of: people at a post, cameras that work, ends of it that a camera covers.
Post: TypeAlias = Literal["dealer", "stickperson", "boxperson", "floorperson", "camera", "end"]
_POSTS: Final[tuple[Post, ...]] = get_args(Post)
_NEVER: Final[tuple[Micros | None, ...]] = (None, None, None)  # fewer than one, than two, than three
_ROLES: Final[dict[Post, frozenset[Role]]] = {
    "dealer": frozenset({"dealer", "stickperson"}),
    "stickperson": frozenset({"stickperson"}),
    "boxperson": frozenset({"boxperson"}),
    "floorperson": FLOORPERSON_OR_ABOVE,
}


class OfGames(Struct, frozen=True, forbid_unknown_fields=True, rename={"all_but": "except"}):
    """Something that Chapter 465a asks for of the tables of some games, or of all but some."""

    cite: str
    games: tuple[str, ...] = ()
    all_but: tuple[str, ...] = ()

    def is_of(self, game: str) -> bool:
        """Return True if it is asked for at the tables of a game."""
        return game not in self.all_but and (not self.games or game in self.games)


class PostDuty(OfGames, frozen=True, kw_only=True):
    """The least at a post of an open table; where no figure `is_printed` a lack is left open."""

    post: Post
    least: int
    is_printed: bool = True


def floor_duty(name: str, day: date) -> Number | None:
    """Return a duty of Chapter 465a as it is in force on a day; None if it is not law yet."""
    return chapter(FLOOR_CHAPTER).duty(name, day)


def post_duties(name: str, day: date, game: str) -> list[PostDuty]:
    """Return what a duty of Chapter 465a asks for at the posts of a game's tables on a day."""
    duty = floor_duty(name, day)
    found = msgspec.convert(duty.value, list[PostDuty]) if duty is not None else []
    return [each for each in found if each.is_of(game)]


def floor_game(setup: TableSetup, day: date) -> str:
    """Return a table's game by the games that Chapter 465a distinguishes."""
    games = floor_duty("games", day)
    return setup.game or (games.value.get(setup.chapter, OTHER_GAME) if games is not None else OTHER_GAME)


# The kinds of event that can change anything at the posts.
_OF_POSTS: Final = frozenset(
    (
        RoundOpened,
        RoundClosed,
        RoundVoided,
        NoticeGiven,
        TableOpened,
        TableClosed,
        DealerAssigned,
        DealerRelieved,
        FloorpersonAssigned,
        StaffAssigned,
        DeviceStateReported,
    )
)


class Camera(Struct, frozen=True):
    """A surveillance camera: since when it works or not, what it covers, whether somebody was notified."""

    works: bool
    since: Micros
    covers: str | None = None
    is_notified: bool = False


class Posts(Struct, frozen=True):
    """The posts of a table at a moment.

    It `is_open` if it was seen to open. `staff` are those who have the table by the staff source, `crew`
    those by the terminal; `roles_reported` are the roles in which the former named anybody.
    `fewer_since` has for each post since when there were fewer than one, two and three. `played_until` is
    when the last round was over.
    """

    is_open: bool = False
    staff: dict[str, Role] = {}
    roles_reported: frozenset[Role] = frozenset()
    crew: Crew = Crew()
    cameras: dict[str, Camera] = {}
    fewer_since: dict[Post, tuple[Micros | None, ...]] = {}
    is_in_round: bool = False
    played_until: Micros = 0

    def count(self, post: Post) -> int:
        """Return how many there are, by the source that reports the most."""
        if post in ("camera", "end"):
            covering = [each for each in self.cameras.values() if each.works]
            return len(covering) if post == "camera" else len({each.covers for each in covering} - {None})
        staff = sum(role in _ROLES[post] for role in self.staff.values())
        crew = self.crew
        at_terminal = {"dealer": len(crew.dealers), "floorperson": int(crew.floorperson is not None)}
        return max(staff, at_terminal.get(post, 0))

    @property
    def floorpersons(self) -> frozenset[str]:
        """The floorpersons who have the table by the staff source while it is open."""
        if not self.is_open:
            return frozenset()
        return frozenset(name for name, role in self.staff.items() if role == "floorperson")

    def lacking_since(self, post: Post, least: int) -> Micros | None:
        """Return since when an open table has had fewer than the least; None if it has as many."""
        return self.fewer_since[post][least - 1] if self.is_open else None

    def after(self, at: Micros, event: Event, table: str) -> "Posts":
        """Return the posts once an event has happened at the table."""
        if type(event) not in _OF_POSTS:  # nearly all of them
            return self
        match event:
            case RoundOpened():
                return replace(self, is_in_round=True)
            case RoundClosed() | RoundVoided():
                return replace(self, is_in_round=False, played_until=at)
            case NoticeGiven(notice="failure", item=str() as item) if item in self.cameras:
                return replace(
                    self, cameras=self.cameras | {item: replace(self.cameras[item], is_notified=True)}
                )
        fields = self._changed_fields(at, event, table)
        if not fields:
            return self
        changed = replace(self, **fields)
        before = self.fewer_since if self.is_open else {}
        fewer = {
            post: tuple(
                (before.get(post, _NEVER)[least - 1] or at) if changed.count(post) < least else None
                for least in range(1, len(_NEVER) + 1)
            )
            for post in _POSTS
        }
        return replace(changed, fewer_since=fewer)

    def _changed_fields(self, at: Micros, event: Event, table: str) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        match event:
            case TableOpened():
                fields = {"is_open": True}
            case TableClosed():
                fields = {"is_open": False, "crew": Crew()}
            case DealerAssigned() | DealerRelieved() | FloorpersonAssigned():
                fields = {"crew": self.crew.after(event)}
            case StaffAssigned():
                staff = {name: role for name, role in self.staff.items() if name != event.person.name}
                if table in event.tables:
                    staff[event.person.name] = event.person.role
                fields = {"staff": staff, "roles_reported": self.roles_reported | {event.person.role}}
            case DeviceStateReported(kind="surveillance_camera"):
                camera, works = self.cameras.get(event.item), event.state == "working"
                if camera is None or camera.works != works:
                    camera = Camera(works, at, camera.covers if camera is not None else None)
                camera = replace(camera, covers=event.covers or camera.covers)
                fields = {"cameras": self.cameras | {event.item: camera}}
        return fields


class Shortfall(Struct, frozen=True):
    """An open table with fewer than the least at a post, since when, and the moment of play that shows it."""

    since: Micros
    until: Micros
    posts: Posts

    @property
    def micros(self) -> Micros:
        """Return how long it had lasted by that moment."""
        return self.until - self.since


def shortfalls(
    posts: Posts, entries: Iterable[Noted], table: str, duty: PostDuty, admitted: Micros
) -> Iterator[Shortfall]:
    """Yield the shortfalls at a post that first last longer than is admitted, while a round is played.

    `posts` are those as the entries begin. One that went on before is yielded where play first shows it.
    """
    found: set[Micros] = set()
    for entry in entries:
        since = posts.lacking_since(duty.post, duty.least)
        if (
            since is not None
            and posts.is_in_round
            and entry.at - since > admitted
            and posts.played_until - since <= admitted
            and since not in found
        ):
            found.add(since)
            yield Shortfall(since, entry.at, posts)
        posts = posts.after(entry.at, entry.event, table)


class Supervision(Struct, frozen=True):
    """A floorperson had the open table from one moment to another; without an end he still has it."""

    floorperson: str
    since: Micros
    until: Micros | None = None


def follow_supervision(
    supervised: Iterable[Supervision], at: Micros, before: Posts, after: Posts
) -> list[Supervision]:
    """Return who supervised the table, with what an event changed of it."""
    left, come = before.floorpersons - after.floorpersons, after.floorpersons - before.floorpersons
    return [
        replace(each, until=at) if each.until is None and each.floorperson in left else each
        for each in supervised
    ] + [Supervision(name, at) for name in sorted(come)]
