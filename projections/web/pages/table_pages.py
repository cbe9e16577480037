"""The pages of a table: its last rounds, a gaming day as a timeline, and the cards of a shoe that has ended.

No card of a shoe in play is shown: what was dealt is on the rounds' own pages, and what was discarded face
down would reveal what is still to come. The burned cards, which left the shoe before its first round, are not
in the store.
"""

from datetime import date, datetime
from typing import Final, TypeVar

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.accounts.account_lines import is_of_patron
from projections.engine.conclusion import Verdict, id_of_table_day
from projections.engine.table_layout import is_piece
from projections.store.rows import as_stored, micros, utc
from projections.store.runs import Run
from projections.views.roads import Road, road_in_words
from projections.views.table_picture import FACE_DOWN
from projections.views.time_text import date_text
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.alert_view import FloorContext
from projections.web.pages.day_drawing import WIDE, drawn_day
from projections.web.pages.day_shoes import kind_dealt, roads_of_rows
from projections.web.pages.list_queries import BY_RUN
from projections.web.pages.table_day_view import NOTHING, TableDay, called, table_day
from projections.web.phrases.call_script import call_script_text
from projections.web.phrases.page_phrases import name_of, segment
from projections.web.records.record_links import Footage, Recorder, footage
from projections.web.records.record_reader import ended_shoes, load_records
from projections.web.records.record_views import ListQuery, RecordView, Seated
from projections.web.records.store_queries import Reader, run_of
from projections.web.records.viewer_scope import ViewerScope
from schemas.house import House
from schemas.values import YEARS, Micros

KEYS: Final = "1234567890"  # one a round

_ROUNDS: Final = """
    SELECT * FROM rounds_now
    WHERE run = $run AND table_id = $table AND round IS NOT NULL AND ($before IS NULL OR opened < $before)
        {withheld}
    ORDER BY opened DESC NULLS LAST, gaming_date DESC, round DESC LIMIT $limit
"""


class RoundScript(Struct, frozen=True):
    """A round of the table: the key that shows it, its sentence, who sat, what was found, its footage."""

    key: str
    gaming_date: date
    table: str
    round: str
    at: datetime | None
    verdict: Verdict
    says: str
    seated: list[Seated]
    findings: list[str]
    footage: Footage | None


class TableRounds(Struct, frozen=True):
    """The last rounds of a table, or those before a moment; `earlier` if there are others before them.

    A table of the house, or one that has reported, has no rounds as long as none is concluded; `run` is None
    if there is nothing yet.
    """

    run: str | None
    table: str
    rounds: list[RoundScript]
    earlier: datetime | None


def table_rounds(
    reader: Reader,
    run: Run,
    table: str,
    before: datetime | None,
    floor_context: FloorContext,
    viewer_scope: ViewerScope,
) -> TableRounds | None:
    """Return the rounds of a table as a person may see them; None if it has none."""
    until = as_stored(before) if before is not None else None
    sought = {"run": run.run, "table": table, "before": until, "limit": len(KEYS) + 1}
    rows = reader.ask_visible(_ROUNDS, viewer_scope.hidden, sought)
    if not rows:
        return None
    records = [
        viewer_scope.without_patron_lines(each) for each in load_records(reader.ask, rows[: len(KEYS)])
    ]
    records = [viewer_scope.masked(each, each.id) for each in records]
    following = [None, *(each.at for each in records)]
    rounds = [
        _round_script(*each, run.zone, floor_context.recorder(each[1], viewer_scope))
        for each in zip(KEYS, records, following, strict=False)
    ]
    viewer_scope.note_opened(
        "rounds", f"{table}, {records[-1].round} to {records[0].round}", *(each.id for each in records)
    )
    last = utc(rows[len(KEYS) - 1]["opened"]) if len(rows) > len(KEYS) else None
    return TableRounds(run.run, table, rounds, last)


