"""A bundle: one hand of a closed archive as a zip file that can be written in one way only.

docs/proofs.md is the format. The manifest names every other file by its hash, and is signed.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from datetime import date
from typing import Final, Literal

from cryptography.exceptions import InvalidSignature
from msgspec import Struct

from projections.evidence.canonical_json import Count, Hash, Moment, Random
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

_PATHS: Final = frozenset({MANIFEST, SIGNATURE, *NAMED})

FORMAT: Final = "discardrack bundle 1"
_HEADER: Final = b"PK\3\4"  # begins a file in a zip file: its size stands 18 bytes on, that of its name 26
_HEADER_SIZE: Final = 30
_BEGAN: Final = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file can tell
_UNIX: Final = 3
_MODE: Final = 0o644 << 16


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a bundle, its size in bytes and its hash."""

    path: str
    size: Count
    sha256: Hash


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bundle is of, who made it and when, and its files; docs/proofs.md tells each field."""

    format: Literal["discardrack bundle 1"] = FORMAT
    software: str
    command: tuple[str, ...]
    at: Moment
    by: str
    why: str | None
    house: str
    archive: Random
    table: str
    day: date
    round: str
    shoe: str | None
    seats: tuple[str, ...] | None
    staff: bool
    files: tuple[File, ...]
    key: Hash


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
    """Read the files of a bundle, which are those thirteen and no others.

    They are cut out one behind the other: no byte is read twice, whatever a list at its end may say.

    >>> unpacked(packed({"a": b"1"}))
    Traceback (most recent call last):
    schemas.errors.BadInput: a: is no file of a bundle

    Raises:
        BadInput: it is no bundle, or not written in the one way.
    """
    files: dict[str, bytes] = {}
    at = 0
    while bundle.startswith(_HEADER, at):
        name_at = at + _HEADER_SIZE
        starts = name_at + int.from_bytes(bundle[at + 26 : at + 28], "little")
        ends = starts + int.from_bytes(bundle[at + 18 : at + 22], "little")
        path = bundle[name_at:starts].decode("ascii", "replace")
        if path not in _PATHS or path in files:
            raise BadInput(f"{path}: is {'there twice' if path in files else 'no file of a bundle'}")
        files[path], at = bundle[starts:ends], ends
    if not files:
        raise BadInput("not a zip file that can be read")
    if missing := sorted(_PATHS - files.keys()):
        raise BadInput(f"{missing[0]}: is missing")
    if packed(files) != bundle:
        raise BadInput("the zip file is not written as a bundle is: bytes of it were changed, added or taken")
    return files


def held_to(manifest: Manifest, files: Mapping[str, bytes]) -> None:
    """Hold a bundle's files to its manifest.

    Raises:
        BadInput: a file is not named, or is not the one that was.
    """
    files_found = listed({path: text for path, text in files.items() if path in NAMED})
    for listed_as, is_there in zip(manifest.files, files_found, strict=False):
        if listed_as != is_there:
            raise BadInput(f"{is_there.path}: is not the file that the manifest names")
    if len(manifest.files) != len(files_found):
        raise BadInput(
            f"{MANIFEST}: names {len(manifest.files)} files; a bundle has {len(files_found)} besides"
        )


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
