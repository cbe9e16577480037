"""Syslog: a message as RFC 5424 has it, by UDP (RFC 5426), TCP (RFC 6587, 3.4.1) or TLS (RFC 5425).

Syslog has no answer: a message is delivered where it could be written.
"""

import socket
import ssl
from typing import Final

from msgspec import Struct

from projections.notify.channel import Answer
from projections.notify.notice import Notice, link_to
from projections.notify.outbox import Subscription
from projections.notify.webhook import failure
from schemas.values import Micros, moment

# RFC 5424, table 2: critical, warning, notice, informational.
_SEVERITY: Final = {"critical": 2, "high": 4, "medium": 5}
_INFORMATIONAL: Final = 6
# The number of enterprises that documents use (RFC 5612).
_STRUCTURE: Final = "discardrack@32473"
_ENDS: Final = str.maketrans({'"': '\\"', "\\": "\\\\", "]": "\\]"})
_BOM: Final = b"\xef\xbb\xbf"


class SyslogAddress(Struct, frozen=True):
    """Where a receiver listens and how; `ca_file` is who signs its certificate, if not one that all trust."""

    host: str
    port: int
    transport: str
    facility: int
    ca_file: str | None = None


def message(name: str, notice: Notice, at: Micros, facility: int, host: str, console: str) -> bytes:
    """Return a notice as a syslog message.

    >>> test = Notice(sort="test", at=0, came=0)
    >>> message("msg_1", test, 1_740_882_000_000_000, 16, "floor-1", "https://console.example")[:66]
    b'<134>1 2025-03-02T02:20:00.000000Z floor-1 discardrack - test [dis'
    """
    priority = facility * 8 + _SEVERITY.get(notice.severity or "", _INFORMATIONAL)
    time = moment(at).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    fields = {
        "id": name,
        "table": notice.table,
        "check": ",".join(notice.checks) or None,
        "severity": notice.severity,
        "alert": notice.alert,
        "overdue": notice.overdue_minutes,
        "round": notice.round,
        "seats": ",".join(map(str, notice.seats)) or None,
        "dealer": notice.dealer,
        "link": link_to(console, notice),
    }
    structure = "".join(
        f' {field}="{str(value).translate(_ENDS)}"' for field, value in fields.items() if value is not None
    )
    head = f"<{priority}>1 {time} {_host(host)} discardrack - {notice.sort} [{_STRUCTURE}{structure}] "
    text = " ".join([f"{notice.title}.", *notice.lines(None)])
    return head.encode() + _BOM + "".join(each if each.isprintable() else " " for each in text).encode()


def _host(name: str) -> str:
    """Return a host's name as the head may have it: visible ASCII, 255 at most; a dash for none."""
    return "".join(each for each in name if "!" <= each <= "~")[:255] or "-"


class Syslog:
    """A syslog receiver."""

    def __init__(self, address: SyslogAddress, console: str, timeout: int) -> None:
        self._address, self._console, self._timeout = address, console, timeout

    def send(self, name: str, notice: Notice, at: Micros, subscription: Subscription | None) -> Answer:  # noqa: ARG002  a channel's signature
        """Write a message to the receiver."""
        address = self._address
        content = message(name, notice, at, address.facility, socket.gethostname(), self._console)
        try:
            if address.transport == "udp":
                self._send_datagram(content)
            else:
                with self._connect() as connection:
                    # Its length before it, so that a line break within would not end it.
                    connection.sendall(b"%d %b" % (len(content), content))
        except (OSError, ValueError) as error:
            return Answer("retry", failure(error, self._timeout))
        return Answer("delivered", f"written by {address.transport}; syslog does not answer")

    def _send_datagram(self, content: bytes) -> None:
        address = self._address
        family, kind, _, _, to = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as sender:
            sender.sendto(content, to)

    def _connect(self) -> socket.socket:
        address = self._address
        plain = socket.create_connection((address.host, address.port), self._timeout)
        if address.transport == "tcp":
            return plain
        try:
            trusted = ssl.create_default_context(cafile=address.ca_file)
            return trusted.wrap_socket(plain, server_hostname=address.host)
        except BaseException:
            plain.close()
            raise
