"""The table as a drawing: seats in an arc, cards where they lie, chips as stacks, owed next to paid.

It is drawn for a series of moments at once, usually a single one. What several have in common is drawn once
and has the moments at which it shows. So a replay needs no drawing of its own, and the browser computes none.

The dealer is at the top, and the first seat at the dealer's left hand, which is the right of the drawing:
from there the seats go round clockwise. Lengths are in the units of the drawing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias
from xml.etree.ElementTree import Element

from msgspec import Struct

from projections.engine.observation import Piece, hand_name
from projections.views.shapes import HEIGHT, SVG, add, element, markup, piece
from projections.views.table_picture import (
    LyingView,
    PicturePlace,
    called,
    counted,
    describe_piece,
    difference,
    staked,
    sums,
)
from projections.views.wager_view import AnySpot
from schemas.values import Cents, in_words, short_dollars

SEAT: Final = 184  # the width of a seat's place
_SEATS: Final = 7  # in a row
_MARGIN: Final = 20
_ARC: Final = 56  # by how much the middle of a row is lower than its ends
_BEND: Final = 84  # by how much the middle of the round edge is lower than its ends
_LINE: Final = 17
_SMALL: Final = 0.62  # of a card at a seat
_SIGN: Final = 26  # a line of what the dealer calls
_BETWEEN: Final = 30
_APART: Final = 6  # between pieces
_INSET: Final = 8  # of the contents of a seat
_STACKS: Final = (12, 40, 68)  # where the stake, what was paid, and what was owed stand in a seat's place
_WORDS: Final = 98
_WAGER: Final = 80  # the height of a wager, and below it of its gap
_GAP: Final = 26
_LONGEST: Final = 24  # characters of a wager's name, and of what a hand at a seat counts
_LABEL: Final = 36  # characters of what another hand is called and counts
_LETTER: Final = 8  # how wide one is at most, on average

# What a chip is worth and the name of its colour, as is customary; the dearest first.
CHIPS: Final[Mapping[Cents, str]] = {
    500_000: "grey",
    100_000: "orange",
    50_000: "purple",
    10_000: "black",
    2_500: "green",
    500: "red",
    100: "white",
    50: "blue",
    25: "pink",
    5: "pale",
    1: "copper",
}
_CHIP: Final = (24, 9, 5)  # its width and height, and how much of it is seen in a stack
_MOST: Final = 10  # chips of a stack that are drawn, the dearest


class Moment(Struct, frozen=True):
    """Table at a moment: its places, and what the dealer called."""

    places: Sequence[PicturePlace]
    calls: Sequence[str] = ()


def chip_stack(cents: Cents) -> list[Cents]:
    """Return the fewest chips that come to a sum, the dearest first: no device reports which they were.

    >>> chip_stack(5_300), chip_stack(126_150)
    ([2500, 2500, 100, 100, 100], [100000, 10000, 10000, 2500, 2500, 500, 500, 100, 50])
    """
    chips: list[Cents] = []
    for worth in CHIPS:
        many, cents = divmod(cents, worth)
        chips += [worth] * many
    return chips


class Settled(Struct, frozen=True):
    """Wager as it is drawn: its present chips, what was paid, what was owed, both after vigorish.

    `taken` is a stake that was collected; `gap_cents` what the patron has too much or, below 0, too little.
    `paid_cents` is None if the settlement was not seen, `owed_cents` if it is open.
    """

    stake_cents: Cents
    taken: bool
    paid_cents: int | None
    owed_cents: int | None
    gap_cents: int


def settled(spot: AnySpot) -> Settled:
    """Return a wager as it is drawn."""
    return Settled(
        spot.cents,
        spot.paid_cents is not None and spot.paid_cents < 0,
        _net(spot.paid_cents, spot.paid_vigorish_cents),
        _net(spot.owed_cents, spot.owed_vigorish_cents),
        spot.net_cents,
    )


def _net(gain: int | None, vigorish: int | None) -> int | None:
    return gain - (vigorish or 0) if gain is not None else None


# ── Positions of everything, for all moments together ─────────────────────────────────────────────────

_Key: TypeAlias = tuple[str, ...]
_At: TypeAlias = tuple[int, int]


class _Extent(Struct):
    """Extent of a place, for all its contents at any moment: pieces by hand, wagers and their gaps."""

    title: str
    pieces: dict[str, list[Piece]]
    labels: dict[str, int]  # the longest label of a hand
    wagers: dict[_Key, bool]

    @property
    def is_seat(self) -> bool:
        """Return True if it is a seat's and not the dealer's or common."""
        return self.title.startswith("Seat ")

    @property
    def height(self) -> int:
        """Return how deep a seat's place is."""
        hands = len(self.pieces) * (_LINE + int(HEIGHT * _SMALL) + _APART)
        return _LINE + _INSET + hands + sum(_WAGER + _GAP * off for off in self.wagers.values())


