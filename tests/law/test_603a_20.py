"""603a.20: Match Play Coupons from receipt to report. Each test changes one thing in a log that is clean."""

from typing import Any

import pytest

from schemas.errors import BadInput
from tests.builders.texts import text_of
from tests.law.coupon_programme import (
    APPROVED,
    CONTENT,
    DAY,
    FINANCE,
    FORM,
    ISSUED,
    MARKETING,
    RECEIVED,
    RECONCILED,
    RETURNED,
    Happened,
    at,
    cancelled,
    changed,
    counted,
    dropped,
    found,
    given,
    judged,
    keeping,
    life,
    mailing,
    played,
    programme,
    settled,
    signer,
    without,
)

Finding = tuple[str, str, str | None]

LOT = "1001-1010"
OUT = "1001-1005"


def in_content(*left_out: str) -> list[str]:
    return [word for word in CONTENT if word not in left_out]


def with_form(**fields: Any) -> list[Happened]:
    """Change entries of the form; `...` takes one out."""
    form = {name: value for name, value in {**FORM, **fields}.items() if value is not ...}
    return changed(programme(), "day_closed", form=form)


@pytest.mark.parametrize("log", [programme, life, mailing, keeping])
def test_603a_20_a(log: Any) -> None:
    # A programme that is run by the section may be run.
    assert (judged(log()).verdict, found(log())) == ("clean", [])


# ── (b), (c): what must be approved, and what a coupon bears ────────────────────────────────────────


def test_603a_20_b() -> None:
    # Approved after the first issue is too late, and is said once.
    late = [{**each, "at": "2013-10-01T14:00:01Z"} for each in APPROVED]
    events = [*late, *programme()[2:]]
    assert found(events) == [
        ("coupon_design_not_approved", "603a.20(b)(1)", OUT),
        ("coupon_controls_not_approved", "603a.20(b)(2)", OUT),
    ]
    just_before = [{**each, "at": "2013-10-01T14:00:00Z"} for each in APPROVED]
    assert found([*just_before, *programme()[2:]]) == []


def test_603a_20_b_1() -> None:
    assert found([APPROVED[1], *programme()[2:]]) == [("coupon_design_not_approved", "603a.20(b)(1)", OUT)]


def test_603a_20_b_2() -> None:
    assert found([APPROVED[0], *programme()[2:]]) == [("coupon_controls_not_approved", "603a.20(b)(2)", OUT)]


def lacking(*words: str, **fields: Any) -> list[Finding]:
    return found(changed(programme(), "received", content=in_content(*words), **fields))


def test_603a_20_c() -> None:
    # Whatever a log calls the six things, as a list or as an object of flags.
    for content in (
        ["logo", "denomination", "serial_number", "game", "expires", "area_for_chips"],
        dict.fromkeys(
            ["Name or logo", "Value", "Serial no.", "Restrictions", "Expiration", "Chip area"], True
        ),
    ):
        assert found(changed(programme(), "received", content=content)) == []
    nothing = [cite for _, cite, _ in found(changed(programme(), "received", content=...))]
    assert sorted(nothing) == [f"603a.20(c)({n})" for n in range(1, 7)]
    test_603a_20_c_2_taken_for_what_it_states()


def test_603a_20_c_1() -> None:
    assert lacking("name") == [("coupon_lacks_name", "603a.20(c)(1)", LOT)]


def test_603a_20_c_2() -> None:
    assert lacking("value") == [("coupon_lacks_value", "603a.20(c)(2)", LOT)]
    test_603a_20_c_2_taken_for_what_it_states()


def test_603a_20_c_2_taken_for_what_it_states() -> None:
    # 1001 states $10.00, and is taken for $5.00.
    assert [each[0] for each in found(changed(programme(), "played", "1001", value_cents=500))][:1] == [
        "coupon_value_wrong"
    ]


def test_603a_20_c_3() -> None:
    assert lacking("serial") == [("coupon_lacks_serial", "603a.20(c)(3)", LOT)]
    test_603a_20_m_3_unknown()


def test_603a_20_c_3_doubled() -> None:
    again = RECEIVED | {"first": "1010", "last": "1011", "quantity": 2, "invoice_quantity": 2}
    events = [*programme()[:3], again, *programme()[3:]]
    assert found(events) == [("coupon_serial_doubled", "603a.20(c)(3)", "1010")]


def test_603a_20_c_4() -> None:
    assert lacking("restrictions") == [("coupon_lacks_restrictions", "603a.20(c)(4)", LOT)]
    assert lacking(games=[]) == [("coupon_lacks_restrictions", "603a.20(c)(4)", LOT)]


@pytest.mark.parametrize(
    "games",
    [
        ["631a"],
        ["Baccarat"],
        ["player", "banker"],
        ["631a player"],
        ["Blackjack", "Baccarat: Player"],
        ["all"],
    ],
)
def test_603a_20_c_4_good_for(games: list[str]) -> None:
    assert found(changed(programme(), "received", games=games)) == []


@pytest.mark.parametrize("games", [["685a"], ["Craps"], ["631a banker"], ["21 Baccarat"]])
def test_603a_20_c_4_not_good_for(games: list[str]) -> None:
    wrong = [("coupon_wrong_game", "603a.20(c)(4)", serial) for serial in ("1001", "1002", "1003")]
    assert found(changed(programme(), "received", games=games)) == wrong


def test_603a_20_c_4_wager() -> None:
    # Good for Player, and played once on Banker.
    events = changed(programme(), "received", games=["player"])
    assert found(changed(events, "played", "1002", wager="banker")) == [
        ("coupon_wrong_game", "603a.20(c)(4)", "1002")
    ]


def test_603a_20_c_5() -> None:
    assert lacking("expiry") == [("coupon_lacks_expiry", "603a.20(c)(5)", LOT)]
    assert lacking(expires=...) == [("coupon_lacks_expiry", "603a.20(c)(5)", LOT)]


def test_603a_20_c_5_expired() -> None:
    # The evening of 2013-10-01 in the property's zone, though it is the 2nd by UTC.
    def expiring(day: str, **settings: Any) -> list[Finding]:
        return found(changed(programme(), "received", expires=day), **settings)

    late = [("coupon_expired", "603a.20(c)(5)", serial) for serial in ("1001", "1002", "1003")]
    assert expiring("2013-10-01") == []
    assert [each for each in expiring("2013-09-30") if each[0] == "coupon_expired"] == late
    until = expiring("2013-10-01", good_through_expiry=False)
    assert [each for each in until if each[0] == "coupon_expired"] == late


