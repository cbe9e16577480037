"""YAML that a person wrote, as plain values: text, numbers, lists and names; no other objects."""

import copy
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import yaml
from msgspec import Struct
from msgspec.inspect import LiteralType, StructType, Type, type_info

from schemas.errors import BadInput
from schemas.near_names import nearest_name

# The same language read in C, where the library was built with it: a property's house file is long.
SAFE_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TEXT: Final = "tag:yaml.org,2002:str"
_TIMESTAMP: Final = "tag:yaml.org,2002:timestamp"
_DEEPEST: Final = 100  # lists and names within one another
_AT: Final = re.compile(r" - at `(?:key in )?\$(.*)`\Z")
_PLACE: Final = re.compile(r" - at `[^`]*`")
_UNKNOWN: Final = re.compile(r"unknown field `([^`]+)`")
_UNKNOWN_VALUE: Final = re.compile(r"Invalid (?:enum )?value '([^']*)'")
_MISSING: Final = re.compile(r"missing required field `(\w+)`")
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)?(?:\.\.\.)?\]")
_F = TypeVar("_F", bound=Struct)


def _day(loader: Any, node: Any) -> Any:
    """Return a date, or the text if it is in no calendar: the check of the form then names the place."""
    try:
        return loader.construct_yaml_timestamp(node)
    except ValueError:
        return node.value


_DATED: Final[Any] = type("_Dated", (SAFE_LOADER,), {})
_DATED.add_constructor(_TIMESTAMP, _day)


def plain(text: str, loader: Any = _DATED) -> Any:
    """Read a YAML text, with a safe loader. A date that no calendar has stays text.

    >>> plain("tables: {BAC-1: {decks: 8}}")
    {'tables': {'BAC-1': {'decks': 8}}}

    Raises:
        yaml.YAMLError: it is none, or more than plain values: something is made by a tag, or lies in itself.
        ValueError: a value in it is none of its kind.
        RecursionError: it goes deeper than any file that is meant.
    """
    anchors: list[str | None] = []  # of the open nodes
    for event in yaml.parse(text, Loader=SAFE_LOADER):
        if fault := _fault(event, anchors):
            mark: Any = event.start_mark
            raise yaml.MarkedYAMLError(problem=fault, problem_mark=mark)
        if isinstance(event, yaml.CollectionStartEvent):
            anchors.append(event.anchor)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchors.pop()
        if len(anchors) > _DEEPEST:  # in C it would go on until the stack is used up
            raise RecursionError("maximum depth exceeded")
    return yaml.load(text, Loader=loader)  # noqa: S506  it is a safe loader, whichever it is


def _fault(event: yaml.Event, anchors: Sequence[str | None]) -> str | None:
    """Return what of a text is more than plain values."""
    tag = getattr(event, "tag", None)
    if tag is not None and tag != _TEXT:
        return f"{tag} is a tag, and nothing but text is made by one"
    if isinstance(event, yaml.AliasEvent) and event.anchor in anchors:
        return f"*{event.anchor} lies within what it names"
    return None


