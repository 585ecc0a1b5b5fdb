"""Files that must be read here and there rather than from first to last: plain ones, or plain copies."""

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from tertium.errors import InputError, TertiumError
from tertium.files.opening import PathLike, is_packed, open_bytes
from tertium.files.paths import show_path

__all__ = ["unpacked"]

_BLOCK = 1 << 20


def unpacked(path: PathLike, *, error: type[TertiumError] = InputError) -> Path:
    """Return the file itself; if it is compressed or a pipe, a copy of its content.

    The copy lies in a temporary folder and lives as long as this process.
    """
    if _is_regular(path) and not is_packed(path, error=error):
        return Path(path)
    with open_bytes(path, error=error) as content:
        folder = tempfile.mkdtemp(prefix="tertium-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        copy = Path(folder) / "content"
        try:
            with copy.open("wb") as plain:
                shutil.copyfileobj(content, plain, _BLOCK)
        except OSError as reason:
            copy.unlink(missing_ok=True)
            raise error(
                f"{show_path(path)} cannot be unpacked into {folder}: {reason.strerror or reason};"
                " make room there, or unpack it yourself"
            ) from None
    return copy


def _is_regular(path: PathLike) -> bool:
    with suppress(OSError, ValueError):
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - Path.stat is no better
    return True  # whoever opens it says what is wrong