class _Layout(Struct):
    """Positions of everything: of a hand's name and pieces, with their size; of a wager."""

    seats: dict[str, tuple[int, int, int]]
    hands: dict[_Key, _At]
    pieces: dict[_Key, tuple[float, list[_At]]]
    wagers: dict[_Key, _At]
    width: int = 0
    height: int = 0


def spot_key(spot: AnySpot) -> _Key:
    """Return the key of a wager among those of a place."""
    return spot.bettor or "", spot.wager, spot.hand or ""


def _extents(moments: Iterable[Moment]) -> list[_Extent]:
    """Return the places of all moments: the common ones as they came, then the seats by their numbers."""
    found: dict[str, _Extent] = {}
    for lies in (place for moment in moments for place in moment.places):
        extent = found.setdefault(lies.title, _Extent(lies.title, {}, {}, {}))
        for hand in lies.hands:
            pieces = extent.pieces.setdefault(hand.hand, [])
            pieces += hand.pieces[len(pieces) :]
            longest = len(called(hand.hand)) + len(counted(hand))
            extent.labels[hand.hand] = max(extent.labels.get(hand.hand, 0), longest)
        for spot in lies.wagers:
            key = spot_key(spot)
            extent.wagers[key] = extent.wagers.get(key, False) or bool(difference(spot))
    return sorted(found.values(), key=_order)


def _order(extent: _Extent) -> tuple[bool, int]:
    return extent.is_seat, int(extent.title.removeprefix("Seat ")) if extent.is_seat else 0


def _lay_out(extents: Sequence[_Extent], signs: int) -> _Layout:
    seats = [extent for extent in extents if extent.is_seat]
    rows = [seats[first : first + _SEATS] for first in range(0, len(seats), _SEATS)]
    layout = _Layout({}, {}, {}, {}, width=2 * _MARGIN + _SEATS * SEAT)
    down = top = _lay_common([extent for extent in extents if not extent.is_seat], layout, signs)
    for row in rows:
        top = _lay_row(row, layout, top)
    layout.height = _BEND + max([down, *(_side(layout, *seat) for seat in layout.seats.values())])
    return layout


def _side(layout: _Layout, x: int, y: int, height: int) -> int:
    """Return the least depth of the layout's sides for a seat to fit within its round edge."""
    across = max(x + SEAT, layout.width - x) / layout.width
    return y + height + _MARGIN - int(_BEND * 4 * across * (1 - across))


