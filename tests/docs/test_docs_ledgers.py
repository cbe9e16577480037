"""The page on ledgers says what is so: every entry with its fields, every check, every line of an account."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import get_args

import yaml

from projections.programmes.ledgers.checks import KINDS, LEDGER_CHECKS
from schemas.events import EventId
from schemas.house import House
from schemas.ledgers import (
    LEDGERS,
    CountFileOpened,
    EntryCorrected,
    LedgerEvent,
    SerialExceptionReported,
    belongs,
)
from tests.builders.coupon_day import CouponDay
from tests.builders.documents import ROOT, code_spans, page_tables
from tests.builders.ledger_day import DAY, DEVICES, SECURITY, LedgerDay, at

PAGE = (ROOT / "docs" / "ledgers.md").read_text(encoding="utf-8")
COMMON = {"device", "epoch", "seq", "at", "round"}


def test_every_entry_stands_there_with_its_ledger_and_its_fields() -> None:
    (rows,) = page_tables(PAGE, "entry")
    of = ledgers_of()
    told = {code_spans(row[0])[0]: (row[1].strip("`"), set(code_spans(row[2]))) for row in rows}
    expected = {
        kind.__name__: (of[kind], set(kind.__struct_fields__) - COMMON) for kind in get_args(LedgerEvent)
    }
    assert told == expected


def ledgers_of() -> dict[type, str]:
    """Return the ledger of each kind of entry, by one of each kind."""
    name = EventId("CG-1", 1, 1)
    more = LedgerDay()
    more.add("report", "cage", at(12), SerialExceptionReported, serials=(), found=DAY)
    more.add("correction", "cage", at(13), EntryCorrected, mistaken=name)
    more.add("file", "count_room", at(32), CountFileOpened, file="drop", by=SECURITY)
    entries = [each for ledger in DEVICES for each in more.entries(ledger)]
    entries += [each for listed in CouponDay().ledgers()["coupons"].days.values() for each in listed]
    of = {}
    for entry in entries:
        having = [ledger for ledger in LEDGERS if belongs(entry, ledger)]
        of[type(entry)] = having[0] if len(having) == 1 else "each"
    return of


def test_the_house_s_ledgers_are_those_there_are() -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    named = yaml.safe_load(block)["ledgers"]
    assert list(named) == list(LEDGERS)
    House(house="of the page", ledgers=named)


def test_every_check_stands_there_with_its_account_and_provisions() -> None:
    (rows,) = page_tables(PAGE, "check")
    told = [(code_spans(row[0])[0], row[1], tuple(row[2].split(", ")), row[3]) for row in rows]
    account_of = {
        kind.check: account
        for account, check in LEDGER_CHECKS
        for kind in import_module(check.__module__).KINDS
    }
    assert told == [(kind.check, account_of.get(kind.check, "each"), kind.cites, kind.asks) for kind in KINDS]


def lines() -> Iterator[tuple[str, str]]:
    """Yield the lines of accounts of days that have one of each."""
    day, estimated = LedgerDay(), LedgerDay()
    day.drop("book in")
    day.change("void", slip="FS-003")  # FS-002 is missing
    notice = day.made["notice"]
    day.add("again", notice[0], notice[1], notice[2], **notice[3])
    estimated.drop("count B-2")
    concluded = [*day.concluded().values(), *estimated.concluded().values(), *CouponDay().concluded()]
    yield from ((str(one.account), line.name) for one in concluded for line in one.lines)


def test_every_line_of_an_account_stands_there() -> None:
    (rows,) = page_tables(PAGE, "account")
    told = {(code_spans(row[0])[0], name) for row in rows for name in code_spans(row[1])}
    assert told == set(lines())
