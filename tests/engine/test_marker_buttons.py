"""Marker buttons as they lie at each round of a shoe: what is marked, what is collected; sums worked by hand.

Vigorish is 5% of what the Banker's Hand won, 631a.13(c). A button may not be taken from the layout until the
vigorish is collected, 631a.13(d)(2)(iii).
"""

from pathlib import Path
from typing import Final

import pytest

from projections.engine.audit.table_audit import TableAudit
from projections.engine.conclusion import Conclusion
from projections.store.store import Store
from schemas import events as e
from tests.builders.consoles import open_console
from tests.builders.stores import RUN
from tests.builders.table_audit import AuditedTable, audit_events
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, Spot, build_house

ONE: Final[Spot] = (1, "banker")
ANNA: Final[Spot] = (3, "banker", "anna")
PLAYER: Final[Spot] = (4, "player")
DEFERS: Final = build_house(vigorish_deferred=True)


def opened() -> Script:
    s = Script()
    s.open()
    return s


def wins(s: Script, gains: dict[Spot, int], marks: dict[Spot, int]) -> str:
    """Script wins of the Banker's Hand, with marks of vigorish of these sums."""
    return s.play(BANKER_WINS, gains, "banker", gains, marks, marked=True)


def loses(s: Script) -> str:
    """Play a round in which nothing is marked, with one wager at seat 4."""
    return s.play(PLAYER_WINS, {PLAYER: 1000}, "player", {PLAYER: 1000})


def lying(concluded: Conclusion) -> dict[str, tuple[int, int]]:
    """Return what each person's button stands for, as the round was opened and when it was over."""
    sums: dict[str, dict[str, int]] = {}
    for line in concluded.lines:
        assert line.of is not None
        assert line.cents is not None
        sums.setdefault(line.of, {})[line.name] = line.cents
    return {
        who: (each.get("vigorish_before", 0), each.get("vigorish_after", 0)) for who, each in sums.items()
    }


def a_shoe_with_collections() -> Script:
    """Mark 0.50 and 1.00, then 1.50 more of seat 1; collect all of anna's and 1.20 of seat 1's 2.00."""
    s = opened()
    loses(s)
    wins(s, {ONE: 1000, ANNA: 2000}, {ONE: 50, ANNA: 100})
    wins(s, {ONE: 3000}, {ONE: 150})
    s.pay_off(3, 100, "anna")
    s.pay_off(1, 120)
    loses(s)
    return s


def test_buttons_lie_at_each_round_as_marked_and_collected_before_it() -> None:
    heard = audit_events(a_shoe_with_collections().events, DEFERS)
    assert [lying(heard.rounds[number]) for number in ("1", "2", "3", "4")] == [
        {},
        {"1": (0, 50), "3/anna": (0, 100)},
        {"1": (50, 200), "3/anna": (100, 100)},
        {"1": (80, 80)},
    ]


def test_they_lie_while_the_shoe_is_in_play_and_has_no_conclusion() -> None:
    s = a_shoe_with_collections()
    s.begin()
    audit = TableAudit("BAC-1", DEFERS)
    heard = AuditedTable(audit)
    heard.hear(audit.feed(s.events))
    assert heard.shoes == {}
    assert lying(heard.rounds["3"]) == {"1": (50, 200), "3/anna": (100, 100)}


def test_a_button_taken_away_during_a_round_lay_as_it_was_opened() -> None:
    s = opened()
    wins(s, {ONE: 1000}, {ONE: 50})
    s.begin({PLAYER: 1000})
    s.pay_off(1, 50)
    s.no_more_bets({PLAYER: 1000})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({PLAYER: 1000})
    s.end()
    assert lying(audit_events(s.events, DEFERS).rounds["2"]) == {"1": (50, 0)}


