"""Webhooks: a CloudEvent in JSON by POST, signed by Standard Webhooks 1.0.0.

`webhook-signature` is HMAC-SHA256 of id, time of the attempt and body, so that nobody can make one up, change
one, or send an old one again. Redirects are not followed: a message goes to the file's address.
"""

import base64
import binascii
import hmac
import http.client
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import urlsplit

import msgspec

from projections.catalogue import check_name
from projections.notify.channel import SECOND, Answer
from projections.notify.notice import Notice, link_to
from projections.notify.outbox import Subscription
from schemas.errors import BadInput
from schemas.values import Micros, microseconds, moment

PREFIX: Final = "whsec_"
_SHORTEST, _LONGEST = 24, 64  # bytes of a secret, by the specification
_ANSWER_BYTES: Final = 65_536  # of a body that is read, so that the receiver is not cut off while it answers
_KIND: Final = {
    "untaken": "discardrack.incident.untaken",
    "finding": "discardrack.finding",
    "test": "discardrack.test",
}


def key_of(secret: str, where: str) -> bytes:
    r"""Read a secret: base64, which may begin with whsec_.

    >>> key_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "hook")[:3]
    b'1\xf2\x90'

    Raises:
        BadInput: it is no base64, or is too short or too long.
    """
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not _SHORTEST <= len(key) <= _LONGEST:
        raise BadInput(
            f"{where}: a secret is base64 of {_SHORTEST} to {_LONGEST} random bytes, after {PREFIX}; "
            "`openssl rand -base64 32` makes one"
        )
    return key


def signature(keys: Sequence[bytes], name: str, seconds: int, body: bytes) -> str:
    """Return the signatures of a message by each key, the newest first.

    >>> signature([key_of("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "")], "msg_p5jXN8AQM9LWM0D4loKWxJek",
    ...     1614265330, b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    content = f"{name}.{seconds}.".encode() + body
    signed = (base64.b64encode(hmac.digest(key, content, "sha256")).decode() for key in keys)
    return " ".join(f"v1,{each}" for each in signed)


def cloud_event(name: str, notice: Notice, console: str) -> bytes:
    """Return a notice as a CloudEvent 1.0 in JSON."""
    data = msgspec.to_builtins(notice)
    for field in ("sort", "at", "came", "zone"):
        data.pop(field, None)
    data |= {"title": notice.title, "came": _rfc3339(notice.came)}
    if notice.checks:
        data["check_names"] = [check_name(each) for each in notice.checks]
    event: dict[str, Any] = {
        "specversion": "1.0",
        "id": name,
        "source": console,
        "type": _KIND[notice.sort],
        "time": _rfc3339(notice.at),
        "datacontenttype": "application/json",
        "data": data | {"link": link_to(console, notice)},
    }
    if notice.alert is not None:
        event["subject"] = f"alert:{notice.alert}"
    return msgspec.json.encode(event)


def _rfc3339(at: Micros) -> str:
    return moment(at).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Webhook:
    """A webhook. `keys` sign, the newest first; with an old one present a secret can be changed gradually.

    `console` is the console's address, from which the events come.
    """

    def __init__(self, url: str, keys: Sequence[bytes], console: str, timeout: int) -> None:
        self._url, self._keys = urlsplit(url), keys
        self._console, self._timeout = console, timeout

    def send(self, name: str, notice: Notice, at: Micros, subscription: Subscription | None) -> Answer:  # noqa: ARG002  a channel's signature
        """Send a message by POST."""
        body = cloud_event(name, notice, self._console)
        seconds = at // SECOND
        headers = {
            "Content-Type": "application/cloudevents+json; charset=utf-8",
            "User-Agent": "discardrack",
            "webhook-id": name,
            "webhook-timestamp": str(seconds),
            "webhook-signature": signature(self._keys, name, seconds, body),
        }
        return post(self._url.geturl(), body, headers, self._timeout, at)


def post(url: str, body: bytes, headers: Mapping[str, str], timeout: int, at: Micros) -> Answer:
    """Send a body to an address, and return what came back by `timeout` seconds, whatever it was."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        connection = kind(str(parts.hostname), parts.port, timeout=timeout)
        with _Deadline(connection, timeout) as deadline:
            try:
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request("POST", path, body, dict(headers))
                answer = connection.getresponse()
                if deadline.over:  # its head ended where we ended it
                    return Answer("retry", _FAULTS[TimeoutError].format(timeout=timeout))
                result = answer_of(answer.status, answer.headers.get("Retry-After"), at)
                with suppress(OSError, http.client.HTTPException):
                    answer.read(_ANSWER_BYTES)
            except (OSError, http.client.HTTPException, ValueError) as error:
                return Answer("retry", failure(error, timeout, late=deadline.over))
    except (OSError, ValueError) as error:
        return Answer("retry", failure(error, timeout))
    return result


class _Deadline:
    """Ends a connection that takes longer in all than one wait may: a receiver may send a byte a second."""

    def __init__(self, connection: http.client.HTTPConnection, seconds: float) -> None:
        self._connection, self.over = connection, False
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def _end(self) -> None:
        self.over = True
        sock = self._connection.sock
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._connection.close()


_FAULTS: Final[dict[type[BaseException], str]] = {
    TimeoutError: "no answer within {timeout} s",
    ConnectionRefusedError: "connection refused",
    socket.gaierror: "its host name is not known",
    ssl.SSLError: "no TLS connection",
    http.client.HTTPException: "its answer is no HTTP",
}


def answer_of(status: int, retry_after: str | None, at: Micros) -> Answer:
    """Return what an HTTP status means for a message: any 2xx that it is delivered, 410 that none is wanted.

    >>> [answer_of(each, None, 0).result for each in (200, 204, 301, 404, 410, 500)]
    ['delivered', 'delivered', 'retry', 'retry', 'gone', 'retry']
    >>> answer_of(429, "120", 0).wait
    120000000
    """
    detail = f"HTTP {status}"
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Answer("delivered", detail)
    if status == HTTPStatus.GONE:
        return Answer("gone", detail)
    return Answer("retry", detail, _wait(retry_after, at))


def _wait(retry_after: str | None, at: Micros) -> Micros | None:
    """Read a Retry-After: seconds, or a date (RFC 9110, 10.2.3); None if it is neither."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return min(int(text[:9]), 10**8) * SECOND
    try:
        return max(0, microseconds(parsedate_to_datetime(text).astimezone(UTC)) - at)
    except (ValueError, OverflowError):
        return None


def failure(error: BaseException, timeout: int, *, late: bool = False) -> str:
    """Return why there was no answer, without an address and without anything that the receiver sent."""
    match error:
        case _ if late:
            return f"no answer within {timeout} s"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not accepted: {error.verify_message}"
        case OSError(errno=int(), strerror=str()) if not isinstance(error, tuple(_FAULTS)):
            return f"no connection: {error.strerror}"
        case _:
            found = (text for kind, text in _FAULTS.items() if isinstance(error, kind))
            return next(found, "no connection").format(timeout=timeout)
