"""The verb `law`, the provisions behind it, and the three forms of a list."""

import csv
import io
import json
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from projections.catalogue import KINDS
from replay.cli import main
from replay.cli.law import row, selected
from replay.lists.writers import Form, write_rows
from schemas.errors import BadInput, LawError
from schemas.provisions import DISPOSITIONS, chapters, parse, provisions

ROOT = Path(__file__).parents[2]

# From the weakest claim to the strongest.
CLAIMS = ["not_observable", "not_built", "recorded", "configured", "checked", "settled"]


def law(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["law", *arguments])


@pytest.mark.parametrize("chapter", chapters())
def test_every_part_follows_what_it_is_part_of(chapter: str) -> None:
    known: set[str] = set()
    for number in provisions(chapter):
        if "(" in number:
            assert number[: number.rindex("(")] in known
        known.add(number)


@pytest.mark.parametrize("chapter", chapters())
def test_a_heading_never_claims_more_than_its_parts(chapter: str) -> None:
    entries = provisions(chapter)
    for number, entry in entries.items():
        below = [other.disposition for name, other in entries.items() if name.startswith(f"{number}(")]
        if "(" not in number and below:
            assert CLAIMS.index(entry.disposition) <= max(map(CLAIMS.index, below)), number


_LETTERS = re.compile(r"(\([A-Za-z0-9]+\))(?:\([A-Za-z0-9]+\))*(?: to (\([A-Za-z0-9]+\)))?")


def named_parts(why: str, parts: list[str]) -> set[str]:
    """Return which of a heading's parts its reason names: "By (a), (b)(1) and (d) to (f); ..."."""
    named: set[str] = set()
    for first, last in _LETTERS.findall(re.split("[;:.]", why)[0]):
        until = parts.index(last) + 1 if last else parts.index(first) + 1
        named |= set(parts[parts.index(first) : until])
    return named


@pytest.mark.parametrize("chapter", chapters())
def test_a_heading_names_each_of_its_parts_that_decides_or_is_judged(chapter: str) -> None:
    entries = provisions(chapter)
    for number, entry in entries.items():
        below = {name[len(number) :]: each for name, each in entries.items() if name.startswith(f"{number}(")}
        parts = [part for part in below if part.count("(") == 1]
        if entry.why is None or not parts or not entry.why.startswith("By ("):
            continue
        judged = {
            part
            for part in parts
            if any(
                each.disposition in ("settled", "checked")
                for name, each in below.items()
                if name.startswith(part)
            )
        }
        named = named_parts(entry.why, parts)
        assert (number, judged - named) == (number, set())
        if entry.disposition in ("settled", "checked"):
            assert (number, named - judged) == (number, set())


@pytest.mark.parametrize("chapter", chapters())
def test_a_heading_whose_part_is_judged_does_not_say_that_nothing_is(chapter: str) -> None:
    # 631a.13(d) is about what the house submits, and 545.14(a) and 631a.14(a) are permissions.
    elsewhere = {"631a.13(d)", "545.14(a)", "631a.14(a)", "551.7(e)"}
    entries = provisions(chapter)
    for number, entry in entries.items():
        below = {each.disposition for name, each in entries.items() if name.startswith(f"{number}(")}
        if below & {"settled", "checked"} and number not in elsewhere:
            assert (number, entry.disposition in ("settled", "checked")) == (number, True)


def test_the_parts_that_a_reason_names() -> None:
    parts = ["(a)", "(b)", "(c)", "(d)"]
    assert named_parts("By (a)(1), (a)(2) and (c): by who ordered (d).", parts) == {"(a)", "(c)"}
    assert named_parts("By (a) and (c) to (d); of (b) nothing.", parts) == {"(a)", "(c)", "(d)"}


@pytest.mark.parametrize("chapter", chapters())
def test_only_checks_that_are_asked_are_named(chapter: str) -> None:
    for number, entry in provisions(chapter).items():
        assert set(entry.check) <= KINDS.keys(), number
        assert len(set(entry.check)) == len(entry.check), number


