"""A finding in words, and names in it masked: both by the arguments of its fact, never by its sentence."""

from pathlib import Path
from typing import Any, Final

import pytest
from jinja2 import DictLoader, Environment, StrictUndefined, nodes

from projections.engine.facts import Cents, HandRef, StaffRef, WagerRef, fact
from projections.engine.findings import FindingBase
from projections.views import text as texts
from projections.views.finding_text import FactMentions, finding_text
from projections.views.text import text
from projections.web.auth.masking import Masking

ROOT: Final = Path(__file__).parents[2]
MASKING: Final = Masking(b"a key")


def finding(message: Any, **fields: Any) -> FindingBase[Any]:
    return FindingBase(
        id="f", check="late_wager", weight="mismatch", severity="medium", status="adopted",
        citations=("631a.8(c)",), message=message, **fields,
    )  # fmt: skip


def test_what_a_template_names_itself_is_a_macro_that_is_there() -> None:
    for path in sorted((ROOT / "projections").rglob("messages.j2")):
        parsed = Environment(autoescape=False).parse(path.read_text("utf-8"))  # noqa: S701  nothing is rendered
        macros = {macro.name for macro in parsed.find_all(nodes.Macro)}
        named = [
            set(each.node.as_const())
            for each in parsed.find_all(nodes.Assign)
            if isinstance(each.target, nodes.Name) and each.target.name == "NAMED"
        ]
        assert [names - macros for names in named if names - macros] == []


def test_a_name_that_is_a_word_of_the_message_is_masked_and_the_message_is_not() -> None:
    late = finding(fact("engine.moved_late", move="place"), seat=5, bettor="wager", wager="tie")
    assert finding_text(late) == 'seat 5 wager tie: the wager was made after "no more bets"'
    masked = MASKING.masked(late)
    who = MASKING.name("patron", "wager")
    assert (masked.bettor, text(masked.message)) == (who, 'the wager was made after "no more bets"')


@pytest.mark.parametrize("name", ["1", "hand", "the"])
def test_staff_and_patrons_are_masked_in_the_arguments_alone(name: str) -> None:
    said = fact("accounts.checks.slip_not_signed", slip="1", person=StaffRef(name, "dealer"))
    masked = MASKING.masked(finding(said)).message
    assert masked.args["person"] == StaffRef(MASKING.name("", name).strip(), "dealer")
    assert text(masked) == text(said)[: -len(name)] + MASKING.name("", name).strip()


def test_another_wording_masks_and_names_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    wager = WagerRef(3, "anna", "tie", None)
    said = finding(fact("checks.reworded", wager=wager, at=HandRef("seat3/anna"), cents=Cents(500)), seat=3)
    loader = {"checks/messages.j2": "{% macro reworded(wager, at, cents) %}no names in here{% endmacro %}"}
    made = Environment(loader=DictLoader(loader), undefined=StrictUndefined, autoescape=False)  # noqa: S701  words
    monkeypatch.setattr(texts, "_environment", lambda: made)
    assert FactMentions(said.message).has("anna")
    assert finding_text(said) == "no names in here"  # which says nothing of the seat, but its arguments do
    masked = MASKING.masked(said).message
    assert masked.args["wager"] == WagerRef(3, MASKING.name("patron", "anna"), "tie", None)
    assert masked.args["at"] == HandRef(f"seat3/{MASKING.name('patron', 'anna')}")
