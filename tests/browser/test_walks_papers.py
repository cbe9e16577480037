"""Accounts, embargoes, disputes and the surveillance log, with the keyboard alone."""

from contextlib import closing
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.steps import DESK_AND_PHONE

OWN = "seven quiet brass keys"


def fills(person: Person, **fields: str) -> None:
    """Move from field to field by the labels of the form, and type into each."""
    for name, typed in fields.items():
        person.gets_to(person.part(f'[name="{name}"]:visible'))
        person.types(typed)


def does(person: Person, what: Locator) -> None:
    """Move to a button or a link and press it."""
    person.gets_to(what)
    person.presses("Enter")


def logs_in(person: Person, name: str, password: str) -> None:
    person.goes_to("/login")
    expect(person.field("Name")).to_be_focused()
    person.types(name)
    person.presses("Tab")
    person.types(password)
    person.presses("Enter")


@DESK_AND_PHONE
def test_an_account_is_made_used_given_another_role_and_locked(enters: Enters, size: str, theme: str) -> None:
    name = f"new-{size}-{theme}"
    chief, new = enters("administrator", size, theme), enters(None, size, theme)
    chief.goes_to("/accounts")
    fills(chief, name=name, shown=f"New Person {size} {theme}")
    does(chief, chief.part('button:text-is("Add")'))
    once = chief.sees("p[role=status] code").inner_text()

    logs_in(new, name, once)
    new.is_at("/password")
    expect(new.field("Old password")).to_be_focused()
    for typed in (once, OWN, OWN):
        new.types(typed)
        new.presses("Tab")
    new.presses("Enter")
    new.is_at("/")
    expect(new.part("header .account-link")).to_have_attribute("title", "operator: your account, log out")

    role = chief.part(f"#{name} select")
    chief.gets_to(role)
    chief.types("finance")
    chief.presses("Tab", "Enter")
    expect(chief.part("p[role=status] code")).to_have_count(0)  # the password was shown only then
    expect(role).to_have_value("finance")
    logs_in(new, name, OWN)
    new.is_at("/home")
    expect(new.part("header .account-link")).to_have_attribute("title", "finance: your account, log out")

    does(chief, chief.part(f"#{name} a[aria-label^=Disable]"))
    chief.is_at(f"/accounts/{name}/disable")
    does(chief, chief.part(f'button:text-is("Disable {name}")'))
    expect(chief.part(f"#{name}")).to_contain_text("disabled")
    logs_in(new, name, OWN)
    new.sees("text=The name or the password is not right.")

    does(chief, chief.part(f"#{name} button[aria-label^=Enable]"))
    expect(chief.part(f"#{name} a[aria-label^=Disable]")).to_be_attached()
    does(chief, chief.part(f'#{name} button[aria-label^="New one-time password"]'))
    again = chief.sees("p[role=status] code").inner_text()
    assert again != once
    logs_in(new, name, again)
    new.is_at("/password")


@DESK_AND_PHONE
def test_a_record_is_withheld_from_a_person_until_the_director_lifts_it(
    enters: Enters, served: Served, size: str, theme: str
) -> None:
    with closing(served.person("supervisor")) as client:
        alert = client.get("/api/queue?queue=nightly&every=true").json()["rows"][-1]["alert"]["id"]
    placing, director = enters("supervisor", size, theme), enters("director", size, theme)
    withheld = enters("operator", size, theme)
    withheld.goes_to("/floor")
    seeks(withheld, alert)
    withheld.is_at(f"/alerts/{alert}")
    placing.goes_to("/embargoes")
    reason = f"it is about the operator, {size}, {theme}"
    fills(placing, subject=f"alert:{alert}", whom="Operator", reason=reason)
    does(placing, placing.part('button:text-is("Withhold")'))
    expect(placing.part("main tbody tr", has_text=reason)).to_contain_text(alert)
    expect(placing.part('button:text-is("Lift")')).to_have_count(0)
    seeks(withheld, alert)
    withheld.sees(f"#palette [role=status] >> text=Nothing found for {alert}")
    withheld.presses("Escape")
    director.goes_to("/embargoes")
    does(director, director.part(f'[aria-label="Lift the embargo on alert:{alert} for operator"]'))
    expect(director.part("main tbody tr", has_text=reason)).to_contain_text("by director")
    seeks(withheld, alert)
    withheld.is_at(f"/alerts/{alert}")


def seeks(person: Person, what: str) -> None:
    person.presses("/")
    person.types(what)
    person.presses("Enter")


