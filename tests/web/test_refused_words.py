"""What is refused or not found is said in plain words, and leaves a person's pages within reach."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.store import Store
from tests.builders.consoles import open_console
from tests.builders.rounds_of_console import write_rounds


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_rounds(tmp_path_factory.mktemp("refused") / "store.duckdb")


@pytest.fixture
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(path) as client:
        yield client


@pytest.mark.parametrize("address", ["/nowhere", "/alerts/none", "/reports/2025-03-01/none"])
def test_a_page_that_is_not_there_keeps_the_navigation(client: TestClient[Litestar], address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "<title>Not found" in answer.text
    for part in (">Disputes<", ">Reports<", ">Access log<", 'id="find"'):
        assert part in answer.text, part


def test_a_page_that_is_not_there_leads_an_administrator_to_the_accounts(path: Path) -> None:
    with open_console(path, "administrator") as client:
        page = client.get("/nowhere").text
    assert '<a href="/accounts">Home</a>' in page
    assert "/findings" not in page


def test_nobody_sees_navigation_before_the_login(path: Path, tmp_path: Path) -> None:
    Store(tmp_path / "store.duckdb").close()
    with open_console(path) as client:
        client.cookies.clear()
        page = client.get("/nowhere").text
    assert ">Disputes<" not in page
    assert '<a href="/login">Log in</a>' in page


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("/?page=0", "page: enter a whole number, 1 or more"),
        ("/?page=abc", "page: enter a whole number"),
        ("/?queue=nope", "there is no &#39;nope&#39; to choose"),
        ("/log?kind=nope", "kind: there is no &#39;nope&#39; to choose"),
        ("/wall?by=nope", "there is no &#39;nope&#39; to choose"),
        ("/breaches?day=yesterday", "day: enter a day such as 2025-03-01"),
    ],
)
def test_a_mistake_in_an_address_is_explained_without_the_parser_s_words(
    client: TestClient[Litestar], address: str, says: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == 400
    assert says in answer.text
    for word in ("Expected", "`", "RFC", "enum"):
        assert word not in answer.text.partition("<main")[2].partition("</main>")[0], word


def test_the_access_log_calls_records_by_words_and_links_to_them(client: TestClient[Litestar]) -> None:
    client.get("/rounds/2025-03-01/BAC-101/1")
    page = client.get("/audit").text
    found = client.get("/api/audit").json()["rows"]
    subject = next(row["subject"] for row in found if row["kind"] == "looked")
    _, _, name = subject.partition(":")
    day, table, number = name.split("|")
    assert f'<a href="/rounds/{day}/{table}/{number}">Round {number} of {table}, 03/01/2025</a>' in page
