"""From a round record to a round, and back."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Final

import msgspec

from projections.engine.audit.judge import judge, not_in_force
from projections.engine.conclusion import Conclusion
from projections.engine.game import MOVES, Game, fault_of
from projections.engine.games import game_of
from projections.engine.observation import ASIDE, Key, LateMove, Move, Paid, Round, Wager, key_of, person
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.record import RecordPaid, RecordWager, RoundRecord
from schemas.rulebook import Refused, Rulebook, refused, rulebook
from schemas.values import CARDS, microseconds, moment

_decoder: Final = msgspec.json.Decoder(RoundRecord)
_LATEST: Final = 253_000_000_000_000_000  # as `Micros` has it


def read(line: bytes) -> RoundRecord:
    """Decode one line.

    Raises:
        BadInput: it is not JSON, or not a round record; the message says where in the object.
    """
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(str(error)) from None


def answer(record: RoundRecord, house: House) -> Conclusion:
    """Judge a record by the text of its gaming date and what the house chose.

    Raises:
        BadInput: a card, word, option or number of decks that the chapter does not have.
    """
    seen = to_round(record, house)
    try:
        book = book_of(record, house)
    except NotInForce as error:
        return not_in_force(seen, record.chapter, str(error))
    return judge(seen, book)


def book_of(record: RoundRecord, house: House) -> Rulebook:
    """Compose the rulebook of a record: the house's submission, overridden by the record's own options.

    Raises:
        BadInput: an option, a number of decks or an offered wager that the chapter does not admit; where the
            choice is the house's, the message says so.
        NotInForce: the chapter was not in force on the gaming date.
    """
    day = record.gaming_date or house.gaming_date(micros(record.at))
    setup = house.tables.get(record.table)
    options = house.options(record.chapter, record.table, day) | record.options
    decks = record.decks if record.decks is not None else setup.decks if setup is not None else None
    offered = house.offered(record.chapter, record.table, day) | record.offered
    try:
        return rulebook(record.chapter, day, options, decks, house.span(record.chapter), offered)
    except BadInput as error:
        wrong = refused(record.chapter, day, options, decks)
        raise BadInput(f"{_by(wrong[0], record, house, day) if wrong else ''}{error}") from None


def _by(wrong: Refused, record: RoundRecord, house: House, day: date) -> str:
    """Return where in the house file a choice stands that is refused.

    Nothing where it is the record's own.
    """
    if wrong.option is None:
        return f"the house file of {house.house}: table {record.table}: " if record.decks is None else ""
    if wrong.option in record.options:
        return ""
    by = [each for each in house.in_effect(record.chapter, record.table, day) if wrong.option in each.options]
    return f"the house file of {house.house}: submission from {by[-1].since}: "


def to_round(record: RoundRecord, house: House) -> Round:
    """Turn a record into the round that it tells of.

    Raises:
        BadInput: an unknown chapter, a card that cannot exist, an unknown word, or a wager listed twice.
    """
    game = game_of(record.chapter)
    for who, what in record.play:
        _check_act(game, who, what)
    if record.announced is not None and record.announced not in game.calls:
        known = ", ".join(game.calls) or "none that is announced"
        raise BadInput(f"announced: {record.announced!r} is no result of this game; it has {known}")
    for each in (*record.wagers, *(record.paid or ())):
        if each.seat == 0 and not game.dealer_wagers:
            raise BadInput("seat 0 is the dealer, who makes no wager in this game")
    at = micros(record.at)
    acts = record.play
    return Round(
        table=record.table,
        number=record.round,
        day=record.gaming_date or house.gaming_date(at),
        at=at,
        play=acts,
        wagers=_keyed(
            (key_of(each), Wager(each.cents, each.coupon_cents, each.coupon)) for each in record.wagers
        ),
        paid=(
            None
            if record.paid is None
            else _keyed((key_of(each), Paid(each.cents, each.vigorish_cents)) for each in record.paid)
        ),
        announced=record.announced,
        void=("dealer", "void") in acts,
        simulated=_simulated(acts),
        late=_late(acts, game),
        shoe=record.shoe,
        dealer=record.dealer,
    )


def to_record(seen: Round, book: Rulebook) -> RoundRecord:
    """Write a round as a record that stands on its own: with all its options, and no house.

    What was burned before it is part of its play. Where one of two readers alone read the cards, they prove
    nothing of the shoe; a record cannot say that, so it does not name the shoe.
    """
    burned = [("burn", card) for card in seen.burned]
    return RoundRecord(
        table=seen.table,
        round=seen.number,
        chapter=book.chapter,
        at=moment(seen.at),
        play=[*burned, *seen.play],
        wagers=[
            RecordWager(seat, wager, chips.cents, bettor, hand, chips.coupon_cents, chips.coupon)
            for (seat, bettor, wager, hand), chips in seen.wagers.items()
        ],
        options=book.options,
        offered=book.offered,
        decks=book.decks or None,
        announced=seen.announced,
        paid=(
            None
            if seen.paid is None
            else [
                RecordPaid(seat, wager, paid.cents, paid.vigorish_cents, bettor, hand)
                for (seat, bettor, wager, hand), paid in seen.paid.items()
            ]
        ),
        shoe=None if seen.covered or seen.uncovered else seen.shoe,
        dealer=seen.dealer,
        gaming_date=seen.day,
    )


def micros(at: datetime) -> int:
    """Return a moment in microseconds UTC.

    Raises:
        BadInput: no table was open then.
    """
    since = microseconds(at)
    if not 0 <= since <= _LATEST:
        raise BadInput(f"at: {at} is not a time of play")
    return since


def _keyed(entries: Iterable[tuple[Key, Any]]) -> dict[Key, Any]:
    keyed: dict[Key, Any] = {}
    for key, entry in entries:
        if key in keyed:
            raise BadInput(f"seat {key[0]}, wager {key[2]} is listed twice")
        keyed[key] = entry
    return keyed


def _simulated(acts: list[tuple[str, str]]) -> bool:
    """Return True if a round was declared a simulated one before its first card."""
    if ("dealer", "simulated") not in acts:
        return False
    first = next((n for n, (who, what) in enumerate(acts) if what in CARDS and who not in ASIDE), len(acts))
    if acts.index(("dealer", "simulated")) > first:
        raise BadInput("play: a round is declared simulated before its first card, not after")
    return True


def _late(acts: list[tuple[str, str]], game: Game) -> list[LateMove]:
    """Find what moved after "no more bets" or, where that is not told, after the first card.

    What is made during play is not late.
    """
    closes = [
        n
        for n, (who, what) in enumerate(acts)
        if (who, what) == ("dealer", "no_more_bets") or (what in CARDS and who not in ASIDE)
    ]
    if not closes:
        return []
    after = acts[closes[0] + 1 :]
    late = []
    for who, what in after:
        move, _, wager = what.partition(" ")
        if move not in MOVES or not who.startswith("seat"):
            continue
        spot, slash, bettor = who.partition("/")
        first, dot, _ = spot.partition(".")
        key = (*person(first + slash + bettor), wager, spot if dot else None)
        if not game.made_during_play(key):
            seat, someone, _, hand = key
            late.append(LateMove(seat, wager, msgspec.convert(move, Move), someone, hand))
    return late


def _check_act(game: Game, who: str, what: str) -> None:
    fault = fault_of(game, who, what)
    if fault is not None:
        raise BadInput(f"play: {fault}")
