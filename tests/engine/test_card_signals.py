"""What the cards say of wagers, game by game: the next card, the count, and how a wager ends elsewhere."""

import pytest

from projections.engine.card_signals import WagerSignals, signals_of
from projections.engine.observation import Key

PLAYER: Key = Key(3, None, "player", None)
BANKER: Key = Key(3, None, "banker", None)
DRAGON: Key = Key(3, None, "dragon_7", None)


@pytest.mark.parametrize(
    ("stakes", "card", "said"),
    [
        ({PLAYER: 500}, "6c", WagerSignals(size_cents=500, is_ahead=True)),
        ({BANKER: 500}, "9c", WagerSignals(size_cents=-500, is_ahead=True)),
        (
            {PLAYER: 500, BANKER: 200, DRAGON: 100},
            "Kc",
            WagerSignals(size_cents=300, is_ahead=False, counted_cents=100),
        ),
        ({DRAGON: 100}, "5c", WagerSignals(is_ahead=False, counted_cents=100)),
    ],
)
def test_in_baccarat_the_player_s_first_card_is_for_one_hand_and_against_the_other(
    stakes: dict[Key, int], card: str, said: WagerSignals
) -> None:
    play = [("dealer", "no_more_bets"), ("player", card), ("banker", "9d"), ("player", "9s")]
    assert signals_of("631a").signals(3, stakes, play) == said


@pytest.mark.parametrize(("chapter", "main"), [("551", "wager"), ("685a", "bet")])
def test_in_blackjack_it_is_the_first_card_of_one_s_own(chapter: str, main: str) -> None:
    stakes: dict[Key, int] = {Key(3, None, main, None): 500, Key(3, None, "insurance", None): 200}
    play = [("seat2", "5c"), ("seat3", "Ac"), ("dealer", "9d"), ("seat3", "5d")]
    ace = WagerSignals(size_cents=500, is_ahead=True, counted_cents=500)
    five = WagerSignals(size_cents=300, is_ahead=False, counted_cents=300)
    assert signals_of(chapter).signals(3, stakes, play) == ace
    assert signals_of(chapter).signals(2, {Key(2, None, main, None): 300}, play) == five


@pytest.mark.parametrize(
    ("chapter", "count"),
    # 4 and 7 take one each, 8 and 9 bring two each; of low cards 4 and 2 bring one each, K and A take one.
    [("631a", -1 - 1 + 2 + 2), ("551", 1 + 1 - 1 - 1), ("535", 0)],
)
def test_cards_that_leave_the_shoe_are_counted_by_the_game(chapter: str, count: int) -> None:
    assert signals_of(chapter).count(["4c", "7d", "8h", "9s", "2c", "Kd", "Ah"]) == count


def test_a_game_without_signals_says_nothing_of_any_wager() -> None:
    game = signals_of("623a")
    assert game.signals(1, {Key(1, None, "pass_line", None): 500}, []) == WagerSignals()
    assert (game.end_alike, game.by_outcome("player", "player")) == (False, None)
