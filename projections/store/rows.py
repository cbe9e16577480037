"""Rows of the store's tables, and conclusions from them; a hash of all that is stored of one."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias, TypeVar, overload

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import asdict

from projections.engine.check_context import NOTHING_PAID
from projections.engine.conclusion import Conclusion, ConclusionOf, Expected, Line, canonical
from projections.engine.facts import Fact, dump, load
from projections.engine.findings import Finding, FindingBase
from projections.engine.observation import Key, Round, key_of
from schemas.senders import Refusal
from schemas.values import Micros, microseconds, moment

# ── Times as the store has them, which are UTC without a zone, and as everything else has them ───────────


@overload
def utc(stored: datetime) -> datetime: ...
@overload
def utc(stored: datetime | None) -> datetime | None: ...
def utc(stored: datetime | None) -> datetime | None:
    """Read a time of the store, if there is one.

    >>> utc(datetime(2025, 3, 1, 20, 0)).isoformat()
    '2025-03-01T20:00:00+00:00'
    """
    return stored.replace(tzinfo=UTC) if stored is not None else None


@overload
def micros(stored: datetime) -> Micros: ...
@overload
def micros(stored: datetime | None) -> Micros | None: ...
def micros(stored: datetime | None) -> Micros | None:
    """Read a time of the store, if there is one, in microseconds UTC.

    >>> micros(datetime(1970, 1, 1, 0, 0, 1))
    1000000
    """
    return microseconds(stored.replace(tzinfo=UTC)) if stored is not None else None


def as_stored(at: datetime | Micros) -> datetime:
    """Return a time as the store has it; a number is microseconds UTC.

    >>> as_stored(1_000_000)
    datetime.datetime(1970, 1, 1, 0, 0, 1)
    """
    instant = at if isinstance(at, datetime) else moment(at)
    return instant.astimezone(UTC).replace(tzinfo=None)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What the store keeps as rows of its tables, and conclusions back; the columns are those of store.sql.

Row: TypeAlias = dict[str, Any]

# What a finding of an account is about besides its place, and its columns' other names.
_CONCERNS: Final = {"table": "concerns_table", "day": "concerns_day"}
_F = TypeVar("_F", bound=FindingBase[Fact])
_R = TypeVar("_R")


class QuarantinedRecord(Struct, frozen=True):
    """Record from Kafka that is no conclusion to store: its name and place there, why, and its text.

    `code` is why forbidden input was refused, `source` where it came from.
    """

    cluster: str
    id: str
    place: str
    reason: str
    payload: str
    table: str | None = None
    code: Refusal | None = None
    source: str | None = None


class Offset(Struct, frozen=True):
    """Progress in a partition: the offset of the first record that was not read."""

    cluster: str
    topic: str
    partition: int
    next: int


class StoredTableStatus(Struct, frozen=True):
    """Status of a table of a cluster's floor, as JSON (`projections.casework.table_status`)."""

    cluster: str
    table: str
    status: str


def round_row(about: Row, observed: Round | None, concluded: Conclusion) -> Row:
    """Write what was concluded of a round; `about` is its key in the store."""
    row = {
        "table_id": concluded.table,
        "gaming_date": concluded.gaming_date,
        "round": concluded.round,
        "shoe": concluded.shoe,
        "account": concluded.account,
        "lines": [asdict(line) for line in concluded.lines] or None,
        "chapter": concluded.chapter,
        "verdict": concluded.verdict,
        "outcome": concluded.outcome,
        "rulebook": concluded.rulebook,
    }
    if observed is not None:
        row |= {
            "opened": observed.at,
            "announced": observed.announced,
            "dealer": observed.dealer,
            "seated": [{"seat": seat, "patron": who} for seat, who in observed.seated.items()] or None,
            "play": observed.play,
            "hands": msgspec.json.encode(observed.laid).decode() if observed.laid is not None else None,
        }
    return about | row


def wager_rows(about: Row, observed: Round | None) -> list[Row]:
    """Write the wagers that were seen."""
    wagers = observed.wagers if observed is not None else {}
    return [about | key._asdict() | asdict(chips) for key, chips in wagers.items()]


def settlement_rows(about: Row, observed: Round | None, concluded: Conclusion) -> list[Row]:
    """Write what each wager was owed and what it brought, also if only one of them is known.

    A wager without a settlement, in a round with observed settlement, brought nothing.
    """
    expected: dict[Key, Expected] = {key_of(each): each for each in concluded.expected}
    paid = observed.paid if observed is not None else None
    rows = []
    for ordinal, key in enumerate(dict.fromkeys((*expected, *(paid or ())))):
        row: Row = {"ordinal": ordinal, "judged": key in expected}
        if key in expected:
            row["expected_cents"] = expected[key].cents
            row["expected_vigorish_cents"] = expected[key].vigorish_cents
        if paid is not None:
            brought = paid.get(key, NOTHING_PAID)
            row |= {
                "paid_cents": brought.cents,
                "paid_vigorish_cents": brought.vigorish_cents,
                "righted_cents": brought.righted_cents,
                "righted_vigorish_cents": brought.righted_vigorish_cents,
                "later_cents": brought.later_cents,
                "later_vigorish_cents": brought.later_vigorish_cents,
            }
        rows.append(about | key._asdict() | row)
    return rows


