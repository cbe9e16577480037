"""The key by which push services know the console (RFC 8292): ECDSA on P-256, in a file of its own."""

import base64
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from projections.evidence.key_file import read_key, write_key
from schemas.errors import BadInput


def make(file: Path) -> ec.EllipticCurvePrivateKey:
    """Make a key and write it to a file that is not there yet, which only its owner may read.

    Raises:
        BadInput: the file is there, or cannot be written.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    write_key(file, key)
    return key


def load(file: Path) -> ec.EllipticCurvePrivateKey:
    """Read a key.

    Raises:
        BadInput: the file is not there, or holds no key of this kind.
    """
    key = read_key(file)
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise BadInput(f"{file}: holds no key for Web Push; discardrack notify key {file} makes one")
    return key


def public(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public part as browsers have it: the point, uncompressed, in base64url."""
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
