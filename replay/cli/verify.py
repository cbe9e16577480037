"""`discardrack verify`: check an archive or an evidence bundle against what was signed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from projections.evidence.bundle import VerifiedBundle, opened
from projections.evidence.bundle_sums import Settlement
from replay.cli.custody import refuse_other
from replay.lists.writers import Form, format_option, printable, write_rows
from replay.recording.file_kinds import ZIP, kind_at
from schemas.errors import BadInput
from schemas.values import dollars, moment
from streams import processes
from streams.archive import keys
from streams.archive.checked_files import Trouble
from streams.archive.kept_lines import KeptLine, kept_line
from streams.archive.verification import Checked, check
from streams.signing import unsigned_actions

# ── The side of `discardrack verify` that checks an evidence bundle ───────────────────────────────────

_MOST: Final = 256 << 20  # bytes, as much as the verifier in the bundle takes; no hand comes near


class CheckedBundle(Struct, frozen=True):
    """Result of a bundle's check: what is wrong, if anything is, and what it proves and does not.

    `beyond` are the checkpoints in it that no line covers.
    """

    wrong: str | None
    summary: tuple[str, ...]
    beyond: tuple[int, ...] = ()


def check_bundle(
    path: Path, lines: Sequence[KeptLine], keys: Sequence[str], archive_keys: Sequence[str]
) -> CheckedBundle:
    """Check a bundle against itself, and against keys and lines that were learned elsewhere.

    `keys` are those that may have released it, `archive_keys` those that have closed its days: where some are
    named, those who did are to be just these.
    """
    if path.stat().st_size > _MOST:
        return CheckedBundle(f"has more than {_MOST:,} bytes, which no bundle has", ())
    try:
        found = opened(path.read_bytes())
        _check_signers(found, keys, archive_keys)
        _check_kept_lines(found, lines)
    except BadInput as error:
        return CheckedBundle(str(error), ())
    covered = _covered(found, {each.number for each in lines})
    beyond = tuple(sorted(set(found.closed_by) - covered))
    return CheckedBundle(
        None, tuple(_bundle_summary(found, covered, has_keys=bool(keys and archive_keys))), beyond
    )


def _check_signers(found: VerifiedBundle, keys: Sequence[str], archive_keys: Sequence[str]) -> None:
    for did, option, given, signers in (
        ("released", "--key", keys, frozenset({found.manifest.key})),
        ("closed", "--archive-key", archive_keys, found.closers()),
    ):
        if given and (strange := sorted(signers - set(given))):
            raise BadInput(f"it was {did} by {strange[0]}, which is none of those that {option} names")
        if idle := sorted(set(given) - signers):
            raise BadInput(f"the key {idle[0]}, which {option} names, has {did} nothing of it")


def _covered(found: VerifiedBundle, lines: set[int]) -> set[int]:
    """Return the checkpoints for which lines speak: each names the one before it, as far as they are here."""
    covered = set(lines)
    for number in sorted(found.checkpoints, reverse=True):
        if number + 1 in covered:
            covered.add(number)
    return covered


def _check_kept_lines(found: VerifiedBundle, lines: Sequence[KeptLine]) -> None:
    for line in lines:
        where = f"checkpoint {line.number} of {line.day}"
        closing = found.checkpoints.get(line.number)
        if line.archive != found.manifest.archive:
            raise BadInput(f"{where}: was kept of archive {line.archive}; the bundle is of another")
        if closing is None:
            raise BadInput(f"{where}: is not in the bundle, so its line can tell nothing of it")
        if (line.body, line.day) != (closing.body_hash, str(closing.body.day)):
            raise BadInput(f"{where}: is not the one that was kept elsewhere: it was made anew")


def _bundle_summary(found: VerifiedBundle, covered: set[int], *, has_keys: bool) -> list[str]:
    """Return what was checked, and what that cannot show."""
    manifest, events = found.manifest, sum(len(each) for each in found.events)
    seats = "all seats" if manifest.seats is None else f"seats shown: {', '.join(manifest.seats) or 'none'}"
    lines = [
        f"round {manifest.round} of table {manifest.table} on {manifest.day}, {seats}",
        f"released by {manifest.key}",
        *(f"closed by {key}" for key in sorted(found.closers())),
        f"{events} event{'' if events == 1 else 's'} as they were closed",
        *(
            _closed(number, len(of_part), covered)
            for number, of_part in zip(found.closed_by, found.events, strict=True)
        ),
        *_sums(found.settlement),
        *([f"{_many(len(found.attachments), 'attached file')} as attached"] if found.attachments else []),
        "whether the devices told the truth, and what was withheld, nothing here can tell",
    ]
    if not found.same_verifier:
        lines.append("the verify.py in it is not the one of this version: do not rely on what that one says")
    if not covered.issuperset(found.closed_by):
        lines.append("whether a checkpoint was made anew with its key, only --line can tell")
    if not has_keys:
        lines.append("whose keys they are that signed, only --key and --archive-key can tell")
    return lines


def _closed(number: int, events: int, covered: set[int]) -> str:
    line = "a line covers it" if number in covered else "no line was named that covers it"
    return f"{events} of them by checkpoint {number}; {line}"


def _sums(settlement: Settlement) -> list[str]:
    if not settlement.wagers:
        return ["it tells of no wager: nothing is settled in it"]
    wagers, left_open = len(settlement.wagers), settlement.left_open()
    lines = [f"the sums of {wagers} wager{'' if wagers == 1 else 's'} add up; left open: {left_open}"]
    if unproven := settlement.unproven():
        lines.append(f"what was paid on {unproven} of them is not proven by events")
    lines += [f"within the rule by {each.cite}: {dollars(abs(each.adds))}" for each in settlement.within()]
    return lines


# ── `discardrack verify`: check an archive or an evidence bundle against what was signed, offline ─────


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
    "named_keys",
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
    named_keys: Sequence[str],
    closed_by: Sequence[str],
    signers: Sequence[str],
    form: Form,
    *,
    covered: bool,
    events: bool,
) -> None:
    """Check an archive of a live floor, or an evidence bundle, against what was signed.

    For an archive each file is compared with the signed checkpoints, and these are checked as a chain; for a
    bundle its bytes, its proofs and its sums. Prints a row for each thing that is not as it was closed, and
    on standard error what was checked and what cannot be known. With --actions-key each action of an operator
    must be signed by one of these keys too, in days that are not closed yet as well. docs/proofs.md is the
    format. Exit status 1: something is not as it was closed; with --covered also: something is newer than the
    newest line, or no line covers it. Status 2: it is neither an archive nor a bundle.

    \b
    Example:
      discardrack verify var/archive
      discardrack verify bundle.zip --key 7f3c... --archive-key 02ab...
      discardrack verify var/archive --archive-key 02ab... --line "discardrack 1 4be1... 12 2025-03-01 9a0f"
    """  # noqa: D301  click's mark for text that is not wrapped
    if covered and not lines:
        raise click.UsageError("--covered needs --line: what was kept elsewhere is what has to cover it")
    kept_lines = [kept_line(each) for each in lines]
    allowed, closers, trusted = (
        [keys.public_key(each) for each in names] for names in (named_keys, closed_by, signers)
    )
    if path.is_file():
        if signers:
            raise click.UsageError("--actions-key is for an archive; a bundle has no actions of operators")
        _refuse_other_file(path)
        bundle = check_bundle(path, kept_lines, allowed, closers)
        troubles = [Trouble(path.name, bundle.wrong)] if bundle.wrong is not None else []
        if covered:
            troubles += [
                Trouble(path.name, f"checkpoint {each}: no line was named that covers it")
                for each in bundle.beyond
            ]
        summary: Sequence[str] = bundle.summary
    else:
        refuse_other(path, "neither a bundle nor an archive")
        allowed += closers
        checked = check(path, kept_lines, allowed, events=events, today=moment(processes.now()).date())
        unsigned = unsigned_actions(path, trusted) if trusted else ()
        troubles = [*checked.troubles, *(checked.beyond if covered else ()), *unsigned]
        summary = _archive_summary(
            checked, has_lines=bool(kept_lines), has_keys=bool(allowed), covered=covered
        )
    if troubles or form != "table":  # people need no head of an empty table
        write_rows(({"where": each.where, "what": each.what} for each in troubles), form, ("where", "what"))
    for each in summary:
        click.echo(printable(each), err=True)
    raise click.exceptions.Exit(1 if troubles else 0)


def _refuse_other_file(path: Path) -> None:
    """Raise BadInput for a file that is not damaged, but of another kind than a bundle."""
    kind = kind_at(path)
    with path.open("rb") as file:
        begins = file.read(len(ZIP))
    if begins != ZIP:
        what = kind.name if kind is not None else "empty" if not begins else "lines of JSON"
        raise BadInput(f"{path}: {what}, and no evidence bundle, which `discardrack evidence` writes")


def _many(number: int, what: str) -> str:
    """Count things in words.

    >>> _many(1, "checkpoint"), _many(2, "file")
    ('1 checkpoint', '2 files')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def _archive_summary(checked: Checked, *, has_lines: bool, has_keys: bool, covered: bool) -> list[str]:
    """Return what was checked, and what that cannot show."""
    found = len(checked.troubles)
    counts = f"{_many(checked.checkpoints, 'checkpoint')}, {_many(checked.files, 'file')}"
    lines = [
        f"{counts}, {checked.bytes:,} bytes: " + (f"{found} not as closed" if found else "all as closed"),
        *(f"signed by {key}: checkpoints {first} to {last}" for key, first, last in checked.keys),
        *checked.notes,
        *(f"{each.where}: {each.what}" for each in checked.beyond if not covered),
    ]
    if checked.line is not None:
        lines.append(f"newest: {checked.line}")
    if not has_lines:
        lines.append("whether there were later days, or another archive before, only --line can tell")
    if not has_keys:
        lines.append("whose key it is that signed, only --key can tell")
    return lines
