"""631a.13: at which odds each wager is paid, and the vigorish.

What is left owing under (d) follows only from the recorded events of a whole shoe.
"""

from typing import Any

import pytest

from schemas import events as e
from schemas.errors import BadInput
from tests.builders.table_audit import audit_events
from tests.builders.table_script import BANKER_WINS, Script, build_house
from tests.law.baccarat_table import (
    BANKER_BY,
    BANKER_BY_1,
    DRAGON_7,
    PANDA_8,
    PLAYER_BY,
    PLAYER_BY_1,
    TIE_AT_6,
    audit,
    bet,
    checks,
    deal,
    notes,
    owed,
    owed_by,
    paid,
)


def test_631a_13() -> None:
    # One round, 8 to 8 by the Player's pair of fours: $10 on each.
    concluded = audit(
        deal("4c 4h", "Kd 8d"),
        bet("player", 1000),
        bet("banker", 1000),
        bet("tie", 1000),
        bet("dragon_bonus_player", 1000),
        bet("house_money", 1000),
        settled=[paid("tie", 8000), paid("house_money", 3000)],
        dragon_bonus="B",
        house_money=True,
    )
    assert concluded.verdict == "clean"  # 8 to 1, 3 to 1, the rest returned


@pytest.mark.parametrize("cents", [1, 100, 2500, 99_999])
def test_631a_13_a(cents: int) -> None:
    assert owed_by("631a.13(a)", PLAYER_BY_1, "player", cents) == (cents, 0)


@pytest.mark.parametrize(
    ("odds", "gain"),
    [
        (8, 8000),
        (9, 9000),
        ("8", 8000),
        ("9 to 1", 9000),
        ("17/2", 8500),
        ("25/3", 8333),  # 8333 cents and a third, which no chip can pay
    ],
)
def test_631a_13_b(odds: object, gain: int) -> None:
    assert owed_by("631a.13(b)", TIE_AT_6, "tie", 1000, tie_odds=odds) == (gain, 0)
    test_631a_13_b_at_least_8()


def test_631a_13_b_fraction_of_a_cent() -> None:
    # 25 cents at 17 to 2 are 212.5: the half cent is dropped, and that is said.
    concluded = audit(TIE_AT_6, bet("tie", 25), settled=[paid("tie", 212)], tie_odds="17/2")
    assert (concluded.verdict, notes(concluded)) == ("clean", ["fraction_dropped"])


def test_631a_13_b_at_least_8() -> None:
    assert owed_by("631a.13(b)", TIE_AT_6, "tie", 1000) == (8000, 0)
    for less in (7, "7", "79/10", 0, -8):
        with pytest.raises(BadInput, match=r"631a\.13\(b\)"):
            audit(TIE_AT_6, bet("tie", 1000), tie_odds=less)
    for no_odds in (True, "many", "8 to 0"):
        with pytest.raises(BadInput, match="tie_odds"):
            audit(TIE_AT_6, bet("tie", 1000), tie_odds=no_odds)


@pytest.mark.parametrize(
    ("won", "exact", "rounded"),
    [
        (10_000, 500, 500),  # an exact multiple stays
        (2500, 125, 125),
        (500, 25, 25),
        (100, 5, 25),
        (400, 20, 25),
        (600, 30, 50),
        (1100, 55, 75),
        (1020, 51, 75),
        (980, 49, 50),
        (2505, 125, 150),  # 125.25: above the multiple by a quarter of a cent, so the next one
        (2519, 125, 150),  # 125.95, the fraction is dropped where the house does not round
        (505, 25, 50),  # 25.25
        (10, 0, 25),  # half a cent
        (1, 0, 25),  # a twentieth of a cent
        (1_000_000, 50_000, 50_000),
    ],
)
def test_631a_13_c(won: int, exact: int, rounded: int) -> None:
    # 1 to 1, 5% of the amount won.
    assert owed_by("631a.13(c)", BANKER_BY_1, "banker", won) == (won, exact)
    assert owed_by("631a.13(c)", BANKER_BY_1, "banker", won, vigorish_rounding_cents=25) == (won, rounded)


@pytest.mark.parametrize("play", [PLAYER_BY_1, TIE_AT_6])
def test_631a_13_c_only_of_the_amount_won(play: list[tuple[str, str]]) -> None:
    assert owed(audit(play, bet("banker", 10_000), vigorish_rounding_cents=25), "banker")[1] == 0


