"""`patterns` on the incidents of tests/golden/incidents: found at the first moment they could be known."""

from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from replay.patterns.played_rounds import PlayedRound, played_rounds
from replay.patterns.registry import RATE, leads
from replay.recording.recording import Recording
from tests.builders.round_records import printed_rows, run_verb, write_script_floor
from tests.builders.table_script import build_house
from tests.golden.incidents.scenes import collusion, past_posting

ROUNDS = 20


@pytest.fixture(scope="module")
def colluding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_script_floor(tmp_path_factory.mktemp("incident"), collusion(ROUNDS), build_house())


@pytest.fixture(scope="module")
def posting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    script, winners = past_posting(ROUNDS)
    return write_script_floor(tmp_path_factory.mktemp("incident"), script, build_house()), winners


def rounds_of(folder: Path) -> list[PlayedRound]:
    found = [each for each in played_rounds(Recording(folder)) if isinstance(each, PlayedRound)]
    assert [each.id.round for each in found] == [str(number + 1) for number in range(ROUNDS)]
    return found


def first_found(rounds: list[PlayedRound], pattern: str) -> int:
    """Return after how many rounds there is a lead for the first time."""
    return next(many for many in range(ROUNDS + 1) if list(leads(rounds[:many], RATE, [pattern])))


def test_a_dealer_s_collusion_is_found_after_fourteen_rounds(colluding: Path) -> None:
    # P-1 plays every other round and all of them go wrong: of 2m rounds the m wrong ones are P-1's by one
    # choice in C(2m, m). Two pairs are looked at, so it stands out below 1 in 2,000: after thirteen rounds it
    # is one choice in C(13, 7) = 1,716, after fourteen one in C(14, 7) = 3,432.
    assert first_found(rounds_of(colluding), "dumping") == 14


def test_the_collusion_s_lead_names_dealer_patron_and_every_hand(colluding: Path) -> None:
    lead, *hands = printed_rows("patterns", colluding, "--pattern", "dumping")
    # After twenty rounds: once in C(20, 10) = 184,756.
    assert (lead["kind"], lead["dealer"], lead["patron"]) == ("lead", "D-1", "P-1")
    assert lead["by_chance"] == "once in 184,000"
    assert [(row["kind"], row["round"], row["seat"], row["sum_cents"]) for row in hands] == [
        ("hand", str(number), 1, 2000) for number in range(1, ROUNDS, 2)
    ]


def test_late_wagers_are_found_after_fifteen_rounds(posting: tuple[Path, list[str]]) -> None:
    folder, winners = posting
    # After n rounds of which the Player's Hand won a: of n wagers on it in time a won, and all a late ones.
    # To draw a winners from those n + a wagers there are C(2a, a) ways of C(n + a, a); so for the Banker's.
    chances = []
    for many in range(1, ROUNDS + 1):
        won = Counter(winners[:many])
        chance = Fraction(1)
        for hand in ("player", "banker"):
            chance *= Fraction(comb(2 * won[hand], won[hand]), comb(many + won[hand], won[hand]))
        chances.append(chance)
    # Fourteen: 4 and 10, 70/3060 x 184756/1961256, once in 464. Fifteen: 5 and 10, 252/15504 x
    # 184756/3268760, once in 1,088; nobody else is looked at.
    assert [1 / chances[13] // 1, 1 / chances[14] // 1] == [464, 1088]
    assert first_found(rounds_of(folder), "late_wagers") == 15


def test_late_wagers_are_listed_with_the_hand_that_won(posting: tuple[Path, list[str]]) -> None:
    folder, winners = posting
    lead, *hands = printed_rows("patterns", folder, "--pattern", "late_wagers")
    assert (lead["patron"], lead["dealer"]) == ("P-1", None)
    assert lead["says"] == (
        'Of 20 wagers that P-1 made, increased, reduced or withdrew after "no more bets", 20 went the way of '
        "the result: made or increased on what won, taken back from what lost."
    )
    assert [(row["round"], row["seat"], row["wager"]) for row in hands] == [
        (str(number), 1, winner) for number, winner in enumerate(winners, 1)
    ]


@pytest.mark.parametrize(
    ("more", "kinds"), [((), 11), (("--to", "2025-03-31"), 0), (("--rate", "1/1000000"), 0)]
)
def test_days_and_rate_narrow_what_is_found(colluding: Path, more: tuple[str, ...], kinds: int) -> None:
    assert len(printed_rows("patterns", colluding, "--pattern", "dumping", *more)) == kinds


@pytest.mark.parametrize("rate", ["0", "1", "often", "1/0"])
def test_a_rate_lies_between_none_and_all(colluding: Path, rate: str) -> None:
    ran = run_verb("patterns", colluding, "--rate", rate)
    assert ran.exit_code == 2


def test_the_last_day_is_not_before_the_first(colluding: Path) -> None:
    assert run_verb("patterns", colluding, "--from", "2025-04-02", "--to", "2025-04-01").exit_code == 2