def test_603a_20_c_6() -> None:
    assert lacking("area") == [("coupon_lacks_chip_area", "603a.20(c)(6)", LOT)]


# ── (d): who runs the programme ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("department", ["table games", "finance", ...])
def test_603a_20_d(department: Any) -> None:
    events = changed(programme(), "distributed", "1002", by_department=department)
    assert found(events) == [("coupon_department_wrong", "603a.20(d)", "1002")]


def test_603a_20_d_to_patrons() -> None:
    events = changed(programme(), "distributed", "1002", patron=...)
    assert found(events) == [("coupon_department_wrong", "603a.20(d)", "1002")]


def test_603a_20_d_other_department() -> None:
    # The internal controls may name another department in marketing's place.
    events = changed(programme(), "distributed", "1002", by_department="player services")
    assert found(events, marketing=["marketing", "player services"]) == []


def test_603a_20_d_voided() -> None:
    events = changed(programme(), "voided", by_department="table games")
    assert found(events) == [("coupon_department_wrong", "603a.20(d)", "1004")]


# ── (e), (f), (i): receipt ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("people", [["finance"], ["marketing"], ["finance", "finance"]])
def test_603a_20_e(people: list[str]) -> None:
    events = changed(programme(), "received", examined_by=[signer(each) for each in people])
    assert found(events) == [("receipt_not_examined_by_both", "603a.20(e)", LOT)]


@pytest.mark.parametrize("told", [..., [], ["finance"], ["bureau"]])
def test_603a_20_e_deviation(told: Any) -> None:
    events = changed(programme(), "received", invoice_quantity=12, reported_to=told)
    assert found(events) == [("receipt_deviation_not_reported", "603a.20(e)", LOT)]


def test_603a_20_e_deviation_reported() -> None:
    events = changed(programme(), "received", invoice_quantity=12, reported_to=["finance", "bureau"])
    assert found(events) == []


def test_603a_20_e_without_an_invoice() -> None:
    # A provider sends one; what the house printed has none.
    events = changed(programme(), "received", invoice_quantity=...)
    assert found(events) == [("receipt_deviation_not_reported", "603a.20(e)", LOT)]
    produced = changed(events, "received", source="produced")
    approved = at("approved", "2013-09-02", what="production")
    assert found([approved, *produced]) == []


@pytest.mark.parametrize("person", [..., signer("marketing"), signer("finance", supervisor=False)])
def test_603a_20_f(person: Any) -> None:
    events = changed(programme(), "received", recorded_by=person)
    assert found(events) == [("receipt_not_recorded_by_finance", "603a.20(f)", LOT)]


def test_603a_20_f_1() -> None:
    events = changed(programme(), "received", date=...)
    assert found(events) == [("receipt_date_missing", "603a.20(f)(1)", LOT)]


@pytest.mark.parametrize("field", ["quantity", "denomination_cents"])
def test_603a_20_f_2(field: str) -> None:
    events = changed(programme(), "received", **{field: ...})
    assert found(events) == [("receipt_quantity_missing", "603a.20(f)(2)", LOT)]
    test_603a_20_f_3()


def test_603a_20_f_3() -> None:
    # Ten serial numbers, nine coupons by the ledger; the invoice has ten.
    events = changed(programme(), "received", quantity=9)
    assert found(events) == [("receipt_serials_wrong", "603a.20(f)(3)", LOT)]
    test_603a_20_c_3_doubled()
    test_603a_20_m_3_unknown()


@pytest.mark.parametrize("part", ["name", "signature", "credential"])
def test_603a_20_f_4(part: str) -> None:
    people = [signer("finance"), signer("marketing", **{part: None})]
    events = changed(programme(), "received", examined_by=people)
    assert found(events) == [("receipt_checkers_missing", "603a.20(f)(4)", LOT)]


@pytest.mark.parametrize("secured", [False, ...])
def test_603a_20_i(secured: Any) -> None:
    events = changed(programme(), "received", stored_secured=secured)
    assert found(events) == [("coupons_not_secured", "603a.20(i)", LOT)]
    test_603a_20_h_only_what_was_issued_is_handed_out()
    test_603a_20_m_3_redeemed_without_distribution()


# ── (g): requisition ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("person", [signer("finance"), signer("marketing", supervisor=False)])
def test_603a_20_g(person: Happened) -> None:
    events = changed(programme(), "requisitioned", prepared_by=person)
    assert found(events) == [("requisition_not_by_marketing", "603a.20(g)", None)]
    test_603a_20_h()


def test_603a_20_g_1() -> None:
    assert found(changed(programme(), "requisitioned", date=...)) == [
        ("requisition_date_missing", "603a.20(g)(1)", None)
    ]


def test_603a_20_g_2() -> None:
    assert found(changed(programme(), "requisitioned", needed_for=...)) == [
        ("requisition_day_missing", "603a.20(g)(2)", None)
    ]


@pytest.mark.parametrize("field", ["quantity", "denomination_cents"])
def test_603a_20_g_3(field: str) -> None:
    assert found(changed(programme(), "requisitioned", **{field: ...})) == [
        ("requisition_quantity_missing", "603a.20(g)(3)", None)
    ]


@pytest.mark.parametrize("part", ["name", "signature", "credential"])
def test_603a_20_g_4(part: str) -> None:
    person = signer("marketing", **{part: None})
    assert found(changed(programme(), "requisitioned", prepared_by=person)) == [
        ("requisition_preparer_missing", "603a.20(g)(4)", None)
    ]
    other = changed(programme(), "requisitioned", prepared_by=signer("finance"))
    assert [check for check, *_ in found(other)] == ["requisition_not_by_marketing"]


@pytest.mark.parametrize(
    "person",
    [
        ...,
        signer("finance", name=None),
        signer("finance", signature=False),
        signer("finance", credential=None),
        signer("finance", supervisor=False),
        signer("marketing"),
    ],
)
def test_603a_20_g_5(person: Any) -> None:
    assert found(changed(programme(), "requisitioned", authorized_by=person)) == [
        ("requisition_authorizer_missing", "603a.20(g)(5)", None)
    ]


# ── (h): issue ───────────────────────────────────────────────────────────────────────────────────────


def test_603a_20_h() -> None:
    missing = [("issue_without_requisition", "603a.20(h)", OUT)]
    assert found(without(programme(), "requisitioned")) == missing
    after = changed(programme(), "requisitioned", at="2013-10-01T14:00:01Z")
    assert found(after) == missing


