"""The steps of a sum where a round is void or the dealer's hands are set again, and how findings are worded.

The sums and the ranks are worked by hand from the text; the section beside each step is the one that decides.
"""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from projections.catalogue import false_positives_of
from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from projections.engine.findings import HOUSE_CONTROL, Finding
from projections.views.conclusion_view import finding_view
from projections.views.finding_text import finding_text
from schemas.record import RecordPaid, RecordWager, RoundRecord
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.simulated_tables import audit_archive
from tests.builders.texts import text_of, verbatim_fact
from tests.law.paigow_table import CO_BANK, HOUSE, Play, audit, bet, lay, paid

Steps: TypeAlias = list[tuple[str, str, int | None]]

IN_2011: Final = datetime(2011, 1, 1, 20, tzinfo=UTC)  # the temporary chapters were in force
IN_2014: Final = datetime(2014, 1, 2, 20, tzinfo=UTC)  # 627a and 629a, before the chapters that replaced them
IN_2020: Final = datetime(2020, 1, 1, 20, tzinfo=UTC)

VOID: Final = ("dealer", "void")
TWO_HANDS: Final = [("player", "Kc"), ("banker", "Kd"), ("player", "2c"), ("banker", "5d")]
EIGHTEEN: Final = [("seat1", "Kd"), ("dealer", "9c"), ("seat1", "8s"), ("dealer", "Kh"), ("seat1", "stand")]
TENS_FOUND: Final = [("discard", "Ts"), *EIGHTEEN, ("discard", "Td")]
AROUND: Final = ["dealer", "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "dead"]


def stacks(first: str) -> Play:
    """Deal the stacks from a position on."""
    at = AROUND.index(first)
    return [(each, "deal") for each in AROUND[at:] + AROUND[:at]]


def steps(finding: Finding) -> Steps:
    """Return the steps of a finding's sum: words, section, cents."""
    return [(text_of(step.says), step.cite, step.cents) for step in finding.steps or ()]


def of(concluded: Conclusion, check: str, seat: int | None = None) -> Finding:
    """Return the only finding of a check, about a seat where one is named."""
    (found,) = [
        each for each in concluded.findings if each.check == check and (seat is None or each.seat == seat)
    ]
    return found


# ── void rounds ──────────────────────────────────────────────────────────────────────────────────────

RETURNED: Final = "the round is void: the wager is returned"
CALLED: Final = "the round was called void: the wager is returned"
VOIDED: Final[list[tuple[str, datetime, Play, str, str, str, str]]] = [
    ("631a", IN_2020, TWO_HANDS, "banker", "631a.8(a)", RETURNED, "631a.15(e)"),
    ("541", IN_2011, TWO_HANDS, "player", "541.8(a)", RETURNED, "541.14(e)"),
    ("543", IN_2011, TWO_HANDS, "banker", "543.8(a)", RETURNED, "543.14(e)"),
    ("545", IN_2011, TWO_HANDS, "tie", "545.8(a)", RETURNED, "545.15(e)"),
    ("627a", IN_2014, TWO_HANDS, "player", "627a.7(a)", RETURNED, "541.14(e)"),
    ("629a", IN_2014, TWO_HANDS, "player", "629a.7(a)", RETURNED, "543.14(e)"),
    ("551", IN_2011, EIGHTEEN, "wager", "551.6(a)", CALLED, "551.16(a)"),
    ("551", IN_2011, TENS_FOUND, "wager", "551.6(a)", RETURNED, "551.16(b)"),
    ("681a", IN_2020, TWO_HANDS, "player", "681a.6(c)", CALLED, HOUSE_CONTROL),
    ("685a", IN_2020, EIGHTEEN, "bet", "685a.6", CALLED, HOUSE_CONTROL),
    ("623a", IN_2020, [("shooter", "seat1"), ("dice", "2-1")], "all_small", "623a.3(a)(43)",
     "the turn was called void: the wager is returned", HOUSE_CONTROL),
]  # fmt: skip


@pytest.mark.parametrize(("chapter", "at", "play", "wager", "of_wager", "says", "cite"), VOIDED)
def test_a_void_round_s_sum_begins_with_what_lay_there(
    chapter: str, at: datetime, play: Play, wager: str, of_wager: str, says: str, cite: str
) -> None:
    record = RoundRecord(
        table="T-1",
        round="1",
        chapter=chapter,
        at=at,
        play=[*play, VOID],
        wagers=[RecordWager(1, wager, 73_500)],
        paid=[RecordPaid(1, wager, 73_500)],
    )
    found = of(answer(record, HOUSE), "push_paid")
    assert steps(found) == [
        (f"{wager.replace('_', ' ')}: chips wagered", of_wager, 73_500),
        (says, cite, 0),
    ]
    assert found.citations[0] == cite


def test_551_16_b_not_called_void_returns_all_the_same() -> None:
    record = RoundRecord(
        table="T-1",
        round="1",
        chapter="551",
        at=IN_2011,
        play=TENS_FOUND,
        wagers=[RecordWager(1, "wager", 5000)],
        paid=[RecordPaid(1, "wager", -5000)],
    )
    found = of(answer(record, HOUSE), "push_collected")
    assert steps(found) == [
        ("wager: chips wagered", "551.6(a)", 5000),
        ("the round is void: the wager is returned", "551.16(b)", 0),
    ]


def test_a_coupon_under_a_wager_of_a_void_round_is_explained() -> None:
    record = RoundRecord(
        table="T-1",
        round="1",
        chapter="631a",
        at=IN_2020,
        play=[*TWO_HANDS, VOID],
        wagers=[RecordWager(1, "player", 2500, coupon_cents=1000)],
        paid=[RecordPaid(1, "player", 3500)],
    )
    assert steps(of(answer(record, HOUSE), "push_paid")) == [
        ("player: chips wagered", "631a.8(a)", 2500),
        ("Match Play Coupon under it", "603a.21(b)", 1000),
        (RETURNED, "631a.15(e)", 0),
    ]


# The dealer is number one and seat 3 the fourth of eight: 4-4-4 is once around and four on.
COUNTED_WRONGLY: Final[Play] = [("dice", "4-4-4"), *stacks("seat2")]


@pytest.mark.parametrize(
    ("play", "cite"),
    [
        (COUNTED_WRONGLY, "535.12(c)"),
        ([*COUNTED_WRONGLY, VOID], "535.12(c)"),
        ([("dead", "exposed")], "535.12(e)"),
        ([("dead", "exposed"), VOID], "535.12(e)"),
        ([VOID], "535.12(e)"),
    ],
)
def test_535_12_the_clause_that_makes_the_hands_void_returns_the_wager(play: Play, cite: str) -> None:
    concluded = audit(play, bet(2500, 4), bet(4000, 6), settled=[paid(2500, 125, 4), paid(0, 0, 6)])
    found = of(concluded, "push_paid")
    assert (found.seat, steps(found)) == (
        4,
        [
            ("pai gow: chips wagered", "535.7(a)", 2500),
            ("the hands are void: the wager is returned", cite, 0),
        ],
    )
    assert found.citations[0] == cite


# ── hands set anew ───────────────────────────────────────────────────────────────────────────────────

# 9 over 7; but the two 6-1 are a pair, the eleventh of 535.4(a), and 10 and 12 are left, a 2.
NINE_OVER_SEVEN: Final = lay("dealer", "6-6 6-1", "6-4 6-1")
WRONGLY: Final = "set otherwise than the text and the house's submission ask: they are set anew"
AS_SET: Final = (
    "the dealer's hands as the dealer set them: high hand 6-6 6-1 (value 9) and low hand 6-4 6-1 (value 7)"
)
ANEW: Final = (
    "the dealer's hands as set anew: high hand 6-1 6-1 (Matched Pair, rank 11) and low hand 6-4 6-6 (value 2)"
)


def test_535_12_f_the_sum_explains_the_hands_as_set_why_and_as_set_again() -> None:
    # 8 and 8 are the fourteenth pair, below the eleventh; 10 and 9 make 9, above 2: a tie by (h)(2).
    mine = lay("seat1", "5-3 6-2", "5-5 6-3")
    concluded = audit([*NINE_OVER_SEVEN, *mine], bet(2500), settled=[paid(2500, 125)])
    found = of(concluded, "push_paid")
    assert steps(found) == [
        ("pai gow: chips wagered", "535.7(a)", 2500),
        (AS_SET, "535.10(c)", None),
        (WRONGLY, "535.12(f)", None),
        (ANEW, "535.10(d)(2)", None),
        (
            "the player's hands: high hand 5-3 6-2 (Mixed Pair, rank 14) and low hand 5-5 6-3 (value 9)",
            "535.10(a)",
            None,
        ),
        ("high hand below, low hand above the dealer's as set anew", "535.10(h)(2)", 0),
    ]
    assert {"535.12(f)", "535.10(d)(2)"} < set(found.citations)
    assert text_of(of(concluded, "hand_set_wrongly").message).endswith(
        "; set anew, they are high hand 6-1 6-1 (Matched Pair, rank 11) and low hand 6-4 6-6 (value 2)"
    )


def test_535_12_f_a_hand_that_beats_the_hands_as_set_again_is_paid_by_them() -> None:
    # Ones are the third pair; 10 and 9 make 9. It wins $25.00 less 5% over either setting.
    mine = lay("seat1", "1-1 1-1", "5-5 6-3")
    told_so = steps(of(audit([*NINE_OVER_SEVEN, *mine], bet(2500), settled=[paid(0)]), "paid_too_little"))
    assert told_so[-3:] == [
        ("high hand above, low hand above the dealer's as set anew", "535.10(j)", None),
        ("paid at 1 to 1", "535.10(k)", 2500),
        ("vigorish 5% of $25.00 won", "535.10(k)", 125),
    ]
    assert told_so[1:4] == [
        (AS_SET, "535.10(c)", None),
        (WRONGLY, "535.12(f)", None),
        (ANEW, "535.10(d)(2)", None),
    ]


def test_535_12_f_every_way_to_set_them_again_is_listed() -> None:
    # 10 and 10 are 0; 8 with either of them is 8, over 4 with the other: (d)(3) admits both ways.
    wrong = lay("dealer", "5-5 6-4", "4-4 2-2")
    mine = lay("seat1", "3-1 5-3", "2-1 6-1")  # 2 and 0: below whatever he sets
    found = of(audit([*wrong, *mine], bet(2500), settled=[paid(0)]), "loser_not_collected")
    says, cite, _ = steps(found)[3]
    assert cite == "535.10(d)(3)"
    assert says == (
        "the dealer's hands as set anew: high hand 4-4 6-4 (value 8) and low hand 2-2 5-5 (value 4), "
        "or high hand 4-4 5-5 (value 8) and low hand 2-2 6-4 (value 4)"
    )


def test_535_11_e_a_co_bank_s_hands_that_the_dealer_set_wrongly() -> None:
    hands = [("seat2", "co_bank"), *lay("seat2", "6-6 6-1", "6-4 6-1"), *lay("seat3", "5-3 6-2", "5-5 6-3")]
    concluded = audit(
        hands,
        bet(100_000, 2, "co_bank"),
        bet(2500, 3),
        settled=[paid(0, 0, 2, "co_bank"), paid(2500, 125, 3)],
        **CO_BANK,
    )
    told_so = steps(of(concluded, "push_paid", 3))
    assert [cite for _, cite, _ in told_so[1:4]] == ["535.11(e)", "535.11(e)", "535.10(d)(2)"]
    assert told_so[3][0] == ANEW.replace("the dealer's", "the bank's")
    assert told_so[-1][0] == "high hand below, low hand above the bank's as set anew"


def test_hands_that_were_set_correctly_are_not_in_the_sum() -> None:
    right = lay("dealer", "6-1 6-1", "6-4 6-6")
    concluded = audit([*right, *lay("seat1", "5-3 6-2", "5-5 6-3")], bet(2500), settled=[paid(2500, 125)])
    assert steps(of(concluded, "push_paid")) == [
        ("pai gow: chips wagered", "535.7(a)", 2500),
        ("high hand below, low hand above the dealer's", "535.10(h)(2)", 0),
    ]


# ── what would make it wrong, and the words ──────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("play", "asks_of"),
    [(COUNTED_WRONGLY, "Dice read wrongly"), ([("dead", "exposed")], "A tile keyed or read as shown")],
)
def test_what_would_make_void_hands_wrong_fits_why_they_are(play: Play, asks_of: str) -> None:
    found = of(audit(play, bet(2500, 4)), "void_not_called")
    advice = false_positives_of(found, "535")
    assert advice.startswith(asks_of)
    assert "shoe" not in advice  # there is none at a table of tiles


