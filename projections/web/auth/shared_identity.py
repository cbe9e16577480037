"""Accounts that may be one person's: an embargo holds for an account, and a person can have two."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from projections.web.auth.accounts import Account, Accounts
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.embargo import Embargo

_WORD: Final = re.compile(r"\w+")


def not_withheld(file: AccountsFile, embargoes: Iterable[Embargo]) -> dict[int, list[str]]:
    """Return by their numbers for which embargoes the person may see past it, and by which accounts.

    Such an account is shown under the same name as the one from which the record is withheld, or was logged
    into by the same person of the property's login; it is not disabled, and nothing is withheld from it.
    """
    standing = [each for each in embargoes if each.lifted is None]
    withheld = {(each.subject, each.whom) for each in standing}
    accounts = Accounts(file).all()
    signs = _signs(file, accounts)
    enabled = [each.name for each in accounts if not each.disabled]
    found = {
        each.id: [
            name
            for name in enabled
            if signs[name] & signs[each.whom] and (each.subject, name) not in withheld
        ]
        for each in standing
    }
    return {number: names for number, names in found.items() if names}


def _signs(file: AccountsFile, accounts: Iterable[Account]) -> dict[str, set[object]]:
    """Return for each account by what its person is known."""
    signs: defaultdict[str, set[object]] = defaultdict(set)
    for each in accounts:
        signs[each.name].add(words_of(each.shown))
    for row in file.ask("SELECT name, sub FROM known_as"):
        signs[row["name"]].add(row["sub"])
    return dict(signs)


def words_of(shown: str) -> frozenset[str]:
    """Return the words of a name, however it is written.

    >>> words_of("Amés, Ines") == words_of("ines  AMES") != words_of("Ines")
    True
    """
    plain = "".join(each for each in unicodedata.normalize("NFKD", shown) if not unicodedata.combining(each))
    return frozenset(_WORD.findall(plain.casefold()))
