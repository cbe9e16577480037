"""Files of private keys, PEM in PKCS #8, each of which only its owner may read."""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

from schemas.errors import BadInput


def write_key(file: Path, key: PrivateKeyTypes) -> None:
    """Write a key to a file that is not there yet.

    Raises:
        BadInput: the file is there, or cannot be written.
    """
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(text)
    except FileExistsError:
        raise BadInput(f"{file}: is there already; a key is never overwritten") from None
    except OSError as error:
        raise BadInput(f"{file}: cannot be written: {error.strerror or error}") from None


def read_key(file: Path) -> PrivateKeyTypes | None:
    """Read a key of whatever kind; None if the file holds none.

    Raises:
        BadInput: the file is not there, or is another user's.
    """
    try:
        return serialization.load_pem_private_key(file.read_bytes(), password=None)
    except PermissionError:
        raise BadInput(
            f"{file}: may not be read by this user, whose number is {os.getuid()}; give it the file: "
            f"chown {os.getuid()} {file}"
        ) from None
    except FileNotFoundError:
        raise BadInput(f"{file}: there is no such key; `discardrack key {file}` makes one") from None
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
