"""Where the shoe was not heard and the camera alone saw the cards: what that proves, and what it does not."""

from datetime import date

import pytest

from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.audit.judge import judge
from projections.engine.facts import fact
from projections.engine.fold.reconcile_sources import Circumstances, reconcile
from projections.engine.fold.table_state import Building
from projections.engine.games import game_of
from projections.engine.observation import Gap, Round
from projections.engine.pack import Pack
from schemas import events as e
from schemas.rulebook import rulebook
from tests.builders.table_audit import audit_events
from tests.builders.table_script import Script, build_house
from tests.builders.texts import text_of

DAY = date(2025, 3, 1)
# The Player's Hand has 5 and must draw; no third card lay there.
SHORT = [("player", "2c"), ("banker", "Kd"), ("player", "3c"), ("banker", "7h")]


@pytest.mark.parametrize(("covered", "verdict"), [(False, "mismatch"), (True, "undetermined")])
def test_a_card_that_was_due_may_not_have_been_there_to_deal(covered: bool, verdict: str) -> None:  # noqa: FBT001  a case
    concluded = judge(Round("BAC-1", "1", DAY, 0, play=SHORT, covered=covered), rulebook("631a", DAY, {}))
    assert concluded.verdict == verdict
    (finding,) = concluded.findings
    assert (finding.check, finding.weight) == ("third_card_missing", verdict)


@pytest.mark.parametrize(("covered", "surplus"), [(False, 1), (True, 0)])
def test_what_one_camera_reads_proves_no_card_too_many(covered: bool, surplus: int) -> None:  # noqa: FBT001  a case
    shoe = ShoeAccount({"2c": 8})
    assert len(shoe.count(Round("BAC-1", "1", DAY, 0, play=SHORT, covered=covered), Pack(8))) == surplus


@pytest.mark.parametrize(
    ("hole", "verdicts"), [(False, ("mismatch", "clean")), (True, ("clean", "undetermined"))]
)
def test_a_card_too_many_by_what_one_of_two_readers_read_is_not_proven(
    hole: bool,  # noqa: FBT001  a case
    verdicts: tuple[str, str],
) -> None:
    s = Script()
    s.decks = 6
    s.open()
    for number in range(7):  # no other card comes more often than twice
        suit, rank = "cdhs"[number % 4], "45"[number // 4]
        s.begin()
        s.no_more_bets()
        s.deal(f"PKs B{rank}{suit}")
        s.deal(f"P{'89'[number // 4]}{suit} BQ{suit}")
        s.announce("player")
        s.end()
    lost = next(each for each in s.events if isinstance(each, e.CardSeen) and each.card == "Ks")
    s.close()
    heard = audit_events([each for each in s.events if not (hole and each is lost)], build_house(decks=6))
    assert (heard.rounds["7"].verdict, heard.shoes["shoe 1"].verdict) == verdicts
    if hole:
        (finding,) = heard.shoes["shoe 1"].findings
        assert (
            text_of(finding.message)
            == "Ks left the shoe for the 7th time, if one reader alone read it rightly"
        )


def test_what_is_missing_of_the_procedures_hides_no_hole_of_the_shoe() -> None:
    silent = {"F": "pit", "S": "shoe"}
    gaps = [Gap(device, source, fact("fold.restarted", device=device)) for device, source in silent.items()]
    around = Circumstances({"T": "terminal", "S": "shoe", "F": "pit"}, gaps, 0, game_of("631a"))
    found = reconcile(Building("1"), Round("BAC-1", "1", DAY, 0), around, [])
    assert [each.device for each in found.doubts if each.check == "data_missing"] == ["S"]


@pytest.mark.parametrize(
    ("second", "fourth", "named"),
    [("6d", "7h", [("6d", 7), ("??", 313)]), ("7h", "6d", [("6d", 7)])],
    ids=["another card after it", "the last card"],
)
def test_the_card_beyond_all_decks_is_found_beside_one_too_many_of_its_kind(
    second: str, fourth: str, named: list[tuple[str, int]]
) -> None:
    # 312 cards of six decks; ten were burned face down, and three are to come. The shoe gives a 6d too many.
    few = {"2c", "3c", "7h", *(f"{rank}s" for rank in "A23456789T")}
    shoe = ShoeAccount({card: 5 if card in few else 6 for card in Pack(6).cards()}, face_down=10)
    play = [("player", "2c"), ("banker", second), ("player", "3c"), ("banker", fourth)]
    found = shoe.count(Round("BAC-1", "1", DAY, 0, play=play), Pack(6))
    assert [(each.card, each.times) for each in found] == named
