"""Mail, SMS, pagers, Slack, Teams and what else Apprise reaches by its URLs.

Its library is an extra of this one, `discardrack[notify]`, and is loaded only where it is used.
"""

import logging
from collections.abc import Sequence
from typing import Final

import apprise

from projections.notify.channel import Answer
from projections.notify.notice import Notice, link_to
from projections.notify.outbox import Subscription
from schemas.errors import BadInput
from schemas.values import Micros

_KIND: Final = {"critical": apprise.NotifyType.FAILURE, "high": apprise.NotifyType.WARNING}

# It logs addresses, which hold secrets; what failed is in the log of deliveries.
logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)


class AppriseService:
    """Services that the URLs of a target lead to; a message is delivered where each of them took it."""

    def __init__(self, services: apprise.Apprise, console: str) -> None:
        self._services, self._console = services, console

    def send(self, name: str, notice: Notice, at: Micros, subscription: Subscription | None) -> Answer:  # noqa: ARG002  a channel's signature
        """Send a message by Apprise, which returns whether it was accepted, and for a failure not why."""
        body = "\n".join(notice.lines(link_to(self._console, notice)))
        kind = _KIND.get(notice.severity or "", apprise.NotifyType.INFO)
        if self._services.notify(body=body, title=notice.title, notify_type=kind):
            return Answer("delivered", "taken by the service")
        return Answer("retry", "not taken by the service, or no answer from it")


def service_of(urls: Sequence[str], console: str, timeout: int, where: str) -> AppriseService:
    """Make a service of Apprise's URLs.

    Raises:
        BadInput: one of them is none; the message does not show it, as it may hold a secret.
    """
    asset = apprise.AppriseAsset(async_mode=False, secure_logging=True)
    services = apprise.Apprise(asset=asset)
    for number, url in enumerate(urls, start=1):
        service = apprise.Apprise.instantiate(url, asset=asset, suppress_exceptions=True)
        if service is None:
            scheme = url.partition("://")[0]
            form = f"{scheme}://" if "://" in url and scheme.isalnum() else "it"
            raise BadInput(f"{where}: URL {number} is none of Apprise's ({form} …)")
        service.socket_connect_timeout = service.socket_read_timeout = float(timeout)
        services.add(service)
    return AppriseService(services, console)
