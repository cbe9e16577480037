"""The set of tiles as it is opened, and the mixing of the tiles before each round."""

from collections.abc import Iterator
from typing import Final, TypeVar

from projections.engine.facts import Word, fact
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.round_steps import PlayedRound, round_of
from schemas.events import ItemInspected, ItemMoved, PlayerSeated, TableOpened, TilesDealt, WagersClosed
from schemas.procedures import FLOORPERSON_OR_ABOVE, TABLE
from schemas.values import Micros, Person

TILES_NOT_INSPECTED: Final = Kind(
    "tiles_not_inspected",
    severity="medium",
    asks="Did a dealer inspect the set of tiles, in all that the text names, and a floorperson verify it?",
    false_positives="An inspection that was not keyed in.",
    sources=("pit",),
)
UNSUITABLE_TILES_PLAYED: Final = Kind(
    "unsuitable_tiles_played",
    severity="critical",
    asks="Were tiles that came unsealed, or that an inspection did not find in order, kept out of play?",
    false_positives="A checklist with a wrong tick.",
    sources=("pit", "cards"),
)
TILES_NOT_REPLACED: Final = Kind(
    "tiles_not_replaced",
    severity="medium",
    asks="Did a floorperson bring another set for an unsuitable one, and was that sealed and signed?",
    false_positives="An envelope that the card inventory system was not told of.",
    sources=("pit", "cards"),
)
TILES_NOT_SPREAD: Final = Kind(
    "tiles_not_spread",
    severity="medium",
    asks="Did the sixteen pairs lie face up until the first player could look at them?",
    false_positives="A step that the pit terminal was not told of.",
    sources=("pit",),
)
TILES_NOT_MIXED: Final = Kind(
    "tiles_not_mixed",
    severity="critical",
    asks="Were the tiles mixed and stacked before each round, and again after one was shown?",
    false_positives="Circles that were not all counted; a step that the pit terminal was not told of.",
    sources=("pit",),
)
KINDS: Final = (
    TILES_NOT_INSPECTED,
    UNSUITABLE_TILES_PLAYED,
    TILES_NOT_REPLACED,
    TILES_NOT_SPREAD,
    TILES_NOT_MIXED,
)

T = TypeVar("T", ItemMoved, ItemInspected)

_SOURCES: Final = ("pit", "cards")


def _is_opening(played: PlayedRound) -> bool:
    """Return True if the table opened before the round, or another set of tiles came."""
    return bool(_came(played)) or any(played.events(TableOpened))


def _of_sets(played: PlayedRound, kind: type[T], until: Micros) -> list[tuple[Micros, T]]:
    """Return what was done with sets of tiles since the round before was opened, until a moment."""
    return [
        (entry.at, entry.event)
        for entry in (*played.case.window.before.tiles, *played.case.window.entries)
        if isinstance(entry.event, kind) and entry.event.kind == "tiles" and entry.at <= until
    ]


def _came(played: PlayedRound) -> list[ItemMoved]:
    """Return the sets that came for the round; one that comes while it is played is the next round's."""
    return [move for _, move in _of_sets(played, ItemMoved, played.since) if move.place == TABLE]


def _signed(persons: tuple[Person, ...]) -> bool:
    """Return True if a dealer and somebody of a floorperson's rank are among persons."""
    roles = {person.role for person in persons}
    return "dealer" in roles and bool(roles & FLOORPERSON_OR_ABOVE)


