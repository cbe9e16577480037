"""The schema of a house file, by which an editor completes and underlines."""

import re
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from schemas import house as houses
from schemas.plain import plain
from tests.builders.json_schemas import print_schema, schema_faults

EXAMPLE: Final = houses.FOLDER / "example.yaml"
PAGE: Final = Path(__file__).parents[2] / "docs" / "house.md"


def as_json(text: str) -> Any:
    """Read YAML as an editor does, to which a date is text."""
    return msgspec.json.decode(msgspec.json.encode(plain(text)))


def faults_of(text: str) -> list[str]:
    return schema_faults(as_json(text), print_schema("house"))


def test_the_example_names_the_schema_beside_it_which_is_the_printed_one() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    (named,) = re.findall(r"^# yaml-language-server: \$schema=(\S+)$", text, re.MULTILINE)
    assert msgspec.json.decode((EXAMPLE.parent / named).read_bytes()) == print_schema("house")
    assert faults_of(text) == []


def test_the_house_file_of_the_page_is_admitted() -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert faults_of(text) == []


@pytest.mark.parametrize(
    ("right", "wrong", "place"),
    [
        ("zone: ", "zones: ", "/zones"),
        ("chapter: 631a\n", "chapter: 631b\n", "/tables/BAC-1/chapter"),
        ("decks: 8", 'decks: "8"', "/tables/BAC-1/decks"),
        ("T-1: terminal", "T-1: terminals", "/tables/BAC-1/sources/T-1"),
        ("dragon_bonus: A", "dragon_bonus: Z", "/options/dragon_bonus"),  # no pay table of 631a.13(e)
        ("dragon_bonus: A", "match_the_dealer: A", "/options/match_the_dealer"),  # of another chapter
        ("from: ", "since: ", ""),
    ],
)
def test_what_is_wrong_is_underlined_where_it_stands(right: str, wrong: str, place: str) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert text.count(right) == 1
    found = faults_of(text.replace(right, wrong))
    assert found
    assert any(each.partition(":")[0].endswith(place) for each in found)
