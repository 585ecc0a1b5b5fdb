"""Files that are written whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tertium.errors import TertiumError

__all__ = ["written_whole"]


@contextmanager
def written_whole(path: Path, error: type[TertiumError]) -> Iterator[Path]:
    """Yield a temporary neighbour that takes the file's place only when it is complete.

    `error` is raised where the file cannot be written. Its mode is that of any new file.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as reason:
        raise error(f"cannot write {path}: {reason.strerror or reason}") from reason
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as reason:
        raise error(f"cannot write {path}: {reason.strerror or reason}") from reason
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)  # there is no other way to ask
    os.umask(mask)
    return mask
