"""The push services of browsers: which addresses a subscription may have, as the console will send there."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from schemas.errors import BadInput
from schemas.escalation import is_web_address

_LONGEST: Final = 2_000  # characters of an address


def check_endpoint(endpoint: str, services: Iterable[str]) -> None:
    """Raise BadInput if an address is none of the push services: anybody could else have us send anywhere.

    >>> check_endpoint("https://fcm.googleapis.com/fcm/send/abc", ["fcm.googleapis.com"])
    >>> check_endpoint("https://web.push.apple.com/abc", ["push.apple.com"])

    Raises:
        BadInput: it is none of them, or is not https.
    """
    if len(endpoint) > _LONGEST or not endpoint.isascii() or not is_web_address(endpoint):
        raise BadInput("the browser's push service has no https address")
    parts = urlsplit(endpoint)
    host = (parts.hostname or "").rstrip(".")
    if "@" in parts.netloc or not any(host == each or host.endswith(f".{each}") for each in services):
        raise BadInput(f"{host} is not among the push services of the escalation file (services)")
