"""Vigorish that the text lets the house round: said as within the rule wherever owed stands beside paid."""

from pathlib import Path
from typing import Any, Final

import pytest

from projections.engine.observation import Key, Paid, Wager
from projections.views.table_picture import difference, sums
from projections.views.wager_view import weighed
from projections.web.phrases.call_script import call_script_text, differs
from tests.builders.consoles import open_console
from tests.builders.round_records import (
    BANKER,
    TIE,
    audit_record,
    build_record,
    page_lines,
    run_verb,
    show_hand,
    write_records,
)
from tests.builders.settled_wagers import IN_2011, ZONE, join_wagers, settled_wager, view_record
from tests.builders.stores import store_records
from tests.builders.texts import text_of

# Dealer: a Matched Pair of rank 10 and low hand 8. Seat 1 has both hands above them (535.4).
_PAI_GOW: Final = [
    ["dealer.high", "6-4"], ["dealer.high", "6-4"], ["dealer.low", "6-6"], ["dealer.low", "5-1"],
    ["seat1.high", "1-1"], ["seat1.high", "1-1"], ["seat1.low", "3-2"], ["seat1.low", "2-2"],
]  # fmt: skip
# Seat 2 banks with those hands of the dealer's: seat 1 wins against the bank and seat 3 loses to it.
_BANKED: Final = [
    ["seat2", "bank"],
    ["seat2.high", "6-4"], ["seat2.high", "6-4"], ["seat2.low", "6-6"], ["seat2.low", "5-1"],
    ["seat1.high", "1-1"], ["seat1.high", "1-1"], ["seat1.low", "3-2"], ["seat1.low", "2-2"],
    ["seat1", "win"],
    ["seat3.high", "6-3"], ["seat3.high", "4-4"], ["seat3.low", "5-5"], ["seat3.low", "2-2"],
    ["seat3", "lose"],
]  # fmt: skip


def of_banker(chapter: str, won: int, taken: int, *, rounds: int, rate: str = "5%") -> dict[str, Any]:
    """Write a Banker Wager that won, of a house that rounds vigorish to `rounds` cents; 0: not."""
    options: dict[str, Any] = {"vigorish_rounding_cents": rounds, "vigorish": rate}
    at = {} if chapter == "631a" else {"at": IN_2011}
    return build_record(
        BANKER,
        chapter=chapter,
        announced="banker",
        options=options,
        **settled_wager(3, "banker", won, won, taken),
        **at,
    )


def said(folder: Path, told: dict[str, Any]) -> str:
    return call_script_text(view_record(folder, told), ZONE)


