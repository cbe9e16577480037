"""Names of patrons and staff are masked, in whatever leaves the console by a page or a route."""

import hmac
import re
from asyncio import to_thread
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any, Final, TypeVar

import msgspec
from litestar import Response
from litestar.response import Template
from msgspec import Struct

from projections.engine.accounts.account_lines import OF_FLOORPERSONS, OF_PATRONS
from projections.engine.conclusion import Line
from projections.engine.facts import Arg, Fact, HandRef, PatronRef, StaffRef, WagerRef, replaced
from projections.engine.observation import is_name
from projections.evidence.disclosure import pattern_of
from projections.views.people import AT_SEAT, BETTORS, PEOPLE, named_people, parts_of
from projections.views.text import facts_in_words
from schemas.values import Person as Signed

# ── Names of patrons and staff are masked: the same person gets the same mask ───────────────────────────
# Fields that hold a person are replaced, and arguments of facts that are persons. In text, such as a row of a
# nightly report or a person's entry, the names known from these are replaced. A report lists with its rows
# the people that they name. Nothing else of a record is changed.

_T = TypeVar("_T")

# Fields that name no person, whatever stands there: a table may be called as a patron is.
_APART: Final = frozenset(
    {
        "id", "about", "run", "check", "weight", "severity", "status", "citations", "cite", "wager", "table",
        "concerns_table", "round", "shoe", "account", "chapter", "favours", "verdict", "outcome", "announced",
        "device", "pit", "box", "serial", "coupon", "permitted_by",
    }
)  # fmt: skip
# A mask contains its role; if the same role was typed before the name, it is not repeated.
_TWICE: Final = re.compile(r"\b(\w+) \1(?= ·[0-9a-f]{6}\b)", re.IGNORECASE)
_MASK: Final = re.compile(r"[a-z_]* ?·[0-9a-f]{6}")
_DIGITS: Final = 6  # hexadecimal, of sixteen millions


class Masking:
    """Masks names for one session; `key` makes the masks.

    `unmasked` are the records that show their names, and until when (seconds UTC). `by_route` is true once a
    route has masked a record or released one: then it answers for all that it sends.
    """

    def __init__(self, key: bytes, unmasked: Mapping[str, int] | None = None) -> None:
        self._key, self._unmasked, self.by_route = key, unmasked or {}, False

    def name(self, role: str, name: str) -> str:
        """Mask one name; a mask stays as it is.

        >>> masking = Masking(b"a key")
        >>> masking.name("patron", "anna") == masking.name("patron", "anna") != masking.name("patron", "ben")
        True
        """
        if _MASK.fullmatch(name) is not None:
            return name
        return f"{role} ·{hmac.digest(self._key, name.encode(), 'sha256').hex()[:_DIGITS]}"

    def bettor(self, text: str) -> str:
        """Mask the bettor of a shared seat if it is a name; the letter of a spot stays unchanged.

        >>> masking = Masking(b"a key")
        >>> masking.bettor("A"), masking.bettor("anna") == masking.name("patron", "anna")
        ('A', True)
        """
        return self.name("patron", text) if is_name(text) else text

    def masked(self, view: _T, subjects: Iterable[str] = (), names: Mapping[str, str] | None = None) -> _T:
        """Mask the names in a view, unless one of its subjects is unmasked.

        `names` are people who may occur in its text and in none of its fields, each with a role. A role that
        was typed before a name is not repeated.

        >>> class Said(Struct):
        ...     patron: str
        ...     claim: str
        >>> said = Masking(b"a key").masked(Said("anna", "Patron anna says; anna won"))
        >>> mask = said.patron.removeprefix("patron ")
        >>> said.claim == f"Patron {mask} says; patron {mask} won"
        True
        """
        self.by_route = True
        if self.until(subjects) is not None:
            return view
        names_known = {**(names or {}), **dict(named_people(view))}
        masked: _T = _Words(self, names_known).masked("", view)
        return masked

    def until(self, subjects: Iterable[str]) -> int | None:
        """Return until when the names of a record with these subjects are shown; None if they are masked.

        >>> Masking(b"a key", {"alert:1f": 600}).until(["alert:1f", "round:2"])
        600
        """
        return max((self._unmasked[each] for each in subjects if each in self._unmasked), default=None)

    def release(self, view: _T) -> _T:
        """Return a view as it is, whose names are for the person: the route answers for all that it sends."""
        self.by_route = True
        return view

    def is_meant(self, word: str, role: str, name: str | None) -> bool:
        """Return True if what a person typed, or chose where it was masked, is a name.

        >>> masking = Masking(b"a key")
        >>> masking.is_meant(masking.name("dealer", "D-9"), "dealer", "D-9")
        True
        """
        return name is not None and word in (name, self.name(role, name))


