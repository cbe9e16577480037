"""How a round of Chapter 685a is laid out and explained."""

from projections.engine.audit.round_records import book_of, to_round
from projections.engine.facts import Fact
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.games.downunder import DownUnderBlackjack
from projections.engine.observation import CloseActs, Round
from schemas.record import RoundRecord
from tests.builders.texts import step_texts
from tests.law.downunder_table import EVENING, HOUSE, against, audit, bet, play

GAME = DownUnderBlackjack()


def told(text: str) -> tuple[list[tuple[str, int | str | None]], list[tuple[str, str]]]:
    record = RoundRecord(table="DUB-1", round="1", chapter="685a", at=EVENING, play=play(text), wagers=[])
    seen = to_round(record, HOUSE)
    laid = [(hand.hand, hand.point_count) for hand in GAME.hands(seen)]
    return laid, step_texts(GAME.reasons(seen, book_of(record, HOUSE)))


def test_hands_with_their_totals() -> None:
    laid, _ = told(against("9c 8d", "8s 8h split 3d Td 1.2:9d 1.2:stand", "Ah 6d stand", "?s Kd stand"))
    assert laid == [("seat1", 21), ("seat1.2", 17), ("seat2", 17), ("seat3", None), ("dealer", 17)]


def test_the_dealers_total_in_both_ways_where_it_hangs_on_his_aces() -> None:
    assert told(against("Ac Ad", "Ks 9d stand"))[0][-1] == ("dealer", "12 or 22")


def test_each_step_with_its_provision() -> None:
    text = against("6c Td 6h", "Ah Kd", "Ts 6d 9h", "Ks Qd stand", "5s 6s draw dead", range_="large")
    _, reasons = told(text)
    assert [cite for _, cite in reasons] == [
        *["685a.7(e)"] * 5, "685a.7(h)", "685a.7(i)(1)", "685a.7(q)(1)", "685a.7(k)", "685a.12(g)",
        "685a.7(n)(1)",
    ]  # fmt: skip
    assert "22" in reasons[-1][0]


def test_other_ends() -> None:
    assert told(against("Ac Kd", "Ah Kh even_money"))[1][-2:] == [
        ("Seat 1 takes even money.", "685a.7(g)"),
        ("Dealer Ac Kd: Blackjack.", "685a.7(h)"),
    ]
    assert told(against("6c Td Kh", "Ts 8d stand"))[1][-1][1] == "685a.7(o)(1)"
    assert told(against("9c 8d", "Ts 8d stand"))[1][-1] == ("Dealer 9c 8d: 17.", "685a.7(m)")
    assert "cannot be told" in told(against("9c 5d", "Ts 8d stand"))[1][-1][0]
    assert "cannot be settled" in told(against("9c 8d", "Ts 8d surrender"))[1][-2][0]
    assert "not read" in told(against("9c 8d", "Ts ?d stand"))[1][-2][0]
    assert told("1:Ts d:9c 1:8d")[1][-1] == ("The dealer's first two cards were not seen.", "685a.7(e)")
    assert told("1:Ts d:void")[1] == [("The round was called void: every wager is returned.", HOUSE_CONTROL)]


def test_a_decision_too_near_to_a_card_is_doubted() -> None:
    acts = play(against("9c 8d", "8s 5h double Kd"))
    double, card = acts.index(("seat1", "double")), acts.index(("seat1", "Kd"))
    seen = Round(
        "DUB-1", "1", EVENING.date(), 0, play=acts, close_acts=[CloseActs(double, card, ("SHOE-1",))]
    )
    (doubt,) = GAME.doubts(seen)
    assert (doubt.check, doubt.scope, doubt.device) == ("data_missing", "cards", "SHOE-1")


def last_steps(text: str, paid: int) -> list[tuple[str, str]]:
    """Return the codes of the steps to what a Bet Wager of 1000 was owed, each with its clause."""
    (finding,) = audit(text, bet(), settled=[("bet", paid)]).findings
    return [(step.says.code, step.cite) for step in finding.steps or () if isinstance(step.says, Fact)][1:]


def test_685a_7_o_1_a_card_unread_leaves_its_count_out_of_the_steps() -> None:
    # The dealer has 26. With a 7 and an 8 the player has 15, with any card and an 8 at most 19: he wins.
    paid = ("engine.paid_at", "685a.11(a)")
    read, unread = (against("6c Td Kh", f"{card} 8d stand") for card in ("7s", "?s"))
    assert last_steps(read, 0) == [("games.downunder.counts_win", "685a.7(o)(1)"), paid]
    assert last_steps(unread, 0) == [("engine.wins", "685a.7(o)(1)"), paid]


def test_685a_7_q_1_a_hole_card_unread_does_not_take_a_hand_that_drew() -> None:
    # Had the dealer a Blackjack, no card could be dealt, 685a.7(h). What he had is not known; 25 is
    # over 21 against anything.
    assert last_steps(against("Ac ??", "Ks 6d 9h"), 0)[-1][1] == "685a.7(q)(1)"
