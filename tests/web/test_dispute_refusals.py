"""Each refusal of a form: its status, its code, and the field of the form that it is about."""

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.auth.auth_plugin import Access
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.dispute_pages import ABOUT, CALL, RULING, form_fields, log_in_as_other, open_dispute
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records

CALLED: Final[int] = CALL["called"]
FUTURE: Final = 4_000_000_000_000_000  # 2096
ALERT: Final = finding_ids(DISPUTED)["loser_not_collected"]
MASKED: Final = "patron ·1a2b3c"
Refused: TypeAlias = tuple[int, str, str | None]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    path = store_records(tmp_path_factory.mktemp("refused") / "store.duckdb", DISPUTED)
    add_account(path, "second", "supervisor")
    add_account(path, "kept-out", "operator")
    with open_console(path, "investigator") as found:
        yield found


@pytest.fixture
def refused(client: TestClient[Litestar]) -> Callable[..., Refused]:
    def of(action: str, status: int, **fields: Any) -> Refused:
        answer = post_action(client, action, status, **fields)
        return status, answer["code"], answer.get("field")

    return of


@pytest.mark.parametrize(
    ("about", "call", "status", "code", "field"),
    [
        ({"table": ""}, {}, 400, "out_of_form", "about.table"),
        ({"gaming_date": "2025-13-01"}, {}, 400, "out_of_form", "about.gaming_date"),
        ({"rounds": ["41", ""]}, {}, 400, "out_of_form", "about.rounds[1]"),
        ({"seat": -1}, {}, 400, "out_of_form", "about.seat"),
        ({"patron": ""}, {}, 400, "out_of_form", "about.patron"),
        ({"supervisor": "\t"}, {}, 400, "out_of_form", "about.supervisor"),
        ({"claim": " "}, {}, 400, "out_of_form", "about.claim"),
        ({"claim_cents": 1.5}, {}, 400, "out_of_form", "about.claim_cents"),
        ({"alerts": [""]}, {}, 400, "out_of_form", "about.alerts[0]"),
        ({}, {"called": None}, 400, "out_of_form", "call.called"),
        ({}, {"caller": "x" * 129}, 400, "out_of_form", "call.caller"),
        ({"claim": f"{MASKED} says so"}, {}, 409, "masked_name", "about.claim"),
        ({"patron": MASKED}, {}, 409, "masked_name", "about.patron"),
        ({}, {"caller": MASKED}, 409, "masked_name", "call.caller"),
        ({}, {"called": FUTURE}, 409, "not_come", "call.called"),
        ({}, {"answered": FUTURE}, 409, "not_come", "call.answered"),
        ({}, {"answered": CALLED - 1}, 409, "out_of_order", "call.answered"),
        ({}, {"answered_by": "bob"}, 409, "missing", "call.answered"),
    ],
)
def test_a_new_dispute_is_refused_at_the_field(
    refused: Callable[..., Refused],
    about: dict[str, Any],
    call: dict[str, Any],
    status: int,
    code: str,
    field: str,
) -> None:
    found = refused("dispute-open", status, about=ABOUT | about, call=CALL | call)
    assert found == (status, code, field)


@pytest.mark.parametrize(
    ("subject", "about", "field"),
    [
        (f"alert:{ALERT}", {"rounds": [], "alerts": [ALERT]}, "about.alerts"),
        ("round:2025-01-01|BAC-7|41", {"rounds": ["41"]}, "about.rounds"),
        ("table-day:2025-01-01|BAC-7", {"rounds": []}, "about.table"),
    ],
)
def test_what_is_withheld_is_refused_at_the_field_that_names_it(
    client: TestClient[Litestar], subject: str, about: dict[str, Any], field: str
) -> None:
    embargoes = client.app.plugins.get(Access).auth.embargoes
    embargoes.place(subject, "kept-out", "named in it", by="investigator")
    log_in_as_other(client, "kept-out")
    answer = post_action(client, "dispute-open", 409, about=ABOUT | about, call=CALL)
    assert (answer["code"], answer["field"]) == ("gone", field)
    log_in_as_other(client, "investigator")


FOOTAGE: Final = {"preserved": CALLED, "reference": "R-17"}