@pytest.mark.parametrize(
    ("play", "check"),
    [
        ([("dice", "3-3-3"), ("dealer", "deal"), ("seat2", "deal"), ("seat1", "deal")], "card_missing"),
        ([*stacks("dealer"), ("seat2", "deal")], "card_extra"),
        (lay("seat1", "1-1 1-1", "1-1 2-2"), "card_not_in_deck"),
    ],
)
def test_a_table_of_tiles_has_no_shoe(play: Play, check: str) -> None:
    assert not re.search("shoe|card", false_positives_of(of(audit(play, bet(2500)), check), "535"))


def test_what_would_make_two_tens_wrong_is_a_misread_card() -> None:
    record = RoundRecord("T-1", "1", "551", IN_2011, TENS_FOUND, [RecordWager(1, "wager", 5000)])
    found = of(answer(record, HOUSE), "void_not_called")
    assert "read as a 10" in false_positives_of(found, "551")


def finding(*, message: str, **more: Any) -> Finding:
    """Write a finding about seat 4."""
    given: dict[str, Any] = {"id": "f", "weight": "mismatch", "severity": "high", "status": "adopted"}
    given["message"] = verbatim_fact(message)
    return Finding(**given | {"check": "c", "citations": ("551.12(a)",), "seat": 4} | more)


