"""Roads of a shoe by the trade's rules, on sequences that were laid out by hand.

The bead plate goes down from the upper left, six to a column. The big road gives each run of a winner a
column; at the sixth row, or where the cell below is taken, a run turns right and stays in its row. A tie is
a mark on the last winner's cell, or on the first cell where no hand was won yet.
"""

from typing import Final

import pytest

from projections.engine.games import REGISTRY
from projections.views.roads import (
    Hand,
    RoadCell,
    bank_results,
    bead_plate,
    big_road,
    dealer_totals,
    road_in_words,
    roads_of,
    rolls,
)

_RESULTS: Final = {"P": "player", "B": "banker", "T": "tie", "V": "void", "D": "dragon_7", "N": "panda_8"}


def shoe(results: str) -> list[Hand]:
    """Return hands by the letters of their results."""
    return [Hand(str(number), "clean", _RESULTS[each]) for number, each in enumerate(results, 1)]


def drawn(results: str) -> str:
    """Draw a big road as it hangs at a table: rows of letters, a small t for each tie on a cell."""
    cells = {(cell.row, cell.column): cell for cell in big_road(shoe(results))}
    lines = []
    for row in range(max(row for row, _ in cells) + 1):
        columns = range(max(column for _, column in cells) + 1)
        found = [cells.get((row, column)) for column in columns]
        lines.append(
            " ".join(f"{each.label}{'t' * len(each.ties)}" if each is not None else "." for each in found)
        )
    return "\n".join(line.rstrip(" .") for line in lines)


def test_a_bead_for_each_hand_goes_down_and_then_to_the_right() -> None:
    beads = list(bead_plate(shoe("PBTBBPPV")))
    assert [(bead.row, bead.column, bead.label) for bead in beads] == [
        (0, 0, "P"), (1, 0, "B"), (2, 0, "T"), (3, 0, "B"), (4, 0, "B"), (5, 0, "P"),
        (0, 1, "P"), (1, 1, "V"),
    ]  # fmt: skip


def test_another_winner_begins_a_column() -> None:
    assert drawn("BBPBPPP") == "B P B P\nB . . P\n. . . P"


def test_a_tie_marks_the_cell_before_it_and_breaks_no_run() -> None:
    assert drawn("PTPTTB") == "Pt B\nPtt"


def test_ties_before_the_first_winner_mark_the_cell_that_it_takes() -> None:
    assert drawn("TTBP") == "Btt P"
    (only,) = big_road(shoe("TT"))
    assert (only.row, only.column, only.kind, only.round, len(only.ties)) == (0, 0, "tie", "1", 1)


def test_a_run_of_more_than_six_has_a_dragon_tail() -> None:
    # Eight Bankers: six down, two to the right; the Player after them begins in the second column.
    assert drawn("BBBBBBBBP") == "B P\nB\nB\nB\nB\nB B B"


def test_a_run_that_comes_to_a_tail_turns_right_above_it() -> None:
    # The tail of seven Bankers lies in row 6 of column 2; six Players there turn right in row 5.
    assert drawn("BBBBBBBPPPPPPB") == "B P B\nB P\nB P\nB P\nB P P\nB B"


def test_a_tail_keeps_its_row_where_the_cell_below_it_is_free() -> None:
    # Six Players above a tail turn right in row 5 and stay in it, though row 6 of column 3 is free.
    assert drawn("BBBBBBBPPPPPPP") == "B P\nB P\nB P\nB P\nB P P P\nB B"


def test_a_known_shoe() -> None:
    # Ties first, a run of nine, and another that meets its tail: laid out by hand.
    assert drawn("TPPBBBBBBBBBTPPPPPPPB") == ("Pt B P B\nP B P\n. B P\n. B P\n. B P P P\n. B B B Bt")


def test_dragon_7_and_panda_8_are_won_by_banker_and_player() -> None:
    plate, _ = roads_of("631a", shoe("BDN"))
    assert [bead.label for bead in plate.cells] == ["B", "B", "P"]


