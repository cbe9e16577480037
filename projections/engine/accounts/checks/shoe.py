"""Was vigorish paid in its shoe and rounded one way, was all of it reported, and do devices agree?"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.checks.data import DATA_MISSING, SOURCE_CONFLICT
from projections.engine.facts import Cents, DeviceRef, Fact, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised, Step
from projections.engine.observation import device_names, person
from projections.engine.shoe import Lapse

# ── Was vigorish that was marked paid before the next shoe, and before its player left? ───────────────

VIGORISH_LEFT_OWING: Final = Kind(
    "vigorish_left_owing",
    severity="by_amount",
    asks="Was vigorish owed on a marker button collected by the shoe's end or the player's leaving?",
    false_positives="A button taken away past the reader; a player who changed seats.",
    of_vigorish=True,
)
VIGORISH_OWING_KINDS: Final = (VIGORISH_LEFT_OWING,)


def check_vigorish_owing(case: ShoeCase) -> Iterator[Raised]:
    """Raise what was still owing, or was taken beyond what was marked."""
    # Where a text has none on vigorish owing: on vigorish, or on paying at all.
    cites = case.book.clause("vigorish_owing", "vigorish", "settlement")
    marked = case.book.clause("vigorish_marked", "vigorish", "settlement")[0]
    for lapse in case.shoe.lapses:
        if not lapse.sure:
            continue
        seat, bettor = person(lapse.who)
        left = fact("accounts.checks.left_owing", is_owing=int(lapse.cents > 0), occasion=lapse.occasion)
        yield Raised(
            kind=VIGORISH_LEFT_OWING,
            message=fact("accounts.checks.vigorish_left_owing", cents=Cents(abs(lapse.cents)), left=left),
            cites=cites,
            seat=seat,
            bettor=bettor,
            expected=max(lapse.cents, 0),
            observed=max(-lapse.cents, 0),
            more_favours="house",
            steps=tuple(_steps(lapse, left, marked, cites[0])),
        )


def _steps(lapse: Lapse, left: Fact, marked: str, owing: str) -> Iterator[Step]:
    """Yield what was marked and what was collected, and what that leaves; of the provisions on either."""
    for each in lapse.booked:
        message = fact("accounts.checks.vigorish_booked", round=each.round, is_marked=int(each.cents > 0))
        yield Step(message, marked if each.cents > 0 else owing, each.cents)
    if lapse.before:
        yield Step(fact("accounts.checks.collected_for_earlier"), owing, lapse.before)
    yield Step(left, owing, lapse.cents)


def round_of(step: Step) -> str | None:
    """Return the round in which a step of such a sum was made; None if it was in none.

    >>> round_of(Step(fact("checks.vigorish_booked", round="41", is_marked=1), "541.13(e)", 50))
    '41'
    >>> round_of(Step(fact("checks.collected_for_earlier"), "541.13(e)", -50))
    """
    number = step.says.args.get("round")
    return number if isinstance(number, str) else None


# ── Is vigorish rounded the same way all through a shoe? ──────────────────────────────────────────────

VIGORISH_MIXED: Final = Kind(
    "vigorish_mixed",
    severity="medium",
    asks="Was vigorish rounded for all or for none within one shoe?",
    false_positives="A single sum left exact because no coin for the rest was at hand.",
)
VIGORISH_MIXED_KINDS: Final = (VIGORISH_MIXED,)


def check_vigorish_mixed(case: ShoeCase) -> Iterator[Raised]:
    """Raise a shoe in which vigorish was taken both ways."""
    ways = case.account.ways
    if len(ways) > 1:
        yield Raised(
            kind=VIGORISH_MIXED,
            message=fact("accounts.checks.vigorish_mixed", exact=ways["exact"], rounded=ways["rounded"]),
            cites=case.book.clause("vigorish_rounding", "vigorish"),
        )


# ── Does a device contradict the others again and again? ──────────────────────────────────────────────

OFTEN: Final = 3  # contradictions within one shoe

DEVICE_CONTRADICTS: Final = Kind(
    "device_contradicts",
    severity="data",
    asks="Did two devices contradict each other in several rounds of one shoe?",
    false_positives="None about the game: it says that a reader needs looking at.",
    weight="undetermined",
)
DEVICE_CONTRADICTS_KINDS: Final = (DEVICE_CONTRADICTS,)


def check_device_contradicts(case: ShoeCase) -> Iterator[Raised]:
    """Raise pairs of devices that often disagree."""
    for devices, rounds in Counter(case.account.conflicts).items():
        if rounds >= OFTEN:
            yield Raised(
                kind=DEVICE_CONTRADICTS,
                message=fact(
                    "accounts.checks.device_contradicts",
                    devices=listed(*(DeviceRef(each) for each in devices)),
                    rounds=rounds,
                ),
                cites=(HOUSE_CONTROL,),
                device=device_names(devices),
            )


# ── Was everything of a shoe reported, between its rounds too, and in time? ───────────────────────────

LATE_EVENT: Final = Kind(
    "late_event",
    severity="data",
    asks="Did every event come while its round could still be revised?",
    false_positives="None: the event came after the lateness window and was not used.",
    weight="undetermined",
)
SHOE_DATA_KINDS: Final = (LATE_EVENT,)


def check_shoe_data(case: ShoeCase) -> Iterator[Raised]:
    """Raise the holes of a shoe, the events that came too late, and decks that are not the table's."""
    if case.shoe.decks not in (None, case.book.shoe_decks):
        yield Raised(
            kind=SOURCE_CONFLICT,
            message=fact(
                "accounts.checks.decks_loaded",
                loaded=case.shoe.decks,
                decks=case.book.shoe_decks,
            ),
            cites=(HOUSE_CONTROL,),
        )
    for gap in case.account.unknown:
        yield Raised(
            kind=DATA_MISSING, message=gap.message, cites=(HOUSE_CONTROL,), device=gap.device or None
        )
    for late in case.late:
        yield Raised(kind=LATE_EVENT, message=late, cites=(HOUSE_CONTROL,))


KINDS: Final = (
    *VIGORISH_OWING_KINDS,
    *VIGORISH_MIXED_KINDS,
    *DEVICE_CONTRADICTS_KINDS,
    *SHOE_DATA_KINDS,
)
