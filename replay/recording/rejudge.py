"""A round as it was observed, judged under its own rulebook and under another, and the differences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, TypeAlias

import yaml
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.judge import check_context, conclude_round, heaviest, not_in_force
from projections.engine.audit.restitution import (
    DifferenceSum,
    DifferenceTally,
    Effect,
    WagerDifference,
    net,
    stake_of,
)
from projections.engine.check_context import RoundCase
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.engine.games import REGISTRY
from projections.engine.observation import Key, Round
from projections.views.text import text
from replay.lists.writers import Form, Row, write_rows
from replay.recording.judged_rounds import JudgedRound
from replay.recording.seated_rounds import SeatedRound
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.law_text import chapter as law_of
from schemas.near_names import nearest_names
from schemas.rulebook import Rulebook, rulebook
from schemas.values import dollars

# chapter -> option -> value
Choices: TypeAlias = Mapping[str, Mapping[str, Any]]


class OtherRules(Struct, frozen=True):
    """Overrides: the house whose choices count, single options by chapter, the date of the text."""

    house: House | None = None
    choices: Choices = {}
    as_of: date | None = None

    def book(self, each: JudgedRound, observed: Round) -> Rulebook | str:
        """Compose the other rulebook of a round; a sentence where no text would have been in force.

        What is not otherwise stays as it was in the round, the number of decks too: they were dealt.

        Raises:
            BadInput: an option or a value that the round's chapter does not admit.
        """
        number = each.conclusion.chapter
        day = self.as_of or observed.day
        own = self.house or each.house
        options = (
            own.options(number, observed.table, day) if self.house is not None else _options(each, observed)
        )
        if each.book is not None:
            decks = each.book.decks or None
        else:
            decks = own.tables[observed.table].decks if observed.table in own.tables else None
        if each.book is not None and self.house is None:
            offered = each.book.offered
        else:
            offered = own.offered(number, observed.table, day)
        chosen = {**options, **self.choices.get(number, {})}
        try:
            return rulebook(number, day, chosen, decks, own.span(number), offered)
        except NotInForce as error:
            return str(error)
        except BadInput as error:
            raise BadInput(
                f"table {observed.table}, round {observed.number} of {observed.day}: {error}"
            ) from None


def _options(each: JudgedRound, observed: Round) -> dict[str, Any]:
    """Return the options of a round, those too that the house chose before the text had them."""
    chosen = each.house.options(each.conclusion.chapter, observed.table, observed.day)
    if each.book is None:
        return chosen
    early = {name: chosen[name] for name in each.book.not_yet_law if name in chosen}
    return each.book.options | early


def choices_of(options: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Parse options from the command line.

    >>> choices_of(["631a.tie_odds=9", "baccarat.dragon_bonus=B"])
    {'631a': {'tie_odds': 9, 'dragon_bonus': 'B'}}

    Without a chapter an option counts in every chapter that has it.

    Raises:
        BadInput: it is not CHAPTER.OPTION=VALUE, or there is no such chapter or option.
    """
    choices: dict[str, dict[str, Any]] = {}
    for each in options:
        chapters, option, value = choice_of(each)
        for number in chapters:
            choices.setdefault(number, {})[option] = value
    return choices


def choice_of(choice: str) -> tuple[list[str], str, Any]:
    """Read one option and its value, with the chapters that it is of; a value is written as in a house file.

    >>> choice_of("631a.vigorish=5%")
    (['631a'], 'vigorish', '5%')

    Raises:
        BadInput: it is not CHAPTER.OPTION=VALUE, or there is no such chapter or option.
    """
    name, equals, text = choice.partition("=")
    if not equals or not name or not text:
        raise BadInput(f"{choice!r}: write CHAPTER.OPTION=VALUE, such as 631a.tie_odds=9")
    before, dot, option = name.rpartition(".")
    chapters = [chapter_of(before)] if dot else list(REGISTRY)
    options = {option for number in chapters for option in law_of(number).options}
    if option not in options:
        of = f"Chapter {chapters[0]}" if dot else "any chapter"
        raise BadInput(f"no option {option!r} in {of}{nearest_names(option, options)}")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise BadInput(f"{choice!r}: the value is written as in a house file: 9, true, null, A, 5%") from None
    return [number for number in chapters if option in law_of(number).options], option, value


def chapter_of(name: str) -> str:
    """Find a chapter by its number or by what people call its game.

    >>> chapter_of("631a"), chapter_of("baccarat")
    ('631a', '631a')

    Raises:
        BadInput: there is none.
    """
    for number, each in REGISTRY.items():
        if name in (number, each.called):
            return number
    names = {*REGISTRY, *(each.called for each in REGISTRY.values())}
    raise BadInput(f"no game {name!r}{nearest_names(name, names)}")


