"""Evidence bundles from the console: a dispute's hand, for who may have it, noted wherever it is to be."""

import asyncio
import hashlib
import html
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from click.testing import CliRunner
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.store import Store
from projections.web import bootstrap
from projections.web.auth.roles import Role
from projections.web.records.bundle_requests import BundleRequest
from replay.cli import bundle_process, main
from replay.cli.bundle_process import BundleProcess
from replay.recording.event_audit import audit_logs
from replay.recording.parallel_audit import processes
from schemas import house as houses
from schemas.errors import BadInput
from streams import log
from streams.archive.import_events import import_frames
from streams.archive.record_names import JOURNAL
from streams.log import Unread
from tests.builders.consoles import add_account, log_in, open_console, post_action
from tests.builders.evidence_bundles import (
    OTHERS,
    STAFF,
    archive_scripts,
    build_bundle,
    bundle_files,
    check_bundle,
    read_bundle_json,
    script_two_rounds,
    script_with_every_name,
)
from tests.builders.stores import RUN
from tests.builders.table_script import Script

DAY: Final = date(2025, 4, 1)
ABOUT: Final[Mapping[str, Any]] = {
    "table": "BAC-1",
    "gaming_date": str(DAY),
    "rounds": ["2"],
    "seat": 1,
    "claim": "it was not paid",
}
REASON: Final = "the agent asks for it"
STILL: Final = b"\x89PNG\r\n\x1a\nstill of camera 7"
MADE_APART: Final = "The evidence bundle is made where archive and key are"


class Floor:
    """A closed archive, and a store of what it comes to; `makes` is what the console makes bundles with."""

    def __init__(self, folder: Path) -> None:
        self.archive, self.store = folder / "archive", folder / "store.duckdb"
        self.makes: BundleProcess | None = BundleProcess(self.archive, folder / "releaser")

    @contextmanager
    def entered(self, role: Role = "investigator") -> Iterator[TestClient[Litestar]]:
        """Enter its console as someone of a role."""
        settings = bootstrap.ConsoleSettings(bundles=self.makes)
        known = bootstrap.load_console(self.store, settings=settings)
        with open_console(self.store, role, on=known) as client:
            yield client

    def custody(self) -> list[dict[str, Any]]:
        """Return the lines of the archive's log of custody."""
        file = self.archive / "custody.jsonl"
        return [json.loads(line) for line in file.read_bytes().splitlines()] if file.is_file() else []


def play_floor(folder: Path, script: Script, *, key: bool = True) -> Path:
    """Play a script into a folder, for a `Floor` on it; without a key nothing of it is archived."""
    archive_scripts(folder, script, key=key)
    played = folder / "played"
    found = audit_logs(log.logs(played), houses.load(log.HOUSE, played))
    with Store(folder / "store.duckdb") as store:
        store.write(RUN, [(each.basis, each.conclusion, 1) for each in found if not isinstance(each, Unread)])
    return folder


@pytest.fixture(scope="module")
def two_rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_floor(tmp_path_factory.mktemp("two"), script_two_rounds())


@pytest.fixture(scope="module")
def every_name(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_floor(tmp_path_factory.mktemp("names"), script_with_every_name())


@pytest.fixture
def floor(tmp_path: Path, two_rounds: Path) -> Floor:
    """Return two rounds, in which nobody is named."""
    return Floor(shutil.copytree(two_rounds, tmp_path, dirs_exist_ok=True))


@pytest.fixture
def named(tmp_path: Path, every_name: Path) -> Floor:
    """Return a round, with a name in every field that can hold one."""
    return Floor(shutil.copytree(every_name, tmp_path, dirs_exist_ok=True))


@pytest.fixture(scope="module", autouse=True)
def one_process() -> Iterator[None]:
    """Make all bundles in one process: to start one takes half a second."""
    with processes(1) as apart, pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle_process, "processes", lambda _: nullcontext(apart))
        yield


def dispute(client: TestClient[Litestar], **about: Any) -> str:
    """Open a dispute and give its name."""
    call = {"called": 1_735_780_000_000_000}
    return str(post_action(client, "dispute-open", about={**ABOUT, **about}, call=call)["after"]["name"])


