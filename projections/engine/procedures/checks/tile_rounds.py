"""Rounds with tiles: the shaker, the delivery of the stacks, the bank and its cut, hands of one player."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import HandRef, Word, fact, listed
from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.round_steps import PlayedRound, round_of
from schemas.events import BankTaken, PlayerLeft, PlayerSeated, TableOpened, TilesDealt, WagersClosed
from schemas.values import Micros

SHAKER_WRONG: Final = Kind(
    "shaker_wrong",
    severity="medium",
    asks="Was the shaker shaken as often as the text says, by whom and when it says?",
    false_positives="Shakes that were not all counted; a step that the pit terminal was not told of.",
    sources=("pit", "tiles"),
)
DELIVERY_WRONG: Final = Kind(
    "delivery_wrong",
    severity="medium",
    asks="Did each position get its tiles from the stacks that the way of delivery names?",
    false_positives="A stack that was read wrongly; a choice that was not keyed in.",
    sources=("pit", "tiles"),
)
BANK_NOT_ALLOWED: Final = Kind(
    "bank_not_allowed",
    severity="critical",
    asks="Was the bank taken in a round, and by a player, of which the text admits it?",
    false_positives="A wager that the chip reader did not read; a player who changed his seat.",
    sources=("pit", "chips"),
)
STACKS_CUT_WRONG: Final = Kind(
    "stacks_cut_wrong",
    severity="medium",
    asks="Were the stacks cut once at most, for the bank, and in one of the two ways of the text?",
    false_positives="A cut that was keyed in twice.",
    sources=("pit",),
)
HANDS_SET_WRONG: Final = Kind(
    "hands_set_wrong",
    severity="medium",
    asks="Did a player on two areas set the larger wager's hand first, and hands stay as they were laid?",
    false_positives="Hands that were keyed in together after both had been set.",
    sources=("pit", "chips"),
)
KINDS: Final = (SHAKER_WRONG, DELIVERY_WRONG, BANK_NOT_ALLOWED, STACKS_CUT_WRONG, HANDS_SET_WRONG)

_FROM_RIGHT: Final = "from_right"
_STACKS: Final = 8
# How many stacks a cut may move, of the eight: to one end, or some to each.
_CUTS: Final = {"one_end": range(1, _STACKS), "both_ends": range(2, _STACKS)}


def _bank(played: PlayedRound) -> int | None:
    """Return the seat that banks a round; None if the dealer does."""
    return next((taken.seat for _, taken in played.events(BankTaken)), None)


def check_shaker(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a shaker that was not shaken often enough before the deal, or by another, or not once after it.

    It is asked of a table that has reported a shake since it opened. Of a void round it is asked how the
    shaker was shaken; it may have been called void before the shaker was due to be put away.
    """
    duty, banked = case.duty("shaker_shaken"), case.duty("shaker_of_bank")
    played = round_of(case, void=True)
    if duty is None or banked is None or played is None or "shaker_shaken" not in case.window.after.seen:
        return
    bank, gaps = _bank(played), played.unreported("pit", "tiles")
    cite = banked.cite if bank is not None else duty.cite
    dealt = [at for at, _ in played.events(TilesDealt)]
    closed = [at for at, _ in played.events(WagersClosed)]
    if not dealt or not closed:
        return
    shakes = played.steps("shaker_shaken")
    since, until = closed[0] - case.uncertainty, dealt[0] + case.uncertainty
    before = [each for at, each in shakes if since <= at <= until]
    if not before:
        message = fact("procedures.checks.shaker_not_shaken", round=played.name)
        yield case.found(SHAKER_WRONG, message, (cite,), who=played.who, gaps=gaps)
    else:
        if before[-1].count is not None and before[-1].count < duty.value:
            message = fact(
                "procedures.checks.shakes_too_few",
                round=played.name,
                shakes=before[-1].count,
                least=duty.value,
            )
            yield case.found(SHAKER_WRONG, message, (cite,), who=f"{played.who}, shakes", gaps=gaps)
        shaken_by = before[-1].seat
        if shaken_by != bank and (shaken_by is not None or before[-1].by is not None):
            message = fact("procedures.checks.shaken_by_other", round=played.name)
            yield case.found(SHAKER_WRONG, message, (cite,), who=f"{played.who}, shaken by", gaps=gaps)
    yield from _opened_by_bank(case, played, dealt[0])
    after = [each for at, each in shakes if at > dealt[-1] - case.uncertainty]
    last = case.duty("shaker_put_away_by_bank" if bank is not None else "shaker_put_away")
    if last is not None and not played.is_void and (not after or after[-1].count not in (None, 1)):
        message = fact("procedures.checks.shaker_not_put_away", round=played.name)
        yield case.found(SHAKER_WRONG, message, (last.cite,), who=f"{played.who}, put away", gaps=gaps)


