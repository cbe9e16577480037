"""`discardrack diff`: differences between two audits of the same rounds, shoes and accounts."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, TypeAlias

import click
import msgspec
from rich.console import Console

from projections.engine.audit.round_records import is_repeat
from projections.engine.conclusion import ConclusionView, id_of
from projections.store.conclusion_diff import (
    ComparedConclusion,
    Difference,
    compared_conclusion,
    compared_stored,
    differences,
    natural,
    stored_rounds,
    tables_with,
    texts_of,
)
from projections.store.runs import Run, live_runs, runs_of
from replay.cli import custody
from replay.cli.options import token_file_option
from replay.cli.source import SCHEME, SOURCE, open_recording
from replay.lists.writers import Form, Row, format_option
from replay.nightly.live_comparison import TableComparison, compare, is_address, live_of
from replay.nightly.live_comparison import open_live as opened_store
from replay.recording.judged_rounds import judge_rounds
from replay.recording.rejudge import write_money
from replay.recording.spill import SpillFile
from schemas.errors import BadInput
from schemas.values import dollars
from streams import log
from streams.log import Unread

# ── One side of a diff: an audit's JSON lines, a store, or what is recorded, audited now ──────────────

_DUCKDB: Final = (8, b"DUCK")  # where in a file it stands, and what
_DAYS: Final = "SELECT DISTINCT gaming_date FROM rounds WHERE run = ? ORDER BY gaming_date"
_read: Final = msgspec.json.Decoder(ConclusionView).decode
_read_unread: Final = msgspec.json.Decoder(Unread).decode


def read_side(
    address: str, house_file: str | None, run: str | None, token_file: Path | None
) -> Iterator[ComparedConclusion | Unread]:
    """Read a side: what was concluded there of each round, shoe and account, the latest last.

    `token_file` is for a side that is the address of `serve`.

    Raises:
        BadInput: there is no such thing, it is none of these, or its house file or run is wrongly named.
    """
    if is_address(address) or _is_store(Path(address)):
        if house_file is not None:
            raise BadInput(f"{address}: a store was audited already; a house file goes with what is recorded")
        yield from _stored(address, run, token_file if is_address(address) else None)
        return
    if run is not None:
        raise BadInput(f"{address}: no store, so it has no run {run!r}")
    path = Path(address)
    if not address.startswith(SCHEME) and path.is_file() and _is_answers(path):
        if house_file is not None:
            raise BadInput(f"{address}: an audit's answers; a house file goes with what is recorded")
        yield from _answers(path)
        return
    with open_recording(SOURCE.convert(address, None, None), house_file) as recording:
        for each in judge_rounds(recording):
            if isinstance(each, Unread):
                yield each
            elif not each.is_repeat:
                yield compared_conclusion(each.seen, each.conclusion)


def _is_store(path: Path) -> bool:
    place, mark = _DUCKDB
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(place + len(mark))[place:] == mark


def _is_answers(path: Path) -> bool:
    """Return True if a file's first line that is JSON is an answer of `audit`."""
    if log.is_parquet(path):
        return False
    for _, line in log.payloads(path):
        try:
            first = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        return isinstance(first, dict) and (first.keys() >= {"verdict", "findings"} or "error" in first)
    return False