PERMITTED: Final = [
    # 631a.13(c): "may round off the vigorish to 25¢ or the next highest multiple of 25¢".
    pytest.param(
        of_banker("631a", 9900, 500, rounds=0),  # 5% of $99.00 is $4.95, and $5.00 rounded up
        "seat 3 banker $99.00 was paid $94.00 after $5.00 of vigorish, within the rule (631a.13(c))",
        id="631a rounded up where the house does not round",
    ),
    pytest.param(
        of_banker("631a", 1100, 55, rounds=25),  # 5% of $11.00 is $0.55
        "seat 3 banker $11.00 was paid $10.45 after $0.55 of vigorish, within the rule (631a.13(c))",
        id="631a exact where the house rounds",
    ),
    pytest.param(
        of_banker("631a", 100, 25, rounds=0),  # 5% of $1.00 is $0.05: "to 25¢"
        "seat 3 banker $1.00 was paid $0.75 after $0.25 of vigorish, within the rule (631a.13(c))",
        id="631a rounded up to the first multiple",
    ),
    pytest.param(
        of_banker("631a", 10, 0, rounds=25),  # 5% of $0.10 is half a cent, which is dropped
        "seat 3 banker $0.10 was paid $0.10 after $0.00 of vigorish, within the rule (631a.13(c))",
        id="631a of less than a cent",
    ),
    # 541.13(d), 543.13(d): to 5 cents or the next highest multiple of 5 cents, of 5% as of 4%.
    pytest.param(
        of_banker("541", 1250, 65, rounds=0),  # 5% of $12.50 is $0.625
        "seat 3 banker $12.50 was paid $11.85 after $0.65 of vigorish, within the rule (541.13(d))",
        id="541 of 5% rounded up",
    ),
    pytest.param(
        of_banker("541", 1275, 51, rounds=5, rate="4%"),  # 4% of $12.75 is $0.51, and $0.55 rounded up
        "seat 3 banker $12.75 was paid $12.24 after $0.51 of vigorish, within the rule (541.13(d))",
        id="541 of 4% exact",
    ),
    pytest.param(
        of_banker("543", 1140, 60, rounds=0),  # 5% of $11.40 is $0.57
        "seat 3 banker $11.40 was paid $10.80 after $0.60 of vigorish, within the rule (543.13(d))",
        id="543 of 5% rounded up",
    ),
    # 545.13(d): a 5% vigorish to 25 cents, a 4% one to 20 cents.
    pytest.param(
        of_banker("545", 3700, 200, rounds=0),  # 5% of $37.00 is $1.85
        "seat 3 banker $37.00 was paid $35.00 after $2.00 of vigorish, within the rule (545.13(d))",
        id="545 of 5% rounded up",
    ),
    pytest.param(
        of_banker("545", 3600, 144, rounds=20, rate="4%"),  # 4% of $36.00 is $1.44, and $1.60 rounded up
        "seat 3 banker $36.00 was paid $34.56 after $1.44 of vigorish, within the rule (545.13(d))",
        id="545 of 4% exact",
    ),
    # 541.13(f): 25% of the wager on a tie, which (d) lets the house round as it does any vigorish.
    pytest.param(
        build_record(TIE, chapter="541", at=IN_2011, announced="tie", options={"vigorish": "25% on tie"},
               **settled_wager(3, "banker", 2060, 0, 515)),
        # 25% of $20.60 is $5.15: a multiple of 5 cents, and nothing to say of it.
        "1 wager settled as owed",
        id="541 of a tie, an exact multiple",
    ),
    pytest.param(
        build_record(TIE, chapter="541", at=IN_2011, announced="tie", options={"vigorish": "25% on tie"},
               **settled_wager(3, "banker", 2050, 0, 515)),
        # 25% of $20.50 is $5.125.
        "seat 3 banker $20.50 was returned less $5.15 of vigorish, within the rule (541.13(d))",
        id="541 of a tie rounded up",
    ),
    # 535.10(k): "may round off the vigorish to 25 cents or the next highest multiple of 25 cents".
    pytest.param(
        build_record(_PAI_GOW, chapter="535", at=IN_2011, **settled_wager(1, "pai_gow", 1040, 1040, 75)),
        # 5% of $10.40 is $0.52.
        "pai gow $10.40 was paid $9.65 after $0.75 of vigorish, within the rule (535.10(k))",
        id="535 rounded up",
    ),
    # 535.11(o): what is left of a player's bank is charged 5% "in accordance with § 535.10".
    pytest.param(
        build_record(
            _BANKED, chapter="535", at=IN_2011, options={"player_bank": True},
            **join_wagers(settled_wager(2, "bank", 20000, 3100, 175),
                settled_wager(1, "pai_gow", 2000, 2000, 100),
                     settled_wager(3, "pai_gow", 5100, -5100, 0)),
        ),
        # The $51.00 of seat 3 less the $20.00 of seat 1 is $31.00; 5% of it is $1.55.
        "bank $200.00 was paid $29.25 after $1.75 of vigorish, within the rule (535.10(k))",
        id="535 of a bank's surplus",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("told", "says"), PERMITTED)
def test_a_permitted_rounding_is_within_the_rule_and_nothing_is_to_be_put_right(
    tmp_path: Path, told: dict[str, Any], says: str
) -> None:
    # The verdict, whatever is said: no finding of money.
    assert not {"critical", "high", "medium"} & {finding.severity for finding in audit_record(told).findings}
    whole = said(tmp_path, told)
    assert f"{says}: nothing to put right" in whole if "within" in says else f"; {says}." in whole
    assert not any(word in whole for word in ("is owed", "take back", "pay ", "is to be"))


@pytest.mark.parametrize(
    ("taken", "says", "act"),
    [
        # 5% of $11.00 is $0.55. Neither down to $0.50 nor up beyond $0.75 is permitted.
        (50, "was paid $10.50, $10.45 is owed after vigorish.", "take back $0.05"),
        (100, "was paid $10.00, $10.45 is owed after vigorish.", "pay $0.45"),
    ],
)
def test_any_other_rounding_is_to_be_put_right(tmp_path: Path, taken: int, says: str, act: str) -> None:
    whole = said(tmp_path, of_banker("631a", 1100, taken, rounds=0))
    assert whole.endswith(f"seat 3 banker $11.00 {says}")
    assert f". Seat 3: {act}. " in whole


def test_beside_a_permitted_rounding_only_what_was_paid_short_is_to_be_put_right(tmp_path: Path) -> None:
    # $11.00 was won and $10.00 paid. The house rounds, $0.55 was taken, which is 5% of $11.00:
    # $11.00 less $0.55 is $10.45, and $10.00 less $0.55 is $9.45.
    short = build_record(
        BANKER,
        announced="banker",
        options={"vigorish_rounding_cents": 25},
        **settled_wager(3, "banker", 1100, 1000, 55),
    )
    told = view_record(tmp_path, short)
    assert call_script_text(told, ZONE).endswith(
        "seat 3 banker $11.00 was paid $9.45, $10.45 is owed after $0.55 of vigorish, "
        "within the rule (631a.13(c))."
    )
    assert ". Seat 3: pay $1. " in call_script_text(told, ZONE)
    ((spot,),) = (place.wagers for place in told.places if place.wagers)
    assert difference(spot) == "gain $1.00 too little: in favor of the house"


def test_a_real_difference_is_reported_before_the_permitted_roundings_of_its_round(tmp_path: Path) -> None:
    # Of the $100.00 of seat 3 no vigorish was taken; of the $11.00 of seat 1 $0.75; no rounding.
    both = build_record(
        BANKER,
        announced="banker",
        **join_wagers(
            settled_wager(1, "banker", 1100, 1100, 75),
            settled_wager(3, "banker", 10000, 10000, 0),
            settled_wager(5, "player", 2500, -2500, 0),
        ),
    )
    assert said(tmp_path, both).endswith(
        "; seat 3 banker $100.00 was paid $100.00, $95.00 is owed after vigorish; "
        "seat 1 banker $11.00 was paid $10.25 after $0.75 of vigorish, within the rule (631a.13(c)): "
        "nothing to put right; 1 other wager settled as owed."
    )


def test_of_many_permitted_roundings_some_are_said_and_the_rest_counted(tmp_path: Path) -> None:
    # Two wagers without their vigorish of $5.00 and $10.00; three of $11.00 of which $0.75 was taken.
    many = build_record(
        BANKER,
        announced="banker",
        **join_wagers(
            settled_wager(1, "banker", 10000, 10000, 0),
            settled_wager(2, "banker", 20000, 20000, 0),
            *(settled_wager(seat, "banker", 1100, 1100, 75) for seat in (3, 4, 5)),
        ),
    )
    wrong = (
        "seat 1 banker $100.00 was paid $100.00, $95.00 is owed after vigorish; "
        "seat 2 banker $200.00 was paid $200.00, $190.00 is owed after vigorish"
    )
    told = view_record(tmp_path, many)
    assert call_script_text(told, ZONE).endswith(
        f"; {wrong}; seat 3 banker $11.00 was paid $10.25 after $0.75 of vigorish, "
        "within the rule (631a.13(c)): nothing to put right; "
        "2 other wagers settled within the rule (631a.13(c))."
    )


def test_a_clean_round_marks_no_difference_in_any_form(tmp_path: Path) -> None:
    # $11.00 at 5% is $0.55, and $0.75 as this house rounds.
    clean = of_banker("631a", 1100, 55, rounds=25)
    assert audit_record(clean).verdict == "clean"
    told = view_record(tmp_path, clean)
    ((spot,),) = (place.wagers for place in told.places if place.wagers)
    assert (differs(spot), difference(spot), spot.favours) == (False, "", None)
    assert sums(spot) == "owed $11.00 less $0.75, paid $11.00 less $0.55; 631a.13(c) permits that vigorish"
    # What it was is still there as data: $0.20 less than the house chose.
    assert (spot.vigorish_difference_cents, told.wagers[0].permitted_by) == (-20, "631a.13(c)")

    path = write_records(tmp_path, clean)
    (wager,) = show_hand(path)["wagers"]
    assert (wager["favours"], wager["permitted_by"]) == (None, "631a.13(c)")
    page = page_lines(run_verb("hand", path, "BAC-7", "41").stdout)
    assert "3 banker $11.00 $11.00 $11.00 $0.00" in page
    assert "vigorish $0.75 $0.55 -$0.20 no one, by 631a.13(c)" in page
    assert not any("too little" in line for line in page)


def test_the_page_of_a_round_says_what_permits_the_vigorish_and_marks_nothing(tmp_path: Path) -> None:
    marked, path = '<tr class="off">', tmp_path / "store.duckdb"
    exact = of_banker("631a", 1100, 55, rounds=25)
    down = of_banker("631a", 1100, 50, rounds=25)
    store_records(path, exact, down | {"round": "42"})
    with open_console(path) as client:
        permitted, wrong = (client.get(f"/rounds/2025-01-01/BAC-7/{number}").text for number in (41, 42))
    assert "631a.13(c) permits that vigorish" in permitted
    assert "<small>631a.13(c) permits it</small>" in permitted
    assert (marked in permitted, 'class="stake off"' in permitted) == (False, False)
    assert "permits" not in wrong
    assert (marked in wrong, 'class="stake off"' in wrong) == (True, True)


def test_what_is_not_permitted_is_marked_as_before(tmp_path: Path) -> None:
    told = view_record(tmp_path, of_banker("631a", 1100, 50, rounds=25))
    ((spot,),) = (place.wagers for place in told.places if place.wagers)
    assert differs(spot)
    # $0.50 was taken, and $0.75 is owed as the house rounds.
    assert difference(spot) == "vigorish $0.25 too little: in favor of the patron"
    assert (spot.permitted_by, spot.favours) == (None, "patron")


def test_the_note_says_that_both_ways_are_permitted() -> None:
    (note,) = audit_record(of_banker("631a", 1100, 55, rounds=25)).notes
    assert (
        text_of(note.message)
        == "banker: vigorish $0.55, by the house's choice $0.75; 631a.13(c) permits both"
    )


def test_the_note_has_the_exact_figures_and_favours_nobody(tmp_path: Path) -> None:
    exact = of_banker("631a", 1100, 55, rounds=25)
    (note,) = audit_record(exact).notes
    assert (note.expected_cents, note.observed_cents, note.delta_cents) == (75, 55, -20)
    path = write_records(tmp_path, exact)
    explained, hand = run_verb("explain", path, note.id).stdout, run_verb("hand", path, "BAC-7", "41").stdout
    assert "Favours no one" in page_lines(explained)
    assert not any("favours the" in line or "Favours patron" in line for line in page_lines(explained + hand))
    with open_console(store_records(tmp_path / "store.duckdb", exact)) as client:
        for page in (f"/alerts/{note.id}", "/rounds/2025-01-01/BAC-7/41"):
            assert "for the patron" not in client.get(page).text


def test_vigorish_that_was_brought_to_the_house_s_choice_needs_no_permission() -> None:
    # $0.55 was taken at first, and $0.20 after the round closed: the $0.75 that the house rounds to.
    paid = Paid(cents=1100, vigorish_cents=55, later_vigorish_cents=20)
    spot = weighed(Key(3, None, "banker", None), Wager(1100), (1100, 75), paid, permitted_by="631a.13(c)")
    assert (spot.permitted_by, sums(spot)) == (None, "owed $11.00 less $0.75, paid $11.00 less $0.75")