# ── A round as it was observed, under its own rulebook and under another: the wagers that differ ─────────
# The cards are taken as they were dealt. If the other rules would have required another card or another act,
# the hand would have gone differently, and its result is not derived.

_NOT_OTHERWISE: Final = frozenset({"card_not_in_deck"})  # what only the shoe's history shows


def rejudge(observed: Round, now: Rulebook | None, other: Rulebook | str) -> list[WagerDifference]:
    """Weigh each wager of a round under two rulebooks; those that come to the same are left out.

    `now` is None if no text was in force, `other` a sentence where none would have been. The effects are
    `changed`, `unplayable` (the wager would not have been allowed), `plays_otherwise` (the hand would not
    have been dealt like that) and `not_known` (what is owed is left open on either side).
    """
    if now is not None and not isinstance(other, str) and now.digest == other.digest:
        return []
    before = check_context(observed, now) if now is not None else None
    if isinstance(other, str):
        return [
            _share(observed, key, "unplayable", _sums(before, key), message=other) for key in observed.wagers
        ]
    after = check_context(observed, other)
    differs = _plays_otherwise(before, after)
    keys = dict.fromkeys((*(before.ruled.owed if before is not None else ()), *after.ruled.owed))
    return [each for key in keys for each in _weighed(observed, key, before, after, differs)]


def _weighed(
    observed: Round, key: Key, before: RoundCase | None, after: RoundCase, differs: str
) -> Iterator[WagerDifference]:
    was, becomes = _sums(before, key), _sums(after, key)
    fault = after.improper.get(key)
    if fault is not None and (before is None or key not in before.improper):
        yield _share(
            observed, key, "unplayable", was, message=f"{text(fault.message)} ({', '.join(fault.cites)})"
        )
    elif before is not None and before.owed(key).pending and after.owed(key).pending:
        return
    elif differs:
        yield _share(observed, key, "plays_otherwise", was, message=differs)
    elif was is None or becomes is None:
        sides = (
            side for side, sums in (("on record", was), ("under the other rules", becomes)) if sums is None
        )
        message = f"what is owed is not known {' and '.join(sides)}"
        yield _share(observed, key, "not_known", was, becomes, message=message)
    elif was != becomes:
        yield _share(observed, key, "changed", was, becomes, message=_change(was, becomes))


def _sums(case: RoundCase | None, key: Key) -> tuple[int, int] | None:
    """Return a wager's gain and vigorish; None if either is open. Nothing due on a missing wager is zero."""
    if case is None:
        return None
    owed = case.ruled.owed.get(key)
    if owed is None:
        return (0, 0)
    if owed.cents is None or owed.vigorish_cents is None:
        return None
    return owed.cents, owed.vigorish_cents


def _share(
    observed: Round,
    key: Key,
    effect: Effect,
    was: tuple[int, int] | None = None,
    becomes: tuple[int, int] | None = None,
    message: str = "",
) -> WagerDifference:
    return WagerDifference(
        key=key,
        effect=effect,
        stake=stake_of(observed, key),
        was=net(*was) if was is not None else None,
        becomes=net(*becomes) if becomes is not None else None,
        reason=message,
    )


def _change(was: tuple[int, int], becomes: tuple[int, int]) -> str:
    """Return which of the two changed.

    >>> _change((800, 0), (900, 0)), _change((2000, 100), (2000, 0))
    ('gain', 'vigorish')
    """
    names = zip(("gain", "vigorish"), was, becomes, strict=True)
    return " and ".join(name for name, one, other in names if one != other)


def _plays_otherwise(before: RoundCase | None, after: RoundCase) -> str:
    """Return an objection that only the other rules have to the play; empty if none."""
    if before is None:
        return ""
    defects = {(defect.check, defect.who, defect.seat, defect.message) for defect in before.ruled.defects}
    changes = (
        f"{text(defect.message)} ({', '.join(defect.cites)})"
        for defect in after.ruled.defects
        if (defect.check, defect.who, defect.seat, defect.message) not in defects
    )
    return next(changes, "")


def conclude_under(conclusion: Conclusion, observed: Round, other: Rulebook | str) -> Conclusion:
    """Conclude a round under another rulebook, or under none.

    What only the shoe's history shows stays as it was concluded: no rulebook changes what was dealt.
    """
    if isinstance(other, str):
        return not_in_force(observed, conclusion.chapter, other)
    fresh = conclude_round(check_context(observed, other))
    # A tile too many of a set is found in its round, and is found again.
    again = {finding.id for finding in fresh.findings}
    of_shoe = tuple(finding for finding in _of_shoe(conclusion) if finding.id not in again)
    weights = (finding.weight for finding in of_shoe)
    verdict = heaviest((fresh.verdict, *weights))
    return replace(fresh, findings=(*of_shoe, *fresh.findings), verdict=verdict)


