"""The pages of disputes: opened from any hand, shown whole, taken out, and no name for whom it is masked."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.action_log import actions_of
from projections.store.store_file import connect
from projections.web import bootstrap
from schemas.cameras import Cameras
from tests.builders.consoles import add_account, formula_cells, open_console, post_action
from tests.builders.dispute_pages import ABOUT, CALL, RULING, form_fields, log_in_as_other, open_dispute
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records

NAMES: Final = ("Zelda", "Fitz", "Moe", "Kim Pit", "Ray Boss", "anna")
EVIL: Final = "=cmd|' /C calc'!A0<script>alert(1)</script>"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return store_records(tmp_path / "store.duckdb", DISPUTED)


@pytest.fixture
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(path, "investigator") as found:
        yield found


def test_a_dispute_is_opened_from_a_round_or_from_an_alert_with_its_hand_filled_in(
    client: TestClient[Litestar],
) -> None:
    of_round = form_fields(client.get("/disputes/new?round=/rounds/2025-01-01/BAC-7/41").text, "dispute-open")
    hand = {"about.table": "BAC-7", "about.gaming_date": "2025-01-01", "about.rounds": "41"}
    assert hand.items() <= of_round.items()
    alert = finding_ids(DISPUTED)["loser_not_collected"]
    of_alert = form_fields(client.get(f"/disputes/new?alert={alert}").text, "dispute-open")
    assert (hand | {"about.seat": "2", "about.alerts": alert}).items() <= of_alert.items()
    assert client.get("/disputes/new?alert=none").status_code == 404
    assert client.get("/disputes/new?round=/shoes/1/2/3").status_code == 404
    assert "about.table" not in form_fields(client.get("/disputes/new").text, "dispute-open")


def before(client: TestClient[Litestar], query: str) -> str:
    """Return what the form of a new dispute says of those that are there, as it reads; empty: nothing."""
    found = re.search(r'<p id="before">(.*?)</p>', client.get(f"/disputes/new{query}").text, re.DOTALL)
    return re.sub("<[^>]*>", "", found[1]) if found is not None else ""


def test_a_new_dispute_of_a_round_begins_with_the_seat_that_was_settled_wrongly_most(
    client: TestClient[Litestar],
) -> None:
    # $10.00 was left up at seat 2, and $0.10 of vigorish not taken at seat 1.
    page = client.get("/disputes/new?round=/rounds/2025-01-01/BAC-7/41").text
    (chosen,) = re.findall(r'seat=(\d)[^"]*" aria-current="true"', page)
    assert chosen == "2"
    assert 'name="about.seat" data-sort="number" inputmode="numeric" value="2"' in page
    other = client.get("/disputes/new?round=/rounds/2025-01-01/BAC-7/41&seat=1").text
    assert re.findall(r'seat=(\d)[^"]*" aria-current="true"', other) == ["1"]


def test_a_new_dispute_says_that_there_is_one_of_its_hand_and_is_opened_all_the_same(
    client: TestClient[Litestar],
) -> None:
    alert = finding_ids(DISPUTED)["loser_not_collected"]
    place, of_alert = "?round=/rounds/2025-01-01/BAC-7/41", f"?alert={alert}"
    for query in (place, of_alert, ""):
        assert before(client, query) == ""
    others = (
        open_dispute(client, rounds=["40"]),
        open_dispute(client, table="BAC-8"),
        open_dispute(client, gaming_date="2025-01-02"),
    )
    for query in (place, of_alert, ""):
        assert before(client, query) == ""
    first = open_dispute(client)
    goes_on = "You can still open another."
    one = f"This hand already has a dispute: {first}, seat 2, open. {goes_on}"
    (at_seat,) = re.findall(
        r'href="/disputes/new(\?[^"]*seat=2[^"]*)"', client.get(f"/disputes/new{place}").text
    )
    assert before(client, of_alert) == before(client, unescape(at_seat)) == one
    assert f'<a href="/disputes/{first}">' in client.get(f"/disputes/new{of_alert}").text
    assert before(client, place) == one.replace("hand", "round")
    assert before(client, "") == ""
    third = open_dispute(client, seat=3)
    assert before(client, of_alert) == one
    assert f"This round already has disputes: {third}, seat 3, open; {first}, seat 2, open." in before(
        client, place
    )
    unseated = open_dispute(client, seat=None)
    assert f"{unseated}, open; {first}, seat 2, open." in before(client, of_alert)
    alone = open_dispute(client, seat=None, rounds=[], alerts=[alert])
    assert f"{alone}, open; {unseated}, open; {first}, seat 2, open." in before(client, of_alert)
    assert alone not in before(client, place)
    assert not any(each in before(client, place) for each in others)


def test_the_pages_of_a_round_and_of_an_alert_lead_there(client: TestClient[Litestar], path: Path) -> None:
    alert = finding_ids(DISPUTED)["loser_not_collected"]
    views = ("/rounds/2025-01-01/BAC-7/41", f"/alerts/{alert}")
    for view in views:
        (leads,) = re.findall(r'href="(/disputes/new[^"]*)"', client.get(view).text)
        assert form_fields(client.get(leads).text, "dispute-open")["about.rounds"] == "41"
    add_account(path, "aud", "auditor")
    log_in_as_other(client, "aud")
    assert all("/disputes/new" not in client.get(view).text for view in views)


def test_its_page_describes_the_hand_with_the_sums_and_the_command_of_the_bundle(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client, rounds=["41", "999"])
    page = client.get(f"/disputes/{name}").text
    assert '<p class="telephone">Round 41 at BAC-7' in page
    assert "losing bet left up" in page
    # Round 41: anna's wager at seat 2 was not collected. Her name is masked.
    assert re.search(r"<p>Seat 2, patron ·[0-9a-f]{6} · ", page)
    assert "The store has no round 999 of BAC-7 on 01/01/2025." in page
    command = (
        "discardrack evidence ARCHIVE BAC-7 41 --date 2025-01-01 --seat 2 --key KEY "
        f"--out dispute-{name}-41.zip"
    )
    assert command in page
    told = client.get(f"/api/disputes/{name}").json()
    assert [each["command"] for each in told["rounds"]] == [command]
    assert told["unknown"] == ["999"]


# The round was opened at 20:15:00 and no other followed: it is looked at from 30 s before to 330 s after. The
# recorder is ahead by so many milliseconds as the dispute says, or else as the file of cameras does.
@pytest.mark.parametrize(
    ("own", "of_file", "at", "start", "end", "link"),
    [
        (600_000, 500, "8:25:00 PM", "8:24:30 PM", "8:30:30 PM", "01:24:30.000Z"),
        (-1_200, 500, "8:14:58 PM", "8:14:28 PM", "8:20:28 PM", "01:14:28.800Z"),
        (0, 500, "8:15:00 PM", "8:14:30 PM", "8:20:30 PM", "01:14:30.000Z"),
        (None, -90_000, "8:13:30 PM", "8:13:00 PM", "8:19:00 PM", "01:13:00.000Z"),
        (600_000, None, "8:25:00 PM", "8:24:30 PM", "8:30:30 PM", None),
    ],
)
def test_every_time_by_the_recorder_s_clock_has_one_offset(
    path: Path, own: int | None, of_file: int | None, at: str, start: str, end: str, link: str | None
) -> None:
    settings = bootstrap.USUAL
    if of_file is not None:
        cameras = Cameras("https://nvr/{camera}?t={start}", {"BAC-7": ["PTZ"]}, clock_offset_ms=of_file)
        settings = bootstrap.ConsoleSettings(cameras=cameras)
    with open_console(path, "investigator", on=bootstrap.load_console(path, settings=settings)) as client:
        name = open_dispute(client)
        if own is not None:
            post_action(
                client, "dispute-footage", subject=f"dispute:{name}", footage={"clock_offset_ms": own}
            )
        page = client.get(f"/disputes/{name}").text
        (row,) = csv.DictReader(io.StringIO(client.get(f"/api/disputes/{name}/itrak").text))
    hand = page.partition('id="hands"')[2].partition("</section>")[0]
    told = " ".join(re.sub("<[^>]*>", "", hand).split())
    assert f"On the recorder's clock at 01/01/2025 {at} EST." in told
    assert f"01/01/2025 {start} EST to {end} by the recorder's clock" in told
    links = [] if link is None else [f"https://nvr/PTZ?t={quote(f'2025-01-02T{link}')}"]
    assert re.findall(r'href="(https://nvr[^"]*)"', hand) == links
    # The form's own time is of the tables' clock; the offset stands beside it.
    assert row["Time of Violation"] == "2025-01-01 20:15:00"
    assert row["Recorder Clock Offset ms"] == str(own if own is not None else of_file)


def test_without_a_known_offset_no_time_by_the_recorder_s_clock_is_shown(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client)
    assert "On the recorder's clock" not in client.get(f"/disputes/{name}").text
    (row,) = csv.DictReader(io.StringIO(client.get(f"/api/disputes/{name}/itrak").text))
    assert row["Recorder Clock Offset ms"] == ""


def test_the_whole_way_from_the_call_to_the_closing_stands_on_its_page(client: TestClient[Litestar]) -> None:
    name = open_dispute(client)
    on = {"subject": f"dispute:{name}"}
    post_action(client, "dispute-call", call=CALL | {"answered": CALL["called"] + 60_000_000}, **on)
    post_action(client, "dispute-findings", findings={"text": "left lying", "losses_cents": 1_000}, **on)
    post_action(client, "dispute-rule", ruling=RULING, **on)
    post_action(client, "dispute-acceptance", acceptance="accepted", **on)
    post_action(client, "dispute-bundle", bundle={"name": "d.zip", "sha256": "ab" * 32}, **on)
    post_action(client, "dispute-close", outcome="claim not upheld", **on)
    page = client.get(f"/disputes/{name}").text
    facts = page.partition('id="facts"')[2].partition("<section")[0]
    for said in ("left lying", "$10.00", "the chips were lost", "accepted", "d.zip", "ab" * 32):
        assert said in facts, said
    assert "claim not upheld; by investigator" in facts
    history = page.partition('id="history"')[2]
    assert history.count("<li><b") == 7
    assert "<li>What the review found: <ins>left lying</ins></li>" in history
    assert "<li>Ruling: <ins>the chips were lost</ins></li>" in history
    assert "Reopen" in page
    assert 'href="#close-form"' not in page


def test_a_refusal_is_a_sentence_and_the_same_action_again_is_answered_alike(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client)
    refused = post_action(client, "dispute-close", 409, subject=f"dispute:{name}", outcome="claim upheld")
    assert refused["error"] == "Nothing was ruled yet; write the ruling down before it is closed."
    note = {"id": "a" * 32, "action": "dispute-note", "subject": f"dispute:{name}", "text": "x"}
    first, again = (client.post("/api/actions", json=note) for _ in range(2))
    assert first.json() == again.json()
    assert len(client.get(f"/api/disputes/{name}").json()["history"]) == 2


def offered(client: TestClient[Litestar], name: str) -> set[str]:
    """Return the actions that a dispute's page has a form of; each is led to, and nothing else is."""
    page = client.get(f"/disputes/{name}").text
    forms = re.findall(r'<form class="part" id="([^"]+)"[^>]*data-action="([^"]+)"', page)
    (doing,) = re.findall(r'<nav class="actions".*?</nav>', page, re.DOTALL)
    led = set(re.findall(r'href="#([^"]+)"', doing))
    assert led - {"unmask-form", "attach-form"} == {form for form, _ in forms}
    return {action for _, action in forms}