def test_a_hand_without_a_winner_has_a_bead_and_no_cell() -> None:
    hands = [Hand("1", "clean", "banker"), Hand("2", "undetermined"), Hand("3", "clean", "banker")]
    assert [bead.label for bead in bead_plate(hands)] == ["B", "?", "B"]
    assert [(cell.row, cell.round) for cell in big_road(hands)] == [(0, "1"), (1, "3")]


def test_a_hand_whose_cards_are_open_stands_as_it_was_called() -> None:
    (bead,) = bead_plate([Hand("1", "undetermined", None, "player")])
    assert (bead.label, bead.verdict) == ("P", "undetermined")


def test_a_wrong_tie_is_seen_on_the_cell_that_it_marks() -> None:
    hands = [Hand("1", "clean", "banker"), Hand("2", "mismatch", "tie")]
    (cell,) = big_road(hands)
    assert (cell.round, cell.is_wrong) == ("1", True)
    assert [bead.is_wrong for bead in bead_plate(hands)] == [False, True]


def labels(cells: list[RoadCell]) -> list[tuple[str, str]]:
    return [(cell.label, cell.kind) for cell in cells]


def test_dealer_s_totals() -> None:
    hands = [Hand("1", "clean", each) for each in ("17", "bust", "blackjack", None)]
    assert labels(list(dealer_totals(hands))) == [
        ("17", "stood"), ("bust", "bust"), ("BJ", "blackjack"), ("?", "open"),
    ]  # fmt: skip


def test_the_bank_against_the_seats_as_they_were_called() -> None:
    first = [("dice", "2-2-1"), ("seat1", "win"), ("seat2", "lose"), ("seat3", "lose"), ("seat4", "tie")]
    hands = [Hand("1", "clean", play=first), Hand("2", "clean", play=[("seat1", "win")]), Hand("3", "clean")]
    assert labels(list(bank_results(hands))) == [("2:1", "bank"), ("0:1", "players"), ("?", "open")]


def dice(round_: str, *totals: str) -> Hand:
    play = [("dealer", "no_roll") if each == "no" else ("dice", each) for each in totals]
    return Hand(round_, "clean", play=play)


def test_rolls_set_a_point_make_it_and_seven_out() -> None:
    # Come-out 6 is the point; 5; 6 makes it. 7 on the come-out is no seven out. 8 is called no roll, 9 the
    # point.
    hands = [
        dice("1", "4-2", "4-1", "5-1", "4-3"),
        dice("2", "2-6", "no", "4-5", "1-1", "6-1"),
    ]
    assert labels(list(rolls(hands))) == [
        ("6", "point"), ("5", "roll"), ("6", "made"), ("7", "come_out"),
        ("8", "no_roll"), ("9", "point"), ("2", "roll"), ("7", "seven_out"),
    ]  # fmt: skip


def test_each_round_of_dice_begins_a_column_and_a_long_one_goes_on_in_the_next() -> None:
    hands = [dice("1", *["1-2"] * 7), dice("2", "1-2")]
    assert [(cell.row, cell.column) for cell in rolls(hands)][-2:] == [(0, 1), (0, 2)]


@pytest.mark.parametrize("chapter", REGISTRY)
def test_every_game_has_a_road(chapter: str) -> None:
    play = [("dice", "3-4"), ("seat1", "win")]
    found = roads_of(chapter, [Hand("1", "clean", "tie", play=play)])
    assert found
    assert roads_of(chapter, []) == []


def test_a_road_is_described_in_words() -> None:
    big, beads = (list(lay(shoe("TBBTP"))) for lay in (big_road, bead_plate))
    roads = {road.name: road_in_words(road) for road in roads_of("631a", shoe("TBBTP"))}
    assert roads == {"bead_plate": "T, B, B, T, P", "big_road": "banker 2 with 2 ties, player 1"}
    assert (len(big), len(beads)) == (3, 5)
