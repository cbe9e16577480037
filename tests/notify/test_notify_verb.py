"""`discardrack notify`: a file at fault, a test through each target, the log, the key; `serve` by a file."""

import json
import stat
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from projections.notify import vapid_key
from projections.notify.notice import Notice
from projections.notify.outbox import Delivery, Outbox, Subscription, outbox_of
from replay.cli import main
from tests.builders.receiver import Receiver, open_receiver

SECRET: Final = "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI="  # noqa: S105  of a test: 32 times B
TARGETS: Final = """
console: https://surveillance.example.com
targets:
  hook: {kind: webhook, url: "%s", secret_env: HOOK_SECRET, timeout_seconds: 1}
  other: {kind: webhook, url: "%s", secret_env: HOOK_SECRET, timeout_seconds: 1}
"""
PLANS: Final = """
plans:
  - from: 2026-01-01
    steps:
      - {overdue_minutes: 5, role: supervisor, targets: [hook]}
"""


def notify(*arguments: object) -> Result:
    """Call the verb."""
    return CliRunner().invoke(main, ["notify", *map(str, arguments)])


def rows(result: Result) -> list[dict[str, Any]]:
    """Return what a verb printed, as JSON lines."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the webhooks' secret in the environment."""
    monkeypatch.setenv("HOOK_SECRET", SECRET)


def write(folder: Path, receiver: Receiver | None = None, *, text: str | None = None) -> Path:
    """Write an escalation file with two webhooks of one receiver, or a text."""
    url = receiver.url if receiver is not None else "https://hook.example.com/x"
    file = folder / "escalation.yaml"
    file.write_text(text if text is not None else TARGETS % (url, url) + PLANS, encoding="utf-8")
    return file


