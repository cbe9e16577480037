"""House advantage of side wagers, compared with figures that others published."""

from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner

from projections.engine.games.proving import Proven
from projections.engine.games.side_wager_proof import proven
from replay.cli import main
from schemas.rulebook import rulebook
from schemas.side_wagers import SideWager
from tests.builders.documents import ROOT

SUITED: Final = {"same": ["rank", "suit"]}
DRAGON: Final = {9: "30 to 1", 8: "10 to 1", 7: "6 to 1", 6: "4 to 1", 5: "2 to 1", 4: "1 to 1"}


def prove(*lines: tuple[Any, str], decks: int = 8, chapter: str = "631a") -> Proven | None:
    table = [{"name": str(n), "if": when, "pays": pays} for n, (when, pays) in enumerate(lines)]
    wager = msgspec.convert({"cite": "published", "paytable": table}, SideWager)
    day = date(2011, 3, 1) if chapter == "551" else date(2025, 3, 1)
    return proven(rulebook(chapter, day, {}, decks, offered={"side": wager}), "side")


def pairs(perfect: int, colored: int, mixed: int) -> Proven | None:
    """Prove Perfect Pairs on one hand at such odds."""
    sames = (["rank", "suit"], ["rank", "color"], ["rank"])
    odds = (perfect, colored, mixed)
    return prove(
        *(
            ({"player_first_two": {"same": same}}, f"{pays} to 1")
            for same, pays in zip(sames, odds, strict=True)
        )
    )


@pytest.mark.parametrize(
    ("odds", "published"),  # wizardofodds.com, Perfect Pairs, pay tables A to D with eight decks
    [
        ((25, 12, 6), "0.040964"),
        ((30, 10, 5), "0.033735"),
        ((25, 12, 5), "0.079518"),
        ((25, 15, 5), "0.021687"),
    ],
)
def test_perfect_pairs_on_one_hand_has_the_published_advantage(
    odds: tuple[int, int, int], published: str
) -> None:
    found = pairs(*odds)
    assert found is not None
    assert f"{float(found.house_advantage):.6f}" == published
    # There: 1,456 perfect, 1,664 colored and 3,328 mixed pairs among 86,320.
    assert Fraction(found.win, found.win + found.lose) == Fraction(1456 + 1664 + 3328, 86_320)


def test_perfect_pairs_on_both_hands_has_the_published_combinations() -> None:
    both = {"player_first_two": SUITED, "banker_first_two": SUITED}
    either = [{"player_first_two": SUITED}, {"banker_first_two": SUITED}]
    found = prove((both, "250 to 1"), (either, "25 to 1"))
    assert found is not None
    # wizardofodds.com, Baccarat, Perfect Pairs version 2, eight decks: 0.066235
    two, one, none, every = 2_101_008, 244_747_776, 7_132_734_336, 7_379_583_120
    assert Fraction(found.win, found.win + found.lose) == Fraction(two + one, every)
    assert found.house_advantage == -Fraction(250 * two + 25 * one - none, every)
    assert f"{float(found.house_advantage):.6f}" == "0.066235"


def test_a_wager_by_margins_earns_what_the_dragon_bonus_of_the_same_lines_does() -> None:
    """Paytable A of 631a.13(e) as a side wager: 2.65% on the Player's Hand, as it is published."""
    player = {"player": {"natural": True}}
    found = prove(
        (player | {"winner": "tie"}, "push"),
        (player | {"winner": "player"}, "1 to 1"),
        *(({"winner": "player", "margin": margin}, pays) for margin, pays in DRAGON.items()),
    )
    assert found is not None
    rows = msgspec.json.decode((ROOT / "replay" / "proofs" / "advantages.json").read_bytes())
    (of_law,) = {
        row["house_advantage"]
        for row in rows
        if (row["chapter"], row["wager"], row["decks"], row["options"])
        == ("631a", "dragon_bonus_player", 8, {"dragon_bonus": "A"})
    }
    assert found.house_advantage == Fraction(of_law)
    assert f"{float(found.house_advantage):.4f}" == "0.0265"


# ── the 21 games, with the decks of 52 that the published figures are of ────────────────────────────────

THREE: Final = "first_two_and_up_card"
SUIT: Final = {"same": ["suit"]}
THREE_CARDS: Final = [
    ({THREE: {"straight": True}}, "9 to 1"),
    ({THREE: {"same": ["rank"]}}, "9 to 1"),
    ({THREE: SUIT}, "9 to 1"),
]
ROYAL_MATCH: Final = [({"first_two": {"ranks": ["K", "Q"]} | SUIT}, "25 to 1"), ({"first_two": SUIT}, "5/2")]
QUEENS: Final = {"ranks": ["Q", "Q"], "suits": ["h"]}
LUCKY_LADIES: Final = [
    ({"first_two": QUEENS, "dealer_first_two": {"natural": True}}, "1000 to 1"),
    ({"first_two": QUEENS}, "125 to 1"),
    ({"first_two": {"total": 20} | SUITED}, "19 to 1"),
    ({"first_two": {"total": 20} | SUIT}, "9 to 1"),
    ({"first_two": {"total": 20}}, "4 to 1"),
]