def _lay_common(extents: Sequence[_Extent], layout: _Layout, signs: int) -> int:
    """Add the dealer's and the common hands side by side in the middle; return where they end."""
    inner = layout.width - 2 * _MARGIN
    blocks: list[tuple[_Key, int, int, list[_At]]] = []
    for extent in extents:
        for hand, pieces in extent.pieces.items():
            sizes = [(shape.width, shape.height) for shape in map(piece, pieces)]
            at, width, height = _flow(sizes, inner, _APART)
            wide = max(width, _LETTER * min(extent.labels[hand], _LABEL))
            blocks.append(((extent.title, hand), wide, _LINE + height, at))
        blocks += [
            ((extent.title, *key), SEAT, _WAGER + _GAP * off, []) for key, off in extent.wagers.items()
        ]
    placed, width, height = _flow([(wide, deep) for _, wide, deep, _ in blocks], inner, _BETWEEN)
    left, top = (layout.width - width) // 2, _MARGIN + _SIGN * signs
    hands = {(extent.title, hand) for extent in extents for hand in extent.pieces}
    for (key, _, _, at), (x, y) in zip(blocks, placed, strict=True):
        if key in hands:
            layout.hands[key] = left + x, top + y + _LINE - 5
            layout.pieces[key] = 1, [(left + x + dx, top + y + _LINE + dy) for dx, dy in at]
        else:
            layout.wagers[key] = left + x, top + y
    return top + height + _MARGIN


def _flow(sizes: Sequence[_At], width: int, gap: int) -> tuple[list[_At], int, int]:
    """Place boxes side by side as far as the width allows, then below; return also what they take up.

    >>> _flow([(60, 10), (50, 20), (40, 10)], 120, 10)
    ([(0, 0), (70, 0), (0, 30)], 120, 40)
    """
    placed: list[_At] = []
    x = y = tall = wide = 0
    for box_width, box_height in sizes:
        if x and x + box_width > width:
            x, y, tall = 0, y + tall + gap, 0
        placed.append((x, y))
        wide, tall = max(wide, x + box_width), max(tall, box_height)
        x += box_width + gap
    return placed, wide, y + tall


def _lay_row(extents: Sequence[_Extent], layout: _Layout, top: int) -> int:
    """Add a row of seats in an arc, the first at the right; return where it ends."""
    middle, lowest = (len(extents) - 1) / 2, top
    for place, extent in enumerate(extents):
        off = (place - middle) / max(1, middle)
        x = int(layout.width / 2 + (middle - place) * SEAT - SEAT / 2)
        y = top + (int(_ARC * (1 - off * off)) if len(extents) > 1 else _ARC)
        layout.seats[extent.title] = x, y, extent.height
        down = y + _LINE + _INSET
        for hand, pieces in extent.pieces.items():
            layout.hands[extent.title, hand] = x + _INSET, down + _LINE - 5
            layout.pieces[extent.title, hand] = _SMALL, _fanned(pieces, x + _INSET, down + _LINE)
            down += _LINE + int(HEIGHT * _SMALL) + _APART
        for key, off_by in extent.wagers.items():
            layout.wagers[extent.title, *key] = x, down
            down += _WAGER + _GAP * off_by
        lowest = max(lowest, down)
    return lowest + _MARGIN


def _fanned(pieces: Sequence[Piece], x: int, y: int) -> list[_At]:
    """Place small pieces in a row of a seat; where they are too many each covers a part of the one before."""
    widths = [shape.width * _SMALL for shape in map(piece, pieces)]
    natural = (widths[0] if widths else 0) + _APART
    within = SEAT - 2 * _INSET - (widths[-1] if widths else 0)
    step = min(natural, within / max(1, len(pieces) - 1))
    return [(int(x + place * step), y) for place in range(len(pieces))]


# ── What is drawn ─────────────────────────────────────────────────────────────────────────────────────


