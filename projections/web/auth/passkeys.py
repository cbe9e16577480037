"""Passkeys by Web Authentication: what a browser is asked, and what its response proves.

The library takes a tenth of a second to load, so it is loaded where a passkey is used.
"""

import hashlib
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from projections.web.auth.roles import Person
from schemas.errors import BadInput

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

_NAME: Final = "discardrack"
# Exceptions that a malformed response makes the library raise; its own are of `Exception` alone.
_MALFORMED: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError)


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
    import webauthn  # noqa: PLC0415  it takes long to load
    from webauthn.helpers import structs  # noqa: PLC0415  likewise

    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name=_NAME,
        user_id=hashlib.sha256(f"{_NAME} {person.name}".encode()).digest(),
        user_name=person.name,
        user_display_name=person.shown,
        exclude_credentials=_descriptors(credentials),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.DISCOURAGED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
    )
    return webauthn.options_to_json(options), options.challenge


def registered(response: dict[str, object], challenge: bytes, site: Site) -> Credential:
    """Return the passkey that a browser made.

    Raises:
        BadInput: its response does not prove one, for this challenge and this site.
    """
    import webauthn  # noqa: PLC0415  it takes long to load

    try:
        made = webauthn.verify_registration_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except (webauthn.helpers.exceptions.WebAuthnException, *_MALFORMED):
        raise BadInput("the browser made no passkey for this page") from None
    return Credential(
        webauthn.helpers.bytes_to_base64url(made.credential_id), made.credential_public_key, made.sign_count
    )


def sign_in_options(site: Site, credentials: list[str]) -> tuple[str, bytes]:
    """Return as JSON what a browser needs to prove one of the passkeys, and the challenge."""
    import webauthn  # noqa: PLC0415  it takes long to load

    options = webauthn.generate_authentication_options(
        rp_id=site.host, allow_credentials=_descriptors(credentials)
    )
    return webauthn.options_to_json(options), options.challenge


def proved(response: dict[str, object], challenge: bytes, site: Site, credential: Credential) -> int | None:
    """Return how often the passkey has signed now; None if the response does not prove it."""
    import webauthn  # noqa: PLC0415  it takes long to load

    try:
        found = webauthn.verify_authentication_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=credential.public_key,
            credential_current_sign_count=credential.count,
        )
    except (webauthn.helpers.exceptions.WebAuthnException, *_MALFORMED):
        return None
    return found.new_sign_count


def _descriptors(credentials: list[str]) -> list["PublicKeyCredentialDescriptor"]:
    import webauthn  # noqa: PLC0415  it takes long to load
    from webauthn.helpers import structs  # noqa: PLC0415  likewise

    return [
        structs.PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(each)) for each in credentials
    ]
