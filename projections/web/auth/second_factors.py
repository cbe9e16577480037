"""Second factors of accounts: codes of an authenticator (RFC 6238), passkeys, and recovery codes."""

import hashlib
import secrets
import sqlite3
import threading
from base64 import b32encode
from hmac import compare_digest
from typing import Final, Literal, TypeAlias

import pyotp
from msgspec import Struct

from projections.web.auth.access_log import note
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.passkeys import (
    Credential,
    Site,
    passkey_options,
    proved,
    registered,
    sign_in_options,
)
from projections.web.auth.roles import Person
from schemas.errors import BadInput

FactorKind: TypeAlias = Literal["authenticator", "passkey"]

ISSUER: Final = "discardrack"
CODES: Final = 10  # recovery codes
_STEP: Final = 30  # seconds for which an authenticator shows a code
_DRIFT: Final = 1  # steps by which the authenticator's clock may differ
_CODE_BYTES: Final = 10  # of a recovery code, sixteen letters and digits
_PATIENCE: Final = 600  # seconds in which what was begun is to be completed
_LONGEST_LABEL: Final = 60  # characters
_MAX_FACTORS: Final = 10  # of one account


class Factor(Struct, frozen=True):
    """A second factor of an account: times in seconds UTC, `used` when it last opened it."""

    id: int
    kind: FactorKind
    label: str
    made: int
    used: int | None


