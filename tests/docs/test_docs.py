"""The documents say what is so: commands run as printed, and nothing that exists is left out."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from click.testing import CliRunner

from projections.engine.accounts.checks import inventory
from projections.engine.game import fault_of
from projections.engine.games import REGISTRY, game_of, games
from projections.engine.games.baccarat.house_money import WORDS
from projections.engine.procedures.checks import KINDS as PROCEDURE_KINDS
from projections.programmes.coupons.checks import KINDS as COUPON_KINDS
from projections.programmes.ledgers.checks import KINDS as LEDGER_KINDS
from projections.programmes.supervision.floor_day import KINDS as SUPERVISION_KINDS
from replay.cli import VERBS, main
from schemas import house, law_text
from schemas.events import Event
from schemas.procedures import ChecklistPoint, ProcedureStep
from schemas.rulebook import rulebook
from tests.builders.documents import README, ROOT, code_spans, page_tables

RECORDS = (ROOT / "docs" / "round_record.md").read_text(encoding="utf-8")
# Chapters whose figures are on file and under which no game is played.
BESIDE_GAMES: Final = {"465a", "603a", "609a"}
# The page that tells what a chapter calls things in a round record.
PAGES: Final[Mapping[str, str]] = {
    chapter: (ROOT / "docs" / f"round_record_{page}.md").read_text(encoding="utf-8")
    for page, chapters in {
        "baccarat": ("541", "543", "545", "627a", "629a", "631a"),
        "21": ("551", "681a", "685a"),
        "tiles_dice": ("535", "623a"),
    }.items()
    for chapter in chapters
}


def console_blocks() -> Iterator[tuple[str, str]]:
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        command, _, output = block.partition("\n")
        yield command.removeprefix("$ "), output


@pytest.mark.parametrize(("command", "output"), list(console_blocks()))
def test_the_readme_prints_what_its_commands_print(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    assert program == "discardrack"
    assert CliRunner().invoke(main, arguments).stdout == output


def in_force(chapter: str) -> str:
    texts = law_text.chapter(chapter).texts
    until = texts[max(texts)].until
    return f"{min(texts)} until {until}" if until else str(min(texts))


def test_the_readme_lists_every_game_and_since_when() -> None:
    (games,) = page_tables(README, "chapter")
    told = {chapter: row[2] for row in games for chapter in row[0].split(", ")}
    assert told == {chapter: in_force(chapter) for chapter in REGISTRY}


def test_there_are_as_many_golden_hands_as_the_readme_says() -> None:
    (said,) = re.findall(r"More than ([\d,]+) golden hands", README)
    hands = [
        line
        for chapter in REGISTRY
        for path in (ROOT / "tests" / "golden" / chapter).glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(hands) > int(said.replace(",", ""))


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_in_the_readme_and_helps_with_an_example(verb: str) -> None:
    assert f"discardrack {verb}" in README
    ran = CliRunner().invoke(main, [verb, "--help"])
    assert ran.exit_code == 0
    assert "Example" in ran.stdout


def test_each_event_is_in_its_page() -> None:
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    for kind in get_args(Event):
        assert re.search(rf"\b{kind.__name__}\b", page), kind.__name__


def test_links_between_documents_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("name", ["README.md", "docs/live.md"])
def test_each_make_target_in_the_page_exists(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r"(?:`|^)make ([a-z-]+)", page, re.MULTILINE)
    assert named
    assert set(named) <= set(targets)


def test_the_example_of_a_house_is_one() -> None:
    page = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    example = house.parse(text, "the page")
    assert set(example.in_force) == {"551", "685a"}
    for name, setup in example.tables.items():
        day = max(each.since for each in example.submissions if each.chapter == setup.chapter)
        chosen = example.options(setup.chapter, name, day)
        book = rulebook(setup.chapter, day, chosen, setup.decks, example.span(setup.chapter))
        assert chosen
        assert book.options | chosen == book.options
    named = {field.encode_name for field in msgspec.structs.fields(house.House)}
    assert named == {row[0].strip("`") for row in page_tables(page, "key")[0]}


# ── round records ────────────────────────────────────────────────────────────────────────────────────


def of_chapter(chapter: str, head: str, column: int) -> list[list[str]]:
    """Return the rows of a chapter's page that hold for it by their column of chapters."""
    found = [row for table in page_tables(PAGES[chapter], head) for row in table]
    assert found, f"{chapter}: no table of {head}"
    return [row for row in found if re.search(rf"\b({chapter}|all)\b", row[column])]


