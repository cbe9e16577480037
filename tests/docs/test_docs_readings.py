"""The page on readings says what is so: what is taken is the default, the figures are those of `prove`."""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest
from click.testing import CliRunner

from projections.engine.games import REGISTRY
from replay.cli import main
from schemas import law_text
from schemas.rulebook import rulebook
from tests.builders.documents import ROOT, code_spans, page_tables

PAGE = (ROOT / "docs" / "readings.md").read_text(encoding="utf-8")


def sections() -> Iterator[tuple[list[str], str]]:
    """Yield the chapters that each heading of the page names, and what stands below it."""
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        if chapters := re.findall(r"\b\d{3}a?\b", heading):
            yield chapters, text


def test_every_chapter_has_its_readings() -> None:
    assert sorted(chain.from_iterable(chapters for chapters, _ in sections())) == sorted([*REGISTRY, "603a"])


def options() -> Iterator[tuple[str, str, list[Any]]]:
    """Return each option of the page with every chapter of its section that has it, and the value used."""
    for chapters, text in sections():
        for row in chain.from_iterable(page_tables(text, "clause")):
            if named := code_spans(row[3]):
                # The options for coupons stand with the games.
                having = [
                    each
                    for each in (REGISTRY if chapters == ["603a"] else chapters)
                    if named[0] in law_text.chapter(each).options
                ]
                assert having, f"no chapter has {named[0]}"
                yield from ((each, named[0], [json.loads(value) for value in named[1:]]) for each in having)


@pytest.mark.parametrize(("chapter", "name", "taken"), list(options()))
def test_what_is_taken_is_the_default(chapter: str, name: str, taken: list[Any]) -> None:
    law = law_text.chapter(chapter)
    day = min(law.texts)
    decks = law.numbers["decks"][day].value if "decks" in law.numbers else [None]
    defaults = [rulebook(chapter, day, {}, each).options[name] for each in decks]
    assert taken == list(dict.fromkeys(defaults))


def test_each_figure_is_what_the_proof_comes_to() -> None:
    told = {}
    for head, lines in re.findall(r"^\| reading \|(.+)\|\n\|[ :|-]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        figures = [each.strip() for each in head.split("|")]
        published, *readings = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()
        ]
        for reading in readings:
            for n, figure in enumerate(figures, 1):
                told[figure, reading[0].strip("`")] = (published[n], reading[n])
    proven = {}
    for chapter in ("681a", "685a"):
        ran = CliRunner().invoke(main, ["prove", chapter, "--readings", "--format", "jsonl"])
        for row in map(json.loads, ran.stdout.splitlines()):
            percent = f"{Decimal(row['computed']) * 100:.2f}%"
            bold = f"**{percent}**" if row["reproduces"] else percent
            proven[row["figure"], row["reading"]] = (row["published"], bold)
    assert told == proven
    assert len({figure for figure, _ in told}) == 6  # two of each wager that a preamble has a figure of
