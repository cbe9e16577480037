"""docs/side-wagers.md: its house file and its round are the ones that are checked and judged."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from projections.engine.games import REGISTRY, game_of
from projections.engine.games.side_wager_proof import proven
from replay.cli import main
from schemas.law_text import side_wager_laws
from schemas.rulebook import rulebook
from schemas.side_wagers import CardTest, Condition, PayLine, SideWager
from tests.builders.documents import ROOT, code_spans, page_tables

PAGE = (ROOT / "docs" / "side-wagers.md").read_text(encoding="utf-8")


def block(language: str, number: int = 0) -> str:
    return str(re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[number])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my_house.yaml").write_text(block("yaml"), encoding="utf-8")
    record = json.dumps(json.loads(block("json")))
    (tmp_path / "pairs.jsonl").write_text(record, encoding="utf-8")
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_the_house_file_of_the_page_has_no_mistake_and_twenty_lines(folder: Path) -> None:
    assert run("house", "check", folder / "my_house.yaml").exit_code == 0
    assert len(block("yaml").splitlines()) <= 20


def test_the_round_of_the_page_is_judged_as_the_page_says(folder: Path) -> None:
    answer = run("audit", folder / "pairs.jsonl", "--house", folder / "my_house.yaml").stdout
    concluded: dict[str, Any] = json.loads(answer)
    (finding,) = concluded["findings"]
    assert (finding["check"], finding["wager"]) == ("paid_too_much", "perfect_pairs_player")
    assert (finding["expected_cents"], finding["net_cents"]) == (6000, 6500)
    assert finding["citations"] == ["631b.1", "631a.12(b)"]
    assert [each["cents"] for each in concluded["expected"]] == [6000, -500]
    for figure in ("$60.00", "$125.00", "$65.00"):
        assert figure in PAGE


def test_the_page_lists_every_word_of_a_pay_table() -> None:
    section = PAGE.partition("## The pay table\n")[2]

    def listed(head: str) -> set[str]:
        return {word for rows in page_tables(section, head) for row in rows for word in code_spans(row[0])}

    def names(form: Any) -> set[str]:
        return {each.encode_name for each in msgspec.structs.fields(form)}

    assert listed("of a line") == names(PayLine)
    assert listed("of `if`") == names(Condition)
    assert listed("of cards") == names(CardTest)


def test_the_page_lists_which_game_has_which_part() -> None:
    (rows,) = page_tables(PAGE, "of `if`")
    listed: dict[str, set[str]] = {}
    for parts, chapters, _ in rows:
        for chapter in chapters.split(", "):
            listed.setdefault(chapter, set()).update(code_spans(parts))
    for chapter in REGISTRY:
        name = "Baccarat" if REGISTRY[chapter].package == "baccarat" else chapter
        assert game_of(chapter).side_parts == listed.get(name, set()), chapter


def test_the_wager_of_the_page_at_a_21_game_earns_what_the_page_says() -> None:
    (submission,) = msgspec.yaml.decode(block("yaml", 1))
    offered = msgspec.convert(submission["offered"], dict[str, SideWager])
    book = rulebook(submission["chapter"], submission["from"], {}, 6, offered=offered)
    found = proven(book, "three_cards")
    assert found is not None
    assert f"{float(found.house_advantage) * 100:.4f}%" in PAGE
    for text in re.findall(r"`(\{(?:first|dealer)[^`]+\})`", PAGE):
        msgspec.convert(msgspec.yaml.decode(text), Condition)


def test_the_page_lists_the_texts_on_file() -> None:
    (rows,) = page_tables(PAGE, "wager")
    assert len(rows) == len(side_wager_laws())
    for wagers, chapter, text, since, chosen in rows:
        law = side_wager_laws()[text.partition("(")[0]]
        assert (code_spans(wagers), [chapter]) == (list(law.wagers), list(law.chapters))
        assert [since] == [str(day) for day in law.texts]
        for wager, lines in law.wagers.items():
            assert code_spans(chosen) == (law.letters(wager) or [line.name for line in lines])
            assert {tuple(line.pays) for line in lines} == {tuple(law.letters(wager))}
