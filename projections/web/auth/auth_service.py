"""The service behind every login: accounts, sessions, and the limits on attempts."""

import hmac
import secrets
import time
from asyncio import to_thread
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

import structlog
from msgspec.structs import replace

from projections.views.time_text import moment_text
from projections.web.auth import accounts
from projections.web.auth.access_log import NOBODY, AccessRecorder, note
from projections.web.auth.accounts import Accounts, Session, Sessions, Tokens, session_of
from projections.web.auth.accounts_file import AccountsFile, Now, accounts_of, now
from projections.web.auth.embargo import Embargoes, Records
from projections.web.auth.masking import Masking
from projections.web.auth.roles import MACHINE, Pending, Person, Right, Role
from projections.web.auth.saved_views import Views
from projections.web.auth.second_factors import SecondFactors
from projections.web.records.viewer_scope import Unmasking
from schemas.errors import BadInput
from schemas.house import DEFAULT
from schemas.values import capital

# ── Attempts to log in: the more have failed, the longer the next waits; none is locked out for good ────
# Counted are an account's attempts from one address, an address's, and an account's from all addresses from
# which it was never logged into: a stranger who tries a name does not keep out who works there every night.

_FREE: Final = 3  # attempts that anyone mistypes
_ADDRESS_FREE: Final = 10  # a room may have one address
_LONGEST_WAIT: Final = 300  # seconds
_FORGOTTEN: Final = 86_400  # seconds after the last attempt
_ADDRESS_SECONDS: Final = 90 * 86_400  # seconds for which an address is remembered


