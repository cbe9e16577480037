"""Attempts to log in: the more have failed, the longer the next waits; none is locked out for good.

Counted are an account's attempts from one address, an address's, and an account's from all addresses from
which it was never logged into: a stranger who tries a name does not keep out who works there every night.
"""

from typing import Final

from projections.web.auth.accounts_file import AccountsFile

_FREE: Final = 3  # attempts that anyone mistypes
_ADDRESS_FREE: Final = 10  # a room may have one address
_LONGEST: Final = 300  # seconds
_FORGOTTEN: Final = 86_400  # seconds after the last attempt
_KNOWN: Final = 90 * 86_400  # seconds for which an address is remembered


class Throttle:
    """The attempts that a file of accounts remembers, so that they outlast a restart."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def attempt(self, name: str, address: str) -> int:
        """Count an attempt before it is made; gives the seconds to wait first, when it may not be made yet.

        That it is counted before it is known to fail lets nobody make a thousand at once.
        """
        now = self._file.now()
        with self._file.writing() as db:
            db.execute("DELETE FROM attempts WHERE last <= ?", [now - _FORGOTTEN])
            counted = self._counted(name, address)
            found = {
                each: row
                for each in counted
                for row in db.execute("SELECT * FROM attempts WHERE subject = ?", [each])
            }
            wait = max((found[each]["until"] - now for each in counted if each in found), default=0)
            if wait > 0:
                return wait
            for each, free in counted.items():
                failures = found[each]["failures"] + 1 if each in found else 1
                until = now + _delay(failures, free)
                db.execute("REPLACE INTO attempts VALUES (?, ?, ?, ?)", [each, failures, until, now])
        return 0

    def succeeded(self, name: str, address: str) -> None:
        """Forget the account's failed attempts from here, and remember that it is logged into from here.

        What the address has failed with other names stays counted.
        """
        now = self._file.now()
        with self._file.writing() as db:
            for each in self._counted(name, address):
                if each.startswith("account "):
                    db.execute("DELETE FROM attempts WHERE subject = ?", [each])
                else:
                    db.execute(
                        "UPDATE attempts SET failures = failures - 1, until = 0 WHERE subject = ?", [each]
                    )
            db.execute("REPLACE INTO known VALUES (?, ?, ?)", [name, address, now])
            db.execute("DELETE FROM known WHERE last <= ?", [now - _KNOWN])

    def _counted(self, name: str, address: str) -> dict[str, int]:
        """Return what an attempt is counted under, each with how many are free."""
        # Quoted, so that nobody types a name that is counted as another's at another address.
        counted = {f"account {name!r} at {address}": _FREE, f"address {address}": _ADDRESS_FREE}
        known = self._file.ask("SELECT 1 FROM known WHERE name = ? AND address = ?", name, address)
        return counted if known else counted | {f"account {name!r}": _FREE}


def _delay(failures: int, free: int) -> int:
    """Return the seconds to wait after so many failures.

    >>> [_delay(each, 3) for each in (1, 3, 4, 5, 8, 12, 100)]
    [0, 0, 2, 4, 32, 300, 300]
    """
    return min(_LONGEST, 2 ** min(failures - free, 20)) if failures >= free + 1 else 0
