"""The key by which push services know the console (RFC 8292): ECDSA on P-256, in a file of its own."""

import base64
import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from schemas.errors import BadInput


def make(file: Path) -> ec.EllipticCurvePrivateKey:
    """Make a key and write it to a file that is not there yet, which only its owner may read.

    Raises:
        BadInput: the file is there, or cannot be written.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(text)
    except FileExistsError:
        raise BadInput(f"{file}: is there already; a key is never overwritten") from None
    except OSError as error:
        raise BadInput(f"{file}: cannot be written: {error.strerror or error}") from None
    return key


def load(file: Path) -> ec.EllipticCurvePrivateKey:
    """Read a key.

    Raises:
        BadInput: the file is not there, or holds no key of this kind.
    """
    try:
        key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise BadInput(f"{file}: holds no key for Web Push; discardrack notify key {file} makes one")
    return key


def public(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public part as browsers have it: the point, uncompressed, in base64url."""
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()
