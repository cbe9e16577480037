"""OpenID Connect: the property's own login identifies people (OpenID Connect Core 1.0, by code and PKCE).

Its library is an extra of this one, `discardrack[oidc]`, and is loaded only where it is used.
"""

import hmac
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
from authlib.common.urls import add_params_to_uri
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from msgspec import Struct
from requests import RequestException
from requests.adapters import BaseAdapter

from projections.web.auth.roles import MACHINE, ROLES, Role
from schemas import plain
from schemas.errors import BadInput

# Signatures by a key that the provider publishes; one made with the shared secret could be ours.
_ALGORITHMS: Final = [
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
]
_LEEWAY: Final = 60  # seconds between the provider's clock and ours
_PATIENCE: Final = 10.0  # seconds for an answer of the provider
_TOKEN: Final = 32  # bytes
_CODE: Final = re.compile("[a-z_]{1,64}")  # of an error (RFC 6749, 5.2)
_METADATA_SECONDS: Final = 3600  # seconds for which the provider's metadata is cached

# Why the property's login proved no identity: it does not answer, it is configured differently, it refused,
# the browser came back too late or from elsewhere, or its signature is not valid.
Failure: TypeAlias = Literal["unreachable", "settings", "refused", "late", "unproven"]


class Unproven(Exception):
    """The provider did not prove an identity: the message for the access log, and the kind of failure.

    `reason` is for a log without names: a library's error message may contain one.
    """

    def __init__(self, message: str, failure: Failure = "unproven", reason: str | None = None) -> None:
        super().__init__(message)
        self.failure, self.reason = failure, reason or message


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a provider.

    `client_secret_file` is relative to the file's own folder. `redirect_uri` is the console's own address
    with /oidc/back at its end. `name_claim` holds the account's name. If there are `roles`, `role_claim`
    holds one word or several, and a person without an account gets one in the first role that one of them
    stands for. `passwords` are the accounts that may still log in by one; without it all may.
    """

    issuer: str
    client_id: str
    client_secret_file: str
    redirect_uri: str
    called: str = "the property's login"
    scopes: tuple[str, ...] = ("openid", "profile")
    name_claim: str = "preferred_username"
    role_claim: str = "groups"
    roles: Mapping[str, Role] = {}
    passwords: tuple[str, ...] | None = None


class LoginRequest(Struct, frozen=True):
    """State of a login in the browser while it is at the provider; `at` in seconds UTC."""

    state: str
    nonce: str
    verifier: str
    to: str
    at: int


class Identity(Struct, frozen=True):
    """Whom the provider knows: the account's name, the name that is shown, the role that it stands for.

    `sub` is the provider's address and its own name of the person, which stays (OpenID Connect Core, 5.7).
    """

    name: str
    shown: str
    role: Role | None
    sub: str


class _Ends(Struct, frozen=True):
    """Endpoints of a provider, as it states them (OpenID Connect Discovery 1.0, section 3)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    end_session_endpoint: str | None = None

    def unsafe(self) -> str | None:
        """Return one that is not https; None if all are."""
        ends = {name: getattr(self, name) for name in self.__struct_fields__}
        return next((name for name, end in ends.items() if end is not None and not _is_safe(end)), None)


def load(path: Path) -> "Provider":
    """Read the file of a provider, and its secret from the file beside it.

    Raises:
        BadInput: there is no such file, or it is at fault; the message names the place.
    """
    settings = plain.read(path, Settings, "a file of a login provider")
    try:
        secret = (path.parent / settings.client_secret_file).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:  # a name may be one that no file can have
        raise BadInput(f"{path}: not a file of a login provider: client_secret_file: {error}") from None
    for name in ("issuer", "redirect_uri"):
        if not _is_safe(getattr(settings, name)):
            raise BadInput(f"{path}: {name}: has to begin with https://")
    if not settings.redirect_uri.endswith("/oidc/back"):
        raise BadInput(f"{path}: redirect_uri: is the console's address with /oidc/back at its end")
    if "openid" not in settings.scopes:
        raise BadInput(f"{path}: scopes: openid has to be one of them")
    if MACHINE in settings.roles.values():
        raise BadInput(f"{path}: roles: {MACHINE} is no role of a person; there are {', '.join(ROLES)}")
    if not secret:
        raise BadInput(f"{path}: client_secret_file: is empty")
    return Provider(settings, secret)