def other(client: TestClient[Litestar], floor: Floor, role: Role) -> None:
    """Log the client in as someone of another role."""
    add_account(floor.store, role, role)
    client.cookies.clear()
    client.headers.pop("X-CSRF-Token")
    log_in(client, role)


def asked(client: TestClient[Litestar], name: str, **form: str) -> httpx.Response:
    """Send the form for a bundle."""
    told_ = {"round": "2", "seat": "1", "reason": REASON, **form}
    return client.post(f"/api/disputes/{name}/bundle", data=told_)


def said(answer: httpx.Response) -> str:
    """Return what a refusal says."""
    return str(answer.json()["error"])


def form_of(client: TestClient[Litestar], name: str) -> str:
    """Return the form for a bundle as a dispute's page has it."""
    page = client.get(f"/disputes/{name}").text
    (form,) = re.findall(r'<form[^>]*id="evidence-form".*?</form>', page, re.DOTALL)
    return str(form)


def offered(form: str) -> list[tuple[str, bool]]:
    """Return the seats that a form offers, each with whether it is chosen."""
    (choice,) = re.findall(r'<select name="seat" required>(.*?)</select>', form)
    found = re.findall(r"<option(?: value=\"\w*\")?( selected)?>([^<]*)</option>", choice)
    return [(html.unescape(seat), bool(chosen)) for chosen, seat in found]


def test_the_bundle_is_the_one_of_the_command_and_both_verifiers_take_it(floor: Floor) -> None:
    with floor.entered() as client:
        name = dispute(client)
        answer = asked(client, name)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
    assert answer.headers["content-disposition"] == f'attachment; filename="dispute-{name}-2.zip"'
    check_bundle(answer.content)
    typed = build_bundle(floor.archive, "2", "--seat", 1)
    for file in ("proof", "verdict", "settlement", "explanation", "rulebook", "withheld", "checkpoints"):
        assert read_bundle_json(answer.content, file) == read_bundle_json(typed, file), file
    manifest = read_bundle_json(answer.content, "bundle")
    assert (manifest["by"], manifest["why"], manifest["seats"]) == ("investigator", REASON, ["1"])
    file = floor.archive.parent / "taken.zip"
    file.write_bytes(answer.content)
    verified = CliRunner().invoke(main, ["verify", str(file)])
    assert verified.exit_code == 0, verified.output


def test_that_it_left_is_noted_with_who_why_and_its_hash_in_all_three_places(floor: Floor) -> None:
    with floor.entered("supervisor") as client:
        name = dispute(client)
        content = asked(client, name).content
        digest = hashlib.sha256(content).hexdigest()
        begun, released = floor.custody()
        assert [(each["by"], each["verb"], each["does"]) for each in (begun, released)] == [
            ("supervisor", "evidence", "open"),
            ("supervisor", "evidence", "release"),
        ]
        assert (released["to"], released["sha256"]) == (f"dispute-{name}-2.zip", digest)
        assert released["what"]["why"] == REASON
        row = next(each for each in client.get("/api/audit").json()["rows"] if each["kind"] == "exported")
        assert row["person"] == "supervisor"
        assert (
            row["detail"]
            == f"dispute:{name}, evidence bundle dispute-{name}-2.zip, SHA-256 {digest}: {REASON}"
        )
        page = client.get(f"/disputes/{name}").text
        assert f"<dt>dispute-{name}-2.zip</dt><dd>SHA-256 {digest}</dd>" in page


@pytest.mark.parametrize("role", ["supervisor", "director", "investigator", "regulator"])
def test_who_may_see_names_gets_other_seats_and_staff_when_asked_for(named: Floor, role: Role) -> None:
    with named.entered() as client:
        name = dispute(client, rounds=["1"])
        other(client, named, role)
        whole = asked(client, name, round="1", seat="all", staff="true")
        own = asked(client, name, round="1", seat="1/shown")
    assert (whole.status_code, own.status_code) == (200, 200), whole.text[:200] + own.text[:200]
    assert read_bundle_json(whole.content, "withheld")["events"] == []
    assert STAFF["dealer"].encode() in whole.content
    assert OTHERS["bettor"].encode() in whole.content
    assert [each for each in (*STAFF.values(), *OTHERS.values()) if each.encode() in own.content] == []


