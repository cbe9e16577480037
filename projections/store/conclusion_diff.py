"""Two conclusions of one round, shoe or account compared with each other, field by field."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

import duckdb
import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from projections.engine.conclusion import Conclusion, ConclusionView, Expected, canonical, digest_of
from projections.engine.findings import FindingView
from projections.engine.observation import Round
from projections.store.rows import (
    Row,
    conclusion_of,
    fingerprint_of,
    grouped,
    micros,
    round_row,
    settlement_rows,
    wager_rows,
)
from projections.store.runs import Run, runs_of
from projections.store.store_file import reason, rows_of
from projections.views.conclusion_view import conclusion_view
from projections.views.finding_text import finding_text
from schemas import values
from schemas.errors import BadInput

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A table's gaming day as a store has it, in the form in which another audit of it can be compared with it.

_NOW: Final = """
    SELECT rounds.* FROM rounds_now AS rounds WHERE run = ? AND gaming_date = ? AND table_id = ?
"""
_OF_THEM: Final = """
    SELECT parts.* FROM {} AS parts
    JOIN rounds_now AS rounds
        ON rounds.run = parts.run AND rounds.id = parts.{} AND rounds.revision = parts.revision
    WHERE rounds.run = ? AND rounds.gaming_date = ? AND rounds.table_id = ?
    ORDER BY {}
"""
_WAGERS: Final = _OF_THEM.format("wagers", "id", "parts.rowid")
_SETTLEMENTS: Final = _OF_THEM.format("settlements", "id", "ordinal")
_FINDINGS: Final = _OF_THEM.format("findings", "round_id", "ordinal")


_PARTS: Final = """
    SELECT parts.{1} AS name FROM {0} AS parts
    ANTI JOIN rounds ON rounds.run = parts.run AND rounds.id = parts.{1} AND rounds.revision = parts.revision
    WHERE parts.run = ? AND starts_with(parts.{1}, ?)
"""
_HANGING: Final = (("wagers", "id"), ("settlements", "id"), ("findings", "round_id"))


class StoredRound(Struct, frozen=True):
    """A conclusion as a store has it, with the rows of its round; `opened` is in microseconds UTC.

    `name` is its id in the store. It is not `sound` if the digest stored with it is not its own.
    """

    name: str
    concluded: Conclusion
    row: Row
    wagers: list[Row]
    settlements: list[Row]
    sound: bool


def stored_rounds(db: duckdb.DuckDBPyConnection, run: str, day: date, table: str) -> Iterator[StoredRound]:
    """Read the latest revision of each conclusion that a run has of a table's gaming day."""
    values = [run, day, table]
    wagers, settlements = (grouped(_rows(db, query, values), "id") for query in (_WAGERS, _SETTLEMENTS))
    findings = grouped(_rows(db, _FINDINGS, values), "round_id")
    for row in _rows(db, _NOW, values):
        name = row["id"]
        concluded = conclusion_of(row, settlements[name], findings[name])
        # When a shoe or an account was known is no part of what was concluded.
        row["opened"] = micros(row["opened"]) if row["round"] is not None else None
        sound = row["digest"] == digest_of(concluded, row["opened"])
        yield StoredRound(name, concluded, row, wagers[name], settlements[name], sound)


def digests_of(db: duckdb.DuckDBPyConnection, run: str, day: date, table: str) -> dict[str, str]:
    """Hash the latest revision of each conclusion that a run has of a table's gaming day, by its id.

    They are what `fingerprint_of` returns for the same conclusions.
    """
    return {
        each.name: fingerprint_of(each.concluded, each.row, each.wagers, each.settlements)
        + ("" if each.sound else " of another digest")
        for each in stored_rounds(db, run, day, table)
    }


def orphans_of(db: duckdb.DuckDBPyConnection, run: str, day: date) -> list[str]:
    """Return the conclusions of a gaming day of which a run has only wagers, money or findings."""
    parts = " UNION ".join(_PARTS.format(table, column) for table, column in _HANGING)
    values = [value for _ in _HANGING for value in (run, f"{day}|")]
    return sorted({row["name"] for row in _rows(db, parts, values)})


def runs_with(db: duckdb.DuckDBPyConnection, day: date) -> list[Run]:
    """Return the runs that have anything of a gaming day, in the order of `runs_of`."""
    found = db.execute("SELECT DISTINCT run FROM rounds WHERE gaming_date = ?", [day]).fetchall()
    names = {name for (name,) in found}
    return [run for run in runs_of(db) if run.run in names]