def _round_script(
    key: str, record: RecordView, following: datetime | None, zone: str, recorder: Recorder
) -> RoundScript:
    return RoundScript(
        key=key,
        gaming_date=record.gaming_date,
        table=record.table,
        round=record.round or "",
        at=record.at,
        verdict=record.verdict,
        says=call_script_text(record, zone),
        seated=record.seated,
        findings=[finding.id for finding in record.findings],
        footage=footage(recorder, record.table, record.at, following, zone) if record.at else None,
    )


def _found(
    table: FromPath[str],
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
    floor_context: NamedDependency[FloorContext],
    before: FromQuery[datetime | None] = None,
) -> TableRounds:
    table_name = name_of(table)
    if before is not None and before.year not in YEARS:
        raise ClientException(f"There was no round before {before}.")
    run = run_of(reader.runs(), list_query)
    found = (
        table_rounds(reader, run, table_name, before, floor_context, viewer_scope)
        if run is not None
        else None
    )
    is_known = table_name in reader.house.tables or table_name in floor_context.tables
    if found is None and is_known and before is None:
        return TableRounds(run.run if run is not None else None, table_name, [], None)
    if found is None:
        raise NotFoundException(f"There is no round of table {table_name} in this store.")
    return found


_FOUND: Final = {"found": Provide(_found, sync_to_thread=True)}


