"""Attachments of disputes: files in a folder beside the store, each under the SHA-256 of its content.

A file is written once, whole, and never changed or removed. Its digest is in the action that attached it, in
the chain of all actions; so whoever reads it learns whether it is still what was attached.
"""

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import IO, Final, Literal, TypeAlias

from msgspec import Struct

from projections.store.disk import atomic_output, sha256_of
from schemas.errors import DiscardrackError

ContentType: TypeAlias = Literal[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/tiff",
    "image/heic",
    "application/pdf",
    "video/mp4",
    "video/quicktime",
    "video/webm",
    "video/x-matroska",
    "video/x-msvideo",
]
# What browsers draw themselves, and nothing in it is ever run.
INLINE: Final = frozenset[ContentType]({"image/png", "image/jpeg", "image/gif", "image/webp"})
ENDINGS: Final[Mapping[ContentType, str]] = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/tiff": "tif",
    "image/heic": "heic",
    "application/pdf": "pdf",
    "video/mp4": "mp4",
    "video/quicktime": "mov",
    "video/webm": "webm",
    "video/x-matroska": "mkv",
    "video/x-msvideo": "avi",
}
_SIGNATURES: Final[Mapping[bytes, ContentType]] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"II*\x00": "image/tiff",
    b"MM\x00*": "image/tiff",
    b"%PDF-": "application/pdf",
}
_RIFF: Final[Mapping[bytes, ContentType]] = {b"WEBP": "image/webp", b"AVI ": "video/x-msvideo"}
_HEIC: Final = (b"heic", b"heix", b"hevc", b"mif1", b"msf1")  # brands of a picture in the container of clips
_EBML: Final = b"\x1a\x45\xdf\xa3"
_HEAD: Final = 64  # bytes that tell what a file is
_PIECE: Final = 1 << 20  # bytes read at once
# The folder and its files are for their owner alone, as the accounts are.
_OWN_FOLDER: Final = 0o700
_OWN_FILE: Final = 0o600


def content_type_of(head: bytes) -> ContentType | None:
    r"""Return what a file is by its first bytes, whatever its name says; None if it is none of these.

    >>> content_type_of(b"\x89PNG\r\n\x1a\n...."), content_type_of(b"<svg xmlns=")
    ('image/png', None)
    >>> content_type_of(b"\x00\x00\x00\x18ftypmp42"), content_type_of(b"RIFF\x10\x00\x00\x00WEBP")
    ('video/mp4', 'image/webp')
    """
    for signature, kind in _SIGNATURES.items():
        if head.startswith(signature):
            return kind
    if head.startswith(b"RIFF"):
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        return "image/heic" if brand in _HEIC else "video/quicktime" if brand == b"qt  " else "video/mp4"
    if head.startswith(_EBML):
        return "video/webm" if b"webm" in head else "video/x-matroska"
    return None


def attachments_of(store: Path) -> Path:
    """Return the folder of attachments of a store.

    >>> str(attachments_of(Path("var/live.duckdb")))
    'var/live.duckdb.attachments'
    """
    return store.with_name(f"{store.name}.attachments")


class FileContent(Struct, frozen=True):
    """Identity of a file by its content: its SHA-256, its size in bytes, and its type."""

    sha256: str
    size: int
    type: ContentType | None


def content_of(file: IO[bytes]) -> FileContent:
    """Read a file to its end, and return what it is."""
    file.seek(0)
    digest, size, head = hashlib.sha256(), 0, b""
    while piece := file.read(_PIECE):
        head = head or piece[:_HEAD]
        size += len(piece)
        digest.update(piece)
    return FileContent(digest.hexdigest(), size, content_type_of(head))


class AttachmentLost(DiscardrackError):
    """An attached file that is not what was attached (`altered`), or cannot be read (`unreadable`)."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class AttachmentFiles:
    """The files attached to the disputes of one store; any thread may use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = Lock()  # a file that is sent twice at once has one name while it is written

    def add(self, file: IO[bytes], sha256: str) -> None:
        """Store a file under its digest; when it returns the disk has it. One that is there stays.

        Raises:
            BadInput: the disk does not take it.
        """
        path = self._path(sha256)
        with self._lock:
            if self._has(path, sha256):
                return
            with atomic_output(path, _OWN_FILE, _OWN_FOLDER) as out:
                file.seek(0)
                shutil.copyfileobj(file, out, _PIECE)

    def read(self, sha256: str) -> bytes:
        """Return the content of a file that is still what was attached.

        Raises:
            AttachmentLost: it is not there, cannot be read, or was altered.
        """
        try:
            content = self._path(sha256).read_bytes()
        except OSError as error:
            raise AttachmentLost(
                f"The file with SHA-256 {sha256} cannot be read beside the store: {error.strerror or error}.",
                "unreadable",
            ) from None
        found = hashlib.sha256(content).hexdigest()
        if found != sha256:
            raise AttachmentLost(
                "The file was altered after it was attached: "
                f"its SHA-256 was {sha256} then, and is {found} now.",
                "altered",
            )
        return content

    def _has(self, path: Path, sha256: str) -> bool:
        """Return True if the file is there as it was attached; one that was altered is written again."""
        try:
            return sha256_of(path) == sha256
        except OSError:
            return False

    def _path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256