@pytest.mark.parametrize("chapter", chapters())
def test_every_test_that_is_named_is_there(chapter: str) -> None:
    named = [row(number, entry)["test"] for number, entry in provisions(chapter).items()]
    lacking = [str(test) for test in named if test is not None and not is_there(str(test))]
    assert lacking == []


def is_there(test: str) -> bool:
    """Return True if a module has a test of that name, which may be made of a section that chapters share."""
    path, _, name = test.partition("::")
    return (ROOT / path).is_file() and hasattr(
        import_module(path.removesuffix(".py").replace("/", ".")), name
    )


@pytest.mark.parametrize(
    ("number", "disposition", "check"),
    [
        ("631a.2(b)", "checked", ("layout_not_approved",)),
        ("631a.3(a)", "checked", ("card_not_in_deck", "decks_wrong", "decks_not_alike")),
        ("631a.5(f)", "checked", ("burn_wrong",)),
        ("631a.8(c)", "checked", ("late_wager",)),
        ("631a.2(b)(1)", "checked", ("layout_wrong",)),
        ("631a.13(d)", "configured", ()),
        ("631a.13(d)(2)(i)", "checked", ("vigorish_left_owing",)),
        ("631a.15(e)", "settled", ("void_not_called", "push_paid", "push_collected")),
    ],
)
def test_dispositions(number: str, disposition: str, check: tuple[str, ...]) -> None:
    entry = provisions("631a")[number]
    assert (entry.disposition, entry.check) == (disposition, check)


def test_all_four_ways_of_asking() -> None:
    everything = [number for number, _ in selected(None)]
    assert [number for number, _ in selected("631a")] == list(provisions("631a"))
    assert everything == [number for chapter in chapters() for number in provisions(chapter)]
    assert [number for number, _ in selected("631a.12")] == [
        "631a.12",
        "631a.12(a)",
        "631a.12(b)",
        "631a.12(c)",
    ]
    assert [number for number, _ in selected("631a.13(d)(2)")] == [
        "631a.13(d)(2)",
        "631a.13(d)(2)(i)",
        "631a.13(d)(2)(ii)",
        "631a.13(d)(2)(iii)",
    ]


def test_a_section_ends_where_its_number_ends() -> None:
    assert [number for number, _ in selected("631a.1")] == ["631a.1"]
    assert [number for number, _ in selected("631a.8(a)(4)(i)")][-1] == "631a.8(a)(4)(i)(C)"
    assert all("(i)(" in number for number, _ in list(selected("631a.8(a)(4)(i)"))[1:])


@pytest.mark.parametrize(
    "section", ["631a.16", "631a.13(z)", "631a.13(c", "999", "999.1", "631a.", "", "631a.1(A)"]
)
def test_what_is_not_on_file_is_one_line_and_status_2(section: str) -> None:
    result = law(section)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert repr(section) in result.stderr


def test_an_unknown_form_is_a_wrong_call() -> None:
    assert law("--format", "xml").exit_code == 2


@pytest.mark.parametrize("section", ["631a", "631a.13", "631a.13(d)(2)"])
def test_three_forms_with_the_same_rows(section: str) -> None:
    printed = {form: law(section, "--format", form) for form in ("jsonl", "csv", "table")}
    assert {result.exit_code for result in printed.values()} == {0}
    rows = [json.loads(line) for line in printed["jsonl"].stdout.splitlines()]
    assert [row["provision"] for row in rows] == [number for number, _ in selected(section)]
    flat = [
        {name: ", ".join(cell) if isinstance(cell, list) else cell or "" for name, cell in row.items()}
        for row in rows
    ]
    assert list(csv.DictReader(io.StringIO(printed["csv"].stdout))) == flat
    head, _, *lines = printed["table"].stdout.splitlines()
    assert head.split() == list(rows[0])
    assert [" ".join(line.split()) for line in lines] == [
        " ".join(" ".join(row.values()).split()) for row in flat
    ]


