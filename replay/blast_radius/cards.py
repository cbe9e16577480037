"""A shoe with a card too many or too few, or with too few decks: the rounds dealt from it.

Every later card depends on the card that should have been there, or should not. So the right result of such a
round is not derivable, unless its cards are the same without the extra card: in rounds before the first of
its kind left a shoe that shows it.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from projections.engine.audit.restitution import Effect, WagerDifference, played, stake_of
from projections.engine.audit.shoe_counts import (
    Defect,
    DefectEffect,
    ExtraCard,
    Load,
    Loads,
    ShoeCount,
    Tells,
    standings,
)
from projections.engine.observation import Round
from replay.blast_radius.defects import BlastRadiusQuery, owed_by
from replay.lists.writers import Row
from replay.recording.rejudge import EffectRows
from replay.recording.seated_rounds import SeatedRound
from schemas.codec import AnyEvent
from schemas.errors import BadInput
from schemas.house import TableSetup
from schemas.near_names import nearest_names


class _CountedShoe(Struct, frozen=True):
    """Summary of a shoe once it is counted."""

    title: str
    first: str
    last: str
    rounds: int
    hands: int
    tells: Tells
    says: str
    all_copies_seen: bool
    within: bool


class _Shoes:
    """Numbers the shoes of a table in the order in which rounds are dealt from them."""

    def __init__(self, setup: TableSetup | None) -> None:
        sources = setup.sources if setup is not None else {}
        self.loads = Loads(next((device for device, reads in sources.items() if reads == "shoe"), None))
        self.load: Load | None = None
        self.place = -1
        self._last: tuple[str | None, int | None] | None = None

    def add_event(self, _table: str, event: AnyEvent) -> None:
        """Add an event of the table."""
        self.loads.add_event(event)

    def begins(self, observed: Round) -> bool:
        """Advance to a round; return True if it is the first of another shoe than the one before."""
        self.load = self.loads.of(observed)
        name = (observed.shoe, self.load.at if self.load is not None else None)
        if name == self._last:
            return False
        self._last = name
        self.place += 1
        return True


def affected_by_cards(
    query: BlastRadiusQuery, ledger: EffectRows, defect: Defect, shoe: str | None
) -> Iterator[Row]:
    """Yield the rounds that a defect of a shoe touched, after the evidence of when it was there.

    If neither the span nor the shoe is given, the span is derived from what the shoes themselves show.

    Raises:
        BadInput: not one table is named, it is played without cards, the shoe is not there, or no span is
            given and no shoe shows the defect.
    """
    if len(query.tables) != 1:
        raise BadInput("a shoe is at one table: say --table NAME")
    (table,) = query.tables
    setup = query.recording.house.tables.get(table) if query.recording.holds_frames else None
    if setup is not None and "shoe" not in setup.sources.values():
        raise BadInput(f"table {table} has no reader of cards in the house file")
    shoes = list(_counted(query, defect, setup))
    standings = _standings(shoes, shoe, table, is_named=query.span.is_bounded)
    yield from _evidence(shoes, standings, ledger, table)
    if shoe is None and not query.span.is_bounded:
        for message, at in _ends(shoes, standings):
            yield ledger.line("bound", table=table, shoe=at.title, round=at.first, says=message)
    yield from _touched(query, ledger, defect, setup, shoes, standings)


def _counted(query: BlastRadiusQuery, defect: Defect, setup: TableSetup | None) -> Iterator[_CountedShoe]:
    """Count the shoes of the table, one after another."""
    shoes = _Shoes(setup)
    counting: ShoeCount | None = None
    reached = False
    for each, within in query.rounds(shoes.add_event, names_unread=False):
        if shoes.begins(each.seen) or counting is None:
            if counting is not None:
                yield _closed(counting, defect, within=reached)
            counting, reached = _new_count(each, shoes.load), False
        counting.count_round(each.seen)
        reached = reached or within
    if counting is not None:
        yield _closed(counting, defect, within=reached)


def _new_count(each: SeatedRound, load: Load | None) -> ShoeCount:
    book = each.judged.book
    if book is None or not book.shoe_decks:
        what = "no text was in force" if book is None else "the game is played without cards"
        raise BadInput(
            f"table {each.seen.table}, round {each.seen.number}: {what}, so no shoe can be counted"
        )
    counting = ShoeCount(each.seen.shoe or "", load, book.shoe_decks, each.seen.number)
    counting.burn()
    return counting


def _closed(counting: ShoeCount, defect: Defect, *, within: bool) -> _CountedShoe:
    tells, message = defect.tells(counting)
    return _CountedShoe(
        title=counting.title,
        first=counting.first,
        last=counting.last,
        rounds=counting.rounds,
        hands=counting.hands,
        tells=tells,
        says=message,
        all_copies_seen=isinstance(defect, ExtraCard)
        and counting.cards.get(defect.card, 0) == counting.decks_expected + 1,
        within=within,
    )


def _standings(
    shoes: Sequence[_CountedShoe], shoe: str | None, table: str, *, is_named: bool
) -> list[DefectEffect]:
    """Return for each shoe whether the defect touched it: by the span if given, else by the shoes."""
    chosen = [each for each in shoes if shoe in (None, each.title)]
    if not chosen:
        titles = dict.fromkeys(each.title for each in shoes)
        raise BadInput(f"no shoe {shoe!r} at table {table}{nearest_names(shoe or '', titles)}")
    if shoe is not None and len(chosen) > 1 and not is_named:
        raise BadInput(
            f"{len(chosen)} shoes at table {table} went by {shoe!r}: say which with --from and --to"
        )
    if shoe is not None or is_named:
        return ["affected" if each.within and shoe in (None, each.title) else "untouched" for each in shoes]
    found = standings([each.tells for each in shoes])
    if "affected" not in found:
        raise BadInput(f"no shoe of table {table} shows it; say where it was with --shoe, or --from and --to")
    return found


def _evidence(
    shoes: Sequence[_CountedShoe], standings: Sequence[DefectEffect], ledger: EffectRows, table: str
) -> Iterator[Row]:
    """Yield the touched shoes and their neighbours that show or refute the defect."""
    for place, each in enumerate(shoes):
        touched = standings[place] != "untouched"
        is_near = any(
            standings[neighbour] != "untouched"
            for neighbour in (place - 1, place + 1)
            if 0 <= neighbour < len(shoes)
        )
        if each.tells != "silent" and (touched or is_near):
            yield ledger.line(
                "evidence",
                table=table,
                shoe=each.title,
                round=each.first,
                effect=each.tells,
                rounds=each.rounds,
                hands=each.hands,
                says=each.says,
            )


def _ends(
    shoes: Sequence[_CountedShoe], standings: Sequence[DefectEffect]
) -> Iterator[tuple[str, _CountedShoe]]:
    """Yield how the ends of each stretch of touched shoes are known."""
    for place, each in enumerate(shoes):
        if standings[place] == "untouched":
            continue
        if place == 0:
            yield "the record begins with it: nothing tells when the defect came in", each
        elif standings[place - 1] == "untouched":
            yield f"it came in no earlier than here: {_why(shoes[place - 1])}", each
        if place == len(shoes) - 1:
            yield "the record ends with it: nothing tells when the defect was gone", each
        elif standings[place + 1] == "untouched":
            yield f"it was gone after this shoe: {_why(shoes[place + 1])}", each


def _why(neighbour: _CountedShoe) -> str:
    return f"shoe {neighbour.title}: {neighbour.says}"


def _touched(
    query: BlastRadiusQuery,
    ledger: EffectRows,
    defect: Defect,
    setup: TableSetup | None,
    shoes: Sequence[_CountedShoe],
    standings: Sequence[DefectEffect],
) -> Iterator[Row]:
    """Yield the rounds of the shoes that the defect touched, or may have touched."""
    current = _Shoes(setup)
    is_equal = False
    for each, within in query.rounds(current.add_event):
        if current.begins(each.seen):
            burned = current.load.burned if current.load is not None else ()
            is_equal = shoes[current.place].all_copies_seen and not _has(defect, burned)
        is_equal = is_equal and not _has(defect, (card for _, card in each.seen.play))
        if not within or standings[current.place] == "untouched":
            continue
        effect: Effect
        if standings[current.place] == "possible":
            effect, message = "possible", "it may have been there; amount not derivable"
        elif is_equal:
            effect, message = "same_cards", "dealt before any card of its kind: the same cards without it"
        else:
            effect, message = "not_derivable", "affected, amount not derivable"
        yield from ledger.round_rows(each, _portions(each, effect, message), effect, message)


def _has(defect: Defect, cards: Iterable[str | None]) -> bool:
    return isinstance(defect, ExtraCard) and defect.card in cards


def _portions(each: SeatedRound, effect: Effect, message: str) -> list[WagerDifference]:
    owed = owed_by(each.judged.conclusion)
    return [
        WagerDifference(
            key=key,
            effect=effect,
            stake=stake_of(each.seen, key),
            was=played(each.seen, key),
            becomes=owed.get(key) if effect == "same_cards" else None,
            reason=message,
        )
        for key in dict.fromkeys((*owed, *(each.seen.paid or ())))
    ]