def table_svg(moments: Sequence[Moment], label: str, marked: Collection[str] = ()) -> Element:
    """Draw the table at each of the moments; `marked` are the titles of places that are outlined.

    With several moments each part has those from which and to which it shows (`data-first`, `data-last`), and
    the class `off` if that is not the last.
    """
    extents = _extents(moments)
    layout = _lay_out(extents, max([1, *(len(each.calls) for each in moments)]))
    size = {"viewBox": f"0 0 {layout.width} {layout.height}"}
    root = element("svg", xmlns=SVG, role="img", aria_label=label, class_="table", **size)
    add(root, "path", d=_cloth(layout), class_="cloth")
    for title, (x, y, height) in layout.seats.items():
        seat = add(root, "g", class_="seat marked" if title in marked else "seat")
        add(seat, "rect", x=x + 3, y=y, width=SEAT - 6, height=height, rx=10)
        add(seat, "text", title, x=x + SEAT // 2, y=y + _LINE, class_="title")
    for part, first, last in _spans([dict(_parts(moment, layout)) for moment in moments]):
        if len(moments) > 1:
            part.set("data-first", str(first))
            part.set("data-last", str(last))
            if last < len(moments) - 1:
                part.set("class", f"{part.get('class', '')} off")
        root.append(part)
    return root


def _cloth(layout: _Layout) -> str:
    """Return the outline of the layout: straight at the dealer's side, round at the players'."""
    width, side = layout.width, layout.height - _BEND
    arc = f"Q{width // 2} {layout.height + _BEND} 0 {side}"
    return f"M8 2H{width - 8}Q{width} 2 {width} 10V{side}{arc}V10Q0 2 8 2Z"


def _spans(drawn: Sequence[Mapping[_Key, Element]]) -> Iterator[tuple[Element, int, int]]:
    """Yield each part once for every stretch of moments in which it is the same, in the parts' order."""
    keys = dict.fromkeys(key for each in drawn for key in each)
    for key in sorted(keys, key=lambda key: _LAYERS.index(key[0])):
        first, looks = 0, None
        for number, each in enumerate([*drawn, {}]):
            part = each.get(key)
            looks_now = markup(part) if part is not None else None
            if looks_now != looks:
                if looks is not None:
                    yield drawn[first][key], first, number - 1
                first, looks = number, looks_now


_LAYERS: Final = ("count", "piece", "wager", "stake", "pay", "owed", "result", "gap", "calls")


def _parts(moment: Moment, layout: _Layout) -> Iterator[tuple[_Key, Element]]:
    for place in moment.places:
        for hand in place.hands:
            key = (place.title, hand.hand)
            yield ("count", *key), _count(hand, layout.hands[key], is_seat=place.title in layout.seats)
            scale, at = layout.pieces[key]
            for number, (lies, where) in enumerate(zip(hand.pieces, at, strict=False)):
                yield ("piece", *key, str(number)), _piece(lies, where, scale)
        for spot in place.wagers:
            spot_at = (place.title, *spot_key(spot))
            for layer, part in _wager(spot, *layout.wagers[spot_at]):
                yield (layer, *spot_at), part
    for number, call in enumerate(moment.calls):
        yield (
            ("calls", str(number)),
            element("text", call, x=layout.width // 2, y=_MARGIN + 10 + number * _SIGN, class_="call"),
        )


def _count(hand: LyingView, at: _At, *, is_seat: bool) -> Element:
    """Write a hand's name and what it counts; at a seat, whose name stands above it, only the part of it."""
    name, count = called(hand.hand), counted(hand)
    if is_seat:
        name = name.partition(", ")[2].capitalize()
    within = (_LABEL if not is_seat else _LONGEST) - len(name)
    count = count if len(count) <= within else f"{count[: within - 1]}…"
    label = element("text", class_="count", x=at[0], y=at[1])
    add(label, "tspan", f"{name} " if name else "")
    add(label, "tspan", count, class_="points")
    return label


def _piece(lies: Piece, at: _At, scale: float) -> Element:
    x, y = at
    part = element(
        "g", class_="piece", transform=f"translate({x} {y})" + ("" if scale == 1 else f" scale({scale})")
    )
    lands = add(part, "g", class_="lands")
    add(lands, "title", f"{describe_piece(lies)}, line {lies.line}")
    piece(lies).draw(lands, 0, 0)
    return part


def _wager(spot: AnySpot, x: int, y: int) -> Iterator[tuple[str, Element]]:
    lies = settled(spot)
    name = f"{f'{spot.bettor}: ' if spot.bettor else ''}{in_words(spot.wager)}"
    if spot.hand and (part := hand_name(spot.hand).part):
        name += f", hand {part}"
    label = element("g", class_="wager")
    add(label, "title", f"{staked(spot)}; {sums(spot)}")
    shortened = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    add(label, "text", shortened, x=x + _INSET, y=y + _LINE - 3)
    yield "wager", label
    foot = y + _WAGER - 8
    stake = element("g", class_="stake taken" if lies.taken else "stake")
    if lies.stake_cents:
        _stack(stake, x + _STACKS[0], foot, lies.stake_cents)
    if spot.coupon_cents:
        _coupon(stake, x + _STACKS[0], foot, spot.coupon_cents)
    add(stake, "text", _stake_words(spot), x=x + _WORDS, y=y + 32)
    yield "stake", stake
    yield from _result(lies, x, y, foot)


def _stake_words(spot: AnySpot) -> str:
    coupon = f"+{short_dollars(spot.coupon_cents)} coupon" if spot.coupon_cents else ""
    return " ".join(filter(None, (short_dollars(spot.cents) if spot.cents else "no chips", coupon)))


def _result(lies: Settled, x: int, y: int, foot: int) -> Iterator[tuple[str, Element]]:
    """Draw what was paid and, if that is not what was owed, this next to it, and the gap."""
    paid, owed = lies.paid_cents, lies.owed_cents
    if paid is not None:
        part = element("g", class_="pay")
        if paid > 0:
            _stack(part, x + _STACKS[1], foot, paid)
        add(part, "text", _paid_words(paid), x=x + _WORDS, y=y + 48)
        yield "pay", part
    if owed is not None and (lies.gap_cents or paid is None):
        part = element("g", class_="owed")
        if owed > 0:
            _stack(part, x + _STACKS[2], foot, owed)
        add(part, "text", _owed_words(owed), x=x + _WORDS, y=y + 64)
        yield "owed", part
    if lies.gap_cents:
        yield "gap", _gap(lies.gap_cents, x + _INSET, y + _WAGER)


def _paid_words(cents: int) -> str:
    return f"took {short_dollars(-cents)}" if cents < 0 else f"paid {short_dollars(cents)}"


def _owed_words(cents: int) -> str:
    if cents > 0:
        return f"owed {short_dollars(cents)}"
    return "should lose" if cents else "should push"


def _gap(cents: int, x: int, y: int) -> Element:
    """Draw a gap with a colour, a shape and words of its own for each side.

    A triangle that points down is owed to the patron, one that points up was overpaid.
    """
    over = cents > 0
    part = element("g", class_="gap over" if over else "gap short")
    add(part, "rect", x=x, y=y, width=SEAT - 2 * _INSET, height=20, rx=10 if over else 3)
    points = f"M{x + 8} {y + 15}h10l-5 -10z" if over else f"M{x + 8} {y + 5}h10l-5 10z"
    add(part, "path", d=points)
    words = f"{'overpaid' if over else 'owed to patron'} {short_dollars(abs(cents))}"
    within = SEAT - 2 * _INSET - 34
    fit = {"textLength": within, "lengthAdjust": "spacingAndGlyphs"} if len(words) * _LETTER > within else {}
    add(part, "text", words, x=x + 24, y=y + 15, **fit)
    return part


def _stack(into: Element, x: int, foot: int, cents: Cents) -> None:
    """Draw a stack of chips that stands on a line, the dearest at the bottom."""
    width, height, seen = _CHIP
    for place, worth in enumerate(chip_stack(cents)[:_MOST]):
        y = foot - height - place * seen
        add(into, "rect", x=x, y=y, width=width, height=height, rx=3, class_=f"chip {CHIPS[worth]}")
        add(into, "path", d=f"M{x + 4} {y + 5}h4m3 0h4m3 0h3", class_="edge")


def _coupon(into: Element, x: int, foot: int, cents: Cents) -> None:
    paper = add(into, "g", class_="coupon")
    add(paper, "title", f"coupon of {short_dollars(cents)}")
    add(paper, "rect", x=x - 3, y=foot - 2, width=30, height=8)
