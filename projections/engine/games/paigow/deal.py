"""What was wrong with the dice, the stacks and the tiles: 535.8, 535.11(j), (k), 535.12."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, HandRef, Word, fact
from projections.engine.games.paigow.layout import DEAD, DEALER, Hands, Layout
from projections.engine.games.paigow.rules import Rules

_STACK: Final = 4  # 535.8(d)
_HAND: Final = 2  # 535.1


def around(rules: Rules) -> list[str]:
    """Return the positions counterclockwise from the dealer, 535.8(c).

    The Dead Hand lies to the left of the dealer (535.2(b)(2)), so it is the last.
    """
    return [DEALER, *(f"seat{area}" for area in range(1, rules.areas + 1)), DEAD]


def first_dealt(rules: Rules, seen: Layout) -> str | None:
    """Count the dice round the table to the position that gets the first stack, 535.8(c), 535.11(j).

    The dealer is number one, or the bank where a player banks; None where no valid roll was seen.
    """
    positions = around(rules)
    if not seen.rolls or seen.banker not in positions:
        return None
    start = positions.index(seen.banker)
    return positions[(start + sum(seen.rolls[-1]) - 1) % len(positions)]


def void_causes(rules: Rules, seen: Layout, wagered: Collection[str]) -> Iterator[Defect]:
    """Yield why all hands are void, 535.12(c), (e); `wagered` are the seats where a wager lay.

    A dealer who does not wager against a bank has no hands to set: tiles of his that lie open are not asked
    about unless they were called exposed.
    """
    due = first_dealt(rules, seen)
    if seen.dealt and due is not None and seen.dealt[0] != due:
        total = sum(seen.rolls[-1])
        counted = "535.8(c)" if seen.banker == DEALER else "535.11(j)"
        yield Defect(
            "void_not_called",
            fact(
                "games.paigow.first_stack_astray", total=total, due=HandRef(due), went=HandRef(seen.dealt[0])
            ),
            ("535.12(c)", counted),
            who=seen.dealt[0],
        )
    early = (each for each in seen.exposed if each in (DEALER, DEAD) or each not in wagered)
    astray = (each for each in seen.shown if each != DEALER and each not in wagered)
    for position in dict.fromkeys((*early, *astray)):
        yield Defect(
            "void_not_called",
            fact("games.paigow.exposed_not_called_void", position=HandRef(position)),
            ("535.12(e)",),
            who=position,
        )


def wrongly_dealt(rules: Rules, seen: Layout) -> Defect | None:
    """Find a stack that was not dealt, one too many, or one out of turn, 535.8(d), 535.11(k)."""
    if not seen.dealt:
        return None
    positions = around(rules)
    cites = ("535.8(d)" if seen.banker == DEALER else "535.11(k)",)
    for position, stacks in Counter(seen.dealt).items():
        if stacks > 1:
            message = fact("games.paigow.dealt_stacks", position=HandRef(position), stacks=stacks)
            return Defect("card_extra", message, cites, who=position)
    for position in positions:
        if position not in seen.dealt:
            message = fact("games.paigow.dealt_no_stack", position=HandRef(position))
            return Defect("card_missing", message, cites, who=position)
    start = positions.index(seen.dealt[0])
    due = positions[start:] + positions[:start]
    for position, dealt in zip(due, seen.dealt, strict=True):
        if position != dealt:
            message = fact(
                "games.paigow.dealt_out_of_turn", position=HandRef(dealt), passed=HandRef(position)
            )
            return Defect("card_order_wrong", message, cites, who=dealt)
    return None


def wrongly_shown(rules: Rules, seen: Layout) -> Defect | None:
    """Find hands laid open out of turn: the dealer's are first, the bank's next, then seat by seat.

    Each of them is laid open whole before another's: 535.10(c), (f).
    """
    positions = [DEALER, seen.banker, *around(rules)]
    turn = [positions.index(position) for position in seen.opened if position in positions]
    for n, place in enumerate(turn):
        if place < max(turn[:n], default=0):
            position, last = positions[place], positions[max(turn[:n])]
            clause = "535.10(f)" if seen.banker == DEALER else "535.11(r)" if seen.co_banked else "535.11(o)"
            message = fact("games.paigow.opened_after", late=HandRef(position), early=HandRef(last))
            return Defect("card_order_wrong", message, (clause,), who=position)
    return None


def surplus(rules: Rules, seen: Layout) -> Iterator[Defect]:
    """Find tiles that were seen more often than the set holds them, 535.3(c)."""
    times: Counter[str] = Counter()
    for position in seen.shown:
        hands = seen.hands[position]
        for half, tiles in (("high", hands.high), ("low", hands.low)):
            for tile in tiles:
                times[tile] += 1
                if times[tile] > rules.ranking.in_set[tile]:
                    yield Defect(
                        "card_not_in_deck",
                        fact(
                            "games.paigow.tile_not_in_set",
                            tile=CardRef(tile),
                            times=times[tile],
                            holds=rules.ranking.in_set[tile],
                        ),
                        ("535.3(c)", "535.4(f)"),
                        who=f"{position}.{half}",
                    )


def too_many(position: str, hands: Hands) -> Defect | None:
    """Find a hand of more than two tiles, or hands set anew that hold other tiles."""
    for half, tiles in (("high", hands.high), ("low", hands.low)):
        if len(tiles) > _HAND:
            return Defect(
                "card_extra",
                fact(
                    "games.paigow.hand_holds",
                    half=Word(half),
                    position=HandRef(position),
                    tiles=len(tiles),
                ),
                ("535.1", "535.10(a)"),
                who=f"{position}.{half}",
            )
    if hands.before and (Counter(hands.tiles) | Counter(hands.before)).total() > _STACK:
        return Defect(
            "card_extra",
            fact("games.paigow.held_other_tiles", position=HandRef(position)),
            ("535.12(f)",),
            who=position,
        )
    return None
