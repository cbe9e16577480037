"""YAML that a person wrote, as plain values: text, numbers, lists and names; nothing else is made of it."""

import copy
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import yaml
from msgspec import Struct
from msgspec.inspect import LiteralType, StructType, Type, type_info

from schemas.errors import BadInput

# The same language read in C, where the library was built with it: a property's house file is long.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_TEXT: Final = "tag:yaml.org,2002:str"
_DEEPEST: Final = 100  # lists and names within one another
_AT: Final = re.compile(r" - at `(?:key in )?\$(.*)`\Z")
_UNKNOWN: Final = re.compile(r"unknown field `(\w+)`")
_UNKNOWN_VALUE: Final = re.compile(r"Invalid (?:enum )?value '([^']*)'")
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)?(?:\.\.\.)?\]")
_F = TypeVar("_F", bound=Struct)


def plain(text: str, loader: Any = _LOADER) -> Any:
    """Read a YAML text, with a safe loader.

    >>> plain("tables: {BAC-1: {decks: 8}}")
    {'tables': {'BAC-1': {'decks': 8}}}

    Raises:
        yaml.YAMLError: it is none, or more than plain values: something is made by a tag, or lies in itself.
        ValueError: a date in it is none.
        RecursionError: it goes deeper than any file that is meant.
    """
    anchors: list[str | None] = []  # of what is open
    for event in yaml.parse(text, Loader=_LOADER):
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
    value: Any = None
    try:
        value = plain(text)
        return msgspec.convert(value, form)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{where}:{mark.line + 1}" if mark is not None else where
        message = ", ".join(filter(None, (error.context, error.problem)))
        raise BadInput(f"{place}: not {what}: {message}") from None
    except msgspec.ValidationError as error:
        path, message = _place(value, form, str(error))
        message += _suggestion(form, message)
        raise BadInput(f"{where}:{line_of(text, path)}: not {what}: {message}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadInput(f"{where}: not {what}: {' '.join(str(error).split())}") from None


def _suggestion(form: type[Struct], message: str) -> str:
    """Return what may have been meant by a name that a form does not have, for the end of a message.

    >>> class Due(Struct):
    ...     taken: int
    >>> class Room(Struct):
    ...     due: dict[str, Due]
    >>> _suggestion(Room, "Object contains unknown field `takn` - at `$.due.grave`")
    '; did you mean taken?'
    """
    found = _UNKNOWN.search(message) or _UNKNOWN_VALUE.search(message)
    names = _names(type_info(form)) if found is not None else ()
    matches = get_close_matches(found[1], sorted(set(names)), 1) if found is not None else ()
    return f"; did you mean {matches[0]}?" if matches else ""


def _names(info: Any) -> Iterator[str]:
    """Yield the names that a form has: of fields, of sorts of things, of values of which there are few."""
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


def line_of(text: str, path: Sequence[str | int | None]) -> int:
    r"""Return the line on which a text of YAML has a place, or the last one on the way to it that is there.

    The text is one that `plain` reads. A place is told by names and by numbers in lists, from 0.

    >>> line_of("due:\n  grave:\n  - taken: 0\n  - taken: 1", ["due", "grave", 1, "taken"])
    4
    >>> line_of("due:\n  grave: {}", ["due", "grave", "taken"])
    2
    """
    node = _composed(text)
    line = 0 if node is None else node.start_mark.line
    for step in path:
        if isinstance(node, yaml.SequenceNode):
            node = node.value[step] if isinstance(step, int) and step < len(node.value) else None
            line = line if node is None else node.start_mark.line
        elif isinstance(node, yaml.MappingNode):
            pairs = [each for each in node.value if each[0].value == step]
            key, node = pairs[-1] if pairs else (None, None)
            line = line if key is None else key.start_mark.line
    return int(line) + 1


@lru_cache(maxsize=1)  # of a long file many lines may be asked for
def _composed(text: str) -> Any:
    return yaml.compose(text, Loader=_LOADER)


def _place(value: Any, form: type[Struct], message: str) -> tuple[list[str | int | None], str]:
    """Return the place that a message of msgspec is about, and the message with the names a person chose.

    >>> _place({"due": {"grave": {"taken": 0}}}, Struct, "Expected `int` >= 1 - at `$.due.grave.taken`")[0]
    ['due', 'grave', 'taken']
    >>> _place({"due": {"loud": 1}}, Struct, "Object contains unknown field `loud` - at `$.due`")[0]
    ['due', 'loud']
    >>> _place(["https"], Struct, "Expected `object`, got `array`")[0]
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
    """Find the name, of those that a person chose at a place, of which a message of msgspec is said."""
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
