"""`discardrack blast-radius`: every round, seat and patron that a defect touched, and what is owed for it."""

from collections.abc import Iterator

import click
from rich.console import Console

from projections.engine.audit.shoe_counts import Defect, ExtraCard, MissingCard, WrongDeckCount
from replay.blast_radius.cards import affected_by_cards
from replay.blast_radius.defects import (
    BlastRadiusQuery,
    affected_by_device,
    affected_by_rule,
    check_tables,
    span_of,
    table_with,
)
from replay.cli.source import source_argument
from replay.lists.writers import Form, Row, format_option
from replay.recording.recording import Recording
from replay.recording.rejudge import EffectRows, choice_of, write_money
from schemas.errors import BadInput
from schemas.values import RANKS, SUITS


@click.command("blast-radius")
@source_argument
@click.option("--card", help="A card of one shoe, 8d: say whether it was --extra or --missing.")
@click.option("--extra", is_flag=True, help="With --card: the shoe held one more of it than its decks.")
@click.option("--missing", is_flag=True, help="With --card: the shoe held one less of it than its decks.")
@click.option(
    "--decks", type=click.IntRange(min=1), help="The shoe held so many decks, and not those asked for."
)
@click.option("--device", help="A reader that was out of order, by its name in the house file.")
@click.option(
    "--rule", metavar="OPTION=VALUE", help="What ought to have been in force, 631a.tie_odds=9, and was not."
)
@click.option("--table", "tables", multiple=True, help="Look at this table alone; may be said again.")
@click.option("--shoe", help="With --card or --decks: look at this shoe alone.")
@click.option(
    "--from",
    "first",
    metavar="WHEN",
    help="Where it began: 2025-03-01T21:14, a gaming day, or a round of --table (17, 2025-03-01/17).",
)
@click.option("--to", "last", metavar="WHEN", help="Where it ended, written alike; it is included.")
@format_option()
def blast_radius(
    recording: Recording,
    card: str | None,
    decks: int | None,
    device: str | None,
    rule: str | None,
    tables: tuple[str, ...],
    shoe: str | None,
    first: str | None,
    last: str | None,
    form: Form,
    *,
    extra: bool,
    missing: bool,
) -> None:
    """List every round, seat and patron that a defect touched: as played, as owed, and what to restore.

    PATH is a file of round records, a file of frames, an archive folder, or what Kafka has now. Give exactly
    one defect: --card with --extra or --missing, --decks, --device or --rule. Each affected round comes with
    its wagers, then the sums by patron, dealer, table and in total, both ways. Money is the patron's gain
    less vigorish; what no replay can know is "not derivable" and never a number. If the span of a card or of
    decks is not given, the evidence of the shoes bounds it. Exit status: 0, or 2 if anything could not be
    read.

    \b
    Example:
      discardrack blast-radius floor/ --rule 631a.tie_odds=9 --from 2025-03-01 --to 2025-03-02
      discardrack blast-radius floor/ --card 8d --extra --table BAC-101
      discardrack blast-radius floor/ --device C-101 --from 2025-03-01T21:00 --to 2025-03-01T22:30
    """  # noqa: D301  click takes the backspace itself for its mark
    if sum(each is not None for each in (card, decks, device, rule)) != 1:
        raise BadInput("say exactly one defect: --card, --decks, --device or --rule")
    if (extra or missing) != (card is not None) or (extra and missing):
        raise BadInput("say with --card whether it was --extra or --missing, and with nothing else")
    if shoe is not None and card is None and decks is None:
        raise BadInput("--shoe goes with --card or --decks")
    house = recording.house
    check_tables(recording, tables)
    if device is not None:
        tables = (table_with(device, recording, tables),)
    query = BlastRadiusQuery(recording, tables, span_of(first, last, house, tables))
    ledger = EffectRows("played_cents", "owed_cents")
    if rule is not None:
        rows = affected_by_rule(query, ledger, *choice_of(rule))
    elif device is not None:
        rows = affected_by_device(query, ledger, device)
    else:
        rows = affected_by_cards(query, ledger, _defect(card, decks, extra=extra), shoe)
    with Console(stderr=True).status(f"Following it through {recording.path.name} …"):
        write_money(_with_sums(rows, ledger), form, ledger.columns)
    raise click.exceptions.Exit(query.status)


def _with_sums(rows: Iterator[Row], ledger: EffectRows) -> Iterator[Row]:
    yield from rows
    yield from ledger.sum_rows()


def _defect(card: str | None, decks: int | None, *, extra: bool) -> Defect:
    if decks is not None:
        return WrongDeckCount(decks)
    card_named = _card(card or "")
    return ExtraCard(card_named) if extra else MissingCard(card_named)


def _card(text: str) -> str:
    """Read a card as people write it.

    >>> _card("8D"), _card("10s"), _card("Ah")
    ('8d', 'Ts', 'Ah')

    Raises:
        BadInput: it is none.
    """
    rank, suit = text[:-1].upper().replace("10", "T"), text[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        raise BadInput(f"--card {text!r} is no card; write rank and suit, such as 8d, Th or As")
    return f"{rank}{suit}"
