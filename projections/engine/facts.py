"""Facts: the engine's results as codes with typed arguments.

No sentence is made where a fact arises. A template turns it into text at the edge (`projections.views.text`).
Access, equality and subject are decided by the types here.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias, Union

import msgspec
from msgspec import Struct


class HandRef(Struct, frozen=True, array_like=True, tag="hand", gc=False):
    """Place of cards, tiles or acts: "banker", "dealer.high", "seat4", "seat4.2", "seat12/anna"."""

    hand: str


class WagerRef(Struct, frozen=True, array_like=True, tag="wager", gc=False):
    """A wager on the layout: its seat (0 is the dealer's), who bets there, its name, the hand of a split."""

    seat: int
    bettor: str | None
    wager: str
    hand: str | None


class PatronRef(Struct, frozen=True, array_like=True, tag="patron", gc=False):
    """A patron by the name or number that the property knows him by."""

    name: str


class StaffRef(Struct, frozen=True, array_like=True, tag="staff", gc=False):
    """Member of the property's staff, and in which role, if that is known."""

    name: str
    role: str | None = None


class DeviceRef(Struct, frozen=True, array_like=True, tag="device", gc=False):
    """A device of the house file."""

    device: str


class SerialRef(Struct, frozen=True, array_like=True, tag="serial", gc=False):
    """A numbered paper: a coupon, a Counter Check, a slip."""

    serial: str


class CardRef(Struct, frozen=True, array_like=True, tag="card", gc=False):
    """A card, tile or roll as it was read, `?` where it was not: `9d`, `?s`."""

    card: str


class Cents(Struct, frozen=True, array_like=True, tag="cents", gc=False):
    """A sum of money in whole cents."""

    cents: int


class Word(Struct, frozen=True, array_like=True, tag="word", gc=False):
    """A name of the code's own vocabulary, such as a wager, an outcome or a decision: "dragon_bonus"."""

    name: str


class Instant(Struct, frozen=True, array_like=True, tag="instant", gc=False):
    """A moment, microseconds UTC."""

    micros: int


class Listed(Struct, frozen=True, array_like=True, tag="list", gc=False):
    """Several arguments in order; the template decides how they are joined."""

    items: tuple["Arg", ...]


class Fact(Struct, frozen=True, array_like=True, tag="fact", gc=False):
    """Fact: the code of its template, `folder.name`, and the template's arguments by name.

    A plain `str` among the arguments is what a device or a person typed, or the name of something that is not
    a person: a round, a shoe, a table.
    """

    code: str
    args: dict[str, "Arg"] = {}

    def __hash__(self) -> int:
        return hash((self.code, tuple(self.args.items())))


Ref: TypeAlias = HandRef | WagerRef | PatronRef | StaffRef | DeviceRef | SerialRef | CardRef
Arg: TypeAlias = Union[Ref, Cents, Word, Instant, Listed, Fact, str, int, None]  # noqa: UP007  for msgspec


def fact(code: str, **args: Arg) -> Fact:
    """Return the fact of a code.

    >>> fact("fold.restarted", device=DeviceRef("C-1"))
    Fact(code='fold.restarted', args={'device': DeviceRef(device='C-1')})
    """
    return Fact(code, args)


def listed(*items: Arg) -> Listed:
    """Return arguments that a template joins."""
    return Listed(items)


def leaves(arg: Arg) -> Iterator[Ref | Cents | Word | Instant | str | int]:
    """Yield every argument of a fact, those of facts and lists within it too.

    >>> inner = fact("fold.restarted", device=DeviceRef("C-1"))
    >>> list(leaves(fact("fold.alone", gap=inner, hands=listed(HandRef("seat3")))))
    [DeviceRef(device='C-1'), HandRef(hand='seat3')]
    """
    match arg:
        case None:
            return
        case Fact():
            for each in arg.args.values():
                yield from leaves(each)
        case Listed():
            for each in arg.items:
                yield from leaves(each)
        case _:
            yield arg


def replaced(stated: Fact, change: Callable[[Arg], Arg]) -> Fact:
    """Return a fact with each leaf changed.

    >>> said = fact("fold.restarted", device=DeviceRef("C-1"))
    >>> replaced(said, lambda arg: DeviceRef("C-2") if isinstance(arg, DeviceRef) else arg)
    Fact(code='fold.restarted', args={'device': DeviceRef(device='C-2')})
    """
    return Fact(stated.code, {name: _changed(each, change) for name, each in stated.args.items()})


def _changed(arg: Arg, change: Callable[[Arg], Arg]) -> Arg:
    match arg:
        case Fact():
            return replaced(arg, change)
        case Listed():
            return Listed(tuple(_changed(each, change) for each in arg.items))
    return change(arg)


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Fact).decode


def dump(stated: Fact) -> str:
    """Return a fact as JSON, as a store keeps it.

    >>> load(dump(fact("fold.restarted", device=DeviceRef("C-1"))))
    Fact(code='fold.restarted', args={'device': DeviceRef(device='C-1')})
    """
    return _encode(stated).decode()


def load(stored: str) -> Fact:
    """Return the fact that `dump` wrote.

    Raises:
        msgspec.DecodeError: it is no fact.
    """
    return _decode(stored)
