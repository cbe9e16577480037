"""How the store has a conclusion otherwise than the audit, in a line: verdict, findings, money, the rest."""

import shlex
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any, Final

from projections.engine.conclusion import Conclusion
from projections.engine.identity import id_of
from projections.store.conclusion_diff import Difference, Facts, differences, facts_of
from replay.nightly.gaming_days import tables_of
from replay.nightly.live_comparison import Compared, Stored
from replay.nightly.table_audit import concluded
from schemas.house import House
from schemas.values import dollars

_TABLES: Final = 8  # that are audited once more, to say how; where more differ it is seldom a single round
_FIELDS: Final = 3  # that are told of one conclusion
# What weighs most comes first. Of the rest the names alone are told: persons may stand in it.
_ORDER: Final = ("conclusion", "finding", "note", "settlement", "wager", "line", "round", "store")


def explain(
    found: Iterable[Compared],
    stored: Stored,
    path: Path,
    house: House,
    day: date,
    accounts: Iterable[Conclusion],
    live: str,
) -> None:
    """Say of each conclusion that differs how it does, or, where many tables differ, what to run.

    The rounds of a table are let go as it is audited, so a table of which some differ is audited once more.

    Raises:
        BadInput: the store or the archive cannot be read.
    """
    of_ledgers = {id_of(each): facts_of(None, each) for each in accounts}
    logs = {each.name: each for each in tables_of(path, house)}
    told = 0
    for each in found:
        names = set(each.differing)
        here = {name: facts for name, facts in of_ledgers.items() if name in names}
        if each.table in logs and names:
            told += 1
            if told > _TABLES:
                see = f"see {shlex.join(['discardrack', 'diff', live, str(path)])}"
                each.how = dict.fromkeys(each.differing, see)
                continue
            again = concluded(path, logs[each.table], house, day)
            here |= {
                name: facts_of(one.seen, one.conclusion)
                for one in again
                if (name := id_of(one.conclusion)) in names
            }
        there = stored.facts(each.table, names) if names else {}
        each.how = {name: said(there[name], here[name]) for name in sorted(names)}


def said(there: Facts, here: Facts) -> str:
    """Say in a line how a store has a conclusion otherwise than the audit; of many fields how many more."""
    found = sorted(differences(there, here), key=lambda each: _ORDER.index(each.what))
    more = f"; and {len(found) - _FIELDS} more" if len(found) > _FIELDS else ""
    return "; ".join(_field(each) for each in found[:_FIELDS]) + more


def _field(each: Difference) -> str:
    """Tell a field that differs.

    >>> _field(Difference("conclusion", "", "verdict", "clean", "mismatch"))
    'verdict: clean in the store, mismatch in the audit'
    >>> _field(Difference("settlement", "seat 1 player", "paid_cents", 10_100, 10_000, -100))
    'settlement seat 1 player paid: $101.00 in the store, $100.00 in the audit'
    >>> _field(Difference("finding", "late_wager 1a", "", None, "seat 1: the wager was made late"))
    'finding late_wager in the audit alone'
    >>> _field(Difference("round", "", "dealer", "dana", "ben"))
    'round dealer'
    """
    check = each.of.partition(" ")[0]
    if each.what in ("finding", "note") and not each.field:
        return f"{each.what} {check} in the {'audit' if each.a is None else 'store'} alone"
    of = check if each.what in ("finding", "note") else each.of
    name = each.field.removesuffix("_cents")
    is_whole = each.what in ("conclusion", "store")
    what = " ".join(part for part in ("" if is_whole else each.what, of, name) if part)
    money = each.field.endswith("cents")
    if not money and not is_whole:
        return what
    return f"{what}: {_value(each.a, money=money)} in the store, {_value(each.b, money=money)} in the audit"


def _value(value: Any, *, money: bool) -> str:
    if value is None:
        return "nothing"
    return dollars(value) if money and isinstance(value, int) else str(value)
