"""`discardrack explain`: one finding derived to the last cent, and what would make it wrong."""

from typing import Final

import click
from msgspec.structs import replace
from rich.console import Console

from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.views.finding_view import (
    DerivedAccountFinding,
    derive_account_finding,
    derive_finding,
)
from replay.cli import custody
from replay.cli.hand import unread_text
from replay.cli.source import source_argument
from replay.cli.terminal_page import Form, form_option, write_page
from replay.exports.case_file.finding_page import Derivation, finding_page
from replay.lists.writers import json_line, printable
from replay.recording.judged_rounds import JudgedRound, judge_rounds
from replay.recording.recording import Recording
from replay.recording.seated_rounds import seat_round
from schemas.errors import BadInput
from streams.log import Unread

_SHORTEST: Final = 6  # as much of an id as names a finding among the thousands of a day


@click.command()
@source_argument
@click.argument("finding")
@form_option
def explain(recording: Recording, finding: str, form: Form) -> None:
    """Derive a finding: the question, each step with its section, and what would make it wrong.

    PATH is a file of round records, a file of frames, an archive folder, or what Kafka has now; FINDING the
    id that `audit` printed, or the first six or more of its characters. Notes have ids too. For an account
    the lines that affect the finding are shown.

    \b
    Example:
      discardrack explain rounds.jsonl 3f9a1c
    """  # noqa: D301  click takes the backspace itself for its mark
    with Console(stderr=True).status(f"Reading {printable(recording.path.name)} …"):
        found = find_derivations(recording, finding)
    custody.found(_about_json(found[0]))
    if form == "json":
        for view in found:
            click.echo(json_line(view))
    else:
        write_page([block for view in found for block in finding_page(view)])


def find_derivations(recording: Recording, begins: str) -> list[Derivation]:
    """Find a finding by the beginning of its id; as often as its round stands in the file.

    Raises:
        BadInput: no finding's id begins so, several do, or too little of it was given.
    """
    if len(begins) < _SHORTEST:
        raise BadInput(
            f"{begins!r} is too short for a finding; say at least {_SHORTEST} characters of its id"
        )
    path = recording.path
    views: list[Derivation] = []
    unread: list[Unread] = []
    for each in judge_rounds(recording):
        if isinstance(each, Unread):
            unread.append(each)
            continue
        views.extend(
            _finding_view(recording, found, each) for found in _matching_findings(each.conclusion, begins)
        )
    ids = sorted({each.finding.id for each in views})
    if not ids:
        raise BadInput(f"{path}: no finding's id begins with {begins!r}{unread_text(unread)}")
    if len(ids) > 1:
        raise BadInput(f"{path}: {begins!r} begins the ids of {len(ids)} findings: {', '.join(ids)}")
    return views


def _about_json(item: Derivation) -> dict[str, str]:
    """Return the subject of a finding for the log of what was viewed."""
    if isinstance(item, DerivedAccountFinding):
        return {"table": item.table, "gaming-day": str(item.gaming_date), "account": item.account}
    of = item.heading
    which = {"round": of.round} if of.round is not None else {"shoe": of.shoe or ""}
    return {"table": of.table, "gaming-day": str(of.gaming_date), **which}


def _matching_findings(concluded: Conclusion, begins: str) -> list[Finding]:
    return [each for each in (*concluded.findings, *concluded.notes) if each.id.startswith(begins)]


def _finding_view(recording: Recording, finding: Finding, judged_round: JudgedRound) -> Derivation:
    conclusion = judged_round.conclusion
    if conclusion.account is not None:
        return derive_account_finding(finding, conclusion, conclusion.account, judged_round.house)
    finding_view = derive_finding(
        finding, conclusion, judged_round.seen, judged_round.book, judged_round.house
    )
    if judged_round.seen is None or not isinstance(finding.seat, int) or finding.bettor:
        return finding_view
    each = seat_round(recording, judged_round, judged_round.seen)
    sits = ((key, patron) for key, patron in each.patrons().items() if key.seat == finding.seat)
    key, patron = next(sits, (None, None))
    return replace(finding_view, patron=patron, renamed=each.correction_of(key) if key is not None else None)
