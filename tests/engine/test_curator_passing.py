"""Whether the shoe has to pass, by deals drawn at random: lawful ones, and ones that no text settles.

The hands are worked out by the simulator's own tables, which share nothing with the audit.
"""

from random import Random
from typing import Final

import pytest

from schemas.values import CARDS
from streams.simulator.games.baccarat.rules import lawful
from tests.law.curator_proofs import dealt_again

CHAPTERS: Final = ("631a", "545")
_READ: Final = sorted(card for card in CARDS if "?" not in card and card[0] != "0")
_DEALS: Final = 60


def draw_deal(rng: Random) -> tuple[list[str], str]:
    """Return a lawful deal, each card with its hand in the order in which they are dealt, and who won."""
    cards = rng.sample(_READ, 6)
    result, _ = lawful(cards)
    hands = {"P": list(result.player), "B": list(result.banker)}
    order = "PBPB" + "P" * (len(result.player) - 2) + "B" * (len(result.banker) - 2)
    return [f"{hand}{hands[hand].pop(0)}" for hand in order], result.winner


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_lawful_deal_says_whether_the_shoe_has_to_pass(chapter: str) -> None:
    rng = Random(chapter)  # noqa: S311  a seeded draw
    seen = set()
    for _ in range(_DEALS):
        deal, winner = draw_deal(rng)
        seen.add((winner, len(deal)))
        call = rng.choice((None, winner))
        found = dealt_again(chapter, " ".join(deal), call=call)
        assert found == (["mismatch"] if winner == "player" else []), (deal, call)
    assert {winner for winner, _ in seen} == {"player", "banker", "tie"}
    assert {count for _, count in seen} == {4, 5, 6}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_deal_that_lacks_its_last_card_leaves_it_open_whatever_was_called(chapter: str) -> None:
    rng = Random(f"{chapter} short")  # noqa: S311  a seeded draw
    for _ in range(_DEALS):
        deal, _ = draw_deal(rng)
        call = rng.choice((None, "player", "banker", "tie"))
        assert dealt_again(chapter, " ".join(deal[:-1]), call=call) == ["undetermined"], (deal, call)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_deal_in_another_order_leaves_it_open_whatever_was_called(chapter: str) -> None:
    rng = Random(f"{chapter} order")  # noqa: S311  a seeded draw
    for _ in range(_DEALS):
        deal, _ = draw_deal(rng)
        place = rng.randrange(3)
        deal[place], deal[place + 1] = deal[place + 1], deal[place]
        call = rng.choice((None, "player", "banker", "tie"))
        assert dealt_again(chapter, " ".join(deal), call=call) == ["undetermined"], (deal, call)
