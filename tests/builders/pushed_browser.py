"""A browser to which the console pushes, as far as its push service and the console know it."""

import base64
import json
import os

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from projections.notify.outbox import Subscription


class PushedBrowser:
    """A browser with keys of its own, which reads what is pushed to it (RFC 8291)."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    def keys(self) -> tuple[str, str]:
        """Return the keys that it sends the console: its point of the curve, and its secret."""
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        first, second = (base64.urlsafe_b64encode(each).rstrip(b"=").decode() for each in (point, self.auth))
        return first, second

    def subscription(self, endpoint: str) -> Subscription:
        """Return what the console has of it."""
        return Subscription("one", "ann", "phone", endpoint, *self.keys(), 0)

    def read(self, body: bytes) -> dict[str, object]:
        """Decrypt a message."""
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        read: dict[str, object] = json.loads(text)
        return read