def since_in(cell: str, chapter: str) -> date | None:
    """Return the day that a column of chapters adds to one of them, or to all."""
    found = re.search(rf"(?:{chapter}|all,?) since (\S{{10}})", cell)
    return date.fromisoformat(found[1]) if found else None


@pytest.mark.parametrize("chapter", [*REGISTRY])
def test_each_option_and_wager_of_the_law_is_in_the_page_on_round_records(chapter: str) -> None:
    law = law_text.chapter(chapter)
    first = min(law.texts)
    wagers = {name: row for row in of_chapter(chapter, "wager", 1) for name in code_spans(row[0])}
    assert set(wagers) == set(law.wagers)
    for name, wager in law.wagers.items():
        assert wager.since == (since_in(wagers[name][1], chapter) or first), name
        if wager.offered_with:
            assert code_spans(wagers[name][2]) == [wager.offered_with], name
    options = of_chapter(chapter, "option", 1)
    assert [name for row in options for name in code_spans(row[0])] == list(law.options)
    for row, (name, option) in zip(options, law.options.items(), strict=True):
        told = [json.loads(each) for each in code_spans(row[2]) if each not in law.options]
        assert max(option.since, first) == (since_in(row[1], chapter) or first), name
        assert option.cite in re.split(r", |; ", row[3]), name
        if option.values_by is not None or option.least_by is not None:
            by: Mapping[Any, Any] = option.values_by or option.least_by or {}
            parts = re.findall(r"with (.+?)(?: decks)?: ([^;]+)", row[2])
            listed = {key: [json.loads(each) for each in code_spans(values)] for key, values in parts}
            assert listed == {
                str(key): values if isinstance(values, list) else [values] for key, values in by.items()
            }, name
        elif option.values is not None:
            assert told == option.values, name
            assert option.values[0] == option.default, name
        else:
            assert told == [option.default], name
            assert " or " in row[2], name


def test_every_chapter_of_the_law_has_its_page_of_round_records() -> None:
    assert set(PAGES) == set(REGISTRY) == set(law_text.chapters()) - BESIDE_GAMES
    listed = {
        chapter: page
        for chapters, _, page in page_tables(RECORDS, "chapter")[0]
        for chapter in chapters.split(", ")
    }
    assert set(listed) == set(PAGES)
    for chapter, page in listed.items():
        (target,) = re.findall(r"\((.+)\)", page)
        assert (ROOT / "docs" / target).read_text(encoding="utf-8") == PAGES[chapter]


@pytest.mark.parametrize("chapter", [*REGISTRY])
def test_the_page_says_when_a_chapter_is_in_force_and_with_how_many_decks(chapter: str) -> None:
    law = law_text.chapter(chapter)
    (row,) = [row for row in page_tables(PAGES[chapter], "chapter")[0] if row[0] == chapter]
    first = min(law.texts)
    assert row[1] == in_force(chapter)
    if "decks" in law.numbers:
        decks = [int(each) for each in code_spans(row[2])]
        assert sorted(decks) == sorted(law.numbers["decks"][first].value)
        assert decks[0] == rulebook(chapter, first, {}).decks