# ── check ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_in_order_has_no_mistake(tmp_path: Path) -> None:
    result = notify("check", write(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "")


def test_every_mistake_is_listed_with_its_line_and_what_may_have_been_meant(tmp_path: Path) -> None:
    text = """console: http://surveillance.example.com
targets:
  hook: {kind: webhook, url: "https://hook.example.com/x?token=abc", secret_env: HOOK_SECRET}
  plain: {kind: webhook, url: "http://hook.example.com/x", secret_env: NOT_THERE}
  both: {kind: apprise, url_file: a, url_env: B}
  siem: {kind: syslog, host: h, port: 514, ca_file: ca.pem}
people:
  dana: [pagr]
plans:
  - from: 2026-01-01
    checks: [late_wagr]
    steps:
      - {role: supervisor, targets: [hook]}
      - {overdue_minutes: 5, targets: [hok]}
      - {overdue_minutes: 5, people: [dan]}
      - {overdue_minutes: 5, untaken_minutes: 5, targets: [hook]}
    quiet:
      - {from: "02:00", until: "02:00"}
  - from: 2026-01-01
    steps: []
feeds:
  - {targets: [siem], checks: [push_payed]}
"""
    result = notify("check", write(tmp_path, text=text), "--format", "jsonl")
    assert result.exit_code == 1
    found = {(row["line"], row["near"]) for row in rows(result)}
    assert found == {
        (1, None),  # no https
        (3, None),  # a secret in the clear
        (4, None),  # http to another machine
        (5, None),  # two places of one secret
        (6, None),  # a certificate without TLS
        (8, None),
        (11, "did you mean late_wager?"),
        (13, None),  # when?
        (14, "did you mean hook?"),
        (15, None),  # nobody's targets
        (16, None),  # when?
        (18, None),
        (19, None),  # another plan of the day
        (20, None),  # no step
        (22, "did you mean push_paid?"),
    }
    assert SECRET not in result.output


@pytest.mark.parametrize(
    ("before", "after", "line", "near"),
    [
        ("overdue_minutes", "overdue_minute", 10, "overdue_minutes"),
        ("role: supervisor", "role: suprvisor", 10, "supervisor"),
        ("kind: webhook", "kind: webhok", 4, "webhook"),
        ("plans:", "plan:", 7, "plans"),
    ],
)
def test_a_word_that_the_file_does_not_have_is_refused_with_the_next_best(
    before: str, after: str, line: int, near: str, tmp_path: Path
) -> None:
    text = (TARGETS % ("https://a.example/", "https://b.example/") + PLANS).replace(before, after, 1)
    file = write(tmp_path, text=text)
    result = notify("check", file)
    assert result.exit_code == 2
    assert f"{file}:{line}: not an escalation file" in result.stderr
    assert f"did you mean {near}?" in result.stderr


@pytest.mark.parametrize("value", ["", "short", "not base64 at all !!!!!!!!!!!!!!!!!!!!!!!!"])
def test_an_unusable_secret_is_reported_and_not_shown(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOOK_SECRET", value)
    result = notify("check", write(tmp_path), "--format", "jsonl")
    assert [row["line"] for row in rows(result)] == [4, 5]
    assert not value or value not in result.output


@pytest.mark.parametrize(
    "target",
    [
        "{kind: apprise, url_env: HOOK_SECRET}",
        "{kind: push, key_file: vapid.key, contact: 'mailto:a@example.com'}",
    ],
)
def test_without_the_extra_a_target_that_needs_it_is_refused_at_the_start(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("apprise", "pywebpush"):
        monkeypatch.setitem(sys.modules, module, None)
    for name in ("apprise_service", "web_push"):
        monkeypatch.delitem(sys.modules, f"projections.notify.{name}", raising=False)
    file = write(tmp_path, text=TARGETS % (("https://a.example/",) * 2) + f"  more: {target}\n" + PLANS)
    result = CliRunner().invoke(main, ["serve", "--escalation", str(file)])
    assert result.exit_code == 2
    assert "discardrack[notify]" in result.stderr


# ── test ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_test_goes_through_each_target_and_is_marked(tmp_path: Path) -> None:
    with open_receiver() as receiver:
        result = notify("test", "--escalation", write(tmp_path, receiver), "--format", "jsonl")
        events = [receiver.take().event for _ in range(2)]
    assert result.exit_code == 0
    assert rows(result) == [
        {"target": name, "recipient": None, "result": "delivered", "answer": "HTTP 204"}
        for name in ("hook", "other")
    ]
    assert {event["type"] for event in events} == {"discardrack.test"}
    assert len({event["id"] for event in events}) == 2


def test_a_target_that_fails_is_reported_and_the_status_is_1(tmp_path: Path) -> None:
    with open_receiver() as receiver:
        receiver.answers = [(500, {}, b""), (204, {}, b"")]
        result = notify("test", "--escalation", write(tmp_path, receiver), "--format", "jsonl")
        assert [(row["target"], row["result"], row["answer"]) for row in rows(result)] == [
            ("hook", "failed", "HTTP 500"),
            ("other", "delivered", "HTTP 204"),
        ]
        assert result.exit_code == 1
        result = notify("test", "--escalation", write(tmp_path, receiver), "--target", "other")
        assert (result.exit_code, receiver.count()) == (0, 3)
        result = notify("test", "--escalation", write(tmp_path, receiver), "--target", "othr")
        assert (result.exit_code, receiver.count()) == (2, 3)


def test_a_push_target_without_browsers_fails(tmp_path: Path) -> None:
    vapid_key.make(tmp_path / "vapid.key")
    more = "  phones: {kind: push, key_file: vapid.key, contact: 'mailto:a@example.com'}\n"
    file = write(tmp_path, text=TARGETS % (("https://a.example/",) * 2) + more + PLANS)
    Outbox(outbox_of(tmp_path / "store"), 0).close()
    call = ("test", "--escalation", file, "--target", "phones", "--store", tmp_path / "store")
    result = notify(*call, "--format", "jsonl")
    assert (result.exit_code, rows(result)[0]["answer"]) == (1, "nobody has subscribed a browser")


# ── log and key ──────────────────────────────────────────────────────────────────────────────────────


def test_the_log_has_a_row_for_each_attempt(tmp_path: Path) -> None:
    store = tmp_path / "store.duckdb"
    notice = Notice(sort="untaken", at=0, came=0, alert="x")
    with closing(Outbox(outbox_of(store), 0)) as outbox:
        outbox.subscribe(Subscription("one", "ann", "phone", "https://secret.example/hunter2", "k", "a", 0))
        sent = Delivery("msg_1", "phones", "one", "overdue 5", "round", 0, notice, 1_000_000, 0, 9)
        waits = Delivery("msg_2", "hook", None, "overdue 5", "round", 0, notice, 2_000_000, 0, 9)
        outbox.add([sent, waits])
        outbox.note(sent, 3_000_000, "retry", "HTTP 500", 0)
        outbox.note(sent, 4_000_000, "delivered", "HTTP 201")
    result = notify("log", "--store", store, "--format", "jsonl")
    assert [
        (row["target"], row["recipient"], row["state"], row["attempt"], row["at"], row["answer"])
        for row in rows(result)
    ] == [
        ("hook", None, "waiting", 0, None, None),
        ("phones", "ann: phone", "delivered", 1, "1970-01-01T00:00:03.000000Z", "HTTP 500"),
        ("phones", "ann: phone", "delivered", 2, "1970-01-01T00:00:04.000000Z", "HTTP 201"),
    ]
    assert "hunter2" not in result.output
    assert stat.S_IMODE(outbox_of(store).stat().st_mode) == 0o600
    missing = notify("log", "--store", tmp_path / "other")
    assert missing.exit_code == 2


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "vapid.key"
    made = notify("key", file)
    assert made.exit_code == 0
    assert len(made.stdout.strip()) == 87  # 65 bytes in base64url
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert notify("key", file).exit_code == 2
    assert notify("key", file, "--show").stdout == made.stdout
