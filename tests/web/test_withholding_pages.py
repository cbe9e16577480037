"""From a record's page it is withheld without its name being typed; only by a role that may."""

import html
import re
from pathlib import Path
from typing import Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.auth.roles import Role
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.dispute_pages import ABOUT, CALL, log_in_as_other
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records

LOSER: Final = finding_ids(DISPUTED)["loser_not_collected"]
# A bar in a name is kept as %7C in the key of the store, so that it is no end of it.
TABLE: Final = "BAC|7 %"
STORED: Final = "2025-01-01|BAC%7C7 %25"


def offered(client: TestClient[Litestar], page: str) -> list[str]:
    """Return what stands as the record in the form to which a page leads."""
    answer = client.get(page)
    assert answer.status_code == 200, answer.text
    links = re.findall(r'href="(/embargoes\?subject=[^"]*)"', answer.text)
    forms = [client.get(html.unescape(each)).text for each in links]
    return [
        html.unescape(each) for form in forms for each in re.findall(r'name="subject" value="([^"]*)"', form)
    ]


def test_the_pages_of_records_lead_to_the_form_with_the_record_filled_in(tmp_path: Path) -> None:
    told = {**DISPUTED, "table": TABLE}
    path = store_records(tmp_path / "s.duckdb", told)
    alert = finding_ids(told)["loser_not_collected"]
    with open_console(path, "investigator") as client:
        named = post_action(client, "dispute-open", about={**ABOUT, "table": TABLE}, call=CALL)["subject"]
        assert offered(client, f"/alerts/{alert}") == [f"alert:{alert}"]
        assert offered(client, "/rounds/2025-01-01/BAC%7C7%20%25/41") == [f"round:{STORED}|41"]
        assert offered(client, "/tables/BAC%7C7%20%25/2025-01-01") == [f"table-day:{STORED}"]
        assert offered(client, f"/disputes/{named.partition(':')[2]}") == [named]
        add_account(path, "ben", "operator")
        # What is filled in is what is withheld: the page is gone for whom it names.
        (subject,) = offered(client, "/rounds/2025-01-01/BAC%7C7%20%25/41")
        placed = {"subject": subject, "whom": "ben", "reason": "a relation"}
        assert client.post("/embargoes", data=placed).status_code < 400
        log_in_as_other(client, "ben")
        assert client.get("/rounds/2025-01-01/BAC%7C7%20%25/41").status_code == 404


def test_who_may_lift_is_led_to_the_embargoes_and_lifts_there_and_places_none(tmp_path: Path) -> None:
    path = store_records(tmp_path / "s.duckdb", DISPUTED)
    for role in ("investigator", "director", "operator", "auditor", "finance"):
        add_account(path, role, role)
    led = '<a href="/embargoes">Embargoes</a>'
    with open_console(path, "regulator") as client:
        header = {}
        for role in ("operator", "auditor", "finance", "investigator", "director", "regulator"):
            log_in_as_other(client, role)
            header[role] = led in client.get("/").text
        assert header == {
            "operator": False, "auditor": False, "finance": False,
            "investigator": True, "director": True, "regulator": True,
        }  # fmt: skip
        placed = {"subject": f"alert:{LOSER}", "whom": "operator", "reason": "a relation"}
        assert client.post("/embargoes", data=placed).status_code == 403
        log_in_as_other(client, "investigator")
        assert client.post("/embargoes", data=placed, follow_redirects=False).status_code == 303
        log_in_as_other(client, "operator")
        assert client.get(f"/alerts/{LOSER}").status_code == 404
        log_in_as_other(client, "regulator")
        page = client.get("/embargoes").text
        assert 'name="subject"' not in page
        assert client.post("/embargoes/1/lift", follow_redirects=False).status_code == 303
        assert client.post("/embargoes/1/lift").status_code == 404
        log_in_as_other(client, "operator")
        assert client.get(f"/alerts/{LOSER}").status_code == 200


@pytest.mark.parametrize("role", ["operator", "auditor", "regulator"])
def test_who_may_not_withhold_is_led_nowhere(tmp_path: Path, role: Role) -> None:
    with open_console(store_records(tmp_path / "s.duckdb", DISPUTED), role) as client:
        for page in (f"/alerts/{LOSER}", "/rounds/2025-01-01/BAC-7/41", "/tables/BAC-7/2025-01-01"):
            answer = client.get(page)
            assert answer.status_code == 200
            assert "/embargoes?" not in answer.text
