"""The enacted numbers of a chapter: `date -> {value, cite}` in schemas/law/<chapter>.yaml.

A number is only ever asked for on a date. Before its first date, or before its chapter's, the answer is
`NotInForce`, never zero.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from schemas.errors import BadInput, LawError, NotInForce
from schemas.plain import formed, read
from schemas.plugins import GAMES, plugins
from schemas.side_wagers import Condition
from schemas.values import Name, Sentence

FOLDER: Final = Path(__file__).parent / "law"
_SIDE_WAGERS: Final = FOLDER / "side_wagers"
PLUGIN_LAW: Final = "law.yaml"
DECKS: Final = "decks"  # what an option depends on that depends on no other option


class Number(Struct, frozen=True, forbid_unknown_fields=True):
    """Figure of the law and the provision that states it."""

    value: Any
    cite: Name


class Printing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A text as it was enacted: its status (adopted, temporary, proposed, reconstructed) and source.

    `until` is the first day on which it no longer held, where the text itself ends.
    """

    status: Sentence
    source: Sentence
    until: date | None = None


class WagerLaw(Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """A wager the text knows, since when, and the option under which a house offers it."""

    since: date
    cite: Name
    offered_with: Name | None = None


class OptionLaw(Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """A choice that the text leaves to the house: its default and the values it admits.

    If the values depend on the number of decks, or on the choice for another option, `by` names that and
    `values_by` lists them for each; the first of each is the default. If each of several figures has a least,
    `least_by` has them by their names for each number of decks; those are the default. A `whole` one is a
    whole number of cents or the like, or null if that is the default.
    """

    since: date
    cite: Name
    default: Any = None
    values: list[Any] | None = None
    by: Name = DECKS
    values_by: dict[int | str, list[Any]] | None = None
    least_by: dict[int, dict[Name, int]] | None = None
    at_least: int | None = None
    above: int | None = None
    at_most: int | None = None
    whole: bool = False

    @property
    def hangs_on(self) -> bool:
        """Return True if the values depend on something, `by`."""
        return self.values_by is not None or self.least_by is not None

    def listed(self, decks: int, options: Mapping[str, Any]) -> list[Any] | None:
        """Return its values with a number of decks and other options; None if none are listed."""
        if self.values_by is None:
            return self.values
        return self.values_by[decks if self.by == DECKS else options[self.by]]

    def usual(self, decks: int, options: Mapping[str, Any]) -> Any:
        """Return its value if the house chose none."""
        if self.values_by is not None:
            return (self.listed(decks, options) or [None])[0]
        if self.least_by is not None:
            return self.least_by.get(decks)
        return self.default if self.values is not None or self.whole else str(self.default)


class Span(Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """Period in which a house holds a chapter to be in force: a later start of its own, or a later end."""

    since: date | None = None
    until: date | None = None


NO_SPAN: Final = Span()


class Chapter(Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the regulations with everything it ever fixed, by date.

    `sections` are those that were printed apart from the rest of it. `elsewhere` are side wagers which a text
    that is not on file approves, as this one's cross references name it: by wager the section. `procedures`
    are duties of procedure with their figures; no money depends on them.
    """

    chapter: Name
    title: Sentence
    texts: dict[date, Printing]
    numbers: dict[Name, dict[date, Number]]
    wagers: dict[Name, WagerLaw]
    clauses: dict[Name, tuple[Name, ...]]
    options: dict[Name, OptionLaw]
    sections: dict[Name, dict[date, Printing]] = {}
    elsewhere: dict[Name, Name] = {}
    procedures: dict[Name, dict[date, Number]] = {}

    def text_on(self, day: date, span: Span = NO_SPAN) -> date:
        """Return since when the text in force on a day has stood, where a house may have a span of its own.

        Raises:
            NotInForce: the chapter had no text on that day.
        """
        first = max(min(self.texts), span.since or date.min)
        if day < first:
            raise NotInForce(f"Chapter {self.chapter} is not in force on {day}; its text begins on {first}")
        since = self.newest(day)
        until = self.texts[since].until
        if until is not None and day >= (span.until or until):
            raise NotInForce(
                f"Chapter {self.chapter} is not in force on {day}; its text ended on {span.until or until}, "
                "unless the house file holds it in force longer (in_force, until)"
            )
        return since

    def newest(self, day: date) -> date:
        """Return since when the newest text printed by a day has stood.

        Before the first one it is that one.
        """
        return _newest(self.texts, day)

    def check_offered(self, offered: Collection[str]) -> None:
        """Raise BadInput if a wager that a house offers by another text is one that this text settles."""
        for wager in offered:
            if wager in self.wagers:
                raise BadInput(
                    f"offered: Chapter {self.chapter} settles the wager {wager!r} itself "
                    f"({self.wagers[wager].cite}); leave it out, options say whether it is offered"
                )

    def numbers_on(self, day: date) -> dict[str, Number]:
        """Return the figures in force on a day; a figure that is not yet law is absent."""
        in_force = {}
        for name, dated in self.numbers.items():
            if (number := _in_force(dated, day)) is not None:
                in_force[name] = number
        return in_force

    def duty(self, name: str, day: date) -> Number | None:
        """Return a duty of procedure as it is in force on a day; None if the chapter has none."""
        return _in_force(self.procedures.get(name, {}), day)


def _in_force(dated: Mapping[date, Number], day: date) -> Number | None:
    """Return the figure in force on a day; None before the first one."""
    in_force: Number | None = None
    newest: date | None = None
    for start, number in dated.items():  # asked at each step of a day, and mostly there is one or none
        if start <= day and (newest is None or start > newest):
            in_force, newest = number, start
    return in_force


def _newest(texts: Collection[date], day: date) -> date:
    return max((start for start in texts if start <= day), default=min(texts))


def parse(text: str, where: str) -> Chapter:
    """Read a law file's text; `where` names it in messages.

    Raises:
        LawError: it is not the form of a law file, or a number stands without its citation.
    """
    try:
        law = formed(text, Chapter, where, "a law file")
    except BadInput as error:
        raise LawError(str(error)) from None
    for fault in _faults(law):
        raise LawError(f"{where}: {fault}")
    return law


def _faults(law: Chapter) -> Iterator[str]:
    """Yield what of a chapter is empty, or depends on something missing."""
    if not law.texts:
        yield "texts: there is none"
    yield from (f"numbers: {name} has no figure" for name, dated in law.numbers.items() if not dated)
    yield from (f"procedures: {name} has no figure" for name, dated in law.procedures.items() if not dated)
    yield from (f"clauses: {name} has no provision" for name, found in law.clauses.items() if not found)
    options: dict[str, Sequence[Any]] = {}
    if dated := law.numbers.get(DECKS):
        counts = dated[min(dated)].value
        if not isinstance(counts, list) or not counts or not all(type(each) is int for each in counts):
            yield f"numbers: {DECKS} lists the numbers of decks that are admitted"
        else:
            options[DECKS] = counts
    for name, option in law.options.items():
        yield from (f"options: {name} {fault}" for fault in _faults_of_option(option, options))
        if option.values is not None:
            options[name] = option.values


def _faults_of_option(option: OptionLaw, options: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Yield what is wrong with the values of an option; `options` are those of what stands before it."""
    if option.values_by is not None:
        if option.by not in options:
            yield f"hangs on {option.by}, of which no values stand before it"
        # Compared with a list: what a person wrote as a value may be anything.
        lacking = [each for each in options.get(option.by, ()) if each not in [*option.values_by]]
        if lacking:
            yield f"has no values for {option.by} {lacking[0]}"
        if not all(option.values_by.values()):
            yield f"has no value for some {option.by}"
    elif option.values is not None and option.default not in option.values:
        yield "has a default that is not among its values"


class LawLine(Struct, frozen=True, forbid_unknown_fields=True, rename={"when": "if"}):
    """A line of a pay table by law: its name, when it holds, and the odds by the letter of the paytable."""

    name: Name
    when: Condition
    pays: dict[Name, Name] = {}


class SideWagerLaw(Struct, frozen=True, forbid_unknown_fields=True):
    """A section that approves side wagers beside some chapters, and their lines by the wagers' names.

    Where its odds are not on file, the house gives them by the names of the lines. `only_beside` is the
    provision by which only a player who has a wager of the chapter may make them.
    """

    section: Name
    title: Sentence
    chapters: tuple[Name, ...]
    texts: dict[date, Printing]
    wagers: dict[Name, tuple[LawLine, ...]]
    only_beside: Name | None = None

    def letters(self, wager: str) -> list[str]:
        """Return the letters of a wager's paytables; none where its odds are not on file."""
        return list(self.wagers[wager][0].pays)


@cache
def side_wager_laws() -> dict[str, SideWagerLaw]:
    """Return the sections on file that approve side wagers.

    >>> [(each.title, each.chapters) for each in side_wager_laws().values()]
    [('Perfect Pairs', ('629a',)), ('Golden Talons', ('631a',))]

    Raises:
        BadInput: a file is not of its form.
    """
    paths = sorted(_SIDE_WAGERS.glob("*.yaml"))
    return {path.stem: read(path, SideWagerLaw, "a law file of side wagers") for path in paths}


def chapters() -> list[str]:
    """Return the chapters whose numbers are on file: our own, then those of plugins."""
    return [*_own_chapters(), *plugin_chapters()]


def _own_chapters() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml") if "_" not in path.stem)


@cache
def is_on_file(provision: str) -> bool:
    """Return True if the text of a provision is on file; that of a house's own citation need not be.

    >>> is_on_file("631a.8(a)"), is_on_file("631b.1"), is_on_file("631b.9(f)")
    (True, False, True)
    """
    return _section(provision) in side_wager_laws() or provision.partition(".")[0] in chapters()


def _section(provision: str) -> str:
    return provision.partition("(")[0]


@cache
def plugin_chapters() -> Mapping[str, Chapter]:
    """Return the chapters of plugins' games, from the `law.yaml` beside each; one at fault is left out."""
    found = {}
    for name, plugin in plugins(GAMES).items():
        try:
            path = plugin.folder() / PLUGIN_LAW
            law = parse(path.read_text(encoding="utf-8"), str(path))
        except (BadInput, LawError, OSError, UnicodeDecodeError) as error:
            plugin.leave_out(error)
            continue
        if law.chapter == name:
            found[name] = law
        else:
            plugin.leave_out(f"{path} is of Chapter {law.chapter}")
    return found


def digest() -> str:
    """Return the SHA-256 of our own law files' figures, each by name and content; 64 hexadecimal digits."""
    found = hashlib.sha256()
    own = [FOLDER / f"{number}.yaml" for number in _own_chapters()]
    for path in (*own, *sorted(_SIDE_WAGERS.glob("*.yaml"))):
        found.update(f"{path.stem} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


@cache
def chapter(number: str) -> Chapter:
    """Load one chapter.

    Raises:
        LawError: there is no such file, or it is at fault.
    """
    path = FOLDER / f"{number}.yaml"
    if number not in _own_chapters():
        if (law := plugin_chapters().get(number)) is not None:
            return law
        raise LawError(f"there is no law file for Chapter {number}; on file are {', '.join(chapters())}")
    return parse(path.read_text(encoding="utf-8"), str(path))


def text_of(provision: str, day: date) -> tuple[date, Printing]:
    """Return the text that a provision has on a day, and since when; before the first text it is that one.

    >>> text_of("465a.36(b)", date(2025, 5, 1))[0], text_of("465a.6(c)(2)", date(2025, 5, 1))[0]
    (datetime.date(2012, 5, 12), datetime.date(2013, 2, 9))
    """
    section = _section(provision)
    if (approves := side_wager_laws().get(section)) is not None:
        texts = approves.texts
    else:
        law = chapter(provision.partition(".")[0])
        texts = law.sections.get(section, law.texts)
    since = _newest(texts, day)
    return since, texts[since]


def status_of(provision: str, day: date) -> str:
    """Return what the text of a provision is worth on a day: adopted, temporary, proposed or reconstructed.

    On a day before the first text it is that text's status, because such a day is judged by it.

    >>> status_of("631a.13(c)", date(2013, 5, 1)), status_of("631a.13(c)", date(2025, 5, 1))
    ('reconstructed', 'adopted')
    """
    return text_of(provision, day)[1].status


NOT_ON_FILE: Final = "not on file"
STATUSES: Final[Mapping[str, str]] = {
    "adopted": "in force as adopted",
    "temporary": "in force as a temporary regulation",
    "proposed": "printed as proposed; taken to hold from its printing",
    "reconstructed": "an earlier text, reconstructed from the later one and its history notes",
    "house control": "the house's own internal control, or plain bookkeeping",
    NOT_ON_FILE: "a text that is cited and is not among those on file here",
}
