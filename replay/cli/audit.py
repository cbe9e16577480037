"""`discardrack audit`: a verdict for each round, shoe and account, or for each case of a coupon log."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TypeAlias

import click
from rich.console import Console

from projections.engine.conclusion import Conclusion, ConclusionOf, ConclusionView
from projections.engine.findings import Finding
from projections.programmes.coupons.coupon_audit import (
    CouponConclusion,
    CouponConclusionOf,
    CouponConclusionView,
)
from projections.views.conclusion_view import conclusion_view, finding_view
from projections.views.finding_text import finding_text
from replay.cli.source import source_argument
from replay.lists.writers import Form, Row, format_option, json_line, write_rows
from replay.recording.event_audit import limit_unread
from replay.recording.house_mistakes import list_house_mistakes
from replay.recording.judged_rounds import judge_coupons, judge_rounds
from replay.recording.packed import plain_file
from replay.recording.recording import Recording
from streams.log import Unread
from streams.processes import collect_seldom


@click.command()
@source_argument
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Judge an archive's tables in so many processes; what is printed is the same.",
)
@click.option(
    "--with",
    "lines",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Report lines of an import, judged among the recorded events; may be said again.",
)
@format_option("jsonl")
def audit(recording: Recording, jobs: int, lines: tuple[Path, ...], form: Form) -> None:
    """Judge round records, recorded events or a coupon log; one answer a line, in the order of the input.

    PATH is a file of round records, a file of frames, a coupon log, an archive folder, or what Kafka has now
    (kafka://HOST:PORT?since=2025-03-01T10:00, with --house). Answers are JSON lines by default; table and csv
    have a row of each, but a table lists at most twenty unreadable lines in a row. After a table's rounds
    come its shoes and, if the house has ledgers, its inventory of each gaming day; then, from an archive, the
    accounts of the ledgers: slips, drop, Counter Checks, coupons. Exit status: 0 all clean, 1 any mismatch or
    undetermined, 2 any line unreadable.

    What `import --mapping` made of another system's log is judged by --with, as if it had come by a gateway;
    nothing that is recorded is changed.

    \b
    Example:
      discardrack audit rounds.jsonl --house my_house.yaml
      discardrack audit floor --with lines.jsonl
    """  # noqa: D301  click's mark for text that is not wrapped
    collect_seldom()
    with ExitStack() as opened:
        recording.add_report_lines([opened.enter_context(plain_file(each)) for each in lines])
        status = _print_audit(recording, jobs, form)
    raise click.exceptions.Exit(status)


def _print_audit(recording: Recording, jobs: int, form: Form) -> int:
    """Print the answers, and return the exit status."""
    is_coupons = recording.form == "coupons"
    if not is_coupons:
        list_house_mistakes(recording)
    tally = _Tally(judge_coupons(recording) if is_coupons else _answers(recording, jobs))
    console = Console(stderr=True)
    with console.status(f"Auditing {recording.path.name} …"):
        if form == "jsonl":
            for each in tally:
                click.echo(json_line(_in_words(each)))
        else:
            columns = _OF_COUPONS if is_coupons else _OF_ROUNDS
            rows: Iterable[Answer] = limit_unread(tally) if form == "table" else tally
            write_rows((_row(each, columns) for each in rows), form)
    return tally.status


Answer: TypeAlias = Conclusion | CouponConclusion | Unread


def _in_words(each: Answer) -> ConclusionView | CouponConclusionView | Unread:
    match each:
        case ConclusionOf():
            return conclusion_view(each)
        case CouponConclusionOf():
            return CouponConclusionView(each.case, each.verdict, tuple(map(finding_view, each.findings)))
    return each


class _Tally:
    """Passes answers on and remembers the worst for the exit status."""

    def __init__(self, answers: Iterator[Answer]) -> None:
        self.answers = answers
        self.status = 0

    def __iter__(self) -> Iterator[Answer]:
        for each in self.answers:
            if isinstance(each, Unread):
                self.status = 2
            elif each.verdict != "clean":
                self.status = max(self.status, 1)
            yield each


def _answers(recording: Recording, jobs: int) -> Iterator[Answer]:
    if jobs > 1 and recording.is_archive:
        from replay.recording import parallel_audit  # noqa: PLC0415  processes take longer to load than most audits take

        yield from parallel_audit.audit_in_parallel(recording, jobs)
        return
    for each in judge_rounds(recording):
        yield each if isinstance(each, Unread) else each.conclusion


_OF_ROUNDS: Final = ("gaming_date", "table", "round", "shoe", "account", "verdict", "outcome", "findings")
_OF_COUPONS: Final = ("case", "verdict", "findings")


def _row(each: Answer, columns: tuple[str, ...]) -> Row:
    if isinstance(each, Unread):
        row = {"verdict": "unreadable", "findings": each.describe()}
        return {column: row.get(column) for column in columns}
    cells = {column: getattr(each, column) for column in columns}
    if isinstance(each, ConclusionOf):
        cells["gaming_date"] = str(each.gaming_date)
    return cells | {"findings": _findings_text(each.findings)}


def _findings_text(findings: tuple[Finding, ...]) -> str:
    return "; ".join(
        f"{finding.check}: {finding_text(finding)} ({', '.join(finding.citations)})" for finding in findings
    )
