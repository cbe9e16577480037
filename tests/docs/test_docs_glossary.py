"""docs/glossary.md: a word that names something in the code names something that is there."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from schemas.provisions import DISPOSITIONS
from schemas.values import in_words

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "glossary.md").read_text("utf-8")
NAMED: Final = sorted(set(re.findall(r"`([^`]+)`", PAGE)) - {"in such letters"})
HANDS: Final = {"banker", "seat4.2"}  # values, as a record writes them


@cache
def names_of_the_code() -> set[str]:
    """Return the names of the packages, modules and classes, and of types with a name of their own."""
    names = set()
    for package in ("schemas", "projections", "streams", "replay"):
        for path in sorted((ROOT / package).rglob("*.py")):
            module = path.parent if path.name == "__init__.py" else path.with_suffix("")
            names.add(".".join(module.relative_to(ROOT).parts))
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    names.add(node.name)
                elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
                    names.add(ast.unparse(node.target))
    return names


@pytest.mark.parametrize("name", NAMED)
def test_what_the_glossary_names_is_in_the_code(name: str) -> None:
    assert name in names_of_the_code() | HANDS


def test_each_word_has_one_line() -> None:
    words = [word for line in re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE) for word in line.split(", ")]
    twice = {word for word in words if words.count(word) > 1} - {"word", "---"}
    assert twice == set()


def test_each_disposition_is_in_it_as_the_page_of_the_law_has_it() -> None:
    for name, meaning in DISPOSITIONS.items():
        assert f"| {in_words(name)} | {meaning} |" in PAGE