def test_a_closed_dispute_offers_what_is_taken_of_it_and_shows_the_rest(client: TestClient[Litestar]) -> None:
    name = open_dispute(client)
    on = {"subject": f"dispute:{name}"}
    ever = {"dispute-footage", "dispute-note", "dispute-bundle"}
    while_open = {
        "dispute-call", "dispute-about", "dispute-findings", "dispute-rule", "dispute-acceptance",
        "dispute-refer",
    }  # fmt: skip
    assert offered(client, name) == ever | while_open
    post_action(client, "dispute-rule", ruling=RULING, **on)
    assert offered(client, name) == ever | while_open | {"dispute-close"}
    post_action(client, "dispute-close", outcome="claim upheld", **on)
    assert offered(client, name) == ever | {"dispute-reopen"}
    page = client.get(f"/disputes/{name}").text
    assert RULING["text"] in page
    assert "data-print" in page
    assert f'href="/api/disputes/{name}/itrak"' in page
    for action, part in {
        "dispute-call": {"call": CALL},
        "dispute-about": {"about": ABOUT},
        "dispute-findings": {"findings": {"text": "x"}},
        "dispute-rule": {"ruling": RULING},
        "dispute-acceptance": {"acceptance": "accepted"},
        "dispute-refer": {"referral": {"to": "K. Ott", "at": CALL["called"]}},
        "dispute-review": {"agrees": True, "text": "x"},
        "dispute-close": {"outcome": "claim upheld"},
    }.items():
        refused = post_action(client, action, 409, **part, **on)["error"]
        assert refused == "It was closed by investigator: claim upheld. Open it again first."
    post_action(client, "dispute-footage", footage={"clock_offset_ms": 1}, **on)
    post_action(client, "dispute-note", text="seen", **on)
    post_action(client, "dispute-bundle", bundle={"name": "d.zip", "sha256": "ab" * 32}, **on)
    post_action(client, "dispute-reopen", reason="the patron came back", **on)
    assert offered(client, name) == ever | while_open | {"dispute-close"}


