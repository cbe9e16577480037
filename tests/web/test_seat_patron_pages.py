"""Patron of the seat, on the pages of an alert, a round and a table: masked, and shown with a reason."""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.table_audit import TableAudit
from projections.engine.conclusion import Conclusion, id_of
from projections.store.store import Store
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from projections.web.auth.roles import Role
from schemas import events as e
from tests.builders.consoles import add_account, open_console
from tests.builders.dispute_pages import form_fields
from tests.builders.stores import RUN
from tests.builders.table_script import PLAYER_WINS, Script, Spot, build_house

PAID: Final[Spot] = (3, "player")
FRIEND: Final[Spot] = (4, "player", "B")
NAMES: Final = ("Winslow", "Okafor", "Duval")


class Played(Struct):
    """A store, its one round and the two findings of it: of seat 3, and of who bets on a spot of seat 4."""

    path: Path
    round: Conclusion
    of_seat: str
    of_spot: str

    @property
    def place(self) -> str:
        """The path of the round's page."""
        return f"/rounds/{self.round.gaming_date}/BAC-1/1"


@pytest.fixture
def played(tmp_path: Path, written: Played) -> Played:
    """Return the round that was played, in a store of its own."""
    return replace(written, path=Path(shutil.copyfile(written.path, tmp_path / "s.duckdb")))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play a round: $10.00 at seat 3 pays $15.00, $5.00 of B at seat 4 pays $7.00; seat 6 sits it out."""
    s = Script()
    s.open()
    for seat, name in zip((3, 4, 6), NAMES, strict=True):
        s.say("T", e.PlayerSeated, seat=seat, patron=name)
    s.play(PLAYER_WINS, {PAID: 1000, FRIEND: 500}, "player", {PAID: 1500, FRIEND: 700})
    s.begin()
    heard = [
        each for each in TableAudit("BAC-1", build_house()).feed(s.events) if each.conclusion.round == "1"
    ]
    path = tmp_path_factory.mktemp("written") / "s.duckdb"
    with Store(path) as store:
        store.write(RUN, [(each.basis, each.conclusion, each.revision) for each in heard])
    said = heard[-1].conclusion
    found = {each.seat: each.id for each in said.findings if each.check == "paid_too_much"}
    return Played(path, said, found[3], found[4])


def answers(client: TestClient[Litestar], played: Played) -> Iterator[str]:
    """Yield all that pages and /api show of the round."""
    for place in (f"/alerts/{played.of_seat}", f"/alerts/{played.of_spot}", played.place):
        for root in ("", "/api"):
            yield client.get(root + place).text
    yield client.get("/tables/BAC-1").text
    yield client.get("/api/tables/BAC-1/rounds").text
    yield client.get(f"/disputes/new?alert={played.of_seat}").text
    yield client.get(f"/disputes/new?round={played.place}").text
    yield client.get(f"/disputes/new?round={played.place}&seat=3").text


def unmask(client: TestClient[Litestar], subject: str) -> int:
    """Unmask the names of a subject, with a reason; return the answer's status."""
    return client.post("/api/unmask", json={"subject": subject, "reason": "call 17"}).status_code


def told_of(client: TestClient[Litestar], played: Played) -> Any:
    return client.get(f"/api{played.place}").json()


@pytest.mark.parametrize("role", ["operator", "supervisor", "finance", "auditor", "regulator"])
def test_nobody_is_named_to_any_role_until_asked_for(played: Played, role: Role) -> None:
    with open_console(played.path, role) as client:
        for text in answers(client, played):
            assert not [name for name in NAMES if name in text]
        seated = told_of(client, played)["seated"]
    assert [each["seat"] for each in seated] == [3, 4, 6]
    assert all(each["patron"].startswith("patron ·") for each in seated)
    assert len({each["patron"] for each in seated}) == 3