class Provider:
    """A login provider; `carrier` brings requests to it, where that is not the network."""

    def __init__(self, settings: Settings, secret: str, carrier: BaseAdapter | None = None) -> None:
        self.settings = settings
        self._secret, self._carrier = secret, carrier
        self._told: tuple[_Ends, int] | None = None

    def ask(self, to: str, now: int) -> tuple[str, LoginRequest]:
        """Return the address to send a browser to, and what it has to keep; `to` is where it goes after that.

        Raises:
            Unproven: the provider does not answer as it should.
        """
        state, nonce, verifier = (secrets.token_urlsafe(_TOKEN) for _ in range(3))
        login_request = LoginRequest(state, nonce, verifier, to, now)
        with self._client() as client:
            address, _ = client.create_authorization_url(
                self._ends(client, now).authorization_endpoint,
                state=login_request.state,
                nonce=login_request.nonce,
                code_verifier=login_request.verifier,
            )
        return str(address), login_request

    def way_out(self, now: int) -> str | None:
        """Return the address at which a browser is logged out of the provider; None if it has none.

        It is asked for by whom alone (OpenID Connect RP-Initiated Logout 1.0): the provider asks the person.

        Raises:
            Unproven: the provider does not answer as it should.
        """
        with self._client() as client:
            end = self._ends(client, now).end_session_endpoint
        return add_params_to_uri(end, {"client_id": self.settings.client_id}) if end is not None else None

    def identify(self, login_request: LoginRequest, brought: Mapping[str, str], now: int) -> Identity:
        """Return the person whom the provider identified, by what the browser brought back from it.

        Raises:
            Unproven: no person, or not proven.
        """
        settings = self.settings
        if not hmac.compare_digest(brought.get("state", "").encode(), login_request.state.encode()):
            raise Unproven("it came back with another state", "late")
        if brought.get("iss", settings.issuer) != settings.issuer:
            raise Unproven("another provider answered")
        if "code" not in brought:
            raise Unproven(f"the provider said {brought.get('error', 'nothing')!r}", "refused")
        try:
            with self._client() as client:
                ends = self._ends(client, now)
                token = client.fetch_token(
                    ends.token_endpoint, code=brought["code"], code_verifier=login_request.verifier
                )
                keys = KeySet.import_key_set(_json(client, ends.jwks_uri))
                claims = self._proven(token, keys, login_request, now)
                return self._person(self._with_more(client, claims, ends))
        except (OAuthError, JoseError, RequestException, KeyError, TypeError, ValueError) as error:
            kind = type(error).__name__
            raise Unproven(f"{kind}: {error}", _failure_of(error), _reason_of(error)) from None

    def _proven(
        self, token: Mapping[str, Any], keys: KeySet, login_request: LoginRequest, now: int
    ) -> Mapping[str, Any]:
        """Return the claims that the provider signed about a person, for this login only."""
        settings = self.settings
        registry = JWSRegistry(algorithms=_ALGORITHMS, strict_check_header=False)
        read = jwt.decode(token["id_token"], keys, registry=registry)
        options = {
            "iss": {"essential": True, "value": settings.issuer},
            "aud": {"essential": True, "value": settings.client_id},
        }
        params = {
            "nonce": login_request.nonce,
            "client_id": settings.client_id,
            "access_token": token.get("access_token"),
        }
        claims = CodeIDToken(read.claims, read.header, options, params)
        claims.validate(now=now, leeway=_LEEWAY)
        # A nonce that is missing is not looked at by itself.
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), login_request.nonce.encode()):
            raise Unproven("the nonce is another's")
        return dict(claims)

    def _with_more(self, client: OAuth2Session, claims: Mapping[str, Any], ends: _Ends) -> Mapping[str, Any]:
        """Add the provider's unsigned claims about a person if the signed ones lack something.

        Claims that scopes request need not be in the signed part (OpenID Connect Core 1.0, section 5.4).
        """
        settings = self.settings
        needed = {settings.name_claim, *([settings.role_claim] if settings.roles else [])}
        if needed <= claims.keys() or ends.userinfo_endpoint is None:
            return claims
        userinfo = msgspec.convert(
            _json(client, ends.userinfo_endpoint, withhold_token=False), dict[str, Any]
        )
        if userinfo.get("sub") != claims["sub"]:  # section 5.3.2
            raise Unproven("the provider told of another person than it signed for")
        return userinfo | dict(claims)

    def _person(self, claims: Mapping[str, Any]) -> Identity:
        settings = self.settings
        name, display_name = claims.get(settings.name_claim), claims.get("name")
        if not isinstance(name, str) or not name:
            raise Unproven(f"the claim {settings.name_claim} has no name", "settings")
        roles = claims.get(settings.role_claim)
        words = roles if isinstance(roles, list) else [roles]
        role = next((role for word, role in settings.roles.items() if word in words), None)
        name = name.strip().casefold()
        return Identity(
            name,
            display_name if isinstance(display_name, str) and display_name.strip() else name,
            role,
            f"{settings.issuer} {claims['sub']}",
        )

    def _client(self) -> OAuth2Session:
        client = OAuth2Session(
            client_id=self.settings.client_id,
            client_secret=self._secret,
            redirect_uri=self.settings.redirect_uri,
            scope=" ".join(self.settings.scopes),
            code_challenge_method="S256",
            default_timeout=_PATIENCE,
        )
        if self._carrier is not None:
            client.mount("https://", self._carrier)
        return client

    def _ends(self, client: OAuth2Session, now: int) -> _Ends:
        """Return the provider's metadata, requested once an hour."""
        if self._told is not None and now < self._told[1] + _METADATA_SECONDS:
            return self._told[0]
        issuer = self.settings.issuer
        try:
            document = _json(client, f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            ends = msgspec.convert(document, _Ends)
        except (RequestException, ValueError) as error:
            message = "the provider tells nothing of itself"
            raise Unproven(
                f"{message}: {type(error).__name__}: {error}",
                "unreachable",
                f"{message}: {_reason_of(error)}",
            ) from None
        if ends.issuer != issuer:
            raise Unproven("what is told of the provider is of another issuer", "settings")
        if (unsafe := ends.unsafe()) is not None:
            raise Unproven(f"the provider's {unsafe} is not https", "settings")
        self._told = ends, now
        return ends


def _failure_of(error: Exception) -> Failure:
    match error:
        case OAuthError(error="invalid_client" | "unauthorized_client" | "invalid_scope"):
            return "settings"
        case RequestException():
            return "unreachable"
    return "unproven"


def _reason_of(error: Exception) -> str:
    """Return an error's kind, with the provider's code of it."""
    match error:
        case OAuthError(error=str(code)) if _CODE.fullmatch(code):
            return f"{type(error).__name__}: {code}"
        case RequestException(response=response) if response is not None:
            return f"{type(error).__name__}: status {response.status_code}"
    return type(error).__name__


def _json(client: OAuth2Session, address: str, *, withhold_token: bool = True) -> Any:
    answer = client.get(address, withhold_token=withhold_token)
    answer.raise_for_status()
    return answer.json()


def _is_safe(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "https" and bool(parts.netloc)
