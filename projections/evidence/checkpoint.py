"""Checkpoint of a gaming day: a signed body, and an entry for each file, whose tree the body names."""

import hashlib
import re
from collections.abc import Sequence
from datetime import date
from typing import Final, Literal, TypeAlias

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from projections.evidence import merkle_tree
from projections.evidence.canonical_json import Count, Hash, Moment, Random
from schemas.errors import BadInput

FORMAT: Final = "discardrack checkpoint 1"

EntryKind: TypeAlias = Literal["part", "house", "newest", "log", "snapshots"]


class CheckpointEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A file that a checkpoint names, its size in bytes and its hash; of a log those of what it began with.

    Only a part has a table, a topic, records, leaves and a root.
    """

    path: str
    kind: EntryKind
    size: Count
    sha256: Hash
    table: str | None = None
    topic: str | None = None
    records: Count | None = None
    leaves: Count | None = None
    root: Hash | None = None

    def line(self) -> bytes:
        """Write it as a checkpoint has it, which is the content of its leaf."""
        return _encode(self)


class PreviousCheckpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The checkpoint before one: its number, its day, and the hash of its body."""

    number: Count
    day: date
    body: Hash


class Lost(Struct, frozen=True, forbid_unknown_fields=True):
    """Offsets that Kafka no longer had when they were asked for, the first and the last."""

    cluster: str
    topic: str
    partition: Count
    first: Count
    last: Count


class Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of a checkpoint, which is signed; docs/proofs.md describes each field."""

    format: Literal["discardrack checkpoint 1"] = FORMAT
    house: str
    archive: Random
    number: Count
    day: date
    closed: Moment
    before: PreviousCheckpoint | None
    salt: Hash
    entries: Count
    root: Hash
    missing: tuple[Lost, ...]
    software: str
    key: Hash


class CheckpointSignature(Struct, frozen=True, forbid_unknown_fields=True):
    """The signature over a body's line, in hexadecimal."""

    signature: str


class Checkpoint(Struct, frozen=True):
    """A checkpoint as it was read and found whole; `body_hash` is what the next one and the line name."""

    body: Body
    body_hash: str
    entries: tuple[CheckpointEntry, ...]

    def kept_line(self) -> str:
        """Write the line to keep elsewhere."""
        return f"discardrack 1 {self.body.archive} {self.body.number} {self.body.day} {self.body_hash}"


# A public key is a point of a curve over this field, given by its second coordinate and the sign of the
# first. For a key whose point is of order 1, 2, 4 or 8 a signature can be made that fits any text: these
# coordinates.
_PRIME: Final = 2**255 - 19
_OF_ORDER_8: Final = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL: Final = frozenset({0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8})
_HEXADECIMAL: Final = re.compile("[0-9a-f]{192}")  # 32 bytes of a key and 64 of a signature
_encode: Final = msgspec.json.Encoder().encode
_body: Final = msgspec.json.Decoder(Body)
_signature: Final = msgspec.json.Decoder(CheckpointSignature)
_entry: Final = msgspec.json.Decoder(CheckpointEntry)


def public(key: Ed25519PrivateKey) -> str:
    """Return the public part of a key in hexadecimal."""
    return key.public_key().public_bytes_raw().hex()


def entries_root(entries: Sequence[CheckpointEntry]) -> str:
    """Compute the root of the tree over entries."""
    return _lines_root([each.line() for each in entries])


def _lines_root(lines: Sequence[bytes]) -> str:
    return merkle_tree.root([merkle_tree.leaf(line) for line in lines]).hex()


def write(body: Body, entries: Sequence[CheckpointEntry], key: Ed25519PrivateKey) -> bytes:
    """Sign a body, and write it with its entries as a checkpoint's file."""
    text = _encode(body)
    signature = _encode(CheckpointSignature(key.sign(text).hex()))
    return b"".join(line + b"\n" for line in (text, signature, *(each.line() for each in entries)))


def read(text: bytes, where: str) -> Checkpoint:
    """Read a checkpoint's file, and check all that it contains: form, signature, root, order.

    Raises:
        BadInput: it is not what its key signed, or no checkpoint.
    """
    lines = text.split(b"\n")
    try:
        body, signature = _body.decode(lines[0]), _signature.decode(lines[1])
        entries = tuple(_entry.decode(line) for line in lines[2:-1])
        signed(lines[0], body.key, signature.signature)
    except (msgspec.DecodeError, UnicodeDecodeError, IndexError) as error:
        raise BadInput(f"{where}: not a checkpoint: {error}") from None
    except InvalidSignature:
        raise BadInput(
            f"{where}: the signature is not by the key that it names, or not of this text"
        ) from None
    expected = [lines[0], _encode(signature), *(each.line() for each in entries), b""]
    if expected != lines or not merkle_tree.in_order([each.path for each in entries]):
        raise BadInput(f"{where}: its lines are not as they are written, one entry a line, by path")
    if any(".." in each.path.split("/") or each.path.startswith("/") for each in entries):
        raise BadInput(f"{where}: names a file outside of its archive")
    if len(entries) != body.entries or _lines_root(lines[2:-1]) != body.root:
        raise BadInput(f"{where}: its entries are not those that were signed")
    return Checkpoint(body, hashlib.sha256(lines[0]).hexdigest(), entries)


def signed_entry(text: bytes, path: str) -> CheckpointEntry | None:
    """Return the entry of a path that a checkpoint's file has; None if its key did not sign that.

    For the others only the hashes are computed: a checkpoint may have as many as a year has files.
    """
    lines = text.split(b"\n")
    begins = b'{"path":' + _encode(path) + b","
    try:
        body, signature = _body.decode(lines[0]), _signature.decode(lines[1])
        signed(lines[0], body.key, signature.signature)
        if lines[-1] or len(lines[2:-1]) != body.entries or _lines_root(lines[2:-1]) != body.root:
            return None
        return next((_entry.decode(line) for line in lines[2:-1] if line.startswith(begins)), None)
    except (msgspec.DecodeError, UnicodeDecodeError, IndexError, InvalidSignature):
        return None


def signed(text: bytes, key: str, signature: str) -> None:
    """Verify that a key (hexadecimal) signed a text.

    Raises:
        InvalidSignature: it did not, or one of the two is invalid, or not in lower-case digits; or the key is
            one by which anyone can sign.
    """
    if _HEXADECIMAL.fullmatch(key + signature) is None or _is_anyones(bytes.fromhex(key)):
        raise InvalidSignature
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text)
    except ValueError:
        raise InvalidSignature from None


def _is_anyones(key: bytes) -> bool:
    r"""Return True if a key is of a point of small order, or not written as its point is.

    >>> _is_anyones(bytes([1, *bytes(31)])), _is_anyones(b"\xff" * 32), _is_anyones(bytes([9, *bytes(31)]))
    (True, True, False)
    """
    second = int.from_bytes(key, "little") % 2**255
    return second >= _PRIME or second in _SMALL
