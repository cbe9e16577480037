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

from replay.adaptors.cells import Cell, filled_if_any, is_day
from replay.adaptors.played_rounds import Money, card_of
from replay.adaptors.rows import UTF_8, Layout, Row, Span, encoding_of, is_json, read_rows
from schemas.errors import BadInput

_MOST_LETTERS: Final = 200  # letters of columns that a message has
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
_DATE: Final = r"(dealt|played|start|game|gaming|hand|round|business)?(date|day)"
_HOUR: Final = r"(dealt|played|start|game|hand|round)?(at|time|hour|start|started)(?P<zone>utc|gmt)?"
_POINTS: Final = r"(?P<hand>p|player|b|banker)s?(total|points|score|count)"
_CARD: Final = r"(?P<hand>p|player|b|banker)s?(card|c)?(?P<place>[123])"
_CARDS: Final = r"(?P<hand>p|player|b|banker)s?(cards|hand)"
# Of both hands in one cell, the Banker's Hand's cards after the Player's.
_BOTH_HANDS: Final = r"(point)?(cards|values)?player(then|and)?banker(cards|values)?|(all)?cards"
_SEAT_VIGORISH: Final = (
    r"(seat|s|box|spot)(?P<seat>\d+)(commission|vigorish|vig)"
    r"|(commission|vigorish|vig)(seat|s|box|spot)?(?P<last>\d+)"
)
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
    "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y %H:%M", "%m/%d/%Y %I:%M %p",
    "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%Y/%m/%d %H:%M:%S",
)  # fmt: skip
_DATES: Final = ("%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%d/%m/%Y", "%Y/%m/%d", "%Y%m%d")
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
    _join_shoe(rounds, rows)
    rounds |= _cards(columns, samples, used)
    money = _money(columns, samples)
    if wagers := _wagers(columns, rows, samples, used, money) or _row_wagers(columns, samples, used):
        rounds["wagers"] = wagers
        rounds |= {"money": {"decimal": money.decimal}} if money.decimal != "." else {}
    head: dict[str, Any] = {"form": layout.form, "zone": "America/New_York"}
    if layout.form == "csv" and layout.separator != ",":
        head["separator"] = layout.separator
    if layout.encoding != UTF_8:
        head["encoding"] = layout.encoding
    if (clock := _clock(columns, rows, samples, used)) is not None:
        head["time"], is_utc = clock
        head |= {"zone": "UTC"} if is_utc else {}
    elif (day := _gaming_date(columns, samples, used)) is not None:
        head["time"], rounds["gaming_date"] = "none", day
    if not used:
        raise BadInput(f"{path}: none of its columns is known: {', '.join(columns)[:_MOST_LETTERS]}")
    return _written({**head, "rounds": rounds}, [name for name in columns if name not in used], rounds)


_NO_TIME: Final = (
    "# To be filled in: time, the column of the time. Without one: time: none, and import --gaming-day"
)
_NO_HOUR: Final = "# No column has the hour: rounds stand at noon of their gaming date."


def _written(mapping: Mapping[str, Any], unused: Sequence[str], rounds: Mapping[str, Any]) -> str:
    missing = [name for name in ("table", "round", "play") if name not in rounds]
    comments = [
        "# A proposal: look over the chapter, the zone, dollars or cents, and what is paid.",
        *([f"# To be filled in: {', '.join(missing)}"] if missing else []),
        *([_NO_TIME] if "time" not in mapping else []),
        *([_NO_HOUR] if mapping.get("time") == "none" else []),
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
    """Return the layout of a file by what it begins with.

    Raises:
        BadInput: it cannot be read.
    """
    try:
        written = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error}") from None
    if written.startswith(b"PAR1"):
        return Layout("parquet")
    if written.startswith(b"PK"):
        return Layout("xlsx")
    encoding = encoding_of(written)
    text = written.decode(encoding)
    first = text.lstrip().split("\n", 1)[0]
    if first.startswith("["):
        return Layout("json", encoding=encoding)
    if first.startswith("{"):
        return Layout("jsonl" if is_json(first) else "json", encoding=encoding)
    try:
        separator = csv.Sniffer().sniff(first, ",;\t|").delimiter
    except csv.Error:
        separator = ","
    return Layout("csv", separator, encoding)


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


