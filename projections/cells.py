"""Cells for people and for spreadsheets: nothing in a word can act on a terminal or as a formula."""

from typing import Final

import msgspec

# A cell that begins so, whatever space is before it, is a formula to a spreadsheet.
_FORMULA: Final = ("=", "+", "-", "@")
_encode: Final = msgspec.json.Encoder()


def words(value: object) -> str:
    """Write a value as a person reads it.

    >>> words(["paid_too_much", "push_paid"]), words(None), words(True), words({"cents": 5})
    ('paid_too_much, push_paid', '', 'true', '{"cents":5}')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return ", ".join(value)
    return _encode.encode(value).decode()


def csv_cell(value: object) -> str:
    """Write a value as a spreadsheet may take it: words that look like a formula get an apostrophe.

    >>> csv_cell("=1+1"), csv_cell("-"), csv_cell(-2500), csv_cell("631a.13(c)")
    ("'=1+1", "'-", '-2500', '631a.13(c)')
    """
    text = words(value)
    is_formula = text.lstrip().startswith(_FORMULA) and not isinstance(value, int)
    return f"'{printable(text)}" if is_formula else printable(text)


def printable(text: str) -> str:
    r"""Escape what a terminal would obey or hide rather than show.

    >>> printable("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