def test_a_masked_patron_stands_at_the_seat_in_its_line_and_by_its_wager(played: Played) -> None:
    with open_console(played.path) as client:
        told = told_of(client, played)
        masks = {each["seat"]: each["patron"] for each in told["seated"]}
        page = client.get(f"/alerts/{played.of_seat}").text
        of_spot = client.get(f"/alerts/{played.of_spot}").text
        rounds = client.get("/tables/BAC-1").text
    for mask in masks.values():
        assert f'<p class="quiet">Seated: {mask}</p>' in page
    assert f"Seat 3, {masks[3]} · " in page
    assert f'<td data-label="Seat">3<small>{masks[3]}</small></td>' in page
    # Who bets on a spot of seat 4 is a letter, and not whoever sits there.
    assert "Seat 4, B · " in of_spot
    assert '<td data-label="Seat">4, B</td>' in of_spot
    assert f"Seated: 3 {masks[3]}, 4 {masks[4]}, 6 {masks[6]}</p>" in rounds
    wagers = [spot for place in told["places"] for spot in place["wagers"]]
    assert [(each["seat"], each["patron"]) for each in wagers] == [(3, masks[3]), (4, None)]


def test_names_are_shown_of_the_alert_alone_for_which_a_reason_was_given(played: Played) -> None:
    with open_console(played.path, "investigator") as client:
        assert unmask(client, f"alert:{played.of_seat}") == 200
        page = client.get(f"/alerts/{played.of_seat}").text
        assert "Seated: Winslow</p>" in page
        assert "Seat 3, Winslow · " in page
        begun = client.get(f"/disputes/new?alert={played.of_seat}").text
        assert 'name="about.patron" maxlength="128" value="Winslow"' in begun
        for elsewhere in (f"/alerts/{played.of_spot}", played.place, "/tables/BAC-1"):
            assert not [name for name in NAMES if name in client.get(elsewhere).text]
        of_spot = client.get(f"/disputes/new?alert={played.of_spot}").text
        assert 'name="about.patron" maxlength="128" value="B"' in of_spot


def test_the_whole_round_is_unmasked_and_a_seat_begins_no_dispute_of_another_spot(played: Played) -> None:
    with open_console(played.path, "investigator") as client:
        assert unmask(client, f"round:{id_of(played.round)}") == 200
        assert told_of(client, played)["seated"] == [
            {"seat": 3, "patron": "Winslow"},
            {"seat": 4, "patron": "Okafor"},
            {"seat": 6, "patron": "Duval"},
        ]
        assert "Seated: 3 Winslow, 4 Okafor, 6 Duval</p>" in client.get("/tables/BAC-1").text
        of_spot = client.get(f"/disputes/new?alert={played.of_spot}").text
        assert 'name="about.patron" maxlength="128" value="B"' in of_spot


def begun(client: TestClient[Litestar], played: Played, seat: str = "") -> tuple[list[str], str, str]:
    """Return the hands that a new dispute's form offers, and the seat and the patron that stand in it."""
    page = client.get(f"/disputes/new?round={played.place}{f'&seat={seat}' if seat else ''}").text
    offered = [" ".join(re.sub(r"<[^>]*>", "", each).split()) for each in re.findall(r"<li>.*?</li>", page)]
    stands = form_fields(page, "dispute-open")
    return offered, stands.get("about.seat", ""), stands.get("about.patron", "")


