"""A page of the queue says at once how many wait; what comes changes what it is about, and nothing else."""

import re
from contextlib import closing

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.served import Served
from tests.browser.steps import comes_to_new, state_of

# Notes which rows anything is changed in, and counts what moves by itself.
WATCH = """() => {
  window.touched = new Set();
  new MutationObserver((changes) => changes.forEach(({ target, addedNodes, removedNodes }) => {
    for (const node of [target, ...addedNodes, ...removedNodes]) {
      const row = (node.nodeType === 1 ? node : node.parentElement)?.closest("#rows tr");
      if (row) window.touched.add(row.id);
    }
  })).observe(
    document.getElementById("queue"),
    { subtree: true, childList: true, attributes: true, characterData: true },
  );
}"""


def test_the_title_and_the_icon_say_how_many_wait_before_the_stream_does(enters: Enters) -> None:
    person = enters("operator")
    page = person.part("html").page
    page.route("**/stream*", lambda route: route.fulfill(status=204))  # by which there is none
    person.goes_to("/")
    waiting = person.sees('.queues a[data-queue="act_now"] b').inner_text()
    assert int(waiting) > 0
    expect(page).to_have_title(f"({waiting}) Alerts · discardrack")
    expect(person.part('link[rel="icon"]')).to_have_attribute("href", re.compile(r"icon-now\.svg$"))


def test_every_page_s_title_says_how_many_wait(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/")
    waiting = person.sees('.queues a[data-queue="act_now"] b').inner_text()
    person.goes_to("/log")
    expect(person.part("html").page).to_have_title(f"({waiting}) Surveillance log · discardrack")


def test_what_comes_to_one_row_touches_no_other_and_nothing_moves(enters: Enters, served: Served) -> None:
    person = enters("supervisor")
    page = person.part("html").page
    person.goes_to("/?queue=nightly&every=true")
    expect(person.part("#live")).to_have_text("Live")
    comes_to_new(person)
    other = person.part(f"#{person.part('#rows tr.new').nth(1).get_attribute('id')}")
    page.evaluate(WATCH)
    with closing(served.person("operator")) as client:
        told = {"id": f"{0xCA1:032x}", "action": "tag", "word": "calm"}
        subject = f"alert:{other.get_attribute('data-id')}"
        assert client.post("/api/actions", json=told | {"subject": subject}).status_code == 200
    expect(state_of(other)).to_contain_text("calm")
    assert page.evaluate("[...window.touched]") == [other.get_attribute("id")]
    assert page.evaluate("document.getAnimations().length") == 0
