"""A round of tiles judged: what was dealt, set and staked, and what may have been near in time."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import takewhile
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.adjudication import (
    UNDECIDED,
    Adjudication,
    Defect,
    Reckoning,
    Ruling,
    returned,
    silent_on,
)
from projections.engine.facts import CardRef, Cents, Fact, HandRef, Word, fact, listed
from projections.engine.games.paigow import wagers
from projections.engine.games.paigow.play import (
    BANKS,
    DEALER,
    TileLayout,
    VoidedHand,
    opened_out_of_turn,
    surplus,
    void_causes,
    wrongly_dealt,
)
from projections.engine.games.paigow.rules import Rules
from projections.engine.games.paigow.setting import PositionHands
from projections.engine.improper_wagers import moved
from projections.engine.kinds import (
    ANNOUNCED_WRONG,
    COUPON_NOT_PERMITTED,
    DECISION_NOT_ALLOWED,
    WAGER_NOT_OFFERED,
    WAGER_NOT_PERMITTED,
)
from projections.engine.observation import Doubt, Key, Round, hand_name

# ── Wagers and coupons that do not go with who banks the round: 535.11, 603a.21(a) ────────────────────

# What is wrong with a wager, and the provisions.
_Fault: TypeAlias = tuple[Fact, tuple[str, ...]]


def seat_of(key: Key) -> str:
    """Return the position that a wager belongs to."""
    return f"seat{key.seat}" if key.seat else DEALER


def faults(observed: Round, layout: TileLayout, rules: Rules) -> dict[Key, Defect]:
    """Return the wagers that the text does not allow at their place."""
    found: dict[Key, Defect] = {}
    for key in observed.wagers:
        fault = _fault(key, layout, rules)
        if fault is None and key.wager in BANKS and rules.offers[key.wager]:
            fault = _uncovered(key, observed, layout, rules)
        if fault is not None:
            message, cites = fault
            found[key] = Defect(
                WAGER_NOT_PERMITTED,
                message,
                cites,
                seat=key.seat,
                wager=key.wager,
                bettor=key.bettor,
            )
    return found


def _fault(key: Key, layout: TileLayout, rules: Rules) -> _Fault | None:
    seat, _, wager, _ = key
    banker = layout.banker
    if seat > rules.areas:
        return fact("games.paigow.no_such_area", areas=rules.areas), ("535.2(b)(1)",)
    if wager in BANKS:
        if layout.banks.get(f"seat{seat}") != wager:
            clause = "535.11(c)" if wager == "bank" else "535.11(e)"
            return fact("games.paigow.bank_not_taken_so"), (clause,)
    elif wager == "dealer_wager":
        return _dealers_fault(seat, layout)
    elif wager == "pai_gow":
        if seat == 0:
            return fact("games.paigow.only_players_place_it"), ("535.7(b)",)
        if banker == f"seat{seat}":
            return fact("games.paigow.bank_against_himself"), ("535.11(f)",)
    return None


def _dealers_fault(seat: int, layout: TileLayout) -> _Fault | None:
    if seat != 0:
        return fact("games.paigow.only_dealer_makes_it"), ("535.11(h)",)
    if layout.banker == DEALER:
        return fact("games.paigow.dealer_against_bank_only"), ("535.11(h)",)
    if layout.co_banked:
        return fact("games.paigow.dealer_against_co_bank"), ("535.11(e)", "535.11(h)")
    return None


def _uncovered(key: Key, observed: Round, layout: TileLayout, rules: Rules) -> _Fault | None:
    """535.11(d)(2): a bank has chips to cover the wagers of all other players; a co-bank, half of them.

    Cover is confirmed before the round, so wagers that are late or improper need not be covered. How much of
    a wager was there before it was increased is not recorded: all of it is left out, as is a doubted one.
    """
    unsure = observed.wagers_in_doubt() | {each for move in observed.late for each in moved(observed, move)}
    if key in unsure or not observed.money_known:
        return None
    others = sum(
        wager.cents
        for each, wager in observed.wagers.items()
        if each[2] == "pai_gow"
        and each[0] != key.seat
        and each not in unsure
        and _fault(each, layout, rules) is None
    )
    needs = others if key.wager == "bank" else others * rules.co_bank_share
    has = observed.wagers[key].cents
    if has >= needs:
        return None
    return fact("games.paigow.bank_uncovered", shown=Cents(has), others=Cents(others)), ("535.11(d)(2)",)


def coupon_fault(key: Key, layout: TileLayout) -> Defect | None:
    """603a.21(a): coupons are for wagers against the house."""
    if key.wager == "pai_gow" and layout.banker == DEALER:
        return None
    return Defect(
        COUPON_NOT_PERMITTED,
        fact("games.paigow.coupon_against_bank"),
        ("603a.21(a)",),
        seat=key.seat,
        wager=key.wager,
        bettor=key.bettor,
    )


def bank_fault(layout: TileLayout, rules: Rules, wagered: Collection[str]) -> Defect | None:
    """Return a bank that the house does not offer and that no wager stands for, or that two players took."""
    if len(layout.banks) > 1:
        return Defect(
            WAGER_NOT_PERMITTED,
            fact("games.paigow.several_took_bank", seats=listed(*map(HandRef, layout.banks))),
            ("535.11(c)",),
            who=" and ".join(layout.banks),
        )
    for position, how in layout.banks.items():
        if not rules.offers[how] and how not in wagered:
            option = "player_bank" if how == "bank" else how
            return Defect(
                WAGER_NOT_OFFERED,
                fact("games.paigow.bank_not_offered", option=option),
                ("535.11(a)" if how == "bank" else "535.11(e)",),
                seat=int(position.removeprefix("seat")),
                wager=how,
            )
    return None


# ── One round of Pai Gow judged: what was wrong with it, and what every wager is owed ─────────────────

# What the dealer announces of a wager, 535.10(f).
_CALLED: Final = {"win": "win", "lose": "lose", "push": "tie"}


class RoundJudgement(Struct, dict=True):
    """A round before its judgement: as it was observed, its layout, and the rules of its day."""

    observed: Round
    layout: TileLayout
    rules: Rules
    improper: Collection[Key]
    void_coupons: Collection[Key]

    @cached_property
    def banked(self) -> str | None:
        """Return how a player took the bank, if one did."""
        return self.layout.banks.get(self.layout.banker)

    @cached_property
    def wagered(self) -> set[str]:
        """The positions with a wager when the tiles were dealt; a banker's is one of them."""
        keys = (*self.observed.wagers, *(self.observed.paid or ()))
        late = (f"seat{move.seat}" for move in self.observed.late)  # it may have been withdrawn since
        return {*(seat_of(key) for key in keys), *late, *self.layout.banks}

    @cached_property
    def unsure(self) -> set[str]:
        """The seats for which it is not known whether they had a wager."""
        if not self.observed.money_known:
            return {f"seat{area}" for area in range(1, self.rules.areas + 1)}
        return {seat_of(key) for key in self.observed.wagers_in_doubt() if key.wager == "pai_gow"}

    @cached_property
    def void(self) -> Defect | None:
        """Return why the hands are void though no one called them so, 535.12(c), (e)."""
        return next(void_causes(self.rules, self.layout, self.wagered | self.unsure), None)

    @property
    def void_by(self) -> str:
        """The clause by which the hands are void; 535.12(e) where they were called so and no one saw why."""
        return self.void.cites[0] if self.void is not None else "535.12(e)"

    @cached_property
    def may_be_void(self) -> bool:
        """Return True if the hands are void unless an unknown wager was there, 535.12(e).

        There was one if a player decided on the hand, or the dealer announced its result.
        """
        layout = self.layout
        played = {*self.wagered, *layout.chose, *layout.surrendered, *layout.left, *layout.called}
        return bool(self.unsure) and any(void_causes(self.rules, layout, played))

    @cached_property
    def stacks(self) -> Defect | None:
        """Return what was wrong with the stacks; no text says how play goes on after that."""
        return wrongly_dealt(self.rules, self.layout)

    @cached_property
    def bank(self) -> Defect | None:
        """Return what was wrong with the bank, unless a wager shows it."""
        # Chips on a spot that is not offered are a finding themselves, if it is known what was there.
        speak = [key.wager for key in self.observed.wagers] if self.observed.money_known else ()
        return bank_fault(self.layout, self.rules, speak)

    def stands(self, position: str) -> PositionHands:
        """Return the hands of a position."""
        if position not in self._hands_by_position:
            self._hands_by_position[position] = PositionHands(self.rules, self.layout, position)
        return self._hands_by_position[position]

    @cached_property
    def _hands_by_position(self) -> dict[str, PositionHands]:
        return {}

    @cached_property
    def open(self) -> bool:
        """Return True if no text says how any wager of the round is settled."""
        layout = self.layout
        return (
            self.stacks is not None
            or self.may_be_void
            or len(layout.banks) > 1
            or any(not self.rules.offers[how] for how in layout.banks.values())
            # An exposed tile of the bank's own: only players may void their hand by the text.
            or (self.banked is not None and self._chose_void(layout.banker))
        )

    def _chose_void(self, position: str) -> bool:
        """Return True if a hand was voided as 535.12(d) permits: before its player looked at the others."""
        layout = self.layout
        return layout.chose.get(position) == "void" and layout.voided[position].is_permitted

    def adjudicated(self) -> Adjudication:
        """Return what is owed and what was wrong."""
        if self.observed.void or self.void is not None:
            defects = (self.void,) if self.void is not None and not self.observed.void else ()
            ruled = wagers.void(self.void_by)
            due = dict.fromkeys(self._keys(), Reckoning(0, ruled))  # a bank's too, if its chips were not seen
            due |= returned(self.observed.wagers, ruled, self.improper, self.void_coupons)
            return Adjudication(None, due, defects=defects)
        keys = self._keys()
        played = self._less_improper({key: self.owed(key) for key in keys if not self._banks(key)})
        owed = self._less_improper(
            {key: played[key] if key in played else self._bank_owed(key, played.values()) for key in keys}
        )
        return Adjudication(
            None,
            owed,
            defects=tuple(self._defects()),
            unseen=tuple(dict.fromkeys(self._unseen(owed))),
        )

    def _keys(self) -> list[Key]:
        """Every wager in its order, and the bank, to whom the centre's surplus is due."""
        keys = list(self.observed.wagers)
        if self.banked is not None and len(self.layout.banks) == 1 and self.rules.offers[self.banked]:
            seat = int(self.layout.banker.removeprefix("seat"))
            if not any(self._banks(key) for key in keys):
                keys.append(Key(seat, None, self.banked, None))
        return keys

    @staticmethod
    def _banks(key: Key) -> bool:
        return key.wager in BANKS

    def _less_improper(self, owed: dict[Key, Reckoning]) -> dict[Key, Reckoning]:
        return {key: UNDECIDED if key in self.improper else each for key, each in owed.items()}

    def _bank_owed(self, key: Key, others: Collection[Reckoning]) -> Reckoning:
        observed = self.observed
        gone = any(not moved(observed, move) for move in observed.late)  # withdrawn when it was to stay
        if gone or not observed.money_known or not observed.wagers_in_doubt() <= observed.wagers.keys():
            return UNDECIDED
        wager = observed.wagers.get(key)
        return wagers.banks(self.rules, key.wager, wager.cents if wager is not None else 0, others)

    def owed(self, key: Key) -> Reckoning:
        """Return what a wager on a hand is owed."""
        wager = self.observed.wagers[key]
        coupon = 0 if key in self.void_coupons else wager.coupon_cents
        takes = wagers.clause_of(key.wager, self.layout.banks)
        ruled = self.ruling(key)
        if ruled is None:
            return self._left_open(key)
        return wagers.reckon(self.rules, ruled, wager, coupon, takes)

    def _left_open(self, key: Key) -> Reckoning:
        """Leave a wager open, with what no text decides unless a fault or unseen tiles are the reason."""
        position, bank = seat_of(key), self.layout.banker
        is_open = self.stacks is not None or self.may_be_void or self.bank is not None
        if is_open or self._disallowed(position) is not None:
            return UNDECIDED
        if self.banked is not None and self._chose_void(bank):
            return silent_on(fact("games.paigow.bank_voids_itself"), "535.12(d)")
        if self.banked is not None and position in self.layout.surrendered:
            return silent_on(fact("games.paigow.surrender_against_bank"), "535.10(e)")
        silent = wagers.silent_between(self.rules, key.wager, self.stands(position), self.stands(bank))
        return silent_on(*silent) if silent is not None else UNDECIDED

    def ruling(self, key: Key) -> Ruling | None:
        """Return how the play decides a wager on a hand; None if it is open."""
        position = seat_of(key)
        if self.open or self._disallowed(position) is not None:
            return None
        if key.wager == "dealer_wager":
            return wagers.dealers(self.stands(DEALER), self.stands(self.layout.banker), self.rules)
        if self._chose_void(position):
            return wagers.VOIDED
        if position in self.layout.surrendered:
            # No text covers a surrender to a player's bank.
            return wagers.SURRENDERED if self.banked is None else None
        if position in self.layout.left and self.rules.abandoned_loses:
            return wagers.ABANDONED
        return self.compared(position)

    def compared(self, position: str) -> Ruling | None:
        """Compare a player's hands with the dealer's or the bank's."""
        if position not in self._compared:
            house = self.stands(self.layout.banker)
            self._compared[position] = wagers.players(
                self.rules, self.stands(position), house, banked=self.banked
            )
        return self._compared[position]

    @cached_property
    def _compared(self) -> dict[str, Ruling | None]:
        return {}

    def _defects(self) -> Iterator[Defect]:
        layout = self.layout
        found = (self.stacks, self.bank, opened_out_of_turn(self.rules, layout))
        yield from (each for each in found if each is not None)
        yield from surplus(self.rules, layout)
        for position in layout.hands:
            hands = self.stands(position)
            wrong = hands.surplus or hands.set_wrongly()
            if wrong is not None:
                yield wrong
        for position in dict.fromkeys((*layout.surrendered, *layout.chose)):
            if (wrong := self._disallowed(position)) is not None:
                yield wrong
        yield from self._calls()

    def _disallowed(self, position: str) -> Defect | None:
        """Return a decision that the text does not leave to the player, or not then."""
        layout, seat = self.layout, hand_name(position).seat
        given_up = layout.surrendered.get(position)
        voided = layout.voided[position] if seat and layout.chose.get(position) == "void" else None
        message = None
        if given_up is not None and given_up.dealers_tiles < layout.opened.count(DEALER):
            message, cite = fact("games.paigow.surrendered_early"), "535.10(e)"
        elif given_up is not None and given_up.own_were_open:
            message, cite = fact("games.paigow.surrendered_late"), "535.10(e)"
        elif voided is not None and not voided.is_permitted:
            message, cite = _not_to_be_voided(voided), "535.12(d)"
        if message is None:
            return None
        return Defect(DECISION_NOT_ALLOWED, message, (cite,), who=position, seat=seat)

    def _calls(self) -> Iterator[Defect]:
        """Compare what the dealer announced of each player with what the hands give, 535.10(f)."""
        for key in self.observed.wagers:
            position = seat_of(key)
            called = self.layout.called.get(position)
            if called is None or key.wager != "pai_gow" or self.open:
                continue
            ruled = self.compared(position) if self._compares(position) else None
            if ruled is not None and called != _CALLED[ruled.result]:
                yield Defect(
                    ANNOUNCED_WRONG,
                    fact(
                        "games.paigow.announced_wrong",
                        called=Word(called),
                        right=Word(_CALLED[ruled.result]),
                    ),
                    ("535.10(f)" if self.banked is None else "535.11(o)", ruled.cite),
                    seat=key.seat,
                    wager=key.wager,
                    bettor=key.bettor,
                )

    def _unseen(self, owed: dict[Key, Reckoning]) -> Iterator[Fact]:
        """Yield the hands with unseen tiles that leave money open."""
        for key, each in owed.items():
            if each.cents is not None or key in self.improper or self._banks(key) or self.open:
                continue
            if self.ruling(key) is None and self._compares(seat_of(key)):
                for position in (self.layout.banker, seat_of(key)):
                    hands = self.stands(position)
                    if hands.surplus is None and hands.unseen > 0:
                        yield fact("games.paigow.tiles_of", hand=HandRef(hands.unseen_of))

    def _compares(self, position: str) -> bool:
        """Return True if a position's wager is decided by comparing hands."""
        layout = self.layout
        if position in layout.surrendered or layout.chose.get(position) == "void":
            return False
        return position not in layout.left or not self.rules.abandoned_loses