class _Words:
    """Replaces the names that are known of one record."""

    def __init__(self, masking: Masking, names_known: Mapping[str, str]) -> None:
        self._masking, self._known = masking, names_known
        # The longest first: one name may begin as another does.
        patterns = [pattern_of(name) for name in sorted(names_known, key=len, reverse=True)]
        self._pattern = re.compile("|".join(patterns)) if patterns else None

    def masked(self, field: str, value: Any) -> Any:
        match value:
            case str():
                return self._word(field, value)
            case Fact():
                return replaced(value, self._argument)
            case Signed():
                return msgspec.structs.replace(value, name=self._masking.name(value.role, value.name))
            case Struct():
                return self._struct(value)
            case dict():
                return {self._key(key): self.masked(str(key), each) for key, each in value.items()}
            case list() | tuple():
                parts = [self.masked(field, each) for each in value]
                value = parts if isinstance(value, list) else tuple(parts)
        return value

    def _argument(self, arg: Arg) -> Arg:
        """Mask an argument of a fact; before the name of staff its template writes the role."""
        match arg:
            case PatronRef(name):
                return PatronRef(self._masking.name("patron", name))
            case StaffRef(name, role):
                return StaffRef(self._masking.name("", name).strip(), role)
            case HandRef(hand):
                return HandRef(self._seat(hand))
            case WagerRef(seat, bettor, wager, hand):
                who = bettor and self._masking.bettor(bettor)
                return WagerRef(seat, who, wager, hand and self._seat(hand))
            case str():
                return self._text(arg)
        return arg

    def _word(self, field: str, text: str) -> str:
        if field in BETTORS:
            return self._masking.bettor(text)
        if field in PEOPLE:
            return self._masking.name(PEOPLE[field], text)
        return text if field in _APART and not text.startswith("seat") else self._text(text)

    def _key(self, key: Any) -> Any:
        return self._seat(key) if isinstance(key, str) else key

    def _struct(self, view: Struct) -> Struct:
        parts = dict(parts_of(view, ""))
        masked = {name: self.masked(name, each) for name, each in parts.items()}
        if isinstance(view, Line) and view.of is not None:
            masked["of"] = self._line_of(view.name, view.of)
        changed = {name: each for name, each in masked.items() if each is not parts[name]}
        return msgspec.structs.replace(view, **changed) if changed else view

    def _line_of(self, line: str, of: str) -> str:
        if line in OF_PATRONS:
            return self._masking.name("patron", of)
        if line in OF_FLOORPERSONS:
            return self._masking.name("floorperson", of)
        return self._seat(of) if line.startswith("vigorish_") else of

    def _seat(self, text: str) -> str:
        found = AT_SEAT.fullmatch(text)
        return f"{found[1]}{self._masking.bettor(found[2])}" if found is not None else text

    def _text(self, text: str) -> str:
        if text.startswith("seat") and AT_SEAT.fullmatch(text) is not None:
            return self._seat(text)
        if self._pattern is not None:
            text = self._pattern.sub(self._named_in, text)
        return _TWICE.sub(r"\1", text)

    def _named_in(self, found: re.Match[str]) -> str:
        name = next(name for name in (found[0], found[0].split()[-1].split("/")[-1]) if name in self._known)
        return found[0].removesuffix(name) + self._masking.name(self._known[name], name)


# ── What leaves the console is masked on its way out, whatever page or route made it: names by default ────
# A route that masks or releases records itself, as it knows which of them the person may see, answers for
# all that it sends. Of every other route, also of one that asked for `masking` and forgot it, all is masked
# that it answers with, the context of a page or the data of JSON. Streams and files are not: their routes
# have to ask. Facts stay facts until then; JSON has them in words, and templates write them where they stand.

# The guard and the answer belong to one request, and so to one task; Litestar gives no request to the hook.
MASKING: Final[ContextVar[Masking | None]] = ContextVar("MASKING", default=None)


async def mask(response: Response[Any]) -> Response[Any]:
    """Mask the names in an answer, and write the facts of JSON in words."""
    masking = MASKING.get()
    mask_asked_for = masking if masking is not None and not masking.by_route else None
    if isinstance(response, Template):
        if mask_asked_for is not None:
            response.context = await to_thread(mask_asked_for.masked, response.context)
    elif type(response) is Response and not isinstance(response.content, bytes | str):
        if mask_asked_for is not None:
            response.content = await to_thread(mask_asked_for.masked, response.content)
        response.content = await to_thread(facts_in_words, response.content)
    return response
