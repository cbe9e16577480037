"""`discardrack whatif`: wager by wager what another rulebook would have given, and the sums of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

import click
from rich.console import Console

from projections.store.disk import atomic_path
from projections.store.runs import begin_run
from projections.store.store import BATCH, Entry, Store
from replay.cli import custody
from replay.cli.options import FILE_TO_WRITE
from replay.cli.source import SOURCE, Source, open_recording
from replay.lists.writers import Form, Row, format_option
from replay.recording.event_audit import limit_unread
from replay.recording.recording import Recording
from replay.recording.rejudge import EffectRows, OtherRules, choices_of, conclude_under, rejudge, write_money
from replay.recording.seated_rounds import SeatedRound, judge_seated_rounds
from schemas import house as houses
from schemas.errors import BadInput
from schemas.rulebook import Rulebook
from streams import log
from streams.log import Unread

_Keep: TypeAlias = Callable[[SeatedRound, Rulebook | str], None]


@click.command()
@click.argument("source", metavar="PATH", type=SOURCE)
@click.option(
    "--house", "other_house", help="Take the choices of this house file instead of those on record."
)
@click.option(
    "--set",
    "choices",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Take another value of an option, 631a.tie_odds=9; may be said again.",
)
@click.option(
    "--as-of", type=click.DateTime(["%Y-%m-%d"]), help="Judge by the text that was in force on this day."
)
@click.option(
    "--own-house", help="The house file on record, where PATH has none of its own (records, Kafka)."
)
@click.option(
    "--store",
    type=FILE_TO_WRITE,
    help="Store the rounds as concluded so in this new file; the live record is never mixed with them.",
)
@custody.options
@format_option()
def whatif(
    source: Source,
    other_house: str | None,
    choices: tuple[str, ...],
    as_of: datetime | None,
    own_house: str | None,
    store: Path | None,
    form: Form,
) -> None:
    """Show what the same hands would have come to under another rulebook, pay table, reading or date.

    PATH is a file of round records, a file of frames, an archive folder, or what Kafka has now. The cards are
    taken as they were dealt, and only what differs is listed: each such round and its wagers, then the sums
    by patron, dealer, table and in total. Money is the patron's gain less vigorish. What could not have been
    wagered, what would have been dealt otherwise, and what is open on either side are listed separately and
    have no difference. Exit status: 0, or 2 if anything could not be read.

    \b
    Example:
      discardrack whatif floor/ --set 631a.tie_odds=9
      discardrack whatif floor/ --as-of 2012-09-01 --format csv
    """  # noqa: D301  click takes the backspace itself for its mark
    if other_house is None and not choices and as_of is None:
        raise BadInput("nothing is otherwise: say --house FILE, --set OPTION=VALUE or --as-of DAY")
    other = OtherRules(
        house=houses.load(other_house, Path.cwd()) if other_house is not None else None,
        choices=choices_of(choices),
        as_of=as_of.date() if as_of is not None else None,
    )
    _check_own_house(source, own_house)
    with open_recording(source, own_house) as recording:
        rounds, name = _Rounds(recording, other), recording.path.name
        with Console(stderr=True).status(f"Judging {name} again …"):
            if store is None:
                write_money(rounds.rows(_forgotten), form, rounds.ledger.columns)
            else:
                options = [f"--house {other_house}"] if other_house is not None else []
                options += [*choices, *([f"--as-of {as_of.date()}"] if as_of is not None else [])]
                zone = recording.house.zone
                with _keep_in_store(store, f"what if {' '.join(options)}: {name}", zone) as keep:
                    write_money(rounds.rows(keep), form, rounds.ledger.columns)
    raise click.exceptions.Exit(rounds.status)


def _check_own_house(source: Source, own_house: str | None) -> None:
    """Check that recorded events have a house file beside them, or that one is named.

    Raises:
        BadInput: there is no house file beside them, and none is named.
    """
    if own_house is not None:
        return
    if isinstance(source, Path):
        house_path = (source if source.is_dir() else source.parent) / log.HOUSE
        if not Recording(source).holds_frames or house_path.is_file():
            return
    name = source if isinstance(source, Path) else source.text
    raise BadInput(f"{name}: no house file lies beside the events; say theirs with --own-house FILE")


class _Rounds:
    """The rounds that come out otherwise, as rows; what cannot be read goes to standard error."""

    def __init__(self, recording: Recording, other: OtherRules) -> None:
        self.status = 0
        self.ledger = EffectRows("owed_cents", "whatif_cents")
        self._recording, self._other = recording, other

    def rows(self, keep: _Keep) -> Iterator[Row]:
        for each in limit_unread(judge_seated_rounds(self._recording)):
            if isinstance(each, Unread):
                click.echo(each.describe(self._recording.path), err=True)
                self.status = 2
                continue
            other = self._other.book(each.judged, each.seen)
            if portions := rejudge(each.seen, each.judged.book, other):
                yield from self.ledger.round_rows(each, portions)
            keep(each, other)
        yield from self.ledger.sum_rows()


def _forgotten(_each: SeatedRound, _other: Rulebook | str) -> None:
    """Store nothing: the rows are printed alone."""


@contextmanager
def _keep_in_store(file: Path, title: str, zone: str) -> Iterator[_Keep]:
    """Conclude each round under the other rulebook into a new store, which appears when it is whole."""
    if file.exists():
        raise BadInput(f"{file}: is there already; a what-if goes into a new file, name another")
    # DuckDB brings what it writes to the disk itself.
    with atomic_path(file) as unfinished, Store(unfinished) as store:
        run = begin_run(title, zone)
        batch: list[Entry] = []

        def keep(each: SeatedRound, other: Rulebook | str) -> None:
            batch.append((each.seen, conclude_under(each.judged.conclusion, each.seen, other), 1))
            if len(batch) >= BATCH:
                store.write_batch({run: batch})
                batch.clear()

        yield keep
        store.write_batch({run: batch})
