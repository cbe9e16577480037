"""Orders that cards had before: false shuffles, slugs and unshuffled packs, found by hand-made orders."""

import random
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Final

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.engine.accounts.shoe_order import (
    CERTAIN,
    Run,
    ShoeOrder,
    chance_of_run,
    least_run,
    neighbours_of,
    pack_name,
    references,
    rising_sequences,
)
from projections.engine.audit.table_audit import AuditProgress, TableAudit
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.engine.observation import Round
from projections.engine.pack import Pack
from replay.proofs.shuffles import PACKS, excess_of_neighbours, lack_of_rising
from schemas import events as e
from schemas.values import RANKS
from tests.builders.shoes import HANDS, Table, at_table, new_deck, pack, shuffled
from tests.builders.strategies import STEADY
from tests.builders.table_audit import audit_events
from tests.builders.texts import text_of

DAY: Final = date(2025, 3, 1)
CLAUSE: Final = {chapter: f"{chapter}.5(a)" for chapter in HANDS}


def only(concluded: Conclusion) -> Finding:
    (finding,) = (each for each in concluded.findings if each.check == "order_preserved")
    return finding


def in_order(cards: Sequence[str], at: int, block: Sequence[str]) -> list[str]:
    """Insert a block of cards, in its order, into a shoe at a place; the shoe keeps its other cards."""
    rest = [*cards]
    for card in block:
        rest.remove(card)
    return [*rest[:at], *block, *rest[at:]]


def two_shoes(chapter: str, second: Sequence[str], first: Sequence[str], rounds: int = 40) -> Table:
    """Deal rounds of four cards from one shoe, then from another."""
    s = Table(chapter)
    for name, cards in (("A", first), ("B", second)):
        s.put_in(name)
        for start in range(0, 4 * rounds, 4):
            s.deal_round(cards[start : start + 4], {1: 1000, 3: 500})
    return s


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("chapter", HANDS)
def test_shuffled_shoes_are_clean(chapter: str) -> None:
    s = Table(chapter)
    for name in "ABC":
        s.put_in(name)
        s.deal_all(shuffled(pack(chapter, s.decks), name + chapter), leave=20)
    assert {each.verdict for each in s.shoes_told().values()} == {"clean"}


@pytest.mark.parametrize("chapter", HANDS)
def test_a_slug_of_the_last_shoes_discards_is_found_with_the_wagers_in_it(chapter: str) -> None:
    # Twelve cards of the first shoe, its rounds 6 to 8, come in the same order as the 41st to 52nd card.
    s = Table(chapter)
    whole = pack(chapter, s.decks)
    first = shuffled(whole, "first" + chapter)
    second = in_order(shuffled(whole, "another" + chapter), 40, first[20:32])
    found = only(two_shoes(chapter, second, first).shoes_told()["B"])
    assert (found.weight, found.citations) == ("mismatch", (CLAUSE[chapter],))
    says = text_of(found.message)
    # As rounds are numbered on, the second shoe's 11th to 13th round are 51 to 53: 30.00 and 15.00 in them.
    assert says.startswith("12 cards came in the order of the last shoe's discards, in rounds 51 to 53; ")
    assert says.endswith("; wagered meanwhile: seat 1 $30.00, seat 3 $15.00")


@pytest.mark.parametrize(("cards", "weight"), [(9, "undetermined"), (10, "mismatch")])
def test_a_run_is_proof_from_one_in_a_thousand_million_on(cards: int, weight: str) -> None:
    # Of eight decks of 48, by the bound, 1.5 shuffled shoes in a thousand million have nine in a row, fewer
    # than 0.1 have ten.
    s, whole = Table("551", 8), pack("551", 8)
    first = shuffled(whole, "first")
    second = in_order(shuffled(whole, "another"), 40, first[20 : 20 + cards])
    for name, shoe in (("A", first), ("B", second)):
        s.put_in(name)
        for start in range(0, 160, 4):
            s.deal_round(shoe[start : start + 4])
    found = only(s.shoes_told()["B"])
    assert text_of(found.message).startswith(f"{cards} cards came in the order of the last shoe's discards")
    assert found.weight == weight


@pytest.mark.parametrize("turned", [1, -1])
def test_a_false_shuffle_keeps_the_order_of_the_rack_hand_by_hand(turned: int) -> None:
    # Into the rack goes the Player's Hand, then the Banker's; the stack is only cut, and may be turned over.
    first = shuffled(pack("681a", 8), "first")
    rack = [
        card for at in range(0, 160, 4) for card in (first[at], first[at + 2], first[at + 1], first[at + 3])
    ]
    stack = [*rack[::turned], *first[160:]]
    second = [*stack[100:], *stack[:100]]
    found = only(two_shoes("681a", second, first).shoes_told()["B"])
    assert found.weight == "mismatch"
    assert " cards came in the order of the last shoe's discards, in rounds " in text_of(found.message)


