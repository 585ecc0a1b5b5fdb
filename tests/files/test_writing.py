"""Files are written atomically."""

import errno
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tertium.commands.base import output
from tertium.errors import InputError, ResourceError, TertiumError
from tertium.files import writing
from tertium.files.writing import (
    append_text,
    check_free_space,
    check_writable,
    reserve_space,
    write_atomically,
)
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_vectors


@pytest.fixture
def group_may_write() -> Iterator[None]:
    before = os.umask(0o002)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("group_may_write")
def test_the_files_mode_is_that_of_any_new_file(tmp_path: Path) -> None:
    vectors = MemoryVectors(["a", "b"], np.ones((2, 3), dtype=np.float32))
    output.write_text("text", str(tmp_path / "text"))
    write_vectors(tmp_path / "v.vectors", vectors, name="test")
    write_vectors(tmp_path / "v.txt", vectors, name="test")
    assert {path.name: mode_of(path) for path in tmp_path.iterdir()} == {
        "text": 0o664,
        "v.vectors": 0o664,
        "v.txt": 0o664,
    }


def test_an_interrupted_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")

    def write_half() -> None:
        with write_atomically(path, InputError) as temporary:
            temporary.write_text("ne", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [InputError, ResourceError])
def test_a_file_that_cannot_be_written_raises_the_callers_error(
    tmp_path: Path, error: type[TertiumError]
) -> None:
    folder = tmp_path / "taken"
    folder.mkdir()
    for path in (tmp_path / "absent" / "file", folder):
        with pytest.raises(error, match="cannot write"), write_atomically(path, error):
            pass


def write_text(path: Path, text: str) -> None:
    with write_atomically(path, InputError) as temporary:
        temporary.write_text(text, encoding="utf-8")


def test_a_file_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(0o640)
    write_text(path, "new")
    assert (path.read_text(encoding="utf-8"), mode_of(path)) == ("new", 0o640)


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    target, link, chain = folder / "target", tmp_path / "link", tmp_path / "chain"
    link.symlink_to(target)
    chain.symlink_to(link)
    for number, path in enumerate((link, chain)):  # the target does not exist the first time
        write_text(path, f"new {number}")
        assert path.is_symlink()
        assert target.read_text(encoding="utf-8") == f"new {number}"
    assert not target.is_symlink()
    assert list(folder.iterdir()) == [target]


def test_a_device_is_written_straight_and_stays_a_device(tmp_path: Path) -> None:
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    for path in (Path("/dev/null"), link):
        write_text(path, "text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert list(tmp_path.iterdir()) == [link]


def test_a_pipe_gets_the_text(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_text, args=(pipe, "through"))
    writer.start()
    with pipe.open(encoding="utf-8") as reader:
        assert reader.read() == "through"
    writer.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_full_device_is_one_line(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with pytest.raises(
        InputError, match=r"^cannot write /dev/full: No space left on device; make space on the disk"
    ):
        write_text(Path("/dev/full"), "text")


def test_a_file_that_is_open_already_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with path.open("w", encoding="utf-8") as file:
        before = path.stat().st_ino
        write_text(Path(f"/dev/fd/{file.fileno()}"), "text")
    assert (path.stat().st_ino, path.read_text(encoding="utf-8")) == (before, "text")


@pytest.mark.parametrize("size", [0, 1, 2_500_000])
def test_room_is_made_where_the_system_cannot_reserve_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = tmp_path / "file"
    path.touch()
    monkeypatch.delattr(os, "posix_fallocate")
    reserve_space(path, size)
    assert path.stat().st_size == size
    assert path.stat().st_blocks * 512 >= size


def test_a_store_may_go_through_a_pipe(tmp_path: Path) -> None:
    vectors = MemoryVectors(["a", "b"], np.ones((2, 3), dtype=np.float32))
    write_vectors(tmp_path / "v.vectors", vectors, name="test")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_vectors, args=(pipe, vectors), kwargs={"name": "test"})
    writer.start()
    assert pipe.read_bytes() == (tmp_path / "v.vectors").read_bytes()
    writer.join()


@pytest.mark.parametrize(
    "name, message",
    [
        ("folder", "it is a directory"),
        ("absent/file", "there is no folder .*absent"),
        ("x" * 300, "File name too long"),
        ("a\0b", "embedded null"),
        ("loop", "oop|Too many levels"),
        ("file/inside", "there is no folder|Not a directory"),
    ],
)
def test_what_cannot_be_written_is_known_before(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=f"^cannot write .*({message})"):
        check_writable(tmp_path / name)
    with pytest.raises(InputError, match=f"^cannot write .*({message})"):
        write_text(tmp_path / name, "text")
    assert sorted(tmp_path.iterdir()) == before


def test_a_check_leaves_no_trace(tmp_path: Path) -> None:
    check_writable(tmp_path / "new")
    check_writable("/dev/null")
    assert list(tmp_path.iterdir()) == []


def test_errors_of_the_writer_itself_pass_through(tmp_path: Path) -> None:
    def write_wrongly() -> None:
        with write_atomically(tmp_path / "file", InputError):
            raise ValueError("a fault of the caller")

    with pytest.raises(ValueError, match=r"^a fault of the caller$"):
        write_wrongly()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(
        writing, "may_write", lambda _: False
    )  # file permissions do not apply to the superuser
    with pytest.raises(InputError, match="no write permission; change its permissions"):
        write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"


def test_lines_are_appended(tmp_path: Path) -> None:
    for line in ("one\n", "zwölf\n"):
        append_text(tmp_path / "journal", line, InputError)
    assert (tmp_path / "journal").read_text(encoding="utf-8") == "one\nzwölf\n"
    with pytest.raises(ResourceError, match=r"cannot write .*: (Is a directory|Permission denied)"):
        append_text(tmp_path, "line\n", ResourceError)


def test_a_file_larger_than_the_free_space_is_known_before(tmp_path: Path) -> None:
    check_free_space(tmp_path / "file", 1)
    with pytest.raises(ResourceError, match=r"1,152,921,504,606,846,976 bytes are needed, but .* are free"):
        check_free_space(tmp_path / "file", 1 << 60, ResourceError)
    assert list(tmp_path.iterdir()) == []


def test_space_is_not_reserved_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "store"
    path.touch()
    monkeypatch.setattr(os, "posix_fallocate", fail, raising=False)
    with pytest.raises(OSError, match="No space left on device"):
        reserve_space(path, 10)
    assert path.stat().st_size == 0


def test_a_system_without_owners_of_files_keeps_the_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.touch(0o600)
    mode = mode_of(path)
    monkeypatch.delattr(os, "chown", raising=False)
    write_text(path, "text")
    assert mode_of(path) == mode
    assert path.read_text(encoding="utf-8") == "text"