def attach(client: TestClient[Litestar], name: str, file: str, content: bytes) -> str:
    """Attach a file to a dispute; return its SHA-256."""
    sent = client.post(f"/api/disputes/{name}/attachments", files={"file": (file, content)})
    assert sent.status_code == 200, sent.text
    return hashlib.sha256(content).hexdigest()


class MadeInOneSecond(BundleProcess):
    """Makes the same bundle, byte for byte, each time."""

    async def made(self, wanted: BundleRequest) -> bytes:  # noqa: ARG002  the base's signature
        """Return it."""
        return b"the same"


def test_the_same_bundle_is_let_out_again_and_stands_in_the_dispute_once(floor: Floor) -> None:
    floor.makes = MadeInOneSecond(floor.archive, floor.archive.parent / "releaser")
    with floor.entered("supervisor") as client:
        name = dispute(client)
        assert [asked(client, name).content for _ in range(2)] == [b"the same"] * 2
        (bundle,) = client.get(f"/api/disputes/{name}").json()["dispute"]["bundles"]
    assert bundle["sha256"] == hashlib.sha256(b"the same").hexdigest()


def test_the_files_attached_to_the_dispute_go_with_it_where_that_is_asked_for(floor: Floor) -> None:
    with floor.entered("supervisor") as client:
        name = dispute(client)
        asked_without = asked(client, name).content
        assert 'name="attachments"' not in form_of(client, name)
        digest = attach(client, name, "Zelda's still.png", STILL)
        assert 'name="attachments"' in form_of(client, name)
        left_out, bundled = asked(client, name).content, asked(client, name, attachments="true").content
        for content in (asked_without, left_out):
            assert check_bundle(content).attachments == ()
            assert STILL not in content
        check_bundle(bundled)
        described = {"name": "Zelda's still.png", "sha256": digest, "size": len(STILL), "type": "image/png"}
        assert read_bundle_json(bundled, "attachments") == [described]
        assert bundle_files(bundled)[f"attachments/{digest}"] == STILL
        # Its digest is the one that the dispute has of it.
        (recorded,) = client.get(f"/api/disputes/{name}").json()["dispute"]["attachments"]
        assert recorded["sha256"] == digest


def test_an_attached_file_is_let_out_neither_without_the_right_to_names_nor_altered(floor: Floor) -> None:
    with floor.entered("supervisor") as client:
        name = dispute(client)
        digest = attach(client, name, "still.png", STILL)
        other(client, floor, "auditor")
        refused = asked(client, name, attachments="true")
        assert refused.status_code == 403
        assert "it needs the right to unmask" in said(refused)
        assert check_bundle(asked(client, name).content).attachments == ()
        other(client, floor, "director")
        released = len(floor.custody())
        kept = floor.store.with_name(f"{floor.store.name}.attachments") / digest[:2] / digest
        kept.write_bytes(STILL[:-1])
        lost = asked(client, name, attachments="true")
        assert (lost.status_code, len(floor.custody())) == (409, released)
        assert lost.json()["code"] == "altered"


@pytest.mark.parametrize("role", ["auditor", "finance"])
def test_who_may_not_see_names_gets_a_bundle_that_names_nobody(floor: Floor, role: Role) -> None:
    with floor.entered() as client:
        name = dispute(client)
        other(client, floor, role)
        form = form_of(client, name)
        assert ("all seats" in form, 'name="staff"' in form) == (False, False)
        for more in ({"seat": "all"}, {"staff": "true"}):
            refused = asked(client, name, **more)
            assert refused.status_code == 403
            assert "it needs the right to unmask" in said(refused)
        assert floor.custody() == []
        content = asked(client, name).content
        check_bundle(content)
        # Who only reads writes nothing into the dispute.
        assert "bundles" not in client.get(f"/api/disputes/{name}").json()["dispute"]
    assert floor.custody()[-1]["by"] == role


