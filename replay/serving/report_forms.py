"""Forms of a nightly report for the console: its drawings and its files, as the nightly folder has them."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from projections.web.pages.report_pages import FileForm
from replay.exports.report import Report
from replay.exports.report.stored import report_of
from replay.exports.report.writers import as_csv, as_json, as_parquet
from replay.nightly.reports import REPORTS

_WRITERS: Final[Mapping[FileForm, Callable[[Report], bytes]]] = {
    "csv": as_csv,
    "parquet": as_parquet,
    "json": as_json,
}
_MOST: Final = 256  # drawings that are held: of the reports of a week

_drawing: Final = threading.Lock()  # matplotlib's settings are the whole process's


class NightlyForms:
    """The forms of nightly reports, in the order of the nightly list."""

    names: Sequence[str] = tuple(each.name for each in REPORTS)

    def charts(self, document: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the drawings of a report as SVG elements; none where it has no plot or no row."""
        if document["plot"] is None or not document["rows"]:
            return ()
        return _drawn(msgspec.json.encode(document, order="deterministic"))

    def file(self, document: Mapping[str, Any], form: FileForm) -> bytes:
        """Write a report as a file.

        Raises:
            BadInput: a figure is too large for its column.
        """
        return _WRITERS[form](report_of(document))


@lru_cache(maxsize=_MOST)
def _drawn(document: bytes) -> tuple[str, ...]:
    from replay.exports.report import plots  # noqa: PLC0415  matplotlib takes long to load

    with _drawing:
        return plots.draw_plots(report_of(msgspec.json.decode(document)))
