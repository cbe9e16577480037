"""Signing of the actions that a console sends, and the keys that are trusted if they come back."""

from collections.abc import Collection, Iterator
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from projections.evidence.checkpoint import public, signed
from schemas.codec import decode
from schemas.errors import BadInput
from schemas.senders import WHY, Refusal
from schemas.surveillance import STREAM, OperatorActed, signed_content
from streams.archive import keys
from streams.archive.archive_reader import records
from streams.archive.checked_files import Trouble


class Signing:
    """The key with which this console signs, and the public keys (hexadecimal) of others that it trusts.

    A key that was used before is trusted on by its public part, so that keys can be changed.
    """

    def __init__(self, key: Ed25519PrivateKey, others: Collection[str] = ()) -> None:
        self._key = key
        self._trusted = frozenset({public(key), *others})

    def sign(self, action: OperatorActed) -> OperatorActed:
        """Return an action with its signature."""
        return replace(action, signature=self._key.sign(signed_content(action)).hex())

    def refusal(self, action: OperatorActed) -> Refusal | None:
        """Return why an action is not believed; None if a trusted key signed it."""
        return refusal(action, self._trusted)


def refusal(action: OperatorActed, trusted: Collection[str]) -> Refusal | None:
    """Return why an action is not believed by who trusts these public keys.

    None if one of them signed it.
    """
    if action.signature is None:
        return "unsigned"
    content = signed_content(action)
    return None if any(_is_by(key, content, action.signature) for key in trusted) else "wrongly_signed"


def signing_key_path(store: Path) -> Path:
    """Return the file of the key with which a store's actions are signed, where none is named."""
    return store.with_name(f"{store.name}.actions.key")


def load(store: Path, file: Path | None = None, others: Collection[str] = ()) -> Signing:
    """Read the named key, or the one beside a store, which is created if there is none.

    `others` are public keys, or files of keys, that are trusted too.

    Raises:
        BadInput: a file cannot be read or made, or holds no key.
    """
    own = file or signing_key_path(store)
    key = keys.make(own) if file is None and not own.exists() else keys.load(own)
    return Signing(key, [keys.public_key(each) for each in others])


def unsigned_actions(archive: Path, trusted: Collection[str]) -> Iterator[Trouble]:
    """Yield each action in an archive that none of these public keys signed, in the order of the archive.

    Raises:
        BadInput: a file of the archive is damaged.
    """
    for each in records(archive, STREAM):
        record = each.record
        where = f"{STREAM}, partition {record.partition}, offset {record.offset}"
        try:
            frame, _ = decode(record.payload or b"", where)
        except BadInput:
            continue  # the quarantine has it; it is no action
        for event in frame.events:
            if isinstance(event, OperatorActed) and (code := refusal(event, trusted)) is not None:
                yield Trouble(where, f"action {event.seq} of {event.who}: {WHY[code]}")


def _is_by(key: str, content: bytes, signature: str) -> bool:
    try:
        signed(content, key, signature)
    except InvalidSignature:
        return False
    return True