@pytest.mark.parametrize(
    ("recorded", "late"),
    [("2013-10-01T14:00:00Z", False), ("2013-10-01T14:00:01Z", True), (..., True)],
)
def test_603a_20_h_before_the_issue(recorded: Any, late: bool) -> None:  # noqa: FBT001  a row of the table
    events = changed(programme(), "issued", recorded_at=recorded)
    assert found(events) == ([("issue_before_record", "603a.20(h)", OUT)] if late else [])


def test_603a_20_h_1() -> None:
    # Never received.
    assert found(without(programme(), "received")) == [("issue_serials_wrong", "603a.20(h)(1)", OUT)]


def test_603a_20_h_1_issued_twice() -> None:
    # 1005 is still marketing's when the next five are issued.
    asked = {"requisition": "R-2", "quantity": 2}
    events = [*programme()[:5], programme()[3] | asked, ISSUED | asked | {"first": "1005", "last": "1006"}]
    assert found(events) == [("issue_serials_wrong", "603a.20(h)(1)", "1005")]


def test_603a_20_h_1_reissued() -> None:
    # What came back may be issued again: 1005 the day after.
    asked: Happened = {"requisition": "R-2", "quantity": 1, "needed_for": "2013-10-02", "date": "2013-10-02"}
    again = {"at": "2013-10-02T17:00:00Z", "recorded_at": "2013-10-02T16:59:00Z", "first": "1005"}
    events = [
        *programme()[:-1],
        programme()[3] | asked | {"at": "2013-10-02T16:30:00Z"},
        ISSUED | {"requisition": "R-2", "quantity": 1} | again,
    ]
    assert found(events) == []


@pytest.mark.parametrize(
    "fields",
    [{"quantity": ...}, {"denomination_cents": ...}, {"quantity": 4}, {"denomination_cents": 2500}],
)
def test_603a_20_h_2(fields: Happened) -> None:
    events = changed(programme(), "issued", **fields)
    assert found(events) == [("issue_quantity_wrong", "603a.20(h)(2)", OUT)]


def test_603a_20_h_2_more_than_requisitioned() -> None:
    events = changed(programme(), "requisitioned", quantity=4)
    assert found(events) == [("issue_quantity_wrong", "603a.20(h)(2)", OUT)]


@pytest.mark.parametrize(
    "person",
    [..., signer("finance", signature=None), signer("finance", supervisor=False), signer("marketing")],
)
def test_603a_20_h_3(person: Any) -> None:
    events = changed(programme(), "issued", issued_by=person)
    assert found(events) == [("issue_supervisor_missing", "603a.20(h)(3)", OUT)]


def voided_by_finance(**fields: Any) -> list[Happened]:
    """Void 1008 in finance's hands, and cancel it."""
    torn = at("voided", "2013-10-01T13:10:00", serial="1008", reason="torn", by_department="finance") | fields
    torn = {name: value for name, value in torn.items() if value is not ...}
    return [*programme()[:-2], torn, cancelled("1008"), *programme()[-2:]]


def test_603a_20_h_4() -> None:
    assert found(voided_by_finance()) == []
    assert found(voided_by_finance(reason=...)) == [("void_unexplained_by_finance", "603a.20(h)(4)", "1008")]
    test_603a_20_l_4()


def test_603a_20_h_only_what_was_issued_is_handed_out() -> None:
    events = [*programme()[:5], given("1009", "anna"), *programme()[5:]]
    assert found(events)[0] == ("distributed_not_issued", "603a.20(h)", "1009")


# ── (j), (k): marketing's form and what is left over ─────────────────────────────────────────────────


@pytest.mark.parametrize(
    "events", [without(programme(), "day_closed"), changed(programme(), "day_closed", form=...)]
)
def test_603a_20_j(events: list[Happened]) -> None:
    assert [each[:2] for each in found(events)] == [("form_missing", "603a.20(j)")]


@pytest.mark.parametrize("day", [..., "2013-10-02"])
def test_603a_20_j_1(day: Any) -> None:
    assert found(with_form(date=day)) == [("form_date_wrong", "603a.20(j)(1)", None)]


@pytest.mark.parametrize("told", [..., {"first": "1001", "last": "1004"}, 6, ["1001", "1004"]])
def test_603a_20_j_2(told: Any) -> None:
    assert found(with_form(received=told)) == [("form_received_wrong", "603a.20(j)(2)", None)]


@pytest.mark.parametrize(
    "told", [5, ["1001", "1005"], ["1001", "1002", "1003", "1004", "1005"], "1001-1005", {"quantity": 5}]
)
def test_603a_20_j_2_as_people_write_it(told: Any) -> None:
    assert found(with_form(received=told)) == []


@pytest.mark.parametrize("told", [..., 4, {"1000": 6}, {"2500": 5}])
def test_603a_20_j_3(told: Any) -> None:
    assert found(with_form(to_distribute=told)) == [("form_to_distribute_wrong", "603a.20(j)(3)", None)]
    test_603a_20_k_on_the_next_form()


@pytest.mark.parametrize("told", [..., 4, {"1000": 2}])
def test_603a_20_j_4(told: Any) -> None:
    assert found(with_form(distributed=told)) == [("form_distributed_wrong", "603a.20(j)(4)", None)]
    test_603a_20_m_3_distributed_twice()


@pytest.mark.parametrize("told", [..., 0, 2, ["1004"]])
def test_603a_20_j_5(told: Any) -> None:
    assert found(with_form(remaining=told)) == [("form_remaining_wrong", "603a.20(j)(5)", None)]
    test_603a_20_k_not_its_own()


@pytest.mark.parametrize("told", [..., [], ["1003"], [{"serial": "1004"}]])
def test_603a_20_j_6(told: Any) -> None:
    assert found(with_form(voided=told)) == [("form_voided_wrong", "603a.20(j)(6)", None)]


def test_603a_20_j_6_reason() -> None:
    events = changed(programme(), "voided", reason=...)
    assert found(events) == [("void_unexplained_by_marketing", "603a.20(j)(6)", "1004")]


def voided_at_the_patron(
    by: str = "marketing", *, on_form: bool = True, reconciled: int = 2, after_form: bool = False
) -> list[Happened]:
    """Script 1003, which tied: Cora brings it back torn, and it is voided that evening, or after the form.

    So 1004 and 1003 were voided, and three had been distributed, 1003 among them.
    """
    when = "2013-10-02T03:35:00" if after_form else "2013-10-02T01:00:00"
    torn = at("voided", when, serial="1003", reason="torn", by_department=by)
    form = FORM | ({"voided": [*FORM["voided"], {"serial": "1003", "reason": "torn"}]} if on_form else {})
    events = changed(changed(programme(), "day_closed", form=form), "reconciled", voided=reconciled)
    events = [*changed(events, "cancelled", serials=["1001", "1002", "1003", "1004"]), torn]
    return sorted(events, key=lambda each: each["at"])


