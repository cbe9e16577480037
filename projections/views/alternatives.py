"""Alternatives: what another choice of the house, or another reading of the text, would make of a wager.

A round is judged again with one option changed; nothing else differs. Options that list their values are
tried with each of them. For the others (odds, a portion) the default and the ends of the admitted range are
tried, and the plain figure for which the observation would have been right, if there is one.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final, TypeAlias

from msgspec import Struct

from projections.catalogue import is_of_vigorish
from projections.engine.audit.judge import check_context, judge
from projections.engine.audit.readings import is_reading
from projections.engine.findings import Finding
from projections.engine.observation import Key, Round
from schemas.errors import BadInput
from schemas.law_text import OptionLaw, chapter
from schemas.rulebook import Rulebook, rulebook
from schemas.values import Option

_Money: TypeAlias = dict[Key, tuple[int | None, int | None]]

# Layouts and signs print whole odds, halves, thirds and quarters; a finer figure would explain anything.
_PLAIN: Final = 4


class Chosen(Struct, frozen=True):
    """An option in effect, its default, and the provision that leaves it open."""

    option: str
    value: Option
    default: Option
    cite: str


class Alternative(Struct, frozen=True, kw_only=True):
    """Effect of another value: on the wager's gain and vigorish in cents, and on the finding.

    `gain_cents` and `vigorish_cents` are None if they would be open, or the finding is not `of_wager`.
    `as_observed` is true if the figure of the finding would be what was observed. `reading` is true for a
    reading of a text, false for the house's choice. `instead` is what would be found if the finding were
    gone.
    """

    option: str
    value: Option
    in_effect: Option
    cite: str
    reading: bool
    of_wager: bool
    gain_cents: int | None
    vigorish_cents: int | None
    as_observed: bool
    stands: bool
    instead: tuple[str, ...]


def matters(observed: Round, book: Rulebook) -> tuple[Chosen, ...]:
    """Return the options that affect a round: those not at their default, and those that move its money."""
    owed = _money(observed, book)
    return tuple(
        Chosen(name, book.options[name], _usual(book, option), option.cite)
        for name, option in chapter(book.chapter).options.items()
        if not _same(book.options[name], _usual(book, option)) or _moves(observed, book, name, option, owed)
    )


def _moves(observed: Round, book: Rulebook, name: str, option: OptionLaw, owed: _Money) -> bool:
    tried = [*_tried(option, book, name), *_probe(option, book.options[name])]
    others = [_with(book, name, value) for value in tried]
    return any(_money(observed, other) != owed for other in others if other is not None)


def _money(observed: Round, book: Rulebook) -> _Money:
    owed = check_context(observed, book).ruled.owed
    return {key: (reckoning.cents, reckoning.vigorish_cents) for key, reckoning in owed.items()}


def alternatives_of(
    observed: Round, book: Rulebook, key: Key | None, finding: Finding
) -> tuple[Alternative, ...]:
    """Return the values under which a wager would come to other money, or a finding would not stand.

    `key` names the wager that the finding is about, if it is about one.
    """
    owed, checks = _owed(observed, book, key), _found(observed, book, finding)
    found = []
    for name, option in chapter(book.chapter).options.items():
        fitting = _fitting(observed, book, key, finding, name) if key is not None else ()
        for value in dict.fromkeys([*_tried(option, book, name), *fitting]):
            other = _with(book, name, value)
            money = _owed(observed, other, key) if other is not None else owed
            if other is None or (key is not None and money[0] is None and not is_reading(name)):
                continue  # not admitted; or the wager would not have been offered
            then = _found(observed, other, finding)
            # What only the shoe's other rounds show is not found in a round alone: then there is no result.
            stands = finding.check in then or finding.check not in checks
            if money != owed or not stands:
                found.append(
                    Alternative(
                        option=name,
                        value=value,
                        in_effect=book.options[name],
                        cite=option.cite,
                        reading=is_reading(name),
                        of_wager=key is not None,
                        gain_cents=money[0],
                        vigorish_cents=money[1],
                        as_observed=_figure(money, finding) == finding.observed_cents,
                        stands=stands,
                        instead=() if stands else tuple(check for check in then if check not in checks),
                    )
                )
    return tuple(found)


def _owed(observed: Round, book: Rulebook, key: Key | None) -> tuple[int | None, int | None]:
    if key is None:
        return None, None
    owed = check_context(observed, book).owed(key)
    return owed.cents, owed.vigorish_cents


def _figure(money: tuple[int | None, int | None], finding: Finding) -> int | None:
    return money[1] if is_of_vigorish(finding.check) else money[0]


def _found(observed: Round, book: Rulebook, finding: Finding) -> list[str]:
    """Return what is found of the wager or hand that a finding is about."""
    conclusion = judge(observed, book)
    spot = _spot(finding)
    return [each.check for each in (*conclusion.findings, *conclusion.notes) if _spot(each) == spot]


def _spot(finding: Finding) -> tuple[object, ...]:
    return finding.seat, finding.bettor, finding.wager, finding.hand, finding.who


def _usual(book: Rulebook, option: OptionLaw) -> Any:
    """Return an option's default as the law states it, a number as a number."""
    return option.default if option.default is not None else option.usual(book.decks, book.options)