@pytest.mark.parametrize(
    ("about", "says"),
    [
        (
            {
                "hand": "seat4.2",
                "wager": "wager",
                "message": "the split hand's stake is not the original wager",
            },
            "seat 4 hand 2: the split hand's stake is not the original wager",
        ),
        (
            {"wager": "house_money", "message": "House Money was settled after a third card was dealt"},
            "seat 4: House Money was settled after a third card was dealt",
        ),
        (
            {"bettor": "A", "wager": "tie", "message": "a wager was made late"},
            "seat 4 A tie: a wager was made late",
        ),
        (
            {"seat": 0, "wager": "dealer_wager", "message": "only he makes it"},
            "the dealer wager: only he makes it",
        ),
    ],
)
def test_a_finding_says_nothing_twice(about: dict[str, Any], says: str) -> None:
    assert finding_text(finding(**about)) == says


# A word twice on end, be it with a colon between; "A: a wager" of the spot A is none.
_TWICE: Final = re.compile(r"\b(\w{2,}(?: \w+)?)[:,]? \1\b", re.IGNORECASE)
_RUN_TOGETHER: Final = re.compile(r"\bseat\d|_")


def test_on_a_floor_of_all_games_no_word_is_said_twice_nor_run_together(tmp_path: Path) -> None:
    simulate(tmp_path, tables=12, hours=3, seed="said", rates=faults.rates(sensors=True), mixed=True)
    said = [
        text
        for concluded in audit_archive(tmp_path)
        for each in (*concluded.findings, *concluded.notes)
        for view in (finding_view(each),)
        for text in (finding_text(each), view.message, *(step.says for step in view.steps or ()))
    ]
    assert len(said) > 500
    assert [text for text in said if _TWICE.search(text) or _RUN_TOGETHER.search(text)] == []