def test_a_row_of_jsonl() -> None:
    (line,) = law("631a.13(a)", "--format", "jsonl").stdout.splitlines()
    printed = json.loads(line)
    assert list(printed) == ["provision", "disposition", "check", "test", "says", "why", "plugin"]
    assert printed["provision"] == "631a.13(a)"
    assert printed["disposition"] == "settled"
    assert printed["check"] == ["paid_too_much", "paid_too_little"]
    assert printed["test"] == "tests/law/test_631a_13.py::test_631a_13_a"
    assert printed["why"] is None


def test_a_test_is_named_only_where_something_is_decided() -> None:
    for line in law("--format", "jsonl").stdout.splitlines():
        printed = json.loads(line)
        assert (printed["test"] is not None) is (printed["disposition"] in ("settled", "checked"))


GOOD = "631a.1: {says: words, disposition: not_built, why: no event}\n"


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("631a.1: {says: x, disposition: ignored}", "631a.1", "ignored"),
        ("631a.1: {says: x, disposition: checked}", "631a.1", "names no check"),
        ("631a.1: {says: x, disposition: recorded, check: [paid_too_much]}", "631a.1", "names a check"),
        ("631a.1: {says: x, disposition: not_built}", "631a.1", "does not say why"),
        ("631a.1: {says: x, disposition: not_observable, why: ''}", "631a.1", "why"),
        ("631a.1: {disposition: settled}", "631a.1", "says"),
        ("631a.1: {says: x, disposition: settled, cheque: []}", "631a.1", "cheque"),
        ("631a.1: settled", "631a.1", "object"),
        ("541.1: {says: x, disposition: settled}", "541.1", "not a provision of Chapter 631a"),
        ("631a.1(: {says: x, disposition: settled}", "631a.1(", "not the number of a provision"),
        ("7: {says: x, disposition: settled}", "7", "not the number of a provision"),
        (GOOD + GOOD, "631a.1", "twice"),
        ("631a.1: {says: x, says: y, disposition: settled}", "says", "twice"),
        ("[631a.1]", "", "mapping"),
        ("", "", "mapping"),
        ("tests: section\n631a.1: {says: x, disposition: ignored}", "631a.1", "ignored"),
        ("631a.1: {", "", "line"),
    ],
)
def test_a_bad_file_is_refused_with_file_and_key(text: str, key: str, reason: str) -> None:
    assert list(parse(GOOD, "631a", "good.yaml")) == ["631a.1"]
    with pytest.raises(LawError) as refused:
        parse(text, "631a", "bad.yaml")
    message = str(refused.value)
    assert message.startswith("bad.yaml: ")
    assert key in message
    assert reason in message
    assert "\n" not in message


def test_a_chapter_without_a_file_is_refused() -> None:
    with pytest.raises(LawError, match="631a"):
        provisions("999")
    with pytest.raises(BadInput):
        list(selected("999.1"))


ROWS = [
    {"who": "=SUM(A1)", "cents": -2500, "note": None, "open": True, "steps": [{"cents": 5}]},
    {"who": "a\x1b[2J\u202eb\nc", "cents": 25, "note": "[red]", "open": False, "steps": []},
]


def test_words_like_formulas_get_an_apostrophe_and_numbers_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(ROWS, "csv")
    read = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
    assert read[0] == {
        "who": "'=SUM(A1)",
        "cents": "-2500",
        "note": "",
        "open": "true",
        "steps": '[{"cents":5}]',
    }
    assert read[1]["who"] == "a\\x1b[2J\\u202eb\\nc"
    for sign in "=+-@":
        write_rows([{"cell": f"{sign}x"}], "csv")
        assert capsys.readouterr().out == f"cell\n'{sign}x\n"