def _tried(option: OptionLaw, book: Rulebook, name: str) -> Iterator[Any]:
    """Yield the listed values of an option, or its default and its ends, without the one in effect."""
    values = option.listed(book.decks, book.options)
    if values is None:
        values = [
            str(value) for value in (option.default, option.at_least, option.at_most) if value is not None
        ]
    yield from (value for value in dict.fromkeys(values) if not _same(value, book.options[name]))


def _probe(option: OptionLaw, now: Option) -> Iterator[str]:
    """Yield another admitted value of an option whose values are not listed, to see what depends on it."""
    if option.default is not None and option.values is None:
        yield str(Fraction(str(now)) * (2 if option.at_most is None else Fraction(1, 2)))


def _fitting(seen: Round, book: Rulebook, key: Key, finding: Finding, name: str) -> Iterator[str]:
    """Find the plain figure under which what was observed was right; money grows evenly with it."""
    option, now = chapter(book.chapter).options[name], book.options[name]
    expected, observed = finding.expected_cents, finding.observed_cents
    for probe in _probe(option, now):
        cents = _reckoned(seen, _with(book, name, probe), key, finding)
        if (
            cents is None
            or not isinstance(expected, int)
            or not isinstance(observed, int)
            or cents == expected
        ):
            continue
        start = Fraction(str(now))
        fit = start + (Fraction(probe) - start) * Fraction(observed - expected, cents - expected)
        if (
            fit.denominator <= _PLAIN
            and _reckoned(seen, _with(book, name, str(fit)), key, finding) == observed
        ):
            yield str(fit)


def _reckoned(observed: Round, book: Rulebook | None, key: Key, finding: Finding) -> int | None:
    """Compute what a finding is about, a wager's gain or its vigorish, in cents; None if it is open."""
    return _figure(_owed(observed, book, key), finding) if book is not None else None


def _with(book: Rulebook, name: str, value: Any) -> Rulebook | None:
    """Change one option of a rulebook; None if the chapter does not admit the value.

    A value that was not law yet is without effect, as everywhere.
    """
    try:
        options = book.options | {name: value}
        return rulebook(book.chapter, book.day, options, book.decks or None, book.span, book.offered)
    except BadInput:
        return None


def _same(value: Option, other: Option) -> bool:
    """Compare two values of an option, numbers as numbers and flags only with flags.

    >>> _same("8", 8), _same(True, 1), _same(None, None), _same("1/2", "1")
    (True, False, True, False)
    """
    if type(value) is type(other):
        return value == other
    return {type(value), type(other)} == {int, str} and str(value) == str(other)
