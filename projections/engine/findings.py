"""Finding of a check, with its citation, its sum, and whom the mistake favours."""

import hashlib
from collections.abc import Iterable
from datetime import date
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from msgspec import UNSET, Struct, UnsetType

from projections.engine.facts import Fact
from projections.engine.observation import Key
from schemas.errors import BadInput, LawError
from schemas.events import Source
from schemas.house import SeverityThresholds
from schemas.law_text import NOT_ON_FILE, is_on_file, status_of
from schemas.plugins import Plugin

Weight: TypeAlias = Literal["mismatch", "undetermined", "note"]
Severity: TypeAlias = Literal["critical", "high", "medium", "data", "note"]
# What is wrong with money is ranked by how much it is.
Ranking: TypeAlias = Severity | Literal["by_amount"]
Side: TypeAlias = Literal["house", "patron"]
# On what the serial number is printed that a finding names.
Paper: TypeAlias = Literal["coupon", "Counter Check", "slip"]

HOUSE_CONTROL: Final = "house control"
BY_DEFAULT: Final = SeverityThresholds()
_THREE: Final = ("gross", "vigorish", "net")

_T = TypeVar("_T")
# The content of a finding: facts in the engine, words at the edge.
_W = TypeVar("_W", Fact, str)


SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)  # the most severe first


def severity_rank(severity: Severity) -> int:
    """Return the place of a severity, that of the most severe lowest.

    >>> severity_rank("critical") < severity_rank("high") < severity_rank("data")
    True
    """
    return SEVERITIES.index(severity)


def severity_of(ranking: Ranking, cents: int | None, thresholds: SeverityThresholds) -> Severity:
    """Return the severity of a finding: its kind's or, where it is of money, that of what it comes to.

    Nobody can say of an unknown amount that it is small.

    >>> by_default = SeverityThresholds()
    >>> [severity_of("by_amount", cents, by_default) for cents in (-150, 10_000, -500_000, None)]
    ['medium', 'high', 'critical', 'high']
    >>> severity_of("critical", 0, by_default)
    'critical'
    """
    if ranking != "by_amount":
        return ranking
    if cents is None:
        return "high"
    if abs(cents) >= thresholds.critical_cents:
        return "critical"
    return "high" if abs(cents) >= thresholds.high_cents else "medium"


class Kind(Struct, frozen=True):
    """A check's name and what is the same for all its findings.

    `asks` is the question in a sentence, `false_positives` what would make a finding of this kind wrong.
    `name` is what people of the trade call it, where that is not what its check is called. `paper` is the
    kind of document whose serial number a finding may name. With `of_vigorish` its cents are of vigorish and
    not of the player's gain. `due_card` is true if the finding
    is about a card that was due and not dealt, `extra_card` if about one that was dealt and not due.
    `by_chance` is true if an undetermined finding states how rare the observation is by chance. `sources`
    are those that report what a check of the floor's procedures asks: a table that lacks one is not asked, or
    not of everything.
    """

    check: str
    severity: Ranking
    asks: str
    false_positives: str
    weight: Weight = "mismatch"
    name: str | None = None
    paper: Paper | None = None
    of_vigorish: bool = False
    due_card: bool = False
    extra_card: bool = False
    by_chance: bool = False
    sources: tuple[Source, ...] = ()


def hold_names(kinds: Iterable[Any], plugin: Plugin) -> None:
    """Raise BadInput if a check of a plugin is not called after the plugin, `name.check`."""
    for kind in kinds:
        if not isinstance(kind, Kind) or not kind.check.startswith(f"{plugin.name}."):
            raise BadInput(f"a Kind of its checks is called {plugin.name}.…, as {kind!r} is not")


class StepOf(Struct, Generic[_W], frozen=True, omit_defaults=True):
    """Step of a sum: what was computed, the cents it came to, and the provision."""

    says: _W
    cite: str
    cents: int | None = None


Step: TypeAlias = StepOf[Fact]
StepView: TypeAlias = StepOf[str]


