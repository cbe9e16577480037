"""The SHA-256 of a file."""

import hashlib
from pathlib import Path


def sha256_of(file: Path) -> str:
    """Hash a file of any size, in hexadecimal.

    Raises:
        OSError: it cannot be read.
    """
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
