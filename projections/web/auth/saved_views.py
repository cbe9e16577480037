"""Saved views of the queue: each person's own, under names of their own."""

from typing import Annotated, Final

from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException, ValidationException
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.roles import Person
from schemas.errors import BadInput

MOST: Final = 50  # views of one person
_NEEDS: Final = {"needs": "see"}


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """A view: its name, and the query of the queue's page, without the question mark."""

    name: Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^\S[^\x00-\x1f\x7f]*\Z")]
    query: Annotated[str, Meta(max_length=1000, pattern=r"^[A-Za-z0-9_.~%&=+-]*\Z")]


class Views:
    """The saved views of a file of accounts."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def of(self, person: str) -> list[View]:
        """Return a person's views by their names."""
        rows = self._file.ask("SELECT view, query FROM views WHERE name = ? ORDER BY view", person)
        return [View(row["view"], row["query"]) for row in rows]

    def save(self, person: str, view: View) -> None:
        """Save a view; one of the same name is replaced.

        Raises:
            BadInput: the person already has the maximum number.
        """
        with self._file.writing() as db:
            if len({view.name, *(each.name for each in self.of(person))}) > MOST:
                raise BadInput(f"{MOST} views are saved already; remove one first")
            db.execute("INSERT OR REPLACE INTO views VALUES (?, ?, ?)", [person, view.name, view.query])

    def remove(self, person: str, name: str) -> bool:
        """Remove a view; return whether it existed."""
        with self._file.writing() as db:
            removed = db.execute("DELETE FROM views WHERE name = ? AND view = ?", [person, name])
        return removed.rowcount > 0


@get("/api/views", opt=_NEEDS, sync_to_thread=True)
def listed(views: NamedDependency[Views], person: NamedDependency[Person]) -> list[View]:
    """Return the views of the person."""
    return views.of(person.name)


@post("/api/views", status_code=200, opt=_NEEDS, sync_to_thread=True)
def save(data: JSONBody[View], views: NamedDependency[Views], person: NamedDependency[Person]) -> list[View]:
    """Save a view; gives all of them."""
    try:
        views.save(person.name, data)
    except BadInput as error:
        raise ValidationException(f"{error}.") from None
    return views.of(person.name)


@delete("/api/views/{name:path}", status_code=200, opt=_NEEDS, sync_to_thread=True)
def remove(name: FromPath[str], views: NamedDependency[Views], person: NamedDependency[Person]) -> list[View]:
    """Remove a view; gives those that are left."""
    if not views.remove(person.name, name.removeprefix("/")):
        raise NotFoundException("There is no such view.")
    return views.of(person.name)


ROUTES: Final = Router("/", route_handlers=[listed, save, remove])
