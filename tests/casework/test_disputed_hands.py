"""A dispute leads to its rounds and their footage, and a hand to its disputes."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from projections.web.bootstrap import ConsoleSettings
from projections.web.bootstrap import load_console as console_on
from schemas.cameras import Cameras
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.dispute_pages import RULING, log_in_as_other, open_dispute
from tests.builders.round_records import DISPUTED, PLAYER, build_record, finding_ids
from tests.builders.stores import store_records

LOSER, VIGORISH = (finding_ids(DISPUTED)[name] for name in ("loser_not_collected", "vigorish_rounding_wrong"))
ROUND, NEXT = "/rounds/2025-01-01/BAC-7/41", "/rounds/2025-01-01/BAC-7/42"
CALLED = "BAC-7, round 41: losing bet left up, seat 2 player"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    later = build_record(PLAYER, round="42", at="2025-01-02T01:16:00Z", announced="player")
    return store_records(tmp_path / "store.duckdb", DISPUTED, later)


@pytest.fixture
def client(path: Path) -> Iterator[TestClient[Litestar]]:
    settings = ConsoleSettings(cameras=Cameras("https://nvr/{camera}?t={start}", {"BAC-7": ["PTZ 7"]}))
    with open_console(path, "investigator", on=console_on(path, settings=settings)) as found:
        yield found


def test_a_dispute_without_an_alert_leads_to_its_rounds_its_table_s_day_and_the_footage(
    client: TestClient[Litestar],
) -> None:
    name = open_dispute(client, rounds=["41", "999"])
    page = client.get(f"/disputes/{name}").text
    facts = page.partition('id="facts"')[2].partition("<section")[0]
    assert f'<a href="{ROUND}">41</a>, 999' in facts
    assert '<a href="/tables/BAC-7/2025-01-01">BAC-7</a>' in facts
    assert client.get("/tables/BAC-7/2025-01-01").status_code == 200
    # Half a minute before round 41, opened at 20:15:00, to half a minute after 42 was, at 20:16:00.
    assert 'href="https://nvr/PTZ%207?t=2025-01-02T01%3A14%3A30.000Z"' in page
    footage = client.get(f"/api/disputes/{name}").json()["rounds"][0]["footage"]
    assert (footage["start"], footage["end"]) == ("2025-01-02T01:14:30Z", "2025-01-02T01:16:30Z")


def test_a_table_of_which_the_store_has_nothing_on_that_day_is_no_link(client: TestClient[Litestar]) -> None:
    name = open_dispute(client, table="BAC-9")
    page = client.get(f"/disputes/{name}").text
    assert "/tables/BAC-9" not in page
    assert "/rounds/2025-01-01/BAC-9/41" not in page


def test_an_alert_of_a_dispute_is_called_by_table_round_check_and_wager(client: TestClient[Litestar]) -> None:
    name = open_dispute(client, alerts=[LOSER, "none"])
    page = client.get(f"/disputes/{name}").text
    assert f'<a href="/alerts/{LOSER}">{CALLED}</a>' in page
    assert '<a href="/alerts/none">none</a>' in page


@pytest.mark.parametrize("about", [{}, {"rounds": [], "alerts": [LOSER]}], ids=["by round", "by alert"])
def test_the_pages_of_the_hand_name_its_dispute_and_how_it_stands(
    client: TestClient[Litestar], about: dict[str, list[str]]
) -> None:
    views = (ROUND, f"/alerts/{LOSER}", f"/alerts/{VIGORISH}")
    assert all("In dispute" not in client.get(view).text for view in views)
    name = open_dispute(client, **about)
    for view in views:
        page = client.get(view).text
        assert f'In dispute: <a href="/disputes/{name}">dispute {name}</a>, seat 2, open</p>' in page
        assert "Open another dispute" in page
    assert "In dispute" not in client.get(NEXT).text
    post_action(client, "dispute-rule", ruling=RULING, subject=f"dispute:{name}")
    assert "seat 2, ruled</p>" in client.get(ROUND).text
    post_action(client, "dispute-close", outcome="claim not upheld", subject=f"dispute:{name}")
    assert "seat 2, claim not upheld</p>" in client.get(ROUND).text


def test_with_a_dispute_that_is_withheld_its_hand_is_and_the_next_round_stays(
    client: TestClient[Litestar], path: Path
) -> None:
    for name, role in (("director", "director"), ("ben", "operator")):
        add_account(path, name, role)  # type: ignore[arg-type]  a role each
    name = open_dispute(client)
    file = AccountsFile(accounts_of(path))
    Embargoes(file).place(f"dispute:{name}", "ben", "a relation", by="director")
    file.close()
    log_in_as_other(client, "ben")
    for view in (ROUND, f"/alerts/{LOSER}", f"/alerts/{VIGORISH}"):
        assert client.get(view).status_code == 404
    page = client.get(NEXT)
    assert page.status_code == 200
    assert not re.search(rf"In dispute|another dispute|{name}", page.text)
