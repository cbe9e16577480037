"""A 21 Baccarat table as the tests of Chapter 681a speak of it: wagers, and the audit's answer.

The hands are laid out as at any baccarat table: their cards leave the shoe in the same order, 681a.7(e), (g).
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from msgspec.structs import replace

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from schemas.record import RecordPaid, RecordWager, RoundRecord
from tests.law.baccarat_table import HOUSE, Play

EVENING: Final = datetime(2020, 1, 1, 20, tzinfo=UTC)
BESIDE: Final = RecordWager(1, "player", 1000, bettor="beside")


def audit(
    play: Play,
    *wagers: tuple[str, int],
    settled: Sequence[tuple[str, int]] | None = None,
    announced: str | None = None,
    decks: int | None = None,
    **options: Any,
) -> Conclusion:
    """Judge one round of one seat through the public road; wagers and settlements as name and cents.

    Where they are Tie and Bonus Wagers alone another person on the spot wagers on the Player's Hand, so that
    they may be made, 681a.6(d), and is paid what is owed to him.
    """
    made = [RecordWager(1, wager, cents) for wager, cents in wagers]
    paid = None if settled is None else [RecordPaid(1, wager, cents) for wager, cents in settled]
    if made and not {"player", "banker"} & {each.wager for each in made}:
        made.append(BESIDE)
    record = RoundRecord(
        table="B21-1",
        round="1",
        chapter="681a",
        at=EVENING,
        play=play,
        wagers=made,
        options=options,
        decks=decks,
        announced=announced,
    )
    if paid is None:
        return answer(record, HOUSE)
    for each in answer(record, HOUSE).expected:
        if each.bettor == BESIDE.bettor and each.cents is not None:
            paid.append(RecordPaid(1, each.wager, each.cents, bettor=each.bettor))
    return answer(replace(record, paid=paid), HOUSE)


def owed(concluded: Conclusion) -> dict[str, int | None]:
    """Return what each wager is owed, in cents."""
    return {each.wager: each.cents for each in concluded.expected if each.bettor != BESIDE.bettor}


def checks(concluded: Conclusion) -> list[tuple[str, str]]:
    """Return the findings and the hands that they are about."""
    return [(finding.check, str(finding.who or "")) for finding in concluded.findings]


def cited(concluded: Conclusion) -> set[str]:
    """Return every provision that the findings are based on."""
    return {cite for finding in concluded.findings for cite in finding.citations}


def owed_by(clauses: Sequence[str], play: Play, wager: str, cents: int, **options: Any) -> int:
    """Return the gain of the only wager of a round, and prove that it stands on `clauses`.

    The wager is paid a cent more than is owed: the finding must name the clauses.
    """
    concluded = audit(play, (wager, cents), **options)
    assert concluded.findings == (), "the cards did not fall by the rules"
    gain = owed(concluded)[wager]
    assert gain is not None, f"{wager} is not settled"
    wrong = audit(play, (wager, cents), settled=[(wager, gain + 1)], **options)
    (finding,) = wrong.findings
    assert set(clauses) <= set(finding.citations), f"{wager} is settled by {finding.citations}"
    return gain
