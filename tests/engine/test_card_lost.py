"""A card that the shoe did not report, in games in which stakes hang on the dealer's first card.

Whichever card of a round is lost, the one after it is not taken for it: nothing is said against the table.
"""

from collections import defaultdict
from pathlib import Path

import pytest
from msgspec.structs import replace

from schemas import events
from streams.simulator.faults import NONE
from streams.simulator.playing import TableDay
from tests.builders.simulated_tables import audit_archive, events_sent, play_tables_of_game, write_archive
from tests.law import downunder_table, spanish21_table
from tests.law.downunder_table import bet


def first_cards(day: TableDay) -> dict[str, list[events.CardDrawn]]:
    """Return the cards of each round, in order."""
    found: dict[str, list[events.CardDrawn]] = defaultdict(list)
    for event in events_sent(day):
        if isinstance(event, events.CardDrawn):
            found[event.round].append(event)
    return found


def insured(day: TableDay) -> set[str]:
    """Return the rounds in which insurance was wagered."""
    return {
        event.round
        for event in events_sent(day)
        if isinstance(event, events.ChipsPlaced) and event.wager == "insurance"
    }


def without(day: TableDay, lost: set[int]) -> TableDay:
    """Return a table's day without some events."""
    frames = [
        replace(frame, events=[event for event in frame.events if id(event) not in lost])
        for frame in day.frames
    ]
    return replace(day, frames=frames)


def verdicts(days: list[TableDay], folder: Path) -> dict[tuple[str, str], str]:
    """Audit tables; the verdict of each round."""
    write_archive(days, folder)
    return {
        (each.table, each.round): each.verdict for each in audit_archive(folder) if each.round is not None
    }


@pytest.mark.parametrize("chapter", ["551", "685a"])
def test_the_dealers_next_card_is_not_taken_for_his_first(chapter: str, tmp_path: Path) -> None:
    days = play_tables_of_game(chapter, 2, 2, dict(NONE), "7")
    lost: set[int] = set()
    rounds: set[tuple[str, str]] = set()
    for day in days:
        hit = insured(day)
        for number, cards in first_cards(day).items():
            if number in hit:
                lost.add(id(next(card for card in cards if card.hand == "dealer")))
                rounds.add((day.table.plan.name, number))
    assert rounds
    told_of = verdicts([without(day, lost) for day in days], tmp_path)
    assert {each for each in rounds if told_of[each] == "mismatch"} == set()
    assert {each for each, verdict in told_of.items() if verdict == "mismatch"} == set()
    assert {told_of[each] for each in rounds} == {"undetermined"}


@pytest.mark.parametrize("chapter", ["551", "685a"])
def test_no_lost_card_makes_a_mismatch(chapter: str, tmp_path: Path) -> None:
    days = play_tables_of_game(chapter, 2, 2, dict(NONE), "8")
    lost = {
        id(cards[turn % len(cards)])
        for day in days
        for turn, (_, cards) in enumerate(sorted(first_cards(day).items()))
    }
    told_of = verdicts([without(day, lost) for day in days], tmp_path)
    assert "mismatch" not in told_of.values()
    assert "undetermined" in told_of.values()


# ── the dealer's first card is simply not there: no device says that it missed one ───────────────────


def test_685a_no_wager_is_judged_by_a_card_that_may_be_the_hole_card() -> None:
    # Seat 1 has 9c 9d; the dealer's one card is a nine, after all others: his first or his second.
    stakes = bet(), bet("insurance", 500), bet("match_the_dealer", 500)
    concluded = downunder_table.audit("1:9c 1:9d d:9s 1:stand", *stakes)
    assert downunder_table.checks(concluded) == ["card_missing"]
    assert downunder_table.owed(concluded)[1:] == [None, None]
    # Before a second card went to the seat it is the first: two nines of its rank, 4 to 1 each.
    concluded = downunder_table.audit("1:9c d:9s 1:9d 1:stand", *stakes)
    assert sorted(downunder_table.checks(concluded)) == ["card_missing", "wager_not_permitted"]
    assert downunder_table.owed(concluded)[1:] == [None, 4000]


def test_551_no_wager_is_judged_by_a_card_that_may_be_the_hole_card() -> None:
    stakes = ("1 wager 1000", "1 insurance 500", "1 match_the_dealer 500")
    concluded = spanish21_table.audit("1:9c 1:9d D:9s 1:stand", *stakes)
    assert spanish21_table.found(concluded) == [("card_missing", "dealer")]
    due = spanish21_table.owed(concluded)
    assert (due["1 insurance"], due["1 match_the_dealer"]) == (None, None)
    concluded = spanish21_table.audit("1:9c D:9s 1:9d 1:stand", *stakes)
    assert {check for check, _ in spanish21_table.found(concluded)} == {"wager_not_permitted", "card_missing"}
    assert spanish21_table.owed(concluded)["1 match_the_dealer"] == 4000
