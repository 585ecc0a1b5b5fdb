"""Atomic writing of files; devices and pipes, which cannot be replaced, are written directly."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tertium.errors import InputError, TertiumError
from tertium.files.overwriting import check_target
from tertium.files.paths import is_folder, may_write, show_path

_BLOCK = 1 << 20
# Paths in these folders lead to files that are already open, which must not be replaced.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def write_atomically(path: Path, error: type[TertiumError]) -> Iterator[Path]:
    """Yield the path of a temporary file, which replaces `path` once it is complete and on the disk.

    If `path` is a link, the file that it points to is replaced. An existing file keeps its mode and owner; a new
    one has the default mode. If `path` is a device or a pipe, the content is copied there at the end. `error` is
    raised if the file cannot be written, for example on a full disk; the temporary file is always removed.
    """
    with _explain(path, error):
        target, old = _resolve_target(path)
        is_replaced = old is None or (stat.S_ISREG(old.st_mode) and not _leads_to_open_file(path))
        temporary = _create(target.parent if is_replaced else _temporary_folder())
        try:
            yield temporary
            if not is_replaced:
                _copy_into(temporary, path)
                return
            _synchronise(temporary, os.O_RDWR)
            _copy_owner_and_mode(old, temporary)
            temporary.replace(target)
            with suppress(OSError):  # not every system opens folders as files
                _synchronise(target.parent, os.O_RDONLY)
        finally:
            temporary.unlink(missing_ok=True)


def append_text(path: Path, text: str, error: type[TertiumError]) -> None:
    """Append lines to a file by a single system call, so that the lines of two processes do not mix."""
    data = text.encode()
    with _explain(path, error), path.open("ab", buffering=len(data) + 1) as file:
        file.write(data)


def check_writable(path: str | os.PathLike[str], error: type[TertiumError] = InputError) -> None:
    """Raise `error` now if the file cannot be written later; an existing file is not touched."""
    with _explain(Path(path), error):
        target, old = _resolve_target(Path(path))
        if old is None:
            _create(target.parent).unlink()


def check_free_space(path: str | os.PathLike[str], size: int, error: type[TertiumError] = InputError) -> None:
    """Raise `error` now if the disk has fewer than `size` bytes of free space."""
    import shutil  # noqa: PLC0415 - it loads all compressors of the standard library

    with _explain(Path(path), error):
        free = shutil.disk_usage(Path(path).resolve().parent).free
        if size > free:
            raise OSError(errno.ENOSPC, f"{size:,} bytes are needed, but {free:,} are free")


def reserve_space(path: Path, size: int) -> None:
    """Allocate a file's full size on the disk, so that writing to a memory map of it cannot fail.

    Raises
    ------
    OSError
        If the disk has not enough free space.
    """
    with path.open("r+b") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, max(size, 1))
        except (AttributeError, OSError) as reason:
            if getattr(reason, "errno", None) in _DISK_FULL:
                raise
            for start in range(0, size, _BLOCK):  # not every system supports posix_fallocate
                file.write(bytes(min(_BLOCK, size - start)))
        file.truncate(size)


@contextmanager
def _explain(path: Path, error: type[TertiumError]) -> Iterator[None]:
    try:
        yield
    except OSError as reason:
        remedy = "; make space on the disk, or choose another folder" if reason.errno in _DISK_FULL else ""
        raise error(f"cannot write {show_path(path)}: {reason.strerror or reason}{remedy}") from reason


def _resolve_target(path: Path) -> tuple[Path, os.stat_result | None]:
    """Follow all links and return the file and its status, None if it does not exist; raise if it is not writable."""
    check_target(path)
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
        raise PermissionError(13, "no write permission; change its permissions, or choose another name")
    return target, old


def _leads_to_open_file(path: Path) -> bool:
    return path.absolute().as_posix().startswith(_OPEN_FILES)


def _create(folder: Path) -> Path:
    """Create an empty file with a new name and the default mode."""
    temporary = folder / f".tertium-{os.urandom(8).hex()}.tmp"
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return temporary


def _temporary_folder() -> Path:
    from tempfile import gettempdir  # noqa: PLC0415 - imports the random module; most outputs are files

    return Path(gettempdir())


def _copy_owner_and_mode(old: os.stat_result | None, temporary: Path) -> None:
    if old is not None:
        if hasattr(os, "chown"):
            with suppress(OSError):  # only the superuser may change a file's owner
                os.chown(temporary, old.st_uid, old.st_gid)
        temporary.chmod(stat.S_IMODE(old.st_mode))


def _copy_into(temporary: Path, path: Path) -> None:
    with temporary.open("rb") as content, path.open("wb") as target:
        while block := content.read(_BLOCK):
            target.write(block)


def _synchronise(path: Path, flags: int) -> None:
    """Wait until the written data is on the disk."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