@get("/tables/{table:str}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_FOUND)
def rounds_page(
    found: NamedDependency[TableRounds],
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
) -> Template:
    """Show a table's last ten rounds, one key a round."""
    run = next((each for each in reader.runs() if each.run == found.run), None)
    return Template("table_rounds.html", context={"found": found, "run": run, "asked": list_query})


@get(
    "/api/tables/{table:str}/rounds", sync_to_thread=False, opt={"needs": "see"}, dependencies=_FOUND | BY_RUN
)
def rounds_in_full(found: NamedDependency[TableRounds]) -> TableRounds:
    """Return a table's last ten rounds, each in one sentence."""
    return found


TABLES: Final[list[ControllerRouterHandler]] = [rounds_page, rounds_in_full]


_SHOE_ROUNDS: Final = """
    SELECT * FROM rounds
    WHERE run = $run AND gaming_date = $day AND table_id = $table AND shoe = $shoe AND round IS NOT NULL
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY opened NULLS LAST, id
"""


class RoundCards(Struct, frozen=True):
    """The cards of a round: for whom each was, and its reading; None if it was never turned up."""

    round: str
    at: Micros | None
    verdict: Verdict
    cards: list[tuple[str, str | None]]


class ShoeCards(Struct, frozen=True):
    """A shoe of a table's gaming day, round by round; it has no rounds before it has `ended`.

    `roads` are its results, which everybody at the table saw.
    """

    run: str
    table: str
    day: date
    shoe: str
    ended: bool
    rounds: list[RoundCards]
    roads: list[Road] = []

    @property
    def cards(self) -> int:
        """Return how many cards its rounds took."""
        return sum(len(each.cards) for each in self.rounds)


def shoe_cards_of(
    reader: Reader, run: str, day: date, table: str, shoe: str, hidden: Hidden = NOTHING
) -> ShoeCards | None:
    """Return a shoe's cards as a run of the store has them, without the rounds that are withheld.

    Return None if there is no such shoe, or tiles or dice were played with. Until the shoe has ended there
    are no rounds in the answer.
    """
    found = reader.ask(_SHOE_ROUNDS, {"run": run, "day": day, "table": table, "shoe": shoe})
    rows = [row for row in found if not hidden.hides(within(row["id"]))]
    if not rows or kind_dealt(rows) != "card":
        return None
    if len(ended_shoes(reader.ask, rows)) < len(rows):
        return ShoeCards(run, table, day, shoe, ended=False, rounds=[], roads=roads_of_rows(rows))
    return ShoeCards(
        run,
        table,
        day,
        shoe,
        ended=True,
        rounds=[
            RoundCards(
                row["round"],
                micros(row["opened"]),
                row["verdict"],
                [
                    (who, None if what == FACE_DOWN else what)
                    for who, what in record.play
                    if what == FACE_DOWN or is_piece(who, what)
                ],
            )
            for row, record in zip(rows, load_records(reader.ask, rows), strict=True)
        ],
        roads=roads_of_rows(rows),
    )


_Found = TypeVar("_Found", TableDay, ShoeCards)


def day_of(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
    table: FromPath[str],
    day: FromPath[date],
) -> TableDay:
    """Find a table's day in the run that is asked for."""
    table_name = name_of(table)
    run = run_of(reader.runs(), list_query)
    found = table_day(reader, run.run, table_name, day, viewer_scope.hidden) if run is not None else None
    if found is None:
        raise NotFoundException(f"There is nothing of {table_name} on {date_text(day)} in this store.")
    if "finance" not in viewer_scope.person.rights:
        found = _without_patrons(found)
    return _looked(viewer_scope, found, day, table_name)


def _without_patrons(table_day: TableDay) -> TableDay:
    accounts = [
        replace(each, lines=[line for line in each.lines if not is_of_patron(line)])
        for each in table_day.accounts
    ]
    return replace(table_day, accounts=accounts)


def strip(
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    viewer_scope: NamedDependency[ViewerScope],
    day: FromPath[date],
    table: FromPath[str],
    name: FromPath[str],
) -> ShoeCards:
    """Return a shoe's cards, once it has ended."""
    run = run_of(reader.runs(), list_query)
    at, shoe = name_of(table), name_of(name)
    found = shoe_cards_of(reader, run.run, day, at, shoe, viewer_scope.hidden) if run is not None else None
    if found is None:
        raise NotFoundException(f"There is no shoe {shoe} at {at} on {date_text(day)} in this store.")
    return _looked(viewer_scope, found, day, at)


def _looked(viewer_scope: ViewerScope, found: _Found, day: date, table: str) -> _Found:
    """Note that a table's day is looked at, and mask its names."""
    about = id_of_table_day(day, table)
    viewer_scope.access_recorder.note_viewed(viewer_scope.person, "table-day", about)
    return viewer_scope.masked(found, about)


_CARDS: Final = "shoes/{day:date}/{table:str}/{name:str}/cards"
_DAY: Final = {"found": Provide(day_of, sync_to_thread=True)}
_STRIP: Final = {"found": Provide(strip, sync_to_thread=True)}


@get("/tables/{table:str}/{day:date}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_DAY)
def day_page(
    reader: NamedDependency[Reader], live: NamedDependency[LiveFloor], found: NamedDependency[TableDay]
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
        "road_in_words": road_in_words,
        "segment": segment,
        "zone_named": live.zone,
    }
    return Template("table_day.html", context=context)


@get(
    "/api/tables/{table:str}/{day:date}",
    sync_to_thread=False,
    opt={"needs": "see"},
    dependencies=_DAY | BY_RUN,
)
def day_in_full(found: NamedDependency[TableDay]) -> TableDay:
    """Return a table's day: its shoes with their rounds, and its accounts."""
    return found


@get(f"/{_CARDS}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_STRIP)
def strip_page(found: NamedDependency[ShoeCards]) -> Template:
    """Show the cards of a shoe in the order in which they left it."""
    return Template(
        "shoe_cards.html", context={"strip": found, "segment": segment, "road_in_words": road_in_words}
    )


@get(f"/api/{_CARDS}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_STRIP | BY_RUN)
def strip_in_full(found: NamedDependency[ShoeCards]) -> ShoeCards:
    """Return the cards of a shoe; none while it is in play."""
    return found


def _silent(live: LiveFloor, day: TableDay, house: House) -> list[tuple[str, Micros]]:
    """Return the devices that are silent now, where the day is the one that the table is in."""
    stands = live.tables.get(day.table)
    if stands is None or house.gaming_date(stands.at) != day.day:
        return []
    return list(stands.silent.items())


TABLE_DAYS: Final[list[ControllerRouterHandler]] = [day_page, day_in_full, strip_page, strip_in_full]