def tables_with(db: duckdb.DuckDBPyConnection, run: str, day: date) -> list[str]:
    """Return the tables with anything of a run on a gaming day."""
    query = "SELECT DISTINCT table_id FROM rounds WHERE run = ? AND gaming_date = ? ORDER BY table_id"
    return [table for (table,) in db.execute(query, [run, day]).fetchall()]


def _rows(db: duckdb.DuckDBPyConnection, query: str, values: list[Any]) -> list[Row]:
    try:
        return rows_of(db, query, values)
    except duckdb.Error as error:
        raise BadInput(f"the store cannot be read: {reason(error)}") from None


# ── Two conclusions of one round, shoe or account compared with each other, field by field ──────────────────

_SPOT: Final = ("seat", "bettor", "wager", "hand")
# Keys of a row, and fields that the conclusion itself contains.
_PLACE: Final = frozenset({"run", "id", "revision", "ordinal"})
_OF_CONCLUSION: Final = frozenset(
    {
        "table_id",
        "gaming_date",
        "round",
        "shoe",
        "account",
        "lines",
        "chapter",
        "verdict",
        "outcome",
        "rulebook",
    }
)
_APART: Final = frozenset({*_PLACE, *_OF_CONCLUSION, "digest", "hands"})
_HEAD: Final = ("chapter", "verdict", "outcome", "rulebook")


class ComparedConclusion(Struct, kw_only=True):
    """A conclusion and, if known, what a store has of its round: a row, wagers, settlements.

    `texts` are its findings by their ids, each in words with what it is about. `opened` in the row is in
    microseconds UTC. It is not `sound` if a store's digest is not its own.
    """

    conclusion: ConclusionView
    texts: dict[str, str] = {}
    row: dict[str, Any] | None = None
    wagers: list[dict[str, Any]] = []
    settlements: list[dict[str, Any]] = []
    sound: bool = True

    def digests(self) -> tuple[str, str | None]:
        """Return the digest of the conclusion, and that of it with its round, if that is known."""
        digest = hashlib.sha256(canonical([self.conclusion])).hexdigest()
        if self.row is None:
            return digest, None
        mark = "" if self.sound else " of another digest"
        return digest, fingerprint_of(self.conclusion, self.row, self.wagers, self.settlements) + mark


class Difference(Struct, frozen=True):
    """Difference in one field: what it is of, its value on either side, and the difference in cents if any.

    `what` is the kind of thing, `of` names which one. Values are as JSON has them.
    """

    what: str
    of: str
    field: str
    a: Any
    b: Any
    cents: int | None = None


def compared_conclusion(observed: Round | None, conclusion: Conclusion) -> ComparedConclusion:
    """Convert a conclusion just drawn to the form in which it can be compared with a stored one."""
    row = round_row({}, observed, conclusion)
    if (play := row.get("play")) is not None:
        row["play"] = [{"who": who, "what": what} for who, what in play]
    return _facts(conclusion, row, wager_rows({}, observed), settlement_rows({}, observed, conclusion))


def compared_stored(stored: StoredRound) -> ComparedConclusion:
    """Convert a stored conclusion to the same form."""
    return _facts(stored.concluded, stored.row, stored.wagers, stored.settlements, sound=stored.sound)


def _facts(
    conclusion: Conclusion, row: Row, wagers: list[Row], settlements: list[Row], *, sound: bool = True
) -> ComparedConclusion:
    return ComparedConclusion(
        conclusion=conclusion_view(conclusion),
        texts=texts_of(conclusion),
        row={name: value for name, value in row.items() if name not in _APART},
        wagers=[_without_place(each) for each in wagers],
        settlements=[_without_place(each) for each in settlements],
        sound=sound,
    )


def texts_of(conclusion: Conclusion | ConclusionView) -> dict[str, str]:
    """Return the findings and notes of a conclusion in words, by their ids."""
    return {each.id: finding_text(each) for each in (*conclusion.findings, *conclusion.notes)}


def _without_place(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in _PLACE}


def differences(a: ComparedConclusion, b: ComparedConclusion) -> Iterator[Difference]:
    """Yield every field in which two conclusions about one thing differ, in a fixed order.

    What only one of the two sides has of its rounds is not compared.
    """
    found = [*_by_field(a, b)]
    if a.sound != b.sound:
        found.append(Difference("store", "", "digest", _own(a), _own(b)))
    # The canonical form keeps the order in which wagers were made and settled.
    yield from found or [Difference("round", "", "order of wagers or settlements", None, None)]


