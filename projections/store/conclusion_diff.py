"""Two conclusions of one round, shoe or account held against each other, field by field."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from projections.engine.conclusion import Conclusion, ConclusionView, Expected
from projections.engine.findings import FindingView
from projections.engine.identity import canonical
from projections.engine.observation import Round
from projections.store.rows import Row, fingerprint_of, round_row, settlement_rows, wager_rows
from projections.store.stored_day import StoredRound
from projections.views.conclusion_view import conclusion_view
from projections.views.finding_text import finding_text
from schemas import values

_SPOT: Final = ("seat", "bettor", "wager", "hand")
# What only says where a row stands, and what the conclusion itself says.
_PLACE: Final = frozenset({"run", "id", "revision", "ordinal"})
_SAID: Final = frozenset(
    {
        "table_id",
        "gaming_date",
        "round",
        "shoe",
        "account",
        "lines",
        "chapter",
        "verdict",
        "outcome",
        "rulebook",
    }
)
_APART: Final = frozenset({*_PLACE, *_SAID, "digest"})
_HEAD: Final = ("chapter", "verdict", "outcome", "rulebook")


class Facts(Struct, kw_only=True):
    """A conclusion and, where it is told, what a store keeps of its round: a row, wagers, settlements.

    `texts` are its findings by their ids, each in words with what it is about. `opened` in the row is in
    microseconds UTC. It is not `sound` where a store's digest is not its own.
    """

    said: ConclusionView
    texts: dict[str, str] = {}
    row: dict[str, Any] | None = None
    wagers: list[dict[str, Any]] = []
    settlements: list[dict[str, Any]] = []
    sound: bool = True

    def digests(self) -> tuple[str, str | None]:
        """Return what the conclusion comes to, and what it comes to with its round, where that is told."""
        said = hashlib.sha256(canonical([self.said])).hexdigest()
        if self.row is None:
            return said, None
        mark = "" if self.sound else " of another digest"
        return said, fingerprint_of(self.said, self.row, self.wagers, self.settlements) + mark


class Difference(Struct, frozen=True):
    """One field that differs: what it is of, its value on either side, and the difference in cents if any.

    `what` is the kind of thing, `of` names which one. Values are as JSON has them.
    """

    what: str
    of: str
    field: str
    a: Any
    b: Any
    cents: int | None = None


def facts_of(seen: Round | None, said: Conclusion) -> Facts:
    """Put a conclusion just drawn into the form in which one from a store can be held against it."""
    row = round_row({}, seen, said)
    if (play := row.get("play")) is not None:
        row["play"] = [{"who": who, "what": what} for who, what in play]
    return _facts(said, row, wager_rows({}, seen), settlement_rows({}, seen, said))


def facts_stored(stored: StoredRound) -> Facts:
    """Put a conclusion that a store has into the same form."""
    return _facts(stored.concluded, stored.row, stored.wagers, stored.settlements, sound=stored.sound)


def _facts(
    said: Conclusion, row: Row, wagers: list[Row], settlements: list[Row], *, sound: bool = True
) -> Facts:
    return Facts(
        said=conclusion_view(said),
        texts=texts_of(said),
        row={name: value for name, value in row.items() if name not in _APART},
        wagers=[_without_place(each) for each in wagers],
        settlements=[_without_place(each) for each in settlements],
        sound=sound,
    )


def texts_of(said: Conclusion | ConclusionView) -> dict[str, str]:
    """Return the findings and notes of a conclusion in words, by their ids."""
    return {each.id: finding_text(each) for each in (*said.findings, *said.notes)}


def _without_place(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in _PLACE}


def differences(a: Facts, b: Facts) -> Iterator[Difference]:
    """Yield every field in which two conclusions about one thing differ, in a fixed order.

    What only one of the two sides tells of its rounds is not compared.
    """
    found = [*_by_field(a, b)]
    if a.sound != b.sound:
        found.append(Difference("store", "", "digest", _own(a), _own(b)))
    # The canonical form keeps the order in which wagers were made and settled.
    yield from found or [Difference("round", "", "order of wagers or settlements", None, None)]


def _by_field(a: Facts, b: Facts) -> Iterator[Difference]:
    seen = a.row is not None and b.row is not None
    one, other = dict(_parts(a, seen=seen)), dict(_parts(b, seen=seen))
    for what, of in dict.fromkeys((*one, *other)):
        before, after = one.get((what, of)), other.get((what, of))
        if before is not None and after is not None:
            for field in dict.fromkeys((*before, *after)):
                if (x := before.get(field)) != (y := after.get(field)):
                    yield Difference(what, of, field, x, y, _cents(field, x, y))
        else:
            yield from _whole(what, of, before, after, {**b.texts, **a.texts})


def _own(facts: Facts) -> str:
    return "its own" if facts.sound else "not its own"


def _cents(field: str, a: Any, b: Any) -> int | None:
    """Return the difference of a field of money, where both sides tell it.

    >>> _cents("paid_cents", 500, 700), _cents("seat", 1, 2), _cents("paid_cents", None, 700)
    (200, None, None)
    """
    is_money = field == "cents" or field.endswith("_cents")
    return b - a if is_money and isinstance(a, int) and isinstance(b, int) else None


def _whole(
    what: str, of: str, a: Row | None, b: Row | None, texts: Mapping[str, str]
) -> Iterator[Difference]:
    """Yield what one side alone has: a finding by its message, all else by its fields."""
    there = a if a is not None else b or {}
    if what in ("finding", "note"):
        sums = there.get("net_cents", there.get("variance_cents"))
        cents = None if sums is None else sums if a is None else -sums
        message = texts[there["id"]]
        yield Difference(
            what, of, "", message if a is not None else None, message if b is not None else None, cents
        )
        return
    for field, value in there.items():
        if value is not None:
            yield Difference(
                what, of, field, value if a is not None else None, value if b is not None else None
            )


def _parts(facts: Facts, *, seen: bool) -> Iterator[tuple[tuple[str, str], Row]]:
    """Take a conclusion apart into things with a name and their fields."""
    said = facts.said
    yield ("conclusion", ""), {name: getattr(said, name) for name in _HEAD}
    if seen and facts.row is not None:
        yield ("round", ""), _round(facts.row)
        yield from _spots("wager", facts.wagers)
        yield from _spots("settlement", facts.settlements)
    else:
        yield from _spots("settlement", (_owed(each) for each in said.expected))
    for what, found in (("finding", said.findings), ("note", said.notes)):
        for each in found:
            yield (what, f"{each.check} {each.id}"), _finding(each)
    for place, line in enumerate(said.lines):
        yield ("line", f"{place + 1}"), msgspec.to_builtins(line, str_keys=True)


def _round(row: Row) -> Row:
    """Write a round's row as it is shown: when it opened as a time in UTC, its play and who sat as words."""
    opened, play, seated = (row.get(name) for name in ("opened", "play", "seated"))
    return row | {
        "opened": values.moment(opened).isoformat() if opened is not None else None,
        "play": ", ".join(f"{act['who']} {act['what']}" for act in play) if play is not None else None,
        "seated": ", ".join(f"seat {each['seat']} {each['patron']}" for each in seated) if seated else None,
    }


def _spots(what: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str], Row]]:
    for row in rows:
        names = [str(row[name]) for name in _SPOT[1:] if row.get(name) is not None]
        yield (
            (what, " ".join((f"seat {row['seat']}", *names))),
            {name: value for name, value in row.items() if name not in _SPOT},
        )


def _owed(each: Expected) -> Row:
    """Write what was owed under the names that a store has for it."""
    names = {"cents": "expected_cents", "vigorish_cents": "expected_vigorish_cents"}
    return {names.get(name, name): value for name, value in asdict(each).items()}


def _finding(found: FindingView) -> Row:
    row: Row = msgspec.to_builtins(found)
    row.pop("delta_cents", None)  # of the exchange format; the sums say it
    return row


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return the key by which names with numbers are put into the order in which people count.

    >>> sorted(["10", "9", "9a", "A-2"], key=natural)
    ['9', '9a', '10', 'A-2']
    >>> sorted(["BAC-12", "BAC-9", "21-3", "BAC-9A"], key=natural)
    ['21-3', 'BAC-9', 'BAC-9A', 'BAC-12']
    """
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in re.findall(r"\d+|\D+", name))