@pytest.mark.parametrize("chapter", [*REGISTRY])
def test_the_words_of_the_page_are_those_of_the_game(chapter: str) -> None:
    game = game_of(chapter)
    told = {
        (who, what)
        for row in of_chapter(chapter, "who", 2)
        for who in code_spans(row[0])
        for what in code_spans(row[1])
    }
    assert told
    assert {act for act in told if fault_of(game, *act) is not None} == set()
    # What the game itself says that it knows, to whom says what it does not.
    for who in ("dealer", "seat1", "dead"):
        _, _, known = (game.fault(who, "what no one says") or "").partition("; known are ")
        said = {what for each, what in told if re.sub(r"^seat\d+$", "seat1", each) == who}
        assert set(known.split(", ")) - {""} <= said, who
    if "house_money" in law_text.chapter(chapter).wagers:
        assert {what for _, what in told} >= WORDS


@pytest.mark.parametrize("chapter", [*REGISTRY])
def test_the_page_has_the_results_that_can_be_announced_and_the_games_own_checks(chapter: str) -> None:
    game, named = game_of(chapter), set(code_spans(PAGES[chapter]))
    assert {call for call in game.calls if not call.isdigit()} <= named
    assert {kind.check for kind in game.kinds} <= named


def test_each_check_is_on_a_page_on_round_records() -> None:
    own = {kind.check for each in games().values() for kind in each.kinds}
    own |= {kind.check for kind in COUPON_KINDS}  # which stand on the page on coupon logs
    own |= {kind.check for kind in LEDGER_KINDS}  # which stand on the page on ledgers
    own |= {
        kind.check for kind in (*inventory.INVENTORY_UNTYPED_KINDS, *inventory.INVENTORY_SLIP_KINDS)
    }  # on that on money
    own |= {kind.check for kind in (*PROCEDURE_KINDS, *SUPERVISION_KINDS)}  # on that on procedures
    listed = json.loads(CliRunner().invoke(main, ["schema", "checks"]).stdout)
    shared = {name for row in page_tables(RECORDS, "about")[0] for name in code_spans(row[1])}
    assert shared == set(listed) - own


def examples() -> Iterator[tuple[str, str]]:
    for page in dict.fromkeys((RECORDS, *PAGES.values())):
        for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL):
            yield json.loads(block)["chapter"], block


@pytest.mark.parametrize(("chapter", "example"), list(examples()))
def test_each_record_of_the_pages_is_clean(chapter: str, example: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text(json.dumps(json.loads(example)))
    ran = CliRunner().invoke(main, ["audit", str(path), "--format", "jsonl"])
    answer = json.loads(ran.stdout)
    assert (answer["verdict"], answer["chapter"], answer["notes"]) == ("clean", chapter, [])
    assert {each["cents"] for each in answer["expected"]} - {None}


def test_each_page_has_a_record_of_each_of_its_chapters() -> None:
    for chapter, page in PAGES.items():
        assert f'"chapter": "{chapter}"' in page


# ── procedures ───────────────────────────────────────────────────────────────────────────────────────


def test_the_page_on_procedures_has_each_finding_step_and_setting() -> None:
    page = (ROOT / "docs" / "procedures.md").read_text(encoding="utf-8")
    (findings,), (steps,) = page_tables(page, "finding"), page_tables(page, "step")
    (settings,) = page_tables(page, "setting in `procedures`")
    assert [name for row in findings for name in code_spans(row[0])] == [
        kind.check for kind in (*PROCEDURE_KINDS, *SUPERVISION_KINDS)
    ]
    assert [code_spans(row[-1]) for row in findings] == [
        list(kind.sources) for kind in (*PROCEDURE_KINDS, *SUPERVISION_KINDS)
    ]
    assert sorted(name for row in steps for name in code_spans(row[0])) == sorted(get_args(ProcedureStep))
    points = [row for table in page_tables(page, "point") for row in table]
    assert sorted(name for row in points for name in code_spans(row[0])) == sorted(get_args(ChecklistPoint))
    named = [field.encode_name for field in msgspec.structs.fields(house.ProcedureSettings)]
    assert [name for row in settings for name in code_spans(row[0])] == named
