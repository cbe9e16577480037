"""The rulebooks of one table, the words that its game knows, and faults of its house file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from projections.engine.facts import fact
from projections.engine.game import Game, fault_of
from projections.engine.games import game_of, played_chapters
from projections.engine.observation import Doubt, Round
from projections.engine.procedures.posts import floor_duty
from schemas.errors import BadInput
from schemas.events import Source
from schemas.house import House, Submission, TableSetup, UnreadTable
from schemas.law_text import DECKS, chapter
from schemas.near_names import nearest_name
from schemas.rulebook import Rulebook, refused, rulebook
from schemas.side_wager_law import faults_of
from schemas.side_wagers import SideWager
from schemas.values import CARDS

# ── The rulebooks of one table: the text of a day with what the house chose for the table ─────────────


class Books:
    """Composes a table's rulebooks, and keeps the one that was asked for last."""

    def __init__(self, table: str, house: House) -> None:
        self._table, self._house, self._setup = table, house, house.tables[table]
        self._last: tuple[date, dict[str, Any] | None, Rulebook] | None = None
        self._submitted_on: tuple[date, bool] = (date.min, False)

    def book(self, day: date, changed: dict[str, Any] | None) -> Rulebook:
        """Compose the rulebook of a day: the house's submission, or the change of rules that replaced it.

        Raises:
            BadInput: a change of rules that the law does not admit.
            NotInForce: the chapter had no text on the day.
        """
        if self._last is None or self._last[0] != day or self._last[1] is not changed:
            chosen = changed
            if chosen is None:
                chosen = self._house.options(self._setup.chapter, self._table, day)
            self._last = (day, changed, self.composed(day, chosen))
        return self._last[2]

    def composed(self, day: date, options: Mapping[str, Any]) -> Rulebook:
        """Compose the rulebook of a day with these options.

        Raises:
            BadInput: an option that the law does not admit.
            NotInForce: the chapter had no text on the day.
        """
        chapter = self._setup.chapter
        offered = self._house.offered(chapter, self._table, day)
        return rulebook(chapter, day, options, self._setup.decks, self._house.span(chapter), offered)

    def submitted(self, day: date) -> bool:
        """Return True if a Rules Submission for the table was in force on a day."""
        if self._submitted_on[0] != day:
            self._submitted_on = (day, self._house.submitted(self._setup.chapter, self._table, day))
        return self._submitted_on[1]


# ── What of a house file is at fault: for each table by itself, so that no other table suffers from it ────


class Mistake(Struct, frozen=True):
    """A mistake of a house file.

    `path` leads to it: names, and numbers in lists from 0. `submission` is the first day of the submission
    that contains it, `suggestion` a name that may have been meant. Until it is corrected its table is not
    audited, unless the mistake is `harmless`: then only some part of what is read or chosen has no effect.
    """

    path: tuple[str | int, ...]
    message: str
    table: str | None = None
    submission: date | None = None
    suggestion: str | None = None
    harmless: bool = False

    @property
    def leaves_out(self) -> bool:
        """Return True if the table is not audited while the mistake stands."""
        return self.table is not None and not self.harmless

    def describe(self) -> str:
        """Return one line without the file: the submission, the mistake, and the name that may be meant."""
        by = f"submission from {self.submission}: " if self.submission is not None else ""
        return f"{by}{self.message}" + (
            f"; did you mean {self.suggestion}?" if self.suggestion is not None else ""
        )


def mistakes(house: House) -> list[Mistake]:
    """Find every mistake of a house file: those of its tables in their order, then the others."""
    found = [
        each
        for table in house.tables
        for each in (
            *of_table(table, house),
            *_of_game(table, house),
            *_of_devices(table, house),
            *_of_absent_rules(table, house),
        )
    ]
    return [*found, *_of_submissions(house, found)]


def left_out(house: House) -> dict[str, str]:
    """Return which tables cannot be audited, and why."""
    reasons = {table: "; ".join(each.describe() for each in of_table(table, house)) for table in house.tables}
    return {table: reason for table, reason in reasons.items() if reason}


