"""House Money: what it pays, what is added to a wager, and when it is settled, 631a.9(e), 631a.13(h).

500 cents are on it, at 3 to 1 for one pair and 15 to 1 for two.
"""

from typing import Final

import pytest

from projections.engine.conclusion import Conclusion
from tests.builders.table_audit import audit_events, finding_checks, owed_by_wager
from tests.builders.table_script import Script, Spot, build_house

MONEY: Final[Spot] = (2, "house_money")

BET: Final[Spot] = (2, "banker")
PAIR: Final = "P3c B2d P3d BKd"  # a pair of threes, Player 6 stays; Banker 2
THIRD: Final = "B5h"  # Banker 7


def house_money_round(*, added: int, handed: int, gain: int, vigorish: int) -> Script:
    s = Script()
    s.open()
    s.begin({BET: 10_000, MONEY: 500})
    s.no_more_bets({BET: 10_000, MONEY: 500})
    s.deal(PAIR)
    if added:
        s.add_payout(MONEY, "banker", added, after=1, handed=handed)
    else:
        s.hand_over(MONEY, handed, after=1)
    s.deal(THIRD)
    s.announce("banker")
    s.settle({BET: gain}, {BET: vigorish})
    s.end()
    return s


def test_house_money_taken() -> None:
    s = house_money_round(added=0, handed=1500, gain=10_000, vigorish=500)
    heard = audit_events(s.events, build_house(house_money=True))
    assert heard.verdicts() == {"1": "clean"}
    assert owed_by_wager(heard.rounds["1"]) == {
        (2, "banker", None): (10_000, 500),
        (2, "house_money", None): (1500, 0),
    }


def test_house_money_added() -> None:
    # 11,500 stand on the Banker's Hand; 5% of 11,500 is 575.
    s = house_money_round(added=1500, handed=0, gain=11_500, vigorish=575)
    heard = audit_events(s.events, build_house(house_money=True))
    assert heard.verdicts() == {"1": "clean"}
    assert owed_by_wager(heard.rounds["1"]) == {
        (2, "banker", None): (11_500, 575),
        (2, "house_money", None): (1500, 0),
    }


def test_house_money_half_of_it_added() -> None:
    # 750 added, 750 handed over; vigorish on the original 10,000 only.
    by = build_house(house_money=True, house_money_portion="1/2", house_money_vigorish="original")
    s = house_money_round(added=750, handed=750, gain=10_750, vigorish=500)
    heard = audit_events(s.events, by)
    assert heard.verdicts() == {"1": "clean"}
    assert owed_by_wager(heard.rounds["1"]) == {
        (2, "banker", None): (10_750, 500),
        (2, "house_money", None): (1500, 0),
    }


def test_house_money_added_and_lost_with_the_wager() -> None:
    s = Script()
    s.open()
    wagers = {(2, "player"): 10_000, MONEY: 500}
    s.begin(wagers)
    s.no_more_bets(wagers)
    s.deal(PAIR)
    s.add_payout(MONEY, "player", 1500, after=1)
    s.deal(THIRD)
    s.announce("banker")
    s.settle({(2, "player"): -11_500})
    s.end()
    heard = audit_events(s.events, build_house(house_money=True))
    assert heard.verdicts() == {"1": "clean"}
    assert owed_by_wager(heard.rounds["1"])[2, "player", None] == (-11_500, 0)


def test_house_money_on_two_pairs_underpaid() -> None:
    s = Script()
    s.open()
    s.begin({MONEY: 500})
    s.no_more_bets({MONEY: 500})
    s.deal("P3c B3h P3d B3s")  # 6 to 6: 15 to 1 is 7500
    s.hand_over(MONEY, 1500, after=1)
    s.announce("tie")
    s.end()
    concluded = audit_events(s.events, build_house(house_money=True)).rounds["1"]
    (finding,) = concluded.findings
    assert (finding.check, finding.expected_cents, finding.observed_cents) == ("paid_too_little", 7500, 1500)
    assert "631a.13(h)" in finding.citations


@pytest.mark.parametrize(
    ("seen", "cards", "verdict", "checks"),
    [
        ({MONEY: 500}, PAIR, "undetermined", ["source_conflict"]),
        ({}, PAIR, "mismatch", ["house_money_not_won", "paid_too_much"]),
        # Without a pair it has lost, if it lay there.
        ({MONEY: 500}, "P6c B2d PKd BKc", "mismatch", ["house_money_not_won", "source_conflict"]),
    ],
)
def test_house_money_of_a_wager_that_one_of_two_readers_saw(
    seen: dict[Spot, int], cards: str, verdict: str, checks: list[str]
) -> None:
    s = Script()
    s.open()
    s.begin({BET: 10_000})
    s.no_more_bets({BET: 10_000} | seen)
    s.deal(cards)
    s.hand_over(MONEY, 1500, after=1)
    s.deal(THIRD)
    s.announce("banker")
    s.settle({BET: 10_000}, {BET: 500})
    s.end()
    concluded = audit_events(s.events, build_house(house_money=True)).rounds["1"]
    assert (concluded.verdict, sorted(finding_checks(concluded))) == (verdict, checks)


