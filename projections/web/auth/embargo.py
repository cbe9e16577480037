"""Embargoes: a record withheld from a named person, and from accounts that may be the same person's."""

import re
import sqlite3
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from msgspec import Struct

from projections.web.auth.access_log import left_of, note
from projections.web.auth.accounts import Account, Accounts
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.record_subjects import missing, subject_of
from schemas.errors import BadInput

# ── Embargoes: a record that is withheld from a named person, with everything that shows it (465a.9) ────
# For that person the record does not exist in lists, counts, searches, streams and the log, and neither does
# the embargo, whatever the role. Only a director or the regulator lifts it, and never the one from whom it is
# withheld.

_OF_OTHERS: Final = "SELECT * FROM (SELECT *, NULL AS within FROM embargoes) WHERE whom <> :name"


class Embargo(Struct, frozen=True):
    """A record that is, or was, withheld from an account (`whom`); times in seconds UTC."""

    id: int
    subject: str
    whom: str
    reason: str
    placed: int
    placed_by: str
    lifted: int | None
    lifted_by: str | None


class Hidden(Struct, frozen=True):
    """Records that are withheld from a person."""

    subjects: frozenset[str] = frozenset()

    def hides(self, subjects: Iterable[str]) -> bool:
        """Return True if something with one of these subjects, or belonging to one, is withheld.

        >>> hidden = Hidden(frozenset({"round:2025-03-01|BAC-101|17"}))
        >>> hidden.hides(["alert:1f", "round:2025-03-01|BAC-101|17"]), hidden.hides(["alert:1f"])
        (True, False)
        """
        return not self.subjects.isdisjoint(subjects)


class Records(Protocol):
    """Facts about records that the embargoes need to withhold them."""

    def is_there(self, subject: str, hidden: Hidden) -> bool:
        """Return True if there is such a record, for somebody from whom this is withheld."""

    def going_with(self, subjects: frozenset[str]) -> Iterable[str]:
        """Return the subjects that are withheld with these, because they show the same."""


class UnknownRecords:
    """Stand-in if there is no store of records: any may exist; with a case goes what it is named after."""

    def is_there(self, subject: str, hidden: Hidden) -> bool:
        """Return True unless the subject is hidden: every record counts as present."""
        return not hidden.hides([subject])

    def going_with(self, subjects: frozenset[str]) -> Iterable[str]:
        """Return of each case the alert that it is called after.

        >>> list(UnknownRecords().going_with(frozenset({"case:1f", "round:2025-03-01|BAC-101|17"})))
        ['alert:1f']
        """
        return [f"alert:{each.removeprefix('case:')}" for each in subjects if each.startswith("case:")]


class Embargoes:
    """The embargoes of a file of accounts, on the records that `records` knows."""

    def __init__(self, file: AccountsFile, records: Records | None = None) -> None:
        self._file, self._records = file, records or UnknownRecords()
        self._followed: list[Callable[[], None]] = []

    def follow(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever an embargo is placed or lifted."""
        self._followed.append(listener)

    def _tell(self) -> None:
        for listener in self._followed:
            listener()

    def withheld(self) -> list[frozenset[str]]:
        """Return what is withheld now from each person from whom anything is."""
        rows = self._file.ask("SELECT DISTINCT whom FROM embargoes WHERE lifted IS NULL")
        return [self.hidden(row["whom"]).subjects for row in rows]

    def hidden(self, name: str) -> Hidden:
        """Return what is withheld from a person now, with all that goes with it.

        Every page shows the round that an alert is about, so the two are withheld together: with an alert or
        a case its round, and with that all alerts of it. The same holds for a dispute and its hand. What
        names an alert alone, as a dispute can, is withheld with its round too. The records are queried each
        time, so what is linked to one later is withheld from then on.
        """
        rows = self._file.ask("SELECT subject FROM embargoes WHERE whom = ? AND lifted IS NULL", name)
        subjects = frozenset(row["subject"] for row in rows)
        return Hidden(subjects.union(self._records.going_with(subjects)) if subjects else subjects)

    def seen_by(self, name: str) -> list[Embargo]:
        """Return the embargoes that a person may know of, the newest first."""
        hidden = self.hidden(name)
        query, values = left_of(_OF_OTHERS, hidden.subjects, {"name": name})
        return list(map(_embargo, self._file.ask_named(f"{query} ORDER BY id DESC", values)))

    def place(self, subject: str, whom: str, reason: str, *, by: str) -> None:
        """Withhold a record from a person; no change if it is withheld already.

        Raises:
            BadInput: the subject names no record, or none that `by` may know of, there is no such account, it
                is one's own, or no reason is given.
        """
        subject, reason, whom = subject_of(subject), reason.strip(), whom.strip().casefold()
        if not reason:
            raise BadInput("an embargo needs a reason")
        if whom == by:
            raise BadInput("nobody withholds a record from themselves")
        if not self._records.is_there(subject, self.hidden(by)):
            raise BadInput(missing(subject))
        with self._file.writing() as db:
            Accounts(self._file).get(whom)
            values = [subject, whom, reason, self._file.now(), by]
            placed = db.execute(
                "INSERT INTO embargoes (subject, whom, reason, placed, placed_by) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                values,
            )
            if placed.rowcount:
                note(self._file, by, "embargoed", subject, whom, reason)
        self._tell()

    def lift(self, number: int, *, by: str) -> None:
        """End an embargo.

        Raises:
            BadInput: there is none of this number that the person may see, or it has ended.
        """
        # Not while the file is written: the records query waits for casework, which may query the file.
        embargoes = {each.id: each for each in self.seen_by(by) if each.lifted is None}
        if number not in embargoes:
            raise BadInput(f"there is no embargo {number}")
        with self._file.writing() as db:
            values = [self._file.now(), by, number]
            lifted = db.execute(
                "UPDATE embargoes SET lifted = ?, lifted_by = ? WHERE id = ? AND lifted IS NULL", values
            )
            if lifted.rowcount:  # no one else was quicker
                note(self._file, by, "lifted", embargoes[number].subject, embargoes[number].whom)
        self._tell()


def _embargo(row: sqlite3.Row) -> Embargo:
    return Embargo(*(row[name] for name in Embargo.__struct_fields__))


# ── Accounts that may be one person's: an embargo holds for an account, and a person can have two ─────

_WORD: Final = re.compile(r"\w+")


def not_withheld(file: AccountsFile, embargoes: Iterable[Embargo]) -> dict[int, list[str]]:
    """Return, by their numbers, embargoes that the person may bypass, and by which accounts.

    Such an account has the same display name as the one from which the record is withheld, or the same person
    of the property's login used it. It is not disabled, and nothing is withheld from it.
    """
    in_force = [each for each in embargoes if each.lifted is None]
    withheld = {(each.subject, each.whom) for each in in_force}
    accounts = Accounts(file).all()
    signs = _signs(file, accounts)
    enabled = [each.name for each in accounts if not each.disabled]
    found = {
        each.id: [
            name
            for name in enabled
            if signs[name] & signs[each.whom] and (each.subject, name) not in withheld
        ]
        for each in in_force
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


def words_of(display_name: str) -> frozenset[str]:
    """Return the words of a name, however it is written.

    >>> words_of("Amés, Ines") == words_of("ines  AMES") != words_of("Ines")
    True
    """
    plain = "".join(
        each for each in unicodedata.normalize("NFKD", display_name) if not unicodedata.combining(each)
    )
    return frozenset(_WORD.findall(plain.casefold()))