def finding_rows(about: Row, concluded: Conclusion) -> list[Row]:
    """Write findings and notes, in their order."""
    rows: list[Row] = []
    for finding in (*concluded.findings, *concluded.notes):
        fields = {name: value for name, value in asdict(finding).items() if value is not UNSET}
        fields["message"] = dump(finding.message)
        fields.pop("delta_cents", None)  # of the exchange format; the sums have its content
        fields |= {
            "run": about["run"],
            "revision": about["revision"],
            "round_id": about["id"],
            "ordinal": len(rows),
            "check_name": fields.pop("check"),
            **{column: fields.pop(name, None) for name, column in _CONCERNS.items()},
        }
        if finding.steps:
            fields["steps"] = [asdict(step) | {"says": dump(step.says)} for step in finding.steps]
        rows.append(fields)
    return rows


def refused_rows(refused: Iterable[QuarantinedRecord], noted: datetime) -> list[Row]:
    """Write what was refused, as of `noted` (UTC, naive as the store has it)."""
    return [
        {
            "cluster": each.cluster,
            "id": each.id,
            "noted": noted,
            "place": each.place,
            "reason": each.reason,
            "payload": each.payload,
            "table_id": each.table,
            "code": each.code,
            "source": each.source,
        }
        for each in refused
    ]


def finding_of(row: Row, form: type[_F]) -> _F:
    """Read a finding back: as it was, without the exchange format's own, or with more of its round."""
    fields = {name: value for name, value in row.items() if value is not None}
    fields["check"] = fields.pop("check_name")
    if "expected_cents" in fields:
        fields["delta_cents"] = fields["observed_cents"] - fields["expected_cents"]
    fields |= {name: fields.pop(column) for name, column in _CONCERNS.items() if column in fields}
    fields["message"] = load(fields["message"])
    if "steps" in fields:
        fields["steps"] = [step | {"says": load(step["says"])} for step in fields["steps"]]
    return msgspec.convert(fields, form)


def findings_of(rows: Iterable[Row], read: Callable[[Row], _R]) -> tuple[list[_R], list[_R]]:
    """Read findings back, and apart from them the notes; each in order."""
    found: list[_R] = []
    notes: list[_R] = []
    for row in rows:
        (notes if row["weight"] == "note" else found).append(read(row))
    return found, notes


def grouped(rows: Iterable[Row], column: str) -> defaultdict[Any, list[Row]]:
    """Group rows that have the same in a column.

    >>> grouped([{"id": 1}, {"id": 2}, {"id": 1}], "id")[1]
    [{'id': 1}, {'id': 1}]
    """
    together: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        together[row[column]].append(row)
    return together


def lines_of(row: Row) -> list[Line]:
    """Read the lines of an account back; a round or a shoe has none."""
    return [msgspec.convert(line, Line) for line in row["lines"] or ()]


def conclusion_of(row: Row, settlements: list[Row], found: list[Row]) -> Conclusion:
    """Read a conclusion back from its row, what it settled and what it found, each in order."""
    findings, notes = findings_of(found, lambda row: finding_of(row, Finding))
    return Conclusion(
        table=row["table_id"],
        round=row["round"],
        shoe=row["shoe"],
        account=row["account"],
        gaming_date=row["gaming_date"],
        chapter=row["chapter"],
        verdict=row["verdict"],
        outcome=row["outcome"],
        expected=tuple(
            Expected(
                seat=each["seat"],
                wager=each["wager"],
                cents=each["expected_cents"],
                vigorish_cents=each["expected_vigorish_cents"],
                bettor=each["bettor"],
                hand=each["hand"],
            )
            for each in settlements
            if each["judged"]
        ),
        findings=tuple(findings),
        notes=tuple(notes),
        rulebook=row["rulebook"],
        lines=tuple(lines_of(row)),
    )


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# All that a store keeps of a conclusion as one hash, whether it was just drawn or read back from a store.

# Keys of a row.
_PLACE: Final = frozenset({"run", "id", "revision", "ordinal"})
_SEEN: Final = ("opened", "announced", "dealer", "play", "seated")
_encode: Final = msgspec.json.Encoder(order="sorted").encode


def fingerprint(observed: Round | None, concluded: Conclusion) -> str:
    """Hash a conclusion in its canonical form, with all that a store has of its round."""
    row = round_row({}, observed, concluded)
    if (play := row.get("play")) is not None:
        row["play"] = [{"who": who, "what": what} for who, what in play]
    return fingerprint_of(concluded, row, wager_rows({}, observed), settlement_rows({}, observed, concluded))


def fingerprint_of(
    concluded: ConclusionOf[Any], row: Row, wagers: Iterable[Row], settlements: Iterable[Row]
) -> str:
    """Hash a conclusion with the rows of its round, which has `opened` in microseconds UTC."""
    observed = _fields_present({name: row.get(name) for name in _SEEN})
    sums = [
        observed,
        *(_fields_present(each) for each in wagers),
        *(_fields_present(each) for each in settlements),
    ]
    return hashlib.sha256(canonical([concluded]) + _encode(sums)).hexdigest()[:32]


def _fields_present(row: Mapping[str, Any]) -> Row:
    """Return a row without empty fields and without its keys."""
    return {name: value for name, value in row.items() if value is not None and name not in _PLACE}
