"""Conclusions in words, as they leave the engine; each step with its provision."""

from datetime import date
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from projections.engine.conclusion import Conclusion, ConclusionView
from projections.engine.facts import Fact
from projections.engine.findings import HOUSE_CONTROL, Finding, FindingView, Step, StepView
from projections.views.text import text
from schemas.law_text import NOT_ON_FILE, is_on_file, text_of

# ── Conclusions in words: what leaves the engine for a file, a page, or a program of others ───────────


def step_view(step: Step) -> StepView:
    """Return a step of a sum in words."""
    return StepView(text(step.says), step.cite, step.cents)


def finding_view(finding: Finding) -> FindingView:
    """Return a finding in words."""
    fields = {name: getattr(finding, name) for name in finding.__struct_fields__}
    if isinstance(finding.steps, tuple):
        fields["steps"] = tuple(map(step_view, finding.steps))
    return FindingView(**fields | {"message": text(finding.message)})


def conclusion_view(concluded: Conclusion) -> ConclusionView:
    """Return a conclusion in words."""
    fields = {name: getattr(concluded, name) for name in concluded.__struct_fields__}
    for name in ("findings", "notes"):
        fields[name] = tuple(map(finding_view, fields[name]))
    return ConclusionView(**fields)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A step of a play or of a sum with the provision it stands on, and what that provision's text is worth.

_W = TypeVar("_W", Fact, str)


class Cited(Struct, frozen=True):
    """A provision, what its text is worth on the gaming date, and since when that text has stood."""

    provision: str
    status: str
    since: date | None


class LineOf(Struct, Generic[_W], frozen=True):
    """Step of the play or of a sum: its text, its cents, and the provision."""

    says: _W
    cents: int | None
    cited: Cited


Line: TypeAlias = LineOf[Fact]
LineView: TypeAlias = LineOf[str]


def line_view(line: Line) -> LineView:
    """Return a step in words."""
    return LineView(text(line.says), line.cents, line.cited)


def cited(provision: str, day: date) -> Cited:
    """Return what a provision is worth on a gaming date; before the first text it is what that text is worth.

    >>> cited("631a.13(c)", date(2013, 5, 1))
    Cited(provision='631a.13(c)', status='reconstructed', since=datetime.date(2012, 5, 19))
    >>> cited("house control", date(2013, 5, 1))
    Cited(provision='house control', status='house control', since=None)
    >>> cited("631b.1", date(2025, 5, 1))  # a text that approves a side wager, and is not on file
    Cited(provision='631b.1', status='not on file', since=None)
    """
    if provision == HOUSE_CONTROL:
        return Cited(provision, HOUSE_CONTROL, None)
    if not is_on_file(provision):
        return Cited(provision, NOT_ON_FILE, None)
    since, printed = text_of(provision, day)
    return Cited(provision, printed.status, since)