@pytest.mark.parametrize("by", ["the next shoe", "the player's leaving"])
def test_what_is_not_collected_lies_on(by: str) -> None:
    s = opened()
    wins(s, {ONE: 1000}, {ONE: 50})
    if by == "the next shoe":
        s.load("shoe 2")
    else:
        s.say("T", e.PlayerLeft, seat=1)
    loses(s)
    wins(s, {ONE: 2000}, {ONE: 100})
    s.pay_off(1, 50)
    loses(s)
    heard = audit_events(s.events, DEFERS)
    assert [lying(heard.rounds[number]) for number in ("2", "3", "4")] == [
        {"1": (50, 50)},
        {"1": (50, 150)},
        {"1": (100, 100)},
    ]


def test_a_closed_table_has_no_buttons() -> None:
    s = opened()
    wins(s, {ONE: 1000}, {ONE: 50})
    s.close()
    s.open()
    loses(s)
    assert lying(audit_events(s.events, DEFERS).rounds["2"]) == {}


def test_a_button_whose_mark_was_not_reported_leaves_no_debt_behind() -> None:
    s = opened()
    s.pay_off(1, 50)
    wins(s, {ONE: 2000}, {ONE: 100})
    assert lying(audit_events(s.events, DEFERS).rounds["1"]) == {"1": (0, 100)}


def test_a_mark_that_comes_late_revises_the_rounds_after_it() -> None:
    s = a_shoe_with_collections()
    mark = next(each for each in s.events if isinstance(each, e.VigorishMarked))
    closed = [number for number, each in enumerate(s.events) if isinstance(each, e.RoundClosed)]
    late = [each for each in s.events if each is not mark]
    late.insert(closed[2], mark)  # behind the close of round 3
    heard = audit_events(late, DEFERS, frame=1)
    assert len(heard.revisions("3")) == 2
    assert lying(heard.rounds["3"]) == {"1": (50, 200), "3/anna": (100, 100)}


# ── in the console ───────────────────────────────────────────────────────────────────────────────────


def in_play(folder: Path) -> tuple[Path, dict[str, Conclusion]]:
    """Store the rounds of a shoe in play; in round 3 $2.50 is marked where $1.50 is due."""
    s = opened()
    wins(s, {ONE: 1000, ANNA: 2000}, {ONE: 50, ANNA: 100})
    s.pay_off(1, 50)
    loses(s)
    wins(s, {ONE: 3000}, {ONE: 250})
    s.begin()
    audit = TableAudit("BAC-1", DEFERS)
    heard = audit.feed(s.events)
    path = folder / "s.duckdb"
    with Store(path) as store:
        store.write(RUN, [(each.basis, each.conclusion, each.revision) for each in heard])
    assert all(each.conclusion.round is not None for each in heard)
    return path, {each.conclusion.round or "": each.conclusion for each in heard}


def test_an_alert_of_a_shoe_in_play_draws_the_buttons_as_they_lay(tmp_path: Path) -> None:
    path, rounds = in_play(tmp_path)
    (finding,) = rounds["3"].findings
    with open_console(path) as client:
        page = client.get(f"/alerts/{finding.id}").text
        told_of = client.get(f"/api/alerts/{finding.id}").json()["record"]
    # Seat 1 paid its 0.50 and owes 2.50 after the round; anna, who sits it out, owes her 1.00 all through.
    assert [(each["seat"], each["cents"], each["after_cents"]) for each in told_of["owing"]] == [
        (1, 0, 250),
        (3, 100, 100),
    ]
    assert told_of["lines"] == []
    assert "vigorish owing none <small>after the round $2.50</small>" in page
    assert "vigorish owing $1.00</p>" in page
    assert "Marker buttons when round 3 was opened, and after it if the sum changed" in page
    assert "Seat 3" in page
    assert "anna" not in page


def test_a_page_of_a_round_draws_them_too_each_as_it_lay_then(tmp_path: Path) -> None:
    path, rounds = in_play(tmp_path)
    with open_console(path) as client:
        first, second = (
            client.get(f"/rounds/{rounds[number].gaming_date}/BAC-1/{number}").text for number in ("1", "2")
        )
    assert "vigorish owing none <small>after the round $0.50</small>" in first
    assert "vigorish owing none <small>after the round $1.00</small>" in first
    assert "vigorish owing $1.00</p>" in second
    assert "Marker buttons when round 2 was opened" in second
    assert second.count('class="button"') == 1
