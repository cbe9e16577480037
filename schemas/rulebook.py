"""The rulebook of a round: the text in force on its gaming date and what the house chose within it."""

import hashlib
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from schemas import law_text
from schemas.errors import BadInput, NotInForce
from schemas.law_text import DECKS, NO_SPAN, Chapter, Number, OptionLaw, Span, WagerLaw, side_wager_laws
from schemas.near_names import nearest_name
from schemas.side_wager_law import lines_on
from schemas.side_wagers import PayLine, SideWager
from schemas.values import MOST_CENTS, MOST_ODDS, odds


class Rulebook(Struct, frozen=True, eq=False):
    """Rulebook: everything that decides a round's money besides the round itself.

    `decks` is 0 if the game is played without cards. `not_yet_law` are the options that were chosen although
    the text did not have them on the day; they have no effect in `options`. `span` is when the house holds
    the chapter to be in force, if it defines that itself. `offered` are side wagers that the house offers by
    another text, by wager its citation, or its citation and pay table; `elsewhere` those whose text the
    chapter itself names.
    """

    chapter: str
    day: date
    since: date
    status: str
    numbers: dict[str, Number]
    wagers: dict[str, WagerLaw]
    clauses: dict[str, tuple[str, ...]]
    options: dict[str, Any]
    decks: int
    not_yet_law: tuple[str, ...]
    span: Span
    offered: dict[str, str | SideWager]
    elsewhere: dict[str, str]
    digest: str

    @property
    def shoe_decks(self) -> int:
        """Return how many decks are in one shoe: all, or one batch if batches are in play by turns."""
        batches = self.numbers.get("batches")
        return self.decks // batches.value.get(self.decks, 1) if batches is not None else self.decks

    def odds(self, name: str) -> Fraction:
        """Return a figure of the law as odds."""
        return odds(self.number(name).value)

    def number(self, name: str) -> Number:
        """Return a figure of the law.

        Raises:
            NotInForce: the text of the day does not have it.
        """
        try:
            return self.numbers[name]
        except KeyError:
            raise NotInForce(f"Chapter {self.chapter} has no {name} on {self.day}") from None

    def clause(self, *names: str) -> tuple[str, ...]:
        """Return the provisions under the first of several names that the text has a clause of.

        Raises:
            NotInForce: the text has none of them.
        """
        found = next((self.clauses[name] for name in names if self.clauses.get(name)), None)
        if found is None:
            raise NotInForce(f"Chapter {self.chapter} has no {' or '.join(names)} on {self.day}")
        return found

    def wager_law(self, wager: str) -> WagerLaw | None:
        """Return the text's own word on a wager, or None if it does not know the wager on the day."""
        law = self.wagers.get(wager)
        return law if law is not None and law.since <= self.day else None

    def approval(self, wager: str) -> str | None:
        """Return the other text that approves a side wager; None if none is named."""
        found = self.offered.get(wager, self.elsewhere.get(wager))
        return found.cite if isinstance(found, SideWager) else found

    def side_lines(self, wager: str) -> tuple[PayLine, ...] | None:
        """Return the pay table by which a side wager of another text is settled; None where there is none."""
        found = self.offered.get(wager)
        return lines_on(found, wager, self.day) if isinstance(found, SideWager) else None

    def only_beside(self, wager: str) -> str | None:
        """Return the provision by which a side wager is only for players with a wager of the chapter."""
        law = side_wager_laws().get(self.approval(wager) or "")
        on_file = law is not None and wager in law.wagers and self.day >= min(law.texts)
        return law.only_beside if law is not None and on_file else None


class Refused(Struct, frozen=True):
    """A house's choice that a chapter does not admit, and why.

    `option` is None if it is the number of decks. `near` is the option's name that may have been meant.
    """

    option: str | None
    why: str
    near: str | None = None


def refused(chapter: str, day: date, options: Mapping[str, Any], decks: int | None = None) -> list[Refused]:
    """Find every choice of a house that a chapter does not admit, in the order in which `rulebook` refuses.

    What depends on a choice that is refused is not judged.

    Raises:
        LawError: there is no law file for the chapter.
    """
    found: list[Refused] = []
    _chosen(law_text.chapter(chapter), day, options, decks, found)
    return found


def rulebook(
    chapter: str,
    day: date,
    options: Mapping[str, Any],
    decks: int | None = None,
    span: Span = NO_SPAN,
    offered: Mapping[str, str | SideWager] = MappingProxyType({}),
) -> Rulebook:
    """Compose the rulebook of a day from a chapter and a house's choices.

    `span` is when the house holds the chapter to be in force, if it defines that itself; `offered` are side
    wagers that it offers by another text, with that text's citation or the pay table too.

    Raises:
        BadInput: an option, an option's value or a number of decks that the chapter does not admit, or a
            wager of its own among those of another text.
        NotInForce: the chapter had no text on that day.
        LawError: there is no law file for the chapter.
    """
    items = tuple(sorted((name, _canonical(value)) for name, value in options.items()))
    return _rulebook(chapter, day, items, decks, span, tuple(sorted(offered.items())))


