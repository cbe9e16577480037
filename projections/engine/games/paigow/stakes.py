"""Wagers and coupons that do not go with who banks the round: 535.11, 603a.21(a)."""

from collections.abc import Collection
from typing import TypeAlias

from projections.engine.adjudication import Defect
from projections.engine.facts import Cents, Fact, HandRef, fact, listed
from projections.engine.games.paigow.layout import BANKS, DEALER, Layout
from projections.engine.games.paigow.rules import Rules
from projections.engine.improper_wagers import moved
from projections.engine.observation import Key, Round

# What is wrong with a wager, and the provisions.
_Fault: TypeAlias = tuple[Fact, tuple[str, ...]]


def seat_of(key: Key) -> str:
    """Return the position that a wager belongs to."""
    return f"seat{key[0]}" if key[0] else DEALER


def money_known(seen: Round) -> bool:
    """Whether all chips of the round were reported without contradiction."""
    return all(doubt.scope not in ("all", "money") for doubt in seen.doubts)


def doubted(seen: Round) -> set[Key]:
    """Return the single wagers that are in doubt."""
    return {doubt.scope for doubt in seen.doubts if not isinstance(doubt.scope, str)}


def faults(seen: Round, shown: Layout, rules: Rules) -> dict[Key, Defect]:
    """Return the wagers that the text does not allow where they lie."""
    found: dict[Key, Defect] = {}
    for key in seen.wagers:
        fault = _fault(key, shown, rules)
        if fault is None and key[2] in BANKS and rules.offers[key[2]]:
            fault = _uncovered(key, seen, shown, rules)
        if fault is not None:
            message, cites = fault
            found[key] = Defect(
                "wager_not_permitted",
                message,
                cites,
                seat=key[0],
                wager=key[2],
                bettor=key[1],
            )
    return found


def _fault(key: Key, shown: Layout, rules: Rules) -> _Fault | None:
    seat, _, wager, _ = key
    banker = shown.banker
    if seat > rules.areas:
        return fact("games.paigow.no_such_area", areas=rules.areas), ("535.2(b)(1)",)
    if wager in BANKS:
        if shown.banks.get(f"seat{seat}") != wager:
            clause = "535.11(c)" if wager == "bank" else "535.11(e)"
            return fact("games.paigow.bank_not_taken_so"), (clause,)
    elif wager == "dealer_wager":
        return _dealers_fault(seat, shown)
    elif wager == "pai_gow":
        if seat == 0:
            return fact("games.paigow.only_players_place_it"), ("535.7(b)",)
        if banker == f"seat{seat}":
            return fact("games.paigow.bank_against_himself"), ("535.11(f)",)
    return None


def _dealers_fault(seat: int, shown: Layout) -> _Fault | None:
    if seat != 0:
        return fact("games.paigow.only_dealer_makes_it"), ("535.11(h)",)
    if shown.banker == DEALER:
        return fact("games.paigow.dealer_against_bank_only"), ("535.11(h)",)
    if shown.co_banked:
        return fact("games.paigow.dealer_against_co_bank"), ("535.11(e)", "535.11(h)")
    return None


def _uncovered(key: Key, seen: Round, shown: Layout, rules: Rules) -> _Fault | None:
    """535.11(d)(2): a bank has chips to cover the wagers of all other players; a co-bank, half of them.

    It is confirmed before the round, so what is late, or ought not to lie there, is not to be covered. How
    much of a wager lay there before it was increased is not told: all of it is left out, as is one in doubt.
    """
    unsure = doubted(seen) | {each for move in seen.late for each in moved(seen, move)}
    if key in unsure or not money_known(seen):
        return None
    others = sum(
        wager.cents
        for each, wager in seen.wagers.items()
        if each[2] == "pai_gow"
        and each[0] != key[0]
        and each not in unsure
        and _fault(each, shown, rules) is None
    )
    needs = others if key[2] == "bank" else others * rules.co_bank_share
    has = seen.wagers[key].cents
    if has >= needs:
        return None
    return fact("games.paigow.bank_uncovered", shown=Cents(has), others=Cents(others)), ("535.11(d)(2)",)


def coupon_fault(key: Key, shown: Layout) -> Defect | None:
    """603a.21(a): coupons are for wagers against the house."""
    if key[2] == "pai_gow" and shown.banker == DEALER:
        return None
    return Defect(
        "coupon_not_permitted",
        fact("games.paigow.coupon_against_bank"),
        ("603a.21(a)",),
        seat=key[0],
        wager=key[2],
        bettor=key[1],
    )


def bank_fault(shown: Layout, rules: Rules, wagered: Collection[str]) -> Defect | None:
    """Return a bank that the house does not offer and that no wager stands for, or that two players took."""
    if len(shown.banks) > 1:
        return Defect(
            "wager_not_permitted",
            fact("games.paigow.several_took_bank", seats=listed(*map(HandRef, shown.banks))),
            ("535.11(c)",),
            who=" and ".join(shown.banks),
        )
    for position, how in shown.banks.items():
        if not rules.offers[how] and how not in wagered:
            option = "player_bank" if how == "bank" else how
            return Defect(
                "wager_not_offered",
                fact("games.paigow.bank_not_offered", option=option),
                ("535.11(a)" if how == "bank" else "535.11(e)",),
                seat=int(position.removeprefix("seat")),
                wager=how,
            )
    return None
