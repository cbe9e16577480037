"""All that can be done about an alert, with the keyboard alone."""

from collections import defaultdict
from itertools import count

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.steps import (
    DESK_AND_PHONE,
    STANDS,
    asks,
    comes_to_new,
    goes_to_row,
    post_action,
    says,
    state_of,
)


@DESK_AND_PHONE
def test_an_alert_is_tagged_passed_on_snoozed_given_and_released(
    enters: Enters, size: str, theme: str
) -> None:
    person = enters("supervisor", size, theme)
    person.goes_to("/?queue=nightly&every=true&severity=data")
    alert = comes_to_new(person).get_attribute("data-id")
    person.presses("Enter")
    person.is_at(f"/alerts/{alert}")
    expect(person.part("#live")).to_have_text("Live")
    asks(person, "t", reason="to the slots bench")
    expect(person.part(f"{STANDS} .tag")).to_have_text("to the slots bench")
    asks(person, "e", "2", reason="the third of the night")
    expect(person.part(STANDS)).to_contain_text("escalated to the director")
    asks(person, "z", "Tab", reason="the technician comes")
    says(person, "It comes back by itself; the nightly report lists it.")
    person.presses("s")
    expect(person.part("#ask-assign option")).to_have_count(4)
    person.types("investigator")
    person.presses("Enter")
    expect(person.part("dialog[open]")).to_have_count(0)
    expect(person.part(STANDS)).to_contain_text("investigator has it")
    person.presses("r")
    expect(person.part(STANDS)).to_contain_text("Unassigned")
    person.presses("a")
    expect(person.part(STANDS)).to_contain_text("supervisor has it")


