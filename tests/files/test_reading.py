"""Files that cannot be read, or not as a caller wants, are one line."""

import gzip
import io
import os
import shutil
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.errors import InputError, ResourceError
from tertium.files.reading import (
    checksum_content,
    checksum_file,
    has_packing,
    open_bytes,
    parse_toml,
    read_start,
    unpacked,
)

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the file exists on Linux only")


@on_linux
def test_an_error_while_the_first_bytes_are_read_names_the_file() -> None:
    with pytest.raises(ResourceError, match=r"'/proc/self/mem' cannot be read: Input/output error"):
        read_start("/proc/self/mem", 4, error=ResourceError)


def test_compressed_data_is_recognised_regardless_of_the_name(tmp_path: Path) -> None:
    for name, data in {"packed.txt": gzip.compress(b"a"), "plain.gz": b"a"}.items():
        (tmp_path / name).write_bytes(data)
    assert [has_packing(tmp_path / name) for name in ("packed.txt", "plain.gz")] == [True, False]


def test_a_compressed_file_is_only_read_from_its_start(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"abc"))
    with pytest.raises(InputError, match=r"a\.gz is compressed, so it can only be read from its start"):
        open_bytes(tmp_path / "a.gz", start=1)


def test_content_may_be_closed_twice(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    content = open_bytes(tmp_path / "a")
    raw = content.raw
    content.close()
    raw.close()
    assert content.closed
    assert raw.closed


@on_linux
def test_an_error_while_a_file_is_opened_names_it() -> None:
    with pytest.raises(ResourceError, match=r"'/proc/self/mem' cannot be read: Input/output error"):
        open_bytes("/proc/self/mem", error=ResourceError)


def test_a_plain_file_may_be_read_from_any_byte(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert open_bytes(tmp_path / "a", start=1).read() == b"bc"


def test_a_truncated_file_names_the_command_that_checks_it(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"abc" * 100)[:-6])
    with pytest.raises(InputError, match=r"a\.gz is damaged or truncated \(.*\); check it with 'gzip -t"):
        open_bytes(tmp_path / "a.gz").read()


@pytest.mark.parametrize(("content", "reason"), [(b"text", "is not in that format"), (b"", "is empty")])
def test_a_suffix_of_a_packing_that_the_content_lacks_is_one_line(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    (tmp_path / "a.xz").write_bytes(content)
    with pytest.raises(InputError, match=rf"a\.xz has the suffix \.xz but {reason}; rename it"):
        open_bytes(tmp_path / "a.xz")


def test_a_folder_is_not_read_as_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; give a file inside it"):
        open_bytes(tmp_path)


def test_a_file_of_another_user_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(InputError, match="no permission to read secret; change its permissions"):
        open_bytes("secret")


def test_standard_input_is_read_once_and_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"abc"))
    monkeypatch.setattr(sys, "stdin", stdin)
    with open_bytes("-") as content:
        assert content.read() == b"abc"
    assert not stdin.buffer.closed
    with pytest.raises(InputError, match="standard input was already read and can be read only once"):
        open_bytes("-")


@pytest.mark.parametrize("stdin", [None, io.StringIO("abc")], ids=["closed", "without bytes"])
def test_standard_input_that_is_not_open_is_one_line(
    monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(InputError, match="standard input is not open; give a file instead of '-'"):
        open_bytes("-")


class Broken(io.RawIOBase):
    """A stream that fails when it is read, such as a terminal that was closed."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        raise OSError(5, "Input/output error")


def test_standard_input_that_fails_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    with pytest.raises(InputError, match=r"standard input cannot be read: .*; give a file instead of '-'"):
        open_bytes("-")


READERS: list[Callable[[str], object]] = [open_bytes, checksum_file]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no such device")
@pytest.mark.parametrize("read", READERS)
def test_a_device_that_never_ends_is_not_read(read: Callable[[str], object]) -> None:
    with pytest.raises(InputError, match="/dev/zero is a device, not a file; check the path"):
        read("/dev/zero")


@pytest.mark.parametrize("path", ["missing", "nul\0"])
def test_a_checksum_of_no_file_is_one_line(path: str) -> None:
    with pytest.raises(InputError, match=r"cannot be read: .*; check the path"):
        checksum_file(path)


def test_a_gzip_file_without_its_checksum_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"abc")[:10])
    with pytest.raises(ResourceError, match=r"a\.gz is damaged or truncated; download or create it again"):
        checksum_content(tmp_path / "a.gz", error=ResourceError)


def test_a_full_disk_while_a_file_is_unpacked_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "unpacked"
    folder.mkdir()
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"abc"))
    monkeypatch.setattr(shutil, "copyfileobj", fail)
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: os.fspath(folder))
    with pytest.raises(InputError, match=r"a\.gz cannot be decompressed into .*: No space left on device"):
        unpacked(tmp_path / "a.gz")
    assert list(folder.iterdir()) == []


def test_a_missing_file_cannot_be_unpacked() -> None:
    with pytest.raises(InputError, match="no such file"):
        unpacked("missing")


BAD_TOML = {
    "a long line": ("a = 1\nb = '" + "x" * 100_000 + "'", "line 2 is too long"),
    "a key of many parts": ("a." * 2_000 + "a = 1", "line 1 is too long"),
    "nested": ("a = " + "[" * 20_000, "nested too deeply"),
    "a long integer": (
        "a = [{b = 9223372036854775808}]",
        "the integer 9223372036854775808… has more than 64 bits",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_TOML.values(), ids=BAD_TOML)
def test_toml_that_would_take_long_or_lose_digits_is_rejected(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_toml(text)


def test_a_packed_file_is_copied_and_a_plain_one_is_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"abc"))
    (tmp_path / "a").write_bytes(b"abc")
    copy = unpacked(tmp_path / "a.gz")
    assert copy.read_bytes() == b"abc"
    assert copy != tmp_path / "a.gz"
    assert unpacked(tmp_path / "a") == tmp_path / "a"


def test_the_checksum_of_a_content_does_not_depend_on_the_packing(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"abc"))
    (tmp_path / "a").write_bytes(b"abc")
    sums = {checksum_content(tmp_path / name) for name in ("a", "a.gz")}
    assert sums == {zlib.crc32(b"abc")}
