"""603a.21: Match Play Coupons under a wager of Baccarat, and as a coupon log reports them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import book_of, to_round
from projections.engine.observation import Key
from schemas.law_text import chapter
from schemas.record import RecordWager, RoundRecord
from tests.builders.texts import text_of
from tests.law import coupon_programme as programme
from tests.law.baccarat_table import (
    BANKER_BY_1,
    HOUSE,
    PLAYER_BY_1,
    TIE_AT_6,
    audit,
    bet,
    checks,
    deal,
    owed,
    paid,
)

BEFORE = datetime(2013, 2, 8, 20, tzinfo=UTC)
AFTER = datetime(2013, 2, 9, 20, tzinfo=UTC)


@pytest.mark.parametrize(("chips", "coupon"), [(1000, 1000), (2500, 1000), (1000, 1)])
def test_603a_21_b(chips: int, coupon: int) -> None:
    # Chips of at least the coupon's value: a win at 1 to 1 pays chips and coupon.
    concluded = audit(PLAYER_BY_1, bet("player", chips, coupon=coupon))
    assert concluded.verdict == "clean"
    assert owed(concluded, "player") == (chips + coupon, 0)
    assert in_log(chips_cents=999) == [("chips_below_coupon", "603a.21(b)", "1001")]
    test_603a_21_b_on_a_game_that_it_names()


@pytest.mark.parametrize("coupon", [1001, 5000])
def test_603a_21_b_over_chips(coupon: int) -> None:
    # Chips of $10 do not carry it: the wager is settled on the chips alone.
    concluded = audit(PLAYER_BY_1, bet("player", 1000, coupon=coupon), settled=[paid("player", 1000)])
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["coupon_over_chips"])
    finding = concluded.findings[0]
    assert (finding.seat, finding.wager, finding.citations) == (1, "player", ("603a.21(b)",))
    says = {1001: "the coupon of $10.01", 5000: "the coupon of $50.00"}[coupon]
    assert text_of(finding.message) == f"{says} is worth more than the chips of $10.00"
    assert owed(concluded, "player") == (1000, 0)


def test_603a_21_b_vigorish() -> None:
    # $10 and a coupon of $10 under a Banker Wager: $20 won, 5% is $1.
    concluded = audit(BANKER_BY_1, bet("banker", 1000, coupon=1000), settled=[paid("banker", 2000, 100)])
    assert concluded.verdict == "clean"
    assert owed(concluded, "banker") == (2000, 100)


@pytest.mark.parametrize(("pays", "gain"), [("wager", 16_000), ("even", 9000)])
def test_603a_21_b_terms(pays: str, gain: int) -> None:
    # A Tie Wager of $10 and $10: 8 to 1 on both is $160; 8 to 1 on the chips and the coupon's $10 is $90.
    concluded = audit(TIE_AT_6, bet("tie", 1000, coupon=1000), match_play_pays=pays)
    assert owed(concluded, "tie") == (gain, 0)


@pytest.mark.parametrize("pays", ["wager", "even"])
def test_603a_21_b_terms_at_1_to_1(pays: str) -> None:
    assert owed(audit(PLAYER_BY_1, bet("player", 1000, coupon=500), match_play_pays=pays), "player") == (
        1500,
        0,
    )
    assert owed(audit(BANKER_BY_1, bet("banker", 1000, coupon=500), match_play_pays=pays), "banker") == (
        1500,
        75,
    )


def test_603a_21_d() -> None:
    concluded = audit(
        PLAYER_BY_1,
        bet("player", 1000, coupon=1000),
        bet("tie", 1000, coupon=1000),
        bet("player", 1000, coupon=1000, seat=2),
    )
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["second_coupon"])
    finding = concluded.findings[0]
    assert (finding.seat, finding.wager, finding.citations) == (1, "tie", ("603a.21(d)",))
    assert owed(concluded, "player") == (2000, 0)
    assert owed(concluded, "tie") == (-1000, 0)
    assert owed(concluded, "player", seat=2) == (2000, 0)  # another patron


def test_603a_21_d_settled_on_the_chips() -> None:
    # The second coupon would have paid $80 more at 8 to 1.
    concluded = audit(TIE_AT_6, bet("player", 1000, coupon=1000), bet("tie", 1000, coupon=1000))
    assert checks(concluded) == ["second_coupon"]
    assert owed(concluded, "tie") == (8000, 0)


def test_603a_21_d_two_persons_on_a_seat() -> None:
    concluded = audit(
        PLAYER_BY_1,
        bet("player", 1000, coupon=1000, bettor="anna"),
        bet("player", 1000, coupon=1000, bettor="bela"),
    )
    assert concluded.verdict == "clean"
    assert [each.cents for each in concluded.expected] == [2000, 2000]


def test_603a_21_d_whose() -> None:
    concluded = audit(
        PLAYER_BY_1,
        bet("player", 1000, coupon=1000, bettor="anna"),
        bet("tie", 1000, coupon=1000, bettor="anna"),
        bet("tie", 1000, coupon=1000, bettor="bela"),
    )
    assert [(each.check, each.bettor) for each in concluded.findings] == [("second_coupon", "anna")]


def test_603a_21_d_two_under_one_wager() -> None:
    # The chip reader sees the second one; a record has no place for it.
    record = RoundRecord(
        table="BAC-1",
        round="1",
        chapter="631a",
        at=AFTER,
        play=PLAYER_BY_1,
        wagers=[bet("player", 1000, coupon=1000), bet("player", 1000, coupon=1000, seat=2)],
    )
    seen = to_round(record, HOUSE)
    seen.second_coupons = [Key(1, None, "player", None)]
    concluded = judge(seen, book_of(record, HOUSE))
    assert [(each.check, each.seat, each.citations) for each in concluded.findings] == [
        ("second_coupon", 1, ("603a.21(d)",))
    ]
    assert [each.cents for each in concluded.expected] == [1000, 2000]
    # One over the chips is that mistake first.
    seen.wagers[Key(1, None, "player", None)].coupon_cents = 2000
    assert checks(judge(seen, book_of(record, HOUSE))) == ["coupon_over_chips"]


def test_603a_21_d_one_that_does_not_count_uses_nothing_up() -> None:
    # The first is refused for its value, so the second is the one of the round.
    concluded = audit(PLAYER_BY_1, bet("tie", 1000, coupon=2000), bet("player", 1000, coupon=1000))
    assert checks(concluded) == ["coupon_over_chips"]
    assert owed(concluded, "player") == (2000, 0)


def test_603a_21_e() -> None:
    # Lost: the chips are collected, the coupon goes to the drop box and costs the patron nothing.
    lost = audit(BANKER_BY_1, bet("player", 2500, coupon=1000), settled=[paid("player", -2500)])
    assert lost.verdict == "clean"
    # Tied: the text is silent; nothing is won or lost.
    assert owed(audit(TIE_AT_6, bet("player", 2500, coupon=1000)), "player") == (0, 0)
    # In the log it is dropped once, after it was played.
    events = programme.programme()
    again = [*events[:-2], programme.dropped("1001", 6), *events[-2:]]
    assert programme.found(events) == []
    assert [check for check, *_ in programme.found(again)] == ["dropped_without_play"]
    test_603a_21_e_counted_without_play()


def test_603a_21_b_on_a_game_that_it_names() -> None:
    games = programme.changed(programme.programme(), "received", games=["631a banker"])
    wrong = [("coupon_wrong_game", serial) for serial in ("1001", "1002", "1003")]
    assert [(check, serial) for check, _, serial in programme.found(games)] == wrong


def test_603a_21_e_counted_without_play() -> None:
    # 1003 tied and went back to its patron; it is found in the box all the same.
    events = programme.programme()
    events = [*events[:-2], programme.counted("1003"), programme.cancelled("1003"), *events[-2:]]
    assert [(check, serial) for check, _, serial in programme.found(events)] == [
        ("counted_without_play", "1003")
    ]


def test_603a_21_b_by_name_only() -> None:
    # A coupon without a stated value is one all the same: the next on the seat is the second.
    named = RecordWager(1, "player", 1000, coupon="MP-7")
    concluded = audit(PLAYER_BY_1, named, bet("tie", 1000, coupon=500))
    assert checks(concluded) == ["second_coupon"]
    assert owed(concluded, "player") == (1000, 0)


def test_603a_21_from_2013_02_09() -> None:
    # No text on file forbids a coupon before: what it won is open, and nothing is proven of it.
    for gain in (1000, 2000):
        before = audit(
            PLAYER_BY_1, bet("player", 1000, coupon=1000), at=BEFORE, settled=[paid("player", gain)]
        )
        assert (before.verdict, checks(before)) == ("undetermined", ["not_in_force"])
        assert before.findings[0].citations == ("603a.21(b)",)
        assert owed(before, "player") == (None, None)
    after = audit(PLAYER_BY_1, bet("player", 1000, coupon=1000), at=AFTER)
    assert after.verdict == "clean"
    assert owed(after, "player") == (2000, 0)


def test_603a_21_before_2013_02_09_where_the_coupon_does_not_bear_on_the_money() -> None:
    # Lost, the chips are collected; tied, they are returned; a second coupon is no fault of its own.
    lost = bet("banker", 1000, coupon=500)
    concluded = audit(PLAYER_BY_1, lost, bet("tie", 500, coupon=500), at=BEFORE)
    assert (concluded.verdict, checks(concluded)) == ("undetermined", ["not_in_force"] * 2)
    assert (owed(concluded, "banker"), owed(concluded, "tie")) == ((-1000, 0), (-500, 0))
    tied = audit(TIE_AT_6, bet("player", 1000, coupon=500), at=BEFORE, settled=[paid("player", -1000)])
    assert owed(tied, "player") == (0, 0)
    assert sorted(checks(tied)) == ["not_in_force", "push_collected"]


def test_603a_21_text() -> None:
    law = chapter("603a")
    assert law.chapter == "603a"
    (text,) = law.texts.values()
    assert (text.status, text.source) == ("proposed", "43 Pa.B. 834")
    assert law.numbers_on(BEFORE.date()) == {}
    one = law.numbers_on(AFTER.date())["coupons_a_round"]
    assert (one.value, one.cite) == (1, "603a.21(d)")


def test_603a_21_is_proposed() -> None:
    concluded = audit(PLAYER_BY_1, bet("player", 1000, coupon=2000), at=AFTER)
    assert [finding.status for finding in concluded.findings] == ["proposed"]


def test_603a_21_b_house_money() -> None:
    # $10 of chips and a coupon of $10 on House Money, one pair at 3 to 1: $60.
    concluded = audit(deal("9c 9h", "Kd 7d"), bet("house_money", 1000, coupon=1000), house_money=True)
    assert owed(concluded, "house_money") == (6000, 0)


# ── the coupon log: one thing changed in a log that is clean ─────────────────────────────────────────


def in_log(serial: str = "1001", **fields: Any) -> list[tuple[str, str, str | None]]:
    """Change how a coupon was played, and give what is found."""
    return programme.found(programme.changed(programme.programme(), "played", serial, **fields))


@pytest.mark.parametrize("against", [False, ...])
def test_603a_21_a(against: Any) -> None:
    assert in_log(against_house=against) == [("coupon_not_against_house", "603a.21(a)", "1001")]


@pytest.mark.parametrize(("chips", "fault"), [(1000, False), (999, True), (..., True), (1001, False)])
def test_603a_21_b_log(chips: Any, fault: bool) -> None:  # noqa: FBT001  a row of the table
    wanted = [("chips_below_coupon", "603a.21(b)", "1001")] if fault else []
    assert in_log(chips_cents=chips) == wanted


@pytest.mark.parametrize("value", [500, 2500, ...])
def test_603a_21_b_stated_value(value: Any) -> None:
    assert in_log(value_cents=value, on_coupon_cents=2500 if value == 2500 else 1000)[0] == (
        "coupon_value_wrong",
        "603a.21(b)",
        "1001",
    )


@pytest.mark.parametrize(
    ("field", "check"),
    [("underneath", "coupon_not_underneath"), ("visible", "coupon_value_hidden")],
)
@pytest.mark.parametrize("told", [False, ...])
def test_603a_21_b_under_the_chips(field: str, check: str, told: Any) -> None:
    assert in_log(**{field: told}) == [(check, "603a.21(b)", "1001")]


@pytest.mark.parametrize("on_coupon", [999, 1001, 2500, ...])
def test_603a_21_b_broken_down(on_coupon: Any) -> None:
    assert in_log(on_coupon_cents=on_coupon) == [("chips_not_broken_down", "603a.21(b)", "1001")]
    # Chips of just the coupon's value need not be.
    assert in_log(chips_cents=1000, on_coupon_cents=on_coupon) == []


@pytest.mark.parametrize("by", ["boxperson", "dealer"])
def test_603a_21_b_redeemed_by(by: str) -> None:
    assert in_log(by=by) == []


@pytest.mark.parametrize("by", ["floorperson", "cashier", ...])
def test_603a_21_b_redeemed_by_others(by: Any) -> None:
    assert in_log(by=by) == [("coupon_redeemer_wrong", "603a.21(b)", "1001")]


@pytest.mark.parametrize("inside", [False, ...])
def test_603a_21_c_1(inside: Any) -> None:
    assert in_log(in_betting_area=inside) == [("coupon_outside_betting_area", "603a.21(c)(1)", "1001")]


@pytest.mark.parametrize("wager", ["pass", "Don't Pass Line", "dont_pass"])
def test_603a_21_c_2(wager: str) -> None:
    assert in_log(chapter="623a", wager=wager, in_betting_area=...) == []
    beside = in_log(chapter="623a", wager=f"{wager} odds", in_betting_area=...)
    assert beside == [("coupon_off_pass_line", "603a.21(c)(2)", "1001")]


@pytest.mark.parametrize(
    "fields", [{"wager": "field"}, {"wager": ...}, {"wager": "pass", "in_betting_area": False}]
)
def test_603a_21_c_2_elsewhere(fields: dict[str, Any]) -> None:
    assert in_log(chapter="623a", **fields) == [("coupon_off_pass_line", "603a.21(c)(2)", "1001")]


@pytest.mark.parametrize(
    "box", ["black", "Red", "odd", "even", "1-18", "19 to 36", "1st_12", "second dozen", "3rd 12"]
)
def test_603a_21_c_3(box: str) -> None:
    assert in_log(chapter="617a", wager=box) == []
    assert in_log(chapter="617a", wager="00") == [("coupon_off_outside_box", "603a.21(c)(3)", "1001")]


@pytest.mark.parametrize("wager", ["straight_17", "column_1", ...])
def test_603a_21_c_3_elsewhere(wager: Any) -> None:
    assert in_log(chapter="617a", wager=wager) == [("coupon_off_outside_box", "603a.21(c)(3)", "1001")]


def test_603a_21_d_log() -> None:
    second = [("second_coupon_in_round", "603a.21(d)", "1002")]
    # Anna's second in round 1, on another seat; the seat alone does not make it one.
    assert in_log("1002", patron="anna", round="1", seat=5) == second
    assert in_log("1002", patron="bela", round="1", seat=3) == []
    # Where the log does not say whose it is, the seat does.
    events = programme.changed(programme.programme(), "played", "1001", patron=...)
    assert programme.found(programme.changed(events, "played", "1002", patron=..., round="1")) == second
    # In another round, at another table.
    assert in_log("1002", patron="anna") == []
    elsewhere = programme.changed(
        programme.programme(), "played", "1002", patron="anna", round="1", table="BAC-2"
    )
    elsewhere = programme.changed(elsewhere, "dropped", "1002", table="BAC-2")
    assert programme.found(programme.changed(elsewhere, "counted", "1002", table="BAC-2")) == []


@pytest.mark.parametrize("serial", ["1001", "1002"])
def test_603a_21_e_log(serial: str) -> None:
    # Won or lost: it goes into the box.
    events = programme.without(programme.programme(), "dropped", serial)
    findings = programme.judged(events).findings
    assert [(each.check, each.citations, each.serial, each.table, str(each.day)) for each in findings] == [
        ("coupon_not_dropped", ("603a.21(e)",), serial, "BAC-1", "2013-10-01")
    ]


@pytest.mark.parametrize(
    ("at", "seconds", "late"),
    [
        ("00:00:30", 60, False),
        ("00:01:30", 60, False),
        ("00:01:31", 60, True),
        ("00:01:31", 90, False),
        ("00:00:31", 0, True),
        ("00:00:00", 60, False),
    ],
)
def test_603a_21_e_at_the_time(at: str, seconds: int, late: bool) -> None:  # noqa: FBT001  a row of the table
    # Paid at 00:00:30.
    events = programme.changed(programme.programme(), "dropped", "1001", at=f"2013-10-02T{at}Z")
    wanted = [("coupon_not_dropped", "603a.21(e)", "1001")] if late else []
    assert [each for each in programme.found(events, drop_seconds=seconds) if each[2] == "1001"] == wanted


def test_603a_21_e_long_before() -> None:
    events = programme.changed(programme.programme(), "settled", "1001", at="2013-10-02T00:01:41Z")
    assert programme.found(events) == [("coupon_not_dropped", "603a.21(e)", "1001")]
    assert programme.found(events, drop_seconds=61) == []


def test_603a_21_e_never_settled() -> None:
    events = programme.without(programme.programme(), "settled", "1001")
    assert programme.found(events) == [("coupon_not_dropped", "603a.21(e)", "1001")]


def test_603a_21_e_tie_in_the_log() -> None:
    # Cora keeps 1003 after a tie and plays it again; where a tie redeems it would have had to be dropped.
    again = [
        programme.played("1003", "cora", "4", 6),
        programme.settled("1003", "4", 6, "lose"),
        programme.dropped("1003", 6),
        programme.counted("1003"),
        programme.cancelled("1003"),
    ]
    events = [*programme.programme()[:-2], *again, *programme.programme()[-2:]]
    assert programme.found(programme.changed(events, "reconciled", redeemed=3)) == []
    assert ("coupon_not_dropped", "603a.21(e)", "1003") in programme.found(events, tie_redeems=True)


def test_603a_21_e_tie_and_dropped() -> None:
    # The text speaks of wins and losses only.
    events = [*programme.programme(), programme.dropped("1003", 4), programme.counted("1003")]
    assert programme.found(events) == []


def test_603a_21_e_another_box() -> None:
    events = programme.changed(programme.programme(), "dropped", "1001", table="BAC-2", drop_box="B-1")
    assert programme.found(programme.changed(events, "counted", "1001", table="BAC-2")) == [
        ("coupon_dropped_elsewhere", "603a.21(e)", "1001")
    ]


def test_603a_21_e_without_play() -> None:
    events = [
        each
        for each in programme.programme()
        if each.get("serial") != "1001" or each["event"] not in ("played", "settled")
    ]
    assert programme.found(events) == [("dropped_without_play", "603a.21(e)", "1001")]


@pytest.mark.parametrize("redeemed", [2, 3])
def test_603a_21_e_once(redeemed: int) -> None:
    # 1001 comes back to the table after it was dropped.
    again = [
        programme.played("1001", "eve", "4", 6),
        programme.settled("1001", "4", 6, "win"),
        programme.dropped("1001", 6),
    ]
    events = [*programme.programme()[:-2], *again, *programme.programme()[-2:]]
    assert programme.found(programme.changed(events, "reconciled", redeemed=redeemed)) == [
        ("coupon_reused", "603a.21(e)", "1001")
    ]


def test_603a_21_says_whom_and_where() -> None:
    (finding,) = programme.judged(programme.changed(programme.programme(), "played", by="cashier")).findings
    assert (finding.serial, finding.patron, finding.table, str(finding.day)) == (
        "1001",
        "anna",
        "BAC-1",
        "2013-10-01",
    )
    assert finding.status == "proposed"


def test_603a_21() -> None:
    test_603a_21_a(against=False)
    test_603a_21_b_log(999, fault=True)
    test_603a_21_c()
    test_603a_21_d_log()
    test_603a_21_e_never_settled()


def test_603a_21_c() -> None:
    test_603a_21_c_1(inside=False)
    test_603a_21_c_2("pass")
    test_603a_21_c_3("black")
