"""A stored round drawn again: what lies where, what lies face down, what was owed and what was paid."""

from datetime import date
from pathlib import Path

from msgspec.structs import replace

from projections.engine.conclusion import Conclusion
from projections.engine.observation import Lying, Piece, Round
from projections.store.store import Store
from projections.views.table_picture import PicturePlace, TablePicture, picture_text
from projections.web.records.record_views import RecordView
from schemas.house import DEFAULT, House, Submission
from tests.builders.round_records import BANKER, DISPUTED, build_record
from tests.builders.stores import EVENING, RUN, judge_record, read_record_view, store_records

# 5 against 6 on two cards each: the Player's Hand draws, and the Banker's Hand with 6 stays against a third
# card worth 2, so that the 9 given to it is disregarded (631a.11(c)(2)(iii), 631a.15).
EXTRA = [
    ["player", "5c"], ["banker", "6d"], ["player", "Kc"], ["banker", "Kd"],
    ["player", "2h"], ["banker", "9s"],
]  # fmt: skip


def hands(told: RecordView) -> dict[str, Lying]:
    return {hand.hand: hand for place in told.places for hand in place.hands}


def test_cards_lie_with_their_hands_and_chips_with_their_seats(tmp_path: Path) -> None:
    shown = read_record_view(store_records(tmp_path / "s.duckdb", DISPUTED), "41")
    assert [place.title for place in shown.places] == ["Player's Hand", "Banker's Hand", "Seat 1", "Seat 2"]
    assert hands(shown)["banker"] == Lying("banker", (Piece("7d", 2), Piece("Kd", 4)), 7)
    (first,) = shown.places[2].wagers
    # $37.00 won 5% is $1.85, $2.00 as the house rounds, and $1.75 was taken: $0.25 too little.
    assert (first.cents, first.owed_cents, first.owed_vigorish_cents) == (3700, 3700, 200)
    assert (first.paid_vigorish_cents, first.vigorish_difference_cents, first.favours) == (175, -25, "patron")
    # Anna's wager lost and was left lying: it brought nothing and $10.00 was to be collected.
    (second,) = shown.places[3].wagers
    assert (second.bettor, second.owed_cents, second.paid_cents, second.difference_cents) == (
        "anna",
        -1000,
        0,
        1000,
    )


def test_a_card_stays_disregarded_by_the_rules_that_were_judged_by(tmp_path: Path) -> None:
    own = House(
        house="own",
        submissions=[Submission(since=date(2024, 1, 1), chapter="631a", options={"tie_odds": "9 to 1"})],
    )
    path = store_records(tmp_path / "s.duckdb", build_record(EXTRA), house=own)
    # Whatever house file the page is looked at by: it was decided as the round was judged.
    for house in (own, DEFAULT):
        shown = read_record_view(path, "41", house=house)
        assert hands(shown)["banker"].pieces[2] == Piece("9s", 6, counts=False)
        assert shown.by_the_rules


def test_a_hand_that_was_not_laid_as_it_was_judged_lies_as_it_was_dealt(tmp_path: Path) -> None:
    seen, conclusion, revision = judge_record(build_record(EXTRA))
    assert isinstance(seen, Round)
    with Store(tmp_path / "s.duckdb") as store:
        store.write(RUN, [(replace(seen, laid=None), conclusion, revision)])
    shown = read_record_view(tmp_path / "s.duckdb", "41")
    assert all(piece.counts for piece in hands(shown)["banker"].pieces)
    assert not shown.by_the_rules


def test_discarded_cards_lie_face_down_until_another_shoe_was_opened(tmp_path: Path) -> None:
    aside = build_record([["discard", "9h"], *BANKER], shoe="4")
    path = store_records(
        tmp_path / "s.duckdb", aside, build_record(BANKER, round="42", shoe="4", at="2025-01-02T01:16:00Z")
    )
    running = read_record_view(path, "41")
    assert running.play[0] == ("discard", "a card face down")
    assert hands(running)["discard"].pieces == (Piece(None, 1, counts=False),)
    assert not any("9 of hearts" in says for place in running.places for says in told_in(place))
    other = build_record(BANKER, round="43", shoe="5", at="2025-01-02T01:30:00Z")
    over = read_record_view(store_records(path, other), "41")
    assert over.play[0] == ("discard", "9h")
    assert hands(over)["discard"].pieces == (Piece("9h", 1, counts=False),)


def told_in(place: PicturePlace) -> list[str]:
    """Return the sentences for one who cannot see the picture."""
    return picture_text(TablePicture("", (place,)))


def test_a_hole_card_that_was_never_turned_up_is_not_shown(tmp_path: Path) -> None:
    void = build_record(
        [["seat1", "Kd"], ["dealer", "6c"], ["seat1", "9s"], ["dealer", "9h"], ["dealer", "void"]],
        chapter="685a",
        wagers=[{"seat": 1, "wager": "bet", "cents": 1000}],
        paid=[],
    )
    shown = read_record_view(store_records(tmp_path / "s.duckdb", void), "41")
    assert shown.play[3] == ("dealer", "a card face down")
    assert hands(shown)["dealer"].pieces == (Piece("6c", 2), Piece(None, 4))


def test_a_shoe_and_an_account_are_no_picture(tmp_path: Path) -> None:
    shoe = Conclusion(
        table="BAC-7", shoe="4", gaming_date=EVENING, chapter="631a", verdict="clean", outcome=None,
        expected=(), findings=(), notes=(),
    )  # fmt: skip
    with Store(tmp_path / "s.duckdb") as store:
        store.write(RUN, [(None, shoe, 1)])
    assert read_record_view(tmp_path / "s.duckdb", "4", kind="shoe").places == []
