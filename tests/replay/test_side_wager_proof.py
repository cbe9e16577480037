"""House advantage of side wagers, held against figures that others published."""

from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner

from projections.engine.games.baccarat.side_wager_proof import proven
from projections.engine.games.proving import Proven
from replay.cli import main
from schemas.rulebook import rulebook
from schemas.side_wagers import SideWager
from tests.builders.documents import ROOT

SUITED: Final = {"same": ["rank", "suit"]}
DRAGON: Final = {9: "30 to 1", 8: "10 to 1", 7: "6 to 1", 6: "4 to 1", 5: "2 to 1", 4: "1 to 1"}


def prove(*lines: tuple[Any, str], decks: int = 8) -> Proven | None:
    table = [{"name": str(n), "if": when, "pays": pays} for n, (when, pays) in enumerate(lines)]
    wager = msgspec.convert({"cite": "published", "paytable": table}, SideWager)
    return proven(rulebook("631a", date(2025, 3, 1), {}, decks, offered={"side": wager}), "side")


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
