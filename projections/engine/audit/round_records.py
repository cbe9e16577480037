"""From a round record to a round and back, and what the other records of a file show about it."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.accounts.table_accounts import TableAccounts
from projections.engine.audit.account_conclusions import judge_shoe
from projections.engine.audit.judge import conclude, judge, not_in_force
from projections.engine.audit.rulebooks import NO_RULES, pay_table_faults
from projections.engine.check_context import Surplus
from projections.engine.checks.data import ROUND_REPEATED, SOURCE_CONFLICT, repeat_of
from projections.engine.conclusion import Conclusion, ConclusionOf
from projections.engine.facts import fact, listed
from projections.engine.game import MOVES, Game, fault_of
from projections.engine.games import game_of
from projections.engine.observation import (
    OUT_OF_PLAY,
    Doubt,
    Key,
    LateMove,
    Move,
    Paid,
    Round,
    Wager,
    hand_name,
    key_of,
    person,
)
from projections.engine.pack import Pack, pack_of
from projections.engine.shoe import Shoe
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.record import RecordPaid, RecordWager, RoundRecord
from schemas.rulebook import Refused, Rulebook, refused, rulebook
from schemas.values import CARDS, MOST_MICROS, microseconds, moment

# ── From a round record to a round, and back ──────────────────────────────────────────────────────────

_decoder: Final = msgspec.json.Decoder(RoundRecord)


_AT_MOMENT: Final = "- at `$.at`"
_MOMENT_ASKED: Final = "; RFC 3339 with its offset is asked, such as 2025-03-01T20:53:35-05:00"


def read(line: bytes) -> RoundRecord:
    """Decode one line.

    Raises:
        BadInput: it is not JSON, or not a round record; the message names the place in the object.
    """
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        form_of_moment = _MOMENT_ASKED if str(error).endswith(_AT_MOMENT) else ""
        raise BadInput(f"{error}{form_of_moment}") from None


def answer(record: RoundRecord, house: House) -> Conclusion:
    """Judge a record by the text of its gaming date and what the house chose.

    Raises:
        BadInput: a card, word, option or number of decks that the chapter does not have.
    """
    observed = to_round(record, house)
    try:
        book = book_of(record, house)
    except NotInForce as error:
        return not_in_force(observed, record.chapter, str(error))
    return judge(observed, book, thresholds=house.severity)


def book_of(record: RoundRecord, house: House) -> Rulebook:
    """Compose the rulebook of a record: the house's submission, overridden by the record's own options.

    Raises:
        BadInput: an option, a number of decks or an offered wager that the chapter does not admit; the
            message says if the house made the choice.
        NotInForce: the chapter was not in force on the gaming date.
    """
    day = record.gaming_date or house.gaming_date(micros(record.at))
    setup = house.tables.get(record.table)
    options = house.options(record.chapter, record.table, day) | record.options
    decks = record.decks if record.decks is not None else setup.decks if setup is not None else None
    offered = house.offered(record.chapter, record.table, day) | record.offered
    for wager, text in offered.items():
        for place, why, _ in pay_table_faults(text, wager, record.chapter):
            raise BadInput(f"offered: {'.'.join(map(str, (wager, *place)))}: {why}")
    try:
        return rulebook(record.chapter, day, options, decks, house.span(record.chapter), offered)
    except BadInput as error:
        wrong = refused(record.chapter, day, options, decks)
        raise BadInput(f"{_by(wrong[0], record, house, day) if wrong else ''}{error}") from None


def _by(wrong: Refused, record: RoundRecord, house: House, day: date) -> str:
    """Return the place in the house file of a choice that is rejected.

    It is empty if the choice is the record's own.
    """
    if wrong.option is None:
        return f"the house file of {house.house}: table {record.table}: " if record.decks is None else ""
    if wrong.option in record.options:
        return ""
    by = [each for each in house.in_effect(record.chapter, record.table, day) if wrong.option in each.options]
    return f"the house file of {house.house}: submission from {by[-1].since}: "


def to_round(record: RoundRecord, house: House) -> Round:
    """Convert a record into its round.

    It is in doubt if neither the house nor the record says by which rules it was played.

    Raises:
        BadInput: an unknown chapter, a card that cannot exist, an unknown word, or a wager listed twice.
    """
    game = game_of(record.chapter)
    for who, what in record.play:
        _check_act(game, who, what)
    if record.announced is not None and record.announced not in game.calls:
        results = ", ".join(game.calls) or "none that is announced"
        raise BadInput(f"announced: {record.announced!r} is no result of this game; it has {results}")
    if not record.announced_points.keys() <= set(game.counted_hands):
        hands = ", ".join(game.counted_hands) or "none whose Point Count is announced"
        raise BadInput(f"announced_points: {', '.join(record.announced_points)}: this game has {hands}")
    for each in (*record.wagers, *(record.paid or ())):
        if each.seat == 0 and not game.dealer_wagers:
            raise BadInput("seat 0 is the dealer, who makes no wager in this game")
    at = micros(record.at)
    day = record.gaming_date or house.gaming_date(at)
    has_rules = record.options or not house.has_rules or house.submitted(record.chapter, record.table, day)
    acts = record.play
    return Round(
        table=record.table,
        number=record.round,
        day=day,
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
        announced_points=record.announced_points,
        void=("dealer", "void") in acts,
        simulated=_simulated(acts),
        late=_late(acts, game),
        shoe=record.shoe,
        dealer=record.dealer,
        doubts=[] if has_rules else [NO_RULES],
    )


def to_record(observed: Round, book: Rulebook) -> RoundRecord:
    """Write a round as a record that is complete in itself: with all its options, and no house.

    Cards burned before the round are part of its play. Cards that only one of two readers read prove nothing
    about the shoe. A record cannot express that, so it then does not name the shoe. Options are left out if
    nothing says that they were the house's.
    """
    burned = [("burn", card) for card in observed.burned]
    return RoundRecord(
        table=observed.table,
        round=observed.number,
        chapter=book.chapter,
        at=moment(observed.at),
        play=[*burned, *observed.play],
        wagers=[
            RecordWager(
                key.seat,
                key.wager,
                chips.cents,
                key.bettor,
                key.hand,
                chips.coupon_cents,
                chips.coupon,
            )
            for key, chips in observed.wagers.items()
        ],
        options={} if NO_RULES in observed.doubts else book.options,
        offered=book.offered,
        decks=book.decks or None,
        announced=observed.announced,
        paid=(
            None
            if observed.paid is None
            else [
                RecordPaid(key.seat, key.wager, paid.cents, paid.vigorish_cents, key.bettor, key.hand)
                for key, paid in observed.paid.items()
            ]
        ),
        shoe=None if observed.covered or observed.uncovered else observed.shoe,
        dealer=observed.dealer,
        gaming_date=observed.day,
        announced_points=observed.announced_points,
    )


def micros(at: datetime) -> int:
    """Return a moment in microseconds UTC.

    Raises:
        BadInput: no table was open then.
    """
    since = microseconds(at)
    if not 0 <= since <= MOST_MICROS:
        raise BadInput(f"at: {at} is not a time of play")
    return since


def _keyed(entries: Iterable[tuple[Key, Any]]) -> dict[Key, Any]:
    keyed: dict[Key, Any] = {}
    for key, entry in entries:
        if key in keyed:
            raise BadInput(f"seat {key.seat}, wager {key.wager} is listed twice")
        keyed[key] = entry
    return keyed


def _simulated(acts: list[tuple[str, str]]) -> bool:
    """Return True if a round was declared a simulated one before its first card."""
    if ("dealer", "simulated") not in acts:
        return False
    first = next(
        (n for n, (who, what) in enumerate(acts) if what in CARDS and who not in OUT_OF_PLAY), len(acts)
    )
    if acts.index(("dealer", "simulated")) > first:
        raise BadInput("play: a round is declared simulated before its first card, not after")
    return True


def _late(acts: list[tuple[str, str]], game: Game) -> list[LateMove]:
    """Find what moved after "no more bets" or, if that is not recorded, after the first card.

    Wagers made during play are not late.
    """
    closes = [
        n
        for n, (who, what) in enumerate(acts)
        if (who, what) == ("dealer", "no_more_bets") or (what in CARDS and who not in OUT_OF_PLAY)
    ]
    if not closes:
        return []
    after = acts[closes[0] + 1 :]
    late = []
    for who, what in after:
        move, _, wager = what.partition(" ")
        if move not in MOVES or not who.startswith("seat"):
            continue
        place, part, _ = hand_name(who)
        key = Key(*person(who), wager, f"{place}.{part}" if part else None)
        if not game.made_during_play(key):
            late.append(LateMove(key.seat, wager, msgspec.convert(move, Move), key.bettor, key.hand))
    return late


def _check_act(game: Game, who: str, what: str) -> None:
    fault = fault_of(game, who, what)
    if fault is not None:
        raise BadInput(f"play: {fault}")


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What the other records of a file show about one: its shoe's cards, and whether its round is recorded twice.
# A record has no loading of its shoe. A shoe is the consecutive rounds of a table that name it. One that is
# named again after another, or on another gaming day after a pause, counts as loaded again; otherwise a shoe
# that really was reloaded would be accused wrongly.

_PAUSE: Final = 3_600_000_000  # microseconds; after so long a shoe of another gaming day is another one
_CARDS: Final = 4  # so many cards show that two equal rounds in a row are one recorded twice
_encode: Final = msgspec.json.Encoder().encode
_PARTS: Final = ("at", "play", "wagers", "announced", "announced_points", "paid", "shoe", "dealer")


class PlacedRecord(Struct, frozen=True):
    """A record, its round, and the line it stands on.

    `book` is its rulebook, None if no text was in force.
    """

    line: int
    record: RoundRecord
    seen: Round
    house: House
    book: Rulebook | None

    @property
    def rules(self) -> str:
        """Return the digest of its rulebook, or its chapter where no text was in force."""
        return self.book.digest if self.book is not None else self.record.chapter

    @property
    def pack(self) -> Pack | None:
        """Return what one shoe holds; None if no shoe can be counted."""
        return pack_of(self.book) if self.book is not None else None


class RecordContext(Struct, frozen=True):
    """Facts about one record that the other records of its file hold.

    `surplus` are cards that its shoe's decks do not hold that often. `first` is the line on which the same
    round stands already. `doubts` are what other records leave open of it.
    """

    surplus: tuple[Surplus, ...] = ()
    first: int | None = None
    doubts: tuple[Doubt, ...] = ()


class ShoeOfRecords(Struct, frozen=True):
    """Conclusion of a shoe about which the records of a file show something, and the house that dealt it."""

    conclusion: Conclusion
    house: House


class _ShoeInPlay(Struct):
    """A shoe, and its cards of `all` its records; the table's accounts have those of single ones."""

    table: str
    shoe: Shoe
    book: Rulebook
    pack: Pack
    house: House
    all: ShoeAccount
    day: date = date.min
    at: int = 0

    def holds(self, observed: Round, pack: Pack) -> bool:
        in_time = observed.day == self.day or observed.at - self.at <= _PAUSE
        return (self.shoe.name, self.pack) == (observed.shoe, pack) and in_time