class Throttle:
    """The attempts that a file of accounts remembers, so that they outlast a restart."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def attempt(self, name: str, address: str) -> int:
        """Count a login attempt before it is made; return the seconds to wait first if it is not allowed yet.

        It is counted before its result is known, so that nobody can make a thousand at once.
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
        """Clear the account's failed attempts from this address, and mark the address as known for it.

        Failed attempts from the address with other names stay counted.
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
            db.execute("DELETE FROM known WHERE last <= ?", [now - _ADDRESS_SECONDS])

    def _counted(self, name: str, address: str) -> dict[str, int]:
        """Return what an attempt is counted under, each with how many are free."""
        # Quoted, so that nobody can enter a name that is counted as another's at another address.
        counted = {f"account {name!r} at {address}": _FREE, f"address {address}": _ADDRESS_FREE}
        is_known = self._file.ask("SELECT 1 FROM known WHERE name = ? AND address = ?", name, address)
        return counted if is_known else counted | {f"account {name!r}": _FREE}


def _delay(failures: int, free: int) -> int:
    """Return the seconds to wait after so many failures.

    >>> [_delay(each, 3) for each in (1, 3, 4, 5, 8, 12, 100)]
    [0, 0, 2, 4, 32, 300, 300]
    """
    return min(_LONGEST_WAIT, 2 ** min(failures - free, 20)) if failures >= free + 1 else 0


# ── What stands between a browser and the console: one file of accounts and all that it decides ───────

if TYPE_CHECKING:  # its library is an extra
    from projections.web.auth.oidc import Failure, Identity, Provider, Unproven

_KNOWN_BY: Final = "by the property's login"
_UNPROVEN: Final[Mapping["Failure", str]] = {
    "unreachable": "{called} cannot be reached. Try again in a few minutes, then tell whoever keeps it.",
    "settings": "{called} and the console do not agree on their settings; the console's log says on what. "
    "Tell whoever keeps the console.",
    "refused": "{called} did not log you in. Try again, or ask whoever keeps it.",
    "late": "This login took too long, or was begun in another window. Log in again.",
    "unproven": "{called} answered in a way that proves nothing; the console's log says why. Log in again.",
}
_LONGEST: Final = 64  # characters of a name that can be an account's
_TOKEN: Final = 32  # bytes

_log: Final = structlog.get_logger()


class LoginRefused(Exception):
    """A refused login: the message, and for how many seconds no attempt is allowed."""

    def __init__(self, message: str, wait: int = 0) -> None:
        super().__init__(message)
        self.message, self.wait = message, wait


class AuthService:
    """Authentication: the accounts, sessions and attempts of the file beside a store.

    `zone` is the property's, for times on pages; `records` knows those of the store; `provider` is the
    property's own login, if it has one. People of the roles in `second_factor` need one, unless they log in
    by the property's login. `granted` are the rights that the room's settings give to roles without them.

    Raises:
        BadInput: the file of accounts cannot be made or opened, or something in `second_factor` is no role.
    """

    def __init__(
        self,
        store: Path,
        zone: str = DEFAULT.zone,
        now: Now = now,
        records: Records | None = None,
        provider: "Provider | None" = None,
        second_factor: Iterable[str] = (),
        granted: Mapping[Right, Collection[Role]] = MappingProxyType({}),
    ) -> None:
        self._needs_factor = frozenset(accounts.role_of(each) for each in second_factor)
        self._granted = granted
        self.file = AccountsFile(accounts_of(store), now)
        self.store, self.zone, self.provider = store, zone, provider
        self.accounts = Accounts(self.file)
        self.sessions = Sessions(self.file)
        self.tokens = Tokens(self.file)
        self.factors = SecondFactors(self.file)
        self.embargoes = Embargoes(self.file, records)
        self.unmasking = Unmasking(self.file)
        self.access_recorder = AccessRecorder(self.file)
        self.views = Views(self.file)
        self._throttle = Throttle(self.file)
        self._key = self.file.key("before a login")
        self._masks = self.file.key("masks")
        self._seals = self.file.key("at the property's login")

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def person(self, token: str | None) -> Person | None:
        """Return who is logged in by the token of a browser."""
        return self._with_granted(self.sessions.person(session_of(token))) if token else None

    def _with_granted(self, person: Person | None) -> Person | None:
        if person is None:
            return None
        granted = frozenset(right for right, roles in self._granted.items() if person.role in roles)
        return replace(person, granted=granted) if granted else person

    def session_of_token(self, token: str) -> tuple[Person | None, Masking | None]:
        """Return who is logged in by the token of a browser, and what masks names for this person."""
        person = self.person(token)
        return person, self.masking(person) if person is not None else None

    def token_reader(self, token: str, route: str, address: str) -> tuple[Person | None, Masking | None]:
        """Return whose token a program reads by, and what masks names for it; that it reads is noted."""
        person = self._with_granted(self.tokens.person(session_of(token)))
        if person is None:
            return None, None
        self.tokens.used(person, route, address)
        return person, self.masking(person)

    def is_admitted(self, person: Person) -> bool:
        """Return True if a person's session or token is still valid, and note that it is in use."""
        found = (self.sessions.person(person.session), self.tokens.person(person.session))
        return person in map(self._with_granted, found)

    def on_duty(self) -> list[str]:
        """Return the accounts that may work on alerts and whose session is in use."""
        present = self.sessions.in_use()
        return [each for each in self.accounts.working() if each in present]

    def login(self, name: str, password: str, address: str, agent: str = "") -> str:
        """Log an account in; return the token for the browser, which identifies itself as `agent`.

        If the account has a second factor the session opens nothing before that is proved too.

        Raises:
            Refused: name and password are not those of an account, or too many attempts have failed.
        """
        name = name.strip().casefold()[:_LONGEST]
        if wait := self._throttle.attempt(name, address):
            raise LoginRefused(f"Too many attempts; try again in {wait} s.", wait)
        password_hash = self.accounts.hash_of(name) if self._may_use_password(name) else None
        right = accounts.is_right(password, password_hash or accounts.of_nobody())
        if password_hash is None or not right:
            # Who types the password in the wrong field does not find it in the log.
            whom = name if self.accounts.find(name) is not None else None
            note(self.file, NOBODY, "login refused", whom=whom, detail=f"from {address}")
            raise LoginRefused(self._not_right())
        with self.file.writing():
            self._throttle.succeeded(name, address)
            pending = self._pending(name)
            if pending != "code":
                note(self.file, name, "login", detail=f"from {address}")
            return self.sessions.begin(name, address, agent, pending=pending)

    def _not_right(self) -> str:
        """Return the message for a refused password, the same whether or not the account exists."""
        refusal = "The name or the password is not right."
        if self.provider is None or self.provider.settings.passwords is None:
            return refusal
        return (
            f"{refusal} Most accounts log in with {self.provider.settings.called} here and have no password."
        )

    def _pending(self, name: str) -> Pending | None:
        """Return what a session of an account lacks when the password was right."""
        if self.factors.of(name):
            return "code"
        return "setup" if self.accounts.get(name).role in self._needs_factor else None

    def needs_factor(self, person: Person) -> bool:
        """Return True if the house asks a second factor of the person's role."""
        return person.role in self._needs_factor

    def complete_login(
        self, person: Person, proof: str | Callable[[], bool], address: str, agent: str = ""
    ) -> str:
        """Log in who proves a second factor, by a code or otherwise; gives the token of a new session.

        Raises:
            LoginRefused: it is not proved, or too many attempts have failed.
        """
        subject = f"{person.name}, second factor"
        if wait := self._throttle.attempt(subject, address):
            raise LoginRefused(f"Too many attempts; try again in {wait} s.", wait)
        is_right = self.factors.is_right(person.name, proof) if isinstance(proof, str) else proof()
        if not is_right:
            note(
                self.file,
                NOBODY,
                "login refused",
                whom=person.name,
                detail=f"from {address}, second factor",
            )
            raise LoginRefused("That code is not right. A code works once, for half a minute.")
        with self.file.writing():
            self._throttle.succeeded(subject, address)
            note(self.file, person.name, "login", detail=f"from {address}, with a second factor")
            self.sessions.end(person.session)
            return self.sessions.begin(person.name, address, agent)

    def confirm_password(self, person: Person, password: str, address: str) -> None:
        """Raise LoginRefused if this is not the password of a person who has one.

        Raises:
            LoginRefused: it is not, or too many attempts have failed.
        """
        password_hash = self.accounts.hash_of(person.name)
        if password_hash is None:  # the property's login has just proved who this is
            return
        if wait := self._throttle.attempt(person.name, address):
            raise LoginRefused(f"Too many attempts; try again in {wait} s.", wait)
        if not accounts.is_right(password, password_hash):
            raise LoginRefused("The password is not right.")
        self._throttle.succeeded(person.name, address)

    def end_sessions(self, sessions: Iterable[Session], *, by: str) -> int:
        """End sessions early; return how many there were."""
        ended = list(sessions)
        with self.file.writing():
            for each in ended:
                self.sessions.end(each.id)
                detail = f"ended, begun {self.clock(each.began)} from {each.address or 'unknown'}"
                note(self.file, by, "session", whom=each.name, detail=detail)
        return len(ended)

    def login_external(self, identity: "Identity", address: str, agent: str = "") -> str:
        """Log in whom the property's login knows; gives the token for the browser.

        An account with a password has the role that it was given here. One without is of this login alone:
        it has the role that its words stand for each time, and is added when it comes first.

        Raises:
            Refused: there is no such account, it is disabled, or its words stand for no role any more.
        """
        try:
            with self.file.writing():
                self._admit_external(identity)
                self.accounts.link_identity(identity.name, identity.sub)
                note(self.file, identity.name, "login", detail=f"from {address}, {_KNOWN_BY}")
                return self.sessions.begin(identity.name, address, agent)
        except (BadInput, LoginRefused) as error:
            refusal = str(error)
            detail = f"from {address}, {_KNOWN_BY}: {identity.name!r}: {refusal}"
            note(self.file, NOBODY, "login refused", detail=detail)
            raise LoginRefused(refusal) from None

    def _admit_external(self, identity: "Identity") -> None:
        account = self.accounts.find(identity.name)
        if account is None and identity.role is not None:
            self.accounts.add_external(identity.name, identity.shown, identity.role, by=_KNOWN_BY)
            return
        if account is None or account.disabled or account.role == MACHINE:
            raise LoginRefused("There is no account with this name here.")
        if self.accounts.hash_of(identity.name) is None and identity.role != account.role:
            if identity.role is None:
                raise LoginRefused("This account no longer has a role here.")
            self.accounts.give_role(identity.name, identity.role, by=_KNOWN_BY)

    def note_unproven(self, error: "Unproven", address: str) -> LoginRefused:
        """Log that the property's login proved no identity, and why; return the error for the user."""
        note(self.file, NOBODY, "login refused", detail=f"from {address}, {_KNOWN_BY}: {error}")
        # The library's message may have a name in it.
        _log.warning("oidc_failed", failure=error.failure, reason=error.reason)
        called = self.provider.settings.called if self.provider is not None else _KNOWN_BY
        return LoginRefused(capital(_UNPROVEN[error.failure].format(called=called)))

    def logout(self, person: Person) -> None:
        """End a person's session."""
        with self.file.writing():
            self.sessions.end(person.session)
            note(self.file, person.name, "logout")

    def change_password(
        self, person: Person, old: str, passwords: tuple[str, str], address: str, agent: str = ""
    ) -> str:
        """Return a person's account the password that was typed twice; gives the token of a new session.

        Every other session of the account ends.

        Raises:
            Refused: the old password is not right, the new one is refused, or too many attempts have failed.
        """
        new, again = passwords
        if new != again:
            raise LoginRefused("The two new passwords are not the same.")
        if wait := self._throttle.attempt(person.name, address):
            raise LoginRefused(f"Too many attempts; try again in {wait} s.", wait)
        password_hash = self.accounts.hash_of(person.name)
        if password_hash is None or not accounts.is_right(old, password_hash):
            raise LoginRefused("The old password is not right.")
        self._throttle.succeeded(person.name, address)
        if old == new:
            raise LoginRefused("The new password is the same as the old one.")
        try:
            self.accounts.set_password(person.name, new, by=person.name)
        except BadInput as error:
            raise LoginRefused(f"{capital(str(error))}.") from None
        pending = self._pending(person.name)
        return self.sessions.begin(
            person.name, address, agent, pending="setup" if pending == "setup" else None
        )

    def clock(self, at: int) -> str:
        """Write a time, in seconds UTC, in the property's zone."""
        return moment_text(datetime.fromtimestamp(at, UTC), self.zone)

    def empty(self) -> bool:
        """Return True if there is no account yet."""
        return not self.accounts.all()

    def masking(self, person: Person) -> Masking:
        """Return what masks names for a person, with what this session has unmasked."""
        return Masking(self._masks, self.unmasking.of(person))

    def csrf_before(self, cookie: str) -> str:
        """Return the CSRF token of a form before login, for the cookie that its page set."""
        return hmac.digest(self._key, cookie.encode(), "sha256").hex()

    def sealed(self, text: str) -> str:
        """Return the seal of what a browser keeps while it is at the property's login."""
        return hmac.digest(self._seals, text.encode(), "sha256").hex()

    def _may_use_password(self, name: str) -> bool:
        allowed = self.provider.settings.passwords if self.provider is not None else None
        return allowed is None or name in allowed


def cookie_before() -> str:
    """Make the cookie of a page before login."""
    return secrets.token_urlsafe(_TOKEN)


# ── A stream that ends when its listener is no longer logged in ───────────────────────────────────────

_T = TypeVar("_T")

# A stream is never silent for longer than proxies allow, so this is checked at least as often.
ASKED_EVERY: Final = 5.0  # seconds


async def while_admitted(
    messages: AsyncGenerator[_T, None], auth: AuthService, person: Person
) -> AsyncGenerator[_T, None]:
    """Yield messages for as long as a person is logged in; that someone listens is use of the session."""
    began = time.monotonic()
    async with aclosing(messages):
        async for message in messages:
            if time.monotonic() >= began + ASKED_EVERY:
                if not await to_thread(auth.is_admitted, person):
                    return
                began = time.monotonic()
            yield message
