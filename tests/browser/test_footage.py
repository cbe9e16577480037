"""The header of every page says of how many disputes the footage is to be preserved now."""

from contextlib import closing

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.served import Served
from tests.browser.steps import CALL_TIME, post_action


def test_footage_that_is_due_is_counted_calmly_for_who_writes_disputes_and_no_longer_when_it_is_kept(
    served: Served, enters: Enters
) -> None:
    person, auditor = enters("operator"), enters("auditor")
    person.goes_to("/floor")
    expect(person.part("#footage")).to_be_hidden()
    with closing(served.person("supervisor")) as client:
        about = {"table": "BAC-101", "gaming_date": "2025-03-01", "claim": "a bet was not paid"}
        opened = post_action(client, 1, action="dispute-open", about=about, call={"called": CALL_TIME})
        # Nobody said how long the recorder keeps it.
        person.goes_to("/floor")
        expect(person.sees("#footage")).to_have_text("Footage due: 1")
        person.gets_to(person.part("#footage"))
        person.presses("Enter")
        person.is_at("/disputes")
        assert person.obstacles() == []
        auditor.goes_to("/floor")
        expect(auditor.part("#footage")).to_have_count(0)
        kept = {"preserved": CALL_TIME, "reference": "DVR 4"}
        post_action(client, 2, action="dispute-footage", subject=opened, footage=kept)
    with person.part("#footage").page.expect_response("**/api/disputes/due"):
        person.goes_to("/floor")
    expect(person.part("#footage")).to_be_hidden()
