"""A proposal of a mapping for an export of baccarat rounds, by its columns' names and what stands there.

It is a beginning for a person to read over: what was recognised by its name alone may mean something else.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import yaml

from replay.adaptors.played_rounds import Money, card_of
from replay.adaptors.rows import Form, Layout, Row, Span, read_rows
from schemas.errors import BadInput

_SAMPLE: Final = 200  # rows that are looked at
_HEADS: Final = {
    "table": r"(table|tbl)(id|no|name|number)?",
    "round": r"(round|hand|game|coup)(id|no|number)?",
    "shoe": r"shoe(id|no|number)?",
    "dealer": r"dealer(id|name)?",
    "decks": r"(number)?decks",
    "announced": r"(site)?(winner|result|outcome)",
}
_TIME: Final = (
    r"(dealt|played|start|game|hand|round)?(at|time|datetime|timestamp|date|start|started)(?P<zone>utc|gmt)?"
)
_POINTS: Final = r"(?P<hand>p|player|b|banker)s?(total|points|score|count)"
_CARD: Final = r"(?P<hand>p|player|b|banker)s?(card|c)?(?P<place>[123])"
_CARDS: Final = r"(?P<hand>p|player|b|banker)s?(cards|hand)"
_WAGER: Final = (
    r"((seat|s|box|spot)(?P<seat>\d+))?(?P<wager>player|banker|tie)(?P<what>|bet|wager|stake|amount|"
    r"gain|net|win|won|paid|payout|returned|return|commission|vigorish|vig)"
)
# Of a row that has one wager, whichever it is.
_ROW_WAGER: Final = {
    "seat": r"(bet|wager)?(seat|box|position)(no|number)?",
    "wager": r"(bet|wager)(spot|type|name|on)",
    "amount": r"(bet|wager|stake)?amount|bet|wager|stake",
    "gain": r"(win|won)loss|net(win)?|gain",
    "returned": r"payout|paid|returned?",
    "vigorish": r"commission|vig(orish)?",
}
_GAINS: Final = ("gain", "net")
_RETURNS: Final = ("win", "won", "paid", "payout", "returned", "return")
_VIGORISH: Final = ("commission", "vigorish", "vig")
_HANDS: Final = {
    "p": "player",
    "player": "player",
    "b": "banker",
    "banker": "banker",
    "t": "tie",
    "tie": "tie",
}
_FORMATS: Final = (
    "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M",
    "%d/%m/%Y %H:%M:%S", "%Y/%m/%d %H:%M:%S",
)  # fmt: skip
_EPOCHS: Final = {10: "seconds", 13: "milliseconds", 16: "microseconds"}


def suggest(path: Path, span: Span) -> str:
    """Return a mapping file for an export of rounds, with a comment on what is to be looked at.

    Raises:
        BadInput: the file cannot be read, has no rows, or none of its columns is known.
    """
    layout = _layout(path)
    read = (row for row in read_rows(path, layout, span) if isinstance(row, Row))
    rows = [row for row, _ in zip(read, range(_SAMPLE), strict=False)]
    if not rows:
        raise BadInput(f"{path}: no rows to go by")
    columns = [*rows[0].fields]
    samples = {
        name: [row.fields[name] for row in rows if row.fields.get(name) not in (None, "")] for name in columns
    }
    used: set[str] = set()
    rounds = {"chapter": "631a", **_heads(columns, samples, used)}
    rounds |= _cards(columns, samples, used)
    money = _money(columns, samples)
    if wagers := _wagers(columns, samples, used, money) or _row_wagers(columns, samples, used):
        rounds["wagers"] = wagers
        rounds |= {"money": {"decimal": money.decimal}} if money.decimal != "." else {}
    head: dict[str, Any] = {"form": layout.form, "zone": "America/New_York"}
    if layout.form == "csv" and layout.separator != ",":
        head["separator"] = layout.separator
    if (clock := _clock(columns, samples, used)) is not None:
        head["time"], is_utc = clock
        head |= {"zone": "UTC"} if is_utc else {}
    if not used:
        raise BadInput(f"{path}: none of its columns is known: {', '.join(columns)}")
    return _written({**head, "rounds": rounds}, [name for name in columns if name not in used], rounds)


def _written(mapping: Mapping[str, Any], unused: Sequence[str], rounds: Mapping[str, Any]) -> str:
    missing = [name for name in ("table", "round", "play") if name not in rounds]
    comments = [
        "# A proposal: look over the chapter, the zone, dollars or cents, and what is paid.",
        *([f"# To be filled in: {', '.join(missing)}"] if missing else []),
        *(["# To be filled in: time, the column of the time"] if "time" not in mapping else []),
        *(["# Seat 1 stands where no column names a seat."] if _is_seat_assumed(rounds) else []),
        *([f"# Columns that are not used: {', '.join(unused)}"] if unused else []),
    ]
    text: str = yaml.safe_dump(
        mapping, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110
    )
    return "\n".join([*comments, text])


def _is_seat_assumed(rounds: Mapping[str, Any]) -> bool:
    """Return True if a wager has seat 1 by no column's name."""
    wagers = rounds.get("wagers", ())
    return any(part["seat"] == 1 and not re.search(r"\d", part["amount"]["field"]) for part in wagers)


