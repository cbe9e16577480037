"""The words of docs/glossary.md hold for paths, docstrings and comments: retired ones do not come back."""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = [
    path
    for package in ("schemas", "projections", "streams", "replay")
    for path in sorted((ROOT / package).rglob("*.py"))
    if "simulator" not in path.parts
]
BUILDERS: Final = sorted((ROOT / "tests" / "builders").rglob("*.py"))
# Bare participles, adverbs, gerunds and pictures: none says alone what the thing is.
RETIRED: Final = frozenset(
    {
        "alike", "aligned", "archived", "aside", "asked", "asking", "begun", "beside", "board", "breaches",
        "changing", "closed", "coming", "comparing", "concluded", "correcting", "deciding", "deeds",
        "delivering", "described", "desk", "differing", "doing", "doubting", "drawn", "earlier", "ending",
        "entering", "fetched", "folding", "followed", "following", "forms", "hearing", "heard", "held",
        "holes", "installed", "keeping", "kept", "known", "lying", "near", "nearby", "nearest", "noted",
        "observed", "opening", "origin", "otherwise", "owing", "papers", "passing", "placing", "playing",
        "publishing", "reading", "reading_again", "realistic", "recorded", "remembering", "ringing", "room",
        "rooms", "running", "saying", "scoring", "sealing", "seated", "seating", "sending", "served",
        "showing", "shown", "sight", "sighting", "silent", "standing", "storing", "streaming", "strip",
        "taking", "taking_back", "telling", "tending", "there", "ticking", "told", "typed", "unnoted",
        "verifying", "waiting", "watch", "whole", "wording", "words", "work", "worked", "working",
    }
)  # fmt: skip
FIRST: Final = ("Give ", "How ", "Let ", "Name ", "Reckon ", "Say ", "Tell ", "What ", "Whether ", "Who ")


def test_a_path_says_what_is_in_it() -> None:
    named = [path.relative_to(ROOT).with_suffix("") for path in SOURCES]
    assert [each.as_posix() for each in named if RETIRED & set(each.parts)] == []


class Source(NamedTuple):
    """Names that a file gives, but for those of fields, its docstrings by line, and its other lines."""

    names: list[str]
    docstrings: list[tuple[int, str]]
    lines: list[str]


@cache
def source(path: Path) -> Source:
    """Read a file, once for all tests: to parse a hundred thousand lines takes seconds."""
    text = path.read_text("utf-8")
    found, fields = Source([], [], text.splitlines()), set[int]()
    for node in ast.walk(ast.parse(text)):  # a class before what stands in it
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.names.append(node.name)
            case ast.arg():
                found.names.append(node.arg)
            case ast.Name(ctx=ast.Store()) if id(node) not in fields:
                found.names.append(node.id)
        if isinstance(node, ast.ClassDef):
            assigned = (line for line in node.body if isinstance(line, ast.Assign | ast.AnnAssign))
            for line in assigned:
                fields |= set(map(id, line.targets if isinstance(line, ast.Assign) else [line.target]))
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and (said := ast.get_docstring(node)):
            first, last = node.body[0].lineno, node.body[0].end_lineno or 0
            found.docstrings.append((first, said))
            found.lines[first - 1 : last] = [""] * (last - first + 1)
    return found


def test_a_docstring_begins_with_what_is_returned_or_done_or_with_the_noun() -> None:
    documented = [*SOURCES, *sorted((ROOT / "streams" / "simulator").rglob("*.py")), *BUILDERS]
    retired = [
        (path.name, said)
        for path in documented
        for _, text in source(path).docstrings
        for said in [text.partition("\n")[0]]
        if said.startswith(FIRST) and "?" not in said  # a check's first line may be its question
    ]
    assert retired == []