def check_tiles_inspected(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a set of tiles that was not inspected or verified, and one that is not fit and was played."""
    duty, played = case.duty("tiles_inspected"), round_of(case, void=True)
    if duty is None or played is None or "pit" not in case.sources or not _is_opening(played):
        return
    gaps = played.unreported(*_SOURCES)
    came = [move.item for move in _came(played)]
    inspections = [each for _, each in _of_sets(played, ItemInspected, played.since + case.uncertainty)]
    in_play = (came or [each.item for each in inspections] or [""])[-1]
    own = [each for each in inspections if each.item == in_play and each.by.role == "dealer"]
    if not own:
        message = fact("procedures.checks.tiles_not_inspected")
        yield case.found(TILES_NOT_INSPECTED, message, (duty.cite,), who=played.who, gaps=gaps)
        return
    last = own[-1]
    verifier = last.verified_by
    if verifier is None or verifier.role not in FLOORPERSON_OR_ABOVE or verifier.name == last.by.name:
        message = fact("procedures.checks.tiles_not_verified", item=in_play)
        yield case.found(TILES_NOT_INSPECTED, message, (duty.cite,), who=played.who, gaps=gaps)
    yield from _points(case, played, last)


def _points(case: ProcedureCase, played: PlayedRound, inspection: ItemInspected) -> Iterator[Raised]:
    """Raise what the inspection of the set in play found not in order, and what it did not look at."""
    answers = dict(inspection.checklist)
    points, looked = case.duty("tile_points"), case.duty("tiles_looked_at")
    for point, cite in points.value.items() if points is not None else ():
        if answers.get(point) is False:
            message = fact("procedures.checks.tiles_not_in_order", item=inspection.item, point=Word(point))
            who = f"{played.who}, {point}"
            yield case.found(UNSUITABLE_TILES_PLAYED, message, (cite,), who=who)
        elif answers and point not in answers and looked is not None and point in looked.value:
            message = fact("procedures.checks.tiles_not_looked_at", item=inspection.item, point=Word(point))
            who = f"{played.who}, {point}"
            yield case.found(TILES_NOT_INSPECTED, message, (cite,), who=who, undetermined=True)
    unsuitable = case.duty("tiles_replaced")
    if not inspection.passed and unsuitable is not None and False not in answers.values():
        message = fact("procedures.checks.unsuitable_tiles_played", item=inspection.item)
        cites, who = (unsuitable.cite,), f"{played.who}, {inspection.item}"
        yield case.found(UNSUITABLE_TILES_PLAYED, message, cites, who=who)


def check_tiles_sealed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a set of tiles that came to the table with a broken seal and was played."""
    duty, played = case.duty("tiles_sealed"), round_of(case, void=True)
    if duty is None or played is None:
        return
    came = _came(played)
    if came and came[-1].sealed is False:
        message = fact("procedures.checks.tiles_unsealed", item=came[-1].item)
        yield case.found(UNSUITABLE_TILES_PLAYED, message, (duty.cite,), who=f"tiles {came[-1].item}")


def check_tiles_replaced(case: ProcedureCase) -> Iterator[Raised]:
    """Raise an unsuitable set for which no floorperson brought another, or that was not sealed and signed."""
    replaced, sealed = case.duty("tiles_replaced"), case.duty("tiles_put_away")
    played = round_of(case, void=True)
    if replaced is None or sealed is None or played is None:
        return
    moves, gaps = _of_sets(played, ItemMoved, played.until), played.unreported(*_SOURCES)
    for at, inspection in _of_sets(played, ItemInspected, played.since):
        later = [(moment, move) for moment, move in moves if moment >= at]
        others = [
            move
            for moment, move in later
            if move.place == TABLE and move.item != inspection.item and moment <= played.since
        ]
        if inspection.passed or not others:
            continue  # a set that was played all the same is another finding
        who = f"tiles {inspection.item}"
        if not any(person.role in FLOORPERSON_OR_ABOVE for person in others[0].persons):
            message = fact("procedures.checks.tiles_brought_by_other", item=others[0].item)
            is_open = not others[0].persons
            cites = (replaced.cite,)
            yield case.found(TILES_NOT_REPLACED, message, cites, who=f"{who}, brought", undetermined=is_open)
        away = [move for _, move in later if move.place != TABLE and move.item == inspection.item]
        if not away or not away[-1].sealed or not _signed(away[-1].persons):
            message = fact("procedures.checks.tiles_not_put_away", item=inspection.item)
            yield case.found(TILES_NOT_REPLACED, message, (sealed.cite,), who=who, gaps=gaps)


def check_tiles_spread(case: ProcedureCase) -> Iterator[Raised]:
    """Raise tiles that did not lie in sixteen pairs, and those turned down before anybody sat there."""
    duty, turning, played = case.duty("tiles_spread"), case.duty("tiles_turned"), round_of(case, void=True)
    if duty is None or turning is None or played is None or "pit" not in case.sources:
        return
    if not _is_opening(played):
        return
    gaps, who = played.unreported("pit"), played.who
    mixed = played.steps("shuffled")
    until = mixed[0][0] if mixed else played.until
    spread = [each for at, each in played.steps("spread") if each.face == "up" and at <= until]
    if not spread:
        message = fact("procedures.checks.tiles_not_spread")
        yield case.found(TILES_NOT_SPREAD, message, (duty.cite,), who=who, gaps=gaps)
    elif spread[-1].count not in (None, duty.value):
        message = fact("procedures.checks.pairs_wrong", pairs=spread[-1].count or 0, right=duty.value)
        yield case.found(TILES_NOT_SPREAD, message, (duty.cite,), who=who)
    turned = next((at for at, _ in played.steps("turned")), None)
    if turned is None:
        message = fact("procedures.checks.tiles_not_turned")
        yield case.found(TILES_NOT_SPREAD, message, (turning.cite,), who=f"{who}, turned", gaps=gaps)
        return
    if not played.people(turned + case.uncertainty).seats:
        message = fact("procedures.checks.tiles_turned_early")
        yield case.found(
            TILES_NOT_SPREAD,
            message,
            (turning.cite,),
            who=f"{who}, turned",
            gaps=played.unreported("terminal"),
            undetermined=not any(played.events(PlayerSeated)),
        )


def check_tiles_mixed(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a round whose tiles were not mixed, with too few circles, not stacked, or not mixed again.

    After the first round it is asked of a table that has reported a mixing since it opened.
    """
    mixing, each_round = case.duty("tiles_mixed"), case.duty("tiles_mixed_again")
    played = round_of(case, void=True)
    if mixing is None or each_round is None or played is None or "pit" not in case.sources:
        return
    is_opening = _is_opening(played)
    if not is_opening and "shuffled" not in case.window.after.seen:
        return
    dealt = [at for at, _ in (*played.events(TilesDealt), *played.events(WagersClosed))]
    end = min(dealt, default=played.until)
    until = end + case.uncertainty
    mixed = [(at, each) for at, each in played.steps("shuffled") if at <= until]
    # Without the close of the round before, what was done between the two belongs to neither.
    gaps, who = played.unreported("pit"), played.who
    if not mixed:
        first = case.duty("tiles_turned") if is_opening else None
        message = fact("procedures.checks.tiles_not_mixed", round=played.name)
        cites = ((first or each_round).cite,)
        yield case.found(TILES_NOT_MIXED, message, cites, who=who, gaps=gaps)
        return
    at, last = mixed[-1]
    if last.count is not None and last.count < mixing.value["circles"]:
        message = fact(
            "procedures.checks.circles_too_few",
            round=played.name,
            circles=last.count,
            least=mixing.value["circles"],
        )
        yield case.found(TILES_NOT_MIXED, message, (mixing.cite,), who=f"{who}, circles")
    stacked = [each for moment, each in played.steps("stacked") if at <= moment <= until]
    if not stacked:
        message = fact("procedures.checks.tiles_not_stacked", round=played.name)
        yield case.found(TILES_NOT_MIXED, message, (mixing.cite,), who=f"{who}, stacks", gaps=gaps)
    elif stacked[-1].count not in (None, mixing.value["stacks"]):
        message = fact(
            "procedures.checks.stacks_wrong",
            round=played.name,
            stacks=stacked[-1].count or 0,
            right=mixing.value["stacks"],
        )
        yield case.found(TILES_NOT_MIXED, message, (mixing.cite,), who=f"{who}, stacks")
    again = case.duty("tiles_remixed")
    exposures = [moment for moment, _ in played.steps("tile_exposed") if at < moment <= until]
    if again is not None and exposures:
        message = fact("procedures.checks.tiles_not_remixed", round=played.name)
        # The clocks do not decide if a tile was shown in stacking or once the stacks were dealt.
        is_open = exposures[0] >= end - case.uncertainty
        cites, who = (again.cite,), f"{who}, shown tile"
        yield case.found(TILES_NOT_MIXED, message, cites, who=who, gaps=gaps, undetermined=is_open)