def test_603a_20_j_6_voided_by_marketing_in_a_patron_s_hands() -> None:
    # "The serial numbers of coupons that were voided": of (l) it has what came back, of (j)(6) all.
    assert found(voided_at_the_patron()) == []
    assert found(voided_at_the_patron(on_form=False)) == [("form_voided_wrong", "603a.20(j)(6)", None)]


def test_603a_20_j_6_voided_by_finance_in_a_patron_s_hands() -> None:
    # Marketing's form need not know of it: finance's ledger does, (h)(4).
    assert found(voided_at_the_patron("finance")) == []
    assert found(voided_at_the_patron("finance", on_form=False)) == []


def test_603a_20_j_6_voided_after_the_form() -> None:
    # It stands on the next one; the day of the form before has it neither way.
    late = voided_at_the_patron(on_form=False, after_form=True)
    assert ("form_voided_wrong", "603a.20(j)(6)", None) not in found(late)


@pytest.mark.parametrize("by", ["marketing", "finance"])
def test_603a_20_m_3_voided_in_a_patron_s_hands(by: str) -> None:
    # Of five that finance gave to marketing one went back, one was void, three went to patrons; one is void.
    assert found(voided_at_the_patron(by)) == []
    assert found(voided_at_the_patron(by, reconciled=1)) == [("reconciliation_wrong", "603a.20(m)(3)", None)]


@pytest.mark.parametrize("told", [..., 1, [{"serial": "1005"}]])
def test_603a_20_j_7(told: Any) -> None:
    assert found(with_form(variations=told)) == [("form_variation_unexplained", "603a.20(j)(7)", None)]


def test_603a_20_j_null() -> None:
    # Null says that there was none; a form that leaves the entry out says nothing.
    assert found(with_form(variations=None)) == []
    assert found(with_form(voided=None)) == [("form_voided_wrong", "603a.20(j)(6)", None)]


@pytest.mark.parametrize(
    "told", ["one sticks to another", [{"serial": "1005", "explanation": "found later"}]]
)
def test_603a_20_j_7_explained(told: Any) -> None:
    # What is told and explained may differ.
    assert found(with_form(remaining=0, variations=told)) == []


@pytest.mark.parametrize(
    "person",
    [
        ...,
        signer("marketing", name=""),
        signer("marketing", signature=False),
        signer("marketing", credential=None),
        signer("marketing", supervisor=False),
        FINANCE,
    ],
)
def test_603a_20_j_8(person: Any) -> None:
    assert found(with_form(by=person)) == [("form_supervisor_missing", "603a.20(j)(8)", None)]


def test_603a_20_k() -> None:
    # Neither returned nor kept.
    events = changed(without(programme(), "returned"), "reconciled", returned=0)
    assert found(events) == [("leftover_not_returned", "603a.20(k)", "1005")]
    test_603a_20_m_3_redeemed_without_distribution()


@pytest.mark.parametrize("fields", [{"secured": False}, {"approved_area": False}, {"secured": ...}])
def test_603a_20_k_secured(fields: Happened) -> None:
    assert found(changed(keeping(), "kept", **fields)) == [("kept_not_secured", "603a.20(k)", "1005")]


def test_603a_20_k_not_kept() -> None:
    assert found(without(keeping(), "kept")) == [("leftover_not_returned", "603a.20(k)", "1005")]


def test_603a_20_k_not_its_own() -> None:
    # 1001 is Anna's.
    events = changed(keeping(), "kept", serials=["1001", "1005"])
    assert ("kept_not_held", "603a.20(k)", "1001") in found(events)


def test_603a_20_k_on_the_next_form() -> None:
    events = keeping()
    n = next(n for n, each in enumerate(events) if each["at"] == "2013-10-03T03:30:00Z")
    left_out = events[n]["form"] | {"to_distribute": 0, "distributed": 0, "remaining": 0}
    assert found([*events[:n], events[n] | {"form": left_out}, *events[n + 1 :]]) == [
        ("kept_not_on_next_form", "603a.20(k)", "1005")
    ]


def test_603a_20_k_no_next_form() -> None:
    # Kept for the 2nd, and a form on the 3rd only.
    events = [
        *programme()[:-3],
        *(each for each in keeping() if each["event"] == "kept"),
        cancelled("1001", "1002", "1004"),
        at("closed", "2013-10-04T20:00:00"),
    ]
    assert "kept_not_on_next_form" in [check for check, _, _ in found(without(events, "returned"))]


def returning(when: str, *, day: Any = ...) -> list[Happened]:
    """Return 1005 back at another time; the log goes on for two days, each with its reconciliation."""
    told = {"given": 0, "returned": 0, "voided": 0, "distributed": 0, "redeemed": 0}
    events = changed(programme()[:-1], "returned", at=f"{when}Z", **({} if day is ... else {"date": day}))
    return [
        *events,
        RECONCILED | told | {"at": "2013-10-03T16:00:00Z", "for": "2013-10-02"},
        at("closed", "2013-10-04T20:00:00"),
    ]


def of_k(events: list[Happened], **settings: Any) -> list[Finding]:
    """Return what is found by (k)."""
    return [each for each in found(events, **settings) if each[1] == "603a.20(k)"]


LEFT = [("leftover_not_returned", "603a.20(k)", "1005")]
EXPIRED = [("expired_not_returned", "603a.20(k)", "1005")]


@pytest.mark.parametrize(
    ("when", "late"),
    [
        ("2013-10-02T09:59:00", False),  # a minute before the gaming day ends at six in the morning
        ("2013-10-02T15:59:00", False),  # before the 1st is reconciled
        ("2013-10-02T16:01:00", True),
        ("2013-10-03T00:00:00", True),
        ("2013-10-03T12:00:00", True),
        ("2013-10-04T12:00:00", True),
    ],
)
@pytest.mark.parametrize("day", [..., "2013-10-02"])
def test_603a_20_k_returned_late(when: str, late: bool, day: Any) -> None:  # noqa: FBT001  a row of the table
    # Whatever day the ledger has for it, what counts is when it came back; and it is said once.
    assert of_k(returning(when, day=day)) == (LEFT if late else [])


def test_603a_20_k_returned_late_is_of_the_day_on_which_it_was_left() -> None:
    of_return = [each for each in judged(returning("2013-10-03T00:00:00")).findings if each.serial == "1005"]
    assert [(each.check, str(each.day)) for each in of_return] == [("leftover_not_returned", DAY)]


