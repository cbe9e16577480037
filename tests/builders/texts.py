"""Words of a finding, a doubt or a step, for the tests whose subject is prose."""

from collections.abc import Iterable
from typing import Any

from projections.engine.facts import Fact
from projections.views.text import text


def verbatim_fact(words: str) -> Fact:
    """Return a fact that says what a test has it say."""
    return Fact("engine.verbatim", {"text": words})


def text_of(said: Fact | str | None) -> str:
    """Return what is said in words: of a fact by its template, of a view as it stands."""
    assert said is not None
    return text(said) if isinstance(said, Fact) else said


def step_texts(reasons: Iterable[tuple[Fact, str]]) -> list[tuple[str, str]]:
    """Return the steps of a play in words, each with its provision."""
    return [(text(says), cite) for says, cite in reasons]


def with_fact_message(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a finding's fields with a message that was written out as a fact."""
    message = fields.get("message")
    return fields | {"message": verbatim_fact(message)} if isinstance(message, str) else fields
