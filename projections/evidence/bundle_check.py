"""A bundle checked as docs/proofs.md asks: its bytes, its files, the proofs of what it shows, its sums."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from importlib import resources
from typing import Final, TypeVar

from msgspec import Struct

from projections.evidence import bundle, bundle_proof, bundle_sums, canonical_json
from projections.evidence.bundle import Manifest, SignedText
from projections.evidence.bundle_proof import Event, PartShown
from projections.evidence.bundle_sums import Settlement
from projections.evidence.checkpoint import Body, Signature
from schemas.errors import BadInput

_T = TypeVar("_T")
_EPOCH: Final = date(1970, 1, 1)
_DAY: Final = 24 * 3600 * 1_000_000  # microseconds


class BundledCheckpoint(Struct, frozen=True):
    """A checkpoint as a bundle has it: its body, and the hash of that."""

    body: Body
    body_hash: str


class Opened(Struct, frozen=True):
    """A bundle that was found whole: its manifest, checkpoints by number, and the events that it shows.

    `closed_by` gives for each part the checkpoint that closed it, `events` its events by leaf. Whether the
    verifier in it is ours tells `same_verifier`.
    """

    manifest: Manifest
    checkpoints: Mapping[int, BundledCheckpoint]
    closed_by: tuple[int, ...]
    events: tuple[Mapping[int, Event], ...]
    settlement: Settlement
    same_verifier: bool

    def closers(self) -> frozenset[str]:
        """Return the public keys that signed a checkpoint in it."""
        return frozenset(each.body.key for each in self.checkpoints.values())


def opened(content: bytes) -> Opened:
    """Read a bundle, and check all that it says of itself.

    Raises:
        BadInput: it is not what was signed, or does not hold together; the message says where.
    """
    files = bundle.unpacked(content)
    manifest = _read(files, bundle.MANIFEST, Manifest)
    canonical_json.whole_second(manifest.at, bundle.MANIFEST)
    _signed(files, manifest)
    bundle.held_to(manifest, files)
    _all_json(files)
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
    return Opened(manifest, checkpoints, closed_by, events, settlement, same)


def _read(files: Mapping[str, bytes], path: str, kind: type[_T]) -> _T:
    return canonical_json.written(files[path], path, kind)


def _all_json(files: Mapping[str, bytes]) -> None:
    for path in (bundle.VERDICT, bundle.EXPLANATION, bundle.RULEBOOK, bundle.FOOTAGE, bundle.WITHHELD):
        canonical_json.parse_canonical(files[path], path)
    for line in files[bundle.CUSTODY].splitlines():
        if not isinstance(canonical_json.parse_canonical(line, bundle.CUSTODY), dict):
            raise BadInput(f"{bundle.CUSTODY}: a line of it is no object")


def _check_dates(manifest: Manifest, events: Sequence[Mapping[int, Event]]) -> None:
    """Make sure that some event that names the round was told on its day or on one beside it, in UTC."""
    day = (manifest.day - _EPOCH).days
    told = [each for part in events for each in part.values() if each.round == manifest.round]
    if not any(abs(each.at // _DAY - day) <= 1 for each in told):
        raise BadInput(
            f"no event that names round {manifest.round} is of {manifest.day}, or of a day beside it"
        )


def _signed(files: Mapping[str, bytes], manifest: Manifest) -> None:
    text = files[bundle.SIGNATURE]
    if not text.endswith(b"\n"):
        raise BadInput(f"{bundle.SIGNATURE}: does not end with a line feed")
    signature = canonical_json.written(text[:-1], bundle.SIGNATURE, Signature)
    bundle.signed_by(files[bundle.MANIFEST], manifest.key, signature.signature, bundle.MANIFEST)


def _checkpoints(files: Mapping[str, bytes], manifest: Manifest) -> dict[int, BundledCheckpoint]:
    found: dict[int, BundledCheckpoint] = {}
    for each in _read(files, bundle.CHECKPOINTS, list[SignedText]):
        text = each.body.encode()
        body = canonical_json.written(text, bundle.CHECKPOINTS, Body)
        where = f"checkpoint {body.number}"
        canonical_json.whole_second(body.closed, where)
        signature = canonical_json.written(each.signature.encode(), where, Signature)
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
