"""The header of every page says of how many disputes the footage is to be preserved now."""

from contextlib import closing
from typing import Any

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.served import Served

CALLED = 1_740_882_000_000_000  # 2025-03-01 21:20 EST


def act(client: httpx.Client, number: int, **action: Any) -> str:
    answer = client.post("/api/actions", json={"id": f"f007a6e{number:025x}", **action})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["subject"])


def test_footage_that_is_due_is_counted_calmly_for_who_writes_disputes_and_no_longer_when_it_is_kept(
    served: Served, enters: Enters
) -> None:
    person, auditor = enters("operator"), enters("auditor")
    person.goes_to("/floor")
    expect(person.part("#footage")).to_be_hidden()
    with closing(served.person("supervisor")) as client:
        about = {"table": "BAC-101", "gaming_date": "2025-03-01", "claim": "a bet was not paid"}
        opened = act(client, 1, action="dispute-open", about=about, call={"called": CALLED})
        # Nobody said how long the recorder keeps it.
        person.goes_to("/floor")
        assert person.sees("#footage").inner_text() == "Footage due: 1"
        person.gets_to(person.part("#footage"))
        person.presses("Enter")
        person.is_at("/disputes")
        assert person.obstacles() == []
        auditor.goes_to("/floor")
        expect(auditor.part("#footage")).to_have_count(0)
        kept = {"preserved": CALLED, "reference": "DVR 4"}
        act(client, 2, action="dispute-footage", subject=opened, footage=kept)
    with person.part("#footage").page.expect_response("**/api/disputes/due"):
        person.goes_to("/floor")
    expect(person.part("#footage")).to_be_hidden()
