"""Files that are written whole or not at all; devices and pipes, which cannot be replaced, are written straight."""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tertium.errors import InputError, TertiumError
from tertium.files.paths import is_folder, may_write, show_path

_BLOCK = 1 << 20
# What lies there leads to a file that is open already, which must not be replaced by another.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def written_whole(path: Path, error: type[TertiumError]) -> Iterator[Path]:
    """Yield a temporary file that takes the place of `path` only when it is complete and on the disk.

    A link stays, and the file behind it is replaced. A file that was there keeps its mode and owner; a
    new one has the mode of any new file. What goes to a device or a pipe is copied there at the end.
    `error` is raised where something cannot be written, such as on a full disk; no temporary file is left.
    """
    with _explain(path, error):
        target, old = _look_at(path)
        is_replaced = old is None or (stat.S_ISREG(old.st_mode) and not _leads_to_open_file(path))
        temporary = _create(target.parent if is_replaced else Path(tempfile.gettempdir()))
        try:
            yield temporary
            if not is_replaced:
                _copy_into(temporary, path)
                return
            _synchronise(temporary, os.O_RDWR)
            _take_over(temporary, old)
            temporary.replace(target)
            with suppress(OSError):  # not every system opens folders as files
                _synchronise(target.parent, os.O_RDONLY)
        finally:
            temporary.unlink(missing_ok=True)


def check_writable(path: str | os.PathLike[str], error: type[TertiumError] = InputError) -> None:
    """Raise `error` now if a file cannot be written there later, without touching it."""
    with _explain(Path(path), error):
        target, old = _look_at(Path(path))
        if old is None:
            _create(target.parent).unlink()


def check_room(path: str | os.PathLike[str], size: int, error: type[TertiumError] = InputError) -> None:
    """Raise `error` now if the disk has no room for so many bytes."""
    with _explain(Path(path), error):
        free = shutil.disk_usage(Path(path).resolve().parent).free
        if size > free:
            raise OSError(errno.ENOSPC, f"{size:,} bytes are needed, but {free:,} are free")


def reserve_space(path: Path, size: int) -> None:
    """Give a file its full size on the disk, so that a map of it cannot run out of room.

    Raises
    ------
    OSError
        If there is not so much room.
    """
    with path.open("r+b") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, max(size, 1))
        except (AttributeError, OSError) as reason:
            if getattr(reason, "errno", None) in _NO_ROOM:
                raise
            for start in range(0, size, _BLOCK):  # not every system has it
                file.write(bytes(min(_BLOCK, size - start)))
        file.truncate(size)


@contextmanager
def _explain(path: Path, error: type[TertiumError]) -> Iterator[None]:
    try:
        yield
    except OSError as reason:
        remedy = "; make room there, or choose another place" if reason.errno in _NO_ROOM else ""
        raise error(f"cannot write {show_path(path)}: {reason.strerror or reason}{remedy}") from reason


def _look_at(path: Path) -> tuple[Path, os.stat_result | None]:
    """Find the file behind all links, and what is there now."""
    try:
        target = path.resolve()
        old = path.stat() if _leads_to_open_file(path) else target.stat()
    except FileNotFoundError:
        if not is_folder(target.parent):
            raise FileNotFoundError(2, f"there is no folder {show_path(target.parent)}") from None
        return target, None
    except (ValueError, RuntimeError) as reason:  # a NUL in the name, a loop of links
        raise OSError(22, str(reason)) from None
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(21, "it is a directory")
    if not may_write(path):
        raise PermissionError(13, "it may not be written; change its permissions, or choose another name")
    return target, old


def _leads_to_open_file(path: Path) -> bool:
    return path.absolute().as_posix().startswith(_OPEN_FILES)


def _create(folder: Path) -> Path:
    """Create an empty file of a new name, with the mode of any new file."""
    temporary = folder / f".tertium-{os.urandom(8).hex()}.tmp"
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return temporary


def _take_over(temporary: Path, old: os.stat_result | None) -> None:
    if old is not None:
        if hasattr(os, "chown"):
            with suppress(OSError):  # only the superuser gives files away
                os.chown(temporary, old.st_uid, old.st_gid)
        temporary.chmod(stat.S_IMODE(old.st_mode))


def _copy_into(temporary: Path, path: Path) -> None:
    with temporary.open("rb") as content, path.open("wb") as target:
        shutil.copyfileobj(content, target, _BLOCK)


def _synchronise(path: Path, flags: int) -> None:
    """Wait until the disk has what was written."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
