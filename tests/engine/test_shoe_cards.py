"""The cards of a shoe come to its decks: what left it, what was burned, and what was left at its end."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.engine.audit.table_audit import AuditProgress, TableAudit
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from schemas import events as e
from tests.builders.shoes import DECKS, HANDS, Table, at_table, pack, shuffled
from tests.builders.strategies import STEADY
from tests.builders.table_audit import audit_events, finding_checks
from tests.builders.table_script import Script, build_house
from tests.builders.texts import text_of

CLAUSES = {
    "631a": ("631a.3(a)",),
    "541": ("541.3(a)", "541.3(b)"),
    "543": ("543.3(a)",),
    "545": ("545.3(a)",),
    "551": ("551.8(j)(2)",),
    "681a": ("681a.7(d)(1)",),
    "685a": ("685a.7(d)(1)",),
}


def only(concluded: Conclusion) -> Finding:
    (finding,) = (each for each in concluded.findings if each.check == "cards_not_conserved")
    return finding


def says(concluded: Conclusion) -> str:
    return text_of(only(concluded).message)


@pytest.mark.parametrize("chapter", HANDS)
def test_a_shoe_that_ends_with_every_card_is_clean(chapter: str) -> None:
    s = Table(chapter)
    s.put_in("A", burned=[None])
    left = s.deal_all(shuffled(pack(chapter, s.decks), chapter)[1:], leave=40)
    s.count_rest(len(left), left)
    assert s.shoes_told()["A"].verdict == "clean"


@pytest.mark.parametrize("chapter", HANDS)
def test_one_card_short_is_found_by_its_number(chapter: str) -> None:
    s = Table(chapter)
    cards = shuffled(pack(chapter, s.decks), chapter)
    cards.remove("8d")
    s.put_in("A", burned=[None])
    left = s.deal_all(cards[1:], leave=40)
    s.count_rest(len(left))
    finding = only(s.shoes_told()["A"])
    assert (finding.weight, finding.severity) == ("mismatch", "critical")
    assert finding.citations == CLAUSES[chapter]
    size = DECKS[chapter] * (48 if chapter == "551" else 52)
    assert text_of(finding.message).startswith(f"the shoe ended 1 short of its {size} cards")


def test_where_every_card_was_read_the_missing_one_is_named() -> None:
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "named")
    cards.remove("8d")
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=40)
    s.count_rest(len(left), left)
    assert says(s.shoes_told()["A"]) == (
        "the shoe ended 1 short of its 416 cards; not seen: 1 x 8d; "
        "no shoe before it was counted, so since when is not known"
    )


def test_a_card_too_many_is_named_although_no_draw_could_show_it() -> None:
    # Eight of the nine were dealt; the ninth lay among those counted at the end.
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "long")
    cards.remove("8d")
    s.put_in("A", burned=cards[:1])
    left = [*s.deal_all(cards[1:], leave=40), "8d", "8d"]
    s.count_rest(len(left), left)
    assert says(s.shoes_told()["A"]).startswith(
        "the shoe ended 1 above its 416 cards; beyond its decks: 1 x 8d"
    )


def test_a_card_exchanged_for_another_is_named_with_the_one_that_lacks() -> None:
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "exchanged")
    cards.remove("8d")
    s.put_in("A", burned=cards[:1])
    left = [*s.deal_all(cards[1:], leave=40), "Kc"]
    s.count_rest(len(left), left)
    found = s.shoes_told()["A"]
    assert says(found).startswith(
        "the shoe ended with its 416 cards, not those of its decks; not seen: 1 x 8d; "
        "beyond its decks: 1 x Kc"
    )


def test_cards_that_were_not_read_are_among_those_not_seen() -> None:
    # Two kings of clubs left unread, one 8 of diamonds never was there: three are not seen, one lacks.
    s = Table("681a")
    cards = shuffled([card for card in pack("681a", 8) if card not in ("8d", "Kc")], "unread")
    cards += ["8d"] * 7 + ["Kc"] * 6 + ["??", "??"]
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=40)
    s.count_rest(len(left), left)
    found = s.shoes_told()["A"]
    assert says(found).startswith(
        "the shoe ended 1 short of its 416 cards; not seen: 2 x Kc, 1 x 8d, the unread cards among them"
    )


def test_since_when_is_bounded_by_the_last_shoe_that_was_counted_whole() -> None:
    s = Table("681a")
    for shoe in ("A", "B", "C", "D"):
        cards = shuffled(pack("681a", 8), shoe)
        if shoe in ("C", "D"):
            cards.remove("8d")
        s.put_in(shoe, burned=[cards[0]])
        left = s.deal_all(cards[1:], leave=300)
        if shoe != "B":  # which nobody counted: the card may have been gone from then on
            s.count_rest(len(left), left)
    found = s.shoes_told()
    assert (found["A"].verdict, found["B"].verdict) == ("clean", "clean")
    for shoe in ("C", "D"):
        assert says(found[shoe]).endswith("since shoe B at the earliest: shoe A ended with every card")


def test_since_when_is_bounded_over_a_closing_of_the_table() -> None:
    s = Table("681a")
    for shoe in ("A", "B", "C"):
        cards = shuffled(pack("681a", 8), shoe)
        if shoe != "A":
            cards.remove("8d")
        s.put_in(shoe, burned=[cards[0]])
        left = s.deal_all(cards[1:], leave=300)
        s.count_rest(len(left), left)
        if shoe == "A":
            s.close()
            s.say("T", e.TableOpened, inventory_cents=s.tray, heard=s.heard())
    found = s.shoes_told()
    for shoe in ("B", "C"):
        assert says(found[shoe]).endswith("since shoe B at the earliest: shoe A ended with every card")


@pytest.mark.parametrize(
    ("short_days", "since"),
    [
        ((2,), "since shoe A at the earliest: shoe A of 2025-04-02 ended with every card"),
        ((1, 2), "since shoe A of 2025-04-02 at the earliest: shoe A of 2025-04-01 ended with every card"),
    ],
)
def test_since_when_has_the_day_of_a_shoe_that_is_named_anew_each_day(
    short_days: tuple[int, ...], since: str
) -> None:
    s = Table("681a")
    for day in range(3):
        if day:
            s.close()
            s.now = day * 24 * 3600
            s.say("T", e.TableOpened, inventory_cents=s.tray, heard=s.heard())
        cards = shuffled(pack("681a", 8), str(day))
        if day in short_days:
            cards.remove("8d")
        s.put_in("A", burned=[cards[0]])
        left = s.deal_all(cards[1:], leave=300)
        s.count_rest(len(left), left)
    assert says(s.shoes_told()["A"]).endswith(since)


def test_a_shoe_that_runs_out_early_is_found_on_that_draw() -> None:
    # Two decks where eight are asked for; the shoe's reader was told eight. 104 cards: two burned, 25 rounds
    # of four and two cards of the 26th, in which the shoe is empty.
    s = Table("631a")
    cards = shuffled(pack("631a", 2), "two decks")
    s.put_in("A", burned=[cards[0], None])
    for start in range(2, 102, 4):
        s.deal_round(cards[start : start + 4])
    s.count += 1
    s.tell(e.RoundOpened, shoe="A", rules=0, heard=s.heard())
    s.tell(e.WagersClosed)
    for card, hand in zip(cards[102:], ("player", "banker"), strict=True):
        s.say("S", e.CardDrawn, round=s.number, hand=hand, card=card)
    s.say("S", e.ShoeExhausted, round=s.number)
    s.tell(e.RoundVoided)
    s.tell(e.RoundClosed, heard=s.heard())
    audit = TableAudit("BAC-1", at_table("631a", 8))
    found = [each.conclusion for each in audit.feed([*s.events]) if each.conclusion.shoe == "A"]
    found += [each.conclusion for each in audit.finish() if each.conclusion.shoe == "A"]
    # 1 + 4 x 17 = 69 cards are the first of 67 or more of which none came a third time: rounds 17 to 25.
    shoes = [each for each in found if each.round is None]
    assert [finding_checks(each) for each in shoes] == [["cards_stay_away"]] * 9 + [["cards_not_conserved"]]
    assert says(shoes[-1]).startswith("the shoe ended 312 short of its 416 cards; no shoe before")


def test_play_that_goes_on_after_the_count_makes_it_void() -> None:
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "on")
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=40)
    s.count_rest(0)
    s.deal_all(left)
    assert s.shoes_told()["A"].verdict == "clean"


def test_the_count_of_another_shoe_is_none_of_this_one() -> None:
    s = Table("681a")
    s.put_in("A", burned=[None])
    s.deal_round(["2c", "3d", "Kc", "Kd"])
    s.say("S", e.ShoeCounted, shoe="B", left=3)
    assert s.shoes_told()["A"].verdict == "clean"


# ── what was not reported leaves it open ─────────────────────────────────────────────────────────────


def lost(s: Script, *kinds: type[e.Reported]) -> None:
    """Lose the first event of each kind."""
    for kind in kinds:
        s.events.remove(next(each for each in s.events if isinstance(each, kind)))


@pytest.mark.parametrize("kind", [e.CardDrawn, e.CardBurned, e.ShoeLoaded])
def test_a_hole_of_the_shoe_reader_leaves_the_count_open(kind: type[e.Reported]) -> None:
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "hole")
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=40)
    s.count_rest(len(left), left)
    lost(s, kind)
    found = s.shoes_told()["A"]
    assert found.verdict == "undetermined"
    if kind is not e.ShoeLoaded:  # without it the cards still come out, and the hole alone is told
        assert only(found).weight == "undetermined"
        assert "left open by: S number" in text_of(only(found).message)


def test_a_card_burned_after_the_count_is_of_the_shoe_whose_loading_was_lost() -> None:
    s = Table("681a")
    for shoe in ("A", "B"):
        cards = shuffled(pack("681a", 8), shoe)
        s.put_in(shoe, burned=[cards[0], None])
        left = s.deal_all(cards[2:], leave=300)
        s.count_rest(len(left), left)
    s.events.remove([each for each in s.events if isinstance(each, e.ShoeLoaded)][1])
    found = s.shoes_told()
    assert found["A"].verdict == "clean"
    assert "cards_not_conserved" not in finding_checks(found["B"])


def test_a_card_burned_after_a_count_that_play_made_void_is_of_the_same_shoe() -> None:
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "goes on")
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=300)
    s.count_rest(0)
    s.say("S", e.CardBurned, card=left[0])
    s.say("S", e.CardBurned)
    left = s.deal_all(left[2:], leave=100)
    s.count_rest(len(left), left)
    assert s.shoes_told()["A"].verdict == "clean"


def test_two_counts_that_contradict_each_other_leave_it_open() -> None:
    s = Table("681a")
    cards = shuffled(pack("681a", 8), "twice")
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=40)
    s.count_rest(len(left) - 1, left)
    found = only(s.shoes_told()["A"])
    assert found.weight == "undetermined"
    assert f"{len(left) - 1} cards were counted as left in it and {len(left)} read" in text_of(found.message)


# ── the first draw that cannot be ────────────────────────────────────────────────────────────────────


def test_one_card_more_than_the_decks_hold_in_all() -> None:
    # One was burned face down and 415 are read, none of them a ninth; the 417th is an eighth 8 of diamonds.
    s = Table("681a")
    cards = shuffled([*pack("681a", 8)], "all")
    cards.remove("8d")
    s.put_in("A", burned=[None])
    s.deal_all([*cards, "8d"])
    heard = audit_events(s.events, at_table("681a", 8))
    (number,) = [
        number for number, each in heard.rounds.items() if "card_not_in_deck" in finding_checks(each)
    ]
    (finding,) = (each for each in heard.rounds[number].findings if each.check == "card_not_in_deck")
    assert number == "104"  # 104 rounds of four and the burned card
    assert text_of(finding.message) == "417 cards left the shoe; it holds 416"


def test_a_card_of_a_kind_too_many_and_the_one_more_than_all_are_each_found() -> None:
    # Every card is read. The ninth 3 of clubs is the first card of round 3, the 417th the last of round 104.
    s = Table("681a")
    others = shuffled([card for card in pack("681a", 8) if card != "3c"], "all read")
    s.put_in("A", burned=others[:1])
    s.deal_all(["3c"] * 9 + others[1:])
    heard = audit_events(s.events, at_table("681a", 8))
    found = {
        number: text_of(finding.message)
        for number, each in heard.rounds.items()
        for finding in each.findings
        if finding.check == "card_not_in_deck"
    }
    assert found == {
        "3": "3c left the shoe for the 9th time; it holds 8 of each",
        "104": "417 cards left the shoe; it holds 416",
    }


def test_one_card_of_a_rank_more_than_the_decks_hold() -> None:
    # Thirty-two nines of eight decks were seen, no suit of them nine times; the 33rd was not read whole.
    s = Table("681a")
    s.put_in("A", burned=[None])
    nines = [f"9{suit}" for suit in "cdhs"] * 8
    for start in range(0, 32, 4):
        s.deal_round(nines[start : start + 4])
    s.deal_round(["2c", "9?", "3d", "4h"])
    heard = audit_events(s.events, at_table("681a", 8))
    (finding,) = (each for each in heard.rounds["9"].findings if each.check == "card_not_in_deck")
    assert (finding.who, text_of(finding.message)) == (
        "banker",
        "cards of rank 9 left the shoe 33 times; it holds 32",
    )
    assert not [
        number
        for number in map(str, range(1, 9))
        if "card_not_in_deck" in finding_checks(heard.rounds[number])
    ]


# ── what the worker keeps ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("cut", [5, 400, 1200])
def test_a_restart_changes_nothing(cut: int) -> None:
    s = Table("681a")
    for shoe in ("A", "B"):
        cards = shuffled(pack("681a", 8), shoe)
        if shoe == "B":
            cards.remove("8d")
        s.put_in(shoe, burned=[cards[0], None])
        left = s.deal_all(cards[2:], leave=100)
        s.count_rest(len(left), left)
    s.close()
    by = at_table("681a", 8)
    before, after = TableAudit("BAC-1", by), TableAudit("BAC-1", by)
    found = before.feed(s.events[:cut])
    after.progress = msgspec.json.decode(msgspec.json.encode(before.progress), type=AuditProgress)
    found += after.feed(s.events[cut:]) + after.finish()
    whole = audit_events(s.events, by)
    assert {each.conclusion.shoe: each.conclusion for each in found if each.conclusion.round is None} == {
        each.conclusion.shoe: each.conclusion for each in whole.history if each.conclusion.round is None
    }
    assert whole.shoes["B"].verdict == "mismatch"


def test_wrong_decks_are_reported_at_the_first_round() -> None:
    s = Script()
    s.decks = 2
    s.open()
    for _ in range(3):
        s.play("P7c B6d PKc BKd", {}, "player", {})
    audit = TableAudit("BAC-1", build_house())
    found = [each.conclusion for each in audit.feed([*s.events]) + audit.finish()]
    first = next(place for place, each in enumerate(found) if each.round is None)
    assert finding_checks(found[first]) == ["source_conflict"]
    assert [each.round for each in found[:first]] == ["1"]


# ── whatever is lost ─────────────────────────────────────────────────────────────────────────────────


@given(data=st.data())
@settings(STEADY, max_examples=40)
def test_shoes_in_order_are_accused_of_nothing_whatever_was_lost(data: st.DataObject) -> None:
    s = Table("681a", 4)
    for shoe in ("A", "B"):
        cards = shuffled(pack("681a", 4), f"{shoe} {data.draw(st.integers())}")
        s.put_in(shoe, burned=[cards[0], None])
        left = s.deal_all(cards[2:], leave=120)
        s.count_rest(len(left), left if data.draw(st.booleans()) else None)
    s.close()
    of_shoe = [n for n, each in enumerate(s.events) if each.device == "S"]
    gone = data.draw(st.sets(st.sampled_from(of_shoe), min_size=1, max_size=12))
    heard = audit_events([each for n, each in enumerate(s.events) if n not in gone], at_table("681a", 4))
    found = [each for shoe in heard.shoes.values() for each in shoe.findings]
    found += [
        each for one in heard.rounds.values() for each in one.findings if each.check == "card_not_in_deck"
    ]
    assert [each.check for each in found if each.weight == "mismatch"] == []
    assert {each.check for each in found} & {"data_missing", "cards_not_conserved"}
