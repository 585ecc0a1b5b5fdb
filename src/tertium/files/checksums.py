"""Checksums of files."""

import hashlib
import zlib

from tertium.errors import InputError, TertiumError
from tertium.files.opening import PathLike, open_bytes, read_start
from tertium.files.paths import show_path

__all__ = ["checksum_content", "checksum_file"]

_GZIP = b"\x1f\x8b"
_SHORTEST_GZIP = 18  # bytes of header and trailer
_BLOCK = 1 << 22


def checksum_file(path: str) -> str:
    """Compute the SHA-256 of a file's bytes as they lie on the disk.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - Path refuses names that open takes
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{show_path(path)} cannot be read: {why}; check the path") from None


def checksum_content(path: PathLike, *, error: type[TertiumError] = InputError) -> int:
    """Compute the CRC-32 of what a file holds below its compression.

    A gzip file ends with it, so a large one is not unpacked for its checksum.
    """
    if read_start(path, len(_GZIP), error=error) == _GZIP:
        return _recorded_checksum(path, error)
    checksum = 0
    with open_bytes(path, error=error) as content:
        while block := content.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _recorded_checksum(path: PathLike, error: type[TertiumError]) -> int:
    with open(path, "rb") as raw:  # noqa: PTH123 - as above
        if raw.seek(0, 2) < _SHORTEST_GZIP:
            raise error(f"{show_path(path)} is damaged or cut off; fetch or make it again")
        raw.seek(-8, 2)
        return int.from_bytes(raw.read(4), "little")