class RecordHistory:
    """The records of one table. Gaming days are taken one after another, the earliest first.

    The accounts of its shoes are of the `single` records, which do not equal the one before.
    """

    def __init__(self) -> None:
        self._in_play: _ShoeInPlay | None = None
        self._accounts = TableAccounts()
        self._turns: dict[str, int] = {}
        self._concluded: list[ShoeOfRecords] = []

    def take_day(self, records: Sequence[PlacedRecord]) -> dict[int, RecordContext]:
        """Return by line what the records of a gaming day show about each other; most have no entry.

        Records are given in file order. Cards are counted in order of time, and in file order if the times
        are equal.
        """
        found = _contexts_of_repeated(records)
        single = [each for each in records if each.line not in found]
        equal = {each.line: before for before, each in pairwise(single) if _equals(each, before)}
        for each in sorted(single, key=lambda each: each.seen.at):
            surplus = self._count(each, is_single=each.line not in equal)
            doubts = (_repeats(equal[each.line]),) if each.line in equal else ()
            if surplus or doubts:
                found[each.line] = RecordContext(surplus=surplus, doubts=doubts)
        return found

    def end(self) -> list[ShoeOfRecords]:
        """End the last shoe; return the conclusions that have findings or notes."""
        self._end_shoe(None)
        return self._concluded

    def _count(self, each: PlacedRecord, *, is_single: bool) -> tuple[Surplus, ...]:
        observed, book, pack = each.seen, each.book, each.pack
        if observed.shoe is None or book is None or pack is None:
            return ()
        current = self._in_play
        if current is None or not current.holds(observed, pack):
            current = self._begin_shoe(observed.shoe, each, book, pack)
        current.day, current.at = observed.day, observed.at
        of_all = current.all.count(observed, pack)
        proven: tuple[Surplus, ...] = ()
        if is_single:
            account, one_in = self._accounts.of(current.shoe), each.house.shoes.one_in
            proven = account.count(observed, pack)
            account.look_for_absence(pack, one_in)
            self._accounts.take_order(current.shoe, observed, pack, one_in)
        return proven or tuple(replace(surplus, is_proven=False) for surplus in of_all)

    def _begin_shoe(self, name: str, each: PlacedRecord, book: Rulebook, pack: Pack) -> _ShoeInPlay:
        self._turns[name] = turn = self._turns.get(name, 0) + 1
        shoe = Shoe(name, each.seen.day, turn=turn, number=sum(self._turns.values()))
        self._end_shoe(shoe)
        shoe_in_play = _ShoeInPlay(each.seen.table, shoe, book, pack, each.house, ShoeAccount())
        self._in_play = shoe_in_play
        return shoe_in_play

    def _end_shoe(self, following: Shoe | None) -> None:
        """Conclude the shoe that was in play; the one that follows takes over what must be known of it."""
        ended, self._in_play = self._in_play, None
        if ended is None:
            return
        shoe, one_in = ended.shoe, ended.house.shoes.one_in
        account = self._accounts.of(shoe)
        self._accounts.end_order(shoe, ended.pack, one_in)
        if account.is_rare or account.order.runs or account.order.likeness:
            thresholds = ended.house.severity
            case = ShoeCase(
                ended.table, shoe.day or date.min, shoe, account, ended.book, [], one_in, thresholds
            )
            self._concluded.append(ShoeOfRecords(judge_shoe(case), ended.house))
        self._accounts.end_shoe(shoe, following, is_even=False)


