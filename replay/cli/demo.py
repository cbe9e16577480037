"""`discardrack demo`: a simulated gaming day, archived, audited, stored, and compared with its labels."""

import logging
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import click
import duckdb
import structlog
from rich.console import Console
from rich.table import Table

from projections.catalogue import is_of_vigorish
from projections.engine.checks.plugin_checks import software
from projections.engine.conclusion import Conclusion
from projections.store.store import Entry, Store
from projections.store.store_file import StoreLocked, connect
from projections.views.time_text import minute
from projections.web.auth.accounts import Accounts, for_once, role_of
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.bootstrap import ConsoleSettings
from replay.cli.bundle_process import BundleProcess
from replay.cli.nightly import report_day
from replay.cli.serve import HOST, PORT, SPEED, Settings, listening, serve_on
from replay.lists.writers import printable
from replay.nightly.live_comparison import live_of
from replay.proofs.label_scoring import Claim, Score, read_labels, score
from replay.recording.event_audit import audit_logs
from replay.recording.ledger_days import with_ledgers
from replay.recording.recording import Recording
from replay.serving.played_floor import PlayedSource
from replay.serving.realistic_rates import realistic_rates
from schemas import house as houses
from schemas.codec import Frame, encode
from schemas.errors import BadInput
from schemas.house import House
from streams import log, processes
from streams.archive import keys
from streams.archive.custody import HOLDS
from streams.archive.import_events import archive_of
from streams.log import Unread
from streams.observability import log_as_json
from streams.projector.writer import live_run
from streams.replayed.player import Ahead, Play, recorded
from streams.simulator import faults
from streams.simulator.labels import FaultLabel, Label
from streams.simulator.sessions import sessions
from streams.simulator.simulate import START, next_day, simulate

# ── The folder that `discardrack demo` plays in, created again each time ──────────────────────────────

HOME: Final = Path("var/demo")
BEFORE: Final = HOME.with_name(f"{HOME.name}.before")
FLOOR: Final = HOME / "floor"
ARCHIVE: Final = HOME / "archive"
STORE: Final = HOME / "store.duckdb"
REPORTS: Final = HOME / "reports"
NEXT: Final = HOME / "next"  # the gaming day that plays on in the console
# The archive signs its days with the first; bundles are signed with the second.
KEYS: Final = (HOME / "archive.key", HOME / "investigator.key")


def keep_others_out(exit_stack: ExitStack) -> bool:
    """Lock the folder until `exit_stack` is closed, so that no other demo plays there; change nothing yet.

    Return whether somebody acted in what an earlier demo left there, so that it must be preserved.

    Raises:
        BadInput: another one plays there, a console has open what would be moved or removed, or the folder
            cannot be created.
    """
    with _disk_errors():
        _hold(exit_stack)
        _refuse_open(STORE)
        if acted := _acted():
            _refuse_open(BEFORE / STORE.name)
        return acted


def begin_anew(exit_stack: ExitStack, *, acted: bool) -> None:
    """Move or remove what an earlier demo left in the locked folder.

    If nobody acted in it, it is removed. If somebody `acted`, it is moved beside the folder, for one demo at
    a time, and the place is printed. Then the new folder is locked.

    Raises:
        BadInput: there is something that cannot be removed or written.
    """
    with _disk_errors():
        if acted:
            _put_aside()
            _hold(exit_stack)
        for folder in (FLOOR, ARCHIVE, REPORTS, NEXT):
            if folder.exists():
                shutil.rmtree(folder)
        for file in (STORE, *KEYS, *HOME.glob(f"{accounts_of(STORE).name}*")):
            file.unlink(missing_ok=True)
        FLOOR.mkdir()


def opened_again(home: Path, port: int = PORT) -> str:
    """Return the command, as it is to be typed, that opens the console on a demo's folder."""
    moved = (home / each.relative_to(HOME) for each in (STORE, FLOOR / log.HOUSE, ARCHIVE, KEYS[1]))
    options = zip(("--store", "--house", "--archive", "--key"), map(str, moved), strict=True)
    words = [sys.argv[0], "serve", *(word for option in options for word in option)]
    return shlex.join(words if port == PORT else [*words, "--port", str(port)])


