"""Refusals in plain words: what is wrong with the form of something that was sent."""

import re
from collections.abc import Mapping
from typing import Final

# The place of an error in msgspec's message.
_PLACE: Final = re.compile(r" - at `\$\.?(?:data\.)?([^`]*)`$")
_WHOLE_NUMBER: Final = "enter a whole number"
# The parser's messages, and what they mean for a person.
_PLAIN_WORDS: Final[Mapping[re.Pattern[str], str]] = {
    re.compile(r"Expected `int` >= (-?\d+)"): rf"{_WHOLE_NUMBER}, \1 or more",
    re.compile(r"Expected `int` <= (-?\d+)"): rf"{_WHOLE_NUMBER}, \1 or less",
    re.compile(r"Expected `int`.*"): _WHOLE_NUMBER,
    re.compile(r"Expected `bool.*"): "enter true or false",
    re.compile(r"(?:Invalid RFC3339 encoded date|Expected `date`).*"): "enter a day such as 2025-03-01",
    re.compile(
        r"(?:Invalid RFC3339 encoded datetime|Expected `datetime`).*"
    ): "enter a time such as 2025-03-01T13:29:00Z",
    re.compile(r"Invalid enum value '?([^']*)'?"): r"there is no '\1' to choose",
    re.compile(r"Invalid value '?([^']*)'?"): r"there is no '\1' to choose",
    re.compile(
        r"Expected `str` matching regex .*", re.DOTALL
    ): "it is blank or has a character that is not allowed",
    re.compile(r"Expected `str` of length >= 1"): "it is blank",
    re.compile(r"Expected `str` of length >= (\d+)"): r"enter at least \1 characters",
    re.compile(r"Expected `str` of length <= (\d+)"): r"enter at most \1 characters",
    re.compile(r"Expected `str`.*"): "enter text",
    re.compile(r"Expected `array`.*"): "send a list",
    re.compile(r"Expected `object`.*"): "send an object",
    re.compile(r"Object missing required field `(.*)`"): r"\1 is missing",
    re.compile(r"Object contains unknown field `(.*)`"): r"\1 is not known",
    re.compile(r"Expected `.*"): "it has the wrong form",
}


def plain_refusal(message: str, name: str | None = None) -> str:
    """Write what is wrong with something that was sent, and where, without the parser's words.

    >>> plain_refusal("Expected `int` >= 1", "page"), plain_refusal("Invalid enum value 'nope'", "queue")
    ('page: enter a whole number, 1 or more', "queue: there is no 'nope' to choose")
    >>> plain_refusal("Invalid RFC3339 encoded date - at `$.day`")
    'day: enter a day such as 2025-03-01'
    >>> plain_refusal("Expected `int | null`, got `str`", "about.seat")
    'about.seat: enter a whole number'
    >>> plain_refusal("There is no page 3; the last is 2.")
    'There is no page 3; the last is 2.'
    """
    place = _PLACE.search(message)
    words = message[: place.start()] if place is not None else message
    words = words.replace(" | null`", "`")  # a field that may be left out
    name = name or (place[1] if place is not None else None) or None
    for pattern, plain in _PLAIN_WORDS.items():
        if (found := pattern.fullmatch(words)) is not None:
            words = found.expand(plain)
            break
    return f"{name}: {words}" if name is not None else words
