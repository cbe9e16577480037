"""The page on coupon logs says what is so: events, fields, settings, checks, provisions, and an example."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
from click.testing import CliRunner

from projections.programmes.coupons.checks import KINDS
from replay.cli import main
from schemas.coupon_log import CouponEvent, OnCoupons, ReconciliationForm, Signer
from schemas.house import CouponSettings
from tests.builders.documents import ROOT, code_spans, page_tables

PAGE = (ROOT / "docs" / "coupon_log.md").read_text(encoding="utf-8")
COUPONS = {"serial", "serials", "first", "last"}


def names(form: Any) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(form)]


def test_every_event_stands_there_with_its_fields() -> None:
    (rows,) = page_tables(PAGE, "event")
    told = {code_spans(row[0])[0]: set(code_spans(row[1])) for row in rows}
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(CouponEvent)}
    assert told.keys() == kinds.keys()
    for tag, kind in kinds.items():
        fields = set(names(kind)) - {"at"} - (COUPONS if issubclass(kind, OnCoupons) else set())
        assert fields <= told[tag], tag
        values = re.findall(
            r'"enum": \[([^\]]*)\]', json.dumps(msgspec.json.schema(kind)["$defs"][kind.__name__])
        )
        admitted = {value for listed in values for value in json.loads(f"[{listed}]")}
        rest = told[tag] - fields
        # Where any word may stand, the page gives those that are rightly there.
        words = {"finance", "bureau", "dealer", "boxperson", "2013Q4"}
        assert admitted - {tag, None} <= rest <= admitted | words, tag


def test_every_part_of_a_person_and_a_form_stands_there() -> None:
    assert {f'"{name}"' for name in names(Signer)} <= set(re.findall(r'"\w+"', PAGE))
    (form,) = re.findall(r"`form` has ([^.]*)", PAGE)
    assert code_spans(form) == names(ReconciliationForm)


def test_every_setting_stands_there_with_its_default() -> None:
    (rows,) = page_tables(PAGE, "setting")
    told = {code_spans(row[0])[0]: row[1] for row in rows}
    defaults = msgspec.to_builtins(CouponSettings())
    written = {
        name: ", ".join(value) if isinstance(value, list | tuple) else json.dumps(value)
        for name, value in defaults.items()
    }
    assert told == written


def test_every_check_stands_there_with_its_provisions() -> None:
    (rows,) = page_tables(PAGE, "check")
    told = [(code_spans(row[0])[0], tuple(row[1].split(", ")), row[2]) for row in rows]
    assert told == [(kind.check, kind.cites, kind.asks) for kind in KINDS]


def test_every_provision_has_a_check_of_its_own_or_a_reason() -> None:
    """The numbers are those of the text: (a) to (r), each with what it has below it."""
    below = {"b": 2, "c": 6, "f": 4, "g": 5, "h": 4, "j": 8, "l": 5, "m": 4, "q": 7, "r": 3}
    numbers = [f"603a.20({letter})" for letter in "abcdefghijklmnopqr"]
    numbers += [f"603a.20({letter})({n})" for letter, last in below.items() for n in range(1, last + 1)]
    numbers += [f"603a.20(q)(2)({n})" for n in ("i", "ii", "iii", "iv", "v")]
    numbers += [f"603a.21({letter})" for letter in "abde"] + [f"603a.21(c)({n})" for n in range(1, 4)]
    numbers += ["465a.6(c)(2)"]
    first = {kind.cites[0] for kind in KINDS}
    (rows,) = page_tables(PAGE, "provision")
    apart = {row[0] for row in rows}
    # A heading has the checks of what stands below it.
    headed = {number for number in numbers if any(other.startswith(f"{number}(") for other in first)}
    special = {"603a.20(q)(1)"}  # cited before (b) and (c) for what is mailed
    assert set(numbers) - first - headed - special == apart - {"603a.21"}
    assert first <= set(numbers)


def test_the_example_is_clean(tmp_path: Path) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "coupons.jsonl"
    path.write_text(json.dumps(json.loads(block)), encoding="utf-8")
    ran = CliRunner().invoke(main, ["audit", str(path)])
    assert json.loads(ran.stdout) == {"case": 1, "verdict": "clean", "findings": []}
