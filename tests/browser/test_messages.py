"""Messages about what a person did, and actions that are not offered; with the keyboard alone."""

from contextlib import closing

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.served import Served
from tests.browser.steps import CALL_TIME, post_action


def test_a_form_is_sent_with_enter_from_a_list_after_another_was_refused_by_the_browser(
    served: Served, enters: Enters
) -> None:
    with closing(served.person("supervisor")) as client:
        about = {"table": "BAC-102", "gaming_date": "2025-03-01", "claim": "a bet was not paid"}
        subject = post_action(client, 3, action="dispute-open", about=about, call={"called": CALL_TIME})
        kept = {"preserved": CALL_TIME, "reference": "DVR 5"}
        post_action(client, 4, action="dispute-footage", subject=subject, footage=kept)
    name = subject.removeprefix("dispute:")
    person = enters("supervisor")
    person.goes_to(f"/disputes/{name}")
    person.gets_to(person.part('#actions a[href="#ruling-form"]'))
    person.presses("Enter")
    person.gets_to(person.part('#ruling-form [name="ruling.ruled_by"]'))
    person.presses("Enter")  # the ruling itself is not written: the browser refuses
    person.gets_to(person.part('#actions a[href="#acceptance-form"]'))
    person.presses("Enter")
    person.gets_to(person.part('#acceptance-form [name="acceptance"]'))
    person.types("accepted")
    person.presses("Enter")
    person.sees("#facts >> text=accepted")
    expect(person.part("#history > ol > li")).to_have_count(3)
    person.is_at(f"/disputes/{name}")


def test_the_check_of_a_critical_alert_is_not_offered_to_be_muted_and_closing_says_who_is_waited_for(
    enters: Enters,
) -> None:
    person = enters("operator")
    person.goes_to("/?queue=act_now&severity=critical")
    row = person.sees("#rows tr.critical.new")
    person.goes_to(f"/alerts/{row.get_attribute('data-id')}")
    person.presses("m")
    person.sees(
        "text=This check is critical; critical alerts are never muted. A supervisor can mute its table."
    )
    expect(person.part("dialog[open]")).to_have_count(0)
    person.presses("c")
    expect(person.sees("#ask-close [data-second]")).to_have_text(
        "It is critical: a second person has to agree. Who can: director, supervisor."
    )
    person.presses("1")
    person.types("it was put right")
    person.presses("Enter")
    person.sees("text=Sent for approval: a second person has to agree.")


def test_a_key_pressed_the_moment_a_dialog_closes_does_what_it_does(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/?every=true")
    alert = person.sees("#rows tr.new").get_attribute("data-id")
    person.goes_to(f"/alerts/{alert}")
    person.presses("w")
    person.sees("#ask-note[open]")
    person.presses_as_it_closes("t")
    person.sees("#ask-tag[open]")
    person.presses_as_it_closes("a")
    expect(person.part("#case .status-line")).to_contain_text("supervisor has it")
    person.presses("s")
    person.sees("#ask-assign[open]")
    person.presses_as_it_closes("r")
    expect(person.part("#case .status-line")).to_contain_text("Unassigned")


def test_enter_pressed_twice_in_a_dialog_says_it_once(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/?every=true")
    alert = person.sees("#rows tr").get_attribute("data-id")
    person.goes_to(f"/alerts/{alert}")
    notes = person.part("#case .note").count()
    person.presses("w")
    person.types("called the pit")
    person.presses("Enter", "Enter")
    expect(person.part("dialog[open]")).to_have_count(0)
    person.goes_to(f"/alerts/{alert}")
    expect(person.part("#case .note")).to_have_count(notes + 1)
