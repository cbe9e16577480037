"""What `explain` shows of readings: those that a house may choose, and those that no option changes."""

import json
import re
from pathlib import Path
from typing import Any, Final

from projections.engine.audit.readings import readings
from tests.builders.round_records import (
    build_record,
    finding_ids,
    page_lines,
    run_verb,
    write_records,
    write_script_floor,
)
from tests.builders.table_script import BANKER_WINS, Script, build_house

DOCS: Final = Path(__file__).parents[2] / "docs" / "readings.md"
# Rows of the page on which no finding about a round stands: they are of no wager and no card.
APART: Final = {
    '"either" hand',
    "there are two subsections (d)",
    "what 43 Pa.B. 834 does not print",
    '"six to eight decks"',
    "vigorish after the payment, or before",
    'do "dealer or dealers" pay in one order, or each in his own',
    "how many cards are burned for a face-up card without value",
    "hours, days and dates of the coupon programme",
    'returned or locked away "at the end of the gaming day": when is that too late',
    "expired coupons go back daily: may marketing hand one out before",
    "must a dealer who acts as curator pass the shoe once the Banker's Hand has lost",
    "who deals if the curator must pass the shoe and none of the other players takes it",
    "to whom the shoe is offered first if the dealer was curator",
    "does the Banker's Hand lose in a simulated round, or in a void one",
}
BUST: Final = [["seat1", "Kc"], ["dealer", "6c"], ["seat1", "9d"], ["dealer", "Th"]]


def explained(folder: Path, check: str, told: dict[str, Any]) -> dict[str, Any]:
    """Return what `explain` derives of the finding of a check in one record."""
    result = run_verb("explain", write_records(folder, told), finding_ids(told)[check], "--format", "json")
    assert result.exit_code == 0, result.output
    derived: dict[str, Any] = json.loads(result.stdout)
    return derived


def down_under(play: list[list[str]], wager: str, paid: int) -> dict[str, Any]:
    """Write a record of Down Under Blackjack in which seat 1 wagered $10."""
    return build_record(
        play,
        chapter="685a",
        gaming_date="2018-10-06",
        decks=8,
        wagers=[{"seat": 1, "wager": wager, "cents": 1000}],
        paid=[{"seat": 1, "wager": wager, "cents": paid}],
    )


