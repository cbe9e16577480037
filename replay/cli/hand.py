"""`discardrack hand`: a disputed hand on the table again, card by card and chip by chip."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from projections.views.hand_view import HandFacts, hand_facts, render_hand
from replay.cli.options import FILE_TO_WRITE, gaming_day_option
from replay.cli.source import source_argument
from replay.cli.terminal_page import Form, form_option, write_page
from replay.exports.case_file.hand_page import drawing_of, hand_page
from replay.exports.case_file.html_page import case_file, software_line
from replay.exports.case_file.svg import drawing
from replay.lists.writers import json_line, printable
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatedRound, judge_seated_rounds
from replay.recording.single_round import date_list, dates_of, judge_around, unread_in
from schemas.errors import BadInput
from streams.log import Unread

_file: Final = FILE_TO_WRITE


@click.command()
@source_argument
@click.argument("table")
@click.argument("round_", metavar="ROUND")
@gaming_day_option("The gaming day, where several have a round of that number.", of_hand=True)
@click.option("--html", "html_file", type=_file, help="Write it to a file as a page that prints on Letter.")
@click.option("--svg", "svg_file", type=_file, help="Write the drawing to a file.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII alone.")
@form_option
def hand(
    recording: Recording,
    table: str,
    round_: str,
    day: datetime | None,
    html_file: Path | None,
    svg_file: Path | None,
    ascii_only: bool,  # noqa: FBT001  click gives it by name
    form: Form,
) -> None:
    """Show a hand as it was on the table: cards, play, wagers, sums, and findings.

    PATH is a file of round records, a file of frames, an archive folder, or what Kafka has now. Records that
    contradict each other about the round are all shown. The files are for the case file: each is complete in
    itself, and is the same whenever it is written.

    \b
    Example:
      discardrack hand rounds.jsonl BAC-101 588939109 --html hand.html
    """  # noqa: D301  click takes the backspace itself for its mark
    with Console(stderr=True).status(f"Reading {printable(recording.path.name)} …"):
        found = find_hands(recording, table, round_, day.date() if day is not None else None)
    if svg_file is not None:
        svg_file.write_bytes(drawing(list(map(drawing_of, found))))
    if html_file is not None:
        html_file.write_bytes(
            case_file([(drawing_of(each), hand_page(each)) for each in found], software_line())
        )
    if form == "json":
        for each in found:
            click.echo(json_line(render_hand(each)))
    else:
        write_page([block for each in found for block in hand_page(each)], ascii_only=ascii_only)


def find_hands(recording: Recording, table: str, number: str, day: date | None) -> list[HandFacts]:
    """Find a round and everything to show of it; of an archive only what is around its day is judged.

    Raises:
        BadInput: it is not there, or several gaming dates have its number and none was named.
    """
    path = recording.path
    what = f"{path}: round {number!r} of table {table!r}"
    on = day
    if day is None and recording.is_archive:
        dates = dates_of(recording, table, number)
        if len(dates) > 1:
            raise BadInput(f"{what} was played on {date_list(dates)}; say which with --gaming-day")
        if not dates:
            raise BadInput(f"{what} is not there{unread_text(unread_in(recording, table))}")
        on = dates[0]
    if on is not None and recording.is_archive:
        found, _ = _among(judge_around(recording, table, number, on), number)
        if of_day := [each for each in found if each.seen.day == on]:
            return list(map(_facts, of_day))
    found, unread = _among(judge_seated_rounds(recording, [table]), number)
    if not found and path.is_file() and table not in (others := recording.tables()):
        holds = f"it holds {', '.join(others) or 'none'}"
        raise BadInput(f"{path}: no table {table!r}; {holds}{unread_text(unread)}")
    dates = sorted({each.seen.day for each in found})
    if not found or (day is not None and day not in dates):
        where = f"; it is there on {date_list(dates)}" if found else unread_text(unread)
        raise BadInput(f"{what} is not there{f' on {day}' if day is not None else ''}{where}")
    if day is None and len(dates) > 1:
        raise BadInput(f"{what} was played on {date_list(dates)}; say which with --gaming-day")
    return [_facts(each) for each in found if day in (None, each.seen.day)]


def _facts(each: SeatedRound) -> HandFacts:
    """Return the facts of a judged round, with its patrons as far as the events name them."""
    judged = each.judged
    return hand_facts(
        judged.conclusion, each.seen, judged.book, judged.house, each.patrons(), each.corrections()
    )


def _among(answers: Iterable[SeatedRound | Unread], number: str) -> tuple[list[SeatedRound], list[Unread]]:
    """Return the rounds of a number, and the unreadable records besides."""
    found: list[SeatedRound] = []
    unread: list[Unread] = []
    for each in answers:
        if isinstance(each, Unread):
            unread.append(each)
        elif each.seen.number == number:
            found.append(each)
    return found, unread


def unread_text(unread: Sequence[Unread]) -> str:
    """Return the end of a message that names what could not be read: what is missing may be in it."""
    if not unread:
        return ""
    first = printable(unread[0].describe())
    return f"; {len(unread)} of its lines could not be read, the first is {first}"