@pytest.mark.parametrize(
    ("action", "fields", "status", "code", "field"),
    [
        ("dispute-footage", {"footage": {"preserved": CALLED}}, 409, "missing", "footage.reference"),
        ("dispute-footage", {"footage": {"preserved_by": "ann"}}, 409, "missing", "footage.preserved"),
        (
            "dispute-footage",
            {"footage": FOOTAGE | {"preserved": FUTURE}},
            409,
            "not_come",
            "footage.preserved",
        ),
        ("dispute-footage", {"footage": {"requested": FUTURE}}, 409, "not_come", "footage.requested"),
        (
            "dispute-footage",
            {"footage": FOOTAGE | {"requested": CALLED + 1}},
            409,
            "out_of_order",
            "footage.preserved",
        ),
        (
            "dispute-footage",
            {"footage": {"clock_offset_ms": 1 << 40}},
            400,
            "out_of_form",
            "footage.clock_offset_ms",
        ),
        (
            "dispute-footage",
            {"footage": {"requested_by": MASKED}},
            409,
            "masked_name",
            "footage.requested_by",
        ),
        ("dispute-findings", {"findings": {"text": ""}}, 400, "out_of_form", "findings.text"),
        ("dispute-findings", {"findings": {"text": "x", "ended": FUTURE}}, 409, "not_come", "findings.ended"),
        (
            "dispute-findings",
            {"findings": {"text": "x", "began": CALLED, "ended": CALLED - 1}},
            409,
            "out_of_order",
            "findings.ended",
        ),
        ("dispute-rule", {"ruling": RULING | {"ruled": FUTURE}}, 409, "not_come", "ruling.ruled"),
        ("dispute-rule", {"ruling": RULING | {"ruled_by": MASKED}}, 409, "masked_name", "ruling.ruled_by"),
        ("dispute-rule", {"ruling": RULING | {"paid_cents": 1.5}}, 400, "out_of_form", "ruling.paid_cents"),
        ("dispute-refer", {"referral": {"to": "K. Ott", "at": FUTURE}}, 409, "not_come", "referral.at"),
        ("dispute-acceptance", {"acceptance": "perhaps"}, 400, "out_of_form", "acceptance"),
        ("dispute-call", {"call": CALL}, 409, "unchanged", None),
        ("dispute-call", {"call": CALL | {"called": CALLED - 1}}, 409, "reason_missing", "why"),
        ("dispute-call", {"call": CALL | {"answered": CALLED}, "why": "x"}, 409, "reason_unneeded", "why"),
        ("dispute-call", {"call": CALL, "keep": ["seating"]}, 409, "unknown_field", "keep"),
        ("dispute-note", {"text": " "}, 400, "out_of_form", "text"),
        (
            "dispute-bundle",
            {"bundle": {"name": "a/b.zip", "sha256": "ab" * 32}},
            400,
            "out_of_form",
            "bundle.name",
        ),
        (
            "dispute-bundle",
            {"bundle": {"name": "b.zip", "sha256": "ab"}},
            400,
            "out_of_form",
            "bundle.sha256",
        ),
        ("dispute-review", {"agrees": True, "text": "seen"}, 409, "not_ruled", None),
        ("dispute-close", {"outcome": "claim upheld"}, 409, "not_ruled", None),
        ("dispute-close", {"outcome": "lost"}, 400, "out_of_form", "outcome"),
        ("dispute-reopen", {"reason": "too soon"}, 409, "not_closed", None),
        ("dispute-reopen", {"reason": ""}, 400, "out_of_form", "reason"),
    ],
)
def test_each_form_of_an_open_dispute_is_refused_at_the_field(
    client: TestClient[Litestar],
    refused: Callable[..., Refused],
    action: str,
    fields: dict[str, Any],
    status: int,
    code: str,
    field: str | None,
) -> None:
    name = open_dispute(client)
    found = refused(action, status, subject=f"dispute:{name}", **fields)
    assert found == (status, code, field)


def test_what_was_done_already_is_refused_by_code(
    client: TestClient[Litestar], refused: Callable[..., Refused]
) -> None:
    name = open_dispute(client)
    on = {"subject": f"dispute:{name}"}
    bundle = {"name": "d.zip", "sha256": "ab" * 32}
    post_action(client, "dispute-bundle", bundle=bundle, **on)
    assert refused("dispute-bundle", 409, bundle=bundle, **on) == (409, "repeated", "bundle.sha256")
    post_action(client, "dispute-rule", ruling=RULING, **on)
    review = {"agrees": False, "text": "seen"}
    assert refused("dispute-review", 409, **review, **on) == (409, "same_person", None)
    log_in_as_other(client, "second")
    post_action(client, "dispute-review", **review, **on)
    closing = {"outcome": "claim upheld"}
    assert refused("dispute-close", 409, **closing, **on) == (409, "review_disagrees", None)
    post_action(client, "dispute-review", **review | {"agrees": True}, **on)
    post_action(client, "dispute-close", **closing, **on)
    assert refused("dispute-close", 409, **closing, **on) == (409, "closed", None)
    assert refused("dispute-rule", 409, ruling=RULING, **on) == (409, "closed", None)
    assert refused("dispute-note", 409, subject="dispute:ffffff", text="x") == (409, "gone", None)
    log_in_as_other(client, "investigator")


