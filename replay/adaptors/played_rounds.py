"""Rounds of a vendor's export as round records, by a mapping file for its columns.

A row is a round, or several rows are one: a card, a wager or a payment each. Cards come in any of the usual
notations, money in a country's own way of writing it. What does not fit is left out, with the reason.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import zip_longest
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from projections.engine.games import game_of
from projections.engine.observation import Round
from replay.adaptors.cells import columns_of, filled, filled_if_any, fits, is_cell
from replay.adaptors.rows import Fields, Rejected, Row, Why
from schemas.errors import BadInput
from schemas.record import RoundRecord
from schemas.values import CARDS, Name

# ── A card in the usual notations ─────────────────────────────────────────────────────────────────────────

_SUITS: Final = {
    **dict.fromkeys(("c", "club", "clubs", "♣", "♧"), "c"),
    **dict.fromkeys(("d", "diamond", "diamonds", "♦", "♢"), "d"),
    **dict.fromkeys(("h", "heart", "hearts", "♥", "♡"), "h"),
    **dict.fromkeys(("s", "spade", "spades", "♠", "♤"), "s"),
}
_RANKS: Final = {
    **{str(number): str(number) for number in (0, *range(2, 10))},
    **dict.fromkeys(("a", "1", "ace"), "A"),
    **dict.fromkeys(("t", "10", "ten"), "T"),
    **dict.fromkeys(("j", "11", "jack"), "J"),
    **dict.fromkeys(("q", "12", "queen"), "Q"),
    **dict.fromkeys(("k", "13", "king"), "K"),
    **{
        word: str(number)
        for number, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine"), 2)
    },
}
_UNREAD: Final = frozenset({"?", "??", "x", "xx", "-", "--", "unread", "unknown"})
_BETWEEN: Final = re.compile(r"[\s.,:;_/\\-]+|\bof\b")
_PARTS: Final = re.compile(r"1[0-3]|0?\d|[a-z]+|[♣♧♦♢♥♡♠♤]|\?")


def card_of(written: Any) -> str:
    """Return a card of an export as events and records write it; `??` where it was not read.

    >>> [card_of(each) for each in ("Kh", "H.12", "10♠", "ace of clubs", "D13", "7", "0", "xx", "?d")]
    ['Kh', 'Qh', 'Ts', 'Ac', 'Kd', '7?', '0?', '??', '?d']

    Raises:
        BadInput: it is no card.
    """
    text = str(written).strip()
    if text in CARDS:
        return text
    folded = text.casefold()
    if folded in _UNREAD:
        return "??"
    parts = [part for word in _BETWEEN.split(folded) for part in _card_parts(word)]
    ranks = [_RANKS[part] for part in parts if part in _RANKS]
    suits = [_SUITS[part] for part in parts if part in _SUITS]
    unread = parts.count("?")
    if len(ranks) + len(suits) + unread != len(parts) or len(ranks) > 1 or len(suits) > 1 or not parts:
        raise BadInput(f"{text!r} is no card")
    return f"{ranks[0] if ranks else '?'}{suits[0] if suits else '?'}"


def _card_parts(word: str) -> Iterator[str]:
    """Yield the rank and the suit of a word that has both: "kh", "h12", "10s"."""
    for part in _PARTS.findall(word):
        if part.isalpha() and part not in _RANKS and part not in _SUITS:
            yield from part
        else:
            yield part[1:] if len(part) > 1 and part[0] == "0" else part  # 09
    if leftover := _PARTS.sub("", word):
        yield leftover


# ── Money in a country's way of writing it ────────────────────────────────────────────────────────────────


# Sums whose digits are grouped in threes, by the mark between the groups.
_GROUPED: Final = {",": re.compile(r"\d{1,3}(,\d{3})+(\.\d*)?"), ".": re.compile(r"\d{1,3}(\.\d{3})+(,\d*)?")}


class Money(Struct, frozen=True, forbid_unknown_fields=True):
    """Writing of sums: in dollars or in cents, and the mark before the fraction; other marks group digits.

    A sum in brackets, or with a minus before or after it, is below zero.
    """

    unit: Literal["dollars", "cents"] = "dollars"
    decimal: Literal[".", ","] = "."

    def cents(self, written: Any) -> int:
        """Return a sum in cents.

        >>> [Money().cents(each) for each in ("$1,250.00", "(25)", "12.5", "-3", 7)]
        [125000, -2500, 1250, -300, 700]
        >>> Money(decimal=",").cents("1.250,50 USD"), Money(unit="cents").cents("1250")
        (125050, 1250)

        Raises:
            BadInput: it is no sum, has a fraction of a cent, or its marks group otherwise than in threes.
        """
        text = str(written).strip()
        negative = (text.startswith("(") and text.endswith(")")) or text.startswith("-") or text.endswith("-")
        grouping = "," if self.decimal == "." else "."
        digits = re.sub(r"(?i)usd|[$()\s'-]", "", text)
        if grouping in digits and _GROUPED[grouping].fullmatch(digits) is None:
            decimal = f"money: {{decimal: {grouping!r}}}"
            raise BadInput(
                f"{text!r} groups no three digits; is {grouping!r} its decimal mark, write {decimal}"
            )
        try:
            sum_in_unit = Decimal(digits.replace(grouping, "").replace(self.decimal, "."))
        except InvalidOperation:
            raise BadInput(f"{text!r} is no sum of money") from None
        in_cents = sum_in_unit * (100 if self.unit == "dollars" else 1)
        if not in_cents.is_finite() or in_cents != in_cents.to_integral_value():
            raise BadInput(f"{text!r} is no whole number of cents")
        return -int(in_cents) if negative else int(in_cents)


# ── A mapping's description of a round ────────────────────────────────────────────────────────────────────


class PlayPart(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of the play: a card, several cards of a cell, or an act, of the hand or person `who`.

    `acts` is a cell with the whole play, each a who and a what: `player 9s`; rows of one round repeat it.
    With `when` only rows with these values have it; an empty cell has nothing. If `who` is a list of two
    hands, the cards of the second stand after those of the first, as many; of an odd number one hand has one
    more: the one by which the Point Counts that were announced come out.
    """

    who: Any = None
    card: Any = None
    cards: Any = None
    act: Any = None
    acts: Any = None
    when: dict[str, str | list[str]] = {}

    def of(self, fields: Fields, announced: "AnnouncedPoints") -> Iterator[tuple[str, str]]:
        """Yield the acts that a row has of it.

        Raises:
            BadInput: a cell cannot be read, or it cannot be known which hand a card is of.
        """
        found = _listed(filled_if_any(self.card if self.card is not None else self.cards, fields))
        cards = [card_of(each) for each in found]
        if isinstance(self.who, list) and cards:
            yield from _of_two(cards, [str(filled(each, fields)) for each in self.who], announced)
        else:
            yield from ((str(filled(self.who, fields)), card) for card in cards)
        if self.act is not None and (what := filled_if_any(self.act, fields)) is not None:
            yield str(filled(self.who, fields)), str(what)


