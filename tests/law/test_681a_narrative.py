"""How a hand of 21 Baccarat is explained: its play by steps with provisions, and both counts."""

from datetime import date
from typing import Any, Final

import pytest

from projections.engine.audit.judge import check_context
from projections.engine.games import game_of
from projections.engine.observation import Doubt, Key, Round, Wager
from projections.engine.table_layout import lying
from schemas.rulebook import Rulebook, rulebook
from tests.builders.texts import step_texts, verbatim_fact
from tests.law.baccarat_table import deal

DAY: Final = date(2020, 1, 1)
GAME: Final = game_of("681a")


def seen(player: str, banker: str, *wagers: str, **more: Any) -> Round:
    wagered: dict[Key, Wager] = {Key(1, None, wager, None): Wager(100) for wager in wagers}
    return Round("B21-1", "1", DAY, 0, play=deal(player, banker), wagers=wagered, **more)


def book(**options: Any) -> Rulebook:
    return rulebook("681a", DAY, options)


def told(player: str, banker: str, *wagers: str, **options: Any) -> list[tuple[str, str]]:
    return step_texts(GAME.reasons(seen(player, banker, *wagers), book(**options)))


def test_both_hands_draw() -> None:
    assert told("9c 7d 4h", "Td 6c Kh", "player") == [
        ("Player's Hand 9c 7d: 16.", "681a.3(d)"),
        ("Banker's Hand Td 6c: 16.", "681a.3(d)"),
        ("Player's Hand has 16 and draws 4h: 20.", "681a.7(g)"),
        ("Banker's Hand has 16 and draws Kh: 26.", "681a.7(g)"),
        ("Player's Hand wins, 20 against 26.", "681a.7(i)(1)"),
    ]


def test_both_hands_stand() -> None:
    assert told("9c 9d", "Td 9h", "player")[2:] == [
        ("Player's Hand has 18 and stands.", "681a.7(g)"),
        ("Banker's Hand has 19 and stands.", "681a.7(g)"),
        ("Banker's Hand wins, 19 against 18.", "681a.7(j)(2)(i)"),
        ("Player's Hand contains a pair.", "681a.3(e)"),
    ]


def test_a_card_for_the_bonus_wager_alone() -> None:
    assert told("Ad Kd", "6c 6h 9h", "bonus_banker")[2:] == [
        ("A natural in the Player's Hand: both hands stand as they are.", "681a.7(f)"),
        ("Player's Hand draws no card.", "681a.7(f)"),
        ("Banker's Hand draws 9h for the Bonus Wager alone.", "681a.7(f)(2)"),
        ("Player's Hand wins, 21 against 12.", "681a.7(i)(2)(i)"),
        ("Banker's Hand contains a three-card 21 and a pair.", "681a.3(e)"),
    ]


def test_two_aces() -> None:
    assert told("Ac Ad", "Td 2c", "player") == [
        ("Player's Hand Ac Ad: two aces, which count 12.", "681a.3(d)(3)"),
        ("Banker's Hand Td 2c: 12.", "681a.3(d)"),
        ("A natural in the Player's Hand: both hands stand as they are.", "681a.7(f)"),
        ("Player's Hand draws no card.", "681a.7(f)"),
        ("Banker's Hand draws no card.", "681a.7(f)"),
        ("Both hands count 12.", "681a.7(i)(4)"),
        ("Player's Hand contains a pair.", "681a.3(e)"),
    ]
    as_21 = told("Ac Ad", "Kd Ah", "player", ace_ace=21)
    assert as_21[0] == ("Player's Hand Ac Ad: two aces, which count 21.", "681a.3(d)(3)")
    assert as_21[2][0].startswith("A natural in the Player's Hand and the Banker's Hand:")


def test_what_was_wrong_with_the_cards() -> None:
    assert told("Tc 7d 4h", "Td 6c", "player")[2:] == [
        ("The Player's Hand had 17 and got an additional card.", "681a.7(g)"),
        ("The Banker's Hand had 16 and got no additional card.", "681a.7(g)"),
    ]
    assert (
        "The Banker's Hand got a card beside a natural, and no Bonus Wager asked for it.",
        "681a.7(f)(1)",
    ) in told("Ad Kd", "Td 6c 5h", "player")