class FindingBase(Struct, Generic[_W], frozen=True, kw_only=True):
    """Fields of a finding in every output; `Finding` adds those of the exchange format.

    `weight` is whether it proves a mismatch, leaves the matter undetermined, or is only noted. `gross_cents`
    is observed less owed of the player's gain before vigorish, `vigorish_cents` observed less owed of the
    vigorish; each is 0 if it is not at fault. `net_cents` is the first less the second: what the patron has
    too much or, below 0, too little. A count of a tray or a ledger has none of the three, but
    `variance_cents`, observed less expected. A finding without a sum has none of the four. `status` is that
    of the text cited first. Fields that do not apply are absent.
    """

    id: str
    check: str
    weight: Weight
    severity: Severity
    message: _W
    citations: tuple[str, ...]
    status: str
    who: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    wager: str | UnsetType = UNSET
    hand: str | UnsetType = UNSET
    bettor: str | UnsetType = UNSET
    device: str | UnsetType = UNSET
    expected_cents: int | UnsetType = UNSET
    observed_cents: int | UnsetType = UNSET
    gross_cents: int | UnsetType = UNSET
    vigorish_cents: int | UnsetType = UNSET
    net_cents: int | UnsetType = UNSET
    variance_cents: int | UnsetType = UNSET
    favours: Side | UnsetType = UNSET
    put_right: bool | UnsetType = UNSET
    steps: tuple[StepOf[_W], ...] | UnsetType = UNSET
    serial: str | UnsetType = UNSET
    patron: str | UnsetType = UNSET
    table: str | UnsetType = UNSET
    day: date | UnsetType = UNSET

    @property
    def comes_to_cents(self) -> int | None:
        """Return what it comes to: the net or, of a count, the variance; None without a sum."""
        sums = (each for each in (self.net_cents, self.variance_cents) if isinstance(each, int))
        return next(sums, None)


class FindingOf(FindingBase[_W], frozen=True, kw_only=True):
    """Finding of one check about one round, shoe or day.

    `delta_cents` is the exchange format's: `observed_cents` less `expected_cents`, of the player's gain, of
    the vigorish for a finding on vigorish alone, or of a count.
    """

    delta_cents: int | UnsetType = UNSET


Finding: TypeAlias = FindingOf[Fact]
FindingView: TypeAlias = FindingOf[str]


def wager_of(finding: FindingBase[Any]) -> Key | None:
    """Return the key of the wager that a finding is about; None if it names none.

    >>> about = FindingView(id="f", check="late_wager", weight="mismatch", severity="medium",
    ...     status="adopted",
    ...     citations=("631a.8(c)",), message="the wager was made late",
    ...     seat=5, bettor="anna", wager="tie")
    >>> wager_of(about)
    Key(seat=5, bettor='anna', wager='tie', hand=None)
    """
    if not isinstance(finding.seat, int) or not isinstance(finding.wager, str):
        return None
    return Key(finding.seat, finding.bettor or None, finding.wager, finding.hand or None)


class Raised(Struct, frozen=True, kw_only=True, gc=False):
    """Finding before it is tied to its round: the kind and the particulars.

    `expected` and `observed` are cents of the player's gain, of vigorish if the kind is of that, or with
    `is_count` of a tray or a ledger. `vigorish` is by how many cents more of it was taken than
    was due, as a part of a wrong payment. `more_favours` is the party that gains if more was observed than
    expected: the patron for a gain, the house for vigorish, nobody for a count.
    """

    kind: Kind
    message: Fact
    cites: tuple[str, ...]
    weight: Weight | None = None
    who: str | None = None
    seat: int | None = None
    wager: str | None = None
    hand: str | None = None
    bettor: str | None = None
    device: str | None = None
    expected: int | None = None
    observed: int | None = None
    is_count: bool = False
    vigorish: int = 0
    more_favours: Side | None = "patron"
    put_right: bool = False
    steps: tuple[Step, ...] = ()
    serial: str | None = None
    patron: str | None = None
    table: str | None = None
    day: date | None = None

    @property
    def weighs(self) -> Weight:
        """Return its weight: it proves a mismatch, leaves the round undetermined, or is only noted."""
        return self.weight or self.kind.weight

    @property
    def subject(self) -> str:
        """Return what it is about, within its round."""
        spot = (self.who, self.seat, self.bettor, self.wager, self.hand, self.device)
        # What is outside a round is named after it, so that a round's findings keep their names.
        apart = (self.serial, self.patron, self.table, self.day)
        return "|".join(str(part) for part in (spot if apart == (None,) * 4 else spot + apart))


