"""Web Push: to the browsers that people subscribed (RFC 8030, encrypted by RFC 8291, signed by RFC 8292).

Its library is an extra of this one, `discardrack[notify]`, and is loaded only where it is used.
"""

from pathlib import Path
from typing import Any, Final

import msgspec
import requests
from py_vapid import Vapid02, VapidException
from pywebpush import WebPushException, webpush

from projections.notify import vapid_key
from projections.notify.channel import Answer
from projections.notify.notice import Notice
from projections.notify.outbox import Subscription
from projections.notify.push_services import check_endpoint
from projections.notify.webhook import answer_of
from schemas.errors import BadInput
from schemas.escalation import PushTarget
from schemas.values import Micros

_LIFE: Final = 12 * 3600  # seconds for which a push service keeps a message for a phone that is off
_URGENT: Final = frozenset({"critical", "high"})


class _NoRedirects(requests.Session):
    """A session that goes where it is sent, and not where an answer points."""

    def post(self, *args: Any, **more: Any) -> requests.Response:
        """Send a body."""
        return super().post(*args, allow_redirects=False, **more)


class WebPush:
    """The push services of the browsers that people subscribed."""

    def __init__(self, target: PushTarget, key: Vapid02, path: str) -> None:
        self._target, self._key, self._path = target, key, path

    def send(self, name: str, notice: Notice, at: Micros, subscription: Subscription | None) -> Answer:
        """Send a message to a browser, by its push service."""
        if subscription is None:
            return Answer("gone", "it is subscribed no more")
        try:
            check_endpoint(subscription.endpoint, self._target.services)
            answer = self._post(name, notice, subscription)
        except BadInput as error:
            return Answer("gone", f"no push service: {error}")
        except requests.RequestException as error:
            late = f"no answer within {self._target.timeout_seconds} s"
            is_late = isinstance(error, requests.Timeout)
            return Answer("retry", late if is_late else "no connection to its push service")
        if answer is None:
            return Answer("gone", "its keys are none of a browser's")
        # RFC 8030, 7.3: of a subscription that has ended the answer is 404 or 410.
        if answer.status_code == requests.codes.not_found:
            return Answer("gone", "HTTP 404")
        return answer_of(answer.status_code, answer.headers.get("Retry-After"), at)

    def _post(self, name: str, notice: Notice, subscription: Subscription) -> requests.Response | None:
        """Send a message, and return the answer; None if the browser's keys are none."""
        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        with _NoRedirects() as session:
            try:
                answer: requests.Response = webpush(
                    {"endpoint": subscription.endpoint, "keys": keys},
                    self._payload(name, notice),
                    vapid_private_key=self._key,
                    vapid_claims={"sub": self._target.contact},
                    timeout=self._target.timeout_seconds,
                    ttl=_LIFE,
                    headers={
                        "Urgency": "high" if notice.severity in _URGENT else "normal",
                        "Topic": name[-32:],
                    },
                    requests_session=session,
                )
            except WebPushException as error:
                refused: requests.Response | None = error.response
                return refused
            except ValueError as error:
                if isinstance(error, requests.RequestException):
                    raise
                return None
            return answer

    def _payload(self, name: str, notice: Notice) -> str:
        path = f"{self._path}/alerts/{notice.alert}" if notice.alert is not None else f"{self._path}/"
        content = {
            "id": name,
            "title": notice.title,
            "body": "\n".join(notice.lines(None)),
            "path": path,
            "tag": notice.alert or name,
            "stays": notice.severity == "critical",
        }
        return msgspec.json.encode(content).decode()


def push_of(target: PushTarget, folder: Path, where: str, path: str) -> WebPush:
    """Make the channel of a push target; its key is in a file relative to the escalation file's folder.

    Raises:
        BadInput: the key is missing, or invalid.
    """
    file = folder / target.key_file
    vapid_key.load(file)
    try:
        return WebPush(target, Vapid02.from_file(str(file)), path)
    except VapidException:
        raise BadInput(f"{where}: {file}: is no key for Web Push") from None