def test_ruling_and_second_review_are_offered_when_and_to_whom_they_are_allowed(
    client: TestClient[Litestar], path: Path
) -> None:
    for name in ("ruler", "second"):
        add_account(path, name, "operator")
    dispute = open_dispute(client)
    on = {"subject": f"dispute:{dispute}"}
    settling = {"dispute-review", "dispute-close", "dispute-reopen"}

    def offers(who: str) -> set[str]:
        log_in_as_other(client, who)
        return offered(client, dispute) & settling

    assert offers("second") == set()
    refused = post_action(client, "dispute-review", 409, agrees=True, text="seen", **on)["error"]
    assert refused == "There is no ruling to review yet."
    refused = post_action(client, "dispute-close", 409, outcome="claim upheld", **on)["error"]
    assert refused == "Nothing was ruled yet; write the ruling down before it is closed."
    log_in_as_other(client, "investigator")
    post_action(client, "dispute-rule", ruling=RULING | {"ruled_by": "ruler"}, **on)
    # Who ruled, and who wrote the ruling down, review nothing; each may close it.
    assert offers("ruler") == offers("investigator") == {"dispute-close"}
    assert offers("second") == {"dispute-review", "dispute-close"}
    post_action(client, "dispute-review", agrees=False, text="the dice were cocked", **on)
    assert offers("second") == {"dispute-review"}
    assert offers("ruler") == set()
    log_in_as_other(client, "second")
    post_action(client, "dispute-review", agrees=True, text="seen again", **on)
    assert offers("ruler") == {"dispute-close"}
    post_action(client, "dispute-close", outcome="claim upheld", **on)
    assert offers("second") == {"dispute-reopen"}


