"""Taking from the queue: a row with all of it, the next of what is shown, what waits for oneself."""

from contextlib import closing

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.served import Served
from tests.browser.steps import goes_to_row, post_action, state_of

STANDS = "#case .status-line"


def test_a_row_of_several_findings_is_taken_as_one_and_taken_back_as_one(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/?queue=nightly&state=new")
    expect(person.part("#live")).to_have_text("Live")
    row = goes_to_row(person, person.part("#rows tr.new[data-separate]").first)
    many, alert = row.get_attribute("data-many"), row.get_attribute("data-id")
    person.presses("a")
    expect(person.part("#message")).to_have_text(f"It is yours, with all {many} findings.")
    person.goes_to("/?queue=nightly&mine=true")
    expect(person.part("#live")).to_have_text("Live")
    mine = goes_to_row(person, person.part(f"#a-{alert}"))
    expect(state_of(mine)).to_contain_text("operator")
    person.presses("u")
    expect(person.part("#message")).to_have_text("Undone.")


def test_the_next_is_one_of_what_the_queue_shows_and_so_is_the_one_after(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/?queue=this_shift&every=true&state=new")
    expect(person.part("#live")).to_have_text("Live")
    shown = person.part("#rows tr.new").evaluate_all("all => all.map((each) => each.dataset.id)")
    assert len(shown) > 2
    taken = []
    for _ in range(2):
        person.presses("n")
        person.sees(f"{STANDS}:has-text('operator has it')")
        taken.append(person.part("[data-alert]").get_attribute("data-alert"))
        expect(person.part("#live")).to_have_text("Live")
        person.presses("r")
        expect(person.part(STANDS)).to_contain_text("Unassigned")
    assert taken[0] in shown
    assert taken == [taken[0]] * 2  # it was given back, and is the first again


def test_what_waits_for_me_is_one_key_away(enters: Enters) -> None:
    asking, person = enters("operator"), enters("supervisor")
    asking.goes_to("/?queue=this_shift&every=true&state=new")
    expect(asking.part("#live")).to_have_text("Live")
    alert = asking.part("#rows tr.new").last.get_attribute("data-id")
    person.goes_to("/")
    expect(person.part("#live")).to_have_text("Live")
    before = int(person.part(".queues [data-queue=for_me] b").inner_text())
    asking.goes_to(f"/alerts/{alert}")
    asking.presses("e", "1")
    asking.types("the third of the night")
    asking.presses("Enter")
    expect(asking.part(STANDS)).to_contain_text("escalated to the supervisor")
    expect(person.part(".queues [data-queue=for_me] b")).to_have_text(str(before + 1))
    person.presses("4")
    person.is_at("/?queue=for_me")
    expect(state_of(person.part(f"#a-{alert}"))).to_contain_text("escalated to the supervisor")


def test_who_agreed_is_at_the_next_that_waits_wherever_the_first_was_asked_for(
    enters: Enters, served: Served
) -> None:
    with closing(served.person("operator")) as asking:
        rows = asking.get("/api/queue?queue=act_now&every=true&severity=critical").json()["rows"][:2]
        for number, row in enumerate(rows):
            subject = f"alert:{row['alert']['id']}"
            post_action(asking, 0xE0 + 2 * number, action="acknowledge", subject=subject)
            reason = {"outcome": "explained", "reason": "the patron left a chip"}
            post_action(asking, 0xE1 + 2 * number, action="close", subject=subject, **reason)
    person = enters("supervisor")
    person.goes_to("/?queue=this_shift&state=new")
    expect(person.part("#live")).to_have_text("Live")
    person.presses("j", "y")  # this row does not wait
    closed = []
    for _ in rows:
        person.sees("#ask-agree[open]")
        closed.append(person.part("[data-alert]").get_attribute("data-alert"))
        person.presses("Enter")
        person.sees("#message:has-text('Agree (')")
        person.presses("y")
    assert sorted(closed) == sorted(row["alert"]["id"] for row in rows)
    person.sees("#message:has-text('Nothing is waiting for your approval')")