@pytest.mark.parametrize(
    ("rounding", "taken", "found", "noted"),
    [
        # $11 won: 55 cents, or 75 rounded up.
        (0, 55, [], []),
        (25, 75, [], []),
        # The text says that a house may round: the other way is a note.
        (25, 55, [], ["vigorish_permissive"]),
        (0, 75, [], ["vigorish_permissive"]),
        # Down it may not, nor further up than the next multiple, nor to another unit.
        (0, 50, ["vigorish_rounding_wrong"], []),
        (25, 50, ["vigorish_rounding_wrong"], []),
        (25, 54, ["vigorish_rounding_wrong"], []),
        (0, 56, ["vigorish_rounding_wrong"], []),
        (0, 53, ["vigorish_wrong"], []),
        (0, 57, ["vigorish_wrong"], []),
        (25, 100, ["vigorish_wrong"], []),
        (0, 110, ["vigorish_wrong"], []),
        (0, 44, ["vigorish_wrong"], []),  # 4%
        (25, 0, ["vigorish_not_taken"], []),
        (0, 0, ["vigorish_not_taken"], []),
    ],
)
def test_631a_13_c_taken(rounding: int, taken: int, found: list[str], noted: list[str]) -> None:
    concluded = audit(
        BANKER_BY_1,
        bet("banker", 1100),
        settled=[paid("banker", 1100, taken)],
        vigorish_rounding_cents=rounding,
    )
    assert (checks(concluded), notes(concluded)) == (found, noted)
    assert concluded.verdict == ("mismatch" if found else "clean")
    if found:
        finding = concluded.findings[0]
        expected = 75 if rounding else 55
        assert "631a.13(c)" in finding.citations
        assert (finding.expected_cents, finding.observed_cents) == (expected, taken)
        assert finding.delta_cents == taken - expected
        # More vigorish is the house's advantage.
        assert finding.favours == ("house" if taken > expected else "patron")


def test_631a_13_c_of_a_coupon() -> None:
    # What it won is part of the amount won: 5% of $20.
    assert owed(audit(BANKER_BY_1, bet("banker", 1000, coupon=1000)), "banker") == (2000, 100)


def test_631a_13_c_fraction_dropped() -> None:
    # $25.05 won: 125.25 cents; the text has no word for a quarter of a cent.
    concluded = audit(BANKER_BY_1, bet("banker", 2505), settled=[paid("banker", 2505, 125)])
    assert (concluded.verdict, notes(concluded)) == ("clean", ["fraction_dropped"])


def test_631a_13_c_on_what_was_paid() -> None:
    # $100 won, $50 paid with 5% of $50: the payment is the mistake, its vigorish follows from it.
    concluded = audit(BANKER_BY_1, bet("banker", 10_000), settled=[paid("banker", 5000, 250)])
    assert (checks(concluded), notes(concluded)) == (["paid_too_little"], [])
    as_due = audit(BANKER_BY_1, bet("banker", 10_000), settled=[paid("banker", 5000, 500)])
    assert checks(as_due) == ["paid_too_little"]
    neither = audit(BANKER_BY_1, bet("banker", 10_000), settled=[paid("banker", 5000, 100)])
    assert checks(neither) == ["paid_too_little", "vigorish_wrong"]


@pytest.mark.parametrize(
    ("play", "gain", "vigorish", "check"),
    [
        (BANKER_BY_1, -10_000, 0, "winner_collected"),
        (BANKER_BY_1, 0, 0, "paid_too_little"),
        (PLAYER_BY_1, 10_000, 500, "paid_too_much"),
        (TIE_AT_6, 10_000, 500, "push_paid"),
    ],
)
def test_631a_13_c_of_a_payment_gone_wrong(
    play: list[tuple[str, str]], gain: int, vigorish: int, check: str
) -> None:
    # The vigorish that goes, or does not go, with a wrong payment is part of that one mistake.
    concluded = audit(play, bet("banker", 10_000), settled=[paid("banker", gain, vigorish)])
    assert checks(concluded) == [check]


