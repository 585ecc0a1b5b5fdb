"""Reading of bytes from files and standard input, with gzip and xz decompression and errors that name the file."""

import atexit
import io
import lzma
import os
import stat
import sys
import weakref
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import BinaryIO, Protocol, TextIO, TypeVar, cast

from tertium.errors import InputError, TertiumError
from tertium.files.overwriting import note_input
from tertium.files.paths import STDIN, Address, show_path
from tertium.records import record

PathLike = str | os.PathLike[str]
Read = TypeVar("Read")

# Bytes read or decompressed at a time; a few compressed bytes may expand to a thousand times as many.
_PACKED_BLOCK = 1 << 16
_PLAIN_BLOCK = 1 << 20
_LONGEST_MAGIC = 6

# Streams that were opened before; reading them again would return nothing, as if the file were empty.
_consumed_streams: weakref.WeakSet[TextIO] = weakref.WeakSet()


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gunzip:
    """zlib's decompressor, with the interface of lzma's."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)  # the largest window, and the gzip format
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        unpacked = self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
        self.needs_input = len(unpacked) < max_length
        return unpacked


@record
class _Packing:
    """A compression format: its first bytes, its decompressor, and the shell command that tests a file."""

    magic: bytes
    start: Callable[[], _Decompressor]
    test: str


# By suffix. Neither magic can start UTF-8 text.
_PACKINGS: dict[str, _Packing] = {
    ".gz": _Packing(b"\x1f\x8b", _Gunzip, "gzip -t"),
    ".xz": _Packing(b"\xfd7zXZ\x00", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), "xz -t"),
}


def open_bytes(path: PathLike, *, start: int = 0, error: type[TertiumError] = InputError) -> "ByteStream":
    """Open a file, or standard input for `-`, to read its bytes from first to last in constant memory.

    Compressed data is recognised by its first bytes, regardless of the file's name. A file named `.gz` or
    `.xz` must hold compressed data. If the file cannot be read, `error` is raised here or while reading.

    Parameters
    ----------
    start
        Skip this number of bytes; only in a file that is not compressed.
    """
    name = os.fspath(path)
    raw = _open_stdin(error) if name == STDIN else _open_file(name, error)
    try:
        return ByteStream(_Content(raw, name, error, start), _PLAIN_BLOCK)
    except BaseException:
        _close(raw)
        raise


def read_start(path: PathLike, size: int, *, error: type[TertiumError] = InputError) -> bytes:
    """Read the first bytes of a file without decompression."""
    name = os.fspath(path)
    with _open_file(name, error) as raw:
        try:
            return _read_exactly(raw, size)
        except OSError as reason:
            raise _unreadable(name, reason, error) from None


def has_packing(path: PathLike) -> bool:
    """Whether a file starts as compressed data does, regardless of its name."""
    return any(map(read_start(path, _LONGEST_MAGIC).startswith, (each.magic for each in _PACKINGS.values())))


def is_compressed(path: PathLike, *, error: type[TertiumError] = InputError) -> bool:
    """Whether a file is compressed; raise if only its name says so."""
    return _packing_of(os.fspath(path), read_start(path, _LONGEST_MAGIC, error=error), error) is not None


class ByteStream(io.BufferedReader):
    """The bytes of a file, read from first to last."""

    @property
    def n_packed(self) -> int:
        """The number of bytes of the file read so far, before decompression, for progress bars."""
        return cast("_Content", self.raw).n_packed


class _Content(io.RawIOBase):
    """The decompressed content of a file."""

    def __init__(self, raw: BinaryIO, path: str, error: type[TertiumError], n_skipped: int) -> None:
        self._raw, self._path, self._error = raw, path, error
        start = self._guard(lambda: _read_exactly(raw, _LONGEST_MAGIC))
        self._packing = _packing_of(path, start, error)
        self._decompressor: _Decompressor | None = None
        self._pending = start
        self.n_packed = len(start)
        if n_skipped:
            self._skip(n_skipped)
        self._ready = memoryview(b"")
        self._has_ended = False

    def readable(self) -> bool:
        return True

    def _skip(self, n_bytes: int) -> None:
        if self._packing is not None:
            raise self._error(
                f"{Address(self._path).label} is compressed, so it can only be read from its start"
            )
        self._raw.seek(n_bytes)
        self._pending = b""

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # BufferedReader passes a memoryview
        if self._packing is None and not self._pending and not self._ready:
            return self._read_plainly(buffer)
        while not self._ready and not self._has_ended:
            self._ready = memoryview(self._next())
        n_bytes = min(len(buffer), len(self._ready))
        buffer[:n_bytes], self._ready = self._ready[:n_bytes], self._ready[n_bytes:]
        return n_bytes

    def _read_plainly(self, buffer: memoryview) -> int:
        """Read directly into the buffer, because uncompressed bytes need no intermediate copy."""
        if self._has_ended:
            return 0
        n_bytes = self._guard(lambda: cast("io.RawIOBase", self._raw).readinto(buffer) or 0)
        self.n_packed += n_bytes
        self._has_ended = not n_bytes
        return n_bytes

    def readall(self) -> bytes:
        parts = [bytes(self._ready)]
        self._ready = memoryview(b"")
        if self._packing is None:  # a single call allocates the whole file at once
            parts += [self._pending, self._guard(lambda: self._raw.read() or b"")]
            self.n_packed += len(parts[-1])
            self._pending, self._has_ended = b"", True
        while not self._has_ended:
            parts.append(self._next())
        return b"".join(parts)

    def close(self) -> None:
        if not self.closed:
            _close(self._raw)
        super().close()

    def _next(self) -> bytes:
        if self._packing is not None:
            start = self._packing.start
            return self._guard(lambda: self._unpack(start))
        data = self._read_block(_PLAIN_BLOCK)
        self._has_ended = not data
        return data

    def _read_block(self, size: int) -> bytes:
        if self._pending:
            data, self._pending = self._pending, b""
            return data
        data = self._guard(lambda: self._raw.read(size) or b"")
        self.n_packed += len(data)
        return data

    def _unpack(self, start: Callable[[], _Decompressor]) -> bytes:
        if self._decompressor is not None and not self._decompressor.needs_input:
            return self._unpack_more(self._decompressor, b"")
        data = self._read_block(_PACKED_BLOCK)
        if not data:
            self._has_ended = True
            if self._decompressor is not None:
                raise EOFError("the data ends in the middle of a stream")
            return b""
        if self._decompressor is None:
            data = data.lstrip(b"\0")  # streams may be padded with zeros
            self._decompressor = start() if data else None
        return b"" if self._decompressor is None else self._unpack_more(self._decompressor, data)

    def _unpack_more(self, decompressor: _Decompressor, data: bytes) -> bytes:
        unpacked = decompressor.decompress(data, _PLAIN_BLOCK)
        if decompressor.eof:
            self._pending, self._decompressor = decompressor.unused_data, None
        return unpacked

    def _guard(self, read: Callable[[], Read]) -> Read:
        try:
            return read()
        except (EOFError, zlib.error, lzma.LZMAError) as reason:
            test = "" if self._packing is None else self._packing.test
            raise self._error(
                f"{Address(self._path).label} is damaged or truncated ({reason}); "
                f"check it with '{test}', then download or create it again"
            ) from None
        except (OSError, ValueError) as reason:  # ValueError: the stream is closed
            raise _unreadable(self._path, reason, self._error) from None


def _packing_of(path: str, start: bytes, error: type[TertiumError]) -> _Packing | None:
    for packing in _PACKINGS.values():
        if start.startswith(packing.magic):
            return packing
    suffix = PurePath(path).suffix.lower()
    if suffix in _PACKINGS:
        found = "is not in that format" if start else "is empty"
        raise error(
            f"{show_path(path)} has the suffix {suffix} but {found}; rename it, or download or create it again"
        )
    return None


def _open_file(path: str, error: type[TertiumError]) -> BinaryIO:
    note_input(path)
    try:
        file = cast("BinaryIO", Path(path).open("rb", buffering=0))  # noqa: SIM115 - the caller closes it
    except (OSError, ValueError) as reason:  # ValueError: a NUL in the path
        raise _unreadable(path, reason, error) from None
    try:
        check_not_endless(file.fileno(), path, error=error)
    except TertiumError:
        file.close()
        raise
    return file


def check_not_endless(descriptor: int, path: PathLike, *, error: type[TertiumError] = InputError) -> None:
    """Raise if an open file is a device such as /dev/zero, which never ends; terminals and /dev/null do."""
    mode = os.fstat(descriptor).st_mode
    is_device = stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not os.isatty(descriptor))
    if is_device and not os.path.samestat(os.fstat(descriptor), os.stat(os.devnull)):  # noqa: PTH116
        raise error(f"{show_path(path)} is a device, not a file; check the path")


def _open_stdin(error: type[TertiumError]) -> BinaryIO:
    stream = sys.stdin
    if getattr(stream, "buffer", None) is None:
        raise error("standard input is not open; give a file instead of '-'")
    if stream in _consumed_streams:
        raise error("standard input was already read and can be read only once; save it to a file first")
    with suppress(OSError):  # the stream may have no descriptor
        note_input(stream.fileno())
    _consumed_streams.add(stream)
    return stream.buffer


def _read_exactly(raw: BinaryIO, size: int) -> bytes:
    """Read `size` bytes, or all if there are fewer; a pipe may return them in parts."""
    start = b""
    while len(start) < size and (part := raw.read(size - len(start))):
        start += part
    return start


def _unreadable(path: str, reason: Exception, error: type[TertiumError]) -> TertiumError:
    if path == STDIN:
        return error(f"standard input cannot be read: {reason}; give a file instead of '-'")
    if isinstance(reason, FileNotFoundError):
        return error(f"no such file: {path!r}; check the path")
    if isinstance(reason, IsADirectoryError):
        return error(f"{path!r} is a directory; give a file inside it")
    if isinstance(reason, PermissionError):
        return error(f"no permission to read {show_path(path)}; change its permissions")
    why = getattr(reason, "strerror", None) or reason
    return error(f"{path!r} cannot be read: {why}; check the path")


def _close(raw: BinaryIO) -> None:
    """Close a file, but not standard input, which other code may use."""
    if raw is not getattr(sys.stdin, "buffer", None):
        with suppress(OSError):
            raw.close()


_BLOCK = 1 << 20


def unpacked(path: PathLike, *, error: type[TertiumError] = InputError) -> Path:
    """Return the path of the file, or of a decompressed copy if it is compressed or a pipe.

    The copy is in a temporary folder, which is removed when the process ends.
    """
    if _is_regular(path) and not is_compressed(path, error=error):
        return Path(path)
    import shutil  # noqa: PLC0415 - these two load many modules, and most files are plain
    from tempfile import mkdtemp  # noqa: PLC0415

    with open_bytes(path, error=error) as content:
        folder = mkdtemp(prefix="tertium-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        copy = Path(folder) / "content"
        try:
            with copy.open("wb") as plain:
                shutil.copyfileobj(content, plain, _BLOCK)
        except OSError as reason:
            copy.unlink(missing_ok=True)
            raise error(
                f"{show_path(path)} cannot be decompressed into {folder}: {reason.strerror or reason};"
                " free space there, or decompress the file yourself"
            ) from None
    return copy


def _is_regular(path: PathLike) -> bool:
    with suppress(OSError, ValueError):
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - Path.stat is no better
    return True  # opening it will raise the right error