def test_names_are_masked_in_every_view_until_they_are_asked_for(client: TestClient[Litestar]) -> None:
    name = open_dispute(client)
    post_action(client, "dispute-rule", subject=f"dispute:{name}", ruling=RULING)
    views = [f"{root}/{page}" for root in ("", "/api") for page in ("disputes", f"disputes/{name}", "log")]
    for view in views:
        text = client.get(view).text
        assert [each for each in NAMES if each in text] == [], view
        assert "·" in text, view
    reason = {"subject": f"dispute:{name}", "reason": "the patron is here"}
    assert client.post("/api/unmask", json=reason).status_code == 200
    for view in views:
        assert "Zelda Fitz" in client.get(view).text, view


def test_who_called_is_the_same_mask_in_the_history_as_above_it(client: TestClient[Litestar]) -> None:
    told = client.get(f"/api/disputes/{open_dispute(client)}").json()
    begun = {each["name"]: each["after"] for each in told["history"][0]["changes"]}
    assert begun["caller"] == told["dispute"]["call"]["caller"]
    assert begun["caller"].startswith("caller ·")
    assert begun["patron"] == told["dispute"]["about"]["patron"]


def test_a_role_that_was_typed_before_a_name_is_not_said_twice_where_the_name_is_masked(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client, claim="Patron Zelda Fitz says that Zelda Fitz won")
    on = {"subject": f"dispute:{name}"}
    post_action(client, "dispute-note", text="the floorperson Moe Floor heard it", **on)
    dispute = client.get(f"/api/disputes/{name}").json()["dispute"]
    patron, floor = dispute["about"]["patron"], dispute["about"]["supervisor"]
    assert re.fullmatch(r"patron ·[0-9a-f]{6}", patron)
    claim = f"P{patron[1:]} says that {patron} won"
    assert dispute["about"]["claim"] == claim
    for view in ("/disputes", f"/disputes/{name}", "/log"):
        page = client.get(view).text
        assert claim in page
        assert "Patron patron" not in page
    assert f"the {floor} heard it" in client.get(f"/disputes/{name}").text
    assert f"claim: {claim}; the {floor} heard it" in client.get(f"/api/disputes/{name}/itrak").text
    about = ABOUT | {"claim": claim}
    refused = post_action(client, "dispute-about", 409, about=about, why="x", **on)["error"]
    assert refused.startswith(f"P{patron[1:]} stands for a name that you do not see")
    client.post("/api/unmask", json={"subject": f"dispute:{name}", "reason": "the patron is here"})
    assert "Patron Zelda Fitz says that Zelda Fitz won" in client.get(f"/disputes/{name}").text