def test_603a_20_k_returned_after_the_next_form() -> None:
    # Neither day is reconciled; the 2nd is closed at 19:00, and 1005 comes back before or after.
    def returned(when: str) -> list[Finding]:
        form = FORM | dict.fromkeys(("received", "to_distribute", "distributed", "remaining", "voided"), 0)
        closed = at(
            "day_closed", "2013-10-02T23:00:00", date="2013-10-02", form=form | {"date": "2013-10-02"}
        )
        return of_k([*without(returning(when), "reconciled"), closed])

    assert returned("2013-10-02T22:59:00") == []
    assert returned("2013-10-02T23:01:00") == LEFT


def test_603a_20_k_returned_on_the_day_after_the_next() -> None:
    # No paper says that the 2nd was over, but it was.
    assert of_k(without(returning("2013-10-03T09:59:00"), "reconciled")) == []
    assert of_k(without(returning("2013-10-03T10:01:00"), "reconciled")) == LEFT


def test_603a_20_k_one_left_out() -> None:
    # 1003 is not handed out: it is kept and 1005 is not. Both come back the day after, which is 1003's day.
    events = [each for each in without(keeping(), "distributed", "1005") if each.get("serial") != "1003"]
    back = RETURNED | {"at": "2013-10-03T03:40:00Z", "date": "2013-10-02", "serials": ["1003", "1005"]}
    events = [*changed(events, "kept", serials=["1003"]), back | {"quantity": 2}]
    assert of_k(events) == LEFT
    assert of_k(changed(events, "kept", serials=["1003", "1005"])) == []


@pytest.mark.parametrize(("when", "late"), [("2013-10-02T10:30:00", False), ("2013-10-02T17:00:00", True)])
def test_603a_20_k_kept_late(when: str, late: bool) -> None:  # noqa: FBT001  a row of the table
    # Half an hour into the next gaming day it is still kept for that one: the one after needs no form.
    events = changed(changed(keeping(), "kept", at=f"{when}Z"), "closed", at="2013-10-05T20:00:00Z")
    if late:
        assert LEFT[0] in of_k(events)
    else:
        assert found(events) == []


def test_603a_20_k_voided_late() -> None:
    # Left over on the 1st, neither returned nor kept, and torn on the 2nd.
    voided = at("voided", "2013-10-02T18:00:00", serial="1005", reason="torn", by_department="marketing")
    assert of_k([*without(returning("2013-10-02T18:00:00"), "returned"), voided]) == LEFT


def test_603a_20_k_expired() -> None:
    # Kept on the 1st and handed out on the 2nd: on its last day, or the day after that.
    assert of_k(changed(keeping(), "received", expires="2013-10-02")) == []
    until = changed(keeping(), "received", expires="2013-10-02")
    assert of_k(until, good_through_expiry=False) == EXPIRED
    expiring = changed(keeping(), "received", expires="2013-10-01")
    assert of_k(expiring) == EXPIRED
    handed_out = [each for each in judged(expiring).findings if each.check == "expired_not_returned"]
    assert [(each.patron, str(each.day)) for each in handed_out] == [("dora", "2013-10-02")]
    # It goes back on the first day on which it is no longer good.
    back = RETURNED | {"at": "2013-10-03T03:40:00Z", "date": "2013-10-02"}
    assert of_k([*without(expiring, "distributed", "1005"), back]) == []


def test_603a_20_k_expired_and_issued() -> None:
    # Good through September, issued on the 1st of October: what is handed out does not go back to finance.
    expired = [("expired_not_returned", "603a.20(k)", serial) for serial in ("1001", "1002", "1003")]
    assert of_k(changed(programme(), "received", expires="2013-09-30")) == expired


def test_603a_20_k_expired_and_kept() -> None:
    def kept(when: str) -> list[Finding]:
        events = without(changed(keeping(), "received", expires="2013-10-01"), "distributed", "1005")
        again = at("kept", when, serials=["1005"], secured=True, approved_area=True)
        return of_k([*events, again])

    assert kept("2013-10-03T03:40:00")[:1] == EXPIRED


def test_603a_20_k_expired_and_returned_late() -> None:
    expiring = changed(returning("2013-10-03T00:00:00"), "received", expires="2013-09-30")
    assert EXPIRED[0] in of_k(expiring)


def test_603a_20_k_expired_and_held() -> None:
    expiring = changed(keeping(), "received", expires="2013-10-01")
    held = without(expiring, "distributed", "1005")
    assert ("expired_not_returned", "603a.20(k)", "1005") in found(held)


# ── (l): return ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("person", [signer("finance", supervisor=False), MARKETING])
def test_603a_20_l(person: Happened) -> None:
    events = changed(programme(), "returned", received_by=person)
    assert found(events) == [("return_signers_missing", "603a.20(l)(5)", "1005")]
    test_603a_20_j_6_reason()


def test_603a_20_l_1() -> None:
    assert found(changed(programme(), "returned", date=...)) == [
        ("return_date_missing", "603a.20(l)(1)", "1005")
    ]


def test_603a_20_l_2() -> None:
    # 1009 never left finance.
    events = changed(programme(), "returned", serials=["1005", "1009"], quantity=2)
    assert found(changed(events, "reconciled", returned=2)) == [
        ("return_serials_wrong", "603a.20(l)(2)", "1009")
    ]
    test_603a_20_l_3(2)


@pytest.mark.parametrize("quantity", [..., 2])
def test_603a_20_l_3(quantity: Any) -> None:
    events = changed(programme(), "returned", quantity=quantity)
    assert found(events) == [("return_quantity_wrong", "603a.20(l)(3)", "1005")]


def test_603a_20_l_4() -> None:
    # Voided by finance after it came back.
    torn = at("voided", "2013-10-02T03:50:00", serial="1005", reason="torn", by_department="finance")
    events = [*programme()[:-2], torn, cancelled("1005"), *programme()[-2:]]
    assert found(events) == []
    assert found(changed(events, "voided", "1005", reason=...)) == [
        ("void_unexplained_at_return", "603a.20(l)(4)", "1005")
    ]
    test_603a_20_j_6_reason()


@pytest.mark.parametrize("who", ["returned_by", "received_by"])
@pytest.mark.parametrize("part", ["name", "signature", "credential"])
def test_603a_20_l_5(who: str, part: str) -> None:
    person = RETURNED[who] | {part: None}
    assert found(changed(programme(), "returned", **{who: person})) == [
        ("return_signers_missing", "603a.20(l)(5)", "1005")
    ]