def test_a_dispute_of_one_of_several_at_a_seat_begins_with_who_bet_there_and_what_was_found(
    played: Played,
) -> None:
    with open_console(played.path, "investigator") as client:
        page = client.get(f"/disputes/new?round={played.place}&seat=4/B").text
        hand = {"about.seat": "4", "about.patron": "B", "about.alerts": played.of_spot}
        assert hand.items() <= form_fields(page, "dispute-open").items()
        of_seat = form_fields(client.get(f"/disputes/new?round={played.place}&seat=3").text, "dispute-open")
        assert of_seat["about.alerts"] == played.of_seat
        about = {
            "table": "BAC-1",
            "gaming_date": str(played.round.gaming_date),
            "rounds": ["1"],
            "claim": "-",
        }
        told = {"seat": 4, "patron": "B", "claim": "-", "alerts": [played.of_spot]}
        asked = {"id": "b" * 32, "action": "dispute-open", "about": about | told, "call": {"called": 1}}
        name = client.post("/api/actions", json=asked).json()["subject"].removeprefix("dispute:")
        page = client.get(f"/disputes/{name}").text
        # A letter on a spot names nobody: it is masked neither in the dispute nor in the words of its hand.
        assert "seat 4 B player $5.00" in page
        assert "--seat 4/B" in page
        # Whoever bets on another spot of the seat has another hand.
        other = asked | {"id": "c" * 32, "about": about | told | {"patron": "C", "alerts": []}}
        assert client.post("/api/actions", json=other).status_code == 200
        there = client.get(f"/disputes/new?round={played.place}&seat=4/B").text
        assert f'This hand already has a dispute: <a href="/disputes/{name}">' in there
        assert "of this hand already" not in client.get(f"/disputes/new?round={played.place}&seat=3").text


def test_a_round_s_page_leads_to_its_alerts_and_is_not_there_where_one_is_withheld(played: Played) -> None:
    add_account(played.path, "supervisor", "supervisor")
    with closing(AccountsFile(accounts_of(played.path))) as file:
        Embargoes(file).place(f"alert:{played.of_spot}", "supervisor", "a relation", by="director")
    both = {played.of_seat, played.of_spot}
    for role, status, leads in (("supervisor", 404, set()), ("investigator", 200, both)):
        with open_console(played.path, role) as client:
            page = client.get(played.place)
            assert page.status_code == status
            assert set(re.findall(r'<h3><a href="/alerts/([^"]*)"', page.text)) & both == leads
            assert {client.get(f"/alerts/{each}").status_code for each in both} == {status}


def test_a_dispute_of_a_round_begins_with_the_hand_that_is_chosen_of_it(played: Played) -> None:
    with open_console(played.path, "investigator") as client:
        masks = [each["patron"] for each in told_of(client, played)["seated"]]
        offered = [
            f"Seat 3, {masks[0]}: $10.00 on player",
            "Seat 4, B: $5.00 on player",
            f"Seat 6, {masks[2]}: no wager seen",
        ]
        assert begun(client, played) == (offered, "3", "")
        page = client.get(f"/disputes/new?round={played.place}").text
        links = re.findall(r'<a href="(/disputes/new[^"]*)"', page)
        assert f'<a href="{links[1]}" aria-current="true">' in client.get(unescape(links[1])).text
        # Where names are masked the patron is left to be written, as it is of an alert.
        assert begun(client, played, "3") == (offered, "3", "")

        assert unmask(client, f"round:{id_of(played.round)}") == 200
        named = [
            each.replace(mask, name)
            for each in offered
            for mask, name in zip(masks, NAMES, strict=True)
            if mask in each
        ]
        assert begun(client, played, "3") == ([named[0], offered[1], named[1]], "3", "Winslow")
        assert begun(client, played, "6")[1:] == ("6", "Duval")
        # Who bets on a spot of seat 4 is not whoever sits there; at seat 9 is nobody.
        assert begun(client, played, "4/B")[1:] == ("4", "B")
        assert begun(client, played, "9")[1:] == ("", "")


def test_who_may_not_unmask_is_refused(played: Played) -> None:
    with open_console(played.path, "operator") as client:
        assert unmask(client, f"alert:{played.of_seat}") == 403


def test_nobody_withheld_is_shown_not_even_by_a_mask(played: Played) -> None:
    with open_console(played.path) as client:
        assert all("patron ·" in client.get(path).text for path in (played.place, "/tables/BAC-1"))
    with closing(AccountsFile(accounts_of(played.path))) as file:
        Embargoes(file).place(f"round:{id_of(played.round)}", "supervisor", "a relation", by="director")
    with open_console(played.path) as client:
        for text in answers(client, played):
            assert not [name for name in NAMES if name in text]
            assert "patron ·" not in text
