"""Chapter 631a where several things are wrong at once, or a card was not read."""

from tests.law.baccarat_table import BANKER_BY_1, audit, bet, checks, deal, paid

TAKE = ("seat3", "house_money_take")
WON = deal("9c 9h", "Kd 9d")  # a pair of nines; Player 8, Banker 9


def test_631a_10_c_surplus_whatever_the_unread_cards_were() -> None:
    # Three more cards to one hand: 631a.10(c) allows one, 631a.11(a) none with a Natural.
    play = [*deal("?? ??", "?? ??"), ("player", "4c"), ("player", "4d"), ("player", "4h")]
    assert checks(audit(play, bet("player"))) == ["card_extra"]


def test_631a_9_e_each_of_two_elections_is_judged() -> None:
    late = [*deal("Kc Kh", "2d 3d"), ("player", "4c"), TAKE, TAKE]
    concluded = audit(late, bet("house_money", 2000, seat=3), house_money=True)
    assert set(checks(concluded)) >= {"house_money_late"}
    lost = [*deal("9c 8h", "Kd 6d"), TAKE, TAKE]
    concluded = audit(lost, bet("house_money", 2000, seat=3), house_money=True)
    assert set(checks(concluded)) >= {"house_money_not_won"}


def test_631a_13_c_vigorish_where_no_wager_lay() -> None:
    concluded = audit(
        BANKER_BY_1, bet("player", 1000), settled=[paid("player", -1000), paid("banker", 0, 2500)]
    )
    assert checks(concluded) == ["vigorish_unauthorized"]
    assert (concluded.findings[0].delta_cents, concluded.findings[0].favours) == (2500, "house")


def test_631a_13_c_vigorish_that_fits_no_payment() -> None:
    concluded = audit(BANKER_BY_1, bet("banker", 10_000), settled=[paid("banker", 0, 9999)])
    assert set(checks(concluded)) == {"paid_too_little", "vigorish_wrong"}


def test_631a_13_c_original_only_on_an_overpayment() -> None:
    # $100 and $60 added; 17,000 paid for 16,000: 5% of what was paid less the added part is 5% of 11,000.
    play = [*WON, ("seat3", "house_money_add_banker")]
    concluded = audit(
        play,
        bet("house_money", 2000, seat=3),
        bet("banker", 10_000, seat=3),
        settled=[paid("house_money", 6000, seat=3), paid("banker", 17_000, 550, seat=3)],
        house_money=True,
        house_money_vigorish="original",
    )
    assert checks(concluded) == ["paid_too_much"]


def test_631a_15_d_a_burned_card_before_a_simulated_round() -> None:
    play = [("burn", "Td"), ("dealer", "simulated"), *BANKER_BY_1]
    assert checks(audit(play, bet("banker"))) == ["wager_not_permitted"]