@pytest.mark.parametrize(
    ("action", "fields", "code", "field"),
    [
        ("assign", {"to": "nobody-here"}, "unknown_person", "to"),
        ("tag", {"word": "chips", "off": True}, "unchanged", "word"),
        ("release", {}, "unassigned", None),
        ("reopen", {"reason": "again"}, "not_closed", None),
        ("second", {"agrees": True}, "not_waiting", None),
        ("merge", {}, "missing", "others"),
        ("merge", {"others": [f"alert:{ALERT}"]}, "unchanged", "others"),
        ("undo", {}, "nothing_to_undo", None),
        ("acknowledge", {"subject": "alert:none"}, "gone", None),
        ("mute", {"minutes": 5, "reason": "noisy"}, "missing", "check"),
        ("mute", {"minutes": 5, "reason": "noisy", "check": "late_wagers"}, "unknown_check", "check"),
        ("mute", {"minutes": 5, "reason": "noisy", "table": "BAC-8"}, "unknown_table", "table"),
    ],
)
def test_an_action_on_a_case_is_refused_by_code_at_the_field(
    client: TestClient[Litestar], action: str, fields: dict[str, Any], code: str, field: str | None
) -> None:
    log_in_as_other(client, "second")
    subject = {} if action == "mute" else {"subject": f"alert:{ALERT}"}
    answer = post_action(client, action, 409, **subject | fields)
    assert (answer["code"], answer.get("field")) == (code, field)


@pytest.mark.parametrize(
    ("entry", "more", "code", "field"),
    [
        ({"at": FUTURE}, {}, "not_come", "entry.at"),
        ({"until": FUTURE}, {}, "not_come", "entry.until"),
        ({"until": CALLED - 1}, {}, "out_of_order", "entry.until"),
        ({}, {"corrects": "0" * 32}, "gone", "corrects"),
    ],
)
def test_a_log_entry_is_refused_at_the_field(
    client: TestClient[Litestar], entry: dict[str, Any], more: dict[str, Any], code: str, field: str
) -> None:
    log_in_as_other(client, "second")
    written = {"kind": "note", "at": CALLED, "what": "seen"} | entry
    answer = post_action(client, "log-entry", 409, entry=written, **more)
    assert (answer["code"], answer["field"]) == (code, field)


def test_a_bundle_s_form_is_refused_at_the_field(client: TestClient[Litestar]) -> None:
    name = open_dispute(client)
    answer = client.post(f"/api/disputes/{name}/bundle", data={"round": "41", "reason": " "})
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (
        400,
        "out_of_form",
        "reason",
    )


def test_the_steps_and_what_comes_next_stand_on_the_page_and_in_the_list(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client)
    page = client.get(f"/disputes/{name}").text
    steps = page.partition('id="steps"')[2].partition("</ol>")[0]
    assert steps.count("<li") == 6
    assert steps.count('aria-current="step"') == 1
    assert 'href="#footage-form"' in steps
    post_action(client, "dispute-rule", ruling=RULING, subject=f"dispute:{name}")
    page = client.get(f"/disputes/{name}").text
    steps = page.partition('id="steps"')[2].partition("</ol>")[0]
    assert 'href="#ruling-form"' in steps
    row = client.get("/disputes").text.partition(f'href="/disputes/{name}"')[2].partition("</tr>")[0]
    assert "Record what was paid<small>waiting for the table or the cage, under 1 min</small>" in row


def test_a_ruling_begins_with_the_time_now_and_a_changed_one_with_its_own(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client)
    begins = form_fields(client.get(f"/disputes/{name}").text, 'id="ruling-form"')
    assert begins["ruling.ruled"].startswith("20")
    post_action(client, "dispute-rule", ruling=RULING, subject=f"dispute:{name}")
    stands = form_fields(client.get(f"/disputes/{name}").text, 'id="ruling-form"')
    assert stands["ruling.ruled"] == "2025-01-01T20:07:40"  # RULING's, in New York
    assert stands["ruling.ruled"] != begins["ruling.ruled"]
