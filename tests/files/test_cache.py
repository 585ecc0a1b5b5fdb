"""The cache: shared between processes, valid after a kill, clear when it cannot be used."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tertium.errors import ResourceError
from tertium.files.cache import DiskCache, cache_folder, content_key, open_cache

WRITER = """
import sys
from pathlib import Path
from tertium.files.cache import DiskCache

cache = DiskCache(Path(sys.argv[1]))
for i in range(int(sys.argv[3])):
    cache.put_many({f"{sys.argv[2]}-{i}-{j}".encode(): bytes(200) for j in range(20)})
    print(i, flush=True)
"""


def writer(path: Path, name: str, times: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", WRITER, str(path), name, str(times)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def test_what_was_put_is_found_again(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "a.sqlite")
    cache.put_many({b"x": b"1", b"y": b"\x00\xff"})
    assert cache.get_many([b"x", b"y", b"z"]) == {b"x": b"1", b"y": b"\x00\xff"}


def test_more_keys_than_a_statement_takes_are_found(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "a.sqlite")
    entries = {str(i).encode(): str(-i).encode() for i in range(2345)}
    cache.put_many(entries)
    assert cache.get_many(list(entries)) == entries


def test_a_cache_that_does_not_exist_is_empty_and_stays_so(tmp_path: Path) -> None:
    assert DiskCache(tmp_path / "none.sqlite").get_many([b"x"]) == {}
    assert not (tmp_path / "none.sqlite").exists()


def test_processes_share_it(tmp_path: Path) -> None:
    path = tmp_path / "shared.sqlite"
    writers = [writer(path, name, 10) for name in ("one", "two")]
    assert [each.wait(60) for each in writers if each.communicate()] == [0, 0]
    keys = [f"{name}-{i}-{j}".encode() for name in ("one", "two") for i in range(10) for j in range(20)]
    assert len(DiskCache(path).get_many(keys)) == len(keys)


def test_a_killed_writer_leaves_it_valid(tmp_path: Path) -> None:
    path = tmp_path / "killed.sqlite"
    process = writer(path, "dead", 100_000)
    assert process.stdout is not None
    done = [int(process.stdout.readline()) for _ in range(3)][-1]
    time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    cache = DiskCache(path)
    first = cache.get_many([f"dead-{i}-{j}".encode() for i in range(done + 1) for j in range(20)])
    assert len(first) == (done + 1) * 20
    cache.put_many({b"after": b"1"})
    assert cache.get_many([b"after"]) == {b"after": b"1"}


def test_threads_share_it(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "threads.sqlite")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: cache.put_many({str(i).encode(): b"v"}), range(40)))
    assert len(cache.get_many([str(i).encode() for i in range(40)])) == 40


def test_a_file_that_is_no_cache_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "text.sqlite"
    path.write_text("this is no database, only a text that is long enough to be read as one " * 20)
    with pytest.raises(
        ResourceError, match=r"text\.sqlite cannot be used: .*; remove the file, or set TERTIUM_CACHE"
    ):
        DiskCache(path).get_many([b"x"])


def test_the_environment_names_the_folder_or_turns_it_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", "off")
    assert open_cache("trees") is None


def test_without_it_the_platform_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(os.environ, "TERTIUM_CACHE")
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / "tertium"


def test_a_key_knows_where_its_parts_end() -> None:
    assert content_key("ab", "c") != content_key("a", "bc")
    assert content_key("a") != content_key("a", "")
