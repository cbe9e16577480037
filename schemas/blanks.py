"""Fields of JSON that somebody left blank, read as null."""

import re
from typing import Any, Final

_BLANK: Final = re.compile(rb'"\s*"')


def may_have_blanks(text: bytes) -> bool:
    """Return False where a JSON text has no blank field for certain."""
    return _BLANK.search(text) is not None


def without_blanks(value: Any) -> Any:
    """Return a JSON value with null in the place of each member that is blank.

    >>> without_blanks({"by": {"name": "Ann", "credential": " "}, "serials": ["1", ""]})
    {'by': {'name': 'Ann', 'credential': None}, 'serials': ['1', '']}
    """
    if isinstance(value, dict):
        return {name: None if _is_blank(each) else without_blanks(each) for name, each in value.items()}
    return [without_blanks(each) for each in value] if isinstance(value, list) else value


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()
