"""`discardrack user`: accounts made, changed and listed on the machine, also while the console is served."""

import json
import os
import pty
import stat
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest
from click.testing import Result

from projections.store.store import Store
from projections.web.auth.access_log import note
from projections.web.auth.accounts_file import accounts_of
from projections.web.auth.auth_service import AuthService
from tests.builders.auth import PASSWORD, run_user_verb

_MAIN: Final = "from replay.cli import main; main()"


def add(store: Path, name: str = "ines", role: str = "administrator", password: str = PASSWORD) -> Result:
    return run_user_verb(store, "add", name, "--role", role, "--password-stdin", typed=f"{password}\n")


def test_the_first_account_is_made_beside_the_store_and_can_log_in(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    made = add(store)
    assert (made.exit_code, made.stdout) == (0, "ines may log in as administrator\n")
    assert made.stderr == f"{store}: there is no such store yet; the console that makes it will know ines\n"
    assert stat.S_IMODE(accounts_of(store).stat().st_mode) == 0o600
    entry = AuthService(store)
    assert entry.login("ines", PASSWORD, "10.0.0.7")
    entry.close()
    Store(store).close()
    assert add(store, "ben").stderr == ""


@pytest.mark.parametrize(
    ("keys", "status", "says"),
    [
        (["\x03"], 130, "interrupted before it was done"),
        ([f"{PASSWORD}\n", "\x03"], 130, "interrupted before it was done"),
        (["\x04"], 2, "no password was typed, and nothing was changed"),
    ],
    ids=["Ctrl-C", "Ctrl-C when asked again", "Ctrl-D"],
)
def test_leaving_the_password_prompt_prints_a_line_of_its_own(
    tmp_path: Path, keys: list[str], status: int, says: str
) -> None:
    store = tmp_path / "live.duckdb"
    words = ["user", "add", "ines", "--role", "administrator", "--store", str(store)]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", _MAIN, *words])  # noqa: S606  ours
    shown = b""
    with os.fdopen(terminal, "r+b", buffering=0) as typing, suppress(OSError):  # a closed one says so
        while read := typing.read(1024):
            shown += read
            if keys and shown.endswith((b"Password: ", b"Again: ")):
                typing.write(keys.pop(0).encode())
    _, ended = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(ended) == status
    *_, last = shown.decode().split("\r\n")[:-1]
    assert last == f"discardrack: {says}"
    assert PASSWORD.encode() not in shown
    listed = run_user_verb(store, "list", "--format", "csv").stdout.splitlines()
    assert len(listed) == 1


def test_a_change_holds_at_once_while_the_console_has_the_file_open(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    add(store)
    add(store, "ben", "operator")
    entry = AuthService(store)
    token = entry.sessions.begin("ben")
    assert run_user_verb(store, "role", "ben", "--role", "finance").exit_code == 0
    assert entry.person(token) is None
    person = entry.person(entry.sessions.begin("ben"))
    assert person is not None
    assert person.role == "finance"
    assert run_user_verb(store, "disable", "ben").exit_code == 0
    with pytest.raises(Exception, match="not right"):
        entry.login("ben", PASSWORD, "10.0.0.7")
    assert run_user_verb(store, "disable", "ben", "--undo").exit_code == 0
    new = "another horse battery"
    assert run_user_verb(store, "password", "ben", "--password-stdin", typed=f"{new}\n").exit_code == 0
    assert entry.login("ben", new, "10.0.0.8")
    entry.close()


def test_the_list_has_accounts_and_no_password(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    add(store)
    add(store, "ben", "operator")
    run_user_verb(store, "disable", "ben")
    listed = run_user_verb(store, "list", "--format", "csv").stdout.splitlines()
    assert listed[0] == "name,shown,role,disabled,must_change,made,last_login,token_until"
    assert [line.rsplit(",", 3)[0] for line in listed[1:]] == [
        "ben,ben,operator,yes,",
        "ines,ines,administrator,,",
    ]
    assert "argon2" not in "".join(listed)


def test_second_factors_are_listed_and_removed_on_the_server(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    add(store)
    none = run_user_verb(store, "second-factor", "ines", "--remove")
    assert (none.exit_code, "has no second factor" in none.stderr) == (2, True)
    entry = AuthService(store)
    token = entry.sessions.begin("ines")
    with entry.file.writing() as db:
        db.execute(
            "INSERT INTO second_factors VALUES (NULL, 'ines', 'authenticator', ?, ?, NULL, 0, 60, NULL)",
            ["pocket", b"secret of it"],
        )
    listed = run_user_verb(store, "second-factor", "ines").stdout
    assert "pocket" in listed
    assert "1970-01-01T00:01:00Z" in listed
    assert "secret of it" not in listed
    assert run_user_verb(store, "second-factor", "ines", "--remove").exit_code == 0
    assert (entry.factors.of("ines"), entry.person(token)) == ([], None)
    entry.close()


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("eleven-char", "the password has 11 characters; 12 are the least"),
        ("password1234", "the password is among the first that would be tried"),
        ("Password-12345", "the password is among the first that would be tried"),
        ("123456789012", "the password is too simple"),
        ("abababababab", "the password is too simple"),
        ("the-ines-of-spring", "the password has the account's name in it"),
        ("", "the password has 0 characters"),
        ("x" * 600 + "äöüß" * 200, "the password is longer than 1024 bytes"),
    ],
)
def test_a_weak_password_is_refused_in_words(tmp_path: Path, password: str, says: str) -> None:
    refused = add(tmp_path / "live.duckdb", password=password)
    assert refused.exit_code == 2
    assert says in refused.stderr
    assert run_user_verb(tmp_path / "live.duckdb", "list", "--format", "csv").stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("disable", "ines"), "ines is the last administrator; give another account that role first"),
        (("role", "ines", "--role", "operator"), "ines is the last administrator"),
        (("disable", "nobody"), "there is no account 'nobody'"),
        (("password", "nobody", "--password-stdin"), "there is no account 'nobody'"),
        (("password", "ines"), "elsewhere say --password-stdin"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    store = tmp_path / "live.duckdb"
    add(store)
    refused = run_user_verb(store, *arguments)
    assert refused.exit_code == 2
    assert says in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_names_are_plain_and_taken_once(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    add(store)
    assert "there is an account 'ines' already" in add(store).stderr
    for name in ("Ines", "a b", "", "../x", "x" * 65):
        assert "a name is of small letters" in add(store, name).stderr


def test_a_mistyped_store_gets_no_accounts_but_by_adding_one(tmp_path: Path) -> None:
    for verb in (["list"], ["disable", "ines"], ["check"]):
        said = run_user_verb(tmp_path / "lvie.duckdb", *verb)
        assert said.exit_code == 2
        assert "has no accounts; discardrack user add" in said.stderr
    assert list(tmp_path.iterdir()) == []
    assert "there is no folder" in add(tmp_path / "nowhere" / "live.duckdb").stderr


@pytest.mark.parametrize(
    "content", [b"a note, and longer than a header", b"", b"\0" * 8 + b"DUCK" + b"\0" * 99]
)
def test_to_a_file_that_is_no_store_nobody_is_added(tmp_path: Path, content: bytes) -> None:
    store = tmp_path / "notes.txt"
    store.write_bytes(content)
    said = add(store)
    assert said.exit_code == 2
    assert said.stderr.startswith(f"discardrack: {store}: cannot be opened as a store: ")
    assert said.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [store]
    (tmp_path / "folder").mkdir()
    assert "folder: cannot be opened as a store: Is a directory" in add(tmp_path / "folder").stderr


def test_another_duckdb_file_is_not_a_store_and_a_store_in_use_is_one(tmp_path: Path) -> None:
    other, served = tmp_path / "other.duckdb", tmp_path / "live.duckdb"
    duckdb.connect(str(other)).close()
    assert "a DuckDB file, but not a store of discardrack" in add(other).stderr
    Store(served).close()
    hold = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print('held', flush=True); input()"
    call = [sys.executable, "-c", hold, str(served)]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holding:  # noqa: S603  ours
        assert holding.stdout is not None
        assert holding.stdout.readline() == "held\n"
        assert add(served).exit_code == 0
        holding.communicate("\n")


def test_another_file_is_not_taken_for_accounts(tmp_path: Path) -> None:
    accounts_of(tmp_path / "live.duckdb").write_text("not a database, and longer than a header" * 10)
    said = run_user_verb(tmp_path / "live.duckdb", "list")
    assert said.exit_code == 2
    assert "cannot be opened as a file of accounts" in said.stderr


def test_the_log_has_who_changed_accounts_and_its_check_finds_a_change(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    add(store)
    add(store, "ben", "operator")
    run_user_verb(store, "role", "ben", "--role", "supervisor")
    entry = AuthService(store)
    rows: list[Any] = entry.file.ask(
        "SELECT person, kind, whom, detail, change, role FROM log ORDER BY number"
    )
    assert [tuple(row)[1:] for row in rows] == [
        ("account", "ines", "added as administrator", "added", "administrator"),
        ("account", "ben", "added as operator", "added", "operator"),
        ("account", "ben", "role supervisor", "role", "supervisor"),
    ]
    assert all(row["person"].endswith(" (system)") for row in rows)
    whole = run_user_verb(store, "check")
    number, value = whole.stdout.split()
    assert (whole.exit_code, number, len(value)) == (0, "3", 64)
    note(entry.file, "ben", "exported")
    assert run_user_verb(store, "check").stdout.startswith("4 ")
    with entry.file.writing() as db:
        db.execute("DROP TRIGGER log_stays")
        db.execute("UPDATE log SET role = 'operator' WHERE number = 1")
        # Its words say nothing to the check.
        db.execute("UPDATE log SET detail = 'added as auditor' WHERE number = 3")
    entry.close()
    broken = run_user_verb(store, "check")
    assert broken.exit_code == 1
    assert broken.stderr.splitlines() == [
        "row 1 does not follow from the one before it",
        "row 3 does not follow from the one before it",
        "the account ines has the role administrator; it was given the role operator",
    ]


# As a file of format 2 has its log: what was changed about an account stands in words alone.
OLDER: Final = (
    ("ines", "added as administrator"),
    ("ben", "added as operator"),
    ("cyd", "added as finance"),
    ("ben", "role auditor"),
    ("cyd", "disabled"),
    ("cyd", "enabled"),
    ("ben", "disabled"),
)


def older(store: Path) -> None:
    """Make a file of accounts as the version before left it, each row hashed as it was then."""
    add(store)
    entry = AuthService(store)
    before = "0" * 64
    with entry.file.writing() as db:
        db.execute("DROP TRIGGER log_stays_whole")
        db.execute("DELETE FROM log")
        db.execute("DELETE FROM accounts")
        for name, role, disabled in (
            ("ines", "administrator", 0),
            ("ben", "auditor", 1),
            ("cyd", "finance", 0),
        ):
            db.execute("INSERT INTO accounts VALUES (?, ?, ?, NULL, 0, ?, 0)", [name, name, role, disabled])
        db.execute("ALTER TABLE log DROP COLUMN change")
        db.execute("ALTER TABLE log DROP COLUMN role")
        db.execute("UPDATE written_as SET format = 2")
        for number, (whom, detail) in enumerate(OLDER, 1):
            row = {"at": number, "person": "ines", "kind": "account", "subject": None, "whom": whom}
            told = json.dumps(row | {"detail": detail, "within": None}, separators=(",", ":"))
            before = sha256(f"{before}{told}".encode()).hexdigest()
            db.execute(
                "INSERT INTO log VALUES (?, ?, 'ines', 'account', NULL, ?, ?, NULL, ?)",
                [number, number, whom, detail, before],
            )
    entry.close()


def test_a_file_of_the_version_before_is_taken_over_and_its_log_holds(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    older(store)
    whole = run_user_verb(store, "check")
    assert (whole.exit_code, whole.stderr, whole.stdout.split()[0]) == (0, "", str(len(OLDER)))
    # What is changed from now on stands in columns, and the log goes on from the older rows.
    run_user_verb(store, "role", "ben", "--role", "director")
    run_user_verb(store, "disable", "ben", "--undo")
    whole = run_user_verb(store, "check")
    assert (whole.exit_code, whole.stderr, whole.stdout.split()[0]) == (0, "", str(len(OLDER) + 2))
    entry = AuthService(store)
    rows = entry.file.ask("SELECT change, role FROM log ORDER BY number")
    told = [(None, None)] * len(OLDER) + [("role", "director"), ("enabled", None)]
    assert [tuple(row) for row in rows] == told
    with entry.file.writing() as db:
        db.execute("UPDATE accounts SET role = 'director' WHERE name = 'cyd'")
    entry.close()
    assert run_user_verb(store, "check").stderr.splitlines() == [
        "the account cyd has the role director; it was given the role finance"
    ]


def test_an_older_row_that_is_given_columns_by_hand_does_not_hold(tmp_path: Path) -> None:
    store = tmp_path / "live.duckdb"
    older(store)
    entry = AuthService(store)
    with entry.file.writing() as db:
        db.execute("DROP TRIGGER log_stays")
        db.execute("UPDATE log SET change = 'role', role = 'director' WHERE number = 4")
    entry.close()
    assert (
        run_user_verb(store, "check").stderr.splitlines()[0] == "row 4 does not follow from the one before it"
    )


@pytest.mark.parametrize(
    ("by_hand", "said"),
    [
        (
            "UPDATE accounts SET role = 'director' WHERE name = 'ben'",
            "the account ben has the role director; it was given the role auditor",
        ),
        (
            "UPDATE accounts SET disabled = 0 WHERE name = 'cyd'",
            "the account cyd is enabled; nothing tells by whom",
        ),
        (
            "UPDATE accounts SET disabled = 1 WHERE name = 'ben'",
            "the account ben is disabled; nothing tells by whom",
        ),
        (
            "INSERT INTO accounts VALUES ('eve', 'Eve', 'director', NULL, 0, 0, 0)",
            "nothing tells who added the account eve",
        ),
        ("DELETE FROM accounts WHERE name = 'cyd'", "the account cyd was added and is not there"),
        (
            "UPDATE embargoes SET lifted = 1, lifted_by = 'ines' WHERE subject = 'alert:2'",
            "alert:2 is not withheld from ben; nothing tells who lifted that",
        ),
        ("DELETE FROM embargoes", "alert:2 is not withheld from ben; nothing tells who lifted that"),
        (
            "UPDATE embargoes SET lifted = NULL, lifted_by = NULL WHERE subject = 'alert:1'",
            "alert:1 is withheld from ben; nothing tells by whom",
        ),
    ],
)
def test_a_manual_change_of_the_file_is_reported(tmp_path: Path, by_hand: str, said: str) -> None:
    store = tmp_path / "live.duckdb"
    add(store)
    add(store, "ben", "operator")
    add(store, "cyd", "operator")
    run_user_verb(store, "role", "ben", "--role", "auditor")
    run_user_verb(store, "disable", "cyd")
    run_user_verb(store, "disable", "ben")
    assert run_user_verb(store, "disable", "ben", "--undo").exit_code == 0
    entry = AuthService(store)
    for subject in ("alert:1", "alert:2"):
        entry.embargoes.place(subject, "ben", "named in it", by="ines")
    first = next(each for each in entry.embargoes.seen_by("ines") if each.subject == "alert:1")
    entry.embargoes.lift(first.id, by="ines")
    whole = run_user_verb(store, "check")
    assert (whole.exit_code, whole.stderr) == (0, "")
    with entry.file.writing() as db:
        db.execute(by_hand)
    entry.close()
    found = run_user_verb(store, "check")
    assert (found.exit_code, found.stderr.splitlines()) == (1, [said])
