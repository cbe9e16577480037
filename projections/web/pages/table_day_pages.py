"""The rooms beside the queue: a table's day as a timeline, and the cards of a shoe that has ended."""

from datetime import date
from typing import Final, TypeVar

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec.structs import replace

from projections.engine.accounts.account_lines import is_of_patron
from projections.engine.identity import id_of_table_day
from projections.web.live.broadcaster import Live
from projections.web.pages.day_drawing import WIDE, drawn_day
from projections.web.pages.finding_pages import run_of
from projections.web.pages.shoe_cards import Strip, strip_of
from projections.web.pages.table_day_view import TableDay, called, table_day
from projections.web.phrases.page_phrases import name_of, segment
from projections.web.records.record_views import ListQuery
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.house import House
from schemas.values import Micros

_Found = TypeVar("_Found", TableDay, Strip)


def day_of(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    sight: NamedDependency[Sight],
    table: FromPath[str],
    day: FromPath[date],
) -> TableDay:
    """Find a table's day in the run that is asked for."""
    table_name = name_of(table)
    run = run_of(reader.runs(), list_query)
    found = table_day(reader, run.run, table_name, day, sight.hidden) if run is not None else None
    if found is None:
        raise NotFoundException(f"There is nothing of {table_name} on {day} in this store.")
    if "finance" not in sight.person.rights:
        found = _without_patrons(found)
    return _looked(sight, found, day, table_name)


def _without_patrons(table_day: TableDay) -> TableDay:
    accounts = [
        replace(each, lines=[line for line in each.lines if not is_of_patron(line)])
        for each in table_day.accounts
    ]
    return replace(table_day, accounts=accounts)


def strip(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    sight: NamedDependency[Sight],
    day: FromPath[date],
    table: FromPath[str],
    name: FromPath[str],
) -> Strip:
    """Lay out a shoe's cards, once it has ended."""
    run = run_of(reader.runs(), list_query)
    at, shoe = name_of(table), name_of(name)
    found = strip_of(reader, run.run, day, at, shoe, sight.hidden) if run is not None else None
    if found is None:
        raise NotFoundException(f"There is no shoe {shoe} at {at} on {day} in this store.")
    return _looked(sight, found, day, at)


def _looked(sight: Sight, found: _Found, day: date, table: str) -> _Found:
    """Note that a table's day is looked at, and mask its names."""
    about = id_of_table_day(day, table)
    sight.looking.looked(sight.person, "table-day", about)
    return sight.masked(found, about)


_CARDS: Final = "shoes/{day:date}/{table:str}/{name:str}/cards"
_DAY: Final = {"found": Provide(day_of, sync_to_thread=True)}
_STRIP: Final = {"found": Provide(strip, sync_to_thread=True)}


@get("/tables/{table:str}/{day:date}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_DAY)
def day_page(
    reader: NamedDependency[Reader], live: NamedDependency[Live], found: NamedDependency[TableDay]
) -> Template:
    """Show a table's day as a picture, and the same as tables below it."""
    silent = _silent(live, found, reader.house)
    context = {
        "day": found,
        "record": f"table-day:{id_of_table_day(found.day, found.table)}",
        "silent": silent,
        "picture": drawn_day(found, silent),
        "wide": WIDE,
        "called": called,
        "segment": segment,
        "zone_named": live.zone,
    }
    return Template("table_day.html", context=context)


@get("/api/tables/{table:str}/{day:date}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_DAY)
def day_in_full(found: NamedDependency[TableDay]) -> TableDay:
    """Return a table's day: its shoes with their rounds, and its accounts."""
    return found


@get(f"/{_CARDS}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_STRIP)
def strip_page(found: NamedDependency[Strip]) -> Template:
    """Show the cards of a shoe in the order in which they left it."""
    return Template("strip.html", context={"strip": found, "segment": segment})


@get(f"/api/{_CARDS}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_STRIP)
def strip_in_full(found: NamedDependency[Strip]) -> Strip:
    """Return the cards of a shoe; none while it is in play."""
    return found


def _silent(live: Live, day: TableDay, house: House) -> list[tuple[str, Micros]]:
    """Return the devices that are silent now, where the day is the one that the table is in."""
    stands = live.tables.get(day.table)
    if stands is None or house.gaming_date(stands.at) != day.day:
        return []
    return list(stands.silent)


ROOMS: Final[list[ControllerRouterHandler]] = [day_page, day_in_full, strip_page, strip_in_full]