def identify(
    raised: list[Raised], *, about: str, day: date, thresholds: SeverityThresholds = BY_DEFAULT
) -> list[Finding]:
    """Return each finding its identity: a hash of what it is about, its check, subject and ordinal.

    `about` names the round, shoe or day within the property. The same mistake found twice has one id. What
    is of money is ranked by the house's `thresholds`.
    """
    times: dict[tuple[str, str], int] = {}
    findings = []
    for each in raised:
        key = (each.kind.check, each.subject)
        times[key] = ordinal = times.get(key, 0) + 1
        name = f"{about}|{each.kind.check}|{each.subject}|{ordinal}"
        findings.append(_finding(each, hashlib.sha256(name.encode()).hexdigest()[:16], day, thresholds))
    return findings


def _finding(raised: Raised, name: str, day: date, thresholds: SeverityThresholds) -> Finding:
    if not raised.cites:
        raise LawError(f"check {raised.kind.check} yields a finding without a citation")
    if raised.serial is not None and raised.kind.paper is None:
        raise LawError(f"check {raised.kind.check} names the number of a paper, and not of what kind")
    sums = _sums(raised)
    comes_to = sums.get("net_cents", sums.get("variance_cents"))
    return Finding(
        id=name,
        check=raised.kind.check,
        weight=raised.weighs,
        severity=severity_of(raised.kind.severity, comes_to, thresholds),
        message=raised.message,
        citations=raised.cites,
        status=_status(raised.cites[0], day),
        who=_or_unset(raised.who),
        seat=_or_unset(raised.seat),
        wager=_or_unset(raised.wager),
        hand=_or_unset(raised.hand),
        bettor=_or_unset(raised.bettor),
        device=_or_unset(raised.device),
        **sums,
        put_right=True if raised.put_right else UNSET,
        steps=raised.steps or UNSET,
        serial=_or_unset(raised.serial),
        patron=_or_unset(raised.patron),
        table=_or_unset(raised.table),
        day=_or_unset(raised.day),
    )


def _sums(raised: Raised) -> dict[str, Any]:
    """Return the fields of a finding's sums, and whom they favour; none of a finding without a sum.

    >>> common = {"message": "", "cites": ("631a.8",)}
    >>> paid, taken = Kind("paid", "by_amount", "", ""), Kind("taken", "by_amount", "", "", of_vigorish=True)
    >>> def three(**more): return [_sums(Raised(**common | more))[f"{name}_cents"] for name in _THREE]
    >>> three(kind=paid, expected=10_000, observed=-10_000, vigorish=-500)
    [-20000, -500, -19500]
    >>> three(kind=taken, expected=500, observed=0, more_favours="house")
    [0, -500, 500]
    """
    if raised.expected is None or raised.observed is None:
        return {}
    delta = raised.observed - raised.expected
    sums: dict[str, Any] = {
        "expected_cents": raised.expected,
        "observed_cents": raised.observed,
        "delta_cents": delta,
    }
    if raised.is_count:
        return sums | {"favours": _favoured(raised.more_favours, delta), "variance_cents": delta}
    gross, vigorish = (0, delta) if raised.kind.of_vigorish else (delta, raised.vigorish)
    net = gross - vigorish
    # Vigorish can outweigh the gain that it went with: $0.01 too much paid, and $0.25 too much taken of it.
    side, by = (raised.more_favours, delta) if net == 0 else ("patron", net)
    favours = _favoured(side if raised.more_favours is not None else None, by)
    return sums | {"favours": favours, "gross_cents": gross, "vigorish_cents": vigorish, "net_cents": net}


def _favoured(more: Side | None, delta: int) -> Side | UnsetType:
    """Return whom a difference favours, where more of it is to someone's advantage.

    >>> [_favoured(side, by) for side in ("patron", "house") for by in (1, -1)]
    ['patron', 'house', 'house', 'patron']
    """
    if more is None or not delta:
        return UNSET
    less: Side = "house" if more == "patron" else "patron"
    return more if delta > 0 else less


def _or_unset(value: _T | None) -> _T | UnsetType:
    return UNSET if value is None else value


def _status(cite: str, day: date) -> str:
    if cite == HOUSE_CONTROL:
        return HOUSE_CONTROL
    return status_of(cite, day) if is_on_file(cite) else NOT_ON_FILE
