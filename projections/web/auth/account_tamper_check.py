"""What stands in a file of accounts otherwise than its log tells: somebody wrote into it past the console."""

from collections.abc import Iterator

from projections.web.auth.accounts_file import AccountsFile


def unnoted(file: AccountsFile) -> Iterator[str]:
    """Say of which accounts and embargoes the log tells otherwise, or nothing.

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
    """Give by the log each account's role, which accounts are disabled, and what is withheld from whom."""
    roles: dict[str, str] = {}
    disabled: set[str] = set()
    withheld: set[tuple[str, str]] = set()
    query = """
        SELECT kind, subject, whom, detail FROM log
        WHERE kind IN ('account', 'embargoed', 'lifted') ORDER BY number
    """
    for row in file.ask(query):
        match row["kind"], row["detail"]:
            case "embargoed", _:
                withheld.add((row["subject"], row["whom"]))
            case "lifted", _:
                withheld.discard((row["subject"], row["whom"]))
            case _, "disabled":
                disabled.add(row["whom"])
            case _, "enabled":
                disabled.discard(row["whom"])
            case _, detail:  # "added as auditor", "role auditor"
                roles[row["whom"]] = detail.rpartition(" ")[2]
    return roles, disabled, withheld
