"""A bundle: one hand of a closed archive as a zip file that can be written in one way only.

docs/proofs.md is the format. The manifest names every other file by its hash, and is signed.
"""

import hashlib
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from importlib import resources
from typing import Final, Literal, TypeVar

from cryptography.exceptions import InvalidSignature
from msgspec import Struct

from projections.evidence import bundle, bundle_proof, bundle_sums, canonical_json
from projections.evidence.bundle_proof import Event, PartShown
from projections.evidence.bundle_sums import Settlement
from projections.evidence.canonical_json import Count, Hash, Moment, Random
from projections.evidence.checkpoint import Body, CheckpointSignature, signed
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
ATTACHMENTS: Final = "attachments.json"
ATTACHED: Final = "attachments/"  # before the SHA-256 of what was attached
_ATTACHED_PATH: Final = re.compile(f"{ATTACHED}[0-9a-f]{{64}}")
# The files in the manifest that every bundle has.
REQUIRED: Final = frozenset(
    {
        CHECKPOINTS, PROOF, VERDICT, SETTLEMENT, EXPLANATION, RULEBOOK, FOOTAGE, CUSTODY, WITHHELD, PAGE,
        VERIFIER,
    }
)  # fmt: skip

_PATHS: Final = frozenset({MANIFEST, SIGNATURE, *REQUIRED})

FORMAT: Final = "discardrack bundle 1"
_HEADER: Final = b"PK\3\4"  # begins a file in a zip file: its size stands 18 bytes on, that of its name 26
_HEADER_SIZE: Final = 30
_BEGAN: Final = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file can represent
_UNIX: Final = 3
_MODE: Final = 0o644 << 16


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a bundle, its size in bytes and its hash."""

    path: str
    size: Count
    sha256: Hash


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Manifest of a bundle; docs/proofs.md describes each field."""

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


class Attachment(Struct, frozen=True, forbid_unknown_fields=True):
    """A picture, clip or scan that was attached to the dispute: its name, and what its content is."""

    name: str
    sha256: Hash
    size: Count
    type: str


class SignedText(Struct, frozen=True, forbid_unknown_fields=True):
    """The two first lines of a checkpoint, as text without their line feeds."""

    body: str
    signature: str