def _answers(path: Path) -> Iterator[ComparedConclusion | Unread]:
    for number, line in log.payloads(path):
        try:
            row = _read(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            reason = str(error)
        else:
            if not is_repeat(row):
                yield ComparedConclusion(conclusion=row, texts=texts_of(row))
            continue
        try:
            yield _read_unread(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise BadInput(
                f"{path}:{number}: no answer of audit on a round, shoe or account: {reason}"
            ) from None


def _stored(address: str, run: str | None, token_file: Path | None) -> Iterator[ComparedConclusion]:
    live = live_of(address, token_file)
    with TemporaryDirectory(prefix="discardrack-") as scratch, opened_store(live, Path(scratch)) as db:
        for each in reversed(_runs(address, runs_of(db), run)):
            for (day,) in db.execute(_DAYS, [each.run]).fetchall():
                for table in tables_with(db, each.run, day):
                    for stored in stored_rounds(db, each.run, day, table):
                        yield compared_stored(stored)


def _runs(name: str, runs: Sequence[Run], address: str | None) -> Sequence[Run]:
    """Choose the runs that count, the newest first: the one named, the live ones, or the only one."""
    chosen: Sequence[Run]
    if address is not None:
        chosen = [run for run in runs if run.run == address]
    else:
        chosen = live_runs(runs)
        if len(chosen) > 1 and chosen[0].kind != "live":
            chosen = []
    if not chosen:
        names = ", ".join(f"{run.run} ({run.source})" for run in runs) or "none"
        raise BadInput(f"{name}: say which run with --run-a or --run-b; there are {names}")
    return chosen


# ── Two audits side by side on disk, so that memory does not grow with them ───────────────────────────

Side: TypeAlias = Literal["a", "b"]
# The two sides of one name; None if a side has nothing.
Pair: TypeAlias = tuple[ComparedConclusion | Unread | None, ComparedConclusion | Unread | None]

_MAKE: Final = """
    CREATE TABLE told (
        side TEXT NOT NULL, day TEXT NOT NULL, at_table TEXT NOT NULL, id TEXT NOT NULL,
        said TEXT NOT NULL, whole TEXT, body BLOB NOT NULL,
        PRIMARY KEY (day, at_table, side, id)
    ) WITHOUT ROWID
"""
_PUT: Final = "INSERT OR REPLACE INTO told VALUES (?, ?, ?, ?, ?, ?, ?)"
_GROUPS: Final = "SELECT DISTINCT day, at_table FROM told ORDER BY day, at_table"
_DIGESTS: Final = (
    "SELECT id, CASE WHEN ? THEN whole ELSE said END FROM told WHERE day = ? AND at_table = ? AND side = ?"
)
_BODY: Final = "SELECT id, body FROM told WHERE day = ? AND at_table = ? AND side = ? AND id = ?"
_UNREAD: Final = "unread|"
_KIB: Final = 2000  # in memory: the rows come in by name, so that a page is come back to

_encode: Final = msgspec.json.Encoder().encode
_read_facts: Final = msgspec.json.Decoder(ComparedConclusion).decode


class ComparisonSpill(SpillFile):
    """Keeps what two audits concluded, the latest of each subject, in a file that goes when it is closed."""

    def __init__(self) -> None:
        super().__init__(_MAKE, kib=_KIB)
        self._is_whole = True

    def put(self, side: Side, item: ComparedConclusion | Unread) -> None:
        """Store what one side concluded; the latest of a subject replaces the earlier ones."""
        if isinstance(item, Unread):
            name = f"{_UNREAD}{item.line}|{item.error}"
            self._base.execute(_PUT, (side, "", "", name, "", "", _encode(item)))
            return
        digest, is_whole = item.digests()
        self._is_whole = self._is_whole and is_whole is not None
        about = (side, str(item.conclusion.gaming_date), item.conclusion.table, id_of(item.conclusion))
        self._base.execute(_PUT, (*about, digest, is_whole, _encode(item)))

    def differing(self) -> Iterator[Pair]:
        """Yield what differs, or is on one side only: by gaming day, table, and name in people's order.

        Rounds are compared with all that was seen of them if both sides have it, else by their conclusions
        only.
        """
        for day, table in self._base.execute(_GROUPS).fetchall():
            found = self._compared(day, table)
            names = (*found.differing, *found.missing, *found.extra)
            for name in sorted(names, key=natural):
                yield self._body(day, table, "a", name), self._body(day, table, "b", name)

    def _compared(self, day: str, table: str) -> TableComparison:
        key = (self._is_whole, day, table)
        a = dict(self._base.execute(_DIGESTS, (*key, "a")).fetchall())
        b = dict(self._base.execute(_DIGESTS, (*key, "b")).fetchall())
        return compare(table, a, b)

    def _body(self, day: str, table: str, side: Side, name: str) -> ComparedConclusion | Unread | None:
        row = self._base.execute(_BODY, (day, table, side, name)).fetchone()
        if row is None:
            return None
        return _read_unread(row[1]) if name.startswith(_UNREAD) else _read_facts(row[1])


# ── The verb ────────────────────────────────────────────────────────────────────────────────

_COLUMNS: Final = (
    "gaming_date", "table", "round", "shoe", "account", "what", "of", "field", "a", "b", "difference_cents",
)  # fmt: skip


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--house-a", help="House file for A, where A is recorded and has none of its own, or another.")
@click.option("--house-b", help="House file for B, likewise.")
@click.option("--run-a", help="Which run of A, where A is a store with several.")
@click.option("--run-b", help="Which run of B, likewise.")
@token_file_option()
@custody.options
@format_option()
def diff(
    a: str,
    b: str,
    house_a: str | None,
    house_b: str | None,
    run_a: str | None,
    run_b: str | None,
    token_file: Path | None,
    form: Form,
) -> None:
    """List the differences of two audits: rounds that only one has, and fields that differ, with cents.

    A and B are each the JSON lines that audit printed, a store (a file, or the address of serve), or a
    recording (round records, frames, an archive folder, Kafka), which is audited now. Rounds, shoes and
    accounts are compared in their canonical form. If both sides have what was seen of the rounds, that is
    compared too. Exit status: 0 nothing differs, 1 the list is not empty.

    \b
    Example:
      discardrack diff yesterday.jsonl floor/
      discardrack diff floor/ floor/ --house-b new_rules.yaml --format csv
      discardrack diff http://127.0.0.1:8000 var/live/archive --token-file nightly.token
    """  # noqa: D301  click takes the backspace itself for its mark
    with ComparisonSpill() as spool:
        with Console(stderr=True).status("Comparing …"):
            for each in read_side(a, house_a, run_a, token_file):
                spool.put("a", each)
            for each in read_side(b, house_b, run_b, token_file):
                spool.put("b", each)
        rows = _rows(spool, form)
        first = next(rows, None)
        if first is not None:  # without differences nothing is printed, not even a head
            write_money(chain([first], rows), form, _COLUMNS)
    raise click.exceptions.Exit(0 if first is None else 1)


def _rows(spool: ComparisonSpill, form: Form) -> Iterator[Row]:
    for pair in spool.differing():
        about = _about(pair)
        for each in _differences(pair):
            yield about | {
                "what": each.what,
                "of": each.of,
                "field": each.field,
                "a": _cell(each.field, each.a, form),
                "b": _cell(each.field, each.b, form),
                "difference_cents": each.cents,
            }


def _about(pair: Pair) -> dict[str, object]:
    """Return the subject of two sides, or of one; unreadable records have no name."""
    conclusion = next((each.conclusion for each in pair if isinstance(each, ComparedConclusion)), None)
    return {
        "gaming_date": str(conclusion.gaming_date) if conclusion is not None else None,
        "table": conclusion.table if conclusion is not None else None,
        "round": conclusion.round if conclusion is not None else None,
        "shoe": conclusion.shoe if conclusion is not None else None,
        "account": conclusion.account if conclusion is not None else None,
    }


def _differences(pair: Pair) -> Iterator[Difference]:
    a, b = pair
    if isinstance(a, ComparedConclusion) and isinstance(b, ComparedConclusion):
        yield from differences(a, b)
    else:
        yield Difference(
            "only in A" if b is None else "only in B", "", "", _one_sided_text(a), _one_sided_text(b)
        )


def _one_sided_text(each: ComparedConclusion | Unread | None) -> str | None:
    """Return a line about what one side alone has."""
    if each is None:
        return None
    if isinstance(each, Unread):
        return f"unreadable: {each.describe()}"
    found = "; ".join(f"{finding.check}: {each.texts[finding.id]}" for finding in each.conclusion.findings)
    return f"{each.conclusion.verdict}: {found}" if found else each.conclusion.verdict


def _cell(field: str, value: object, form: Form) -> object:
    """Write the cents of a field as dollars where people read them."""
    is_money = field == "cents" or field.endswith("_cents")
    return dollars(value) if form == "table" and is_money and isinstance(value, int) else value
