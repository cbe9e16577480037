"""The documents, and their tables and marks as data."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


README = (ROOT / "README.md").read_text(encoding="utf-8")


def page_tables(page: str, head: str) -> list[list[list[str]]]:
    """Read every table of a page whose first line begins with `head`: its rows of cells."""
    found = re.findall(rf"^\| {re.escape(head)} \|.*\n\|[ :|-]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    return [
        [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]
        for table in found
    ]


def page_files(page: str) -> dict[str, str]:
    """Return the files that a page shows, by name: a name in code marks before a colon, then the file."""
    return dict(re.findall(r"^`([\w.]+)`:\n```\w+\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))


def code_spans(cell: str) -> list[str]:
    """Return what stands between code marks."""
    return re.findall(r"`([^`]+)`", cell)
