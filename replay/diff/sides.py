"""One side of a diff: an audit's JSON lines, a store, or what is recorded, audited now."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from projections.engine.audit.record_context import is_repeat
from projections.engine.conclusion import ConclusionView
from projections.store.conclusion_diff import Facts, facts_of, facts_stored, texts_of
from projections.store.runs import Run, runs_of
from projections.store.stored_day import stored_rounds, tables_with
from replay.nightly.live_comparison import is_address, live_of
from replay.nightly.live_comparison import opened as opened_store
from replay.recording.event_audit import Unread
from replay.recording.judged_rounds import judged
from replay.recording.source import SCHEME, SOURCE, opened
from schemas.errors import BadInput
from streams import log
from streams.topics import ROUNDS

_DUCKDB: Final = (8, b"DUCK")  # where in a file it stands, and what
_DAYS: Final = "SELECT DISTINCT gaming_date FROM rounds WHERE run = ? ORDER BY gaming_date"
_read: Final = msgspec.json.Decoder(ConclusionView).decode
_read_unread: Final = msgspec.json.Decoder(Unread).decode


def side(
    named: str, house_file: str | None, run: str | None, token_file: Path | None
) -> Iterator[Facts | Unread]:
    """Read a side: what was concluded there of each round, shoe and account, the latest last.

    `token_file` is for a side that is the address of `serve`.

    Raises:
        BadInput: there is no such thing, it is none of these, or its house file or run is wrongly named.
    """
    if is_address(named) or _is_store(Path(named)):
        if house_file is not None:
            raise BadInput(f"{named}: a store was audited already; a house file goes with what is recorded")
        yield from _stored(named, run, token_file if is_address(named) else None)
        return
    if run is not None:
        raise BadInput(f"{named}: no store, so it has no run {run!r}")
    path = Path(named)
    if not named.startswith(SCHEME) and path.is_file() and _is_answers(path):
        if house_file is not None:
            raise BadInput(f"{named}: an audit's answers; a house file goes with what is recorded")
        yield from _answers(path)
        return
    with opened(SOURCE.convert(named, None, None), house_file) as (source, house):
        for each in judged(source, house):
            if isinstance(each, Unread):
                yield each
            elif not each.is_repeat:
                yield facts_of(each.seen, each.conclusion)


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


def _answers(path: Path) -> Iterator[Facts | Unread]:
    for number, line in log.payloads(path):
        try:
            said = _read(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            reason = str(error)
        else:
            if not is_repeat(said):
                yield Facts(said=said, texts=texts_of(said))
            continue
        try:
            yield _read_unread(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise BadInput(
                f"{path}:{number}: no answer of audit on a round, shoe or account: {reason}"
            ) from None


def _stored(named: str, run: str | None, token_file: Path | None) -> Iterator[Facts]:
    live = live_of(named, token_file)
    with TemporaryDirectory(prefix="discardrack-") as scratch, opened_store(live, Path(scratch)) as db:
        for each in reversed(_runs(named, runs_of(db), run)):
            for (day,) in db.execute(_DAYS, [each.run]).fetchall():
                for table in tables_with(db, each.run, day):
                    for stored in stored_rounds(db, each.run, day, table):
                        yield facts_stored(stored)


def _runs(named: str, runs: Sequence[Run], asked: str | None) -> Sequence[Run]:
    """Choose the runs that count, the newest first: the one named, the live ones, or the only one."""
    if asked is not None:
        chosen = [run for run in runs if run.run == asked]
    else:
        chosen = [run for run in runs if run.source.startswith(f"{ROUNDS} of cluster ")]
        chosen = chosen or [*runs]
        if len(chosen) > 1 and not chosen[0].source.startswith(f"{ROUNDS} of cluster "):
            chosen = []
    if not chosen:
        known = ", ".join(f"{run.run} ({run.source})" for run in runs) or "none"
        raise BadInput(f"{named}: say which run with --run-a or --run-b; there are {known}")
    return chosen
