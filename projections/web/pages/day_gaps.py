"""Gaps in the data of a table's devices on a gaming day: each once, with the time since it is known."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.checks.data import DATA_MISSING
from projections.engine.facts import Fact, load
from projections.engine.findings import FindingBase
from projections.engine.fold.gaps import gap_of
from projections.store.conclusion_diff import natural
from projections.store.rows import Row, grouped, micros
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.pages.day_shoes import ShoeOfDay
from projections.web.records.store_queries import Reader
from schemas.values import Micros, moment

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Since when it is known what a shoe lacks: the first revision of its conclusion from which all later ones
# have it. A finding's own name is not enough. It is made of the device and the number of its findings, and
# one of those may have arrived late after all.

_LACKED: Final = """
    SELECT findings.round_id AS shoe, findings.revision, findings.id, message, rounds.opened
    FROM findings JOIN rounds
        ON rounds.run = findings.run AND rounds.id = findings.round_id
        AND rounds.revision = findings.revision
    WHERE findings.run = $run AND findings.round_id IN (SELECT unnest($shoes)) AND check_name = $check
    ORDER BY findings.revision, ordinal
"""


def known_since(reader: Reader, run: str, shoes: Collection[str]) -> Mapping[str, Micros | None]:
    """Return by the id of what is missing of shoes, which are given by theirs, since when that is known.

    It is the terminal's time, microseconds UTC; None if it was stored without one.
    """
    if not shoes:
        return {}
    wanted = {"run": run, "shoes": list(shoes), "check": DATA_MISSING.check}
    since: dict[str, Micros | None] = {}
    for rows in grouped(reader.ask(_LACKED, wanted), "shoe").values():
        since |= _known_since(rows)
    return since


def _known_since(rows: Sequence[Row]) -> dict[str, Micros | None]:
    """Return by its id since when each gap of one shoe is known, equal gaps matched in their order."""
    gaps: defaultdict[int, Counter[Fact]] = defaultdict(Counter)
    for row in rows:
        gaps[row["revision"]][load(row["message"])] += 1
    opened = {row["revision"]: micros(row["opened"]) for row in rows}
    newest = max(gaps)
    times: Counter[Fact] = Counter()
    known_at: dict[str, Micros | None] = {}
    for row in rows:
        if row["revision"] == newest:
            gap = load(row["message"])
            times[gap] += 1
            since = newest
            while since - 1 in gaps and gaps[since - 1][gap] >= times[gap]:
                since -= 1
            known_at[row["id"]] = opened[since]
    return known_at


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What is missing of a table's devices on a gaming day, by what was found: from when to when, and how.

# What was found of each round, by device.
GapsByRound: TypeAlias = Mapping[str, Mapping[str, Sequence[Fact]]]


class MissingData(Struct, frozen=True):
    """Missing reports of a device in consecutive `rounds`; if there are none, between rounds of a shoe.

    It lasted from the opening of the first of them until that of the round after the last, None if there was
    none. No finding has the time of what is missing between rounds: then both are when it was known, by the
    terminal's clock, which was soon after.
    """

    device: str
    since: Micros
    until: Micros | None
    rounds: int
    says: list[Fact]


class ReportedGap(Struct, frozen=True):
    """Missing reports of a device: of the round `about` that was opened then, or of a shoe.

    Of a shoe `at` is when it was known; None if that was not stored.
    """

    about: str
    device: str
    gap: Fact
    at: Micros | None


def placed(
    shoe: Iterable[ReportedGap], rounds: Iterable[ReportedGap]
) -> Iterator[tuple[ReportedGap, ReportedGap | None]]:
    """Yield the gaps of a shoe, each with the equal gap of one of its `rounds`; None if it is between them.

    Every gap of a round is also one of its shoe.

    >>> gap = Fact("fold.restarted", {})
    >>> restarted = [ReportedGap("shoe", "C-1", gap, at) for at in (30, 50)]
    >>> of_round = ReportedGap("88", "C-1", gap, 40)
    >>> [(each.at, its.about if its else None) for each, its in placed(restarted, [of_round])]
    [(30, None), (50, '88')]
    """
    left = list(rounds)
    for each in sorted(shoe, key=lambda each: (each.at is not None, each.at)):
        its = next((other for other in left if _is_of(each, other)), None)
        if its is not None:
            left.remove(its)
        yield each, its


def _is_of(shoe: ReportedGap, other: ReportedGap) -> bool:
    """Return True if what a shoe lacks may be what a round lacks: that was opened before it was known."""
    is_before = shoe.at is None or other.at is None or other.at <= shoe.at
    return is_before and (other.device, other.gap) == (shoe.device, shoe.gap)


def missing_data(
    shoes: Sequence[ShoeOfDay],
    found: Mapping[str, Sequence[FindingBase[Fact]]],
    since: Mapping[str, Micros | None],
) -> list[MissingData]:
    """Return what is missing by device, in the order in which it began.

    `found` has the notes too; `since` is when each finding of a shoe was known, by its id.
    """
    gaps = {about: _by_device(findings) for about, findings in found.items()}
    missing = [*_in_rounds([each for shoe in shoes for each in _timed(shoe)], gaps)]
    for shoe in shoes:
        missing += _between_rounds(shoe, gaps, since)
    return sorted(missing, key=lambda each: (each.since, each.device))


def _by_device(findings: Sequence[FindingBase[Fact]]) -> Mapping[str, Sequence[Fact]]:
    texts: defaultdict[str, list[Fact]] = defaultdict(list)
    for each in findings:
        if each.check == DATA_MISSING.check and isinstance(each.device, str):
            texts[each.device].append(each.message)
    return texts


def _timed(shoe: ShoeOfDay) -> list[tuple[Micros, str]]:
    return [(each.at, each.about) for each in shoe.rounds if each.at is not None]


def _in_rounds(rounds: Sequence[tuple[Micros, str]], record: GapsByRound) -> Iterator[MissingData]:
    """Join consecutive rounds with missing reports of one device."""
    going: dict[str, MissingData] = {}
    for at, about in rounds:
        here = record.get(about, {})
        for device in going.keys() - here.keys():
            yield replace(going.pop(device), until=at)
        for device, messages in here.items():
            before = going.get(device)
            since, number, texts = (before.since, before.rounds, before.says) if before else (at, 0, [])
            going[device] = MissingData(
                device, since, None, number + 1, list(dict.fromkeys((*texts, *messages)))
            )
    yield from going.values()


def _between_rounds(
    shoe: ShoeOfDay, record: GapsByRound, since: Mapping[str, Micros | None]
) -> Iterator[MissingData]:
    """Yield what was found of a shoe and not of a round of it; what has no moment at all is left out."""
    rounds = _timed(shoe)
    of_rounds = [
        ReportedGap(about, device, gap_of(message), at)
        for at, about in rounds
        for device, messages in record.get(about, {}).items()
        for message in messages
    ]
    lacking = [
        ReportedGap("", each.device, each.message, since.get(each.id))
        for each in shoe.findings
        if each.check == DATA_MISSING.check and isinstance(each.device, str)
    ]
    texts: defaultdict[tuple[str, Micros], list[Fact]] = defaultdict(list)
    for each, its in placed(lacking, of_rounds):
        at = each.at if each.at is not None else rounds[-1][0] if rounds else None
        if its is None and at is not None:
            texts[each.device, at].append(each.gap)
    for (device, at), messages in texts.items():
        yield MissingData(device, at, at, 0, list(dict.fromkeys(messages)))


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What devices did not report, each hole once at its place: in a round, in several, or between two.

_MOST_LISTED: Final = 5  # holes of a device
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
    """Missing reports of a device, and where.

    It is in `round`, or from there to the round `last`; without a round it is in no round of the `shoe`. It
    was known by `known_at`: for a round when the first was opened. None if unknown.
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
    """A hole in one place: the row of that place, and all rows that report it."""

    row: Row
    rows: tuple[Row, ...]

    def is_hidden(self, hidden: Hidden) -> bool:
        """Return True if any row that reports it is hidden."""
        return any(hidden.hides(within(row["round_id"], row["id"])) for row in self.rows)


