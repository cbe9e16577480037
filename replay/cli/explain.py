"""`discardrack explain`: one finding derived to the last cent, and what would make it wrong."""

from pathlib import Path
from typing import Final, TypeAlias

import click
from msgspec.structs import replace
from rich.console import Console

from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.views.finding_view import AccountShown, FindingShown, show_finding, show_in_account
from replay.cli import custody
from replay.cli.explain_view import page
from replay.cli.hand import unread_of
from replay.cli.text_report import Form, form_option, write_page
from replay.lists.writers import json_line, printable
from replay.recording.event_audit import Unread
from replay.recording.judged_rounds import Judged, judged
from replay.recording.seated_rounds import looked_back
from replay.recording.source import source_argument
from schemas.errors import BadInput

_SHORTEST: Final = 6  # as much of an id as names a finding among the thousands of a day


@click.command()
@source_argument
@click.argument("finding")
@form_option
def explain(path: Path, finding: str, house_file: str | None, form: Form) -> None:
    """Derive a finding: the question, each step with its section, and what would make it wrong.

    PATH is a file of round records, a file of frames, an archive folder, or what Kafka has now; FINDING the
    id that `audit` printed, or the first six or more of its characters. Notes have ids too. Of an account the
    lines are told that bear on the finding.

    \b
    Example:
      discardrack explain rounds.jsonl 3f9a1c
    """  # noqa: D301  click takes the backspace itself for its mark
    with Console(stderr=True).status(f"Reading {printable(path.name)} …"):
        found = explained(path, finding, house_file)
    custody.found(_about(found[0]))
    if form == "json":
        for shown in found:
            click.echo(json_line(shown))
    else:
        write_page([block for shown in found for block in page(shown)])


Shown: TypeAlias = FindingShown | AccountShown


def explained(path: Path, begins: str, house_file: str | None) -> list[Shown]:
    """Find a finding by the beginning of its id; as often as its round stands in the file.

    Raises:
        BadInput: no finding's id begins so, several do, or too little of it was given.
    """
    if len(begins) < _SHORTEST:
        raise BadInput(
            f"{begins!r} is too short for a finding; say at least {_SHORTEST} characters of its id"
        )
    shown: list[Shown] = []
    unread: list[Unread] = []
    for each in judged(path, house_file):
        if isinstance(each, Unread):
            unread.append(each)
            continue
        shown.extend(_shown(path, found, each) for found in _named(each.conclusion, begins))
    ids = sorted({each.finding.id for each in shown})
    if not ids:
        raise BadInput(f"{path}: no finding's id begins with {begins!r}{unread_of(unread)}")
    if len(ids) > 1:
        raise BadInput(f"{path}: {begins!r} begins the ids of {len(ids)} findings: {', '.join(ids)}")
    return shown


def _about(shown: Shown) -> dict[str, str]:
    """Return what a finding is of, for whoever reads in the log what was looked at."""
    if isinstance(shown, AccountShown):
        return {"table": shown.table, "gaming-day": str(shown.gaming_date), "account": shown.account}
    of = shown.heading
    which = {"round": of.round} if of.round is not None else {"shoe": of.shoe or ""}
    return {"table": of.table, "gaming-day": str(of.gaming_date), **which}


def _named(concluded: Conclusion, begins: str) -> list[Finding]:
    return [each for each in (*concluded.findings, *concluded.notes) if each.id.startswith(begins)]


def _shown(path: Path, found: Finding, told: Judged) -> Shown:
    said = told.conclusion
    if said.account is not None:
        return show_in_account(found, said, said.account, told.house)
    shown = show_finding(found, said, told.seen, told.book, told.house)
    if told.seen is None or not isinstance(found.seat, int) or found.bettor:
        return shown
    each = looked_back(path, told, told.seen)
    sits = ((key, patron) for key, patron in each.patrons().items() if key[0] == found.seat)
    key, patron = next(sits, (None, None))
    return replace(shown, patron=patron, renamed=each.says_of(key) if key is not None else None)