@contextmanager
def _disk_errors() -> Iterator[None]:
    """Convert an error of the disk into a message with what to do."""
    try:
        yield
    except OSError as error:
        raise BadInput(
            f"{error.filename or HOME}: {error.strerror or error}; the demo makes {HOME} anew in the folder "
            "it is started in: start it in one that can be written, or move what is there"
        ) from None


def _hold(exit_stack: ExitStack) -> None:
    HOME.mkdir(parents=True, exist_ok=True)
    exit_stack.enter_context(
        processes.exclusive(HOME / "lock", f"{HOME}: another demo plays here; end it first")
    )


def _refuse_open(store: Path) -> None:
    """Check that no console has the store open, whose file would be moved or removed under it."""
    if store.is_file():
        try:
            connect(store, writing=False).close()
        except StoreLocked as error:
            raise BadInput(
                f"{error}: a console, `discardrack serve`; stop it first (Ctrl-C in its terminal), "
                "or start the demo in another folder"
            ) from None
        except (BadInput, duckdb.Error):
            return  # nobody's; an unreadable one is moved


def _acted() -> bool:
    """Return True if somebody acted on the earlier demo; an unreadable one counts as such."""
    if not STORE.is_file():
        return False
    if (ARCHIVE / HOLDS).exists():
        return True
    try:
        with closing(connect(STORE, writing=False)) as store:
            return store.execute("SELECT 1 FROM actions LIMIT 1").fetchone() is not None
    except (BadInput, duckdb.Error):
        return True


def _put_aside() -> None:
    # All at once: documents made of the hands are moved too, and nothing is ever half moved.
    replaced = BEFORE.exists()
    if replaced:
        shutil.rmtree(BEFORE)
    HOME.rename(BEFORE)
    click.echo(
        f"A new day is played. What was done in the last one is kept in {BEFORE}"
        f"{', in place of an older one' if replaced else ''}; to open it: {opened_again(BEFORE)}"
    )


# ── `discardrack demo`: a simulated gaming day, archived, audited, stored, and compared with its labels ─────

# It is critical, so it rings whatever was wagered; after this many minutes whoever watches has logged in.
_FIRST: Final = ("settled_as_announced", 8)
_NAME: Final = "demo"  # of the run, and what the accounts begin with
_MOST_LISTED: Final = 20  # disagreements are listed up to this many


