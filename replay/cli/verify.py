"""`discardrack verify`: check an archive or an evidence bundle against what was signed, offline."""

from collections.abc import Sequence
from pathlib import Path

import click

from replay.cli.verify_bundle import check_bundle
from replay.lists.writers import Form, format_option, printable, write_rows
from replay.recording.nested_archives import refuse_other
from schemas.values import moment
from streams import clock
from streams.archive import keys
from streams.archive.checked_files import Trouble
from streams.archive.kept_checkpoint_lines import kept_line
from streams.archive.verification import Checked, check
from streams.signing import unsigned_actions


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--line",
    "lines",
    multiple=True,
    help="Line of a checkpoint that was kept elsewhere; as often as there are.",
)
@click.option(
    "--key",
    "named",
    multiple=True,
    help="Public key, or a key's file, of who released the bundle, or closed the archive. Any unless told.",
)
@click.option(
    "--archive-key",
    "closed_by",
    multiple=True,
    help="Public key, or a key's file, of who closed the days; as often as there are. Any unless told.",
)
@click.option(
    "--actions-key",
    "signers",
    multiple=True,
    help="Of an archive: public key, or a key's file, by which what operators did must be signed.",
)
@click.option("--covered", is_flag=True, help="With --line: nothing may be newer than the newest of them.")
@click.option("--events", is_flag=True, help="Of an archive: also read every record, and rebuild the trees.")
@format_option()
def verify(
    path: Path,
    lines: Sequence[str],
    named: Sequence[str],
    closed_by: Sequence[str],
    signers: Sequence[str],
    form: Form,
    *,
    covered: bool,
    events: bool,
) -> None:
    """Check an archive of a live floor, or an evidence bundle, against what was signed.

    Of an archive each file is held to the signed checkpoints, and these as a chain; of a bundle its bytes,
    its proofs and its sums. Prints a row for each thing that is not as it was closed, and says on standard
    error what was checked and what nobody can know. With --actions-key each action of an operator must be
    signed by one of these keys too, in days that are not closed yet as well. docs/proofs.md is the format.
    Exit status 1: something is not as it was closed; with --covered also: something is newer than the newest
    line, or no line covers it.

    \b
    Example:
      discardrack verify var/archive
      discardrack verify bundle.zip --key 7f3c... --archive-key 02ab...
      discardrack verify var/archive --archive-key 02ab... --line "discardrack 1 4be1... 12 2025-03-01 9a0f"
    """  # noqa: D301  click's mark for text that is not wrapped
    if covered and not lines:
        raise click.UsageError("--covered needs --line: what was kept elsewhere is what has to cover it")
    kept = [kept_line(each) for each in lines]
    allowed, closers, trusted = (
        [keys.named(each) for each in given] for given in (named, closed_by, signers)
    )
    if path.is_file():
        if signers:
            raise click.UsageError("--actions-key is for an archive; a bundle has no actions of operators")
        bundle = check_bundle(path, kept, allowed, closers)
        troubles = [Trouble(path.name, bundle.wrong)] if bundle.wrong is not None else []
        if covered:
            troubles += [
                Trouble(path.name, f"checkpoint {each}: no line was named that covers it")
                for each in bundle.beyond
            ]
        said: Sequence[str] = bundle.said
    else:
        refuse_other(path, "neither a bundle nor an archive")
        allowed += closers
        checked = check(path, kept, allowed, events=events, today=moment(clock.now()).date())
        unsigned = unsigned_actions(path, trusted) if trusted else ()
        troubles = [*checked.troubles, *(checked.beyond if covered else ()), *unsigned]
        said = _said(checked, kept=bool(kept), allowed=bool(allowed), covered=covered)
    if troubles or form != "table":  # people need no head of a table in which nothing stands
        write_rows(({"where": each.where, "what": each.what} for each in troubles), form, ("where", "what"))
    for each in said:
        click.echo(printable(each), err=True)
    raise click.exceptions.Exit(1 if troubles else 0)


def _many(number: int, what: str) -> str:
    """Count things in words.

    >>> _many(1, "checkpoint"), _many(2, "file")
    ('1 checkpoint', '2 files')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def _said(checked: Checked, *, kept: bool, allowed: bool, covered: bool) -> list[str]:
    """Return what was checked, and what that cannot tell."""
    found = len(checked.troubles)
    held = f"{_many(checked.checkpoints, 'checkpoint')}, {_many(checked.files, 'file')}"
    said = [
        f"{held}, {checked.bytes:,} bytes: " + (f"{found} not as closed" if found else "all as closed"),
        *(f"signed by {key}: checkpoints {first} to {last}" for key, first, last in checked.keys),
        *checked.notes,
        *(f"{each.where}: {each.what}" for each in checked.beyond if not covered),
    ]
    if checked.line is not None:
        said.append(f"newest: {checked.line}")
    if not kept:
        said.append("whether there were later days, or another archive before, only --line can tell")
    if not allowed:
        said.append("whose key it is that signed, only --key can tell")
    return said