def test_a_round_is_one_row_until_each_finding_is_asked_for_and_becomes_one_case(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/?queue=nightly&state=new")
    row = person.sees("#rows tr.new[data-separate]")
    alert, others = row.get_attribute("data-id"), int(row.get_attribute("data-many") or 0) - 1
    rows = person.part("#rows tr").count()
    person.presses("f")
    person.gets_to(person.part("#narrow [name=every]"))
    person.presses("Space")
    person.gets_to(person.part("#narrow button"))
    person.presses("Enter")
    person.sees(f"#rows:not(:has([data-separate])) #a-{alert}")
    expect(person.part("#rows tr").nth(rows)).to_be_attached()  # there are more
    person.goes_to("/?queue=nightly&state=new")
    goes_to_row(person, person.part(f"#a-{alert}"))
    person.presses("M")
    person.sees("#ask-merge[open]")
    person.presses("Enter")
    says(person, "They are one case now.")
    person.goes_to(f"/alerts/{alert}")
    expect(person.part('#case a[href*="/alerts/"]')).to_have_count(others)


def of_one_round(client: httpx.Client) -> tuple[str, list[str]]:
    """Find a queue, and in it findings of one round that nobody has."""
    for queue in ("act_now", "this_shift", "nightly"):
        rows = client.get(f"/api/queue?queue={queue}&state=new&every=true").json()["rows"]
        rounds: defaultdict[str, list[str]] = defaultdict(list)
        for row in rows:
            if "round" in row["alert"]:
                rounds[row["alert"]["about"]].append(row["alert"]["id"])
        if found := [names for names in rounds.values() if len(names) > 1]:
            return queue, found[0]
    raise AssertionError("no round has two findings in a queue")


def test_an_alert_s_round_is_taken_whole_by_a_key_taken_back_and_taken_by_its_button(
    enters: Enters, other: httpx.Client
) -> None:
    queue, names = of_one_round(other)
    person = enters("operator")
    rows = person.part(", ".join(f"#a-{name}" for name in names))
    person.goes_to(f"/?queue={queue}&every=true")
    expect(rows).to_have_count(len(names))
    goes_to_row(person, rows.first)
    person.presses("Enter")
    listed = person.part("#whole li")
    person.sees(listed)
    expect(person.part("#live")).to_have_text("Live")  # all of the page is there
    many = listed.count()
    assert many >= len(names) - 1
    assert person.obstacles() == []
    in_case = person.part('#case p:has-text("One case with") a')
    asked: list[str] = []
    rows.page.on("request", lambda sent: asked.append(sent.method) if sent.method == "POST" else None)
    person.presses_twice_at_once("h")
    says(person, "They are one case now.")
    assert asked == ["POST"]  # twice is once
    expect(person.part("#whole")).to_have_count(0)
    expect(in_case).to_have_count(many)
    person.presses("u")
    says(person, "Undone.")
    person.gets_to(person.part("#does-h"))
    person.presses("Enter")
    says(person, "They are one case now.")
    expect(in_case).to_have_count(many)
    person.goes_to(f"/?queue={queue}")
    expect(rows).to_have_count(1)


def test_a_check_is_muted_at_a_table_listed_and_heard_again(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/?queue=nightly&severity=data&every=true")
    row = comes_to_new(person)
    check, table = row.get_attribute("data-check") or "", row.get_attribute("data-table")
    person.presses("m", "1")
    person.types("the reader is being changed")
    person.presses("Enter")
    says(person, "Muted until then; the nightly report lists it.")
    person.goes_to("/muted")
    mute = person.part("tr[id^=mute-]")
    expect(mute).to_contain_text(f"{check.replace('_', ' ')} at {table}")
    expect(mute).to_contain_text("the reader is being changed")
    person.gets_to(mute.locator("button"))
    person.presses("Enter")
    person.sees("text=Nothing is muted.")


def test_the_next_that_nobody_has_is_taken(enters: Enters) -> None:
    person = enters("investigator")
    person.goes_to("/")
    person.presses("n")
    person.sees("#case")
    expect(person.part("#live")).to_have_text("Live")
    expect(person.part(STANDS)).to_contain_text("investigator has it")
    person.presses("r")
    expect(person.part(STANDS)).to_contain_text("Unassigned")


@DESK_AND_PHONE
def test_a_critical_alert_is_closed_and_opened_again_by_two(enters: Enters, size: str, theme: str) -> None:
    one, second = enters("operator", size, theme), enters("supervisor", size, theme)
    one.stays_where_settled()
    one.goes_to("/?queue=act_now&severity=critical&state=new")
    alert = comes_to_new(one).get_attribute("data-id")
    for person in (one, second):
        person.goes_to(f"/alerts/{alert}")
        expect(person.part("#live")).to_have_text("Live")
    asks(one, "c", "1", reason="it was paid at once")
    expect(second.part(STANDS)).to_contain_text("operator asked for a second person")
    asks(second, "N", reason="the chips were not counted")
    expect(one.part(STANDS)).to_contain_text("operator has it")
    expect(one.part(STANDS)).to_contain_text("supervisor did not agree: the chips were not counted")
    asks(one, "c", "1", reason="the chips were counted")
    expect(second.part(STANDS)).to_contain_text("operator asked for a second person")
    asks(second, "y", reason="I saw it")
    expect(one.part(STANDS)).to_contain_text("Closed by operator as corrected: the chips were counted")
    expect(one.part(STANDS)).to_contain_text("approved by supervisor")
    asks(one, "o", reason="the patron came back")
    expect(second.part(STANDS)).to_contain_text(
        "Waiting for approval (reopen). operator asked for a second person"
    )
    asks(second, "y", reason="he did")
    expect(one.part(STANDS)).to_contain_text("operator has it")


def test_what_was_closed_as_false_is_looked_at_by_another(enters: Enters, other: httpx.Client) -> None:
    rows = other.get("/api/queue?queue=nightly&every=true&state=new").json()["rows"]
    alert = rows[-1]["alert"]["id"]
    number, drawn = count(0xFA15E), "/api/queue?queue=nightly&every=true&state=look+again"
    subject = f"alert:{alert}"
    # About every fifth that is closed as false is drawn, by a moment that nobody chooses.
    for _ in range(200):
        post_action(
            other, next(number), action="close", subject=subject, outcome="false", reason="a torn label"
        )
        if other.get(drawn).json()["total"]:
            break
        post_action(other, next(number), action="undo", subject=subject)
    person = enters("operator")
    person.goes_to("/?queue=nightly")
    person.presses("f")
    person.gets_to(person.part("#narrow [name=state]"))
    person.types("look again")
    person.gets_to(person.part("#narrow button"))
    person.presses("Enter")
    row = person.sees(f"#a-{alert}")
    expect(state_of(row)).to_contain_text("due for a second look")
    goes_to_row(person, row)
    person.presses("l", "1")
    person.types("the label was torn")
    person.presses("Enter")
    expect(person.part(f"#a-{alert}")).to_have_count(0)


def test_a_round_is_found_by_its_number_and_an_alert_by_its_id(enters: Enters, other: httpx.Client) -> None:
    found = other.get("/api/queue?queue=act_now").json()["rows"][0]["alert"]
    person = enters("operator")
    person.goes_to("/floor")
    person.presses("/")
    person.types(f"{found['table']} {found['round']}")
    person.presses("Enter")
    person.is_at(f"/rounds/{found['gaming_date']}/{found['table']}/{found['round']}")
    person.presses("/")
    person.types(found["id"])
    person.presses("Enter")
    person.is_at(f"/alerts/{found['id']}")
