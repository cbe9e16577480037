"""Passkeys by Web Authentication: what a browser is asked, and what its response proves."""

import hashlib
from typing import Final

from msgspec import Struct
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from projections.web.auth.roles import Person
from schemas.errors import BadInput

_NAME: Final = "discardrack"
# Exceptions that a malformed response makes the library raise, besides its own.
_MALFORMED: Final = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, IndexError)


class Site(Struct, frozen=True):
    """The console as a browser knows it: the host that a passkey belongs to, and the address of its pages."""

    host: str
    origin: str


class Credential(Struct, frozen=True):
    """A passkey: its id (base64url), its public key, and how often it has signed, if it counts."""

    id: str
    public_key: bytes
    count: int


def passkey_options(person: Person, site: Site, credentials: list[str]) -> tuple[str, bytes]:
    """Return as JSON what a browser needs to make a passkey besides `credentials`, and the challenge."""
    options = generate_registration_options(
        rp_id=site.host,
        rp_name=_NAME,
        user_id=hashlib.sha256(f"{_NAME} {person.name}".encode()).digest(),
        user_name=person.name,
        user_display_name=person.shown,
        exclude_credentials=_descriptors(credentials),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.DISCOURAGED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
    )
    return options_to_json(options), options.challenge


def registered(response: dict[str, object], challenge: bytes, site: Site) -> Credential:
    """Return the passkey that a browser made.

    Raises:
        BadInput: its response does not prove one, for this challenge and this site.
    """
    try:
        made = verify_registration_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except _MALFORMED:
        raise BadInput("the browser made no passkey for this page") from None
    return Credential(bytes_to_base64url(made.credential_id), made.credential_public_key, made.sign_count)


def sign_in_options(site: Site, credentials: list[str]) -> tuple[str, bytes]:
    """Return as JSON what a browser needs to prove one of the passkeys, and the challenge."""
    options = generate_authentication_options(rp_id=site.host, allow_credentials=_descriptors(credentials))
    return options_to_json(options), options.challenge


def proved(response: dict[str, object], challenge: bytes, site: Site, credential: Credential) -> int | None:
    """Return how often the passkey has signed now; None if the response does not prove it."""
    try:
        found = verify_authentication_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=credential.public_key,
            credential_current_sign_count=credential.count,
        )
    except _MALFORMED:
        return None
    return found.new_sign_count


def _descriptors(credentials: list[str]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in credentials]
