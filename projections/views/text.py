"""Facts rendered as text by the message templates beside the code that states them.

`messages.j2` of a folder in projections/engine or projections/programmes has one Jinja macro for each fact of
the folder, with its arguments: the fact "fold.restarted" is the macro restarted of
`projections/engine/fold/messages.j2`. Arguments are written by their type, so that a template only has the
words between them.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemBytecodeCache,
    FunctionLoader,
    PackageLoader,
    StrictUndefined,
    TemplateNotFound,
)
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from msgspec import Struct

from projections import engine, programmes
from projections.engine.facts import (
    Arg,
    CardRef,
    Cents,
    DeviceRef,
    Fact,
    HandRef,
    Listed,
    PatronRef,
    SerialRef,
    StaffRef,
    WagerRef,
    Word,
)
from projections.engine.observation import hand_in_words, key_of, wager_in_words
from projections.views.time_text import date_text
from schemas.plugins import CHECKS, GAMES, RESERVED, plugins
from schemas.values import capital, dollars, in_words

FILE: Final = "messages.j2"
_ROOTS: Final = (engine.__name__, programmes.__name__, engine.__name__.rpartition(".")[0])


def text(fact: Fact) -> str:
    """Return a fact in words.

    >>> text(Fact("engine.verbatim", {"text": "as a person wrote it"}))
    'as a person wrote it'

    Raises:
        jinja2.TemplateError: there is no such template, or it lacks an argument.
    """
    try:
        macro = _macro(fact.code)
    except (TemplateNotFound, AttributeError):
        if fact.code.partition(".")[0] in RESERVED:
            raise
        return _without_words(fact)
    return macro(**fact.args).strip()


def _without_words(fact: Fact) -> str:
    """Return a fact of a plugin that is not installed any more, or that lacks the words for it.

    >>> text(Fact("harbor.odd_chips", {"wager": Word("tie"), "left": Cents(200)}))
    'harbor.odd chips: tie, $2.00'
    """
    values = [phrase(each) for each in fact.args.values() if type(each) in _PHRASES]
    return f"{in_words(fact.code)}: {', '.join(values)}" if values else in_words(fact.code)


def phrase(arg: Arg) -> str:
    """Return one argument in words, by its type.

    >>> [phrase(each) for each in (Cents(2500), HandRef("seat12/anna"), WagerRef(4, None, "tie", None), 7)]
    ['$25.00', 'seat 12 anna', 'seat 4 tie', '7']
    """
    write = _PHRASES.get(type(arg))
    if write is None:
        raise TypeError(f"{arg!r} has no words of its own: the template has to say how it is written")
    words: str = write(arg)
    return words


# Moments, lists and what is absent are written by the template that names them.
_PHRASES: Final[Mapping[type, Callable[[Any], str]]] = {
    Fact: text,
    Cents: lambda sum_: dollars(sum_.cents),
    HandRef: lambda at: hand_in_words(at.hand),
    WagerRef: lambda on: wager_in_words(key_of(on)),
    Word: lambda word: in_words(word.name),
    PatronRef: lambda patron: patron.name,
    StaffRef: lambda staff: staff.name,
    CardRef: lambda card: card.card,
    DeviceRef: lambda device: device.device,
    SerialRef: lambda paper: paper.serial,
    str: str,
    int: str,
}


def _joined(by: str, last: str | None = None) -> Callable[[Listed | tuple[Arg, ...]], str]:
    def join(items: Listed | tuple[Arg, ...]) -> str:
        words = [phrase(each) for each in (items.items if isinstance(items, Listed) else items)]
        if last is None or len(words) < 2:  # noqa: PLR2004  a single word needs no joining
            return by.join(words)
        return f"{by.join(words[:-1])}{last}{words[-1]}"

    return join


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates, cached where Python caches compiled modules and under the same condition."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, unless the folder cannot be written."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


def _of_plugin(template: str) -> str | None:
    """Return the messages of a plugin, which lie beside its module; None if it has none."""
    name = template.removesuffix(f"/{FILE}")
    for group in (CHECKS, GAMES):
        if (plugin := plugins(group).get(name)) is not None:
            path = plugin.folder() / FILE
            return path.read_text("utf-8") if path.is_file() else None
    return None


@cache
def _environment() -> Environment:
    made = Environment(
        loader=ChoiceLoader([*(PackageLoader(root, "") for root in _ROOTS), FunctionLoader(_of_plugin)]),
        bytecode_cache=CompiledTemplates(str(Path(__file__).with_name("__pycache__"))),
        undefined=StrictUndefined,
        auto_reload=False,  # a template stays as it is; else each use asks its file
        finalize=lambda arg: arg if isinstance(arg, str) else phrase(arg),
        autoescape=False,  # noqa: S701  the text is no markup: what shows it on a page escapes it
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "comma": _joined(", "),
        "semicolon": _joined("; "),
        "all_of": _joined(", ", " and "),
        "one_of": _joined(", ", " or "),
        "or_else": _joined(", or "),
        "joined_or": _joined(" or "),
        "joined_nor": _joined(" nor "),
        "spaced": _joined(" "),
        "joined_and": _joined(" and "),
        "capital": lambda arg: capital(phrase(arg)),
        "quoted": lambda arg: repr(phrase(arg)),
        "date": date_text,
        "dollars": dollars,
        "words": in_words,
    }
    made.filters.update(filters)
    return made


def facts_in_words(data: Any) -> Any:
    """Return data with each of its facts in words, as it leaves for a program that reads JSON.

    >>> facts_in_words({"says": [Fact("engine.verbatim", {"text": "so"})], "seat": 3})
    {'says': ['so'], 'seat': 3}
    """
    match data:
        case Fact():
            return text(data)
        case Struct():
            parts = {name: getattr(data, name) for name in data.__struct_fields__}
            written = {name: facts_in_words(each) for name, each in parts.items()}
            changed = {name: each for name, each in written.items() if each is not parts[name]}
            return msgspec.structs.replace(data, **changed) if changed else data
        case dict():
            return {name: facts_in_words(each) for name, each in data.items()}
        case list():
            return [facts_in_words(each) for each in data]
        case tuple():
            return tuple(map(facts_in_words, data))
    return data


def named_by(code: str) -> frozenset[str]:
    """Return the hands and wagers that a message names in its template's own words, besides its arguments.

    The templates of a folder list them in `NAMED`, by macro.

    >>> sorted(named_by("games.baccarat.house_money_early")), sorted(named_by("engine.verbatim"))
    (['house_money'], [])
    """
    module, name = _module(code)
    return frozenset(getattr(module, "NAMED", {}).get(name, ()))


@cache
def _macro(code: str) -> Callable[..., str]:
    module, name = _module(code)
    macro: Callable[..., str] = getattr(module, name)
    return macro


def _module(code: str) -> tuple[TemplateModule, str]:
    folder, _, name = code.rpartition(".")
    return _environment().get_template(f"{folder.replace('.', '/')}/{FILE}").module, name
