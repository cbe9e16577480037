"""`discardrack explain`: one finding derived to the last cent, and what would make it wrong."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import UnsetType
from rich.console import Console

from projections.derive import FindingShown, show_finding
from projections.describe import Heading
from projections.findings import Finding
from projections.judge import Conclusion
from projections.otherwise import ON_VIGORISH, Otherwise
from replay.hand import unread_of
from replay.judged import judged
from replay.page import (
    Block,
    Form,
    form_option,
    hand_rows,
    heading_rows,
    line_rows,
    money,
    standing,
    word,
    write_page,
)
from replay.recorded import Unread
from replay.rows import printable
from schemas.errors import BadInput

_SHORTEST: Final = 6  # as much of an id as names a finding among the thousands of a day
_encode: Final = msgspec.json.Encoder()


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.argument("finding")
@click.option("--house", "house_file", help="House file: a name in schemas/houses or a path.")
@form_option
def explain(path: Path, finding: str, house_file: str | None, form: Form) -> None:
    """Derive a finding: the question, each step with its section, and what would make it wrong.

    PATH is a file of round records, a file of frames, or an archive folder; FINDING the id that `audit`
    printed, or the first six or more of its characters. Notes have ids too.

    \b
    Example:
      discardrack explain rounds.jsonl 3f9a1c
    """  # noqa: D301  click takes the backspace itself for its mark
    with Console(stderr=True).status(f"Reading {printable(path.name)} …"):
        found = explained(path, finding, house_file)
    if form == "json":
        for shown in found:
            click.echo(_encode.encode(shown))
    else:
        write_page([block for shown in found for block in page(shown)])


def explained(path: Path, begins: str, house_file: str | None) -> list[FindingShown]:
    """Find a finding by the beginning of its id; as often as its round stands in the file.

    Raises:
        BadInput: no finding's id begins so, several do, or too little of it was given.
    """
    if len(begins) < _SHORTEST:
        raise BadInput(
            f"{begins!r} is too short for a finding; say at least {_SHORTEST} characters of its id"
        )
    shown: list[FindingShown] = []
    unread: list[Unread] = []
    for each in judged(path, house_file):
        if isinstance(each, Unread):
            unread.append(each)
            continue
        shown.extend(
            show_finding(found, each.conclusion, each.seen, each.book, each.house)
            for found in _named(each.conclusion, begins)
        )
    ids = sorted({each.finding.id for each in shown})
    if not ids:
        raise BadInput(f"{path}: no finding's id begins with {begins!r}{unread_of(unread)}")
    if len(ids) > 1:
        raise BadInput(f"{path}: {begins!r} begins the ids of {len(ids)} findings: {', '.join(ids)}")
    return shown


def _named(concluded: Conclusion, begins: str) -> list[Finding]:
    return [each for each in (*concluded.findings, *concluded.notes) if each.id.startswith(begins)]


def page(shown: FindingShown) -> list[Block]:
    """Lay a finding out for a person."""
    found, heading = shown.finding, shown.heading
    blocks = [
        Block(
            f"Finding {found.id}: {found.check}, {found.weight}",
            [
                ("It says", found.message),
                ("It asks", shown.asks),
                ("About", _about(found, heading)),
                *heading_rows(heading),
            ],
        ),
        Block(
            "Stands on",
            [(each.provision, standing(each.status, each.since)) for each in shown.citations],
        ),
    ]
    if shown.hands:
        blocks.append(Block("Hands", hand_rows(shown.hands)))
        blocks.append(Block("The play by the text", line_rows(shown.reasons, dated=True)))
    if shown.steps:
        blocks.append(Block("Sum", line_rows(shown.steps, dated=True)))
        blocks.append(Block("Rounding", [(each,) for each in shown.rounding]))
    if isinstance(found.expected_cents, int):
        blocks.append(Block("Difference", _difference(found)))
        blocks.append(Block("Under another choice of the house or reading", _otherwise(shown.otherwise)))
    return [*blocks, Block("What would make it wrong", [(shown.false_positives,)])]


def _about(found: Finding, heading: Heading) -> str:
    parts = [
        f"table {heading.table}",
        f"round {heading.round}" if heading.round is not None else f"shoe {heading.shoe}",
        f"seat {found.seat}" if found.seat else "",
        f"bettor {found.bettor}" if found.bettor else "",
        f"wager {found.wager}" if found.wager else "",
        f"hand {found.who or found.hand}" if found.who or found.hand else "",
        f"device {found.device}" if found.device else "",
    ]
    return ", ".join(part for part in parts if part)


def _difference(found: Finding) -> list[tuple[str, str]]:
    """Set what was owed against what was observed."""
    figure = "vigorish" if found.check in ON_VIGORISH else "gain"
    rows = [
        (f"Expected {figure}", _cents(found.expected_cents)),
        (f"Observed {figure}", _cents(found.observed_cents)),
        ("Difference", _cents(found.delta_cents)),
        ("Favours", found.favours or "no one"),
    ]
    return [*rows, ("Put right", "after the round closed")] if found.put_right else rows


def _cents(cents: int | UnsetType) -> str:
    return money(None if isinstance(cents, UnsetType) else cents)


def _otherwise(others: Sequence[Otherwise]) -> list[tuple[str, ...]]:
    return [
        (
            f"{each.option} {word(each.value)}",
            f"in effect {word(each.in_effect)}",
            each.cite,
            money(each.expected_cents),
            "as observed" if each.as_observed else "",
        )
        for each in others
    ]
