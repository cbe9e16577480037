"""Custody: what is looked at and released of an archive is noted in it; `discardrack custody` shows it."""

import hashlib
import io
import os
import pwd
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

import click
from click.core import ParameterSource
from msgspec.structs import replace

from projections.store.disk import sha256_of
from replay.lists.writers import Form, Row, format_option, write_rows
from replay.recording.file_kinds import kind_at
from replay.recording.recording import folders_below
from schemas.errors import BadInput, DiscardrackError
from schemas.values import moment
from streams import processes
from streams.archive.custody import CUSTODY, Entry, note, read
from streams.archive.record_names import is_archive


def refuse_other(path: Path, than: str = "no archive") -> None:
    """Check that a path is an archive of a live floor; the error names the folders in it that are.

    Raises:
        BadInput: it is none.
    """
    if not is_archive(path):
        raise BadInput(f"{path}: {than} of a live floor, which holds days/{folders_below(path, is_archive)}")


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Custody: what is looked at and released of an archive is noted in it; `discardrack custody` lists it.
#
# A verb that takes PATH by `source.source_argument` does so by itself. An archive that cannot be written to
# can be looked at all the same; what is released has to be noted somewhere.

# Options about how something is viewed or logged, not about what is viewed.
_HOW: Final = frozenset({"source", "house_file", "form", "by", "custody", "jobs"})
_FILES: Final = frozenset({"--out", "--html", "--svg", "--store"})  # each names a file to be written
_REFUSED: Final = (DiscardrackError, click.UsageError)
_SAY: Final = "what is released has to be noted: say --custody FILE"
_COLUMNS: Final = ("at", "by", "verb", "does", "table", "date", "round", "asked", "to", "bytes", "sha256")


def options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb that looks at what is recorded --by and --custody, which `noted` reads."""

    def keep(context: click.Context, option: click.Parameter, value: str | Path | None) -> None:
        context.meta[f"{__name__}.{option.name}"] = value

    file = click.Path(dir_okay=False, path_type=Path)
    message = "Note it in this file, where the archive cannot be written to."
    with_file = click.option(
        "--custody", "custody", type=file, expose_value=False, callback=keep, help=message
    )
    message = "Who asks, for the archive's log of custody; the system's user unless told."
    return click.option("--by", "by", expose_value=False, callback=keep, help=message)(with_file(verb))


def user() -> str:
    """Return the system's user who runs this, by number: names in the environment can be changed."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"


def _now() -> datetime:
    return moment(processes.now())


def named_options(context: click.Context) -> Mapping[str, str | list[str]]:
    """Return what a call named, by the words of the command line."""
    found: dict[str, str | list[str]] = {}
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        value = context.params.get(name)
        if name in _HOW or not given or value is None:
            continue
        word = name if isinstance(parameter, click.Argument) else max(parameter.opts, key=len)
        found[word.strip("-_")] = (
            [_word(each) for each in value] if isinstance(value, tuple) else _word(value)
        )
    return found


def found(what: Mapping[str, str]) -> None:
    """Add what was looked at to the custody note, where the call names it by an id alone."""
    click.get_current_context().meta[f"{__name__}.found"] = what


def _word(value: object) -> str:
    """Write a value as it was asked for; a day has no hour.

    >>> _word(datetime(2025, 3, 1)), _word(17), _word(True)
    ('2025-03-01', '17', 'true')
    """
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        return str(value.date())
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def note_custody(path: Path | None, name: str, *, releases: bool) -> Iterator[None]:
    """Log that something is opened, and what was released when the context ends, also after an error.

    The opening is logged before any output or release. A call that is rejected earlier is logged as such.

    Without a path it is Kafka, which has no log of its own. Files of round records and of frames have none
    either, and nothing is logged for them unless a log is named.

    Raises:
        BadInput: something is to be released, and it cannot be logged.
    """
    context = click.get_current_context()
    log: Path | None = context.meta.get(f"{__name__}.custody")
    if log is None and path is not None and is_archive(path):
        log = path / CUSTODY
    files = _files(context)
    releases = releases or bool(files)
    if log is None:
        if path is None and releases:
            raise BadInput(f"{name}: has no log of custody; {_SAY}")
        yield
        return
    entry = Entry(
        at=_now(),
        by=context.meta.get(f"{__name__}.by") or user(),
        verb=str(context.info_name),
        does="open",
        archive=name,
        what=named_options(context),
    )
    if not releases:
        with _showing_noted(log, entry):
            yield
        return
    try:
        note(log, entry)
    except BadInput as error:
        raise BadInput(f"{error}; {_SAY}") from None
    with _refusal_noted(log, entry), _files_noted(log, entry, files) if files else _output_noted(log, entry):
        yield


@contextmanager
def _showing_noted(log: Path, entry: Entry) -> Iterator[None]:
    """Note what is looked at before its first word is shown, or what was refused."""
    left = [entry]  # what is not noted yet
    meta = click.get_current_context().meta

    def noting() -> None:
        if left:
            noted = left.pop()
            _note_or_say(log, replace(noted, what={**noted.what, **meta.get(f"{__name__}.found", {})}))

    try:
        with redirect_stdout_to(HashedStdout(sys.stdout.buffer, noting)):
            yield
    except _REFUSED:
        if left:
            _note_or_say(log, replace(left.pop(), does="refused"))
        raise
    finally:
        noting()


