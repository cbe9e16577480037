"""A pay table or option that was not the one it should have been: what was paid, and what was owed."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from projections.engine.audit.restitution import Share, played
from replay.blast_radius.defect_scope import Asked
from replay.lists.writers import Row
from replay.recording.difference_rows import Ledger
from replay.recording.rejudge import rejudged
from replay.whatif.other_rulebook import Otherwise
from schemas.errors import BadInput
from schemas.values import dollars


def of_rule(asked: Asked, ledger: Ledger, chapters: list[str], option: str, value: Any) -> Iterator[Row]:
    """Yield the rounds whose money hangs on the option, as they were paid and as they were owed.

    Raises:
        BadInput: no round within the span was played under the chapter, or it does not admit the value.
    """
    other = Otherwise(choices={chapter: {option: value} for chapter in chapters})
    found = False
    for each, within in asked.rounds():
        if not within or each.judged.conclusion.chapter not in chapters:
            continue
        found = True
        shares = rejudged(each.seen, each.judged.book, other.book(each.judged, each.seen))
        if shares:
            yield from ledger.round_rows(
                each, [_paid(share, played(each.seen, share.key)) for share in shares]
            )
    if not found:
        raise BadInput(f"no round there was played under Chapter {' or '.join(chapters)} within the span")


def _paid(share: Share, paid: int | None) -> Share:
    """Put what was paid in the place of what the rule on record owed, and say what that was."""
    says = share.says
    if share.effect == "changed":
        says = f"{says}: {dollars(share.was or 0)} by the rule on record"
        if paid is None:
            return replace(share, effect="not_known", was=None, says=f"{says}; what was paid is not known")
    return replace(share, was=paid, says=says)
