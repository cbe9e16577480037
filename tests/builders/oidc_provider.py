"""A login provider that is not made here: pyop's, over https on this machine, for one test at a time.

It has nothing of the library by which the console asks it. What it does wrong a test sets.
"""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import IPv4Address
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qs
from wsgiref.simple_server import WSGIRequestHandler, make_server

from Cryptodome.PublicKey import RSA
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from jwkest.jwk import RSAKey
from pyop.authz_state import AuthorizationState
from pyop.exceptions import InvalidAuthorizationCode, InvalidClientAuthentication, InvalidTokenRequest
from pyop.provider import Provider
from pyop.subject_identifier import HashBasedSubjectIdentifierFactory
from pyop.userinfo import Userinfo

CLIENT: Final = "console"
SECRET: Final = "the client's secret"  # noqa: S105  of no client but a test's
OTHER: Final = "another client"
_DAY: Final = timedelta(days=1)
_PEM: Final = serialization.Encoding.PEM


class OidcProvider:
    """The provider: whoever logged in there is `person`, `asked` are the paths asked for."""

    def __init__(self, address: str, back: str) -> None:
        self.address, self.person, self.asked = address, "u-1", list[str]()
        self.nonce: str | None = "as it was asked"
        self.signed_for: str | None = None
        self.people: dict[str, dict[str, Any]] = {
            "u-1": {"preferred_username": "Ines", "name": "Ines Ames", "groups": ["staff", "room"]},
            "u-2": {"preferred_username": "ben", "name": "Ben Boyd", "groups": ["staff"]},
        }
        self.told_of: str | None = None  # whose `sub` is distinguished from what was signed
        one = {"redirect_uris": [back], "response_types": ["code"], "client_secret": SECRET}
        told = {
            "issuer": address,
            "authorization_endpoint": f"{address}/authorize",
            "token_endpoint": f"{address}/token",
            "jwks_uri": f"{address}/keys",
            "userinfo_endpoint": f"{address}/userinfo",
            "end_session_endpoint": f"{address}/end",
            "response_types_supported": ["code"],
            "scopes_supported": ["openid", "profile"],
        }
        self.op = Provider(
            _first_key(),
            told,
            AuthorizationState(HashBasedSubjectIdentifierFactory("salt")),
            {CLIENT: one, OTHER: one},
            Userinfo(self.people),
            extra_scopes={"groups": ["groups"]},
        )
        self.keys = self.op.jwks
        self.metadata = self.op.provider_configuration.to_dict()
        self._signed = self.op._create_signed_id_token  # noqa: SLF001  the one place where it says for whom
        self.op._create_signed_id_token = self._sign  # noqa: SLF001  likewise

    def __call__(self, environ: dict[str, Any], start: Any) -> list[bytes]:
        """Answer a request."""
        path = environ["PATH_INFO"]
        self.asked.append(path)
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
        brought = {"Authorization": environ.get("HTTP_AUTHORIZATION")}
        status, headers, said = "200 OK", [("Content-Type", "application/json")], b""
        if path == "/authorize" and self.person is not None:
            status, headers = "302 Found", [("Location", self._authorize(environ["QUERY_STRING"]))]
        elif path == "/authorize":
            said = b'"Who are you?"'
        elif path == "/end" and parse_qs(environ["QUERY_STRING"]) == {"client_id": [CLIENT]}:
            self.person, said = None, b'"You are logged out."'
        elif path == "/token":
            try:
                said = self.op.handle_token_request(body, brought).to_json().encode()
            except (InvalidAuthorizationCode, InvalidClientAuthentication, InvalidTokenRequest) as error:
                told = {"error": error.oauth_error, "error_description": str(error)}
                status, said = "400 Bad Request", json.dumps(told).encode()
        elif path == "/userinfo":
            told = self.op.handle_userinfo_request("", brought).to_dict()
            said = json.dumps(told | ({"sub": self.told_of} if self.told_of else {})).encode()
        else:
            said = json.dumps(self.keys if path == "/keys" else self.metadata).encode()
        start(status, headers)
        return [said]

    def _authorize(self, query: str) -> str:
        asked = self.op.parse_authentication_request(query)
        if self.nonce is None:
            del asked["nonce"]
        elif self.nonce != "as it was asked":
            asked["nonce"] = self.nonce
        answer = self.op.authorize(asked, self.person)
        return str(answer.request(asked["redirect_uri"]))

    def _sign(self, client: str, *told: Any) -> Any:
        return self._signed(self.signed_for or client, *told)


def key_of(kid: str) -> RSAKey:
    """Make a key to sign with."""
    made = rsa.generate_private_key(65_537, 2048)
    pem = made.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return RSAKey(kid=kid, alg="RS256", use="sig", key=RSA.import_key(pem))


@cache
def _first_key() -> RSAKey:
    """Return the key of each new provider; to make one takes a tenth of a second."""
    return key_of("1")


class _Silent(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serve_provider(folder: Path, back: str) -> Iterator[tuple[OidcProvider, Path]]:
    """Run a provider that leads back to an address; gives it and the certificate by which it is known."""
    certificate = _certificate(folder)
    server = make_server("127.0.0.1", 0, lambda *_: [], handler_class=_Silent)
    provider = OidcProvider(f"https://127.0.0.1:{server.server_port}", back)
    server.set_app(provider)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    try:
        yield provider, certificate
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def _certificate(folder: Path) -> Path:
    """Write a certificate of this machine, and its key, into one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a provider of a test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(
            name, name, key.public_key(), x509.random_serial_number(), now - _DAY, now + _DAY
        )
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "provider.pem"
    private = key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + made.public_bytes(_PEM))
    return path
