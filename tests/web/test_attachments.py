"""Attachments of disputes: stored by content, refused by code, read as attached, never run by a browser."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from projections.store.attachments import attachments_of, content_type_of
from projections.web.auth.auth_plugin import Access
from projections.web.bootstrap import ConsoleSettings, load_console
from schemas.room_settings import RoomSettings
from tests.builders.consoles import add_account, open_console, post_action
from tests.builders.dispute_pages import log_in_as_other, open_dispute
from tests.builders.round_records import DISPUTED
from tests.builders.stores import store_records

PNG: Final = b"\x89PNG\r\n\x1a\n" + b"the chips at seat 2"
PDF: Final = b"%PDF-1.7 a scan"
MEGABYTE: Final = 1_000_000


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return store_records(tmp_path_factory.mktemp("attached") / "store.duckdb", DISPUTED)


@pytest.fixture(scope="module")
def console(path: Path) -> Iterator[TestClient[Litestar]]:
    opened = load_console(path, settings=ConsoleSettings(room=RoomSettings(attachment_megabytes=1)))
    for role in ("operator", "regulator", "director", "finance"):
        add_account(path, role, role)
    with open_console(path, "investigator", on=opened) as client:
        yield client


@pytest.fixture
def client(console: TestClient[Litestar]) -> TestClient[Litestar]:
    log_in_as_other(console, "investigator")
    return console


@pytest.fixture
def name(client: TestClient[Litestar]) -> str:
    return open_dispute(client)


def sends(client: TestClient[Litestar], name: str, content: bytes, filename: str = "chips.png") -> Any:
    return client.post(f"/api/disputes/{name}/attachments", files={"file": (filename, content, "text/html")})


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_file_is_stored_under_its_digest_which_the_log_of_actions_has(
    client: TestClient[Litestar], path: Path, name: str
) -> None:
    assert sends(client, name, PNG).status_code == 200
    stored = attachments_of(path) / digest(PNG)[:2] / digest(PNG)
    assert stored.read_bytes() == PNG
    assert (stored.stat().st_mode & 0o777, stored.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    dispute = client.get(f"/api/disputes/{name}").json()
    assert dispute["dispute"]["attachments"] == [
        {"name": "chips.png", "sha256": digest(PNG), "size": len(PNG), "type": "image/png"}
    ]
    assert dispute["history"][-1]["says"] == f"attached: chips.png, SHA-256 {digest(PNG)}"
    lines = client.get("/api/log?kind=dispute").json()["lines"]
    assert digest(PNG) in lines[-1]["what"]


def test_the_same_file_of_two_disputes_is_stored_once(
    client: TestClient[Litestar], path: Path, name: str
) -> None:
    content = PNG + b" twice"
    other = open_dispute(client)
    for each in (name, other):
        assert sends(client, each, content).status_code == 200
    assert [each.name for each in (attachments_of(path) / digest(content)[:2]).iterdir()] == [digest(content)]


@pytest.mark.parametrize(
    ("content", "filename", "status", "code"),
    [
        (b"<script>alert(1)</script>", "chips.png", 415, "unknown_type"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "chips.svg", 415, "unknown_type"),
        (b"MZ\x90\x00", "clip.mp4", 415, "unknown_type"),
        (b"", "chips.png", 400, "empty"),
        (PNG, "x" * 201, 400, "unfit_name"),
        (PNG, "chips\u202egnp.exe", 400, "unfit_name"),
        (PNG, "folder/", 400, "unfit_name"),
        (PNG + b"." * (MEGABYTE + 70_000), "chips.png", 413, "too_large"),
    ],
)
def test_a_file_that_is_not_taken_is_refused_by_code_at_its_field(
    client: TestClient[Litestar], path: Path, name: str, content: bytes, filename: str, status: int, code: str
) -> None:
    before = {each.name for each in attachments_of(path).rglob("*")}
    answer = sends(client, name, content, filename)
    refusal = answer.json()
    assert (answer.status_code, refusal["code"], refusal["field"]) == (status, code, "file")
    assert {each.name for each in attachments_of(path).rglob("*")} == before
    assert client.get(f"/api/disputes/{name}").json()["dispute"].get("attachments", []) == []


def test_a_form_without_a_file_is_refused_at_the_field(client: TestClient[Litestar], name: str) -> None:
    for files in ({"file": ("", b"", "image/png")}, {"other": ("a.png", PNG, "image/png")}):
        answer = client.post(f"/api/disputes/{name}/attachments", files=files)
        assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "missing", "file")
    answer = client.post(f"/api/disputes/{name}/attachments", json={"file": "a.png"})
    assert (answer.status_code, answer.json()["code"]) == (400, "missing")


def test_the_largest_file_that_is_taken_has_the_megabytes_of_the_room_s_file(
    client: TestClient[Litestar], name: str
) -> None:
    content = PNG + b"." * (MEGABYTE - len(PNG))
    assert sends(client, name, content).status_code == 200
    assert "at most 1 MB" in client.get(f"/disputes/{name}").text


def test_a_body_that_is_no_form_of_files_is_refused(client: TestClient[Litestar], name: str) -> None:
    for kind, content in (
        ("multipart/form-data", b"--x--"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: nothing\r\n\r\nb\r\n--x--"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n' * 2_000,
        ),
    ):
        answer = client.post(
            f"/api/disputes/{name}/attachments", content=content, headers={"Content-Type": kind}
        )
        assert answer.status_code == 400, (kind, answer.text)


def test_the_same_file_again_and_more_than_fifty_are_refused(client: TestClient[Litestar], name: str) -> None:
    sends(client, name, PNG)
    again = sends(client, name, PNG, "other.png")
    assert (again.status_code, again.json()["code"], again.json()["field"]) == (409, "repeated", "file")
    for number in range(49):
        assert sends(client, name, PNG + str(number).encode()).status_code == 200
    last = sends(client, name, PDF)
    assert (last.status_code, last.json()["code"], last.json()["field"]) == (409, "too_many", "file")


def test_nobody_writes_down_an_attachment_without_its_file(client: TestClient[Litestar], name: str) -> None:
    record = {"name": "chips.png", "sha256": digest(PNG), "size": len(PNG), "type": "image/png"}
    refused = post_action(client, "dispute-attach", 400, subject=f"dispute:{name}", attachment=record)
    assert refused["code"] == "out_of_form"


@pytest.mark.parametrize(
    ("content", "filename", "kind", "way", "saved"),
    [
        (PNG, "chips at seat 2.html", "image/png", "inline", "chips%20at%20seat%202.png"),
        (b"\xff\xd8\xff\xe0 a picture", "photo.JPG", "image/jpeg", "inline", "photo.JPG"),
        (PDF, "..\\C\\slip.pdf", "application/pdf", "attachment", "slip.pdf"),
        (b"\0\0\0\x18ftypisom clip", "clip", "video/mp4", "attachment", "clip.mp4"),
    ],
)
def test_a_file_leaves_by_the_type_of_its_content_and_nothing_in_it_is_run(
    client: TestClient[Litestar],
    name: str,
    content: bytes,
    filename: str,
    kind: str,
    way: str,
    saved: str,
) -> None:
    sends(client, name, content, filename)
    answer = client.get(f"/disputes/{name}/attachments/{digest(content)}")
    assert (answer.status_code, answer.content) == (200, content)
    headers = answer.headers
    assert headers["content-type"] == kind
    assert headers["content-disposition"].startswith(f"{way}; filename=")
    assert headers["content-disposition"].endswith(f"filename*=UTF-8''{saved}")
    assert headers["x-content-type-options"] == "nosniff"
    policy = headers["content-security-policy"].split("; ")
    assert policy == ["default-src 'none'", "sandbox", "base-uri 'none'", "frame-ancestors 'none'"]
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


def test_a_file_that_was_altered_or_is_gone_is_not_given_out(
    client: TestClient[Litestar], path: Path, name: str
) -> None:
    content = PNG + b" to be altered"
    sends(client, name, content)
    address = f"/api/disputes/{name}/attachments/{digest(content)}"
    stored = attachments_of(path) / digest(content)[:2] / digest(content)
    stored.write_bytes(content + b"!")
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (409, "altered")
    assert digest(content + b"!") in answer.json()["error"]
    page = client.get(address.removeprefix("/api"))
    assert (page.status_code, page.headers["content-type"]) == (409, "text/html; charset=utf-8")
    stored.unlink()
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (409, "unreadable")
    # Another dispute's copy of the same is stored anew.
    other = open_dispute(client)
    assert sends(client, other, content).status_code == 200
    assert client.get(address).content == content


def test_it_is_read_by_who_sees_the_dispute_and_written_by_who_writes_disputes(
    client: TestClient[Litestar], name: str
) -> None:
    sends(client, name, PNG)
    address = f"/disputes/{name}/attachments/{digest(PNG)}"
    for role, may_send in (("operator", True), ("regulator", False), ("finance", False)):
        log_in_as_other(client, role)
        assert client.get(address).status_code == 200, role
        answer = sends(client, name, PNG + role.encode())
        assert answer.status_code == (200 if may_send else 403), role
        assert ("attach-form" in client.get(f"/disputes/{name}").text) is may_send, role
    log_in_as_other(client, "director")
    rows = client.get("/api/audit").json()["rows"]
    took = {row["person"] for row in rows if digest(PNG) in (row.get("detail") or "")}
    assert took >= {"operator", "regulator", "finance"}


def test_it_is_withheld_with_its_dispute(client: TestClient[Litestar], name: str) -> None:
    sends(client, name, PNG)
    address = f"/disputes/{name}/attachments/{digest(PNG)}"
    embargoes = client.app.plugins.get(Access).auth.embargoes
    embargoes.place(f"dispute:{name}", "operator", "named in it", by="director")
    log_in_as_other(client, "operator")
    assert client.get(address).status_code == 404
    answer = sends(client, name, PDF)
    assert (answer.status_code, answer.json()["error"]) == (409, "There is no such dispute any more.")
    assert client.get(f"/disputes/{name}/attachments/{'0' * 64}").status_code == 404


def test_its_name_is_masked_where_it_says_who_is_in_dispute(client: TestClient[Litestar], name: str) -> None:
    sends(client, name, PNG, "Zelda Fitz at seat 2.png")
    for address in (f"/disputes/{name}", f"/api/disputes/{name}", f"/api/disputes/{name}/itrak"):
        assert "Zelda" not in client.get(address).text, address
    answer = client.get(f"/disputes/{name}/attachments/{digest(PNG)}")
    assert "Zelda" not in answer.headers["content-disposition"]


def test_a_form_without_scripts_needs_the_token_of_its_page(client: TestClient[Litestar], name: str) -> None:
    page = client.get(f"/disputes/{name}").text
    (form,) = re.findall(r'<form[^>]*id="attach-form".*?</form>', page, re.DOTALL)
    assert 'enctype="multipart/form-data"' in form
    token = client.headers.pop("X-CSRF-Token")
    files = {"file": ("chips.png", PNG, "image/png")}
    address = f"/disputes/{name}/attachments"
    assert client.post(address, files=files, follow_redirects=False).status_code == 403
    answer = client.post(address, files=files, data={"csrf": token}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/disputes/{name}#attachments")
    large = client.post(address, files={"file": ("a.png", PNG + b"." * 2 * MEGABYTE)}, data={"csrf": token})
    assert (large.status_code, "1 MB" in large.text) == (413, True)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0AVI LIST", "video/x-msvideo"),
        (b"RIFF\0\0\0\0WAVEfmt ", None),
        (b"II*\0", "image/tiff"),
        (b"\0\0\0\x18ftypheic", "image/heic"),
        (b"\0\0\0\x14ftypqt  ", "video/quicktime"),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm", "video/webm"),
        (b"\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska", "video/x-matroska"),
        (b"PK\x03\x04", None),
        (b"<!doctype html>", None),
        (b"", None),
    ],
)
def test_a_type_is_that_of_the_first_bytes(head: bytes, kind: str | None) -> None:
    assert content_type_of(head) == kind
