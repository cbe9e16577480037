"""A hand as a page for the case file: the drawing, and every block below it as a table.

It is complete in itself: one file, no script, nothing fetched, and it prints on Letter.
"""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Final
from xml.etree.ElementTree import Element

from projections.views.shapes import add, element, markup
from projections.views.table_picture import TablePicture
from replay.exports.case_file.blocks import Block, is_id, is_sum
from replay.exports.case_file.svg import HandDrawing, key, places

_STYLE: Final = """
@page { size: Letter; margin: 14mm; }
body { font: 14px/1.45 "DejaVu Sans", "Helvetica Neue", Arial, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 760px; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.35rem; margin: 0 0 .6rem; }
h2 { font-size: 1.02rem; margin: 1.3rem 0 .35rem; border-bottom: 1px solid #999; break-after: avoid; }
.table { display: flex; flex-wrap: wrap; gap: .8rem; align-items: flex-start; }
svg { max-width: 100%; height: auto; break-inside: avoid; }
table { border-collapse: collapse; max-width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .15rem .9rem .15rem 0; overflow-wrap: anywhere; }
th { font-size: .85rem; border-bottom: 1px solid #ccc; }
td.sum, th.sum { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.id { white-space: nowrap; }
tr { break-inside: avoid; }
article { break-after: page; }
article:last-of-type { break-after: auto; }
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
  .table { display: block; }
  svg { margin: 0 .6rem .6rem 0; vertical-align: top; }
}
"""


def software_line() -> str:
    """Return by which version of the software a page was made."""
    return f"Made by discardrack {version('discardrack')}."


def case_file(hands: Sequence[tuple[HandDrawing, Sequence[Block | TablePicture]]], foot: str) -> bytes:
    """Write hands as one page: of each the heading, the drawing, and its blocks in order."""
    root = element("html", lang="en")
    head = add(root, "head")
    add(head, "meta", charset="utf-8")
    add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    add(head, "title", "; ".join(shot.heading[0] for shot, _ in hands))
    add(head, "style").text = _STYLE
    body = add(root, "body")
    for number, (shot, parts) in enumerate(hands, 1):
        _hand(add(body, "article"), shot, parts, number)
    add(body, "p", foot)
    return f"<!DOCTYPE html>\n{markup(root)}\n".encode()


def _hand(into: Element, shot: HandDrawing, parts: Sequence[Block | TablePicture], number: int) -> None:
    add(into, "h1", shot.heading[0])
    for place, part in enumerate(parts):
        if isinstance(part, TablePicture):
            add(into, "h2", part.title)
            add(into, "div", class_="table").extend(places(part, f"hand{number}"))
            add(into, "p", key(part) or "No card was seen.")
        else:
            _block(into, part, headed=place > 0)


def _block(into: Element, block: Block, *, headed: bool) -> None:
    section = add(into, "section")
    if headed:  # the first block has the page's own title
        add(section, "h2", block.title)
    if not block.rows:
        add(section, "p", "none")
        return
    table = add(section, "table")
    columns = [place for place, cells in enumerate(zip(*block.rows, strict=True)) if any(cells)]
    sums = {place for place in columns if all(is_sum(row[place]) for row in block.rows)}
    if block.head:
        row = add(add(table, "thead"), "tr")
        for place in columns:
            add(row, "th", block.head[place], scope="col", **_kind(place in sums))
    rows = add(table, "tbody")
    for cells in block.rows:
        row = add(rows, "tr")
        for place in columns:
            # An element without words would be written as one that never ends, to a reader of HTML.
            kind = {"class_": "id"} if is_id(cells[place]) else _kind(place in sums)
            add(row, "td", cells[place] or " ", **kind)


def _kind(is_money: bool) -> dict[str, str]:  # noqa: FBT001  a class, decided by this alone
    return {"class_": "sum"} if is_money else {}