@pytest.mark.parametrize(
    ("wager", "play", "gain", "options"),
    [
        ("banker", BANKER_BY_1, 10_000, {"ez": True}),
        ("player", PLAYER_BY_1, 10_000, {}),
        ("tie", TIE_AT_6, 80_000, {}),
        ("banker", TIE_AT_6, 0, {}),
        ("dragon_7", DRAGON_7, 400_000, {"ez": True}),
    ],
)
def test_631a_13_c_unauthorized(
    wager: str, play: list[tuple[str, str]], gain: int, options: dict[str, Any]
) -> None:
    concluded = audit(play, bet(wager, 10_000), settled=[paid(wager, gain, 500)], **options)
    assert (concluded.verdict, checks(concluded)) == ("mismatch", ["vigorish_unauthorized"])
    finding = concluded.findings[0]
    assert (finding.expected_cents, finding.delta_cents, finding.favours) == (0, 500, "house")


def test_631a_13_c_options() -> None:
    for unit in (5, 20, 24, 50, "25"):
        with pytest.raises(BadInput, match=r"631a\.13\(c\)"):
            audit(BANKER_BY_1, bet("banker"), vigorish_rounding_cents=unit)
    for rate in ("4%", "25% on tie", 5):
        with pytest.raises(BadInput, match=r"631a\.13\(c\)"):
            audit(BANKER_BY_1, bet("banker"), vigorish=rate)
    assert audit(BANKER_BY_1, bet("banker"), vigorish="5%").verdict == "clean"


SEAT_3 = (3, "banker")


def a_round_that_marks(script: Script) -> None:
    """Script a win of $100 of seat 3 on the Banker's Hand, and the mark of the $5 that it owes."""
    script.play(BANKER_WINS, {SEAT_3: 10_000}, "banker", {SEAT_3: 10_000}, {SEAT_3: 500}, marked=True)


def a_table_that_marks() -> Script:
    script = Script()
    script.open()
    a_round_that_marks(script)
    return script


def left_owing(script: Script) -> list[tuple[object, ...]]:
    """Close the table; return what each shoe left owing: shoe, who it favours, due and collected beyond."""
    script.close()
    heard = audit_events(script.events, build_house(vigorish_deferred=True))
    assert set(heard.rounds) == {str(number) for number in range(1, script.count + 1)}
    assert {each.verdict for each in heard.rounds.values()} == {"clean"}
    found: list[tuple[object, ...]] = []
    for shoe, concluded in heard.shoes.items():
        for finding in concluded.findings:
            assert finding.check == "vigorish_left_owing"
            assert "631a.13(d)(2)(i)" in finding.citations
            assert finding.seat == 3
            found.append((shoe, finding.favours, finding.expected_cents, finding.observed_cents))
    return found


def test_631a_13_d() -> None:
    # Collected with the payout: nothing is left owing.
    script = Script()
    script.open()
    script.play(BANKER_WINS, {SEAT_3: 10_000}, "banker", {SEAT_3: 10_000}, {SEAT_3: 500})
    script.load("shoe 2")
    script.play(BANKER_WINS, {SEAT_3: 10_000}, "banker", {SEAT_3: 10_000}, {SEAT_3: 500})
    assert left_owing(script) == []


def test_631a_13_d_2() -> None:
    # Two rounds of $5 each are marked and $10 collected before the next shoe.
    script = a_table_that_marks()
    a_round_that_marks(script)
    script.pay_off(3, 1000)
    script.load("shoe 2")
    a_round_that_marks(script)
    script.pay_off(3, 500)
    assert left_owing(script) == []
    assert len(left_owing(a_table_that_marks())) == 1


def test_631a_13_d_2_i() -> None:
    # $5 is still marked when play with the next shoe begins.
    script = a_table_that_marks()
    script.load("shoe 2")
    script.play(BANKER_WINS, {}, "banker", {})
    assert left_owing(script) == [("shoe 1", "patron", 500, 0)]


def test_631a_13_d_2_i_in_part() -> None:
    # Of $10 marked $5 was collected.
    script = a_table_that_marks()
    a_round_that_marks(script)
    script.pay_off(3, 500)
    script.load("shoe 2")
    script.play(BANKER_WINS, {}, "banker", {})
    assert left_owing(script) == [("shoe 1", "patron", 500, 0)]


def test_631a_13_d_2_i_player_left() -> None:
    script = a_table_that_marks()
    script.say("T", e.PlayerLeft, seat=3)
    script.play(BANKER_WINS, {}, "banker", {})
    assert left_owing(script) == [("shoe 1", "patron", 500, 0)]


def test_631a_13_d_2_i_player_paid_and_left() -> None:
    script = a_table_that_marks()
    script.pay_off(3, 500)
    script.say("T", e.PlayerLeft, seat=3)
    script.play(BANKER_WINS, {}, "banker", {})
    assert left_owing(script) == []