def test_a_form_that_shows_masks_changes_nothing_that_it_left_alone(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client)
    shown = client.get(f"/api/disputes/{name}").json()["dispute"]["about"]
    assert shown["patron"] != "Zelda Fitz"
    changed = shown | {"claim_cents": 2_000}
    keep = [each for each in changed if each != "claim_cents"]
    post_action(
        client, "dispute-about", subject=f"dispute:{name}", about=changed, keep=keep, why="both chips"
    )
    reason = {"subject": f"dispute:{name}", "reason": "the patron is here"}
    client.post("/api/unmask", json=reason)
    now = client.get(f"/api/disputes/{name}").json()["dispute"]["about"]
    assert now == ABOUT | {"claim_cents": 2_000}


def test_footage_that_is_due_stands_first(client: TestClient[Litestar]) -> None:
    first, second = open_dispute(client), open_dispute(client)
    far = {"expires": 2_500_000_000_000_000}  # in the year 2049
    post_action(client, "dispute-footage", subject=f"dispute:{first}", footage=far)
    post_action(
        client, "dispute-footage", subject=f"dispute:{second}", footage={"expires": 1_735_790_000_000_000}
    )
    assert [each["name"] for each in client.get("/api/disputes/due").json()] == [second]
    page = client.get("/disputes").text
    assert page.index("Footage to preserve now") < page.index("All disputes")


def test_the_csv_has_the_fields_of_a_gaming_disputes_audit_and_no_formula(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client, claim=EVIL)
    on = {"subject": f"dispute:{name}"}
    post_action(client, "dispute-findings", findings={"text": "@left", "savings_cents": 123_456}, **on)
    post_action(client, "dispute-footage", footage={"clock_offset_ms": -2}, **on)
    client.post("/api/unmask", json={"subject": f"dispute:{name}", "reason": "for the incident file"})
    answer = client.get(f"/api/disputes/{name}/itrak")
    assert answer.headers["content-disposition"] == f'attachment; filename="dispute-{name}.csv"'
    assert formula_cells(answer.text) == []
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["Section"], row["Requested By"], row["Subject"]) == (
        "BAC-7, round 41, seat 2",
        "Kim Pit",
        "Zelda Fitz",
    )
    assert (row["Savings"], row["Losses"], row["Claim Amount"]) == ("$1,234.56", "", "$10.00")
    assert row["Recorder Clock Offset ms"] == "-2"  # a number, which no spreadsheet reckons
    assert (row["Dealer"], row["Violation"]) == ("D-9", "losing bet left up")
    assert row["Time of Violation"] == "2025-01-01 20:15:00"


