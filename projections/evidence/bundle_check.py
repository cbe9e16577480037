"""A bundle checked as docs/proofs.md asks: its bytes, its files, the proofs of what it shows, its sums."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from projections.evidence import bundle, bundle_proof, bundle_sums
from projections.evidence.bundle import Manifest, SignedText
from projections.evidence.bundle_proof import Event, PartShown
from projections.evidence.bundle_sums import Settlement
from projections.evidence.checkpoint import Body, Signature
from schemas.errors import BadInput

_T = TypeVar("_T")
_UNREAD: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Closing(Struct, frozen=True):
    """A checkpoint as a bundle has it: its body, and the hash of that."""

    body: Body
    body_hash: str


class Opened(Struct, frozen=True):
    """A bundle that was found whole: its manifest, checkpoints by number, and the events that it shows."""

    manifest: Manifest
    checkpoints: Mapping[int, Closing]
    events: tuple[Mapping[int, Event], ...]
    settlement: Settlement

    def signers(self) -> frozenset[str]:
        """Give the public keys that signed the bundle or a checkpoint in it."""
        return frozenset({self.manifest.key, *(each.body.key for each in self.checkpoints.values())})


def opened(content: bytes) -> Opened:
    """Read a bundle, and check all that it says of itself.

    Raises:
        BadInput: it is not what was signed, or does not hold together; the message says where.
    """
    files = bundle.unpacked(content)
    if missing := [each for each in (bundle.MANIFEST, bundle.SIGNATURE) if each not in files]:
        raise BadInput(f"{missing[0]}: is missing")
    manifest = _read(files, bundle.MANIFEST, Manifest)
    _signed(files, manifest)
    bundle.held_to(manifest, files)
    checkpoints = _checkpoints(files, manifest)
    events = tuple(_parts(_read(files, bundle.PROOF, list[PartShown]), checkpoints, manifest))
    settlement = _read(files, bundle.SETTLEMENT, Settlement)
    moved = {(part, leaf): each.moved for part, told in enumerate(events) for leaf, each in told.items()}
    try:
        bundle_sums.added_up(settlement, moved)
    except ValueError as error:
        raise BadInput(f"{bundle.SETTLEMENT}: {error}") from None
    return Opened(manifest, checkpoints, events, settlement)


def _read(files: Mapping[str, bytes], path: str, kind: type[_T]) -> _T:
    return _decoded(files[path], path, kind)


def _decoded(text: bytes, where: str, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(text, type=kind)
    except _UNREAD as error:
        raise BadInput(f"{where}: cannot be read: {error}") from None


def _signed(files: Mapping[str, bytes], manifest: Manifest) -> None:
    text = files[bundle.SIGNATURE]
    signature = _decoded(text, bundle.SIGNATURE, Signature)
    if text != msgspec.json.encode(signature) + b"\n":
        raise BadInput(f"{bundle.SIGNATURE}: is not written as a signature is")
    bundle.signed_by(files[bundle.MANIFEST], manifest.key, signature.signature, bundle.MANIFEST)


def _checkpoints(files: Mapping[str, bytes], manifest: Manifest) -> dict[int, Closing]:
    found: dict[int, Closing] = {}
    for each in _read(files, bundle.CHECKPOINTS, list[SignedText]):
        text = each.body.encode()
        body = _decoded(text, bundle.CHECKPOINTS, Body)
        where = f"checkpoint {body.number}"
        signature = _decoded(each.signature.encode(), where, Signature)
        bundle.signed_by(text, body.key, signature.signature, where)
        if (body.archive, body.house) != (manifest.archive, manifest.house):
            raise BadInput(f"{where}: is of another archive or house than the bundle")
        if body.number != (body.before.number if body.before is not None else 0) + 1:
            raise BadInput(f"{where}: skips the one before it")
        if found and body.number <= max(found):
            raise BadInput(f"{where}: does not stand by its number")
        if (before := found.get(body.number - 1)) is not None and (
            body.before is None or body.before.body != before.body_hash
        ):
            raise BadInput(f"{where}: does not follow the one before it that is here")
        found[body.number] = Closing(body, hashlib.sha256(text).hexdigest())
    return found


def _parts(
    shown: Sequence[PartShown], checkpoints: Mapping[int, Closing], manifest: Manifest
) -> Iterator[dict[int, Event]]:
    paths: set[str] = set()
    for each in shown:
        closing = checkpoints.get(each.checkpoint)
        if closing is None:
            raise BadInput(f"{bundle.PROOF}: checkpoint {each.checkpoint} is not in the bundle")
        path, events = bundle_proof.checked(each, closing.body, manifest.table, manifest.round)
        if path in paths:
            raise BadInput(f"{bundle.PROOF}: shows {path} twice")
        paths.add(path)
        yield events
