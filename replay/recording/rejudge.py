"""A round as it was seen, under its own rulebook and under another: which wagers come out otherwise.

The cards are taken as they were dealt. Where the other rules would have had another card drawn, or another
act done, the hand would have gone otherwise, and what it would have come to is not told.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from projections.engine.audit.judge import consider, decide, heaviest, not_in_force
from projections.engine.audit.restitution import Effect, Share, net, stake_of
from projections.engine.check_context import Case
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.engine.observation import Key, Round
from projections.views.text import text
from schemas.rulebook import Rulebook

_NOT_OTHERWISE: Final = frozenset({"card_not_in_deck"})  # what only the shoe's history tells


def rejudged(seen: Round, now: Rulebook | None, other: Rulebook | str) -> list[Share]:
    """Weigh each wager of a round under two rulebooks; those that come to the same are left out.

    `now` is None where no text was in force, `other` a sentence where none would have been. The effects are
    `changed`, `unplayable` (the wager would not have been allowed), `plays_otherwise` (the hand would not
    have been dealt like that) and `not_known` (what is owed is left open on either side).
    """
    if now is not None and not isinstance(other, str) and now.digest == other.digest:
        return []
    before = consider(seen, now) if now is not None else None
    if isinstance(other, str):
        return [_share(seen, key, "unplayable", _sums(before, key), says=other) for key in seen.wagers]
    after = consider(seen, other)
    differs = _plays_otherwise(before, after)
    keys = dict.fromkeys((*(before.ruled.owed if before is not None else ()), *after.ruled.owed))
    return [each for key in keys for each in _weighed(seen, key, before, after, differs)]


def _weighed(seen: Round, key: Key, before: Case | None, after: Case, differs: str) -> Iterator[Share]:
    was, becomes = _sums(before, key), _sums(after, key)
    fault = after.improper.get(key)
    if fault is not None and (before is None or key not in before.improper):
        yield _share(seen, key, "unplayable", was, says=f"{text(fault.message)} ({', '.join(fault.cites)})")
    elif before is not None and before.owed(key).pending and after.owed(key).pending:
        return
    elif differs:
        yield _share(seen, key, "plays_otherwise", was, says=differs)
    elif was is None or becomes is None:
        sides = (
            side for side, sums in (("on record", was), ("under the other rules", becomes)) if sums is None
        )
        says = f"what is owed is not known {' and '.join(sides)}"
        yield _share(seen, key, "not_known", was, becomes, says=says)
    elif was != becomes:
        yield _share(seen, key, "changed", was, becomes, says=_change(was, becomes))


def _sums(case: Case | None, key: Key) -> tuple[int, int] | None:
    """Return a wager's gain and vigorish; None where either is open. What is due of nothing is nothing."""
    if case is None:
        return None
    owed = case.ruled.owed.get(key)
    if owed is None:
        return (0, 0)
    if owed.cents is None or owed.vigorish_cents is None:
        return None
    return owed.cents, owed.vigorish_cents


def _share(
    seen: Round,
    key: Key,
    effect: Effect,
    was: tuple[int, int] | None = None,
    becomes: tuple[int, int] | None = None,
    says: str = "",
) -> Share:
    return Share(
        key=key,
        effect=effect,
        stake=stake_of(seen, key),
        was=net(*was) if was is not None else None,
        becomes=net(*becomes) if becomes is not None else None,
        says=says,
    )


def _change(was: tuple[int, int], becomes: tuple[int, int]) -> str:
    """Return which of the two changed.

    >>> _change((800, 0), (900, 0)), _change((2000, 100), (2000, 0))
    ('gain', 'vigorish')
    """
    names = zip(("gain", "vigorish"), was, becomes, strict=True)
    return " and ".join(name for name, one, other in names if one != other)


def _plays_otherwise(before: Case | None, after: Case) -> str:
    """Return what the other rules hold against the play and the rules on record do not; empty if nothing."""
    if before is None:
        return ""
    known = {(defect.check, defect.who, defect.seat, defect.message) for defect in before.ruled.defects}
    told = (
        f"{text(defect.message)} ({', '.join(defect.cites)})"
        for defect in after.ruled.defects
        if (defect.check, defect.who, defect.seat, defect.message) not in known
    )
    return next(told, "")


def concluded_under(said: Conclusion, seen: Round, other: Rulebook | str) -> Conclusion:
    """Conclude a round under another rulebook, or under none.

    What only the shoe's history tells is kept as it was concluded: no rulebook changes what was dealt.
    """
    if isinstance(other, str):
        return not_in_force(seen, said.chapter, other)
    fresh = decide(consider(seen, other))
    kept = _of_shoe(said)
    weights = (finding.weight for finding in kept)
    verdict = heaviest((fresh.verdict, *weights))
    return replace(fresh, findings=(*kept, *fresh.findings), verdict=verdict)


def _of_shoe(said: Conclusion) -> tuple[Finding, ...]:
    return tuple(finding for finding in said.findings if finding.check in _NOT_OTHERWISE)
