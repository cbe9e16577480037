"""Conclusions in words: what leaves the engine for a file, a page, or a program of others."""

from projections.engine.conclusion import Conclusion, ConclusionView
from projections.engine.findings import Finding, FindingView, Step, StepView
from projections.views.text import text


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