@pytest.mark.parametrize("chapter", HANDS)
def test_an_unshuffled_pack_is_known_by_its_first_run_of_a_suit(chapter: str) -> None:
    # New decks as they are packed: ace to king of spades first. Six cards in a row are a warning that one
    # shuffled shoe in two thousand gives; nine are proof, and the ninth is dealt in the third round.
    s = Table(chapter)
    deck = new_deck(chapter)
    s.put_in("A")
    weights = []
    for rounds in range(1, 13):
        s.deal_round((deck * 2)[4 * rounds - 4 : 4 * rounds], {2: 700})
        heard = TableAudit("BAC-1", at_table(chapter, s.decks))
        last = [each.conclusion for each in heard.feed([*s.events]) + heard.finish()]
        shoes = [each for each in last if each.round is None and each.shoe == "A"]
        weights.append(
            [each.weight for each in shoes[-1].findings if each.check == "order_preserved"] if shoes else []
        )
    assert weights == [[], ["undetermined"]] + [["mismatch"]] * 10
    finding = only(shoes[-1])
    assert "48 cards came in the order of a new deck, in rounds 1 to 12" in text_of(finding.message)
    assert text_of(finding.message).endswith("wagered meanwhile: seat 2 $84.00")


def test_a_batch_that_comes_again_after_the_other_is_known_too() -> None:
    s = Table("681a")
    first = shuffled(pack("681a", 8), "first")
    for name, cards in (("A", first), ("B", shuffled(pack("681a", 8), "between")), ("C", first)):
        s.put_in(name)
        for start in range(0, 80, 4):
            s.deal_round(cards[start : start + 4])
    assert "80 cards came in the order of the discards of the shoe before the last" in text_of(
        only(s.shoes_told()["C"]).message
    )


def test_cards_of_which_no_rank_was_read_show_no_order() -> None:
    first = shuffled(pack("681a", 8), "first")
    unread = [f"?{card[1]}" for card in first]
    assert not [
        each
        for each in two_shoes("681a", unread, first).shoes_told()["B"].findings
        if each.check == "order_preserved"
    ]


def test_a_restart_amid_a_run_changes_nothing() -> None:
    whole = pack("681a", 8)
    first = shuffled(whole, "first")
    s = two_shoes("681a", in_order(shuffled(whole, "second"), 40, first[20:40]), first)
    s.close()
    by = at_table("681a", 8)
    cut = next(n for n, each in enumerate(s.events) if isinstance(each, e.RoundOpened) and each.round == "53")
    before, after = TableAudit("BAC-1", by), TableAudit("BAC-1", by)
    found = before.feed(s.events[:cut])
    after.progress = msgspec.json.decode(msgspec.json.encode(before.progress), type=AuditProgress)
    found += after.feed(s.events[cut:]) + after.finish()
    last = {each.conclusion.shoe: each.conclusion for each in found if each.conclusion.round is None}
    assert last["B"] == audit_events(s.events, by).shoes["B"]
    assert text_of(only(last["B"]).message).startswith("20 cards came in the order")


@given(seed=st.integers(), at=st.integers(0, 390), length=st.integers(6, 24), start=st.integers(0, 390))
@STEADY
def test_no_run_of_the_least_length_escapes(seed: int, at: int, length: int, start: int) -> None:
    whole = pack("681a", 8)
    first = shuffled(whole, seed)
    block = first[start : start + length]
    second = in_order(shuffled(whole, seed + 1), at, block)
    orders: list[ShoeOrder] = [ShoeOrder(references=references(Pack(8), ()))]
    for cards in (first, second):
        for place in range(0, 416, 5):
            acts = [("player", card) for card in cards[place : place + 5]]
            orders[-1] = orders[-1].then(Round("T", "1", DAY, 0, play=acts), Pack(8), 1000)
        if len(orders) == 1:
            assert not orders[0].runs
            ended = orders[0].end((), Pack(8), 1000)
            orders.append(ShoeOrder(references=references(Pack(8), ended.arrangements)))
    assert any(run.start <= at and run.end >= at + len(block) for run in orders[-1].runs)


# ── how seldom chance makes a run ────────────────────────────────────────────────────────────────────


def test_the_bound_on_a_run_of_one_card_is_the_number_of_places() -> None:
    # Each of 416 places may be each of 416 of the six earlier orders and 104 of either new deck, both ways.
    assert chance_of_run(1, Pack(8)) == 416 * 2 * (6 * 416 + 2 * 104) * Fraction(8, 416)


# By hand, for eight decks: 411 places, twice 6 x 411 + 2 x 99 others, 1 in 52 for each card, a little more as
# cards are not put back. Six cards: 411 x 5,328 / 52^6 = 0.00011, five: 0.0058, seven: 0.0000021.
LEAST: Final = {
    "4 x 52": [5, 6, 6],
    "5 x 52": [5, 6, 6],
    "6 x 52": [5, 6, 7],
    "7 x 52": [5, 6, 7],
    "8 x 52": [6, 6, 7],
    "6 x 48": [5, 6, 7],
    "8 x 48": [6, 6, 7],
}


@pytest.mark.parametrize("one", PACKS)
def test_from_how_many_cards_on_a_run_is_worth_a_finding(one: Pack) -> None:
    assert [least_run(one, one_in) for one_in in (100, 1000, 10_000)] == LEAST[pack_name(one)]


