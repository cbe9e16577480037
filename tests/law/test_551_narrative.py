"""How a round of Spanish 21 is explained: its hands, and each step with its provision."""

from projections.engine.games.spanish21 import Spanish21
from projections.engine.observation import Round
from schemas.rulebook import rulebook
from tests.builders.texts import step_texts, text_of
from tests.law.spanish21_table import EVENING, audit, play_of


def seen(cards: str) -> Round:
    return Round("SP-1", "1", EVENING.date(), 0, play=play_of(cards), void=":void" in cards)


def told(cards: str) -> list[tuple[str, str]]:
    return step_texts(Spanish21().reasons(seen(cards), rulebook("551", EVENING.date(), {})))


def test_551_hands() -> None:
    play = "1:8d D:Ac 1:8s D:6h 1:split 1:Kd 1:stand 1.2:?d 1.2:stand"
    laid = {hand.hand: (hand.cards, hand.point_count) for hand in Spanish21().hands(seen(play))}
    assert laid == {
        "seat1": (("8d", "Kd"), 18),
        "seat1.2": (("8s", "?d"), None),
        "dealer": (("Ac", "6h"), 17),
    }


def test_551_a_hand_that_was_doubled_and_a_dealer_over_21() -> None:
    assert told("1:6d D:Kc 1:5s D:6h 1:double 1:9d D:8d") == [
        ("seat1 6d 5s: 11.", "551.3(b)"),
        ("seat1 doubles: one card more.", "551.11(a)"),
        ("seat1 gets 9d: 20.", "551.3(b)"),
        ("Dealer Kc 6h: 16.", "551.3(b)"),
        ("Dealer draws 8d: 24.", "551.13(b)"),
        ("Dealer is over 21.", "551.6(b)(1)"),
    ]


def test_551_blackjacks_and_a_split() -> None:
    assert told("1:Ad 2:8d D:Ac 1:Ks 2:8s D:Kh 2:split 2:Kd 2:6c 2.2:Ks 2.2:stand") == [
        ("seat2 8d 8s is split: seat2.2 begins.", "551.12(a)"),
        ("seat1 Ad Ks: 21, a Blackjack.", "551.1"),
        ("seat2 8d: 8.", "551.3(b)"),
        ("seat2 gets Kd: 18.", "551.3(b)"),
        ("seat2 gets 6c: 24.", "551.3(b)"),
        ("seat2 is over 21.", "551.6(b)(2)"),
        ("seat2.2 8s: 8.", "551.3(b)"),
        ("seat2.2 gets Ks: 18.", "551.3(b)"),
        ("seat2.2 stands.", "551.8(f)"),
        ("Dealer Ac Kh: 21, a Blackjack.", "551.1"),
    ]


def test_551_a_dealer_who_draws_on_17() -> None:
    assert told("1:Kd D:Kc 1:8s D:7h 1:stand D:4d") == [
        ("seat1 Kd 8s: 18.", "551.3(b)"),
        ("seat1 stands.", "551.8(f)"),
        ("Dealer Kc 7h: 17.", "551.3(b)"),
        ("Dealer draws 4d, which is disregarded.", "551.13(b)"),
        ("Dealer stands on 17.", "551.13(b)"),
    ]


def test_551_what_is_disregarded_given_up_or_bears_on_nothing() -> None:
    assert told("1:Kd 2:9d D:Kc 1:6s 2:7s D:6h 1:5c 1:2c 2:surrender") == [
        ("seat1 Kd 6s: 16.", "551.3(b)"),
        ("seat1 gets 5c: 21.", "551.3(b)"),
        ("seat1 gets 2c, which is disregarded.", "551.13(a)"),
        ("seat2 9d 7s: 16.", "551.3(b)"),
        ("seat2 surrenders half of the wager.", "551.9(a)"),
        ("Dealer Kc 6h: 16.", "551.3(b)"),
        ("No hand hangs on the dealer's count: he draws no more.", "551.13(c)"),
    ]


def test_551_void_rounds() -> None:
    assert told("1:Kd D:9c 1:8s D:Kh D:void") == [
        ("The round was called void: every wager is returned.", "551.16(a)")
    ]
    assert told("x:Ts 1:Kd D:9c 1:8s D:Kh x:Td") == [
        ("More than one 10 was found in the shoe: the round is void.", "551.16(b)")
    ]


def test_551_a_fixed_payout_has_no_stake() -> None:
    concluded = audit(
        "1:7d 2:Kd D:7c 1:7d 2:9s D:Kh 1:7d 2:stand",
        "1 wager 500",
        "2 wager 1000",
        paid=["1 wager 1000", "2 wager 1000", "1 fixed_payout 100000"],
    )
    (finding,) = concluded.findings
    assert isinstance(finding.steps, tuple)
    assert [(text_of(step.says), step.cite, step.cents) for step in finding.steps] == [
        ("another player's three 7s of one suit: $50.00", "551.6(h)", 5000)
    ]