@click.command()
@click.option("--tables", default=6, type=click.IntRange(min=1), show_default=True, help="How many tables.")
@click.option(
    "--hours",
    default=8.0,
    type=click.FloatRange(min=0, min_open=True, max=168),
    show_default=True,
    help="How many hours of play.",
)
@click.option(
    "--days",
    default=1,
    type=click.IntRange(1, 31),
    show_default=True,
    help="So long on each of so many days.",
)
@click.option("--seed", default="1", show_default=True, help="The same seed gives the same day.")
@click.option("--serve/--no-serve", default=True, help="Open the console afterwards.")
@click.option(
    "--speed",
    default=SPEED,
    type=click.FloatRange(min=0, min_open=True, max=1000),
    show_default=True,
    help="How many times as fast as real the next gaming day plays on in the console.",
)
@click.option(
    "--port", default=PORT, type=click.IntRange(1, 65535), show_default=True, help="Port of the page."
)
def demo(tables: int, hours: float, days: int, seed: str, port: int, speed: float, *, serve: bool) -> None:
    """Simulate a gaming day with labelled faults, archive and audit it, print injected against found.

    Floor, archive, keys, store and accounts under var/demo are made again. If somebody acted in those of the
    last demo, they are moved to var/demo.before, which holds one demo at a time. One of the faults is a hand
    in dispute, which docs/dispute.md settles. Then the day's nightly reports are made and the console opens.
    The day is past there, and the floor's next one plays, with as few faults as real tables may have, but
    with one for certain after eight minutes. The logins and passwords are printed once. Exit status: 0 what
    was found is what was injected, 1 it is not, 2 the demo cannot be played or served, 130 it was interrupted
    before the console opened.

    \b
    Example:
      discardrack demo --tables 20 --no-serve
    """  # noqa: D301  click's mark for text that is not wrapped
    # What takes minutes to play is served at the end: that it can be is settled first.
    otherwise = "choose another with --port, or say --no-serve"
    with ExitStack() as exit_stack:
        acted = keep_others_out(exit_stack)
        listener = exit_stack.enter_context(listening(HOST, port, otherwise)) if serve else None
        begin_anew(exit_stack, acted=acted)
        result, disputed = _played(tables, hours, days, seed)
        _print(result)
        if disputed is not None:
            click.echo(f"In dispute: {disputed} docs/dispute.md tells what to do.")
        if listener is not None:
            played = [each.day for each in sessions(START, hours, days)]
            _report(played)
            play = _next_day(tables, hours, days, seed)
            _make_accounts()
            bundles = BundleProcess(ARCHIVE, KEYS[1], last=played[-1])
            settings = Settings(ConsoleSettings(bundles=bundles), archive=ARCHIVE, played=NEXT)
            with _quietly():
                serve_on(listener, STORE, PlayedSource(play, speed), settings=settings)
            click.echo(f"What was done here is opened again by: {opened_again(HOME, port)}")
    raise click.exceptions.Exit(0 if result.agrees else 1)


def _played(tables: int, hours: float, days: int, seed: str) -> tuple[Score, str | None]:
    """Play a floor, archive it, and audit it into the store; also return the hand in dispute."""
    console = Console(stderr=True)
    with console.status(f"Playing {tables} tables for {hours:g} hours …"):
        simulate(FLOOR, tables=tables, hours=hours, days=days, seed=seed, rates=faults.rates())
    read = houses.read(log.HOUSE, FLOOR)
    with console.status("Archiving …"):
        archive_key, _ = (keys.make(file) for file in KEYS)
        with _quietly():
            archive_of(FLOOR, ARCHIVE, read, archive_key)
    with console.status("Auditing …"):
        return _audited_and_stored(read[0])


def _report(days: Iterable[date]) -> None:
    """Make the nightly reports of gaming days: in a folder, and in the store for the console."""
    archive = Recording(ARCHIVE, str(FLOOR / log.HOUSE))
    with Console(stderr=True).status("Reporting …"):
        for day in days:
            report_day(archive, day, REPORTS, live_of(str(STORE), None), store=STORE)
    click.echo(f"The nightly reports: {REPORTS}, and in the console.")


def morrow(*, tables: int, hours: float, days: int, seed: str) -> dict[str, list[Frame]]:
    """Return the frames of the gaming day that plays in the console, by table.

    Its dealers err as rarely as real ones may. That could mean no fault for half an hour, so one is certain.
    """
    return next_day(
        tables=tables,
        hours=hours,
        days=days,
        seed=seed,
        rates=faults.rates(),
        then=realistic_rates(),
        first=_FIRST,
    )


def _next_day(tables: int, hours: float, days: int, seed: str) -> Play:
    """Play the floor's next gaming day, to be shown as it goes on."""
    with Console(stderr=True).status("Playing the next day …"):
        _write_floor(morrow(tables=tables, hours=hours, days=days, seed=seed))
        return Play(
            _NAME, houses.load(log.HOUSE, FLOOR), Ahead(recorded(log.logs(NEXT))), recorded(log.logs(FLOOR))
        )


def _write_floor(frames: Mapping[str, Iterable[Frame]]) -> None:
    """Write what plays on as a floor of its own, so that its rounds' events can be read."""
    (NEXT / log.EVENTS).mkdir(parents=True)
    shutil.copy(FLOOR / log.HOUSE, NEXT / log.HOUSE)
    for table, of_table in frames.items():
        with (NEXT / log.EVENTS / f"{table}.jsonl").open("wb") as file:
            file.writelines(encode(each) + b"\n" for each in of_table)