@DESK_AND_PHONE
def test_a_dispute_is_opened_from_its_hand_ruled_reviewed_by_another_and_closed(
    enters: Enters, served: Served, size: str, theme: str
) -> None:
    with closing(served.person("supervisor")) as client:
        rows = client.get("/api/queue").json()["rows"]
    alert: dict[str, Any] = next(row["alert"] for row in rows if row["sums"] and row["alert"].get("round"))
    one, second = enters("operator", size, theme), enters("supervisor", size, theme)
    one.goes_to(f"/rounds/{alert['gaming_date']}/{alert['table']}/{alert['round']}")
    does(one, one.part('a[href*="/disputes/new"]'))
    expect(one.part('[name="about.rounds"]')).to_have_value(alert["round"])
    wronged = one.sees(".seat-choice a[aria-current]")
    seat = wronged.inner_text().removeprefix("Seat ").partition(",")[0]
    expect(one.part('[name="about.seat"]')).to_have_value(seat)
    expect(one.part('[name="about.claim"]')).to_be_focused()
    fills(one, **{"about.claim": "The bet on Player was not paid.", "about.claim_cents": "25.00"})
    does(one, one.part("text=Open the dispute"))
    one.sees("#facts")
    address = one.part("h1").inner_text().split()[1]
    one.is_at(f"/disputes/{address}")

    does(one, one.part('#actions a[href="#ruling-form"]'))
    ruling = {"text": "The bet is paid.", "ruled_by": "FL-1-1"}
    fills(one, **{f"ruling.{name}": typed for name, typed in ruling.items()})
    one.gets_to(one.part('[name="ruling.ruled"]'))
    one.types("03012025")
    one.presses("Tab")
    one.types("092000PM")
    fills(one, **{"ruling.paid_cents": "25.00"})
    does(one, one.part("#ruling-form button"))
    expect(one.part("#facts")).to_contain_text("The bet is paid.")
    expect(one.part("#facts")).to_contain_text("25.00")

    second.goes_to(f"/disputes/{address}")
    does(second, second.part('#actions a[href="#review-form"]'))
    second.gets_to(second.part('#review-form [name="agrees"]'))
    second.types("agrees")
    fills(second, text="The footage shows the same.")
    does(second, second.part("#review-form button"))
    expect(second.part("#facts")).to_contain_text("The footage shows the same.")

    does(second, second.part('#actions a[href="#close-form"]'))
    fills(second, outcome="claim upheld")
    does(second, second.part("#close-form button"))
    expect(second.part("h1 .verdict")).to_have_text("claim upheld")
    second.sees('#actions a[href="#reopen-form"]')


def test_what_another_enters_into_the_log_or_a_dispute_shows_without_reload(
    enters: Enters, served: Served
) -> None:
    person, alone = enters("supervisor"), enters("director")
    for each, path in ((person, "/log"), (alone, "/disputes")):
        each.goes_to(path)
        expect(each.part("#live")).to_have_text("Live")
    person.gets_to(person.part('#actions a[href="#entry-form"]'))
    with closing(served.person("operator")) as client:
        paid = next(row["alert"] for row in client.get("/api/queue").json()["rows"] if row["alert"]["round"])
        about = {"table": paid["table"], "gaming_date": paid["gaming_date"], "rounds": [paid["round"]]}
        entry = {"kind": "call", "at": paid["at"], "what": "The pit asks for round 4"}
        call = {"called": paid["at"], "caller": "the pit"}
        for number, action in enumerate(
            (
                {"action": "log-entry", "entry": entry},
                {"action": "dispute-open", "about": about | {"claim": "He asks for more."}, "call": call},
            )
        ):
            done = client.post("/api/actions", json={"id": f"{0xB0C + number:032x}", **action})
            assert done.status_code == 200, done.text
    expect(person.part("#lines tr", has_text="The pit asks for round 4")).to_be_visible()
    expect(person.part('#actions a[href="#entry-form"]')).to_be_focused()
    expect(alone.part("main", has_text="He asks for more.")).to_be_visible()


@DESK_AND_PHONE
def test_the_log_is_written_corrected_and_handed_over(enters: Enters, size: str, theme: str) -> None:
    going, coming = enters("supervisor", size, theme), enters("operator", size, theme)
    what = f"A visitor at {size} in {theme}"
    going.goes_to("/log")
    does(going, going.part('#actions a[href="#entry-form"]'))
    fills(going, **{"entry.what": f"{what}, badge 16"})
    does(going, going.part("#entry-form button"))
    line = going.part("#lines tr", has_text="badge 16").filter(has_text=what)
    does(going, line.locator("text=correct"))
    going.gets_to(going.part('[name="entry.what"]'))
    going.presses("Control+a")
    going.types(f"{what}, badge 17")
    does(going, going.part("#entry-form button"))
    expect(line).to_contain_text("corrected by a later entry")
    expect(going.part("#lines tr", has_text=f"{what}, badge 17")).to_contain_text("corrects an earlier entry")

    does(going, going.part('#actions a[href="#handover-form"]'))
    fills(going, to="operator")
    does(going, going.part("#handover-form button"))
    going.sees("text=Signed over by supervisor to operator")
    coming.goes_to("/log")
    does(coming, coming.part('#actions a[href="#takeover-form"]'))
    fills(coming, remarks="nothing waits")
    does(coming, coming.part("#takeover-form button"))
    coming.sees("text=Taken over by operator")
    does(coming, coming.part('#actions a[rel="prev"]'))
    coming.sees("text=Closed: taken over by operator")
