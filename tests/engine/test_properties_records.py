"""What holds for every round record, whatever the cards, the wagers and the house."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from schemas.house import DEFAULT
from schemas.record import RoundRecord
from streams.simulator.games.baccarat.rules import MAIN, Result, Ways, gain, portion, vigorish
from tests.builders.strategies import (
    STEADY,
    TODAY,
    any_plays,
    cards,
    plays,
    readings,
    records,
    settled,
    who,
    with_any_choices,
)

Money: TypeAlias = dict[tuple[int, str | None, str], tuple[int | None, int | None]]

CALLS: Final = ("player", "banker", "tie", "dragon_7", "panda_8")
NOT_WON: Final = {"house_money_not_won", "house_money_without_wager"}
SURPLUS: Final = {"third_card_extra", "card_after_natural"}
ON_MONEY: Final = {
    "paid_too_much", "paid_too_little", "loser_not_collected", "winner_collected", "push_collected",
    "push_paid", "vigorish_not_taken", "vigorish_wrong", "vigorish_rounding_wrong", "vigorish_unauthorized",
}  # fmt: skip


def judged(record: RoundRecord) -> Conclusion:
    return answer(record, DEFAULT)


def money(concluded: Conclusion) -> Money:
    return {
        (each.seat, each.bettor, each.wager): (each.cents, each.vigorish_cents) for each in concluded.expected
    }


def checks(concluded: Conclusion) -> list[str]:
    return [finding.check for finding in concluded.findings]


def accused(concluded: Conclusion) -> set[tuple[str, object, object]]:
    """Return the findings and whom they concern; a choice that could not be made has more than one name."""
    return {
        ("house_money" if finding.check in NOT_WON else finding.check, finding.who, finding.seat)
        for finding in concluded.findings
        if finding.check not in ("data_missing", "card_extra")
    }


def rightly_settled(record: RoundRecord) -> RoundRecord:
    return replace(record, paid=settled(judged(record)))


def hands(record: RoundRecord) -> Result:
    player, banker = (tuple(what for to, what in record.play if to == hand) for hand in MAIN)
    return Result(player, banker)


@STEADY
@given(records())
def test_a_lawful_round_is_settled_whole(record: RoundRecord) -> None:
    concluded = judged(record)
    assert concluded.verdict == "clean"
    assert len(concluded.expected) == len(record.wagers)
    assert None not in [each.cents for each in concluded.expected]


@STEADY
@given(records())
def test_paid_as_expected_is_clean(record: RoundRecord) -> None:
    assert judged(rightly_settled(record)).verdict == "clean"


@STEADY
@given(records(), any_plays())
def test_paid_as_expected_is_no_matter_of_money(record: RoundRecord, play: list[tuple[str, str]]) -> None:
    # However the cards fell.
    concluded = judged(rightly_settled(replace(record, play=play)))
    assert ON_MONEY.isdisjoint(checks(concluded))


@STEADY
@given(records(), st.data())
def test_one_wrong_payment_is_one_finding(record: RoundRecord, data: st.DataObject) -> None:
    right = rightly_settled(record)
    assume(right.paid)
    wrong = list(right.paid or [])
    n = data.draw(st.integers(0, len(wrong) - 1))
    delta = data.draw(st.integers(-300_000, 300_000).filter(bool))
    wrong[n] = replace(wrong[n], cents=wrong[n].cents + delta)
    concluded = judged(replace(right, paid=wrong))
    (finding,) = concluded.findings
    assert concluded.verdict == "mismatch"
    assert finding.check in ON_MONEY
    assert (finding.seat, finding.wager, finding.delta_cents) == (wrong[n].seat, wrong[n].wager, delta)
    assert finding.favours == ("patron" if delta > 0 else "house")


@STEADY
@given(records(), st.data())
def test_one_wrong_vigorish_is_one_finding(record: RoundRecord, data: st.DataObject) -> None:
    right = rightly_settled(record)
    assume(right.paid)
    wrong = list(right.paid or [])
    n = data.draw(st.integers(0, len(wrong) - 1))
    taken = data.draw(st.integers(0, 300_000).filter(lambda cents: cents != wrong[n].vigorish_cents))
    owed = wrong[n].vigorish_cents
    wrong[n] = replace(wrong[n], vigorish_cents=taken)
    concluded = judged(replace(right, paid=wrong))
    if not concluded.findings:
        # Rounding is permitted and not required: the other of the two sums is a note.
        assert "vigorish_permissive" in [note.check for note in concluded.notes]
        assert abs(taken - owed) <= 25
        return
    (finding,) = concluded.findings
    assert finding.check.startswith("vigorish_")
    assert (finding.seat, finding.wager, finding.delta_cents) == (wrong[n].seat, wrong[n].wager, taken - owed)
    assert finding.favours == ("house" if taken > owed else "patron")


@STEADY
@given(records(), st.sampled_from(CALLS))
def test_another_announcement_is_announced_wrong(record: RoundRecord, called: str) -> None:
    hand, ez = hands(record), bool(record.options.get("ez"))
    concluded = judged(replace(record, announced=called))
    if called in (hand.winner, hand.call(ez=ez)):
        assert concluded.verdict == "clean"
    else:
        assert (concluded.verdict, checks(concluded)) == ("mismatch", ["announced_wrong"])


@STEADY
@given(records(), st.data())
def test_the_order_of_wagers_does_not_matter(record: RoundRecord, data: st.DataObject) -> None:
    right = rightly_settled(record)
    paid = [
        replace(each, cents=each.cents + data.draw(st.sampled_from([0, 100]))) for each in right.paid or []
    ]
    first = judged(replace(right, paid=paid))
    second = judged(
        replace(
            right,
            wagers=data.draw(st.permutations(right.wagers)),
            paid=data.draw(st.permutations(paid)),
        )
    )
    assert (first.verdict, first.outcome, money(first)) == (second.verdict, second.outcome, money(second))
    assert {finding.id: finding for finding in first.findings} == {
        finding.id: finding for finding in second.findings
    }


@STEADY
@given(records(), st.permutations(range(1, 10)))
def test_the_seat_does_not_matter(record: RoundRecord, seats: list[int]) -> None:
    def moved(seat: int) -> int:
        return seats[seat - 1]

    names = {who(wager): who(replace(wager, seat=moved(wager.seat))) for wager in record.wagers}
    elsewhere = replace(
        record,
        wagers=[replace(wager, seat=moved(wager.seat)) for wager in record.wagers],
        play=[(names.get(to, to), what) for to, what in record.play],
    )
    expected = {(moved(seat), *rest): cents for (seat, *rest), cents in money(judged(record)).items()}
    assert money(judged(elsewhere)) == expected


@STEADY
@given(records(), st.data())
def test_an_unread_card_never_proves_anything_else(record: RoundRecord, data: st.DataObject) -> None:
    called = hands(record).call(ez=bool(record.options.get("ez")))
    right = replace(rightly_settled(record), announced=called)
    whole = judged(right)
    unread = judged(replace(right, play=blurred(right.play, data)))
    assert unread.verdict != "mismatch"
    assert unread.outcome in (whole.outcome, None)
    for key, cents in money(unread).items():
        assert cents in (money(whole)[key], (None, None))
    if None in [cents for cents, _ in money(unread).values()]:
        assert unread.verdict == "undetermined"


@STEADY
@given(records(), any_plays(), st.data())
def test_an_unread_card_never_moves_money_in_a_wrong_round(
    record: RoundRecord, play: list[tuple[str, str]], data: st.DataObject
) -> None:
    wrong = replace(record, play=data.draw(with_any_choices(play, record.wagers)))
    whole = judged(wrong)
    unread = judged(replace(wrong, play=blurred(wrong.play, data)))
    for key, cents in money(unread).items():
        assert cents in (money(whole)[key], (None, None))
    if "card_extra" in checks(unread):
        # One card too many, whatever the unread one was: what was read whole says which.
        assert SURPLUS & set(checks(whole))
    assert accused(unread) <= accused(whole)


@STEADY
@given(plays(), st.sampled_from(MAIN), cards())
def test_one_card_less_or_more_is_a_mismatch(play: list[tuple[str, str]], hand: str, card: str) -> None:
    record = RoundRecord("BAC-1", "1", "631a", TODAY, play, [])
    assert judged(record).verdict == "clean"
    assert judged(replace(record, play=play[:-1])).verdict == "mismatch"
    assert judged(replace(record, play=[*play, (hand, card)])).verdict == "mismatch"


@STEADY
@given(records(coupons=False))
def test_the_simulator_settles_alike(record: RoundRecord) -> None:
    # Two readings of one text, by tables and code that have nothing in common.
    chosen = Ways(**record.options)
    hand = hands(record)
    added = {
        (to, what.removeprefix("house_money_add_"))
        for to, what in record.play
        if what.startswith("house_money_add_")
    }
    concluded = money(judged(record))
    for wager in record.wagers:
        grown = 0
        if (who(wager), wager.wager) in added:
            (house_money,) = (
                each for each in record.wagers if (who(each), each.wager) == (who(wager), "house_money")
            )
            grown = portion(gain("house_money", house_money.cents, hand, chosen), chosen)
        won = gain(wager.wager, wager.cents + grown, hand, chosen)
        owes = wager.wager == "banker" and won > 0 and not chosen.ez
        amount = won if chosen.house_money_vigorish == "whole" else won - grown
        taken = vigorish(amount, chosen.vigorish_rounding_cents) if owes else 0
        assert concluded[wager.seat, wager.bettor, wager.wager] == (won, taken)


def blurred(play: Iterable[tuple[str, str]], data: st.DataObject) -> list[tuple[str, str]]:
    """Draw a record in which some of the cards are read in part or not at all."""
    return [(to, data.draw(readings(what, whole=True))) if to in MAIN else (to, what) for to, what in play]
