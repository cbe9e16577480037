"""Links to records, and to the recorder's minutes of footage over a round."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from projections.casework.disputes.dispute_state import Dispute
from projections.catalogue import check_name
from projections.store.rows import Row
from projections.web.records.store_queries import Kind, Reader
from schemas.cameras import Cameras
from schemas.ledgers import table_called
from schemas.values import in_words, microseconds

# ── What a round, a shoe, an account or an alert is called in a link to it ────────────────────────────

_ALERTS: Final = """
    SELECT findings.id AS id, any_value(findings.check_name) AS "check", any_value(rounds.id) AS about,
        any_value(rounds.table_id) AS table_id, any_value(rounds.round) AS round,
        any_value(rounds.shoe) AS shoe, any_value(rounds.account) AS account,
        any_value(findings.seat) AS seat, any_value(findings.wager) AS wager
    FROM findings JOIN rounds
        ON rounds.run = findings.run AND rounds.id = findings.round_id AND rounds.revision = findings.revision
    WHERE findings.id IN (SELECT unnest($ids)) GROUP BY findings.id
"""


class AlertLabel(Struct, frozen=True):
    """An alert by its id: the key of what it is about, its table, its check, and the text of a link to it.

    `what` is what was found, with its seat and wager if it has them: a round can have many of one check.
    """

    id: str
    about: str
    table: str
    check: str
    what: str
    called: str


def kind_of(row: Row) -> tuple[Kind, str]:
    """Return the kind of a row of `rounds` (round, shoe or account) and its name.

    >>> kind_of({"round": "88", "shoe": "3", "account": None})
    ('round', '88')
    """
    kind: Kind = "round" if row["round"] else "account" if row["account"] else "shoe"
    return kind, row[kind]


def called(row: Row) -> str:
    """Return what a row of `rounds` is called, with its table.

    >>> called({"table_id": "BAC-1", "round": None, "shoe": "3", "account": None})
    'BAC-1, shoe 3'
    """
    kind, name = kind_of(row)
    return f"{table_called(row['table_id'])}, {in_words(name) if kind == 'account' else f'{kind} {name}'}"


def alert_labels(reader: Reader, alerts: Collection[str]) -> dict[str, AlertLabel]:
    """Return the labels of alerts by their ids; an alert that the store does not have is left out.

    The caller leaves out what is withheld from the person.
    """
    rows = reader.ask(_ALERTS, {"ids": sorted(alerts)}) if alerts else []
    found = {row["id"]: (row, _what(row)) for row in rows}
    return {
        name: AlertLabel(name, row["about"], row["table_id"], row["check"], what, f"{called(row)}: {what}")
        for name, (row, what) in found.items()
    }


def _what(row: Row) -> str:
    seat = f"seat {row['seat']}" if row["seat"] is not None else ""
    wager = in_words(row["wager"]) if row["wager"] is not None else ""
    return ", ".join(filter(None, (check_name(row["check"]), f"{seat} {wager}".strip())))


# ── When to look, and where: the minutes of footage over a round, and the recorder's links to them ────

# Without a file of cameras there is still a minute to look at.
_NONE = Cameras("https:", {})


class Bookmark(Struct, frozen=True):
    """A camera over the table and the link to its footage."""

    camera: str
    link: str


class Footage(Struct, frozen=True):
    """From when to when to look, by the recorder's clock, and the cameras that saw it.

    `measured_for` is the dispute for which it was measured how far that clock is ahead; None if it is as the
    file of cameras has it.
    """

    start: datetime
    end: datetime
    cameras: list[Bookmark]
    measured_for: str | None


class Recorder(Struct, frozen=True):
    """The cameras, with the recorder's clock that is used for a hand, and the dispute it was measured for.

    `cameras` is None if it is not known how far that clock is ahead.
    """

    cameras: Cameras | None
    measured_for: str | None = None


def recorder_of(cameras: Cameras | None, disputes: Iterable[Dispute]) -> Recorder:
    """Return the recorder whose clock is used for a hand wherever it is shown.

    Its offset is that measured for the first of the hand's disputes that has one, or else that of the file of
    `cameras`.
    """
    for each in disputes:
        if (offset := each.footage.clock_offset_ms) is not None:
            return Recorder(replace(cameras or _NONE, clock_offset_ms=offset), each.name)
    return Recorder(cameras)


def on_recorder(cameras: Cameras, at: datetime) -> datetime:
    """Return a time of the tables' clocks as the recorder's clock has it.

    >>> at = datetime(2025, 3, 1, 20, 39, 43, tzinfo=UTC)
    >>> str(on_recorder(Cameras("https:", {}, clock_offset_ms=-1500), at))
    '2025-03-01 20:39:41.500000+00:00'
    """
    return at + timedelta(milliseconds=cameras.clock_offset_ms)


def footage(
    recorder: Recorder, table: str, opened: datetime, following: datetime | None, zone: str
) -> Footage:
    """Bookmark a round of a table, opened then; `following` is when the next one was opened, if it was.

    >>> opened = datetime(2025, 3, 1, 20, 39, 43, tzinfo=UTC)
    >>> cameras = Cameras("https://nvr/{camera}?t={start_ms}", {"BAC-101": ["PTZ-7"]}, clock_offset_ms=1500)
    >>> next_one, zone = opened + timedelta(seconds=40), "America/New_York"
    >>> seen = footage(Recorder(cameras), "BAC-101", opened, next_one, zone)
    >>> str(seen.start), str(seen.end), seen.cameras[0].link
    ('2025-03-01 20:39:14.500000+00:00', '2025-03-01 20:40:54.500000+00:00', 'https://nvr/PTZ-7?t=1740861554500')
    """
    by = recorder.cameras or _NONE
    longest = opened + timedelta(seconds=by.longest_seconds)
    played = min(following, longest) if following is not None else longest
    start = on_recorder(by, opened - timedelta(seconds=by.before_seconds))
    end = on_recorder(by, played + timedelta(seconds=by.after_seconds))
    return Footage(start, end, _bookmarks(by, table, start, end, zone), recorder.measured_for)


def footage_from(recorder: Recorder, table: str, at: datetime, ended: datetime, zone: str) -> list[Bookmark]:
    """Return links to the footage of a round from a moment of it on, until what follows its end.

    >>> at = datetime(2025, 3, 1, 20, 39, 43, tzinfo=UTC)
    >>> cameras = Cameras("https://nvr/{camera}?t={start_ms}", {"BAC-101": ["PTZ-7"]}, clock_offset_ms=1500)
    >>> [each.link for each in footage_from(Recorder(cameras), "BAC-101", at, at, "America/New_York")]
    ['https://nvr/PTZ-7?t=1740861584500']
    """
    by = recorder.cameras or _NONE
    end = on_recorder(by, ended + timedelta(seconds=by.after_seconds))
    return _bookmarks(by, table, on_recorder(by, at), end, zone)


def _bookmarks(by: Cameras, table: str, start: datetime, end: datetime, zone: str) -> list[Bookmark]:
    values = {"table": table} | _times("start", start, zone) | _times("end", end, zone)
    return [Bookmark(each, by.link(values | {"camera": each})) for each in by.tables.get(table, [])]


def counts_as_open(cameras: Cameras | None, opened: datetime, at: datetime) -> bool:
    """Return True if a round, which no other had followed by then, counts as open at a moment.

    >>> opened = datetime(2025, 3, 1, 20, 39, 43, tzinfo=UTC)
    >>> [counts_as_open(None, opened, opened + timedelta(seconds=after)) for after in (299, 300)]
    [True, False]
    """
    return at < opened + timedelta(seconds=(cameras or _NONE).longest_seconds)


def _times(name: str, at: datetime, zone: str) -> dict[str, str]:
    return {
        name: at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        f"{name}_local": at.astimezone(ZoneInfo(zone)).isoformat(timespec="milliseconds"),
        f"{name}_ms": str(microseconds(at) // 1_000),
    }