def test_what_is_typed_stays_text(client: TestClient[Litestar]) -> None:
    name = open_dispute(client, claim=EVIL, table="BAC-7")
    post_action(client, "dispute-note", subject=f"dispute:{name}", text=EVIL)
    for view in ("/disputes", f"/disputes/{name}", "/log"):
        page = client.get(view).text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page


def test_who_only_reads_sees_no_form_and_may_not_write(client: TestClient[Litestar], path: Path) -> None:
    name = open_dispute(client)
    add_account(path, "aud", "auditor")
    log_in_as_other(client, "aud")
    page = client.get(f"/disputes/{name}").text
    assert "data-action" not in page
    assert client.get("/disputes/new").status_code == 403
    note = {"id": "b" * 32, "action": "dispute-note", "subject": f"dispute:{name}", "text": "x"}
    assert client.post("/api/actions", json=note).status_code == 403


def test_for_whom_it_is_withheld_from_it_is_gone_from_every_view(
    client: TestClient[Litestar], path: Path
) -> None:
    name = open_dispute(client)
    add_account(path, "op", "operator")
    placed = {"subject": f"dispute:{name}", "whom": "op", "reason": "it is about him"}
    assert client.post("/embargoes", data=placed).status_code < 400
    new = "?round=/rounds/2025-01-01/BAC-7/41"
    assert name in before(client, new)
    log_in_as_other(client, "op")
    assert before(client, new) == ""
    assert client.get(f"/disputes/{name}").status_code == 404
    assert client.get(f"/api/disputes/{name}").status_code == 404
    for view in ("/disputes", "/api/disputes", "/api/disputes/due", "/log", "/api/log"):
        assert name not in client.get(view).text


def test_what_was_done_is_in_the_store_s_chain(client: TestClient[Litestar], path: Path) -> None:
    name = open_dispute(client)
    post_action(client, "dispute-note", subject=f"dispute:{name}", text="x")
    client.__exit__()
    db = connect(path, writing=False)
    assert [(each.action, each.subject) for each in actions_of(db)] == [
        ("dispute-open", f"dispute:{name}"),
        ("dispute-note", f"dispute:{name}"),
    ]
    db.close()


def test_the_commands_name_the_archive_where_it_is_known(path: Path) -> None:
    known = bootstrap.load_console(path)
    known.live.archive = "/srv/the archive"
    with open_console(path, "investigator", on=known) as client:
        name = post_action(client, "dispute-open", about=ABOUT, call=CALL)["subject"].removeprefix("dispute:")
        (told,) = client.get(f"/api/disputes/{name}").json()["rounds"]
    assert told["command"].startswith("discardrack evidence '/srv/the archive' BAC-7 41 --date 2025-01-01")


def test_what_a_form_cannot_be_sent_without_says_so_at_its_field(
    client: TestClient[Litestar], path: Path
) -> None:
    name = open_dispute(client)
    post_action(client, "dispute-rule", subject=f"dispute:{name}", ruling=RULING)
    add_account(path, "second", "operator")
    log_in_as_other(client, "second")
    page = client.get(f"/disputes/{name}").text + client.get("/disputes/new").text
    labels = re.findall(r"<label[^>]*>\s*([^<]*?)\s*<(?:input|select|textarea)([^>]*)>", page)
    said = {label for label, attributes in labels if " required" in attributes}
    assert {"Ruled (required)", "Ruled by (required)", "Claim (required)", "Note (required)"} <= said
    assert "The second reviewer (required)" in said
    assert [label for label in said if not label.endswith("(required)")] == []
    assert [label for label, attributes in labels if "(required)" in label and label not in said] == []
    assert "Paid to the patron" in {label for label, _ in labels}
