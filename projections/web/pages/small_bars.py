"""Small pictures of bars, one a figure, as paths of SVG that any page may draw in its own colours."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

WIDE: Final = 120
HIGH: Final = 24
_LEAST: Final = 1  # how high the bar of the smallest figure is


class Bars(Struct, frozen=True):
    """Bars side by side, WIDE by HIGH units: those of figures above 0, and of those below."""

    above: str
    below: str


def bars_of(figures: Sequence[int | None], most: int | None = None, least_high: int = _LEAST) -> Bars:
    """Draw figures from a line at 0; the greatest, or `most`, is as high as there is room for.

    A figure that is not known has no bar.

    >>> bars_of([4, 8, 0, None])
    Bars(above='M0 24v-12h28v12zM30 24v-24h28v24z', below='')
    >>> bars_of([30, -10])
    Bars(above='M0 18v-18h58v18z', below='M60 18v6h58v-6z')
    """
    numbers = [each for each in figures if each is not None]
    top, bottom = max([0, most or 0, *numbers]), -min([0, *numbers])
    each_wide = WIDE // max(1, len(figures))
    span = max(1, top + bottom)
    line = HIGH - bottom * HIGH // span

    def bar(place: int, figure: int) -> str:
        high = max(least_high, abs(figure) * HIGH // span)
        up, down = (f"-{high}", f"{high}") if figure > 0 else (f"{high}", f"-{high}")
        return f"M{place * each_wide} {line}v{up}h{each_wide - 2}v{down}z"

    drawn = [(place, figure) for place, figure in enumerate(figures) if figure]
    return Bars(
        "".join(bar(place, figure) for place, figure in drawn if figure > 0),
        "".join(bar(place, figure) for place, figure in drawn if figure < 0),
    )
