"""What a bundle discloses depends on the arguments of facts, and on no word of a template."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from projections.engine.facts import (
    Arg,
    Cents,
    DeviceRef,
    Fact,
    HandRef,
    PatronRef,
    SerialRef,
    StaffRef,
    WagerRef,
    Word,
    listed,
)
from projections.engine.findings import Finding, Step
from projections.engine.observation import Doubt, Key
from projections.evidence.bundle_hand import Judgement, disclose_hand, disclosed_hand_facts, explanation
from projections.evidence.bundle_sums import settlement
from projections.evidence.disclosure import WITHHELD, DisclosureScope
from projections.views import text as templates
from projections.views.hand_view import render_hand
from projections.views.text import text
from replay.evidence.bundle_files import judgement
from streams.archive.inclusion import ClosedArchive
from tests.builders.evidence_bundles import archive_scripts
from tests.builders.table_script import BANKER_WINS, Script

DAY: Final = date(2025, 4, 1)
VIEW: Final = DisclosureScope(
    frozenset({(3, "anna")}),
    staff=False,
    names=frozenset({"Zq-Dealer", "Zq-Patron", "C-9", "ben"}),
    counters=frozenset({"V-1"}),
)
OF_OTHERS: Final[dict[str, Arg]] = {
    "seat": HandRef("seat4"),
    "hand": HandRef("seat4.2"),
    "person": HandRef("seat3/ben"),
    "wager": WagerRef(4, None, "tie", None),
    "neighbour": WagerRef(3, "ben", "tie", None),
    "split": WagerRef(3, "anna", "tie", "seat4.2"),
    "staff": StaffRef("Zq-Dealer"),
    "staff_not_in_the_hand": StaffRef("sam", "floorperson"),
    "patron": PatronRef("Zq-Patron"),
    "paper": SerialRef("C-9"),
    "counter": DeviceRef("V-1"),
    "within": Fact("x.within", {"of": HandRef("seat4")}),
    "listed": listed(Cents(5), HandRef("seat4")),
    "announced": "seat 4 wins",
}
OF_THE_SHOWN: Final[dict[str, Arg]] = {
    "seat": HandRef("seat3.2"),
    "person": HandRef("seat3/anna"),
    "common": HandRef("banker"),
    "wager": WagerRef(3, "anna", "tie", None),
    "dealers": WagerRef(0, None, "dealer_wager", None),
    "patron": PatronRef("P-1"),
    "device": DeviceRef("T-1"),
    "word": Word("seat 9"),  # one of ours
    "announced": "seat 3 wins",
    "nothing": None,
}
# A template that names nobody, and one that names whoever is withheld.
WORDS: Final = ("the hand was played", "seat 9: Zq-Dealer and Zq-Patron, C-9, V-1")


@pytest.fixture(params=WORDS, ids=("names_nobody", "names_others"))
def words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Render every fact in the same words, except for the replacement of what is withheld."""
    said = str(request.param)
    template: Callable[[str], Callable[..., str]] = templates._macro  # noqa: SLF001  every template goes through it
    monkeypatch.setattr(
        templates, "_macro", lambda code: template(code) if code == WITHHELD.code else lambda **_: said
    )
    return said


@pytest.mark.parametrize("of", OF_OTHERS)
def test_a_fact_of_others_is_withheld_whatever_its_words(words: str, of: str) -> None:
    fact = Fact("x.said", {"of": OF_OTHERS[of]})
    assert (text(fact), VIEW.redact(fact)) == (words, WITHHELD)


@pytest.mark.parametrize("of", OF_THE_SHOWN)
def test_a_fact_about_the_disclosed_patron_is_disclosed_whatever_its_words(words: str, of: str) -> None:
    fact = Fact("x.said", {"of": OF_THE_SHOWN[of]})
    assert (text(fact), VIEW.redact(fact)) == (words, fact)


# ── a hand ───────────────────────────────────────────────────────────────────────────────────────────

ABOUT_3: Final = Fact("x.about", {"of": HandRef("seat3/anna")})
ABOUT_4: Final = Fact("x.about", {"of": HandRef("seat4")})


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judgement:
    """Judge a round of two seats, and have something found and doubted of each."""
    table = Script()
    table.open()
    table.play(
        BANKER_WINS,
        {(3, "banker", "anna"): 4000, (4, "player"): 1000},
        "banker",
        {(3, "banker", "anna"): 3800, (4, "player"): -1000},
    )
    table.close()
    archive: Path = archive_scripts(tmp_path_factory.mktemp("facts"), table)
    found = judgement(ClosedArchive(archive), "BAC-1", "1", DAY, None)
    doubts = [
        Doubt("data_missing", scope, about)
        for scope in ("second", Key(3, "anna", "banker", None), Key(4, None, "player", None))
        for about in (ABOUT_3, ABOUT_4)
    ]
    findings = (finding("a" * 16, ABOUT_3), finding("b" * 16, ABOUT_4))
    return replace(
        found, concluded=replace(found.concluded, findings=findings), seen=replace(found.seen, doubts=doubts)
    )


def finding(name: str, about: Fact) -> Finding:
    """Find something of the table, and something of anna's wager, each described by a fact."""
    steps = (Step(ABOUT_3, "631a.8", 5), Step(ABOUT_4, "631a.8", 5))
    return Finding(
        id=name, check="late_wager", weight="mismatch", severity="medium", message=about,
        citations=("631a.8(c)",), status="adopted", seat=3, bettor="anna", wager="banker", steps=steps,
    )  # fmt: skip


def test_what_is_disclosed_of_a_hand_is_settled_before_there_are_words(
    judged: Judgement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mute(code: str) -> Callable[..., str]:
        raise AssertionError(f"{code} was put into words")

    monkeypatch.setattr(templates, "_macro", mute)
    hand = disclosed_hand_facts(judged, VIEW)
    assert [each.message for each in hand.findings] == [ABOUT_3, WITHHELD]
    assert [[step.says for step in each.steps or ()] for each in hand.findings] == [[ABOUT_3], [ABOUT_3]]
    # What is left open at the other seat is left out, what is said of it elsewhere withheld.
    assert [each.message for each in hand.uncertain] == [ABOUT_3, WITHHELD, ABOUT_3, WITHHELD]
    assert [(spot.seat, spot.bettor) for spot in hand.wagers] == [(3, "anna")]
    assert WITHHELD not in {step.says for spot in hand.wagers for step in spot.steps}


def test_every_file_of_a_hand_discloses_the_same(judged: Judgement, words: str) -> None:
    hand = disclosed_hand_facts(judged, VIEW)
    verdict = disclose_hand(judged, render_hand(hand), VIEW)
    assert [each.message for each in verdict.findings] == [words, text(WITHHELD)]
    assert [each.message for each in verdict.uncertain] == [words, text(WITHHELD)] * 2
    derived = explanation(judged, hand, VIEW)
    assert [each.finding.message for each in derived] == [words, text(WITHHELD)]
    assert {line.says for each in derived for line in (*each.reasons, *each.steps)} == {words}
    certain = disclosed_hand_facts(replace(judged, seen=replace(judged.seen, doubts=[])), VIEW)
    sums = settlement(certain.wagers, judged.case, VIEW, (), {})
    assert {step.says for wager in sums.wagers for step in wager.steps} == {words}
