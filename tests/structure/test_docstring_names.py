"""A name in backticks in a docstring is one of the code's: a rename that forgets the docstrings is found."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FILES: Final = [
    path
    for folder in ("schemas", "projections", "streams", "replay", "discardrack")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
PATHS: Final = {part for path in FILES for part in path.relative_to(ROOT).with_suffix("").parts}
DOCTEST: Final = re.compile(r"^ *>>> .*?(?:\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
COMMENT: Final = re.compile(r"(?:^|\s)# .*")
NAME: Final = re.compile(r"(?<!`)`((?:\w+\.)*[A-Za-z_]\w*)(?:\(\))?`(?!`)")


def docstrings_and_words(path: Path) -> tuple[list[str], set[str]]:
    """Return a module's docstrings, and all words of the rest of it."""
    source = path.read_text("utf-8")
    lines, docstrings = source.splitlines(), []
    for node in ast.walk(ast.parse(source)):
        documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, documented) and (text := ast.get_docstring(node)) is not None:
            docstrings.append(DOCTEST.sub("", text))
            first, last = node.body[0].lineno, node.body[0].end_lineno or 0
            lines[first - 1 : last] = [""] * (last - first + 1)
    return docstrings, set(re.findall(r"\w+", "\n".join(COMMENT.sub("", line) for line in lines)))


def unknown_names() -> Iterator[str]:
    """Yield each name in backticks that neither its module has nor the module that stands before its dot."""
    parsed = {path: docstrings_and_words(path) for path in FILES}
    words_of: dict[str, set[str]] = {}
    for path, (_, words) in parsed.items():
        words_of.setdefault(path.stem, set()).update(words)
    for path, (docstrings, words) in parsed.items():
        for name in NAME.findall("\n".join(docstrings)):
            *before, last = name.split(".")
            of_module = words_of.get(before[-1], set()) if before else set()
            if last not in words | PATHS | of_module:
                yield f"{path.relative_to(ROOT)}: `{name}`"


def test_a_name_in_a_docstring_is_one_of_the_code() -> None:
    assert [*unknown_names()] == []
