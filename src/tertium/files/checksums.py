"""Checksums of files."""

import hashlib

from tertium.errors import InputError
from tertium.files.paths import show_path

__all__ = ["checksum_file"]


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
