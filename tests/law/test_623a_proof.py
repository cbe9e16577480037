"""The chances of the Bonus Craps wagers, against a second way of counting and figures published by others."""

import json
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from click.testing import CliRunner

from replay.cli import main

WAYS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
SEVEN = 6
NUMBERS = {
    "all_small": (2, 3, 4, 5, 6),
    "all_or_nothing_at_all": tuple(WAYS),
    "all_tall": (8, 9, 10, 11, 12),
}
ODDS = {"all_small": 34, "all_or_nothing_at_all": 175, "all_tall": 34}

# wizardofodds.com/games/craps/side-bets: All Small and All Tall 34 to 1, All or Nothing 175 to 1.
PUBLISHED = {"all_small": "7.76%", "all_or_nothing_at_all": "7.46%", "all_tall": "7.76%"}


def chance(numbers: tuple[int, ...]) -> Fraction:
    """Inclusion and exclusion: some set of the numbers stays out until the 7, 6 against its ways."""
    return sum(
        (
            (-1) ** size * Fraction(SEVEN, SEVEN + sum(WAYS[number] for number in lacking))
            for size in range(len(numbers) + 1)
            for lacking in combinations(numbers, size)
        ),
        Fraction(0),
    )


@pytest.fixture(scope="module")
def proven() -> dict[str, dict[str, Any]]:
    answer = CliRunner().invoke(main, ["prove", "623a", "--format", "jsonl"])
    assert answer.exit_code == 0, answer.output
    return {row["wager"]: row for row in map(json.loads, answer.stdout.splitlines())}


@pytest.mark.parametrize("wager", NUMBERS)
def test_every_count_is_exact(wager: str, proven: dict[str, dict[str, Any]]) -> None:
    row = proven[wager]
    wins = chance(NUMBERS[wager])
    assert (row["push"], row["decks"], row["method"], row["error"], row["published"]) == (
        0,
        0,
        "exact",
        "0",
        None,
    )
    assert Fraction(row["win"], row["total"]) == wins
    assert row["win"] + row["lose"] == row["total"]
    assert Fraction(row["house_advantage"]) == 1 - wins * (ODDS[wager] + 1)
    assert f"{float(Fraction(row['house_advantage'])) * 100:.2f}%" == PUBLISHED[wager]


def test_all_three_are_counted_out_of_one_number(proven: dict[str, dict[str, Any]]) -> None:
    assert list(proven) == list(NUMBERS)
    assert len({row["total"] for row in proven.values()}) == 1
    assert proven["all_small"]["win"] == proven["all_tall"]["win"]


def test_it_goes_by_the_chapter_and_by_its_name(proven: dict[str, dict[str, Any]]) -> None:
    named = CliRunner().invoke(main, ["prove", "bonus_craps", "--format", "jsonl"])
    assert [json.loads(line) for line in named.stdout.splitlines()] == list(proven.values())


def test_it_has_no_decks() -> None:
    answer = CliRunner().invoke(main, ["prove", "623a", "--decks", "6"])
    assert answer.exit_code == 2
    assert "without cards" in answer.stderr