def test_603a_20_l_voided_ones_come_back_too() -> None:
    # The torn 1004 goes back with 1005; whether it counts as returned is left to the house.
    events = changed(programme(), "returned", serials=["1004", "1005"], quantity=2)
    assert found(events) == []
    assert found(changed(changed(events, "returned", quantity=1), "reconciled", returned=2)) == []


# ── (m): forwarded, counted, cancelled, reconciled ───────────────────────────────────────────────────


def test_603a_20_m() -> None:
    # "Daily" is the next reconciliation: no day of its own for the second, unless the house says so.
    events = [each for each in keeping() if each.get("for") != DAY]
    late = {"at": "2013-10-03T16:00:00Z", "for": "2013-10-02", "returned": 0, "distributed": 4}
    both = [*events[:-2], RECONCILED | late, events[-1]]
    assert found(both) == []
    assert [each[:2] for each in found(both, each_day_reconciled=True)] == [
        ("reconciliation_missing", "603a.20(m)(3)")
    ]


def test_603a_20_m_1() -> None:
    assert found(without(programme(), "counted", "1001")) == [("coupon_not_counted", "603a.20(m)(1)", "1001")]
    test_603a_20_m_3_counted_without_play()


def test_603a_20_m_1_counted_twice() -> None:
    twice = [*programme()[:-2], counted("1001") | {"at": "2013-10-02T14:05:00Z"}, *programme()[-2:]]
    assert found(twice) == [("coupon_counted_wrongly", "603a.20(m)(1)", "1001")]


@pytest.mark.parametrize("fields", [{"drop_box": "B-2"}, {"table": "BAC-2"}])
def test_603a_20_m_1_counted_elsewhere(fields: Happened) -> None:
    assert found(changed(programme(), "counted", "1001", **fields)) == [
        ("coupon_counted_wrongly", "603a.20(m)(1)", "1001")
    ]


@pytest.mark.parametrize("left", ["1001", "1004"])
def test_603a_20_m_2(left: str) -> None:
    # A redeemed one and a voided one.
    rest = [serial for serial in ("1001", "1002", "1004") if serial != left]
    events = [*without(programme(), "cancelled"), cancelled(*rest)]
    assert found(events) == [("coupon_not_cancelled", "603a.20(m)(2)", left)]
    test_603a_20_m_3_voided()


def test_603a_20_m_2_late() -> None:
    # By the end of the day on which the gaming day was reconciled.
    events = [*without(programme()[:-1], "cancelled"), at("closed", "2013-10-05T20:00:00")]
    serials = ["1001", "1002", "1004"]
    in_time = at("cancelled", "2013-10-02T23:00:00", serials=serials)
    late = at("cancelled", "2013-10-03T23:00:00", serials=serials)
    assert found([*events, in_time]) == []
    assert [each[1] for each in found([*events, late])] == ["603a.20(m)(2)"] * 3


def test_603a_20_m_2_signatures() -> None:
    assert found(changed(programme(), "reconciled", signatures_reviewed=False)) == [
        ("signatures_not_reviewed", "603a.20(m)(2)", None)
    ]


@pytest.mark.parametrize("figure", ["given", "returned", "voided", "distributed", "redeemed"])
@pytest.mark.parametrize("told", [7, ...])
def test_603a_20_m_3(figure: str, told: Any) -> None:
    assert found(changed(programme(), "reconciled", **{figure: told})) == [
        ("reconciliation_wrong", "603a.20(m)(3)", None)
    ]
    test_603a_20_h_only_what_was_issued_is_handed_out()
    test_603a_20_m_3_redeemed_twice()
    test_603a_20_m_3_dropped_without_play()


def test_603a_20_m_3_no_reconciliation() -> None:
    assert [each[:2] for each in found(without(programme(), "reconciled"))] == [
        ("reconciliation_missing", "603a.20(m)(3)")
    ]


def test_603a_20_m_3_distributed_twice() -> None:
    again = given("1001", "dora", "2013-10-01T15:30:00")
    events = [*programme()[:8], again, *programme()[8:]]
    assert ("distributed_twice", "603a.20(m)(3)", "1001") in found(events)


def test_603a_20_m_3_redeemed_without_distribution() -> None:
    assert found(without(programme(), "distributed", "1001")) == [
        ("redeemed_not_distributed", "603a.20(m)(3)", "1001")
    ]


def test_603a_20_m_3_unknown() -> None:
    # No lot has a 9999.
    more = [
        played("9999", "eve", "4", 6),
        settled("9999", "4", 6, "lose"),
        dropped("9999", 6),
        counted("9999"),
    ]
    events = [*programme()[:-2], *more, *programme()[-2:]]
    assert found(events) == [("coupon_unknown", "603a.20(m)(3)", "9999")]
    # Finance may count what was redeemed with it or without.
    assert found(changed(events, "reconciled", redeemed=3)) == [("coupon_unknown", "603a.20(m)(3)", "9999")]


def test_603a_20_m_3_voided() -> None:
    more = [
        played("1004", "eve", "4", 6),
        settled("1004", "4", 6, "lose"),
        dropped("1004", 6),
        counted("1004"),
    ]
    events = [*programme()[:-2], *more, *programme()[-2:]]
    assert found(events) == [("void_coupon_used", "603a.20(m)(3)", "1004")]


@pytest.mark.parametrize("blank", ["", "  ", None])
def test_603a_20_h_3_blank(blank: Any) -> None:
    # What is left blank on the paper was not done, and the rest of the log is read.
    by = {**FINANCE, "credential": blank}
    assert found(changed(programme(), "issued", issued_by=by)) == [
        ("issue_supervisor_missing", "603a.20(h)(3)", "1001-1005")
    ]


@pytest.mark.parametrize("field", ["table", "round", "chapter", "seat", "patron", "wager", "by"])
def test_603a_21_blank(field: str) -> None:
    """Whatever is left blank is judged as what is null, wherever it stands."""
    assert found(changed(programme(), "played", **{field: ""})) == found(
        changed(programme(), "played", **{field: None})
    )


def test_a_coupon_without_a_number_is_none_that_can_be_judged() -> None:
    with pytest.raises(BadInput):
        found([*programme()[:-1], at("voided", "2013-10-02T18:00:00", serial="", reason="torn")])


