"""Roads: the results of a shoe's hands in rows of six, as the trade reads them.

For Baccarat they are the bead plate, hand after hand down and then to the right, and the big road, a column
for each run of one winner. For games against a dealer a cell is the dealer's total, for tiles the bank's
results against the seats, for dice a roll.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.conclusion import Verdict
from projections.engine.game import RoadName
from projections.engine.games import game_of
from schemas.values import in_words

ROWS: Final = 6

Play: TypeAlias = Sequence[tuple[str, str]]


class Hand(Struct, frozen=True):
    """Hand of a shoe: its round, its result, what the dealer called, its play, and the side that won."""

    round: str
    verdict: Verdict
    outcome: str | None = None
    announced: str | None = None
    play: Play = ()
    winner: str | None = None

    @property
    def result(self) -> str:
        """Return the result by the cards or, where that is open, the one that was called."""
        return self.outcome or self.announced or "open"


class Tie(Struct, frozen=True):
    """Hand that tied, as a mark on another's cell."""

    round: str
    verdict: Verdict


class RoadCell(Struct, frozen=True):
    """Cell of a road: its place, its text, and the hand to which it belongs.

    `ties` are the hands that tied after it, which have no cell of their own in the big road.
    """

    row: int
    column: int
    kind: str
    label: str
    round: str
    verdict: Verdict
    ties: tuple[Tie, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Return True if the hand or one that tied after it was settled wrongly."""
        return "mismatch" in (self.verdict, *(each.verdict for each in self.ties))


class Road(Struct, frozen=True):
    """Road of a shoe: its cells in the order of play."""

    name: RoadName
    cells: list[RoadCell]

    @property
    def columns(self) -> int:
        """Return how many columns it takes."""
        return max((cell.column for cell in self.cells), default=-1) + 1


def roads_of(chapter: str, hands: Sequence[Hand]) -> list[Road]:
    """Return the roads of a shoe by the game of its chapter; none of no hand."""
    game = game_of(chapter)
    won = [replace(each, winner=game.winners.get(each.result, each.result)) for each in hands]
    found = (Road(name, list(_ROADS[name](won))) for name in game.roads)
    return [road for road in found if road.cells]


# ── Baccarat ──────────────────────────────────────────────────────────────────────────────────────────

_LETTERS: Final[Mapping[str, str]] = {"player": "P", "banker": "B", "tie": "T", "void": "V"}


def bead_plate(hands: Iterable[Hand]) -> Iterator[RoadCell]:
    """Yield a bead for each hand: down from the upper left, then the next column."""
    for place, hand in enumerate(hands):
        kind = hand.winner or hand.result
        column, row = divmod(place, ROWS)
        label = _LETTERS.get(kind, "?")
        yield RoadCell(row, column, kind if kind in _LETTERS else "open", label, hand.round, hand.verdict)


def big_road(hands: Iterable[Hand]) -> Iterator[RoadCell]:
    """Yield the cells of the big road: a run of one winner goes down, another winner begins a new column.

    A run that comes to the sixth row, or to a cell that is taken, turns right: the dragon tail. A tie marks
    the last cell; ties before the first winner mark the cell that this winner takes. Hands without a winner
    are passed over.
    """
    placed: dict[tuple[int, int], tuple[Hand, str]] = {}
    ties: dict[tuple[int, int], list[Tie]] = {}
    (row, column), first_column, winner, is_tail = (0, 0), 0, "", False
    for hand in hands:
        kind = hand.winner or hand.result
        if kind == "tie":
            ties.setdefault((row, column), []).append(Tie(hand.round, hand.verdict))
        if kind not in ("player", "banker"):
            continue
        if kind != winner:
            first_column = next(
                each for each in range(first_column, len(placed) + 1) if (0, each) not in placed
            )
            row, column, winner, is_tail = 0, first_column, kind, False
        else:
            is_tail = is_tail or row == ROWS - 1 or (row + 1, column) in placed
            row, column = (row, column + 1) if is_tail else (row + 1, column)
        placed[row, column] = hand, kind
    for where, (hand, kind) in placed.items():
        tied = tuple(ties.get(where, ()))
        yield RoadCell(*where, kind, _LETTERS[kind], hand.round, hand.verdict, tied)
    if not placed and ties:
        first, *others = ties[0, 0]
        yield RoadCell(0, 0, "tie", "T", first.round, first.verdict, tuple(others))


# ── The other games ───────────────────────────────────────────────────────────────────────────────────

_TOTALS: Final[Mapping[str, str]] = {"bust": "bust", "blackjack": "BJ"}
_POINTS: Final = frozenset({4, 5, 6, 8, 9, 10})
_SEVEN: Final = 7


def dealer_totals(hands: Iterable[Hand]) -> Iterator[RoadCell]:
    """Yield the dealer's total of each hand, or that the dealer went bust or had blackjack."""
    for place, hand in enumerate(hands):
        column, row = divmod(place, ROWS)
        result = hand.result
        kind = result if result in _TOTALS else "stood" if result.isdigit() else "open"
        label = _TOTALS.get(result, result if result.isdigit() else "?")
        yield RoadCell(row, column, kind, label, hand.round, hand.verdict)


def bank_results(hands: Iterable[Hand]) -> Iterator[RoadCell]:
    """Yield against how many seats the bank won and lost in each hand, as the dealer called them."""
    for place, hand in enumerate(hands):
        column, row = divmod(place, ROWS)
        called = [what for who, what in hand.play if who.startswith("seat")]
        won, lost = called.count("lose"), called.count("win")
        kind = "bank" if won > lost else "players" if lost > won else "even"
        label = f"{won}:{lost}" if {"win", "lose", "tie"} & set(called) else "?"
        yield RoadCell(row, column, kind if label != "?" else "open", label, hand.round, hand.verdict)


def rolls(hands: Iterable[Hand]) -> Iterator[RoadCell]:
    """Yield the rolls, a new column with each round: a point that is set or made, a seven out.

    A roll that was called no roll has its cell and changes nothing.
    """
    column, point = -1, 0
    for hand in hands:
        column += 1
        row = 0
        for place, (who, what) in enumerate(hand.play):
            if who != "dice":
                continue
            if row == ROWS:
                row, column = 0, column + 1
            total = sum(map(int, what.split("-")))
            is_void = hand.play[place + 1 : place + 2] == [("dealer", "no_roll")]
            kind = "no_roll" if is_void else _roll_kind(total, point)
            point = {"point": total, "made": 0, "seven_out": 0}.get(kind, point)
            yield RoadCell(row, column, kind, str(total), hand.round, hand.verdict)
            row += 1


def _roll_kind(total: int, point: int) -> str:
    if not point:
        return "point" if total in _POINTS else "come_out"
    if total == point:
        return "made"
    return "seven_out" if total == _SEVEN else "roll"


_ROADS: Final[Mapping[RoadName, Callable[[Iterable[Hand]], Iterator[RoadCell]]]] = {
    "bead_plate": bead_plate,
    "big_road": big_road,
    "dealer": dealer_totals,
    "bank": bank_results,
    "rolls": rolls,
}


def road_in_words(road: Road) -> str:
    """Return a road as a line of text: its cells in the order of play, a run of a winner as a number.

    >>> hands = [Hand("1", "clean", "banker"), Hand("2", "clean", "banker"), Hand("3", "clean", "player")]
    >>> road_in_words(Road("big_road", list(big_road(hands))))
    'banker 2, player 1'
    """
    if road.name != "big_road":
        return ", ".join(map(_cell_in_words, road.cells))
    runs: list[list[RoadCell]] = []
    for cell in road.cells:
        if runs and runs[-1][-1].kind == cell.kind:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return ", ".join(f"{in_words(run[0].kind)} {len(run)}{_tied(run)}" for run in runs)


def _cell_in_words(cell: RoadCell) -> str:
    """Return a cell's text, and for a roll its effect.

    >>> [_cell_in_words(RoadCell(0, 0, kind, "6", "1", "clean")) for kind in ("point", "roll")]
    ['6 point', '6']
    """
    if cell.label == "?":
        return "open"
    return f"{cell.label} {in_words(cell.kind)}" if cell.kind in _ROLL_KINDS else cell.label


_ROLL_KINDS: Final = frozenset({"point", "made", "seven_out", "no_roll"})


def _tied(run: Sequence[RoadCell]) -> str:
    ties = sum(len(cell.ties) for cell in run)
    return f" with {ties} tie{'' if ties == 1 else 's'}" if ties else ""
