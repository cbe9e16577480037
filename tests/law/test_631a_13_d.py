"""631a.13(d): when the vigorish is collected. What is left owing only the events of a whole shoe tell."""

import pytest

from schemas import events as e
from tests.law.baccarat_table import BANKER_BY_1, audit, bet, checks, paid
from tests.script import BANKER_WINS, Script, house, told

SEAT_3 = (3, "banker")


def a_round_that_marks(script: Script) -> None:
    """Let seat 3 win $100 on the Banker's Hand, and mark the $5 that it owes."""
    script.play(BANKER_WINS, {SEAT_3: 10_000}, "banker", {SEAT_3: 10_000}, {SEAT_3: 500}, marked=True)


def a_table_that_marks() -> Script:
    script = Script()
    script.open()
    a_round_that_marks(script)
    return script


def left_owing(script: Script) -> list[tuple[object, ...]]:
    """Close the table and tell what every shoe left owing: shoe, who it favours, due and collected beyond."""
    script.close()
    heard = told(script.events, house(vigorish_deferred=True))
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