@pytest.mark.parametrize("deferred", [False, True])
def test_631a_13_d_2_ii(*, deferred: bool) -> None:
    # What is marked as owed is of the same amount as what would be collected: 5% of $100.
    def settled(vigorish: int) -> list[str]:
        return checks(
            audit(
                BANKER_BY_1,
                bet("banker", 10_000),
                settled=[paid("banker", 10_000, vigorish)],
                vigorish_deferred=deferred,
            )
        )

    assert settled(500) == []
    assert settled(300) == ["vigorish_wrong"]
    assert settled(0) == ["vigorish_not_taken"]


@pytest.mark.parametrize(
    ("table", "margin", "gain"),
    [
        # $1 by the three pay tables of the text.
        ("A", 9, 3000),
        ("A", 8, 1000),
        ("A", 7, 600),
        ("A", 6, 400),
        ("A", 5, 200),
        ("A", 4, 100),
        ("B", 9, 2000),
        ("B", 8, 800),
        ("B", 7, 700),
        ("B", 6, 400),
        ("B", 5, 300),
        ("B", 4, 100),
        ("C", 9, 3000),
        ("C", 8, 1000),
        ("C", 7, 400),
        ("C", 6, 400),
        ("C", 5, 200),
        ("C", 4, 200),
    ],
)
def test_631a_13_e(table: str, margin: int, gain: int) -> None:
    players = owed_by("631a.13(e)", PLAYER_BY[margin], "dragon_bonus_player", 100, dragon_bonus=table)
    bankers = owed_by("631a.13(e)", BANKER_BY[margin], "dragon_bonus_banker", 100, dragon_bonus=table)
    assert players == bankers == (gain, 0)  # a vigorish may not be taken, on the Banker's Hand neither


@pytest.mark.parametrize("table", ["A", "B", "C"])
@pytest.mark.parametrize("against", ["Q", "A", "2", "3", "4", "5", "6", "7", "8"])
def test_631a_13_e_natural(table: str, against: str) -> None:
    # Whatever the other hand has, and so whatever the margin: 1 to 1 on $1.
    players = owed_by(
        "631a.13(e)", deal("Kc 9c", f"Kd {against}d"), "dragon_bonus_player", 100, dragon_bonus=table
    )
    bankers = owed_by(
        "631a.13(e)", deal(f"Kd {against}d", "Kc 9c"), "dragon_bonus_banker", 100, dragon_bonus=table
    )
    assert players == bankers == (100, 0)


@pytest.mark.parametrize("table", ["A", "B", "C"])
def test_631a_13_e_natural_tie(table: str) -> None:
    for play in (deal("Kc 8c", "Kd 8d"), deal("Kc 9c", "Kd 9d")):
        assert owed(audit(play, bet("dragon_bonus_player"), dragon_bonus=table), "dragon_bonus_player") == (
            0,
            0,
        )


def test_631a_13_e_vigorish() -> None:
    concluded = audit(
        BANKER_BY[9],
        bet("dragon_bonus_banker", 100),
        settled=[paid("dragon_bonus_banker", 3000, 150)],
        dragon_bonus="A",
    )
    assert checks(concluded) == ["vigorish_unauthorized"]
    assert "631a.13(e)" in concluded.findings[0].citations


def test_631a_13_e_tables() -> None:
    for table in ("D", "a", "", 1, True):
        with pytest.raises(BadInput, match=r"631a\.13\(e\)"):
            audit(BANKER_BY[9], bet("dragon_bonus_banker"), dragon_bonus=table)


@pytest.mark.parametrize("cents", [1, 100, 2500])
def test_631a_13_f(cents: int) -> None:
    assert owed_by("631a.13(f)", DRAGON_7, "dragon_7", cents, ez=True) == (40 * cents, 0)


@pytest.mark.parametrize("cents", [1, 100, 2500])
def test_631a_13_g(cents: int) -> None:
    assert owed_by("631a.13(g)", PANDA_8, "panda_8", cents, ez=True) == (25 * cents, 0)


@pytest.mark.parametrize("cents", [1, 100, 2500])
def test_631a_13_h(cents: int) -> None:
    one = deal("9c 9h", "Kd 7d")
    both = deal("4c 4h", "Kd Ks")
    assert owed_by("631a.13(h)", one, "house_money", cents, house_money=True) == (3 * cents, 0)
    assert owed_by("631a.13(h)", both, "house_money", cents, house_money=True) == (15 * cents, 0)
