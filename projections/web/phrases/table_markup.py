"""The drawing of a table as the pages embed it, and what the dealer called over it."""

from collections.abc import Collection, Sequence

from markupsafe import Markup

from projections.views.shapes import SVG, markup
from projections.views.table_drawing import Moment, table_svg
from projections.views.table_picture import PicturePlace
from schemas.values import in_words


def calls_of(announced: str | None, outcome: str | None) -> list[str]:
    """Return what the dealer called and, where that is another result, what the cards gave.

    >>> calls_of("player", "tie"), calls_of("tie", "tie"), calls_of(None, "tie")
    (['Called: Player', 'By the cards: Tie'], ['Called: Tie'], ['By the cards: Tie'])
    """
    calls = [f"Called: {in_words(announced).title()}"] if announced is not None else []
    if outcome is not None and outcome != announced:
        calls.append(f"By the cards: {in_words(outcome).title()}")
    return calls


def drawn_table(
    places: Sequence[PicturePlace],
    announced: str | None = None,
    outcome: str | None = None,
    seats: Collection[object] = (),
) -> Markup:
    """Return the drawing of a table at settlement; the seats are outlined that it is about."""
    return drawn_moments(
        [Moment(places, calls_of(announced, outcome))],
        "The table at settlement; the same is in words below it",
        {f"Seat {seat}" for seat in seats},
    )


def drawn_moments(moments: Sequence[Moment], label: str, marked: Collection[str] = ()) -> Markup:
    """Return the drawing of a table at one moment after another; empty if there are no moments."""
    if not moments:
        return Markup()
    # Inline SVG needs no namespace; only a file of its own does.
    drawn = markup(table_svg(moments, label, marked)).replace(f' xmlns="{SVG}"', "", 1)
    return Markup(drawn)  # noqa: S704  the serialiser has escaped all that devices reported