def _layout(path: Path) -> Layout:
    form: Form
    match path.suffix.lower():
        case ".xlsx":
            form = "xlsx"
        case ".parquet":
            form = "parquet"
        case ".jsonl":
            form = "jsonl"
        case ".json":
            form = "json"
        case _:
            form = "csv"
    if form != "csv":
        return Layout(form)
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            separator = csv.Sniffer().sniff(file.readline(), ",;\t|").delimiter
    except (csv.Error, OSError):
        separator = ","
    return Layout(form, separator)


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _matching(columns: Sequence[str], pattern: str) -> Iterator[tuple[str, re.Match[str]]]:
    for name in columns:
        if found := re.fullmatch(pattern, _folded(name)):
            yield name, found


def _heads(columns: Sequence[str], samples: Mapping[str, list[Any]], used: set[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for head, pattern in _HEADS.items():
        name = next((name for name, _ in _matching(columns, pattern)), None)
        if name is None:
            continue
        used.add(name)
        found[head] = {"field": name}
        if head == "announced" and (words := _words(samples[name])):
            found[head]["values"] = words
    points = {_HANDS[match["hand"]]: name for name, match in _matching(columns, _POINTS)}
    if points:
        used.update(points.values())
        found["announced_points"] = {hand: {"field": name} for hand, name in points.items()}
    return found


def _cards(columns: Sequence[str], samples: Mapping[str, list[Any]], used: set[str]) -> dict[str, Any]:
    """Return where the cards stand: a column each in the order of dealing, or a hand's in one cell."""
    single = {
        (int(match["place"]), match["hand"][0] != "p"): (name, _HANDS[match["hand"]])
        for name, match in _matching(columns, _CARD)
        if _are_cards(samples[name])
    }
    if single:
        used.update(name for name, _ in single.values())
        return {
            "play": [{"who": hand, "card": {"field": name}} for _, (name, hand) in sorted(single.items())]
        }
    several = [
        (name, _HANDS[match["hand"]], separator)
        for name, match in _matching(columns, _CARDS)
        if (separator := _separator(samples[name])) is not None
    ]
    if {hand for _, hand, _ in several} != {"player", "banker"}:
        return {}  # a round is not proposed with the cards of one hand
    used.update(name for name, _, _ in several)
    return {
        "in_turn": ["player", "banker"],
        "play": [{"who": hand, "cards": {"field": name, "split": mark}} for name, hand, mark in several],
    }


def _are_cards(values: Sequence[Any]) -> bool:
    return _are_most(values, card_of)


def _separator(values: Sequence[Any]) -> str | None:
    return next((mark for mark in (",", " ", "|", "-", "/") if _are_most(values, partial(_hand, mark))), None)


def _hand(mark: str, cell: str) -> list[str]:
    """Return the cards of a cell that has several.

    Raises:
        BadInput: the mark is not between them, or one is none.
    """
    if mark not in cell:
        raise BadInput(f"{cell!r} has no {mark!r}")
    return [card_of(each) for each in cell.split(mark)]


def _are_most(values: Sequence[Any], read: Callable[[str], object]) -> bool:
    """Return True if more than half of some cells can be read so: one may be wrong."""
    return 2 * sum(_can_read(each, read) for each in values) > len(values)


def _can_read(value: Any, read: Callable[[str], object]) -> bool:
    try:
        read(str(value))
    except BadInput:
        return False
    return True


def _money(columns: Sequence[str], samples: Mapping[str, list[Any]]) -> Money:
    """Return how sums are written: the comma is the decimal mark if most that have a mark have it there."""
    names = {name for each in (_WAGER, *_ROW_WAGER.values()) for name, _ in _matching(columns, each)}
    ends = (re.search(r"([.,])\d{1,2}\D*$", str(value)) for name in names for value in samples[name])
    marks = Counter(end[1] for end in ends if end is not None)
    return Money(decimal="," if marks[","] > marks["."] else ".")


def _wagers(
    columns: Sequence[str], samples: Mapping[str, list[Any]], used: set[str], money: Money
) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name, match in _matching(columns, _WAGER):
        if not _are_most(samples[name], money.cents):
            continue
        key = match["seat"] or "1", match["wager"]
        part = found.setdefault(key, {"seat": int(key[0]), "wager": key[1]})
        what = match["what"]
        kind = (
            "gain"
            if what in _GAINS
            else "returned"
            if what in _RETURNS
            else "vigorish"
            if what in _VIGORISH
            else "amount"
        )
        part[kind] = {"field": name}
    wagers = [part for part in found.values() if "amount" in part]
    used.update(cell["field"] for part in wagers for cell in part.values() if isinstance(cell, dict))
    return wagers


def _row_wagers(
    columns: Sequence[str], samples: Mapping[str, list[Any]], used: set[str]
) -> list[dict[str, Any]]:
    """Return the wager of a row whose columns name its seat and which it is."""
    unused = [name for name in columns if name not in used]
    part: dict[str, Any] = {}
    for key, pattern in _ROW_WAGER.items():
        name = next((name for name, _ in _matching(unused, pattern)), None)
        if name is not None:
            part[key] = {"field": name}
    if not {"seat", "wager", "amount"} <= part.keys():
        return []
    used.update(cell["field"] for cell in part.values())
    if words := _words(samples[part["wager"]["field"]]):
        part["wager"]["values"] = words
    return [part]


def _words(values: Sequence[Any]) -> dict[str, str]:
    """Return what words of an export mean, with the other two of player, banker and tie in the same letters.

    It is empty if they are those already.

    >>> _words(["P", "T", "P"]), _words(["Banker"])["Tie"], _words(["banker", "tie"])
    ({'B': 'banker', 'P': 'player', 'T': 'tie'}, 'tie', {})
    """
    words = {str(each): _HANDS.get(str(each).casefold(), str(each)) for each in values}
    if all(each == word for each, word in words.items()):
        return {}
    for written in (str.upper, str.title, str.lower):
        of_form = {
            written(each): hand for each, hand in _HANDS.items() if (len(each) == 1) is _are_letters(words)
        }
        if words.items() <= of_form.items():
            words = of_form
    return dict(sorted(words.items()))


def _are_letters(words: Iterable[str]) -> bool:
    return all(len(each) == 1 for each in words)


def _clock(
    columns: Sequence[str], samples: Mapping[str, list[Any]], used: set[str]
) -> tuple[dict[str, Any], bool] | None:
    """Return the column of the time, and whether it says that it is UTC."""
    for name, match in _matching(columns, _TIME):
        values = [str(each) for each in samples[name]]
        if values and (form := _form_of(values)) is not None:
            used.add(name)
            return {"field": name, **form}, match["zone"] is not None
    return None


def _form_of(values: Sequence[str]) -> dict[str, str] | None:
    if all(each.isdecimal() and len(each) in _EPOCHS for each in values):
        return {"unit": _EPOCHS[len(values[0])]}
    if _are_most(values, partial(_time, form=None)):
        return {}
    form = next((form for form in _FORMATS if _are_most(values, partial(_time, form=form))), None)
    return None if form is None else {"format": form}


def _time(written: str, form: str | None) -> datetime:
    """Return a time as it is written, without its zone.

    Raises:
        BadInput: it is none of that form.
    """
    try:
        return datetime.fromisoformat(written) if form is None else datetime.strptime(written, form)  # noqa: DTZ007  only whether it is one
    except ValueError:
        raise BadInput(f"{written!r} is no time") from None
