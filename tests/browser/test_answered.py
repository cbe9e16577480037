"""A page that answers a form says it until it is left: a password for one login, why it was refused."""

from collections.abc import Callable
from contextlib import closing

import httpx
from playwright.sync_api import Page, expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.steps import post_action
from tests.builders.consoles import PASSWORD

# Notes on the page that something which somebody else did was heard there.
HEARD = """document.addEventListener("stream", ({ detail: { event } }) => {
  if (event === "acted") document.documentElement.dataset.heard = "yes";
});"""


def asked_of(page: Page) -> Callable[[str], list[str]]:
    """Note what the page that comes next asks for itself; gives what of it has a word in it.

    What the page before it still asks for, while its form is answered, is not of it.
    """
    asked: list[str] = []
    page.on("framenavigated", lambda _frame: asked.clear())
    page.on("request", lambda request: asked.append(request.url))
    return lambda word: [url for url in asked if word in url and "/static/" not in url]


def other_acts(served: Served, number: int) -> None:
    """Carry out another person's action, which notifies every page."""
    with closing(served.person("investigator")) as client:
        alert = client.get("/api/queue?queue=nightly&every=true").json()["rows"][0]["alert"]["id"]
        post_action(client, number, action="tag", subject=f"alert:{alert}", word=f"answered {number}")


def new_account(served: Served, name: str) -> str:
    """Create an account of an operator as administrator; return the password for one login."""
    with closing(served.person("administrator")) as client:
        told = {"csrf": client.headers["X-CSRF-Token"], "name": name, "shown": name, "role": "operator"}
        return client.post("/accounts", data=told).text.partition("<code>")[2].partition("</code>")[0]


def logs_in_anew(person: Person, name: str, secret: str) -> None:
    """Log in with a password for one login; the page by which it is changed comes."""
    person.goes_to("/login")
    person.field("Name").fill(name)
    person.field("Password").fill(secret)
    person.presses("Enter")
    person.is_at("/password")


def waits(person: Person) -> None:
    """Advance the clock by ten minutes, and wait until the page's requests are answered."""
    page = person.part("html").page
    page.wait_for_load_state("networkidle")
    person.lets_time_pass(600)
    page.wait_for_load_state("networkidle")


def test_a_password_for_one_login_is_shown_for_as_long_as_the_page_is_there(enters: Enters) -> None:
    person = enters("administrator", alone=True)
    page = person.part("html").page
    page.clock.install()
    person.goes_to("/accounts")
    asked = asked_of(page)
    person.gets_to(person.field("Login name"))
    person.types("vera")
    person.presses("Enter")
    given = person.sees("main code")
    secret = given.inner_text()
    waits(person)
    expect(given).to_have_text(secret)
    expect(person.part("main [role=status]")).to_contain_text("One-time password for vera")
    assert asked("/stream") == []
    assert asked("/accounts") == []


def test_a_role_without_live_pages_sees_no_connection_state_and_no_search(
    enters: Enters, served: Served
) -> None:
    secret = new_account(served, "wanda")
    administrator, fresh = enters("administrator"), enters(None)
    administrator.goes_to("/health")
    logs_in_anew(fresh, "wanda", secret)
    for person in (administrator, fresh):
        person.sees("main h1")
        expect(person.part("#theme")).to_be_visible()
        expect(person.part("#live, #sound, #find")).to_have_count(0)
    administrator.presses("g", "f")
    expect(administrator.part("#message")).to_have_text("g f leads nowhere; ? shows the keys.")
    administrator.presses("d")
    expect(administrator.part("html")).to_have_attribute("data-theme", "light")


def test_a_new_person_reads_why_a_password_was_refused(enters: Enters, served: Served) -> None:
    secret = new_account(served, "xenia")
    person = enters(None, alone=True)
    page = person.part("html").page
    page.clock.install()
    logs_in_anew(person, "xenia", secret)
    asked = asked_of(page)
    person.field("Old password").fill(secret)
    person.field("New password (at least 12 characters)").fill("four small green lamps")
    person.field("New password again").fill("five small green lamps")
    person.presses("Enter")
    refused = person.sees('main [role="alert"]')
    says = refused.inner_text()
    waits(person)
    expect(refused).to_have_text(says)
    assert asked("/stream") == []
    assert asked("/password") == []


def test_why_a_password_was_refused_stays_while_others_work(enters: Enters, served: Served) -> None:
    person = enters("operator")
    page = person.part("html").page
    person.begins_with(HEARD)
    person.goes_to("/password")
    person.field("Old password").fill("three small red lamps")
    for name in ("New password (at least 12 characters)", "New password again"):
        person.field(name).fill(PASSWORD + " more")
    asked = asked_of(page)
    person.presses("Enter")
    refused = person.sees('main [role="alert"]')
    expect(person.part("#live")).to_have_text("Live")
    other_acts(served, 0xA01)
    expect(person.part("html")).to_have_attribute("data-heard", "yes")
    expect(refused).to_be_visible()
    expect(person.part("main form")).to_have_count(2)
    assert asked("/password") == []


def test_an_embargo_that_was_refused_says_why_and_keeps_what_was_typed(
    enters: Enters, served: Served
) -> None:
    person = enters("supervisor")
    page = person.part("html").page
    person.begins_with(HEARD)
    person.goes_to("/embargoes")
    person.gets_to(person.field("Record"))
    person.types("the first round")
    person.gets_to(person.part("select[name=whom]"))
    person.types("Operator")
    person.gets_to(person.field("Reason"))
    person.types("their own table")
    asked = asked_of(page)
    person.presses("Enter")
    refused = person.sees('main [role="alert"]')
    expect(person.part("#live")).to_have_text("Live")
    other_acts(served, 0xA02)
    expect(person.part("html")).to_have_attribute("data-heard", "yes")
    expect(refused).to_contain_text("Nothing was changed")
    expect(person.field("Record")).to_have_value("the first round")
    expect(person.field("Reason")).to_have_value("their own table")
    assert asked("/embargoes") + asked("/password") == []


def test_a_page_that_answers_a_form_still_says_that_nobody_is_logged_in_any_more(
    enters: Enters, served: Served
) -> None:
    person = enters("investigator")
    person.goes_to("/embargoes")
    person.field("Record").fill("the first round")
    person.part("select[name=whom]").select_option("operator")
    person.field("Reason").fill("their own table")
    person.field("Reason").press("Enter")
    person.sees('main [role="alert"]')
    expect(person.part("#live")).to_have_text("Live")
    with closing(httpx.Client(base_url=served.address)) as client:
        (cookie,) = person.part("html").page.context.cookies()
        client.cookies.set(cookie["name"], cookie["value"])
        token = person.part('meta[name="csrf"]').get_attribute("content") or ""
        assert client.post("/logout", headers={"X-CSRF-Token": token}).status_code == 303
    expect(person.sees("#logged-out")).to_contain_text("You are logged out")
    expect(person.part('main [role="alert"]')).to_be_visible()
