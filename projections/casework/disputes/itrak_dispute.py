"""A dispute in the form of iTrak's gaming disputes audit: one row, whose columns have that form's names.

The vendor prints the form's fields (its help, "Creating a Gaming Disputes Audit", a violation's too) and no
format of an import: the importer of the installation maps the columns to the fields once. The other contents
of a dispute follow them. What iTrak numbers itself is left to it.
"""

import io
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct

from projections.casework.disputes.dispute_state import (
    CallPart,
    Dispute,
    FindingsPart,
    FootagePart,
    RulingPart,
)
from projections.catalogue import check_name
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.views.cells import write_csv
from schemas.house import House
from schemas.values import Micros, dollars, moment


class Played(Struct, frozen=True):
    """Facts of the rounds in dispute: when the first was opened, who dealt, what was found.

    The recorder's clock is ahead of the tables' by `offset_ms`; None if unknown.
    """

    at: Micros | None = None
    offset_ms: int | None = None
    dealers: tuple[str, ...] = ()
    findings: tuple[FindingBase[Fact], ...] = ()


def itrak_csv(dispute: Dispute, played: Played, house: House) -> str:
    """Write a dispute as CSV: the head and its row; no cell can act as a formula."""
    row = {**_form(dispute, played, house), **_fields(dispute, played, house)}
    file = io.StringIO()
    write_csv(file, row, [row.values()])
    return file.getvalue()


def _form(dispute: Dispute, played: Played, house: House) -> Mapping[str, str]:
    about, found = dispute.about, dispute.findings or FindingsPart(text="-")
    setup = house.tables.get(about.table)
    return {
        "Property": house.house,
        "Area Audited": (setup.pit if setup is not None else None) or "",
        "Section": _place(dispute),
        "Requested By": dispute.call.caller or "",
        "Subject": about.patron or "",
        "Audit Start": _time(found.began, house),
        "Audit End": _time(found.ended, house),
        "Review Method": found.method or "",
        "VCR Console #": dispute.footage.reference or "",
        "Audit Remarks": _remarks(dispute),
        "Second Auditor": dispute.review.who if dispute.review is not None else "",
        "Time of Violation": _time(played.at, house),
        "Violation": _listed([check_name(finding.check) for finding in played.findings]),
        "Dealer": _listed(played.dealers),
        "Supervisor": about.supervisor or "",
        "Remarks": dispute.findings.text if dispute.findings is not None else "",
        "Savings": _sum(found.savings_cents),
        "Losses": _sum(found.losses_cents),
    }


def _fields(dispute: Dispute, played: Played, house: House) -> Mapping[str, str]:
    call, footage = dispute.call, dispute.footage
    ruling, referral = dispute.ruling, dispute.referral
    return {
        "Reference": dispute.name,
        "Gaming Date": str(dispute.about.gaming_date),
        **_called(call, house),
        "Claim": dispute.about.claim,
        "Claim Amount": _sum(dispute.about.claim_cents),
        **_ruled(ruling, house),
        "Patron's Acceptance": dispute.acceptance or "",
        "Referred To": referral.to if referral is not None else "",
        "Referred Time": _time(referral.at if referral is not None else None, house),
        "Outcome": dispute.outcome or "",
        "Attachments": _listed([f"{each.name} (SHA-256 {each.sha256})" for each in dispute.attachments]),
        **_footage(footage, played.offset_ms, house),
    }


def _called(call: CallPart, house: House) -> Mapping[str, str]:
    return {
        "Call Time": _time(call.called, house),
        "Answer Time": _time(call.answered, house),
        "Answered By": call.answered_by or "",
    }


def _ruled(ruling: RulingPart | None, house: House) -> Mapping[str, str]:
    if ruling is None:
        return dict.fromkeys(("Ruling", "Ruled By", "Ruled Time", "Paid"), "")
    return {
        "Ruling": ruling.text,
        "Ruled By": ruling.ruled_by,
        "Ruled Time": _time(ruling.ruled, house),
        "Paid": _sum(ruling.paid_cents),
    }


def _footage(footage: FootagePart, offset: int | None, house: House) -> Mapping[str, str]:
    return {
        "Footage Requested": _time(footage.requested, house),
        "Footage Requested By": footage.requested_by or "",
        "Footage Preserved": _time(footage.preserved, house),
        "Footage Preserved By": footage.preserved_by or "",
        "Footage Expires": _time(footage.expires, house),
        "Recorder Clock Offset ms": "" if offset is None else str(offset),
    }


def _place(dispute: Dispute) -> str:
    about = dispute.about
    rounds = [f"round {number}" for number in about.rounds]
    seat = [f"seat {about.seat}"] if about.seat is not None else []
    return ", ".join([about.table, *rounds, *seat])


def _remarks(dispute: Dispute) -> str:
    remarks = [f"claim: {dispute.about.claim}"]
    if dispute.ruling is not None:
        remarks.append(f"ruling: {dispute.ruling.text}")
    if dispute.outcome is not None:
        remarks.append(f"outcome: {dispute.outcome}")
    return "; ".join([*remarks, *(note.text for note in dispute.notes)])


def _listed(names: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _sum(cents: int | None) -> str:
    return dollars(cents) if cents is not None else ""


def _time(at: Micros | None, house: House) -> str:
    return f"{moment(at).astimezone(ZoneInfo(house.zone)):%Y-%m-%d %H:%M:%S}" if at is not None else ""