class SecondFactors:
    """The second factors of a file of accounts."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file
        # What was begun in a session and is not completed: an authenticator's secret, a passkey's challenge.
        self._begun: dict[tuple[str, FactorKind], tuple[bytes, int]] = {}
        self._lock = threading.Lock()

    def of(self, name: str) -> list[Factor]:
        """Return the second factors of an account, the oldest first."""
        return [
            Factor(row["id"], row["kind"], row["label"], row["made"], row["used"]) for row in self._rows(name)
        ]

    def holders(self) -> frozenset[str]:
        """Return the accounts that have a second factor."""
        return frozenset(row["name"] for row in self._file.ask("SELECT DISTINCT name FROM second_factors"))

    def recovery_codes_left(self, name: str) -> int:
        """Return how many recovery codes of an account have not been used."""
        (row,) = self._file.ask("SELECT count(*) AS left FROM recovery_codes WHERE name = ?", name)
        return int(row["left"])

    # ── authenticators ──

    def begin_authenticator(self, person: Person) -> str:
        """Return the secret of a new authenticator, which counts when the first of its codes was typed."""
        secret = pyotp.random_base32()
        self._begin(person.session, "authenticator", secret.encode())
        return secret

    def begun_authenticator(self, person: Person) -> str | None:
        """Return the secret of the authenticator that was begun in this session; None if there is none."""
        with self._lock:
            secret, at = self._begun.get((person.session, "authenticator"), (b"", 0))
        return secret.decode() if secret and at > self._file.now() - _PATIENCE else None

    def add_authenticator(self, person: Person, label: str, code: str) -> list[str]:
        """Add the authenticator that was begun; gives recovery codes where the account had no second factor.

        Raises:
            BadInput: none was begun within ten minutes, or the code is not one of its codes now.
        """
        secret = self._completed(person.session, "authenticator", keep=True)
        step = self._matching_step(secret.decode(), code, after=0)
        if step is None:
            raise BadInput("this is not the code that the authenticator shows now; check its clock")
        self._completed(person.session, "authenticator")
        return self._add(person, "authenticator", label, secret, None, step)

    # ── passkeys ──

    def begin_passkey(self, person: Person, site: Site) -> str:
        """Return as JSON what a browser needs to make a passkey of an account at a site."""
        options, challenge = passkey_options(person, site, self._credentials(person.name))
        self._begin(person.session, "passkey", challenge)
        return options

    def add_passkey(self, person: Person, site: Site, label: str, response: dict[str, object]) -> list[str]:
        """Add the passkey that a browser made; gives recovery codes where the account had no second factor.

        Raises:
            BadInput: none was begun within ten minutes, or the browser's response does not prove it.
        """
        made = registered(response, self._completed(person.session, "passkey"), site)
        return self._add(person, "passkey", label, made.public_key, made.id, made.count)

    def begin_sign_in(self, person: Person, site: Site) -> str:
        """Return as JSON what a browser needs to prove a passkey of an account.

        Raises:
            BadInput: the account has none.
        """
        credentials = self._credentials(person.name)
        if not credentials:
            raise BadInput("this account has no passkey")
        options, challenge = sign_in_options(site, credentials)
        self._begin(person.session, "passkey", challenge)
        return options

    def is_proved(self, person: Person, site: Site, response: dict[str, object]) -> bool:
        """Return True if a browser proved a passkey of the account; it is noted as used."""
        challenge = self._completed(person.session, "passkey")
        for row in self._rows(person.name):
            if row["kind"] == "passkey" and row["credential"] == response.get("id"):
                credential = Credential(row["credential"], row["secret"], row["counter"])
                count = proved(response, challenge, site, credential)
                return count is not None and self._use(row, count)
        return False

    # ── codes at a login ──

    def is_right(self, name: str, code: str) -> bool:
        """Return True if a code is that of an account's authenticator, or one of its recovery codes.

        Neither is right twice.
        """
        for row in self._rows(name):
            if row["kind"] == "authenticator":
                step = self._matching_step(row["secret"].decode(), code, after=row["counter"])
                if step is not None:
                    return self._use(row, step)
        with self._file.writing() as db:
            query = "DELETE FROM recovery_codes WHERE name = ? AND id = ?"
            if not db.execute(query, [name, _hash_of(code)]).rowcount:
                return False
            left = self.recovery_codes_left(name)
            note(
                self._file,
                name,
                "second factor",
                whom=name,
                detail=f"a recovery code was used, {left} are left",
            )
        return True

    def make_recovery_codes(self, name: str, *, by: str) -> list[str]:
        """Return new recovery codes of an account, to be shown once; those that it had end.

        Raises:
            BadInput: the account has no second factor in whose place they could be.
        """
        if not self.of(name):
            raise BadInput("recovery codes belong to a second factor; add one first")
        codes = [_grouped(b32encode(secrets.token_bytes(_CODE_BYTES)).decode().lower()) for _ in range(CODES)]
        with self._file.writing() as db:
            db.execute("DELETE FROM recovery_codes WHERE name = ?", [name])
            db.executemany(
                "INSERT INTO recovery_codes VALUES (?, ?)", [(_hash_of(each), name) for each in codes]
            )
            note(self._file, by, "second factor", whom=name, detail="recovery codes were made")
        return codes

    def remove(self, name: str, factor: int, *, by: str, required: bool) -> None:
        """Remove a second factor of an account; with the last go the recovery codes.

        Raises:
            BadInput: there is none of this number, or it is the last and `required`.
        """
        with self._file.writing() as db:
            factors = self.of(name)
            removed = next((each for each in factors if each.id == factor), None)
            if removed is None:
                raise BadInput("there is no such second factor any more")
            if len(factors) == 1 and required:
                raise BadInput("this is the last second factor, and the role needs one; add another first")
            db.execute("DELETE FROM second_factors WHERE id = ?", [factor])
            if len(factors) == 1:
                db.execute("DELETE FROM recovery_codes WHERE name = ?", [name])
            detail = f"{removed.kind} removed, {removed.label!r}"
            note(self._file, by, "second factor", whom=name, detail=detail)

    def reset(self, name: str, *, by: str) -> None:
        """Remove every second factor of an account, and end its sessions.

        Raises:
            BadInput: it has none.
        """
        with self._file.writing() as db:
            if not db.execute("DELETE FROM second_factors WHERE name = ?", [name]).rowcount:
                raise BadInput(f"the account {name!r} has no second factor")
            db.execute("DELETE FROM recovery_codes WHERE name = ?", [name])
            db.execute("DELETE FROM sessions WHERE name = ?", [name])
            note(self._file, by, "second factor", whom=name, detail="all removed")

    # ── within ──

    def _rows(self, name: str) -> list[sqlite3.Row]:
        return self._file.ask("SELECT * FROM second_factors WHERE name = ? ORDER BY id", name)

    def _credentials(self, name: str) -> list[str]:
        return [row["credential"] for row in self._rows(name) if row["credential"] is not None]

    def _begin(self, session: str, kind: FactorKind, secret: bytes) -> None:
        now = self._file.now()
        with self._lock:
            self._begun = {each: value for each, value in self._begun.items() if value[1] > now - _PATIENCE}
            self._begun[session, kind] = secret, now

    def _completed(self, session: str, kind: FactorKind, *, keep: bool = False) -> bytes:
        with self._lock:
            secret, at = self._begun.get((session, kind), (b"", 0))
            if not keep:
                self._begun.pop((session, kind), None)
        if not secret or at <= self._file.now() - _PATIENCE:
            raise BadInput("this took too long; begin again")
        return secret

    def _add(
        self,
        person: Person,
        kind: FactorKind,
        label: str,
        secret: bytes,
        credential: str | None,
        counter: int,
    ) -> list[str]:
        label = label.strip()[:_LONGEST_LABEL] or kind
        if not label.isprintable():
            raise BadInput("its name has a sign in it that does not belong there")
        now = self._file.now()
        with self._file.writing() as db:
            factors = self.of(person.name)
            if len(factors) >= _MAX_FACTORS:
                raise BadInput(f"an account has {_MAX_FACTORS} second factors at most; remove one first")
            try:
                db.execute(
                    "INSERT INTO second_factors VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, NULL)",
                    [person.name, kind, label, secret, credential, counter, now],
                )
            except sqlite3.IntegrityError:
                raise BadInput("this passkey is an account's already") from None
            note(
                self._file, person.name, "second factor", whom=person.name, detail=f"{kind} added, {label!r}"
            )
            return [] if factors else self.make_recovery_codes(person.name, by=person.name)

    def _matching_step(self, secret: str, code: str, after: int) -> int | None:
        """Return the step of time to which a code belongs, if that is now and after an earlier one."""
        plain, now = "".join(code.split()), self._file.now() // _STEP
        generator = pyotp.TOTP(secret)
        for step in range(now - _DRIFT, now + _DRIFT + 1):
            if step > after and compare_digest(generator.generate_otp(step).encode(), plain.encode()):
                return step
        return None

    def _use(self, row: sqlite3.Row, counter: int) -> bool:
        """Note that a factor opened its account; False if it did so with this very code before."""
        with self._file.writing() as db:
            query = "UPDATE second_factors SET counter = ?, used = ? WHERE id = ? AND counter = ?"
            used = db.execute(query, [counter, self._file.now(), row["id"], row["counter"]])
        return used.rowcount > 0


def enrolment_uri(name: str, secret: str) -> str:
    """Return what an authenticator reads to show the codes of an account.

    >>> enrolment_uri("ines", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ").partition("&")[0]
    'otpauth://totp/discardrack:ines?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    """
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def _grouped(code: str) -> str:
    """Write a code in groups of four.

    >>> _grouped("abcdefgh")
    'abcd-efgh'
    """
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def _hash_of(code: str) -> str:
    plain = "".join(each for each in code.casefold() if each.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()