def test_without_the_right_to_names_a_bundle_with_a_name_is_refused_without_it(
    named: Floor,
) -> None:
    with named.entered() as client:
        name = dispute(client, rounds=["1"])
        other(client, named, "auditor")
        for seat, says in (("1/shown", "would name a patron"), ("2", "seat 2 has no part in it")):
            refused = asked(client, name, round="1", seat=seat)
            assert refused.status_code == 409
            assert says in said(refused)
            assert [each for each in (*STAFF.values(), *OTHERS.values()) if each in refused.text] == []
        assert "4/patron ·" in said(refused)
    assert [each["does"] for each in named.custody()] == ["open", "refused"] * 2


@pytest.mark.parametrize("role", ["operator", "administrator"])
def test_who_may_not_export_gets_none(floor: Floor, role: Role) -> None:
    with floor.entered() as client:
        name = dispute(client)
        other(client, floor, role)
        assert asked(client, name).status_code == 403
        assert "evidence-form" not in client.get(f"/disputes/{name}").text
    assert floor.custody() == []


def test_who_may_not_export_reads_who_may_and_nothing_of_a_key(floor: Floor) -> None:
    roles = "supervisor, director, investigator, finance, auditor, regulator"
    for makes in (floor.makes, None):
        floor.makes = makes
        with floor.entered("operator") as client:
            page = client.get(f"/disputes/{dispute(client)}").text
        assert f"Evidence bundles are for roles that may export: {roles}." in page
        assert (MADE_APART in page, "--key KEY" in page) == (False, False)


def test_the_seats_are_offered_by_masked_names_and_what_is_chosen_works(named: Floor) -> None:
    with named.entered() as client:
        name = dispute(client, rounds=["1"], seat=3)
        seats = offered(form_of(client, name))
        mask = r"patron ·[0-9a-f]{6}"
        wanted_ = ["", f"1/{mask}", f"1/{mask}", "3", f"4/{mask}", "all seats"]
        assert all(re.fullmatch(*each) for each in zip(wanted_, (seat for seat, _ in seats), strict=True)), (
            seats
        )
        assert [seat for seat, chosen in seats if chosen] == ["3"]
        given = [asked(client, name, round="1", seat=seat) for seat, _ in seats[1:-1]]
    assert [each.status_code for each in given] == [200] * 4
    people = sorted(read_bundle_json(each.content, "bundle")["seats"][0] for each in given)
    assert people == sorted(["1/shown", f"1/{OTHERS['neighbour']}", "3", f"4/{OTHERS['bettor']}"])


def test_none_of_several_bettors_at_a_seat_is_preselected_and_a_seat_without_a_wager_is_offered(
    named: Floor,
) -> None:
    with named.entered() as client:
        several = offered(form_of(client, dispute(client, rounds=["1"], seat=1)))
        without = offered(form_of(client, dispute(client, rounds=["1"], seat=7)))
    assert [seat for seat, chosen in several if chosen] == []
    assert [seat for seat, chosen in without if chosen] == ["7"]


def test_the_seats_of_several_rounds_stand_round_by_round(floor: Floor) -> None:
    # Seat 1 wagered in both rounds, seat 3 in the second alone.
    with floor.entered() as client:
        both = form_of(client, dispute(client, rounds=["1", "2"]))
        third = form_of(client, dispute(client, rounds=["1", "2"], seat=3))
        one = form_of(client, dispute(client, rounds=["2"]))
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', both)
    assert [(name, re.findall(r">(\d+)</option>", seats)) for name, seats in groups] == [
        ("Round 1", ["1"]),
        ("Round 2", ["1", "3"]),
    ]
    assert [seat for seat, chosen in offered(both) if chosen] == ["1"]
    assert "selected" in groups[0][1]
    # The seat in dispute stands in each round of it, as it may have told of another thing there.
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', third)
    assert [(name, re.findall(r">(\d+)</option>", seats)) for name, seats in groups] == [
        ("Round 1", ["1", "3"]),
        ("Round 2", ["1", "3"]),
    ]
    assert ("optgroup" in one, [seat for seat, _ in offered(one)]) == (False, ["", "1", "3", "all seats"])


