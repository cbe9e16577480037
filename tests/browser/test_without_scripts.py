"""Alert's page in a browser that runs no scripts."""

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import STANDS


def presses(person: Person, key: str) -> None:
    person.gets_to(person.part(f"#does-{key}"))
    person.presses("Enter")


def test_an_alert_is_worked_on_without_scripts(enters: Enters) -> None:
    person = enters("supervisor", scripts=False)
    person.goes_to("/?queue=nightly&every=true&severity=data&state=new")
    person.gets_to(person.part("#rows tr.new a").first)
    person.presses("Enter")
    person.sees("#case")
    body = person.part("body")
    expect(body).to_contain_text("Scripts are off: keys do nothing", use_inner_text=True)
    presses(person, "a")
    expect(person.part(STANDS)).to_contain_text("supervisor has it")
    presses(person, "w")
    dialog = person.sees("#ask-note[open]")
    person.gets_to(dialog.locator("textarea"))
    person.types("The technician was called.")
    person.gets_to(dialog.locator("button:not([type])"))
    person.presses("Enter")
    expect(person.part("#case .note")).to_contain_text("The technician was called.")
    expect(person.part("dialog[open]")).to_have_count(0)
    presses(person, "e")
    person.gets_to(person.sees("#ask-escalate[open]").get_by_role("link", name="Cancel"))
    person.presses("Enter")
    expect(person.part("dialog[open]")).to_have_count(0)
    expect(person.part(STANDS)).not_to_contain_text("with the")
    presses(person, "c")
    dialog = person.sees("#ask-close[open]")
    person.gets_to(dialog.locator("[value=corrected]"))
    person.presses("Space", "ArrowDown", "ArrowDown")
    person.gets_to(dialog.locator("textarea"))
    person.types("The reader was cleaned.")
    person.gets_to(dialog.locator("button:not([type])"))
    person.presses("Enter")
    expect(person.part(STANDS)).to_contain_text("Closed by supervisor as explained: The reader was cleaned.")
    presses(person, "u")
    expect(person.part(STANDS)).to_contain_text("supervisor has it")