def read(path: Path, form: type[_F], what: str) -> _F:
    """Read a file of YAML in UTF-8 as `what` it is meant to be; errors name the file and, if known, the line.

    Raises:
        BadInput: it cannot be read, or is not of that form.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not {what}: {error}") from None
    return formed(text, form, str(path), what)


def formed(text: str, form: type[_F], where: str, what: str) -> _F:
    """Read a text as `read` does a file; `where` names it in messages.

    Raises:
        BadInput: it is not of that form.
    """
    value = document_of(text, where, what)
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        path, message = place_of(value, form, str(error))
        meant = suggestion(form, message)
        message += f"; did you mean {meant}?" if meant is not None else ""
        raise BadInput(f"{where}:{line_of(text, path)}: not {what}: {message}") from None


def document_of(text: str, where: str, what: str) -> Any:
    """Read a text as plain values, of whatever form; `where` names it in messages.

    Raises:
        BadInput: it is no YAML of plain values.
    """
    try:
        return plain(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{where}:{mark.line + 1}" if mark is not None else where
        message = ", ".join(filter(None, (error.context, error.problem)))
        raise BadInput(f"{place}: not {what}: {message}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadInput(f"{where}: not {what}: {' '.join(str(error).split())}") from None


def suggestion(form: type[Struct], message: str) -> str | None:
    """Return what may have been meant by a name that a form does not have, by a message of msgspec.

    >>> class Due(Struct):
    ...     taken: int
    >>> class Room(Struct):
    ...     due: dict[str, Due]
    >>> suggestion(Room, "Object contains unknown field `takn` - at `$.due.critical`")
    'taken'
    """
    found = _UNKNOWN.search(message) or _UNKNOWN_VALUE.search(message)
    if found is None:
        return None
    names = {*_names(type_info(form))} - {found[1]}  # it may be a name elsewhere in the form
    return nearest_name(found[1], sorted(names))


def _names(info: Any) -> Iterator[str]:
    """Yield the names that a form has: of fields, of tags, of values that are enumerated."""
    if isinstance(info, StructType):
        yield from (str(info.tag),) if info.tag is not None else ()
        yield from (each.encode_name for each in info.fields)
    if isinstance(info, LiteralType):
        yield from map(str, info.values)
    inner = [*getattr(info, "types", ()), *getattr(info, "item_types", ())]
    inner += [getattr(info, name, None) for name in ("key_type", "value_type", "item_type", "type")]
    inner += [each.type for each in getattr(info, "fields", ())]
    for each in inner:
        if isinstance(each, Type):
            yield from _names(each)


class Fault(Struct, frozen=True):
    """A fault of form in a value: the place, by names and by numbers in lists from 0, and why.

    `near` is a name that may have been meant.
    """

    path: tuple[str | int, ...]
    message: str
    near: str | None = None


class Faults(Struct, frozen=True):
    """Every fault of a value, and the value without them: None if nothing is left.

    `numbers` are the original positions of the remaining items of a list.
    """

    found: list[Fault]
    left: Any
    numbers: Callable[[list[Any]], list[int]]


def faults(value: Any, form: type[Struct]) -> Faults:
    """Find everything in a value that is not of a form; what is found is taken out, and the rest tried again.

    >>> class Pit(Struct, forbid_unknown_fields=True):
    ...     name: str
    ...     tables: list[int] = []
    >>> found = faults({"name": "A", "tables": [1, "b", "c", 4], "spots": 7}, Pit)
    >>> [each.path for each in found.found], found.left
    ([('tables', 1), ('tables', 2), ('spots',)], {'name': 'A', 'tables': [1, 4]})
    """
    left, found = copy.deepcopy(value), list[Fault]()
    numbers: dict[int, list[int]] = {}
    taken_out: list[Any] = []  # so that no other list comes to have the identity of one of these

    def numbers_of(items: list[Any]) -> list[int]:
        return numbers.setdefault(id(items), list(range(len(items))))

    while True:
        try:
            msgspec.convert(left, form)
        except msgspec.ValidationError as error:
            steps, message = place_of(left, form, str(error))
        else:
            return Faults(found, left, numbers_of)
        path: list[str | int] = []
        holder, last, node = None, None, left
        for step in _within(left, steps, message):
            if not isinstance(node, dict | list):
                break
            holder, last = node, step
            path.append(numbers_of(node)[step] if isinstance(node, list) else step)
            node = node.get(step) if isinstance(node, dict) else node[step]
        lacks = _MISSING.search(message)
        if lacks is None or (*path, lacks[1]) not in [each.path for each in found]:
            found.append(Fault(tuple(path), _PLACE.sub("", message), suggestion(form, message)))
        if holder is None or last is None:
            return Faults(found, None, numbers_of)
        if isinstance(holder, list):
            del numbers_of(holder)[last]
        taken_out.append(holder.pop(last) if isinstance(holder, list) else holder.pop(last, None))


def _within(value: Any, steps: Sequence[str | int | None], message: str) -> list[Any]:
    """Return a place as far as it is clear; of a name that is no text, the name too."""
    path = list(takewhile(lambda step: step is not None, steps))
    if "at `key in " in message:
        for step in path:
            value = value[step]
        path += [key for key in value if not isinstance(key, str)][:1]
    return path


def line_of(text: str, path: Sequence[str | int | None]) -> int:
    r"""Return the line on which a text of YAML has a place, or the last one on the way to it that is there.

    The text is one that `plain` reads. A place is given by names and by numbers in lists, from 0.

    >>> line_of("due:\n  critical:\n  - taken: 0\n  - taken: 1", ["due", "critical", 1, "taken"])
    4
    >>> line_of("due:\n  critical: {}", ["due", "critical", "taken"])
    2
    """
    node = _composed(text)
    line = 0 if node is None else node.start_mark.line
    for step in path:
        if isinstance(node, yaml.SequenceNode):
            node = node.value[step] if isinstance(step, int) and step < len(node.value) else None
            line = line if node is None else node.start_mark.line
        elif isinstance(node, yaml.MappingNode):
            pairs = [each for each in node.value if each[0].value == str(step)]
            key, node = pairs[-1] if pairs else (None, None)
            line = line if key is None else key.start_mark.line
    return int(line) + 1


def repeated(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    r"""Yield each name that is repeated at one place, with its line; the last one is used.

    >>> list(repeated("tables:\n  B-1: {decks: 8}\n  B-1: {decks: 6}"))
    [(('tables', 'B-1'), 3)]
    """
    return _repeated(_composed(text), ())


def _repeated(node: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    if isinstance(node, yaml.SequenceNode):
        for n, item in enumerate(node.value):
            yield from _repeated(item, (*path, str(n)))
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                yield (*path, name), key.start_mark.line + 1
            seen.add(name)
            yield from _repeated(value, (*path, name))


@lru_cache(maxsize=1)  # of a long file many lines may be asked for
def _composed(text: str) -> Any:
    return yaml.compose(text, Loader=SAFE_LOADER)


def place_of(value: Any, form: type[Struct], message: str) -> tuple[list[str | int | None], str]:
    """Return the place that a message of msgspec is about, and the message with the names a person chose.

    >>> place_of({"due": {"critical": {"taken": 0}}}, Struct, "Expected - at `$.due.critical.taken`")[0]
    ['due', 'critical', 'taken']
    >>> place_of({"due": {"loud": 1}}, Struct, "Object contains unknown field `loud` - at `$.due`")[0]
    ['due', 'loud']
    >>> place_of(["https"], Struct, "Expected `object`, got `array`")[0]
    []
    """
    found, unknown = _AT.search(message), _UNKNOWN.search(message)
    steps = _STEP.findall(found[1]) if found else []
    path: list[str | int | None] = [name or (int(number) if number else None) for name, number in steps]
    place = message
    while None in path and (key := _chosen(value, form, message, path[: path.index(None)])) is not None:
        path[path.index(None)] = key
        place = place.replace("[...]", f".{key}", 1)
    if "Expected `str`, got `int`" in message:
        place += "; digits alone stand in quotes"
    return [*path, *([unknown[1]] if unknown else [])], place


def _chosen(value: Any, form: type[Struct], message: str, above: Sequence[str | int | None]) -> str | None:
    """Find the name, of those that a person chose at a place, that a message of msgspec is about."""
    holds, only = value, copy.deepcopy(value)
    within = only
    for step in above:
        holds, within = holds[step], within[step]
    for key in holds if isinstance(holds, dict) else ():
        within.clear()
        within[key] = holds[key]
        try:
            msgspec.convert(only, form)
        except msgspec.ValidationError as error:
            if str(error) == message and isinstance(key, str):
                return key
    return None
