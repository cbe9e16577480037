"""Schemes: what one patron does over many rounds and days, alone or with a dealer, at a table of Baccarat.

The figures are written by hand. A kind whose rate is 0 draws nothing and does nothing: everything else on the
floor happens as without it.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from schemas import events
from streams.simulator.kinds import Kind
from streams.simulator.labels import SchemeLabel
from streams.simulator.patrons import Patron
from streams.simulator.table import Key, Made, Round, Stake, Table
from streams.simulator.wagering import lay, pocket, take_back

_OF_DAYS: Final = "table of Baccarat and gaming day"
# docs/faults.md explains each kind.
SCHEMES: Final[Mapping[str, Kind]] = {
    "dumping": Kind("loser_not_collected", 0.0, _OF_DAYS),
    "past_posting": Kind("late_wager", 0.0, _OF_DAYS),
    "pinching": Kind("late_wager", 0.0, _OF_DAYS),
    "edge_sorting": Kind(None, 0.0, _OF_DAYS),
    "count_betting": Kind(None, 0.0, f"{_OF_DAYS}, with EZ Baccarat"),
}

_STAKE: Final = 10_000  # cents
# How often a chance is taken that the scheme has.
_TAKEN: Final = {"dumping": 0.5, "past_posting": 0.3, "pinching": 0.3}
_ACCOMPLICE: Final = 4  # which of the day's dealers looks away: the one who calls from the first relief on
# The rank of the first card, known by its back -> the hand that is backed, and how many stakes.
_BY_BACK: Final = dict.fromkeys("6789", ("player", 4)) | dict.fromkeys("A2345TJQK", ("banker", 1))
# What a rank that has left the shoe adds to the count, and from which count on how much goes on the Dragon 7.
_TAGS: Final = dict.fromkeys("4567", -1) | dict.fromkeys("89", 2)
_BY_COUNT: Final = ((16, 10_000), (8, 5_000), (0, 1_000))
_LEAST: Final = 500  # cents, below any of these counts


class Schemer(Patron):
    """A patron who comes back day after day by one scheme; `rounds` are those in which it was carried out."""

    def __init__(self, table: Table, kind: str, seat: int) -> None:
        super().__init__(seat, None, table.rng)
        self.kind = kind
        self.name = f"X-{table.plan.number}-{kind.replace('_', '-')}"
        self.base, self.unit = _STAKE, 500
        self.rounds_left = 1_000_000
        self.rounds: list[str] = []


def sit_down(table: Table) -> None:
    """Seat the patrons whose schemes are carried out at the table today, from the last position down."""
    is_ez = getattr(table.ways, "ez", False)
    for place, kind in enumerate(SCHEMES):
        if (kind == "count_betting" and not is_ez) or not table.strikes(kind):
            continue
        schemer = Schemer(table, kind, table.plan.positions - place)
        table.patrons.append(schemer)
        table.script.wait(800, 2500)
        table.script.tell(events.PlayerSeated, seat=schemer.seat, patron=schemer.name)
        table.script.wait(800, 2500)
        table.buys_in(schemer)


def wishes(table: Table, schemer: Schemer) -> Iterator[tuple[str, int]]:
    """Yield the wagers that a schemer makes in time, and their cents."""
    shoe = table.shoe
    if schemer.kind == "edge_sorting":
        hand, stakes = _BY_BACK[shoe.to_come(1)[0][0]]
        yield hand, stakes * _STAKE
        return
    if schemer.kind != "past_posting":
        yield schemer.rng.choice(("player", "banker")), _STAKE
    if schemer.kind == "count_betting":
        count = sum(_TAGS.get(card[0], 0) for card in shoe.cards[: shoe.drawn])
        yield "dragon_7", next((cents for least, cents in _BY_COUNT if count >= least), _LEAST)


def move_late(table: Table, current: Round, winner: str | None) -> None:
    """Move a schemer's chips once the hands are open: onto what won, or away from what lost."""
    if current.made is not None or current.is_void or winner is None:
        return
    for schemer in _schemers(table, "past_posting", "pinching"):
        stake = _lost(current, schemer, winner)
        is_chance = winner != "tie" if schemer.kind == "past_posting" else stake is not None
        if not is_chance or schemer.rng.random() >= _TAKEN[schemer.kind]:
            continue
        table.script.wait(1200, 2600)
        if stake is None:
            pocket(table, schemer, _STAKE, current)
            fields = lay(current, schemer, winner, _STAKE, is_open=True)
            table.script.tell(events.ChipsPlaced, round=current.name, **fields)
        else:
            stake.is_open = True
            take_back(table, current, stake, stake.cents // 2)
        schemer.rounds.append(current.name)
        current.made = Made(schemer.kind, schemer.seat, None, winner if stake is None else stake.wager)
        return


def looks_away(table: Table, current: Round, stake: Stake, gain: int) -> bool:
    """Return True if the dealer leaves a patron's lost wager on the table; the round then has its fault."""
    schemer = stake.patron
    if not isinstance(schemer, Schemer) or schemer.kind != "dumping" or current.made is not None:
        return False
    is_chance = gain < 0 and not stake.is_open and table.calling == _accomplice(table)
    if not is_chance or schemer.rng.random() >= _TAKEN["dumping"]:
        return False
    schemer.rounds.append(current.name)
    current.made = Made("dumping", schemer.seat, None, stake.wager)
    return True


def label_schemes(table: Table) -> None:
    """Label each scheme of the day, where it was carried out at all."""
    for schemer in _schemers(table, *SCHEMES):
        is_whole_day = schemer.kind in ("edge_sorting", "count_betting")
        if is_whole_day or schemer.rounds:
            table.labels.append(
                SchemeLabel(
                    scheme=schemer.kind,
                    table=table.plan.name,
                    gaming_date=table.gaming_date(),
                    patron=schemer.name,
                    dealer=_accomplice(table) if schemer.kind == "dumping" else None,
                    rounds=[each.name for each in table.past] if is_whole_day else schemer.rounds,
                )
            )


def _accomplice(table: Table) -> str:
    return f"D-{table.plan.number}-{_ACCOMPLICE:02}"


def _schemers(table: Table, *kinds: str) -> list[Schemer]:
    return [each for each in table.patrons if isinstance(each, Schemer) and each.kind in kinds]


def _lost(current: Round, schemer: Schemer, winner: str) -> Stake | None:
    """Return the wager on a hand that lost, of one who takes chips back."""
    if schemer.kind != "pinching" or winner == "tie":
        return None
    key: Key = (schemer.seat, None, "banker" if winner == "player" else "player", None)
    return current.stakes.get(key)
