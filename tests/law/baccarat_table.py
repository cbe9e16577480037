"""A table as the tests of the baccarat chapters speak of it: hands, wagers, and the audit's answer."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, TypeAlias

from projections.engine.audit.round_records import answer
from projections.engine.conclusion import Conclusion
from projections.engine.facts import HandRef
from projections.engine.games import game_of
from projections.engine.observation import Round
from projections.engine.table_layout import lying
from schemas.house import House
from schemas.record import RecordPaid, RecordWager, RoundRecord
from schemas.rulebook import rulebook

Play: TypeAlias = list[tuple[str, str]]

HOUSE: Final = House(house="a house of the tests")
EVENING: Final = datetime(2025, 1, 1, 20, tzinfo=UTC)  # 15:00 in Pennsylvania, the text as adopted

NO_MORE_BETS: Final = ("dealer", "no_more_bets")


def deal(player: str, banker: str) -> Play:
    """Return two hands in the order in which their cards leave the shoe, 631a.9(c).

    >>> deal("2d 9s Ad", "5d Th")
    [('player', '2d'), ('banker', '5d'), ('player', '9s'), ('banker', 'Th'), ('player', 'Ad')]
    """
    players, bankers = player.split(), banker.split()
    return [
        ("player", players[0]),
        ("banker", bankers[0]),
        ("player", players[1]),
        ("banker", bankers[1]),
        *(("player", card) for card in players[2:]),
        *(("banker", card) for card in bankers[2:]),
    ]


# Rounds that many clauses are shown by; none has a pair in the first two cards of a hand.
BANKER_BY_1: Final = deal("Kc 6c", "Kd 7d")  # both stay: 6 to 7
PLAYER_BY_1: Final = deal("Kc 7c", "Kd 6d")  # both stay: 7 to 6
TIE_AT_6: Final = deal("Kc 6c", "Kd 6d")  # both stay: 6 to 6
DRAGON_7: Final = deal("Kc 6c", "Kd 4d 3d")  # Player stays on 6, Banker draws 3 to 4: 6 to 7 on three cards
PANDA_8: Final = deal("Kc 5c 3c", "Kd 7d")  # Player draws 3 to 5, Banker stays on 7: 8 on three cards to 7


# Hands without a Natural in which one ends so many points above the other.
PLAYER_BY: Final = {
    9: deal("Kc 5c 4c", "Kd Qd Kh"),  # 9 to 0
    8: deal("Kc 5c 3c", "Kd Qd Kh"),  # 8 to 0
    7: deal("Kc 7c", "Kd Qd Kh"),  # 7 to 0
    6: deal("Kc 6c", "Kd Qd Kh"),  # 6 to 0
    5: deal("Kc 6c", "Kd Qd Ah"),  # 6 to 1
    4: deal("Kc 6c", "Kd Qd 2h"),  # 6 to 2
    3: deal("Kc 6c", "Kd Qd 3h"),  # 6 to 3
    2: deal("Kc 6c", "Kd Qd 4h"),  # 6 to 4
    1: PLAYER_BY_1,
}
BANKER_BY: Final = {
    9: deal("Kc Qc Kh", "Kd 2d 7d"),  # 0 to 9
    8: deal("Kc Qc Kh", "Kd 2d 6d"),  # 0 to 8
    7: deal("Kc Qc Kh", "Kd 7d"),  # 0 to 7; stays
    6: deal("Kc Qc Kh", "Kd 6d"),  # 0 to 6; stays against a card worth 0
    5: deal("Kc Qc Kh", "Kd 5d"),  # 0 to 5; stays against a card worth 0
    4: deal("Kc Qc Kh", "Kd 4d"),  # 0 to 4; stays against a card worth 0
    3: deal("Kc Qc Kh", "Kd 3d Ks"),  # 0 to 3; draws against a card worth 0
    2: deal("Kc Qc Kh", "Kd 2d Ks"),  # 0 to 2
    1: BANKER_BY_1,
}


def bet(
    wager: str, cents: int = 10_000, *, seat: int = 1, coupon: int = 0, bettor: str | None = None
) -> RecordWager:
    """Add chips, and a Match Play Coupon under them, on a spot."""
    return RecordWager(seat, wager, cents, bettor=bettor, coupon_cents=coupon)


def paid(
    wager: str, cents: int, vigorish: int = 0, *, seat: int = 1, bettor: str | None = None
) -> RecordPaid:
    """Settle a wager: the player's gain, and the vigorish taken or marked."""
    return RecordPaid(seat, wager, cents, vigorish, bettor=bettor)