def _opened_by_bank(case: ProcedureCase, played: PlayedRound, until: Micros) -> Iterator[Raised]:
    """Raise a lid that the bank took off without a shake after it."""
    duty = case.duty("shaker_of_bank")
    for at, opened in played.steps("shaker_opened"):
        is_again = any(at <= moment <= until for moment, _ in played.steps("shaker_shaken"))
        if duty is not None and opened.seat is not None and at <= until and not is_again:
            message = fact("procedures.checks.shaker_opened_by_bank", round=played.name)
            gaps = played.unreported("pit")
            yield case.found(SHAKER_WRONG, message, (duty.cite,), who=f"{played.who}, lid", gaps=gaps)


def check_delivery(case: ProcedureCase) -> Iterator[Raised]:
    """Raise stacks that did not go out in the way that was chosen, and a way that is not submitted."""
    duty, ways, played = case.duty("deliveries"), case.duty("delivery_submitted"), round_of(case)
    if duty is None or ways is None or played is None:
        return
    chosen = played.steps("delivery_chosen")
    at, style = (chosen[-1][0], chosen[-1][1].manner or "") if chosen else (0, _FROM_RIGHT)
    submitted = case.settings.deliveries
    closed = [moment for moment, _ in played.events(WagersClosed)]
    if chosen and submitted is not None and style not in (*submitted, _FROM_RIGHT):
        message = fact("procedures.checks.delivery_not_submitted", round=played.name, style=Word(style))
        yield case.found(DELIVERY_WRONG, message, (ways.cite,), who=f"{played.who}, way")
    banked = case.duty("shaker_of_bank")
    by_bank = bool(chosen) and chosen[-1][1].seat is not None
    if by_bank and closed and at + case.uncertainty < closed[0] and banked is not None:
        message = fact("procedures.checks.delivery_chosen_early", round=played.name)
        yield case.found(DELIVERY_WRONG, message, (banked.cite,), who=f"{played.who}, time")
    dealt = [each for _, each in played.events(TilesDealt)]
    expected = duty.value.get(style)
    if expected is None or len(dealt) != _STACKS or not all(each.stacks for each in dealt):
        return
    for place, (each, stacks) in enumerate(zip(dealt, expected["stacks"], strict=True), 1):
        if sorted(each.stacks) != sorted(stacks):
            message = fact(
                "procedures.checks.delivery_wrong",
                round=played.name,
                place=place,
                style=Word(style),
                stacks=listed(*each.stacks),
                right=listed(*stacks),
            )
            gaps = played.unreported("pit")  # another way that was chosen
            yield case.found(DELIVERY_WRONG, message, (expected["cite"],), who=played.who, gaps=gaps)
            return


