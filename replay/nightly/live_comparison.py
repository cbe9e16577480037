"""Comparison of what the live side stored of a gaming day with the day audited again."""

import shlex
import shutil
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final

import duckdb
from msgspec import Struct

from projections.engine.conclusion import Conclusion, id_of
from projections.store.conclusion_diff import (
    ComparedConclusion,
    Difference,
    compared_conclusion,
    compared_stored,
    differences,
    digests_of,
    orphans_of,
    runs_with,
    stored_rounds,
    tables_with,
)
from projections.store.runs import live_runs
from projections.store.store_file import connect
from replay.nightly.table_audit import audit_table
from replay.recording.recording import Recording
from schemas.errors import BadInput
from schemas.values import dollars

_TABLES: Final = 8  # audited again to explain differences; if more differ it is seldom a single round
_FIELDS: Final = 3  # shown of one conclusion
# The heaviest come first. Of the others only the names are shown: they may contain persons.
_ORDER: Final = ("conclusion", "finding", "note", "settlement", "wager", "line", "round", "store")

_WAIT: Final = 120  # seconds for a snapshot to begin; it is a copy of the whole store
_SHORT: Final = 10  # seconds for an answer of any kind
_ADDRESS: Final = ("http://", "https://")
_SNAPSHOT: Final = "api/snapshot"
_REFUSED: Final = (401, 403)
_NO_STORE: Final = "there is no such file; name the live store's, or the address of serve, http://HOST:PORT"


class TableComparison(Struct, kw_only=True):
    """A table's day in the audit and in the store, by what each conclusion is about.

    `differing` are in both and not the same to the byte, `how` has by name what differs; `missing` are not in
    the store, `extra` only in it.
    """

    table: str
    same: int
    differing: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    how: dict[str, str] = {}


class Live(Struct, frozen=True):
    """The live store: a file or the address of `serve`, and the token by which `serve` is read."""

    at: str
    token: str | None = None


def is_address(address: str) -> bool:
    """Return True if what was named is the address of `serve`, and no file."""
    return address.startswith(_ADDRESS)


def live_of(at: str, token_file: Path | None) -> Live:
    """Return how to read a live store, after checking that it is there: the audit that follows is long.

    Raises:
        BadInput: there is none, it is one that another process has open, nobody answers at its address, or
            there is a token for a file or none for an address.
    """
    if not is_address(at):
        if token_file is not None:
            raise BadInput(f"{at} is no address; --token-file is for that of serve")
        with _of_file(at):
            return Live(at)
    _answers(at)
    if token_file is None:
        raise BadInput(f"{at}: serve lets nobody in without a token; say --token-file FILE")
    try:
        token = token_file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as error:
        raise BadInput(f"--token-file {token_file}: cannot be read: {error}") from None
    if not token or not token.isprintable() or " " in token:
        raise BadInput(f"--token-file {token_file}: is no token; discardrack user token prints one")
    return Live(at, token)


def _answers(live: str) -> None:
    address = urllib.parse.urlsplit(live)
    try:
        where = address.hostname or "", address.port or (443 if address.scheme == "https" else 80)
        socket.create_connection(where, _SHORT).close()
    except (OSError, ValueError) as error:
        raise BadInput(f"{live}: nobody answers: {error}; is serve --broker running there?") from None


@contextmanager
def _of_file(live: str) -> Iterator[duckdb.DuckDBPyConnection]:
    if not Path(live).is_file():
        raise BadInput(f"{live}: {_NO_STORE}")
    with connect(Path(live), writing=False) as db:
        yield db