def audit(
    play: Play,
    *wagers: RecordWager,
    settled: Sequence[RecordPaid] | None = None,
    announced: str | None = None,
    points: dict[str, int] | None = None,
    at: datetime = EVENING,
    decks: int | None = None,
    house: House = HOUSE,
    chapter: str = "631a",
    **options: Any,
) -> Conclusion:
    """Judge one round through the public road."""
    record = RoundRecord(
        table="BAC-1",
        round="1",
        chapter=chapter,
        at=at,
        play=play,
        wagers=list(wagers),
        options=options,
        decks=decks,
        announced=announced,
        announced_points=points or {},
        paid=None if settled is None else list(settled),
    )
    return answer(record, house)


def owed(concluded: Conclusion, wager: str, *, seat: int = 1) -> tuple[int | None, int | None]:
    """Return the gain and the vigorish that a wager is owed, in cents."""
    (found,) = [each for each in concluded.expected if (each.seat, each.wager) == (seat, wager)]
    return found.cents, found.vigorish_cents


def checks(concluded: Conclusion) -> list[str]:
    """Return the findings."""
    return [finding.check for finding in concluded.findings]


def notes(concluded: Conclusion) -> list[str]:
    """Return the notes."""
    return [note.check for note in concluded.notes]


def owed_by(
    clause: str,
    play: Play,
    wager: str,
    cents: int,
    *,
    coupon: int = 0,
    at: datetime = EVENING,
    **options: Any,
) -> tuple[int, int]:
    """Return gain and vigorish of the only wager of a round, and prove that they stand on `clause`.

    The wager is paid a cent more than is owed: the finding must name the clause.
    """
    gain, vigorish = owed(audit(play, bet(wager, cents, coupon=coupon), at=at, **options), wager)
    assert gain is not None, f"{wager} is not settled"
    assert vigorish is not None, f"the vigorish on {wager} is left open"
    wrong = audit(
        play,
        bet(wager, cents, coupon=coupon),
        settled=[paid(wager, gain + 1, vigorish)],
        at=at,
        **options,
    )
    (finding,) = wrong.findings
    assert clause in finding.citations, f"{wager} is settled by {finding.citations}, not by {clause}"
    return gain, vigorish


def described(
    play: Play, *, chapter: str = "631a", day: date = date(2020, 1, 1), **more: Any
) -> list[tuple[Any, ...]]:
    """Return each step of a hand's play: what is stated, of which hand, the figures, and the provision."""
    seen = Round("BAC-1", "1", day, 0, play=play, **more)
    return [
        (
            says.code.removeprefix("games.baccarat."),
            *(arg.hand for arg in says.args.values() if isinstance(arg, HandRef)),
            *(arg for arg in says.args.values() if isinstance(arg, int | None)),
            cite,
        )
        for says, cite in game_of(chapter).reasons(seen, rulebook(chapter, day, {}))
    ]


def shown(play: Play, *, chapter: str, day: date) -> list[int | str | None]:
    """Return the Point Counts with which the Player's and the Banker's cards are shown."""
    return [each.point_count for each in game_of(chapter).hands(Round("BAC-1", "1", day, 0, play=play))]


def left_out(play: Play, *, chapter: str, day: date) -> list[tuple[str, str | None]]:
    """Return the cards that are shown as disregarded, each with the hand at which it lies."""
    laid = lying(chapter, Round("BAC-1", "1", day, 0, play=play), rulebook(chapter, day, {}))
    return [(each.hand, piece.face) for each in laid for piece in each.pieces if not piece.counts]