@pytest.mark.parametrize("one", PACKS)
def test_nine_cards_are_proof(one: Pack) -> None:
    proof = 10 if pack_name(one) == "8 x 48" else 9  # 376 x 2 x 2,486 / 48^9 = 0.0000000014 is not yet
    assert chance_of_run(proof, one) * CERTAIN < 1 <= chance_of_run(proof - 1, one) * CERTAIN


# ── the whole shoe ───────────────────────────────────────────────────────────────────────────────────


def test_neighbours_by_hand() -> None:
    # A B, B C and C D were neighbours; D C and C B are again, B E and E A are not.
    found, expected = neighbours_of("DCBEA", "ABCD", Pack(1))
    # Six ordered pairs, each with 1 of 52 x 51 ways at each of four places.
    assert (found, expected) == (2, Fraction(4 * 6, 52 * 51))


def test_rising_sequences_by_hand() -> None:
    assert rising_sequences("ADBECF", "ABCDEF") == (2, 6)  # one riffle
    assert rising_sequences("DAEBFC", "ABCDEF") == (2, 6)
    assert rising_sequences("CBAFED", "ABCDEF") == (2, 6)  # turned over: F E D, C B A
    assert rising_sequences("ABAB", "AABB") == (2, 4)  # A A B meets in one pass, the other B in a second
    assert rising_sequences("AXB", "AB") == (1, 2)  # X was not there


def riffled(cards: list[str], rng: random.Random) -> list[str]:
    """Riffle by Gilbert, Shannon and Reeds: cut by coins, then drop in turn by how many are left."""
    cut = sum(rng.random() < 0.5 for _ in cards)
    left, right = cards[:cut][::-1], cards[cut:][::-1]
    mixed = []
    while left or right:
        mixed.append((left if rng.random() * (len(left) + len(right)) < len(left) else right).pop())
    return mixed


@pytest.mark.parametrize("riffles", [1, 2])
def test_few_riffles_leave_the_whole_shoe_alike(riffles: int) -> None:
    rng = random.Random(riffles)  # noqa: S311  a known seed is the point
    first = shuffled(pack("681a", 4), "first")
    second = [*first]
    for _ in range(riffles):
        second = riffled(second, rng)
    s = Table("681a", 4)
    for name, cards in (("A", first), ("B", second)):
        s.put_in(name)
        rest = s.deal_all(cards, leave=14)
        s.count_rest(len(rest), rest)
    found = only(s.shoes_told()["B"])
    assert "last shoe's discards" in text_of(found.message)


def test_a_perfect_riffle_parts_all_neighbours_and_is_known_by_its_rising_sequences() -> None:
    # One half between the other, card by card: no two cards lie together as before but by chance.
    first = shuffled(pack("681a", 4), "first")
    half = len(first) // 2
    second = [card for both in zip(first[:half], first[half:], strict=True) for card in both]
    s = Table("681a", 4)
    for name, cards in (("A", first), ("B", second)):
        s.put_in(name)
        rest = s.deal_all(cards, leave=14)
        s.count_rest(len(rest), rest)
    likeness = only(s.shoes_told()["B"]).message.args
    assert likeness["neighbours"] - likeness["expected"] < 17  # less than one shuffled shoe in a hundred has


def test_a_run_goes_back_to_the_first_card_of_the_shoe() -> None:
    order = ShoeOrder(references=references(Pack(8), ()))
    suit = [rank + "s" for rank in RANKS]  # as a new deck has them, from the ace up
    play = [("player" if n % 2 else "banker", card) for n, card in enumerate(suit[:12])]
    observed = Round("BAC-1", "1", date(2025, 4, 1), 0, play=play)
    assert order.then(observed, Pack(8), 1000).runs == (Run(0, 12, "factory"),)


@pytest.mark.parametrize("one", PACKS)
def test_the_table_is_measured_by_the_figures_that_judge(one: Pack) -> None:
    # The same shoe and earlier order, counted by the engine and by the program that measures.
    rng = np.random.default_rng(one.decks)
    deck = np.repeat(np.arange(one.kinds), one.decks)
    shoe, reference = rng.permutation(deck), rng.permutation(deck)
    letters = [chr(ord("A") + code) for code in range(one.kinds)]
    order, earlier = ("".join(letters[code] for code in each) for each in (shoe, reference))
    near, expected = neighbours_of(order, earlier, one)
    shoes = shoe.reshape(1, -1)
    assert excess_of_neighbours(shoes, reference, one)[0] == pytest.approx(float(near - expected))
    in_turn = np.argsort(shoes, axis=1, kind="stable")
    lack = max(lack_of_rising(in_turn, each, one)[0] for each in (reference, reference[::-1]))
    rising, matched = rising_sequences(order, earlier)
    assert lack == (matched + 1) / 2 - rising


def test_new_decks_are_of_the_pack() -> None:
    eight = references(Pack(8), ()).split("\n")
    assert {len(each) for each in eight} == {2 * 52}
    assert {len(each) for each in references(Pack(6, "A23456789JQK"), ()).split("\n")} == {2 * 48}
    assert pack_name(Pack(8)) == "8 x 52"
