"""What stands in a file of accounts otherwise than its log tells: somebody wrote into it past the console."""

import re
import sqlite3
from collections.abc import Iterator
from typing import Final

from projections.web.auth.accounts_file import AccountsFile


def unnoted(file: AccountsFile) -> Iterator[str]:
    """Yield of which accounts and embargoes the log tells otherwise, or nothing.

    Passwords are not compared: the log has none, nor what is kept of one.
    """
    roles, disabled, withheld = _told(file)
    kept = {row["name"]: row for row in file.ask("SELECT name, role, disabled FROM accounts ORDER BY name")}
    for name, row in kept.items():
        if name not in roles:
            yield f"nothing tells who added the account {name}"
            continue
        if row["role"] != roles[name]:
            yield f"the account {name} has the role {row['role']}; it was given the role {roles[name]}"
        if bool(row["disabled"]) is not (name in disabled):
            is_so = "disabled" if row["disabled"] else "enabled"
            yield f"the account {name} is {is_so}; nothing tells by whom"
    yield from (f"the account {name} was added and is not there" for name in sorted(roles.keys() - kept))
    query = "SELECT subject, whom FROM embargoes WHERE lifted IS NULL"
    held = {(row["subject"], row["whom"]) for row in file.ask(query)}
    for subject, whom in sorted(withheld - held):
        yield f"{subject} is not withheld from {whom}; nothing tells who lifted that"
    for subject, whom in sorted(held - withheld):
        yield f"{subject} is withheld from {whom}; nothing tells by whom"


def _told(file: AccountsFile) -> tuple[dict[str, str], set[str], set[tuple[str, str]]]:
    """Return by the log each account's role, which accounts are disabled, and what is withheld from whom."""
    roles: dict[str, str] = {}
    disabled: set[str] = set()
    withheld: set[tuple[str, str]] = set()
    query = """
        SELECT kind, subject, whom, detail, change, role FROM log
        WHERE kind IN ('account', 'embargoed', 'lifted') ORDER BY number
    """
    for row in file.ask(query):
        match row["kind"], *_changed(row):
            case "embargoed", _, _:
                withheld.add((row["subject"], row["whom"]))
            case "lifted", _, _:
                withheld.discard((row["subject"], row["whom"]))
            case _, "disabled", _:
                disabled.add(row["whom"])
            case _, "enabled", _:
                disabled.discard(row["whom"])
            case _, "added" | "role", role:
                roles[row["whom"]] = role or ""
    return roles, disabled, withheld


def _changed(row: sqlite3.Row) -> tuple[str | None, str | None]:
    """Return what a row says was changed about an account, and the role that it was given."""
    return (row["change"], row["role"]) if row["change"] is not None else _of_format_2(row["detail"])


# ── rows of files of format 2, which had no columns for what was changed about an account ─────────────

_WORDS: Final = re.compile(r"(?P<change>added as|role) (?P<role>[a-z_]+)|disabled|enabled")


def _of_format_2(detail: str | None) -> tuple[str | None, str | None]:
    """Read what was changed about an account, and the role that it was given, from words that were written.

    >>> [_of_format_2(each) for each in ("added as auditor", "role auditor", "disabled", "the role auditor")]
    [('added', 'auditor'), ('role', 'auditor'), ('disabled', None), (None, None)]
    """
    found = _WORDS.fullmatch(detail or "")
    if found is None:
        return None, None
    return (found["change"] or found[0]).removesuffix(" as"), found["role"]
