"""Nothing that a table, a person or a device is called can act where it is printed or opened."""

import io
import json
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from projections.views.cells import write_csv
from replay.cli import main
from replay.lists.writers import json_line, printable
from schemas import events as e
from tests.builders.consoles import formula_cells
from tests.builders.nights import run_nightly, write_floor
from tests.builders.table_script import PLAYER_WINS, Script
from tests.builders.thoroughness import examples

EVIL: Final = (
    "\x1b[2J\x1b]0;title\x07",
    "\x9b31m",
    "\u202egnp.exe",
    "a\r\n=1+1",
    '=HYPERLINK("http://x","y")',
    "  +cmd|' /C calc'!A0",
    "@SUM(A1)",
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "</td></tr></table><h1>",
    "{{ 7*7 }}{% raw %}",
    "[click](javascript:alert(1)) `x` **y** | z",
    "\x00\ud7ff\U000e0041",
)
RECORD: Final[dict[str, Any]] = {
    "chapter": "631a",
    "at": "2025-03-01T17:00:00Z",
    "decks": 8,
    "play": [["player", "2d"], ["banker", "9s"], ["player", "3d"], ["banker", "Ts"]],
    "announced": "banker",
}


def names() -> st.SearchStrategy[str]:
    """Return names that try to act, and others."""
    anything = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
    return st.sampled_from(EVIL) | st.builds(str.__add__, st.sampled_from(EVIL), anything) | anything


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def acts(text: str) -> list[str]:
    """Return what a terminal would obey, or would not show: of all such only the line's end is ours."""
    return [letter for letter in text if letter != "\n" and not letter.isprintable()]


class _Tags(HTMLParser):
    """Collects a page's tags with the names of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def page_of(text: str) -> _Tags:
    page = _Tags()
    page.feed(text)
    page.close()
    return page


def harmless(page: _Tags) -> bool:
    """Return True if a page has nothing but the tags of a table and its heading."""
    tags = {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "dl", "div", "dt", "dd", "table",
        "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    return page.tags <= tags and page.attributes <= {
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
    }


@given(names())
@example(",@")  # one cell, as it is written
def test_a_cell_a_line_and_a_word(name: str) -> None:
    assert acts(printable(name)) == []
    sheet = io.StringIO()
    write_csv(sheet, ["Name"], [[name]])
    assert formula_cells(sheet.getvalue()) == []
    line = json_line({"name": name}).decode()
    assert acts(line) == []
    assert json.loads(line) == {"name": name}  # and nothing is lost


@pytest.mark.parametrize("name", EVIL)
def test_what_is_tried_would_act(name: str) -> None:
    plain = name.isprintable() and not name.strip().startswith(("=", "+", "-", "@"))
    assert not plain or any(letter in name for letter in '<>"{}`')


@settings(max_examples=examples(6, 12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(names(), names(), names(), names())
@example(EVIL[0], EVIL[4], EVIL[7], EVIL[2])
@example(EVIL[8], EVIL[1], EVIL[0], EVIL[5])
def test_no_verb_prints_what_acts(table: str, number: str, dealer: str, bettor: str) -> None:
    wager = {"seat": 1, "wager": "banker", "cents": 10_000, "bettor": bettor}
    paid = {"seat": 1, "wager": "banker", "cents": 12_000, "vigorish_cents": 500, "bettor": bettor}
    record = RECORD | {
        "table": table, "round": number, "dealer": dealer, "shoe": dealer, "wagers": [wager], "paid": [paid],
    }  # fmt: skip
    with TemporaryDirectory() as made:
        folder = Path(made)
        file = folder / "rounds.jsonl"
        file.write_bytes(json.dumps(record).encode() + b"\n")
        found = json.loads(run("export", "findings", file).stdout)
        assert (found["table"], found["bettor"]) == (table, bettor)
        for form in ("jsonl", "table", "csv"):
            told = run("audit", file, "--format", form)
            assert told.exit_code == 1, told.output
            assert acts(told.output) == []
        shown = [("timeline", file)]
        shown += [("timeline", file, "--format", form) for form in ("jsonl", "csv")]
        shown += [("export", what, file, "--format", form) for what in ("rounds", "findings")
                  for form in ("jsonl", "csv")]  # fmt: skip
        for each in shown:
            told = run(*each)
            assert told.exit_code == 0, told.output
            assert acts(told.output) == []
            if each[-1] == "csv":
                assert formula_cells(told.stdout) == []
        for verb in (("timeline",), ("export", "rounds"), ("export", "findings")):
            _files(folder, file, verb, table)


def _files(folder: Path, file: Path, verb: tuple[str, ...], table: str) -> None:
    """Write a verb's files and look into each."""
    out = {form: folder / f"{form}.jsonl" for form in ("html", "timesketch", "itrak", "parquet")}
    for form, path in out.items():
        told = run(*verb, file, "--format", form, "--out", path)
        assert told.exit_code == 0, told.output
        assert acts(told.output) == []
    page = out["html"].read_text(encoding="utf-8")
    assert harmless(page_of(page))
    assert acts(page) == []
    lines = out["timesketch"].read_text(encoding="utf-8").splitlines()
    assert all(acts(line) == [] for line in lines)
    assert {json.loads(line)["table"] for line in lines} == {printable(table)}
    sheet = out["itrak"].read_bytes().decode()
    assert acts(sheet) == []
    assert formula_cells(sheet) == []
    assert {row["table"] for row in parquet.read_table(out["parquet"]).to_pylist()} == {table}