def _note_or_say(log: Path, entry: Entry) -> None:
    try:
        note(log, entry)
    except BadInput as error:
        click.echo(f"discardrack: {error}; that it was looked at is not noted", err=True)


@contextmanager
def _refusal_noted(log: Path, entry: Entry) -> Iterator[None]:
    try:
        yield
    except _REFUSED:
        note(log, replace(entry, does="refused", at=_now()))
        raise


def _files(context: click.Context) -> list[Path]:
    """Return the files that a call writes, in the order of the verb's options."""
    files = (
        context.params.get(str(each.name))
        for each in context.command.params
        if _FILES.intersection(each.opts)
    )
    return [each for each in files if isinstance(each, Path)]


@contextmanager
def _files_noted(log: Path, entry: Entry, files: Sequence[Path]) -> Iterator[None]:
    before = [_state(file) for file in files]
    try:
        yield
    finally:
        for file, was in zip(files, before, strict=True):
            if (state := _state(file)) is not None and state != was:
                note(log, _released(entry, file.name, state[0], sha256_of(file)))


def _state(file: Path) -> tuple[int, int, int] | None:
    """Return what differs whenever a file is written: its size, its inode and its time."""
    if not file.is_file():
        return None
    found = file.stat()
    return found.st_size, found.st_ino, found.st_mtime_ns


@contextmanager
def _output_noted(log: Path, entry: Entry) -> Iterator[None]:
    passed = HashedStdout(sys.stdout.buffer, lambda: None)
    try:
        with redirect_stdout_to(passed):
            yield
    finally:
        if passed.size:
            note(log, _released(entry, None, passed.size, passed.hashed.hexdigest()))


def _released(entry: Entry, to: str | None, size: int, sha256: str) -> Entry:
    return replace(entry, does="release", at=_now(), to=to, bytes=size, sha256=sha256)


# ── Standard output through another hand, which sees what is printed ──────────────────────────────────


class HashedStdout(io.BufferedIOBase):
    """Passes bytes on, and hashes them; `first` is done before any."""

    name = "<stdout>"

    def __init__(self, to: BinaryIO, first: Callable[[], None]) -> None:
        self._to = to
        self._first = first
        self.hashed = hashlib.sha256()
        self.size = 0

    def write(self, data: Any) -> int:
        """Pass bytes on."""
        if len(data) and not self.size:
            self._first()
        self.hashed.update(data)
        self.size += len(data)
        return self._to.write(data)

    def flush(self) -> None:
        """Flush what they are passed to."""
        self._to.flush()

    def writable(self) -> bool:
        """Return True: it can be written to."""
        return True

    def isatty(self) -> bool:
        """Return True if a person reads it."""
        return self._to.isatty()

    def fileno(self) -> int:
        """Return the number of what they are passed to."""
        return self._to.fileno()


@contextmanager
def redirect_stdout_to(passed: HashedStdout) -> Iterator[None]:
    """Pass what is printed through a stream that hashes it."""
    sys.stdout.flush()
    text = io.TextIOWrapper(passed, sys.stdout.encoding, sys.stdout.errors, newline="", write_through=True)
    try:
        with redirect_stdout(text):
            yield
    finally:
        with suppress(BrokenPipeError):  # the reader has gone; what was written until then was released
            text.detach()


# ── The verb ───────────────────────────────────────────────────────────────────────────────────────────


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@format_option()
def custody(path: Path, form: Form) -> None:
    """List who opened, exported and released what of an archive.

    PATH is the archive, or the file that was named with --custody. Exit status: 2 if a line cannot be read.

    \b
    Example:
      discardrack custody var/live/archive --format csv
    """  # noqa: D301  click's mark for text that is not wrapped
    if path.is_file() and (kind := kind_at(path)) is not None:
        raise kind.refuse(path, "log of custody")
    log = path / CUSTODY if is_archive(path) else path
    if log.is_dir():
        refuse_other(path)
    faults: list[BadInput] = []
    write_rows(_rows(log, faults), form, _COLUMNS)
    for each in faults:
        click.echo(f"discardrack: {each}", err=True)
    raise click.exceptions.Exit(2 if faults else 0)


def _rows(log: Path, faults: list[BadInput]) -> Iterator[Row]:
    for each in read(log):
        if isinstance(each, BadInput):
            faults.append(each)
            continue
        what = dict(each.what)
        of_day = what.pop("gaming-day", None)
        places = {name: what.pop(name, None) for name in ("table", "date", "round")}
        places["date"] = places["date"] or of_day
        yield {
            "at": each.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "by": each.by,
            "verb": each.verb,
            "does": each.does,
            **{name: _option_text(value) if value is not None else None for name, value in places.items()},
            "asked": "; ".join(f"{name} {_option_text(value)}" for name, value in what.items()) or None,
            "to": each.to,
            "bytes": each.bytes,
            "sha256": each.sha256,
        }


def _option_text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
