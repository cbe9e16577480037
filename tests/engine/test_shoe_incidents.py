"""The short shoe, the extra card and the unshuffled pack, each found when it could first be known."""

from collections.abc import Callable
from typing import Final

import pytest

from projections.engine.audit.table_audit import TableAudit
from projections.engine.conclusion import Conclusion
from tests.builders.table_script import build_house
from tests.builders.texts import text_of
from tests.golden.incidents.scenes import (
    Found,
    extra_card_found,
    six_decks_short,
    two_decks_told_as_eight,
    unshuffled_pack,
)

Weights = dict[str, list[str]]
_CHECKS: Final = ("cards_stay_away", "cards_not_conserved", "order_preserved", "card_not_in_deck")


def round_by_round(found: Found) -> list[tuple[str, Conclusion]]:
    """Return what is concluded of the shoe and its rounds, each with the round that was over by then."""
    audit = TableAudit("BAC-1", build_house())
    concluded: list[tuple[str, Conclusion]] = []
    number = ""
    for each in (*audit.feed(found.script.events), *audit.finish()):
        number = each.conclusion.round or number
        concluded.append((number, each.conclusion))
    return concluded


def first_of(found: Found, weight: str) -> str | None:
    """Return the round by whose end the defect was first reported with a weight."""
    for number, concluded in round_by_round(found):
        if any(each.check in _CHECKS and each.weight == weight for each in concluded.findings):
            return number
    return None


@pytest.mark.parametrize("incident", [two_decks_told_as_eight, unshuffled_pack, extra_card_found])
def test_it_is_found_when_it_could_first_be_known(incident: Callable[[], Found]) -> None:
    found = incident()
    assert first_of(found, "undetermined") == found.warned
    assert first_of(found, "mismatch") == found.proven


def test_the_short_shoe_ends_312_cards_short() -> None:
    found = two_decks_told_as_eight()
    last = round_by_round(found)[-1][1]
    (finding,) = (each for each in last.findings if each.check == "cards_not_conserved")
    assert text_of(finding.message).startswith("the shoe ended 312 short of its 416 cards")


def test_the_unshuffled_pack_names_what_was_wagered() -> None:
    last = round_by_round(unshuffled_pack())[-1][1]
    (finding,) = (each for each in last.findings if each.check == "order_preserved")
    says = text_of(finding.message)
    assert says.startswith("14 cards came in the order of a new deck, in rounds 1 to 3; ")
    assert says.endswith("; wagered meanwhile: seat 1 $150.00")


def test_a_shoe_whose_reader_says_two_decks_is_known_at_its_first_round() -> None:
    incident = six_decks_short()
    audit = TableAudit("BAC-1", build_house())
    concluded = [each.conclusion for each in audit.feed(incident.script.events)]
    place = next(n for n, each in enumerate(concluded) if each.round is None and each.shoe == "short 1")
    assert text_of(concluded[place].findings[0].message).startswith("loaded with 2 decks")
    before = [each for each in concluded[:place] if each.shoe == "short 1"]
    assert len(before) == 1