def test_465a_6_c_2_destroyed_in_a_patron_s_hands() -> None:
    # 1003 tied, so Cora has it still.
    destroyed = at("destroyed", "2014-04-03", serials=["1003"])
    events = [*life()[:-1], destroyed, life()[-1] | {"at": "2014-04-03T20:00:00Z"}]
    told = judged(events)
    assert found(events) == [("coupon_destroyed_not_held", "465a.6(c)(2)", "1003")]
    assert (told.verdict, told.findings[0].weight) == ("undetermined", "undetermined")


def test_603a_20_m_3_counted_without_play() -> None:
    events = [*programme()[:-2], counted("1003"), cancelled("1003"), *programme()[-2:]]
    assert found(events) == [("counted_without_play", "603a.20(m)(3)", "1003")]


def test_603a_20_m_3_redeemed_twice() -> None:
    # 1001 was redeemed, and is played once more.
    again = [played("1001", "eve", "4", 6), settled("1001", "4", 6, "win"), dropped("1001", 6)]
    events = [*programme()[:-2], *again, *programme()[-2:]]
    assert "coupon_reused" in [check for check, *_ in found(events)]


def test_603a_20_m_3_dropped_without_play() -> None:
    # 1001 came from the patron into the box, and nobody played it.
    events = [
        each
        for each in programme()
        if each.get("serial") != "1001" or each["event"] not in ("played", "settled")
    ]
    assert [check for check, *_ in found(events)] == ["dropped_without_play"]


def test_603a_20_m_4() -> None:
    # 1001 was redeemed, counted and cancelled, and marketing hands it out again.
    events = [*programme()[:-1], given("1001", "eve", "2013-10-02T19:00:00")]
    assert found(events) == [("coupon_in_use_again", "603a.20(m)(4)", "1001")]
    again = [played("1001", "eve", "4", 6), settled("1001", "4", 6, "win"), dropped("1001", 6)]
    events = [*programme()[:-2], *again, *programme()[-2:]]
    assert "coupon_reused" in [check for check, *_ in found(events)]


# ── (n), (o): inventory and report ───────────────────────────────────────────────────────────────────


def inventory(day: str, **fields: Any) -> list[Happened]:
    counted_then = at("inventoried", day, counted={"1000": 6}, in_ledger=True) | fields
    told = {name: value for name, value in counted_then.items() if value is not ...}
    return [*programme()[:-1], told]


def test_603a_20_n() -> None:
    # 1005 to 1010 are with finance. A calendar month: the 1st of one and the 30th of the next will do.
    assert found(inventory("2013-10-31")) == []
    month_later = [*inventory("2013-10-02T18:00:00"), *inventory("2013-11-30")[-1:]]
    assert found([*month_later, at("closed", "2013-12-01T20:00:00")]) == []
    assert [check for check, *_ in found([*month_later[:-1], at("closed", "2013-12-01T20:00:00")])] == [
        "inventory_missing"
    ]


@pytest.mark.parametrize(
    ("end", "missing"), [("2013-10-31T20:00:00", []), ("2013-11-01T20:00:00", ["2013-10-31"])]
)
def test_603a_20_n_no_inventory(end: str, missing: list[str]) -> None:
    # The month is over with its last gaming day.
    findings = judged([*programme()[:-1], at("closed", end)]).findings
    assert [(each.check, str(each.day)) for each in findings] == [
        ("inventory_missing", day) for day in missing
    ]


def test_603a_20_n_nothing_to_count() -> None:
    # All that is left was voided, so there is nothing of which no patron was given any.
    void = at("voided", "2013-10-02T13:00:00", reason="campaign over", by_department="finance")
    gone = void | {"first": "1005", "last": "1010"}
    cancel = at("cancelled", "2013-10-02T15:00:00", first="1005", last="1010")
    events = [*programme()[:-2], gone, cancel, *programme()[-2:-1]]
    assert found([*events, at("closed", "2013-11-02T20:00:00")]) == []


@pytest.mark.parametrize("told", [{"1000": 5}, {"1000": 7}, {"2500": 6}, {}, ...])
def test_603a_20_n_wrong(told: Any) -> None:
    assert found(inventory("2013-10-31", counted=told)) == [("inventory_wrong", "603a.20(n)", None)]


def test_603a_20_n_voided() -> None:
    # 1004 and 1008 were voided: five are left, or seven where the house counts voided ones too.
    def with_inventory(number: int) -> list[Happened]:
        counted_then = at("inventoried", "2013-10-31", counted={"1000": number}, in_ledger=True)
        return [*voided_by_finance()[:-1], counted_then]

    assert found(with_inventory(5)) == []
    assert found(with_inventory(7)) == [("inventory_wrong", "603a.20(n)", None)]
    assert found(with_inventory(7), voided_in_inventory=True) == []


@pytest.mark.parametrize("recorded", [False, ...])
def test_603a_20_n_in_the_ledger(recorded: Any) -> None:
    assert found(inventory("2013-10-31", in_ledger=recorded)) == [
        ("inventory_not_in_ledger", "603a.20(n)", None)
    ]


def report(**fields: Any) -> list[Happened]:
    return changed(life(), "quarterly_report", **fields)


def test_603a_20_o() -> None:
    # Two of $10 were redeemed; a tie redeems nothing.
    assert found(report(redeemed={"1000": 2000})) == []
    assert found(report(redeemed={"1000": 2500})) == [("quarterly_report_wrong", "603a.20(o)", None)]


@pytest.mark.parametrize("told", [{"1000": 3000}, {"2500": 2000}, {"1000": 2}, {}, ...])
def test_603a_20_o_wrong(told: Any) -> None:
    assert found(report(redeemed=told)) == [("quarterly_report_wrong", "603a.20(o)", None)]


def test_603a_20_o_a_tie_that_redeems() -> None:
    # By a house where it does, 1003 counts too, and is to be dropped.
    assert "quarterly_report_wrong" in [each[0] for each in found(life(), tie_redeems=True)]


@pytest.mark.parametrize(
    ("filed", "months", "late"),
    [
        ("2014-01-31T20:00:00", 1, False),
        ("2014-02-01T20:00:00", 1, True),
        ("2014-02-28T20:00:00", 2, False),
    ],
)
def test_603a_20_o_due(filed: str, months: int, late: bool) -> None:  # noqa: FBT001  a row of the table
    events = report(at=f"{filed}Z")
    missing = [("quarterly_report_missing", "603a.20(o)", None)]
    assert found(events, report_months=months) == (missing if late else [])


def test_603a_20_o_is_due_on_a_day_of_its_own() -> None:
    # Whatever the day of the log's next event, here the 28th.
    (missing,) = judged(without(life(), "quarterly_report")).findings
    assert (missing.check, str(missing.day)) == ("quarterly_report_missing", "2014-02-01")
    assert "before 2014-02-01" in text_of(missing.message)


