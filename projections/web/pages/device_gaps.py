"""What devices did not report, each hole once and where it lies: in a round, in several, or between two."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.facts import Fact, load
from projections.engine.fold.gaps import gap_of
from projections.store.conclusion_diff import natural
from projections.store.rows import Row
from projections.store.stored_times import micros
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.pages.day_gaps import Lacking, placed
from projections.web.pages.gap_known_since import known_since
from projections.web.records.store_queries import Reader
from schemas.values import moment

_SHOWN: Final = 5  # holes of a device
_HANGS: Final = "undetermined"  # the weight of a hole on which a judgement hangs
_NOWHERE: Final = -1  # before the first of the places, which count from 1
# Of the newest run and the last two gaming days. `place` counts the rounds of a table's day.
_HOLES: Final = """
    WITH latest AS (
        SELECT run, id, revision, table_id, round, shoe, gaming_date, opened FROM rounds
        WHERE run = (SELECT run FROM newest_run)
            AND gaming_date >= (SELECT max(gaming_date) - 1 FROM rounds)
        QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ), counted AS (
        SELECT *, row_number() OVER (
            PARTITION BY table_id, gaming_date, round IS NULL ORDER BY opened NULLS LAST, id
        ) AS place
        FROM latest
    ), missing AS (
        SELECT findings.*, table_id, round, shoe, gaming_date, opened, place
        FROM findings JOIN counted
            ON findings.run = counted.run AND findings.round_id = counted.id
            AND findings.revision = counted.revision
        WHERE check_name = $check AND device IS NOT NULL
    )
    SELECT * FROM missing ORDER BY table_id, device, gaming_date, place, ordinal
"""


class Hole(Struct, frozen=True):
    """What a device did not report, and where.

    It lies in `round`, or from there to the round `last`; where there is none, in no round of the `shoe`. It
    was known by `known`: of a round that is when the first was opened. None where no one says.
    """

    gaming_date: date
    round: str | None
    last: str | None
    shoe: str | None
    known: datetime | None
    says: Fact


class Device(Struct, frozen=True):
    """A table's device with holes in what it reported: how many, and the latest of them."""

    table: str
    device: str
    holes: int
    latest: Sequence[Hole]


class _Missed(Struct, frozen=True):
    """A hole in one place: the row where it lies, and all rows that tell of it."""

    row: Row
    told: tuple[Row, ...]

    def is_hidden(self, hidden: Hidden) -> bool:
        """Return True if anything that tells of it is hidden."""
        return any(hidden.hides(within(row["round_id"], row["id"])) for row in self.told)


def devices(reader: Reader, hidden: Hidden) -> list[Device]:
    """Return the devices with holes that are not hidden, those with the most first.

    What a round lacks its shoe lacks too: that is one hole, and lies in the round. So is the same gap in
    rounds that follow each other.
    """
    found: dict[tuple[str, str], list[Hole]] = {}
    for (table, device, _), told in groupby(
        _missing(reader), itemgetter("table_id", "device", "gaming_date")
    ):
        missed = [each for each in _each_once(list(told)) if not each.is_hidden(hidden)]
        found.setdefault((table, device), []).extend(_joined(missed))
    named = [Device(*named, len(holes), holes[: -_SHOWN - 1 : -1]) for named, holes in found.items() if holes]
    return sorted(named, key=lambda each: (-each.holes, natural(each.table), each.device))


def _missing(reader: Reader) -> list[Row]:
    """Read what is missing, by table, device and day, each a `gap`, `known` since when (microseconds UTC)."""
    rows = reader.ask(_HOLES, {"check": DATA_MISSING.check})
    shoes = {row["round_id"] for row in rows if row["round"] is None}
    known = known_since(reader, rows[0]["run"], shoes) if rows else {}
    return [
        row
        | {"known": micros(row["opened"]) if row["round"] is not None else known[row["id"]]}
        | {"gap": gap_of(load(row["message"]))}
        for row in rows
    ]


def _each_once(rows: Sequence[Row]) -> Iterator[_Missed]:
    """Yield what a table's device did not report on a day: by round, and what is of a shoe alone.

    Where another reader took its place the judgement of the round does not hang on it, and the shoe's does.
    """
    by_id = {row["id"]: row for row in rows}
    for row in rows:
        if row["round"] is not None and row["weight"] == _HANGS:
            yield _Missed(row, (row,))
    for shoe in dict.fromkeys(row["shoe"] for row in rows):
        lacking, of_rounds = (
            [_lacking(row) for row in rows if row["shoe"] == shoe and (row["round"] is None) is whole]
            for whole in (True, False)
        )
        for each, its in placed(lacking, of_rounds):
            row, other = by_id[each.about], by_id[its.about] if its is not None else None
            if other is None:
                yield _Missed(row, (row,))
            elif other["weight"] != _HANGS:
                yield _Missed(other, (row, other))


def _lacking(row: Row) -> Lacking:
    return Lacking(row["id"], row["device"], row["gap"], row["known"])


def _joined(missed: Iterable[_Missed]) -> list[Hole]:
    """Make one hole of the same gap in rounds that follow each other; the oldest first."""
    holes: list[Hole] = []
    ends: dict[Fact, tuple[int, int]] = {}  # where in the list a round's hole is, and its last round's place
    for each in sorted(missed, key=lambda each: (each.row["round"] is None, each.row["place"])):
        row, gap = each.row, each.row["gap"]
        at, end = ends.get(gap, (0, _NOWHERE))
        if row["round"] is not None and row["place"] == end + 1:
            holes[at] = replace(holes[at], last=row["round"])
        else:
            at = len(holes)
            shoe = row["shoe"] if row["round"] is None else None
            known = moment(row["known"]) if row["known"] is not None else None
            holes.append(Hole(row["gaming_date"], row["round"], None, shoe, known, gap))
        if row["round"] is not None:
            ends[gap] = at, row["place"]
    return sorted(holes, key=lambda hole: (hole.known is not None, hole.known))