def test_it_takes_a_reason_a_round_of_the_dispute_and_the_token_of_the_page(floor: Floor) -> None:
    with floor.entered() as client:
        name = dispute(client)
        assert [asked(client, name, reason=reason).status_code for reason in ("", "  ")] == [400, 400]
        assert [asked(client, name, round=number).status_code for number in ("1", "99")] == [404, 404]
        assert asked(client, "none").status_code == 404
        missing = asked(client, name, seat="")
        assert (missing.status_code, "say whose part is to be shown" in said(missing)) == (409, True)
        token = client.headers.pop("X-CSRF-Token")
        assert asked(client, name).status_code == 403
        # A form brings it as a field, as the page has it.
        assert asked(client, name, csrf=token).status_code == 200


def test_without_scripts_the_form_brings_the_bundle_and_a_page_says_what_is_refused(floor: Floor) -> None:
    with floor.entered() as client:
        name = dispute(client)
        form = form_of(client, name)
        (to,) = re.findall(r'method="post" action="([^"]*)"', form)
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form))
        # What a browser sends of the form by itself: its fields and no header.
        client.headers.pop("X-CSRF-Token")
        sent = {**hidden, "round": "2", "seat": "1", "staff": "false"}
        answer = client.post(to, data={**sent, "reason": REASON})
        refused = client.post(to, data={**sent, "seat": "", "reason": REASON})
        unsaid = client.post(to, data={**sent, "reason": " "})
        page = client.get(f"/disputes/{name}").text
    assert answer.headers["content-disposition"] == f'attachment; filename="dispute-{name}-2.zip"'
    check_bundle(answer.content)
    assert f"SHA-256 {hashlib.sha256(answer.content).hexdigest()}" in page
    for told_, status, says in ((refused, 409, "No bundle was let out: "), (unsaid, 400, "reason")):
        assert (told_.status_code, told_.headers["content-type"]) == (status, "text/html; charset=utf-8")
        assert says in told_.text


@pytest.mark.parametrize("kind", ["dispute", "round", "table-day", "alert"])
def test_of_what_is_withheld_from_a_person_there_is_no_bundle(floor: Floor, kind: str) -> None:
    with floor.entered("supervisor") as client:
        name = dispute(client)
        (alert,) = (
            each["id"] for each in client.get("/api/alerts").json()["findings"] if each.get("seat") == 1
        )
        subject = {
            "dispute": name,
            "round": f"{DAY}|BAC-1|2",
            "table-day": f"{DAY}|BAC-1",
            "alert": alert,  # of the round, and not named by the dispute
        }[kind]
        add_account(floor.store, "director", "director")
        placed = {"subject": f"{kind}:{subject}", "whom": "director", "reason": "it is about her"}
        assert client.post("/embargoes", data=placed).status_code < 400
        other(client, floor, "director")
        assert asked(client, name).status_code == 404
        page = client.get(f"/disputes/{name}")
        assert "evidence-form" not in page.text
        assert (page.status_code, MADE_APART in page.text) == (404, False)
    assert floor.custody() == []


def test_without_a_key_the_page_shows_the_command_and_nothing_is_let_out(floor: Floor) -> None:
    floor.makes = None
    with floor.entered() as client:
        name = dispute(client)
        page = client.get(f"/disputes/{name}").text
        refused = asked(client, name)
    assert MADE_APART in page
    assert f"evidence ARCHIVE BAC-1 2 --date 2025-04-01 --seat 1 --key KEY --out dispute-{name}-2.zip" in page
    assert "evidence-form" not in page
    assert refused.status_code == 409
    assert "This console makes no bundles" in said(refused)