def of_table(table: str, house: House) -> list[Mistake]:
    """Find the mistakes for which a table cannot be audited, whatever the day.

    What is chosen is tried on each day from which a submission for the table holds, with all that holds then.
    """
    setup, path = house.tables[table], ("tables", table)
    if isinstance(setup, UnreadTable):
        return [Mistake(each.path, each.message, table, suggestion=each.near) for each in setup.faults]
    try:
        game_of(setup.chapter)
    except BadInput as error:
        nearest = nearest_name(setup.chapter, played_chapters())
        found = [Mistake((*path, "chapter"), str(error), table, suggestion=nearest)]
    else:
        found = list(_of_choices(table, setup, house))
    sources = Counter(setup.sources.values())
    if "terminal" not in sources:
        message = "the house file names no terminal; one is needed"
        found.insert(0, Mistake((*path, "sources"), message, table))
    for source, devices in sources.items():
        if devices > 1:
            last = [device for device, read in setup.sources.items() if read == source][-1]
            message = f"the house file names two devices of one source, {source}; one is read"
            found.append(Mistake((*path, "sources", last), message, table))
    return found


def _of_choices(table: str, setup: TableSetup, house: House) -> Iterator[Mistake]:
    """Find what a table's chapter does not admit of its decks and of what was submitted for it."""
    days = {each.since for each in house.submissions if _is_for(each, table, setup)}
    reported: set[tuple[tuple[str | int, ...], str]] = set()
    for day in sorted({date.max, *days}):
        in_effect = house.in_effect(setup.chapter, table, day)
        found = list(_of_offered(table, house, in_effect))
        for each in refused(setup.chapter, day, house.options(setup.chapter, table, day), setup.decks):
            by = next((by for by in reversed(in_effect) if each.option in by.options), None)
            if by is None or each.option is None:
                found.append(Mistake(("tables", table, DECKS), each.why, table))
            else:
                path = ("submissions", _number(by, house), "options", each.option)
                found.append(Mistake(path, each.why, table, by.since, each.near))
        for mistake in found:
            if (mistake.path, mistake.message) not in reported:
                reported.add((mistake.path, mistake.message))
                yield mistake


def _of_offered(table: str, house: House, in_effect: Iterable[Submission]) -> Iterator[Mistake]:
    """Find wagers offered by another text that the chapter settles by its own, and faults of pay tables."""
    for by in in_effect:
        for wager, text in by.offered.items():
            path = ("submissions", _number(by, house), "offered", wager)
            try:
                chapter(by.chapter).check_offered([wager])
            except BadInput as error:
                yield Mistake(path, str(error), table, by.since)
            for place, why, meant in pay_table_faults(text, wager, by.chapter):
                yield Mistake((*path, *place), why, table, by.since, meant)


def pay_table_faults(
    offered: str | SideWager, wager: str, number: str
) -> Iterator[tuple[tuple[str | int, ...], str, str | None]]:
    """Yield what of a side wager's pay table is at fault: the place in it, why, and what may be meant."""
    if isinstance(offered, SideWager):
        yield from faults_of(offered, wager, number, game_of(number).side_parts)


def _number(submission: Submission, house: House) -> int:
    return next(n for n, other in enumerate(house.submissions) if other is submission)


def _is_for(submission: Submission, table: str, setup: TableSetup) -> bool:
    return submission.chapter == setup.chapter and (submission.tables is None or table in submission.tables)


def _of_devices(table: str, house: House) -> Iterator[Mistake]:
    """Find the devices of a table that cannot report from it, or are another's."""
    setup = house.tables[table]
    for device, source in setup.sources.items():
        path = ("tables", table, "sources", device)
        for other, other_setup in house.tables.items():
            if other == table:
                break
            if device in other_setup.sources:
                message = f"device {device} is named at table {other} too; it stands at one"
                yield Mistake(path, message, table, harmless=True)
        if setup.chapter in played_chapters() and (lacks := _lacks(setup.chapter, source)) is not None:
            message = f"{device}: Chapter {setup.chapter} is played without {lacks}, which a {source} reads"
            yield Mistake(path, message, table, harmless=True)


def _of_game(table: str, house: House) -> Iterator[Mistake]:
    """Find a game that the chapter of a table does not have."""
    setup = house.tables[table]
    chapter_of = floor_duty("games_beside", date.max)
    if (
        setup.game is not None
        and chapter_of is not None
        and chapter_of.value.get(setup.game) != setup.chapter
    ):
        message = f"{setup.game} is no game of Chapter {setup.chapter}"
        yield Mistake(("tables", table, "game"), message, table, harmless=True)