@settings(max_examples=examples(4, 8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(names().filter(str.strip), names().filter(str.strip))
@example(EVIL[8], EVIL[0])
def test_a_hand_and_its_derivation_print_nothing_that_acts(table: str, bettor: str) -> None:
    wager = {"seat": 1, "wager": "banker", "cents": 10_000, "bettor": bettor}
    paid = {"seat": 1, "wager": "banker", "cents": 12_000, "vigorish_cents": 500, "bettor": bettor}
    record = RECORD | {"table": table, "round": "1", "dealer": bettor, "wagers": [wager], "paid": [paid]}
    with TemporaryDirectory() as made:
        file = Path(made) / "rounds.jsonl"
        file.write_bytes(json.dumps(record).encode() + b"\n")
        finding = json.loads(run("export", "findings", file).stdout)["id"]
        if not table.startswith("-"):  # which the command line would take for an option
            assert acts(run("hand", file, table, "1").stdout) == []
        told = run("explain", file, finding)
        assert told.exit_code == 0, told.output
        assert acts(told.stdout) == []


@settings(max_examples=examples(4, 8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(names(), names(), names())
@example(EVIL[0], EVIL[8], EVIL[4])
def test_events_print_nothing_that_acts(dealer: str, patron: str, slip: str) -> None:
    with TemporaryDirectory() as made:
        floor = write_floor(Path(made), floor_of(dealer, patron, slip))
        for form in ("table", "jsonl", "csv"):
            told = run("timeline", floor, "--events", "--format", form)
            assert told.exit_code == 0, told.output
            assert acts(told.output) == []
            assert form != "csv" or formula_cells(told.stdout) == []
        rows = [json.loads(line) for line in run("timeline", floor, "--format", "jsonl").stdout.splitlines()]
        assert dealer in {row["dealer"] for row in rows}
        _files(Path(made), floor, ("timeline",), "BAC-1")
        asked = run("timeline", floor, f"--dealer={dealer}x", f"--patron={patron}")
        assert asked.exit_code == 2
        assert acts(asked.output) == []


@settings(max_examples=examples(4, 8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(names(), names())
@example(EVIL[0], EVIL[1])
def test_what_cannot_be_written_or_read_is_named_harmlessly(table: str, number: str) -> None:
    before_the_law = RECORD | {"table": table, "round": number, "at": "2001-03-01T17:00:00Z", "wagers": []}
    misspelt = RECORD | {"table": table, "round": number, "wagers": [], "announced": table}
    with TemporaryDirectory() as made:
        file = Path(made) / "rounds.jsonl"
        file.write_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in (before_the_law, misspelt)))
        assert acts(run("audit", file, "--house", f"{table.replace(chr(0), '')}.yaml").output) == []
        for verb in (("export", "rounds"), ("audit",), ("timeline",)):
            told = run(*verb, file)
            assert told.output
            assert acts(told.output) == []


def floor_of(dealer: str, patron: str, slip: str) -> Script:
    s = Script()
    s.open()
    s.say("T", e.FloorpersonAssigned, floorperson=patron)
    s.say("T", e.DealerAssigned, dealer=dealer, calling=True)
    s.say("T", e.PlayerSeated, seat=4, patron=patron)
    s.buy(4, 50_000)
    s.fill(slip, 500_000)
    s.play(PLAYER_WINS, {(4, "player"): 2000}, "player", {(4, "player"): 2500})
    s.close()
    return s


@pytest.mark.parametrize(("dealer", "patron", "slip"), [EVIL[:3], EVIL[4:7], EVIL[7:10]])
def test_a_nights_reports_hold_nothing_that_acts(dealer: str, patron: str, slip: str, tmp_path: Path) -> None:
    floor = write_floor(tmp_path, floor_of(dealer, patron, slip))
    out = tmp_path / "reports"
    ran = run_nightly(floor, out=out)
    assert ran.exit_code in (0, 1), ran.output
    assert acts(ran.output) == []
    sheets = list(out.rglob("*.csv"))
    assert any(patron[:3] in sheet.read_text(encoding="utf-8") or "\\x" in sheet.read_text(encoding="utf-8")
               for sheet in sheets)  # fmt: skip
    for sheet in sheets:
        text = sheet.read_bytes().decode()
        assert acts(text.replace("\r\n", "\n")) == [], sheet.name
        assert formula_cells(text) == [] or all(_is_number(each) for each in formula_cells(text)), sheet.name
    for page in out.rglob("*.html"):
        found = page_of(page.read_text(encoding="utf-8"))
        assert not found.tags & {"script", "img", "iframe", "object", "base", "form"}, page.name
        assert not any(name.startswith("on") for name in found.attributes), page.name


def _is_number(cell: str) -> bool:
    return all(unicodedata.category(letter) in {"Nd", "Po", "Pd"} for letter in cell)
