"""An alert: a standing finding, with the fields that queues, rings and decisions need."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Final, TypeVar

from msgspec import UNSET, Struct, UnsetType

from projections.engine.conclusion import Conclusion, id_of, id_of_table_day
from projections.engine.facts import Fact
from projections.engine.findings import Severity, Side, Weight
from projections.engine.observation import Round, is_name
from schemas.values import Micros

_T = TypeVar("_T")
SENDER_REFUSED: Final = "sender_refused"  # somebody sent what is not his to send


class Alert(Struct, frozen=True, kw_only=True, gc=False):
    """A present finding on a round, a shoe or an account (`about` is its key in the store).

    `at` is when the round was opened by the table's clock, for a shoe or an account when it was found first;
    None if unknown. The sums are the finding's, by the same names; a net of 0 favours nobody. With
    `put_right` it was corrected before the round closed. `bettor`, `patron` and `people`, who bet in the
    round, may be named in the message.
    """

    id: str
    run: str
    about: str
    gaming_date: date
    table: str
    chapter: str
    check: str
    weight: Weight
    severity: Severity
    message: Fact
    at: Micros | None = None
    round: str | None = None
    shoe: str | None = None
    account: str | None = None
    pit: str | None = None
    dealer: str | None = None
    bettor: str | None = None
    patron: str | None = None
    people: tuple[str, ...] = ()
    seat: int | None = None
    wager: str | None = None
    hand: str | None = None
    device: str | None = None
    favours: Side | None = None
    gross_cents: int | None = None
    vigorish_cents: int | None = None
    net_cents: int | None = None
    variance_cents: int | None = None
    put_right: bool = False

    @property
    def on(self) -> tuple[str | int | None, ...]:
        """Return what its money is of: a wager of a round, which several findings share, or itself alone."""
        if self.seat is None or self.wager is None:
            return (self.id,)
        return self.about, self.seat, self.bettor, self.wager, self.hand

    @property
    def comes_to_cents(self) -> int | None:
        """Return what it comes to: the net or, of a count, the variance; None without a sum."""
        return self.net_cents if self.net_cents is not None else self.variance_cents

    @property
    def weighs(self) -> str:
        """Return what whoever closes it decides about: whether it is proven, and its sum in cents."""
        return self.weight if self.comes_to_cents is None else f"{self.weight} {self.comes_to_cents}"

    def subjects(self) -> frozenset[str]:
        """Return what it is withheld by: itself, its round, its day at the table (465a.9)."""
        day = id_of_table_day(self.gaming_date, self.table)
        return frozenset((f"alert:{self.id}", f"round:{self.about}", f"table-day:{day}"))


def weights(alerts: Iterable[str], alerts_by_id: Mapping[str, "Alert"]) -> dict[str, str]:
    """Return what some alerts weigh, of those that stand."""
    return {name: alerts_by_id[name].weighs for name in alerts if name in alerts_by_id}


def alerts_of(
    conclusion: Conclusion,
    run: str,
    *,
    at: Micros | None = None,
    dealer: str | None = None,
    people: Collection[str] = (),
    pit: str | None = None,
) -> list[Alert]:
    """Return the alerts of a conclusion: what it finds, without its notes."""
    return [
        Alert(
            id=found.id,
            run=run,
            about=id_of(conclusion),
            gaming_date=conclusion.gaming_date,
            table=conclusion.table,
            chapter=conclusion.chapter,
            check=found.check,
            weight=found.weight,
            severity=found.severity,
            message=found.message,
            at=at,
            round=conclusion.round,
            shoe=conclusion.shoe,
            account=conclusion.account,
            pit=pit,
            dealer=dealer,
            bettor=_set(found.bettor),
            patron=_set(found.patron),
            people=tuple(sorted(people)),
            seat=_set(found.seat),
            wager=_set(found.wager),
            hand=_set(found.hand),
            device=_set(found.device),
            favours=_set(found.favours) if found.comes_to_cents != 0 else None,
            gross_cents=_set(found.gross_cents),
            vigorish_cents=_set(found.vigorish_cents),
            net_cents=_set(found.net_cents),
            variance_cents=_set(found.variance_cents),
            put_right=found.put_right is True,
        )
        for found in conclusion.findings
    ]


def bettors_of(observed: Round) -> set[str]:
    """Return who bet in a round by name.

    >>> from projections.engine.observation import Key, Wager
    >>> wagers = {Key(1, "anna", "tie", None): Wager(500), Key(2, "B", "tie", None): Wager(500)}
    >>> bettors_of(Round(table="T", number="1", day=date(2025, 3, 1), at=0, wagers=wagers))
    {'anna'}
    """
    return {key.bettor for key in observed.wagers if key.bettor is not None and is_name(key.bettor)}


def _set(value: _T | UnsetType) -> _T | None:
    return None if value is UNSET else value
