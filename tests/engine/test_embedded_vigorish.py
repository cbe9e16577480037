"""Vigorish that is part of a wrong payment: reported with it, as one sum wherever the mistake is shown."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from projections.casework.cases.alert import Alert, alerts_of
from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import book_of, read, to_round
from projections.engine.findings import Finding
from projections.engine.observation import Key, Paid
from projections.store.store import Store
from projections.store.stored_alerts import standing_alerts
from projections.views.table_picture import difference
from projections.web.phrases.call_script import call_script
from projections.web.records.record_reader import spot as spot_of
from schemas.house import DEFAULT
from tests.builders.round_records import BANKER, PLAYER, TIE, audit_record, build_record
from tests.builders.settled_wagers import IN_2011, ZONE, join_wagers, settled_wager, view_record
from tests.builders.stores import store_records
from tests.builders.texts import text_of

_MIDI: Final = {"chapter": "541", "at": IN_2011, "announced": "tie", "options": {"vigorish": "25% on tie"}}

CASES: Final = [
    # 541.8(a)(1)(iii)(B), 541.13(f): on a tie it is returned, 25% of $408.00 is taken; it was paid 1 to 1.
    pytest.param(
        build_record(TIE, **_MIDI, **settled_wager(4, "banker", 40800, 40800, 0)),
        ("push_paid", 40800, -10200, 51000, "patron"),
        "paid $408.00, nothing was due: overpaid $408.00 (with vigorish of $0.00, due $102.00: $510.00)",
        id="paid as a win where a quarter was to be taken",
    ),
    # 631a.8(a)(1)(ii): it loses $590.00; paid as if it had won, less 5%: $560.50.
    pytest.param(
        build_record(PLAYER, announced="banker", **settled_wager(3, "banker", 59000, 59000, 2950)),
        ("paid_too_much", 118000, 2950, 115050, "patron"),
        "paid $590.00, $590.00 was to be taken: overpaid $1,180.00 "
        "(with vigorish of $29.50, due $0.00: $1,150.50)",
        id="paid as a win where it lost",
    ),
    # 631a.8(a)(1)(i), 631a.13(c): $100.00 less 5% is $95.00; collected instead.
    pytest.param(
        build_record(BANKER, announced="player", **settled_wager(3, "banker", 10000, -10000, 0)),
        ("winner_collected", -20000, -500, -19500, "house"),
        "taken $100.00, due $100.00: underpaid $200.00 (with vigorish of $0.00, due $5.00: $195.00)",
        id="collected where it won",
    ),
    # 631a.9(e)(1)(i), 631a.13(c): to $330.00 three times $20.00 of House Money joined, on which this house
    # takes no vigorish; all of it lost, and was paid less 5% of $330.00.
    pytest.param(
        build_record(
            [
                ["player", "3c"],
                ["banker", "7h"],
                ["player", "2d"],
                ["banker", "7c"],
                ["seat12", "house_money_add_banker"],
                ["player", "Qs"],
            ],
            announced="banker",
            options={"house_money": True, "house_money_vigorish": "original"},
            **join_wagers(
                settled_wager(12, "house_money", 2000, 6000, 0),
                settled_wager(12, "banker", 33000, 39000, 1650),
            ),
        ),
        ("paid_too_much", 78000, 1650, 76350, "patron"),
        "paid $390.00, $390.00 was to be taken: overpaid $780.00 "
        "(with vigorish of $16.50, due $0.00: $763.50)",
        id="paid as a win with House Money",
    ),
    # $10.01 less 5%, rounded up to $0.75, where $10.00 less $0.50 was due: $9.26 of $9.50.
    pytest.param(
        build_record(
            BANKER,
            announced="banker",
            options={"vigorish_rounding_cents": 25},
            **settled_wager(3, "banker", 1000, 1001, 75),
        ),
        ("paid_too_much", 1, 25, -24, "house"),
        "paid $10.01, due $10.00: overpaid $0.01 (with vigorish of $0.75, due $0.50: $0.24)",
        id="a cent too much paid, and a quarter too much taken of it",
    ),
    # $50.00 less 5% of that where $100.00 less 5% was due: $47.50 of $95.00.
    pytest.param(
        build_record(BANKER, announced="banker", **settled_wager(3, "banker", 10000, 5000, 250)),
        ("paid_too_little", -5000, -250, -4750, "house"),
        "paid $50.00, due $100.00: underpaid $50.00 (with vigorish of $2.50, due $5.00: $47.50)",
        id="half of it paid, less 5% of that half",
    ),
]


def money_of(told: dict[str, Any]) -> Finding:
    (found,) = [found for found in audit_record(told).findings if found.wager == "banker"]
    return found


@pytest.mark.parametrize(("told", "sums", "says"), CASES)
def test_the_vigorish_of_a_wrong_payment_is_part_of_its_sum(
    told: dict[str, Any], sums: tuple[str, int, int, int, str], says: str
) -> None:
    found = money_of(told)
    assert (found.check, found.delta_cents, found.vigorish_cents, found.net_cents, found.favours) == sums
    assert text_of(found.message) == f"banker: {says}"


@pytest.mark.parametrize(("told", "sums", "says"), CASES)
def test_queue_drawing_and_telephone_say_one_sum(
    tmp_path: Path, told: dict[str, Any], sums: tuple[str, int, int, int, str], says: str
) -> None:
    del says
    _, _, _, comes_to, side = sums
    (tmp_path / "told").mkdir()
    path = store_records(tmp_path / "store.duckdb", told)
    with Store(path) as store:
        (kept,) = only_money(standing_alerts(store.reading(), {}).values())
    (live,) = only_money([alerts_of(audit_record(told), "run")])
    for alert in (kept, live):
        assert (alert.net_cents, alert.favours) == (comes_to, side)
    page = view_record(tmp_path / "told", told)
    (spot,) = [spot for spot in page.wagers if spot.wager == "banker"]
    amount = f"${abs(comes_to) / 100:,.2f}"
    assert f"together {amount} in favor of the {side}" in difference(spot_of(spot))
    (act,) = call_script(page, ZONE).acts
    assert f"{'take back' if side == 'patron' else 'pay'} {amount.removesuffix('.00')}" in act


def test_a_charge_taken_off_the_wager_and_entered_as_lost_comes_to_nothing(tmp_path: Path) -> None:
    # 541.13(f): 25% of $100.00 was due as vigorish, and was taken as if that much of the wager had lost.
    told = build_record(TIE, **_MIDI, **settled_wager(1, "banker", 10000, -2500, 0))
    found = money_of(told)
    assert (found.check, found.delta_cents, found.vigorish_cents) == ("push_collected", -2500, -2500)
    with Store(store_records(tmp_path / "store.duckdb", told)) as store:
        ((kept,),) = standing_alerts(store.reading(), {}).values()
    (live,) = alerts_of(audit_record(told), "run")
    assert [(alert.net_cents, alert.favours) for alert in (kept, live)] == [(0, None)] * 2


def only_money(of: Any) -> list[Alert]:
    return [alert for alerts in of for alert in alerts if alert.net_cents]


def test_vigorish_that_has_a_finding_of_its_own_is_no_part_of_the_payment_s() -> None:
    # $100.00 won: $50.00 paid, and $1.00 taken, which is 5% of neither.
    paid, vigorish = audit_record(
        build_record(BANKER, announced="banker", **settled_wager(3, "banker", 10000, 5000, 100))
    ).findings
    assert (paid.check, paid.comes_to_cents) == ("paid_too_little", -5000)
    assert (vigorish.check, vigorish.comes_to_cents, vigorish.favours) == ("vigorish_wrong", 400, "patron")


def test_a_payment_put_right_later_is_what_it_was_when_the_round_closed() -> None:
    # It lost, and was paid as if it had won; the chips and what was paid less 5% were taken back.
    told = read(
        json.dumps(
            build_record(PLAYER, announced="player", **settled_wager(3, "banker", 10000, 10000, 500))
        ).encode()
    )
    righted = Paid(10000, 500, later_cents=-20000, later_vigorish_cents=-500)
    seen = replace(to_round(told, DEFAULT), paid={Key(3, None, "banker", None): righted})
    (found,) = judge(seen, book_of(told, DEFAULT)).findings
    assert (found.delta_cents, found.vigorish_cents, found.put_right) == (20000, 500, True)
