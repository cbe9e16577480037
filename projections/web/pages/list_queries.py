"""Query parameters: which run of the store, which findings, which revision, which page.

A page reads them all, as its links keep the filters of the list that it was opened from. A route of the API
reads those that it uses, and its description names no others.
"""

from typing import Annotated, Final, TypeAlias

from litestar.di import Provide
from litestar.params import FromQuery, QueryParameter

from projections.web.records.record_views import ListQuery

_PageNumber: TypeAlias = Annotated[int, QueryParameter(ge=1, le=1_000_000)]
_TableName: TypeAlias = Annotated[str | None, QueryParameter(name="table")]


def read_list_query(
    run: FromQuery[str | None] = None,
    at_table: _TableName = None,
    check: FromQuery[str | None] = None,
    severity: FromQuery[str | None] = None,
    verdict: FromQuery[str | None] = None,
    page: _PageNumber = 1,
    revision: FromQuery[int | None] = None,
) -> ListQuery:
    """Read the filters of a page of findings."""
    # A form sends what was left open as an empty word.
    return ListQuery(
        run or None, at_table or None, check or None, severity or None, verdict or None, page, revision
    )


def _findings(
    run: FromQuery[str | None] = None,
    at_table: _TableName = None,
    check: FromQuery[str | None] = None,
    severity: FromQuery[str | None] = None,
    verdict: FromQuery[str | None] = None,
    page: _PageNumber = 1,
) -> ListQuery:
    return read_list_query(run, at_table, check, severity, verdict, page)


def _run(run: FromQuery[str | None] = None) -> ListQuery:
    return ListQuery(run=run or None)


def _revision(run: FromQuery[str | None] = None, revision: FromQuery[int | None] = None) -> ListQuery:
    return ListQuery(run=run or None, revision=revision)


def _run_page(run: FromQuery[str | None] = None, page: _PageNumber = 1) -> ListQuery:
    return ListQuery(run=run or None, page=page)


def _page(page: _PageNumber = 1) -> ListQuery:
    return ListQuery(page=page)


BY_FINDINGS: Final = {"list_query": Provide(_findings, sync_to_thread=False)}
BY_RUN: Final = {"list_query": Provide(_run, sync_to_thread=False)}
BY_REVISION: Final = {"list_query": Provide(_revision, sync_to_thread=False)}
BY_RUN_AND_PAGE: Final = {"list_query": Provide(_run_page, sync_to_thread=False)}
BY_PAGE: Final = {"list_query": Provide(_page, sync_to_thread=False)}