# Words of the private dialect that an engineer would not write; docs/glossary.md has those to write.
RETIRED_WORDS: Final = re.compile(
    r"\b(?:(?:un|re)?told|telling|retell|thereof|whereof|wherefrom|therein|wherein|hereby|lest|naught|nought"
    r"|anew|afresh|alike|reckon(?:s|ed)?|(?:hangs?|hung|hanging) on|held against|(?:laid|lays|puts?) aside"
    r"|(?:it is|to be|is not to be) said|what (?:became|becomes) of|as it was seen|bears? on"
    r"|who asks|of which what|to whom nothing|is spoken of)\b",
    re.IGNORECASE,
)
VERIFIER: Final = "projections/evidence/verifier.py"  # goes out in bundles, and stays as it went out
QUOTED: Final = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^'\n]*'|^\s*>>> (?:.*\n?)+?(?:\s*\n|\Z)", re.MULTILINE)


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the comments and docstrings of a source with their lines, without code and quotations.

    Only where a word of a line that may have a comment is retired is it found out which of it is one.
    """
    with tokenize.open(path) as file:
        may_be = any("#" in line and RETIRED_WORDS.search(line) for line in file)
        file.seek(0)
        for token in tokenize.generate_tokens(file.readline) if may_be else ():
            if token.type == tokenize.COMMENT:
                yield token.start[0], QUOTED.sub("", token.string)
    yield from ((line, QUOTED.sub("", text)) for line, text in source(path).docstrings)


@pytest.mark.parametrize(
    "text", ["A round that was told of a shoe.", "What becomes of the wager", "hangs on it"]
)
def test_the_dialect_is_recognized(text: str) -> None:
    assert RETIRED_WORDS.search(text)


def test_comments_and_docstrings_use_the_standard_words() -> None:
    retired = [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {found[0]}"
        for path in (*EVERY_SOURCE, *BUILDERS)
        if path.relative_to(ROOT).as_posix() != VERIFIER
        for line, text in prose(path)
        for found in RETIRED_WORDS.finditer(" ".join(text.split()))
    ]
    assert retired == []


# Names that say nothing alone: bare participles, adverbs, verbs of the dialect. What is written into events,
# records and logs keeps its name.
SILENT: Final = frozenset(
    {
        "alike", "aligned", "aside", "asked", "asking", "begun", "beside", "board", "changing", "coming",
        "consider", "deciding", "desk", "doing", "entering", "fetched", "followed", "forms", "heard", "held",
        "judging", "kept", "known", "loose", "named", "near", "nearby", "on_disk", "papers", "passing",
        "realistic", "room", "rooms", "said", "saying", "says", "scoring", "showing", "shown", "sighting",
        "standing", "stood", "storing", "taking", "taking_back", "telling", "tending", "there", "told",
        "tray", "typed", "waiting", "whole",
    }
)  # fmt: skip
ON_THE_WIRE: Final = {("schemas/events.py", "Heard"), ("schemas/coupon_log.py", "Kept")}
EVERY_SOURCE: Final = [
    path
    for package in ("schemas", "projections", "streams", "replay", "discardrack")
    for path in sorted((ROOT / package).rglob("*.py"))
]


def test_a_name_says_what_it_is() -> None:
    named = [
        (path.relative_to(ROOT).as_posix(), name) for path in EVERY_SOURCE for name in source(path).names
    ]
    silent = [each for each in named if each[1].strip("_").lower() in SILENT and each not in ON_THE_WIRE]
    assert silent == []


@pytest.mark.parametrize("folder", ["templates", "static"])
def test_a_check_is_written_by_what_people_call_it(folder: str) -> None:
    by_code = re.compile(r"check\|plain|check\.replaceAll")
    pages = [
        each for each in (ROOT / "projections/web" / folder).glob("*") if each.suffix in (".html", ".js")
    ]
    assert len(pages) > 20
    own = {"check_names.js"}  # which does it where a check has no other name
    assert [each.name for each in pages if by_code.search(each.read_text()) and each.name not in own] == []


# ── names in docstrings: a rename that forgets them is found ─────────────────────────────────────────

PATHS: Final = {part for path in EVERY_SOURCE for part in path.relative_to(ROOT).with_suffix("").parts}
DOCTEST: Final = re.compile(r"^ *>>> .*?(?:\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
COMMENT: Final = re.compile(r"(?:^|\s)# .*")
NAME: Final = re.compile(r"(?<!`)`((?:\w+\.)*[A-Za-z_]\w*)(?:\(\))?`(?!`)")


def unknown_names() -> Iterator[str]:
    """Yield each name in backticks that neither its module has nor the module that stands before its dot."""
    words = {
        path: set(re.findall(r"\w+", "\n".join(COMMENT.sub("", line) for line in source(path).lines)))
        for path in EVERY_SOURCE
    }
    words_of: dict[str, set[str]] = {}
    for path, own in words.items():
        words_of.setdefault(path.stem, set()).update(own)
    for path, own in words.items():
        for name in NAME.findall("\n".join(DOCTEST.sub("", text) for _, text in source(path).docstrings)):
            *before, last = name.split(".")
            of_module = words_of.get(before[-1], set()) if before else set()
            if last not in own | PATHS | of_module:
                yield f"{path.relative_to(ROOT)}: `{name}`"


def test_a_name_in_a_docstring_is_one_of_the_code() -> None:
    assert [*unknown_names()] == []
