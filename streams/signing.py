"""What signs the actions that a console sends, and which keys are believed where they come back."""

from collections.abc import Collection
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from projections.evidence.checkpoint import public, signed
from schemas.senders import Refusal
from schemas.surveillance import OperatorActed, signed_content
from streams.archive import keys


class Signing:
    """The key with which this console signs, and the public keys (hexadecimal) of others that it trusts.

    A key that was used before is trusted on by its public part, so that keys can be changed.
    """

    def __init__(self, key: Ed25519PrivateKey, others: Collection[str] = ()) -> None:
        self._key = key
        self._trusted = frozenset({public(key), *others})

    def sign(self, action: OperatorActed) -> OperatorActed:
        """Give an action with its signature."""
        return replace(action, signature=self._key.sign(signed_content(action)).hex())

    def refusal(self, action: OperatorActed) -> Refusal | None:
        """Say why an action is not believed; None where a trusted key signed it."""
        return refusal(action, self._trusted)


def refusal(action: OperatorActed, trusted: Collection[str]) -> Refusal | None:
    """Say why an action is not believed by who trusts these public keys; None where one of them signed it."""
    if action.signature is None:
        return "unsigned"
    content = signed_content(action)
    return None if any(_is_by(key, content, action.signature) for key in trusted) else "wrongly_signed"


def beside(store: Path) -> Path:
    """Name the file of the key with which a store's actions are signed, where none is named."""
    return store.with_name(f"{store.name}.actions.key")


def load(store: Path, file: Path | None = None, others: Collection[str] = ()) -> Signing:
    """Read the key that is named, or that beside a store, which is made where there is none.

    `others` are public keys, or files of keys, that are trusted too.

    Raises:
        BadInput: a file cannot be read or made, or holds no key.
    """
    own = file or beside(store)
    key = keys.make(own) if file is None and not own.exists() else keys.load(own)
    return Signing(key, [keys.named(each) for each in others])


def _is_by(key: str, content: bytes, signature: str) -> bool:
    try:
        signed(content, key, signature)
    except InvalidSignature:
        return False
    return True