def devices(reader: Reader, hidden: Hidden) -> list[Device]:
    """Return the devices with holes that are not hidden, those with the most first.

    A gap of a round is also one of its shoe: that is one hole, in the round. So is the same gap in
    consecutive rounds.
    """
    found: dict[tuple[str, str], list[Hole]] = {}
    for (table, device, _), rows in groupby(
        _missing(reader), itemgetter("table_id", "device", "gaming_date")
    ):
        missed = [each for each in _each_once(list(rows)) if not each.is_hidden(hidden)]
        found.setdefault((table, device), []).extend(_joined(missed))
    key = [Device(*key, len(holes), holes[: -_MOST_LISTED - 1 : -1]) for key, holes in found.items() if holes]
    return sorted(key, key=lambda each: (-each.holes, natural(each.table), each.device))


def _missing(reader: Reader) -> list[Row]:
    """Read what is missing, by table, device and day, each a `gap`, `known` since when (microseconds UTC)."""
    rows = reader.ask(_HOLES, {"check": DATA_MISSING.check})
    shoes = {row["round_id"] for row in rows if row["round"] is None}
    since = known_since(reader, rows[0]["run"], shoes) if rows else {}
    return [
        row
        | {"known": micros(row["opened"]) if row["round"] is not None else since[row["id"]]}
        | {"gap": gap_of(load(row["message"]))}
        for row in rows
    ]


def _each_once(rows: Sequence[Row]) -> Iterator[_Missed]:
    """Yield what a table's device did not report on a day: by round, and what is of a shoe alone.

    Where another reader took its place the judgement of the round does not depend on it, and the shoe's does.
    """
    by_id = {row["id"]: row for row in rows}
    for row in rows:
        if row["round"] is not None and row["weight"] == _HANGS:
            yield _Missed(row, (row,))
    for shoe in dict.fromkeys(row["shoe"] for row in rows):
        lacking, of_rounds = (
            [
                _lacking(row)
                for row in rows
                if row["shoe"] == shoe and (row["round"] is None) is is_whole_round
            ]
            for is_whole_round in (True, False)
        )
        for each, its in placed(lacking, of_rounds):
            row, other = by_id[each.about], by_id[its.about] if its is not None else None
            if other is None:
                yield _Missed(row, (row,))
            elif other["weight"] != _HANGS:
                yield _Missed(other, (row, other))


def _lacking(row: Row) -> ReportedGap:
    return ReportedGap(row["id"], row["device"], row["gap"], row["known"])


def _joined(missed: Iterable[_Missed]) -> list[Hole]:
    """Merge the same gap in consecutive rounds into one hole; the oldest first."""
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
            known_at = moment(row["known"]) if row["known"] is not None else None
            holes.append(Hole(row["gaming_date"], row["round"], None, shoe, known_at, gap))
        if row["round"] is not None:
            ends[gap] = at, row["place"]
    return sorted(holes, key=lambda hole: (hole.known is not None, hole.known))