@lru_cache(maxsize=4096)
def _rulebook(
    chapter: str,
    day: date,
    options: tuple[tuple[str, tuple[str, Any]], ...],
    decks: int | None,
    span: Span,
    offered: tuple[tuple[str, str | SideWager], ...],
) -> Rulebook:
    law = law_text.chapter(chapter)
    law.check_offered(dict(offered))
    found: list[Refused] = []
    choices = {name: _thawed(value) for name, (_, value) in options}
    decks, in_effect, not_yet_law = _chosen(law, day, choices, decks, found)
    if found:
        raise BadInput(found[0].why)
    since = law.text_on(day, span)
    numbers = law.numbers_on(day)
    stated = {
        "chapter": chapter,
        "since": str(since),
        "decks": decks,
        "options": in_effect,
        "numbers": {name: [str(number.value), number.cite] for name, number in numbers.items()},
    }
    if span != NO_SPAN:
        stated["in_force"] = [str(span.since), str(span.until)]
    if offered:
        stated["offered"] = dict(offered)
        lines = {wager: lines_on(each, wager, day) for wager, each in offered if isinstance(each, SideWager)}
        if lines:
            stated["paytables"] = lines
    digest = hashlib.sha256(msgspec.json.encode(stated, order="deterministic")).hexdigest()[:16]
    return Rulebook(
        chapter=chapter,
        day=day,
        since=since,
        status=law.texts[since].status,
        numbers=numbers,
        wagers=law.wagers,
        clauses=law.clauses,
        options=in_effect,
        decks=decks,
        not_yet_law=tuple(not_yet_law),
        span=span,
        offered=dict(offered),
        elsewhere=law.elsewhere,
        digest=digest,
    )


def _chosen(
    law: Chapter, day: date, choices: Mapping[str, Any], decks: int | None, found: list[Refused]
) -> tuple[int, dict[str, Any], list[str]]:
    """Return the decks, the options in effect, and those not yet law; add to `found` what is refused."""
    unsure: set[str] = set()
    try:
        decks = _decks(law, decks)
    except BadInput as error:
        found.append(Refused(None, str(error)))
        unsure.add(DECKS)
        decks = _decks(law, None)
    for name in choices:
        if name not in law.options:
            options = ", ".join(law.options) or "none"
            why = f"unknown option {name!r} for Chapter {law.chapter}; it has {options}"
            found.append(Refused(name, why, nearest_name(name, law.options)))
    in_effect: dict[str, Any] = {}
    not_yet_law = []
    for name, option in law.options.items():
        in_effect[name] = default = option.usual(decks, in_effect)
        if name not in choices or (option.hangs_on and option.by in unsure):
            continue
        try:
            value = _admitted(name, option, choices[name], decks, in_effect, law.chapter)
        except BadInput as error:
            found.append(Refused(name, str(error)))
            unsure.add(name)
        else:
            if day < option.since and value != default:
                not_yet_law.append(name)
            else:
                in_effect[name] = value
    return decks, in_effect, not_yet_law


def _decks(law: Chapter, decks: int | None) -> int:
    """Return the number of decks, by default the most; 0 for a game that is played without cards."""
    if "decks" not in law.numbers:
        if decks is not None:
            raise BadInput(f"{decks} decks: Chapter {law.chapter} is played without cards")
        return 0
    admitted: list[int] = law.numbers["decks"][min(law.numbers["decks"])].value
    if decks is None:
        usual = law.numbers.get("usual_decks")
        return usual[min(usual)].value if usual is not None else max(admitted)
    if decks not in admitted:
        raise BadInput(f"{decks} decks: Chapter {law.chapter} admits {', '.join(map(str, admitted))}")
    return decks


def _canonical(value: Any) -> tuple[str, Any]:
    # True and 1 are equal to Python but not to a Rules Submission: the type is part of a cache's key.
    if isinstance(value, dict):
        return "dict", tuple(sorted((str(name), _canonical(each)) for name, each in value.items()))
    if not isinstance(value, str | int | float | date | None):
        raise BadInput(f"an option's value is a flag, a number, a word or figures by name, not {value!r}")
    return type(value).__name__, value


def _thawed(value: Any) -> Any:
    return {name: each for name, (_, each) in value} if isinstance(value, tuple) else value


def _admitted(
    name: str, option: OptionLaw, value: Any, decks: int, options: Mapping[str, Any], chapter: str
) -> Any:
    if option.least_by is not None:
        return _figures(name, option, value, option.least_by.get(decks), chapter)
    values = option.listed(decks, options)
    if values is not None:
        if any(type(value) is type(admitted) and value == admitted for admitted in values):
            return value
        admitted = ", ".join(str(msgspec.json.encode(admitted), "utf-8") for admitted in values)
        chosen = decks if option.by == DECKS else options[option.by]
        where = "" if option.values_by is None else f" with {option.by} {chosen}"
        raise BadInput(
            f"option {name}: {value!r} is not among {admitted}{where} (Chapter {chapter}, {option.cite})"
        )
    if option.whole and value is None and option.default is None:
        return None
    try:
        number = odds(value)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"option {name}: {value!r} is not a number or a fraction") from None
    if (
        isinstance(value, bool)
        or (option.whole and number.denominator != 1)
        or (option.at_least is not None and number < option.at_least)
        or (option.above is not None and number <= option.above)
        or (option.at_most is not None and number > option.at_most)
        or number > (MOST_CENTS if option.whole else MOST_ODDS)
    ):
        raise BadInput(f"option {name}: {value!r} is outside what Chapter {chapter} admits ({option.cite})")
    return int(number) if option.whole else str(number)


def _figures(
    name: str, option: OptionLaw, value: Any, least: Mapping[str, int] | None, chapter: str
) -> dict[str, int]:
    """Check several whole figures by name, each at least the law's minimum."""
    if (
        least is None
        or not isinstance(value, dict)
        or value.keys() != least.keys()
        or any(
            type(each) is not int or not least[figure] <= each <= MOST_ODDS for figure, each in value.items()
        )
    ):
        figures = "none" if least is None else ", ".join(f"{figure} {most}" for figure, most in least.items())
        raise BadInput(
            f"option {name}: {value!r} is not figures of at least {figures} "
            f"(Chapter {chapter}, {option.cite})"
        )
    return {figure: value[figure] for figure in least}
