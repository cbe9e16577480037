"""Every fact that the code states has its template with the same arguments, and every template its fact."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from jinja2 import Environment, nodes

from projections.engine.facts import CardRef, Cents, Fact, HandRef, Instant, dump, fact, leaves, listed, load
from projections.views.text import text

ROOT: Final = Path(__file__).parents[2]
FILES: Final = sorted(
    path
    for folder in ("projections", "streams", "replay")
    for path in (ROOT / folder).rglob("*.py")
    if path.name != "facts.py"
)


@cache
def stated() -> Sequence[tuple[str, frozenset[str] | None, str]]:
    """Return each code that the source states, the names of its arguments, and where that is."""
    return [*_stated()]


def _stated() -> Iterator[tuple[str, frozenset[str] | None, str]]:
    for path in FILES:
        source = path.read_text()
        if not re.search(r"\bfact\b", source):
            continue
        for node in ast.walk(ast.parse(source)):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "fact"
            ):
                continue
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            code = node.args[0]
            assert isinstance(code, ast.Constant), f"{where}: the code of a fact is written out"
            assert isinstance(code.value, str)
            names = [each.arg for each in node.keywords]
            yield code.value, None if None in names else frozenset(map(str, names)), where


def templates() -> dict[str, frozenset[str]]:
    """Return the arguments of every macro by its code."""
    found: dict[str, frozenset[str]] = {}
    for path in (ROOT / "projections").rglob("messages.j2"):
        folder = ".".join(path.parent.relative_to(ROOT / "projections").parts)
        folder = folder.removeprefix("engine.").removeprefix("programmes.")
        parsed = Environment(autoescape=False).parse(path.read_text())  # noqa: S701  nothing is rendered
        for macro in parsed.find_all(nodes.Macro):
            if macro.name.startswith("_"):  # a part of others
                continue
            found[f"{folder}.{macro.name}"] = frozenset(arg.name for arg in macro.args)
    return found


def test_each_fact_has_a_template_with_its_arguments() -> None:
    known = templates()
    wrong = [
        f"{where}: {code} takes {sorted(known.get(code, ()))}"
        for code, names, where in stated()
        if code not in known or (names is not None and names != known[code])
    ]
    assert wrong == []


def test_each_template_is_of_a_fact_that_is_stated() -> None:
    codes = {code for code, _, _ in stated()} | {"engine.verbatim"}
    assert sorted(templates().keys() - codes) == []


def test_each_template_says_what_it_writes_where_its_condition_does_not_hold() -> None:
    # Jinja's own answer is undefined, which has no words and would end the process that writes it.
    halves = [
        f"{path.relative_to(ROOT)}:{each.lineno}"
        for path in (ROOT / "projections").rglob("messages.j2")
        for each in Environment(autoescape=False)  # noqa: S701  nothing is rendered
        .parse(path.read_text())
        .find_all(nodes.CondExpr)
        if each.expr2 is None
    ]
    assert halves == []


def test_a_fact_comes_back_from_a_store_as_it_was() -> None:
    inner = fact("x.z", card=CardRef("9d"))
    said = fact("x.y", at=HandRef("seat3/anna"), of=listed(Cents(5), inner, None, "a"))
    assert load(dump(said)) == said
    assert [*leaves(said)] == [HandRef("seat3/anna"), Cents(5), CardRef("9d"), "a"]


def test_an_argument_without_words_of_its_own_is_not_written() -> None:
    with pytest.raises(TypeError):
        text(Fact("engine.sentence", {"says": Instant(5)}))
