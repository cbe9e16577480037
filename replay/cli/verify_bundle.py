"""The side of `discardrack verify` that checks an evidence bundle."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from projections.evidence.bundle_check import Opened, opened
from projections.evidence.bundle_sums import Settlement
from schemas.errors import BadInput
from schemas.values import dollars
from streams.archive.kept_checkpoint_lines import KeptLine

_MOST: Final = 32 << 20  # bytes, as much as the verifier in the bundle takes; no hand comes near


class CheckedBundle(Struct, frozen=True):
    """What the check of a bundle came to: what is wrong, if anything is, and what it proves and does not.

    `beyond` are the checkpoints in it that no line covers.
    """

    wrong: str | None
    said: tuple[str, ...]
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
        _named(found, keys, archive_keys)
        _kept(found, lines)
    except BadInput as error:
        return CheckedBundle(str(error), ())
    covered = _covered(found, {each.number for each in lines})
    beyond = tuple(sorted(set(found.closed_by) - covered))
    return CheckedBundle(None, tuple(_said(found, covered, known=bool(keys and archive_keys))), beyond)


def _named(found: Opened, keys: Sequence[str], archive_keys: Sequence[str]) -> None:
    for did, option, named, signers in (
        ("released", "--key", keys, frozenset({found.manifest.key})),
        ("closed", "--archive-key", archive_keys, found.closers()),
    ):
        if named and (strange := sorted(signers - set(named))):
            raise BadInput(f"it was {did} by {strange[0]}, which is none of those that {option} names")
        if idle := sorted(set(named) - signers):
            raise BadInput(f"the key {idle[0]}, which {option} names, has {did} nothing of it")


def _covered(found: Opened, lines: set[int]) -> set[int]:
    """Return the checkpoints for which lines speak: each names the one before it, as far as they are here."""
    covered = set(lines)
    for number in sorted(found.checkpoints, reverse=True):
        if number + 1 in covered:
            covered.add(number)
    return covered


def _kept(found: Opened, lines: Sequence[KeptLine]) -> None:
    for line in lines:
        where = f"checkpoint {line.number} of {line.day}"
        closing = found.checkpoints.get(line.number)
        if line.archive != found.manifest.archive:
            raise BadInput(f"{where}: was kept of archive {line.archive}; the bundle is of another")
        if closing is None:
            raise BadInput(f"{where}: is not in the bundle, so its line can tell nothing of it")
        if (line.body, line.day) != (closing.body_hash, str(closing.body.day)):
            raise BadInput(f"{where}: is not the one that was kept elsewhere: it was made anew")


def _said(found: Opened, covered: set[int], *, known: bool) -> list[str]:
    """Return what was checked, and what that cannot tell."""
    manifest, events = found.manifest, sum(len(each) for each in found.events)
    seats = "all seats" if manifest.seats is None else f"seats shown: {', '.join(manifest.seats) or 'none'}"
    said = [
        f"round {manifest.round} of table {manifest.table} on {manifest.day}, {seats}",
        f"released by {manifest.key}",
        *(f"closed by {key}" for key in sorted(found.closers())),
        f"{events} event{'' if events == 1 else 's'} as they were closed",
        *(
            _closed(number, len(told), covered)
            for number, told in zip(found.closed_by, found.events, strict=True)
        ),
        *_sums(found.settlement),
        "whether the devices told the truth, and what was withheld, nothing here can tell",
    ]
    if not found.same_verifier:
        said.append("the verify.py in it is not the one of this version: do not rely on what that one says")
    if not covered.issuperset(found.closed_by):
        said.append("whether a checkpoint was made anew with its key, only --line can tell")
    if not known:
        said.append("whose keys they are that signed, only --key and --archive-key can tell")
    return said


def _closed(number: int, events: int, covered: set[int]) -> str:
    line = "a line covers it" if number in covered else "no line was named that covers it"
    return f"{events} of them by checkpoint {number}; {line}"


def _sums(settlement: Settlement) -> list[str]:
    if not settlement.wagers:
        return ["it tells of no wager: nothing is settled in it"]
    wagers, left_open = len(settlement.wagers), settlement.left_open()
    said = [f"the sums of {wagers} wager{'' if wagers == 1 else 's'} add up; left open: {left_open}"]
    if unproven := settlement.unproven():
        said.append(f"what was paid on {unproven} of them is not proven by events")
    said += [f"within the rule by {each.cite}: {dollars(abs(each.adds))}" for each in settlement.within()]
    return said
