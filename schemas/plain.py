"""YAML that a person wrote, as plain values: text, numbers, lists and names; nothing else is made of it."""

from typing import Any, Final

import yaml

# The same language read in C, where the library was built with it: a property's house file is long.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_DEEPEST: Final = 100  # lists and names within one another


def plain(text: str) -> Any:
    """Read a YAML text.

    >>> plain("tables: {BAC-1: {decks: 8}}")
    {'tables': {'BAC-1': {'decks': 8}}}

    Raises:
        yaml.YAMLError: it is none.
        RecursionError: it goes deeper than any file that is meant.
    """
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEEPEST:  # in C it would go on until the stack is used up
            raise RecursionError("maximum depth exceeded")
    return yaml.load(text, Loader=_LOADER)  # noqa: S506  it is a safe loader, whichever it is
