"""685a.6: which wagers there are, and when they are made."""

import pytest

from tests.law.blackjack_proofs import prove_boxes, prove_verbal_wager_by_dealer
from tests.law.downunder_table import against, audit, bet, checks, cited, owed

ROUND = against("9c 8d", "Ks 9d stand")


def test_685a_6() -> None:
    concluded = audit(ROUND, bet(), bet("lucky_ladies"))
    assert checks(concluded) == ["wager_not_permitted"]
    assert cited(concluded, "wager_not_permitted") == ("685a.6",)
    assert owed(concluded) == [1000, None]


@pytest.mark.parametrize("wager", ["bet", "match_the_dealer"])
def test_685a_6_c(wager: str) -> None:
    stakes = [bet(), bet("match_the_dealer")]
    late = audit(f"d:no_more_bets 1:place_to_{wager} {ROUND}", *stakes)
    assert checks(late) == ["late_wager"]
    assert cited(late, "late_wager") == ("685a.6(c)",)
    assert [each.wager for each in late.expected if each.cents is None] == [wager]


def test_685a_6_c_made_in_play() -> None:
    # Insurance, a double and the stake of a split are made after the first card.
    split = against(
        "Ac 7d", "8s 8d 1.2:place_to_bet split 3c 1:place_to_double_down double Tc 1.2:Td 1.2:stand"
    )
    text = f"d:no_more_bets {split}".replace("d:7d", "d:7d 1:place_to_insurance")
    stakes = bet(), bet("insurance"), bet(hand="seat1.2"), bet("double_down")
    concluded = audit(text, *stakes)
    assert checks(concluded) == []
    assert owed(concluded) == [1000, -1000, 0, 1000]  # 21 and 18 against 18


def test_685a_6_d() -> None:
    concluded = audit(against("9c 8d", "Ks 9d stand", "Ts 7d stand"), bet())
    assert checks(concluded) == ["stake_missing"]
    assert cited(concluded, "stake_missing") == ("685a.6(d)",)
    assert (concluded.findings[0].seat, concluded.findings[0].wager) == (2, "bet")


@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_685a_6_e(decks: int) -> None:
    concluded = audit(ROUND, bet(), bet("match_the_dealer"), decks=decks)
    offered = decks in (6, 8)
    assert checks(concluded) == ([] if offered else ["wager_not_permitted"])
    assert owed(concluded) == [1000, 1000 * (4 if decks == 6 else 3) if offered else None]
    if not offered:
        assert cited(concluded, "wager_not_permitted") == ("685a.6(e)",)


def test_685a_6_f() -> None:
    prove_boxes("685a", "685a.6(f)", 3, "bet")


def test_685a_6_a() -> None:
    prove_verbal_wager_by_dealer("685a", "685a.6(a)")
