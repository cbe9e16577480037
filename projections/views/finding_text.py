"""A finding as text: before its message comes its subject, if the message does not name it.

What a message names follows from its arguments, each by its type, and never from its words.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from projections.catalogue import paper_of
from projections.engine.facts import (
    Arg,
    Fact,
    HandRef,
    Listed,
    PatronRef,
    SerialRef,
    StaffRef,
    WagerRef,
    Word,
)
from projections.engine.findings import FindingBase
from projections.engine.observation import HandName, hand_in_words, hand_name
from projections.views.text import named_by, text
from schemas.values import in_words

_DEALER: Final = "dealer"
# A hand at a seat; those that all play on are named in their messages.
_AT_SEAT: Final = re.compile(r"seat\d+\S*")


class FactMentions:
    """Arguments of a fact's template: hands, wagers, people and papers; its own names; what was typed."""

    def __init__(self, message: Fact | str) -> None:
        """Read the names from a fact; those in plain text are unknown."""
        self._hands: set[HandName] = set()
        self._names: set[str] = set()
        self._by_template: set[str] = set()
        self._typed: list[str] = []
        if isinstance(message, Fact):
            self._add(message)

    def _add(self, arg: Arg) -> None:
        match arg:
            case Fact(code, args):
                self._by_template |= named_by(code)
                for each in args.values():
                    self._add(each)
            case Listed(items):
                for each in items:
                    self._add(each)
            case HandRef(hand):
                self._hands.add(hand_name(hand))
            case WagerRef(seat, bettor, wager, hand):
                of = hand_name(hand or (f"seat{seat}" if seat else _DEALER))
                self._hands.add(HandName(of.place, of.part, bettor or of.bettor))
                self._names.add(wager)
            case PatronRef(name) | StaffRef(name) | SerialRef(name) | Word(name):
                self._names.add(name)
            case str():
                self._typed.append(arg)

    def has_hand(self, hand: str) -> bool:
        """Return whether a seat, a common hand, one hand of several or a person at a seat is named.

        >>> mentions = FactMentions(Fact("engine.wins", {"wager": WagerRef(12, "anna", "tie", "seat12.2")}))
        >>> [mentions.has_hand(each) for each in ("seat12", "seat12.2", "seat12/anna", "seat12/ben", "seat1")]
        [True, True, True, False, False]
        """
        wanted_hand = hand_name(hand)
        is_named = hand in self._names | self._by_template or any(
            each.includes(wanted_hand) for each in self._hands
        )
        return is_named or self._is_typed(re.escape(hand_in_words(hand)))

    def has_wager(self, wager: str) -> bool:
        """Return whether a kind of wager is named."""
        return wager in self._names | self._by_template or self._is_typed(
            f"(?i:{re.escape(in_words(wager))})"
        )

    def has(self, name: str) -> bool:
        """Return whether a person, a paper or a table is named; a table is a plain `str`.

        >>> ways = Listed((StaffRef("Jane Roe"), "table BAC-10"))
        >>> mentions = FactMentions(Fact("engine.either", {"ways": ways}))
        >>> [mentions.has(each) for each in ("Jane Roe", "Roe", "BAC-10", "BAC-1")]
        [True, False, True, False]
        """
        return (
            name in self._names
            or any(name == each.bettor for each in self._hands)
            or self._is_typed(re.escape(name))
        )

    def _is_typed(self, pattern: str) -> bool:
        return any(re.search(rf"(?<!\w){pattern}(?!\w)", each) for each in self._typed)


def finding_text(finding: FindingBase[Fact] | FindingBase[str]) -> str:
    """Return a finding in words: its message, and before it what that does not name.

    Before a message that has become words already stands all that the finding is about.

    >>> moved = Fact("engine.moved_late", {"move": "place"})
    >>> about = FindingBase(id="f", check="late_wager", weight="mismatch", severity="medium",
    ...     status="adopted", citations=("631a.8(c)",), message=moved, seat=5, bettor="anna", wager="tie")
    >>> finding_text(about)
    'seat 5 anna tie: the wager was made after "no more bets"'
    """
    about = " ".join(_unnamed(finding, FactMentions(finding.message)))
    message = text(finding.message) if isinstance(finding.message, Fact) else finding.message
    return f"{about}: {message}" if about else message


def _unnamed(finding: FindingBase[Any], names: FactMentions) -> Iterator[str]:
    if isinstance(finding.seat, int):
        yield from _unnamed_at_seat(finding, finding.seat, names)
    elif finding.who and _AT_SEAT.fullmatch(finding.who) and not names.has_hand(finding.who):
        yield hand_in_words(finding.who)
    apart = ((paper_of(finding.check), finding.serial), ("table", finding.table), ("patron", finding.patron))
    for what, name in apart:
        if name and not names.has(name):
            yield f"{what} {name}"


def _unnamed_at_seat(finding: FindingBase[Any], seat: int, names: FactMentions) -> Iterator[str]:
    hand = finding.hand or f"seat{seat}"
    if not names.has_hand(f"seat{seat}" if seat else _DEALER):
        yield hand_in_words(hand) if seat else "the dealer"
    elif seat and not names.has_hand(hand):
        yield f"hand {hand_name(hand).part}"
    if finding.bettor and not names.has(finding.bettor):
        yield finding.bettor
    if finding.wager and not names.has_wager(finding.wager):
        yield in_words(finding.wager).removeprefix("" if seat else "dealer ")
