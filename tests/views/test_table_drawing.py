"""The table drawn as a table: where seats, chips and gaps lie, and at which moments each part shows."""

from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

import pytest

from projections.engine.observation import Key, Paid, Piece, Wager
from projections.views.shapes import markup
from projections.views.table_drawing import Moment, settled, table_svg
from projections.views.table_picture import LyingView, PicturePlace, picture
from projections.views.wager_view import Spot, weighed

DEALT: Final = LyingView("banker", (Piece("7d", 2), Piece(None, 4)), None)


def spot(seat: int, owed: int, paid: Paid | None, *, cents: int = 5300, vigorish: int = 0) -> Spot:
    return weighed(Key(seat, None, "banker", None), Wager(cents), (owed, vigorish), paid)


def places(*spots: Spot) -> tuple[PicturePlace, ...]:
    return picture("", [DEALT], spots).places


def of_class(root: Element, name: str) -> list[Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


def texts(element: Element) -> list[str]:
    return [each.text or "" for each in element.iter("text")]


def test_seats_lie_in_an_arc_from_the_dealer_s_left_hand_on() -> None:
    won = Paid(5300)
    root = table_svg([Moment(places(*(spot(seat, 5300, won) for seat in (1, 3, 5))))], "x")
    seats = {texts(each)[0]: each.find("rect") for each in of_class(root, "seat")}
    at = {
        title: (int(rect.get("x", "")), int(rect.get("y", "")))
        for title, rect in seats.items()
        if rect is not None
    }
    # 1,328 wide: a middle seat of 184 begins at 572, its frame 3 in. The dealer's cards end at 20 + 26 + 17 +
    # 66, with 20 below them; the middle lies 56 lower than the ends.
    assert at == {"Seat 1": (759, 149), "Seat 3": (575, 205), "Seat 5": (391, 149)}


def test_more_seats_than_a_row_holds_begin_another_one() -> None:
    root = table_svg([Moment(places(*(spot(seat, 0, Paid()) for seat in range(1, 10))))], "x")
    rects = [each.find("rect") for each in of_class(root, "seat")]
    lefts = [int(rect.get("x", "")) for rect in rects if rect is not None]
    assert lefts[:7] == [1127, 943, 759, 575, 391, 207, 23]
    assert lefts[7:] == [667, 483]


@pytest.mark.parametrize(
    ("owed", "paid", "side", "words"),
    [
        (5300, Paid(0), "short", "owed to patron $53"),
        (0, Paid(-5300), "short", "owed to patron $53"),
        (0, Paid(5300), "over", "overpaid $53"),
        (-5300, Paid(0), "over", "overpaid $53"),
        (5300, Paid(5300), None, None),
    ],
    ids=["not paid", "push taken", "push paid", "loser left", "right"],
)
def test_a_gap_has_a_shape_and_words_of_its_side(
    owed: int, paid: Paid, side: str | None, words: str | None
) -> None:
    root = table_svg([Moment(places(spot(1, owed, paid)))], "x")
    gaps = of_class(root, "gap")
    assert [("over" if "over" in each.get("class", "") else "short", texts(each)) for each in gaps] == (
        [(side, [words])] if side is not None else []
    )
    # A triangle that stands on its base was overpaid, one on its point is owed.
    turned = [path.get("d", "").endswith("-10z") for gap in gaps for path in gap.iter("path")]
    assert turned == ([side == "over"] if side is not None else [])


def test_a_stack_is_of_the_fewest_chips_in_the_colours_of_their_worth() -> None:
    root = table_svg([Moment(places(spot(1, 0, Paid(), cents=126_150)))], "x")
    (stake,) = of_class(root, "stake")
    assert [each.get("class") for each in of_class(stake, "chip")] == [
        "chip orange", "chip black", "chip black", "chip green", "chip green", "chip red", "chip red",
        "chip white", "chip blue",
    ]  # fmt: skip
    # Each stands 5 higher than the one below.
    heights = [int(each.get("y", "")) for each in of_class(stake, "chip")]
    assert [below - above for below, above in pairwise(heights)] == [5] * 8


def test_what_was_owed_stands_beside_what_was_paid_only_where_they_differ() -> None:
    right = table_svg([Moment(places(spot(1, 5300, Paid(5300))))], "x")
    wrong = table_svg([Moment(places(spot(1, 5300, Paid(2500))))], "x")
    assert [texts(each) for each in of_class(right, "pay")] == [["paid $53"]]
    assert of_class(right, "owed") == []
    assert [texts(each) for each in of_class(wrong, "owed")] == [["owed $53"]]
    paid, owed = (of_class(wrong, name)[0].find("rect") for name in ("pay", "owed"))
    assert paid is not None
    assert owed is not None
    assert int(owed.get("x", "")) - int(paid.get("x", "")) == 28


def test_what_is_drawn_of_a_wager_is_after_vigorish() -> None:
    # $37.00 won 5% is $1.85, $2.00 as the house rounds, and $1.75 was taken.
    drawn = settled(spot(1, 3700, Paid(3700, 175), cents=3700, vigorish=200))
    assert (drawn.paid_cents, drawn.owed_cents, drawn.gap_cents) == (3525, 3500, 25)
    assert settled(spot(1, -5300, Paid(-5300))).taken


def test_a_part_says_from_which_moment_to_which_it_shows() -> None:
    one = PicturePlace("Banker's Hand", (LyingView("banker", (Piece(None, 1),), None),), ())
    two = PicturePlace("Banker's Hand", (LyingView("banker", (Piece(None, 1), Piece("7d", 2)), None),), ())
    turned = PicturePlace("Banker's Hand", (LyingView("banker", (Piece("Kd", 1), Piece("7d", 2)), 7),), ())
    root = table_svg([Moment(()), Moment((one,)), Moment((two,)), Moment((turned,), ["Called: Banker"])], "x")
    shown = [
        (each.get("data-first"), each.get("data-last"), "off" in each.get("class", ""))
        for each in of_class(root, "piece")
    ]
    # The first from the back at moments 1 and 2, then from the front; the second lies from 2 on.
    assert shown == [("1", "2", True), ("3", "3", False), ("2", "3", False)]
    assert [(each.get("data-first"), each.text) for each in of_class(root, "call")] == [
        ("3", "Called: Banker")
    ]


def test_a_hand_without_a_card_has_its_name_and_nothing_else() -> None:
    empty = PicturePlace("Player's Hand", (LyingView("player", (), 0),), ())
    at_seat = PicturePlace("Seat 2", (LyingView("seat2", (), None),), ())
    root = table_svg([Moment((empty, at_seat))], "x")
    assert ["".join(each.itertext()).strip() for each in of_class(root, "count")] == ["Player's Hand 0", ""]
    assert of_class(root, "piece") == []


def test_the_dealer_s_own_wager_lies_at_the_dealer_s_place() -> None:
    own = weighed(Key(0, None, "dealer_wager", None), Wager(2500), (0, 0), Paid())
    root = table_svg([Moment(picture("", [], [own]).places)], "x")
    assert [texts(each) for each in of_class(root, "wager")] == [["dealer wager"]]


def test_one_moment_alone_needs_no_script_to_show_it() -> None:
    root = table_svg([Moment(places(spot(1, 0, Paid())))], "x", marked={"Seat 1"})
    assert all(each.get("data-first") is None for each in root.iter())
    assert of_class(root, "off") == []
    assert len(of_class(root, "marked")) == 1


def test_what_devices_report_cannot_become_markup() -> None:
    name = '"><script>alert(1)</script>'
    told = weighed(Key(1, name, "banker", None), Wager(100), (0, 0), Paid())
    drawn = markup(table_svg([Moment(picture("", [], [told]).places)], "x"))
    assert "<script" not in drawn