def rows() -> list[list[str]]:
    """Read the page: question, what is taken, and the option, row by row."""
    found = []
    page = DOCS.read_text("utf-8")
    for body in re.findall(r"^## [^\n]*,[^\n]*\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE):
        for line in body.splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if line.startswith("| ") and cells[0] not in ("clause", "---"):
                found.append(cells[1:4])
    return found


def test_the_readings_are_those_of_the_page() -> None:
    told = rows()
    assert len(told) > 60
    chosen = {option.split("`")[1] for _, _, option in told if option} - {"vigorish_rounding_cents"}
    assert readings().selectable == chosen
    fixed = {(each.question, each.taken) for each in readings().fixed}
    assert fixed == {
        (question, taken)
        for question, taken, option in told
        if question not in APART and (not option or "vigorish_rounding_cents" in option)
    }
    assert {question for question, _, _ in told} >= APART


def test_a_reading_that_changes_the_money_is_shown_with_its_cents(tmp_path: Path) -> None:
    """24 against the dealer's 22: collected, 685a.7(q)(1); a house may read (n)(1) so that it comes back."""
    told = down_under([*BUST, ["seat1", "draw"], ["seat1", "5s"], ["dealer", "6d"]], "bet", 0)
    derived = explained(tmp_path, "loser_not_collected", told)
    assert (derived["finding"]["expected_cents"], derived["finding"]["observed_cents"]) == (-1000, 0)
    (other,) = [each for each in derived["otherwise"] if each["option"] == "bust_on_22"]
    assert other == {
        "option": "bust_on_22",
        "value": "return",
        "in_effect": "collect",
        "cite": "685a.7(q)(1)",
        "reading": True,
        "of_wager": True,
        "gain_cents": 0,
        "vigorish_cents": 0,
        "as_observed": True,
        "stands": False,
        "instead": [],
    }
    page = page_lines(run_verb("explain", tmp_path / "rounds.jsonl", derived["finding"]["id"]).stdout)
    at = page.index("bust_on_22 return gain $0.00, vigorish $0.00; as observed: the finding does not stand")
    assert page[at + 1] == "a reading, 685a.7(q)(1); in effect is collect"


def test_a_reading_that_would_drop_a_finding_about_cards_is_shown(tmp_path: Path) -> None:
    """Ace and ace are 22, on which the dealer stands; with an ace limit of 21 they are 12, and he draws."""
    play = [["seat1", "Kc"], ["dealer", "Ac"], ["seat1", "9d"], ["dealer", "Ah"], ["seat1", "stand"]]
    told = build_record([*play, ["dealer", "9s"]], chapter="685a", gaming_date="2018-10-06", table="DU")
    derived = explained(tmp_path, "dealer_drew_wrongly", told)
    (other,) = [each for each in derived["otherwise"] if each["option"] == "dealer_ace_limit"]
    assert (other["value"], other["reading"], other["stands"], other["of_wager"]) == (21, True, False, False)
    page = page_lines(run_verb("explain", tmp_path / "rounds.jsonl", derived["finding"]["id"]).stdout)
    at = page.index("dealer_ace_limit 21 the finding does not stand")
    assert page[at + 1] == "a reading, 685a.3(d)(3); in effect is 22"
    assert derived["steps"] == []


def test_a_fixed_reading_stands_where_a_step_cites_its_clause(tmp_path: Path) -> None:
    """Both have a Blackjack: by 551.6(b)(3) the player's wins, at 3 to 2."""
    play = [["seat1", "Ac"], ["dealer", "Kc"], ["seat1", "Kd"], ["dealer", "Ah"]]
    told = build_record(
        play,
        chapter="551",
        gaming_date="2010-11-06",
        wagers=[{"seat": 1, "wager": "wager", "cents": 1000}],
        paid=[{"seat": 1, "wager": "wager", "cents": 0}],
    )
    derived = explained(tmp_path, "paid_too_little", told)
    assert derived["finding"]["expected_cents"] == 1500
    assert [(each["clauses"], each["taken"]) for each in derived["readings"]] == [
        (["551.2(c)(1)"], "always"),
        (["551.6(b)(3)"], "the player's wins"),
    ]


def test_what_a_bank_is_owed_is_derived_from_each_wager_against_it(tmp_path: Path) -> None:
    """Seat 1 wins $20 of the bank, seat 3 loses $50 to it: $30 are left, of which 5% are $1.50."""
    (page,) = [
        json.loads(block)
        for block in re.findall(
            r"```json\n(.*?)```",
            (DOCS.parent / "round_record_tiles_dice.md").read_text("utf-8"),
            re.DOTALL,
        )
        if '"535"' in block
    ]
    page["paid"][0]["cents"] = 2900
    derived = explained(tmp_path, "paid_too_little", page)
    assert [(step["says"], step["cents"]) for step in derived["steps"]] == [
        ("bank: chips wagered", 20000),
        ("seat 1 pai gow brings", -2000),
        ("seat 3 pai gow brings", 5000),
        ("together", 3000),
        ("the centre leaves a surplus", 3000),
        ("vigorish 5% of $30.00 won", 150),
    ]


def test_a_fraction_of_a_gain_is_shown_before_it_is_dropped(tmp_path: Path) -> None:
    """3 to 2 on $5.25 is $7.87 and a half."""
    told = build_record(
        [["seat1", "Ac"], ["dealer", "Kc"], ["seat1", "Kd"], ["dealer", "9h"]],
        chapter="551",
        gaming_date="2010-11-06",
        wagers=[{"seat": 1, "wager": "wager", "cents": 525}],
        paid=[{"seat": 1, "wager": "wager", "cents": 700}],
    )
    derived = explained(tmp_path, "paid_too_little", told)
    assert derived["rounding"] == ["a gain of $7.87 and 1/2 of a cent: the fraction of a cent is dropped"]


def test_what_was_left_owing_is_derived_from_the_account_of_the_shoe(tmp_path: Path) -> None:
    """5% of $20 and of $30 were marked, and nothing was collected."""
    script = Script()
    script.open()
    for cents in (2000, 3000):
        spots = {(1, "banker"): cents}
        script.play(BANKER_WINS, spots, "banker", spots, {(1, "banker"): cents // 20}, marked=True)
    script.close()
    path = write_script_floor(tmp_path, script, build_house(vigorish_deferred=True))
    answers = [json.loads(line) for line in run_verb("audit", path).stdout.splitlines()]
    (found,) = [each for answered in answers for each in answered["findings"]]
    derived = json.loads(run_verb("explain", path, found["id"], "--format", "json").stdout)
    account = {line["name"]: line["cents"] for line in derived["lines"]}
    assert account["vigorish_marked"] == 250
    assert account["vigorish_collected"] == 0
    assert account["vigorish_owed"] == derived["finding"]["expected_cents"] == 250
    assert {line["of"] for line in derived["lines"]} == {"1"}
    assert [(step["says"], step["cents"]) for step in derived["steps"]] == [
        ("round 1: marked", 100),
        ("round 2: marked", 150),
        ("still owing at the end of the shoe", 250),
    ]
