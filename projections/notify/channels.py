"""The channels of an escalation file: one for each target, with the secrets that it needs."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from projections.notify import vapid_key
from projections.notify.channel import Channel, secret_of
from projections.notify.syslog import Syslog, SyslogAddress
from projections.notify.webhook import Webhook, key_of
from schemas import escalation as escalations
from schemas.errors import BadInput
from schemas.escalation import (
    AnyTarget,
    AppriseTarget,
    Escalation,
    PushTarget,
    SyslogTarget,
    WebhookTarget,
    is_web_address,
)

_MISSING: Final = "needs what discardrack[notify] installs"


class Notifications(Struct, frozen=True):
    """An escalation file that is in use, with the channel of each target.

    `push_key` is the public key by which browsers are subscribed, where a target pushes to them.
    """

    escalation: Escalation
    channels: Mapping[str, Channel]
    push_key: str | None = None


def load(file: Path, checks: Collection[str]) -> Notifications:
    """Read an escalation file and the secrets that it names; `checks` are all there are.

    Raises:
        BadInput: something in it is at fault, a secret is not there, or what a target needs is not installed.
    """
    escalation = escalations.load(file, checks)
    made = {
        name: channel_of(target, f"{file}: targets.{name}", file.parent, escalation.console)
        for name, target in escalation.targets.items()
    }
    keys = [each.key_file for each in escalation.targets.values() if isinstance(each, PushTarget)]
    public = [vapid_key.public(vapid_key.load(file.parent / each)) for each in keys]
    return Notifications(escalation, made, *public)


def channel_of(target: AnyTarget, where: str, folder: Path, console: str) -> Channel:
    """Make the channel of a target; its secrets are relative to the escalation file's `folder`.

    Raises:
        BadInput: a secret is missing or useless, or what the target needs is not installed.
    """
    match target:
        case WebhookTarget():
            url = target.url or secret_of(folder, where, target.url_file, target.url_env)
            if not is_web_address(url):
                raise BadInput(f"{where}: its address begins with https://, or with http:// on this machine")
            secrets = secret_of(folder, where, target.secret_file, target.secret_env).split()
            keys = [key_of(each, where) for each in secrets]
            return Webhook(url, keys, console, target.timeout_seconds)
        case SyslogTarget():
            ca_file = str(folder / target.ca_file) if target.ca_file is not None else None
            address = SyslogAddress(target.host, target.port, target.transport, target.facility, ca_file)
            return Syslog(address, console, target.timeout_seconds)
        case AppriseTarget():
            urls = secret_of(folder, where, target.url_file, target.url_env).split()
            try:
                from projections.notify.apprise_service import service_of  # noqa: PLC0415  its library is an extra
            except ImportError as error:
                raise BadInput(f"{where}: {_MISSING}: {error}") from None
            return service_of(urls, console, target.timeout_seconds, where)
        case PushTarget():
            try:
                from projections.notify.web_push import push_of  # noqa: PLC0415  its library is an extra
            except ImportError as error:
                raise BadInput(f"{where}: {_MISSING}: {error}") from None
            return push_of(target, folder, where, urlsplit(console).path.rstrip("/"))
