"""The side of `discardrack verify` that checks an evidence bundle."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from projections.evidence.bundle_check import Opened, opened
from schemas.errors import BadInput
from streams.archive.verifying import KeptLine

_MOST: Final = 32 << 20  # bytes, as much as the verifier in the bundle takes; no hand comes near


class CheckedBundle(Struct, frozen=True):
    """What the check of a bundle came to: what is wrong, if anything is, and what it proves and does not."""

    wrong: str | None
    said: tuple[str, ...]


def check_bundle(path: Path, lines: Sequence[KeptLine], keys: Sequence[str]) -> CheckedBundle:
    """Check a bundle against itself, and against keys and lines that were learned elsewhere.

    Every key that signed has to be among `keys`, where some are named, and each of them has to have signed.
    """
    if path.stat().st_size > _MOST:
        return CheckedBundle(f"has more than {_MOST:,} bytes, which no bundle has", ())
    try:
        found = opened(path.read_bytes())
        _named(found, keys)
        _kept(found, lines)
    except BadInput as error:
        return CheckedBundle(str(error), ())
    return CheckedBundle(None, tuple(_said(found, kept=bool(lines), allowed=bool(keys))))


def _named(found: Opened, keys: Sequence[str]) -> None:
    signers = found.signers()
    if keys and (strange := sorted(signers - set(keys))):
        raise BadInput(f"it is signed by {strange[0]} too, which is none of the keys that were named")
    if idle := sorted(set(keys) - signers):
        raise BadInput(f"the key {idle[0]} signed nothing of it")


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


def _said(found: Opened, *, kept: bool, allowed: bool) -> list[str]:
    """Say what was checked, and what that cannot tell."""
    manifest, events = found.manifest, sum(len(each) for each in found.events)
    numbers = ", ".join(str(number) for number in found.checkpoints)
    seats = "all seats" if manifest.seats is None else f"seats shown: {', '.join(manifest.seats) or 'none'}"
    said = [
        f"round {manifest.round} of table {manifest.table} on {manifest.day}, {seats}",
        f"{events} events as they were closed by checkpoint {numbers}; the sums add up",
        *(f"signed by {key}" for key in sorted(found.signers())),
        "whether the devices told the truth, and what was withheld, nothing here can tell",
    ]
    if not kept:
        said.append("whether a checkpoint was made anew with its key, only --line can tell")
    if not allowed:
        said.append("whose keys they are that signed, only --key can tell")
    return said
