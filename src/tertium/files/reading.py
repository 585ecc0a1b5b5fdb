"""Reading of files and standard input: bytes with gzip and xz decompression, text, lines and checksums; errors name file and line."""

import atexit
import io
import lzma
import os
import stat
import sys
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Protocol, TextIO, cast

from tertium.errors import InputError, TertiumError
from tertium.files.overwriting import note_input
from tertium.files.paths import STDIN, Address, show_path
from tertium.records import record

PathLike = str | os.PathLike[str]

# Bytes read or decompressed at a time; a few compressed bytes may expand to a thousand times as many.
_PACKED_BLOCK = 1 << 16
_PLAIN_BLOCK = 1 << 20
# Larger requests are read without a copy into this buffer.
_BUFFER = 1 << 17
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
        return ByteStream(_Content(raw, name, error, start), _BUFFER)
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
    return any(
        map(read_start(path, _LONGEST_MAGIC).startswith, (packing.magic for packing in _PACKINGS.values()))
    )


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
        self._packing: _Packing | None = None
        with self._guard():
            start = _read_exactly(raw, _LONGEST_MAGIC)
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
        with self._guard():
            n_bytes = cast("io.RawIOBase", self._raw).readinto(buffer) or 0
        self.n_packed += n_bytes
        self._has_ended = not n_bytes
        return n_bytes

    def readall(self) -> bytes:
        parts = [bytes(self._ready)]
        self._ready = memoryview(b"")
        if self._packing is None:  # a single call allocates the whole file at once
            with self._guard():
                parts += [self._pending, self._raw.read() or b""]
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
            with self._guard():
                return self._unpack(self._packing.start)
        data = self._read_block(_PLAIN_BLOCK)
        self._has_ended = not data
        return data

    def _read_block(self, size: int) -> bytes:
        if self._pending:
            data, self._pending = self._pending, b""
            return data
        with self._guard():
            data = self._raw.read(size) or b""
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

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Raise an error that names the file if it is damaged or cannot be read."""
        try:
            yield
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


BYTE_ORDER_MARK = "\ufeff"
# Byte order marks of other encodings; that of UTF-32 begins with that of UTF-16.
_MARKS = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def read_bytes(path: PathLike, *, error: type[TertiumError] = InputError) -> bytes:
    """Read a file, or standard input for `-`, with gzip or xz decompression."""
    with open_bytes(path, error=error) as stream:
        return stream.read()


def read_text(path: PathLike, *, error: type[TertiumError] = InputError) -> str:
    """Read a UTF-8 file; a byte order mark at its start is removed."""
    return decode_file(path, read_bytes(path, error=error), error=error)


def decode_file(path: PathLike, data: bytes, *, error: type[TertiumError] = InputError) -> str:
    """Decode the bytes of a file; raise with the line number if they are not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = data.count(b"\n", 0, reason.start) + 1
        raise error(describe_undecodable(path, data[:4], line, reason.start, data[reason.start])) from None
    return text.removeprefix(BYTE_ORDER_MARK)


def read_lines(path: PathLike, *, error: type[TertiumError] = InputError) -> list[str]:
    r"""Read the lines of a UTF-8 file, of a gzip or xz file, or of standard input (`-`).

    Only `\n` and `\r\n` end a line: U+2028, U+0085, form feeds, a lone `\r` and NUL are text. Blank lines
    count, the last line may lack its end, and an empty file has no lines. A byte order mark at the start of
    the file is removed; anywhere else U+FEFF is text.

    Raises
    ------
    InputError
        If the file is missing, unreadable, damaged or not UTF-8, or standard input was already read.
    """
    return split_lines(read_text(path, error=error))


def split_lines(text: str) -> list[str]:
    """Split a text into lines, as `read_lines` defines them."""
    if "\r" in text:  # searching for one character is much faster than for two
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()  # the empty text after the last line end is not a line
    return lines


_LONGEST_TOML = 100_000  # characters of a line; the time for a key of many parts grows with their square


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document.

    Raises
    ------
    ValueError
        If it is not TOML, nested too deeply, or has a line that is too long or an integer beyond 64 bits.
    """
    import tomllib  # noqa: PLC0415 - most runs read no TOML

    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > _LONGEST_TOML or line.count(".") > _LONGEST_TOML // 100:
            raise ValueError(f"line {number:,} is too long")
    try:
        document = tomllib.loads(text)
        _check_integers(document)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return document


def _check_integers(value: object) -> None:
    """Reject integers that TOML does not allow; many have no nearest floating-point number."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"the integer {str(value)[:20]}… has more than 64 bits")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        _check_integers(part)


def describe_undecodable(path: PathLike, start: bytes, line: int, offset: int, byte: int) -> str:
    """Write the message about a file that is not UTF-8; `start` holds its first four bytes."""
    encoding = next((name for mark, name in _MARKS.items() if start.startswith(mark)), "ENCODING")
    return (
        f"{Address(os.fspath(path)).label}: line {line:,} is not UTF-8 at byte offset {offset} of the file"
        f" (0x{byte:02X}); convert it: iconv -t UTF-8 -f {encoding}"
    )


_GZIP = b"\x1f\x8b"
_MIN_GZIP_SIZE = 18  # bytes of header and trailer
_CHECKSUM_BLOCK = 1 << 22


def checksum_file(path: PathLike) -> str:
    """Compute the SHA-256 of a file's bytes, without decompression.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    note_input(path)
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - Path rejects names that open accepts
            check_not_endless(file.fileno(), path)
            import hashlib  # noqa: PLC0415 - loads OpenSSL, and few runs need checksums

            return hashlib.file_digest(file, "sha256").hexdigest()
    except InputError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{show_path(path)} cannot be read: {why}; check the path") from None


def checksum_content(path: PathLike, *, error: type[TertiumError] = InputError) -> int:
    """Compute the CRC-32 of a file's decompressed content.

    A gzip file ends with this checksum, so it is not decompressed.
    """
    if read_start(path, len(_GZIP), error=error) == _GZIP:
        return _recorded_checksum(path, error)
    checksum = 0
    with open_bytes(path, error=error) as content:
        while block := content.read(_CHECKSUM_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _recorded_checksum(path: PathLike, error: type[TertiumError]) -> int:
    with open(path, "rb") as raw:  # noqa: PTH123 - as above
        if raw.seek(0, 2) < _MIN_GZIP_SIZE:
            raise error(f"{show_path(path)} is damaged or truncated; download or create it again")
        raw.seek(-8, 2)
        return int.from_bytes(raw.read(4), "little")
