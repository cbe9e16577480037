"""Dispositions of each numbered provision: schemas/law/<chapter>_provisions.yaml."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import msgspec
import yaml
from msgspec import Struct

from schemas.errors import LawError
from schemas.events import Source
from schemas.law_text import FOLDER, plugin_chapters
from schemas.plain import SAFE_LOADER, plain
from schemas.plugins import GAMES, plugins
from schemas.values import Name, Sentence

Disposition: TypeAlias = Literal[
    "settled", "checked", "configured", "recorded", "not_observable", "not_built"
]
DISPOSITIONS: Final[Mapping[Disposition, str]] = {
    "settled": "cards or money are worked out by it",
    "checked": "a check judges it",
    "configured": "it stands in the house file or in a table's options",
    "recorded": "events carry it, nothing judges it",
    "not_observable": "no device can see it",
    "not_built": "it could be seen, and is not yet",
}

# What holds a chapter's tests: one file, or a file for each of its sections.
Tests: TypeAlias = Literal["chapter", "section"]

_SUFFIX: Final = "_provisions"
_TESTS: Final = "tests"  # the one key of a file that is no provision's number
_PLUGIN_FILE: Final = "provisions.yaml"
_NUMBER: Final = re.compile(r"(\d+[a-z]?|[a-z][a-z0-9_]*)\.(\d+)((?:\([A-Za-z0-9]+\))*)", re.ASCII)
_UNSEEN: Final = ("not_observable", "not_built")


class Provision(Struct, frozen=True, forbid_unknown_fields=True):
    """Provision: its content in our own words, its disposition, which checks judge it, and why.

    `sources` are those without which a table shows nothing of it, besides the readers that every table has.
    """

    says: Sentence
    disposition: Disposition
    check: tuple[Name, ...] = ()
    why: Sentence | None = None
    sources: tuple[Source, ...] = ()


class _OnceEach(SAFE_LOADER):  # type: ignore[misc]  # PyYAML has it in C or not
    """YAML in which a key that stands twice is a mistake, not the last word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002  PyYAML's signature
        keys: set[str] = set()
        for key, _ in node.value:
            name = str(key.value)
            if name in keys:
                raise yaml.MarkedYAMLError(problem=f"{name} stands twice", problem_mark=key.start_mark)
            keys.add(name)
        return dict(super().construct_mapping(node, deep=deep))


def parts(number: str) -> tuple[str, ...]:
    """Split a provision's number: chapter, section, and each letter or figure in brackets.

    Raises:
        ValueError: it is not the number of a provision.

    >>> parts("631a.13(d)(2)(i)")
    ('631a', '13', 'd', '2', 'i')
    >>> parts("631a.1")
    ('631a', '1')
    """
    found = _NUMBER.fullmatch(number)
    if found is None:
        raise ValueError(f"{number!r} is not the number of a provision, such as 631a.13(c)")
    chapter, section, below = found.groups()
    return (chapter, section, *re.findall(r"\w+", below))


def chapters() -> list[str]:
    """Return the chapters whose provisions are on file: our own, then those of plugins that have any."""
    own = sorted(path.stem.removesuffix(_SUFFIX) for path in FOLDER.glob(f"*{_SUFFIX}.yaml"))
    return [*own, *(number for number in plugin_chapters() if _path(number).is_file())]


def _path(chapter: str) -> Path:
    plugin = plugins(GAMES).get(chapter)
    return plugin.folder() / _PLUGIN_FILE if plugin is not None else FOLDER / f"{chapter}{_SUFFIX}.yaml"


@cache
def provisions(chapter: str) -> Mapping[str, Provision]:
    """Return every provision of a chapter by its number, in the order of the text.

    Raises:
        LawError: there is no such file, or it is at fault.
    """
    return parse(*_file(chapter))


@cache
def layout_of_tests(chapter: str) -> Tests:
    """Return what holds a chapter's tests.

    Raises:
        LawError: there is no such file, or it is at fault.
    """
    text, _, where = _file(chapter)
    try:
        tests: Tests = msgspec.convert(_entries(text, where).get(_TESTS, "chapter"), Tests)
    except msgspec.ValidationError as error:
        raise LawError(f"{where}: {_TESTS}: {error}") from None
    return tests


def _file(chapter: str) -> tuple[str, str, str]:
    if chapter not in chapters():
        raise LawError(f"no provisions of Chapter {chapter} are on file; on file are {', '.join(chapters())}")
    path = _path(chapter)
    return path.read_text(encoding="utf-8"), chapter, str(path)


def parse(text: str, chapter: str, where: str) -> Mapping[str, Provision]:
    """Read a file of provisions; `where` names it in messages.

    Raises:
        LawError: it is not such a file, a number is not the chapter's or is repeated, a disposition is
            unknown, one that is checked names no check, one that nothing judges names one, or one that is
            not seen names a source or has no reason.
    """
    return MappingProxyType(
        {
            str(number): _entry(number, body, chapter, where)
            for number, body in _entries(text, where).items()
            if number != _TESTS
        }
    )


def _entries(text: str, where: str) -> dict[object, object]:
    try:
        entries = plain(text, _OnceEach)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise LawError(f"{where}: {' '.join(str(error).split())}") from None
    if not isinstance(entries, dict) or not entries:
        raise LawError(f"{where}: not a mapping from provision numbers to what is done about them")
    return entries


def _entry(number: object, body: object, chapter: str, where: str) -> Provision:
    try:
        own = parts(str(number))[0]
        entry = msgspec.convert(body, Provision)
    except (ValueError, msgspec.ValidationError) as error:
        raise LawError(f"{where}: {number}: {error}") from None
    if own != chapter:
        raise LawError(f"{where}: {number}: not a provision of Chapter {chapter}")
    if entry.disposition == "checked" and not entry.check:
        raise LawError(f"{where}: {number}: is checked but names no check")
    if entry.check and entry.disposition in ("recorded", *_UNSEEN):
        raise LawError(f"{where}: {number}: is {entry.disposition} but names a check")
    if entry.sources and entry.disposition in _UNSEEN:
        raise LawError(f"{where}: {number}: is {entry.disposition} but names a source")
    if entry.why is None and entry.disposition in _UNSEEN:
        raise LawError(f"{where}: {number}: is {entry.disposition} but does not say why")
    return entry