@pytest.mark.parametrize("kept", [False, True], ids=["nothing", "in the journal"])
def test_for_an_unsealed_day_the_page_says_why_there_is_no_bundle_and_what_to_do(
    tmp_path: Path, *, kept: bool
) -> None:
    floor = Floor(play_floor(tmp_path, script_two_rounds(), key=False))
    if kept:
        import_frames(
            floor.archive, log.logs(tmp_path / "played"), houses.load(log.HOUSE, tmp_path / "played")
        )
    with floor.entered() as client:
        page = client.get(f"/disputes/{dispute(client)}").text
    waits = "Gaming day 04/01/2025 of table BAC-1 is not sealed yet"
    nothing = "The archive has nothing of table BAC-1 on 04/01/2025: see that `discardrack archive` takes"
    assert (waits in page, nothing in page) == (kept, not kept)
    assert "made here, or by:</span> <code>discardrack evidence" in page
    assert "--key KEY" in page
    assert "evidence-form" not in page


def test_of_a_day_that_goes_into_no_archive_nothing_is_looked_up(floor: Floor) -> None:
    (floor.archive / JOURNAL).write_bytes(b"no journal that could be opened")
    served = BundleProcess(floor.archive, floor.archive.parent / "releaser", last=DAY)
    says = served.lacks("BAC-1", DAY + timedelta(days=1)) or ""
    assert says.startswith("Gaming day 04/02/2025 plays on here and goes into no archive")
    assert served.lacks("BAC-1", DAY) is None
    assert str(floor.archive) in (served.lacks("BAC-1", DAY - timedelta(days=1)) or "")


def test_if_a_bundle_can_be_made_the_page_shows_a_form_instead_of_the_command(floor: Floor) -> None:
    with floor.entered() as client:
        page = client.get(f"/disputes/{dispute(client, rounds=['1', '2', '999'])}").text
    (form,) = re.findall(r'<form[^>]*id="evidence-form".*?</form>', page, re.DOTALL)
    (choice,) = re.findall(r'<select name="round" required>(.*?)</select>', form)
    assert re.findall(r"<option>(\w+)</option>", choice) == ["1", "2"]
    assert '<a href="#evidence-form">' in page
    assert "--key KEY" not in page


def wanted(**fields: Any) -> BundleRequest:
    return BundleRequest(
        **{"table": "BAC-1", "day": DAY, "round": "2", "file": "d.zip", "seat": "1"} | fields
    )


def test_one_is_made_at_a_time_in_a_process_of_its_own_and_the_pages_go_on_meanwhile(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_process, "processes", processes)
    served = BundleProcess(floor.archive, floor.archive.parent / "releaser")
    turns = 0

    async def two() -> list[bytes | BaseException]:
        nonlocal turns
        first = asyncio.create_task(served.made(wanted()))
        await asyncio.sleep(0)
        (second,) = await asyncio.gather(served.made(wanted()), return_exceptions=True)
        while not first.done():
            turns += 1
            await asyncio.sleep(0.01)
        return [first.result(), second, await served.made(wanted())]

    first, second, third = asyncio.run(two())
    assert isinstance(first, bytes)
    assert isinstance(third, bytes)
    assert isinstance(second, BadInput)
    assert "another bundle is being made" in str(second)
    assert turns > 1


@pytest.mark.parametrize("field", ["table", "round"])
def test_what_a_table_or_a_round_is_called_is_never_taken_for_an_option(floor: Floor, field: str) -> None:
    served = BundleProcess(floor.archive, floor.archive.parent / "releaser")
    with pytest.raises(BadInput, match="is not there"):
        asyncio.run(served.made(wanted(**{field: "--all-seats"})))


def test_serve_takes_a_key_with_an_archive_only_and_one_that_is_one(floor: Floor, tmp_path: Path) -> None:
    call = ["serve", "--store", str(floor.store), "--port", "0", "--key"]
    alone = CliRunner().invoke(main, [*call, str(tmp_path / "releaser")])
    assert (alone.exit_code, "say --archive too" in alone.stderr) == (2, True)
    none = tmp_path / "none.key"
    none.write_text("none", encoding="ascii")
    wrong = CliRunner().invoke(main, [*call, str(none), "--archive", str(floor.archive)])
    assert (wrong.exit_code, "holds no Ed25519 key" in wrong.stderr) == (2, True)
