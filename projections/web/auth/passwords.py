"""Passwords: which are taken, and how they are kept (argon2id, RFC 9106)."""

import secrets
import threading
import unicodedata
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from schemas.errors import BadInput

SHORTEST: Final = 12  # characters
_LONGEST: Final = 1024  # bytes: what is longer only makes work
_FEWEST: Final = 5  # different characters
# The commonest that are long enough, without what stands between their words.
_COMMON: Final = (
    "password", "passwort", "qwertyuiop", "asdfghjkl", "qwerty", "letmein", "iloveyou", "welcome", "admin",
    "administrator", "changeme", "discardrack", "surveillance", "casino", "1q2w3e4r5t6y", "1qaz2wsx3edc",
)  # fmt: skip
_AT_ONCE: Final = threading.Semaphore(2)  # each takes 64 MiB

_hasher: Final = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)


def check(password: str, name: str) -> None:
    """Refuse a password that is too short, or among the first that would be tried.

    Raises:
        BadInput: it is refused; the message says why.
    """
    text = _form(password)
    if len(text) < SHORTEST:
        raise BadInput(f"the password has {len(text)} characters; {SHORTEST} are the least")
    if len(text.encode()) > _LONGEST:
        raise BadInput(f"the password is longer than {_LONGEST} bytes")
    plain = "".join(each for each in text.casefold() if each.isalnum())
    if len(set(text)) < _FEWEST or plain.isdigit():
        raise BadInput("the password is too simple: few characters over and over, or digits alone")
    if name.casefold() in text.casefold():
        raise BadInput("the password has the account's name in it")
    if any(plain.strip("0123456789") == each or plain == each for each in _COMMON):
        raise BadInput("the password is among the first that would be tried")


def hashed(password: str) -> str:
    """Return what is kept of a password."""
    with _AT_ONCE:
        return _hasher.hash(_form(password))


def is_right(password: str, kept: str) -> bool:
    """Return True if a password is the one of which this is kept."""
    with _AT_ONCE:
        try:
            return _hasher.verify(kept, _form(password))
        except (VerificationError, InvalidHashError):
            return False


@cache
def of_nobody() -> str:
    """Return what would be kept of a password that nobody has: checking it is as much work as any other."""
    return hashed(secrets.token_hex())


def for_once() -> str:
    """Make a password that is to be changed at the first login."""
    return "-".join(secrets.token_hex(3) for _ in range(4))


def _form(password: str) -> str:
    # One letter may be typed in two ways, as one character or as a letter and an accent.
    return unicodedata.normalize("NFC", password)
