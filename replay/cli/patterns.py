"""`discardrack patterns`: leads for investigators, each with the hands that it rests on."""

from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from typing import Any, Final

import click
from rich.console import Console

from projections.views.text import text
from replay.cli.source import source_argument
from replay.lists.writers import Form, Row, format_option
from replay.patterns.pattern import Lead
from replay.patterns.played_rounds import PlayedRound, played_rounds
from replay.patterns.registry import PATTERNS, RATE, leads
from replay.recording.event_audit import limit_unread
from replay.recording.recording import Recording
from replay.recording.rejudge import write_money
from schemas.errors import BadInput
from streams.log import Unread

COLUMNS: Final = (
    "kind",
    "pattern",
    "patron",
    "dealer",
    "table",
    "seat",
    "gaming_date",
    "round",
    "wager",
    "sum_cents",
    "by_chance",
    "says",
    "innocent",
)
_DIGITS: Final = 3
_RAREST: Final = 10**15  # beyond it nobody reads figures


class _Rate(click.ParamType):
    name = "rate"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        if isinstance(value, Fraction):
            return value
        try:
            rate = Fraction(value)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is no rate; write 0.001 or 1/1000", param, ctx)
        if not 0 < rate < 1:
            self.fail(f"{value} does not lie between 0 and 1", param, ctx)
        return rate


@click.command()
@source_argument
@click.option("--from", "first", type=click.DateTime(["%Y-%m-%d"]), help="The first gaming day.")
@click.option("--to", "last", type=click.DateTime(["%Y-%m-%d"]), help="The last gaming day; it is included.")
@click.option(
    "--rate",
    type=_Rate(),
    default=str(RATE),
    show_default=True,
    help="How often a pattern may have a lead on clean play: 0.001 is once in a thousand such recordings.",
)
@click.option(
    "--pattern",
    "names",
    type=click.Choice([*PATTERNS]),
    multiple=True,
    help="This one alone; may be said again.",
)
@format_option()
def patterns(
    recording: Recording,
    first: datetime | None,
    last: datetime | None,
    rate: Fraction,
    names: tuple[str, ...],
    form: Form,
) -> None:
    """List conspicuous patterns over many days, for an investigator to check: leads, never accusations.

    PATH is a file of round records, a file of frames, an archive folder, or what Kafka has now. Each lead has
    what was counted, how likely as much or more is by chance, and what else explains it; then come its hands,
    a row each. A pattern has a lead on clean play no more often than --rate, however many patrons and dealers
    there are. Exit status: 0; 2 if anything could not be read.

    \b
    Example:
      discardrack patterns floor/ --from 2025-03-01 --to 2025-03-31
      discardrack patterns floor/ --pattern dumping --rate 0.01 --format jsonl
    """  # noqa: D301  click takes the backspace itself for its mark
    if first is not None and last is not None and last < first:
        raise BadInput(f"--to {last.date()} lies before --from {first.date()}")
    rounds = _Rounds(recording, first, last)
    with Console(stderr=True).status(f"Counting through {recording.path.name} …"):
        write_money((row for each in leads(rounds, rate, names) for row in rows_of(each)), form, COLUMNS)
    raise click.exceptions.Exit(rounds.status)


class _Rounds:
    """The rounds of a path between two days; what cannot be read goes to standard error."""

    def __init__(self, recording: Recording, first: datetime | None, last: datetime | None) -> None:
        self.status = 0
        self._recording = recording
        self._first, self._last = first, last

    def __iter__(self) -> Iterator[PlayedRound]:
        for each in limit_unread(played_rounds(self._recording)):
            if isinstance(each, Unread):
                click.echo(each.describe(self._recording.path), err=True)
                self.status = 2
            elif self._holds(each):
                yield each

    def _holds(self, played: PlayedRound) -> bool:
        day = played.id.day
        return (self._first is None or self._first.date() <= day) and (
            self._last is None or day <= self._last.date()
        )


def rows_of(lead: Lead) -> Iterator[Row]:
    """Yield a lead as a row, and a row for each of its hands."""
    found = lead.candidate
    of = {"pattern": lead.pattern, "patron": found.patron, "dealer": found.dealer}
    yield _row(
        kind="lead",
        **of,
        table=found.table,
        seat=found.seat,
        by_chance=rarity(found.chance),
        says=text(found.says),
        innocent=PATTERNS[lead.pattern].innocent,
    )
    for hand in found.hands:
        yield _row(
            kind="hand",
            **of,
            table=hand.id.table,
            seat=hand.seat,
            gaming_date=hand.id.day,
            round=hand.id.round,
            wager=hand.wager,
            sum_cents=hand.cents,
        )


def _row(**cells: Any) -> Row:
    return {name: cells.get(name) for name in COLUMNS}


def rarity(chance: Fraction) -> str:
    """Write a probability so that people can read it: once in so many, rounded down to three digits.

    >>> rarity(Fraction(1, 1234567)), rarity(Fraction(1, 7)), rarity(Fraction(2, 3)), rarity(Fraction(0))
    ('once in 1,230,000', 'once in 7', 'once in 1', 'never')
    >>> rarity(Fraction(1, 10**30))
    'less than once in 1,000,000,000,000,000'
    """
    if not chance:
        return "never"
    times = chance.denominator // chance.numerator
    if times > _RAREST:
        return f"less than once in {_RAREST:,}"
    unit = 10 ** max(0, len(str(times)) - _DIGITS)
    return f"once in {times // unit * unit:,}"
