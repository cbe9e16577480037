"""The page of the surveillance log: a shift or a day of it, its filters, its forms and its CSV."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.builders.consoles import add_account, formula_cells, open_console, post_action
from tests.builders.dispute_pages import log_in_as_other, open_dispute
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records

EIGHT: Final = 1_735_779_600_000_000  # 2025-01-01 20:00:00 EST
EVIL: Final = "=cmd|' /C calc'!A0<script>alert(1)</script>"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient[Litestar]]:
    path = store_records(tmp_path / "store.duckdb", DISPUTED)
    for name in ("goes", "comes"):
        add_account(path, name, "operator")
    with open_console(path, "supervisor") as found:
        yield found


def entry(client: TestClient[Litestar], what: str, kind: str = "note", at: int = EIGHT, **fields: Any) -> str:
    """Enter something and give its id."""
    corrects = fields.pop("corrects", None)
    told = post_action(
        client, "log-entry", entry={"kind": kind, "at": at, "what": what, **fields}, corrects=corrects
    )
    return str(told["subject"]).removeprefix("log:")


def says(client: TestClient[Litestar], query: str = "") -> list[str]:
    return [line["what"] for line in client.get(f"/api/log{query}").json()["lines"]]


def handed(client: TestClient[Litestar]) -> None:
    """Hand the running shift from one to the other."""
    log_in_as_other(client, "goes")
    post_action(client, "log-handover", to="comes", remarks="quiet")
    log_in_as_other(client, "comes")
    post_action(client, "log-takeover")


def test_the_shift_that_runs_is_shown_and_the_one_before_stays_as_it_was_signed(
    client: TestClient[Litestar],
) -> None:
    entry(client, "camera 17 is out", "outage", until=EIGHT + 60_000_000)
    handed(client)
    entry(client, "camera 17 is back", "equipment")
    assert says(client) == ["camera 17 is back"]
    assert "camera 17 is out" in says(client, "?shift=1")
    page = client.get("/log?shift=1").text
    assert "Signed over by goes to comes" in page
    assert ": quiet</p>" in page
    assert "Closed: taken over by comes" in page
    assert "01/01/2025 8:00:00 PM EST<small>until 01/01/2025 8:01:00 PM EST</small>" in page
    assert 'href="/log?shift=2" rel="next"' in page
    assert "Taken over by comes" in client.get("/log").text
    assert client.get("/log?shift=3").status_code == 404
    assert client.get("/log?shift=0").status_code == 400
    assert [client.get(f"/log?day={day}").status_code for day in ("soon", "0001-01-01", "9999-12-31")] == [
        400
    ] * 3


def test_a_gaming_day_is_shown_across_its_shifts(client: TestClient[Litestar]) -> None:
    day = 86_400_000_000
    entry(client, "the day before", at=EIGHT - day)
    entry(client, "the evening")
    handed(client)
    # The gaming day begins at six: at five in the morning it is still the first of January.
    entry(client, "the night", at=EIGHT + 9 * 3_600_000_000)
    entry(client, "the next", at=EIGHT + 10 * 3_600_000_000)
    assert says(client, "?day=2025-01-01") == ["the evening", "the night"]
    assert says(client, "?day=2024-12-31") == ["the day before"]
    assert says(client, "?day=2025-01-01&shift=1") == ["the evening"]


def test_it_is_narrowed_to_a_kind_a_person_or_a_table(client: TestClient[Litestar]) -> None:
    alert = finding_ids(DISPUTED)["loser_not_collected"]
    post_action(client, "acknowledge", subject=f"alert:{alert}")
    entry(client, "box of BAC-7 exchanged", "drop", table="BAC-7")
    log_in_as_other(client, "goes")
    entry(client, "K. Ott", "visitor")
    assert says(client, "?kind=visitor") == ["K. Ott"]
    assert says(client, "?person=goes") == ["K. Ott"]
    # What was done about an alert is found by the table at which it is.
    assert says(client, "?table=BAC-7") == [
        "box of BAC-7 exchanged",
        "BAC-7, round 41: losing bet left up, seat 2 player: acknowledged",
    ]
    assert says(client, "?kind=&person=&table=&day=&shift=") == says(client)
    assert client.get("/api/log?kind=rumour").status_code == 400


def test_who_is_named_in_a_hand_is_masked_in_what_was_said_of_its_alert(client: TestClient[Litestar]) -> None:
    alert = finding_ids(DISPUTED)["loser_not_collected"]
    post_action(client, "note", subject=f"alert:{alert}", text="D-9 told anna")
    (said,) = says(client)
    about, _, noted = said.partition(": noted: ")
    assert about == "BAC-7, round 41: losing bet left up, seat 2 player"
    assert re.fullmatch(r"dealer ·[0-9a-f]{6} told patron ·[0-9a-f]{6}", noted)
    assert not any(name in client.get("/api/log/csv").text for name in ("D-9", "anna"))
    assert (
        client.post("/api/unmask", json={"subject": f"alert:{alert}", "reason": "an inquiry"}).status_code
        == 200
    )
    assert says(client) == ["BAC-7, round 41: losing bet left up, seat 2 player: noted: D-9 told anna"]


def test_a_line_says_of_which_dispute_it_is(client: TestClient[Litestar]) -> None:
    first, second = open_dispute(client), open_dispute(client)
    lines = client.get("/api/log?kind=dispute").json()["lines"]
    for name in (first, second):
        (what,) = [line["what"] for line in lines if name in line["subject"]]
        assert what.startswith(f"Dispute {name}: opened: ")


def test_a_correction_is_offered_filled_in_and_both_stay_on_the_page(client: TestClient[Litestar]) -> None:
    wrong = entry(client, "visitor of the Bord", "visitor")
    page = client.get("/log").text
    assert f"corrects={wrong}" in page
    form = client.get(f"/log?corrects={wrong}").text
    assert f'data-corrects="{wrong}"' in form
    assert "required>visitor of the Bord</textarea>" in form
    entry(client, "visitor of the Board", "visitor", corrects=wrong)
    page = client.get("/log").text
    assert f"corrects={wrong}" not in page
    struck = re.search(r'<tr id="line-\d+" class="corrected">.*?</tr>', page, re.DOTALL)
    assert struck is not None
    assert "visitor of the Bord<" in struck[0]
    assert "visitor of the Board" in page


def test_the_csv_has_every_line_and_no_formula(client: TestClient[Litestar]) -> None:
    entry(client, EVIL, informed="@all")
    entry(client, "plain", table="BAC-7")
    answer = client.get("/api/log/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="log-shift-1.csv"'
    assert formula_cells(answer.text) == []
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["what"].lstrip("'") for row in rows] == [EVIL, "plain"]
    assert (rows[1]["at"], rows[1]["until"], rows[1]["table"]) == ("01/01/2025 8:00:00 PM EST", "", "BAC-7")


def test_what_is_typed_stays_text(client: TestClient[Litestar]) -> None:
    entry(client, EVIL, table=EVIL, informed=EVIL)
    log_in_as_other(client, "goes")
    post_action(client, "log-handover", to="comes", remarks=EVIL)
    page = client.get("/log").text
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)") == 5  # of the entry three, of the handover two


def test_forms_are_offered_to_whom_they_are_for(client: TestClient[Litestar]) -> None:
    log_in_as_other(client, "goes")
    assert "#takeover-form" not in client.get("/log").text
    post_action(client, "log-handover", to="comes")
    assert "#takeover-form" not in client.get("/log").text
    log_in_as_other(client, "comes")
    assert "#takeover-form" in client.get("/log").text
    post_action(client, "log-takeover")
    old = client.get("/log?shift=1").text
    assert "#handover-form" not in old
    assert "#entry-form" in old


def test_who_only_reads_sees_no_form_and_enters_nothing(client: TestClient[Litestar], tmp_path: Path) -> None:
    add_account(tmp_path / "store.duckdb", "aud", "auditor")
    entry(client, "seen by all")
    log_in_as_other(client, "aud")
    page = client.get("/log").text
    assert "seen by all" in page
    assert "data-action" not in page
    told = {"id": "c" * 32, "action": "log-entry", "entry": {"kind": "note", "at": EIGHT, "what": "x"}}
    assert client.post("/api/actions", json=told).status_code == 403


def test_what_is_done_about_what_is_withheld_is_gone_from_the_log(client: TestClient[Litestar]) -> None:
    alert = finding_ids(DISPUTED)["loser_not_collected"]
    post_action(client, "note", subject=f"alert:{alert}", text="look at him")
    log_in_as_other(client, "goes")
    assert says(client) == ["BAC-7, round 41: losing bet left up, seat 2 player: noted: look at him"]
    log_in_as_other(client, "supervisor")
    for subject in (f"alert:{alert}", "round:2025-01-01|BAC-7|41", "table-day:2025-01-01|BAC-7"):
        placed = {"subject": subject, "whom": "goes", "reason": "it is about him"}
        assert client.post("/embargoes", data=placed).status_code < 400
    log_in_as_other(client, "goes")
    assert says(client) == []


def test_a_single_entry_can_be_withheld(client: TestClient[Litestar]) -> None:
    told = entry(client, "K. Ott", "visitor")
    entry(client, "camera 17 is out", "outage")
    placed = {"subject": f"log:{told}", "whom": "goes", "reason": "it is about her"}
    assert client.post("/embargoes", data=placed).status_code < 400
    assert says(client) == ["K. Ott", "camera 17 is out"]
    log_in_as_other(client, "goes")
    assert says(client) == ["camera 17 is out"]


def test_the_log_and_the_page_of_mutes_say_alike_what_a_mute_covers(client: TestClient[Litestar]) -> None:
    post_action(client, "mute", table="BAC-7", minutes=30, reason="readers are exchanged")
    covered = "all that is not critical at BAC-7"
    assert says(client) == [f"{covered} muted for 30 minutes: readers are exchanged"]
    cell = re.search(r'data-label="What">(.*?)<td', client.get("/muted").text, re.DOTALL)
    assert cell is not None
    assert re.sub(r"<[^>]*>", "", cell[1]).strip() == covered
