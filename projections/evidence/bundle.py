"""A bundle: one hand of a closed archive as a zip file that can be written in one way only.

docs/proofs.md is the format. The manifest names every other file by its hash, and is signed.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final, Literal

from cryptography.exceptions import InvalidSignature
from msgspec import Struct

from projections.evidence.checkpoint import signed
from schemas.errors import BadInput

MANIFEST: Final = "bundle.json"
SIGNATURE: Final = "bundle.sig"
CHECKPOINTS: Final = "checkpoints.json"
PROOF: Final = "proof.json"
VERDICT: Final = "verdict.json"
SETTLEMENT: Final = "settlement.json"
EXPLANATION: Final = "explanation.json"
RULEBOOK: Final = "rulebook.json"
FOOTAGE: Final = "footage.json"
CUSTODY: Final = "custody.jsonl"
WITHHELD: Final = "withheld.json"
PAGE: Final = "page.html"
VERIFIER: Final = "verify.py"
# What the manifest names, each of which has to be there.
NAMED: Final = frozenset(
    {
        CHECKPOINTS, PROOF, VERDICT, SETTLEMENT, EXPLANATION, RULEBOOK, FOOTAGE, CUSTODY, WITHHELD, PAGE,
        VERIFIER,
    }
)  # fmt: skip

FORMAT: Final = "discardrack bundle 1"
_BEGAN: Final = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file can tell
_UNIX: Final = 3
_MODE: Final = 0o644 << 16


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a bundle, its size in bytes and its hash."""

    path: str
    size: int
    sha256: str


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bundle is of, who made it and when, and its files; docs/proofs.md tells each field."""

    format: Literal["discardrack bundle 1"] = FORMAT
    software: str
    command: tuple[str, ...]
    at: datetime
    by: str
    why: str | None
    house: str
    archive: str
    table: str
    day: date
    round: str
    shoe: str | None
    seats: tuple[str, ...] | None
    staff: bool
    files: tuple[File, ...]
    key: str


class SignedText(Struct, frozen=True, forbid_unknown_fields=True):
    """The two first lines of a checkpoint, as text without their line feeds."""

    body: str
    signature: str


def listed(files: Mapping[str, bytes]) -> tuple[File, ...]:
    """List files by path with their sizes and hashes."""
    return tuple(
        File(path, len(text), hashlib.sha256(text).hexdigest())
        for path, text in sorted(files.items(), key=lambda each: each[0].encode())
    )


def packed(files: Mapping[str, bytes]) -> bytes:
    """Write files as the one zip file that holds them.

    >>> packed({"b": b"2", "a": b"1"}) == packed({"a": b"1", "b": b"2"})
    True
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as bundle:
        for path, text in sorted(files.items(), key=lambda each: each[0].encode()):
            entry = zipfile.ZipInfo(path, _BEGAN)
            entry.create_system, entry.external_attr = _UNIX, _MODE
            bundle.writestr(entry, text)
    return out.getvalue()


def unpacked(bundle: bytes) -> dict[str, bytes]:
    """Read the files of a bundle.

    >>> unpacked(packed({"a": b"1"}))
    {'a': b'1'}

    Raises:
        BadInput: it is no zip file, or not written in the one way.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(bundle)) as held:
            entries = held.infolist()
            # What is stored is as large as it is there: nothing can be blown up beyond the file's own size.
            if any(each.compress_type or each.file_size > len(bundle) for each in entries):
                raise BadInput("the zip file is not as a bundle's is: a file in it is compressed")
            files = {each.filename: held.read(each) for each in entries}
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError, OSError) as error:
        raise BadInput(f"not a zip file that can be read: {error}") from None
    if packed(files) != bundle:
        raise BadInput("the zip file is not written as a bundle is: bytes of it were changed, added or taken")
    return files


def held_to(manifest: Manifest, files: Mapping[str, bytes]) -> None:
    """Hold a bundle's files to its manifest.

    Raises:
        BadInput: a file is missing, is not named, or is not the one that was.
    """
    found = {path: text for path, text in files.items() if path not in (MANIFEST, SIGNATURE)}
    named = {each.path for each in manifest.files}
    if missing := sorted((named | NAMED) - found.keys()):
        raise BadInput(f"{missing[0]}: is missing")
    if strange := sorted(found.keys() - named):
        raise BadInput(f"{strange[0]}: is not named by the manifest")
    for listed_as, is_there in zip(manifest.files, listed(found), strict=False):
        if listed_as != is_there:
            raise BadInput(f"{is_there.path}: is not the file that the manifest names")
    if len(manifest.files) != len(found):
        raise BadInput(f"{MANIFEST}: names a file twice")


def signed_by(text: bytes, key: str, signature: str, where: str) -> None:
    """Make sure that a key signed a text.

    Raises:
        BadInput: it did not.
    """
    try:
        signed(text, key, signature)
    except InvalidSignature:
        raise BadInput(
            f"{where}: the signature is not by the key that it names, or not of this text"
        ) from None