def test_a_table_shows_control_characters_and_obeys_none(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(ROWS, "table")
    printed = capsys.readouterr().out
    assert "a\\x1b[2J\\u202eb\\nc" in printed
    assert "[red]" in printed
    assert "\x1b" not in printed
    assert len(printed.splitlines()) == 4


def test_jsonl_keeps_every_value(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows(ROWS, "jsonl")
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == ROWS


@pytest.mark.parametrize(("form", "printed"), [("jsonl", ""), ("csv", "who,cents\n")])
def test_no_rows(form: Form, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows([], form, columns=["who", "cents"])
    assert capsys.readouterr().out == printed


def test_an_empty_table_still_has_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows([], "table", columns=["who", "cents"])
    assert capsys.readouterr().out.split()[:2] == ["who", "cents"]


@pytest.mark.parametrize("house", ["example", "schemas/houses/example.yaml"])
def test_a_house_that_lacks_a_source_does_not_observe_what_needs_it(
    house: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    rows = {
        row["provision"]: row["unobserved_at"]
        for row in map(json.loads, law("631a", "--house", house, "--format", "jsonl").stdout.splitlines())
    }
    assert rows["631a.5(c)"] == ["BAC-1"]  # a cut needs a pit
    assert rows["631a.13(c)"] == []
    assert all(
        json.loads(line)["unobserved_at"] == []
        for line in law("541", "--house", house, "--format", "jsonl").stdout.splitlines()
    )


SOURCES = {"T": "terminal", "S": "shoe", "C": "chips", "P": "pit"}


def at_house(path: Path, number: str, sources: dict[str, str], chapter: str = "631a") -> dict[str, list[str]]:
    """Return what the row of a provision says of a house with one table: what it lacks, and where."""
    house = {
        "house": "h",
        "gaming_day_starts": "05:00",
        "tables": {"T-1": {"chapter": chapter, "sources": sources}},
    }
    path.write_text(json.dumps(house))
    lines = law(number, "--house", str(path), "--format", "jsonl").stdout.splitlines()
    return {name: json.loads(lines[0])[name] for name in ("unobserved_at", "lacking_at")}


def test_a_check_that_lacks_a_source_is_named_where_the_others_are_asked(tmp_path: Path) -> None:
    house = tmp_path / "h.yaml"
    # The cards of a shoe are read; how many decks came to the table is not reported.
    assert at_house(house, "631a.3(a)", SOURCES) == {
        "unobserved_at": [],
        "lacking_at": ["T-1 cards: decks_wrong, decks_not_alike"],
    }
    assert at_house(house, "631a.3(a)", SOURCES | {"I": "cards"}) == {"unobserved_at": [], "lacking_at": []}
    # Cards that come after the first shoe are new to a table only where their coming is reported.
    assert at_house(house, "631a.4(a)", SOURCES)["lacking_at"] == [
        "T-1 cards: cards_not_inspected, defective_cards_played"
    ]
    without_pit = {name: source for name, source in SOURCES.items() if source != "pit"}
    assert at_house(house, "631a.4(a)", without_pit) == {"unobserved_at": ["T-1"], "lacking_at": []}
    # A table of cards lacks no reader of tiles; one of tiles does.
    assert at_house(house, "631a.12(b)", SOURCES)["lacking_at"] == []
    tiles = {"T": "terminal", "C": "chips", "P": "pit"}
    assert at_house(house, "535.10(j)", tiles, "535")["lacking_at"] == ["T-1 tiles: settled_out_of_order"]
    printed = page("631a.3(a)", "--house", str(house))
    assert "A source is lacking at" not in printed
    at_house(house, "631a.3(a)", SOURCES)
    assert "T-1 cards: decks_wrong, decks_not_alike" in page("631a.3(a)", "--house", str(house))


def page(*arguments: str) -> str:
    result = law(*arguments, "--format", "html")
    assert result.exit_code == 0
    return result.stdout


def test_the_page_has_every_provision_once_under_its_own_number() -> None:
    whole = page()
    anchors = re.findall(r' id="([^"]+)"', whole)
    assert sorted(anchors) == sorted(number for chapter in chapters() for number in provisions(chapter))
    links = re.findall(r'href="#([^"]+)"', whole)
    assert set(links) <= set(anchors)
    assert links == [number for number in anchors if "(" not in number]


def test_the_page_counts_the_dispositions_of_each_section() -> None:
    cells = {
        found[0]: list(map(int, re.findall(r">(\d+)</td>", found[1])))
        for found in re.findall(r'<tr><td><a href="#([^"]+)">.*?</td>(.*?)</tr>', page("465a"))
    }
    for section, counts in cells.items():
        below = [
            entry.disposition
            for number, entry in provisions("465a").items()
            if number.partition("(")[0] == section
        ]
        order = ["settled", "checked", "configured", "recorded", "not_observable", "not_built"]
        assert counts == [*(below.count(each) for each in order), len(below)], section  # type: ignore[arg-type]


def test_the_page_has_figures_checks_and_proofs_at_their_provision_and_fetches_nothing() -> None:
    whole = page("465a.35(b)(2)")
    (provision,) = re.findall(r'<div class="provision checked".*?</div>\n</div>', whole, re.DOTALL)
    assert "since 2013-02-09: {post: dealer, least: 2, games: [baccarat]}" in provision
    assert "<code>staff_too_few</code>" in provision
    assert "tests/law/test_465a_35.py::test_465a_35_b_2" in provision
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import|<script", page())


def test_what_is_not_built_can_be_listed_alone() -> None:
    listed = [json.loads(line) for line in law("--uncovered", "--format", "jsonl").stdout.splitlines()]
    not_built = [
        number
        for chapter in chapters()
        for number, entry in provisions(chapter).items()
        if entry.disposition == "not_built"
    ]
    assert [each["provision"] for each in listed] == not_built
    assert (
        law("465a.35", "--uncovered", "--format", "csv").stdout
        == "provision,disposition,check,test,says,why,plugin\n"
    )


@pytest.mark.parametrize("section", ["465a", "631a.13"])
@pytest.mark.parametrize("wanted", [["recorded"], ["checked", "configured"], ["not_built"]])
def test_provisions_with_a_disposition_can_be_listed_alone(section: str, wanted: list[str]) -> None:
    options = [word for each in wanted for word in ("--disposition", each)]
    listed = [json.loads(line) for line in law(section, *options, "--format", "jsonl").stdout.splitlines()]
    expected = [number for number, entry in selected(section) if entry.disposition in wanted]
    assert [each["provision"] for each in listed] == expected
    assert bool(expected) is (wanted != ["not_built"])


def test_an_unknown_disposition_is_a_wrong_call() -> None:
    refused = law("465a", "--disposition", "judged")
    assert (refused.exit_code, refused.stdout) == (2, "")


def test_the_page_of_some_dispositions_counts_only_these() -> None:
    whole = page("465a.9", "--disposition", "recorded", "--disposition", "not_observable")
    assert not re.findall(r'<div class="provision [a-z_]*"', whole)  # each of its provisions is checked
    assert re.findall(r'<div class="provision ([a-z_]*)"', page("465a.9", "--disposition", "checked"))


def test_the_help_says_what_each_disposition_is() -> None:
    lines = {" ".join(line.split()) for line in law("--help").stdout.splitlines()}
    assert {f"{name} {meaning}" for name, meaning in DISPOSITIONS.items()} <= lines


class Terminal(io.StringIO):
    """Standard output that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


@pytest.mark.parametrize("width", [100, 160])
def test_a_table_on_a_terminal_is_no_wider_and_has_no_column_that_is_for_programs(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    main.main(["law", "631a"], standalone_mode=False)
    lines = re.sub(r"\x1b\[\d*m", "", terminal.getvalue()).splitlines()
    assert lines[0].split() == ["provision", "disposition", "check", "says", "why"]
    assert max(map(len, lines)) == width
    begun = [line.split()[0] for line in lines[2:] if not line.startswith(" ")]
    assert begun == list(provisions("631a"))
