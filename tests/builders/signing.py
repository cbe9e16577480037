"""A key for tests of what a console sends."""

from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from streams.signing import Signing

SIGNING_KEY: Final = Ed25519PrivateKey.from_private_bytes(b"c" * 32)
SIGNING: Final = Signing(SIGNING_KEY)