def _by_field(a: ComparedConclusion, b: ComparedConclusion) -> Iterator[Difference]:
    both = a.row is not None and b.row is not None
    one, other = dict(_parts(a, both=both)), dict(_parts(b, both=both))
    for what, of in dict.fromkeys((*one, *other)):
        before, after = one.get((what, of)), other.get((what, of))
        if before is not None and after is not None:
            for field in dict.fromkeys((*before, *after)):
                if (x := before.get(field)) != (y := after.get(field)):
                    yield Difference(what, of, field, x, y, _cents(field, x, y))
        else:
            yield from _one_sided(what, of, before, after, {**b.texts, **a.texts})


def _own(facts: ComparedConclusion) -> str:
    return "its own" if facts.sound else "not its own"


def _cents(field: str, a: Any, b: Any) -> int | None:
    """Return the difference of a field of money, if both sides have it.

    >>> _cents("paid_cents", 500, 700), _cents("seat", 1, 2), _cents("paid_cents", None, 700)
    (200, None, None)
    """
    is_money = field == "cents" or field.endswith("_cents")
    return b - a if is_money and isinstance(a, int) and isinstance(b, int) else None


def _one_sided(
    what: str, of: str, a: Row | None, b: Row | None, texts: Mapping[str, str]
) -> Iterator[Difference]:
    """Yield what one side alone has: a finding by its message, all else by its fields."""
    present = a if a is not None else b or {}
    if what in ("finding", "note"):
        sums = present.get("net_cents", present.get("variance_cents"))
        cents = None if sums is None else sums if a is None else -sums
        message = texts[present["id"]]
        yield Difference(
            what, of, "", message if a is not None else None, message if b is not None else None, cents
        )
        return
    for field, value in present.items():
        if value is not None:
            yield Difference(
                what, of, field, value if a is not None else None, value if b is not None else None
            )


def _parts(facts: ComparedConclusion, *, both: bool) -> Iterator[tuple[tuple[str, str], Row]]:
    """Split a conclusion into things with a name and their fields."""
    conclusion = facts.conclusion
    yield ("conclusion", ""), {name: getattr(conclusion, name) for name in _HEAD}
    if both and facts.row is not None:
        yield ("round", ""), _round(facts.row)
        yield from _spots("wager", facts.wagers)
        yield from _spots("settlement", facts.settlements)
    else:
        yield from _spots("settlement", (_owed(each) for each in conclusion.expected))
    for what, found in (("finding", conclusion.findings), ("note", conclusion.notes)):
        for each in found:
            yield (what, f"{each.check} {each.id}"), _finding(each)
    for place, line in enumerate(conclusion.lines):
        yield ("line", f"{place + 1}"), msgspec.to_builtins(line, str_keys=True)


def _round(row: Row) -> Row:
    """Write a round's row as it is shown: when it opened as a time in UTC, its play and who sat as words."""
    opened, play, seated = (row.get(name) for name in ("opened", "play", "seated"))
    return row | {
        "opened": values.moment(opened).isoformat() if opened is not None else None,
        "play": ", ".join(f"{act['who']} {act['what']}" for act in play) if play is not None else None,
        "seated": ", ".join(f"seat {each['seat']} {each['patron']}" for each in seated) if seated else None,
    }


def _spots(what: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str], Row]]:
    for row in rows:
        names = [str(row[name]) for name in _SPOT[1:] if row.get(name) is not None]
        yield (
            (what, " ".join((f"seat {row['seat']}", *names))),
            {name: value for name, value in row.items() if name not in _SPOT},
        )


def _owed(each: Expected) -> Row:
    """Write what was owed under the names that a store has for it."""
    names = {"cents": "expected_cents", "vigorish_cents": "expected_vigorish_cents"}
    return {names.get(name, name): value for name, value in asdict(each).items()}


def _finding(finding: FindingView) -> Row:
    row: Row = msgspec.to_builtins(finding)
    row.pop("delta_cents", None)  # of the exchange format; the sums have it
    return row


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return the key by which names with numbers are put into the order in which people count.

    >>> sorted(["10", "9", "9a", "A-2"], key=natural)
    ['9', '9a', '10', 'A-2']
    >>> sorted(["BAC-12", "BAC-9", "21-3", "BAC-9A"], key=natural)
    ['21-3', 'BAC-9', 'BAC-9A', 'BAC-12']
    """
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in re.findall(r"\d+|\D+", name))