def repeated(observed: Round, chapter: str, first: int) -> Conclusion:
    """Conclude of a record that the same round stands on an earlier line: no money of it is counted again."""
    return conclude(
        observed, [repeat_of(first)], outcome=None, expected=(), is_open=False, chapter=chapter, rulebook=None
    )


def is_repeat(conclusion: ConclusionOf[Any]) -> bool:
    """Return True if a conclusion is of a record that repeats another one, as `repeated` concludes."""
    return any(finding.check == ROUND_REPEATED.check for finding in conclusion.findings)


def _contexts_of_repeated(records: Sequence[PlacedRecord]) -> dict[int, RecordContext]:
    """Return the contexts of records of a gaming day that share one number."""
    by_number: dict[str, list[PlacedRecord]] = {}
    for each in records:
        by_number.setdefault(each.seen.number, []).append(each)
    found: dict[int, RecordContext] = {}
    for same_number in by_number.values():
        first, *others = same_number
        differ = {part for other in others for part in _differences(first, other)}
        if differ:
            lines = listed(*sorted(each.line for each in same_number))
            difference = fact("audit.records_differ", lines=lines, parts=listed(*sorted(differ)))
            doubt = Doubt(SOURCE_CONFLICT.check, "all", difference)
            found |= {each.line: RecordContext(doubts=(doubt,)) for each in same_number}
        else:
            found |= {each.line: RecordContext(first=first.line) for each in others}
    return found


def _differences(one: PlacedRecord, other: PlacedRecord) -> list[str]:
    """Return the parts in which two records of one round differ."""
    parts = [part for part in _PARTS if getattr(one.seen, part) != getattr(other.seen, part)]
    return parts if one.rules == other.rules else [*parts, "rules"]


def _equals(each: PlacedRecord, before: PlacedRecord) -> bool:
    """Return True if a log wrote what it had written before, in the same way, under another number."""
    if len(each.seen.dealt()) < _CARDS or each.seen.play != before.seen.play:
        return False
    return _encode(replace(each.record, round=before.record.round)) == _encode(before.record)


def _repeats(before: PlacedRecord) -> Doubt:
    same = fact("audit.equals_round_before", round=before.seen.number, line=before.line)
    return Doubt(ROUND_REPEATED.check, "second", same)
