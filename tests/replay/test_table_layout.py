"""A table for people is laid out as rich lays one out, and does not grow in memory with its rows."""

import io
import re
import sys
import tracemalloc
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from replay.lists.writers import write_table

_STYLE: Final = re.compile(r"\x1b\[\d*m")
CELLS: Final = st.text(st.sampled_from("ab ,日é-"), max_size=40)


class Terminal(io.StringIO):
    """Standard output that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def by_rich(head: list[str], rows: list[list[str]], width: int) -> str:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for each in head:
        table.add_column(Text(each), overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    out = io.StringIO()
    Console(file=out, width=width).print(table)
    return out.getvalue()


def printed(head: list[str], rows: list[list[str]], out: io.StringIO) -> str:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdout", out)
        write_table(head, rows)
    return _STYLE.sub("", out.getvalue())


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=5))
def test_a_table_in_a_pipe_is_as_wide_as_it_is(rows: list[list[str]]) -> None:
    head = ["table", "round", "says"]
    assert printed(head, rows, io.StringIO()) == by_rich(head, rows, 400)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=5))
def test_a_table_on_a_terminal_is_folded_to_its_width(rows: list[list[str]]) -> None:
    head = ["table", "round", "says"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", "50")
        patched.setenv("TERM", "xterm")
        assert printed(head, rows, Terminal()) == by_rich(head, rows, 50)


def test_memory_does_not_grow_with_a_table() -> None:
    class Discarded(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    def peak(rows: int) -> int:
        tracemalloc.start()
        try:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(sys, "stdout", Discarded())
                write_table(["round", "says"], ([str(each), "x" * 2000] for each in range(rows)))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(2_000) < peak(500) + (2 << 20)  # its 4 MB wait on disk
