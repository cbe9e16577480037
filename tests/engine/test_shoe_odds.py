"""How seldom a full shoe keeps cards away: worked by hand, and measured against shuffled shoes."""

import random
from fractions import Fraction
from itertools import combinations
from typing import Final

import pytest

from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.pack import Pack
from projections.engine.shoe_odds import (
    chance_of_at_most,
    chance_of_no_more,
    levels_of_absence,
    levels_of_repeats,
)
from schemas import events as e
from tests.builders.shoes import Table, pack, shuffled
from tests.builders.table_audit import finding_checks
from tests.builders.texts import text_of

NO_TENS: Final = "A23456789JQK"
PACKS: Final = (Pack(8), Pack(7), Pack(6), Pack(5), Pack(4), Pack(8, NO_TENS), Pack(6, NO_TENS))


def test_no_ace_in_three_cards_of_a_deck() -> None:
    assert chance_of_at_most(0, 3, 4, 52) == Fraction(48 * 47 * 46, 52 * 51 * 50)
    # One at most: none, or one of four in any of three places.
    one = 3 * Fraction(4 * 48 * 47, 52 * 51 * 50)
    assert chance_of_at_most(1, 3, 4, 52) == Fraction(48 * 47 * 46, 52 * 51 * 50) + one


@pytest.mark.parametrize(("most", "drawn"), [(1, 2), (1, 3), (2, 3), (2, 5)])
def test_no_card_more_often_than_so_by_counting_every_draw(most: int, drawn: int) -> None:
    # Three decks of two ranks: 24 cards of eight kinds, every draw of so many counted one by one.
    cards = [kind for kind in range(8) for _ in range(3)]
    draws = [[cards[place] for place in places] for places in combinations(range(24), drawn)]
    fitting = sum(1 for draw in draws if max(draw.count(kind) for kind in set(draw)) <= most)
    assert chance_of_no_more(most, drawn, Pack(3, "AK")) == Fraction(fitting, len(draws))


@pytest.mark.parametrize("one", PACKS)
def test_the_levels_cost_no_more_than_a_shoe_in_so_many(one: Pack) -> None:
    for one_in in (100, 1000, 10_000):
        cost = Fraction(0)
        for copies, kinds in ((one.decks, one.kinds), (one.holds("A?"), len(one.ranks))):
            for seen, level in enumerate(levels_of_absence(copies, kinds, one.size, one_in)):
                if level <= one.size:
                    cost += kinds * chance_of_at_most(seen, level, copies, one.size)
        for most, level in enumerate(levels_of_repeats(one, one_in)):
            if most and level <= one.size:
                cost += chance_of_no_more(most, level, one)
        assert cost < Fraction(1, one_in)


def test_a_level_is_the_first_at_which_it_is_rare_enough() -> None:
    # One of thirteen ranks, a third of one in a thousand, half of it for a rank that was not seen at all.
    share = Fraction(1, 3 * 1000 * 13 * 2)
    level = levels_of_absence(32, 13, 416, 1000)[0]
    assert chance_of_at_most(0, level, 32, 416) < share <= chance_of_at_most(0, level - 1, 32, 416)
    assert level == 119


@pytest.mark.parametrize("one", PACKS)
def test_shuffled_shoes_are_warned_of_as_seldom_as_is_said(one: Pack) -> None:
    rng, warned = random.Random(f"{one}"), 0  # noqa: S311  a known seed is the point
    for _ in range(300):
        cards = [*one.cards()] * one.decks
        rng.shuffle(cards)
        account, ever = ShoeAccount(), False
        for start in range(0, len(cards), 5):
            for card in cards[start : start + 5]:
                account.cards[card] = account.cards.get(card, 0) + 1
            account.look_for_absence(one, 100)
            ever = ever or account.is_rare
        warned += ever
    assert warned <= 3 + 3 * 3  # 1 in 100 of 300, and three standard deviations of not quite two


# ── at a table ───────────────────────────────────────────────────────────────────────────────────────


def test_a_shoe_without_aces_is_warned_of_while_it_is_dealt() -> None:
    # The 119th card that is read is the first at which one shoe in 78,000 would not have shown an ace yet:
    # after the burned card the second of the 30th round, which is told when that round is over.
    s = Table("681a")
    cards = [card for card in shuffled(pack("681a", 8), "no aces") if card[0] != "A"]
    s.put_in("A", burned=cards[:1])
    for start in range(1, 117, 4):  # 29 rounds, 117 cards
        s.deal_round(cards[start : start + 4])
    early = Table("681a")
    early.events, early.numbers, early.now, early.count = [*s.events], dict(s.numbers), s.now, s.count
    assert early.shoes_told()["A"].verdict == "clean"
    s.deal_round(cards[117:121])
    found = s.shoes_told()["A"]
    assert (found.verdict, finding_checks(found)) == ("undetermined", ["cards_stay_away"])
    chance = chance_of_at_most(0, 121, 32, 416)
    assert text_of(found.findings[0].message) == (
        f"cards of rank A came 0 times among 121 cards, as one shoe in {int(1 / chance):,} that holds 32"
        " would have it; one shuffled shoe in 1000 is warned of by chance"
    )
    assert found.findings[0].citations == ("681a.3(a)",)


def test_two_decks_raise_a_warning_by_the_67th_card_although_eight_were_declared() -> None:
    # No kind comes a third time among 67 cards: a third and a seventh of one shoe in a thousand.
    share = Fraction(1, 3 * 7 * 1000)
    assert chance_of_no_more(2, 67, Pack(8)) < share <= chance_of_no_more(2, 66, Pack(8))
    s = Table("631a")
    cards = shuffled(pack("631a", 2), "two decks")
    s.put_in("A", burned=[cards[0], None])
    for start in range(2, 66, 4):  # 16 rounds: 65 cards read
        s.deal_round(cards[start : start + 4])
    early = Table("631a")
    early.events, early.numbers, early.now, early.count = [*s.events], dict(s.numbers), s.now, s.count
    assert early.shoes_told()["A"].verdict == "clean"
    s.deal_round(cards[66:70])
    found = s.shoes_told()["A"]
    assert "no card came more than 2 times among 69 cards" in text_of(found.findings[0].message)


def test_a_count_at_the_end_takes_the_place_of_the_warning() -> None:
    s = Table("681a")
    cards = [card for card in shuffled(pack("681a", 8), "no aces") if card[0] != "A"]
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=40)
    s.count_rest(len(left), left)
    found = s.shoes_told()["A"]
    assert (found.verdict, finding_checks(found)) == ("mismatch", ["cards_not_conserved"])
    assert "32 short of its 416 cards; not seen: 8 x Ac, 8 x Ad, 8 x Ah, 8 x As" in text_of(
        found.findings[0].message
    )


def test_what_was_not_reported_takes_nothing_from_a_warning() -> None:
    # Cards that nobody saw are of the same shuffled shoe: what was seen stays a sample of it.
    s = Table("681a")
    cards = [card for card in shuffled(pack("681a", 8), "no aces") if card[0] != "A"]
    s.put_in("A", burned=cards[:1])
    s.deal_all(cards[1:201])
    s.events.remove(next(each for each in s.events if isinstance(each, e.CardDrawn)))
    assert set(finding_checks(s.shoes_told()["A"])) == {"data_missing", "cards_stay_away"}