def _not_to_be_voided(voided: VoidedHand) -> Fact:
    """Return why a hand could not be voided, or not then."""
    if not voided.is_exposed:
        return fact("games.paigow.voided_unexposed")
    if not voided.is_undecided:
        return fact("games.paigow.voided_late")
    if voided.is_surrendered:
        return fact("games.paigow.voided_surrendered")
    return fact("games.paigow.voided_open")


# ── Acts that the clocks do not part, where it decides which was first: 535.10(e), 535.12(a), (b), (d), (f) ─


def near_doubts(observed: Round) -> list[Doubt]:
    """Add doubts about a round's tiles if the order of two acts is not known and decides.

    These are a roll that was cancelled, hands that were set again, a surrender close to the tile that set
    the dealer's hands, and a surrender or a void close to the first tile of the player's own.
    """
    doubts: dict[int, Doubt] = {}
    for pair in observed.close_acts:
        (who, what), (other, then) = observed.play[pair.act], observed.play[pair.other]
        position, half, _ = hand_name(other)
        decides = (
            (what == "no_roll" and other == "dice")
            or (what == "reset" and half and position == who)
            or (what == "surrender" and half and position == DEALER and _is_last(observed, pair.other))
            or (
                what in ("surrender", "void") and half and position == who and _is_first(observed, pair.other)
            )
        )
        if decides:
            message = fact(
                "games.paigow.too_near_to_laid",
                position=HandRef(who),
                act=Word(what),
                other=HandRef(other),
                laid=CardRef(then),
            )
            doubts.setdefault(pair.act, Doubt("data_missing", "cards", message, pair.devices))
    return list(doubts.values())


def _is_first(observed: Round, act: int) -> bool:
    """Return True if no tile of its position was opened before it."""
    return not _laid(observed, act, observed.play[:act])


def _is_last(observed: Round, act: int) -> bool:
    """Return True if no tile of its position was opened after it, before those hands were set again."""
    position = hand_name(observed.play[act][0]).place
    following = takewhile(lambda each: each != (position, "reset"), observed.play[act + 1 :])
    return (position, "reset") not in observed.play[:act] and not _laid(observed, act, following)


def _laid(observed: Round, act: int, play: Iterable[tuple[str, str]]) -> bool:
    """Return True if a tile of an act's position was opened in a part of the play."""
    laid = f"{hand_name(observed.play[act][0]).place}."
    return any(who.startswith(laid) for who, _ in play)
