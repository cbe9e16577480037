"""Fields of a new dispute and of what is muted: each on its line, no word broken."""

from contextlib import closing

import pytest

from tests.browser.conftest import SIZES, THEMES, Enters
from tests.browser.served import Served
from tests.browser.steps import edges, post_action

EVERY = [(size, theme) for size in SIZES for theme in THEMES]

# How many lines the words of an element take.
LINES = """(element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  return new Set([...words.getClientRects()].map((each) => each.top)).size;
}"""


@pytest.mark.parametrize(("size", "theme"), EVERY, ids=[f"{size}, {theme}" for size, theme in EVERY])
def test_the_first_field_of_a_new_dispute_stands_below_the_seats_at_the_left(
    enters: Enters, served: Served, size: str, theme: str
) -> None:
    with closing(served.person("supervisor")) as client:
        found = next(each for each in client.get("/api/alerts").json()["findings"] if "round" in each)
    person = enters("supervisor", size, theme)
    place = f"/rounds/{found['gaming_date']}/{found['table']}/{found['round']}"
    person.goes_to(f"/disputes/new?round={place}")
    seats, called = edges(person, ".seat-choice"), edges(person, 'label:has([name="call.called"])')
    claim, amount = (
        edges(person, "label:has(textarea)"),
        edges(person, 'label:has([name="about.claim_cents"])'),
    )
    assert called[0] == seats[0]
    assert called[1] >= seats[3]
    assert amount[0] == claim[0]
    assert amount[1] >= claim[3]


@pytest.mark.parametrize(("size", "theme"), EVERY, ids=[f"{size}, {theme}" for size, theme in EVERY])
def test_neither_the_button_that_ends_a_mute_nor_its_table_is_broken(
    enters: Enters, served: Served, size: str, theme: str
) -> None:
    number = 0xD0 + EVERY.index((size, theme))
    reason = "the tray is being worked on, and its sensor says so at each round that is played there"
    with closing(served.person("supervisor")) as client:
        post_action(
            client, number, action="mute", check="paid_too_much", table="BAC-104", minutes=60, reason=reason
        )
        person = enters("supervisor", size, theme)
        person.goes_to("/muted")
        mute = person.part("tr[id^=mute-]:has(button)")
        assert mute.locator("button").evaluate(LINES) == 1
        assert mute.locator("span.tight").evaluate(LINES) == 1
        assert mute.locator("span.tight").inner_text() == "BAC-104"
        post_action(client, number + 0x100, action="unmute", mute=f"f007a6e{number:025x}")