@pytest.mark.parametrize(
    ("lines", "decks", "published"),
    [
        (ROYAL_MATCH, 6, "6.67"),
        (ROYAL_MATCH, 8, "6.46"),
        (LUCKY_LADIES, 6, "24.71"),  # with the dealer's cards too
        (LUCKY_LADIES, 8, "24.05"),
    ],
)
def test_side_wagers_of_blackjack_have_the_published_advantage(
    lines: list[tuple[Any, str]], decks: int, published: str
) -> None:
    found = prove(*lines, decks=decks, chapter="685a")
    assert found is not None
    assert round(found.house_advantage * 100, len(published.partition(".")[2])) == Fraction(published)


def test_21_3_has_the_published_combinations() -> None:
    found = prove(*THREE_CARDS, decks=6, chapter="685a")
    assert found is not None
    assert round(found.house_advantage * 100, 4) == Fraction("3.2386")  # wizardofodds.com, 21+3 version 1
    # There: straight flush, three of a kind, straight, flush, flush with a pair; and every three cards.
    won, every = 10_368 + 26_312 + 155_520 + 236_736 + 56_160, 5_013_320
    assert Fraction(found.win, found.win + found.lose) == Fraction(won, every)


def test_without_10s_spanish_21_counts_decks_of_48() -> None:
    found = prove(({"first_two": SUIT}, "1 to 1"), decks=6, chapter="551")
    assert found is not None
    # The second card is one of the 71 left of the first one's suit, among 287.
    assert Fraction(found.win, found.win + found.lose) == Fraction(71, 287)


def test_the_up_card_alone_and_beside_the_first_two_cards() -> None:
    found = prove(
        ({"up_card": {"ranks": ["A"]}, "first_two": {"natural": True}}, "15 to 1"),
        ({"up_card": {"ranks": ["A"]}}, "2 to 1"),
        decks=8,
        chapter="685a",
    )
    assert found is not None
    # An ace is up 32 times in 416; then 31 aces and 128 cards worth ten are among 415.
    blackjack = Fraction(2 * 31 * 128, 415 * 414)
    assert found.house_advantage == 1 - Fraction(1, 13) * (3 + 13 * blackjack)


def test_21_baccarat_counts_the_first_two_cards_of_either_hand() -> None:
    found = prove(({"banker_first_two": {"natural": True}}, "1 to 1"), decks=8, chapter="681a")
    assert found is not None
    # 681a.1: two aces, or an ace and one of 128 cards worth ten.
    assert Fraction(found.win, found.win + found.lose) == Fraction(32 * 31 + 2 * 32 * 128, 416 * 415)


@pytest.mark.parametrize(
    ("chapter", "when"),
    [
        ("685a", {"dealer": {"total": 22}}),
        ("685a", {"dealer_first_two": {"natural": True}, "up_card": {"ranks": ["A"]}}),
        ("681a", {"winner": "tie"}),
        ("681a", {"player": {"total": 21}}),
    ],
)
def test_of_the_21_games_what_needs_the_whole_play_is_not_proven(chapter: str, when: dict[str, Any]) -> None:
    assert prove((when, "9 to 1"), chapter=chapter) is None


def test_a_line_that_always_holds_pays_whatever_is_dealt() -> None:
    found = prove(({}, "1/2"), chapter="685a")
    assert found is not None
    assert found.house_advantage == -Fraction(1, 2)


@pytest.mark.parametrize(
    "lines",
    [
        [({"player_first_two": SUITED}, "undecided")],
        [({"player": SUITED}, "25 to 1")],  # of a hand that may hold three cards
        [({"player_first_two": SUITED, "winner": "player"}, "25 to 1")],
    ],
)
def test_what_is_open_or_too_much_to_count_is_not_proven(lines: list[tuple[Any, str]]) -> None:
    assert prove(*lines) is None


def test_prove_lists_the_side_wagers_of_a_house_file(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "side-wagers.md").read_text(encoding="utf-8")
    house = tmp_path / "my_house.yaml"
    house.write_text(page.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    ran = CliRunner().invoke(main, ["prove", "631a", "--house", str(house), "--format", "jsonl"])
    rows = {row["wager"]: row["decimal"] for row in map(msgspec.json.decode, ran.stdout.splitlines())}
    assert rows["perfect_pairs_player"] == rows["perfect_pairs_banker"] == "0.0409638554"  # 17/415