def _make_accounts() -> None:
    """Create an account for each role that works on alerts, and print once how to log in."""
    with closing(AccountsFile(accounts_of(STORE))) as file:
        for role in ("operator", "supervisor"):
            name, password = f"{_NAME}-{role}", for_once()
            Accounts(file).add(name, name, role_of(role), password, by=_NAME)
            click.echo(f"Log in as {name}, password: {password}")


@contextmanager
def _quietly() -> Iterator[None]:
    """Log errors as `serve` logs them, and nothing else."""
    before = structlog.get_config()
    log_as_json("uvicorn")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    try:
        yield
    finally:
        structlog.configure(**before)


def _audited_and_stored(house: House) -> tuple[Score, str | None]:
    archive = Recording(ARCHIVE)
    conclusions: list[Conclusion] = []
    opened: dict[tuple[str, str, str | None], int] = {}

    def stored() -> Iterator[Entry]:
        for each in with_ledgers(audit_logs(archive.logs, archive.house), archive):
            if isinstance(each, Unread):
                raise BadInput(f"{ARCHIVE}: {each.error}")
            conclusion = each.conclusion
            conclusions.append(conclusion)
            if each.seen is not None:
                opened[conclusion.table, str(conclusion.gaming_date), conclusion.round] = each.seen.at
            yield each.basis, conclusion, each.revision

    with Store(STORE) as store:
        # What plays on belongs to the same run, so that one page shows both days.
        store.write(live_run((), _NAME, software(), _NAME, house.zone), stored())
    labels = read_labels(FLOOR / log.LABELS)
    return score(labels, conclusions), _disputed(labels, opened, house)


def _disputed(
    labels: Iterable[Label], opened: Mapping[tuple[str, str, str | None], int], house: House
) -> str | None:
    """Return the complaint of the patron who was short of the most: table, time and seat alone."""
    faults = [
        (each.delta_cents, opened[at], each.table, each.primary.seat)
        for each in labels
        if isinstance(each, FaultLabel) and each.delta_cents is not None and each.primary is not None
        if (at := (each.table, each.gaming_date, each.round)) in opened
        if each.delta_cents < 0 and isinstance(each.primary.seat, int)
        if not is_of_vigorish(each.primary.check)  # a smaller one of these is no loss of his
    ]
    if not faults:
        return None
    _, started, table, seat = min(faults)
    when = minute(house.local(started), house.zone)
    return f"a patron of table {table}, seat {seat}, says that he was short about {when}."


def _print(result: Score) -> None:
    """Print injected against found, and whatever does not agree."""
    console = Console(highlight=False)
    table = Table("fault injected", "found as", title="Injected against found", title_justify="left")
    table.add_column("injected", justify="right")
    table.add_column("found", justify="right")
    for kind in sorted(result.injected):
        table.add_row(kind, result.primary[kind], str(result.injected[kind]), str(result.found[kind]))
    injected, found = result.injected.total(), result.found.total()
    table.add_section()
    table.add_row("all", "", str(injected), str(found))
    console.print(table)
    rounds = result.verdicts.total()
    console.print(
        f"{rounds:,} rounds: "
        + ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(result.verdicts.items()))
    )
    _list(console, "missed", result.missed)
    _list(console, "invented", result.invented)
    for where in result.wrongly_open[:_MOST_LISTED]:
        console.print(f"left open without cause: {printable(where)}", markup=False)
    if result.agrees:
        console.print("Every fault was found and cited; none was missed, none invented.")


def _list(console: Console, what: str, claims: list[Claim]) -> None:
    for claim in claims[:_MOST_LISTED]:
        text = " ".join(str(part) for part in claim if part is not None)
        console.print(f"{what}: {printable(text)}", markup=False)
    if len(claims) > _MOST_LISTED:
        console.print(f"… and {len(claims) - _MOST_LISTED} more {what}")
