"""Names of patrons and staff are masked wherever they stand, and nothing else is changed."""

from datetime import date

import msgspec
import pytest
from msgspec import UNSET

from projections.engine.conclusion import Line
from projections.engine.findings import FindingView, StepView
from projections.web.auth.masking import Masking
from projections.web.records.record_views import StoredWager
from schemas.values import Person
from tests.builders.texts import text_of

MASKING = Masking(b"the key of a property")
ANNA = MASKING.name("patron", "anna")
FINDING = FindingView(
    id="late",
    check="late_wager",
    weight="mismatch",
    severity="medium",
    message="seat 5 anna tie: the wager was made late",
    citations=("631a.8(c)",),
    status="adopted",
    who="seat5/anna",
    seat=5,
    bettor="anna",
    wager="tie",
    steps=(StepView("anna's chips: 5.00", "631a.8(c)", 500),),
)


def test_a_mask_distinguishes_people_without_naming_them() -> None:
    assert MASKING.name("patron", "anna") == ANNA != MASKING.name("patron", "ben")
    assert "anna" not in ANNA
    assert Masking(b"another property").name("patron", "anna") != ANNA
    # The same person is known again whatever the record calls them.
    assert MASKING.name("dealer", "anna").partition(" ")[2] == ANNA.partition(" ")[2]


def test_a_finding_is_masked_in_its_fields_its_message_and_its_steps() -> None:
    masked = MASKING.masked(FINDING)
    assert masked.bettor == ANNA
    assert masked.who == f"seat5/{ANNA}"
    assert text_of(masked.message) == f"seat 5 {ANNA} tie: the wager was made late"
    assert masked.steps == (StepView(f"{ANNA}'s chips: 5.00", "631a.8(c)", 500),)
    kept = ("id", "check", "citations", "status", "seat", "wager", "delta_cents")
    assert all(getattr(masked, name) == getattr(FINDING, name) for name in kept)
    assert masked.patron is UNSET


def test_an_unmasked_record_is_shown_as_it_is() -> None:
    masking = Masking(b"key", {"alert:late": 600})
    assert masking.masked(FINDING, ["alert:late", "round:x"]) is FINDING
    assert masking.masked(FINDING, ["round:x"]).bettor == masking.name("patron", "anna")


@pytest.mark.parametrize(
    "message",
    [
        "paid 6 to 5 and 3/2 on the Tie, after floor.frames/10/393 and on 2025/03/01",
        "/tables/BAC-101/2025-03-01/BAC-101 of 2025-03-01/BAC-101",
        "A natural in the Banker's Hand",
        "the dealer stands; the wager was taken by the dealer",
        "seats 3 and 4 were settled before the Banker's Hand",
    ],
)
def test_words_that_name_nobody_stay(message: str) -> None:
    spots = [spot("A"), spot("Annabel")]
    assert MASKING.masked([*spots, message])[-1] == message


def test_a_letter_that_distinguishes_bettors_of_a_seat_is_no_name() -> None:
    told = (
        spot("A"),
        msgspec.structs.replace(FINDING, bettor="B", who="seat11/B", message="seat 11 B tie: made late"),
        [("seat3.2/A", "hit")],
        "what 9/A paid, and seat 3 A tie: A natural",
        Line(name="vigorish_owed", of="12/C", cents=500),
    )
    masked = MASKING.masked(told)
    assert masked == (told[0], msgspec.structs.replace(told[1], steps=FINDING.steps), *told[2:])
    # Nor does it take a mask from a name that begins with it.
    both = MASKING.masked((spot("A"), spot("Anna"), "seat 3 A, seat 3 Anna"))
    assert both[-1] == f"seat 3 A, seat 3 {MASKING.name('patron', 'Anna')}"


def spot(bettor: str | None) -> StoredWager:
    return StoredWager(3, "tie", bettor, None, True, *(None,) * 11)  # noqa: FBT003  judged


@pytest.mark.parametrize(
    ("line", "of"),
    [
        (Line(name="cashed_out", of="anna", cents=500), ANNA),
        (Line(name="cashed_out", cents=500), None),
        (Line(name="vigorish_owed", of="12/anna", cents=500), f"12/{ANNA}"),
        (Line(name="vigorish_owed", of="12", cents=500), "12"),
        (Line(name="closer", of="I-3", cents=500), "I-3"),
        (Line(name="tables_supervised", of="F-1", cents=500), MASKING.name("floorperson", "F-1")),
        (Line(name="supervision_began", of="F-1", cents=500), MASKING.name("floorperson", "F-1")),
        (Line(name="box", of="anna", cents=500), "anna"),  # a drop box that is called so
    ],
)
def test_lines_of_persons_are_masked(line: Line, of: str | None) -> None:
    assert MASKING.masked(line) == Line(name=line.name, of=of, cents=500)


def test_staff_is_masked_where_it_works_and_signs() -> None:
    told = {
        "dealer": "D-9",
        "dealers": ("D-9", "D-10"),
        "floorperson": None,
        "signed": Person("F-1", "floorperson"),
        "table": "D-9",  # a table that is called as a dealer is
        "gaming_date": date(2025, 3, 1),
        "says": "D-9 relieved D-10 and not D-91",
    }
    nine, ten = MASKING.name("dealer", "D-9"), MASKING.name("dealer", "D-10")
    assert MASKING.masked(told) == told | {
        "dealer": nine,
        "dealers": (nine, ten),
        "signed": Person(MASKING.name("floorperson", "F-1"), "floorperson"),
        "says": f"{nine} relieved {ten} and not D-91",
    }


def test_hands_of_a_shared_seat_are_masked_and_others_not() -> None:
    play = [("seat3.2/anna", "hit"), ("seat3", "stand"), ("banker", "2d")]
    assert MASKING.masked(play) == [(f"seat3.2/{ANNA}", "hit"), ("seat3", "stand"), ("banker", "2d")]


def test_who_is_named_nowhere_else_is_masked_when_the_name_is_given() -> None:
    told = ["ben called the floorperson"]
    assert MASKING.masked(told) == told
    assert MASKING.masked(told, names={"ben": "person"}) == [
        f"{MASKING.name('person', 'ben')} called the floorperson"
    ]