def check_bank(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a bank in the first round of a game, one twice running, and one who had not wagered before."""
    first, played = case.duty("bank_not_first"), round_of(case)
    if first is None or played is None:
        return
    bank, who = _bank(played), f"{played.who}, bank"
    if bank is None:
        return
    turning, wagered = case.duty("bank_not_twice"), case.duty("bank_wagered")
    turns = case.window.before.bank.after(
        entry
        for entry in case.window.entries
        if entry.at <= played.since and isinstance(entry.event, PlayerSeated | PlayerLeft)
    )
    seat, gaps = HandRef(f"seat{bank}"), case.unreported(turns.since, played.until, "terminal", "chips")
    if any(played.events(TableOpened)) or any(at <= played.since for at, _ in played.steps("spread")):
        message = fact("procedures.checks.banked_first_round", seat=seat)
        yield case.found(BANK_NOT_ALLOWED, message, (first.cite,), who=who)
        return
    if turning is not None and turns.banked == bank:
        message = fact("procedures.checks.banked_twice", seat=seat)
        yield case.found(BANK_NOT_ALLOWED, message, (turning.cite,), who=f"{who}, twice", gaps=gaps)
    if wagered is not None and turns.wagered is not None and bank not in turns.wagered:
        message = fact("procedures.checks.banked_without_wager", seat=seat)
        yield case.found(BANK_NOT_ALLOWED, message, (wagered.cite,), who=f"{who}, wager", gaps=gaps)


def check_stacks_cut(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a second cut, one for nobody's bank, and one in another way than the text's two."""
    duty, played = case.duty("stacks_cut"), round_of(case)
    if duty is None or played is None:
        return
    cuts, bank = played.steps("stacks_cut"), _bank(played)
    if len(cuts) > 1 or any(bank is None or cut.seat not in (None, bank) for _, cut in cuts):
        message = fact("procedures.checks.stacks_cut_wrong", round=played.name, cuts=len(cuts))
        gaps = played.unreported("terminal")
        yield case.found(STACKS_CUT_WRONG, message, (duty.cite,), who=played.who, gaps=gaps)
    for _, cut in cuts:
        admitted = _CUTS.get(cut.manner or "")
        if cut.manner is None or cut.count is None or (admitted is not None and cut.count in admitted):
            continue
        cite = duty.value.get(cut.manner, duty.cite)
        message = fact("procedures.checks.cut_in_other_way", round=played.name, stacks=cut.count)
        yield case.found(STACKS_CUT_WRONG, message, (cite,), who=f"{played.who}, way")


def check_hands_set(case: ProcedureCase) -> Iterator[Raised]:
    """Raise a player on two areas who set the smaller wager's hand first, or of equal ones the second."""
    duty, played = case.duty("hands_set_in_order"), round_of(case)
    if duty is None or played is None or "hands_set" not in case.window.after.seen:
        return
    people = played.people(played.since)
    cents = {seat: sum_ for (seat, _), sum_ in played.wagers(duty.value).items()}
    steps = [step.seat for _, step in played.steps("hands_set") if step.seat is not None]
    order = list(dict.fromkeys(steps))
    yield from _set_again(case, played, [seat for seat in order if steps.count(seat) > 1])
    for patron in sorted({patron for _, patron in people.patrons}):
        seats = [seat for seat in order if (seat, patron) in people.patrons and seat in cents]
        right = sorted(seats, key=lambda seat: (-cents[seat], seat))
        if seats != right:
            message = fact(
                "procedures.checks.hands_set_wrong",
                seats=listed(*(HandRef(f"seat{seat}") for seat in seats)),
                order=listed(*(HandRef(f"seat{seat}") for seat in right)),
            )
            gaps = played.unreported("pit", "chips")
            yield case.found(
                HANDS_SET_WRONG, message, (duty.cite,), who=f"{played.who}, seat {seats[0]}", gaps=gaps
            )


def _set_again(case: ProcedureCase, played: PlayedRound, seats: list[int]) -> Iterator[Raised]:
    """Raise hands that a player changed after they lay face down; on two areas by another clause too."""
    duty, two = case.duty("hands_stay"), case.duty("hands_set_in_order")
    if duty is None or two is None:
        return
    people = played.people(played.since).patrons
    for seat in seats:
        others = {patron for place, patron in people if place == seat}
        has_two = any(place != seat and patron in others for place, patron in people)
        message = fact("procedures.checks.hands_set_again", round=played.name, seat=HandRef(f"seat{seat}"))
        cites = (duty.cite, *((two.cite,) if has_two else ()))
        yield case.found(HANDS_SET_WRONG, message, cites, who=f"{played.who}, seat {seat}, again")
