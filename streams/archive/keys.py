"""Keys that sign: Ed25519, each in a file of its own that only its owner may read (PEM, PKCS #8)."""

import re
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from projections.evidence.checkpoint import public
from projections.evidence.key_file import read_key, write_key
from schemas.errors import BadInput

_PUBLIC: Final = re.compile(r"[0-9a-f]{64}")


def make(file: Path) -> Ed25519PrivateKey:
    """Make a key and write it to a file that is not there yet.

    Raises:
        BadInput: the file is there, or cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    write_key(file, key)
    return key


def load(file: Path) -> Ed25519PrivateKey:
    """Read a key.

    Raises:
        BadInput: the file is not there, is another user's, or holds no Ed25519 key.
    """
    key = read_key(file)
    if not isinstance(key, Ed25519PrivateKey):
        raise BadInput(f"{file}: holds no Ed25519 key; discardrack key {file} makes one where there is none")
    return key


def public_key(text: str) -> str:
    """Return the public key that is written out, or that of a key's file.

    Raises:
        BadInput: it is neither.
    """
    if _PUBLIC.fullmatch(text):
        return text
    if not Path(text).is_file():
        raise BadInput(f"{text!r}: neither a public key of 64 hexadecimal digits nor a key's file")
    return public(load(Path(text)))