@contextmanager
def open_live(live: Live, scratch: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a store for reading: a file, or the address of `serve`, from which a snapshot is fetched.

    Raises:
        BadInput: there is no such store, it is one that another process has open, or nobody answers.
    """
    if live.token is None:
        with _of_file(live.at) as db:
            yield db
        return
    copy = scratch / "snapshot.duckdb"
    try:
        _fetch(live.at, live.token, copy)
        with connect(copy, writing=False) as db:
            yield db
    finally:
        copy.unlink(missing_ok=True)


def _fetch(live: str, token: str, copy: Path) -> None:
    address = f"{live.rstrip('/')}/{_SNAPSHOT}"
    try:
        request = urllib.request.Request(address)  # noqa: S310  http or https, as `live_of` saw
        # What is sent on to another server does not have it.
        request.add_unredirected_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=_WAIT) as answer, copy.open("wb") as out:  # noqa: S310  likewise
            shutil.copyfileobj(answer, out)
    except urllib.error.HTTPError as error:
        error.close()
        message = f"{address}: no snapshot: {error}"
        if error.code in _REFUSED:
            message += "; the token is of no account that may take one, or has ended: discardrack user token"
        raise BadInput(message) from None
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise BadInput(f"{address}: no snapshot: {error}; is serve --broker running there?") from None


class Stored:
    """A gaming day in a store: of each conclusion the one that the newest of its live runs has.

    A store of one floor that no worker wrote, as `demo` makes it, has runs that are not live; then all count.
    """

    def __init__(self, db: duckdb.DuckDBPyConnection, day: date) -> None:
        self.runs = live_runs(runs_with(db, day))
        self._db, self._day = db, day

    def tables(self) -> list[str]:
        """Return the tables that it has anything of."""
        return sorted({table for run in self.runs for table in tables_with(self._db, run.run, self._day)})

    def digests(self, table: str) -> dict[str, str]:
        """Hash each conclusion of a table."""
        found: dict[str, str] = {}
        for run in reversed(self.runs):
            found |= digests_of(self._db, run.run, self._day, table)
        return found

    def facts(self, table: str, names: Collection[str]) -> dict[str, ComparedConclusion]:
        """Read these conclusions of a table, in the form in which the audit's can be compared with them."""
        return {
            each.name: compared_stored(each)
            for run in reversed(self.runs)
            for each in stored_rounds(self._db, run.run, self._day, table)
            if each.name in names
        }

    def orphans(self) -> list[str]:
        """Return what it has parts of and no conclusion."""
        return sorted({name for run in self.runs for name in orphans_of(self._db, run.run, self._day)})


def compare(table: str, audited: Mapping[str, str], stored: Mapping[str, str]) -> TableComparison:
    """Compare what was audited with what is stored, by id.

    >>> found = compare("BAC-1", {"1": "a", "2": "b", "3": "c"}, {"1": "a", "2": "x", "4": "d"})
    >>> found.same, found.differing, found.missing, found.extra
    (1, ('2',), ('3',), ('4',))
    """
    both = audited.keys() & stored.keys()
    differing = sorted(name for name in both if audited[name] != stored[name])
    return TableComparison(
        table=table,
        same=len(both) - len(differing),
        differing=tuple(differing),
        missing=tuple(sorted(audited.keys() - stored.keys())),
        extra=tuple(sorted(stored.keys() - audited.keys())),
    )


def explain(
    found: Iterable[TableComparison],
    stored: Stored,
    recording: Recording,
    day: date,
    accounts: Iterable[Conclusion],
    live: str,
) -> None:
    """Add to each comparison how its conclusions differ or, if many tables differ, what to run.

    The rounds of a table are not stored when it is audited, so a table with differences is audited again.

    Raises:
        BadInput: the store or the archive cannot be read.
    """
    of_ledgers = {id_of(each): compared_conclusion(None, each) for each in accounts}
    logs = {each.name: each for each in recording.table_logs()}
    count = 0
    for each in found:
        names = set(each.differing)
        here = {name: facts for name, facts in of_ledgers.items() if name in names}
        if each.table in logs and names:
            count += 1
            if count > _TABLES:
                see = f"see {shlex.join(['discardrack', 'diff', live, str(recording.path)])}"
                each.how = dict.fromkeys(each.differing, see)
                continue
            again = audit_table(recording, logs[each.table], day)
            here |= {
                name: compared_conclusion(one.seen, one.conclusion)
                for one in again
                if (name := id_of(one.conclusion)) in names
            }
        stored_facts = stored.facts(each.table, names) if names else {}
        each.how = {name: difference_line(stored_facts[name], here[name]) for name in sorted(names)}


def difference_line(stored: ComparedConclusion, audited: ComparedConclusion) -> str:
    """Return a line on how a stored conclusion differs from the audited one; of many fields how many more."""
    found = sorted(differences(stored, audited), key=lambda each: _ORDER.index(each.what))
    more = f"; and {len(found) - _FIELDS} more" if len(found) > _FIELDS else ""
    return "; ".join(_field(each) for each in found[:_FIELDS]) + more


def _field(each: Difference) -> str:
    """Return a field that differs in words.

    >>> _field(Difference("conclusion", "", "verdict", "clean", "mismatch"))
    'verdict: clean in the store, mismatch in the audit'
    >>> _field(Difference("settlement", "seat 1 player", "paid_cents", 10_100, 10_000, -100))
    'settlement seat 1 player paid: $101.00 in the store, $100.00 in the audit'
    >>> _field(Difference("finding", "late_wager 1a", "", None, "seat 1: the wager was made late"))
    'finding late_wager in the audit alone'
    >>> _field(Difference("round", "", "dealer", "dana", "ben"))
    'round dealer'
    """
    check = each.of.partition(" ")[0]
    if each.what in ("finding", "note") and not each.field:
        return f"{each.what} {check} in the {'audit' if each.a is None else 'store'} alone"
    of = check if each.what in ("finding", "note") else each.of
    name = each.field.removesuffix("_cents")
    is_whole = each.what in ("conclusion", "store")
    what = " ".join(part for part in ("" if is_whole else each.what, of, name) if part)
    money = each.field.endswith("cents")
    if not money and not is_whole:
        return what
    return f"{what}: {_value(each.a, money=money)} in the store, {_value(each.b, money=money)} in the audit"


def _value(value: Any, *, money: bool) -> str:
    if value is None:
        return "nothing"
    return dollars(value) if money and isinstance(value, int) else str(value)
