"""The session in a browser: names that are asked for by the keyboard, and a page whose session has ended."""

import re

import pytest
from playwright.sync_api import expect

from projections.web.auth.accounts_file import AccountsFile, accounts_of
from tests.browser.conftest import Enters
from tests.browser.served import Served

MASK = re.compile(r"(patron|dealer) ·[0-9a-f]{6}")


def page_of(served: Served, sort: str) -> str:
    return next(path for path in served.pages()["supervisor"] if path.startswith(f"/{sort}/"))


def end_sessions(served: Served, name: str) -> None:
    """End what an account is logged in by, as its administrator would."""
    file = AccountsFile(accounts_of(served.store))
    try:
        with file.writing() as db:
            db.execute("DELETE FROM sessions WHERE name = ?", [name])
    finally:
        file.close()


@pytest.mark.parametrize("sort", ["rounds", "alerts"])
def test_names_are_asked_for_by_the_keyboard_and_the_page_says_how_long_they_show(
    served: Served, enters: Enters, sort: str
) -> None:
    person = enters("investigator")
    person.goes_to(page_of(served, sort))
    expect(person.part("main")).to_contain_text(MASK)
    person.presses("U")
    expect(person.part("#unmasking input")).to_be_focused()
    person.types("call 17")
    person.presses("Enter")
    says = r"Names are shown here until \d\d?:\d\d:\d\d [AP]M, 10 minutes more; the access log says so\."
    expect(person.part("#names")).to_have_text(re.compile(says))
    expect(person.part("main")).not_to_contain_text(MASK)
    person.presses("U")
    expect(person.part("dialog[open]")).to_have_count(0)


def test_who_may_not_see_names_is_offered_none(served: Served, enters: Enters) -> None:
    person = enters("operator")
    person.goes_to(page_of(served, "alerts"))
    person.sees("main h1")
    expect(person.part("#unmask, #unmasking, #names")).to_have_count(0)


@pytest.mark.parametrize(
    ("role", "path"), [("finance", "/findings?severity=high"), ("finance", "/home"), ("operator", "/")]
)
def test_a_page_whose_session_has_ended_keeps_what_it_shows_and_leads_to_the_login(
    served: Served, enters: Enters, monkeypatch: pytest.MonkeyPatch, role: str, path: str
) -> None:
    monkeypatch.setattr("projections.web.live.broadcaster._SILENCE", 1.0)  # seconds
    person = enters(role)
    person.goes_to(path)
    expect(person.part("#live")).to_have_text("Live")
    end_sessions(served, role)
    # The stream ends with its next sign of life; the browser asks for it again, and the page for itself.
    out = person.sees("#logged-out")
    expect(out).to_contain_text("You are logged out")
    person.sees("main :is(h1, h2, table)")
    expect(person.part("main input[name=password]")).to_have_count(0)
    person.gets_to(out.locator("a"))
    person.presses("Enter")
    person.sees("input[name=password]")
    expect(person.part("input[name=next]")).to_have_value(path)