def _of_shoe(conclusion: Conclusion) -> tuple[Finding, ...]:
    return tuple(finding for finding in conclusion.findings if finding.check in _NOT_OTHERWISE)


# ── Wagers that came out otherwise, and their sums, as the rows of a list ─────────────────────────────

_CENTS: Final = "_cents"
_UNKNOWN: Final = "not known"
# What a column holds: the sum as it was, and what it becomes, are named by the verb.
_HEAD: Final = (
    "kind", "gaming_date", "table", "round", "shoe", "dealer", "seat", "bettor", "patron", "renamed", "wager",
    "hand", "effect", "rounds", "hands", "stake_cents",
)  # fmt: skip
_TAIL: Final = ("difference_cents", "to_patron_cents", "to_house_cents", "says")


class EffectRows:
    """Turns affected rounds into rows and keeps their sums, which are rows of their own at the end.

    `was` and `becomes` name the two columns of money that are compared with each other.
    """

    def __init__(self, was: str, becomes: str) -> None:
        self.columns = (*_HEAD, was, becomes, *_TAIL)
        self._was, self._becomes = was, becomes
        self._tally = DifferenceTally()

    def line(self, kind: str, **cells: object) -> Row:
        """Return a row of the list; columns that are not named stay empty."""
        return {column: cells.get(column) for column in self.columns} | {"kind": kind}

    def round_rows(
        self,
        each: SeatedRound,
        portions: Sequence[WagerDifference],
        idle: Effect | None = None,
        message: str = "",
    ) -> Iterator[Row]:
        """Yield a row of the round and one for each of its wagers, and add them to the sums.

        A round without wagers has the effect `idle`.
        """
        observed = each.seen
        about, patrons = _about(observed), each.patrons()
        total = DifferenceSum()
        total.add(portions)
        effects = dict.fromkeys(share.effect for share in portions) if portions else [idle or ""]
        yield self.line("round", **about, effect=", ".join(effects), says=message, **self._sums(total))
        for share in portions:
            yield self.line(
                "wager",
                **about,
                seat=share.key.seat,
                bettor=share.key.bettor,
                patron=patrons.get(share.key),
                renamed=each.correction_of(share.key),
                wager=share.key.wager,
                hand=share.key.hand,
                effect=share.effect,
                stake_cents=share.stake,
                difference_cents=share.difference,
                says=share.reason,
                **{self._was: share.was, self._becomes: share.becomes},
            )
        names = {"dealer": observed.dealer or "", "table": observed.table}
        self._tally.add(portions, names, patrons, idle)

    def sum_rows(self) -> Iterator[Row]:
        """Yield the sums by patron, dealer and table, and in total; after all rounds."""
        for by, name, effect, total in self._tally.lines():
            cells: dict[str, object] = {} if by == "total" else {by: name or _UNKNOWN}
            yield self.line(by, **cells, effect=effect or "all", **self._sums(total))

    def _sums(self, total: DifferenceSum) -> dict[str, object]:
        all_known = total.known_wagers > 0
        return {
            "rounds": total.rounds,
            "hands": total.hands,
            "stake_cents": total.stake,
            self._was: total.was,
            self._becomes: total.becomes,
            "difference_cents": total.difference,
            "to_patron_cents": total.to_patron if all_known else None,
            "to_house_cents": total.to_house if all_known else None,
        }


def _about(observed: Round) -> dict[str, object]:
    return {
        "gaming_date": str(observed.day),
        "table": observed.table,
        "round": observed.number,
        "shoe": observed.shoe,
        "dealer": observed.dealer,
    }


def write_money(rows: Iterable[Row], form: Form, columns: Sequence[str]) -> None:
    """Print rows as `write_rows` does; cents are written as dollars where people read them."""
    if form != "table":
        write_rows(rows, form, columns)
        return
    head = [column.removesuffix(_CENTS) for column in columns]
    write_rows((_for_people(row) for row in rows), form, head)


def _for_people(row: Row) -> Row:
    """Write the cents of a row as dollars.

    >>> _for_people({"round": "17", "owed_cents": -2500, "paid_cents": None})
    {'round': '17', 'owed': '-$25.00', 'paid': None}
    """
    return {
        name.removesuffix(_CENTS): dollars(cell) if name.endswith(_CENTS) and isinstance(cell, int) else cell
        for name, cell in row.items()
    }
