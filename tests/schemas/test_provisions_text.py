"""What is on file of each chapter against the list of every numbered provision of the texts themselves."""

import os
import re
from inspect import getmembers, isclass
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Final

import pytest

from schemas import coupon_log, events, ledgers
from schemas.law_text import side_wager_laws
from schemas.provisions import chapters, parts, provisions

SHARED = Path(__file__).parents[2].parent / "shared" / "regulations"

# Printed as a second (1) after (k)(3)(ii).
MISPRINTED = {"681a": {"681a.7(l)"}}

# Sections that were read elsewhere than in the texts: a chapter's digest names each.
DIGESTED = re.compile(r"^(?:## |`)(465a\.\d+(?:\([A-Za-z0-9]+\))*)(?= [|A-Z]|, sentence)", re.MULTILINE)

ROMAN = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]
LEVELS = (list(ascii_lowercase), [str(figure) for figure in range(1, 60)], ROMAN, list(ascii_uppercase))


def place(number: str) -> list[int]:
    """Return where a provision stands in the text: its section, then its letter, figure, numeral, capital."""
    _, section, *below = parts(number)
    first = 1 if below and below[0].isdigit() else 0  # a section without letters begins with figures
    return [int(section), *(LEVELS[first + level].index(mark) for level, mark in enumerate(below))]


def text_of(name: str) -> str:
    listed = Path(os.environ.get("DISCARDRACK_REGULATIONS", SHARED)) / name
    if not listed.is_file():
        lacking = (
            f"{name} is not in {listed.parent}: put it there or name its folder in DISCARDRACK_REGULATIONS"
        )
        if os.environ.get("CI") == "true":
            pytest.fail(lacking)
        pytest.skip(lacking)
    return listed.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return text_of("provisions.txt").split()


@pytest.fixture(scope="module")
def digested() -> list[str]:
    return DIGESTED.findall(text_of("chapter_465a_digest.md"))


# Chapters of side wagers, of which single sections were read elsewhere.
SIDE_WAGERS: Final = sorted({section.partition(".")[0] for section in side_wager_laws()})


@pytest.mark.parametrize("chapter", SIDE_WAGERS)
def test_each_section_of_side_wagers_on_file_has_its_provisions_in_their_order(chapter: str) -> None:
    listed = list(provisions(chapter))
    sections = {number.partition("(")[0] for number in listed}
    assert sections == {section for section in side_wager_laws() if section.startswith(f"{chapter}.")}
    assert listed == sorted(listed, key=place)


@pytest.mark.parametrize("chapter", [each for each in chapters() if each not in SIDE_WAGERS])
def test_every_provision_of_the_text_is_on_file_in_its_order(
    chapter: str, texts: list[str], digested: list[str]
) -> None:
    # Of a chapter that two documents print the list has what the one prints, then what the other adds.
    printed = {number for number in texts if number.startswith(f"{chapter}.")}
    if chapter == "465a":
        printed |= set(digested)
    assert printed, f"the texts have no Chapter {chapter}"
    printed |= MISPRINTED.get(chapter, set())
    assert list(provisions(chapter)) == sorted(printed, key=place)


def test_a_list_that_lacks_one_would_be_seen(texts: list[str]) -> None:
    assert len(texts) == len(set(texts)) == 1278
    assert place("631a.8(a)(4)(i)(A)") < place("631a.8(a)(4)(i)(B)") < place("631a.8(a)(4)(ii)")
    assert place("623a.12(1)") < place("623a.12(2)")


# ── What reasons say ─────────────────────────────────────────────────────────────────────────────────

_EVENT: Final = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
_EVENTS: Final = frozenset(
    name for module in (events, ledgers, coupon_log) for name, _ in getmembers(module, isclass)
)


@pytest.mark.parametrize("chapter", chapters())
def test_a_reason_names_only_events_that_there_are(chapter: str) -> None:
    in_reasons = [
        (number, name)
        for number, entry in provisions(chapter).items()
        for name in _EVENT.findall(f"{entry.says} {entry.why or ''}")
    ]
    assert [each for each in in_reasons if each[1] not in _EVENTS] == []


def test_an_event_that_is_not_there_would_be_seen() -> None:
    found = _EVENT.findall("CardDrawn reports it; that it lay face up: needs FaceUpCardFound of Chapter 541.")
    assert found == ["CardDrawn", "FaceUpCardFound"]
    assert [name in _EVENTS for name in found] == [True, False]