class UndecidedHands(BadInput):
    """Cards of two hands in one cell, of which nothing says where the second begins."""


class AnnouncedPoints(Struct, frozen=True):
    """Point Counts that were announced, by hand, of a round of a chapter."""

    chapter: str
    points: Mapping[str, Any]

    def fit(self, play: list[tuple[str, str]]) -> bool:
        """Return True if they are those of the hands of a play, or none were announced of one.

        Raises:
            BadInput: an unknown chapter.
        """
        observed = Round("", "", date.min, 0, play, {}, None)
        counts = {laid.hand: laid.point_count for laid in game_of(self.chapter).hands(observed)}
        return all(str(self.points.get(hand, count)) == str(count) for hand, count in counts.items())


def _of_two(
    cards: Sequence[str], hands: Sequence[str], announced: AnnouncedPoints
) -> Sequence[tuple[str, str]]:
    """Return the cards of two hands that stand one after the other.

    Raises:
        BadInput: the Point Counts do not come out, or do in both ways.
    """
    first, second = hands
    half = len(cards) // 2
    shares = [half] if len(cards) % 2 == 0 else [half, half + 1]
    plays = [[(first if n < share else second, card) for n, card in enumerate(cards)] for share in shares]
    if len(plays) > 1:
        plays = [play for play in plays if announced.fit(play)]
    listing = ", ".join(card.removesuffix("?") for card in cards)
    if not plays:
        points = " and ".join(map(str, announced.points.values()))
        raise BadInput(f"{listing} do not come to {points}")
    if len(plays) > 1:
        raise UndecidedHands(f"card {half + 1} of {listing} may be either hand's")
    return plays[0]


class WagerPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A wager: its sum and how it was settled, by its gain or by what was returned with the stake.

    A row whose sum is empty or zero has no such wager. `vigorish` is what was taken; with `less_vigorish` it
    is already subtracted from the gain or the return.
    """

    seat: Any
    wager: Any
    amount: Any
    gain: Any = None
    returned: Any = None
    vigorish: Any = None
    less_vigorish: bool = False
    bettor: Any = None
    hand: Any = None
    coupon_amount: Any = None
    coupon: Any = None
    when: dict[str, str | list[str]] = {}


class RoundParts(Struct, frozen=True, forbid_unknown_fields=True):
    """Which columns make a round record; rows with the same values of `group` are one round, else each is.

    A round with anything in the cell `left_out` is left out for that reason.

    The names are a round record's. `in_turn` are hands that get a card each in turn where the export lists
    them hand by hand.
    """

    chapter: Any
    table: Any
    round: Any
    play: list[PlayPart]
    wagers: list[WagerPart] = []
    group: list[str] = []
    in_turn: list[Name] = []
    shoe: Any = None
    decks: Any = None
    dealer: Any = None
    gaming_date: Any = None
    announced: Any = None
    announced_points: Any = None
    options: Any = None
    offered: Any = None
    house: Any = None
    left_out: Any = None
    money: Money = Money()


_Fields: TypeAlias = dict[str, Any]
_HEADS: Final = ("shoe", "decks", "dealer", "gaming_date", "announced", "options", "offered", "house")
_NAMES: Final = ("chapter", "table", "round")
_OBJECTS: Final = ("options", "offered")


def round_records(
    rows: Iterable[Row | Rejected], parts: RoundParts, moment_of: Any
) -> Iterator[tuple[int, RoundRecord] | Rejected]:
    """Yield the round records of an export with the line each begins on, and the rows that are left out.

    `moment_of` returns the time of a row's fields, or of their gaming date. A round with an unusable row is
    left out completely.
    """
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows if parts.group else _once(rows, parts):
        if isinstance(row, Rejected):
            yield row
        else:
            key = tuple(row.fields.get(name) for name in parts.group) if parts.group else (row.line,)
            groups.setdefault(key, []).append(row)
    for lines in groups.values():
        try:
            yield lines[0].line, _record(lines, parts, moment_of)
        except BadInput as error:
            why: Why = "ambiguous" if isinstance(error, UndecidedHands) else "unreadable"
            for row in lines:
                yield Rejected(row.line, str(error), row.text, why)


def _once(rows: Iterable[Row | Rejected], parts: RoundParts) -> Iterator[Row | Rejected]:
    """Yield rows of a round each; one that was logged twice is rejected, also under the next number."""
    described = msgspec.to_builtins(parts)
    numbers = {*columns_of(described.pop("round"))}.difference(columns_of(described))
    lines: dict[str, int] = {}
    before: Row | None = None
    for row in rows:
        if isinstance(row, Rejected):
            yield row
            continue
        if (first := lines.setdefault(row.text, row.line)) != row.line:
            yield Rejected(row.line, f"the same row stands on line {first} already", row.text, "repeated")
        elif before is not None and _without(row, numbers) == _without(before, numbers):
            message = f"all but its number equals line {before.line}, the row before: logged twice"
            yield Rejected(row.line, message, row.text, "repeated")
        else:
            yield row
        before = row


def _without(row: Row, names: Collection[str]) -> _Fields:
    return {name: value for name, value in row.fields.items() if name not in names}


def _record(lines: Sequence[Row], parts: RoundParts, moment_of: Any) -> RoundRecord:
    first = lines[0].fields
    if (reason := filled_if_any(parts.left_out, first)) is not None:
        raise BadInput(str(reason))
    found: _Fields = {name: _needed(name, getattr(parts, name), lines) for name in _NAMES}
    for name in _HEADS:
        value = _one_value(name, getattr(parts, name), lines)
        if value is not None:
            found[name] = _object(value) if name in _OBJECTS else value if name == "decks" else str(value)
    found["announced_points"] = _points(parts.announced_points, lines)
    found["at"] = moment_of(first, found.get("gaming_date"))
    announced = AnnouncedPoints(found["chapter"], found["announced_points"])
    found["play"] = _in_turn([*_play(lines, parts.play, announced)], parts.in_turn)
    found |= _wagers(lines, parts)
    try:
        return msgspec.convert(found, RoundRecord, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(str(error)) from None


def _play(
    lines: Sequence[Row], parts: Sequence[PlayPart], announced: AnnouncedPoints
) -> Iterator[tuple[str, str]]:
    for part in parts:
        if part.acts is not None:
            for each in _listed(_one_value("play", part.acts, lines)):
                who, _, what = str(each).partition(" ")
                yield who, what
    for row in lines:
        for part in parts:
            if fits(part.when, row.fields):
                yield from part.of(row.fields, announced)


def _points(cells: Any, lines: Sequence[Row]) -> _Fields:
    """Return the Point Counts by hand, of a cell each or of one that holds them as JSON."""
    if cells is None or is_cell(cells):
        return _object(_one_value("announced_points", cells, lines)) or {}
    points = {hand: _one_value("announced_points", cell, lines) for hand, cell in cells.items()}
    return {hand: each for hand, each in points.items() if each is not None}


def _wagers(lines: Sequence[Row], parts: RoundParts) -> _Fields:
    """Return the wagers of a round, and the payments where its rows have any."""
    wagers: list[_Fields] = []
    paid: list[_Fields] = []
    settled = False
    for row in lines:
        for part in parts.wagers:
            if not fits(part.when, row.fields):
                continue
            amount = _sum(part.amount, row.fields, parts.money)
            seat, wager = filled_if_any(part.seat, row.fields), filled_if_any(part.wager, row.fields)
            if amount is None or seat is None or wager is None:
                continue
            key = {"seat": seat, "wager": str(wager)}
            for name in ("bettor", "hand"):
                if (value := filled_if_any(getattr(part, name), row.fields)) is not None:
                    key[name] = str(value)
            vigorish = _sum(part.vigorish, row.fields, parts.money) or 0
            gain = _gain(part, amount, row.fields, parts.money)
            if gain is not None:
                settled = True
                before = gain + vigorish if part.less_vigorish else gain
                paid.append({**key, "cents": before, "vigorish_cents": vigorish})
            if amount:
                coupon = _sum(part.coupon_amount, row.fields, parts.money) or 0
                serial = filled_if_any(part.coupon, row.fields)
                wagers.append({**key, "cents": amount, "coupon_cents": coupon, "coupon": serial})
    return {"wagers": wagers, "paid": paid if settled else None}


def _gain(part: WagerPart, amount: int, fields: Fields, money: Money) -> int | None:
    """Return what the player gained by a wager; None if the export has no settlement of it."""
    if part.gain is not None:
        return _sum(part.gain, fields, money)
    given_back = _sum(part.returned, fields, money) if part.returned is not None else None
    return None if given_back is None else given_back - amount


def _sum(cell: Any, fields: Fields, money: Money) -> int | None:
    value = filled_if_any(cell, fields)
    return None if value is None else money.cents(value)


def _one_value(name: str, cell: Any, lines: Sequence[Row]) -> Any:
    """Return the value that the rows of a round agree on; empty ones are ignored.

    Raises:
        BadInput: they do not agree.
    """
    values = {str(value): value for row in lines if (value := filled_if_any(cell, row.fields)) is not None}
    if len(values) > 1:
        raise BadInput(f"{name}: rows of one round have {' and '.join(sorted(values))}")
    return next(iter(values.values()), None)


def _needed(name: str, cell: Any, lines: Sequence[Row]) -> str:
    """Return the value that the rows of a round agree on, as text.

    Raises:
        BadInput: they do not agree, or have none.
    """
    value = _one_value(name, cell, lines)
    if value is None:
        raise BadInput(f"{' '.join(columns_of(cell)) or name} is empty")
    return str(value)


def _object(value: Any) -> Any:
    """Return an object that a cell holds as JSON.

    Raises:
        BadInput: it is no JSON.
    """
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise BadInput(f"{value!r} is no JSON: {error}") from None


def _listed(value: Any) -> Sequence[Any]:
    return () if value is None else value if isinstance(value, list) else [value]


def _in_turn(acts: list[tuple[str, str]], hands: Sequence[str]) -> list[tuple[str, str]]:
    """Return the play with the cards of some hands in turn, one each, before what comes after them.

    >>> _in_turn([("player", "2c"), ("player", "3c"), ("banker", "4c")], ["player", "banker"])
    [('player', '2c'), ('banker', '4c'), ('player', '3c')]
    """
    if not hands:
        return acts
    cards = [[act for act in acts if act[0] == hand and act[1] in CARDS] for hand in hands]
    others = [act for act in acts if act[0] not in hands or act[1] not in CARDS]
    return [act for turn in zip_longest(*cards) for act in turn if act is not None] + others
