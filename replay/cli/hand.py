"""`discardrack hand`: a disputed hand on the table again, card by card and chip by chip."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from projections.engine.findings import Finding
from projections.engine.observation import key_of, wager_in_words
from projections.views.finding_text import finding_text
from projections.views.hand_view import HandFacts, HandView, hand_facts, render_hand
from projections.views.table_picture import TablePicture, picture
from projections.views.time_text import date_text, moment_text
from projections.views.wager_view import SpotView
from replay.cli.options import FILE_TO_WRITE, gaming_day_option
from replay.cli.text_report import (
    KNOWN_LATER,
    Block,
    Form,
    form_option,
    heading_rows,
    line_rows,
    money,
    write_page,
)
from replay.exports.drawing.html_page import case_file
from replay.exports.drawing.svg import HandDrawing, drawing
from replay.lists.writers import json_line, printable
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatedRound, judge_seated_rounds
from replay.recording.single_round import date_list, dates_of, judge_around, unread_in
from replay.recording.source import source_argument
from schemas.errors import BadInput
from schemas.values import dollars, in_words
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
        html_file.write_bytes(case_file([(drawing_of(each), page(each)) for each in found], software_line()))
    if form == "json":
        for each in found:
            click.echo(json_line(render_hand(each)))
    else:
        write_page([block for each in found for block in page(each)], ascii_only=ascii_only)


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


# ── the page ─────────────────────────────────────────────────────────────────────────────────────────


def drawing_of(hand: HandFacts) -> HandDrawing:
    """Return the picture of a hand: what it is of, when, by which text, and how it came out."""
    view = render_hand(hand)
    heading = view.heading
    opened = f", opened {moment_text(heading.opened, heading.zone)}" if heading.opened is not None else ""
    lines = [
        _title(view),
        f"Gaming date {date_text(heading.gaming_date)}{opened}. Chapter {heading.chapter} {heading.title}.",
        " ".join(f"{name}: {what}." for name, what in _result(view)),
        *(f"{finding_text(each)} ({', '.join(each.citations)})" for each in hand.findings),
    ]
    return HandDrawing(tuple(line for line in lines if line), _picture(view))


def _title(hand_view: HandView) -> str:
    return f"Table {hand_view.heading.table}, round {hand_view.heading.round}: {hand_view.verdict}"


def _picture(hand_view: HandView) -> TablePicture:
    return picture("The table", hand_view.hands, hand_view.wagers)


def software_line() -> str:
    """Return by which version of the software a page was made."""
    return f"Made by discardrack {version('discardrack')}."


def page(hand: HandFacts) -> list[Block | TablePicture]:
    """Return the blocks of a hand's page: the heading, the picture, the play, the sums and the findings."""
    view = render_hand(hand)
    return [
        Block(
            _title(view),
            [*heading_rows(view.heading), *_result(view), *((KNOWN_LATER, each) for each in view.renamed)],
        ),
        _picture(view),
        Block(
            "Seen, in order",
            [(str(place), who, in_words(what)) for place, (who, what) in enumerate(view.play, 1)],
        ),
        Block("The play by the text", line_rows(view.reasons)),
        _wagers(view.wagers),
        *(Block(f"Sum of {spot_name(spot)}", line_rows(spot.steps)) for spot in view.wagers if spot.steps),
        *_put_right(view.wagers),
        _findings("Findings", hand.findings),
        _findings("Notes", hand.notes),
        Block(
            "Missing or contradicted",
            [(each.check, each.message, f"leaves open {each.leaves_open}") for each in view.uncertain],
        ),
    ]


def _result(hand_view: HandView) -> list[tuple[str, str]]:
    """Return the round's result and its call; a round of a game without them can only be void."""
    if not hand_view.has_result:
        return [("Result", in_words(hand_view.outcome))] if hand_view.outcome is not None else []
    return [
        ("Result by the cards", in_words(hand_view.outcome or "not decided")),
        ("Announced", in_words(hand_view.announced or "not recorded")),
    ]


def spot_name(spot: SpotView) -> str:
    """Return a wager: seat, the hand of a split, the person where several bet on it, and the wager."""
    return wager_in_words(key_of(spot))


def _wagers(wagers: Sequence[SpotView]) -> Block:
    """Compare what was owed with what was paid, with vigorish and a coupon on lines of their own."""
    head = ("Seat", "Patron", "Wager", "Chips", "Owed", "Paid", "Difference", "Favours")
    return Block("Wagers", [row for each in wagers for row in _rows(each)], head)


def _rows(spot: SpotView) -> list[tuple[str, ...]]:
    owed, paid = money(spot.owed_cents, "open"), money(spot.paid_cents, "not seen")
    rows: list[tuple[str, ...]] = [
        (
            " ".join(part for part in (str(spot.seat), spot.bettor) if part),
            spot.patron or "",
            in_words(spot.wager) + (f" on {spot.hand}" if spot.hand else ""),
            money(spot.cents),
            owed,
            paid,
            money(spot.difference_cents, "open"),
            spot.favours or "",
        )
    ]
    if spot.coupon_cents:
        rows.append(
            ("", "", f"  coupon {spot.coupon or ''}".rstrip(), money(spot.coupon_cents), "", "", "", "")
        )
    if spot.owed_vigorish_cents or spot.paid_vigorish_cents:
        owed = money(spot.owed_vigorish_cents, "open")
        paid = money(spot.paid_vigorish_cents, "not seen")
        off = money(spot.vigorish_difference_cents, "open")
        by = f"no one, by {spot.permitted_by}" if spot.permitted_by is not None else ""
        rows.append(("", "", "  vigorish", "", owed, paid, off, by))
    return rows


def _put_right(wagers: Sequence[SpotView]) -> list[Block]:
    """Return the corrections that are in what stands as paid."""
    rows = [
        (spot_name(each), when, f"gain {dollars(gain)}", f"vigorish {dollars(vigorish)}")
        for each in wagers
        for when, gain, vigorish in (
            ("before the round closed", each.righted_cents, each.righted_vigorish_cents),
            ("after the round closed", each.later_cents, each.later_vigorish_cents),
        )
        if gain or vigorish
    ]
    return [Block("Put right, and part of what was paid", rows)] if rows else []


def _findings(title: str, findings: Sequence[Finding]) -> Block:
    """Return each finding in two rows: its message, and below it its basis and whom it favours."""
    rows = []
    for each in findings:
        favours = f"; favours the {each.favours}" if each.favours else ""
        rows.append((each.id, f"{each.check}: {finding_text(each)}"))
        rows.append(("", f"{', '.join(each.citations)}, {each.status}{favours}"))
    return Block(title, rows)