def _of_absent_rules(table: str, house: House) -> Iterator[Mistake]:
    """Find a table for which nothing is submitted, or not from the day on which the house began its game."""
    setup = house.tables[table]
    if isinstance(setup, UnreadTable) or setup.chapter not in played_chapters():
        return
    days = [each.since for each in house.submissions if _is_for(each, table, setup)]
    began = house.span(setup.chapter).since
    if not days:
        message = (
            f"no Rules Submission for Chapter {setup.chapter} is for the table; its rounds are undetermined"
        )
        yield Mistake(("tables", table), message, table, harmless=True)
    elif began is not None and began < min(days):
        message = (
            f"no Rules Submission for Chapter {setup.chapter} is for the table before {min(days)}; "
            f"its rounds from {began} are undetermined"
        )
        yield Mistake(("tables", table), message, table, harmless=True)


def _lacks(number: str, source: Source) -> str | None:
    """Return what a source reads that a chapter is played without."""
    if source in ("shoe", "reader") and DECKS not in chapter(number).numbers:
        return "cards"
    return source if source in ("tiles", "dice") and source not in game_of(number).reads else None


def _of_submissions(house: House, found: Iterable[Mistake]) -> Iterator[Mistake]:
    """Yield submissions for no table, and contradicting submissions of one day."""
    reported = {each.path for each in found}
    for n, each in enumerate(house.submissions):
        path = ("submissions", n)
        if each.chapter not in played_chapters():
            message = f"unknown chapter {each.chapter!r}; this software knows {', '.join(played_chapters())}"
            nearest = nearest_name(each.chapter, played_chapters())
            yield Mistake((*path, "chapter"), message, None, each.since, nearest, harmless=True)
            continue
        for m, table in enumerate(each.tables or ()):
            at = (*path, "tables", m)
            if table not in house.tables:
                message, nearest = f"there is no table {table!r}", nearest_name(table, house.tables)
                yield Mistake(at, message, table, each.since, nearest, harmless=True)
            elif house.tables[table].chapter != each.chapter:
                message = f"table {table} plays Chapter {house.tables[table].chapter}, not {each.chapter}"
                yield Mistake(at, message, table, each.since, harmless=True)
        for wrong in refused(each.chapter, each.since, each.options):
            chosen = (*path, "options", str(wrong.option))
            if chosen not in reported and wrong.option is not None and not _is_played(each, house):
                yield Mistake(chosen, wrong.why, None, each.since, wrong.near, harmless=True)
    yield from _twice(house)


def _is_played(submission: Submission, house: House) -> bool:
    """Return True if a submission is for a table that there is."""
    return any(_is_for(submission, table, setup) for table, setup in house.tables.items())


def _twice(house: House) -> Iterator[Mistake]:
    """Find submissions of one day for one table, or for all, that choose otherwise: the first one holds."""
    for table in (None, *house.tables):
        own = [
            (each.chapter, each.since, n)
            for n, each in enumerate(house.submissions)
            if (each.tables is None if table is None else table in (each.tables or ()))
        ]
        for (*first, m), (*second, n) in pairwise(sorted(own)):
            if first == second and house.submissions[m].options != house.submissions[n].options:
                since = house.submissions[n].since
                message = f"another submission from {since} chooses otherwise, and stands before it"
                yield Mistake(("submissions", n), message, table, since, harmless=True)


# ── What a round contains that its game cannot mean ───────────────────────────────────────────────────


NO_RULES: Final = Doubt("data_missing", "all", fact("audit.no_rules_submission"))


def doubt_words(observed: Round, game: Game, terminal: str, *, submitted: bool) -> None:
    """Add doubts about words that the game does not have, and about a round without a submission.

    `submitted` is true if a Rules Submission of the house is in force for the table. A result that the game
    does not have counts as not announced.
    """
    if observed.announced is not None and observed.announced not in game.calls:
        unknown = fact("audit.no_such_result", announced=observed.announced)
        observed.doubts.append(Doubt("data_missing", "call", unknown, (terminal,)))
        observed.announced = None
    observed.doubts += game.doubts(observed)
    for who, what in observed.play:
        if (fault := fault_of(game, who, what)) is not None:
            wrong = (
                fact("audit.no_such_hand", at=who)
                if what in CARDS
                else fact("audit.no_such_act", fault=fault)
            )
            observed.doubts.append(Doubt("data_missing", "cards", wrong))
            break
    if not submitted:
        observed.doubts.append(NO_RULES)
