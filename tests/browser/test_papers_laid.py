"""Fields of a new dispute and of what is muted: each on its line, no word broken."""

from collections.abc import Iterator
from contextlib import closing
from itertools import product

from tests.browser.conftest import SIZES, THEMES, Enters
from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.steps import edges, post_action

# How many lines the words of an element take.
LINES = """(element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  return new Set([...words.getClientRects()].map((each) => each.top)).size;
}"""


def shows_in_each_look(person: Person) -> Iterator[tuple[str, str]]:
    """Yield each size and theme once the page has them."""
    for size, theme in product(SIZES, THEMES):
        person.has_size(*SIZES[size])
        person.has_theme(theme)
        yield size, theme


def test_the_first_field_of_a_new_dispute_stands_below_the_seats_at_the_left(
    enters: Enters, served: Served
) -> None:
    with closing(served.person("supervisor")) as client:
        found = next(each for each in client.get("/api/alerts").json()["findings"] if "round" in each)
    person = enters("supervisor")
    place = f"/rounds/{found['gaming_date']}/{found['table']}/{found['round']}"
    person.goes_to(f"/disputes/new?round={place}")
    for look in shows_in_each_look(person):
        seats, called = edges(person, ".seat-choice"), edges(person, 'label:has([name="call.called"])')
        claim, amount = (
            edges(person, "label:has(textarea)"),
            edges(person, 'label:has([name="about.claim_cents"])'),
        )
        assert called[0] == seats[0], look
        assert called[1] >= seats[3], look
        assert amount[0] == claim[0], look
        assert amount[1] >= claim[3], look


def test_neither_the_button_that_ends_a_mute_nor_its_table_is_broken(enters: Enters, served: Served) -> None:
    reason = "the tray is being worked on, and its sensor says so at each round that is played there"
    with closing(served.person("supervisor")) as client:
        post_action(
            client, 0xD0, action="mute", check="paid_too_much", table="BAC-104", minutes=60, reason=reason
        )
    person = enters("supervisor")
    person.goes_to("/muted")
    mute = person.part("tr[id^=mute-]:has(button)")
    for look in shows_in_each_look(person):
        assert mute.locator("button").evaluate(LINES) == 1, look
        assert mute.locator("span.tight").evaluate(LINES) == 1, look
        assert mute.locator("span.tight").inner_text() == "BAC-104"
