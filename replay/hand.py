"""`discardrack hand`: a disputed hand on the table again, card by card and chip by chip."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console

from projections.describe import HandShown, Spot, show_hand
from projections.findings import Finding, told
from replay.judged import Judged, judged, judged_on
from replay.page import Block, Form, form_option, hand_rows, heading_rows, line_rows, money, write_page
from replay.recorded import Unread
from replay.rows import printable
from schemas.errors import BadInput
from schemas.values import dollars
from streams.archive.kept import is_archive as is_live_archive

_encode: Final = msgspec.json.Encoder()


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.argument("table")
@click.argument("round_", metavar="ROUND")
@click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="Gaming date, where several have that number."
)
@click.option("--house", "house_file", help="House file: a name in schemas/houses or a path.")
@form_option
def hand(
    path: Path, table: str, round_: str, day: datetime | None, house_file: str | None, form: Form
) -> None:
    """Put a hand on the table again: cards, play, wagers, sums, and what was found.

    PATH is a file of round records, a file of frames, or an archive folder. A round that stands there more
    than once is shown as often.

    \b
    Example:
      discardrack hand rounds.jsonl BAC-101 588939109
    """  # noqa: D301  click takes the backspace itself for its mark
    with Console(stderr=True).status(f"Reading {printable(path.name)} …"):
        found = hands(path, table, round_, day.date() if day is not None else None, house_file)
    if form == "json":
        for shown in found:
            click.echo(_encode.encode(shown))
    else:
        write_page([block for shown in found for block in page(shown)])


def hands(path: Path, table: str, number: str, day: date | None, house_file: str | None) -> list[HandShown]:
    """Find a round and everything to show of it; with a day, an archive is read only around that day.

    Raises:
        BadInput: it is not there, or several gaming dates have its number and none was named.
    """
    if day is not None and is_live_archive(path):
        near, _ = _among(judged_on(path, house_file, table, day), number)
        if any(each == day for each, _ in near):
            return [shown for each, shown in near if each == day]
    found, unread = _among(judged(path, house_file, table), number)
    dates = sorted({each for each, _ in found})
    on = ", ".join(map(str, dates))
    what = f"{path}: round {number!r} of table {table!r}"
    if not found or (day is not None and day not in dates):
        there = f"; it is there on {on}" if found else unread_of(unread)
        raise BadInput(f"{what} is not there{f' on {day}' if day is not None else ''}{there}")
    if day is None and len(dates) > 1:
        raise BadInput(f"{what} was played on {on}; say which with --date")
    return [shown for each, shown in found if day in (None, each)]


def _among(
    answers: Iterable[Judged | Unread], number: str
) -> tuple[list[tuple[date, HandShown]], list[Unread]]:
    """Pick a round of a number out, with its gaming dates, and what could not be read beside it."""
    found: list[tuple[date, HandShown]] = []
    unread: list[Unread] = []
    for each in answers:
        if isinstance(each, Unread):
            unread.append(each)
        elif each.seen is not None and each.conclusion.round == number:
            shown = show_hand(each.conclusion, each.seen, each.book, each.house)
            found.append((each.conclusion.gaming_date, shown))
    return found, unread


def unread_of(unread: Sequence[Unread]) -> str:
    """Say in a message what could not be read, so that what is missing may stand there."""
    if not unread:
        return ""
    first = f"{unread[0].line}: {printable(unread[0].error)}"
    return f"; {len(unread)} of its lines could not be read, the first is {first}"


# ── the page ─────────────────────────────────────────────────────────────────────────────────────────


def page(shown: HandShown) -> list[Block]:
    """Lay a hand out for a person."""
    return [
        Block(
            f"Table {shown.heading.table}, round {shown.heading.round}: {shown.verdict}",
            [*heading_rows(shown.heading), *_result(shown)],
        ),
        Block("Hands", hand_rows(shown.hands)),
        Block("Seen, in order", [(str(place), *act) for place, act in enumerate(shown.play, 1)]),
        Block("The play by the text", line_rows(shown.reasons)),
        _wagers(shown.wagers),
        *(Block(f"Sum of {spot_name(spot)}", line_rows(spot.steps)) for spot in shown.wagers if spot.steps),
        *_put_right(shown.wagers),
        _findings("Findings", shown.findings),
        _findings("Notes", shown.notes),
        Block(
            "Missing or contradicted",
            [(each.check, each.message, f"leaves open {each.leaves_open}") for each in shown.uncertain],
        ),
    ]


def _result(shown: HandShown) -> list[tuple[str, str]]:
    """Tell the round's result and its call; a round of a game without them can only be void."""
    if not shown.has_result:
        return [("Result", shown.outcome)] if shown.outcome is not None else []
    return [
        ("Result by the cards", shown.outcome or "not decided"),
        ("Announced", shown.announced or "not recorded"),
    ]


def spot_name(spot: Spot) -> str:
    """Name a wager: seat, the person where several bet on it, wager, and hand of a split."""
    return " ".join(part for part in (f"seat {spot.seat}", spot.bettor, spot.wager, spot.hand) if part)


def _wagers(wagers: Sequence[Spot]) -> Block:
    head = (
        "Seat", "Bettor", "Wager", "Hand", "Chips", "Coupon", "Owed", "Vigorish owed",
        "Paid", "Vigorish taken", "Difference", "On vigorish", "Favours",
    )  # fmt: skip
    rows = [
        (
            str(each.seat),
            each.bettor or "",
            each.wager,
            each.hand or "",
            money(each.cents),
            " ".join(
                part for part in (money(each.coupon_cents) if each.coupon_cents else "", each.coupon) if part
            ),
            money(each.owed_cents, "open"),
            money(each.owed_vigorish_cents, "open"),
            money(each.paid_cents, "not seen"),
            money(each.paid_vigorish_cents, "not seen"),
            money(each.difference_cents, "open"),
            money(each.vigorish_difference_cents, "open"),
            each.favours or "",
        )
        for each in wagers
    ]
    return Block("Wagers", rows, head)


def _put_right(wagers: Sequence[Spot]) -> list[Block]:
    """Tell the corrections that are in what stands as paid."""
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
    return Block(
        title,
        [
            (each.id, each.check, told(each), ", ".join(each.citations), each.status, each.favours or "")
            for each in findings
        ],
        ("Id", "Check", "Message", "Provisions", "Status", "Favours"),
    )