def _join_shoe(rounds: dict[str, Any], rows: Sequence[Row]) -> None:
    """Join the shoe to the round's number where the numbers of a shoe are those of another too."""
    if "round" not in rounds or "shoe" not in rounds:
        return
    number, shoe = rounds["round"]["field"], rounds["shoe"]["field"]
    numbers = {str(row.fields.get(number)) for row in rows}
    if len({(str(row.fields.get(shoe)), str(row.fields.get(number))) for row in rows}) > len(numbers):
        rounds["round"] = {"field": [shoe, number], "join": "-"}


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
    for name, _ in _matching(columns, _BOTH_HANDS):
        if (separator := _separator(samples[name])) is not None:
            used.add(name)
            both = {"who": ["player", "banker"], "cards": {"field": name, "split": separator}}
            return {"in_turn": ["player", "banker"], "play": [both]}
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
    columns: Sequence[str],
    rows: Sequence[Row],
    samples: Mapping[str, list[Any]],
    used: set[str],
    money: Money,
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
    for name, match in _matching(columns, _SEAT_VIGORISH):
        banker = found.get((match["seat"] or match["last"], "banker"))
        if banker is not None and _are_most(samples[name], money.cents):
            banker.setdefault("vigorish", {"field": name})
    wagers = [part for part in found.values() if "amount" in part]
    for part in wagers:
        if _is_less_vigorish(rows, part, money):
            part["less_vigorish"] = True
    used.update(cell["field"] for part in wagers for cell in part.values() if isinstance(cell, dict))
    return wagers


def _is_less_vigorish(rows: Sequence[Row], part: Mapping[str, Any], money: Money) -> bool:
    """Return True if what a wager won, or was handed back, is without the vigorish wherever there is one."""
    won = "gain" if "gain" in part else "returned"
    if not {won, "vigorish"} <= part.keys():
        return False
    stakes = 1 if won == "gain" else 2
    is_less: set[bool] = set()
    for row in rows:
        try:
            amount, vigorish, sum_won = (
                money.cents(row.fields[part[name]["field"]]) for name in ("amount", "vigorish", won)
            )
        except BadInput:
            continue
        if vigorish:
            is_less.add(stakes * amount - sum_won == vigorish)
    return is_less == {True}


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
    columns: Sequence[str], rows: Sequence[Row], samples: Mapping[str, list[Any]], used: set[str]
) -> tuple[dict[str, Any], bool] | None:
    """Return the column of the time, or those of date and time, and whether it says that it is UTC."""
    for name, match in _matching(columns, _TIME):
        values = [str(each) for each in samples[name]]
        if values and (form := _form_of(values)) is not None:
            used.add(name)
            return {"field": name, **form}, match["zone"] is not None
    for day, _ in _matching(columns, _DATE):
        for hour, match in _matching(columns, _HOUR):
            cell = Cell([day, hour])
            values = [str(cell.of(row.fields)) for row in rows if filled_if_any({"field": hour}, row.fields)]
            if values and (form := _form_of(values)) is not None:
                used.update((day, hour))
                return {"field": [day, hour], **form}, match["zone"] is not None
    return None


def _gaming_date(
    columns: Sequence[str], samples: Mapping[str, list[Any]], used: set[str]
) -> dict[str, Any] | None:
    """Return the column of the gaming date, with its format if that is not ISO 8601."""
    for name, _ in _matching(columns, _DATE):
        values = [str(each) for each in samples[name]]
        form = next((form for form in _DATES if _are_most(values, partial(_time, form=form))), None)
        if values and form is not None:
            used.add(name)
            return {"field": name} if form == _DATES[0] else {"field": name, "format": form}
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
        if form is not None or not is_day(written):
            return datetime.fromisoformat(written) if form is None else datetime.strptime(written, form)  # noqa: DTZ007  only whether it is one
    except ValueError:
        pass
    raise BadInput(f"{written!r} is no time")
