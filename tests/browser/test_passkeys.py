"""A passkey in Chromium, with an authenticator that it makes up itself."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.served import Served
from tests.builders.consoles import PASSWORD, add_account

NAME = "pia"


def test_a_passkey_is_made_and_then_asked_for_at_the_login(served: Served, enters: Enters) -> None:
    add_account(served.store, NAME, "operator")
    person = enters(None, alone=True)
    person.address = served.address.replace("127.0.0.1", "localhost")  # an address is no host of a passkey
    page = person.part("html").page
    browser = page.context.new_cdp_session(page)
    browser.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": True, "isUserVerified": True}
    browser.send("WebAuthn.addVirtualAuthenticator", {"options": options})

    def log_in() -> None:
        person.goes_to("/login")
        page.get_by_label("Name", exact=True).fill(NAME)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()

    log_in()
    person.is_at("/")
    person.goes_to("/account")
    page.get_by_label("Name of the passkey").fill("blue key")
    page.get_by_role("button", name="Add a passkey").click()
    codes = page.locator("#recovery-codes code")
    expect(codes).to_have_text(re.compile(r"^(([a-z2-7]{4}-){3}[a-z2-7]{4}\s?){10}$"))
    person.goes_to("/account")
    expect(page.get_by_role("row", name="blue key")).to_contain_text("passkey")
    page.get_by_role("button", name="Log out").click()
    person.is_at("/login")
    log_in()
    expect(page.get_by_role("heading", name=f"Second factor for {NAME}")).to_be_visible()
    person.goes_to("/login/second?next=/floor")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/floor")