def test_603a_20_o_never() -> None:
    assert found(without(life(), "quarterly_report")) == [("quarterly_report_missing", "603a.20(o)", None)]


# ── (p), (q): printed in the house, mailed by a provider ─────────────────────────────────────────────


def test_603a_20_p() -> None:
    produced = changed(programme(), "received", source="produced")
    assert found(produced) == [("coupon_production_not_approved", "603a.20(p)", LOT)]
    assert found([at("approved", "2013-10-01T13:00:00", what="production"), *produced]) == []
    late = [at("approved", "2013-10-01T13:00:01", what="production"), *produced]
    assert found(late) == [("coupon_production_not_approved", "603a.20(p)", LOT)]


def test_603a_20_q() -> None:
    events = [each for each in mailing() if each.get("what") != "mailing"]
    assert found(events) == [("coupon_mailing_not_approved", "603a.20(q)", "M-7")]


def mailed(**fields: Any) -> list[Finding]:
    return found(changed(mailing(), "mailed", **fields))


def test_603a_20_q_1() -> None:
    # Subsections (b) and (c) hold for what is mailed.
    findings = judged(changed(mailing(), "mailed", content=in_content("name"))).findings
    assert [each.citations for each in findings] == [("603a.20(q)(1)", "603a.20(c)(1)")]
    assert mailed(games=...) == [("coupon_lacks_restrictions", "603a.20(q)(1)", "M-7")]
    findings = judged(mailing()[1:]).findings
    assert [each.citations for each in findings] == [("603a.20(q)(1)", "603a.20(b)(1)")]
    for word in ("value", "serial", "expiry"):
        lacks = judged(changed(mailing(), "mailed", content=in_content(word))).findings
        assert [each.check for each in lacks] == [f"coupon_lacks_{word}"]
    lacks = judged(changed(mailing(), "mailed", content=in_content("area"))).findings
    assert [each.check for each in lacks] == ["coupon_lacks_chip_area"]


def test_603a_20_q_2() -> None:
    # A list that has nothing.
    lacks = ("patron", "address", "denomination_cents", "expires")
    cites = [cite for _, cite, _ in mailed(**dict.fromkeys(lacks, ...))]
    assert cites[:4] == [f"603a.20(q)(2)({n})" for n in ("i", "ii", "iii", "iv")]


def test_603a_20_q_2_i() -> None:
    assert mailed(patron=...) == [("mailed_name_missing", "603a.20(q)(2)(i)", "M-7")]


def test_603a_20_q_2_ii() -> None:
    assert mailed(address=...) == [("mailed_address_missing", "603a.20(q)(2)(ii)", "M-7")]


def test_603a_20_q_2_iii() -> None:
    assert mailed(denomination_cents=...) == [("mailed_denomination_missing", "603a.20(q)(2)(iii)", "M-7")]


def test_603a_20_q_2_iv() -> None:
    assert mailed(expires=...) == [("mailed_expiry_missing", "603a.20(q)(2)(iv)", "M-7")]


def test_603a_20_q_2_v() -> None:
    # One serial number on each coupon, and each its own.
    assert ("mailed_serials_wrong", "603a.20(q)(2)(v)", "M-7-M-8") in mailed(serials=["M-7", "M-8"])
    again = next(each for each in mailing() if each["event"] == "mailed") | {"patron": "eve"}
    assert found([*mailing()[:4], again])[0] == ("coupon_serial_doubled", "603a.20(q)(2)(v)", "M-7")


@pytest.mark.parametrize("code", [False, ...])
def test_603a_20_q_3(code: Any) -> None:
    assert mailed(machine_code=code) == [("mailed_code_missing", "603a.20(q)(3)", "M-7")]


@pytest.mark.parametrize("listed", [False, ...])
def test_603a_20_q_4(listed: Any) -> None:
    assert mailed(listed_to_finance=listed) == [("mailed_not_listed_to_finance", "603a.20(q)(4)", "M-7")]


@pytest.mark.parametrize("verified", [False, ...])
def test_603a_20_q_5(verified: Any) -> None:
    assert found(changed(mailing(), "played", expiry_verified=verified)) == [
        ("mailed_expiry_not_verified", "603a.20(q)(5)", "M-7")
    ]


def test_603a_20_q_5_expired() -> None:
    # Good through the day on which it is played; a day earlier it is over, verified or not.
    assert mailed(expires=DAY) == []
    over = [("coupon_expired", "603a.20(q)(5)", "M-7")]
    assert mailed(expires="2013-09-30") == over
    unverified = changed(mailing(), "played", expiry_verified=False)
    assert found(changed(unverified, "mailed", expires="2013-09-30")) == over


@pytest.mark.parametrize("done", [False, ...])
def test_603a_20_q_6(done: Any) -> None:
    assert found(changed(mailing(), "counted", electronically_cancelled=done)) == [
        ("mailed_not_cancelled", "603a.20(q)(6)", "M-7")
    ]


def test_603a_20_q_6_at_redemption() -> None:
    events = changed(mailing(), "counted", electronically_cancelled=False)
    at_once = at("cancelled", "2013-10-02T00:00:45", serials=["M-7"])
    assert found([*events, at_once]) == []


@pytest.mark.parametrize("excluded", [True, ...])
def test_603a_20_q_7(excluded: Any) -> None:
    assert mailed(excluded=excluded) == [("mailed_to_excluded", "603a.20(q)(7)", "M-7")]


# ── the text ─────────────────────────────────────────────────────────────────────────────────────────


def test_603a_20_is_proposed_and_from_2013_02_09() -> None:
    assert {each.status for each in judged(programme()[2:]).findings} == {"proposed"}
    events = [APPROVED[0] | {"at": "2013-02-01T16:00:00Z"}, RECEIVED | {"at": "2013-02-09T10:59:59Z"}]
    early = judged(events)
    assert (early.verdict, [each.check for each in early.findings]) == ("undetermined", ["not_in_force"])
    # The gaming day begins at six in the morning.
    assert judged([events[0], RECEIVED | {"at": "2013-02-09T11:00:00Z"}]).verdict == "clean"


def test_603a_20() -> None:
    # One of marketing's duties and each of finance's papers; the others stand above, letter by letter.
    test_603a_20_b()
    test_603a_20_c()
    test_603a_20_d("finance")
    test_603a_20_h()
    test_603a_20_k()
    test_603a_20_m()
    test_603a_20_n()
    test_603a_20_o()
    test_603a_20_p()
    test_603a_20_q()
