"""A table's last rounds, newest first: each with the one sentence that is read to the floor by telephone."""

from datetime import date, datetime
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.engine.conclusion import Verdict
from projections.store.rows import as_stored, utc
from projections.store.runs import Run
from projections.web.pages.alert_view import Around
from projections.web.pages.finding_pages import run_of
from projections.web.phrases.call_script import call_script_text
from projections.web.phrases.page_phrases import name_of
from projections.web.records.record_links import Footage, Recorder, footage
from projections.web.records.record_reader import tell
from projections.web.records.record_views import ListQuery, RecordView, Seated
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.values import YEARS

KEYS: Final = "1234567890"  # one a round

_ROUNDS: Final = """
    SELECT * FROM rounds_now
    WHERE run = $run AND table_id = $table AND round IS NOT NULL AND ($before IS NULL OR opened < $before)
        {withheld}
    ORDER BY opened DESC NULLS LAST, gaming_date DESC, round DESC LIMIT $limit
"""


class RoundSaid(Struct, frozen=True):
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
    """The last rounds of a table, or those before a moment; `earlier` where there are others before them.

    A table of the house, or one that was heard of, has no rounds as long as none is concluded; `run` is None
    where nothing is yet.
    """

    run: str | None
    table: str
    rounds: list[RoundSaid]
    earlier: datetime | None


def table_rounds(
    reader: Reader, run: Run, table: str, before: datetime | None, around: Around, sight: Sight
) -> TableRounds | None:
    """Return the rounds of a table as a person may see them; None where it has none."""
    until = as_stored(before) if before is not None else None
    sought = {"run": run.run, "table": table, "before": until, "limit": len(KEYS) + 1}
    rows = reader.ask_seen(_ROUNDS, sight.hidden, sought)
    if not rows:
        return None
    records = [sight.left_of(each) for each in tell(reader.ask, rows[: len(KEYS)])]
    records = [sight.masked(each, each.id) for each in records]
    following = [None, *(each.at for each in records)]
    rounds = [
        _round_script(*each, run.zone, around.recorder(each[1], sight))
        for each in zip(KEYS, records, following, strict=False)
    ]
    sight.opened(
        "rounds", f"{table}, {records[-1].round} to {records[0].round}", *(each.id for each in records)
    )
    last = utc(rows[len(KEYS) - 1]["opened"]) if len(rows) > len(KEYS) else None
    return TableRounds(run.run, table, rounds, last)


def _round_script(
    key: str, record: RecordView, following: datetime | None, zone: str, recorder: Recorder
) -> RoundSaid:
    return RoundSaid(
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
    sight: NamedDependency[Sight],
    around: NamedDependency[Around],
    before: FromQuery[datetime | None] = None,
) -> TableRounds:
    table_name = name_of(table)
    if before is not None and before.year not in YEARS:
        raise ClientException(f"There was no round before {before}.")
    run = run_of(reader.runs(), list_query)
    found = table_rounds(reader, run, table_name, before, around, sight) if run is not None else None
    is_known = table_name in reader.house.tables or table_name in around.tables
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


@get("/api/tables/{table:str}/rounds", sync_to_thread=False, opt={"needs": "see"}, dependencies=_FOUND)
def rounds_in_full(found: NamedDependency[TableRounds]) -> TableRounds:
    """Return a table's last ten rounds, each in one sentence."""
    return found


TABLES: Final[list[ControllerRouterHandler]] = [rounds_page, rounds_in_full]
