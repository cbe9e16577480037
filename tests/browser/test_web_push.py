"""Web Push in Chromium: a device is subscribed, shows what nobody takes, and is subscribed no more.

A Chromium without a window reaches no push service, so the test is one: it makes up the subscription, hands
the console's worker what was sent for it, and takes down what the worker shows.
"""

import base64
import json
import re
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, Worker, expect

from projections.catalogue import KINDS
from projections.notify import channels, vapid_key
from projections.notify.outbox import Outbox, outbox_of
from projections.web.auth.guard import SESSION
from projections.web.bootstrap import ConsoleSettings, wall_clock
from tests.browser.open_served import serve_console
from tests.browser.person import PATIENCE, Person
from tests.builders.alerts import MINUTE
from tests.builders.pushed_browser import PushedBrowser
from tests.builders.queue_console import make_overdue, open_queue_console
from tests.builders.receiver import open_receiver

FILE: Final = """
console: https://surveillance.example.com
targets:
  phones: {kind: push, key_file: vapid.key, contact: "mailto:a@example.com", services: [127.0.0.1]}
plans:
  - from: 2020-01-01
    steps:
      - {overdue_minutes: 0, role: supervisor, targets: [phones]}
"""
# A push service as a page sees it; what was subscribed outlasts the page.
SERVICE: Final = """
({ endpoint, keys }) => {
  const subscription = () => localStorage.getItem("server_key") && {
    endpoint,
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => localStorage.removeItem("server_key"),
  };
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (userVisibleOnly) localStorage.setItem("server_key", JSON.stringify([...applicationServerKey]));
    return subscription();
  };
}
"""
TAKE_DOWN: Final = """
() => {
  self.shown = new Promise((resolve) => {
    self.registration.showNotification = async (title, options) => resolve({ title, ...options });
  });
  self.opened = new Promise((resolve) => { self.clients.openWindow = async (url) => resolve(url); });
}
"""
CLICK: Final = """
async () => {
  const event = new ExtendableEvent("notificationclick");
  event.notification = { close() {}, data: (await self.shown).data };
  self.dispatchEvent(event);
  return await self.opened;
}
"""


def push(page: Page, worker: Worker, address: str, message: dict[str, Any]) -> dict[str, Any]:
    """Push a message to the worker, and return what it shows."""
    registrations: list[dict[str, Any]] = []
    browser = page.context.new_cdp_session(page)
    browser.on(
        "ServiceWorker.workerRegistrationUpdated", lambda each: registrations.extend(each["registrations"])
    )
    browser.send("ServiceWorker.enable")
    for _ in range(PATIENCE // 50):
        if registrations:
            break
        page.wait_for_timeout(50)
    worker.evaluate(TAKE_DOWN)
    (name,) = {each["registrationId"] for each in registrations}
    pushed = {"origin": f"{address}/", "registrationId": name, "data": json.dumps(message)}
    browser.send("ServiceWorker.deliverPushMessage", pushed)
    shown: dict[str, Any] = worker.evaluate("self.shown")
    return shown


def enter(browser: Browser, address: str, token: str, endpoint: str, keys: tuple[str, str]) -> BrowserContext:
    """Open a browser with a push service, logged in."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": SESSION, "value": token, "url": address}])
    made = {"endpoint": endpoint, "keys": dict(zip(("p256dh", "auth"), keys, strict=True))}
    context.add_init_script(f"({SERVICE})({json.dumps(made)})")
    return context


def test_a_device_is_subscribed_shows_nothing_confidential_and_is_subscribed_no_more(
    browser: Browser, tmp_path: Path
) -> None:
    store, device = tmp_path / "store.duckdb", PushedBrowser()
    public = vapid_key.public(vapid_key.make(tmp_path / "vapid.key"))
    (tmp_path / "escalation.yaml").write_text(FILE, encoding="utf-8")
    Outbox(outbox_of(store), wall_clock() - MINUTE).close()  # the file was there before the alerts
    opened = open_queue_console(store)
    make_overdue(opened, "g")
    sent = channels.load(tmp_path / "escalation.yaml", KINDS)
    opened.settings = ConsoleSettings(notifications=sent)
    with open_receiver() as service, serve_console(opened, "supervisor") as (address, token):
        context = enter(browser, address, token, service.url, device.keys())
        person = Person(context.new_page(), address)
        person.goes_to("/notifications")
        with context.expect_event("serviceworker") as worker:
            person.part("button", "Notify me on this device").click()
        expect(person.part("tbody tr")).to_have_count(1)
        expect(person.part("#push [role=status]")).to_have_text("This device gets notifications.")
        page = person.part("html").page
        key = bytes(json.loads(page.evaluate("localStorage.getItem('server_key')")))
        assert base64.urlsafe_b64encode(key).rstrip(b"=").decode() == public

        message = device.read(service.take().body)
        shown = push(page, worker.value, address, message)
        assert re.fullmatch(
            r"It came at [^\n]+\.\nNobody has taken it, \d+ min after it was due\.\nFor: supervisor",
            shown.pop("body"),
        )
        assert shown == {
            "title": "Critical: late wager, table BAC-1",
            "tag": "g",
            "renotify": True,
            "requireInteraction": True,
            "data": {"path": "/alerts/g"},
        }
        assert worker.value.evaluate(CLICK) == f"{address}/alerts/g"

        person.part("button", "Stop on this device").click()
        expect(person.part(".none")).to_have_text("No device is subscribed.")
        expect(person.part("[data-subscribe]")).to_be_visible()
        assert service.count() == 0
        assert person.failures == []
        context.close()