def listed(files: Mapping[str, bytes]) -> tuple[File, ...]:
    """Return files by path with their sizes and hashes."""
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
    """Read the files of a bundle, which are those thirteen, what was attached, and no others.

    They are read one after the other: no byte is read twice, whatever a list at its end contains.

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
        if not _is_path(path) or path in files:
            raise BadInput(f"{path}: is {'there twice' if path in files else 'no file of a bundle'}")
        files[path], at = bundle[starts:ends], ends
    if not files:
        raise BadInput("not a zip file that can be read")
    if missing := sorted(_PATHS - files.keys()):
        raise BadInput(f"{missing[0]}: is missing")
    if packed(files) != bundle:
        raise BadInput("the zip file is not written as a bundle is: bytes of it were changed, added or taken")
    return files


def _is_path(path: str) -> bool:
    return path in _PATHS or path == ATTACHMENTS or _ATTACHED_PATH.fullmatch(path) is not None


def held_to(manifest: Manifest, files: Mapping[str, bytes]) -> None:
    """Compare a bundle's files with its manifest.

    Raises:
        BadInput: a file is not named, or is not the one that was.
    """
    files_found = listed({path: text for path, text in files.items() if path not in (MANIFEST, SIGNATURE)})
    for listed_as, is_there in zip(manifest.files, files_found, strict=False):
        if listed_as != is_there:
            raise BadInput(f"{is_there.path}: is not the file that the manifest names")
    if len(manifest.files) != len(files_found):
        raise BadInput(
            f"{MANIFEST}: names {len(manifest.files)} files; a bundle has {len(files_found)} besides"
        )


def signed_by(text: bytes, key: str, signature: str, where: str) -> None:
    """Verify that a key signed a text.

    Raises:
        BadInput: it did not.
    """
    try:
        signed(text, key, signature)
    except InvalidSignature:
        raise BadInput(
            f"{where}: the signature is not by the key that it names, or not of this text"
        ) from None


# ── A bundle checked as docs/proofs.md asks: its bytes, its files, the proofs of what it shows, its sums ───

_T = TypeVar("_T")
_EPOCH: Final = date(1970, 1, 1)
_DAY: Final = 24 * 3600 * 1_000_000  # microseconds


class BundledCheckpoint(Struct, frozen=True):
    """A checkpoint as a bundle has it: its body, and the hash of that."""

    body: Body
    body_hash: str


class VerifiedBundle(Struct, frozen=True):
    """A bundle that was found complete: its manifest, checkpoints by number, and the events that it shows.

    `closed_by` has for each part the checkpoint that closed it, `events` its events by leaf. `same_verifier`
    is whether the verifier in it is ours. `attachments` are what was attached to the dispute of the hand.
    """

    manifest: Manifest
    checkpoints: Mapping[int, BundledCheckpoint]
    closed_by: tuple[int, ...]
    events: tuple[Mapping[int, Event], ...]
    settlement: Settlement
    same_verifier: bool
    attachments: tuple[Attachment, ...]

    def closers(self) -> frozenset[str]:
        """Return the public keys that signed a checkpoint in it."""
        return frozenset(each.body.key for each in self.checkpoints.values())


def opened(content: bytes) -> VerifiedBundle:
    """Read a bundle, and check all its own statements.

    Raises:
        BadInput: it is not what was signed, or is inconsistent; the message names the place.
    """
    files = bundle.unpacked(content)
    manifest = _read(files, bundle.MANIFEST, Manifest)
    canonical_json.whole_second(manifest.at, bundle.MANIFEST)
    _signed(files, manifest)
    bundle.held_to(manifest, files)
    _all_json(files)
    attachments = _attachments(files)
    checkpoints = _checkpoints(files, manifest)
    proof_parts = _read(files, bundle.PROOF, list[PartShown])
    events = tuple(_parts(proof_parts, checkpoints, manifest))
    if idle := sorted(checkpoints.keys() - {each.checkpoint for each in proof_parts}):
        raise BadInput(f"checkpoint {idle[0]}: nothing is shown of what it closed")
    settlement = _read(files, bundle.SETTLEMENT, Settlement)
    _check_dates(manifest, events)
    try:
        bundle_sums.added_up(settlement, events, manifest.round)
    except ValueError as error:
        raise BadInput(f"{bundle.SETTLEMENT}: {error}") from None
    closed_by = tuple(each.checkpoint for each in proof_parts)
    same = files[bundle.VERIFIER] == (resources.files(__package__) / "verifier.py").read_bytes()
    return VerifiedBundle(manifest, checkpoints, closed_by, events, settlement, same, attachments)


def _read(files: Mapping[str, bytes], path: str, kind: type[_T]) -> _T:
    return canonical_json.written(files[path], path, kind)


def _all_json(files: Mapping[str, bytes]) -> None:
    for path in (bundle.VERDICT, bundle.EXPLANATION, bundle.RULEBOOK, bundle.FOOTAGE, bundle.WITHHELD):
        canonical_json.parse_canonical(files[path], path)
    for line in files[bundle.CUSTODY].splitlines():
        if not isinstance(canonical_json.parse_canonical(line, bundle.CUSTODY), dict):
            raise BadInput(f"{bundle.CUSTODY}: a line of it is no object")


def _attachments(files: Mapping[str, bytes]) -> tuple[Attachment, ...]:
    """Return what was attached, each file of which is what the list says."""
    attached = {path: text for path, text in sorted(files.items()) if path.startswith(ATTACHED)}
    if bundle.ATTACHMENTS not in files:
        if attached:
            raise BadInput(f"{bundle.ATTACHMENTS}: is missing, and a file is attached")
        return ()
    listed_as = _read(files, bundle.ATTACHMENTS, list[Attachment])
    for path, text in attached.items():
        if path != ATTACHED + hashlib.sha256(text).hexdigest():
            raise BadInput(f"{path}: is not the file that was attached")
    found = [(path, len(text)) for path, text in attached.items()]
    if not listed_as or [(ATTACHED + each.sha256, each.size) for each in listed_as] != found:
        raise BadInput(f"{bundle.ATTACHMENTS}: names other files than are attached, or another size")
    return tuple(listed_as)


def _check_dates(manifest: Manifest, events: Sequence[Mapping[int, Event]]) -> None:
    """Verify that some event that names the round was on its day or on one adjacent to it, in UTC."""
    day = (manifest.day - _EPOCH).days
    of_round = [each for part in events for each in part.values() if each.round == manifest.round]
    if not any(abs(each.at // _DAY - day) <= 1 for each in of_round):
        raise BadInput(
            f"no event that names round {manifest.round} is of {manifest.day}, or of a day beside it"
        )


def _signed(files: Mapping[str, bytes], manifest: Manifest) -> None:
    text = files[bundle.SIGNATURE]
    if not text.endswith(b"\n"):
        raise BadInput(f"{bundle.SIGNATURE}: does not end with a line feed")
    signature = canonical_json.written(text[:-1], bundle.SIGNATURE, CheckpointSignature)
    bundle.signed_by(files[bundle.MANIFEST], manifest.key, signature.signature, bundle.MANIFEST)


def _checkpoints(files: Mapping[str, bytes], manifest: Manifest) -> dict[int, BundledCheckpoint]:
    found: dict[int, BundledCheckpoint] = {}
    for each in _read(files, bundle.CHECKPOINTS, list[SignedText]):
        text = each.body.encode()
        body = canonical_json.written(text, bundle.CHECKPOINTS, Body)
        where = f"checkpoint {body.number}"
        canonical_json.whole_second(body.closed, where)
        signature = canonical_json.written(each.signature.encode(), where, CheckpointSignature)
        bundle.signed_by(text, body.key, signature.signature, where)
        if body.closed > manifest.at:
            raise BadInput(f"{where}: was closed after the bundle was made, by what they say themselves")
        if (body.archive, body.house) != (manifest.archive, manifest.house):
            raise BadInput(f"{where}: is of another archive or house than the bundle")
        if body.number != (body.before.number if body.before is not None else 0) + 1:
            raise BadInput(f"{where}: skips the one before it")
        if body.key == manifest.key:
            raise BadInput(f"{where}: is signed by who released the bundle, who is not to close days")
        if found and body.number <= max(found):
            raise BadInput(f"{where}: does not stand by its number")
        if (before := found.get(body.number - 1)) is not None and (
            body.before is None or body.before.body != before.body_hash
        ):
            raise BadInput(f"{where}: does not follow the one before it that is here")
        found[body.number] = BundledCheckpoint(body, hashlib.sha256(text).hexdigest())
    return found


def _parts(
    proof_parts: Sequence[PartShown], checkpoints: Mapping[int, BundledCheckpoint], manifest: Manifest
) -> Iterator[dict[int, Event]]:
    paths: set[str] = set()
    for each in proof_parts:
        checkpoint = checkpoints.get(each.checkpoint)
        if checkpoint is None:
            raise BadInput(f"{bundle.PROOF}: checkpoint {each.checkpoint} is not in the bundle")
        path, events = bundle_proof.checked(each, checkpoint.body, manifest.table, manifest.round)
        if path in paths:
            raise BadInput(f"{bundle.PROOF}: shows {path} twice")
        paths.add(path)
        yield events
