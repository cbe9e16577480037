"""Messages between the processes other than frames: conclusions, findings, reports, unreadable records."""

from datetime import date
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import Conclusion, Verdict, id_of
from projections.engine.findings import Finding
from projections.engine.observation import Key, Lying, Paid, Round, RoundOrTime, Wager
from schemas.senders import Refusal
from schemas.values import Micros

VERSION: Final = 1
TEXT_BYTES: Final = 64 * 1024  # of a text in the quarantine; the archive has all of it


class StoredObservation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Observed round, as the store has it: play, wagers, what each brought, who sat where.

    `laid` is how its hands lay by the rules by which it was judged.
    """

    at: Micros
    play: list[tuple[str, str]] = []
    wagers: list[tuple[Key, Wager]] = []
    paid: list[tuple[Key, Paid]] | None = None
    announced: str | None = None
    dealer: str | None = None
    seated: dict[int, str] = {}
    laid: list[Lying] | None = None


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A conclusion on its way to the store (`topics.ROUNDS`).

    `frame` is the table and number of the frame whose arrival caused it, which links the devices' events
    through every log to the finding. `received` is that frame's receipt at the gateway and `judged` when the
    worker had concluded, microseconds UTC; neither is part of the conclusion. Nor is `at`, which a shoe and
    an account have in place of an observation: when it was known by the table's clock. Older workers leave it
    out. `plugin_faults` are those that the worker has met, of the table or of all.
    """

    v: int = VERSION
    software: str
    frame: str
    received: Micros
    judged: Micros
    revision: int
    conclusion: Conclusion
    seen: StoredObservation | None = None
    at: Micros | None = None
    plugin_faults: tuple[str, ...] = ()


class StandingFindings(Struct, frozen=True, kw_only=True):
    """The findings of a round, a shoe or an account that stand after a revision (`topics.FINDINGS`).

    `about` names which, from its gaming date, table and `round`, or its `shoe` or `account` where there is no
    round. `at` is when it opened by the table's clock, of a shoe or an account when this was concluded of it,
    in microseconds UTC. Older workers leave all but `about`, `table` and `revision` of these out.
    """

    v: int = VERSION
    about: str
    frame: str
    table: str
    revision: int
    findings: tuple[Finding, ...]
    gaming_date: date | None = None
    round: str | None = None
    shoe: str | None = None
    account: str | None = None
    at: Micros | None = None
    chapter: str | None = None
    verdict: Verdict | None = None


class Reported(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Report of a gaming day on its way to the store (`topics.REPORTS`).

    `body` is the report as JSON, `digest` the SHA-256 of that; `restricted` the role that alone may read it.
    """

    v: int = VERSION
    software: str
    gaming_day: date
    report: str
    digest: str
    body: str
    restricted: str | None = None


class Quarantined(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Record that could not be read or does not follow (`topics.QUARANTINE`).

    `id` is made of its place, so that a record found twice is one row; `where` is the same for people.
    `payload` is the text itself, as much of it as `cut` leaves, with invalid UTF-8 replaced; the archive has
    the bytes. `code` is why a forbidden input was refused, and `source` where it came from: a host, a file,
    or a topic.
    """

    v: int = VERSION
    id: str
    where: str
    reason: str
    payload: str
    table: str | None = None
    code: Refusal | None = None
    source: str | None = None


def cut(payload: bytes, reason: str) -> tuple[str, str]:
    """Return at most TEXT_BYTES bytes of a text for the quarantine, and the reason with a note of the cut.

    >>> cut(b"{", "truncated")
    ('{', 'truncated')
    >>> cut(b"x" * 70_000, "too long")[1]
    'too long (of its 70,000 bytes 65,536 are shown)'
    """
    text = payload[:TEXT_BYTES].decode(errors="replace")
    if len(payload) <= TEXT_BYTES:
        return text, reason
    return text, f"{reason} (of its {len(payload):,} bytes {TEXT_BYTES:,} are shown)"


def frame_name(table: str, frame: int) -> str:
    """Return a frame within a property.

    >>> frame_name("BAC-104", 17)
    'BAC-104#17'
    """
    return f"{table}#{frame}"


def result_of(
    each: Concluded,
    software: str,
    frame: str,
    received: int,
    judged: int,
    plugin_faults: tuple[str, ...] = (),
) -> Result:
    """Pack a conclusion for its way to the store."""
    return Result(
        software=software,
        frame=frame,
        received=received,
        judged=judged,
        revision=each.revision,
        conclusion=each.conclusion,
        seen=_packed(each.basis),
        at=each.at,
        plugin_faults=plugin_faults,
    )


def standing_of(result: Result) -> StandingFindings | None:
    """Return the findings in force after a result; None if there are none and never were."""
    if not result.conclusion.findings and result.revision == 1:
        return None
    concluded = result.conclusion
    return StandingFindings(
        about=id_of(concluded),
        frame=result.frame,
        table=concluded.table,
        revision=result.revision,
        findings=concluded.findings,
        gaming_date=concluded.gaming_date,
        round=concluded.round,
        shoe=concluded.shoe,
        account=concluded.account,
        at=result.seen.at if result.seen is not None else result.at,
        chapter=concluded.chapter,
        verdict=concluded.verdict,
    )


def entry_of(result: Result) -> tuple[RoundOrTime, Conclusion, int]:
    """Unpack a result into what the store takes."""
    return _unpacked(result), result.conclusion, result.revision


def _packed(basis: RoundOrTime) -> StoredObservation | None:
    if not isinstance(basis, Round):
        return None
    return StoredObservation(
        at=basis.at,
        play=basis.play,
        wagers=list(basis.wagers.items()),
        paid=list(basis.paid.items()) if basis.paid is not None else None,
        announced=basis.announced,
        dealer=basis.dealer,
        seated=basis.seated,
        laid=basis.laid,
    )


def _unpacked(result: Result) -> RoundOrTime:
    observation, concluded = result.seen, result.conclusion
    if concluded.round is None:
        return result.at
    if observation is None:
        return None
    return Round(
        table=concluded.table,
        number=concluded.round,
        day=concluded.gaming_date,
        at=observation.at,
        play=observation.play,
        wagers=dict(observation.wagers),
        paid=dict(observation.paid) if observation.paid is not None else None,
        announced=observation.announced,
        dealer=observation.dealer,
        seated=observation.seated,
        laid=observation.laid,
    )


encode: Final = msgspec.json.Encoder().encode
read_result: Final = msgspec.json.Decoder(Result).decode
read_reported: Final = msgspec.json.Decoder(Reported).decode
read_quarantined: Final = msgspec.json.Decoder(Quarantined).decode