def test_what_cannot_be_explained() -> None:
    assert [cite for _, cite in told("Ac ?d", "Td 2c", "player")] == ["681a.3(d)"]
    few = Round("B21-1", "1", DAY, 0, play=deal("Ac 2d", "Td 2c")[:3])
    assert [cite for _, cite in GAME.reasons(few, book())] == ["681a.7(e)"]
    void = seen("Ac Kd", "Td 2c", void=True)
    assert [cite for _, cite in GAME.reasons(void, book())] == ["house control"]


@pytest.mark.parametrize(
    ("player", "banker", "counts"),
    [
        ("9c 7d 4h", "Td 8c", [20, 18]),
        ("Ad Kd", "6c 6h 9h", [21, 12]),  # the 9 is the Bonus Wager's
        ("Tc 7d 4h", "Td 8c", [17, 18]),  # the 4 must not be
        ("2c 3d 4h Th", "Td 8c", [9, 18]),  # nor the ten
        ("Ac Ad", "Td 8c", ["two aces", 18]),
        ("?c Kd", "6c 6h 9h", [None, None]),  # with an ace it would be 12
        ("9c 7d ??", "0? 8c", [None, 18]),  # whatever is worth ten
        ("9c 7d ??", "Td 8c", [None, 18]),
    ],
)
def test_hands_laid_out(player: str, banker: str, counts: list[int | str | None]) -> None:
    laid = GAME.hands(seen(player, banker))
    assert [(each.hand, each.point_count) for each in laid] == list(
        zip(("player", "banker"), counts, strict=True)
    )
    assert [" ".join(each.cards) for each in laid] == [player, banker]


@pytest.mark.parametrize("scope", ["money", Key(1, None, "bonus_player", None)])
@pytest.mark.parametrize("banker", ["Td 6d", "Td 6d 5d"])
def test_a_bonus_wager_that_was_not_surely_seen_makes_no_card_wrong(scope: Any, banker: str) -> None:
    doubt = Doubt("data_missing", scope, verbatim_fact("the chips were not all read"))
    doubtful = check_context(seen("Ac Kc", banker, "tie", doubts=[doubt]), book())
    assert doubtful.ruled.defects == ()
    sure = check_context(seen("Ac Kc", banker, "tie"), book())
    assert len(sure.ruled.defects) == banker.count(" ") - 1
    lying = seen("Ac Kc", banker, "bonus_banker", doubts=[doubt])
    lying.wagers[Key(1, None, "player", None)] = Wager(100)  # without it no Bonus Wager may lie, 681a.6(d)
    asked = check_context(lying, book())
    # A Bonus Wager that was surely seen asks for the card, unless all the money is in doubt.
    assert len(asked.ruled.defects) == (0 if scope == "money" else 2 - banker.count(" "))


@pytest.mark.parametrize(
    ("player", "banker", "wager", "disregarded"),
    [
        ("9c 7d 4h", "Td 6c Kh", "player", []),  # 16 each: both draw, (g)
        ("9c 9d 4h", "Td 9h", "player", ["4h"]),  # 18 stands, (g)
        ("9c 7d 4h 2c", "Td 9h 3c", "player", ["2c", "3c"]),  # one card to 16, none to 19
        ("Ad Kd", "6c 6h 9h", "bonus_banker", []),  # beside a natural a card for the Bonus Wager, (f)(2)
        ("Ad Kd", "6c 6h 9h", "player", ["9h"]),  # and none without one, (f)(1)
        ("Ad Kd", "Tc 8h 9h", "bonus_banker", ["9h"]),  # nor to 18
    ],
)
def test_681a_7_f_g_which_cards_are_disregarded(
    player: str, banker: str, wager: str, disregarded: list[str]
) -> None:
    laid = lying("681a", seen(player, banker, wager), book())
    assert [piece.face for hand in laid for piece in hand.pieces if not piece.counts] == disregarded
