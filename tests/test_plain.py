"""YAML that goes deeper than any file that is meant: refused, and the process goes on."""

import pytest

from schemas import house
from schemas.errors import BadInput
from schemas.plain import plain


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "{a: " * 20_000, "[" * 101 + "]" * 101])
def test_what_goes_too_deep_is_refused(text: str) -> None:
    with pytest.raises(RecursionError):
        plain(text)
    with pytest.raises(BadInput, match=r"^mine\.yaml"):
        house.parse(text, "mine.yaml")


def test_what_a_person_writes_does_not() -> None:
    assert plain("- " * 99 + "1") == plain("[" * 99 + "1" + "]" * 99)
