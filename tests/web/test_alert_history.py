"""Timeline of an alert on its page: who, when and what, for whom it is not withheld."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.dispute_pages import log_in_as_other
from tests.builders.round_records import DISPUTED, finding_ids
from tests.builders.stores import store_records

VIGORISH, LOSER = (finding_ids(DISPUTED)[name] for name in ("vigorish_rounding_wrong", "loser_not_collected"))
ON, ON_LOSER = {"subject": f"alert:{VIGORISH}"}, {"subject": f"alert:{LOSER}"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = store_records(tmp_path / "store.duckdb", DISPUTED)
    add_account(path, "ben", "operator")
    add_account(path, "director", "director")
    return path


@pytest.fixture
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    with open_console(path, "supervisor") as found:
        yield found


def history(client: TestClient[Litestar], alert: str = VIGORISH) -> list[str]:
    """Return who did what by the timeline of an alert's page, in its order."""
    page = client.get(f"/alerts/{alert}").text.partition("<h2>Timeline</h2>")[2].partition("</section>")[0]
    # The floor of this store is recorded, so each time says that it is the wall's.
    lines = re.findall(r'<li class="done"><time[^>]*>[^<]*</time> \(wall\)(.*?)</li>', page, re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", each)).strip() for each in lines]


def test_each_thing_that_was_done_stands_there_also_what_it_was_closed_as_before_it_was_opened_again(
    client: TestClient[Litestar],
) -> None:
    post_action(client, "acknowledge", **ON)
    post_action(client, "release", **ON)
    log_in_as_other(client, "ben")
    post_action(client, "acknowledge", **ON)
    post_action(client, "undo", **ON)
    post_action(client, "close", outcome="explained", reason="rounded as the floor rounds", **ON)
    log_in_as_other(client, "supervisor")
    post_action(client, "reopen", reason="no such rule there", **ON)
    assert history(client) == [
        "supervisor acknowledged",
        "supervisor returned to the queue",
        "ben acknowledged",
        "ben undid the last action",
        "ben closed as explained: rounded as the floor rounds",
        "supervisor reopened: no such rule there",
    ]
    assert history(client, LOSER) == []


def test_what_was_done_to_a_case_stands_with_each_of_its_alerts(client: TestClient[Litestar]) -> None:
    post_action(client, "acknowledge", **ON_LOSER)
    post_action(client, "merge", others=[ON_LOSER["subject"]], **ON)
    post_action(client, "note", text="called the pit", **ON)
    loser = "BAC-7, round 41: losing bet left up, seat 2 player"
    vigorish = "BAC-7, round 41: vigorish rounding wrong, seat 1 banker"
    assert history(client) == [
        f"supervisor acknowledged ({loser})",
        "supervisor merged with 1 more",
        "supervisor noted: called the pit",
    ]
    assert history(client, LOSER) == [
        "supervisor acknowledged",
        f"supervisor merged with 1 more ({vigorish})",
        f"supervisor noted: called the pit ({vigorish})",
    ]


def test_the_others_of_a_case_are_called_by_table_round_check_and_wager(client: TestClient[Litestar]) -> None:
    post_action(client, "merge", others=[ON_LOSER["subject"]], **ON)
    page = client.get(f"/alerts/{VIGORISH}").text
    called = "BAC-7, round 41: losing bet left up, seat 2 player"
    assert f'One case with <a href="/alerts/{LOSER}">{called}</a></p>' in page


def test_when_a_merge_was_taken_back_each_keeps_what_was_done_to_it(client: TestClient[Litestar]) -> None:
    post_action(client, "acknowledge", **ON_LOSER)
    post_action(client, "merge", others=[ON_LOSER["subject"]], **ON)
    post_action(client, "undo", **ON)
    post_action(client, "note", text="seen", **ON)
    assert [each.partition(" (")[0] for each in history(client, LOSER)] == [
        "supervisor acknowledged",
        "supervisor merged with 1 more",
        "supervisor undid the last action",
    ]
    assert history(client)[0] == "supervisor merged with 1 more"


def test_it_says_nothing_of_what_is_withheld_and_masks_who_is_named(path: Path) -> None:
    next_round = {**DISPUTED, "round": "42"}
    of_next = f"alert:{finding_ids(next_round)['loser_not_collected']}"
    store_records(path, next_round)
    with open_console(path, "supervisor") as client:
        post_action(client, "acknowledge", **ON)
        post_action(client, "note", text="D-9 was told", **ON)
        post_action(client, "merge", others=[of_next], **ON)
        post_action(client, "undo", **ON)
        _, noted, merged, _ = history(client)
        assert re.fullmatch(r"supervisor noted: dealer ·[0-9a-f]{6} was told", noted)
        assert merged == "supervisor merged with 1 more"
        file = AccountsFile(accounts_of(path))
        Embargoes(file).place(of_next, "ben", "a relation", by="director")
        file.close()
        log_in_as_other(client, "ben")
        assert merged not in history(client)
        assert noted in history(client)


def test_the_history_is_there_again_when_the_process_begins_again(path: Path) -> None:
    with open_console(path) as client:
        post_action(client, "acknowledge", **ON)
    with open_console(path) as again:
        assert history(again) == ["supervisor acknowledged"]
