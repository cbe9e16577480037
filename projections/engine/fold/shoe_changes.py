"""One shoe after another: what is owing when a shoe ends or a player leaves was to be paid then."""

from projections.engine.facts import HandRef, fact
from projections.engine.fold.table_state import TableState
from projections.engine.observation import Gap
from projections.engine.shoe import Lapse, Shoe


def end_shoe(state: TableState) -> None:
    """End the shoe in play: what is owing now was to be paid before the next one."""
    departures(state)
    for who, cents in state.owing.items():
        _lapse(state, who, cents, "the end of the shoe")
    state.marks_missing = state.marks_missing or (state.shoe is not None and not state.shoe.counts_all())
    state.ended, state.shoe = state.shoe, None
    state.owing.clear()


def begin_shoe(state: TableState, name: str, *, named: bool = True) -> None:
    """Take a new shoe into play: the one that was loaded, or one whose loading was not reported."""
    end_shoe(state)
    loaded = state.next_shoe
    state.shoe = loaded if loaded is not None and loaded.name == name else Shoe(name)
    if not (state.turns or state.is_open):  # the table opened before the record begins
        state.marks_missing = True
        if state.shoe is not loaded:
            state.shoe.lack([Gap("", "terminal", fact("fold.begins_within_shoe"))])
    state.next_shoe = None
    state.shoes += 1
    state.shoe.number, state.shoe.named = state.shoes, named
    state.shoe.turn = state.turns[name] = state.turns.get(name, 0) + 1
    state.shoe.lack(state.loading_unknown)
    state.loading_unknown.clear()


def departures(state: TableState) -> None:
    """Let the players go who left: what each was owing was to be paid then (631a.13(d)(2)(i))."""
    for who in state.leaving:
        _lapse(state, who, state.owing.pop(who, 0), "the player's leaving")
    state.leaving.clear()


def _lapse(state: TableState, who: str, cents: int, occasion: str) -> None:
    """Note what is owing; what was paid beyond what is marked now pays what lapsed before."""
    booked = state.shoe.vigorish.close(who) if state.shoe is not None else ()
    paid = 0
    if cents < 0:
        paid = min(-cents, state.lapsed.get(who, 0))
        state.lapsed[who] = state.lapsed.get(who, 0) - paid
        if not state.lapsed[who]:
            del state.lapsed[who]
        cents += paid
    elif cents:
        state.lapsed[who] = state.lapsed.get(who, 0) + cents
    if cents and state.shoe is not None:
        # What was paid beyond this shoe's marks may be of an earlier one, whose marks were not all reported.
        if cents < 0 and state.marks_missing and state.shoe.counts_all():
            beyond = fact("fold.paid_beyond_marks", who=HandRef(f"seat{who}"))
            state.shoe.lack([Gap("", "chips", beyond)])
        state.shoe.lapses.append(Lapse(who, cents, occasion, state.shoe.counts_all(), booked, paid))
