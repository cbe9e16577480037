"""A step of a play or of a sum with the provision it stands on, and what that provision's text is worth."""

from datetime import date

from msgspec import Struct

from projections.engine.findings import HOUSE_CONTROL
from schemas.law_text import NOT_ON_FILE, chapters, text_of


class Cited(Struct, frozen=True):
    """A provision, what its text is worth on the gaming date, and since when that text has stood."""

    provision: str
    status: str
    since: date | None


class Line(Struct, frozen=True):
    """One step of the play or of a sum: what it says, the cents it came to, and the provision."""

    says: str
    cents: int | None
    cited: Cited


def cited(provision: str, day: date) -> Cited:
    """Say what a provision is worth on a gaming date; before the first text it is what that text is worth.

    >>> cited("631a.13(c)", date(2013, 5, 1))
    Cited(provision='631a.13(c)', status='reconstructed', since=datetime.date(2012, 5, 19))
    >>> cited("house control", date(2013, 5, 1))
    Cited(provision='house control', status='house control', since=None)
    >>> cited("631b.1", date(2025, 5, 1))  # a text that approves a side wager, and is not on file
    Cited(provision='631b.1', status='not on file', since=None)
    """
    if provision == HOUSE_CONTROL:
        return Cited(provision, HOUSE_CONTROL, None)
    if provision.partition(".")[0] not in chapters():
        return Cited(provision, NOT_ON_FILE, None)
    since, text = text_of(provision, day)
    return Cited(provision, text.status, since)
