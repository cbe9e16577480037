"""The cameras over the tables: how a recorder's link is written, for one to open at the minute of a round."""

import string
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, TypeAlias
from urllib.parse import quote, urlsplit

from msgspec import Meta, Struct

from schemas import plain
from schemas.errors import BadInput
from schemas.values import Name

# What a link may name: the camera and the table, and when footage begins and ends: in UTC, in the property's
# zone, and in milliseconds since 1970.
PLACEHOLDERS: Final = frozenset(
    {"camera", "table", "start", "end", "start_local", "end_local", "start_ms", "end_ms"}
)
# Schemes that a browser would run or read from its own machine are no recorder, whatever a file has.
_NEVER: Final = frozenset({"javascript", "data", "vbscript", "blob", "file", "about", "view-source"})

Seconds: TypeAlias = Annotated[int, Meta(ge=0, le=86_400)]
Scheme: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9+.-]*$", max_length=32)]
Millis: TypeAlias = Annotated[int, Meta(ge=-86_400_000, le=86_400_000)]


class Cameras(Struct, frozen=True, forbid_unknown_fields=True):
    """A property's cameras: the link's template, and which of them look at which table.

    A bookmark begins `before_seconds` before the round was opened and ends `after_seconds` after the next one
    was, or after `longest_seconds` of play where that was longer or there is none yet. By `clock_offset_ms`
    the recorder's clock is ahead of the tables' clocks. A link begins with one of the `schemes`.
    """

    template: Annotated[str, Meta(min_length=1, max_length=2_000)]
    tables: dict[Name, list[Name]]
    schemes: tuple[Scheme, ...] = ("https",)
    before_seconds: Seconds = 30
    after_seconds: Seconds = 30
    longest_seconds: Seconds = 300
    clock_offset_ms: Millis = 0

    def link(self, values: Mapping[str, str]) -> str:
        """Write a link; each value is quoted, so that it stays one part of it.

        >>> cameras = Cameras("https://recorder/{camera}?from={start}", {})
        >>> cameras.link({"camera": "PTZ 1/2", "start": "2025-03-01T20:00:00Z"})
        'https://recorder/PTZ%201%2F2?from=2025-03-01T20%3A00%3A00Z'
        """
        return self.template.format_map({name: quote(value, safe="") for name, value in values.items()})


def load(path: Path) -> Cameras:
    """Read a file of cameras.

    Raises:
        BadInput: there is no such file, it is not the form of one, or its template is no link that it
            allows; the message names the place.
    """
    cameras = plain.read(path, Cameras, "a file of cameras")
    _check_names(cameras.template, str(path))
    _check_scheme(cameras, str(path))
    return cameras


def _check_names(template: str, where: str) -> None:
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError as error:
        raise BadInput(f"{where}: template: {error}; a brace that is meant is written twice") from None
    for _, name, form, conversion in parts:
        if name is None:
            continue
        if name not in PLACEHOLDERS or form or conversion:
            allowed = ", ".join(f"{{{each}}}" for each in sorted(PLACEHOLDERS))
            raise BadInput(f"{where}: template: {{{name}}} is not known; there are {allowed}")


def _check_scheme(cameras: Cameras, where: str) -> None:
    """Check that a link uses only the file's schemes."""
    if refused := sorted(_NEVER & set(cameras.schemes)):
        raise BadInput(f"{where}: schemes: {refused[0]} is the browser's own and leads to no recorder")
    scheme = cameras.template.partition(":")[0]
    if ":" not in cameras.template or scheme not in cameras.schemes:
        raise BadInput(
            f"{where}: template: it begins with none of the schemes {', '.join(cameras.schemes)}; "
            "write https://… or name another under schemes"
        )
    if "{" in urlsplit(cameras.template).netloc:
        raise BadInput(f"{where}: template: the host is written out, no part of it is filled in")
