"""The floor as tiles: a table each, with how it stands, who deals, what is open there and what is silent.

Pure: the status of the tables (`casework.table_status`), or what a store knows of them, the standing alerts
and the time are arguments. Times are microseconds UTC.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from projections.casework.alerts.queues import QueueItem, Sum, incidents_of, is_open, row_of, sums_of
from projections.casework.table_status import HOUR, Lag, TableStatus
from projections.engine.findings import SEVERITIES, Severity, Side, severity_rank
from projections.store.conclusion_diff import natural
from projections.web.records.table_play import TablePlay
from schemas.events import Source
from schemas.house import TableLimits, TableSetup
from schemas.law_text import chapter, chapters
from schemas.values import Micros

# `recorded`: no floor is followed, only the store is known; `unheard`: no report has come yet.
State: TypeAlias = Literal["open", "closed", "recorded", "unheard"]

_STATES: Final[Mapping[bool | None, State]] = {None: "unheard", True: "open", False: "closed"}
# An open table whose terminal polls its devices between rounds reports more often than this.
_QUIET: Final = 120_000_000
_MINUTE: Final = 60_000_000


class TileSilence(Struct, frozen=True):
    """A device that the terminal lost, what it reads if the house file has it, and since when."""

    device: str
    reads: Source | None
    since: Micros


class OpenAlerts(Struct, frozen=True):
    """Open alerts, in rows of the queues: those for now and this shift by severity, and the nightly ones.

    `urgent` is the highest severity of unassigned alerts that can still be put right. `taken` counts the
    assigned ones of now and this shift, `overdue` the unassigned ones past their due time. `owed_cents` and
    `overpaid_cents` are the sums of all of them, each wager once.
    """

    mismatches: Mapping[Severity, int] = {}
    nightly: int = 0
    urgent: Severity | None = None
    taken: int = 0
    overdue: int = 0
    owed_cents: int = 0
    overpaid_cents: int = 0


class RecordedTable(Struct, frozen=True):
    """Facts of a table in a store: its latest round, when that was opened, who dealt, which chapter."""

    table: str
    chapter: str
    round: str
    at: Micros | None
    dealer: str | None


class Tile(Struct, frozen=True, kw_only=True):
    """A table as the floor shows it.

    `calling` is the dealer who calls the game, or else the one who came last. `round` is the one that is
    open, since `opened`; `last` the latest that closed, at `closed`. `rounds` are those of the `minutes`
    before the table's newest report: 60, or fewer if the table opened since. `felt` is how long that took to
    the gateway's receipt, by its device's clock: negative if this is ahead, None if a recorded floor plays,
    whose clocks are of another day. `known` is how long the latest conclusion took from the gateway's receipt
    until the room knew, `heard` how long ago the gateway heard of the table. `unheard_for` is set if that is
    long for a table in play.
    """

    table: str
    pit: str | None
    chapter: str | None
    game: str
    state: State
    since: Micros | None = None
    calling: str | None = None
    dealers: Sequence[str] = ()
    floorperson: str | None = None
    round: str | None = None
    opened: Micros | None = None
    last: str | None = None
    closed: Micros | None = None
    rounds: int | None = None
    minutes: int | None = None
    shoe: str | None = None
    drawn: int | None = None
    silent: Sequence[TileSilence] = ()
    alerts: OpenAlerts = OpenAlerts()
    felt: int | None = None
    known: int | None = None
    heard: int | None = None
    unheard_for: int | None = None
    calling_for: int | None = None
    limits: TableLimits | None = None
    play: TablePlay | None = None


def opened_at(items: Iterable[QueueItem]) -> tuple[dict[str, OpenAlerts], OpenAlerts]:
    """Count what is open at each table, as the queues do where they are narrowed to it, and on all.

    On all of them that is less than the sum where one case has alerts of more than one.
    """
    tables: defaultdict[str, list[QueueItem]] = defaultdict(list)
    rows: defaultdict[str, list[QueueItem]] = defaultdict(list)
    everywhere: list[QueueItem] = []
    for incident in incidents_of(filter(is_open, items)):
        row = row_of(incident)
        everywhere.append(row)
        here = set(map(_table_of, incident))
        for table in here:
            of_table = (
                incident if len(here) == 1 else [each for each in incident if each.alert.table == table]
            )
            rows[table].append(row if of_table is incident else row_of(of_table))
            tables[table] += of_table
    sums = {table: _sums(of_table) for table, of_table in tables.items()}  # no wager is of two tables
    counted = {table: _counted(rows[table], sums[table]) for table in tables}
    return counted, _counted(everywhere, chain.from_iterable(sums.values()))


_table_of: Final = attrgetter("alert.table")


def _sums(items: Iterable[QueueItem]) -> tuple[Sum, ...]:
    return sums_of(each.alert for each in items if not each.withdrawn)


def _counted(rows: Iterable[QueueItem], sums: Iterable[Sum]) -> OpenAlerts:
    by_severity: Counter[Severity] = Counter()
    urgent: set[Severity] = set()
    nightly = taken = overdue = 0
    for row in rows:
        if row.queue == "nightly":
            nightly += 1
            continue
        by_severity[row.alert.severity] += 1
        overdue += row.overdue
        if row.case.state != "new":
            taken += 1
        elif row.queue == "act_now":
            urgent.add(row.alert.severity)
    cents: Counter[Side | None] = Counter()
    for each in sums:
        cents[each.favours] += each.cents
    return OpenAlerts(
        {severity: by_severity[severity] for severity in SEVERITIES if by_severity[severity]},
        nightly,
        most_severe(urgent),
        taken,
        overdue,
        cents["house"],
        cents["patron"],
    )


def most_severe(severities: Iterable[Severity]) -> Severity | None:
    """Return the highest of some severities; None of none.

    >>> most_severe(["medium", "high"]), most_severe([])
    ('high', None)
    """
    return min(severities, key=severity_rank, default=None)


def urgent_first(tiles: Iterable[Tile]) -> list[Tile]:
    """Return the tiles with something urgent, the most severe first."""
    urgent = [(tile.alerts.urgent, tile) for tile in tiles if tile.alerts.urgent is not None]
    return [tile for _, tile in sorted(urgent, key=lambda each: severity_rank(each[0]))]


def live_tiles(
    setups: Mapping[str, TableSetup],
    standings: Mapping[str, TableStatus],
    lags: Mapping[str, Lag],
    alerts: Mapping[str, OpenAlerts],
    now: Micros,
    *,
    plays: bool = False,
) -> list[Tile]:
    """Return a tile for each table of the house, and each that has reported, in the order of their names.

    If a recorded floor `plays`, the devices' clocks are no measure of delay.
    """
    tiles = [
        _live(
            table,
            setups.get(table),
            standings.get(table),
            lags.get(table),
            alerts.get(table, OpenAlerts()),
            now,
        )
        for table in sorted({*setups, *standings}, key=natural)
    ]
    return [replace(tile, felt=None) for tile in tiles] if plays else tiles


def _live(
    table: str,
    setup: TableSetup | None,
    stands: TableStatus | None,
    lag: Lag | None,
    alerts: OpenAlerts,
    now: Micros,
) -> Tile:
    if stands is None:
        return _tile(table, setup, "unheard", alerts)
    quiet_for = max(0, now - stands.received)
    return replace(
        _tile(table, setup, _STATES[stands.open], alerts),
        since=stands.since,
        calling=stands.calling or (stands.dealers[-1] if stands.dealers else None),
        dealers=stands.dealers,
        floorperson=stands.floorperson,
        round=stands.round,
        opened=stands.opened,
        last=stands.last,
        closed=stands.closes[-1] if stands.closes else None,
        rounds=stands.rounds_an_hour(stands.at),
        minutes=_minutes(stands),
        shoe=stands.shoe,
        drawn=stands.drawn,
        calling_for=max(0, stands.at - stands.calling_since) if stands.calling_since is not None else None,
        silent=[
            TileSilence(device, setup.sources.get(device) if setup is not None else None, since)
            for device, since in stands.silent.items()
        ],
        felt=stands.received - stands.at,
        known=lag.took if lag is not None else None,
        heard=quiet_for,
        unheard_for=quiet_for if stands.open and quiet_for > _QUIET else None,
    )


def _minutes(stands: TableStatus) -> int:
    """Return how many minutes, begun ones too, of the hour before its newest report a table has been open."""
    played = stands.at - stands.since if stands.open and stands.since is not None else HOUR
    return max(1, -(-min(played, HOUR) // _MINUTE))


def recorded_tiles(
    setups: Mapping[str, TableSetup], recorded: Iterable[RecordedTable], alerts: Mapping[str, OpenAlerts]
) -> list[Tile]:
    """Return a tile for each table that a store knows rounds of."""
    return [
        replace(
            _tile(
                each.table,
                setups.get(each.table),
                "recorded",
                alerts.get(each.table, OpenAlerts()),
                each.chapter,
            ),
            calling=each.dealer,
            dealers=(each.dealer,) if each.dealer is not None else (),
            last=each.round,
            closed=each.at,
        )
        for each in sorted(recorded, key=lambda each: natural(each.table))
    ]


def _tile(
    table: str, setup: TableSetup | None, state: State, alerts: OpenAlerts, chapter_heard: str | None = None
) -> Tile:
    number = setup.chapter if setup is not None else chapter_heard
    return Tile(
        table=table,
        pit=setup.pit if setup is not None else None,
        chapter=number,
        game=game_of(number) if number is not None else "",
        state=state,
        alerts=alerts,
        limits=setup.limits if setup is not None else None,
    )


@cache
def game_of(number: str) -> str:
    """Return a chapter's game; empty for a chapter that is not on file."""
    return chapter(number).title if number in chapters() else ""


def named_games(chapters: Collection[str]) -> dict[str, str]:
    """Return the games of chapters.

    Where several have one name, as one text followed another, each with it.
    """
    names = {chapter: game_of(chapter) or chapter for chapter in chapters}
    often = Counter(names.values())
    return {each: name if often[name] == 1 else f"{name} ({each})" for each, name in names.items()}


def by_pit(tiles: Iterable[Tile]) -> list[tuple[str | None, list[Tile]]]:
    """Group tiles by pit; those of no pit come last."""
    pits: dict[str | None, list[Tile]] = {}
    for tile in tiles:
        pits.setdefault(tile.pit, []).append(tile)
    return sorted(pits.items(), key=lambda pit: (pit[0] is None, natural(pit[0] or "")))