# ── after the fourth card, before the fifth ──────────────────────────────────────────────────────────

PLAYER: Final[Spot] = (2, "player")
FOUR: Final = "P2c B2d P2h BKd"
FIFTH: Final = "P5c"
SIXTH: Final = "BKs"


def settled(before: str, rest: str, *, wait: float, then: float, take: bool = False) -> Conclusion:
    """Settle House Money `wait` seconds after the cards before it, `then` seconds before the rest.

    The Player's pair of twos draws a five to 9, the Banker's 2 a king: 3 to 1 on 500 is 1500.
    """
    s = Script(without="VI")
    s.open()
    s.begin({PLAYER: 1000, MONEY: 500})
    s.no_more_bets()
    s.deal(before)
    s.now -= 0.3  # back to the last card: what follows in `deal` is the camera's turn
    if take:
        s.hand_over(MONEY, 1500, after=wait)
    else:
        s.add_payout(MONEY, "player", 1500, after=wait)
    s.now += then - 1.5  # `deal` lets 1.5 go by before its first card
    s.deal(rest)
    s.announce("player")
    s.settle({PLAYER: 1000 if take else 2500})
    s.end()
    return audit_events(s.events, build_house(without="VI", house_money=True)).rounds["1"]


@pytest.mark.parametrize("take", [True, False])
@pytest.mark.parametrize(("wait", "then"), [(1, 1), (0.251, 1), (1, 0.251)])
def test_house_money_clear_of_both_cards(wait: float, then: float, *, take: bool) -> None:
    concluded = settled(FOUR, f"{FIFTH} {SIXTH}", wait=wait, then=then, take=take)
    assert (concluded.verdict, finding_checks(concluded)) == ("clean", [])
    assert owed_by_wager(concluded)[2, "player", None] == (1000 if take else 2500, 0)


@pytest.mark.parametrize("take", [True, False])
@pytest.mark.parametrize(("wait", "then"), [(0.25, 1), (0.1, 1), (1, 0.25), (1, 0.1)])
def test_house_money_too_near_to_a_card(wait: float, then: float, *, take: bool) -> None:
    concluded = settled(FOUR, f"{FIFTH} {SIXTH}", wait=wait, then=then, take=take)
    assert (concluded.verdict, finding_checks(concluded)) == ("undetermined", ["house_money_late"])


@pytest.mark.parametrize("take", [True, False])
@pytest.mark.parametrize(
    ("before", "rest", "wait", "then"),
    [
        ("P2c B2d P2h", f"BKd {FIFTH} {SIXTH}", 1, 0.1),  # by the clocks just before the fourth card
        (f"{FOUR} {FIFTH}", SIXTH, 0.1, 1),  # by the clocks just after the fifth
    ],
)
def test_house_money_on_the_wrong_side_by_less_than_the_clocks_can_prove(
    before: str, rest: str, wait: float, then: float, *, take: bool
) -> None:
    concluded = settled(before, rest, wait=wait, then=then, take=take)
    assert (concluded.verdict, finding_checks(concluded)) == ("undetermined", ["house_money_late"])


def test_house_money_after_the_fifth_card() -> None:
    concluded = settled(f"{FOUR} {FIFTH}", SIXTH, wait=1, then=1)
    assert (concluded.verdict, finding_checks(concluded)) == ("mismatch", ["house_money_late"])
    assert owed_by_wager(concluded)[2, "player", None] == (
        None,
        None,
    )  # no text says what the added part is worth


def test_house_money_before_the_fourth_card() -> None:
    concluded = settled("P2c B2d P2h", f"BKd {FIFTH} {SIXTH}", wait=1, then=1)
    assert (concluded.verdict, finding_checks(concluded)) == ("mismatch", ["house_money_early"])


def test_house_money_added_without_a_wager_or_a_fourth_card() -> None:
    s = Script(without="VI")
    s.open()
    s.begin({PLAYER: 2000})
    s.no_more_bets()
    s.deal("P2c B2d P2h")
    s.add_payout(MONEY, "player", 1500, after=1)
    s.announce("player")
    s.end()
    concluded = audit_events(s.events, build_house(without="VI", house_money=True)).rounds["1"]
    assert concluded.verdict == "mismatch"
    assert "initial_card_missing" in finding_checks(concluded)
    assert owed_by_wager(concluded) == {(2, "player", None): (None, None)}
